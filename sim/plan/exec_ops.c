/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the operations of a plan: each starts once those before it are finished,
 * and is then a transfer of the transport. */
#include "sim/plan/exec_ops.h"

#include "sim/plan/exec_processes.h"
#include "sim/plan/exec_state.h"
#include "sim/plan/forbidden.h"

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

/* --- dependencies --------------------------------------------------------- */

/* Sets the kind of a transfer under a runtime with a communication thread. */
static void exec_address(struct transfer *t, uint8_t kind)
{
    if (kind == OP_MSG)
        t->kind = TRANSFER_HOST_MESSAGE;
    else if (kind == OP_SEND)
        t->kind = TRANSFER_HOST_MESSAGE_SEND;
    else if (kind == OP_RECV)
        t->kind = TRANSFER_HOST_MESSAGE_RECEIVE;
}

/* Returns a transfer for the operation that starts at the given stage. */
static struct transfer *exec_transfer(struct exec *x, uint32_t op,
                                      uint8_t stage)
{
    static const uint8_t kinds[] = {
        [OP_COPY] = TRANSFER_COPY,    [OP_MSG] = TRANSFER_MESSAGE,
        [OP_WORK] = TRANSFER_WORK,    [OP_SEND] = TRANSFER_SEND,
        [OP_RECV] = TRANSFER_RECEIVE, [OP_PACK] = TRANSFER_PACK,
        [OP_REDUCE] = TRANSFER_PACK,
    };
    const struct op *o = &x->plan->ops[op];
    struct transfer *t = pool_take(&x->fabric.pool);

    *t = (struct transfer){.f = &x->fabric,
                           .bytes = o->bytes,
                           .from = o->src,
                           .to = o->dst,
                           .from_gpu = o->src_gpu,
                           .to_gpu = o->dst_gpu,
                           .number = op,
                           .kind = kinds[o->kind]};
    if (x->fabric.host_processes)
        exec_address(t, o->kind);
    if (o->kind == OP_COPY)
        t->dir = o->dir;
    else if (o->kind == OP_PACK || o->kind == OP_REDUCE)
        t->synced = o->synced;
    else if (o->kind == OP_WORK)
        t->lane = o->lane;
    else
        t->runtime = (uint8_t)x->plan->runtime;
    if (t->kind == TRANSFER_PACK)
        t->inputs = o->kind == OP_REDUCE ? o->inputs : 1;
    if (o->kind == OP_WORK)
        t->work_s = o->work_s;
    if (o->kind == OP_MSG && !(x->unposted && x->unposted[op]))
        t->partner = t;
    transfer_prepare(t);
    t->stage = stage;
    x->state[op] = OP_FLIES;
    x->place[op] = pool_place(t);
    return t;
}

static struct transfer *exec_transfer_of(const struct exec *x, uint32_t op)
{
    return pool_at(&x->fabric.pool, x->place[op]);
}

static void exec_finish(struct exec *x, const struct transfer *t);

static void exec_pair(struct exec *x, uint32_t send, uint32_t recv,
                      bool posted_now)
{
    x->partner[send] = recv;
    x->partner[recv] = send;
    x->unreceived--;
    if (x->plan->ops[send].bytes > x->plan->ops[recv].bytes)
        x->truncated = recv;
    if (x->fabric.host_processes)
        host_message_pair(exec_transfer_of(x, send), exec_transfer(x, recv, 0),
                          posted_now);
    else
        message_pair(exec_transfer_of(x, send), exec_transfer(x, recv, 0),
                     posted_now);
    if (x->state[send] & OP_UNMATCHED) {
        x->state[send] &= (uint8_t)~OP_UNMATCHED;
        exec_finish(x, exec_transfer_of(x, send));
    }
}

/* Posts a receive, which has no transfer until its message arrives. */
static void exec_post(struct exec *x, uint32_t op)
{
    struct envelope e = exec_envelope(x->plan, op);
    uint32_t send = match_post(x->fabric.match, op, e);

    x->state[op] = OP_POSTED;
    if (x->times)
        x->times[op].start_s = fabric_now(&x->fabric);
    if (fabric_posted(&x->fabric, op, send, e))
        exec_pair(x, send, op, true);
}

/* Ends a probe, which has no transfer. */
static void exec_end_probe(struct exec *x, uint32_t op)
{
    exec_finish(x, &(struct transfer){.number = op});
}

/* Ends the probe if a message has arrived; otherwise appends it to those of its
 * rank. */
static void exec_probe(struct exec *x, uint32_t op)
{
    uint32_t *next = &x->probes[x->plan->ops[op].src];

    x->state[op] = OP_POSTED;
    if (x->times)
        x->times[op].start_s = fabric_now(&x->fabric);
    if (match_peek(x->fabric.match, exec_envelope(x->plan, op)) != MATCH_NONE) {
        exec_end_probe(x, op);
        return;
    }
    while (*next != NO_OP)
        next = &x->place[*next];
    *next = op;
    x->place[op] = NO_OP;
}

