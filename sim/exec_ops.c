/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/exec_ops.h"

#include "sim/server.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* What happens to an operation next. A message goes through the first row, a
 * copy through the second, work through the third. */
enum stage {
    SEND_CPU,
    SEND_DONE,
    AT_NIC,
    NIC_PLACE,
    PEER_ENGINE,
    ON_WIRE,
    FLOWED,
    RECV_CPU,
    RECEIVED,
    COPY_CPU,
    COPY_ISSUED,
    COPY_ENGINE,
    COPY_SERVED,
    COPIED,
    WORK_CPU,
    WORKED,
};

struct exec;

struct task {
    struct exec *x;
    uint32_t op;
    uint32_t missing; /* dependencies */
    uint8_t stage;
    uint8_t cause; /* of its wait for a server, enum cause */
};

struct exec {
    struct engine *engine;
    const struct machine *m;
    const struct plan *plan;
    double origin; /* the engine's clock when the plan started */
    struct task *tasks;
    struct op_times *times;
    struct op_waits *waits; /* NULL: nobody asks */
    uint32_t *next;         /* of the servers */
    struct server *cpu;     /* of each rank */
    struct server *copy;    /* of each GPU, for each direction */
    unsigned *copying;      /* of each GPU: copies under way */
    struct server *nic;     /* of each NIC: sending */
    double *nic_free; /* of each NIC: when it may begin the next message */
    /* Who comes after whom: successors of op i are
     * after[first_after[i] .. first_after[i + 1]). */
    uint32_t *first_after, *after;
    size_t finished;
};

static void step(void *arg);
static void go(struct exec *x, uint32_t op, enum stage stage);

static double now(const struct exec *x)
{
    return engine_now(x->engine) - x->origin;
}

static void waited(struct exec *x, uint32_t op, uint8_t cause, uint32_t whom)
{
    if (!x->waits)
        return;
    struct op_waits *w = &x->waits[op];
    assert(w->n < MAX_WAITS);
    w->list[w->n++] = (struct op_wait){now(x), whom, cause};
}

/* Wait for a server; `stage` comes when it is ours. */
static void take(struct exec *x, struct server *s, uint32_t op,
                 enum stage stage, enum cause cause)
{
    x->tasks[op].stage = (uint8_t)stage;
    x->tasks[op].cause = (uint8_t)cause;
    if (server_take(s, x->next, op))
        go(x, op, stage);
}

/* `by` gives its place to who waits for it. */
static void release(struct exec *x, struct server *s, uint32_t by)
{
    uint32_t op = server_release(s, x->next);

    if (op == SERVER_NOBODY)
        return;
    waited(x, op, x->tasks[op].cause, by);
    go(x, op, x->tasks[op].stage);
}

static void later(struct exec *x, uint32_t op, double delay_s, enum stage stage)
{
    x->tasks[op].stage = (uint8_t)stage;
    engine_after(x->engine, delay_s, step, &x->tasks[op]);
}

static uint32_t endpoint_of_rank(const struct exec *x, uint32_t rank)
{
    return engine_core(x->m, plan_node(x->plan, rank),
                       plan_core(x->plan, rank));
}

static uint32_t endpoint_of_gpu(const struct exec *x, uint32_t gpu)
{
    return engine_gpu(x->m, gpu / x->m->ngpus, gpu % x->m->ngpus);
}

/* --- dependencies ------------------------------------------------------- */

static void start(struct exec *x, uint32_t op)
{
    const struct op *o = &x->plan->ops[op];

    x->times[op].ready_s = now(x);
    switch (o->kind) {
    case OP_MSG:
        take(x, &x->cpu[o->src], op, SEND_CPU, CAUSE_CPU);
        break;
    case OP_COPY:
        take(x, &x->cpu[o->src], op, COPY_CPU, CAUSE_CPU);
        break;
    default:
        take(x, &x->cpu[o->src], op, WORK_CPU, CAUSE_CPU);
    }
}

/* Those that wait for this op's end, or (sent) for its buffer. */
static void tell(struct exec *x, uint32_t op, bool sent)
{
    for (uint32_t i = x->first_after[op]; i < x->first_after[op + 1]; i++) {
        uint32_t who = x->after[i] & ~AFTER_SENT;
        if (!!(x->after[i] & AFTER_SENT) != sent)
            continue;
        if (--x->tasks[who].missing)
            continue;
        waited(x, who, CAUSE_DEPENDENCY, op);
        start(x, who);
    }
}

static void finish(struct exec *x, uint32_t op)
{
    x->times[op].end_s = now(x);
    x->finished++;
    tell(x, op, false);
}

/* --- messages ----------------------------------------------------------- */

