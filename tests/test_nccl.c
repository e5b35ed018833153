/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NCCL's rings and trees: times by hand, protocols, loops compared with all
 * their steps, and channels that are one message compared with each of them. */
#include "strategies/collective/nccl.h"
#include "tests/loop_time.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>

static struct collective asked(enum collective_kind kind, unsigned nodes,
                               unsigned per_node, uint64_t bytes)
{
    return (struct collective){.kind = kind,
                               .nodes = nodes,
                               .ranks_per_node = per_node,
                               .bytes = bytes,
                               .element_B = 4,
                               .memory = COLLECTIVE_DEVICE};
}

static double plan_s(const struct machine *m, const struct plan *p)
{
    struct exec_options exact = exec_defaults;
    struct exec_result r;
    struct err err = {0};

    exact.accuracy = 0;
    CHECK(exec_plan(&r, m, p, &exact, EXEC_MAKESPAN, &err) == 0);
    if (err.text[0])
        fprintf(stderr, "%s\n", err.text);
    double s = r.time_s;
    exec_result_clear(&r);
    return s;
}

/* --- by hand -------------------------------------------------------------- */

static double us(const struct machine *m, const char *name, unsigned nodes,
                 unsigned per_node, uint64_t bytes)
{
    struct collective c = asked(COLLECTIVE_ALLREDUCE, nodes, per_node, bytes);

    return loop_s(m, name, &c, false) * 1e6;
}

static void by_hand(void)
{
    struct machine m;

    tiny_machine(&m, 2);
    tiny_nccl(&m, 1);
    /* 5 us, and 2 * 3 steps of 1 us and 64 B of one channel: 64 ns. */
    CHECK_NEAR(us(&m, "nccl_ring/ll", 1, 4, 256), 5 + 6 * 1.064, 1e-9);
    CHECK_NEAR(us(&m, "nccl_ring/ll128", 1, 4, 256), 5 + 6 * 1.564, 1e-9);
    /* Two slices of 64 B, the second behind the first: 6 steps of 2.064 us, and
     * 64 ns. Twice as much takes two turns of the ring. */
    CHECK_NEAR(us(&m, "nccl_ring/simple", 1, 4, 512), 5 + 6 * 2.064 + 0.064,
               1e-9);
    CHECK_NEAR(us(&m, "nccl_ring/simple", 1, 4, 1024), 5 + 12 * 2.064 + 0.064,
               1e-9);
    /* Three nodes: from 1 to 2 to 0, and back. */
    CHECK_NEAR(us(&m, "nccl_tree/ll", 3, 1, 64), 5 + 4 * 1.064, 1e-9);
    /* 12 chunks through 4 slots: a slot is free when its chunk has been
     * forwarded, 1.128 us after it was sent. The last chunk begins after two
     * such rounds and three chunks. */
    CHECK_NEAR(us(&m, "nccl_tree/ll", 3, 1, UINT64_C(12) * 64),
               5 + 2 * 1.128 + 3 * 0.064 + 4 * 1.064, 1e-9);
    /* The chain 2, 1, 0 of a node, with 3 us between the sockets of 2 and 1: a
     * slot of 2's is free when 1 has forwarded its chunk, 3.128 us after. */
    m.messages[RUNTIME_NCCL_LL][PATH_GDR][ON_NODE].segments[0].alpha_s = 3e-6;
    CHECK_NEAR(us(&m, "nccl_tree/ll", 1, 3, UINT64_C(12) * 64),
               5 + 2 * 3.128 + 3 * 0.064 + 2 * (3.064 + 1.064), 1e-9);
    machine_clear(&m);
}

/* Four blocks of 64 B on four nodes go in three messages: that of the rank two
 * below, which is passed on in the last of them, after 2.064 us. Blocks of 16 B
 * leave room in a chunk, so that two of them share the second message. Work of
 * 10 us for each block precedes it. */
