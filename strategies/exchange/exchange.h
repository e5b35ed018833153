/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exchange.h - common functions of the exchange strategies: the ranks that
 * serve each GPU, and parcels that are packed into copies and messages. A
 * strategy is a route: it sets the next rank of each parcel, step by step
 * (collect, copy out, send, ...). In the end strategy_plan() copies in the
 * values that have arrived.
 */
#ifndef STRATEGIES_EXCHANGE_EXCHANGE_H
#define STRATEGIES_EXCHANGE_EXCHANGE_H

#include "strategies/exchange/parcels.h"
#include "strategies/strategy.h"

struct exchange {
    struct plan *plan;
    const struct machine *m;
    const struct halo *halo;
    const struct strategy_options *options;
    bool device; /* parcels stay in GPU memory and nothing is copied */
    /* Each rank represents a GPU of the halo; node k has on_node[k] of them. */
    bool alone;
    /* The data are in the ranks' own memory, so nothing is copied either. */
    bool host;
    const uint32_t *on_node;
    /* The i-th GPU of a node is served by the local ranks first[i] to first[i]
     * + share[i] - 1. The first of them is its host process. */
    unsigned first[HALO_MAX_GPUS_PER_NODE], share[HALO_MAX_GPUS_PER_NODE];
    struct parcels parcels;
    /* Room for the numbers of the operations that brought one operation's
     * parcels. */
    uint32_t *scratch;
    size_t scratch_room;
    /* Room for the parcels of one pack. */
    struct parcels packed;
};

/*
 * With options->pack, the plan contains the packing of programs that gather
 * values by a list of indices:
 * - a kernel of each rank that copies out, or sends from GPU memory, gathers
 *   all values that its GPU sends;
 * - a rank that forwards values packs them again: from GPU memory by one kernel
 *   for all messages of the step, which waits for all of its parcels, else by
 *   the CPU for each message;
 * - a kernel scatters all values that have reached a GPU.
 *
 * With options->contiguous only the second of these remains. A rank packs and
 * sends all that it forwards before it copies in or unpacks.
 */

/* Returns the GPUs of this node. The last node may have fewer than the others;
 * if ranks represent GPUs, each node has its own number. */
unsigned exchange_gpus(const struct exchange *x, uint32_t node);
/* Returns the ranks of a node. */
unsigned exchange_ranks(const struct exchange *x, uint32_t node);
/* Returns the number of ranks that serve the i-th GPU of a node. */
unsigned exchange_share(const struct exchange *x, unsigned i);
/* Returns the rank of a process of the i-th GPU of a node; process 0 is its
 * host process. */
uint32_t exchange_rank(const struct exchange *x, uint32_t node, unsigned i,
                       unsigned process);
/* Returns the rank that serves the lowest GPU in the parcel's mask. */
uint32_t exchange_receiver(const struct exchange *x, const struct parcel *p);

/* Makes one parcel for each class, or with `per_gpu` one for each class and GPU
 * that needs it, at the host process of its owner. */
void exchange_collect(struct exchange *x, bool per_gpu);
/* Plans one D2H copy of all parcels at each rank; if device-aware, only its
 * pack. */
void exchange_copy_out(struct exchange *x);
/* Plans one message for each pair of ranks whose parcels do not stay; off node
 * one for each pair and part. Messages whose values stay on their node are
 * PHASE_ON_NODE. Each waits for exactly the operations that bring its
 * values. */
void exchange_send(struct exchange *x, enum phase phase);
/* Plans one H2D copy of all parcels that have reached each rank, and its
 * unpack; if device-aware, only that. */
void exchange_copy_in(struct exchange *x);

/* Plans the on-node step that all strategies share: each value goes directly to
 * the host process of each GPU that needs it. */
void exchange_on_node(struct exchange *x);
/* Plans the last step in the same way: from the ranks at which values arrived
 * from other nodes to each GPU. */
void exchange_scatter(struct exchange *x);

#endif
