/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All-reduces of GPUs that a loop repeats, by mpi_advance and OSU's. */
#include "validate/measure/benchmark.h"
#include "validate/measure/call.h"

#include "strategies/collective/libraries/library.h"

#include <stdio.h>
#include <string.h>

/* Reads rows of mpi_advance: the MPI library on device buffers, or on copies in
 * host memory. Partitions of a GPU are ranks that share it. */
static int gpu_collectives_row(struct measured_point *out, struct row *r,
                               struct err *err)
{
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    const char *how = csv_text(t, r->row, "algorithm");
    const char *mode = csv_text(t, r->row, "partition_mode");
    unsigned gpus, ranks_per_gpu;

    x->gpu = true;
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
        got = call_gpu_ranks(r, x, gpus);
    if (got == 0)
        got = call_by_library(r, x, library_of(r->m, COLLECTIVE_HOST),
                              COLLECTIVE_ALLREDUCE);
    if (got)
        return got;
    call_gpu_name(out, "gpu_allreduce", how);
    snprintf(out->group, sizeof out->group, "gpu_allreduce/%s/%s/%u", mode, how,
             x->nodes);
    return 0;
}

const struct benchmark gpu_collectives_benchmark = {
    .file = {.name = "gpu_collectives",
             .columns = {"partition_mode", "ranks_per_gpu", "algorithm"},
             .time = "time_s",
             .read = gpu_collectives_row,
             .simulated = "nodes gpus_per_node ranks_per_gpu partition_mode "
                          "collective algorithm "
                          "bytes variant"},
    .plan = call_loop_plan,
    .measure = call_loop_measure,
    .mps = true,
};