static void aggregated_trees(void)
{
    static const enum collective_kind kinds[] = {COLLECTIVE_ALLGATHER,
                                                 COLLECTIVE_REDUCE_SCATTER};
    struct machine m;

    tiny_machine(&m, 2);
    tiny_nccl(&m, 1);
    for (size_t i = 0; i < 2; i++) {
        struct collective large = asked(kinds[i], 4, 1, 256);
        struct collective small = asked(kinds[i], 4, 1, 64);
        CHECK_NEAR(loop_s(&m, "nccl_pat", &large, false) * 1e6, 5 + 2 * 2.064,
                   1e-9);
        CHECK_NEAR(loop_s(&m, "nccl_pat", &small, false) * 1e6,
                   5 + 2.016 + 2.032, 1e-9);
        m.nccl.protocols[NCCL_PAT].step_s = 10e-6;
        CHECK_NEAR(loop_s(&m, "nccl_pat", &small, false) * 1e6,
                   5 + 10 + 2.016 + 20 + 2.032, 1e-9);
        m.nccl.protocols[NCCL_PAT].step_s = 0;
    }
    machine_clear(&m);
}

/* Two nodes of three GPUs, two of which are heads: 3 us until a switch adds,
 * then a message to the head, one to the network, and one from the head, or two
 * each along a chain. A second chunk follows the first by 64 ns. */
static void added_by_network(void)
{
    struct collective c = asked(COLLECTIVE_ALLREDUCE, 2, 3, 128);
    struct machine m;
    struct err err = {0};
    struct loop l;

    tiny_machine(&m, 2);
    tiny_nccl(&m, 1);
    m.nccl.protocols[NCCL_COLLNET].step_s = 3e-6;
    const struct collective_algorithm *a =
        collective_find(c.kind, "nccl_collnet_direct", &err);
    CHECK(a && collective_loop(&l, &m, a, &c, &err) < 0);
    CHECK_HAS(err.text, "tiny has no network.reduces with nccl.collnet");
    loop_clear(&l);
    m.network.reduces = true;
    CHECK_NEAR(us(&m, "nccl_collnet_direct", 2, 3, 256),
               5 + 3 + 3 * 2.064 + 0.064, 1e-9);
    CHECK_NEAR(us(&m, "nccl_collnet_chain", 2, 3, 64), 5 + 3 + 5 * 2.032, 1e-9);
    machine_clear(&m);
}

/* The number of rings of 8 channels on this number of GPUs: one on a node, or
 * as many as there are orders if all are joined; on several nodes one for each
 * GPU. */
static void rings(void)
{
    static const struct {
        unsigned nodes, per_node, joined, want;
    } of[] = {{1, 4, 0, 1}, {1, 3, 0, 1}, {1, 2, 2, 1},
              {1, 3, 3, 2}, {1, 4, 6, 6}, {3, 1, 0, 1}};
    struct machine m;

    tiny_machine(&m, 2);
    tiny_nccl(&m, 8);
    size_t nwires = m.nwires;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct collective c =
            asked(COLLECTIVE_ALLREDUCE, of[i].nodes, of[i].per_node, 1 << 20);
        struct nccl_groups g;
        m.nwires = of[i].joined ? nwires : 0;
        m.ngpus = of[i].joined ? 2 : 4;
        nccl_groups_of(&g, &m, &c, 64);
        CHECK_EQ(g.n, of[i].want);
        CHECK_EQ(g.channels, 8 / of[i].want);
        nccl_groups_clear(&g);
    }
    m.nwires = nwires;
    m.ngpus = 4;
    machine_clear(&m);
}

/* Two GPUs are near each of two NICs: a ring enters a node at one of them and
 * leaves it at the other. */
static void rings_of_nodes(void)
{
    static const uint32_t want[2][8] = {{1, 2, 3, 0, 5, 6, 7, 4},
                                        {3, 0, 1, 2, 7, 4, 5, 6}};
    struct collective c = asked(COLLECTIVE_ALLREDUCE, 2, 4, 1 << 20);
    struct nccl_groups g;
    struct machine m;

    tiny_machine(&m, 2);
    tiny_nccl(&m, 8);
    nccl_groups_of(&g, &m, &c, 64);
    CHECK_EQ(g.n, 2);
    CHECK_EQ(g.channels, 4);
    for (uint32_t i = 0; g.n == 2 && i < 16; i++)
        CHECK_EQ(g.order[i], want[i / 8][i % 8]);
    nccl_groups_clear(&g);
    machine_clear(&m);
}

