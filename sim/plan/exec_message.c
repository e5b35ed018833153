/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The life of a message: sender's CPU, NIC, flow, matching and receiver's CPU,
 * by protocol. */
#include "sim/plan/exec_state.h"

#include <assert.h>
#include <math.h>

static const struct segment *segment_of(const struct exec *x,
                                        const struct op *o)
{
    return machine_segment(x->m, plan_path(x->m, o),
                           plan_locality(x->plan, x->m, o), o->bytes);
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
    unsigned nic = (unsigned)s->nic;

    if (s->nic == NIC_OF_SOCKET)
        nic = x->nearest_nic[o->src_gpu == NO_GPU
                                 ? plan_core(x->plan, o->src)
                                 : m->ncores + o->src_gpu % m->ngpus];
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
    double t = exec_now(x), begin = fmax(t, x->nic_free[nic]);

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
    if (!machine_same_rack(x->m, a, b))
        latency += x->m->messages[plan_path(x->m, o)][OFF_NODE].other_rack_s;
    return latency;
}

static void flow(struct exec *x, uint32_t op, const struct segment *s)
{
    const struct op *o = &x->plan->ops[op];
    bool host = o->src_gpu == NO_GPU;
    double on_wire =
        s->beta_s_per_B * (1 - s->beta_send_share - s->beta_recv_share);

    exec_flow(x, op, FLOWED,
              host ? exec_rank(x, o->src) : exec_gpu(x, o->src_gpu),
              host ? exec_rank(x, o->dst) : exec_gpu(x, o->dst_gpu),
              on_wire > 1e-18 ? 1 / on_wire : 0, s->nic);
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

/* Without MPS the processes of one GPU take turns: a message has it alone. */
static bool takes_turns(const struct exec *x)
{
    return x->m->copies.gpus_are_one && !x->m->copies.mps;
}

static struct server *peer_engine(const struct exec *x, const struct op *o)
{
    uint32_t gpu = takes_turns(x) ? exec_real_gpu(x, o->dst_gpu) : o->dst_gpu;

    return &x->copy[(size_t)gpu * NCOPY_DIRS + D2D];
}

static double peer_s(const struct exec *x, const struct op *o,
                     const struct segment *s)
{
    const struct copy_cost *c = peer_copy(x, o);

    return takes_turns(x) ? s->alpha_s + s->beta_s_per_B * (double)o->bytes
                          : c->alpha_s + c->beta_s_per_B * (double)o->bytes;
}

static void free_peer_engine(void *arg)
{
    const struct task *t = arg;

    exec_release(t->x, peer_engine(t->x, &t->x->plan->ops[t->op]), t->op);
}

/* The receiver's CPU is what moves the bytes. */
static bool receiver_copies(const struct exec *x, const struct op *o,
                            const struct segment *s)
{
    return s->receiver_copies && !leaves_node(x, o) && !peer_copy(x, o);
}

/* --- receives that are operations of their own ---------------------------- */

struct envelope exec_envelope(const struct op *o)
{
    return (struct envelope){o->dst, o->kind == OP_RECV ? o->peer : o->src,
                             o->tag};
}

/* What takes the message in: its receive, or itself; NO_OP: not posted yet. */
static uint32_t receiver(const struct exec *x, uint32_t op)
{
    if (x->plan->ops[op].kind == OP_MSG)
        return x->tasks[op].unposted ? NO_OP : op;
    return x->partner[op];
}

static void begin_flow(struct exec *x, uint32_t op, const struct segment *s);
static void begin_receive(struct exec *x, uint32_t recv);

static void matched(void *arg, uint32_t send, uint32_t recv)
{
    struct exec *x = arg;
    const struct op *o = &x->plan->ops[send];
    uint8_t stage = x->tasks[send].stage;

    if (recv == MATCH_NONE)
        return;
    x->partner[send] = recv;
    x->partner[recv] = send;
    x->unreceived--;
    if (o->bytes > x->plan->ops[recv].bytes)
        x->truncated = recv;
    /* Which of the two waited for the other. */
    bool posted_now = x->times[recv].start_s >= exec_now(x);
    if (stage == HELD) {
        if (posted_now)
            exec_waited(x, send, CAUSE_MATCH, recv);
        begin_flow(x, send, segment_of(x, o));
    } else if (stage == THERE) {
        if (!posted_now)
            exec_waited(x, recv, CAUSE_MATCH, send);
        begin_receive(x, recv);
    }
}

void exec_post(struct exec *x, uint32_t op)
{
    uint32_t send = match_post(x->match, op, exec_envelope(&x->plan->ops[op]));

    x->times[op].start_s = exec_now(x);
    if (send != MATCH_NONE)
        matched(x, send, op);
}

/* The receiver hears of the message: of an eager one with its first byte, of
 * another before its bytes flow, which then wait for the receive. */
static void arrive(struct exec *x, uint32_t op)
{
    match_arrive(x->match, op, exec_envelope(&x->plan->ops[op]), matched, x);
}

/* A message whose bytes wait has announced itself before. */
static bool bytes_wait(const struct exec *x, const struct op *o,
                       const struct segment *s)
{
    return s->protocol == RENDEZVOUS || receiver_copies(x, o, s);
}

static void on_wire(struct exec *x, uint32_t op, const struct segment *s)
{
    const struct op *o = &x->plan->ops[op];

    if (o->kind == OP_SEND && !bytes_wait(x, o, s))
        arrive(x, op);
    flow(x, op, s);
}

/* --- messages ------------------------------------------------------------- */

static void begin_flow(struct exec *x, uint32_t op, const struct segment *s)
{
    const struct op *o = &x->plan->ops[op];

    if (leaves_node(x, o))
        exec_take(x, &x->nic[nic_of(x, o, s)], op, NIC_PLACE, CAUSE_NIC);
    else if (peer_copy(x, o))
        exec_take(x, peer_engine(x, o), op, PEER_ENGINE, CAUSE_ENGINE);
    else if (receiver_copies(x, o, s))
        exec_take(x, &x->cpu[o->dst], receiver(x, op), RECV_CPU, CAUSE_CPU);
    else
        on_wire(x, op, s);
}

/* The bytes are there and the receive is posted. */
static void begin_receive(struct exec *x, uint32_t recv)
{
    exec_take(x, &x->cpu[x->plan->ops[recv].dst], recv, RECV_CPU, CAUSE_CPU);
}

static void at_nic(struct exec *x, uint32_t op, const struct segment *s)
{
    const struct op *o = &x->plan->ops[op];

    if (!bytes_wait(x, o, s) || receiver(x, op) == op) {
        begin_flow(x, op, s);
        return;
    }
    x->tasks[op].stage = HELD;
    if (o->kind == OP_SEND)
        arrive(x, op);
}

void exec_posted(struct exec *x, uint32_t op, uint32_t by)
{
    uint8_t stage = x->tasks[op].stage;

    if (stage == HELD || stage == THERE)
        exec_waited(x, op, CAUSE_MATCH, by);
    if (stage == HELD)
        begin_flow(x, op, segment_of(x, &x->plan->ops[op]));
    else if (stage == THERE)
        begin_receive(x, op);
}

/* The sender may reuse its buffer. */
static void sent(struct exec *x, uint32_t op)
{
    if (x->plan->ops[op].kind == OP_SEND)
        exec_finish(x, op);
    exec_tell(x, op, true);
}

static void flowed(struct exec *x, uint32_t op, const struct segment *s)
{
    const struct op *o = &x->plan->ops[op];
    uint32_t recv = receiver(x, op);

    if (leaves_node(x, o))
        exec_release(x, &x->nic[nic_of(x, o, s)], op);
    if (s->protocol == RENDEZVOUS)
        sent(x, op);
    if (recv != op && recv != NO_OP)
        exec_waited(x, recv, CAUSE_MATCH, op);
    if (recv == NO_OP)
        x->tasks[op].stage = THERE;
    else if (receiver_copies(x, o, s))
        exec_later(x, recv, recv_cpu_s(s, o->bytes), RECEIVED);
    else
        begin_receive(x, recv);
}

/* op: the message, or from RECV_CPU on its receive. */
void exec_message(struct exec *x, uint32_t op, enum stage stage)
{
    uint32_t msg = x->plan->ops[op].kind == OP_RECV ? x->partner[op] : op;
    const struct op *o = &x->plan->ops[msg];
    const struct segment *s = segment_of(x, o);

    switch (stage) {
    case SEND_CPU:
        x->times[op].start_s = exec_now(x);
        exec_later(x, op, send_cpu_s(s, o->bytes), SEND_DONE);
        break;
    case SEND_DONE:
        exec_later(x, op, wire_latency(x, op, s), AT_NIC);
        exec_release(x, &x->cpu[o->src], op);
        if (s->protocol != RENDEZVOUS)
            sent(x, op);
        break;
    case AT_NIC:
        at_nic(x, op, s);
        break;
    case PEER_ENGINE:
        engine_after(x->engine, peer_s(x, o, s), free_peer_engine,
                     &x->tasks[op]);
        on_wire(x, op, s);
        break;
    case NIC_PLACE:
        exec_later(x, op, rate_wait(x, nic_of(x, o, s)), ON_WIRE);
        break;
    case ON_WIRE:
        on_wire(x, op, s);
        break;
    case FLOWED:
        flowed(x, op, s);
        break;
    case RECV_CPU:
        if (receiver_copies(x, o, s))
            flow(x, msg, s);
        else
            exec_later(x, op, recv_cpu_s(s, o->bytes), RECEIVED);
        break;
    default:
        exec_release(x, &x->cpu[o->dst], op);
        exec_finish(x, op);
    }
}
