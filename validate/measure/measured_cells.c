/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads single cells of measured files: ranks, nodes, devices, runs. */
#include "validate/measure/measured_rows.h"

#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int cell_nodes(const struct csv *t, size_t row, const struct machine *m,
               unsigned *out, struct err *err)
{
    if (cell_small(t, row, "nodes", out, err) < 0)
        return -1;
    if (*out < 1 || *out > m->network.nodes)
        return fail(err, "%s:%u: nodes: expected from 1 to %u, got %u", t->path,
                    t->lines[row], m->network.nodes, *out);
    return 0;
}

/* The text of a cell, or an error when there is no such column. */
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
    const char *run = csv_text(t, row, "run_id");
    char wanted[64];

    snprintf(wanted, sizeof wanted, "run_id=%s ", run ? run : "");
    for (size_t i = 0; i < t->ncomments && run; i++)
        if (strstr(t->comments[i], wanted))
            return t->comments[i];
    return NULL;
}

int cell_ranks_per_node(const struct csv *t, size_t row, unsigned otherwise,
                        const struct machine *m, unsigned *out, struct err *err)
{
    const char *run = cell_run(t, row);
    const char *at = run ? strstr(run, " ranks_per_node=") : NULL;

    *out = otherwise;
    if (csv_column(t, "ranks_per_node") >= 0) {
        if (cell_small(t, row, "ranks_per_node", out, err) < 0)
            return -1;
    } else if (at) {
        uint64_t ranks = 0;
        if (number_take_whole(at + strlen(" ranks_per_node="), &ranks) &&
            ranks <= UINT32_MAX)
            *out = (unsigned)ranks;
        else
            *out = 0;
    }
    if (*out < 1 || *out > m->ncores)
        return fail(err,
                    "%s:%u: ranks_per_node: expected from 1 to the %u cores "
                    "of a node of %s, got %u",
                    t->path, t->lines[row], m->ncores, m->name, *out);
    return 0;
}

int cell_gpu(const struct csv *t, size_t row, const char *column,
             const struct machine *m, unsigned *out, struct err *err)
{
    if (cell_small(t, row, column, out, err) < 0)
        return -1;
    if (*out >= m->ngpus)
        return fail(err, "%s:%u: %s: %s has no GPU %u, only %u", t->path,
                    t->lines[row], column, m->name, *out, m->ngpus);
    return 0;
}
