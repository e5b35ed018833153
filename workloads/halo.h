/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halo.h - what a row-wise partitioned sparse product must communicate: which
 * values of the vector each GPU needs from which. */
#ifndef WORKLOADS_HALO_H
#define WORKLOADS_HALO_H

#include "base/err.h"
#include "workloads/gpu_set.h"

#include <stdint.h>

#define HALO_MAX_GPUS_PER_NODE GPU_SET_BITS
#define HALO_MAX_VALUE_BYTES (1u << 20)

/*
 * The values that GPU `src` owns and that exactly the GPUs in `dst_mask` of
 * node `dst_node` need (bit i: the i-th GPU of that node; never src itself).
 * Where ranks stand for GPUs, of which a node may have more than bits, bit i is
 * the one numbered dst_first + i.
 * The classes of one (src, dst_node) are disjoint. A value that several nodes
 * need is in one class for each of them.
 */
struct halo_class {
    uint32_t src;
    uint32_t dst_node;
    gpu_set dst_mask;
    uint32_t dst_first; /* 0 but for ranks */
    uint64_t count;     /* values, above 0 */
};

struct halo {
    uint32_t ngpus;         /* GPU g sits on node g / gpus_per_node */
    uint32_t gpus_per_node; /* at most HALO_MAX_GPUS_PER_NODE */
    uint32_t value_bytes;   /* 8: a double; 8 k: k vectors at once */
    uint64_t rows, nnz;
    struct halo_class *classes; /* by src, then dst_node, then dst_mask */
    uint32_t nclasses;
    uint64_t *gpu_rows; /* rows of each GPU; all 0 in a synthetic halo */
    uint64_t *gpu_nnz;
    /* Where it is exchanged in rounds, one after the other: each a halo of its
     * own. The classes above are then those of all: of each class the first
     * values are the first round's, those behind them the next one's. */
    struct halo *rounds;
    uint32_t nrounds; /* 0: in one */
};

void halo_clear(struct halo *h);

static inline uint32_t halo_nodes(const struct halo *h)
{
    return (h->ngpus + h->gpus_per_node - 1) / h->gpus_per_node;
}

/* Fails unless there is a GPU and 1 to HALO_MAX_GPUS_PER_NODE a node. */
int halo_check_shape(uint32_t ngpus, uint32_t gpus_per_node,
                     struct err *err) MUST_CHECK;

/* For a product with other values, or with several vectors at once; 0 leaves
 * them as they are. Fails above HALO_MAX_VALUE_BYTES. */
int halo_set_value_bytes(struct halo *h, uint64_t bytes,
                         struct err *err) MUST_CHECK;

/* One past the last class with the src and dst_node of class `first`. */
uint32_t halo_pair_end(const struct halo *h, uint32_t first);

/*
 * The halo with every value's duplicates spelled out, as when no strategy
 * removes redundant data: one class with one bit per pair of GPUs, which is
 * the message that standard communication sends.
 */
void halo_spell_out(struct halo *out, const struct halo *h);

/*
 * A halo from messages given as (src GPU, dst GPU, values), in any order, for
 * synthetic patterns; no value is shared between two messages. The values of
 * one pair of GPUs are added up; a message of no values is no message. Fails on
 * src == dst or a GPU out of range.
 */
struct halo_msg {
    uint32_t src, dst;
    uint64_t values;
};
int halo_from_messages(struct halo *out, uint32_t ngpus, uint32_t gpus_per_node,
                       uint32_t value_bytes, const struct halo_msg *msgs,
                       size_t nmsgs, struct err *err) MUST_CHECK;

/* A halo of n rounds, at least one, of equal GPUs and value bytes, which it
 * takes over; of one it is that one. */
void halo_from_rounds(struct halo *out, struct halo *rounds, uint32_t n);

/* In one round or in several. */
static inline uint32_t halo_rounds(const struct halo *h)
{
    return h->nrounds ? h->nrounds : 1;
}

/*
 * What `sluice show matrix` prints, and the parameters of Table 7 of Lockhart,
 * Bienz, Gropp and Olson (2022), in values instead of bytes. Table 7 counts
 * what crosses the network, so its five are off node. "dedup": a value that
 * several GPUs of one node need counts once for that node; otherwise once for
 * each such GPU. A message is what one GPU sends to another.
 */
struct halo_stats {
    uint64_t messages, values; /* on and off node */
    uint64_t off_node_messages, off_node_values;
    uint64_t off_node_values_dedup;
    uint64_t off_node_values_shared; /* of these: several GPUs need them */
    uint64_t gpu_node_pairs;         /* GPUs and the other nodes they send to */
    uint64_t node_pairs;             /* nodes and the other nodes ... */

    /* The most that one GPU sends. */
    uint64_t max_messages_per_gpu; /* on and off node */
    uint64_t max_values_per_gpu;   /* on and off node */
    uint64_t max_off_node_messages_per_gpu;
    uint64_t max_off_node_values_per_gpu; /* s_proc */
    uint64_t max_off_node_values_per_gpu_dedup;
    uint64_t max_nodes_per_gpu;       /* m_proc->node */
    uint64_t max_values_proc_to_node; /* to one other node */

    /* The most that one node sends to other nodes, and to one other node. */
    uint64_t max_values_per_node; /* s_node */
    uint64_t max_values_per_node_dedup;
    uint64_t max_nodes_per_node;
    uint64_t max_values_node_to_node; /* s_node->node */
    uint64_t max_values_node_to_node_dedup;
    uint64_t max_messages_node_to_node; /* m_node->node */
};
void halo_stats(const struct halo *h, struct halo_stats *out);

#endif
