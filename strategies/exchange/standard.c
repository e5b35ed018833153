/* SPDX-License-Identifier: GPL-3.0-or-later */
/* standard.c - one message per pair of GPUs, redundant data and all: what
 * plain MPI code does. */
#include "strategies/exchange/exchange.h"

static int route(struct exchange *x, struct err *err)
{
    (void)err; /* every machine that exchange_plan() lets through can do it */
    exchange_collect(x, true);
    exchange_copy_out(x);
    exchange_on_node(x);
    for (size_t i = 0; i < x->parcels.n; i++)
        x->parcels.items[i].to = exchange_receiver(x, &x->parcels.items[i]);
    exchange_send(x, PHASE_OFF_NODE);
    return 0;
}

static int staged(struct plan *plan, const struct machine *m,
                  const struct halo *halo,
                  const struct strategy_options *options, struct err *err)
{
    return exchange_plan(&standard_staged_strategy, plan, m, halo, options,
                         route, err);
}

static int device(struct plan *plan, const struct machine *m,
                  const struct halo *halo,
                  const struct strategy_options *options, struct err *err)
{
    return exchange_plan(&standard_device_strategy, plan, m, halo, options,
                         route, err);
}

const struct strategy standard_staged_strategy = {
    .name = "standard/staged",
    .summary = "one message per pair of GPUs, through host memory",
    .plan = staged,
};

const struct strategy standard_device_strategy = {
    .name = "standard/device",
    .summary = "one message per pair of GPUs, from GPU memory to GPU memory",
    .device_aware = true,
    .plan = device,
};
