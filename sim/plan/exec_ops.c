/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the operations of a loop, or of a plan, which is a loop of one step:
 * each starts once those before it are finished, and is then a transfer of the
 * transport. */
#include "sim/plan/exec_processes.h"
#include "sim/plan/exec_steps.h"
#include "sim/transport/message_cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void exec_waited(struct exec *x, uint32_t op, enum cause cause,
                        uint32_t whom)
{
    _Static_assert(NCAUSES <= 16, "op_wait.cause has four bits");
    if (!x->waits)
        return;
    waits_add(x->waits, op,
              (struct op_wait){.over_s = fabric_now(&x->fabric),
                               .whom = whom & DEP_OP,
                               .cause = (uint8_t)cause & 15u});
}

/* --- transfers ------------------------------------------------------------ */

/* Sets the destination of an operation whose partners turn. */
static void exec_turn(const struct loop *l, uint32_t step, uint32_t op,
                      struct transfer *t)
{
    const struct op *end = &l->body.ops[loop_end(l, step, op)];

    t->to = end->dst;
    t->to_gpu = end->dst_gpu;
}

/* Returns a transfer for an operation of the part, whose receive is posted. */
static struct transfer *exec_make(struct exec *x, const struct exec_part *part,
                                  uint32_t step, uint32_t op)
{
    const struct op *o = &part->body->ops[op];
    struct pooled *p = pool_take(&x->fabric.pool);
    struct transfer *t = &p->transfer;

    p->step = step;
    *t = (struct transfer){.f = &x->fabric,
                           .bytes = o->bytes,
                           .from = o->src,
                           .to = o->dst,
                           .from_gpu = o->src_gpu,
                           .to_gpu = o->dst_gpu,
                           .number = op,
                           .kind = x->kinds[o->kind],
                           .runtime = (uint8_t)x->l->body.runtime};
    if (op < x->l->turning && part == x->parts)
        exec_turn(x->l, step, op, t);
    if (o->kind == OP_MSG) {
        t->partner = t;
    } else if (o->kind == OP_COPY) {
        t->dir = o->dir;
    } else if (o->kind == OP_WORK) {
        t->lane = o->lane;
        t->work_s = o->work_s;
    } else if (t->kind == TRANSFER_PACK) {
        t->synced = o->synced;
        t->inputs = o->kind == OP_REDUCE ? o->inputs : 1;
    }
    transfer_prepare(t);
    if (++x->nflying > x->counts->most_ops)
        x->counts->most_ops = x->nflying;
    return t;
}

/* Returns a transfer for an operation of a step, which starts at the given
 * stage. */
static struct transfer *exec_transfer(struct exec *x, struct exec_step *s,
                                      uint32_t op, uint8_t stage)
{
    struct transfer *t = exec_make(x, s->part, s->step, op);

    if (s->unposted && s->unposted[op])
        t->partner = NULL;
    t->stage = stage;
    s->state[op] = OP_FLIES;
    s->place[op] = ((struct pooled *)t)->place;
    return t;
}

/* Returns the transfer of an operation that is one. */
static struct transfer *exec_transfer_at(const struct exec *x,
                                         const struct exec_step *s, uint32_t op)
{
    return &pool_at(&x->fabric.pool, s->place[op])->transfer;
}

static uint32_t exec_step_of(const struct transfer *t)
{
    return ((const struct pooled *)t)->step;
}

/* Returns the state of a transfer's step; NULL if it has ended, unless it is
 * the only one, or if all steps are posted at once. */
static struct exec_step *exec_live(const struct exec *x,
                                   const struct transfer *t)
{
    if (x->only)
        return x->only;
    uint32_t step = exec_step_of(t);
    return step < x->first || x->l->at_once ? NULL : *exec_step_place(x, step);
}

/* Returns the times of a transfer's operation, in step s (exec_live()); NULL if
 * they are not wanted. */
static struct op_times *exec_times_of(const struct exec *x,
                                      const struct exec_step *s,
                                      const struct transfer *t)
{
    if (!x->times)
        return NULL;
    return s ? &s->times[t->number]
             : &x->times[exec_step_of(t) * x->l->body.nops + t->number];
}