static const struct segment *segment_of(const struct exec *x,
                                        const struct op *o)
{
    enum msg_path path = o->src_gpu == NO_GPU ? PATH_HOST
                         : x->m->gpudirect    ? PATH_GDR
                                              : PATH_NO_GDR;

    return machine_segment(x->m, path, plan_locality(x->plan, x->m, o),
                           o->bytes);
}

static double send_cpu_s(const struct segment *s, uint64_t bytes)
{
    return s->alpha_s * s->alpha_send_share +
           s->beta_s_per_B * s->beta_send_share * (double)bytes;
}

static double recv_cpu_s(const struct segment *s, uint64_t bytes)
{
    return s->alpha_s * s->alpha_recv_share +
           s->beta_s_per_B * s->beta_recv_share * (double)bytes;
}

/* The NIC that a message leaves by, among all of the plan's nodes. */
static size_t nic_of(const struct exec *x, const struct op *o,
                     const struct segment *s)
{
    const struct machine *m = x->m;
    unsigned nic = 0;

    if (s->nic != NIC_OF_SOCKET) {
        nic = (unsigned)s->nic;
    } else {
        unsigned socket =
            o->src_gpu == NO_GPU
                ? machine_core_socket(m, plan_core(x->plan, o->src))
                : machine_gpu(m, o->src_gpu % m->ngpus)->socket;
        while (nic + 1 < m->nnics && machine_nic(m, nic)->socket != socket)
            nic++;
    }
    return (size_t)plan_node(x->plan, o->src) * m->nnics + nic;
}

static bool leaves_node(const struct exec *x, const struct op *o)
{
    return x->m->nnics > 0 &&
           plan_node(x->plan, o->src) != plan_node(x->plan, o->dst);
}

/* Once a message has its place, how long the message rate makes it wait. */
static double rate_wait(struct exec *x, size_t nic)
{
    double t = now(x), begin = fmax(t, x->nic_free[nic]);

    x->nic_free[nic] =
        begin + machine_nic(x->m, (unsigned)(nic % x->m->nnics))->message_gap_s;
    return begin - t;
}

static double wire_latency(const struct exec *x, uint32_t op,
                           const struct segment *s)
{
    const struct op *o = &x->plan->ops[op];
    double share = 1 - s->alpha_send_share - s->alpha_recv_share;
    double latency = share > 0 ? s->alpha_s * share : 0;
    unsigned a = plan_node(x->plan, o->src), b = plan_node(x->plan, o->dst);

    if (a == b)
        return latency;
    if (!machine_same_rack(x->m, a, b)) {
        enum msg_path path = o->src_gpu == NO_GPU ? PATH_HOST
                             : x->m->gpudirect    ? PATH_GDR
                                                  : PATH_NO_GDR;
        latency += x->m->messages[path][OFF_NODE].other_rack_s;
    }
    return latency;
}

static void flow(struct exec *x, uint32_t op, const struct segment *s)
{
    const struct op *o = &x->plan->ops[op];
    double on_wire =
        s->beta_s_per_B * (1 - s->beta_send_share - s->beta_recv_share);
    uint32_t from, to;

    if (o->src_gpu == NO_GPU) {
        from = endpoint_of_rank(x, o->src);
        to = endpoint_of_rank(x, o->dst);
    } else {
        from = endpoint_of_gpu(x, o->src_gpu);
        to = endpoint_of_gpu(x, o->dst_gpu);
    }
    x->tasks[op].stage = FLOWED;
    engine_flow(x->engine, from, to, (double)o->bytes,
                on_wire > 1e-18 ? 1 / on_wire : 0, s->nic, step, &x->tasks[op]);
}

/*
 * A message between GPUs of a node is a copy between them (CUDA IPC), which
 * keeps the receiving GPU busy for as long as such a copy is measured to take
 * back to back. That is longer than a lone message, whose end the receiver need
 * not wait for. NULL: not such a message.
 */
static const struct copy_cost *peer_copy(const struct exec *x,
                                         const struct op *o)
{
    if (o->src_gpu == NO_GPU || leaves_node(x, o))
        return NULL;
    return machine_copy(x->m, D2D, plan_locality(x->plan, x->m, o), 1,
                        o->bytes);
}

static struct server *peer_engine(const struct exec *x, const struct op *o)
{
    return &x->copy[(size_t)o->dst_gpu * NCOPY_DIRS + D2D];
}

static void free_peer_engine(void *arg)
{
    const struct task *t = arg;

    release(t->x, peer_engine(t->x, &t->x->plan->ops[t->op]), t->op);
}

