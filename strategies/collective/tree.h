/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.h - trees of ranks, and pipelines that move a vector down or up a tree
 * in segments. */
#ifndef STRATEGIES_COLLECTIVE_TREE_H
#define STRATEGIES_COLLECTIVE_TREE_H

#include "strategies/collective/collective_parts.h"

/* A rooted tree. Its nodes are numbered; the root is node 0. */
struct tree {
    uint32_t n;
    uint32_t *parent; /* parent[v] for all v but 0 */
    /* Node v's children in the order in which they are served: child[first[v]]
     * to before child[first[v + 1]]. */
    uint32_t *first, *child;
    uint32_t *depth;
    uint32_t height;   /* the greatest depth */
    uint32_t children; /* the largest number of children of a node */
    /* Node v is rank rank[v] + root of the communicator, or v + root if `rank`
     * is NULL. */
    uint32_t *rank;
    uint32_t root;
};

/* Makes a tree from parent[v] for all v but 0, and takes ownership of the
 * array. Children are served in the order of their numbers, or in descending
 * order. */
void tree_of_parents(struct tree *t, uint32_t n, uint32_t *parent,
                     bool descending);
void tree_clear(struct tree *t);

/* The root is the parent of all others. */
void tree_star(struct tree *t, uint32_t n, bool descending);
/* Below the root are `fanout` chains of lengths as equal as possible. */
void tree_chain(struct tree *t, uint32_t n, uint32_t fanout);
/* All levels but the last are full, and odd numbers are in the root's left
 * subtree, as in Open MPI. */
void tree_binary(struct tree *t, uint32_t n);
/* Ranks are in the order: left subtree, right subtree, node. So the root is the
 * last rank. */
void tree_in_order_binary(struct tree *t, uint32_t n);
/* The parent's number is the node's without its highest bit. Children with the
 * largest subtrees come first; they are the nearest. */
void tree_binomial(struct tree *t, uint32_t n);
/* The parent's number is the node's without its lowest digit to the base
 * `radix`. Children are served from the nearest on, which has the smallest
 * subtree, or (far) in the opposite order. */
void tree_knomial(struct tree *t, uint32_t n, uint32_t radix, bool far);

/* As in NCCL, the lowest set bit of a number is its height: even numbers have
 * two children, odd ones are leaves, and 0 has one child. */
void tree_leaves_odd(struct tree *t, uint32_t n);
/* Returns the parent of its node v, which is not the root. */
uint32_t tree_leaves_odd_parent(uint32_t v, uint32_t n);
/* A double binary tree has that tree a second time, mirrored, or shifted by one
 * if n is odd, so that the inner nodes of each are leaves of the other
 * (Sanders, Speck, Träff 2009). Return the rank of the second tree's node v,
 * and the node of a rank. */
uint32_t tree_second_rank(uint32_t v, uint32_t n);
uint32_t tree_second_node(uint32_t rank, uint32_t n);
/* Bine's tree, for n a power of two: in each step each rank that has the data
 * sends them to its partner in a Bine butterfly, at distances 1, 1, 3, 5, ...
 * (near) or in reverse order. If `up`, children are served from the last step
 * on. */
void tree_bine(struct tree *t, uint32_t n, bool near, bool up);

/* Returns the rank of a node in the job. */
uint32_t tree_rank(const struct tree *t, const struct collective_comm *comm,
                   uint32_t node);

/* Broadcasts the root's elements in segments of `segment` elements (0: all at
 * once). A rank posts the receive of the next segment, waits for the current
 * one and sends it to all of its children at once. If `ready` is not NULL, the
 * root sends segment k only after operation ready[k]. */
void tree_broadcast(struct collective_build *b,
                    const struct collective_comm *comm, const struct tree *t,
                    struct collective_range range, uint64_t segment,
                    const uint32_t *ready);
/* Broadcasts the first half of the range to nodes of odd numbers, the second
 * half to the others. */
void tree_broadcast_halves(struct collective_build *b,
                           const struct collective_comm *comm,
                           const struct tree *t, struct collective_range range,
                           uint64_t segment);
/* Reduces the range to the root. A rank receives a segment from one child after
 * the other, and posts the next child's receive while it adds; then it sends
 * the sum on. If `done` is not NULL, done[k] is set to the root's last
 * operation for segment k. */
void tree_reduce(struct collective_build *b, const struct collective_comm *comm,
                 const struct tree *t, struct collective_range range,
                 uint64_t segment, uint32_t *done);
/* Returns the number of segments, at least 1. */
uint64_t tree_segments(struct collective_range range, uint64_t segment);
/* Returns the k-th segment, which may be empty. */
struct collective_range tree_segment(struct collective_range range,
                                     uint64_t segment, uint64_t k);
/* Returns the elements of a segment: of the requested size, else of default_B
 * bytes; 0 means all at once. */
uint64_t tree_segment_of(const struct collective_build *b, uint64_t default_B);

#endif