static void exec_give_back(struct exec *x, struct transfer *t)
{
    x->nflying--;
    pool_give(&x->fabric.pool, (struct pooled *)t);
}

/* --- receives and probes of their own ------------------------------------- */

static void exec_finish(struct exec *x, struct exec_step *s,
                        const struct transfer *t);

static void exec_pair(struct exec *x, uint32_t send, uint32_t recv,
                      bool posted_now)
{
    struct transfer *msg = exec_transfer_at(x, x->only, send);
    struct transfer *receive = exec_transfer(x, x->only, recv, 0);

    x->partner[send] = recv;
    x->partner[recv] = send;
    x->unreceived--;
    if (x->plan->ops[send].bytes > x->plan->ops[recv].bytes)
        x->truncated = recv;
    if (x->fabric.host_processes)
        host_message_pair(msg, receive, posted_now);
    else
        message_pair(msg, receive, posted_now);
    if (x->only->state[send] & OP_UNMATCHED) {
        x->only->state[send] &= (uint8_t)~OP_UNMATCHED;
        exec_finish(x, x->only, msg);
    }
}

/* Posts a receive, which has no transfer until its message arrives. */
static void exec_post(struct exec *x, uint32_t op)
{
    struct envelope e = exec_envelope(x->plan, op);
    uint32_t send = match_post(x->fabric.match, op, e);

    x->only->state[op] = OP_POSTED;
    if (x->times)
        x->times[op].start_s = fabric_now(&x->fabric);
    if (fabric_posted(&x->fabric, op, send, e))
        exec_pair(x, send, op, true);
}

/* Ends a probe, which has no transfer. */
static void exec_end_probe(struct exec *x, uint32_t op)
{
    exec_finish(x, x->only, &(struct transfer){.number = op});
}

/* Ends the probe if a message has arrived; otherwise appends it to those of its
 * rank. */
static void exec_probe(struct exec *x, uint32_t op)
{
    uint32_t *next = &x->probes[x->plan->ops[op].src];

    x->only->state[op] = OP_POSTED;
    if (x->times)
        x->times[op].start_s = fabric_now(&x->fabric);
    if (match_peek(x->fabric.match, exec_envelope(x->plan, op)) != MATCH_NONE) {
        exec_end_probe(x, op);
        return;
    }
    while (*next != NO_OP)
        next = &x->only->place[*next];
    *next = op;
    x->only->place[op] = NO_OP;
}

/* --- dependencies --------------------------------------------------------- */

/* Starts an operation. If it needs its rank's CPU, it is only a number in the
 * CPU's queue until it has that, if the loop is a plan. */
static void exec_start(struct exec *x, struct exec_step *s, uint32_t op)
{
    const struct op *o = &s->part->body->ops[op];
    struct server *cpu =
        fabric_worker(&x->fabric, o->src, o->kind == OP_WORK ? o->lane : 0);

    if (s->times)
        s->times[op].ready_s = fabric_now(&x->fabric);
    if (o->kind == OP_RECV) {
        exec_post(x, op);
    } else if (o->kind == OP_PROBE) {
        exec_probe(x, op);
    } else if (o->kind == OP_MSG && x->transport->push) {
        x->transport->push(exec_transfer(x, s, op, 0), o->channels,
                           !(s->unposted && s->unposted[op]));
    } else {
        if (o->kind == OP_SEND)
            fabric_sent(&x->fabric, op, exec_envelope(x->plan, op));
        if (x->fabric.host_processes && plan_sends(o)) {
            x->transport->post_send(exec_transfer(x, s, op, 0));
        } else if (!x->fabric.behind) {
            transfer_take(exec_transfer(x, s, op, 0), cpu, 0, CAUSE_CPU);
        } else if (server_take(cpu)) {
            transfer_go(exec_transfer(x, s, op, 0));
        } else {
            s->state[op] = OP_READY;
            fabric_rest(&x->fabric, cpu, CAUSE_CPU, op);
        }
    }
}

