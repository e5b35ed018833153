/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Routes inside a node and the NICs that its cores and GPUs use, on a machine
 * built in code. */
#include "platforms/platform.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>

enum { CPU0 = 0, GPU0 = 2, GPU1, GPU2, GPU3, NIC1 = 7, NEW = 8 };

/* Makes the tiny machine, with room for one more device. */
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

/* A switch forwards, a GPU does not: 0 and 2 meet at it, but 1 and 3 are still
 * connected through both sockets. */
static void test_switch(void)
{
    struct machine m = tiny();

    CHECK_EQ(hops(&m, GPU0, GPU2), 3);
    tiny_device(&m, "switch0", DEVICE_SWITCH, m.nswitches++, 0);
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
 * second NIC on socket 0 is used by half of them. */
static void test_nics(void)
{
    struct machine m = tiny();

    check_nics(&m, (unsigned[]){0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1});
    tiny_device(&m, "nic2", DEVICE_NIC, m.nnics++, 0);
    tiny_wire(&m, CPU0, NEW, 10e9);
    check_nics(&m, (unsigned[]){0, 0, 2, 2, 1, 1, 1, 1, 0, 2, 1, 1});
    /* They use NICs of their own socket, although another is as near. */
    tiny_wire(&m, CPU0, NIC1, 10e9);
    check_nics(&m, (unsigned[]){0, 0, 2, 2, 1, 1, 1, 1, 0, 2, 1, 1});
    /* A socket without a NIC uses the nearest of the other's. */
    m.devices[NIC1].socket = 0;
    check_nics(&m, (unsigned[]){0, 0, 1, 2, 1, 1, 1, 1, 0, 1, 1, 1});
    machine_clear(&m);
}

/* There are more NICs than bits of a word: each GPU of a rack that is one node
 * has its own. */
static void test_many_nics(void)
{
    struct machine m;
    struct err err = {0};

    CHECK_EQ(platform_load(&m, "gb200-nvl72", NULL, 0, &err), 0);
    CHECK_EQ(m.ngpus, 72);
    CHECK_EQ(m.nnics, 72);
    unsigned *nic = xcalloc(m.ncores + m.ngpus, sizeof *nic);
    bool *taken = xcalloc(m.nnics, sizeof *taken);
    machine_nearest_nics(&m, nic);
    for (unsigned g = 0; g < m.ngpus; g++) {
        CHECK(!taken[nic[m.ncores + g]]);
        taken[nic[m.ncores + g]] = true;
    }
    free(taken);
    free(nic);
    machine_clear(&m);
}

/* A NIC that is wired to a GPU is reached through it, by its socket and by its
 * peer; nothing else passes there. */
static void test_nic_of_gpu(void)
{
    struct machine m = tiny();

    m.devices[NIC1].gpu = GPU1;
    m.devices[NIC1].socket = 0;
    m.wires[m.nwires - 1].ends[0] = GPU1;
    CHECK_EQ(hops(&m, CPU0, NIC1), 2);
    CHECK_EQ(hops(&m, NIC1, CPU0), 2);
    CHECK_EQ(hops(&m, GPU0, NIC1), 2);
    CHECK_EQ(hops(&m, GPU3, NIC1), 4);
    CHECK_EQ(hops(&m, GPU0, GPU2), 3);
    check_nics(&m, (unsigned[]){0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0});
    m.devices[NIC1].gpu = NO_GPU;
    CHECK_EQ(hops(&m, CPU0, NIC1), -1);
    machine_clear(&m);
}

/* A NIC without a wire is not used, and a machine without NICs is valid. */
static void test_no_nic(void)
{
    struct machine m = tiny();

    m.nwires -= 2;
    check_nics(&m, (unsigned[12]){0});
    m.nwires += 2;
    machine_clear(&m);
}

/* A segment includes its last size. */
static void test_segments(void)
{
    struct machine m = tiny();
    struct message_table *t = &m.messages[RUNTIME_MPI][PATH_HOST][ON_NODE];

    t->segments = xrealloc(t->segments, 2, sizeof *t->segments);
    t->segments[t->nsegments++] = (struct segment){.up_to_B = UINT64_MAX};
    t->segments[0].up_to_B = 1000;
    CHECK(machine_segment(&m, RUNTIME_MPI, PATH_HOST, ON_NODE, 1000) ==
          &t->segments[0]);
    CHECK(machine_segment(&m, RUNTIME_MPI, PATH_HOST, ON_NODE, 1001) ==
          &t->segments[1]);
    machine_clear(&m);
}

/* Among the rows for enough processes the one for the fewest counts, else the
 * one for the most; among those the one of the least size that the copy
 * fits. */
static void test_copy_rows(void)
{
    static const struct {
        unsigned processes;
        uint64_t up_to_B;
    } rows[] = {{1, 100}, {1, UINT64_MAX}, {2, UINT64_MAX}, {4, UINT64_MAX}};
    static const struct {
        unsigned processes;
        uint64_t bytes;
        size_t row;
    } asked[] = {{1, 100, 0}, {1, 101, 1}, {2, 100, 2},
                 {3, 100, 3}, {4, 100, 3}, {5, 100, 3}};
    struct machine m = tiny();

    m.copies.rows = xcalloc(4, sizeof *m.copies.rows);
    m.copies.nrows = 4;
    for (size_t i = 0; i < 4; i++)
        m.copies.rows[i] = (struct copy_cost){.dir = H2D,
                                              .locality = ON_SOCKET,
                                              .processes = rows[i].processes,
                                              .up_to_B = rows[i].up_to_B};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        CHECK_EQ(machine_copy(&m, H2D, ON_SOCKET, asked[i].processes,
                              asked[i].bytes) -
                     m.copies.rows,
                 asked[i].row);
    CHECK(!machine_copy(&m, D2H, ON_SOCKET, 1, 100));
    machine_clear(&m);
}

/* Pairs of cores share a cache from the first core of each socket on: among
 * three cores 3, 4 and 5 on the second, the first two. */
static void test_caches(void)
{
    struct machine m;

    tiny_machine(&m, 3);
    m.devices[1].cores_per_cache = 2;
    CHECK_EQ(machine_core_locality(&m, 0, 3, 0, 4), SHARED_CACHE);
    CHECK_EQ(machine_core_locality(&m, 0, 4, 0, 5), ON_SOCKET);
    CHECK_EQ(machine_core_locality(&m, 0, 0, 0, 1), ON_SOCKET);
    CHECK_EQ(machine_core_locality(&m, 0, 2, 0, 3), ON_NODE);
    CHECK_EQ(machine_core_locality(&m, 0, 3, 1, 3), OFF_NODE);
    machine_clear(&m);
}

int main(void)
{
    test_segments();
    test_copy_rows();
    test_caches();
    test_switch();
    test_nics();
    test_many_nics();
    test_nic_of_gpu();
    test_no_nic();
    return check_result();
}
