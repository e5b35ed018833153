/* SPDX-License-Identifier: GPL-3.0-or-later */
/* imb.c - the text of the Intel MPI Benchmarks: "# Benchmarking Allreduce", "#
 * #processes = 16", a line of columns "#bytes #repetitions ...", and rows. Its
 * Mbytes are 10^6 bytes. */
#include "validate/logs/lines.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS "#bytes, #repetitions, and t[usec], t_avg[usec] or Mbytes/sec"

enum { MOST_WORDS = 12, NO_COLUMN = MOST_WORDS, IMB_WINDOW = 64 };

/* Names that are no collectives'. The messages of a ping-pong are one way;
 * Uniband and Biband send windows between the halves of the ranks. */
static const struct {
    const char *name, *operation;
} names[] = {{"PingPong", LOG_LATENCY},
             {"Uniband", LOG_MULTI_BANDWIDTH},
             {"Biband", LOG_BIDIRECTIONAL}};

struct imb {
    struct log *l;
    struct log_facts *facts;
    struct log_facts before;
    size_t n, time, rate; /* columns; NO_COLUMN if there is none */
};

static bool imb_is(const char *begin, const char *end)
{
    struct scan line = {begin, end};

    scan_blanks(&line);
    return line.end - line.at > 15 && !memcmp(line.at, "# Benchmarking ", 15);
}

static void imb_begin(struct imb *b, struct scan line)
{
    struct scan rest = log_after(line, "# Benchmarking ");
    char name[48];

    b->facts = log_add_run(b->l);
    b->n = 0;
    if (b->before.nodes)
        b->facts->nodes = b->before.nodes;
    log_copy(name, sizeof name, scan_word(&rest));
    log_operation(b->facts->operation, sizeof b->facts->operation, name);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(name, names[i].name))
            snprintf(b->facts->operation, sizeof b->facts->operation, "%s",
                     names[i].operation);
    for (int i = 0; i < 2; i++)
        if (!*b->facts->memory[i])
            snprintf(b->facts->memory[i], sizeof b->facts->memory[i], "host");
}

static void imb_processes(struct log_facts *f, struct scan line)
{
    struct scan rest = log_after(line, "#processes = ");
    uint64_t n;

    if (!rest.at || !scan_whole(&rest, &n) ||
        !log_set_count(&f->ranks, (double)n))
        return;
    f->pairs = f->ranks / 2;
    f->window = IMB_WINDOW;
}

static int imb_columns(struct imb *b, struct scan line, unsigned number,
                       struct err *err)
{
    struct scan words[MOST_WORDS];

    b->n = log_words(words, MOST_WORDS, line);
    b->time = b->rate = NO_COLUMN;
    for (size_t i = 0; i < b->n && i < MOST_WORDS; i++) {
        if (scan_is(words[i], "t[usec]") || scan_is(words[i], "t_avg[usec]"))
            b->time = i;
        if (scan_is(words[i], "Mbytes/sec"))
            b->rate = i;
    }
    if (b->n > MOST_WORDS || (b->time == NO_COLUMN && b->rate == NO_COLUMN))
        return fail(err,
                    "%s:%u: the table has not the columns of IMB: expected %s",
                    b->l->path, number, COLUMNS);
    return 0;
}

static void imb_row(struct imb *b, struct scan line, unsigned number)
{
    const struct log_facts *f = b->facts;
    struct log_row row = {.line = number};
    struct scan words[MOST_WORDS];
    size_t n = log_words(words, MOST_WORDS, line);
    double value;

    if (!n || !log_size(words[0], &row.bytes) || !b->n)
        return;
    if (n != b->n) {
        log_note(b->l, number, "cut off, or mixed with other lines");
        return;
    }
    bool timed = b->time != NO_COLUMN;
    if (!log_real(b->l, number, words[timed ? b->time : b->rate], &value)) {
        log_note(b->l, number, "no time");
        return;
    }
    bool both = !strcmp(f->operation, LOG_BIDIRECTIONAL);
    double copies = (both ? 2.0 : 1.0) * (f->pairs ? f->pairs : 1);
    row.time_s =
        timed ? value / 1e6 : copies * (double)row.bytes / (value * 1e6);
    row.bytes = log_whole(f->operation, row.bytes, f->ranks);
    snprintf(row.operation, sizeof row.operation, "%s", f->operation);
    row.out_of_place = true; /* its default, as OSU's */
    (void)log_add_row(b->l, &row);
}

static int imb_line(struct imb *b, struct scan line, unsigned number,
                    struct err *err)
{
    struct scan rest = line;

    if (imb_is(line.at, line.end)) {
        imb_begin(b, line);
        return 0;
    }
    log_command(&b->before, line);
    if (!b->facts)
        return 0;
    imb_processes(b->facts, line);
    if (scan_is(scan_word(&rest), "#bytes"))
        return imb_columns(b, line, number, err);
    imb_row(b, line, number);
    return 0;
}

static int imb_read(struct log *l, const struct input *in, struct err *err)
{
    struct log_lines lines = log_lines_of(in);
    struct imb b = {.l = l};
    struct scan line;
    int result = 0;

    while (result == 0 && log_next(&lines, &line))
        result = imb_line(&b, line, lines.line, err);
    return result;
}

const struct log_format imb_log = {
    .name = "imb",
    .summary = "Intel MPI Benchmarks: PingPong, Uniband, Biband, collectives",
    .columns = COLUMNS,
    .is = imb_is,
    .read = imb_read,
};
