/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl.h - common functions of NCCL's algorithms (github.com/NVIDIA/nccl
 * 5067397c, src/device, src/graph): a kernel on each GPU has channels, which
 * move chunks through buffers of a few slots. Channels with the same route form
 * a group, whose messages carry an equal part of each channel. */
#ifndef STRATEGIES_COLLECTIVE_NCCL_H
#define STRATEGIES_COLLECTIVE_NCCL_H

#include "strategies/collective/collective_build.h"
#include "strategies/collective/nccl_graph.h"

/* Groups of channels with the same route, which is a ring of all ranks.
 * nccl_groups_clear() frees it. */
struct nccl_groups {
    uint32_t n, ranks;
    uint32_t *order;   /* the ring of group g begins at order[g * ranks] */
    unsigned channels; /* in each group */
};
void nccl_groups_clear(struct nccl_groups *g);

/* The state from which the loop's carry() computes the elements of each
 * operation in each step; it is the loop's `arg`, which the loop frees. */
struct nccl_carry {
    struct collective_range whole;
    enum collective_kind kind;
    unsigned element_B;
    bool pieces;
    uint32_t groups, slices, loops;
    uint32_t ranks; /* in a ring */
    uint32_t turns; /* steps in a loop of a ring */
    uint32_t edges; /* in a tree */
    uint32_t ups;   /* the first `ups` edges add, the others store */
    uint32_t order[];
};

/* Returns the reason why NCCL does not apply, or NULL. */
const char *nccl_refuses(const struct collective *c);
/* Returns the protocol of the runtime of an algorithm's messages. */
const struct nccl_protocol *nccl_protocol_of(const struct machine *m,
                                             enum runtime by);
/* Returns the time of a byte of a channel between GPUs of a node, in a message
 * of so many for the channel. */
double nccl_beta_s_per_B(const struct machine *m, enum runtime by,
                         uint64_t bytes);
/* Fails if the machine has no model of NCCL, or no message tables for it. */
int nccl_check(const struct machine *m, const struct collective_algorithm *a,
               const struct collective *c, struct err *err) MUST_CHECK;
/* Returns the most channels of an algorithm: its own, or those that the machine
 * gives, or those that NCCL's search finds. Without p it has none of its own.
 */
unsigned nccl_channels(const struct machine *m, const struct collective *c,
                       const struct nccl_protocol *p);
/*
 * Makes the groups, by their rings. On one node of up to four GPUs with a wire
 * between each pair there is a group for each possible cyclic order, else one
 * group. On several nodes there is one for each NIC that is near a GPU: the
 * ring enters each node at a GPU near it and leaves it at the one before.
 * RCCL's rings are those of its list for such nodes. There are fewer groups,
 * with fewer channels, if a channel would have less than channel_B bytes.
 */
void nccl_groups_of(struct nccl_groups *g, const struct machine *m,
                    const struct collective *c, uint64_t channel_B);
/* Makes the same groups for trees, whose chains begin at the same GPU of each
 * node, whatever NICs the rings use. */
void nccl_tree_groups_of(struct nccl_groups *g, const struct machine *m,
                         const struct collective *c, uint64_t channel_B);
/* Makes a loop with an empty body; the launch of the kernel precedes it. */
void nccl_open(struct loop *l, const struct machine *m,
               const struct collective_algorithm *a,
               const struct collective *c);
/* Adds the CPU's part of a call with so many channels, or of a group of so many
 * sends and receives of each rank. */
void nccl_call(struct loop *l, const struct machine *m,
               const struct collective *c, unsigned channels, uint32_t sends);
/* Appends a message to the loop's body and returns its number. */
uint32_t nccl_send(struct loop *l, const struct machine *m, uint32_t from,
                   uint32_t to, uint64_t bytes, unsigned channels);
/* Returns the number of GPUs of a node for which its switches add parts of the
 * vector; 0 if they cannot. */
unsigned nccl_heads(const struct machine *m, const struct collective *c);
/* A rule of NVLS: if the vector has fewer than `chunks` chunks for each channel
 * of each head, they have at most chunk_B bytes. */
struct nccl_chunk_rule {
    unsigned chunks;
    uint64_t chunk_B;
};
/* Returns the bytes of a chunk of at most most_B, if a step has `at_once` of
 * them: shorter ones for shorter vectors, so that a channel has a few
 * (github.com/NVIDIA/nccl 5067397c, src/enqueue.cc). */
uint64_t nccl_chunk_B(const struct nccl_chunk_rule *rules, size_t nrules,
                      uint64_t most_B, uint64_t bytes, uint64_t at_once);
/* Returns the channels of a message of so many bytes in a group of sends and
 * receives, if rings have `channels`. */
unsigned nccl_p2p_channels(const struct nccl_system *s, unsigned channels,
                           const struct nccl_protocol *p, uint64_t bytes);
/* Returns whether an all-to-all is planned in turns, without PXN, because it
 * has many ranks and its nodes are not alike. */
bool nccl_p2p_in_turns(const struct machine *m, const struct collective *c);
/* Returns a node's parent in either tree between nodes, or NCCL_NO_PARENT for
 * its root. */
#define NCCL_NO_PARENT UINT32_MAX
uint32_t nccl_node_parent(uint32_t node, uint32_t nodes, bool second);
/* Sets parent[rank] in the first or second tree of a group of channels to the
 * rank above it, or NCCL_NO_PARENT. */
void nccl_tree_parents(uint32_t *parent, const struct nccl_groups *g,
                       const struct collective *c, uint32_t group, bool second);
/* Returns the i-th of n parts, which are as equal as possible. */
static inline struct collective_range nccl_part(struct collective_range whole,
                                                uint32_t i, uint32_t n)
{
    return collective_blocks_of(whole, i, i + 1, n);
}
/* Sets the bytes of the newest operation of p to this range, and adds its
 * pieces. */
void nccl_put(struct plan *p, const struct nccl_carry *c,
              struct collective_range range, bool adds);

#endif
