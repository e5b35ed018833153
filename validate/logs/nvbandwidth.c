/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nvbandwidth.c - matrices of nvbandwidth, as text or JSON: copies by copy
 * engines between the host and each GPU, or between two GPUs, one at a time. A
 * copy has 512 MiB unless the log says another size. Tests in both directions
 * at once, of several GPUs at once, and by kernels, keep their names, which are
 * not simulated.
 */
#include "validate/logs/lines.h"
#include "validate/logs/objects.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS                                                                \
    "\"Running host_to_device_memcpy_ce.\" and its matrix, or, as JSON, "      \
    "nvbandwidth.testcases[].name and bandwidth_matrix"

enum { MOST_GPUS = 256 };
static const uint64_t COPY_B = (uint64_t)512 << 20;

/* Tests that are simulated. In a matrix between GPUs a read goes from the
 * column to the row; a write from the row to the column. */
static const struct {
    const char *name, *operation;
    bool from_column;
} tests[] = {{"host_to_device_memcpy_ce", LOG_COPY "H2D", false},
             {"device_to_host_memcpy_ce", LOG_COPY "D2H", false},
             {"device_to_device_memcpy_read_ce", LOG_COPY "D2D", true},
             {"device_to_device_memcpy_write_ce", LOG_COPY "D2D", false}};

static bool nvbandwidth_is(const char *begin, const char *end)
{
    struct scan line = {begin, end};

    scan_blanks(&line);
    return (line.end - line.at > 19 &&
            !memcmp(line.at, "nvbandwidth Version", 19)) ||
           log_has(line, "\"nvbandwidth\"");
}

/* --- cells ---------------------------------------------------------------- */

struct nvbandwidth {
    struct log *l;
    char test[48];  /* "" between tests */
    uint64_t bytes; /* of a copy */
    bool in_matrix; /* the line of columns was read */
    bool described; /* the line before the matrix was */
    size_t ncolumns;
};

/* Sets the ends of a cell's copy: both are the GPU of the column if one is the
 * host. Returns false for the diagonal, which is empty. */
static bool cell_ends(struct log_row *row, const char *test, unsigned at_row,
                      unsigned column)
{
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        if (strcmp(test, tests[i].name) != 0)
            continue;
        snprintf(row->operation, sizeof row->operation, "%s",
                 tests[i].operation);
        bool peers = !strcmp(tests[i].operation, LOG_COPY "D2D");
        row->gpus[0] = peers && !tests[i].from_column ? at_row : column;
        row->gpus[1] = !peers ? column : tests[i].from_column ? at_row : column;
        return !peers || at_row != column;
    }
    snprintf(row->operation, sizeof row->operation, "%s", test);
    row->gpus[0] = at_row;
    row->gpus[1] = column;
    return true;
}

static void add_cell(struct nvbandwidth *b, unsigned at_row, unsigned column,
                     struct scan word, unsigned line)
{
    struct log_row row = {.bytes = b->bytes, .line = line};
    double GBps;

    if (!cell_ends(&row, b->test, at_row, column) || scan_is(word, "N/A"))
        return;
    if (!log_real(b->l, line, word, &GBps)) {
        log_note(b->l, line, "no bandwidth");
        return;
    }
    row.time_s = (double)row.bytes / (GBps * 1e9);
    (void)log_add_row(b->l, &row);
}

/* --- text ----------------------------------------------------------------- */

static void begin_test(struct nvbandwidth *b, struct scan name)
{
    while (name.end > name.at && (name.end[-1] == '.'))
        name.end--;
    log_copy(b->test, sizeof b->test, name);
    b->described = b->in_matrix = false;
}

/* Reads a line of a matrix: its columns, or the number of the row and cells. */
static void matrix_line(struct nvbandwidth *b, struct scan line,
                        unsigned number)
{
    struct scan words[MOST_GPUS + 1];
    size_t n = log_words(words, MOST_GPUS + 1, line);
    uint64_t at_row;

    if (!b->in_matrix) {
        b->in_matrix = true;
        b->ncolumns = n;
        return;
    }
    if (!n || n > MOST_GPUS ||
        !scan_whole(&(struct scan){words[0].at, words[0].end}, &at_row)) {
        *b->test = 0; /* the matrix ends */
        return;
    }
    if (n != b->ncolumns + 1 || at_row >= MOST_GPUS) {
        log_note(b->l, number, "cut off, or mixed with other lines");
        return;
    }
    for (size_t i = 1; i < n; i++)
        add_cell(b, (unsigned)at_row, (unsigned)(i - 1), words[i], number);
}

