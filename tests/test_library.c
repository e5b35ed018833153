/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choices of libraries: rows of their tables, read by hand, and NCCL's
 * model. */
#include "strategies/collective/libraries/library.h"

#include "base/csv.h"
#include "platforms/platform.h"
#include "strategies/collective/nccl.h"
#include "tests/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *takes(const char *library, const struct machine *m,
                         enum collective_kind kind, unsigned nodes,
                         unsigned per_node, uint64_t bytes)
{
    struct err err;
    const struct collective_library *l = library_find(library, &err);
    struct collective c = {.kind = kind,
                           .nodes = nodes,
                           .ranks_per_node = per_node,
                           .bytes = bytes,
                           .element_B = 4,
                           .memory = COLLECTIVE_DEVICE};

    if (!l)
        return "unknown";
    struct library_choice choice = library_choose(l, m, &c);
    return choice.theirs ? choice.theirs : "nothing";
}

#define TAKES(want, ...)                                                       \
    do {                                                                       \
        const char *got = takes(__VA_ARGS__);                                  \
        CHECK_HAS(got, want);                                                  \
        CHECK_EQ(strlen(got), strlen(want));                                   \
    } while (0)

static void tables(const struct machine *m)
{
    /* Open MPI: the ranks of the next row are not included in this one. */
    TAKES("recursive_doubling", "openmpi", m, COLLECTIVE_ALLREDUCE, 15, 1,
          8191);
    TAKES("rabenseifner", "openmpi", m, COLLECTIVE_ALLREDUCE, 15, 1, 8192);
    TAKES("rabenseifner", "openmpi", m, COLLECTIVE_ALLREDUCE, 16, 1, 4096);
    TAKES("segmented_ring", "openmpi", m, COLLECTIVE_ALLREDUCE, 16, 2, 127);
    /* These are bytes of a block: 32 ranks of 1023 and 1024. */
    TAKES("recursive_doubling", "openmpi", m, COLLECTIVE_ALLGATHER, 8, 4,
          32 * 1023);
    TAKES("neighbor", "openmpi", m, COLLECTIVE_ALLGATHER, 8, 4, 32 * 1024);
    TAKES("two_proc", "openmpi", m, COLLECTIVE_ALLGATHER, 2, 1, 8);
    TAKES("binomial", "openmpi", m, COLLECTIVE_REDUCE, 64, 1, 1 << 20);
    /* MPICH: "at most" 8 B; fewer elements than the power of two of ranks. */
    TAKES("recursive_doubling", "mpich", m, COLLECTIVE_ALLREDUCE, 4, 1, 8);
    TAKES("reduce_scatter_allgather", "mpich", m, COLLECTIVE_ALLREDUCE, 3, 1,
          12);
    TAKES("recursive_doubling", "mpich", m, COLLECTIVE_ALLREDUCE, 5, 1, 12);
    TAKES("ring", "mpich", m, COLLECTIVE_ALLGATHER, 6, 1, 81920);
    TAKES("brucks", "mpich", m, COLLECTIVE_ALLGATHER, 6, 1, 81919);
    TAKES("recursive_doubling", "mpich", m, COLLECTIVE_ALLGATHER, 8, 1, 81920);
    TAKES("scattered", "mpich", m, COLLECTIVE_ALLTOALL, 8, 2, 16 * 32768);
    TAKES("pairwise", "mpich", m, COLLECTIVE_ALLTOALL, 8, 2, 16 * 32769);
}

/* Checks that a table ends with a row that holds for all. */
static void whole(const struct machine *m)
{
    static const char *const names[] = {"openmpi", "mpich"};

    for (size_t i = 0; i < 2; i++)
        for (int kind = 0; kind < NCOLLECTIVE_KINDS; kind++)
            for (unsigned nodes = 2; nodes < 10000; nodes = nodes * 3 / 2)
                for (uint64_t bytes = 4; bytes < UINT64_C(1) << 40; bytes *= 8)
                    CHECK(strcmp(takes(names[i], m, kind, nodes, 1, bytes),
                                 "nothing") != 0);
}

/* Computed by hand for a node of 8: LL's latency is 6.6 + 14 * 0.6 us by ring
 * and 6.8 + 14 * 0.6 by tree; large vectors use the ring at twice the bandwidth
 * but 0.92 of LL128, on Hopper NVLS at 1.6 times the ring's. */