/* With NCCL_CROSS_NIC=0 a ring enters a node at the GPU of the same number as
 * the one at which it left the node before. */
static void one_rail(void)
{
    struct collective c = asked(COLLECTIVE_ALLREDUCE, 4, 4, 1 << 20);
    struct nccl_groups g;
    struct machine m;

    tiny_machine(&m, 2);
    tiny_nccl(&m, 8);
    m.nccl.settings.same_rail = true;
    nccl_groups_of(&g, &m, &c, 64);
    for (uint32_t i = 0; i < g.n; i++)
        for (uint32_t node = 0; node < 4; node++) {
            const uint32_t *order = &g.order[(size_t)i * g.ranks];
            CHECK_EQ(order[node * 4 + 3] % 4,
                     order[(node * 4 + 4) % g.ranks] % 4);
        }
    nccl_groups_clear(&g);
    machine_clear(&m);
}

/* Six wires between four GPUs are a mesh only if they join six pairs. */
static void rings_of_double_wires(void)
{
    static const unsigned double_square[][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}};
    struct collective c = asked(COLLECTIVE_ALLREDUCE, 1, 4, 1 << 20);
    struct nccl_groups g;
    struct machine m;

    tiny_machine(&m, 2); /* joins 0 and 1, 2 and 3 */
    tiny_nccl(&m, 8);
    for (size_t i = 0; i < 4; i++)
        tiny_wire(&m, 2 + double_square[i][0], 2 + double_square[i][1], 40e9);
    nccl_groups_of(&g, &m, &c, 64);
    CHECK_EQ(g.n, 1);
    nccl_groups_clear(&g);
    tiny_wire(&m, 5, 2, 40e9);
    tiny_wire(&m, 4, 3, 40e9);
    nccl_groups_of(&g, &m, &c, 64);
    CHECK_EQ(g.n, 6);
    nccl_groups_clear(&g);
    machine_clear(&m);
}

/* 16 B of 4 ranks are enough for 8 channels of at least 1 B, but a
 * channel of LL has at least 1 B for each rank, so that a chain has 4. */
static void chain_channels(void)
{
    static const struct {
        const char *name;
        unsigned channels;
    } of[] = {{"nccl_ring/ll", 4}, {"nccl_ring/ll128", 8}};
    struct collective c = asked(COLLECTIVE_BROADCAST, 1, 4, 16);
    struct machine m;
    struct loop l;

    tiny_machine(&m, 2);
    tiny_nccl(&m, 8);
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        loop_of(&l, &m, of[i].name, &c);
        CHECK_EQ(l.body.ops[0].channels, of[i].channels);
        loop_clear(&l);
    }
    machine_clear(&m);
}

/* A channel's threads take 6 ns for a byte that they receive and forward. A
 * ring of four does that once per six sends, or three of an allgather; a tree
 * for each. */
static void taken_over(void)
{
    struct collective gather = asked(COLLECTIVE_ALLGATHER, 1, 4, 256);
    struct collective chain = asked(COLLECTIVE_BROADCAST, 1, 4, 64);
    struct machine m;

    tiny_machine(&m, 2);
    tiny_nccl(&m, 1);
    double untouched_s = loop_s(&m, "nccl_ring/ll", &chain, false);
    m.nccl.protocols[NCCL_LL].take_s_per_B = 6e-9;
    CHECK_NEAR(us(&m, "nccl_ring/ll", 1, 4, 256), 5 + 6 * (1.064 + 0.064),
               1e-9);
    CHECK_NEAR(loop_s(&m, "nccl_ring/ll", &gather, false) * 1e6,
               5 + 3 * (1.064 + 0.128), 1e-9);
    CHECK_NEAR(us(&m, "nccl_tree/ll", 3, 1, 64), 5 + 4 * 1.064, 1e-9);
    CHECK_NEAR(us(&m, "nccl_tree/ll", 1, 2, 64), 5 + 2 * (1.064 + 0.384), 1e-9);
    CHECK_NEAR(loop_s(&m, "nccl_ring/ll", &chain, false), untouched_s, 1e-12);
    machine_clear(&m);
}

