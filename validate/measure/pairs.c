/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of ranks that ping-pong at once, as a plan, and their time. */
#include "validate/measure/pairs.h"

/* Iterations of unrolled loops; the first rounds are left out. Pairs that share
 * a link start in step and drift apart within some rounds, as the real ones do,
 * which are not synchronised. */
enum { PAIR_ROUNDS = 24, PAIR_WARM_UP = 8 };

/* Both ends of a pair: node, core and GPU of the node. */
struct pair {
    unsigned node[2], core[2], gpu[2];
};

/* Sets the GPU and core of pair k if the GPUs of both nodes are paired. */
static void gpu_pair(struct pair *p, const struct machine *m,
                     const struct experiment *x, unsigned k)
{
    unsigned each = x->pairs_per_gpu ? x->pairs_per_gpu : 1, gpu = k / each;
    unsigned socket = machine_gpu(m, gpu)->socket;
    unsigned core = each > 1 ? machine_gpu_core(m, gpu) + k % each
                             : machine_socket_core(m, socket) + k;

    for (int i = 0; i < 2; i++) {
        p->gpu[i] = gpu;
        p->core[i] = core;
    }
}

/* Returns the core of pair k. Sockets are filled one after the other: the first
 * with socket0_pairs, each of the others with as many or the rest. Pairs that
 * do not fit on a socket continue on the next core. */
static unsigned filled_core(const struct machine *m, const struct experiment *x,
                            unsigned k)
{
    unsigned each = x->socket0_pairs ? x->socket0_pairs : x->pairs;
    unsigned socket = x->socket0_pairs ? k / each : 1;

    if (m->nsockets < 2 || each > machine_socket(m, 0)->cores)
        return k;
    return socket < m->nsockets ? machine_socket_core(m, socket) + k % each
                                : m->ncores;
}

/* Returns the core of a rank if the ranks of a node are spread over its
 * sockets. */
static unsigned rank_core(const struct machine *m, const struct experiment *x,
                          unsigned local)
{
    unsigned per_socket = x->ranks_per_node / m->nsockets;

    if (!per_socket || per_socket > machine_socket(m, 0)->cores ||
        local / per_socket >= m->nsockets)
        return local;
    return machine_socket_core(m, local / per_socket) + local % per_socket;
}

/* Sets pair k of a domain's ranks: with the other half of the domain, or with
 * the same rank of the other node. */
static void domain_pair(struct pair *p, const struct machine *m,
                        const struct experiment *x, unsigned k)
{
    unsigned each = x->pairs / x->domains;
    unsigned local = k / each * x->domain_ranks + k % each;
    unsigned other = x->two_nodes ? local : local + x->domain_ranks / 2;
    unsigned per_gpu = m->ngpus && x->ranks_per_node >= m->ngpus
                           ? x->ranks_per_node / m->ngpus
                           : 1;

    p->core[0] = rank_core(m, x, local);
    p->core[1] = rank_core(m, x, other);
    p->gpu[0] = local / per_gpu;
    p->gpu[1] = other / per_gpu;
}

static int place_pair(struct pair *p, const struct machine *m,
                      const struct experiment *x, unsigned k, struct err *err)
{
    bool gpus = x->gpu || x->staged;

    *p = (struct pair){.node = {0, 1}};
    if (x->domains) {
        domain_pair(p, m, x, k);
        p->node[1] = x->two_nodes;
    } else if (gpus) {
        unsigned each = x->pairs_per_gpu ? x->pairs_per_gpu : 1;
        if (k / each >= m->ngpus)
            return fail(err, "%s has no GPU %u, only %u", m->name, k / each,
                        m->ngpus);
        gpu_pair(p, m, x, k);
    } else {
        p->core[0] = p->core[1] = filled_core(m, x, k);
    }
    for (int i = 0; i < 2; i++) {
        if (p->core[i] >= m->ncores)
            return fail(err, "%s has no core %u, only %u", m->name, p->core[i],
                        m->ncores);
        if (gpus && p->gpu[i] >= m->ngpus)
            return fail(err, "%s has no GPU %u, only %u", m->name, p->gpu[i],
                        m->ngpus);
    }
    return 0;
}

