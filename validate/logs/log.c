/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the format of a log, reads it, and makes a table of its rows. */
#include "validate/logs/log.h"

#include "validate/logs/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct log_format *const log_formats[] = {
#define LOG_FORMAT(x) &x##_log,
#include "validate/logs/list.def"
#undef LOG_FORMAT
};
const size_t nlog_formats = sizeof log_formats / sizeof log_formats[0];

/* --- the user's facts ----------------------------------------------------- */

static int fact_set(struct log_facts *f, const char *key, size_t len,
                    const char *value)
{
    const struct {
        const char *key;
        uint32_t *count;
    } counts[] = {{"ranks", &f->ranks},
                  {"nodes", &f->nodes},
                  {"gpus_per_thread", &f->by_thread}};
    uint64_t n;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (!strncmp(key, counts[i].key, len) && !counts[i].key[len])
            return number_whole(value, &n) &&
                           log_set_count(counts[i].count, (double)n)
                       ? 0
                       : -1;
    if (len == 10 && !strncmp(key, "collective", len) && *value) {
        log_operation(f->operation, sizeof f->operation, value);
        return 0;
    }
    if (len != 6 || strncmp(key, "memory", len) != 0 ||
        (strcmp(value, "host") != 0 && strcmp(value, "device") != 0))
        return -1;
    for (int i = 0; i < 2; i++)
        snprintf(f->memory[i], sizeof f->memory[i], "%s", value);
    return 0;
}

int log_facts_read(struct log_facts *f, const char *const *words, size_t n,
                   struct err *err)
{
    *f = (struct log_facts){0};
    for (size_t i = 0; i < n; i++) {
        const char *is = strchr(words[i], '=');
        if (!is || fact_set(f, words[i], (size_t)(is - words[i]), is + 1) < 0)
            return fail(err,
                        "--fact %s: expected ranks=N, nodes=N, "
                        "gpus_per_thread=N, memory=host|device or "
                        "collective=NAME",
                        words[i]);
    }
    return 0;
}

/* --- formats -------------------------------------------------------------- */

static const struct log_format *format_of(const struct input *in)
{
    struct log_lines lines = log_lines_of(in);
    struct scan line;

    while (log_next(&lines, &line))
        for (size_t i = 0; i < nlog_formats; i++)
            if (log_formats[i]->is(line.at, line.end))
                return log_formats[i];
    return NULL;
}

const struct log_format *log_format_of(const char *path)
{
    struct input in;
    struct err ignored;

    if (input_open(&in, path, &ignored) < 0)
        return NULL;
    const struct log_format *format = format_of(&in);
    input_close(&in);
    return format;
}

/* Returns the first reason why lines were not read, for the error about a log
 * without rows. */
static int no_rows(const struct log *l, struct err *err)
{
    if (l->nnotes)
        return fail(err, "%s:%u: %s; no row of %s with the columns %s", l->path,
                    l->notes[0].first, l->notes[0].text, l->format->name,
                    l->format->columns);
    return fail(err, "%s: no row of %s: expected the columns %s", l->path,
                l->format->name, l->format->columns);
}

int log_load(struct log *l, const char *path, const struct log_facts *more,
             struct err *err)
{
    return log_load_as(l, path, NULL, more, err);
}

int log_load_as(struct log *l, const char *path, const struct log_format *as,
                const struct log_facts *more, struct err *err)
{
    struct input in;

    *l = (struct log){.path = path};
    if (more)
        l->more = *more;
    if (input_open(&in, path, err) < 0)
        return -1;
    l->format = as ? as : format_of(&in);
    int result =
        l->format ? l->format->read(l, &in, err)
                  : fail(err, "%s: no log that sluice knows (sluice list logs)",
                         path);
    if (result == 0 && !l->nrows)
        result = no_rows(l, err);
    input_close(&in);
    if (result < 0)
        log_clear(l);
    return result;
}

void log_clear(struct log *l)
{
    free(l->runs);
    free(l->rows);
    free(l->notes);
    for (size_t i = 0; i < l->nsettings; i++)
        free(l->settings[i]);
    free(l->settings);
    memset(l, 0, sizeof *l);
}

/* --- the table ------------------------------------------------------------ */

