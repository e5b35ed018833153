/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.h - trees of ranks, and a vector that goes down or up one of them in
 * segments. */
#ifndef STRATEGIES_COLLECTIVE_TREE_H
#define STRATEGIES_COLLECTIVE_TREE_H

#include "strategies/collective/collective_parts.h"

/* Nodes are numbered from the root, 0, on. */
struct tree {
    uint32_t n;
    uint32_t *parent; /* of all but 0 */
    /* Node v's children, in the order in which they are served: child[first[v]]
     * to before child[first[v + 1]]. */
    uint32_t *first, *child;
    uint32_t *depth;
    uint32_t height;   /* the greatest depth */
    uint32_t children; /* most that a node has */
    /* Node v is rank rank[v] + root of the communicator, or v + root. */
    uint32_t *rank;
    uint32_t root;
};

/* Of parent[v] for all v but 0, which it takes over; children in the order of
 * their numbers, or against it. */
void tree_of_parents(struct tree *t, uint32_t n, uint32_t *parent,
                     bool descending);
void tree_clear(struct tree *t);

/* The root has all others as children. */
void tree_star(struct tree *t, uint32_t n, bool descending);
/* `fanout` chains below the root, as equal as they go. */
void tree_chain(struct tree *t, uint32_t n, uint32_t fanout);
/* All levels full, the left of the root's two subtrees the odd numbers: Open
 * MPI's. */
void tree_binary(struct tree *t, uint32_t n);
/* Nodes in order: left subtree, right subtree, node; the root is the last rank.
 */
void tree_in_order_binary(struct tree *t, uint32_t n);
/* A node's parent lacks its highest bit: the children with most below them come
 * first, and are nearest. */
void tree_binomial(struct tree *t, uint32_t n);
/* A node's parent lacks its lowest digit to the base `radix`; children are
 * served from the nearest on, with least below them, or (far) against it. */
void tree_knomial(struct tree *t, uint32_t n, uint32_t radix, bool far);

/* By its lowest bit: even numbers have two children, odd ones are leaves, 0 has
 * one child: NCCL's. */
void tree_leaves_odd(struct tree *t, uint32_t n);
/*
 * Bine's: in each step all who have it hand it to the partner at distance 1, 1,
 * 3, 5, ... of a Bine butterfly (near), or in reverse order. n is a power of
 * two. up: children are served from the last step on.
 */
void tree_bine(struct tree *t, uint32_t n, bool near, bool up);

/* The rank of a node in the job. */
uint32_t tree_rank(const struct tree *t, const struct collective_comm *comm,
                   uint32_t node);

/*
 * The root's elements go to all, `segment` of them at a time (0: all at once):
 * a rank posts the receive of the next segment, waits for this one and sends it
 * to all of its children at once. ready: of each segment, an operation that the
 * root waits for before it sends it; NULL: none.
 */
void tree_broadcast(struct collective_build *b,
                    const struct collective_comm *comm, const struct tree *t,
                    struct collective_range range, uint64_t segment,
                    const uint32_t *ready);
/* Nodes of odd numbers get the first half so, the others the second. */
void tree_broadcast_halves(struct collective_build *b,
                           const struct collective_comm *comm,
                           const struct tree *t, struct collective_range range,
                           uint64_t segment);
/*
 * The root gets the sum of all: a rank takes a segment from one child after the
 * other, of which the next one's receive is posted while it adds, and sends it
 * on. done: of each segment, what the root had to do for it last, an operation;
 * or NULL.
 */
void tree_reduce(struct collective_build *b, const struct collective_comm *comm,
                 const struct tree *t, struct collective_range range,
                 uint64_t segment, uint32_t *done);
/* How many segments there are, 1 or more. */
uint64_t tree_segments(struct collective_range range, uint64_t segment);
/* The k-th of them, perhaps empty. */
struct collective_range tree_segment(struct collective_range range,
                                     uint64_t segment, uint64_t k);
/* The elements of a segment that is asked for, or else of default_B bytes, 0:
 * all. */
uint64_t tree_segment_of(const struct collective_build *b, uint64_t default_B);

#endif