/* Releases one dependency of an operation, or of its receive. */
static inline void exec_tell(struct exec *x, struct exec_step *s, uint32_t op,
                             bool receive, const struct transfer *by)
{
    if (receive) {
        if (--s->unposted[op] == 0 && s->state[op] == OP_FLIES)
            x->transport->post_recv(exec_transfer_at(x, s, op), by);
    } else if (--s->place[op] == 0) {
        exec_waited(x, op, CAUSE_DEPENDENCY, by->number);
        exec_start(x, s, op);
    }
}

/* Releases the operations of a step that wait for the end of the transfer's
 * operation, or (sent) for its buffer. s is the step, NULL if it may not have
 * begun. */
static void exec_tell_list(struct exec *x, const struct after *after,
                           struct exec_step *s, uint32_t step,
                           const struct transfer *t, bool sent)
{
    uint32_t wanted = sent ? AFTER_SENT : 0, end = after->first[t->number + 1];

    for (uint32_t i = after->first[t->number]; i < end; i++) {
        uint32_t who = after->list[i];
        if ((who & AFTER_SENT) != wanted)
            continue;
        if (!s)
            s = exec_step(x, step);
        exec_tell(x, s, who & DEP_OP, who & FOR_RECEIVE, t);
    }
}

static void exec_tell_turning(struct exec *x, uint32_t step,
                              const struct transfer *t, bool sent)
{
    struct waiting_list list;

    exec_turning_waiters(&list, x, step, t->number, sent);
    for (size_t i = 0; i < list.n; i++) {
        const struct waiting *w = &list.who[i];
        exec_tell(x, exec_step(x, w->step), w->op, w->receive, t);
    }
}

/* Releases the operations of the transfer's step s, in which nobody waits if it
 * has ended (NULL), then those of the next step. */
static void exec_tell_all(struct exec *x, struct exec_step *s,
                          const struct transfer *t, bool sent)
{
    if (x->only) {
        if (x->parts->own.n)
            exec_tell_list(x, &x->parts->own, x->only, 0, t, sent);
        return;
    }
    uint32_t step = exec_step_of(t);
    if (x->l->turning && exec_part_of(x, step) == 0) {
        exec_tell_turning(x, step, t, sent);
        return;
    }
    if (s && s->part->own.n)
        exec_tell_list(x, &s->part->own, s, step, t, sent);
    if (step + 1 >= x->nsteps)
        return;
    const struct after *next = &x->parts[exec_part_of(x, step + 1)].of_last;
    if (next->n)
        exec_tell_list(x, next, NULL, step + 1, t, sent);
}

/* --- the end of an operation ---------------------------------------------- */

/* Events of one instant can be in any order, so the state is compared once all
 * of them are over, including the rounding of that instant. */
#define INSTANT_S 1e-13

static void exec_look_now(void *arg)
{
    struct exec *x = arg;

    x->looks = false;
    exec_boundary(x, x->looks_at);
}

/* Looks for repetition: at once if the step begins with a joint, which is in
 * the middle of an instant. */
static void exec_look(struct exec *x, uint32_t step)
{
    if (x->parts[exec_part_of(x, step)].body->ops[0].kind != OP_MSG) {
        exec_boundary(x, step);
        return;
    }
    if (x->looks)
        return;
    x->looks = true;
    x->looks_at = step;
    engine_after(x->fabric.engine, INSTANT_S, exec_look_now, x);
}

/* Notes that the transfer's operation is finished; s is its step, NULL if all
 * steps are posted at once. */
static void exec_finish(struct exec *x, struct exec_step *s,
                        const struct transfer *t)
{
    struct op_times *times = exec_times_of(x, s, t);

    x->last_s = fabric_now(&x->fabric);
    if (times)
        times->end_s = x->last_s;
    x->finished++;
    if (!s)
        return;
    s->state[t->number] |= OP_FINISHED;
    if (t->number == 0 && x->repeats)
        exec_look(x, s->step);
    exec_tell_all(x, s, t, false);
    if (x->buffers)
        buffers_finished(x->buffers, t->number);
    if (--s->left == 0)
        exec_end_step(x, s->step);
}

