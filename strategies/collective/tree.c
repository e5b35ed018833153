/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees of ranks, and pipelines of segments down and up a tree. */
#include "strategies/collective/tree.h"

#include "strategies/collective/butterfly.h"

#include <stdlib.h>

/* --- any tree ------------------------------------------------------------- */

static void tree_children(struct tree *t, bool descending)
{
    uint32_t n = t->n;

    t->first = xcalloc(n + 2, sizeof *t->first);
    t->child = xcalloc(n, sizeof *t->child);
    for (uint32_t v = 1; v < n; v++)
        t->first[t->parent[v] + 2]++;
    for (uint32_t v = 0; v < n; v++)
        t->first[v + 2] += t->first[v + 1];
    for (uint32_t i = 1; i < n; i++) {
        uint32_t v = descending ? n - i : i;
        t->child[t->first[t->parent[v] + 1]++] = v;
    }
}

/* Computes depths from the root on, because a parent may have a higher
 * number. */
static void tree_depths(struct tree *t)
{
    uint32_t *queue = xcalloc(t->n, sizeof *queue), end = 1;

    t->depth = xcalloc(t->n, sizeof *t->depth);
    for (uint32_t i = 0; i < end; i++) {
        uint32_t v = queue[i], children = t->first[v + 1] - t->first[v];
        t->children = children > t->children ? children : t->children;
        t->height = t->depth[v];
        for (uint32_t k = t->first[v]; k < t->first[v + 1]; k++) {
            t->depth[t->child[k]] = t->depth[v] + 1;
            queue[end++] = t->child[k];
        }
    }
    free(queue);
}

void tree_of_parents(struct tree *t, uint32_t n, uint32_t *parent,
                     bool descending)
{
    *t = (struct tree){.n = n, .parent = parent};
    tree_children(t, descending);
    tree_depths(t);
}

void tree_clear(struct tree *t)
{
    free(t->parent);
    free(t->first);
    free(t->child);
    free(t->depth);
    free(t->rank);
}

uint32_t tree_rank(const struct tree *t, const struct collective_comm *comm,
                   uint32_t node)
{
    return collective_rank(comm, (t->rank ? t->rank[node] : node) + t->root);
}

/* --- shapes --------------------------------------------------------------- */

void tree_star(struct tree *t, uint32_t n, bool descending)
{
    tree_of_parents(t, n, xcalloc(n, sizeof(uint32_t)), descending);
}

void tree_chain(struct tree *t, uint32_t n, uint32_t fanout)
{
    uint32_t *parent = xcalloc(n, sizeof *parent), v = 1;

    for (uint32_t chain = 0; chain < fanout; chain++) {
        uint32_t length = (n - 1) / fanout + (chain < (n - 1) % fanout);
        for (uint32_t i = 0; i < length; i++, v++)
            parent[v] = i ? v - 1 : 0;
    }
    tree_of_parents(t, n, parent, false);
}

void tree_binary(struct tree *t, uint32_t n)
{
    uint32_t *parent = xcalloc(n, sizeof *parent);

    /* A level of `delta` nodes ends before node `end`. */
    for (uint32_t v = 0, delta = 1, end = 1; v < n; v++) {
        if (v == end) {
            delta *= 2;
            end += delta;
        }
        for (uint32_t k = 1; k <= 2; k++)
            if (v + (uint64_t)k * delta < n)
                parent[v + k * delta] = v;
    }
    tree_of_parents(t, n, parent, false);
}

/* Sets the parents of the `count` ranks from `first` on; the last of them has
 * its node's parent already. */
static void tree_in_order(uint32_t *parent, uint32_t n, uint32_t first,
                          uint32_t count)
{
    uint32_t left = (count - 1) / 2, right = count - 1 - left;
    uint32_t above = n - first - count; /* the last rank's node */

    if (left) {
        parent[n - first - left] = above;
        tree_in_order(parent, n, first, left);
    }
    if (right) {
        parent[above + 1] = above;
        tree_in_order(parent, n, first + left, right);
    }
}

