/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums up a simulated plan: traffic and time by phase, critical path. */
#include "sim/plan/report.h"

#include "base/doubles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void report_count_op(struct report *r, const struct machine *m,
                     const struct plan *p, const struct op *op)
{
    if (op->kind == OP_COPY) {
        r->copies++;
        r->copied_bytes += op->bytes;
    } else if (plan_sends(op)) {
        enum locality where = plan_locality(p, m, op);
        r->messages[where]++;
        r->bytes[where] += op->bytes;
        if (op->bytes > r->largest_B)
            r->largest_B = op->bytes;
    }
}

/* --- the time of a rank in a phase ---------------------------------------- */

struct span {
    double from, to;
};

/* Spans by place, which is a phase of a rank: those of place i are n[i] from
 * of[begin[i]] on. */
struct spans {
    struct span *of;
    size_t *begin, *n, places;
};

static size_t report_place(uint32_t rank, const struct op *op)
{
    return rank * (size_t)NPHASES + op->phase;
}

/* Returns whether the operation keeps another rank busy, too: a message its
 * receiver. */
static bool report_keeps_both(const struct op *op)
{
    return op->dst != op->src && op->kind != OP_SEND;
}

/* Adds a span to the last one if it begins within it, because the fewer there
 * are the quicker they are sorted. */
static void report_put(struct spans *s, size_t place, struct span span)
{
    struct span *next = &s->of[s->begin[place] + s->n[place]];

    if (s->n[place] && next[-1].from <= span.from && span.from <= next[-1].to) {
        if (span.to > next[-1].to)
            next[-1].to = span.to;
        return;
    }
    *next = span;
    s->n[place]++;
}

static struct spans report_spans(const struct plan *p,
                                 const struct exec_result *x)
{
    struct spans s = {.places = (size_t)p->nodes * p->ranks_per_node * NPHASES};

    s.begin = xcalloc(s.places + 1, sizeof *s.begin);
    s.n = xcalloc(s.places, sizeof *s.n);
    for (size_t i = 0; i < p->nops; i++) {
        const struct op *op = &p->ops[i];
        s.begin[report_place(op->src, op) + 1]++;
        if (report_keeps_both(op))
            s.begin[report_place(op->dst, op) + 1]++;
    }
    for (size_t i = 1; i <= s.places; i++)
        s.begin[i] += s.begin[i - 1];
    s.of = xmalloc(s.begin[s.places] * sizeof *s.of);
    for (size_t i = 0; i < p->nops; i++) {
        const struct op *op = &p->ops[i];
        struct span span = {x->ops[i].ready_s, x->ops[i].end_s};
        report_put(&s, report_place(op->src, op), span);
        if (report_keeps_both(op))
            report_put(&s, report_place(op->dst, op), span);
    }
    return s;
}

static int report_by_begin(const void *a, const void *b)
{
    double x = ((const struct span *)a)->from;
    double y = ((const struct span *)b)->from;

    return x < y ? -1 : x > y;
}

/* Returns the time that n spans cover together. They mostly are in order,
 * because operations are numbered as plans make them. */
static double report_covered(struct span *s, size_t n)
{
    double covered_s = 0, until = -INFINITY;
    bool sorted = true;

    for (size_t i = 1; i < n && sorted; i++)
        sorted = s[i - 1].from <= s[i].from;
    if (!sorted)
        qsort(s, n, sizeof *s, report_by_begin);
    for (size_t i = 0; i < n; i++) {
        if (s[i].to <= until)
            continue;
        covered_s += s[i].to - (s[i].from > until ? s[i].from : until);
        until = s[i].to;
    }
    return covered_s;
}

static void report_walls(struct report *r, const struct plan *p,
                         const struct exec_result *x)
{
    struct span all[NPHASES];

    for (size_t ph = 0; ph < NPHASES; ph++)
        all[ph] = (struct span){INFINITY, 0};
    for (size_t i = 0; i < p->nops; i++) {
        uint8_t ph = p->ops[i].phase;
        r->phases[ph].nops++;
        if (x->ops[i].ready_s < all[ph].from)
            all[ph].from = x->ops[i].ready_s;
        if (x->ops[i].end_s > all[ph].to)
            all[ph].to = x->ops[i].end_s;
    }
    for (size_t ph = 0; ph < NPHASES; ph++)
        if (r->phases[ph].nops)
            r->phases[ph].wall_s = all[ph].to - all[ph].from;
}

