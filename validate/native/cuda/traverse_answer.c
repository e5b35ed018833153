/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the GPUs' results with a serial computation: every vertex's depth,
 * and the frontier of every level. */
#include "validate/native/cuda/traverse_answer.h"

#include "apps/agents/traverse.h"
#include "validate/native/cuda/traverse_execution.h"

#include <stdlib.h>

void answer_bfs(struct traverse_answer *a, const struct graph *g,
                uint32_t source)
{
    uint32_t deepest = 0;

    *a = (struct traverse_answer){.n = g->n};
    a->depth = xcalloc(g->n, sizeof *a->depth);
    traverse_plain_bfs(a->depth, g, source);
    for (uint32_t v = 0; v < g->n; v++)
        if (a->depth[v] != TRAVERSE_NONE && a->depth[v] > deepest)
            deepest = a->depth[v];
    a->nlevels = deepest + 1;
    a->frontiers = xcalloc(a->nlevels, sizeof *a->frontiers);
    for (uint32_t v = 0; v < g->n; v++)
        if (a->depth[v] != TRAVERSE_NONE) {
            a->frontiers[a->depth[v]]++;
            a->reached++;
        }
}

void answer_clear(struct traverse_answer *a)
{
    free(a->depth);
    free(a->frontiers);
    free(a->rank);
    *a = (struct traverse_answer){0};
}

static int check_side(const struct traverse_answer *a,
                      const struct traverse_side *s, struct err *err)
{
    const struct traverse_execution *x = s->group->how.x;
    size_t bytes = s->share.own * sizeof(uint32_t);
    uint32_t *got = xmalloc(bytes + 1);
    int result = CUDA_TRY(err, cudaSetDevice(s->device));

    if (result == 0)
        result = CUDA_TRY(
            err, cudaMemcpy(got, s->values, bytes, cudaMemcpyDeviceToHost));
    for (uint32_t i = 0; result == 0 && i < s->share.own; i++)
        if (got[i] != a->depth[s->number[i]])
            result = fail_work(
                err, "%s: vertex %u got depth %d on GPU %u, a serial search %d",
                x->name, s->number[i], (int)got[i], s->gpu,
                (int)a->depth[s->number[i]]);
    free(got);
    return result;
}

static int check_levels(const struct traverse_answer *a,
                        const struct traverse_group *t, struct err *err)
{
    if (t->nlevels != a->nlevels)
        return fail_work(err, "%s: %zu levels, a serial search %u",
                         t->how.x->name, t->nlevels, a->nlevels);
    for (uint32_t i = 0; i < a->nlevels; i++)
        if (t->levels[i].frontier != a->frontiers[i])
            return fail_work(err,
                             "%s: %llu vertices on level %u, a serial search "
                             "%llu",
                             t->how.x->name,
                             (unsigned long long)t->levels[i].frontier, i,
                             (unsigned long long)a->frontiers[i]);
    return 0;
}

int answer_check(const struct traverse_answer *a, struct traverse_group *t,
                 struct err *err)
{
    if (a->rank)
        return answer_check_ranks(a, t, err);
    for (unsigned g = 0; g < t->how.gpus; g++)
        if (check_side(a, &t->sides[g], err) < 0)
            return -1;
    return t->how.x->levels ? check_levels(a, t, err) : 0;
}