void tree_in_order_binary(struct tree *t, uint32_t n)
{
    uint32_t *parent = xcalloc(n, sizeof *parent);

    tree_in_order(parent, n, 0, n);
    tree_of_parents(t, n, parent, true);
    t->rank = xcalloc(n, sizeof *t->rank);
    for (uint32_t v = 0; v < n; v++)
        t->rank[v] = n - 1 - v;
}

void tree_binomial(struct tree *t, uint32_t n)
{
    uint32_t *parent = xcalloc(n, sizeof *parent);

    for (uint32_t v = 1, high = 1; v < n; v++) {
        if (v == 2 * high)
            high *= 2;
        parent[v] = v - high;
    }
    tree_of_parents(t, n, parent, false);
}

void tree_knomial(struct tree *t, uint32_t n, uint32_t radix, bool far)
{
    uint32_t *parent = xcalloc(n, sizeof *parent);

    for (uint32_t v = 1; v < n; v++) {
        uint64_t unit = radix;
        while (v % unit == 0)
            unit *= radix;
        parent[v] = (uint32_t)(v / unit * unit);
    }
    tree_of_parents(t, n, parent, far);
}

/* The parent is the node between v and its sibling (ncclGetBtree). */
uint32_t tree_leaves_odd_parent(uint32_t v, uint32_t n)
{
    uint32_t bit = v & (~v + 1);
    uint32_t up = (v ^ bit) | (bit << 1);

    return up < n ? up : v ^ bit;
}

void tree_leaves_odd(struct tree *t, uint32_t n)
{
    uint32_t *parent = xcalloc(n, sizeof *parent);

    for (uint32_t v = 1; v < n; v++)
        parent[v] = tree_leaves_odd_parent(v, n);
    tree_of_parents(t, n, parent, false);
}

uint32_t tree_second_rank(uint32_t v, uint32_t n)
{
    return n % 2 ? (v + 1) % n : n - 1 - v;
}

uint32_t tree_second_node(uint32_t rank, uint32_t n)
{
    return n % 2 ? (rank + n - 1) % n : n - 1 - rank;
}

void tree_bine(struct tree *t, uint32_t n, bool near, bool up)
{
    struct butterfly f;
    uint32_t *parent = xcalloc(n, sizeof *parent);
    uint32_t *has = xcalloc(n, sizeof *has);

    butterfly_init(&f, near ? BUTTERFLY_BINE : BUTTERFLY_BINE_HALVING,
                   &(struct collective_comm){0, 1, n, PHASE_OFF_NODE});
    for (unsigned s = 0; s < f.steps; s++)
        for (uint32_t i = 0, half = UINT32_C(1) << s; i < half; i++) {
            has[i + half] = butterfly_partner(&f, has[i], s);
            parent[i + half] = i; /* numbers follow the order of arrival */
        }
    butterfly_clear(&f);
    tree_of_parents(t, n, parent, up);
    t->rank = has;
}

/* --- down and up ---------------------------------------------------------- */

uint64_t tree_segments(struct collective_range range, uint64_t segment)
{
    if (!segment || range.count <= segment)
        return 1;
    return (range.count + segment - 1) / segment;
}

struct collective_range tree_segment(struct collective_range range,
                                     uint64_t segment, uint64_t k)
{
    uint64_t begin = k * segment;

    if (!segment)
        return range;
    if (begin > range.count)
        begin = range.count;
    return (struct collective_range){
        range.first + begin,
        range.count - begin < segment ? range.count - begin : segment};
}

uint64_t tree_segment_of(const struct collective_build *b, uint64_t default_B)
{
    uint64_t bytes = b->c->segment_B ? b->c->segment_B : default_B;

    return bytes && bytes < b->element_B ? 1 : bytes / b->element_B;
}

/* Plans the steps: in step i a node at depth d sends segment i - d, and
 * receives segment i - d + 1. */
