/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the steps of a loop: an operation is made once it can start, and the
 * open dependencies of a step are counted only while any of its operations
 * waits. */
#include "sim/plan/exec_loop.h"

#include "sim/plan/exec_loop_state.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --------------------------------------------------------------- */

static struct instance *loop_instance(struct loop_run *x)
{
    if (!x->free_instances) {
        struct instance *chunk = xcalloc(POOL_CHUNK, sizeof *chunk);
        x->chunks = xrealloc(x->chunks, x->nchunks + 1, sizeof(void *));
        x->chunks[x->nchunks++] = chunk;
        for (size_t i = POOL_CHUNK; i-- > 0;) {
            chunk[i].free = x->free_instances;
            x->free_instances = &chunk[i];
        }
    }
    struct instance *in = x->free_instances;
    x->free_instances = in->free;
    if (++x->ninstances > x->result->most_ops)
        x->result->most_ops = x->ninstances;
    return in;
}

static void loop_drop_instance(struct loop_run *x, struct instance *in)
{
    in->live = false;
    in->free = x->free_instances;
    x->free_instances = in;
    x->ninstances--;
}

static void loop_begin_step(struct loop_run *x, struct step **at,
                            const struct part_run *part)
{
    if (x->free_steps) {
        *at = x->free_steps;
        x->free_steps = (*at)->free;
    } else {
        *at = xmalloc(sizeof **at + x->most_nops * sizeof(struct waits));
    }
    (*at)->left = part->body->nops;
    memcpy((*at)->ops, part->fresh, part->body->nops * sizeof(struct waits));
    if (++x->nlive > x->result->most_steps)
        x->result->most_steps = x->nlive;
}

/* Returns a step that has not ended. */
static struct step *loop_step(struct loop_run *x, uint32_t step)
{
    assert(step >= x->first);
    if (x->over + step - x->first >= x->steps_room) {
        size_t room = 2 * x->steps_room + 16;
        x->steps = xrealloc(x->steps, room, sizeof(struct step *));
        memset(&x->steps[x->steps_room], 0,
               (room - x->steps_room) * sizeof(struct step *));
        x->steps_room = room;
    }
    if (step >= x->end)
        x->end = step + 1;
    struct step **at = loop_place(x, step);
    if (!*at)
        loop_begin_step(x, at, &x->parts[loop_part_of(x, step)]);
    return *at;
}

/* Ends a step. The places of the first ended steps are kept until they are half
 * of all, because then moving the others costs each step the same, however many
 * have begun. */
static void loop_end_step(struct loop_run *x, uint32_t step)
{
    struct step **at = loop_place(x, step);

    (*at)->free = x->free_steps;
    x->free_steps = *at;
    x->nlive--;
    *at = NULL;
    /* Steps end in order, because none waits for one that has not begun. */
    while (x->first < x->end && !*loop_place(x, x->first)) {
        x->first++;
        x->over++;
    }
    if (2 * x->over < x->steps_room)
        return;
    memmove(x->steps, &x->steps[x->over],
            (x->steps_room - x->over) * sizeof(struct step *));
    memset(&x->steps[x->steps_room - x->over], 0,
           x->over * sizeof(struct step *));
    x->over = 0;
}

/* --- operations ----------------------------------------------------------- */

static struct op_times *loop_times(const struct loop_run *x,
                                   const struct instance *in)
{
    const struct part_run *part = &x->parts[loop_part_of(x, in->step)];

    return x->times
               ? &x->times[part->ops_before +
                           (in->step - part->begin) * part->body->nops + in->op]
               : NULL;
}

static struct instance *loop_make(struct loop_run *x, uint32_t step,
                                  uint32_t op)
{
    unsigned part = loop_part_of(x, step);
    struct op o = part ? x->parts[part].body->ops[op] : loop_op(x->l, step, op);
    struct instance *in = loop_instance(x);

    *in =
        (struct instance){.transfer = {.f = &x->fabric,
                                       .bytes = o.bytes,
                                       .from = o.src,
                                       .to = o.dst,
                                       .from_gpu = o.src_gpu,
                                       .to_gpu = o.dst_gpu,
                                       .runtime = (uint8_t)x->l->body.runtime},
                          .step = step,
                          .op = op,
                          .live = true};
    return in;
}