static void nccl(void)
{
    struct machine a100, h100;
    struct err err;

    CHECK(platform_load(&a100, "dgx-a100", NULL, 0, &err) == 0);
    CHECK(platform_load(&h100, "dgx-h100", NULL, 0, &err) == 0);
    TAKES("nccl_ring/ll", "nccl", &a100, COLLECTIVE_ALLREDUCE, 1, 8, 8);
    TAKES("nccl_ring/simple", "nccl", &a100, COLLECTIVE_ALLREDUCE, 1, 8,
          UINT64_C(1) << 30);
    TAKES("nccl_nvls", "nccl", &h100, COLLECTIVE_ALLREDUCE, 1, 8,
          UINT64_C(1) << 30);
    /* 16 nodes: 30 hops between them by ring at 2.7 us, 8 by tree at 5 us. */
    TAKES("nccl_tree/ll", "nccl", &a100, COLLECTIVE_ALLREDUCE, 16, 8, 8);
    TAKES("nccl_ring/ll", "nccl", &a100, COLLECTIVE_ALLGATHER, 16, 8, 512);
    /* Rings that enter nodes at different GPUs have 128 steps of 4 us by LL128
     * and 14 us by Simple, which saves 0.08 of 3 ms for each GiB. */
    TAKES("nccl_ring/ll128", "nccl", &h100, COLLECTIVE_BROADCAST, 16, 8,
          UINT64_C(1) << 30);
    TAKES("nccl_ring/simple", "nccl", &h100, COLLECTIVE_BROADCAST, 16, 8,
          UINT64_C(8) << 30);
    TAKES("nccl_p2p", "nccl", &h100, COLLECTIVE_ALLTOALL, 2, 8, 1 << 20);
    /* 64 nodes of one GPU: a ring has 63 steps of 5 us by LL, which are 322 us
     * with its base, and PAT 8 us, 6 steps of 4 us, and 2.8 us for each rank:
     * 211 us. A ring has 4/3 of its bandwidth. */
    TAKES("nccl_pat", "nccl", &h100, COLLECTIVE_ALLGATHER, 64, 1, 512);
    TAKES("nccl_pat", "nccl", &h100, COLLECTIVE_REDUCE_SCATTER, 64, 1, 512);
    TAKES("nccl_ring/simple", "nccl", &h100, COLLECTIVE_ALLGATHER, 64, 1,
          UINT64_C(1) << 30);
    TAKES("nccl_ring/ll", "nccl", &h100, COLLECTIVE_ALLGATHER, 64, 2, 512);
    TAKES("nccl_nvls_tree", "nccl", &h100, COLLECTIVE_ALLREDUCE, 2, 8,
          UINT64_C(1) << 30);
    machine_clear(&a100);
    machine_clear(&h100);
}

/* In a network that adds, NCCL takes its switches once a job asks for them. */
static void nccl_in_network(void)
{
    static const struct {
        const char *machine, *set, *algorithm, *takes;
    } cases[] = {
        {"dgx-h100", "0", "^Tree", "nccl_nvls_tree"},
        {"dgx-h100", "1", "^Tree", "nccl_nvls"},
        {"dgx-h100", "1", "CollnetDirect", "nccl_collnet_direct"},
        {"dgx-h100", "1", "CollnetChain", "nccl_collnet_chain"},
        {"dgx-h100", "0", "CollnetChain", "nothing"},
        {"p5", "1", "CollnetChain", "nothing"},
        {"dgx-a100", "1", "CollnetDirect", "nccl_collnet_direct"},
    };
    struct machine m;
    struct err err;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *enable =
            xasprintf("nccl.settings.NCCL_COLLNET_ENABLE=%s", cases[i].set);
        char *list =
            xasprintf("nccl.settings.NCCL_ALGO=\"%s\"", cases[i].algorithm);
        const char *sets[] = {enable, list};
        CHECK(platform_load(&m, cases[i].machine, sets, 2, &err) == 0);
        TAKES(cases[i].takes, "nccl", &m, COLLECTIVE_ALLREDUCE, 16, 8,
              UINT64_C(1) << 30);
        machine_clear(&m);
        free(enable);
        free(list);
    }
}

/* For an all-reduce of 1 GiB on a node, the GPU's architecture decides whether
 * there is NVLS, never its number of SMs. */