static void message(struct exec *x, uint32_t op, enum stage stage)
{
    const struct op *o = &x->plan->ops[op];
    const struct segment *s = segment_of(x, o);

    switch (stage) {
    case SEND_CPU:
        x->times[op].start_s = now(x);
        later(x, op, send_cpu_s(s, o->bytes), SEND_DONE);
        break;
    case SEND_DONE:
        later(x, op, wire_latency(x, op, s), AT_NIC);
        release(x, &x->cpu[o->src], op);
        if (s->protocol != RENDEZVOUS)
            tell(x, op, true);
        break;
    case AT_NIC:
        if (leaves_node(x, o))
            take(x, &x->nic[nic_of(x, o, s)], op, NIC_PLACE, CAUSE_NIC);
        else if (peer_copy(x, o))
            take(x, peer_engine(x, o), op, PEER_ENGINE, CAUSE_ENGINE);
        else if (s->receiver_copies)
            take(x, &x->cpu[o->dst], op, RECV_CPU, CAUSE_CPU);
        else
            flow(x, op, s);
        break;
    case PEER_ENGINE:
        engine_after(x->engine,
                     peer_copy(x, o)->alpha_s +
                         peer_copy(x, o)->beta_s_per_B * (double)o->bytes,
                     free_peer_engine, &x->tasks[op]);
        flow(x, op, s);
        break;
    case NIC_PLACE:
        later(x, op, rate_wait(x, nic_of(x, o, s)), ON_WIRE);
        break;
    case ON_WIRE:
        flow(x, op, s);
        break;
    case FLOWED:
        if (leaves_node(x, o))
            release(x, &x->nic[nic_of(x, o, s)], op);
        if (s->protocol == RENDEZVOUS)
            tell(x, op, true);
        if (s->receiver_copies && !leaves_node(x, o))
            later(x, op, recv_cpu_s(s, o->bytes), RECEIVED);
        else
            take(x, &x->cpu[o->dst], op, RECV_CPU, CAUSE_CPU);
        break;
    case RECV_CPU:
        if (s->receiver_copies && !leaves_node(x, o))
            flow(x, op, s);
        else
            later(x, op, recv_cpu_s(s, o->bytes), RECEIVED);
        break;
    default:
        release(x, &x->cpu[o->dst], op);
        finish(x, op);
    }
}

/* --- copies ------------------------------------------------------------- */

static const struct copy_cost *cost_of(const struct exec *x, const struct op *o)
{
    return machine_copy(x->m, o->dir, plan_locality(x->plan, x->m, o), 1,
                        o->bytes);
}

/* How long the GPU serves this copy and no other. */
static double engine_s(const struct exec *x, const struct op *o)
{
    const struct copy_table *t = &x->m->copies;

    if (!t->mps && x->copying[o->src_gpu] > 1 && o->bytes < t->slice_below_B)
        return t->slice_s;
    return t->engine_s;
}

static void copy_bytes(struct exec *x, uint32_t op)
{
    const struct op *o = &x->plan->ops[op];
    uint32_t rank = endpoint_of_rank(x, o->src);
    uint32_t gpu = endpoint_of_gpu(x, o->src_gpu);
    double beta = cost_of(x, o)->beta_s_per_B;

    x->tasks[op].stage = COPIED;
    engine_flow(x->engine, o->dir == H2D ? rank : gpu,
                o->dir == H2D   ? gpu
                : o->dir == D2D ? endpoint_of_gpu(x, o->dst_gpu)
                                : rank,
                (double)o->bytes, beta > 0 ? 1 / beta : 0, NIC_OF_SOCKET, step,
                &x->tasks[op]);
}

/* The rank issues a copy and waits for its end, so its CPU is held. The engine
 * of a direction moves the bytes of one copy at a time; between GPUs copies
 * overlap. */
static void copy(struct exec *x, uint32_t op, enum stage stage)
{
    const struct op *o = &x->plan->ops[op];
    struct server *engine = &x->copy[(size_t)o->src_gpu * NCOPY_DIRS + o->dir];
    double issue_s;

    switch (stage) {
    case COPY_CPU:
        x->times[op].start_s = now(x);
        x->copying[o->src_gpu]++;
        issue_s = cost_of(x, o)->alpha_s - x->m->copies.engine_s;
        later(x, op, issue_s > 0 ? issue_s : 0, COPY_ISSUED);
        break;
    case COPY_ISSUED:
        take(x, engine, op, COPY_ENGINE, CAUSE_ENGINE);
        break;
    case COPY_ENGINE:
        later(x, op, engine_s(x, o), COPY_SERVED);
        break;
    case COPY_SERVED:
        copy_bytes(x, op);
        if (o->dir == D2D)
            release(x, engine, op);
        break;
    default:
        if (o->dir != D2D)
            release(x, engine, op);
        x->copying[o->src_gpu]--;
        release(x, &x->cpu[o->src], op);
        finish(x, op);
    }
}