static void loop_start_op(struct loop_run *x, uint32_t step, uint32_t op)
{
    const struct op *o = &x->parts[loop_part_of(x, step)].body->ops[op];
    struct waits *w = &loop_step(x, step)->ops[op];
    struct instance *in = loop_make(x, step, op);
    struct transfer *t = &in->transfer;
    struct op_times *times = loop_times(x, in);

    w->started = in;
    if (times)
        times->ready_s = fabric_now(&x->fabric);
    switch (o->kind) {
    case OP_MSG:
        t->kind = TRANSFER_MESSAGE;
        t->partner = w->unposted ? NULL : t;
        if (x->transport->push)
            x->transport->push(t, o->channels, !w->unposted);
        else
            x->transport->post_send(t);
        break;
    case OP_COPY:
        t->kind = TRANSFER_COPY;
        t->dir = o->dir;
        transfer_post(t);
        break;
    case OP_PACK:
    case OP_REDUCE:
        t->kind = TRANSFER_PACK;
        t->synced = o->synced;
        t->inputs = o->kind == OP_REDUCE ? o->inputs : 1;
        transfer_post(t);
        break;
    default:
        assert(o->kind == OP_WORK);
        t->kind = TRANSFER_WORK;
        t->lane = o->lane;
        t->work_s = o->work_s;
        transfer_post(t);
    }
}

/* --- dependencies --------------------------------------------------------- */

/* An operation that waits, and its step. */
struct waiting {
    uint32_t step, op;
    bool receive;
};

static struct waiting loop_waiting(const struct loop_run *x, uint32_t step,
                                   uint32_t after)
{
    struct waiting w = {step + !!(after & LAST_STEP), after & DEP_OP,
                        after & FOR_RECEIVE};

    if (w.receive && loop_part_of(x, w.step) == 0)
        w.op = loop_start(x->l, w.step, w.op);
    return w;
}

/* Releases one dependency of an operation or of its receive. */
static void loop_tell(struct loop_run *x, struct waiting who)
{
    struct waits *w;

    if (who.step >= x->nsteps)
        return;
    w = &loop_step(x, who.step)->ops[who.op];
    if (!who.receive) {
        if (--w->missing == 0)
            loop_start_op(x, who.step, who.op);
        return;
    }
    if (--w->unposted == 0 && w->started)
        x->transport->post_recv(&w->started->transfer, NULL);
}

/* If messages turn, the order of waiting operations changes from step to step.
 * It is kept by the operations' numbers, as in the unrolled plan. */
struct waiting_list {
    struct waiting who[LOOP_MOST_WAITERS];
    size_t n;
};

static void loop_sort_in(struct waiting_list *l, struct waiting w)
{
    size_t at = l->n++;

    assert(l->n <= LOOP_MOST_WAITERS); /* because of loop_check() */
    for (; at > 0 &&
           (l->who[at - 1].step > w.step ||
            (l->who[at - 1].step == w.step && l->who[at - 1].op > w.op));
         at--)
        l->who[at] = l->who[at - 1];
    l->who[at] = w;
}

/* Releases the operations of the list that wait for this operation's end, or
 * (sent) for its buffer; if `later` is not NULL it only collects them there. */
static void loop_tell_list(struct loop_run *x, const struct after *after,
                           uint32_t step, uint32_t end, bool sent,
                           struct waiting_list *later)
{
    for (uint32_t i = after->first[end]; i < after->first[end + 1]; i++) {
        if (!!(after->list[i] & AFTER_SENT) != sent)
            continue;
        struct waiting w = loop_waiting(x, step, after->list[i]);
        if (later)
            loop_sort_in(later, w);
        else
            loop_tell(x, w);
    }
}

/* Releases the operations of the same step, then those of the next. */
static void loop_tell_all(struct loop_run *x, uint32_t step, uint32_t op,
                          bool sent)
{
    bool turns = x->l->turning && loop_part_of(x, step) == 0;
    uint32_t end = sent || !turns ? op : loop_end(x->l, step, op);
    struct waiting_list list, *later = turns ? &list : NULL;
    const struct after *own = &x->parts[loop_part_of(x, step)].own;

    list.n = 0;
    loop_tell_list(x, own, step, end, sent, later);
    if (step + 1 < x->nsteps)
        loop_tell_list(x, &x->parts[loop_part_of(x, step + 1)].of_last, step,
                       end, sent, later);
    for (size_t i = 0; i < list.n; i++)
        loop_tell(x, list.who[i]);
}

/* --- events of the transport ---------------------------------------------- */