static void generations(void)
{
    static const struct {
        const char *machine, *sets[2];
        const char *takes;
    } cases[] = {
        {"gb200-nvl72", {"gpu.sms=1"}, "nccl_nvls"},
        {"dgx-h100", {"gpu.sms=80"}, "nccl_nvls"},
        {"dgx-h100", {"gpu.arch=sm_80", "gpu.sms=124"}, "nccl_ring/simple"},
        {"dgx-h100", {"gpu.arch=sm_103"}, "nccl_nvls"},
        {"leonardo", {"gpu.sms=124"}, "nccl_ring/simple"},
        {"tuolumne", {"gpu.sms=228"}, "nothing"}, /* because RCCL is AMD's */
    };
    struct machine m;
    struct err err;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t n = cases[i].sets[1] ? 2 : 1;
        CHECK(platform_load(&m, cases[i].machine, cases[i].sets, n, &err) == 0);
        TAKES(cases[i].takes, "nccl", &m, COLLECTIVE_ALLREDUCE, 1, m.ngpus,
              UINT64_C(1) << 30);
        machine_clear(&m);
    }
}

/* NCCL 2.18 to 2.20 expect less of LL on Hopper GPUs, so that NVLS begins at
 * 1 MiB; later ones take LL to 1 MiB, as NCCL 2.26.2 was seen to
 * (nccl-tests issue 309: LL to 1 MiB, NVLS from 2 MiB on). */
static void versions(void)
{
    static const struct {
        const char *set, *at_1_MiB, *at_2_MiB;
    } cases[] = {
        {"nccl.version=\"2.18\"", "nccl_nvls", "nccl_nvls"},
        {"nccl.version=2.18", "nccl_nvls", "nccl_nvls"},
        {"nccl.version=2.30", "nccl_ring/ll", "nccl_nvls"},
        {"nccl.version=\"2.21.5\"", "nccl_ring/ll", "nccl_nvls"},
        {"nccl.version=\"2.26.2\"", "nccl_ring/ll", "nccl_nvls"},
        {"nccl.version=\"2.30\"", "nccl_ring/ll", "nccl_nvls"},
    };
    struct machine m;
    struct err err;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(platform_load(&m, "dgx-h100", &cases[i].set, 1, &err) == 0);
        TAKES(cases[i].at_1_MiB, "nccl", &m, COLLECTIVE_ALLREDUCE, 1, 8,
              1 << 20);
        TAKES(cases[i].at_2_MiB, "nccl", &m, COLLECTIVE_ALLREDUCE, 1, 8,
              2 << 20);
        machine_clear(&m);
    }
    const char *wrong = "nccl.version=\"3.1\"";
    CHECK(platform_load(&m, "dgx-h100", &wrong, 1, &err) < 0);
    CHECK_HAS(err.text, "version: expected one such as 2.27, got \"3.1\"");
    wrong = "nccl.version=2.185";
    CHECK(platform_load(&m, "dgx-h100", &wrong, 1, &err) < 0);
    CHECK_HAS(err.text, "version: expected a string, got 2.185");
}

/* On 4 x 8 GPUs NCCL before 2.28 counts 8 x 24 GB/s, of which 5/6, and 81 us
 * for NVLSTree, but 8 x 45 GB/s, of which 32/62, and 396 us for a ring: the
 * ring is faster from 363 MB on. Later it counts 360 GB/s for NVLSTree too. At
 * 2.18, 8 x 48 GB/s, of which 0.7 * 4/6, and 119 us: the ring from 3 GB on. */
static void versions_of_nodes(void)
{
    static const struct {
        const char *set, *at_128_MiB, *at_1_GiB, *at_8_GiB;
    } cases[] = {
        {"nccl.version=\"2.18\"", "nccl_nvls_tree", "nccl_nvls_tree",
         "nccl_ring/simple"},
        {"nccl.version=\"2.26\"", "nccl_nvls_tree", "nccl_ring/simple",
         "nccl_ring/simple"},
        {"nccl.version=\"2.27\"", "nccl_nvls_tree", "nccl_ring/simple",
         "nccl_ring/simple"},
        {"nccl.version=\"2.28\"", "nccl_nvls_tree", "nccl_nvls_tree",
         "nccl_nvls_tree"},
    };
    struct machine m;
    struct err err;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(platform_load(&m, "dgx-h100", &cases[i].set, 1, &err) == 0);
        TAKES(cases[i].at_128_MiB, "nccl", &m, COLLECTIVE_ALLREDUCE, 4, 8,
              UINT64_C(128) << 20);
        TAKES(cases[i].at_1_GiB, "nccl", &m, COLLECTIVE_ALLREDUCE, 4, 8,
              UINT64_C(1) << 30);
        TAKES(cases[i].at_8_GiB, "nccl", &m, COLLECTIVE_ALLREDUCE, 4, 8,
              UINT64_C(8) << 30);
        machine_clear(&m);
    }
}

