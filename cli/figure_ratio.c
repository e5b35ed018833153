/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device-aware compared with staged: the ratio of the times of an all-to-all of
 * GPUs, measured and simulated, over the bytes of a pair and the nodes. */
#include "cli/figure.h"

#include "validate/measure/measured.h"
#include "validate/measure/benchmark.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_all_to_all(const struct measured_point *p,
                          enum a2a_strategy strategy)
{
    return p->x.of == &all_to_all_v_benchmark && p->x.strategy == strategy &&
           !p->x.library && p->simulated_s > 0;
}

/* Returns the same point with another strategy, or NULL. */
static const struct measured_point *partner_of(const struct measured *f,
                                               const struct measured_point *p,
                                               enum a2a_strategy strategy)
{
    for (size_t i = 0; i < f->npoints; i++) {
        const struct measured_point *q = &f->points[i];
        if (is_all_to_all(q, strategy) && *p->decision &&
            !strcmp(q->decision, p->decision))
            return q;
    }
    return NULL;
}

struct ratio {
    unsigned nodes;
    uint64_t bytes;
    double measured, simulated;
};

static int ratio_order(const void *left, const void *right)
{
    const struct ratio *a = left, *b = right;

    if (a->nodes != b->nodes)
        return a->nodes < b->nodes ? -1 : 1;
    return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

static struct ratio *add_ratios(struct ratio *list, size_t *n,
                                const struct measured *f)
{
    list = xrealloc(list, *n + f->npoints, sizeof *list);
    for (size_t i = 0; i < f->npoints; i++) {
        const struct measured_point *device = &f->points[i], *staged;
        if (!is_all_to_all(device, CUDA_AWARE))
            continue;
        staged = partner_of(f, device, COPY_TO_CPU);
        if (!staged)
            continue;
        list[(*n)++] =
            (struct ratio){device->x.nodes, device->x.bytes,
                           device->measured_s / staged->measured_s,
                           device->simulated_s / staged->simulated_s};
    }
    return list;
}

static void print_ratios(FILE *csv, FILE *vars, struct ratio *list, size_t n)
{
    qsort(list, n, sizeof *list, ratio_order);
    fputs("nodes,bytes,measured,simulated\n", csv);
    fputs("nodes = '", vars);
    for (size_t i = 0; i < n; i++) {
        fprintf(csv, "%u,%" PRIu64 ",%.9g,%.9g\n", list[i].nodes, list[i].bytes,
                list[i].measured, list[i].simulated);
        if (!i || list[i].nodes != list[i - 1].nodes)
            fprintf(vars, "%s%u", i ? " " : "", list[i].nodes);
    }
    fputs("'\n", vars);
}

int figure_ratio(FILE *csv, FILE *vars, const struct figure_input *in,
                 struct err *err)
{
    struct ratio *list = NULL;
    size_t n = 0;
    int result = 0;

    for (size_t i = 0; i < in->nmeasured && result == 0; i++) {
        struct measured f;
        if (measured_load(&f, in->measured[i], in->m, err) < 0) {
            result = -1;
            break;
        }
        result = measured_simulate(&f, in->m, 0, NULL, NULL, err);
        if (result == 0)
            list = add_ratios(list, &n, &f);
        measured_clear(&f);
    }
    if (result == 0 && !n)
        result = fail(err,
                      "%s: no all-to-all both device-aware and staged that "
                      "%s can simulate",
                      in->measured[0], in->m->name);
    if (result == 0)
        print_ratios(csv, vars, list, n);
    free(list);
    return result;
}
