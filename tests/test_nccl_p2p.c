/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NCCL's all-to-all by sends and receives: channels of a message, times by
 * hand, and the routes of blocks between nodes. */
#include "platforms/platform.h"
#include "strategies/collective/nccl.h"
#include "tests/loop_time.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>

static struct collective asked(unsigned nodes, unsigned per_node,
                               uint64_t bytes)
{
    return (struct collective){.kind = COLLECTIVE_ALLTOALL,
                               .nodes = nodes,
                               .ranks_per_node = per_node,
                               .bytes = bytes,
                               .element_B = 4,
                               .memory = COLLECTIVE_DEVICE,
                               .pieces = true};
}

/* In a node a message has a channel for each 64 KiB, and all messages of a GPU
 * have 32 channels. Between nodes a channel has 64 to 128 KiB, and four fill a
 * NIC. */
static void channels(void)
{
    static const struct {
        const char *machine;
        unsigned nodes, per_node;
        uint64_t block_B;
        unsigned want;
    } cases[] = {
        {"dgx-h100", 1, 2, 16384, 1},    {"dgx-h100", 1, 2, 65537, 2},
        {"dgx-h100", 1, 2, 1 << 20, 16}, {"dgx-h100", 1, 8, 1 << 20, 4},
        {"dgx-h100", 1, 8, 80 << 20, 8}, {"gb200-nvl72", 1, 72, 1 << 20, 1},
        {"dgx-h100", 2, 8, 65536, 1},    {"dgx-h100", 2, 8, 1 << 20, 4},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct collective c = asked(cases[i].nodes, cases[i].per_node, 8);
        struct machine m;
        struct err err;
        CHECK(platform_load(&m, cases[i].machine, NULL, 0, &err) == 0);
        struct nccl_system s = nccl_system_of(&m, &c);
        CHECK_EQ(nccl_p2p_channels(&s, nccl_channels(&m, &c, NULL),
                                   &m.nccl.protocols[NCCL_P2P],
                                   cases[i].block_B),
                 cases[i].want);
        machine_clear(&m);
    }
}

/* A wire of 40 GB/s joins two GPUs. Each sends 64 KiB by one of eight channels,
 * at 1 GB/s: 5 us, 65.536 us, 2 us. Twice as much has two channels. */
static void by_hand(const struct machine *m)
{
    struct collective c = asked(1, 2, 2 * 65536);

    CHECK_NEAR(loop_us(m, "nccl_p2p", &c), 5 + 65.536 + 2, 1e-6);
    c.bytes *= 2;
    CHECK_NEAR(loop_us(m, "nccl_p2p", &c), 5 + 65.536 + 2, 1e-6);
}

/* Each block arrives once. With PXN ranks send to ranks of other nodes only if
 * they have the same place in their node. */
static void routes(const struct machine *m, unsigned nodes, bool nvlink)
{
    struct collective c = asked(nodes, 4, (uint64_t)nodes * 4 * 64);
    uint32_t ranks = nodes * 4, got = 0;
    struct loop l;

    loop_of(&l, m, "nccl_p2p", &c);
    const struct plan *p = &l.body;
    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        const struct piece *piece = &p->pieces[i];
        if (o->phase == PHASE_OFF_NODE && nvlink)
            CHECK_EQ(o->src % 4, o->dst % 4);
        got += piece->first == o->dst;
        if (piece->first != o->dst)
            CHECK_EQ(piece->first % 4, o->dst % 4);
    }
    CHECK_EQ(p->npieces, p->nops);
    CHECK_EQ(got, ranks * (ranks - 1));
    loop_clear(&l);
}

/* If a job has many ranks, the messages of one node are planned. If nodes are
 * not alike, ranks send one message at a time, which has the channels of all:
 * 200 channels are 256 as a power of two, and an operation holds 255. */
static void many_channels(struct machine *m)
{
    struct collective c = asked(145, 4, 145 * 4 * 64);
    unsigned channels = m->nccl.channels, nodes = m->network.nodes;
    struct loop l;

    m->nccl.channels = 200;
    m->network.nodes = 145;
    loop_of(&l, m, "nccl_p2p", &c);
    CHECK(l.of_one_node && !l.turning);
    loop_clear(&l);
    m->network.nodes_per_rack = 5;
    loop_of(&l, m, "nccl_p2p", &c);
    CHECK(l.turning == 580 && !l.of_one_node);
    CHECK_EQ(l.body.ops[0].channels, 255);
    loop_clear(&l);
    m->nccl.channels = channels;
    m->network.nodes = nodes;
    m->network.nodes_per_rack = 0;
}

int main(void)
{
    struct machine m;

    channels();
    tiny_machine(&m, 2);
    tiny_nccl(&m, 8);
    m.nccl.protocols[NCCL_P2P].slot_B = 1 << 19;
    m.nccl.protocols[NCCL_P2P].channel_B = 1 << 16;
    by_hand(&m);
    routes(&m, 1, true);
    routes(&m, 3, true);
    many_channels(&m);
    m.nwires -= 2; /* the wires between GPUs */
    routes(&m, 3, false);
    m.nwires += 2;
    machine_clear(&m);
    return check_result();
}