/* All of the vector and a quarter of it pass each GPU's link in each direction,
 * with a quarter more on the wires: at 10 GB/s, 3 us behind the last byte. */
static void in_switch(void)
{
    struct collective c = asked(COLLECTIVE_ALLREDUCE, 1, 4, 4096);
    struct machine m;
    struct err err = {0};
    struct loop l;

    tiny_machine(&m, 2);
    tiny_nccl(&m, 64);
    const struct collective_algorithm *a =
        collective_find(c.kind, "nccl_nvls", &err);
    CHECK(a && collective_loop(&l, &m, a, &c, &err) < 0);
    CHECK_HAS(err.text, "tiny has GPUs without a switch that reduces");
    loop_clear(&l);
    m.devices = xrealloc(m.devices, m.ndevices + 1, sizeof *m.devices);
    tiny_device(&m, "switch0", DEVICE_SWITCH, 0, 0);
    m.nswitches = 1;
    for (unsigned g = 0; g < 4; g++) {
        tiny_wire(&m, 8, 2 + g, 10e9);
        m.wires[m.nwires - 1].reduces = true;
    }
    /* GPUs 0 and 1, 2 and 3 have direct wires, which are as fast. */
    m.wires[5].bandwidth_Bps = m.wires[6].bandwidth_Bps = 10e9;
    CHECK_NEAR(us(&m, "nccl_nvls", 1, 4, 4096),
               5 + 3 + 1.25 * 4096 * 1.25 / 10e9 * 1e6, 1e-9);
    machine_clear(&m);
}

/* Long messages are limited by the bytes on the wires, which for LL are twice
 * its own. */
static void efficiency(void)
{
    static const struct {
        const char *name;
        double copies;
    } of[] = {{"nccl_ring/simple", 1},
              {"nccl_ring/ll", 2},
              {"nccl_ring/ll128", 17.0 / 16}};
    struct machine m;

    tiny_machine(&m, 2);
    tiny_nccl(&m, 64);
    for (int p = 0; p < NNCCL_PROTOCOLS; p++)
        m.nccl.protocols[p].slot_B = 4 << 20;
    for (int i = 0; i < 3; i++) {
        /* The route from GPU 1 to 2 is through both sockets: 10 GB/s; 6 of 4
         * blocks. */
        double wire_us = 6 * of[i].copies * (256 << 20) / 4 / 10e9 * 1e6;
        CHECK_NEAR(us(&m, of[i].name, 1, 4, 256 << 20), wire_us, 1e-3);
    }
    machine_clear(&m);
}

/* --- loops, channels ------------------------------------------------------ */

/* Makes each channel a separate message. */
static void split_channels(struct plan *p, const struct plan *from,
                           const struct machine *m)
{
    plan_init(p, m, from->name, from->nodes, from->ranks_per_node, from->core);
    p->runtime = from->runtime;
    p->begin_s = from->begin_s;
    p->channel_work = from->channel_work;
    for (uint32_t i = 0; i < from->nops; i++) {
        const struct op *o = &from->ops[i];
        for (uint32_t k = 0; k < o->channels; k++) {
            uint32_t op =
                plan_msg(p, (enum phase)o->phase, o->src, o->dst, o->src_gpu,
                         o->dst_gpu, o->bytes / o->channels);
            p->ops[op].channels = 1;
            for (uint32_t d = plan_first_dep(from, i);
                 d < plan_end_dep(from, i); d++)
                plan_after(p, ((from->deps[d] & DEP_OP) * o->channels + k) |
                                  (from->deps[d] & ~DEP_OP));
        }
    }
}

