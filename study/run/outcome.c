/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the outcome of a candidate from its plan and results. */
#include "study/run/graph_rounds.h"

#include "base/faster.h"
#include "sim/plan/describe.h"
#include "sim/plan/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void run_add_traffic(struct outcome *o, const struct plan *p,
                            const struct exec_result *x)
{
    o->nends = p->nodes * p->ranks_per_node;
    o->ends = xcalloc(o->nends, sizeof *o->ends);
    for (size_t i = 0; i < p->nops; i++) {
        const struct op *op = &p->ops[i];
        if (plan_sends(op))
            o->ends[op->src].sent_B += op->bytes;
        if (op->kind == OP_MSG)
            o->ends[op->dst].received_B += op->bytes;
        else if (op->kind == OP_RECV) /* the receive may have room for more */
            o->ends[op->dst].received_B += p->ops[x->partner[i]].bytes;
    }
}

void outcome_take(struct outcome *o, const struct machine *m,
                  const struct plan *p, struct exec_result *x, bool keep_times)
{
    o->time_s = x->time_s;
    o->accuracy = x->accuracy;
    o->work = x->work;
    report_make(&o->report, m, p, x);
    for (size_t i = 0; i < o->report.npath; i++)
        op_describe(o->path[i], sizeof o->path[i], m, p, o->report.path[i].op);
    durations_make(&o->durations, p, x);
    run_add_traffic(o, p, x);
    if (p->origin) {
        o->ranks = xcalloc(1, sizeof *o->ranks);
        replay_times_make(o->ranks, m, p, x);
    }
    o->links = x->links;
    o->nlinks = x->nlinks;
    o->links_used = x->links_used;
    x->links = NULL;
    x->nlinks = 0;
    o->queues = x->queues;
    o->nqueues = x->nqueues;
    x->queues = NULL;
    o->hosts = x->hosts;
    o->nhosts = x->nhosts;
    o->windows_s = x->windows_s;
    x->hosts = NULL;
    o->nops = p->nops;
    if (!keep_times)
        return;
    o->ops = x->ops;
    x->ops = NULL;
}

int run_save_timeline(const char *path, const struct machine *m,
                      const struct plan *p, const struct exec_result *x,
                      struct err *err)
{
    struct timeline t;

    timeline_make(&t, m, p, x);
    int result = timeline_save(path, &t, err);
    timeline_clear(&t);
    return result;
}

size_t outcomes_tied(const struct outcome *list, size_t n)
{
    size_t tied = 0;

    while (tied < n && !list[tied].why &&
           !faster(list[0].time_s, list[tied].time_s))
        tied++;
    return tied;
}

static void rounds_time_clear(struct rounds_time *t)
{
    free(t->use);
    free(t->rounds);
}

void outcome_init(struct outcome *o, const char *name)
{
    *o = (struct outcome){
        .name = name, .model_s = NAN, .in_place_s = NAN, .given_s = NAN};
}

void outcome_clear(struct outcome *o)
{
    if (o->graph) {
        traverse_result_clear(o->graph); /* frees its links, too */
        free(o->graph);
    } else {
        free(o->links);
    }
    plan_origin_free(o->origin);
    if (o->ranks)
        replay_times_clear(o->ranks);
    free(o->ranks);
    free(o->ends);
    free(o->queues);
    free(o->hosts);
    free(o->ops);
    if (o->on_hosts) {
        rounds_time_clear(&o->on_hosts->as_run);
        rounds_time_clear(&o->on_hosts->scaled);
    }
    free(o->on_hosts);
    kept_timeline_free(o->timeline);
    free(o->why);
    memset(o, 0, sizeof *o);
}

void outcomes_free(struct outcome *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        outcome_clear(&list[i]);
    free(list);
}
