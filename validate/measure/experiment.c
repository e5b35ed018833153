/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Micro-benchmarks of BenchPress as plans, and the times that they report. */
#include "validate/measure/experiment.h"

#include "validate/measure/all_to_all.h"
#include "validate/measure/benchmark.h"
#include "validate/measure/gpu_flows.h"
#include "validate/measure/placed.h"
#include "validate/measure/pairs.h"
#include "strategies/strategy.h"
#include "workloads/matrix.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Iterations of unrolled loops; the first rounds are left out. */
enum { COPY_ROUNDS = 8, COPY_WARM_UP = 2 };

int experiment_needs(const struct machine *m, unsigned core, unsigned gpu,
                     bool with_gpu, struct err *err)
{
    if (core >= m->ncores)
        return fail(err, "%s has no core %u, only %u", m->name, core,
                    m->ncores);
    if (with_gpu && gpu >= m->ngpus)
        return fail(err, "%s has no GPU %u, only %u", m->name, gpu, m->ngpus);
    return 0;
}

void experiment_all_cores(struct plan *p, const struct machine *m,
                          const char *name, unsigned nodes)
{
    plan_init(p, m, name, nodes, m->ncores, NULL);
    for (unsigned i = 0; i < m->ncores; i++)
        p->core[i] = i;
}

static int ping_pong(struct plan *p, const struct machine *m,
                     const struct experiment *x, struct err *err)
{
    bool gpu = x->gpu || x->kind == EXPERIMENT_PING_PONG_3STEP;

    for (int i = 0; i < 2; i++)
        if (experiment_needs(m, x->core[i], x->device[i], gpu, err) < 0)
            return -1;

    unsigned node = x->two_nodes ? 1 : 0;
    uint32_t a = x->core[0], b = node * m->ncores + x->core[1];
    uint32_t gpu_a = x->device[0], gpu_b = node * m->ngpus + x->device[1];
    experiment_all_cores(p, m, "ping_pong", node + 1);
    if (x->kind == EXPERIMENT_PING_PONG) {
        plan_msg(p, PHASE_OFF_NODE, a, b, x->gpu ? gpu_a : NO_GPU,
                 x->gpu ? gpu_b : NO_GPU, x->bytes);
        return 0;
    }
    uint32_t out = plan_copy(p, PHASE_COPY_OUT, a, D2H, gpu_a, x->bytes);
    uint32_t msg = plan_msg(p, PHASE_OFF_NODE, a, b, NO_GPU, NO_GPU, x->bytes);
    plan_after(p, out);
    plan_copy(p, PHASE_COPY_IN, b, H2D, gpu_b, x->bytes);
    plan_after(p, msg);
    return 0;
}

static int one_copy(struct plan *p, const struct machine *m,
                    const struct experiment *x, struct err *err)
{
    if (experiment_needs(m, x->core[0], x->device[0], true, err) < 0 ||
        experiment_needs(m, x->core[0], x->device[1], x->dir == D2D, err) < 0)
        return -1;
    experiment_all_cores(p, m, "copy", 1);
    if (x->dir == D2D)
        plan_copy_peer(p, PHASE_COPY_IN, x->core[0], x->device[0], x->device[1],
                       x->bytes);
    else
        plan_copy(p, PHASE_COPY_IN, x->core[0], x->dir, x->device[0], x->bytes);
    return 0;
}

const char *const copy_pattern_names[NCOPY_PATTERNS] = {"one_way", "half",
                                                        "turns"};

/* Adds the copies of a round of a rank, the place-th of its GPU, each after the
 * one before. */
static void copy_round(struct plan *p, const struct experiment *x,
                       uint32_t rank, unsigned gpu, unsigned place, bool first)
{
    enum copy_dir dir = x->dir;
    uint32_t op;

    if (x->pattern == COPY_HALF)
        dir = place % 2 ? D2H : H2D;
    if (x->pattern == COPY_TURNS)
        dir = D2H;
    op = plan_copy(p, PHASE_COPY_IN, rank, dir, gpu, x->bytes);
    if (!first)
        plan_after(p, op - 1);
    if (x->pattern == COPY_TURNS) {
        op = plan_copy(p, PHASE_COPY_IN, rank, H2D, gpu, x->bytes);
        plan_after(p, op - 1);
    }
}