static double message_s(const struct machine *m, const struct experiment *x,
                        const struct pair *p)
{
    bool aware = x->gpu && !x->staged;
    enum locality where = aware
                              ? machine_gpu_locality(m, p->node[0], p->gpu[0],
                                                     p->node[1], p->gpu[1])
                              : machine_core_locality(m, p->node[0], p->core[0],
                                                      p->node[1], p->core[1]);
    const struct segment *s =
        machine_segment(m, RUNTIME_MPI, aware ? machine_gpu_path(m) : PATH_HOST,
                        where, x->bytes);
    double took = s ? segment_alone_s(s, x->bytes) : 0;

    for (int d = H2D; d <= D2H && x->staged; d++) {
        const struct copy_cost *c =
            machine_copy(m, (enum copy_dir)d, ON_SOCKET, 1, x->bytes);
        took += c ? copy_alone_s(c, x->bytes) : 0;
    }
    return took;
}

double pairs_alone_s(const struct machine *m, const struct experiment *x)
{
    struct err ignored = {0};
    struct pair p;

    return place_pair(&p, m, x, 0, &ignored) < 0 ? 0 : message_s(m, x, &p);
}

/* Adds one message from end `from`, after the newest operation. */
static void half_round(struct plan *plan, const struct machine *m,
                       const struct experiment *x, const struct pair *p,
                       int from)
{
    uint32_t rank[2], gpu[2], before = (uint32_t)plan->nops - 1;
    bool aware = x->gpu && !x->staged;

    for (int i = 0; i < 2; i++) {
        rank[i] = p->node[i] * m->ncores + p->core[i];
        gpu[i] = p->node[i] * m->ngpus + p->gpu[i];
    }
    if (x->staged) {
        plan_copy(plan, PHASE_COPY_OUT, rank[from], D2H, gpu[from], x->bytes);
        plan_after(plan, before++);
    }
    plan_msg(plan, PHASE_OFF_NODE, rank[from], rank[!from],
             aware ? gpu[from] : NO_GPU, aware ? gpu[!from] : NO_GPU, x->bytes);
    plan_after(plan, before++);
    if (x->staged) {
        plan_copy(plan, PHASE_COPY_IN, rank[!from], H2D, gpu[!from], x->bytes);
        plan_after(plan, before);
    }
}

/* The pairs do not wait for each other, so that in a long run some ping while
 * others pong. If they were in step, they would only ever use one direction of
 * the network; therefore their starts are spread evenly over a round trip: a
 * pair begins with work, then ping, pong, ping, pong ... */
int pairs_plan(struct plan *plan, const struct machine *m,
               const struct experiment *x, struct err *err)
{
    plan_init(plan, m, "pairs", x->two_nodes ? 2 : 1, m->ncores, NULL);
    /* The send and the receive buffer are used over and over. */
    plan->working_set_B = 2 * (double)x->bytes;
    for (unsigned i = 0; i < m->ncores; i++)
        plan->core[i] = i;
    for (unsigned k = 0; k < x->pairs; k++) {
        struct pair p;
        if (place_pair(&p, m, x, k, err) < 0)
            return -1;
        plan_work(plan, p.core[0], 2 * message_s(m, x, &p) * k / x->pairs);
        for (int round = 0; round < 2 * PAIR_ROUNDS; round++)
            half_round(plan, m, x, &p, round % 2);
    }
    return 0;
}

double pairs_measure(const struct plan *p, const struct op_times *ops)
{
    size_t each = p->ops[1].kind == OP_COPY ? 3 : 1;
    size_t of_pair = 1 + each * 2 * PAIR_ROUNDS;
    double worst = 0;

    for (size_t i = 0; i < p->nops; i += of_pair) {
        double took =
            ops[i + of_pair - 1].end_s - ops[i + each * 2 * PAIR_WARM_UP].end_s;
        if (took > worst)
            worst = took;
    }
    return worst / (2 * (PAIR_ROUNDS - PAIR_WARM_UP));
}
