/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exchange.h - what the exchange strategies share: which rank serves which
 * GPU, and parcels packed into copies and messages. A strategy is a route: it
 * says where each parcel goes next, step by step (collect, copy out, send,
 * ...); what has arrived in the end is copied in by strategy_plan(). */
#ifndef STRATEGIES_EXCHANGE_EXCHANGE_H
#define STRATEGIES_EXCHANGE_EXCHANGE_H

#include "strategies/exchange/parcels.h"
#include "strategies/strategy.h"

struct exchange {
    struct plan *plan;
    const struct machine *m;
    const struct halo *halo;
    const struct strategy_options *options;
    bool device; /* parcels stay in GPU memory, nothing is copied */
    /* Each rank stands for a GPU of the halo, on_node[] of them on a node. */
    bool alone;
    bool host; /* its data are in its own memory: nothing is copied either */
    const uint32_t *on_node;
    /* Of the i-th GPU of a node: its ranks are first[i], first[i] + 1, ...
     * first[i] + share[i] - 1 (local ranks). The first is its host process. */
    unsigned first[HALO_MAX_GPUS_PER_NODE], share[HALO_MAX_GPUS_PER_NODE];
    struct parcels parcels;
    uint32_t *scratch; /* room for the op numbers of one op's parcels */
    size_t scratch_room;
    struct parcels packed; /* likewise for what one pack takes */
};

/*
 * With options->pack, what codes do that gather by a list of indices:
 * - a kernel of each rank that copies out, or sends from GPU memory, gathers
 *   all that its GPU sends;
 * - a rank that sends on what messages brought packs it again: from GPU memory
 *   one kernel for all messages of the step, which waits for all that they
 *   take, else the CPU for each message;
 * - a kernel scatters all that has reached a GPU.
 * Where options->contiguous only the second of these is there.
 * A rank packs and sends on all that it has to before it copies in or unpacks.
 */

/* GPUs of this node: the last node may have fewer than the others, or, where
 * ranks stand for them, each its own number. */
unsigned exchange_gpus(const struct exchange *x, uint32_t node);
/* The ranks of a node. */
unsigned exchange_ranks(const struct exchange *x, uint32_t node);
/* The ranks that serve the i-th GPU of a node. */
unsigned exchange_share(const struct exchange *x, unsigned i);
/* The rank of the p-th process of the i-th GPU of a node; 0: its host process.
 */
uint32_t exchange_rank(const struct exchange *x, uint32_t node, unsigned i,
                       unsigned process);
/* The rank that serves the lowest GPU in the parcel's mask. */
uint32_t exchange_receiver(const struct exchange *x, const struct parcel *p);

/*
 * One parcel per class, or with `per_gpu` one per class and GPU that needs it;
 * at the host process of its owner.
 */
void exchange_collect(struct exchange *x, bool per_gpu);
/* One D2H copy per rank of what it holds; when device-aware only its pack. */
void exchange_copy_out(struct exchange *x);
/* One message per pair of ranks for the parcels that do not stay; off node one
 * per pair and part. Those whose values stay on their node are PHASE_ON_NODE.
 * Each waits for exactly the ops that bring its values. */
void exchange_send(struct exchange *x, enum phase phase);
/* One H2D copy per rank of what has reached it, and its unpack; when
 * device-aware only that. */
void exchange_copy_in(struct exchange *x);

/* The on-node step that all strategies share: each value straight to the host
 * process of each GPU that needs it. */
void exchange_on_node(struct exchange *x);
/* Likewise the last step: from where they arrived off node, to each GPU. */
void exchange_scatter(struct exchange *x);

#endif
