/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the operations of a rank of a GOAL schedule in an order in which each
 * comes after those that it requires: the order of the file if that is such an
 * order. */
#include "workloads/trace/goal.h"

#include <stdlib.h>

static void goal_heap_add(uint32_t *heap, uint32_t *n, uint32_t op)
{
    uint32_t i = (*n)++;

    for (; i && heap[(i - 1) / 2] > op; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = op;
}

static uint32_t goal_heap_take(uint32_t *heap, uint32_t *n)
{
    uint32_t least = heap[0], last = heap[--*n], i = 0;

    for (uint32_t child; (child = 2 * i + 1) < *n; i = child) {
        child += child + 1 < *n && heap[child + 1] < heap[child];
        if (heap[child] >= last)
            break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return least;
}

/* Returns a list of the operations that require each operation; those for `op`
 * begin at (*first)[op]. The caller frees both. */
static uint32_t *goal_followers(const struct goal_block *b, uint32_t **first)
{
    uint32_t *list = xcalloc(b->nedges, sizeof *list);
    uint32_t *at = xcalloc((size_t)b->nops + 2, sizeof *at);

    for (uint32_t i = 0; i < b->nedges; i++)
        at[b->edges[i].before + 2]++;
    for (uint32_t i = 0; i < b->nops; i++)
        at[i + 2] += at[i + 1];
    for (uint32_t i = 0; i < b->nedges; i++)
        list[at[b->edges[i].before + 1]++] = b->edges[i].op;
    *first = at;
    return list;
}

/* Fills b->order, each time with the first operation of the file whose
 * requirements are all there. Returns the number of operations placed, which is
 * less than b->nops if some require each other in a circle. */
static uint32_t goal_sort_ops(struct goal_block *b, uint32_t *left)
{
    uint32_t *first, *followers = goal_followers(b, &first);
    uint32_t *heap = xcalloc(b->nops, sizeof *heap), n = 0, done = 0;

    for (uint32_t i = 0; i < b->nops; i++) {
        left[i] = b->first[i + 1] - b->first[i];
        if (!left[i])
            goal_heap_add(heap, &n, i);
    }
    while (n) {
        uint32_t op = goal_heap_take(heap, &n);
        b->order[done++] = op;
        for (uint32_t i = first[op]; i < first[op + 1]; i++)
            if (--left[followers[i]] == 0)
                goal_heap_add(heap, &n, followers[i]);
    }
    free(heap);
    free(followers);
    free(first);
    return done;
}

int goal_block_order(const struct trace *t, uint32_t rank, struct goal_block *b,
                     struct err *err)
{
    bool sorted = true;

    for (uint32_t i = 0; i < b->nedges && sorted; i++)
        sorted = b->edges[i].before < b->edges[i].op;
    if (sorted)
        return 0;
    uint32_t *left = xcalloc(b->nops, sizeof *left), stuck = 0;
    b->order = xcalloc(b->nops, sizeof *b->order);
    bool whole = goal_sort_ops(b, left) == b->nops;
    while (!whole && !left[stuck])
        stuck++;
    free(left);
    if (whole)
        return 0;
    struct trace_event e = {.place = b->ops[stuck].line};
    return trace_fail(t, rank, &e, err,
                      "requires what, in a circle, requires it, or waits for "
                      "such operations");
}
