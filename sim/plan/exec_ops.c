/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the operations of a plan: each starts when those before it are finished,
 * and is then a transfer of the transport. */
#include "sim/plan/exec_ops.h"

#include "sim/plan/exec_state.h"

#include <assert.h>
#include <stdlib.h>

struct envelope exec_envelope(const struct plan *p, uint32_t op)
{
    const struct op *o = &p->ops[op];
    const struct op_match *by = &p->match[op];

    return (struct envelope){o->dst, o->kind == OP_RECV ? by->peer : o->src,
                             by->tag};
}

static void exec_waited(struct exec *x, uint32_t op, enum cause cause,
                        uint32_t whom)
{
    if (!x->waits)
        return;
    struct op_waits *w = &x->waits[op];
    assert(w->n < MAX_WAITS);
    w->list[w->n++] =
        (struct op_wait){fabric_now(&x->fabric), whom, (uint8_t)cause};
}

/* --- dependencies --------------------------------------------------------- */

/* What moves the operation's bytes, once its dependencies are finished. */
static struct transfer *exec_transfer(struct exec *x, uint32_t op)
{
    const struct op *o = &x->plan->ops[op];
    struct transfer *t = &x->transfers[op];

    *t = (struct transfer){.f = &x->fabric,
                           .bytes = o->bytes,
                           .from = o->src,
                           .to = o->dst,
                           .from_gpu = o->src_gpu,
                           .to_gpu = o->dst_gpu,
                           .runtime = RUNTIME_MPI};
    return t;
}

static void exec_start(struct exec *x, uint32_t op)
{
    const struct op *o = &x->plan->ops[op];
    struct transfer *t = exec_transfer(x, op);

    if (x->times)
        x->times[op].ready_s = fabric_now(&x->fabric);
    x->tasks[op].started = true;
    switch (o->kind) {
    case OP_RECV:
        t->kind = TRANSFER_RECEIVE;
        t->from = x->plan->match[op].peer;
        t->tag = x->plan->match[op].tag;
        x->transport->post_recv(t, NULL);
        break;
    case OP_SEND:
        t->kind = TRANSFER_SEND;
        t->tag = x->plan->match[op].tag;
        x->transport->post_send(t);
        break;
    case OP_MSG:
        t->kind = TRANSFER_MESSAGE;
        t->partner = x->tasks[op].unposted ? NULL : t;
        x->transport->post_send(t);
        break;
    case OP_COPY:
        t->kind = TRANSFER_COPY;
        t->dir = o->dir;
        transfer_copy(t);
        break;
    case OP_PACK:
        t->synced = o->synced;
        transfer_pack(t);
        break;
    default:
        transfer_work(t, o->work_s);
    }
}

/* One thing less that the receive of a message waits for. */
static void exec_receive_after(struct exec *x, uint32_t op, uint32_t by)
{
    if (--x->tasks[op].unposted == 0 && x->tasks[op].started)
        x->transport->post_recv(&x->transfers[op], &x->transfers[by]);
}

/* Those that wait for this operation's end, or (sent) for its buffer. */
static void exec_ops_tell(struct exec *x, uint32_t op, bool sent)
{
    for (uint32_t i = x->first_after[op]; i < x->first_after[op + 1]; i++) {
        uint32_t who = x->after[i] & DEP_OP;
        if (!!(x->after[i] & AFTER_SENT) != sent)
            continue;
        if (x->after[i] & FOR_RECEIVE) {
            exec_receive_after(x, who, op);
            continue;
        }
        if (--x->tasks[who].missing)
            continue;
        exec_waited(x, who, CAUSE_DEPENDENCY, op);
        exec_start(x, who);
    }
}

static void exec_finish(struct exec *x, uint32_t op)
{
    x->last_s = fabric_now(&x->fabric);
    if (x->times)
        x->times[op].end_s = x->last_s;
    x->tasks[op].finished = true;
    x->finished++;
    exec_ops_tell(x, op, false);
}

/* --- what the transport tells --------------------------------------------- */

static uint32_t exec_op_of(const struct exec *x, const struct transfer *t)
{
    return (uint32_t)(t - x->transfers);
}

static void exec_on_began(void *user, struct transfer *t)
{
    struct exec *x = user;

    x->times[exec_op_of(x, t)].start_s = fabric_now(&x->fabric);
}

static void exec_on_sent(void *user, struct transfer *t)
{
    if (t->kind == TRANSFER_SEND)
        exec_finish(user, exec_op_of(user, t));
    exec_ops_tell(user, exec_op_of(user, t), true);
}

