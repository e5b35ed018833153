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
 * turn[k * nodes + l] counts the nodes before l; a second table those before k.
 */
struct turns {
    uint32_t nodes;
    uint32_t *send, *recv;
};

static struct turns take_turns(const struct exchange *x)
{
    uint32_t n = halo_nodes(x->halo);
    struct turns t = {n, xcalloc((size_t)n * n, sizeof *t.send),
                      xcalloc((size_t)n * n, sizeof *t.recv)};
    bool *talks = xcalloc((size_t)n * n, sizeof *talks);

    for (size_t i = 0; i < x->parcels.n; i++) {
        const struct parcel *p = &x->parcels.items[i];
        talks[(size_t)p->src_node * n + p->dst_node] = parcel_leaves(p);
    }
    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < n; l++) {
            size_t pair = k * n + l;
            if (l)
                t.send[pair] = t.send[pair - 1] + talks[pair - 1];
            if (k)
                t.recv[pair] = t.recv[pair - n] + talks[pair - n];
        }
    free(talks);
    return t;
}

static void to_sender(struct exchange *x, const struct turns *t)
{
    for (size_t i = 0; i < x->parcels.n; i++) {
        struct parcel *p = &x->parcels.items[i];
        if (!parcel_leaves(p))
            continue;
        uint32_t turn = t->send[(size_t)p->src_node * t->nodes + p->dst_node];
        p->to = exchange_rank(x, p->src_node,
                              turn % exchange_gpus(x, p->src_node), 0);
    }
    exchange_send(x, PHASE_GATHER);
}

static void to_node(struct exchange *x, const struct turns *t)
{
    for (size_t i = 0; i < x->parcels.n; i++) {
        struct parcel *p = &x->parcels.items[i];
        if (!parcel_leaves(p))
            continue;
        uint32_t turn = t->recv[(size_t)p->src_node * t->nodes + p->dst_node];
        p->to = exchange_rank(x, p->dst_node,
                              turn % exchange_gpus(x, p->dst_node), 0);
    }
    exchange_send(x, PHASE_OFF_NODE);
}

static int three_step_route(struct exchange *x, struct err *err)
{
    (void)err; /* every machine that strategy_plan() lets through can do it */
    exchange_collect(x, x->options->keep_duplicates);
    exchange_copy_out(x);
    exchange_on_node(x);

    struct turns turns = take_turns(x);
    to_sender(x, &turns);
    to_node(x, &turns);
    free(turns.send);
    free(turns.recv);
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
