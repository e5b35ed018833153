/* SPDX-License-Identifier: GPL-3.0-or-later */
/* standard.c - one message for each pair of GPUs, with redundant data, as a
 * plain MPI program sends them. */
#include "strategies/exchange/exchange.h"
#include "strategies/exchange/law.h"
#include "strategies/exchange/model.h"

static int standard_route(struct exchange *x, struct err *err)
{
    (void)err; /* strategy_plan() has checked the machine */
    exchange_collect(x, true);
    exchange_copy_out(x);
    if (!x->options->turned) /* else each rank sends in its turn */
        exchange_on_node(x);
    for (size_t i = 0; i < x->parcels.n; i++)
        x->parcels.items[i].to = exchange_receiver(x, &x->parcels.items[i]);
    exchange_send(x, PHASE_OFF_NODE);
    return 0;
}

static void standard_predict(struct model *c, struct model_time *t)
{
    const struct model_input *in = c->in;
    double node_s =
        c->corrected ? in->s_node_standard : c->m->ngpus * in->s_proc_standard;

    t->off_node_s =
        model_off_node(c, in->messages_per_gpu, in->s_proc_standard, node_s);
    if (c->path == PATH_HOST)
        t->copy_s =
            model_copies(c, in->s_proc_standard, in->s_proc_standard, 1);
}

static uint64_t standard_messages(const struct machine *m,
                                  const struct halo *halo,
                                  const struct strategy_options *options,
                                  uint32_t from, uint32_t to)
{
    (void)m, (void)options;
    return law_gpu_pairs(halo, from, to);
}

#define HELP                                                                   \
    "Each GPU sends each other GPU one message with the values that it "       \
    "needs, also those\nthat other GPUs of its node need too: what an MPI "    \
    "program does that knows nothing of\nnodes. "

const struct strategy standard_staged_strategy = {
    .name = "standard/staged",
    .summary = "one message per pair of GPUs, through host memory",
    .help = HELP "The values are copied to the host first.",
    .options = "ranks-per-node",
    .direct = true,
    .spelled = true,
    .route = standard_route,
    .predict = standard_predict,
    .messages = standard_messages,
};

const struct strategy standard_device_strategy = {
    .name = "standard/device",
    .summary = "one message per pair of GPUs, from GPU memory to GPU memory",
    .help = HELP "MPI reads and writes GPU memory.",
    .options = "ranks-per-node",
    .device_aware = true,
    .direct = true,
    .spelled = true,
    .route = standard_route,
    .predict = standard_predict,
    .messages = standard_messages,
};
