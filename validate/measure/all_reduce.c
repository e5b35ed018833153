/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All-reduces of GPUs that a loop repeats (BenchPress). */
#include "validate/measure/benchmark.h"
#include "validate/measure/call.h"

#include "strategies/collective/libraries/library.h"

#include <stdio.h>
#include <string.h>

/* Reads MPI_Allreduce in place, with a rank on each GPU. A library that accepts
 * GPU memory copies to the host and back, as the all-to-alls of the same
 * campaign show. */
static int all_reduce_row(struct measured_point *out, struct row *r,
                          struct err *err)
{
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    const char *strategy = csv_text(t, r->row, "strategy");

    x->gpu = x->staged = true;
    out->aware = !strcmp(strategy, "cuda_aware");
    if (strcmp(strategy, "copy_to_cpu") != 0 && !out->aware)
        return leave_out(r, "%s: not simulated", strategy);
    if (csv_count(t, r->row, "bytes_per_gpu", &x->bytes, err) < 0)
        return -1;
    int got = row_nodes(r, &x->nodes, err);
    if (got == 0)
        got = call_gpu_ranks(r, x, r->m->ngpus);
    if (got == 0)
        got = call_by_library(r, x, library_of(r->m, COLLECTIVE_HOST),
                              COLLECTIVE_ALLREDUCE);
    if (got)
        return got;
    x->racks = racks_of_run(t, r->row);
    x->other_rack = x->racks > 1;
    call_gpu_name(out, "all_reduce", strategy);
    return 0;
}

const struct benchmark all_reduce_benchmark = {
    .file = {.name = "all_reduce",
             .columns = {"bytes_per_gpu", "strategy"},
             .time = "time_s",
             .read = all_reduce_row,
             .simulated = "nodes gpus ranks_per_node strategy bytes_per_gpu"},
    .plan = call_loop_plan,
    .measure = call_loop_measure,
};
