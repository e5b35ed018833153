/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_step.c - gather on the node, one message for each pair of nodes,
 * scatter on the other node (Lockhart et al. 2022, 2.3.1; Bienz et al.
 * 2019). */
#include "strategies/exchange/law.h"
#include "strategies/exchange/model.h"
#include "strategies/exchange/roles.h"

#include <math.h>

/* Numbers the parts: one message, and so one part, for each pair of nodes. */
static void number_pairs(struct parcels *p)
{
    size_t end;

    for (size_t i = 0, part = 0; i < p->n; i = end) {
        end = parcels_pair_end(p, i);
        if (!parcel_leaves(&p->items[i]))
            continue;
        for (size_t j = i; j < end; j++)
            p->items[j].part = (uint32_t)part;
        part++;
    }
}

static int three_step_route(struct exchange *x, struct err *err)
{
    struct roles roles;

    (void)err; /* strategy_plan() has checked the machine */
    exchange_collect(x, x->options->keep_duplicates);
    exchange_copy_out(x);
    exchange_on_node(x);

    /* GPUs take turns, so that their numbers of messages differ by at most
     * one. */
    roles_order(&roles, x, true);
    parcels_sort_by_need(&x->parcels);
    number_pairs(&x->parcels);
    roles_send(&roles, x);
    roles_clear(&roles);
    exchange_scatter(x);
    return 0;
}

static void three_step_predict(struct model *c, struct model_time *t)
{
    const struct model_input *in = c->in;
    double m = ceil(in->m_node / c->m->ngpus); /* for the busiest GPU */
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
    "it. The GPUs take turns at the\nother nodes, in descending order of "     \
    "size: at receiving from the one that receives\nmost on, at sending from " \
    "the one that sends most back. "

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
