/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives by named algorithms: single calls after a barrier, on known nodes
 * (PICO). */
#include "validate/measure/benchmark.h"
#include "validate/measure/call.h"

#include "base/number.h"
#include "strategies/collective/libraries/library.h"

#include <stdio.h>
#include <string.h>

static const struct label {
    enum collective_kind kind;
    const char *label, *algorithm;
} labels[] = {
#define LABEL(kind, label, algorithm) {COLLECTIVE_##kind, label, algorithm},
#include "validate/measure/collective_labels.def"
#undef LABEL
};

/* Returns the algorithm of a label, which may be followed by the size of its
 * segments. */
static const char *call_algorithm(enum collective_kind kind, const char *label,
                                  uint64_t *segment_B)
{
    size_t len = strlen(label);

    *segment_B = 0;
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        size_t n = strlen(labels[i].label);
        if (labels[i].kind != kind || strncmp(labels[i].label, label, n) != 0)
            continue;
        if (n == len ||
            (label[n] == '_' && number_whole(label + n + 1, segment_B)))
            return labels[i].algorithm;
    }
    return NULL;
}

/* Returns 1 if there is no such operation here. */
static int call_kind(struct row *r, enum collective_kind *kind)
{
    const char *name = csv_text(r->t, r->row, "collective");

    if (!strcmp(name, "bcast"))
        name = "broadcast";
    for (int k = 0; k < NCOLLECTIVE_KINDS; k++)
        if (!strcmp(name, collective_kind_names[k])) {
            *kind = (enum collective_kind)k;
            return 0;
        }
    return leave_out(r, "%s: not simulated", name);
}

/* Finds the algorithm. Returns 1 if it is not known, or not one of ours. */
static int call_find(struct row *r, struct experiment *x,
                     enum collective_kind kind)
{
    const char *label = csv_text(r->t, r->row, "algorithm");
    const char *name = call_algorithm(kind, label, &x->segment_B);
    struct err none;

    if (!strcmp(label, "default_ompi") || !strcmp(label, "default_mpich"))
        return call_by_library(
            r, x, library_find(label[8] == 'o' ? "openmpi" : "mpich", &none),
            kind);
    if (!name)
        return leave_out(r, "%s by %s: algorithm not known here",
                         collective_kind_names[kind], label);
    x->collective = collective_find(kind, name, &none);
    if (!x->collective)
        return leave_out(r, "%s by %s: no algorithm %s",
                         collective_kind_names[kind], label, name);
    return 0;
}

/* Reads the vectors' size, rounded to whole elements for each rank, as the
 * benchmark does. */
static int call_size(struct row *r, struct experiment *x,
                     enum collective_kind kind, struct err *err)
{
    uint64_t unit = 4;

    if (csv_count(r->t, r->row, "bytes_total", &x->bytes, err) < 0)
        return -1;
    if (kind == COLLECTIVE_ALLGATHER || kind == COLLECTIVE_REDUCE_SCATTER ||
        kind == COLLECTIVE_ALLTOALL)
        unit *= x->ranks;
    x->bytes -= x->bytes % unit;
    return x->bytes ? 0 : leave_out(r, "fewer elements than ranks");
}

static int call_place(struct row *r, struct experiment *x, struct err *err)
{
    const char *session = csv_text(r->t, r->row, "session");
    const char *dims = csv_text(r->t, r->row, "torus_dims");

    int got = row_nodes(r, &x->nodes, err);
    if (got)
        return got;
    if (cell_small(r->t, r->row, "ranks", &x->ranks, err) < 0)
        return -1;
    x->placed = placed_find(r->jobs, session ? session : "", x->ranks,
                            dims ? dims : "", err);
    if (!x->placed)
        return fail_in(err, "%s:%u", r->t->path, r->t->lines[r->row]);
    if (x->placed->known)
        x->nodes = x->placed->placement.nodes;
    x->ranks_per_node = x->placed->known ? x->placed->placement.ranks_per_node
                                         : (x->ranks + x->nodes - 1) / x->nodes;
    if (x->ranks_per_node > r->m->ncores)
        return leave_out(r, "%s has %u cores a node, for %u ranks", r->m->name,
                         r->m->ncores, x->ranks_per_node);
    return 0;
}

static int call_memory(struct row *r, struct experiment *x)
{
    x->gpu = cell_is(r->t, r->row, "memory", "gpu");
    if (x->gpu && x->ranks_per_node > r->m->ngpus)
        return leave_out(r, "%s has %u GPUs a node, for %u ranks", r->m->name,
                         r->m->ngpus, x->ranks_per_node);
    return 0;
}

static void call_name(struct measured_point *out, const struct row *r,
                      enum collective_kind kind)
{
    const struct experiment *x = &out->x;
    const char *label = csv_text(r->t, r->row, "algorithm");
    const char *where = x->gpu ? "gpu" : "host";

    snprintf(out->group, sizeof out->group, "collectives/%s/%s/%s/%u",
             collective_kind_names[kind], where, label, x->nodes);
    snprintf(out->label, sizeof out->label, "%u ranks, %llu B, %s", x->ranks,
             (unsigned long long)x->bytes, x->placed->session);
    snprintf(out->decision, sizeof out->decision, "%s, %s, %u nodes, %s",
             collective_kind_names[kind], where, x->nodes, out->label);
    snprintf(out->choice, sizeof out->choice, "%s", label);
}

static int collectives_row(struct measured_point *out, struct row *r,
                           struct err *err)
{
    struct experiment *x = &out->x;
    enum collective_kind kind = COLLECTIVE_ALLREDUCE;

    int got = call_kind(r, &kind);
    if (got == 0)
        got = call_place(r, x, err);
    if (got == 0)
        got = call_memory(r, x);
    if (got == 0)
        got = call_size(r, x, kind, err);
    if (got == 0)
        got = call_find(r, x, kind);
    if (got)
        return got;
    struct collective c = experiment_call(x);
    const char *why = call_refusal(x);
    if (why)
        return leave_out(r, "%s: %s", x->collective->name, why);
    if (collective_segments(&c) > collective_most_segments(&c))
        return leave_out(r, "%s: more segments than plans take",
                         x->collective->name);
    call_name(out, r, kind);
    return 0;
}

const struct benchmark collectives_benchmark = {
    .file =
        {.name = "collectives",
         .columns = {"algorithm", "bytes_total", "torus_dims"},
         .time = "median_s",
         .read = collectives_row,
         .simulated =
             "nodes torus_dims ranks collective memory algorithm bytes_total "
             "session test p10_s p90_s min_s median_s iterations",
         .sessions = true},
    .plan = call_plan,
};
