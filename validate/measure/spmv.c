/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A product of a sparse matrix and a vector on GPUs, with its halo exchange. */
#include "validate/measure/benchmark.h"
#include "strategies/strategy.h"
#include "workloads/matrix.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* --- the plan ------------------------------------------------------------- */

/* Plans a product with the 9-point matrix of a 2000 x 2000 grid: the strategy
 * exchanges the halo while the GPU multiplies its own block (on the stream of a
 * rank that has nothing else to do); then the few rows at the border are
 * finished. The GPU is limited by its memory: 12 bytes per nonzero, 20 per
 * row. */
static int spmv_plan(struct plan *p, const struct machine *m,
                     const struct experiment *x, struct err *err)
{
    struct matrix matrix;
    struct halo halo = {0};
    struct strategy_options options = {0};
    unsigned gpus = x->nodes * m->ngpus;
    const struct strategy *s = strategy_find(
        x->strategy == CUDA_AWARE ? "standard/device" : "standard/staged", err);

    if (m->gpu.memory_Bps <= 0 || m->ncores < 2 * m->ngpus)
        return fail(err, "%s does not say how fast its GPUs are", m->name);
    if (!s || matrix_from_workload(&matrix, "stencil:9pt:2000x2000", err) < 0)
        return -1;
    int result =
        matrix_halo_by(&halo, &matrix, "contiguous", gpus, m->ngpus, err);
    if (result == 0)
        result = strategy_plan(s, p, m, &halo, &options, err);
    matrix_clear(&matrix);
    if (result < 0) {
        halo_clear(&halo);
        return -1;
    }

    uint32_t nops = (uint32_t)p->nops;
    if (x->comm_only)
        gpus = 0; /* no products */
    assert(halo.gpu_nnz && halo.gpu_rows);
    for (unsigned g = 0; g < gpus; g++) {
        double local_s =
            (12.0 * (double)halo.gpu_nnz[g] + 20.0 * (double)halo.gpu_rows[g]) /
            m->gpu.memory_Bps;
        uint32_t rank =
            g / m->ngpus * m->ncores + g % m->ngpus * (m->ncores / m->ngpus);
        uint32_t block = plan_work(p, rank + 1, m->gpu.launch_s + local_s);
        for (uint32_t i = 0; i < nops; i++)
            if (p->ops[i].kind == OP_COPY && p->ops[i].dir == D2H &&
                p->ops[i].src == rank)
                plan_after(p, i); /* the copy precedes it on the stream */
        plan_work(p, rank, 2 * m->gpu.launch_s);
        plan_after(p, block);
        for (uint32_t i = 0; i < nops; i++)
            if (p->ops[i].dst == rank)
                plan_after(p, i);
    }
    halo_clear(&halo);
    return 0;
}

/* Returns the time of the pack kernel and its synchronisation. */
static double spmv_extra_s(const struct machine *m, const struct experiment *x)
{
    return x->comm_only ? 0 : 2 * m->gpu.launch_s;
}

/* --- rows ----------------------------------------------------------------- */

static int spmv_row(struct measured_point *out, struct row *r, struct err *err)
{
    static const char *const names[] = {"cuda_aware", "copy_to_cpu",
                                        "node_aware", "dup_devptr_node_aware",
                                        NULL};
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    unsigned level;

    if (cell_small(t, r->row, "level", &level, err) < 0 ||
        strategy_named(names, t, r->row, &x->strategy, err) < 0)
        return -1;
    if (level != 0)
        return leave_out(r, "only level 0 is simulated: the coarse matrices "
                            "are not published");
    if (x->strategy > COPY_TO_CPU)
        return leave_out(r, "strategies with aggregation are not simulated");
    x->comm_only = cell_is(t, r->row, "program", "comm_only");
    if (!cell_empty(t, r->row, "program") && !x->comm_only &&
        !cell_is(t, r->row, "program", "full"))
        return leave_out(r, "program %.32s is not simulated",
                         csv_text(t, r->row, "program"));
    if (cell_is(t, r->row, "result_mismatch", "1"))
        return leave_out(r, "result_mismatch is 1: a wrong product");
    int got = row_nodes(r, &x->nodes, err);
    if (got)
        return got;
    if (r->m->gpu.memory_Bps <= 0 || r->m->ncores < 2 * r->m->ngpus)
        return leave_out(r, "%s does not say how fast its GPUs are",
                         r->m->name);
    x->other_rack = racks_of_run(t, r->row) > 1;
    snprintf(out->group, sizeof out->group, "%s/%s",
             x->comm_only ? "spmv_comm_only" : "spmv", names[x->strategy]);
    snprintf(out->label, sizeof out->label, "level 0, %u nodes%s", x->nodes,
             rack(x));
    snprintf(out->decision, sizeof out->decision, "%s, %s",
             x->comm_only ? "spmv_comm_only" : "spmv", out->label);
    snprintf(out->choice, sizeof out->choice, "%s", names[x->strategy]);
    out->aware = x->strategy == CUDA_AWARE;
    return 0;
}

const struct benchmark spmv_benchmark = {
    .file = {.name = "spmv",
             .columns = {"level", "nnz", "strategy"},
             .time = "time_s",
             .read = spmv_row,
             .simulated = "nodes ranks_per_gpu aggregation level program "
                          "result_mismatch nnz "
                          "max_messages_per_gpu "
                          "max_values_sent_per_gpu "
                          "max_messages_per_rank_node_aware strategy"},
    .plan = spmv_plan,
    .extra_s = spmv_extra_s,
};
