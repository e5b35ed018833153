/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads single cells of measured files: ranks, nodes, devices, runs. */
#include "validate/measure/measured_rows.h"

#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int leave_out(struct row *r, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(r->note, sizeof r->note, format, args);
    va_end(args);
    return 1;
}

bool cell_empty(const struct csv *t, size_t row, const char *column)
{
    const char *text = csv_text(t, row, column);

    return !text || !*text;
}

bool cell_blank(const struct csv *t, size_t row, const char *column)
{
    return csv_column(t, column) >= 0 && cell_empty(t, row, column);
}

bool cell_is(const struct csv *t, size_t row, const char *column,
             const char *value)
{
    const char *text = csv_text(t, row, column);

    return text && !strcmp(text, value);
}

int cell_small(const struct csv *t, size_t row, const char *column,
               unsigned *out, struct err *err)
{
    uint64_t v;

    if (csv_count(t, row, column, &v, err) < 0)
        return -1;
    if (v > 1000000)
        return fail(err, "%s:%u: %s: %llu is too large", t->path, t->lines[row],
                    column, (unsigned long long)v);
    *out = (unsigned)v;
    return 0;
}

/* Reads the text of a cell; it is an error if there is no such column. */
static int text(const struct csv *t, size_t row, const char *column,
                const char **out, struct err *err)
{
    *out = csv_text(t, row, column);
    if (!*out)
        return fail(err, "%s: no column named %s", t->path, column);
    return 0;
}

int cell_word(const struct csv *t, size_t row, const char *column,
              const char *const *words, const char **out, struct err *err)
{
    char all[160] = "";

    if (text(t, row, column, out, err) < 0)
        return -1;
    for (size_t i = 0; words[i]; i++) {
        size_t used = strlen(all);
        if (!strcmp(*out, words[i]))
            return 0;
        snprintf(all + used, sizeof all - used, "%s%s",
                 !i             ? ""
                 : words[i + 1] ? ", "
                                : " or ",
                 words[i]);
    }
    return fail(err, "%s:%u: %s: expected %s, got '%s'", t->path, t->lines[row],
                column, all, *out);
}

int cell_name(const struct csv *t, size_t row, const char *column,
              const char *const *names, unsigned count, unsigned *out,
              struct err *err)
{
    const char **words = xcalloc(count + 1u, sizeof *words), *word;

    memcpy(words, names, count * sizeof *words);
    int result = cell_word(t, row, column, words, &word, err);
    for (*out = 0; result == 0 && strcmp(word, names[*out]) != 0;)
        ++*out;
    free(words);
    return result;
}

int cell_device(const struct csv *t, size_t row, bool *gpu, struct err *err)
{
    static const char *const names[] = {"cpu", "gpu", NULL};
    const char *name;

    if (cell_word(t, row, "device", names, &name, err) < 0)
        return -1;
    *gpu = !strcmp(name, "gpu");
    return 0;
}

const char *cell_run(const struct csv *t, size_t row)
{
    const char *run =
        csv_text(t, row, csv_column(t, "run_id") < 0 ? "run" : "run_id");
    char wanted[64];

    snprintf(wanted, sizeof wanted, "run_id=%s ", run ? run : "");
    for (size_t i = 0; i < t->ncomments && run; i++)
        if (strstr(t->comments[i], wanted))
            return t->comments[i];
    return NULL;
}

bool head_says(const struct csv *t, const char *text)
{
    for (size_t i = 0; i < t->ncomments; i++)
        if (!strncmp(t->comments[i], " measured:", 10) &&
            strstr(t->comments[i], text))
            return true;
    return false;
}

const char *rack(const struct experiment *x)
{
    return x->other_rack ? ", other rack" : "";
}

unsigned racks_of_run(const struct csv *t, size_t row)
{
    const char *run = cell_run(t, row);
    const char *at = run ? strstr(run, "nodes_per_rack=") : NULL;
    unsigned n = 1;

    for (; at && *at && *at != ' '; at++)
        n += *at == '+';
    return n;
}

int strategy_named(const char *const *names, const struct csv *t, size_t row,
                   unsigned *out, struct err *err)
{
    const char *name;

    if (cell_word(t, row, "strategy", names, &name, err) < 0)
        return -1;
    for (*out = 0; strcmp(names[*out], name) != 0;)
        ++*out;
    return 0;
}

int row_direction(const struct csv *t, size_t row, enum copy_dir *dir,
                  struct err *err)
{
    static const char *const names[] = {"H2D", "D2H", "D2D", NULL};
    const char *name;

    if (cell_word(t, row, "direction_performed", names, &name, err) < 0)
        return -1;
    for (int d = 0; d < NCOPY_DIRS; d++)
        if (!strcmp(name, copy_dir_names[d]))
            *dir = (enum copy_dir)d;
    return 0;
}