static void text_line(struct nvbandwidth *b, struct scan line, unsigned number)
{
    struct scan running = log_after(line, "Running "),
                device = log_after(line, "Device 0: ");

    if (running.at) {
        begin_test(b, scan_word(&running));
    } else if (device.at) {
        struct scan bus = log_after(device, " (");
        device.end = bus.at ? bus.at - 2 : device.end;
        log_copy(b->l->runs[b->l->nruns - 1].gpu, sizeof b->l->runs[0].gpu,
                 device);
    } else if (*b->test && !b->described) {
        b->described = log_has(line, "GB/s");
    } else if (*b->test) {
        matrix_line(b, line, number);
    }
}

/* --- JSON ----------------------------------------------------------------- */

static void json_cell(struct nvbandwidth *b, unsigned at_row, unsigned column,
                      const struct json *cell, unsigned line)
{
    char text[32];
    const char *word = json_string(cell);

    if (!word) {
        snprintf(text, sizeof text, "%.9g", json_number(cell));
        word = text;
    }
    add_cell(b, at_row, column, (struct scan){word, word + strlen(word)}, line);
}

static void json_test(struct nvbandwidth *b, const struct json *test,
                      unsigned line)
{
    const struct json *matrix = json_member(test, "bandwidth_matrix");
    const char *name = json_string(json_member(test, "name"));
    unsigned at_row = 0;

    if (!name)
        return;
    log_copy(b->test, sizeof b->test, (struct scan){name, name + strlen(name)});
    if (!matrix) {
        const char *status = json_string(json_member(test, "status"));
        if (!status || strcmp(status, "Waived") != 0)
            log_note(b->l, line, "a test without a matrix");
        return;
    }
    for (struct json *row = json_at(matrix, 0); row;
         row = json_next(row), at_row++) {
        unsigned column = 0;
        for (struct json *cell = json_is_array(row) ? json_at(row, 0) : NULL;
             cell; cell = json_next(cell), column++)
            json_cell(b, at_row, column, cell, line);
    }
}

static void json_device(struct log_facts *f, const struct json *top)
{
    const char *name = json_string(json_at_path(top, "GPU Device list.0"));
    const char *colon = name ? strstr(name, ": ") : NULL;

    if (!colon)
        return;
    const char *bus = strstr(colon, " (");
    log_copy(f->gpu, sizeof f->gpu,
             (struct scan){colon + 2, bus ? bus : colon + strlen(colon)});
}

static void read_json(struct nvbandwidth *b, const struct input *in)
{
    struct log_objects objects = log_objects_of(in);
    struct json *o;

    while ((o = log_object(b->l, &objects))) {
        const struct json *top = json_member(o, "nvbandwidth");
        double mib = json_number(json_member(top, "bufferSize"));
        const struct json *list = json_member(top, "testcases");
        b->bytes = mib >= 1 && mib < 1e6 ? (uint64_t)mib << 20 : COPY_B;
        json_device(&b->l->runs[b->l->nruns - 1], top);
        for (struct json *test = json_is_array(list) ? json_at(list, 0) : NULL;
             test; test = json_next(test))
            json_test(b, test, objects.line);
        json_free(o);
    }
}

/* -------------------------------------------------------------------------- */

static int nvbandwidth_read(struct log *l, const struct input *in,
                            struct err *err)
{
    struct log_lines lines = log_lines_of(in);
    struct nvbandwidth b = {.l = l, .bytes = COPY_B};
    struct scan line;
    bool json = false;

    (void)err; /* never fails */
    struct log_facts *f = log_add_run(l);
    f->nodes = 1;
    for (int i = 0; i < 2; i++)
        snprintf(f->memory[i], sizeof f->memory[i], "device");
    while (log_next(&lines, &line))
        json |= log_has(line, "\"nvbandwidth\"");
    if (json) {
        read_json(&b, in);
        return 0;
    }
    lines = log_lines_of(in);
    while (log_next(&lines, &line))
        text_line(&b, line, lines.line);
    return 0;
}

const struct log_format nvbandwidth_log = {
    .name = "nvbandwidth",
    .summary = "nvbandwidth: matrices of copies, as text or JSON",
    .columns = COLUMNS,
    .is = nvbandwidth_is,
    .read = nvbandwidth_read,
};
