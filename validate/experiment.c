/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/experiment.h"

#include <stdlib.h>
#include <string.h>

/*
 * Loops are unrolled this often; the first rounds are left out. Pairs that
 * share a link start in step and drift apart within some rounds, as the real
 * ones do, which are not synchronised.
 */
enum { PAIR_ROUNDS = 24, PAIR_WARM_UP = 8, COPY_ROUNDS = 8, COPY_WARM_UP = 2 };

static int need(const struct machine *m, unsigned core, unsigned gpu,
                bool with_gpu, struct err *err)
{
    if (core >= m->ncores)
        return fail(err, "%s has no core %u, only %u", m->name, core,
                    m->ncores);
    if (with_gpu && gpu >= m->ngpus)
        return fail(err, "%s has no GPU %u, only %u", m->name, gpu, m->ngpus);
    return 0;
}

/* One rank on every core, so that rank = node * ncores + core. */
static void all_cores(struct plan *p, const struct machine *m, const char *name,
                      unsigned nodes)
{
    plan_init(p, m, name, nodes, m->ncores, NULL);
    for (unsigned i = 0; i < m->ncores; i++)
        p->core[i] = i;
}

static int ping_pong(struct plan *p, const struct machine *m,
                     const struct experiment *x, struct err *err)
{
    bool gpu = x->gpu || x->kind == PING_PONG_3STEP;

    for (int i = 0; i < 2; i++)
        if (need(m, x->core[i], x->device[i], gpu, err) < 0)
            return -1;

    unsigned node = x->two_nodes ? 1 : 0;
    uint32_t a = x->core[0], b = node * m->ncores + x->core[1];
    uint32_t gpu_a = x->device[0], gpu_b = node * m->ngpus + x->device[1];
    all_cores(p, m, "ping_pong", 2);
    if (x->kind == PING_PONG) {
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

/* What an undisturbed message takes. */
static double one_way(const struct machine *m, const struct experiment *x)
{
    const struct segment *s =
        machine_segment(m, x->gpu ? PATH_GDR : PATH_HOST, OFF_NODE, x->bytes);

    return s ? s->alpha_s + s->beta_s_per_B * (double)x->bytes : 0;
}

/* Of a pair's operations: its late start, then ping, pong, ping, pong ... */
enum { PAIR_OPS = 1 + 2 * PAIR_ROUNDS };

/*
 * The pairs do not wait for each other, so that in a long run some ping while
 * others pong. In step, they would only ever use one direction of the network,
 * for ever; so their starts are spread evenly over a round trip.
 */
static int pairs(struct plan *p, const struct machine *m,
                 const struct experiment *x, struct err *err)
{
    all_cores(p, m, "pairs", 2);
    for (unsigned k = 0; k < x->pairs; k++) {
        /* CPU pairs by socket; GPU pair g by the GPU's socket. */
        unsigned socket = k < x->socket0_pairs ? 0 : 1;
        unsigned core = k;
        if (need(m, 0, k, x->gpu, err) < 0)
            return -1;
        if (x->gpu)
            core = machine_socket_core(m, machine_gpu(m, k)->socket) + k;
        else if (socket)
            core = machine_socket_core(m, socket) + k - x->socket0_pairs;
        if (need(m, core, 0, false, err) < 0)
            return -1;
        uint32_t gpu[2] = {x->gpu ? k : NO_GPU, x->gpu ? m->ngpus + k : NO_GPU};
        uint32_t rank[2] = {core, m->ncores + core};
        plan_work(p, core, 2 * one_way(m, x) * k / x->pairs);
        for (int round = 0; round < 2 * PAIR_ROUNDS; round++) {
            int from = round % 2;
            uint32_t op = plan_msg(p, PHASE_OFF_NODE, rank[from], rank[!from],
                                   gpu[from], gpu[!from], x->bytes);
            if (round)
                plan_after(p, op - 1);
        }
    }
    return 0;
}

static double pairs_measure(const struct plan *p, const struct op_times *ops)
{
    double worst = 0;

    for (size_t i = 0; i < p->nops; i += PAIR_OPS) {
        double took =
            ops[i + PAIR_OPS - 1].end_s - ops[i + 2 * PAIR_WARM_UP].end_s;
        if (took > worst)
            worst = took;
    }
    return worst / (2 * (PAIR_ROUNDS - PAIR_WARM_UP));
}

static int one_copy(struct plan *p, const struct machine *m,
                    const struct experiment *x, struct err *err)
{
    if (need(m, x->core[0], x->device[0], true, err) < 0 ||
        need(m, x->core[0], x->device[1], x->dir == D2D, err) < 0)
        return -1;
    all_cores(p, m, "copy", 1);
    if (x->dir == D2D)
        plan_copy_peer(p, PHASE_COPY_IN, x->core[0], x->device[0], x->device[1],
                       x->bytes);
    else
        plan_copy(p, PHASE_COPY_IN, x->core[0], x->dir, x->device[0], x->bytes);
    return 0;
}

/*
 * The first `copiers` of the ranks of every GPU copy at once. The ranks are
 * dealt to the GPUs in blocks; those that are left over when the GPUs do not
 * divide the ranks name a GPU that does not exist and land on GPU 0.
 */
static int copies(struct plan *p, const struct machine *m,
                  const struct experiment *x, struct err *err)
{
    unsigned per_gpu = x->ranks_per_node / m->ngpus;

    if (x->ranks_per_node > m->ncores || per_gpu < x->copiers)
        return fail(err,
                    "%s has %u cores and %u GPUs, too few for %u ranks "
                    "with %u copying to each GPU",
                    m->name, m->ncores, m->ngpus, x->ranks_per_node,
                    x->copiers);
    plan_init(p, m, "copies", 1, x->ranks_per_node, NULL);
    for (uint32_t rank = 0; rank < x->ranks_per_node; rank++) {
        unsigned gpu = rank / per_gpu;
        if (rank % per_gpu >= x->copiers)
            continue;
        if (gpu >= m->ngpus)
            gpu = 0;
        for (int round = 0; round < COPY_ROUNDS; round++) {
            uint32_t op =
                plan_copy(p, PHASE_COPY_IN, rank, x->dir, gpu, x->bytes);
            if (round)
                plan_after(p, op - 1);
        }
    }
    return 0;
}

static double copies_measure(const struct plan *p, const struct op_times *ops)
{
    double worst = 0;

    for (size_t i = 0; i < p->nops; i += COPY_ROUNDS) {
        double took =
            ops[i + COPY_ROUNDS - 1].end_s - ops[i + COPY_WARM_UP - 1].end_s;
        if (took > worst)
            worst = took;
    }
    return worst / (COPY_ROUNDS - COPY_WARM_UP);
}

/* --- all to all --------------------------------------------------------- */

struct a2a {
    struct plan *p;
    const struct machine *m;
    const struct experiment *x;
    unsigned gpus, per_gpu; /* GPUs in all, ranks of each */
};

/* Rank q of a GPU: the GPUs of a node share its ranks in blocks. */
static uint32_t rank_of(const struct a2a *a, unsigned gpu, unsigned q)
{
    unsigned node = gpu / a->m->ngpus, local = gpu % a->m->ngpus;

    return node * a->p->ranks_per_node + local * a->per_gpu + q;
}

/* A message from GPU to GPU of every pair, itself included, in rank order. */
static void all_pairs(const struct a2a *a, const uint32_t *before,
                      uint32_t *first)
{
    bool aware = a->x->strategy == CUDA_AWARE;

    *first = (uint32_t)a->p->nops;
    for (unsigned g = 0; g < a->gpus; g++)
        for (unsigned d = 0; d < a->gpus; d++) {
            plan_msg(a->p, PHASE_OFF_NODE, rank_of(a, g, 0), rank_of(a, d, 0),
                     aware ? g : NO_GPU, aware ? d : NO_GPU, a->x->bytes);
            if (before)
                plan_after(a->p, before[g]);
        }
}

static void copy_to_cpu(const struct a2a *a)
{
    uint32_t *out = xcalloc(a->gpus, sizeof *out), first;
    uint64_t all = a->gpus * a->x->bytes;

    for (unsigned g = 0; g < a->gpus; g++)
        out[g] = plan_copy(a->p, PHASE_COPY_OUT, rank_of(a, g, 0), D2H, g, all);
    all_pairs(a, out, &first);
    for (unsigned g = 0; g < a->gpus; g++) {
        plan_copy(a->p, PHASE_COPY_IN, rank_of(a, g, 0), H2D, g, all);
        for (unsigned s = 0; s < a->gpus; s++)
            plan_after(a->p, first + s * a->gpus + g);
        /* Waitall waits for the sends too. */
        for (unsigned d = 0; d < a->gpus; d++)
            plan_after(a->p, (first + g * a->gpus + d) | AFTER_SENT);
    }
    free(out);
}

/* Of GPU `own`, rank q sends this many messages of x.bytes. */
static unsigned parts(const struct a2a *a, unsigned own, unsigned q)
{
    unsigned n = 0;

    for (unsigned d = 0; d < a->gpus; d++)
        n += d % a->per_gpu == (own + q) % a->per_gpu;
    return n;
}

/*
 * All ranks take part. By a slip of the program all messages of rank q of a GPU
 * go to rank q of one GPU, q further on. ready[g * per_gpu + q] must be done
 * before they leave (NO_OP: nothing). first[] gets the number of their first.
 */
static void all_ranks(const struct a2a *a, const uint32_t *ready,
                      uint32_t *first)
{
    for (unsigned g = 0; g < a->gpus; g++)
        for (unsigned q = 0; q < a->per_gpu; q++) {
            uint32_t before = ready[g * a->per_gpu + q];
            first[g * a->per_gpu + q] = (uint32_t)a->p->nops;
            for (unsigned k = 0; k < parts(a, g, q); k++) {
                plan_msg(a->p, PHASE_OFF_NODE, rank_of(a, g, q),
                         rank_of(a, (g + q) % a->gpus, q), NO_GPU, NO_GPU,
                         a->x->bytes);
                if (before != NO_OP)
                    plan_after(a->p, before);
            }
        }
}

/* The newest op comes after all messages that rank q of GPU g gets. */
static void after_parts(const struct a2a *a, const uint32_t *first, unsigned g,
                        unsigned q)
{
    unsigned from = (g + a->gpus - q % a->gpus) % a->gpus;

    for (unsigned k = 0; k < parts(a, from, q); k++)
        plan_after(a->p, first[from * a->per_gpu + q] + k);
}

/* The first rank of a GPU copies all and hands the others their parts with
 * blocking sends; the parts come back to it in the end. */
static void extra_message(const struct a2a *a)
{
    size_t n = (size_t)a->gpus * a->per_gpu;
    uint32_t *ready = xcalloc(n, sizeof *ready);
    uint32_t *first = xcalloc(n, sizeof *first);
    uint64_t all = a->gpus * a->x->bytes;

    for (unsigned g = 0; g < a->gpus; g++) {
        uint32_t before =
            plan_copy(a->p, PHASE_COPY_OUT, rank_of(a, g, 0), D2H, g, all);
        bool sent = false;
        for (unsigned q = 1; q < a->per_gpu; q++) {
            uint64_t bytes = parts(a, g, q) * a->x->bytes;
            ready[g * a->per_gpu + q] = NO_OP;
            if (!bytes)
                continue;
            uint32_t op = plan_msg(a->p, PHASE_GATHER, rank_of(a, g, 0),
                                   rank_of(a, g, q), NO_GPU, NO_GPU, bytes);
            plan_after(a->p, sent ? before | AFTER_SENT : before);
            ready[g * a->per_gpu + q] = before = op;
            sent = true;
        }
        ready[g * a->per_gpu] = sent ? before | AFTER_SENT : before;
    }
    all_ranks(a, ready, first);
    for (unsigned g = 0; g < a->gpus; g++) {
        uint32_t back = (uint32_t)a->p->nops, nback = 0;
        for (unsigned q = 1; q < a->per_gpu; q++) {
            unsigned from = (g + a->gpus - q % a->gpus) % a->gpus;
            uint64_t bytes = parts(a, from, q) * a->x->bytes;
            if (!bytes)
                continue;
            plan_msg(a->p, PHASE_SCATTER, rank_of(a, g, q), rank_of(a, g, 0),
                     NO_GPU, NO_GPU, bytes);
            after_parts(a, first, g, q);
            nback++;
        }
        plan_copy(a->p, PHASE_COPY_IN, rank_of(a, g, 0), H2D, g, all);
        after_parts(a, first, g, 0);
        for (uint32_t i = 0; i < nback; i++)
            plan_after(a->p, back + i);
    }
    free(ready);
    free(first);
}

/* Every rank copies its own part out and in; a rank without a part does
 * nothing. */
static void dup_devptr(const struct a2a *a)
{
    size_t n = (size_t)a->gpus * a->per_gpu;
    uint32_t *ready = xcalloc(n, sizeof *ready);
    uint32_t *first = xcalloc(n, sizeof *first);

    for (unsigned g = 0; g < a->gpus; g++)
        for (unsigned q = 0; q < a->per_gpu; q++)
            ready[g * a->per_gpu + q] =
                parts(a, g, q)
                    ? plan_copy(a->p, PHASE_COPY_OUT, rank_of(a, g, q), D2H, g,
                                parts(a, g, q) * a->x->bytes)
                    : NO_OP;
    all_ranks(a, ready, first);
    for (unsigned g = 0; g < a->gpus; g++)
        for (unsigned q = 0; q < a->per_gpu; q++) {
            unsigned from = (g + a->gpus - q % a->gpus) % a->gpus;
            if (!parts(a, from, q))
                continue;
            plan_copy(a->p, PHASE_COPY_IN, rank_of(a, g, q), H2D, g,
                      parts(a, from, q) * a->x->bytes);
            after_parts(a, first, g, q);
        }
    free(ready);
    free(first);
}

static int all_to_all(struct plan *p, const struct machine *m,
                      const struct experiment *x, struct err *err)
{
    struct a2a a = {p, m, x, x->nodes * m->ngpus, x->ranks_per_node / m->ngpus};
    uint32_t first;

    if (x->ranks_per_node > m->ncores || a.per_gpu == 0)
        return fail(err, "%s has %u cores and %u GPUs: %u ranks do not fit",
                    m->name, m->ncores, m->ngpus, x->ranks_per_node);
    plan_init(p, m, "all_to_all_v", x->nodes, x->ranks_per_node, NULL);
    switch (x->strategy) {
    case CUDA_AWARE:
        all_pairs(&a, NULL, &first);
        break;
    case COPY_TO_CPU:
        copy_to_cpu(&a);
        break;
    case EXTRA_MESSAGE:
        extra_message(&a);
        break;
    default:
        dup_devptr(&a);
    }
    return 0;
}

/* Rank 0 sends n blocking messages to ranks 0 to n-1 of the other node, which
 * answer; on GPUs all buffers are on GPU 0 of each node. */
static int mult_pong(struct plan *p, const struct machine *m,
                     const struct experiment *x, struct err *err)
{
    if (x->messages == 0 ||
        need(m, x->messages ? x->messages - 1 : 0, 0, x->gpu, err) < 0)
        return x->messages ? -1 : fail(err, "no messages");
    all_cores(p, m, "mult_pong", 2);
    uint32_t gpu_a = x->gpu ? 0 : NO_GPU, gpu_b = x->gpu ? m->ngpus : NO_GPU;
    for (unsigned i = 0; i < x->messages; i++) {
        uint32_t op = plan_msg(p, PHASE_OFF_NODE, 0, m->ncores + i, gpu_a,
                               gpu_b, x->bytes);
        if (i)
            plan_after(p, (op - 1) | AFTER_SENT);
    }
    for (unsigned i = 0; i < x->messages; i++) {
        plan_msg(p, PHASE_OFF_NODE, m->ncores + i, 0, gpu_b, gpu_a, x->bytes);
        plan_after(p, i);
    }
    return 0;
}

static double half_measure(const struct plan *p, const struct op_times *ops)
{
    double end = 0;

    for (size_t i = 0; i < p->nops; i++)
        if (ops[i].end_s > end)
            end = ops[i].end_s;
    return end / 2;
}

int experiment_plan(struct plan *p, const struct machine *m,
                    const struct experiment *x, struct err *err)
{
    int result;

    memset(p, 0, sizeof *p);
    switch (x->kind) {
    case PING_PONG:
    case PING_PONG_3STEP:
        result = ping_pong(p, m, x, err);
        break;
    case PAIRS:
        result = pairs(p, m, x, err);
        break;
    case COPY:
        result = one_copy(p, m, x, err);
        break;
    case COPIES:
        result = copies(p, m, x, err);
        break;
    case ALL_TO_ALL:
        result = all_to_all(p, m, x, err);
        break;
    case MULT_PONG:
        result = mult_pong(p, m, x, err);
        break;
    default:
        result = fail(err, "no such experiment");
    }
    if (result < 0)
        plan_clear(p);
    return result;
}

experiment_measure *experiment_measure_of(const struct experiment *x)
{
    switch (x->kind) {
    case PAIRS:
        return pairs_measure;
    case COPIES:
        return copies_measure;
    case MULT_PONG:
        return half_measure;
    default:
        return NULL;
    }
}
