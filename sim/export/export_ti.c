/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a simulated plan as time-independent traces, which SimGrid's SMPI
 * replays. */
#include "sim/export/export.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

enum action { POST, DONE, SEND, BUSY }; /* POST and DONE are of a receive */

/* An event of a rank. Events are ordered by rank and time; those of one time
 * are in the order in which a plan begins its operations, which is after those
 * that they wait for. */
struct event {
    uint32_t rank;
    double at;
    uint32_t op;
    enum action action;
};

struct trace {
    FILE *f;
    const struct plan *p;
    const struct exec_result *run;
    struct event *events;
    size_t nevents;
    bool *waited; /* for each message: its send has been waited for */
};

/* --- the order ------------------------------------------------------------ */

static int by_time(const void *left, const void *right)
{
    const struct event *a = left, *b = right;

    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
    return (a->action > b->action) - (a->action < b->action);
}

static void export_ti_add(struct trace *t, uint32_t rank, double at,
                          uint32_t op, enum action action)
{
    t->events[t->nevents++] = (struct event){rank, at, op, action};
}

/* Adds the post of a receive after the last operation that it waits for; before
 * all else if it waits for none. */
static void add_post(struct trace *t, uint32_t op)
{
    const struct op *o = &t->p->ops[op];
    struct event e = {o->dst, -1, op, POST};

    for (uint32_t i = plan_first_dep(t->p, op); i < plan_end_dep(t->p, op);
         i++) {
        uint32_t dep = t->p->deps[i], before = dep & DEP_OP;
        double end = dep & AFTER_SENT ? t->run->sent_s[before]
                                      : t->run->ops[before].end_s;
        if (o->kind == OP_MSG && !(dep & FOR_RECEIVE))
            continue;
        if (end > e.at)
            e.at = end;
    }
    t->events[t->nevents++] = e;
}

static void add_events(struct trace *t, uint32_t op)
{
    const struct op *o = &t->p->ops[op];
    const struct op_times *times = &t->run->ops[op];

    if (o->kind == OP_MSG || o->kind == OP_RECV) {
        add_post(t, op);
        export_ti_add(t, o->dst, times->end_s, op, DONE);
    }
    if (plan_sends(o))
        export_ti_add(t, o->src, times->ready_s, op, SEND);
    if (o->kind == OP_COPY || o->kind == OP_WORK || o->kind == OP_PACK ||
        o->kind == OP_REDUCE)
        export_ti_add(t, o->src, times->ready_s, op, BUSY);
}

/* --- lines ---------------------------------------------------------------- */

static void write_message(const struct trace *t, uint32_t rank,
                          const char *action, uint32_t peer, uint32_t msg)
{
    fprintf(t->f, "%" PRIu32 " %s %" PRIu32 " %" PRIu32 " %" PRIu64 "\n", rank,
            action, peer, msg, t->p->ops[msg].bytes);
}

static void write_wait(const struct trace *t, uint32_t rank, uint32_t msg)
{
    fprintf(t->f, "%" PRIu32 " wait %" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
            rank, t->p->ops[msg].src, t->p->ops[msg].dst, msg);
}

/* Writes the waits for the sends that an operation depends on. Receives have
 * been waited for already, because they ended before it began. */
static void write_sent(const struct trace *t, const struct event *e)
{
    const struct op *o = &t->p->ops[e->op];
    bool receive = o->kind == OP_MSG && e->action == POST;

    for (uint32_t i = plan_first_dep(t->p, e->op);
         i < plan_end_dep(t->p, e->op); i++) {
        uint32_t dep = t->p->deps[i], before = dep & DEP_OP;
        bool send = t->p->ops[before].kind == OP_SEND ||
                    (t->p->ops[before].kind == OP_MSG && dep & AFTER_SENT);
        if (!!(dep & FOR_RECEIVE) != receive || !send || t->waited[before])
            continue;
        t->waited[before] = true;
        write_wait(t, e->rank, before);
    }
}

static void write_busy(const struct trace *t, const struct event *e)
{
    const struct op *o = &t->p->ops[e->op];
    const struct op_times *times = &t->run->ops[e->op];
    double s = o->kind == OP_WORK ? o->work_s : times->end_s - times->start_s;

    if (s > 0)
        fprintf(t->f, "%" PRIu32 " sleep %.12g\n", e->rank, s);
}

static void export_ti_write_event(const struct trace *t, const struct event *e)
{
    uint32_t msg = exported_message(t->p, t->run, e->op);

    if (e->action != DONE)
        write_sent(t, e);
    switch (e->action) {
    case POST:
        write_message(t, e->rank, "irecv", t->p->ops[msg].src, msg);
        break;
    case DONE:
        write_wait(t, e->rank, msg);
        break;
    case SEND:
        write_message(t, e->rank, "isend", t->p->ops[msg].dst, msg);
        break;
    case BUSY:
        write_busy(t, e);
    }
}

static void write_trace(const struct trace *t)
{
    uint32_t ranks = t->p->nodes * t->p->ranks_per_node;
    size_t i = 0;

    for (uint32_t r = 0; r < ranks; r++) {
        fprintf(t->f, "%" PRIu32 " init\n", r);
        for (; i < t->nevents && t->events[i].rank == r; i++)
            export_ti_write_event(t, &t->events[i]);
        fprintf(t->f, "%" PRIu32 " waitall\n%" PRIu32 " finalize\n", r, r);
    }
}

/* --- limits of the format ------------------------------------------------- */

/* Returns the part of an operation that a trace refuses and GOAL does not, NULL
 * if there is none. */
static const char *not_said(const struct exported *x, const struct op *o)
{
    if (plan_sends(o) && o->src_gpu != NO_GPU && !x->with_platform)
        return "a message of GPUs' memory: only with --simgrid-platform, whose "
               "hosts the GPUs then are";
    if (o->kind == OP_WORK && o->lane)
        return "work beside its rank's CPU";
    return NULL;
}

static int export_ti_check(const struct exported *x, struct err *err)
{
    const struct plan *p = x->p;

    if (export_check(p, "a trace", err) < 0)
        return -1;
    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        const char *what = not_said(x, o);
        if (what)
            return fail(err, "%s: operation %zu: a trace cannot say %s",
                        p->name, i, what);
        if (plan_sends(o) && o->bytes > INT_MAX)
            return fail(err,
                        "%s: operation %zu: %" PRIu64 " B: SMPI counts the "
                        "bytes of a message up to %d",
                        p->name, i, o->bytes, INT_MAX);
    }
    return 0;
}

int export_ti(FILE *f, const struct exported *x, struct err *err)
{
    struct trace t = {.f = f, .p = x->p, .run = x->run};

    if (export_ti_check(x, err) < 0)
        return -1;
    t.events = xcalloc(3 * t.p->nops, sizeof *t.events);
    t.waited = xcalloc(t.p->nops, sizeof *t.waited);
    for (uint32_t i = 0; i < t.p->nops; i++)
        add_events(&t, i);
    qsort(t.events, t.nevents, sizeof *t.events, by_time);
    write_trace(&t);
    free(t.events);
    free(t.waited);
    return 0;
}