static void same(const struct machine *m, const char *name,
                 const struct collective *c)
{
    struct plan p, split;
    struct err err;
    struct loop l;

    loop_of(&l, m, name, c);
    CHECK(l.steps > 1);
    CHECK(l.body.ops[0].channels > 1);
    CHECK(loop_unroll(&p, &l, &err) == 0);
    split_channels(&split, &p, m);
    double all_s = plan_s(m, &p);
    CHECK_NEAR(loop_s(m, name, c, false), all_s, 1e-9);
    CHECK_NEAR(loop_s(m, name, c, true), all_s, 1e-9);
    CHECK_NEAR(plan_s(m, &split), all_s, 1e-9);
    plan_clear(&p);
    plan_clear(&split);
    loop_clear(&l);
}

/* The vectors divide evenly. If rings share links, rounding decides after some
 * hundred steps which is first: between nodes there are fewer. */
static void collapsed(void)
{
    static const struct {
        enum collective_kind kind;
        const char *name;
    } of[] = {{COLLECTIVE_ALLREDUCE, "nccl_ring/simple"},
              {COLLECTIVE_ALLREDUCE, "nccl_ring/ll"},
              {COLLECTIVE_ALLREDUCE, "nccl_tree/ll"},
              {COLLECTIVE_ALLREDUCE, "nccl_tree/simple"},
              {COLLECTIVE_ALLGATHER, "nccl_ring/ll128"},
              {COLLECTIVE_REDUCE_SCATTER, "nccl_ring/simple"},
              {COLLECTIVE_BROADCAST, "nccl_ring/simple"},
              {COLLECTIVE_REDUCE, "nccl_ring/ll"}};
    struct machine m;

    tiny_machine(&m, 2);
    tiny_nccl(&m, 16);
    for (int p = RUNTIME_NCCL_SIMPLE; p <= RUNTIME_NCCL_LL128; p++)
        m.messages[p][PATH_GDR][OFF_NODE].segments[0].beta_s_per_B = 0;
    for (int p = 0; p < NNCCL_PROTOCOLS; p++)
        m.nccl.protocols[p].take_s_per_B = 4e-9;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct collective c =
            asked(of[i].kind, 1, 4, UINT64_C(16) * 64 * 8 * 12);
        same(&m, of[i].name, &c);
        c = asked(of[i].kind, 4, 4, UINT64_C(16) * 64 * 16 * 2);
        same(&m, of[i].name, &c);
    }
    /* 8 nodes have 32 GPUs. */
    struct collective c =
        asked(COLLECTIVE_ALLREDUCE, 8, 4, UINT64_C(16) * 64 * 32 * 2);
    same(&m, "nccl_ring/ll", &c);
    machine_clear(&m);
}

/* --- refusals ------------------------------------------------------------- */

static void refused(const struct machine *m, const struct collective *c,
                    const char *why)
{
    struct err err = {0};
    const struct collective_algorithm *a =
        collective_find(c->kind, "nccl_ring/ll", &err);
    struct loop l;

    CHECK(a && collective_loop(&l, m, a, c, &err) < 0);
    CHECK_HAS(err.text, why);
    CHECK_EQ(l.body.nops, 0);
    loop_clear(&l);
}

static void refuses(void)
{
    struct collective c = asked(COLLECTIVE_ALLREDUCE, 2, 4, 64);
    struct machine m;

    tiny_machine(&m, 2);
    refused(&m, &c, "tiny has no nccl");
    tiny_nccl(&m, 2);
    c.memory = COLLECTIVE_HOST;
    refused(&m, &c, "between GPUs only (memory=device)");
    c.memory = COLLECTIVE_DEVICE;
    c.ranks_per_node = 4;
    c.per_gpu = 2;
    refused(&m, &c, "one rank on each GPU");
    machine_clear(&m);
}

int main(void)
{
    by_hand();
    aggregated_trees();
    added_by_network();
    one_rail();
    chain_channels();
    rings();
    rings_of_nodes();
    rings_of_double_wires();
    taken_over();
    in_switch();
    efficiency();
    collapsed();
    refuses();
    return check_result();
}