static struct instance *loop_of(struct transfer *t)
{
    return (struct instance *)t;
}

/* Sends the rank's message of the next step after this one, before all others
 * of the rank. */
static void loop_post_next(struct loop_run *x, const struct instance *in)
{
    if (in->step + 1 >= x->nsteps)
        return;
    struct instance *next = loop_make(x, in->step + 1, in->op);
    next->transfer.kind = TRANSFER_MESSAGE;
    next->transfer.partner = &next->transfer;
    message_send_ahead(&next->transfer);
}

static void loop_on_began(void *user, struct transfer *t)
{
    struct loop_run *x = user;
    struct op_times *times = loop_times(x, loop_of(t));

    if (times)
        times->start_s = fabric_now(&x->fabric);
    if (x->l->at_once)
        loop_post_next(x, loop_of(t));
}

static void loop_on_sent(void *user, struct transfer *t)
{
    struct loop_run *x = user;

    if (!x->l->at_once)
        loop_tell_all(x, loop_of(t)->step, loop_of(t)->op, true);
}

/* Events of one instant can be in any order, so the state is compared once all
 * of them are over, including the rounding of that instant. */
#define INSTANT_S 1e-13

static void loop_look_now(void *arg)
{
    struct loop_run *x = arg;

    x->looks = false;
    if (x->repeats)
        loop_boundary(x, x->looks_at);
}

/* Looks for repetition: at once if the step begins with a joint, which is in
 * the middle of an instant. */
static void loop_look(struct loop_run *x, uint32_t step)
{
    if (x->parts[loop_part_of(x, step)].body->ops[0].kind != OP_MSG) {
        loop_boundary(x, step);
        return;
    }
    if (x->looks)
        return;
    x->looks = true;
    x->looks_at = step;
    engine_after(x->fabric.engine, INSTANT_S, loop_look_now, x);
}

static void loop_on_ended(void *user, struct transfer *t)
{
    struct loop_run *x = user;
    uint32_t step = loop_of(t)->step, op = loop_of(t)->op;
    struct op_times *times = loop_times(x, loop_of(t));

    x->finished++;
    x->last_s = fabric_now(&x->fabric);
    if (times)
        times->end_s = x->last_s;
    if (x->l->at_once)
        return;
    if (op == 0 && x->repeats)
        loop_look(x, step);
    loop_tell_all(x, step, op, false);
    if (--loop_step(x, step)->left == 0)
        loop_end_step(x, step);
}

static void loop_on_done(void *user, struct transfer *t)
{
    loop_drop_instance(user, loop_of(t));
}

static const struct transfer_events events = {.began = loop_on_began,
                                              .sent = loop_on_sent,
                                              .ended = loop_on_ended,
                                              .done = loop_on_done};

/* --- the whole ------------------------------------------------------------ */

/* Returns the most CPU time that a message of any part can hide. */
static double loop_hides_s(struct loop_run *x)
{
    double most_s = 0;

    for (unsigned part = 0; part < x->nparts; part++)
        for (uint32_t i = 0; i < x->parts[part].body->nops; i++) {
            if (x->parts[part].body->ops[i].kind != OP_MSG)
                continue;
            struct instance *in = loop_make(x, x->parts[part].begin, i);
            in->transfer.kind = TRANSFER_MESSAGE;
            most_s = fmax(most_s, message_hides_s(&in->transfer));
            loop_drop_instance(x, in);
        }
    return most_s;
}

static void loop_init(struct loop_run *x, struct engine *e)
{
    const struct plan *p = &x->l->body;

    fabric_init(&x->fabric, e, x->m, p->nodes, p->ranks_per_node, p->core);
    x->fabric.channel_work = p->channel_work;
    fabric_working_set(&x->fabric, plan_working_set(p));
    if (p->lanes)
        fabric_lanes(&x->fabric, p->lanes);
    x->fabric.events = &events;
    x->fabric.user = x;
    x->fabric.issued = p->issued;
    loop_parts_init(x);
    if (x->repeats)
        x->fabric.hides_s = loop_hides_s(x);
}

static void loop_run_clear(struct loop_run *x)
{
    fabric_clear(&x->fabric);
    for (size_t i = 0; i < x->nchunks; i++)
        free(x->chunks[i]);
    free(x->chunks);
    for (size_t i = 0; i < x->steps_room; i++)
        free(x->steps[i]);
    free(x->steps);
    while (x->free_steps) {
        struct step *s = x->free_steps;
        x->free_steps = s->free;
        free(s);
    }
    loop_parts_clear(x);
    repeats_free(x->repeats);
}

