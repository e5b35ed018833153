/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads rows of collectives that a loop repeats, by a library's own choice:
 * between GPUs (BenchPress, mpi_advance) and OSU's. */
#include "validate/measure/measured_rows.h"

#include "strategies/collective/libraries/library.h"

#include <stdio.h>
#include <string.h>

/* Finds the choice of the library. Returns 1 if there is no plan of it. */
static int choose(struct row *r, struct experiment *x,
                  const struct collective_library *library,
                  enum collective_kind kind)
{
    /* The library is asked with an algorithm of the kind; any will do. */
    const struct collective_algorithm asked = {.kind = kind};

    x->collective = &asked;
    const struct collective c = experiment_call(x);
    const struct library_choice choice = library_choose(library, r->m, &c);
    x->collective = choice.ours;
    if (!choice.ours)
        return leave_out(r, "%s of %s: no plan of what it takes",
                         collective_kind_names[kind], library->name);
    return 0;
}

int call_by_library(struct row *r, struct experiment *x,
                    const struct collective_library *library,
                    enum collective_kind kind)
{
    return choose(r, x, library, kind);
}

static int gpu_call_ranks(struct row *r, struct experiment *x,
                          unsigned per_node)
{
    if (x->gpu && per_node > r->m->ngpus * (x->per_gpu ? x->per_gpu : 1))
        return leave_out(r, "%s has %u GPUs a node, for %u ranks", r->m->name,
                         r->m->ngpus, per_node);
    if (per_node > r->m->ncores)
        return leave_out(r, "%s has %u cores a node, for %u ranks", r->m->name,
                         r->m->ncores, per_node);
    x->ranks_per_node = per_node;
    x->ranks = per_node * x->nodes;
    return 0;
}

static void gpu_call_name(struct measured_point *out, const char *kind,
                          const char *how)
{
    const struct experiment *x = &out->x;

    snprintf(out->group, sizeof out->group, "%s/%s/%u", kind, how, x->nodes);
    snprintf(out->label, sizeof out->label, "%u ranks, %llu B%s", x->ranks,
             (unsigned long long)x->bytes, rack(x));
    snprintf(out->decision, sizeof out->decision, "%s, %u nodes, %s", kind,
             x->nodes, out->label);
    snprintf(out->choice, sizeof out->choice, "%s", how);
}

/* Reads MPI_Allreduce in place, with a rank on each GPU. A library that accepts
 * GPU memory copies to the host and back, as the all-to-alls of the same
 * campaign show. */
int read_all_reduce(struct measured_point *out, struct row *r, struct err *err)
{
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    const char *strategy = csv_text(t, r->row, "strategy");

    x->kind = EXPERIMENT_CALL;
    x->loops = x->gpu = x->staged = true;
    out->aware = !strcmp(strategy, "cuda_aware");
    if (strcmp(strategy, "copy_to_cpu") != 0 && !out->aware)
        return leave_out(r, "%s: not simulated", strategy);
    if (csv_count(t, r->row, "bytes_per_gpu", &x->bytes, err) < 0)
        return -1;
    int got = row_nodes(r, &x->nodes, err);
    if (got == 0)
        got = gpu_call_ranks(r, x, r->m->ngpus);
    if (got == 0)
        got = choose(r, x, library_of(r->m, COLLECTIVE_HOST),
                     COLLECTIVE_ALLREDUCE);
    if (got)
        return got;
    x->racks = racks_of_run(t, r->row);
    x->other_rack = x->racks > 1;
    gpu_call_name(out, "all_reduce", strategy);
    return 0;
}

/* Reads rows of mpi_advance: the MPI library on device buffers, or on copies in
 * host memory. Partitions of a GPU are ranks that share it. */
int read_gpu_collective(struct measured_point *out, struct row *r,
                        struct err *err)
{
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    const char *how = csv_text(t, r->row, "algorithm");
    const char *mode = csv_text(t, r->row, "partition_mode");
    unsigned gpus, ranks_per_gpu;

    x->kind = EXPERIMENT_CALL;
    x->loops = x->gpu = true;
    bool staged = !strcmp(how, "mpi_copy_to_cpu");
    if ((!staged && strcmp(how, "std") != 0 && strcmp(how, "mpi") != 0) ||
        !cell_is(t, r->row, "collective", "allreduce") ||
        !cell_empty(t, r->row, "variant"))
        return leave_out(r, "%s by %s: not simulated",
                         csv_text(t, r->row, "collective"), how);
    if (csv_count(t, r->row, "bytes", &x->bytes, err) < 0 ||
        cell_small(t, r->row, "gpus_per_node", &gpus, err) < 0 ||
        cell_small(t, r->row, "ranks_per_gpu", &ranks_per_gpu, err) < 0)
        return -1;
    if (ranks_per_gpu != 1 || !r->m->ngpus || gpus % r->m->ngpus)
        return leave_out(r, "%u ranks on each of %u GPUs: not simulated",
                         ranks_per_gpu, gpus);
    x->staged = staged;
    x->per_gpu = gpus / r->m->ngpus;
    int got = row_nodes(r, &x->nodes, err);
    if (got == 0)
        got = gpu_call_ranks(r, x, gpus);
    if (got == 0)
        got = choose(r, x, library_of(r->m, COLLECTIVE_HOST),
                     COLLECTIVE_ALLREDUCE);
    if (got)
        return got;
    gpu_call_name(out, "gpu_allreduce", how);
    snprintf(out->group, sizeof out->group, "gpu_allreduce/%s/%s/%u", mode, how,
             x->nodes);
    return 0;
}
