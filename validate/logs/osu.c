/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * osu.c - the text of the OSU micro-benchmarks: "# OSU MPI-CUDA Bandwidth Test
 * v7.5", a line of columns "# Size ...", rows of a size and a value. Columns
 * behind these two (least, most, iterations, validation) differ by version and
 * option, and are not needed. The head says neither ranks nor nodes.
 */
#include "validate/logs/lines.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS                                                                \
    "Size, and Latency (us), Avg Latency(us), Bandwidth (MB/s) or MB/s"

/* Titles of tests without a collective's name. */
static const struct {
    const char *title, *operation;
} titles[] = {{"Latency", LOG_LATENCY},
              {"Bandwidth", LOG_BANDWIDTH},
              {"Bi-Directional Bandwidth", LOG_BIDIRECTIONAL},
              {"Multi Latency", LOG_MULTI_LATENCY},
              {"Multiple Bandwidth / Message Rate", LOG_MULTI_BANDWIDTH},
              {"All-to-All Personalized Exchange Latency", "alltoall"},
              {"Alltoall Personalized Exchange Latency", "alltoall"}};

/* Bytes of a message per second in a benchmark's MB/s. */
static const double MB = 1e6;

/* OSU's window if the head does not say another. */
enum { OSU_WINDOW = 64 };

static bool osu_is(const char *begin, const char *end)
{
    struct scan line = {begin, end};

    scan_blanks(&line);
    return line.end - line.at > 10 && !memcmp(line.at, "# OSU MPI", 9) &&
           log_has(line, " Test");
}

/* Sets the operation by "# OSU MPI-CUDA TITLE Test v7.5". */
static void osu_title(struct log_facts *f, struct scan line)
{
    struct scan title = log_after(line, "# OSU "), test;
    char text[64];

    (void)scan_word(&title); /* MPI, MPI-CUDA, MPI-ROCM */
    test = log_after(title, " Test");
    title.end = test.at ? test.at - strlen(" Test") : title.end;
    log_copy(text, sizeof text, title);
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        if (!strcmp(text, titles[i].title)) {
            snprintf(f->operation, sizeof f->operation, "%s",
                     titles[i].operation);
            return;
        }
    char *latency = strstr(text, " Latency");
    if (latency)
        *latency = 0;
    log_operation(f->operation, sizeof f->operation, text);
}

/* Sets the memory of both ends: that of the line "Send Buffer on DEVICE (D)
 * ...", else that of the command line, else a GPU's if the title names an
 * accelerator. */
static void osu_memory(struct log_facts *f, struct scan line)
{
    static const char *const ends[] = {"Send Buffer on ", "Receive Buffer on "};

    for (int i = 0; i < 2; i++) {
        struct scan at = log_after(line, ends[i]);
        if (!at.at)
            continue;
        struct scan word = scan_word(&at);
        snprintf(f->memory[i], sizeof f->memory[i], "%s",
                 scan_is(word, "HOST") ? "host" : "device");
    }
}

static void osu_default_memory(struct log_facts *f, struct scan title)
{
    bool gpu = !log_has(title, "# OSU MPI ");

    for (int i = 0; i < 2; i++)
        if (!*f->memory[i])
            snprintf(f->memory[i], sizeof f->memory[i], "%s",
                     gpu ? "device" : "host");
}

/* Reads "# [ pairs: 15 ] [ window size: 64 ]". */
static void osu_pairs(struct log_facts *f, struct scan line)
{
    struct scan pairs = log_after(line, "pairs: "),
                window = log_after(line, "window size: ");
    uint64_t n;

    if (pairs.at && scan_whole(&pairs, &n) &&
        log_set_count(&f->ranks, 2 * (double)n))
        f->pairs = f->ranks / 2;
    if (window.at && scan_whole(&window, &n))
        (void)log_set_count(&f->window, (double)n);
}

/* --- rows ----------------------------------------------------------------- */

struct osu {
    struct log *l;
    struct log_facts *facts; /* NULL before the first title */
    struct log_facts before; /* of a command line before it */
    bool columns, rates;     /* the columns are known; values are rates */
};

