/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NCCL's NVLSTree: a step by hand, the traffic between nodes, and that links in
 * a node or NICs bound a long vector. */
#include "sim/plan/report.h"
#include "strategies/collective/nccl.h"
#include "tests/loop_time.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>

/* Four GPUs behind a switch that adds, at 10 GB/s, and a NIC beside each. */
static void switched(struct machine *m)
{
    tiny_machine(m, 2);
    tiny_nccl(m, 64);
    m->gpu.arch = xstrdup("sm_90");
    m->devices = xrealloc(m->devices, m->ndevices + 1, sizeof *m->devices);
    tiny_device(m, "switch0", DEVICE_SWITCH, 0, 0);
    m->nswitches = 1;
    for (unsigned g = 0; g < 4; g++) {
        tiny_wire(m, 8, 2 + g, 10e9);
        m->wires[m->nwires - 1].reduces = true;
    }
    m->wires[5].bandwidth_Bps = m->wires[6].bandwidth_Bps = 10e9;
    m->messages[RUNTIME_NCCL_NVLS][PATH_GDR][OFF_NODE]
        .segments[0]
        .beta_s_per_B = 0;
    m->nccl.protocols[NCCL_NVLS].slot_B = 1 << 17;
}

static struct collective asked(unsigned nodes, uint64_t bytes)
{
    return (struct collective){.kind = COLLECTIVE_ALLREDUCE,
                               .nodes = nodes,
                               .ranks_per_node = 4,
                               .bytes = bytes,
                               .element_B = 4,
                               .memory = COLLECTIVE_DEVICE};
}

/* Each head's two parts go up a tree and down again: twice (nodes - 1) times
 * the vector. */
static void traffic(const struct machine *m)
{
    for (unsigned nodes = 2; nodes < 9; nodes++) {
        struct collective c = asked(nodes, 1 << 20);
        uint64_t bytes = 0;
        struct loop l;
        loop_of(&l, m, "nccl_nvls_tree", &c);
        for (size_t i = 0; i < l.body.nops; i++)
            if (l.body.ops[i].phase == PHASE_OFF_NODE)
                bytes += l.body.ops[i].bytes * l.steps;
        CHECK_EQ(bytes, 2 * (nodes - 1) * c.bytes);
        loop_clear(&l);
    }
}

/* One chunk: 5 us; the vector and the part of one of two heads, one for each
 * NIC, with a quarter more on the wires, at 10 GB/s; 3 us for the switches.
 * Then up and down: one edge on two nodes, two on three, of 3 us and a quarter
 * of the vector by a NIC. */
static void by_hand(const struct machine *m)
{
    struct collective c = asked(2, 4096);
    double in_node_us = 5 + 3 + 1.5 * 4096 * 1.25 / 10e9 * 1e6;
    double edge_us = 3 + 4096 / 4 * 1.25 / 10e9 * 1e6;

    CHECK_NEAR(loop_us(m, "nccl_nvls_tree", &c), in_node_us + 2 * edge_us,
               1e-6);
    c.nodes = 3;
    CHECK(loop_us(m, "nccl_nvls_tree", &c) > in_node_us + 4 * edge_us - 1e-6);
}

/* On two nodes a long vector takes the links' time. On four, a node is within a
 * tree and a leaf of the other, so that a NIC carries four quarters of the
 * vector in each direction, which take less. */
static void bounds(const struct machine *m)
{
    const uint64_t bytes = 1 << 30;
    double links_us = 1.5 * 1.25 * (double)bytes / 10e9 * 1e6;

    for (unsigned nodes = 2; nodes <= 4; nodes *= 2) {
        struct collective c = asked(nodes, bytes);
        CHECK_NEAR(loop_us(m, "nccl_nvls_tree", &c) / links_us, 1, 0.02);
    }
}

static void refuses(struct machine *m)
{
    struct collective c = asked(1, 4096);
    struct err err = {0};
    const struct collective_algorithm *a =
        collective_find(c.kind, "nccl_nvls_tree", &err);
    struct loop l;

    CHECK(collective_loop(&l, m, a, &c, &err) < 0);
    CHECK_HAS(err.text, "on several nodes only");
    loop_clear(&l);
    free(m->gpu.arch);
    m->gpu.arch = xstrdup("sm_80");
    for (size_t i = 0; i < m->nwires; i++)
        m->wires[i].reduces = false;
    c.nodes = 2;
    CHECK(collective_loop(&l, m, a, &c, &err) < 0);
    CHECK_HAS(err.text, "without a switch that reduces");
    loop_clear(&l);
}

int main(void)
{
    struct machine m;

    switched(&m);
    traffic(&m);
    by_hand(&m);
    bounds(&m);
    refuses(&m);
    machine_clear(&m);
    return check_result();
}