/* Starts an operation. If it needs its rank's CPU, it is only a number in the
 * CPU's queue until it has that. */
static void exec_start(struct exec *x, uint32_t op)
{
    const struct op *o = &x->plan->ops[op];
    struct server *cpu =
        fabric_worker(&x->fabric, o->src, o->kind == OP_WORK ? o->lane : 0);

    if (x->times)
        x->times[op].ready_s = fabric_now(&x->fabric);
    if (o->kind == OP_RECV) {
        exec_post(x, op);
        return;
    }
    if (o->kind == OP_PROBE) {
        exec_probe(x, op);
        return;
    }
    if (o->kind == OP_MSG && x->transport->push) {
        x->transport->push(exec_transfer(x, op, 0), o->channels,
                           !(x->unposted && x->unposted[op]));
        return;
    }
    if (o->kind == OP_SEND)
        fabric_sent(&x->fabric, op, exec_envelope(x->plan, op));
    if (x->fabric.host_processes && plan_sends(o)) {
        x->transport->post_send(exec_transfer(x, op, 0));
        return;
    }
    if (server_take(cpu)) {
        transfer_go(exec_transfer(x, op, 0));
        return;
    }
    x->state[op] = OP_READY;
    fabric_rest(&x->fabric, cpu, CAUSE_CPU, op);
}

/* Releases one dependency of the receive of a message. */
static void exec_receive_after(struct exec *x, uint32_t op,
                               const struct transfer *by)
{
    if (--x->unposted[op] == 0 && x->state[op] == OP_FLIES)
        x->transport->post_recv(exec_transfer_of(x, op), by);
}

/* Releases the operations that wait for this one's end, or (sent) for its
 * buffer. */
static void exec_ops_tell(struct exec *x, const struct transfer *t, bool sent)
{
    if (!x->after)
        return;
    for (uint32_t i = x->first_after[t->number];
         i < x->first_after[t->number + 1]; i++) {
        uint32_t who = x->after[i] & DEP_OP;
        if (!!(x->after[i] & AFTER_SENT) != sent)
            continue;
        if (x->after[i] & FOR_RECEIVE) {
            exec_receive_after(x, who, t);
            continue;
        }
        if (--x->missing[who])
            continue;
        exec_waited(x, who, CAUSE_DEPENDENCY, t->number);
        exec_start(x, who);
    }
}

static void exec_finish(struct exec *x, const struct transfer *t)
{
    x->last_s = fabric_now(&x->fabric);
    if (x->times)
        x->times[t->number].end_s = x->last_s;
    x->state[t->number] |= OP_FINISHED;
    x->finished++;
    exec_ops_tell(x, t, false);
    if (x->buffers)
        buffers_finished(x->buffers, t->number);
}

/* --- events of the transport ---------------------------------------------- */

static void exec_on_began(void *user, struct transfer *t)
{
    struct exec *x = user;

    x->times[t->number].start_s = fabric_now(&x->fabric);
}

/* Returns whether a send is synchronous and has no receive yet, so it is not
 * complete. */
static bool exec_unmatched(struct exec *x, uint32_t send)
{
    if (!x->synchronous || !x->plan->ops[send].synced ||
        x->partner[send] != NO_OP)
        return false;
    x->state[send] |= OP_UNMATCHED;
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
        exec_finish(x, t);
    exec_ops_tell(x, t, true);
}

static void exec_on_ended(void *user, struct transfer *t)
{
    exec_finish(user, t);
}

static void exec_on_done(void *user, struct transfer *t)
{
    struct exec *x = user;

    pool_give(&x->fabric.pool, t);
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
            next = &x->place[op];
            continue;
        }
        *next = x->place[op];
        x->place[op] = seen;
        seen = op;
    }
    while (seen != NO_OP) {
        uint32_t op = seen;
        seen = x->place[op];
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
    x->state[t->number] = (uint8_t)(OP_RESTS + t->stage);
    pool_give(&x->fabric.pool, t);
    return true;
}

static void exec_on_resumes(void *user, uint32_t op, enum cause cause,
                            const struct transfer *by)
{
    struct exec *x = user;
    uint8_t state = x->state[op];

    exec_waited(x, op, cause, by->number);
    transfer_go(exec_transfer(
        x, op, state == OP_READY ? 0 : (uint8_t)(state - OP_RESTS)));
}

/* Returns the events that fill the wanted results. */
static struct transfer_events exec_events(const struct exec *x)
{
    return (struct transfer_events){.began = x->times ? exec_on_began : NULL,
                                    .sent = exec_on_sent,
                                    .ended = exec_on_ended,
                                    .done = exec_on_done,
                                    .matched = exec_on_matched,
                                    .found = x->waits ? exec_on_found : NULL,
                                    .unexpected =
                                        x->probes ? exec_on_unexpected : NULL,
                                    .rests = exec_on_rests,
                                    .resumes = exec_on_resumes,
                                    .waited = x->waits ? exec_on_waited : NULL};
}