static void tree_down(struct collective_build *b,
                      const struct collective_comm *comm, const struct tree *t,
                      const struct collective_range ranges[2], uint64_t segment,
                      const uint32_t *ready)
{
    uint64_t segments = tree_segments(ranges[1], segment);

    collective_ahead(b, true);
    for (uint64_t step = 0; step + 1 < segments + t->height; step++) {
        if (ready && step < segments)
            collective_also_after(b, tree_rank(t, comm, 0), ready[step]);
        for (uint32_t v = 0; v < t->n; v++) {
            uint64_t k = step - t->depth[v];
            if (step < t->depth[v] || k >= segments)
                continue;
            for (uint32_t i = t->first[v]; i < t->first[v + 1]; i++)
                collective_send(
                    b, comm->phase, tree_rank(t, comm, v),
                    tree_rank(t, comm, t->child[i]),
                    tree_segment(ranges[t->child[i] % 2], segment, k),
                    COLLECTIVE_STORE);
        }
        collective_step(b);
    }
    collective_ahead(b, false);
}

void tree_broadcast(struct collective_build *b,
                    const struct collective_comm *comm, const struct tree *t,
                    struct collective_range range, uint64_t segment,
                    const uint32_t *ready)
{
    tree_down(b, comm, t, (struct collective_range[]){range, range}, segment,
              ready);
}

/* The first half goes to odd nodes and is the larger one. Both have as many
 * segments, so that some of the second half may be empty. */
void tree_broadcast_halves(struct collective_build *b,
                           const struct collective_comm *comm,
                           const struct tree *t, struct collective_range range,
                           uint64_t segment)
{
    struct collective_range first = collective_blocks_of(range, 0, 1, 2);
    struct collective_range second = collective_blocks_of(range, 1, 2, 2);

    tree_down(b, comm, t, (struct collective_range[]){second, first}, segment,
              NULL);
}

/*
 * Returns for each node the step in which it sends its first segment. The next
 * segments follow in intervals of as many steps as a node has children at most,
 * `children`. A node receives a segment from its j-th child children - j steps
 * before it sends it on, so it receives the first child's next segment while it
 * sends.
 */
static uint64_t *tree_times(const struct tree *t)
{
    uint64_t *time = xcalloc(t->n, sizeof *time);
    uint32_t *queue = xcalloc(t->n, sizeof *queue), end = 1;

    time[0] = (uint64_t)t->children * (t->height + 1);
    for (uint32_t i = 0; i < end; i++) {
        uint32_t v = queue[i];
        for (uint32_t k = t->first[v]; k < t->first[v + 1]; k++) {
            time[t->child[k]] = time[v] - t->children + (k - t->first[v]);
            queue[end++] = t->child[k];
        }
    }
    free(queue);
    return time;
}

void tree_reduce(struct collective_build *b, const struct collective_comm *comm,
                 const struct tree *t, struct collective_range range,
                 uint64_t segment, uint32_t *done)
{
    uint64_t segments = tree_segments(range, segment);
    uint64_t *time = tree_times(t), period = t->children ? t->children : 1;
    uint64_t steps = t->n > 1 ? time[0] + (segments - 1) * period : 0;

    collective_ahead(b, true);
    for (uint64_t step = 0; step < steps; step++) {
        for (uint32_t v = 1; v < t->n; v++) {
            uint64_t k = (step - time[v]) / period;
            if (step < time[v] || (step - time[v]) % period || k >= segments)
                continue;
            collective_send(b, comm->phase, tree_rank(t, comm, v),
                            tree_rank(t, comm, t->parent[v]),
                            tree_segment(range, segment, k), COLLECTIVE_ADD);
        }
        collective_step(b);
        /* The root receives from its last child just before time[0]. */
        uint64_t last = time[0] - period + (t->first[1] - t->first[0]);
        if (done && step + 1 >= last && (step + 1 - last) % period == 0 &&
            (step + 1 - last) / period < segments)
            done[(step + 1 - last) / period] =
                b->after[tree_rank(t, comm, 0)].deps[0];
    }
    collective_ahead(b, false);
    free(time);
}
