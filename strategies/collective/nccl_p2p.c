/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nccl_p2p.c - an all-to-all as a group of ncclSend() and ncclRecv(): a kernel
 * on each GPU sends to all others. A message has as many channels as NCCL gives
 * it by its bytes and the number of ranks (github.com/NVIDIA/nccl 5067397c,
 * src/enqueue.cc, src/graph/paths.cc), and as many are sent at once as the
 * channels allow. It goes by LL if a channel has few bytes: this is the first
 * segment of the message table.
 *
 * A message to another node goes by NVLink to the GPU that shares a rail with
 * the receiver, and from there through that GPU's NIC (PXN), if NVLink joins
 * the GPUs; RCCL does so in large jobs alone. A plan of all messages of more
 * than MOST_PLANNED ranks would be too long: if nodes are alike, it has those
 * that one node sends; otherwise ranks send straight, in turns in which rank r
 * sends to rank r + i.
 */
#include "platforms/nccl_settings.h"
#include "strategies/collective/nccl.h"
#include "strategies/collective/nccl_graph.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { BATCH = 8, MOST_PLANNED = 576 };

/* Returns the smallest power of two that is not below n. */
static unsigned power_from(double n)
{
    unsigned power = 1;

    while (power < n)
        power *= 2;
    return power;
}

/* Returns the channels of a message for each link to another GPU. RCCL has more
 * on MI300, and twice as many there if one node has all ranks (github.com/ROCm/
 * rccl 0cbce2a7, src/graph/paths.cc). */
static unsigned of_link(const struct nccl_system *s)
{
    return !nccl_is_rccl(s->generation) || s->generation == RCCL_MI200 ? 2
           : s->nodes > 1                                              ? 4
                                                                       : 8;
}

/* Returns the channels that a message may have at most: so many for each link
 * to another GPU, or enough for the NIC. */
static unsigned most_of_peer(const struct nccl_system *s, unsigned all)
{
    double links = s->nvlink ? round(s->gpu_GBps / nccl_link_GBps(s)) : 1;
    double in_node =
        links / (s->switched || s->per_node < 2 ? 1 : s->per_node - 1);
    unsigned n = power_from(of_link(s) * fmax(1, floor(in_node)));

    if (s->nodes > 1) {
        unsigned set = s->set.net_peer_channels;
        unsigned net = set ? set : power_from(fmax(2, ceil(s->nic_GBps / 14)));
        unsigned groups = (s->ranks + BATCH - 1) / BATCH;
        n = s->per_node > 1 && n < net ? n : net;
        while (n * groups > all && n > 1)
            n /= 2;
    }
    return n < all ? n : all;
}

/* Returns the channels of all messages of a GPU. */
static unsigned all_channels(const struct nccl_settings *set, unsigned channels)
{
    if (set->max_p2p_channels && channels > set->max_p2p_channels)
        channels = set->max_p2p_channels;
    return power_from(fmax(channels, set->min_p2p_channels));
}

/* Returns the bytes of a chunk unless settings change them. */
static uint64_t own_chunk_of(const struct nccl_system *s,
                             const struct nccl_protocol *p)
{
    return s->nodes > 1 || !s->nvlink ? p->slot_B / NCCL_SHORTER_CHUNKS
                                      : p->slot_B;
}

/* Returns the bytes of a chunk. */
static uint64_t chunk_of(const struct nccl_system *s,
                         const struct nccl_protocol *p)
{
    uint64_t set_B = s->nodes > 1 ? s->set.net_chunk_B
                     : s->nvlink  ? s->set.nvlink_chunk_B
                                  : s->set.pcie_chunk_B;

    return set_B ? set_B : own_chunk_of(s, p);
}

unsigned nccl_p2p_channels(const struct nccl_system *s, unsigned channels,
                           const struct nccl_protocol *p, uint64_t bytes)
{
    unsigned all = all_channels(&s->set, channels);
    unsigned most = most_of_peer(s, all), n = most;
    uint64_t chunk_B = chunk_of(s, p);
    uint64_t least_B = s->nodes > 1 ? chunk_B / 2 : p->channel_B;
    uint64_t most_B = s->nodes > 1 ? chunk_B : 32 * chunk_B;

    while (n * s->ranks > all && n > 1)
        n /= 2;
    if (bytes < n * least_B)
        n = bytes > least_B ? (unsigned)((bytes + least_B - 1) / least_B) : 1;
    while (bytes > n * most_B && n <= most / 2)
        n *= 2;
    return n;
}

/* The fewest ranks with which a library uses PXN unless told otherwise
 * (github.com/ROCm/rccl 00c78b70, src/rccl_wrap.cc, src/graph/paths.cc). */
static const uint32_t pxn_from[NNCCL_GENERATIONS] = {
    [RCCL_MI200] = UINT32_MAX, [RCCL_MI300] = 64, [RCCL_MI350] = 32};

static bool uses_pxn(const struct nccl_system *s)
{
    return s->nvlink &&
           (s->set.pxn == NCCL_PXN_UNSET ? s->ranks >= pxn_from[s->generation]
                                         : s->set.pxn == NCCL_PXN_ON);
}

/* The plan of an all-to-all. A rank's newest messages are kept, because a new
 * one waits until the oldest of them has left. */
struct p2p {
    struct loop *l;
    const struct machine *m;
    const struct collective *c;
    bool pxn;
    unsigned channels; /* of a message */
    unsigned at_once;  /* messages of a rank, which share its channels */
    uint64_t block_B;
    uint32_t ranks, *newest, *sent; /* at_once for each rank; their number */
};

