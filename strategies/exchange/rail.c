/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rail.c - values move on their own node to the GPU that has the number of the
 * GPU that needs them, which sends them there. So each value crosses the
 * network once, on the rail of its receiver, as with PXN of NCCL (NVIDIA,
 * Doubling all2all Performance with NVIDIA Collective Communication Library
 * 2.12, 2022).
 */
#include "strategies/exchange/exchange.h"
#include "strategies/exchange/law.h"

static int rail_route(struct exchange *x, struct err *err)
{
    (void)err; /* strategy_plan() has checked the machine */
    exchange_collect(x, true);
    exchange_copy_out(x);
    exchange_on_node(x);
    for (size_t i = 0; i < x->parcels.n; i++) {
        struct parcel *p = &x->parcels.items[i];
        unsigned rail = parcel_gpu(p) % exchange_gpus(x, p->src_node);
        if (parcel_leaves(p))
            p->to = exchange_rank(x, p->src_node, rail, 0);
    }
    exchange_send(x, PHASE_GATHER);
    for (size_t i = 0; i < x->parcels.n; i++) {
        struct parcel *p = &x->parcels.items[i];
        if (parcel_leaves(p))
            p->to = exchange_receiver(x, p);
    }
    exchange_send(x, PHASE_OFF_NODE);
    return 0;
}

/* A rail has one message for each GPU that needs values. */
static uint64_t rail_messages(const struct machine *m, const struct halo *halo,
                              const struct strategy_options *options,
                              uint32_t from, uint32_t to)
{
    (void)m, (void)options;
    return law_receivers(halo, from, to);
}

#define HELP                                                                   \
    "What a GPU of another node needs is gathered at the GPU of the same "     \
    "number on this node,\nwhich sends it there in one message: it crosses "   \
    "the network on one rail, as with PXN of\nNCCL. A value goes to each GPU " \
    "that needs it. "

const struct strategy rail_staged_strategy = {
    .name = "rail/staged",
    .summary = "gather at the receiver's rail, one message; through hosts",
    .help = HELP "All messages are between host memory.",
    .options = "ranks-per-node",
    .spelled = true,
    .route = rail_route,
    .messages = rail_messages,
};

const struct strategy rail_device_strategy = {
    .name = "rail/device",
    .summary = "gather at the receiver's rail, one message; GPU memory",
    .help = HELP "MPI reads and writes GPU memory.",
    .options = "ranks-per-node",
    .device_aware = true,
    .spelled = true,
    .route = rail_route,
    .messages = rail_messages,
};
