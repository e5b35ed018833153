/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RCCL's rings and channels as its lists and its log have them, its choices at
 * the sizes where they change, and properties of its times. */
#include "platforms/platform.h"
#include "strategies/collective/libraries/library.h"
#include "strategies/collective/rccl_rings.h"
#include "tests/loop_time.h"

#include "strategies/collective/nccl.h"
#include "strategies/collective/nccl_wires.h"

#include <math.h>
#include <string.h>

static void load(struct machine *m, const char *name)
{
    struct err err = {0};

    CHECK(platform_load(m, name, NULL, 0, &err) == 0);
    if (err.text[0])
        fprintf(stderr, "%s\n", err.text);
}

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

static const struct {
    const char *machine;
    unsigned nodes, per_node, rings, channels, different;
    double GBps; /* of all rings: the links that RCCL counts */
} cases[] = {
    /* The lists have 28 and 64 rings, of which RCCL makes 56 and 64 channels.
     */
    {"mi300x-8", 1, 8, 28, 56, 14, 7 * 48},
    {"mi300x-8", 2, 8, 64, 64, 8, 7 * 48},
    {"mi355x-8", 4, 8, 64, 64, 8, 7 * 48},
    /* No list has these; RCCL's comments name 32 channels for 2 ranks and 24
     * for 4. */
    {"mi300x-8", 1, 2, 2, 32, 1, 48},
    {"mi300x-8", 1, 4, 6, 24, 6, 3 * 48},
    {"tuolumne", 1, 4, 6, 24, 6, 6 * 48},
    {"tuolumne", 2, 4, 12, 60, 12, 6 * 48},
    /* A GCD has 7 links of 36 GB/s. */
    {"frontier", 1, 8, 4, 16, 4, 7 * 36},
    {"lumi", 2, 8, 8, 16, 4, 7 * 36},
};

static void channels(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct collective c = asked(COLLECTIVE_ALLREDUCE, cases[i].nodes,
                                    cases[i].per_node, UINT64_C(1) << 30);
        struct nccl_groups g;
        struct machine m;
        load(&m, cases[i].machine);
        const struct nccl_system s = nccl_system_of(&m, &c);
        struct nccl_graph rings = nccl_search(&s, NCCL_RING);
        CHECK_EQ(rings.channels, cases[i].rings);
        CHECK_NEAR(rings.channels * rings.intra_GBps, cases[i].GBps, 1e-9);
        CHECK_EQ(nccl_search(&s, NCCL_HEADS).channels, 0);
        CHECK_EQ(nccl_channels(&m, &c, NULL), cases[i].channels);
        nccl_groups_of(&g, &m, &c, 1);
        CHECK_EQ(g.n, cases[i].different);
        CHECK_EQ(g.n * g.channels, cases[i].channels);
        nccl_groups_clear(&g);
        machine_clear(&m);
    }
}

/* Counts the rings from GPU a to GPU b of the first node. */
static unsigned used(const struct nccl_groups *g, unsigned per_node, unsigned a,
                     unsigned b)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < g->n; i++)
        for (uint32_t at = 0; at < g->ranks; at++) {
            uint32_t to = (at + 1) % g->ranks;
            n += g->order[i * g->ranks + at] == a &&
                 g->order[i * g->ranks + to] == b && a < per_node;
        }
    return n;
}

/* Each ring visits all ranks and uses wires only; on MI300X all rings together
 * use each direction of each link equally. Between nodes a ring leaves and
 * enters at GPUs of the same number. */
