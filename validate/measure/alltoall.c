/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All-to-alls of ranks by strategy: each phase alone, and the whole. */
#include "validate/measure/benchmark.h"
#include "validate/measure/call.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* --- the plan ------------------------------------------------------------- */

/* Returns the time of a message with all data that a rank has for a node. */
static double one_message(const struct machine *m, const struct experiment *x)
{
    uint64_t bytes = x->ranks_per_node * x->bytes;
    const struct segment *s =
        machine_segment(m, RUNTIME_MPI, PATH_HOST, OFF_NODE, bytes);

    return s ? segment_alone_s(s, bytes) : 1e-6;
}

static int alltoall_plan(struct plan *p, const struct machine *m,
                         const struct experiment *x, struct err *err)
{
    struct collective c = {.kind = COLLECTIVE_ALLTOALL,
                           .nodes = x->nodes,
                           .ranks_per_node = x->ranks_per_node,
                           .bytes = x->bytes * x->nodes * x->ranks_per_node,
                           .exchange = x->pairwise ? COLLECTIVE_PAIRWISE
                                                   : COLLECTIVE_NONBLOCKING,
                           .groups = x->groups};
    const struct collective_phase *phase =
        x->phase ? collective_phase(x->collective, x->phase) : NULL;

    assert(phase || !x->phase);
    return call_loop(p, m, x, phase, c, one_message(m, x), err);
}

/* --- rows ----------------------------------------------------------------- */

/* Returns the group in which a row is compared: whole algorithms, phases on
 * nodes between equals or from and to one rank, and those that leave nodes. */
static const char *collective_place(const struct collective_phase *phase)
{
    if (!phase)
        return "total";
    if (!strcmp(phase->name, "gather") || !strcmp(phase->name, "scatter"))
        return "gather_scatter";
    return phase->on_node ? "on_node" : "inter_node";
}

static int collective_phase_of(const struct collective_phase **out,
                               const struct experiment *x, const struct csv *t,
                               size_t row, struct err *err)
{
    const char *name = csv_text(t, row, "phase");

    *out = NULL;
    if (!strcmp(name, "total"))
        return 0;
    *out = collective_phase(x->collective, name);
    if (!*out)
        return fail(err, "%s:%u: phase: %s has no phase '%s'", t->path,
                    t->lines[row], x->collective->name, name);
    return 0;
}

static int collective_groups(struct row *r, struct experiment *x,
                             struct err *err)
{
    x->groups = 1;
    if (!x->collective->grouped)
        return 0;
    if (cell_small(r->t, r->row, "leaders_or_groups_per_node", &x->groups,
                   err) < 0)
        return -1;
    if (!x->groups || x->ranks_per_node % x->groups)
        return leave_out(r, "%u groups do not divide %u ranks a node",
                         x->groups, x->ranks_per_node);
    return 0;
}

/* Reads how the ranks exchange. Gathers and scatters do not say, because they
 * are part of either. */
static int collective_exchange_of(const struct csv *t, size_t row,
                                  struct experiment *x, struct err *err)
{
    static const char *const names[] = {"pairwise", "nonblocking", NULL};
    const char *name;

    if (cell_empty(t, row, "exchange"))
        return 0;
    if (cell_word(t, row, "exchange", names, &name, err) < 0)
        return -1;
    x->pairwise = name == names[0] || !strcmp(name, names[0]);
    return 0;
}

static void collective_label(struct measured_point *out, const char *exchange)
{
    const struct experiment *x = &out->x;
    char groups[32] = "";

    if (x->collective->grouped)
        snprintf(groups, sizeof groups, "%u a node, ", x->groups);
    snprintf(out->label, sizeof out->label, "%s%s%s%llu B",
             exchange ? exchange : "", exchange && *exchange ? ", " : "",
             groups, (unsigned long long)x->bytes);
    if (x->phase)
        return;
    snprintf(out->decision, sizeof out->decision, "alltoall, %u nodes, %llu B",
             x->nodes, (unsigned long long)x->bytes);
    snprintf(out->choice, sizeof out->choice, "%s, %s%s", x->collective->name,
             groups, exchange ? exchange : "");
}

static int alltoall_row(struct measured_point *out, struct row *r,
                        struct err *err)
{
    struct experiment *x = &out->x;
    const struct collective_phase *phase;
    const struct csv *t = r->t;

    if (cell_is(t, r->row, "strategy", "mpi_library"))
        return leave_out(r, "mpi_library: its algorithm is unknown");
    x->collective = collective_find(COLLECTIVE_ALLTOALL,
                                    csv_text(t, r->row, "strategy"), err);
    if (!x->collective)
        return fail_in(err, "%s:%u: strategy", t->path, t->lines[r->row]);
    if (collective_phase_of(&phase, x, t, r->row, err) < 0 ||
        collective_exchange_of(t, r->row, x, err) < 0 ||
        csv_count(t, r->row, "bytes_per_rank_pair", &x->bytes, err) < 0)
        return -1;
    x->phase = phase ? phase->name : NULL;
    int got = row_nodes(r, &x->nodes, err);
    if (got == 0)
        got = row_ranks_per_node(r, r->m->ncores, &x->ranks_per_node, err);
    if (got == 0 && x->ranks_per_node > r->m->ncores)
        got = leave_out(r, "%s has %u cores a node, for %u ranks", r->m->name,
                        r->m->ncores, x->ranks_per_node);
    if (got == 0)
        got = collective_groups(r, x, err);
    if (got)
        return got;
    snprintf(out->group, sizeof out->group, "alltoall/%s/%s/%s/%u",
             collective_place(phase), x->collective->name,
             x->phase ? x->phase : "total", x->nodes);
    collective_label(out, csv_text(t, r->row, "exchange"));
    return 0;
}

const struct benchmark alltoall_benchmark = {
    .file = {.name = "alltoall",
             .columns = {"bytes_per_rank_pair", "phase",
                         "leaders_or_groups_per_node"},
             .time = "time_s",
             .read = alltoall_row,
             .simulated =
                 "nodes ranks_per_node bytes_per_rank_pair strategy exchange "
                 "leaders_or_groups_per_node phase"},
    .plan = alltoall_plan,
    .measure = call_loop_measure,
};