static void work(struct exec *x, uint32_t op, enum stage stage)
{
    const struct op *o = &x->plan->ops[op];

    if (stage == WORK_CPU) {
        x->times[op].start_s = now(x);
        later(x, op, o->work_s, WORKED);
        return;
    }
    release(x, &x->cpu[o->src], op);
    finish(x, op);
}

static void go(struct exec *x, uint32_t op, enum stage stage)
{
    switch (x->plan->ops[op].kind) {
    case OP_MSG:
        message(x, op, stage);
        break;
    case OP_COPY:
        copy(x, op, stage);
        break;
    default:
        work(x, op, stage);
    }
}

static void step(void *arg)
{
    struct task *t = arg;

    go(t->x, t->op, t->stage);
}

/* --- the whole ---------------------------------------------------------- */

/* Turns "op i waits for j" into "j is followed by i", i rising. */
static void turn_dependencies(struct exec *x)
{
    const struct plan *p = x->plan;
    uint32_t *at = xcalloc(p->nops + 1, sizeof *at);

    x->first_after = xcalloc(p->nops + 2, sizeof *x->first_after);
    x->after = xcalloc(p->ndeps, sizeof *x->after);
    for (size_t i = 0; i < p->ndeps; i++)
        x->first_after[(p->deps[i] & ~AFTER_SENT) + 1]++;
    for (size_t i = 0; i < p->nops; i++) {
        x->first_after[i + 1] += x->first_after[i];
        at[i] = x->first_after[i];
    }
    for (uint32_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        for (uint32_t d = o->first_dep; d < o->first_dep + o->ndeps; d++) {
            uint32_t before = p->deps[d] & ~AFTER_SENT;
            x->after[at[before]++] = i | (p->deps[d] & AFTER_SENT);
        }
    }
    free(at);
}

static void exec_init(struct exec *x)
{
    const struct plan *p = x->plan;
    size_t ranks = (size_t)p->nodes * p->ranks_per_node;
    size_t gpus = (size_t)p->nodes * x->m->ngpus;

    x->origin = engine_now(x->engine);
    x->tasks = xcalloc(p->nops, sizeof *x->tasks);
    x->next = xcalloc(p->nops, sizeof *x->next);
    x->cpu = xcalloc(ranks, sizeof *x->cpu);
    x->copy = xcalloc(gpus * NCOPY_DIRS, sizeof *x->copy);
    x->copying = xcalloc(gpus, sizeof *x->copying);
    x->nic = xcalloc((size_t)p->nodes * x->m->nnics, sizeof *x->nic);
    x->nic_free = xcalloc((size_t)p->nodes * x->m->nnics, sizeof(double));
    for (size_t i = 0; i < ranks; i++)
        server_init(&x->cpu[i], 1);
    for (size_t i = 0; i < gpus * NCOPY_DIRS; i++)
        server_init(&x->copy[i], 1);
    for (size_t i = 0; i < (size_t)p->nodes * x->m->nnics; i++)
        server_init(
            &x->nic[i],
            machine_nic(x->m, (unsigned)(i % x->m->nnics))->messages_at_once);
    turn_dependencies(x);
    for (uint32_t i = 0; i < p->nops; i++) {
        x->tasks[i] = (struct task){x, i, p->ops[i].ndeps, 0, 0};
        x->times[i] = (struct op_times){0};
    }
}

static void exec_clear(struct exec *x)
{
    free(x->tasks);
    free(x->next);
    free(x->cpu);
    free(x->copy);
    free(x->copying);
    free(x->nic);
    free(x->nic_free);
    free(x->first_after);
    free(x->after);
}

/* The plan's beginning, as an event like any other. */
static void begin(void *arg)
{
    struct exec *x = arg;

    for (uint32_t i = 0; i < x->plan->nops; i++)
        if (x->plan->ops[i].ndeps == 0)
            start(x, i);
}

int exec_ops(struct op_times *ops, struct op_waits *waits, struct engine *e,
             const struct machine *m, const struct plan *p, struct err *err)
{
    struct exec x = {
        .engine = e, .m = m, .plan = p, .times = ops, .waits = waits};

    exec_init(&x);
    engine_after(e, 0, begin, &x);
    int result = engine_run(e, err);
    if (result == 0 && x.finished != p->nops)
        result = fail_work(err, "%s: %zu of %zu operations never ran", p->name,
                           p->nops - x.finished, p->nops);
    exec_clear(&x);
    return result;
}
