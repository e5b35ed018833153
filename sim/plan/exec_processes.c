/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs plans under runtimes with a communication thread: epochs of their puts,
 * windows, the use of received buffers, and the operations that such a runtime
 * refuses. */
#include "sim/plan/exec_processes.h"

#include "sim/plan/describe.h"

#include <stdlib.h>
#include <string.h>

/* --- windows -------------------------------------------------------------- */

struct put_of {
    uint32_t src, dst;
    uint64_t bytes;
};

static int by_pair(const void *a, const void *b)
{
    const struct put_of *x = a, *y = b;

    if (x->dst != y->dst)
        return x->dst < y->dst ? -1 : 1;
    if (x->src != y->src)
        return x->src < y->src ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

double *plan_windows(const struct plan *p, const struct runtime_costs *c)
{
    size_t ranks = (size_t)p->nodes * p->ranks_per_node, n = 0;
    double *sums = xcalloc(ranks, sizeof *sums);

    if (p->window_B) {
        memcpy(sums, p->window_B, ranks * sizeof *sums);
        return sums;
    }
    struct put_of *puts = xcalloc(p->nops, sizeof *puts);
    for (size_t i = 0; i < p->nops; i++)
        if (plan_sends(&p->ops[i]))
            puts[n++] =
                (struct put_of){p->ops[i].src, p->ops[i].dst, p->ops[i].bytes};
    qsort(puts, n, sizeof *puts, by_pair);
    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || puts[i + 1].src != puts[i].src ||
            puts[i + 1].dst != puts[i].dst)
            sums[puts[i].dst] += (double)puts[i].bytes * c->windows;
    free(puts);
    return sums;
}

double plan_windows_s(const struct plan *p, const struct machine *m)
{
    const struct runtime_costs *c = &m->costs[p->runtime];
    double ranks = (double)p->nodes * p->ranks_per_node;

    if (!transports[p->runtime]->rules ||
        !transports[p->runtime]->rules->windows)
        return 0;
    return c->window_s * c->windows * ranks;
}

/* --- refusals ------------------------------------------------------------- */

static double node_memory_B(const struct machine *m)
{
    double B = 0;

    for (unsigned s = 0; s < m->nsockets; s++)
        B += machine_socket(m, s)->memory_B;
    return B;
}

static int check_node_memory(const struct plan *p, const struct machine *m,
                             const double *of, const char *what,
                             struct err *err)
{
    double most_B = node_memory_B(m);

    for (uint32_t node = 0; node < p->nodes && most_B > 0; node++) {
        double B = 0;
        for (uint32_t i = 0; i < p->ranks_per_node; i++)
            B += of[node * p->ranks_per_node + i];
        if (B > most_B)
            return fail(err,
                        "%s: the %s of the ranks of node %u hold %.3g GiB, "
                        "more than the %.3g GiB of its memory on %s",
                        runtime_words[p->runtime], what, node, B / 0x1p30,
                        most_B / 0x1p30, m->name);
    }
    return 0;
}

static int check_memory(const struct plan *p, const struct machine *m,
                        struct err *err)
{
    const struct runtime_costs *c = &m->costs[p->runtime];
    uint32_t ranks = p->nodes * p->ranks_per_node;
    bool windows = transports[p->runtime]->rules->windows;
    double *of = windows ? plan_windows(p, c) : xcalloc(ranks, sizeof *of);

    for (uint32_t i = 0; i < ranks && !windows; i++)
        of[i] = 2 * runtime_pool_B(c, ranks);
    int result =
        check_node_memory(p, m, of, windows ? "windows" : "packets", err);
    free(of);
    return result;
}

