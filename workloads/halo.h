/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halo.h - what a row-wise partitioned sparse product must communicate: which
 * values of the vector each GPU needs from which. */
#ifndef WORKLOADS_HALO_H
#define WORKLOADS_HALO_H

#include "sim/err.h"

#include <stdint.h>

#define HALO_MAX_GPUS_PER_NODE 32

/*
 * The values that GPU `src` owns and that exactly the GPUs in `dst_mask` of
 * node `dst_node` need (bit i: the i-th GPU of that node; never src itself).
 * The classes of one (src, dst_node) are disjoint. A value that several nodes
 * need is in one class for each of them.
 */
struct halo_class {
    uint32_t src;
    uint32_t dst_node;
    uint32_t dst_mask;
    uint64_t count; /* values, above 0 */
};

struct halo {
    uint32_t ngpus;         /* GPU g sits on node g / gpus_per_node */
    uint32_t gpus_per_node; /* at most HALO_MAX_GPUS_PER_NODE */
    uint32_t value_bytes;   /* 8: a double */
    uint64_t rows, nnz;
    struct halo_class *classes; /* by src, then dst_node, then dst_mask */
    uint32_t nclasses;
    uint64_t *gpu_rows; /* rows of each GPU */
    uint64_t *gpu_nnz;
};

void halo_clear(struct halo *h);

static inline uint32_t halo_nodes(const struct halo *h)
{
    return (h->ngpus + h->gpus_per_node - 1) / h->gpus_per_node;
}

/*
 * The halo with every value's duplicates spelled out: each class with several
 * bits becomes one class per bit, as when no strategy removes redundant data.
 */
void halo_spell_out(struct halo *out, const struct halo *h);

/* A halo from messages given as (src GPU, dst GPU, values), for synthetic
 * patterns; no value is shared between two messages. Fails on src == dst or a
 * GPU out of range. */
struct halo_msg {
    uint32_t src, dst;
    uint64_t values;
};
int halo_from_messages(struct halo *out, uint32_t ngpus, uint32_t gpus_per_node,
                       uint32_t value_bytes, const struct halo_msg *msgs,
                       size_t nmsgs, struct err *err) MUST_CHECK;

/* What Table 7 of Lockhart et al. and `sluice show matrix` count. Off node
 * unless said; volumes with duplicates removed (dedup) are per pair of nodes.
 */
struct halo_stats {
    uint64_t messages, values;                   /* GPU to GPU, all */
    uint64_t off_node_messages, off_node_values; /* GPU to GPU */
    uint64_t off_node_values_dedup;
    uint64_t max_messages_per_gpu; /* destinations, on and off node */
    uint64_t max_values_per_gpu;   /* sum over its messages, on and off node */
    uint64_t max_off_node_messages_per_gpu;
    uint64_t max_off_node_values_per_gpu;       /* s_proc */
    uint64_t max_off_node_values_per_gpu_dedup; /* once per node */
    uint64_t max_nodes_per_gpu;                 /* m_proc->node */
    uint64_t max_values_per_node;               /* s_node */
    uint64_t max_values_per_node_dedup;
    uint64_t max_values_node_to_node; /* s_node->node */
    uint64_t max_values_node_to_node_dedup;
    uint64_t max_messages_node_to_node; /* m_node->node, GPU to GPU */
    uint64_t max_nodes_per_node;        /* nodes that one node sends to */
    uint64_t max_values_proc_to_node;   /* one GPU to one node */
};
void halo_stats(const struct halo *h, struct halo_stats *out);

#endif