/* Returns the time of one message, or of a call, by the value of a row. */
static double osu_time(const struct osu *o, uint64_t bytes, double value)
{
    const struct log_facts *f = o->facts;
    double copies = f->pairs ? f->pairs : 1;

    if (!o->rates)
        return value / 1e6;
    if (!strcmp(f->operation, LOG_BIDIRECTIONAL))
        copies *= 2;
    return copies * (double)bytes / (value * MB);
}

static void osu_row(struct osu *o, struct scan line, unsigned number)
{
    const struct log_facts *f = o->facts;
    struct log_row row = {.line = number};
    struct scan words[2];
    size_t n = log_words(words, 2, line);
    double value;

    if (!n || !log_size(words[0], &row.bytes))
        return;
    if (!o->columns) {
        log_note(o->l, number, "a row before any line of columns");
        return;
    }
    if (n < 2) {
        log_note(o->l, number, "cut off, or mixed with other lines");
        return;
    }
    if (!log_real(o->l, number, words[1], &value)) {
        log_note(o->l, number, "no time");
        return;
    }
    if (o->rates && !row.bytes) {
        log_note(o->l, number, "of no bytes");
        return;
    }
    row.time_s = osu_time(o, row.bytes, value);
    row.bytes = log_whole(f->operation, row.bytes, f->ranks);
    snprintf(row.operation, sizeof row.operation, "%s", f->operation);
    row.out_of_place = true; /* no test sends with MPI_IN_PLACE by itself */
    (void)log_add_row(o->l, &row);
}

/* --- the log -------------------------------------------------------------- */

static void osu_begin(struct osu *o, struct scan title)
{
    const struct log_facts *b = &o->before;

    o->facts = log_add_run(o->l);
    o->columns = false;
    if (b->ranks)
        o->facts->ranks = b->ranks;
    if (b->nodes)
        o->facts->nodes = b->nodes;
    if (*b->memory[0])
        memcpy(o->facts->memory, b->memory, sizeof b->memory);
    o->before = (struct log_facts){0};
    osu_title(o->facts, title);
    osu_default_memory(o->facts, title);
    bool pair = !strcmp(o->facts->operation, LOG_LATENCY) ||
                !strcmp(o->facts->operation, LOG_BANDWIDTH) ||
                !strcmp(o->facts->operation, LOG_BIDIRECTIONAL);
    if (pair) {
        o->facts->ranks = 2;
        o->facts->pairs = 1;
    }
    o->facts->window = OSU_WINDOW;
}

/* Reads a line of columns. A test without sizes, as of a barrier, has none. */
static int osu_columns(struct osu *o, struct scan line, unsigned number,
                       struct err *err)
{
    o->rates = log_has(line, "MB/s");
    o->columns = o->rates || log_has(line, "(us)");
    if (!o->columns)
        return fail(err,
                    "%s:%u: the table has not the columns of OSU's: expected "
                    "%s",
                    o->l->path, number, COLUMNS);
    return 0;
}

static int osu_line(struct osu *o, struct scan line, unsigned number,
                    struct err *err)
{
    struct scan word, rest = line;

    if (osu_is(line.at, line.end)) {
        osu_begin(o, line);
        return 0;
    }
    log_command(&o->before, line);
    if (!o->facts)
        return 0;
    osu_memory(o->facts, line);
    osu_pairs(o->facts, line);
    if (scan_is(scan_word(&rest), "#")) {
        word = scan_word(&rest);
        return scan_is(word, "Size") ? osu_columns(o, line, number, err) : 0;
    }
    osu_row(o, line, number);
    return 0;
}

static int osu_read(struct log *l, const struct input *in, struct err *err)
{
    struct log_lines lines = log_lines_of(in);
    struct osu o = {.l = l};
    struct scan line;
    int result = 0;

    while (result == 0 && log_next(&lines, &line))
        result = osu_line(&o, line, lines.line, err);
    return result;
}

const struct log_format osu_log = {
    .name = "osu",
    .summary = "OSU micro-benchmarks: pt2pt and collective, host or GPU memory",
    .columns = COLUMNS,
    .is = osu_is,
    .read = osu_read,
};
