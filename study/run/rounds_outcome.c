/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins the rounds of a graph algorithm to one plan and its result. */
#include "study/run/rounds_outcome.h"

#include "sim/plan/sequence.h"
#include "sim/plan/timeline.h"

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
                     const struct machine *m, struct plan *plan,
                     struct exec_result *x)
{
    *k = (struct kept_round){.plan = *plan, .x = *x};
    *plan = (struct plan){0};
    *x = (struct exec_result){0};
    for (size_t i = 0; i < k->plan.nops; i++)
        report_count_op(&k->counts, m, &k->plan, &k->plan.ops[i]);
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

static int keep_timeline(struct outcome *o, const struct machine *m,
                         const struct sequence *s,
                         const struct run_options *options, struct err *err)
{
    if (options->timeline_ops)
        o->timeline = timeline_keep(m, &s->plan, &s->x, options->timeline_ops);
    return options->timeline
               ? run_save_timeline(options->timeline, m, &s->plan, &s->x, err)
               : 0;
}

int rounds_outcome_join(struct outcome *o, const struct graph_rounds *g,
                        const struct machine *m,
                        const struct kept_round *const *kept,
                        unsigned most_links, const struct run_options *options,
                        struct err *err)
{
    const struct rounds *r = &g->result.rounds;
    struct sequence s;
    int result = 0;

    if (!r->n) {
        o->in_steps = true;
        return 0;
    }
    sequence_init(&s, m, &kept[0]->plan);
    for (size_t i = 0; i < r->n; i++)
        sequence_add(&s, &kept[i]->plan, &kept[i]->x);
    sequence_end(&s, most_links);
    if (rounds_fit(g))
        result = keep_timeline(o, m, &s, options, err);
    outcome_take(o, m, &s.plan, &s.x, false);
    if (!rounds_fit(g))
        count_rounds(o, g, kept);
    sequence_clear(&s);
    return result;
}