static const char *refused(const struct plan *p, const struct machine *m,
                           uint32_t op)
{
    const struct op *o = &p->ops[op];
    const struct runtime_rules *rules = transports[p->runtime]->rules;

    if (plan_sends(o) && o->src_gpu != NO_GPU) {
        enum locality where = plan_locality(p, m, o);
        return m->messages[p->runtime][plan_path(m, o)][where].nsegments
                   ? NULL
                   : "no table of messages between GPUs";
    }
    if (!rules->windows)
        return NULL;
    if (o->kind == OP_PROBE)
        return "nothing to probe for: a put is seen by its window alone";
    if (o->kind == OP_RECV &&
        (p->match[op].peer == ANY_RANK || p->match[op].tag == ANY_TAG))
        return "no wildcards: a window is one origin's";
    if (o->kind == OP_SEND && m->costs[p->runtime].epoch == EPOCH_FENCE)
        return "with fences no receives that are operations of their own";
    return NULL;
}

void plan_carry_by(struct plan *p, const struct machine *m, enum runtime by)
{
    p->runtime = by;
    p->begin_s += m->costs[by].kernel_s;
}

/* Returns the reason why kernels do not carry the operation, or NULL. */
static const char *kernels_refuse(const struct plan *p, const struct machine *m,
                                  uint32_t op)
{
    const struct op *o = &p->ops[op];

    if (o->kind == OP_SEND || o->kind == OP_RECV || o->kind == OP_PROBE)
        return "no messages that are matched";
    if (o->kind != OP_MSG)
        return NULL;
    if (o->src_gpu == NO_GPU || o->dst_gpu == NO_GPU)
        return "no messages of host memory";
    return m->messages[p->runtime][plan_path(m, o)]
                      [o->src / p->ranks_per_node == o->dst / p->ranks_per_node
                           ? ON_NODE
                           : OFF_NODE]
                          .nsegments
               ? NULL
               : "no table of messages between GPUs";
}

int runtime_check(const struct plan *p, const struct machine *m,
                  struct err *err)
{
    const char *name = runtime_words[p->runtime];
    bool host_processes = transports[p->runtime]->rules;

    if (!host_processes && p->runtime != RUNTIME_PEER)
        return 0; /* its planner has checked */
    if (!m->costs[p->runtime].source)
        return fail(err, "%s: %s has no runtimes.%s.costs", name, m->name,
                    runtime_names[p->runtime]);
    for (uint32_t i = 0; i < p->nops; i++) {
        const char *why =
            host_processes ? refused(p, m, i) : kernels_refuse(p, m, i);
        char text[256];
        if (!why)
            continue;
        op_describe(text, sizeof text, m, p, i);
        return fail(err, "%s has %s: operation %u (%s)", name, why, i, text);
    }
    return host_processes ? check_memory(p, m, err) : 0;
}

/* --- epochs --------------------------------------------------------------- */

/* Returns for each operation the length of the longest chain of messages before
 * it. */
static uint32_t *message_levels(const struct plan *p)
{
    uint32_t *level = xcalloc(p->nops, sizeof *level);

    for (size_t i = 0; i < p->nops; i++)
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++) {
            uint32_t before = p->deps[d] & DEP_OP;
            uint32_t at = level[before] + (p->ops[before].kind == OP_MSG);
            level[i] = at > level[i] ? at : level[i];
        }
    return level;
}

struct put_at {
    uint32_t src, level, op;
};

static int by_origin(const void *a, const void *b)
{
    const struct put_at *x = a, *y = b;

    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    if (x->src != y->src)
        return x->src < y->src ? -1 : 1;
    return x->op < y->op ? -1 : 1;
}

/* Messages of one origin that have the same number of messages before them do
 * not wait for each other, so they can complete together: they form an epoch;
 * with fences those of all origins do. */
static void find_epochs(struct host_processes *h, const struct plan *p)
{
    bool fences = h->costs->epoch == EPOCH_FENCE;
    uint32_t *level = message_levels(p), n = 0, epoch = 0;
    struct put_at *puts = xcalloc(p->nops, sizeof *puts);

    for (uint32_t i = 0; i < p->nops; i++)
        if (p->ops[i].kind == OP_MSG)
            puts[n++] =
                (struct put_at){fences ? 0 : p->ops[i].src, level[i], i};
    qsort(puts, n, sizeof *puts, by_origin);
    h->epochs = xcalloc((size_t)n + 1, sizeof *h->epochs);
    for (uint32_t i = 0; i < n; i++) {
        epoch += i && (puts[i].level != puts[i - 1].level ||
                       puts[i].src != puts[i - 1].src);
        struct epoch *e = &h->epochs[epoch];
        e->messages = e->uncalled = e->unflowed = e->messages + 1;
        level[puts[i].op] = epoch;
    }
    free(puts);
    h->epoch_of = level;
}

