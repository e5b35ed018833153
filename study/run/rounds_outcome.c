/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins the rounds of a graph algorithm to one plan and its result. */
#include "study/run/rounds_outcome.h"

#include "sim/plan/sequence.h"
#include "sim/plan/timeline.h"

#include <math.h>
#include <stdlib.h>

/* The most operations of a host in a round beside those of its messages: its
 * work, the ends of its steps, and its reductions. */
enum { OPS_OF_HOST = 64 };

bool rounds_fit(const struct graph_rounds *g)
{
    const struct rounds *r = &g->result.rounds;
    double ops = 0;

    for (size_t i = 0; i < r->n; i++)
        ops += 3.0 * (double)round_messages(rounds_at(r, i)) +
               (double)OPS_OF_HOST * r->hosts;
    return ops <= SEQUENCE_MOST;
}

void kept_round_take(struct kept_round *k, const struct graph_rounds *g,
                     const struct rounds_cell *cell, struct plan *plan,
                     struct exec_result *x)
{
    *k = (struct kept_round){.plan = *plan, .x = *x};
    *plan = (struct plan){0};
    *x = (struct exec_result){0};
    for (size_t i = 0; i < k->plan.nops; i++)
        report_count_op(&k->counts, cell->machine, &k->plan, &k->plan.ops[i]);
    if (rounds_fit(g))
        return;
    free(k->x.ops);
    k->x.ops = NULL;
    waits_clear(&k->x.waits);
    k->plan.nops = k->plan.ndeps = 0;
}

void kept_round_clear(struct kept_round *k)
{
    plan_clear(&k->plan);
    exec_result_clear(&k->x);
}

/* --- the outcome ---------------------------------------------------------- */

static void list_rounds(struct outcome *o, const struct graph_rounds *g,
                        const struct rounds_time *time, double bytes_x)
{
    const struct rounds *r = &g->result.rounds;

    o->nrounds = r->n;
    o->rounds = xcalloc(r->n, sizeof *o->rounds);
    for (size_t i = 0; i < r->n; i++) {
        const struct round *one = rounds_at(r, i);
        o->rounds[i] =
            (struct outcome_round){.active = one->active,
                                   .messages = round_messages(one),
                                   .bytes = (double)round_bytes(one) * bytes_x,
                                   .time_s = time->round_s[i],
                                   .compute_s = time->round_compute_s[i]};
    }
}

/* Sets the counts of an outcome that has no operations. */
static void count_rounds(struct outcome *o, const struct graph_rounds *g,
                         const struct kept_round *const *kept)
{
    o->in_steps = true;
    for (size_t i = 0; i < g->result.rounds.n; i++)
        for (int l = 0; l < NLOCALITIES; l++) {
            o->report.messages[l] += kept[i]->counts.messages[l];
            o->report.bytes[l] += kept[i]->counts.bytes[l];
        }
}

static int keep_timeline(struct outcome *o, const struct graph_rounds *g,
                         const struct rounds_cell *cell,
                         const struct sequence *s, struct err *err)
{
    struct timeline t;
    int result = 0;

    if (g->keep.timeline_ops)
        o->timeline =
            timeline_keep(cell->machine, &s->plan, &s->x, g->keep.timeline_ops);
    if (!g->keep.timeline)
        return 0;
    timeline_make(&t, cell->machine, &s->plan, &s->x);
    result = timeline_save(g->keep.timeline, &t, err);
    timeline_clear(&t);
    return result;
}

int rounds_outcome_make(struct outcome *o, const struct graph_rounds *g,
                        const struct rounds_cell *cell,
                        const struct rounds_time *time, double bytes_x,
                        const struct kept_round *const *kept,
                        const struct exec_options *exec, struct err *err)
{
    const struct rounds *r = &g->result.rounds;
    bool fit = rounds_fit(g);
    struct sequence s;
    int result = 0;

    outcome_init(o, runtime_words[cell->runtime]);
    list_rounds(o, g, time, bytes_x);
    if (!r->n) {
        o->in_steps = true;
        return 0;
    }
    sequence_init(&s, cell->machine, &kept[0]->plan);
    for (size_t i = 0; i < r->n; i++)
        sequence_add(&s, &kept[i]->plan, &kept[i]->x);
    sequence_end(&s, exec ? exec->most_links : 0);
    if (fit)
        result = keep_timeline(o, g, cell, &s, err);
    outcome_take(o, cell->machine, &s.plan, &s.x, false);
    if (!fit)
        count_rounds(o, g, kept);
    o->time_s = time->time_s;
    sequence_clear(&s);
    if (result < 0)
        outcome_clear(o);
    return result;
}