/* Makes the first `copiers` ranks of every GPU copy at once. The ranks are
 * assigned to the GPUs in blocks; if the GPUs do not divide the ranks, the
 * remaining ranks name a GPU that does not exist and are put on GPU 0. */
static int experiment_copies(struct plan *p, const struct machine *m,
                             const struct experiment *x, struct err *err)
{
    unsigned gpus = x->copied_gpus ? x->copied_gpus : m->ngpus;
    unsigned per_gpu = x->ranks_per_node / gpus;

    if (x->ranks_per_node > m->ncores || per_gpu < x->copiers)
        return fail(err,
                    "%s has %u cores and %u GPUs, too few for %u ranks "
                    "with %u copying to each GPU",
                    m->name, m->ncores, gpus, x->ranks_per_node, x->copiers);
    plan_init(p, m, "copies", 1, x->ranks_per_node, NULL);
    for (uint32_t rank = 0; rank < x->ranks_per_node; rank++) {
        unsigned gpu = rank / per_gpu, place = rank % per_gpu;
        if (place >= x->copiers)
            continue;
        for (int round = 0; round < COPY_ROUNDS; round++)
            copy_round(p, x, rank, gpu < gpus ? gpu : 0, place, round == 0);
    }
    return 0;
}

/* Returns the time of one operation of a rank. */
static double copies_measure(const struct plan *p, const struct op_times *ops)
{
    size_t of_rank = COPY_ROUNDS;
    double worst = 0;

    while (of_rank < p->nops && p->ops[of_rank].src == p->ops[0].src)
        of_rank += COPY_ROUNDS;
    size_t warm_up = of_rank / COPY_ROUNDS * COPY_WARM_UP;
    for (size_t i = 0; i < p->nops; i += of_rank) {
        double took = ops[i + of_rank - 1].end_s - ops[i + warm_up - 1].end_s;
        if (took > worst)
            worst = took;
    }
    return worst / (COPY_ROUNDS - COPY_WARM_UP);
}

/* Plans a product with the 9-point matrix of a 2000 x 2000 grid: the strategy
 * exchanges the halo while the GPU multiplies its own block (on the stream of a
 * rank that has nothing else to do); then the few rows at the border are
 * finished. The GPU is limited by its memory: 12 bytes per nonzero, 20 per
 * row. */
