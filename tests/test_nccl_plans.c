/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An algorithm that NCCL's model offers has a plan, whose time has the CPU's
 * calls: all algorithms on nodes that are full and on a last one that is not,
 * with and without switches of the network that add. */
#include "platforms/platform.h"
#include "strategies/collective/libraries/library.h"
#include "tests/loop_time.h"

#include <string.h>

static const char *const adding[] = {"network.reduces=true",
                                     "nccl.settings.NCCL_COLLNET_ENABLE=1"};

static const struct {
    unsigned nodes, per_node;
    uint32_t ranks; /* 0 if the last node is full */
} shapes[] = {{1, 8, 0}, {1, 5, 0},  {2, 8, 0},  {2, 8, 9}, {2, 8, 10},
              {4, 8, 0}, {4, 8, 28}, {3, 4, 10}, {4, 1, 0}};
enum {
    SHAPES = sizeof shapes / sizeof shapes[0],
    BYTES = 80640 /* divides into elements for all ranks */
};

static struct collective asked(enum collective_kind kind, size_t shape,
                               uint64_t bytes)
{
    return (struct collective){.kind = kind,
                               .nodes = shapes[shape].nodes,
                               .ranks_per_node = shapes[shape].per_node,
                               .ranks = shapes[shape].ranks,
                               .bytes = bytes,
                               .element_B = 4,
                               .memory = COLLECTIVE_DEVICE};
}

/* The CPU's part precedes the kernels of a call that is alone, and a thread
 * that launches eight GPUs' kernels makes eight calls. */
static void has_calls(const struct machine *m,
                      const struct collective_algorithm *a, struct collective c)
{
    c.calls = CALLS_BEHIND;
    double hidden_s = loop_s(m, a->name, &c, false);
    c.calls = CALLS_ALONE;
    double alone_s = loop_s(m, a->name, &c, false);
    CHECK(alone_s > hidden_s);
    c.by_thread = 8;
    CHECK(loop_s(m, a->name, &c, false) > alone_s);
}

static unsigned offered(const struct machine *m, const struct collective *c)
{
    unsigned n = 0;

    for (size_t i = 0; i < ncollectives; i++) {
        const struct collective_algorithm *a = collectives[i];
        struct err err = {0};
        struct loop l;
        if (a->kind != c->kind || !nccl_library.has(a) ||
            library_refuses(&nccl_library, m, a, c))
            continue;
        n++;
        bool made = collective_loop(&l, m, a, c, &err) == 0;
        CHECK(made);
        if (!made)
            fprintf(stderr, "%s of %u ranks: %s\n", a->name,
                    (unsigned)collective_ranks(c), err.text);
        loop_clear(&l);
        if (made)
            has_calls(m, a, *c);
    }
    return n;
}

/* The choice is among the algorithms that have a plan. */
static void chosen(const struct machine *m, size_t shape)
{
    for (uint64_t bytes = 1 << 10; bytes <= 1 << 30; bytes *= 32) {
        struct collective c = asked(COLLECTIVE_ALLREDUCE, shape, bytes);
        struct library_choice choice = library_choose(&nccl_library, m, &c);
        struct err err = {0};
        struct loop l;
        CHECK(choice.ours &&
              collective_loop(&l, m, choice.ours, &c, &err) == 0);
        if (err.text[0])
            fprintf(stderr, "%s\n", err.text);
        if (choice.ours)
            loop_clear(&l);
    }
}

static void partly_filled(const struct machine *m)
{
    static const char *const alike[] = {"nccl_nvls", "nccl_nvls_tree",
                                        "nccl_collnet_direct",
                                        "nccl_collnet_chain"};

    for (size_t shape = 0; shape < SHAPES; shape++)
        for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
            struct collective c = asked(COLLECTIVE_ALLREDUCE, shape, 1 << 20);
            struct err err = {0};
            const struct collective_algorithm *a =
                collective_find(c.kind, alike[i], &err);
            struct loop l;
            if (!c.ranks)
                continue;
            CHECK(a && collective_loop(&l, m, a, &c, &err) < 0);
            CHECK_HAS(err.text, "as many ranks on all");
            loop_clear(&l);
        }
}

static double set_us(const char *set, enum collective_kind kind,
                     const char *name)
{
    struct collective c = asked(kind, 0, 64 << 20);
    struct machine m;
    struct err err;

    CHECK(platform_load(&m, "dgx-h100", &set, set != NULL, &err) == 0);
    double us = loop_us(&m, name, &c);
    machine_clear(&m);
    return us;
}

/* A channel's buffer is of Simple, and not of NVLS. */
static void buffers(void)
{
    const char *set = "nccl.settings.NCCL_BUFFSIZE=65536";
    const char *nvls = "nccl_nvls", *ring = "nccl_ring/simple";

    CHECK_NEAR(set_us(set, COLLECTIVE_ALLREDUCE, nvls),
               set_us(NULL, COLLECTIVE_ALLREDUCE, nvls), 1e-9);
    CHECK(set_us(set, COLLECTIVE_ALLREDUCE, ring) >
          1.1 * set_us(NULL, COLLECTIVE_ALLREDUCE, ring));
}

/* The chunks of a send: NCCL's own as if none were set, longer ones up to a
 * slot, shorter ones refused, because they would only shorten the send. */
static void chunks(void)
{
    const char *own = "nccl.settings.NCCL_P2P_NVL_CHUNKSIZE=524288";
    const char *more = "nccl.settings.NCCL_P2P_NVL_CHUNKSIZE=67108864";
    const char *less = "nccl.settings.NCCL_P2P_NVL_CHUNKSIZE=1";
    double us = set_us(NULL, COLLECTIVE_ALLTOALL, "nccl_p2p");
    struct machine m;
    struct err err = {0};

    CHECK_NEAR(set_us(own, COLLECTIVE_ALLTOALL, "nccl_p2p"), us, 1e-9);
    CHECK_NEAR(set_us(more, COLLECTIVE_ALLTOALL, "nccl_p2p"), us, 1e-9);
    CHECK(platform_load(&m, "dgx-h100", &less, 1, &err) < 0);
    CHECK_HAS(err.text, "NCCL_P2P_NVL_CHUNKSIZE: not modelled below 524288");
}

int main(void)
{
    chunks();
    buffers();
    unsigned n = 0;

    for (size_t nsets = 0; nsets <= 2; nsets += 2) {
        struct machine m;
        struct err err;
        CHECK(platform_load(&m, "dgx-h100", adding, nsets, &err) == 0);
        for (size_t shape = 0; shape < SHAPES; shape++) {
            for (int kind = 0; kind < NCOLLECTIVE_KINDS; kind++) {
                struct collective c = asked(kind, shape, BYTES);
                n += offered(&m, &c);
            }
            chosen(&m, shape);
        }
        if (nsets)
            partly_filled(&m);
        machine_clear(&m);
    }
    CHECK(n > 150);
    return check_result();
}