/* --- events of the transport ---------------------------------------------- */

/* Sends the rank's message of the next step after this one, before all others
 * of the rank. */
static void exec_post_next(struct exec *x, uint32_t step, uint32_t op)
{
    if (step + 1 >= x->nsteps)
        return;
    struct transfer *next = exec_make(x, x->parts, step + 1, op);
    transfer_take_first(next, &x->fabric.cpu[next->from], 0, CAUSE_CPU);
}

static void exec_on_began(void *user, struct transfer *t)
{
    struct exec *x = user;
    struct op_times *times = exec_times_of(x, exec_live(x, t), t);

    if (times)
        times->start_s = fabric_now(&x->fabric);
    if (x->l->at_once)
        exec_post_next(x, exec_step_of(t), t->number);
}

/* Returns whether a send is synchronous and has no receive yet, so it is not
 * complete. */
static bool exec_unmatched(struct exec *x, uint32_t send)
{
    if (!x->synchronous || !x->plan->ops[send].synced ||
        x->partner[send] != NO_OP)
        return false;
    x->only->state[send] |= OP_UNMATCHED;
    return true;
}

static void exec_on_sent(void *user, struct transfer *t)
{
    struct exec *x = user;
    bool send =
        t->kind == TRANSFER_SEND || t->kind == TRANSFER_HOST_MESSAGE_SEND;

    if (x->sent_s)
        x->sent_s[t->number] = fabric_now(&x->fabric);
    if (send && !exec_unmatched(x, t->number))
        exec_finish(x, x->only, t);
    if (!x->l->at_once)
        exec_tell_all(x, exec_live(x, t), t, true);
}

static void exec_on_ended(void *user, struct transfer *t)
{
    exec_finish(user, exec_live(user, t), t);
}

static void exec_on_done(void *user, struct transfer *t)
{
    exec_give_back(user, t);
}

static void exec_on_matched(void *user, uint32_t send, uint32_t recv)
{
    struct exec *x = user;

    exec_pair(x, send, recv,
              x->times && x->times[recv].ready_s >= fabric_now(&x->fabric));
}

/* Notes that an engine begins with the pair only now, or later. */
static void exec_on_found(void *user, uint32_t send, uint32_t recv, bool posted)
{
    exec_waited(user, posted ? send : recv, CAUSE_MATCH, posted ? recv : send);
}

/* Ends all probes that wait for such a message. They are unlinked first,
 * because operations after them may begin others. */
static void exec_on_unexpected(void *user, uint32_t send)
{
    struct exec *x = user;
    struct envelope e = exec_envelope(x->plan, send);
    uint32_t seen = NO_OP, *next = &x->probes[e.dst];

    while (*next != NO_OP) {
        uint32_t op = *next;
        if (!match_fits(exec_envelope(x->plan, op), e)) {
            next = &x->only->place[op];
            continue;
        }
        *next = x->only->place[op];
        x->only->place[op] = seen;
        seen = op;
    }
    while (seen != NO_OP) {
        uint32_t op = seen;
        seen = x->only->place[op];
        exec_waited(x, op, CAUSE_MATCH, send);
        exec_end_probe(x, op);
    }
}

static void exec_on_waited(void *user, struct transfer *t, enum cause cause,
                           const struct transfer *by)
{
    exec_waited(user, t->number, cause, by->number);
}

/* Reduces a message to its stage, because nothing else is needed as long as
 * nothing else refers to it. */
static bool exec_on_rests(void *user, struct transfer *t)
{
    struct exec *x = user;

    if (t->kind != TRANSFER_MESSAGE || t->held != 1)
        return false;
    x->only->state[t->number] = (uint8_t)(OP_RESTS + t->stage);
    exec_give_back(x, t);
    return true;
}

