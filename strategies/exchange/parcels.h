/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parcels.h - values on their way from the GPU that owns them to those that
 * need them: where they are, where they go next, what brought them. */
#ifndef STRATEGIES_EXCHANGE_PARCELS_H
#define STRATEGIES_EXCHANGE_PARCELS_H

#include "sim/plan/plan.h"
#include "workloads/halo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AT_OWNER UINT32_MAX /* no op brought the values */

struct parcel {
    struct piece piece;
    uint32_t src;       /* the GPU that owns the values */
    uint32_t src_node;  /* its node */
    gpu_set dst_mask;   /* by which GPUs of a node they are needed: ... */
    uint32_t dst_first; /* ... bit i is the one numbered dst_first + i */
    uint32_t dst_node;  /* the node */
    uint32_t at;        /* the rank that has them */
    uint32_t to;        /* the rank of the next stop; at: it stays */
    uint32_t part;      /* off node, different parts never share a message */
    uint32_t op;        /* brought them to `at`; or AT_OWNER */
    /* Among the ranks of their nodes (roles.h), once known: src, and the first
     * of those in dst_mask. */
    uint16_t src_place, dst_place;
};

struct parcels {
    struct parcel *items;
    size_t n, room;
};

static inline bool parcel_leaves(const struct parcel *p)
{
    return p->src_node != p->dst_node;
}

/* The lowest GPU of its node that needs it. */
static inline unsigned parcel_gpu(const struct parcel *p)
{
    return p->dst_first + gpu_set_first(p->dst_mask);
}

static inline bool parcel_needed_by(const struct parcel *p, unsigned gpu)
{
    return gpu >= p->dst_first && gpu - p->dst_first < GPU_SET_BITS &&
           (p->dst_mask >> (gpu - p->dst_first) & 1);
}

void parcels_clear(struct parcels *p);
void parcels_push(struct parcels *p, struct parcel parcel);

/* Total orders, so that equal input gives an equal plan. By the op that takes
 * them: at, to, part. By owner: src, from its own node on, dst_place. By need:
 * dst_node, src_node, the places. By receiver: to, from its own node on,
 * src_place. Last of all the values' order. Nodes are counted from one's own,
 * and GPUs by place, so that it does not matter which number they have. */
void parcels_sort_by_op(struct parcels *p);
void parcels_sort_by_owner(struct parcels *p);
void parcels_sort_by_need(struct parcels *p);
void parcels_sort_by_receiver(struct parcels *p);

/* One parcel per GPU that needs it, of those that leave their node or stay. */
void parcels_per_gpu(struct parcels *p, bool leaving);

/*
 * Appends to `out` the run of n parcels, in their order, cut so that each part
 * has part_values values (the last one what remains); numbers the parts from
 * first_part on. Returns the number after the last.
 */
uint32_t parcels_cut(struct parcels *out, const struct parcel *run, size_t n,
                     uint64_t part_values, uint32_t first_part);

/* The end of the run of parcels from one node to another that begins at i, of
 * parcels by need. */
size_t parcels_pair_end(const struct parcels *p, size_t i);

uint64_t parcels_values(const struct parcel *run, size_t n);

#endif