/* --- buffers of received messages ----------------------------------------- */

struct buffers {
    struct host_processes *host_processes;
    const struct plan *p;
    const uint32_t *partner;
    uint32_t *users; /* one per operation: readers of its received data */
};

static bool buffers_received(uint8_t kind)
{
    return kind == OP_MSG || kind == OP_RECV;
}

/* Returns whether an operation reads data that another received on its rank. */
static bool buffers_reads(const struct plan *p, uint32_t op, uint32_t dep)
{
    const struct op *before = &p->ops[dep & DEP_OP];

    return !(dep & (AFTER_SENT | FOR_RECEIVE)) &&
           buffers_received(before->kind) && before->dst == p->ops[op].src;
}

static struct buffers *buffers_new(struct host_processes *h,
                                   const struct plan *p,
                                   const uint32_t *partner)
{
    struct buffers *b = xcalloc(1, sizeof *b);

    *b = (struct buffers){h, p, partner, xcalloc(p->nops, sizeof *b->users)};
    for (uint32_t i = 0; i < p->nops; i++)
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
            b->users[p->deps[d] & DEP_OP] += buffers_reads(p, i, p->deps[d]);
    return b;
}

static void buffers_drop(const struct buffers *b, uint32_t op)
{
    const struct op *o = &b->p->ops[op];
    uint32_t send = o->kind == OP_RECV ? b->partner[op] : op;

    host_process_drop(b->host_processes, o->dst, (double)b->p->ops[send].bytes);
}

void buffers_finished(struct buffers *b, uint32_t op)
{
    const struct plan *p = b->p;

    if (buffers_received(p->ops[op].kind) && !b->users[op])
        buffers_drop(b, op);
    for (uint32_t d = plan_first_dep(p, op); d < plan_end_dep(p, op); d++)
        if (buffers_reads(p, op, p->deps[d]) &&
            --b->users[p->deps[d] & DEP_OP] == 0)
            buffers_drop(b, p->deps[d] & DEP_OP);
}

/* --- start and end -------------------------------------------------------- */

void exec_host_processes_init(struct exec *x)
{
    const struct plan *p = x->plan;

    host_processes_init(&x->fabric, p->runtime);
    struct host_processes *h = x->fabric.host_processes;
    h->new_share = p->new_share;
    if (!h->rules->windows) {
        x->buffers = buffers_new(h, p, x->partner);
        return;
    }
    find_epochs(h, p);
    double *windows = plan_windows(p, h->costs);
    for (uint32_t i = 0; i < x->fabric.processes; i++)
        host_process_windows(h, i, windows[i]);
    free(windows);
}

void exec_host_processes_clear(struct exec *x)
{
    if (x->fabric.host_processes)
        free(x->fabric.host_processes->epoch_of);
    host_processes_free(x->fabric.host_processes);
    if (x->buffers)
        free(x->buffers->users);
    free(x->buffers);
}

int exec_host_processes_broken(const struct exec *x, struct err *err)
{
    const struct host_processes *h = x->fabric.host_processes;
    char text[256];

    if (!h || !h->broken)
        return 0;
    op_describe(text, sizeof text, x->m, x->plan, h->broken_at);
    return fail(err, "%s: rank %u has no %s: operation %u (%s)", h->name,
                h->broken_host, h->broken_what, h->broken_at, text);
}

void exec_host_processes_sum_up(struct exec_result *r, const struct exec *x)
{
    const struct host_processes *h = x->fabric.host_processes;

    if (!h)
        return;
    r->nhosts = x->fabric.processes;
    r->hosts = xcalloc(r->nhosts, sizeof *r->hosts);
    for (uint32_t i = 0; i < r->nhosts; i++)
        r->hosts[i] = h->of[i].counts;
    r->windows_s = plan_windows_s(x->plan, x->m);
}