static uint32_t p2p_message(const struct p2p *x, uint32_t from, uint32_t to)
{
    return nccl_send(x->l, x->m, from, to, x->block_B, x->channels);
}

/* Lets the newest message wait for an earlier one of its sender. */
static void p2p_in_turn(const struct p2p *x, uint32_t from, uint32_t op)
{
    uint32_t *oldest =
        &x->newest[(size_t)from * x->at_once + x->sent[from] % x->at_once];

    if (x->sent[from]++ >= x->at_once)
        plan_after(&x->l->body, *oldest | AFTER_SENT);
    *oldest = op;
}

static void p2p_carries(const struct p2p *x, uint32_t src, uint32_t dst)
{
    if (x->c->pieces)
        plan_piece(&x->l->body, (struct piece){src, dst, 1});
}

static void p2p_block(const struct p2p *x, uint32_t from, uint32_t to)
{
    uint32_t n = x->c->ranks_per_node;
    uint32_t rail = from - from % n + to % n;
    uint32_t first = rail;

    if (from / n == to / n || rail == from || !x->pxn || rail >= x->ranks)
        first = to;
    uint32_t op = p2p_message(x, from, first);
    p2p_in_turn(x, from, op);
    p2p_carries(x, from, to);
    if (first == to)
        return;
    (void)p2p_message(x, rail, to);
    plan_after(&x->l->body, op);
    p2p_carries(x, from, to);
}

/* Plans all messages of the first `senders` ranks. */
static void p2p_all(struct p2p *x, uint32_t senders)
{
    x->newest = xcalloc((size_t)x->ranks * x->at_once, sizeof *x->newest);
    x->sent = xcalloc(x->ranks, sizeof *x->sent);
    for (uint32_t i = 1; i < x->ranks; i++)
        for (uint32_t r = 0; r < senders; r++)
            p2p_block(x, r, (r + i) % x->ranks);
    free(x->newest);
    free(x->sent);
    x->l->steps = 1;
}

/* One message at a time has the channels of all. A rank waits for the message
 * that it receives, too, so that no two are for one rank at the same time. */
static void p2p_turns(struct p2p *x)
{
    struct plan *p = &x->l->body;

    x->channels *= x->at_once;
    for (uint32_t r = 0; r < x->ranks; r++) {
        uint32_t to = (r + 1) % x->ranks;
        (void)p2p_message(x, r, to);
        plan_after_last(p, r | AFTER_SENT);
        plan_after_last(p, (r + x->ranks - 1) % x->ranks);
        plan_after_last(p, to | FOR_RECEIVE | AFTER_SENT);
        plan_after_last(p, r | FOR_RECEIVE);
    }
    x->l->turning = x->ranks;
    x->l->steps = x->ranks - 1;
}

/* Returns whether the plan of so many ranks is that of one node. */
static bool is_of_one_node(const struct machine *m, const struct collective *c)
{
    uint32_t ranks = collective_ranks(c);

    return ranks > MOST_PLANNED && ranks == c->nodes * c->ranks_per_node &&
           machine_nodes_alike(m, c->nodes);
}

bool nccl_p2p_in_turns(const struct machine *m, const struct collective *c)
{
    return collective_ranks(c) > MOST_PLANNED && !is_of_one_node(m, c);
}

static int p2p_loop(struct loop *l, const struct machine *m,
                    const struct collective_algorithm *a,
                    const struct collective *c, struct err *err)
{
    const struct nccl_protocol *p = nccl_protocol_of(m, a->runtime);

    if (nccl_check(m, a, c, err) < 0)
        return -1;
    if (!p->slot_B)
        return fail(err, "%s: %s has no nccl.p2p", a->name, m->name);
    const struct nccl_system s = nccl_system_of(m, c);
    struct p2p x = {.l = l,
                    .m = m,
                    .c = c,
                    .pxn = uses_pxn(&s),
                    .ranks = collective_ranks(c)};
    nccl_open(l, m, a, c);
    nccl_call(l, m, c, 1, 2 * x.ranks);
    l->repeats = false;
    if (x.ranks < 2)
        return 0;
    x.block_B = c->bytes / x.ranks;
    x.channels = nccl_p2p_channels(&s, nccl_channels(m, c, NULL), p, x.block_B);
    assert(x.channels);
    x.at_once = all_channels(&s.set, nccl_channels(m, c, NULL)) / x.channels;
    double part_B = (double)x.block_B / x.channels;
    /* Fitted for a slot where chunks are NCCL's own. */
    double fill_B = (double)p->slot_B * (double)chunk_of(&s, p) /
                    (double)own_chunk_of(&s, p);
    l->body.begin_s += p->fill_s_per_B * fmin(part_B, fill_B);
    l->of_one_node = is_of_one_node(m, c);
    l->ngpus = m->ngpus;
    if (nccl_p2p_in_turns(m, c))
        p2p_turns(&x);
    else
        p2p_all(&x, l->of_one_node ? c->ranks_per_node : x.ranks);
    return 0;
}

const struct collective_algorithm nccl_p2p_alltoall_collective = {
    .kind = COLLECTIVE_ALLTOALL,
    .by_node = true,
    .name = "nccl_p2p",
    .summary = "NCCL's sends and receives of a group, with PXN between nodes",
    .refuses = nccl_refuses,
    .runtime = RUNTIME_NCCL_P2P,
    .make_loop = p2p_loop,
};