/* Begins the loop, in an event like any other. The turning messages of the
 * first step are those of the body. */
static void loop_begin(void *arg)
{
    struct loop_run *x = arg;
    size_t nops = x->l->body.nops;

    if (x->l->at_once) {
        for (uint32_t i = 0; i < nops; i++) {
            struct instance *in = loop_make(x, 0, i);
            in->transfer.kind = TRANSFER_MESSAGE;
            in->transfer.partner = &in->transfer;
            x->transport->post_send(&in->transfer);
        }
        return;
    }
    struct waits *first = loop_waits_of(&x->l->body, true);
    memcpy(loop_step(x, 0)->ops, first, nops * sizeof *first);
    for (uint32_t i = 0; i < nops; i++)
        if (!first[i].missing)
            loop_start_op(x, 0, i);
    free(first);
}

static int loop_run_all(struct loop_run *x, struct engine *e, struct err *err)
{
    loop_init(x, e);
    engine_after(e, x->l->body.begin_s, loop_begin, x);
    int result = engine_run(e, err);
    uint64_t all = 0;
    for (unsigned i = 0; i < x->nparts; i++)
        all += (uint64_t)(x->parts[i].end - x->parts[i].begin) *
               x->parts[i].body->nops;
    if (result == 0 && x->finished < all)
        result = fail(err, "%llu of %llu operations never ran",
                      (unsigned long long)(all - x->finished),
                      (unsigned long long)all);
    if (result < 0)
        (void)fail_in(err, "%s", x->l->body.name);
    loop_run_clear(x);
    return result;
}

static void loop_sum_up(struct loop_result *r, const struct loop_run *x)
{
    r->simulated = x->nsteps;
    r->time_s = x->last_s + x->skipped_s;
}

/* Runs the unrolled plan. */
static int exec_unrolled(struct loop_result *r, const struct machine *m,
                         const struct loop *l, const struct exec_options *o,
                         const struct loop_options *options, struct err *err)
{
    struct exec_options settled = o ? *o : exec_defaults;
    struct exec_result x;
    struct plan p;

    settled.accuracy = r->accuracy;
    if (loop_unroll(&p, l, err) < 0)
        return -1;
    int result = exec_plan(&x, m, &p, &settled, EXEC_DETAILS, err);
    if (result == 0) {
        r->time_s = x.time_s;
        r->work = x.work;
        r->links = x.links;
        r->nlinks = x.nlinks;
        r->links_used = x.links_used;
        r->simulated = r->most_steps = r->steps;
        r->most_ops = p.nops;
        if (options->times)
            memcpy(options->times, x.ops, p.nops * sizeof *x.ops);
        r->hosts = x.hosts;
        r->nhosts = x.nhosts;
        r->windows_s = x.windows_s;
        x.links = NULL;
        x.hosts = NULL;
        exec_result_clear(&x);
    }
    plan_clear(&p);
    return result;
}

int exec_loop(struct loop_result *r, const struct machine *m,
              const struct loop *l, const struct exec_options *o,
              const struct loop_options *options, struct err *err)
{
    struct loop_run x = {.transport = transports[l->body.runtime],
                         .m = m,
                         .l = l,
                         .times = options->times,
                         .result = r};

    *r = (struct loop_result){
        .steps = loop_steps(l),
        .accuracy = exec_accuracy_of(o, plan_flows(&l->body) *
                                            (l->turning ? l->steps : 1))};
    if (!l->steps || loop_check(l, m, err) < 0)
        return l->steps ? -1 : 0;
    if (exec_engine(o) == ENGINE_SIMGRID || l->body.match ||
        transports[l->body.runtime]->rules)
        return exec_unrolled(r, m, l, o, options, err);
    struct engine *e = exec_engine_for(m, o, l->body.nodes, err);
    if (!e)
        return -1;
    exec_prepare(e, o, r->accuracy);
    if (l->repeats && !options->whole && !options->times)
        x.repeats = repeats_new();
    int result = loop_run_all(&x, e, err);
    if (result == 0) {
        r->work = engine_solver_work(e);
        r->nlinks = engine_links_used(e, o ? o->most_links : 0, &r->links,
                                      &r->links_used);
        loop_sum_up(r, &x);
    }
    engine_free(e);
    return result;
}