static int spmv(struct plan *p, const struct machine *m,
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

/* The benchmark's loop has no barrier, so that its ranks run ahead of each
 * other; it is unrolled as long as the plan stays small. */
enum { LOOP_ROUNDS = 6, LOOP_WARM_UP = 2, LOOP_MAX_OPS = 4000 };

/* Returns the time of a message with all data that a rank has for a node. */
static double one_message(const struct machine *m, const struct experiment *x)
{
    uint64_t bytes = x->ranks_per_node * x->bytes;
    const struct segment *s =
        machine_segment(m, RUNTIME_MPI, PATH_HOST, OFF_NODE, bytes);

    return s ? segment_alone_s(s, bytes) : 1e-6;
}

static int experiment_collective(struct plan *p, const struct machine *m,
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
    if (collective_plan(p, m, x->collective, phase, &c, err) < 0)
        return -1;
    if (p->nops > LOOP_MAX_OPS)
        return 0;
    plan_clear(p);
    c.rounds = LOOP_ROUNDS;
    c.spread_s = one_message(m, x);
    return collective_plan(p, m, x->collective, phase, &c, err);
}

struct collective experiment_call(const struct experiment *x)
{
    enum collective_kind kind = x->collective->kind;

    return (struct collective){.kind = kind,
                               .nodes = x->nodes,
                               .ranks_per_node = x->ranks_per_node,
                               .ranks = x->ranks,
                               .bytes = x->bytes,
                               .element_B = 4,
                               .segment_B = x->segment_B,
                               .per_gpu = x->per_gpu,
                               .out_of_place = x->placed &&
                                               kind != COLLECTIVE_ALLTOALL &&
                                               kind != COLLECTIVE_BROADCAST,
                               .memory = x->staged ? COLLECTIVE_STAGED
                                         : x->gpu  ? COLLECTIVE_DEVICE
                                                   : COLLECTIVE_HOST};
}

static int experiment_one_call(struct plan *p, const struct machine *m,
                               const struct experiment *x, struct err *err)
{
    struct collective c = experiment_call(x);

    if (collective_plan(p, m, x->collective, NULL, &c, err) < 0)
        return -1;
    if (x->loops && p->nops <= LOOP_MAX_OPS) {
        plan_clear(p);
        c.rounds = LOOP_ROUNDS;
        c.spread_s = 1e-6;
        return collective_plan(p, m, x->collective, NULL, &c, err);
    }
    return x->placed && x->placed->known
               ? placement_apply(&x->placed->placement, m, p, err)
               : 0;
}

static double last_end(const struct op_times *ops, size_t n)
{
    double end = 0;

    for (size_t i = 0; i < n; i++)
        if (ops[i].end_s > end)
            end = ops[i].end_s;
    return end;
}

/* Returns the time of a round of the loop, if it was unrolled, in which case
 * the ranks' late starts come first. */
static double collective_measure(const struct plan *p,
                                 const struct op_times *ops)
{
    size_t ranks = (size_t)p->nodes * p->ranks_per_node;

    if (p->ops[0].kind != OP_WORK)
        return last_end(ops, p->nops);
    size_t round = (p->nops - ranks) / LOOP_ROUNDS;
    return (last_end(ops, p->nops) -
            last_end(ops, ranks + LOOP_WARM_UP * round)) /
           (LOOP_ROUNDS - LOOP_WARM_UP);
}

double experiment_extra_s(const struct machine *m, const struct experiment *x)
{
    return x->kind == EXPERIMENT_SPMV && !x->comm_only ? 2 * m->gpu.launch_s
                                                       : 0;
}

typedef int make_plan(struct plan *p, const struct machine *m,
                      const struct experiment *x, struct err *err);

/* The plans of kinds that are not of a benchmark (benchmark.h), and their
 * times; NULL for the makespan. */
static const struct {
    make_plan *plan;
    experiment_measure *measure;
} kinds[NEXPERIMENTS] = {
    [EXPERIMENT_PING_PONG] = {ping_pong, NULL},
    [EXPERIMENT_PING_PONG_3STEP] = {ping_pong, NULL},
    [EXPERIMENT_PAIRS] = {pairs_plan, pairs_measure},
    [EXPERIMENT_COPY] = {one_copy, NULL},
    [EXPERIMENT_COPIES] = {experiment_copies, copies_measure},
    [EXPERIMENT_GPU_MESSAGES] = {gpu_flows_plan, gpu_flows_measure},
    [EXPERIMENT_ALL_TO_ALL] = {all_to_all_plan, all_to_all_measure},
    [EXPERIMENT_COLLECTIVE] = {experiment_collective, collective_measure},
    [EXPERIMENT_CALL] = {experiment_one_call, NULL},
    [EXPERIMENT_SPMV] = {spmv, NULL},
};

int experiment_plan(struct plan *p, const struct machine *m,
                    const struct experiment *x, struct err *err)
{
    const struct benchmark *b = benchmark_of(x->kind);

    memset(p, 0, sizeof *p);
    int result = b ? b->plan(p, m, x, err) : kinds[x->kind].plan(p, m, x, err);
    if (result < 0)
        plan_clear(p);
    return result;
}

experiment_measure *experiment_measure_of(const struct experiment *x)
{
    const struct benchmark *b = benchmark_of(x->kind);

    if (b)
        return b->measure;
    if (x->kind == EXPERIMENT_CALL && x->loops)
        return collective_measure;
    return kinds[x->kind].measure;
}
