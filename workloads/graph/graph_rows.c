/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds a graph vertex by vertex: sorts and appends the heads of each. */
#include "workloads/graph/graph_rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void graph_rows_init(struct graph_rows *r, uint32_t n, uint64_t arcs)
{
    *r = (struct graph_rows){.room = arcs + 1};
    r->g.n = n;
    r->g.first = xcalloc((size_t)n + 1, sizeof *r->g.first);
    r->g.to = xmalloc(r->room * sizeof *r->g.to);
}

uint32_t *graph_rows_room(struct graph_rows *r, uint64_t most)
{
    uint64_t at = r->g.first[r->v];

    if (at + most > r->room) {
        r->room = at + most + r->room / 16;
        r->g.to = xrealloc(r->g.to, r->room, sizeof *r->g.to);
    }
    return r->g.to + at;
}

static void sort_few(uint32_t *v, uint64_t n)
{
    for (uint64_t i = 1; i < n; i++) {
        uint32_t moved = v[i];
        uint64_t at = i;
        for (; at > 0 && v[at - 1] > moved; at--)
            v[at] = v[at - 1];
        v[at] = moved;
    }
}

/* Radix sort by 8 bits at a time, the lowest first. */
static void sort_many(uint32_t *v, uint32_t *other, uint64_t n)
{
    for (unsigned shift = 0; shift < 32; shift += 8) {
        uint64_t at[257] = {0};
        for (uint64_t i = 0; i < n; i++)
            at[((v[i] >> shift) & 255) + 1]++;
        for (int b = 0; b < 256; b++)
            at[b + 1] += at[b];
        for (uint64_t i = 0; i < n; i++)
            other[at[(v[i] >> shift) & 255]++] = v[i];
        uint32_t *kept = v;
        v = other;
        other = kept;
    }
}

static void sort_heads(struct graph_rows *r, uint32_t *v, uint64_t n)
{
    if (n <= 64) {
        sort_few(v, n);
        return;
    }
    if (n > r->scratch_room) {
        r->scratch_room = 2 * n;
        free(r->scratch);
        r->scratch = xmalloc(r->scratch_room * sizeof *r->scratch);
    }
    sort_many(v, r->scratch, n);
}

void graph_rows_end(struct graph_rows *r, uint64_t n)
{
    uint64_t kept = r->g.first[r->v];
    uint32_t *v = r->g.to + kept, last = r->v;

    assert(kept + n <= r->room);
    sort_heads(r, v, n);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t head = v[i];
        bool again = i > 0 && head == last;
        last = head;
        if (!again && head != r->v)
            r->g.to[kept++] = head;
    }
    r->g.first[++r->v] = kept;
}

void graph_rows_finish(struct graph_rows *r, struct graph *out)
{
    assert(r->v == r->g.n);
    *out = r->g;
    out->to = xrealloc(out->to, graph_arcs(out) + 1, sizeof *out->to);
    free(r->scratch);
    *r = (struct graph_rows){0};
}
