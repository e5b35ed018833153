/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_step.c - gather on the node, one message per pair of nodes, scatter on
 * the other node (Lockhart et al. 2022, 2.3.1; Bienz et al. 2019). */
#include "strategies/exchange/exchange.h"
#include "strategies/exchange/law.h"
#include "strategies/exchange/model.h"

#include <math.h>
#include <stdlib.h>

/*
 * Node k's GPUs take turns in the order of the nodes that k sends to, and node
 * l's in the order of the nodes that it receives from, so the numbers of
 * messages of two GPUs of a node differ by at most one. (l mod GPUs instead
 * would put all on one GPU where k talks to every fourth node, as in a mesh.)
 * By need, parcels are in the order of the receiving node, then of the sending:
 * taken[node] counts the turns of a node's GPUs on the way.
 */
static void by_turns(struct exchange *x, uint32_t *taken, bool sends)
{
    parcels_sort_by_need(&x->parcels);
    for (size_t i = 0, end; i < x->parcels.n; i = end) {
        struct parcel *p = &x->parcels.items[i];
        uint32_t src = p->src_node, dst = p->dst_node, at = sends ? src : dst;
        for (end = i;
             end < x->parcels.n && x->parcels.items[end].src_node == src &&
             x->parcels.items[end].dst_node == dst;
             end++)
            ;
        if (src == dst)
            continue;
        uint32_t gpu = taken[at]++ % exchange_gpus(x, at);
        for (size_t j = i; j < end; j++)
            x->parcels.items[j].to = exchange_rank(x, at, gpu, 0);
    }
}

static void take_turns(struct exchange *x, bool sends, enum phase phase)
{
    uint32_t *taken = xcalloc(halo_nodes(x->halo), sizeof *taken);

    by_turns(x, taken, sends);
    exchange_send(x, phase);
    free(taken);
}

static int three_step_route(struct exchange *x, struct err *err)
{
    (void)err; /* every machine that strategy_plan() lets through can do it */
    exchange_collect(x, x->options->keep_duplicates);
    exchange_copy_out(x);
    exchange_on_node(x);

    take_turns(x, true, PHASE_GATHER);
    take_turns(x, false, PHASE_OFF_NODE);
    exchange_scatter(x);
    return 0;
}

static void three_step_predict(struct model *c, struct model_time *t)
{
    const struct model_input *in = c->in;
    double m = ceil(in->m_node / c->m->ngpus); /* of the GPU with most turns */
    double s = c->corrected ? m * in->s_node_to_node : in->s_node_to_node;
    struct postal off = model_message(c, OFF_NODE, in->s_node_to_node);

    t->off_node_s =
        c->path == PATH_HOST
            ? model_max_rate(off, m, s, in->s_node, machine_injection_Bps(c->m))
            : model_postal(off, m, s);
    t->on_node_s = 2 * model_on_gpus(c, in->s_node_to_node);
    if (c->path == PATH_HOST)
        t->copy_s = model_copies(c, in->s_proc, in->s_node_to_node, 1);
}

static uint64_t three_step_messages(const struct machine *m,
                                    const struct halo *halo,
                                    const struct strategy_options *options,
                                    uint32_t from, uint32_t to)
{
    (void)m, (void)options;
    return law_gpus(halo, from, to) > 0;
}

#define HELP                                                                   \
    "The GPUs of a node gather what another node needs at one of them, which " \
    "sends it in one\nmessage; there it is handed on to the GPUs that need "   \
    "it. The GPUs take turns at the\nother nodes. "

const struct strategy three_step_staged_strategy = {
    .name = "3-step/staged",
    .summary = "gather, one message per pair of nodes, scatter; through hosts",
    .help = HELP "All messages are between host memory.",
    .options = "keep-duplicates ranks-per-node",
    .route = three_step_route,
    .predict = three_step_predict,
    .messages = three_step_messages,
};

const struct strategy three_step_device_strategy = {
    .name = "3-step/device",
    .summary = "gather, one message per pair of nodes, scatter; GPU memory",
    .help = HELP "MPI reads and writes GPU memory.",
    .options = "keep-duplicates ranks-per-node",
    .device_aware = true,
    .route = three_step_route,
    .predict = three_step_predict,
    .messages = three_step_messages,
};
