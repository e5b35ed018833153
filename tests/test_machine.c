/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways inside a node and the NICs that its cores and GPUs use, on a machine
 * built in code. */
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>

enum { CPU0 = 0, GPU0 = 2, GPU1, GPU2, GPU3, NIC1 = 7, NEW = 8 };

/* The tiny machine, with room for one device more. */
static struct machine tiny(void)
{
    struct machine m;

    tiny_machine(&m, 4);
    m.devices = xrealloc(m.devices, NEW + 1, sizeof *m.devices);
    memset(&m.devices[NEW], 0, sizeof *m.devices);
    return m;
}

static int hops(const struct machine *m, unsigned from, unsigned to)
{
    unsigned wires[16];
    bool reversed[16];

    return machine_route(m, from, to, wires, reversed);
}

/* A switch passes on, a GPU does not: 0 and 2 meet at it, while 1 and 3 still
 * go over both sockets. */
static void test_switch(void)
{
    struct machine m = tiny();

    CHECK_EQ(hops(&m, GPU0, GPU2), 3);
    tiny_device(&m, "switch0", SWITCH, m.nswitches++, 0);
    tiny_wire(&m, NEW, GPU0, 40e9);
    tiny_wire(&m, NEW, GPU2, 40e9);
    CHECK_EQ(hops(&m, GPU0, GPU1), 1);
    CHECK_EQ(hops(&m, GPU0, GPU2), 2);
    CHECK_EQ(hops(&m, GPU1, GPU3), 3);
    CHECK_EQ(hops(&m, CPU0, NEW), -1);
    machine_clear(&m);
}

static void check_nics(const struct machine *m, const unsigned want[12])
{
    unsigned nic[12];

    machine_nearest_nics(m, nic);
    for (unsigned i = 0; i < 12; i++)
        CHECK_EQ(nic[i], want[i]);
}

/* Eight cores, then four GPUs, half of each on socket 1, which has NIC 1. A
 * second NIC on socket 0 takes half of what is there. */
static void test_nics(void)
{
    struct machine m = tiny();

    check_nics(&m, (unsigned[]){0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1});
    tiny_device(&m, "nic2", NIC, m.nnics++, 0);
    tiny_wire(&m, CPU0, NEW, 10e9);
    check_nics(&m, (unsigned[]){0, 0, 2, 2, 1, 1, 1, 1, 0, 2, 1, 1});
    /* Of the NICs of its own socket, though another is as near. */
    tiny_wire(&m, CPU0, NIC1, 10e9);
    check_nics(&m, (unsigned[]){0, 0, 2, 2, 1, 1, 1, 1, 0, 2, 1, 1});
    /* A socket without a NIC takes the nearest of the other's. */
    m.devices[NIC1].socket = 0;
    check_nics(&m, (unsigned[]){0, 0, 1, 2, 1, 1, 1, 1, 0, 1, 1, 1});
    machine_clear(&m);
}

/* A NIC without a wire serves nobody, and no NIC is no harm. */
static void test_no_nic(void)
{
    struct machine m = tiny();

    m.nwires -= 2;
    check_nics(&m, (unsigned[12]){0});
    m.nwires += 2;
    machine_clear(&m);
}

int main(void)
{
    test_switch();
    test_nics();
    test_no_nic();
    return check_result();
}
