/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halo.h - the communication of a row-wise partitioned sparse product: the
 * values of the vector that each GPU needs from each other GPU. */
#ifndef WORKLOADS_HALO_H
#define WORKLOADS_HALO_H

#include "base/err.h"
#include "workloads/gpu_set.h"

#include <stdint.h>

#define HALO_MAX_GPUS_PER_NODE GPU_SET_BITS
#define HALO_MAX_VALUE_BYTES (1u << 20)

/*
 * The values that GPU `src` owns and that exactly the GPUs in `dst_mask` of
 * node `dst_node` need (bit i: the i-th GPU of that node; never src itself). If
 * ranks stand for GPUs, a node may have more of them than a mask has bits; bit
 * i is then number dst_first + i.
 *
 * The classes of one (src, dst_node) are disjoint. If several nodes need a
 * value, it is in one class for each of them.
 */
struct halo_class {
    uint32_t src;
    uint32_t dst_node;
    gpu_set dst_mask;
    uint32_t dst_first; /* 0 except for ranks */
    uint64_t count;     /* number of values, above 0 */
};

struct halo {
    uint32_t ngpus;         /* GPU g is on node g / gpus_per_node */
    uint32_t gpus_per_node; /* HALO_MAX_GPUS_PER_NODE or less */
    uint32_t value_bytes;   /* 8 for a double; 8 k for k vectors at once */
    uint64_t rows, nnz;
    /* Sorted by src, then dst_node, then dst_mask. */
    struct halo_class *classes;
    uint32_t nclasses;
    uint64_t *gpu_rows; /* rows per GPU; all 0 in a synthetic halo */
    uint64_t *gpu_nnz;
    /* The rounds, if the halo is exchanged in several, one after the other;
     * each is a halo of its own. The classes above are then those of all
     * rounds: the first values of each class belong to the first round, the
     * next to the second, and so on. */
    struct halo *rounds;
    uint32_t nrounds; /* 0 if there is only one */
};

void halo_clear(struct halo *h);

static inline uint32_t halo_nodes(const struct halo *h)
{
    return (h->ngpus + h->gpus_per_node - 1) / h->gpus_per_node;
}

/* Fails unless there is a GPU, and 1 to HALO_MAX_GPUS_PER_NODE per node. */
int halo_check_shape(uint32_t ngpus, uint32_t gpus_per_node,
                     struct err *err) MUST_CHECK;

/* Sets the size of values, for a product with other values or with several
 * vectors at once; 0 leaves it as it is. Fails above HALO_MAX_VALUE_BYTES. */
int halo_set_value_bytes(struct halo *h, uint64_t bytes,
                         struct err *err) MUST_CHECK;

/* Returns one past the last class with the src and dst_node of class
 * `first`. */
uint32_t halo_pair_end(const struct halo *h, uint32_t first);

/* Makes a halo that counts all duplicates, as if no strategy removed redundant
 * data: one class with one bit per pair of GPUs, which is the message that
 * standard communication sends. */
void halo_spell_out(struct halo *out, const struct halo *h);

/*
 * A message for a synthetic halo, in which no two messages share a value.
 * halo_from_messages() makes a halo of messages in any order. It adds up the
 * values of each pair of GPUs, and drops messages without values. It fails on
 * src == dst, or on a GPU that does not exist.
 */
struct halo_msg {
    uint32_t src, dst;
    uint64_t values;
};
int halo_from_messages(struct halo *out, uint32_t ngpus, uint32_t gpus_per_node,
                       uint32_t value_bytes, const struct halo_msg *msgs,
                       size_t nmsgs, struct err *err) MUST_CHECK;

/* Makes a halo of n rounds, at least one, which must have equal GPUs and value
 * bytes; it takes over their contents. A halo of one round is that round. */
void halo_from_rounds(struct halo *out, struct halo *rounds, uint32_t n);

/* Returns the number of rounds, at least 1. */
static inline uint32_t halo_rounds(const struct halo *h)
{
    return h->nrounds ? h->nrounds : 1;
}

/*
 * The statistics that `sluice show matrix` prints, with the parameters of Table
 * 7 of Lockhart, Bienz, Gropp and Olson (2022), in values instead of bytes.
 * Table 7 counts traffic on the network, so its five parameters are off node.
 * "dedup": a value that several GPUs of one node need counts once for that
 * node; without it, once for each such GPU. A message is the data from one GPU
 * to another.
 */
struct halo_stats {
    uint64_t messages, values; /* on node and off node */
    uint64_t off_node_messages, off_node_values;
    uint64_t off_node_values_dedup;
    /* Values in the former that several GPUs of the node need. */
    uint64_t off_node_values_shared;
    /* Pairs of a GPU and another node to which it sends. */
    uint64_t gpu_node_pairs;
    /* Pairs of a node and another node to which it sends. */
    uint64_t node_pairs;

    /* The most that one GPU sends. */
    uint64_t max_messages_per_gpu; /* on node and off node */
    uint64_t max_values_per_gpu;   /* on node and off node */
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
