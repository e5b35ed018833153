/* SPDX-License-Identifier: GPL-3.0-or-later */
/* two_step.c - each GPU sends the values for a node to one GPU there, which
 * redistributes them (Lockhart et al. 2022, 2.3.2). 2-step pairs the GPUs of
 * equal local number; 2-step-1 is the best case of their section 4.6. */
#include "strategies/exchange/exchange.h"
#include "strategies/exchange/law.h"
#include "strategies/exchange/model.h"

#include <math.h>

/* Returns the partner of the GPU that owns these n parcels, which are all for
 * one node: the local number of a GPU there. */
typedef unsigned partner_fn(const struct exchange *x, const struct parcel *run,
                            size_t n);

static unsigned same_number(const struct exchange *x, const struct parcel *run,
                            size_t n)
{
    (void)n;
    return run[0].src % x->halo->gpus_per_node %
           exchange_gpus(x, run[0].dst_node);
}

/* Returns the GPU that needs most of the values. If each GPU of a node
 * communicates with one GPU of the other, nothing is left to redistribute. If
 * several need equally many, it is the one of equal local number or the next
 * after it, so that not all senders choose the same. */
static unsigned most_needy(const struct exchange *x, const struct parcel *run,
                           size_t n)
{
    unsigned gpus = exchange_gpus(x, run[0].dst_node), best = 0;
    unsigned own = same_number(x, run, n);
    uint64_t most = 0;

    for (unsigned turn = 0; turn < gpus; turn++) {
        unsigned g = (own + turn) % gpus;
        uint64_t needs = 0;
        for (size_t i = 0; i < n; i++)
            if (parcel_needed_by(&run[i], g))
                needs += run[i].piece.count;
        if (needs > most) {
            most = needs;
            best = g;
        }
    }
    return best;
}

static int two_step(struct exchange *x, partner_fn *partner)
{
    exchange_collect(x, x->options->keep_duplicates);
    exchange_copy_out(x);
    exchange_on_node(x);

    /* If parcels are sorted by need, the values of one GPU for one node are
     * adjacent. */
    parcels_sort_by_need(&x->parcels);
    struct parcel *p = x->parcels.items;
    size_t n = x->parcels.n, end;
    for (size_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && p[end].src == p[i].src &&
                          p[end].dst_node == p[i].dst_node;
             end++)
            ;
        if (!parcel_leaves(&p[i]))
            continue;
        unsigned gpu = partner(x, &p[i], end - i);
        for (size_t j = i; j < end; j++)
            p[j].to = exchange_rank(x, p[j].dst_node, gpu, 0);
    }
    exchange_send(x, PHASE_OFF_NODE);
    exchange_scatter(x);
    return 0;
}

/* The routes never fail, because strategy_plan() has checked the machine. */
static int two_step_route_paired(struct exchange *x, struct err *err)
{
    (void)err;
    return two_step(x, same_number);
}

static int two_step_route_best(struct exchange *x, struct err *err)
{
    (void)err;
    return two_step(x, most_needy);
}

static void predict_to(struct model *c, struct model_time *t, double m)
{
    const struct model_input *in = c->in;

    t->off_node_s = model_off_node(c, m, in->s_proc, in->s_node);
    t->on_node_s = model_on_gpus(c, in->s_proc);
    if (c->path == PATH_HOST)
        t->copy_s = model_copies(c, in->s_proc, in->s_node_to_node, 1);
}

static void predict_paired(struct model *c, struct model_time *t)
{
    predict_to(c, t, c->in->m_proc_to_node);
}

static void predict_best(struct model *c, struct model_time *t)
{
    predict_to(c, t, ceil(c->in->m_node / c->m->ngpus));
}

static uint64_t two_step_messages(const struct machine *m,
                                  const struct halo *halo,
                                  const struct strategy_options *options,
                                  uint32_t from, uint32_t to)
{
    (void)m, (void)options;
    return law_gpus(halo, from, to);
}

#define HELP                                                                   \
    "Each GPU sends one message to each other node that needs something of "   \
    "it: to one\nGPU there, which hands it on to the GPUs that need it. "
#define HELP_PAIRED HELP "That GPU has\nthe same number in its node. "
#define HELP_BEST HELP "That GPU is\nthe one that needs most of it. "

const struct strategy two_step_staged_strategy = {
    .name = "2-step/staged",
    .summary = "each GPU to its pair on the other node, scatter; through hosts",
    .help = HELP_PAIRED "All messages are between host memory.",
    .options = "keep-duplicates ranks-per-node",
    .route = two_step_route_paired,
    .predict = predict_paired,
    .messages = two_step_messages,
};

const struct strategy two_step_device_strategy = {
    .name = "2-step/device",
    .summary = "each GPU to its pair on the other node, scatter; GPU memory",
    .help = HELP_PAIRED "MPI reads and writes GPU memory.",
    .options = "keep-duplicates ranks-per-node",
    .device_aware = true,
    .route = two_step_route_paired,
    .predict = predict_paired,
    .messages = two_step_messages,
};

const struct strategy two_step_1_staged_strategy = {
    .name = "2-step-1/staged",
    .summary =
        "each GPU to the remote GPU that needs most, scatter; through hosts",
    .help = HELP_BEST "All messages are between host memory.",
    .options = "keep-duplicates ranks-per-node",
    .best_case = true,
    .route = two_step_route_best,
    .predict = predict_best,
    .messages = two_step_messages,
};

const struct strategy two_step_1_device_strategy = {
    .name = "2-step-1/device",
    .summary =
        "each GPU to the remote GPU that needs most, scatter; GPU memory",
    .help = HELP_BEST "MPI reads and writes GPU memory.",
    .options = "keep-duplicates ranks-per-node",
    .device_aware = true,
    .best_case = true,
    .route = two_step_route_best,
    .predict = predict_best,
    .messages = two_step_messages,
};