/* NCCL 2.8 on 2 x 4 V100, whose GPUs reach a NIC past a socket: 19.2 us and 3.4
 * GB/s of LL's ring, 20.0 us of its tree; 130 us and 13.7 GB/s of Simple's
 * ring, and so on 16 x 4: 392 us and 11 GB/s of Simple's tree, 166 us of LL's
 * ring. */
static void before_2_10(void)
{
    static const struct {
        unsigned nodes;
        uint64_t bytes;
        const char *takes;
    } cases[] = {
        {2, 1 << 10, "nccl_ring/ll"},       {2, 256 << 10, "nccl_ring/ll"},
        {2, 512 << 10, "nccl_ring/simple"}, {4, 1 << 10, "nccl_tree/ll"},
        {16, 512 << 10, "nccl_ring/ll"},    {16, 4 << 20, "nccl_tree/simple"},
        {16, 32 << 20, "nccl_ring/simple"},
    };
    const char *set = "nccl.version=2.8";
    struct machine m;
    struct err err;

    CHECK(platform_load(&m, "abci-v", &set, 1, &err) == 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        TAKES(cases[i].takes, "nccl", &m, COLLECTIVE_ALLREDUCE, cases[i].nodes,
              4, cases[i].bytes);
    machine_clear(&m);
}

/* NCCL's environment variables bound its choice and its channels. */
static void settings(void)
{
    static const struct {
        const char *set, *takes;
    } cases[] = {
        {"nccl.settings.NCCL_ALGO=Ring", "nccl_ring/simple"},
        {"nccl.settings.NCCL_ALGO=tree,ring", "nccl_ring/simple"},
        {"nccl.settings.NCCL_ALGO=^Ring,NVLS", "nccl_tree/simple"},
        {"nccl.settings.NCCL_PROTO=LL128", "nccl_ring/ll128"},
        {"nccl.settings.NCCL_NVLS_ENABLE=0", "nccl_ring/simple"},
        {"nccl.settings.NCCL_ALGO=PAT", "nothing"},
    };
    const char *most = "nccl.settings.NCCL_MAX_NCHANNELS=7";
    struct collective c = {
        .kind = COLLECTIVE_ALLREDUCE, .nodes = 1, .ranks_per_node = 8};
    struct machine m;
    struct err err;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(platform_load(&m, "dgx-h100", &cases[i].set, 1, &err) == 0);
        TAKES(cases[i].takes, "nccl", &m, COLLECTIVE_ALLREDUCE, 1, 8, 1 << 30);
        machine_clear(&m);
    }
    CHECK(platform_load(&m, "dgx-h100", &most, 1, &err) == 0);
    CHECK_EQ(nccl_channels(&m, &c, NULL), 7);
    machine_clear(&m);
}

/* The rack as it is shipped, at the size at which it was mistaken for a
 * Volta. */
static void rack(void)
{
    struct machine m;
    struct err err;

    CHECK(platform_load(&m, "gb200-nvl72", NULL, 0, &err) == 0);
    TAKES("nccl_nvls", "nccl", &m, COLLECTIVE_ALLREDUCE, 1, 72, 16 << 20);
    machine_clear(&m);
}

static bool is_algorithm(enum collective_kind kind, const char *name)
{
    for (size_t i = 0; i < ncollectives; i++)
        if (collectives[i]->kind == kind && !strcmp(collectives[i]->name, name))
            return true;
    return false;
}

/* Each name of ours corresponds to one in the rules, and has a plan. */
static void names(void)
{
    for (size_t l = 0; l < nlibraries; l++)
        for (size_t i = 0; i < libraries[l]->nnames; i++) {
            const struct library_name *n = &libraries[l]->names[i];
            bool used = false;
            for (size_t r = 0; r < libraries[l]->nrules; r++)
                used |= libraries[l]->rules[r].kind == n->kind &&
                        !strcmp(libraries[l]->rules[r].algorithm, n->theirs);
            CHECK(used);
            CHECK(is_algorithm(n->kind, n->ours));
        }
}

/* Open MPI's own choice lasted as long as the algorithm of the table when that
 * was forced: it is the measured one whose time is nearest, unless two hardly
 * differ. */