static void exec_on_ended(void *user, struct transfer *t)
{
    exec_finish(user, exec_op_of(user, t));
}

static void exec_on_matched(void *user, struct transfer *send,
                            struct transfer *recv)
{
    struct exec *x = user;
    uint32_t from = exec_op_of(x, send), to = exec_op_of(x, recv);

    x->partner[from] = to;
    x->partner[to] = from;
    x->unreceived--;
    if (send->bytes > recv->bytes)
        x->truncated = to;
}

static void exec_on_waited(void *user, struct transfer *t, enum cause cause,
                           const struct transfer *by)
{
    exec_waited(user, exec_op_of(user, t), cause, exec_op_of(user, by));
}

/* What is asked for. */
static struct transfer_events exec_events(const struct exec *x)
{
    return (struct transfer_events){.began = x->times ? exec_on_began : NULL,
                                    .sent = exec_on_sent,
                                    .ended = exec_on_ended,
                                    .matched = exec_on_matched,
                                    .waited = x->waits ? exec_on_waited : NULL};
}

/* --- the whole ---------------------------------------------------------- */

/* Turns "op i waits for j" into "j is followed by i", i rising. */
static void exec_turn_dependencies(struct exec *x)
{
    const struct plan *p = x->plan;
    uint32_t *at = xcalloc(p->nops + 1, sizeof *at);

    x->first_after = xcalloc(p->nops + 2, sizeof *x->first_after);
    x->after = xcalloc(p->ndeps, sizeof *x->after);
    for (size_t i = 0; i < p->ndeps; i++)
        x->first_after[(p->deps[i] & DEP_OP) + 1]++;
    for (size_t i = 0; i < p->nops; i++) {
        x->first_after[i + 1] += x->first_after[i];
        at[i] = x->first_after[i];
    }
    for (uint32_t i = 0; i < p->nops; i++) {
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++) {
            uint32_t before = p->deps[d] & DEP_OP;
            x->after[at[before]++] = i | (p->deps[d] & ~DEP_OP);
        }
    }
    free(at);
}

static void exec_match_init(struct exec *x)
{
    const struct plan *p = x->plan;

    fabric_match(&x->fabric, x->transfers, p->nops);
    for (uint32_t i = 0; i < p->nops; i++) {
        x->partner[i] = NO_OP;
        if (p->ops[i].kind == OP_RECV)
            match_announce(x->fabric.match, exec_envelope(p, i));
        x->unreceived += p->ops[i].kind == OP_SEND;
    }
}

static void exec_init(struct exec *x, struct engine *e)
{
    const struct plan *p = x->plan;

    fabric_init(&x->fabric, e, x->m, p->nodes, p->ranks_per_node, p->core);
    fabric_working_set(&x->fabric, plan_working_set(p));
    x->events = exec_events(x);
    x->fabric.events = &x->events;
    x->fabric.user = x;
    x->tasks = xcalloc(p->nops, sizeof *x->tasks);
    x->transfers = xcalloc(p->nops, sizeof *x->transfers);
    exec_turn_dependencies(x);
    for (uint32_t i = 0; i < p->nops; i++) {
        struct task *t = &x->tasks[i];
        *t = (struct task){.missing = plan_ndeps(p, i)};
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
            t->unposted += !!(p->deps[d] & FOR_RECEIVE);
        t->missing -= t->unposted;
    }
    if (x->partner)
        exec_match_init(x);
}

static void exec_clear(struct exec *x)
{
    fabric_clear(&x->fabric);
    free(x->tasks);
    free(x->transfers);
    free(x->first_after);
    free(x->after);
}

/* The plan's beginning, as an event like any other. */
static void exec_begin(void *arg)
{
    struct exec *x = arg;

    for (uint32_t i = 0; i < x->plan->nops; i++)
        if (x->tasks[i].missing == 0)
            exec_start(x, i);
}

int exec_ops(struct exec_result *r, struct engine *e, const struct machine *m,
             const struct plan *p, struct err *err)
{
    struct exec x = {.transport = transports[RUNTIME_MPI],
                     .m = m,
                     .plan = p,
                     .times = r->ops,
                     .waits = r->waits,
                     .partner = r->partner,
                     .truncated = NO_OP};

    exec_init(&x, e);
    engine_after(e, 0, exec_begin, &x);
    int result = engine_run(e, err);
    if (result == 0)
        result = exec_stuck(&x, err);
    r->time_s = x.last_s;
    if (result < 0)
        (void)fail_in(err, "%s", p->name);
    exec_clear(&x);
    return result;
}
