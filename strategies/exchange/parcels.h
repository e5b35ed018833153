/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parcels.h - values on their route from the GPU that owns them to the GPUs
 * that need them: their present rank, the next one, and the operation that
 * brought them. */
#ifndef STRATEGIES_EXCHANGE_PARCELS_H
#define STRATEGIES_EXCHANGE_PARCELS_H

#include "sim/plan/plan.h"
#include "workloads/halo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AT_OWNER UINT32_MAX /* no operation brought the values */

struct parcel {
    struct piece piece;
    uint32_t src;       /* the GPU that owns the values */
    uint32_t src_node;  /* its node */
    gpu_set dst_mask;   /* the GPUs of a node that need the values: ... */
    uint32_t dst_first; /* ... bit i is the GPU numbered dst_first + i */
    uint32_t dst_node;  /* their node */
    uint32_t at;        /* the rank that has them */
    uint32_t to;        /* the next rank; equal to `at` if they stay */
    /* Off node, parcels of different parts never share a message. */
    uint32_t part;
    uint32_t op; /* the operation that brought them, or AT_OWNER */
    /* The places of src, and of the first GPU in dst_mask, among the ranks of
     * their nodes (roles.h), once they are known. */
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

/* Returns the lowest GPU of its node that needs it. */
static inline unsigned parcel_gpu(const struct parcel *p)
{
    return p->dst_first + gpu_set_first(p->dst_mask);
}

static inline bool parcel_needed_by(const struct parcel *p, unsigned gpu)
{
    return gpu >= p->dst_first && gpu - p->dst_first < GPU_SET_BITS &&
           (p->dst_mask >> (gpu - p->dst_first) & 1);
}

/* parcels_push() appends a parcel; parcels_clear() frees all of them. */
void parcels_clear(struct parcels *p);
void parcels_push(struct parcels *p, struct parcel parcel);

/*
 * Sort by total orders, so that equal input gives an equal plan. By the
 * operation that carries them: at, to, part. By owner: src, dst_node counted
 * from its own, dst_place. By need: dst_node, src_node, the places. By
 * receiver: to, src_node counted from its own, src_place. The values are the
 * last key. The order of a rank's messages counts nodes from its own and GPUs
 * by place, so that their numbers do not matter.
 */
void parcels_sort_by_op(struct parcels *p);
void parcels_sort_by_owner(struct parcels *p);
void parcels_sort_by_need(struct parcels *p);
void parcels_sort_by_receiver(struct parcels *p);

/* Divides the parcels that leave their node (leaving), or those that stay, into
 * one for each GPU that needs them. */
void parcels_per_gpu(struct parcels *p, bool leaving);

/* Appends the run of n parcels to `out` in their order, cut so that each part
 * has part_values values (the last one the remaining). Parts are numbered from
 * first_part on. Returns the number after the last part. */
uint32_t parcels_cut(struct parcels *out, const struct parcel *run, size_t n,
                     uint64_t part_values, uint32_t first_part);

/* Returns the end of the run of parcels from one node to another that begins at
 * i; they must be sorted by need. */
size_t parcels_pair_end(const struct parcels *p, size_t i);

/* Returns the number of values in n parcels. */
uint64_t parcels_values(const struct parcel *run, size_t n);

#endif