static void orders(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned n = cases[i].per_node, ranks = cases[i].nodes * n;
        struct collective c =
            asked(COLLECTIVE_ALLREDUCE, cases[i].nodes, n, UINT64_C(1) << 30);
        struct nccl_groups g;
        struct machine m;
        load(&m, cases[i].machine);
        nccl_groups_of(&g, &m, &c, 1);
        for (uint32_t k = 0; k < g.n; k++) {
            uint64_t seen = 0;
            for (uint32_t at = 0; at < ranks; at++) {
                uint32_t a = g.order[k * ranks + at];
                uint32_t b = g.order[k * ranks + (at + 1) % ranks];
                seen |= UINT64_C(1) << a;
                CHECK(a / n == b / n ? nccl_joined(&m, a % n, b % n)
                                     : a % n == b % n);
            }
            CHECK(seen ==
                  (ranks == 64 ? UINT64_MAX : (UINT64_C(1) << ranks) - 1));
        }
        for (unsigned a = 0; a < 8 && n == 8 && g.n >= 8; a++)
            for (unsigned b = 0; b < 8; b++)
                CHECK_EQ(used(&g, 8, a, b), a == b                ? 0
                                            : cases[i].nodes == 1 ? 2
                                                                  : 1);
        nccl_groups_clear(&g);
        machine_clear(&m);
    }
}

static const char *takes(const struct machine *m, enum collective_kind kind,
                         unsigned nodes, uint64_t bytes)
{
    struct collective c = asked(kind, nodes, m->ngpus, bytes);
    const char *name = library_choose(&rccl_library, m, &c).theirs;

    return name ? name : "nothing";
}

/* MSCCL's plans take vectors of whole chunks: 256 elements from 1 KiB on, with
 * a gap of the list from 11 to 14 MiB. */
static void choices(void)
{
    static const struct {
        uint64_t bytes;
        const char *name;
    } want[] = {{512, "nccl_ring/ll"},
                {1024, "nccl_all_pairs/ll"},
                {1028, "nccl_ring/ll"},
                {524288 - 2048, "nccl_all_pairs/ll"},
                {524288, "nccl_all_pairs/simple"},
                {11 << 20, "nccl_all_pairs/simple"},
                {12 << 20, "nccl_ring/simple"},
                {16 << 20, "nccl_all_pairs/simple"},
                {32 << 20, "nccl_ring/simple"}};
    const char *rings = "nccl.settings.NCCL_ALGO=Ring";
    struct machine m;
    struct err err;

    load(&m, "mi300x-8");
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
        CHECK(!strcmp(takes(&m, COLLECTIVE_ALLREDUCE, 1, want[i].bytes),
                      want[i].name));
    /* LL up to 1 MiB between nodes, rings from 256 MiB on. */
    CHECK(!strcmp(takes(&m, COLLECTIVE_ALLREDUCE, 2, 1 << 20), "nccl_tree/ll"));
    CHECK(!strcmp(takes(&m, COLLECTIVE_ALLREDUCE, 2, 2 << 20),
                  "nccl_tree/simple"));
    CHECK(!strcmp(takes(&m, COLLECTIVE_ALLREDUCE, 2, 256 << 20),
                  "nccl_ring/simple"));
    CHECK(!strcmp(takes(&m, COLLECTIVE_REDUCE_SCATTER, 1, 8 * 352128),
                  "nccl_ring/ll"));
    CHECK(!strcmp(takes(&m, COLLECTIVE_REDUCE_SCATTER, 1, 8 * 352132),
                  "nccl_ring/simple"));
    machine_clear(&m);
    CHECK(platform_load(&m, "mi300x-8", &rings, 1, &err) == 0);
    CHECK(!strcmp(takes(&m, COLLECTIVE_ALLREDUCE, 1, 1024), "nccl_ring/ll"));
    machine_clear(&m);
    load(&m, "dgx-h100");
    CHECK(!strcmp(takes(&m, COLLECTIVE_ALLREDUCE, 1, 1024), "nothing"));
    machine_clear(&m);
}

/* Returns the time of RCCL's choice; it refuses nothing. */
static double chosen_s(const struct machine *m, enum collective_kind kind,
                       unsigned nodes, uint64_t bytes)
{
    struct collective c = asked(kind, nodes, m->ngpus, bytes);
    struct library_choice choice = library_choose(&rccl_library, m, &c);

    CHECK(choice.ours);
    if (!choice.ours)
        return 0;
    CHECK(!library_refuses(&rccl_library, m, choice.ours, &c));
    return loop_s(m, choice.ours->name, &c, false);
}

/* A longer vector takes longer by one algorithm, more nodes take longer, and no
 * ring is faster than a GPU's links. */
