/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The places of a row of measurements: its nodes and ranks, GPU, partition,
 * socket, and whether ranks share a GPU by MPS. */
#include "validate/measure/measured_rows.h"

#include "base/number.h"

#include <string.h>

int row_nodes(struct row *r, unsigned *out, struct err *err)
{
    if (cell_small(r->t, r->row, "nodes", out, err) < 0)
        return -1;
    if (*out < 1)
        return fail(err, "%s:%u: nodes: expected at least 1, got 0", r->t->path,
                    r->t->lines[r->row]);
    if (*out > r->m->network.nodes)
        return leave_out(r, "%s has %u nodes, not %u", r->m->name,
                         r->m->network.nodes, *out);
    return 0;
}

int row_ranks_per_node(struct row *r, unsigned otherwise, unsigned *out,
                       struct err *err)
{
    const char *run = cell_run(r->t, r->row);
    const char *at = run ? strstr(run, " ranks_per_node=") : NULL;
    uint64_t ranks = 0;

    *out = survey_ranks_per_node(r->survey, r->t, r->row);
    if (!*out)
        *out = otherwise;
    if (!cell_empty(r->t, r->row, "ranks_per_node")) {
        if (cell_small(r->t, r->row, "ranks_per_node", out, err) < 0)
            return -1;
    } else if (at) {
        *out = 0;
        if (number_take_whole(at + strlen(" ranks_per_node="), &ranks) &&
            ranks <= UINT32_MAX)
            *out = (unsigned)ranks;
    }
    if (!*out)
        return fail(err, "%s:%u: ranks_per_node: expected at least 1",
                    r->t->path, r->t->lines[r->row]);
    if (*out > r->m->ncores)
        return leave_out(r, "%s has %u cores a node, not %u for so many ranks",
                         r->m->name, r->m->ncores, *out);
    return 0;
}

int row_gpu(struct row *r, const char *column, unsigned *out, struct err *err)
{
    if (cell_blank(r->t, r->row, column))
        return leave_out(r, "%s is empty", column);
    if (cell_small(r->t, r->row, column, out, err) < 0)
        return -1;
    if (*out >= r->m->ngpus)
        return leave_out(r, "%s has no GPU %u, only %u", r->m->name, *out,
                         r->m->ngpus);
    return 0;
}

int row_partition(struct row *r)
{
    static const struct {
        const char *mode;
        unsigned parts;
    } modes[] = {{"DPX", 2}, {"TPX", 3}, {"QPX", 4}, {"CPX", 6}};
    const char *config = csv_text(r->t, r->row, "config");

    for (size_t i = 0; config && i < sizeof modes / sizeof modes[0]; i++)
        if (strstr(config, modes[i].mode) && r->m->ngpus % modes[i].parts)
            return leave_out(r, "%s: GPUs cut into %u, the %u of %s are whole",
                             modes[i].mode, modes[i].parts, r->m->ngpus,
                             r->m->name);
    return 0;
}

int row_socket(struct row *r, const char *column, unsigned *out,
               struct err *err)
{
    if (cell_small(r->t, r->row, column, out, err) < 0)
        return -1;
    if (*out >= r->m->nsockets)
        return leave_out(r, "%s has no socket %u, only %u", r->m->name, *out,
                         r->m->nsockets);
    return 0;
}

/* Returns 1 if a text says MPS_on, 0 for MPS_off, -1 for neither. */
static int mps_said(const char *text)
{
    if (text && strstr(text, "MPS_off"))
        return 0;
    return text && strstr(text, "MPS_on") ? 1 : -1;
}

/* Returns whether a note of the head says that MPS "was not effective" on the
 * row's machine. */
static bool head_denies_mps(const struct csv *t, size_t row)
{
    const char *machine = csv_text(t, row, "machine");

    for (size_t i = 0; i < t->ncomments; i++) {
        const char *text = t->comments[i];
        if (strstr(text, "MPS") && strstr(text, "not effective") &&
            (!machine || strcasestr(text, machine)))
            return true;
    }
    return false;
}

/* Returns 1 or 0 if the head's line "measured: ..." says that MPS is on or off
 * for all rows, otherwise -1. */
static int head_says_mps(const struct csv *t)
{
    for (size_t i = 0; i < t->ncomments; i++) {
        const char *text = t->comments[i];
        if (strncmp(text, " measured:", 10) != 0)
            continue;
        if (strstr(text, "MPS off") || strstr(text, "without MPS"))
            return 0;
        if (strstr(text, "MPS on") || strstr(text, "with MPS"))
            return 1;
    }
    return -1;
}

bool row_mps(const struct row *r)
{
    const char *column = csv_text(r->t, r->row, "mps");
    int said = mps_said(csv_text(r->t, r->row, "config"));

    if (column && *column)
        return !strcmp(column, "on") || !strcmp(column, "1");
    if (said < 0)
        said = mps_said(cell_run(r->t, r->row));
    if (said < 0 && head_denies_mps(r->t, r->row))
        said = 0;
    if (said < 0)
        said = head_says_mps(r->t);
    return said < 0 ? r->m->copies.mps : said == 1;
}
