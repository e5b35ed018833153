/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of ranks that ping-pong at once: maxrate, inj_bw, node_pong. */
#include "validate/measure/pairs.h"

#include "validate/measure/benchmark.h"

#include <stdio.h>
#include <string.h>

/* --- the plan ------------------------------------------------------------- */

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
    if (x->ends) {
        for (unsigned i = 0; i < 2; i++) {
            p->node[i] = x->ends[2 * k + i] / m->ncores;
            p->core[i] = x->ends[2 * k + i] % m->ncores;
            p->gpu[i] = gpus ? p->core[i] % m->ngpus : 0;
        }
    } else if (x->domains) {
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

/* Adds one message from end `from`, after the newest operation. If it answers
 * another, which is not NO_OP, its receive is posted after that has been sent.
 * Returns the message. */
static uint32_t half_round(struct plan *plan, const struct machine *m,
                           const struct experiment *x, const struct pair *p,
                           int from, uint32_t answered)
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
    uint32_t op = plan_msg(plan, PHASE_OFF_NODE, rank[from], rank[!from],
                           aware ? gpu[from] : NO_GPU,
                           aware ? gpu[!from] : NO_GPU, x->bytes);
    plan_after(plan, before++);
    if (answered != NO_OP)
        plan_posted_after(plan, answered | AFTER_SENT);
    if (x->staged) {
        plan_copy(plan, PHASE_COPY_IN, rank[!from], H2D, gpu[!from], x->bytes);
        plan_after(plan, before);
    }
    return op;
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
        plan_work(plan, p.core[0],
                  x->iteration ? 0 : 2 * message_s(m, x, &p) * k / x->pairs);
        if (x->iteration) {
            (void)half_round(plan, m, x, &p, 1,
                             half_round(plan, m, x, &p, 0, NO_OP));
            continue;
        }
        for (int round = 0; round < 2 * PAIR_ROUNDS; round++)
            (void)half_round(plan, m, x, &p, round % 2, NO_OP);
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

/* --- rows ----------------------------------------------------------------- */

/* Sets the GPUs that the pairs use: one each; or, in files that mark pairs
 * which are spread over all GPUs, all GPUs for these and the first for the
 * others. */
static int pairs_on_gpus(struct row *r, struct experiment *x)
{
    const char *config = csv_text(r->t, r->row, "config");
    unsigned ngpus = r->m->ngpus;

    x->pairs_per_gpu = 1;
    if (r->survey->even_gpus)
        x->pairs_per_gpu = config && strstr(config, "even_gpus")
                               ? (x->pairs + ngpus - 1) / ngpus
                               : x->pairs;
    if (x->pairs > ngpus * x->pairs_per_gpu)
        return leave_out(r, "%s has %u GPUs a node, too few for %u pairs",
                         r->m->name, ngpus, x->pairs);
    return 0;
}

/* Sets the decision: the number of pairs by which a volume is sent. */
static int split_decision(struct measured_point *out, const struct row *r,
                          struct err *err)
{
    const struct experiment *x = &out->x;
    uint64_t total;

    if (csv_count(r->t, r->row, "total_bytes", &total, err) < 0)
        return -1;
    snprintf(out->decision, sizeof out->decision, "node_pong, %s, %llu B%s",
             x->gpu ? "gpu" : "cpu", (unsigned long long)total, rack(x));
    snprintf(out->choice, sizeof out->choice, "%u pairs", x->pairs);
    return 0;
}

static int pairs_row(struct measured_point *out, struct row *r, struct err *err)
{
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    const struct machine *m = r->m;
    const char *kind = csv_column(t, "total_bytes") >= 0 ? "node_pong"
                       : csv_column(t, "fill") >= 0      ? "inj_bw"
                                                         : "maxrate";

    x->two_nodes = true;
    if ((csv_column(t, "device") >= 0 &&
         cell_device(t, r->row, &x->gpu, err) < 0) ||
        cell_small(t, r->row, "active_pairs", &x->pairs, err) < 0 ||
        csv_count(t, r->row, "bytes_per_message", &x->bytes, err) < 0)
        return -1;
    if (cell_blank(t, r->row, "pairs_socket0"))
        return leave_out(r, "pairs_socket0 is empty");
    if (cell_small(t, r->row, "pairs_socket0", &x->socket0_pairs, err) < 0)
        return -1;
    if (x->pairs == 0 || x->socket0_pairs > x->pairs)
        return fail(err,
                    "%s:%u: active_pairs: %u pairs, %u of them on socket 0",
                    t->path, t->lines[r->row], x->pairs, x->socket0_pairs);
    if (m->network.nodes < 2)
        return leave_out(r, "%s has one node", m->name);
    if (x->pairs > m->ncores)
        return leave_out(r, "%s has %u cores a node, too few for %u pairs",
                         m->name, m->ncores, x->pairs);
    int got = row_partition(r);
    if (got == 0 && x->gpu)
        got = pairs_on_gpus(r, x);
    if (got)
        return got;
    if (!x->gpu && x->socket0_pairs < x->pairs && m->nsockets < 2)
        return leave_out(r, "%s has one socket, some pairs are on another",
                         m->name);
    x->other_rack = cell_is(t, r->row, "same_rack", "0");
    snprintf(out->group, sizeof out->group, "%s/%s", kind,
             x->gpu ? "gpu" : "cpu");
    snprintf(out->label, sizeof out->label,
             "%u pairs (%u on socket 0), %llu B%s", x->pairs, x->socket0_pairs,
             (unsigned long long)x->bytes, rack(x));
    return strcmp(kind, "node_pong") ? 0 : split_decision(out, r, err);
}

/* --- points of sluice-native ---------------------------------------------- */

enum { MOST_COUNTS = 40, ELEMENT = 4 };

/* Measures a size with so many pairs, or a size that they share. */
static void pairs_point(const struct sweep *s, unsigned pairs, uint64_t size,
                        bool split)
{
    uint64_t bytes = split ? size / ELEMENT / pairs * ELEMENT : size;
    const struct experiment x = {.iteration = true,
                                 .gpu = s->gpu,
                                 .two_nodes = true,
                                 .pairs = pairs,
                                 .bytes = bytes};
    unsigned near = 0;
    char total[32] = "";

    if (split && bytes < ELEMENT)
        return;
    for (unsigned k = 0; k < pairs; k++)
        near += s->sockets[k] == 0;
    if (split)
        snprintf(total, sizeof total, "%llu,", (unsigned long long)size);
    sweep_point(s, &x, "%s,%u,%u,%s%llu", sweep_device(s), pairs, near, total,
                (unsigned long long)bytes);
}

static void pairs_counts(const struct sweep *s, bool split)
{
    /* There is at most one pair per GPU, because rank k has GPU k. */
    unsigned most = s->gpu && s->most > s->m->ngpus ? s->m->ngpus : s->most;
    unsigned step = (most + MOST_COUNTS - 1) / MOST_COUNTS;

    for (uint64_t size = s->sizes.from; size <= s->sizes.to;
         size *= s->sizes.factor)
        for (unsigned pairs = 1; pairs <= most; pairs++)
            if (pairs == most || (pairs - 1) % step == 0)
                pairs_point(s, pairs, size, split);
}

static void maxrate_sweep(const struct sweep *s)
{
    pairs_counts(s, false);
}

static void node_pong_sweep(const struct sweep *s)
{
    pairs_counts(s, true);
}

static const char *const pairs_notes[] = {
    "pair k: rank k of node 0 with rank k of node 1; pairs 0 to "
    "active_pairs-1 do ping-pongs at once, not synchronised after the "
    "start; all other ranks sleep",
    "time_s is ONE-WAY: elapsed/(2*iterations), maximum over all active "
    "ranks; one row a batch, after two that do not count",
    "bytes_per_message: what every pair sends; with total_bytes it is "
    "4*floor(total_bytes/4/active_pairs)",
    "pairs_socket0: how many of the ranks of node 0 sit on socket 0; gpu "
    "pair k uses GPU k of both nodes",
    NULL};

#define PAIRS_COMMAND                                                          \
    .notes = pairs_notes, .same_rack = true, .sizes = {ELEMENT, 512u << 10},   \
    .most = "pairs", .most_help = "at most N pairs (ranks of a node)",         \
    .two_nodes = true

static const struct benchmark_command pairs_commands[] = {
    {PAIRS_COMMAND, .name = "maxrate",
     .summary = "ping-pongs of several pairs of two nodes at once",
     .about = "Ranks 0 to n-1 of one node do ping-pongs with those of another, "
              "all at once, for n = 1, 2, ...; each pair sends --sizes. The "
              "time is one way, of the slowest pair.\n",
     .measured = "ping-pongs of n pairs of ranks of two nodes at once",
     .columns = "device,active_pairs,pairs_socket0,bytes_per_message",
     .sweep = maxrate_sweep},
    {PAIRS_COMMAND, .name = "node_pong",
     .summary = "the same with one message split over the pairs",
     .about = "Ranks 0 to n-1 of one node do ping-pongs with those of another, "
              "all at once, for n = 1, 2, ...; each pair sends its share of "
              "--sizes. The time is one way, of the slowest pair.\n",
     .measured = "one message of total_bytes between two nodes, split over n "
                 "pairs of ranks",
     .columns =
         "device,active_pairs,pairs_socket0,total_bytes,bytes_per_message",
     .sweep = node_pong_sweep},
    {0}};

const struct benchmark pairs_benchmark = {
    .file = {.name = "pairs",
             .columns = {"active_pairs", "pairs_socket0"},
             .time = "time_s",
             .read = pairs_row,
             .simulated = "device active_pairs pairs_socket0 fill total_bytes "
                          "bytes_per_message "
                          "same_rack"},
    .plan = pairs_plan,
    .measure = pairs_measure,
    .alone_s = pairs_alone_s,
    .commands = pairs_commands,
    .round_trip = true,
    .one_buffer = true,
};
