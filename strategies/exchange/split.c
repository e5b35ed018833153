/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * split.c - values for other nodes are cut into messages of at most message_cap
 * and dealt to all ranks of the node (Lockhart et al. 2022, 2.3.3, Algorithms 1
 * and 2). In split+md one process of each GPU copies, and messages on the node
 * carry its data to the ranks that send. In split+dd several processes of each
 * GPU copy one part each through duplicate device pointers.
 */
#include "strategies/exchange/split.h"

#include "strategies/exchange/law.h"
#include "strategies/exchange/model.h"
#include "strategies/exchange/roles.h"

#include <math.h>
#include <stdlib.h>

#define PROCESSES_PER_GPU 4 /* for split+dd, in the paper */

uint64_t split_message_cap(const struct split_volumes *v, uint64_t cap_B,
                           unsigned ranks_per_node)
{
    if (v->max_B < cap_B)
        return UINT64_MAX;
    /* This is total / cap > PPN without rounding and overflow. */
    if (v->nodes < ranks_per_node && v->total_B / ranks_per_node >= cap_B &&
        v->total_B > cap_B * ranks_per_node)
        return v->total_B / ranks_per_node + (v->total_B % ranks_per_node != 0);
    return cap_B;
}

/* Returns the processes of a GPU, which are never more than its share of
 * ranks. */
static unsigned split_processes(const struct exchange *x, unsigned gpu,
                                unsigned wanted)
{
    unsigned share = exchange_share(x, gpu);

    return wanted < share ? wanted : share;
}

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* Lets each process of a GPU copy out and send one part of its values; parts
 * are equal but for the last. */
static void deal_out(struct exchange *x, unsigned wanted)
{
    struct parcels old = x->parcels;
    size_t end;

    x->parcels = (struct parcels){0};
    parcels_sort_by_owner(&old); /* each parcel is at its host process */
    for (size_t i = 0; i < old.n; i = end) {
        const struct parcel *p = &old.items[i];
        for (end = i + 1; end < old.n && old.items[end].src == p->src; end++)
            ;
        unsigned n =
            split_processes(x, p->src % x->halo->gpus_per_node, wanted);
        uint64_t size = ceil_div(parcels_values(p, end - i), n);
        parcels_cut(&x->parcels, p, end - i, size, 0);
    }
    for (size_t i = 0; i < x->parcels.n; i++) {
        struct parcel *p = &x->parcels.items[i];
        p->at += p->part;
        p->to = p->at;
        p->part = 0;
    }
    parcels_clear(&old);
}

/* Lets each process of a receiving GPU get and copy in one part of the values
 * that arrive from other nodes (leaving), or of those that stay on the node. */
static void deal_in(struct exchange *x, bool leaving, unsigned wanted)
{
    struct parcels in = {0}, rest = {0};
    size_t end;

    parcels_per_gpu(&x->parcels, leaving);
    for (size_t i = 0; i < x->parcels.n; i++) {
        const struct parcel *p = &x->parcels.items[i];
        bool mine = parcel_leaves(p) == leaving;
        parcels_push(mine ? &in : &rest, *p);
        if (mine)
            in.items[in.n - 1].to = exchange_receiver(x, p);
    }
    parcels_clear(&x->parcels);
    x->parcels = rest;
    parcels_sort_by_receiver(&in);
    for (size_t i = 0; i < in.n; i = end) {
        const struct parcel *p = &in.items[i];
        for (end = i + 1; end < in.n && in.items[end].to == p->to; end++)
            ;
        unsigned n = split_processes(x, parcel_gpu(p), wanted);
        uint64_t size = ceil_div(parcels_values(p, end - i), n);
        size_t before = x->parcels.n;
        parcels_cut(&x->parcels, p, end - i, size, 0);
        for (size_t j = before; j < x->parcels.n; j++) {
            struct parcel *part = &x->parcels.items[j];
            part->to += part->part;
            part->part = 0;
        }
    }
    parcels_clear(&in);
}

static struct split_volumes split_received(const struct exchange *x,
                                           const struct parcels *p, size_t i)
{
    struct split_volumes v = {0};
    uint32_t node = p->items[i].dst_node;
    size_t end;

    for (; i < p->n && p->items[i].dst_node == node; i = end) {
        end = parcels_pair_end(p, i);
        if (!parcel_leaves(&p->items[i]))
            continue;
        uint64_t bytes =
            parcels_values(&p->items[i], end - i) * x->halo->value_bytes;
        v.total_B += bytes;
        v.max_B = bytes > v.max_B ? bytes : v.max_B;
        v.nodes++;
    }
    return v;
}

/* Implements lines 10 to 17: cuts the parcels so that each belongs to one
 * message, which is its part. */
static void cut_messages(struct exchange *x, uint64_t cap_B)
{
    struct parcels old = x->parcels;
    uint64_t size = 0; /* values in a message to the current receiving node */
    uint32_t part = 0;
    size_t end;

    x->parcels = (struct parcels){0};
    parcels_sort_by_need(&old);
    for (size_t i = 0; i < old.n; i = end) {
        const struct parcel *p = &old.items[i];
        end = parcels_pair_end(&old, i);
        if (!i || p->dst_node != p[-1].dst_node) {
            struct split_volumes v = split_received(x, &old, i);
            size =
                split_message_cap(&v, cap_B, exchange_ranks(x, p->dst_node)) /
                x->halo->value_bytes;
            size = size ? size : 1;
        }
        if (!parcel_leaves(p)) {
            for (size_t j = i; j < end; j++)
                parcels_push(&x->parcels, old.items[j]);
            continue;
        }
        part = parcels_cut(&x->parcels, p, end - i, size, part);
    }
    parcels_clear(&old);
}

