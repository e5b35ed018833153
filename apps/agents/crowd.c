/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raises the cost of arcs whose additions to one head are serialised. */
#include "apps/agents/crowd.h"

#include "apps/agents/algorithm.h"

#include <math.h>
#include <stdlib.h>

/* The vertices of one GPU whose arcs are under way at once. */
struct crowd {
    uint32_t *own; /* all vertices of the GPU */
    size_t n, first, at;
    uint64_t arcs, room;
    uint32_t most; /* the maximum of arcs to one head */
    double busy_s; /* their time without serialisation */
};

/* Ends the vertices under way: raises their costs, clears the counts of their
 * heads, and returns the additional seconds. */
static double crowd_close(struct crowd *w, struct costs *c,
                          const struct traverse_input *in, uint32_t *arcs_to)
{
    double crowd_s = w->most * in->m->gpu.access.float_same_address_s;
    double longer = w->busy_s > 0 ? fmax(crowd_s / w->busy_s, 1) : 1;
    double more_s = (longer - 1) * w->busy_s;

    for (; w->first < w->at; w->first++) {
        uint32_t v = w->own[w->first];
        c->vertex[v] = (float)(c->vertex[v] * longer);
        for (uint64_t a = in->g->first[v]; a < in->g->first[v + 1]; a++)
            arcs_to[in->g->to[a]] = 0;
    }
    w->arcs = w->most = 0;
    w->busy_s = 0;
    return more_s;
}

static double crowd_pass(struct crowd *w, struct costs *c,
                         const struct traverse_input *in, uint32_t *arcs_to)
{
    double more_s = 0;

    while (w->at < w->n) {
        uint32_t v = w->own[w->at++];
        for (uint64_t a = in->g->first[v]; a < in->g->first[v + 1]; a++) {
            uint32_t n = ++arcs_to[in->g->to[a]];
            w->most = n > w->most ? n : w->most;
        }
        w->arcs += graph_degree(in->g, v);
        w->busy_s += (double)c->vertex[v] * c->unit_s;
        if (w->arcs >= w->room)
            more_s += crowd_close(w, c, in, arcs_to);
    }
    return more_s + crowd_close(w, c, in, arcs_to);
}

static bool crowd_adds(const struct traverse_input *in)
{
    const struct counts *arc = &in->x->work[in->algorithm].arc;

    return in->m->gpu.access.float_same_address_s > 0 &&
           arc->float_atomics + arc->float_sums > 0;
}

void costs_crowd(struct costs *c, const struct traverse_input *in)
{
    const struct gpu_model *g = &in->m->gpu;

    if (!crowd_adds(in))
        return;
    uint32_t *arcs_to = xcalloc(in->g->n, sizeof *arcs_to);
    struct crowd w = {.own = xcalloc(in->g->n, sizeof *w.own),
                      .room = (uint64_t)g->sms * g->threads_per_sm};
    for (uint32_t gpu = 0; gpu < in->ngpus; gpu++) {
        double arcs = c->gpus[gpu].arc_s > 0
                          ? c->gpus[gpu].all_s / c->gpus[gpu].arc_s
                          : 0;
        w.n = w.first = w.at = 0;
        for (uint32_t v = 0; v < in->g->n; v++)
            if (in->part[v] == gpu)
                w.own[w.n++] = v;
        c->gpus[gpu].all_s += crowd_pass(&w, c, in, arcs_to);
        if (arcs > 0)
            c->gpus[gpu].arc_s = c->gpus[gpu].all_s / arcs;
    }
    free(w.own);
    free(arcs_to);
}
