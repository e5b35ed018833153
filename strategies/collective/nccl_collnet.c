/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nccl_collnet.c - all-reduces through switches of the network that add
 * (SHARP), as NCCL's CollNet (github.com/NVIDIA/nccl 5067397c, src/enqueue.cc,
 * src/graph/connect.cc). In each node the GPUs send parts of the vector to
 * heads, one for each NIC, directly (CollnetDirect) or along a chain
 * (CollnetChain). The heads send the sums to the network and pass on what comes
 * from it.
 *
 * A switch's work is a message of a head to that of the next node, because it
 * loads each NIC as SHARP does, with the part once in each direction for any
 * number of nodes. The plan does not contain the additions in the
 * switches; the time until the first of them is nccl.collnet.step_us.
 */
#include "strategies/collective/nccl.h"

struct collnet {
    struct loop *l;
    const struct machine *m;
    uint32_t nodes, per_node, heads;
    bool chain;
    uint64_t part_B; /* a head has this many bytes in a step */
    unsigned channels;
};

/* Returns the GPU that is i places behind a head. */
static uint32_t behind(const struct collnet *x, uint32_t node, uint32_t head,
                       uint32_t i)
{
    uint32_t first = head * x->per_node / x->heads;

    return node * x->per_node + (first + i) % x->per_node;
}

/* up_op() is the number of the message from the i-th GPU behind a head,
 * net_op() that of the head's to the network, down_op() that of the head's to
 * the GPU. Messages to a head begin at the end of the chain. */
static uint32_t up_op(const struct collnet *x, uint32_t node, uint32_t head,
                      uint32_t i)
{
    return (node * x->heads + head) * (x->per_node - 1) + x->per_node - 1 - i;
}

static uint32_t net_op(const struct collnet *x, uint32_t node, uint32_t head)
{
    return x->nodes * x->heads * (x->per_node - 1) + node * x->heads + head;
}

static uint32_t down_op(const struct collnet *x, uint32_t node, uint32_t head,
                        uint32_t i)
{
    return net_op(x, x->nodes - 1, x->heads - 1) +
           (node * x->heads + head) * (x->per_node - 1) + i;
}

static uint32_t collnet_send(const struct collnet *x, uint32_t from,
                             uint32_t to)
{
    uint32_t op = nccl_send(x->l, x->m, from, to, x->part_B, x->channels);

    plan_after_last(&x->l->body, op | AFTER_SENT);
    return op;
}

static void collnet_up(const struct collnet *x, uint32_t node, uint32_t head)
{
    for (uint32_t i = x->per_node - 1; i > 0; i--) {
        collnet_send(x, behind(x, node, head, i),
                     behind(x, node, head, x->chain ? i - 1 : 0));
        if (x->chain && i + 1 < x->per_node)
            plan_after(&x->l->body, up_op(x, node, head, i + 1));
    }
}

static void collnet_net(const struct collnet *x, uint32_t node, uint32_t head)
{
    uint32_t next = (node + 1) % x->nodes;

    collnet_send(x, behind(x, node, head, 0), behind(x, next, head, 0));
    for (uint32_t i = 1; i < x->per_node; i++)
        if (i == 1 || !x->chain)
            plan_after(&x->l->body, up_op(x, node, head, i));
}

static void collnet_down(const struct collnet *x, uint32_t node, uint32_t head)
{
    uint32_t before = (node + x->nodes - 1) % x->nodes;

    for (uint32_t i = 1; i < x->per_node; i++) {
        collnet_send(x, behind(x, node, head, x->chain ? i - 1 : 0),
                     behind(x, node, head, i));
        plan_after(&x->l->body, x->chain && i > 1
                                    ? down_op(x, node, head, i - 1)
                                    : net_op(x, before, head));
    }
}

static void collnet_body(const struct collnet *x)
{
    static void (*const stages[])(const struct collnet *x, uint32_t node,
                                  uint32_t head) = {collnet_up, collnet_net,
                                                    collnet_down};

    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        for (uint32_t node = 0; node < x->nodes; node++)
            for (uint32_t head = 0; head < x->heads; head++)
                stages[i](x, node, head);
}

static int collnet_check(const struct machine *m,
                         const struct collective_algorithm *a,
                         const struct collective *c, struct err *err)
{
    if (nccl_check(m, a, c, err) < 0)
        return -1;
    if (!m->network.reduces || !m->nccl.protocols[NCCL_COLLNET].slot_B)
        return fail(err, "%s: %s has no network.reduces with nccl.collnet",
                    a->name, m->name);
    if (c->nodes < 2 || collective_ranks(c) != c->nodes * c->ranks_per_node)
        return fail(err, "%s: several nodes, as many ranks on all", a->name);
    return 0;
}

static int collnet_loop(struct loop *l, const struct machine *m,
                        const struct collective_algorithm *a,
                        const struct collective *c, bool chain, struct err *err)
{
    static const struct nccl_chunk_rule rules[] = {
        {64, 131072}, {8, 65536}, {8, 32768}};
    const struct nccl_protocol *p = &m->nccl.protocols[NCCL_COLLNET];

    if (collnet_check(m, a, c, err) < 0)
        return -1;
    const struct nccl_system s = nccl_system_of(m, c);
    unsigned n = c->ranks_per_node, all = nccl_channels(m, c, NULL);
    struct collnet x = {.l = l,
                        .m = m,
                        .nodes = c->nodes,
                        .per_node = n,
                        .heads = s.nics < n ? s.nics : n,
                        .chain = chain};
    /* A channel serves all heads, but one chain. */
    x.channels = chain && all > x.heads ? all / x.heads : all;
    uint64_t most_B = chain ? p->slot_B / 2 : p->slot_B;
    uint64_t at_once = (uint64_t)x.heads * x.channels;
    uint64_t chunk_B = nccl_chunk_B(rules, 3, most_B, c->bytes, at_once);
    uint64_t steps = (c->bytes + chunk_B * at_once - 1) / (chunk_B * at_once);
    nccl_open(l, m, a, c);
    nccl_call(l, m, c, all, 0);
    l->steps = steps ? (uint32_t)steps : 1;
    l->body.begin_s += p->step_s;
    uint64_t parts = (uint64_t)l->steps * x.heads;
    x.part_B = (c->bytes + parts - 1) / parts;
    collnet_body(&x);
    return 0;
}

#define COLLNET(named, is_chain, words)                                        \
    static int named##_loop(struct loop *l, const struct machine *m,           \
                            const struct collective_algorithm *a,              \
                            const struct collective *c, struct err *err)       \
    {                                                                          \
        return collnet_loop(l, m, a, c, is_chain, err);                        \
    }                                                                          \
    const struct collective_algorithm                                          \
        nccl_collnet_##named##_allreduce_collective = {                        \
            .kind = COLLECTIVE_ALLREDUCE,                                      \
            .by_node = true,                                                   \
            .name = "nccl_collnet_" #named,                                    \
            .summary = (words),                                                \
            .refuses = nccl_refuses,                                           \
            .in_switch = true,                                                 \
            .runtime = RUNTIME_NCCL_SIMPLE,                                    \
            .make_loop = named##_loop,                                         \
    }

COLLNET(direct, false, "by switches of the network (SHARP): CollnetDirect");
COLLNET(chain, true, "by switches of the network (SHARP): CollnetChain");