enum {
    BENCHMARK,
    OPERATION,
    MEMORY,
    NODES,
    RANKS,
    BYTES,
    PLACE,
    CALLS,
    BY_THREAD,
    TIME,
    PAIRS,
    WINDOW,
    GPU_A,
    GPU_B,
    ALGORITHM,
    RUN,
    LABEL,
    NCOLUMNS
};
const char *const log_columns[] = {
    "benchmark", "operation", "memory",    "nodes",  "ranks", "bytes",
    "place",     "calls",     "by_thread", "time_s", "pairs", "window",
    "gpu_a",     "gpu_b",     "algorithm", "run",    "label"};

/* Returns a number as a cell, empty for 0. */
static char *count_cell(uint64_t n)
{
    return n ? xasprintf("%llu", (unsigned long long)n) : xstrdup("");
}

static char *memory_cell(const struct log_facts *f)
{
    if (!strcmp(f->memory[0], f->memory[1]))
        return xstrdup(f->memory[0]);
    return xasprintf("%s to %s", f->memory[0], f->memory[1]);
}

static void table_row(char **cells, const struct log *l,
                      const struct log_row *r)
{
    const struct log_facts *f = &l->runs[r->run];
    const char *place = r->out_of_place ? "out" : "in";

    cells[BENCHMARK] = xstrdup(l->format->name);
    cells[OPERATION] = xstrdup(r->operation);
    cells[MEMORY] = memory_cell(f);
    cells[NODES] = count_cell(f->nodes);
    cells[RANKS] = count_cell(f->ranks);
    cells[BYTES] = xasprintf("%llu", (unsigned long long)r->bytes);
    cells[PLACE] = xstrdup(place);
    cells[CALLS] = xstrdup(f->in_graph ? "graph" : "row");
    cells[BY_THREAD] = count_cell(f->by_thread);
    cells[TIME] = xasprintf("%.9g", r->time_s);
    cells[PAIRS] = count_cell(f->pairs);
    cells[WINDOW] = count_cell(f->window);
    cells[GPU_A] = xasprintf("%u", r->gpus[0]);
    cells[GPU_B] = xasprintf("%u", r->gpus[1]);
    cells[ALGORITHM] = xstrdup(r->algorithm);
    cells[RUN] = xasprintf("%zu", r->run + 1);
    cells[LABEL] = xasprintf("%s %s%s", l->format->name, r->operation,
                             r->out_of_place ? ", out of place" : "");
}

/* Adds each fact of the runs once. */
static void table_comment(struct csv *t, const char *what, const char *value)
{
    char *text = *value ? xasprintf(" %s: %s", what, value) : NULL;

    for (size_t i = 0; text && i < t->ncomments; i++)
        if (!strcmp(t->comments[i], text)) {
            free(text);
            return;
        }
    if (!text)
        return;
    t->comments = xrealloc(t->comments, t->ncomments + 1, sizeof *t->comments);
    t->comments[t->ncomments++] = text;
}

void log_table(struct csv *t, const struct log *l)
{
    *t = (struct csv){.path = xstrdup(l->path),
                      .names = xcalloc(NCOLUMNS, sizeof *t->names),
                      .ncols = NCOLUMNS,
                      .cells = xcalloc(l->nrows * NCOLUMNS, sizeof *t->cells),
                      .nrows = l->nrows,
                      .lines = xcalloc(l->nrows, sizeof *t->lines)};
    for (size_t i = 0; i < NCOLUMNS; i++)
        t->names[i] = xstrdup(log_columns[i]);
    for (size_t i = 0; i < l->nrows; i++) {
        t->lines[i] = l->rows[i].line;
        table_row(&t->cells[i * NCOLUMNS], l, &l->rows[i]);
    }
    for (size_t i = 0; i < l->nruns; i++) {
        table_comment(t, "GPU", l->runs[i].gpu);
        table_comment(t, "library", l->runs[i].library);
    }
}

int log_or_csv(struct csv *t, const char *path, const struct log_facts *more,
               struct log_note **notes, size_t *nnotes, struct err *err)
{
    struct log l;

    if (notes) {
        *notes = NULL;
        *nnotes = 0;
    }
    if (!log_format_of(path))
        return csv_load(t, path, err);
    if (log_load(&l, path, more, err) < 0)
        return -1;
    log_table(t, &l);
    if (notes) {
        *notes = l.notes;
        *nnotes = l.nnotes;
        l.notes = NULL;
    }
    log_clear(&l);
    return 0;
}