static void report_phases(struct report *r, const struct plan *p,
                          const struct exec_result *x)
{
    struct spans s = report_spans(p, x);

    report_walls(r, p, x);
    for (size_t i = 0; i < s.places; i++) {
        struct phase_time *t = &r->phases[i % NPHASES];
        double covered_s = report_covered(&s.of[s.begin[i]], s.n[i]);
        if (covered_s > t->rank_s)
            t->rank_s = covered_s;
    }
    free(s.of);
    free(s.n);
    free(s.begin);
}

/* --- the critical path ---------------------------------------------------- */

/* Returns the time for which an engine had been looking for the pair that it
 * has now found. */
static double report_matching_s(const struct exec_result *x, uint32_t op,
                                const struct op_wait *found)
{
    const uint32_t pair[] = {op, found->whom};

    for (int i = 0; i < 2; i++)
        for (uint32_t at = x->waits.last[pair[i]]; at;
             at = x->waits.list[at - 1].before) {
            const struct op_wait *w = &x->waits.list[at - 1];
            if (w->cause == CAUSE_MATCH && w->whom == pair[1 - i] &&
                w->over_s <= found->over_s)
                return found->over_s - w->over_s;
        }
    return 0;
}

/* Returns the last wait of an operation for another one that was over by then;
 * NULL if there is none. A put may wait for the CPU that it keeps busy itself,
 * which is a part of its own time. */
static const struct op_wait *report_wait(const struct exec_result *x,
                                         uint32_t op, double then)
{
    const struct op_wait *w = waits_until(&x->waits, op, then);

    while (w && w->whom == op)
        w = w->before ? &x->waits.list[w->before - 1] : NULL;
    return w;
}

/* Goes back from the last operation to end, each time to the operation that let
 * it continue. An operation that lets another continue because it releases a
 * resource may wait again afterwards; only its waits until then are on the
 * path. */
static void report_critical_path(struct report *r, const struct machine *m,
                                 const struct plan *p,
                                 const struct exec_result *x)
{
    struct path_step back[REPORT_STEPS];
    struct path_context context;
    uint32_t op = 0;
    double until, matching_s = 0; /* at the end of an operation's step */

    if (!p->nops || !x->waits.last)
        return;
    for (uint32_t i = 1; i < p->nops; i++)
        if (x->ops[i].end_s > x->ops[op].end_s)
            op = i;
    until = x->ops[op].end_s;
    path_context_init(&context, m, p, x);
    /* Several operations may end at one time, each waiting for another; no path
     * back is longer than all waits. */
    size_t most = p->nops + x->waits.n;
    for (size_t n = 0; n < most; n++) {
        const struct op_wait *w = report_wait(x, op, until);
        struct path_step step = {op, CAUSE_NONE, x->ops[op].ready_s, until};
        if (w) {
            step.cause = (enum cause)w->cause;
            step.from_s = w->over_s;
        }
        double step_s = step.to_s - step.from_s;
        matching_s = fmin(matching_s, step_s);
        rests_on_matching(&r->rests_on, &context, matching_s);
        rests_on_add(&r->rests_on, &context, op, step_s - matching_s);
        if (r->npath < REPORT_STEPS)
            back[r->npath++] = step;
        if (!w)
            break;
        matching_s =
            w->cause == CAUSE_MATCHER ? report_matching_s(x, op, w) : 0;
        until = w->over_s;
        op = w->whom;
    }
    path_context_clear(&context);
    for (size_t i = 0; i < r->npath; i++)
        r->path[i] = back[r->npath - 1 - i];
}

void report_make(struct report *r, const struct machine *m,
                 const struct plan *p, const struct exec_result *x)
{
    memset(r, 0, sizeof *r);
    r->time_s = x->time_s;
    r->accuracy = x->accuracy;
    for (size_t i = 0; i < p->nops; i++)
        report_count_op(r, m, p, &p->ops[i]);
    report_phases(r, p, x);
    report_critical_path(r, m, p, x);
}

const double duration_quantiles[NQUANTILES] = {0.1, 0.25, 0.5,
                                               0.9, 0.99, 0.999};

void durations_make(struct durations *d, const struct plan *p,
                    const struct exec_result *x)
{
    double *all = xcalloc(p->nops, sizeof *all), sum = 0;

    memset(d, 0, sizeof *d);
    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        if (!plan_sends(o))
            continue;
        size_t end = o->kind == OP_SEND ? x->partner[i] : i;
        all[d->n] = x->ops[end].end_s - x->ops[i].ready_s;
        sum += all[d->n++];
    }
    doubles_sort(all, d->n);
    d->mean = d->n ? sum / (double)d->n : 0;
    for (size_t q = 0; q < NQUANTILES && d->n; q++)
        d->of[q] = all[(size_t)ceil(duration_quantiles[q] * (double)d->n) - 1];
    free(all);
}
