/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs one plan in one engine: starts operations whose dependencies are met,
 * and queues them at their servers. */
#include "sim/plan/exec_ops.h"

#include "sim/plan/exec_state.h"

#include <assert.h>
#include <stdlib.h>

static void step(void *arg);
static void go(struct exec *x, uint32_t op, enum stage stage);

double exec_now(const struct exec *x)
{
    return engine_now(x->engine) - x->origin;
}

void exec_waited(struct exec *x, uint32_t op, uint8_t cause, uint32_t whom)
{
    if (!x->waits)
        return;
    struct op_waits *w = &x->waits[op];
    assert(w->n < MAX_WAITS);
    w->list[w->n++] = (struct op_wait){exec_now(x), whom, cause};
}

void exec_take(struct exec *x, struct server *s, uint32_t op, enum stage stage,
               enum cause cause)
{
    x->tasks[op].stage = (uint8_t)stage;
    x->tasks[op].cause = (uint8_t)cause;
    if (server_take(s, x->next, op))
        go(x, op, stage);
}

void exec_release(struct exec *x, struct server *s, uint32_t by)
{
    uint32_t op = server_release(s, x->next);

    if (op == SERVER_NOBODY)
        return;
    exec_waited(x, op, x->tasks[op].cause, by);
    go(x, op, x->tasks[op].stage);
}

void exec_later(struct exec *x, uint32_t op, double delay_s, enum stage stage)
{
    x->tasks[op].stage = (uint8_t)stage;
    engine_after(x->engine, delay_s, step, &x->tasks[op]);
}

void exec_flow(struct exec *x, uint32_t op, enum stage stage, uint32_t from,
               uint32_t to, double rate_cap_Bps, int nic)
{
    x->tasks[op].stage = (uint8_t)stage;
    engine_flow(x->engine, from, to, (double)x->plan->ops[op].bytes,
                rate_cap_Bps, nic, step, &x->tasks[op]);
}

uint32_t exec_rank(const struct exec *x, uint32_t rank)
{
    return engine_core(x->m, plan_node(x->plan, rank),
                       plan_core(x->plan, rank));
}

uint32_t exec_gpu(const struct exec *x, uint32_t gpu)
{
    return engine_gpu(x->m, gpu / x->m->ngpus, gpu % x->m->ngpus);
}

/* --- dependencies ------------------------------------------------------- */

static void start(struct exec *x, uint32_t op)
{
    const struct op *o = &x->plan->ops[op];

    x->times[op].ready_s = exec_now(x);
    x->tasks[op].started = true;
    switch (o->kind) {
    case OP_RECV:
        exec_post(x, op);
        break;
    case OP_SEND:
        match_send(x->match, op, exec_envelope(o));
        exec_take(x, &x->cpu[o->src], op, SEND_CPU, CAUSE_CPU);
        break;
    case OP_MSG:
        exec_take(x, &x->cpu[o->src], op, SEND_CPU, CAUSE_CPU);
        break;
    case OP_COPY:
        exec_take(x, &x->cpu[o->src], op, COPY_CPU, CAUSE_CPU);
        break;
    default:
        exec_take(x, &x->cpu[o->src], op, WORK_CPU, CAUSE_CPU);
    }
}

void exec_tell(struct exec *x, uint32_t op, bool sent)
{
    for (uint32_t i = x->first_after[op]; i < x->first_after[op + 1]; i++) {
        uint32_t who = x->after[i] & DEP_OP;
        if (!!(x->after[i] & AFTER_SENT) != sent)
            continue;
        if (x->after[i] & FOR_RECEIVE) {
            if (--x->tasks[who].unposted == 0)
                exec_posted(x, who, op);
            continue;
        }
        if (--x->tasks[who].missing)
            continue;
        exec_waited(x, who, CAUSE_DEPENDENCY, op);
        start(x, who);
    }
}

void exec_finish(struct exec *x, uint32_t op)
{
    x->times[op].end_s = exec_now(x);
    x->tasks[op].finished = true;
    x->finished++;
    exec_tell(x, op, false);
}

static void work(struct exec *x, uint32_t op, enum stage stage)
{
    const struct op *o = &x->plan->ops[op];

    if (stage == WORK_CPU) {
        x->times[op].start_s = exec_now(x);
        exec_later(x, op, o->work_s, WORKED);
        return;
    }
    exec_release(x, &x->cpu[o->src], op);
    exec_finish(x, op);
}

static void go(struct exec *x, uint32_t op, enum stage stage)
{
    switch (x->plan->ops[op].kind) {
    case OP_MSG:
    case OP_SEND:
    case OP_RECV:
        exec_message(x, op, stage);
        break;
    case OP_COPY:
        exec_copy(x, op, stage);
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
        x->first_after[(p->deps[i] & DEP_OP) + 1]++;
    for (size_t i = 0; i < p->nops; i++) {
        x->first_after[i + 1] += x->first_after[i];
        at[i] = x->first_after[i];
    }
    for (uint32_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        for (uint32_t d = o->first_dep; d < o->first_dep + o->ndeps; d++) {
            uint32_t before = p->deps[d] & DEP_OP;
            x->after[at[before]++] = i | (p->deps[d] & ~DEP_OP);
        }
    }
    free(at);
}

static void match_init(struct exec *x)
{
    const struct plan *p = x->plan;

    x->match = match_new(p->nodes * p->ranks_per_node, p->nops);
    for (uint32_t i = 0; i < p->nops; i++) {
        x->partner[i] = NO_OP;
        if (p->ops[i].kind == OP_RECV)
            match_announce(x->match, exec_envelope(&p->ops[i]));
        x->unreceived += p->ops[i].kind == OP_SEND;
    }
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
    x->nearest_nic =
        xcalloc((size_t)x->m->ncores + x->m->ngpus, sizeof(unsigned));
    machine_nearest_nics(x->m, x->nearest_nic);
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
        const struct op *o = &p->ops[i];
        struct task *t = &x->tasks[i];
        *t = (struct task){.x = x, .op = i, .missing = o->ndeps};
        for (uint32_t d = 0; d < o->ndeps; d++)
            t->unposted += !!(p->deps[o->first_dep + d] & FOR_RECEIVE);
        t->missing -= t->unposted;
        x->times[i] = (struct op_times){0};
    }
    if (x->partner)
        match_init(x);
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
    free(x->nearest_nic);
    free(x->first_after);
    free(x->after);
    match_free(x->match);
}

/* The plan's beginning, as an event like any other. */
static void begin(void *arg)
{
    struct exec *x = arg;

    for (uint32_t i = 0; i < x->plan->nops; i++)
        if (x->tasks[i].missing == 0)
            start(x, i);
}

int exec_ops(struct exec_result *r, struct engine *e, const struct machine *m,
             const struct plan *p, struct err *err)
{
    struct exec x = {.engine = e,
                     .m = m,
                     .plan = p,
                     .times = r->ops,
                     .waits = r->waits,
                     .partner = r->partner,
                     .truncated = NO_OP};

    exec_init(&x);
    engine_after(e, 0, begin, &x);
    int result = engine_run(e, err);
    if (result == 0)
        result = exec_stuck(&x, err);
    if (result < 0)
        (void)fail_in(err, "%s", p->name);
    exec_clear(&x);
    return result;
}