static void measured(const struct machine *m)
{
    struct csv t;
    struct err err;
    unsigned known = 0, nearest = 0, close = 0;

    CHECK(csv_load(&t, "results/collective/openmpi_defaults.csv", &err) == 0);
    for (size_t row = 0; row < t.nrows;) {
        double default_s, algorithm_s, least = INFINITY, taken = INFINITY;
        uint64_t ranks, bytes;
        int kind = 0;
        const char *of = csv_text(&t, row, "collective");
        while (strcmp(collective_kind_names[kind], of) != 0)
            kind++;
        CHECK(csv_count(&t, row, "ranks", &ranks, &err) == 0 &&
              csv_count(&t, row, "bytes", &bytes, &err) == 0 &&
              csv_number(&t, row, "default_s", &default_s, &err) == 0);
        const char *takes_now = takes("openmpi", m, (enum collective_kind)kind,
                                      (unsigned)ranks, 1, bytes);
        double same_s = default_s;
        for (; row < t.nrows && same_s == default_s; row++) {
            CHECK(csv_number(&t, row, "algorithm_s", &algorithm_s, &err) == 0);
            double off = fabs(log(algorithm_s / default_s));
            least = fmin(least, off);
            if (!strcmp(csv_text(&t, row, "algorithm"), takes_now))
                taken = off;
            if (row + 1 < t.nrows)
                CHECK(csv_number(&t, row + 1, "default_s", &same_s, &err) == 0);
        }
        known += isfinite(taken);
        nearest += isfinite(taken) && taken == least;
        close += taken < 0.05;
    }
    printf("Open MPI's choices: %u measured, %u the nearest, %u within 5 %%\n",
           known, nearest, close);
    CHECK(known == 70 && nearest >= 63 && close >= 68);
    csv_clear(&t);
}

/* The library is that of the MPI's family, for any version. */
static void families(void)
{
    static const char *const cases[][2] = {{"mpi=CRAY_MPICH_8.1.30", "mpich"},
                                           {"mpi=cray-mpich", "mpich"},
                                           {"mpi=MPICH 4.2", "mpich"},
                                           {"mpi=OMPI_5.0.1", "openmpi"},
                                           {"mpi=Open MPI 5.0.3", "openmpi"},
                                           {"mpi=FJMPI_4.0.1", "openmpi"},
                                           {"mpi=foo", "openmpi"}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct machine m;
        struct err err;
        CHECK(platform_load(&m, "lumi", &cases[i][0], 1, &err) == 0);
        CHECK(!strcmp(library_of(&m, COLLECTIVE_HOST)->name, cases[i][1]));
        CHECK_EQ(library_mpi_is_unknown(&m), !strcmp(cases[i][0], "mpi=foo"));
        machine_clear(&m);
    }
}

int main(void)
{
    struct machine lassen, alps;
    struct err err;

    CHECK(platform_load(&lassen, "lassen", NULL, 0, &err) == 0);
    tables(&lassen);
    whole(&lassen);
    measured(&lassen);
    nccl();
    nccl_in_network();
    generations();
    versions();
    versions_of_nodes();
    before_2_10();
    settings();
    rack();
    names();
    families();
    CHECK(!strcmp(library_of(&lassen, COLLECTIVE_DEVICE)->name, "openmpi"));
    CHECK(platform_load(&alps, "alps", NULL, 0, &err) == 0);
    CHECK(!strcmp(library_of(&alps, COLLECTIVE_DEVICE)->name, "nccl"));
    CHECK(!strcmp(library_of(&alps, COLLECTIVE_STAGED)->name, "mpich"));
    /* The hump that was measured on two nodes: LL by a ring, to 1 MiB, and no
     * LL128, because GPUs reach the NICs through CPUs. At 64 KiB the tree is
     * 1 us faster by NCCL's model, which no measurement can tell. */
    for (unsigned shift = 17; shift <= 20; shift++)
        TAKES("nccl_ring/ll", "nccl", &alps, COLLECTIVE_ALLREDUCE, 2, 4,
              UINT64_C(1) << shift);
    TAKES("nccl_tree/ll", "nccl", &alps, COLLECTIVE_ALLREDUCE, 2, 4, 32768);
    TAKES("nccl_tree/simple", "nccl", &alps, COLLECTIVE_ALLREDUCE, 2, 4,
          UINT64_C(1) << 21);
    TAKES("nccl_tree/simple", "nccl", &alps, COLLECTIVE_ALLREDUCE, 2, 4,
          UINT64_C(1) << 30);
    TAKES("nccl_ring/simple", "nccl", &alps, COLLECTIVE_ALLREDUCE, 4, 4,
          UINT64_C(1) << 30);
    machine_clear(&alps);
    CHECK(!library_find("opnmpi", &err));
    CHECK_HAS(err.text, "did you mean openmpi?");
    machine_clear(&lassen);
    return check_result();
}
