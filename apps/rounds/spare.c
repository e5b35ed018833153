/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the memory that hosts have left for buffers of messages. */
#include "apps/rounds/spare.h"

#include <math.h>
#include <stdlib.h>

/* Returns the number of a host's arcs; under an edge cut those of its
 * vertices. */
static uint64_t arcs_of(const struct hosts *h, uint32_t at)
{
    if (h->host)
        return h->host[at].first[h->host[at].masters + h->host[at].mirrors];
    return h->graph->first[h->begin[at + 1]] - h->graph->first[h->begin[at]];
}

void spare_init(struct spare *s, const struct hosts *h, double B_per_arc)
{
    *s = (struct spare){xcalloc(h->n, sizeof *s->left_B), h->n};
    for (uint32_t i = 0; i < h->n; i++)
        s->left_B[i] = B_per_arc * (double)arcs_of(h, i);
}

void spare_clear(struct spare *s)
{
    free(s->left_B);
}

/* Returns the part of the bytes that needs new memory. A host that receives
 * nothing counts as one that has nothing left, or has enough. */
static double take_memory(double *left_B, double bytes)
{
    double share = *left_B > 0 ? 0 : 1;

    if (bytes > *left_B)
        share = 1 - *left_B / bytes;
    *left_B = fmax(*left_B - bytes, 0);
    return share;
}

double *spare_take(struct spare *s, const struct round *r, double bytes_x)
{
    double *share = xcalloc(s->hosts, sizeof *share);
    bool all = true;

    for (unsigned k = 0; k < r->nsteps; k++)
        for (size_t i = 0; i < r->steps[k].n; i++)
            share[r->steps[k].messages[i].dst] +=
                bytes_x * (double)r->steps[k].messages[i].bytes;
    for (uint32_t h = 0; h < s->hosts; h++) {
        share[h] = take_memory(&s->left_B[h], share[h]);
        all &= share[h] >= 1;
    }
    if (!all)
        return share;
    free(share);
    return NULL;
}