static void exec_on_resumes(void *user, uint32_t op, enum cause cause,
                            const struct transfer *by)
{
    struct exec *x = user;
    uint8_t state = x->only->state[op];

    exec_waited(x, op, cause, by->number);
    transfer_go(exec_transfer(
        x, x->only, op, state == OP_READY ? 0 : (uint8_t)(state - OP_RESTS)));
}

/* Sets the kinds of transfers that operations are. */
static void exec_set_kinds(struct exec *x)
{
    static const uint8_t kinds[NOP_KINDS] = {
        [OP_COPY] = TRANSFER_COPY,    [OP_MSG] = TRANSFER_MESSAGE,
        [OP_WORK] = TRANSFER_WORK,    [OP_SEND] = TRANSFER_SEND,
        [OP_RECV] = TRANSFER_RECEIVE, [OP_PACK] = TRANSFER_PACK,
        [OP_REDUCE] = TRANSFER_PACK,
    };

    memcpy(x->kinds, kinds, sizeof kinds);
    if (x->transport->push)
        x->kinds[OP_MSG] = TRANSFER_PUSH;
    if (!x->transport->rules)
        return;
    x->kinds[OP_MSG] = TRANSFER_HOST_MESSAGE;
    x->kinds[OP_SEND] = TRANSFER_HOST_MESSAGE_SEND;
    x->kinds[OP_RECV] = TRANSFER_HOST_MESSAGE_RECEIVE;
}

void exec_set_events(struct exec *x)
{
    exec_set_kinds(x);
    x->events = (struct transfer_events){
        .began = x->times || x->l->at_once ? exec_on_began : NULL,
        .sent = exec_on_sent,
        .ended = exec_on_ended,
        .done = exec_on_done,
        .matched = exec_on_matched,
        .found = x->waits ? exec_on_found : NULL,
        .unexpected = x->probes ? exec_on_unexpected : NULL,
        .rests = x->plan ? exec_on_rests : NULL,
        .resumes = exec_on_resumes,
        .waited = x->waits ? exec_on_waited : NULL};
    x->fabric.events = &x->events;
}

/* --- start ---------------------------------------------------------------- */

static uint32_t *exec_no_probes(const struct plan *p)
{
    size_t ranks = (size_t)p->nodes * p->ranks_per_node;
    uint32_t *first = xcalloc(ranks, sizeof *first);

    for (size_t i = 0; i < ranks; i++)
        first[i] = NO_OP;
    return first;
}

void exec_match_init(struct exec *x)
{
    const struct plan *p = x->plan;

    fabric_match(&x->fabric, p->nops, x->counts_queues);
    for (uint32_t i = 0; i < p->nops; i++) {
        x->partner[i] = NO_OP;
        if (p->ops[i].kind == OP_PROBE && !x->probes)
            x->probes = exec_no_probes(p);
        if (op_matches(p->ops[i].kind))
            match_announce(x->fabric.match, exec_envelope(p, i));
        x->unreceived += p->ops[i].kind == OP_SEND;
        x->synchronous |= p->ops[i].kind == OP_SEND && p->ops[i].synced;
    }
}

double exec_hides_s(struct exec *x)
{
    double most_s = 0;

    for (unsigned part = 0; part < x->nparts && !x->transport->push; part++)
        for (uint32_t i = 0; i < x->parts[part].body->nops; i++) {
            if (x->parts[part].body->ops[i].kind != OP_MSG)
                continue;
            struct transfer *t =
                exec_make(x, &x->parts[part], x->parts[part].begin, i);
            most_s = fmax(most_s, message_progress(t).recv.hidden_s);
            exec_give_back(x, t);
        }
    return most_s;
}

/* The turning messages of the first step are those of the body. */
void exec_begin(void *arg)
{
    struct exec *x = arg;
    struct exec_step *s = x->l->at_once ? NULL : exec_step(x, 0);

    for (uint32_t i = 0; i < x->l->body.nops; i++)
        if (!s)
            transfer_take(exec_make(x, x->parts, 0, i),
                          &x->fabric.cpu[x->l->body.ops[i].src], 0, CAUSE_CPU);
        else if (s->state[i] == OP_WAITS && !s->place[i])
            exec_start(x, s, i);
}
