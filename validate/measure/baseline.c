/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Baselines of measured points: interpolation, one alone, n times a
 * ping-pong. */
#include "validate/measure/baseline.h"

#include "validate/measure/benchmark.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_but_size(const struct measured_point *a,
                          const struct measured_point *b)
{
    return !strcmp(a->name, b->name) && !strcmp(a->mpi, b->mpi) &&
           a->x.of == b->x.of && a->x.staged == b->x.staged &&
           a->x.other_rack == b->x.other_rack && a->x.core[0] == b->x.core[0] &&
           a->x.core[1] == b->x.core[1];
}

/* Interpolates between the nearest smaller and the nearest larger size. */
static double between_sizes(const struct measured *f, size_t point)
{
    const struct measured_point *p = &f->points[point], *low = NULL,
                                *high = NULL;

    for (size_t i = 0; i < f->npoints; i++) {
        const struct measured_point *q = &f->points[i];
        if (!same_but_size(p, q) || !q->x.bytes)
            continue;
        if (q->x.bytes < p->x.bytes && (!low || q->x.bytes > low->x.bytes))
            low = q;
        if (q->x.bytes > p->x.bytes && (!high || q->x.bytes < high->x.bytes))
            high = q;
    }
    if (!low || !high)
        return NAN;
    double part = log((double)p->x.bytes / (double)low->x.bytes) /
                  log((double)high->x.bytes / (double)low->x.bytes);
    return low->measured_s * pow(high->measured_s / low->measured_s, part);
}

static double machine_copy_s(const struct machine *m, enum copy_dir dir,
                             enum locality where, uint64_t bytes)
{
    const struct copy_cost *c = machine_copy(m, dir, where, 1, bytes);

    return c ? copy_alone_s(c, bytes) : 0;
}

static double op_alone_s(const struct machine *m, const struct plan *p,
                         const struct op *op)
{
    const struct segment *s;

    switch ((enum op_kind)op->kind) {
    case OP_WORK:
        return op->work_s;
    case OP_COPY:
        return machine_copy_s(m, (enum copy_dir)op->dir,
                              plan_locality(p, m, op), op->bytes);
    case OP_RECV:
    case OP_PROBE:
        return 0;
    default:
        s = machine_segment(m, RUNTIME_MPI, plan_path(m, op),
                            plan_locality(p, m, op), op->bytes);
        return s ? segment_alone_s(s, op->bytes) : 0;
    }
}

static double one_by_one_s(const struct machine *m, const struct plan *p)
{
    size_t ranks = (size_t)p->nodes * p->ranks_per_node;
    double *out = xcalloc(ranks, sizeof *out), *in = xcalloc(ranks, sizeof *in);
    double worst = 0;

    for (size_t i = 0; i < p->nops; i++) {
        const struct op *op = &p->ops[i];
        double took = op_alone_s(m, p, op);
        out[op->src] += took;
        in[op->dst] += took;
    }
    for (size_t r = 0; r < ranks; r++)
        worst = fmax(worst, fmax(out[r], in[r]));
    free(out);
    free(in);
    return worst > 0 ? worst : NAN;
}

double baseline_s(const struct measured *f, size_t point,
                  const struct machine *m, const struct plan *p)
{
    const struct experiment *x = &f->points[point].x;

    if (x->of->by_size)
        return between_sizes(f, point);
    if (x->of->alone_s) {
        double alone = x->of->alone_s(m, x);
        return alone > 0 ? alone : NAN;
    }
    return one_by_one_s(m, p) / (x->of->rounds ? x->of->rounds : 1);
}
