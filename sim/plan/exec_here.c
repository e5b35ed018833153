/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs plans in this process. */
#include "sim/plan/exec_here.h"

#include "sim/plan/exec_ops.h"

#include <stdlib.h>
#include <string.h>

void exec_result_clear(struct exec_result *r)
{
    free(r->ops);
    free(r->sent_s);
    free(r->partner);
    waits_clear(&r->waits);
    free(r->links);
    link_rates_clear(&r->rates);
    free(r->queues);
    free(r->hosts);
    memset(r, 0, sizeof *r);
}

void exec_result_init(struct exec_result *r, const struct plan *p,
                      enum exec_keep keep)
{
    *r = (struct exec_result){0};
    if (keep >= EXEC_TIMES)
        r->ops = xcalloc(p->nops, sizeof *r->ops);
    if (keep >= EXEC_SENT)
        r->sent_s = xcalloc(p->nops, sizeof *r->sent_s);
    r->counts_queues = keep >= EXEC_QUEUES;
    if (keep >= EXEC_DETAILS)
        waits_init(&r->waits, p->nops);
    if (p->match) /* because it has receives */
        r->partner = xcalloc(p->nops, sizeof *r->partner);
}

int exec_plan_here(struct exec_result *r, const struct one_job *job,
                   struct err *err)
{
    const struct plan *p = job->p;
    struct engine *e = exec_engine_for(job->m, job->o, p->nodes, err);

    memset(r, 0, sizeof *r);
    if (!e)
        return -1;
    exec_result_init(r, p, job->keep);
    r->accuracy = exec_accuracy(job->o, p);
    exec_prepare(e, job->o, r->accuracy);
    if (job->o && job->o->rate_bins && job->keep >= EXEC_DETAILS)
        engine_keep_rates(e, job->o->rate_bins);
    int result = exec_ops(r, e, job->m, p, err);
    if (result == 0) {
        r->work = engine_solver_work(e);
        engine_link_rates(e, &r->rates);
        if (job->keep >= EXEC_DETAILS)
            r->nlinks = engine_links_used(e, job->o ? job->o->most_links : 0,
                                          &r->links, &r->links_used);
    } else {
        exec_result_clear(r);
    }
    engine_free(e);
    return result;
}

int exec_time_of(double *time_s, struct engine *e, const struct many_job *job,
                 size_t plan, struct err *err)
{
    const struct timed_plan *t = &job->plans[plan];
    struct exec_result r;

    exec_prepare(e, job->o, exec_accuracy(job->o, t->plan));
    exec_result_init(&r, t->plan, t->measure ? EXEC_TIMES : EXEC_MAKESPAN);
    int result = exec_ops(&r, e, job->m, t->plan, err);
    if (result == 0)
        *time_s = t->measure ? t->measure(t->plan, r.ops) : r.time_s;
    exec_result_clear(&r);
    if (result == 0)
        engine_rewind(e);
    return result;
}