static void times(void)
{
    static const char *const machines[] = {"frontier", "tuolumne", "mi300x-8",
                                           "mi325x-8", "mi355x-8"};

    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        struct machine m;
        load(&m, machines[i]);
        for (int kind = 0; kind < NCOLLECTIVE_KINDS; kind++)
            for (uint64_t bytes = 1 << 12; bytes <= 1 << 28; bytes *= 256) {
                double one_s = chosen_s(&m, kind, 1, bytes);
                CHECK(one_s > 0);
                CHECK(chosen_s(&m, kind, 2, bytes) > 0);
                CHECK(chosen_s(&m, kind, 1, bytes * 16) > one_s);
            }
        CHECK(chosen_s(&m, COLLECTIVE_ALLREDUCE, 4, 4096) >
              chosen_s(&m, COLLECTIVE_ALLREDUCE, 1, 4096));
        struct collective c =
            asked(COLLECTIVE_ALLREDUCE, 1, m.ngpus, UINT64_C(8) << 30);
        double links_Bps = 0, n = m.ngpus;
        for (size_t w = 0; w < m.nwires; w++)
            for (unsigned other = 1; other < m.ngpus; other++)
                for (int end = 0; end < 2; end++)
                    if (m.wires[w].ends[end] == nccl_port(&m, 0) &&
                        m.wires[w].ends[!end] == nccl_port(&m, other))
                        links_Bps += m.wires[w].bandwidth_Bps;
        double bus_Bps = (double)c.bytes * 2 * (n - 1) / n /
                         loop_s(&m, "nccl_ring/simple", &c, false);
        CHECK(bus_Bps < links_Bps);
        CHECK(bus_Bps > 0.3 * links_Bps);
        machine_clear(&m);
    }
}

/* A short vector takes 12 us and two messages of 0.8 us. */
static void short_pairs(void)
{
    struct collective c = asked(COLLECTIVE_ALLREDUCE, 1, 8, 1024);
    struct machine m;

    load(&m, "mi300x-8");
    CHECK_NEAR(loop_s(&m, "nccl_all_pairs/ll", &c, false) * 1e6, 13.6, 1e-3);
    machine_clear(&m);
}

/* Returns the messages of an all-to-all between GPUs of different numbers on
 * different nodes: there are none with PXN. */
static unsigned past_rails(const struct machine *m, unsigned nodes)
{
    struct collective c =
        asked(COLLECTIVE_ALLTOALL, nodes, m->ngpus, 4096 * nodes * m->ngpus);
    unsigned n = 0;
    struct loop l;

    loop_of(&l, m, "nccl_p2p", &c);
    for (size_t i = 0; i < l.body.nops; i++)
        n += l.body.ops[i].phase == PHASE_OFF_NODE &&
             l.body.ops[i].src % m->ngpus != l.body.ops[i].dst % m->ngpus;
    loop_clear(&l);
    return n;
}

/* RCCL uses PXN from 64 ranks on MI300 and 32 on MI355, never on MI250X, if it
 * is not told; NCCL always. */
static void other_nics(void)
{
    static const char *const told[] = {NULL, "nccl.settings.NCCL_PXN_DISABLE=0",
                                       "nccl.settings.NCCL_PXN_DISABLE=1"};
    static const struct {
        const char *machine;
        unsigned nodes;
        bool pxn;
    } of[] = {{"mi300x-8", 7, false}, {"mi300x-8", 8, true},
              {"mi355x-8", 3, false}, {"mi355x-8", 4, true},
              {"frontier", 8, false}, {"dgx-h100", 2, true}};

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (size_t k = 0; k < 3; k++) {
            bool pxn = k == 0 ? of[i].pxn : k == 1;
            struct machine m;
            struct err err;
            CHECK(platform_load(&m, of[i].machine, &told[k], k > 0, &err) == 0);
            CHECK((past_rails(&m, of[i].nodes) == 0) == pxn);
            machine_clear(&m);
        }
}

int main(void)
{
    other_nics();
    channels();
    orders();
    choices();
    short_pairs();
    times();
    return check_result();
}
