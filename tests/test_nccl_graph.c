/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Channels of NCCL's search, as NCCL_DEBUG=INFO logged them on such machines.
 */
#include "platforms/platform.h"
#include "strategies/collective/libraries/nccl_choice.h"
#include "strategies/collective/nccl.h"
#include "strategies/collective/nccl_graph.h"
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>

static struct nccl_system of(const struct machine *m, unsigned nodes,
                             unsigned per_node)
{
    struct collective c = {.kind = COLLECTIVE_ALLREDUCE,
                           .nodes = nodes,
                           .ranks_per_node = per_node};

    return nccl_system_of(m, &c);
}

/* Channels, GB/s of a ring's channel, and NVLS heads with their GB/s. The
 * channels are those of logs: H100 and A100 on one node 24; H100 on two nodes
 * with 8 NICs 16 (KeitaW/p5-nccl-test-2024-07-19 1c78584). V100: 12 on a DGX-2,
 * for half the links of an A100. */
static void logged(void)
{
    static const struct {
        const char *machine;
        unsigned nodes, per_node, channels;
        double ring_GBps;
        unsigned heads;
        double head_GBps;
    } cases[] = {
        {"dgx-h100", 1, 8, 24, 30, 8, 40}, {"dgx-h100", 1, 4, 24, 30, 4, 60},
        {"dgx-h100", 2, 8, 16, 45, 8, 45}, {"dgx-h100", 4, 8, 16, 45, 8, 45},
        {"dgx-a100", 1, 8, 24, 20, 0, 0},  {"dgx-a100", 1, 2, 24, 20, 0, 0},
        {"dgx-a100", 2, 8, 16, 24, 0, 0},  {"dgx-2", 1, 16, 12, 20, 0, 0},
        {"dgx-1v", 1, 8, 12, 20, 0, 0},    {"h200-x2", 1, 2, 24, 30, 0, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct machine m;
        struct err err;
        CHECK(platform_load(&m, cases[i].machine, NULL, 0, &err) == 0);
        struct nccl_system s = of(&m, cases[i].nodes, cases[i].per_node);
        struct nccl_graph heads = nccl_search(&s, NCCL_HEADS);
        CHECK_EQ(nccl_channels_of(&s), cases[i].channels);
        CHECK_NEAR(nccl_search(&s, NCCL_RING).intra_GBps, cases[i].ring_GBps,
                   1e-9);
        CHECK_EQ(heads.channels, cases[i].heads);
        CHECK_NEAR(heads.intra_GBps, cases[i].head_GBps, 1e-9);
        machine_clear(&m);
    }
}

/* On two nodes a tree counts the links of the node, which are faster. */
static void trees(void)
{
    struct machine m;
    struct err err;

    CHECK(platform_load(&m, "dgx-a100", NULL, 0, &err) == 0);
    struct nccl_system s = of(&m, 2, 8);
    struct nccl_graph tree = nccl_search(&s, NCCL_TREE);
    CHECK_EQ(tree.channels, 8);
    CHECK_NEAR(tree.inter_GBps, 24, 1e-9);
    CHECK_NEAR(tree.intra_GBps, 30, 1e-9);
    machine_clear(&m);
}

static double nvls_chunk_B(const struct machine *m, uint64_t bytes)
{
    struct collective c = {.kind = COLLECTIVE_ALLREDUCE,
                           .nodes = 1,
                           .ranks_per_node = 8,
                           .bytes = bytes,
                           .element_B = 4,
                           .memory = COLLECTIVE_DEVICE};
    struct err err = {0};
    const struct collective_algorithm *a =
        collective_find(c.kind, "nccl_nvls", &err);
    struct loop l;

    CHECK(a && collective_loop(&l, m, a, &c, &err) == 0);
    double chunk_B = (double)c.bytes / l.steps / 8 / 16;
    loop_clear(&l);
    return chunk_B;
}

/* Chunks of NVLS double at 8 MiB, 64 MiB and 1 GiB if 8 heads have 16
 * channels. */
static void chunks(void)
{
    struct machine m;
    struct err err;

    CHECK(platform_load(&m, "dgx-h100", NULL, 0, &err) == 0);
    CHECK_NEAR(nvls_chunk_B(&m, 4 << 20), 16384, 1e-9);
    CHECK_NEAR(nvls_chunk_B(&m, 8 << 20), 32768, 1e-9);
    CHECK_NEAR(nvls_chunk_B(&m, 32 << 20), 32768, 1e-9);
    CHECK_NEAR(nvls_chunk_B(&m, 64 << 20), 65536, 1e-9);
    CHECK_NEAR(nvls_chunk_B(&m, 512 << 20), 65536, 1e-9);
    CHECK_NEAR(nvls_chunk_B(&m, 1 << 30), 131072, 1e-9);
    machine_clear(&m);
}

/* NCCL's numbers follow from the architecture, and a machine's own change
 * them; one that names an MPI and says nothing of NCCL has none. */
static void by_architecture(void)
{
    const char *own[] = {"nccl.ll.start_us=3", "nccl.channels=4"};
    struct machine m, changed;
    struct err err;

    CHECK(platform_load(&m, "dgx-h100", NULL, 0, &err) == 0);
    CHECK_EQ(m.nccl.channels, 0);
    CHECK_EQ(m.nccl.slots, 8);
    CHECK(m.nccl.protocols[NCCL_NVLS].channels == 16);
    CHECK(platform_load(&changed, "dgx-h100", own, 2, &err) == 0);
    CHECK_NEAR(changed.nccl.protocols[NCCL_LL].start_s, 3e-6, 1e-12);
    CHECK_EQ(changed.nccl.channels, 4);
    CHECK_NEAR(changed.nccl.protocols[NCCL_SIMPLE].start_s,
               m.nccl.protocols[NCCL_SIMPLE].start_s, 1e-12);
    machine_clear(&m);
    machine_clear(&changed);
    CHECK(platform_load(&m, "lassen", NULL, 0, &err) == 0);
    CHECK_EQ(m.nccl.slots, 0);
    machine_clear(&m);
    CHECK(platform_load(&m, "h200-x2", NULL, 0, &err) == 0);
    CHECK_NEAR(m.nccl.protocols[NCCL_SIMPLE].start_s, 9.1e-6, 1e-12);
    CHECK_NEAR(m.nccl.protocols[NCCL_SIMPLE].fill_s_per_B, 0, 1e-12);
    machine_clear(&m);
}

/* Rings of Simple between nodes take longer from 64 B for each rank and channel
 * on, and fewer channels have that sooner. */
static void plateau(void)
{
    struct err err = {0};
    struct machine m;
    struct nccl_tuning all, few;
    struct collective c = {.kind = COLLECTIVE_ALLREDUCE,
                           .nodes = 4,
                           .ranks_per_node = 8,
                           .bytes = 64 * 32 * 2};

    CHECK(platform_load(&m, "dgx-h100", NULL, 0, &err) == 0);
    nccl_tune(&all, &m, &c);
    m.nccl.settings.max_channels = 2;
    nccl_tune(&few, &m, &c);
    CHECK(few.us[RING][SIMPLE] > 1.1 * all.us[RING][SIMPLE]);
    CHECK_NEAR(few.us[TREE][SIMPLE], all.us[TREE][SIMPLE], 1e-9);
    machine_clear(&m);
}

int main(void)
{
    logged();
    trees();
    chunks();
    by_architecture();
    plateau();
    return check_result();
}