/* --- the whole ------------------------------------------------------------ */

/* Turns "op i waits for j" into "j is followed by i", i rising. */
static void exec_turn_dependencies(struct exec *x)
{
    const struct plan *p = x->plan;
    uint32_t *first = xcalloc(p->nops + 1, sizeof *first);

    x->first_after = first;
    x->after = xcalloc(p->ndeps, sizeof *x->after);
    for (size_t i = 0; i < p->ndeps; i++)
        first[(p->deps[i] & DEP_OP) + 1]++;
    for (size_t i = 0; i < p->nops; i++)
        first[i + 1] += first[i];
    /* While a list is filled, its beginning is the place of its next item;
     * afterwards it is the list's end. */
    for (uint32_t i = 0; i < p->nops; i++)
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
            x->after[first[p->deps[d] & DEP_OP]++] = i | (p->deps[d] & ~DEP_OP);
    memmove(first + 1, first, p->nops * sizeof *first);
    first[0] = 0;
}

/* Counts the dependencies of each operation, and those of its receive. */
static void exec_count_dependencies(struct exec *x)
{
    const struct plan *p = x->plan;
    bool receives = false;

    x->missing = xcalloc(p->nops, sizeof *x->missing);
    for (size_t i = 0; i < p->ndeps && !receives; i++)
        receives = p->deps[i] & FOR_RECEIVE;
    if (receives)
        x->unposted = xcalloc(p->nops, sizeof *x->unposted);
    for (uint32_t i = 0; i < p->nops; i++)
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
            ++*(p->deps[d] & FOR_RECEIVE ? &x->unposted[i] : &x->missing[i]);
}

static uint32_t *exec_no_probes(const struct plan *p)
{
    size_t ranks = (size_t)p->nodes * p->ranks_per_node;
    uint32_t *first = xcalloc(ranks, sizeof *first);

    for (size_t i = 0; i < ranks; i++)
        first[i] = NO_OP;
    return first;
}

static void exec_match_init(struct exec *x)
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

static void exec_init(struct exec *x, struct engine *e)
{
    const struct plan *p = x->plan;

    fabric_init(&x->fabric, e, x->m, p->nodes, p->ranks_per_node, p->core);
    x->fabric.channel_work = p->channel_work;
    fabric_working_set(&x->fabric, plan_working_set(p));
    if (p->lanes)
        fabric_lanes(&x->fabric, p->lanes);
    x->fabric.user = x;
    x->fabric.issued = p->issued;
    x->state = xcalloc(p->nops, sizeof *x->state);
    x->place = xcalloc(p->nops, sizeof *x->place);
    x->fabric.behind = x->place;
    if (p->ndeps) {
        exec_turn_dependencies(x);
        exec_count_dependencies(x);
    }
    if (x->partner)
        exec_match_init(x);
    x->events = exec_events(x);
    x->fabric.events = &x->events;
    if (x->transport->rules)
        exec_host_processes_init(x);
}

static void exec_clear(struct exec *x)
{
    exec_host_processes_clear(x);
    fabric_clear(&x->fabric);
    free(x->state);
    free(x->place);
    free(x->missing);
    free(x->probes);
    free(x->unposted);
    free(x->first_after);
    free(x->after);
}

/* Begins the plan, in an event like any other. */
static void exec_begin(void *arg)
{
    struct exec *x = arg;

    for (uint32_t i = 0; i < x->plan->nops; i++)
        if (!x->missing || x->missing[i] == 0)
            exec_start(x, i);
}

int exec_ops(struct exec_result *r, struct engine *e, const struct machine *m,
             const struct plan *p, struct err *err)
{
    struct exec x = {.transport = transports[p->runtime],
                     .m = m,
                     .plan = p,
                     .times = r->ops,
                     .sent_s = r->sent_s,
                     .waits = r->waits.last ? &r->waits : NULL,
                     .counts_queues =
                         r->counts_queues ||
                         (r->waits.last && m->matching.engine != MATCHER_NONE),
                     .partner = r->partner,
                     .truncated = NO_OP};

    exec_init(&x, e);
    engine_after(e, p->begin_s, exec_begin, &x);
    int result = engine_run(e, err);
    if (result == 0)
        result = exec_host_processes_broken(&x, err);
    if (result == 0)
        result = exec_stuck(&x, err);
    if (x.fabric.queues && result == 0)
        result =
            forbidden_in_run(p, m, match_queues_broken(x.fabric.queues), err);
    if (result == 0 && x.waits && x.waits->full)
        result = fail(err,
                      "more than %u waits of operations are too many to "
                      "store",
                      x.waits->most);
    r->time_s = x.last_s;
    if (x.waits && x.fabric.queues)
        r->queues = match_queues_counts(x.fabric.queues, &r->nqueues);
    if (result == 0)
        exec_host_processes_sum_up(r, &x);
    if (result < 0)
        (void)fail_in(err, "%s", p->name);
    exec_clear(&x);
    return result;
}
