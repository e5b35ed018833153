/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the plans of experiments, and finds the times that they report. */
#include "validate/measure/benchmark.h"

#include <string.h>

int experiment_needs(const struct machine *m, unsigned core, unsigned gpu,
                     bool with_gpu, struct err *err)
{
    if (core >= m->ncores)
        return fail(err, "%s has no core %u, only %u", m->name, core,
                    m->ncores);
    if (with_gpu && gpu >= m->ngpus)
        return fail(err, "%s has no GPU %u, only %u", m->name, gpu, m->ngpus);
    return 0;
}

void experiment_all_cores(struct plan *p, const struct machine *m,
                          const char *name, unsigned nodes)
{
    plan_init(p, m, name, nodes, m->ncores, NULL);
    for (unsigned i = 0; i < m->ncores; i++)
        p->core[i] = i;
}

void experiment_answer(struct plan *p, uint32_t op)
{
    const struct op o = p->ops[op];

    plan_msg(p, (enum phase)o.phase, o.dst, o.src, o.dst_gpu, o.src_gpu,
             o.bytes);
    plan_after(p, op);
    plan_posted_after(p, op | AFTER_SENT);
}

double experiment_extra_s(const struct machine *m, const struct experiment *x)
{
    return x->of->extra_s ? x->of->extra_s(m, x) : 0;
}

int experiment_plan(struct plan *p, const struct machine *m,
                    const struct experiment *x, struct err *err)
{
    memset(p, 0, sizeof *p);
    int result = x->of->plan(p, m, x, err);
    if (result < 0)
        plan_clear(p);
    return result;
}

experiment_measure *experiment_measure_of(const struct experiment *x)
{
    return x->of->measure;
}