/* Implements Algorithm 2; comments name its communicators. */
static int split(struct exchange *x, unsigned wanted, struct err *err)
{
    uint64_t cap_B = x->options->message_cap_B;
    struct roles roles;

    if (!cap_B)
        cap_B = machine_rendezvous_limit(x->m);
    if (!cap_B)
        return fail(err, "%s has no rendezvous limit: a message cap is needed",
                    x->m->name);
    exchange_collect(x, x->options->keep_duplicates);
    roles_order(&roles, x, false);
    deal_out(x, wanted);
    exchange_copy_out(x);
    deal_in(x, false, wanted);
    exchange_send(x, PHASE_ON_NODE); /* local_comm */
    cut_messages(x, cap_B);
    roles_send(&roles, x); /* line 18; local_Scomm, global_comm */
    roles_clear(&roles);
    deal_in(x, true, wanted);
    exchange_send(x, PHASE_SCATTER); /* local_Rcomm */
    return 0;
}

static int route_md(struct exchange *x, struct err *err)
{
    return split(x, 1, err);
}

static int route_dd(struct exchange *x, struct err *err)
{
    unsigned wanted = x->options->processes_per_gpu;

    if (x->alone)
        return fail(err, "a GPU has one rank: split+md is the same");
    for (unsigned i = 0; i < x->m->ngpus; i++)
        if (wanted > x->share[i])
            return fail(err, "%u processes per GPU wanted, GPU %u has %u ranks",
                        wanted, i, x->share[i]);
    return split(x, wanted ? wanted : PROCESSES_PER_GPU, err);
}

/* Returns the number of messages that a node sends, if all pairs of nodes have
 * equal volumes. Algorithm 1 cuts the volume of each sending node by itself, so
 * 16 nodes with 2.5 caps each make 48 messages, not 40. */
static double split_messages(const struct model_input *in)
{
    struct split_volumes v = {model_whole_bytes(in->s_node),
                              model_whole_bytes(in->s_node_to_node),
                              (uint32_t)in->m_node};
    uint64_t cap = split_message_cap(&v, in->message_cap_B, in->ppn);

    if (cap == UINT64_MAX || in->m_node <= 0)
        return in->m_node;
    return in->m_node * fmax(1, ceil(in->s_node / in->m_node / (double)cap));
}

static void split_predict(struct model *c, struct model_time *t, unsigned ppg)
{
    const struct model_input *in = c->in;
    double ppn = in->ppn, messages = split_messages(in);
    double active = c->corrected ? fmin(ppn, messages) : ppn;
    unsigned pps = model_per_socket(c->m, in->ppn);

    if (messages <= 0)
        return;
    double share = c->corrected ? in->s_proc / active : in->s_node / ppg;
    t->off_node_s = model_max_rate(
        model_message(c, OFF_NODE, in->s_node / messages), ceil(messages / ppn),
        in->s_node / active, in->s_node, machine_injection_Bps(c->m));
    t->on_node_s =
        2 * active / ppn *
        model_on_split(model_message_if(c, pps > ppg, ON_SOCKET, share),
                       model_message_if(c, in->ppn > pps, ON_NODE, share),
                       in->ppn, pps, ppg, share);
    t->copy_s = model_copies(c, in->s_proc, in->s_node_to_node, ppg);
}

static void predict_md(struct model *c, struct model_time *t)
{
    split_predict(c, t, 1);
}

static void predict_dd(struct model *c, struct model_time *t)
{
    split_predict(c, t, c->in->ppg);
}

/* Implements Algorithm 1, lines 12 to 17, independently of the plan and with
 * real numbers. */
static uint64_t split_count(const struct machine *m, const struct halo *halo,
                            const struct strategy_options *options,
                            uint32_t from, uint32_t to)
{
    double cap = (double)(options->message_cap_B ? options->message_cap_B
                                                 : machine_rendezvous_limit(m));
    double ppn = options->ranks_per_node ? options->ranks_per_node : m->ncores;
    double volume =
        (double)law_volume(halo, options->keep_duplicates, from, to);
    double total = 0, largest = 0, origins = 0;

    for (uint32_t k = 0; k < halo_nodes(halo); k++) {
        double bytes =
            (double)law_volume(halo, options->keep_duplicates, k, to);
        total += bytes;
        largest = fmax(largest, bytes);
        origins += bytes > 0;
    }
    if (largest < cap)
        return volume > 0;
    if (total / cap > ppn && origins < ppn)
        cap = ceil(total / ppn);
    double whole = fmax(1, floor(cap / halo->value_bytes)); /* values */
    return (uint64_t)ceil(volume / halo->value_bytes / whole);
}

#define HELP                                                                   \
    "What a node sends to others is cut into messages of at most the cap, "    \
    "which all of its\nranks send, and all ranks of the other node receive "   \
    "(through host memory). Receives are\ndealt from the first rank on and "   \
    "sends from the last one back, in an order of places:\nnear the GPUs "     \
    "that receive most are the first, near those that send most the last.\n"
#define OPTIONS "keep-duplicates message-cap ranks-per-node"

const struct strategy split_md_strategy = {
    .name = "split+md",
    .summary = "capped messages by all ranks; one process per GPU copies",
    .help =
        HELP "One process per GPU copies, and messages on the node bring its "
             "data to the ranks\nthat send.",
    .options = OPTIONS,
    .route = route_md,
    .predict = predict_md,
    .messages = split_count,
};

const struct strategy split_dd_strategy = {
    .name = "split+dd",
    .summary = "capped messages by all ranks; several processes per GPU copy",
    .help = HELP "Four processes per GPU copy through duplicate device "
                 "pointers, each its part.",
    .options = OPTIONS,
    .route = route_dd,
    .predict = predict_dd,
    .messages = split_count,
};
