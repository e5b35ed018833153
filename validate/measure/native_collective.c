/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives of `sluice-native collective`: single calls, from a common
 * start. */
#include "validate/measure/benchmark.h"
#include "validate/measure/call.h"

#include <stdio.h>
#include <string.h>

static int native_memory(struct row *r, struct experiment *x, struct err *err)
{
    static const char *const names[] = {"host", "device", "staged", NULL};
    const char *name;

    if (cell_word(r->t, r->row, "memory", names, &name, err) < 0 ||
        cell_small(r->t, r->row, "per_gpu", &x->per_gpu, err) < 0)
        return -1;
    x->gpu = strcmp(name, names[0]) != 0;
    x->staged = !strcmp(name, names[2]);
    if (!x->gpu)
        return 0;
    if (cell_is(r->t, r->row, "memory_of", "host"))
        return leave_out(r, "host memory stands for a GPU's");
    if (!x->per_gpu || x->ranks_per_node > r->m->ngpus * x->per_gpu)
        return leave_out(r, "%s has %u GPUs a node, for %u ranks, %u on each",
                         r->m->name, r->m->ngpus, x->ranks_per_node,
                         x->per_gpu);
    x->mps_off = !row_mps(r);
    return 0;
}

static int native_find(struct row *r, struct experiment *x, struct err *err)
{
    const char *name = csv_text(r->t, r->row, "algorithm");
    const char *kind = csv_text(r->t, r->row, "operation");
    int k = 0;

    if (!strcmp(name, "mpi"))
        return leave_out(r, "mpi: the library's algorithm is unknown");
    while (k < NCOLLECTIVE_KINDS && strcmp(kind, collective_kind_names[k]) != 0)
        k++;
    if (k == NCOLLECTIVE_KINDS)
        return fail(err, "%s:%u: operation: %s is unknown", r->t->path,
                    r->t->lines[r->row], kind);
    x->collective = collective_find((enum collective_kind)k, name, err);
    return x->collective
               ? 0
               : fail_in(err, "%s:%u", r->t->path, r->t->lines[r->row]);
}

static int native_collective_row(struct measured_point *out, struct row *r,
                                 struct err *err)
{
    struct experiment *x = &out->x;
    const struct csv *t = r->t;

    int got = native_find(r, x, err);
    if (got == 0)
        got = row_nodes(r, &x->nodes, err);
    if (got == 0)
        got = row_ranks_per_node(r, r->m->ncores, &x->ranks_per_node, err);
    if (got == 0)
        got = native_memory(r, x, err);
    if (got == 0 && csv_count(t, r->row, "bytes", &x->bytes, err) < 0)
        return -1;
    if (got)
        return got;
    x->ranks = x->nodes * x->ranks_per_node;
    struct collective c = experiment_call(x);
    const char *why = call_refusal(x);
    if (why)
        return leave_out(r, "%s: %s", x->collective->name, why);
    const char *memory = csv_text(t, r->row, "memory");
    snprintf(out->group, sizeof out->group, "native/%s/%s/%s/%u",
             collective_kind_names[c.kind], memory, x->collective->name,
             x->ranks);
    snprintf(out->label, sizeof out->label, "%u ranks, %u a GPU, %llu B",
             x->ranks, x->per_gpu, (unsigned long long)x->bytes);
    snprintf(out->decision, sizeof out->decision, "%s, %s, %s",
             collective_kind_names[c.kind], memory, out->label);
    snprintf(out->choice, sizeof out->choice, "%s", x->collective->name);
    return 0;
}

const struct benchmark native_collective_benchmark = {
    .file = {.name = "native_collective",
             .columns = {"operation", "memory_of", "per_gpu"},
             .time = "time_s",
             .read = native_collective_row,
             .simulated =
                 "operation algorithm nodes ranks_per_node per_gpu bytes "
                 "elements memory "
                 "memory_of iterations batches least_s most_s simulated_s"},
    .plan = call_plan,
    .mps = true,
};
