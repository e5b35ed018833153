/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes into the platform the range of nodes, sizes and ranks over which the
 * files of the fit were measured. */
#include "platforms/provenance.h"
#include "validate/calibrate/fit_parts.h"
#include "validate/measure/benchmark.h"

#include <stdlib.h>
#include <string.h>

/* Counts the ranks that send or receive in a plan: their nodes, and the most
 * that one node has. */
static void count_busy(unsigned *nodes, unsigned *ranks, const struct plan *p)
{
    unsigned *busy = xcalloc(p->nodes, sizeof *busy);
    bool *counted =
        xcalloc((size_t)p->nodes * p->ranks_per_node, sizeof *counted);

    *nodes = *ranks = 0;
    for (size_t i = 0; i < p->nops; i++) {
        const struct op *op = &p->ops[i];
        const uint32_t ends[] = {op->src, op->dst};
        for (size_t k = 0; k < 2 && plan_sends(op); k++) {
            unsigned *of = &busy[ends[k] / p->ranks_per_node];
            *nodes += !*of;
            *of += !counted[ends[k]];
            *ranks = *of > *ranks ? *of : *ranks;
            counted[ends[k]] = true;
        }
    }
    free(busy);
    free(counted);
}

/* Widens the ranges by a point. A copy is on one node, and its size is not that
 * of a message. */
static void widen_by(struct measured_ranges *all, const struct machine *m,
                     const struct measured_point *point)
{
    struct err why;
    struct plan p;
    unsigned nodes, ranks;

    /* Its messages depend on the library's choice. */
    if (point->x.of == &library_call_benchmark)
        return;
    if (experiment_plan(&p, m, &point->x, &why) < 0)
        return;
    count_busy(&nodes, &ranks, &p);
    plan_clear(&p);
    measured_widen(&all->nodes, nodes ? nodes : 1, nodes ? nodes : 1);
    if (!nodes)
        return;
    measured_widen(&all->bytes, point->x.bytes, point->x.bytes);
    measured_widen(&all->ranks_per_node, ranks, ranks);
}

static void put_range(struct json *o, const char *key,
                      const struct measured_range *r)
{
    struct json *pair = json_new_array();

    if (r->most) {
        json_append(pair, json_new_number((double)r->least));
        json_append(pair, json_new_number((double)r->most));
        json_add(o, key, pair);
    } else {
        json_free(pair);
    }
}

/* Returns the names of the files, "a.csv, b.csv"; the caller frees them. */
static char *names_of(const struct fit *f)
{
    char *names = xstrdup("");

    for (size_t i = 0; i < f->nfiles; i++) {
        const char *slash = strrchr(f->files[i].path, '/');
        char *more = xasprintf("%s%s%s", names, i ? ", " : "",
                               slash ? slash + 1 : f->files[i].path);
        free(names);
        names = more;
    }
    return names;
}

int fit_ranges(struct fit *f, struct err *err)
{
    struct measured_ranges all = {0};
    struct json *o = json_new_object();
    char *names = names_of(f);

    (void)err; /* points that cannot be planned here were left out of the fit */
    for (size_t i = 0; i < f->nfiles; i++)
        for (size_t k = 0; k < f->files[i].npoints; k++)
            widen_by(&all, f->m, &f->files[i].points[k]);
    put_range(o, "nodes", &all.nodes);
    put_range(o, "bytes", &all.bytes);
    put_range(o, "ranks_per_node", &all.ranks_per_node);
    json_add(o, "source", source_json(PROVENANCE_MEASURED, names, NULL));
    if (all.nodes.most)
        json_replace(f->doc, "measured", o);
    else
        json_free(o);
    free(names);
    return 0;
}
