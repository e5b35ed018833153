/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives of kernels that access each other's memory: times by hand, and
 * what vLLM chooses. */
#include "sim/plan/exec.h"
#include "strategies/collective/collective.h"
#include "strategies/collective/libraries/library.h"
#include "strategies/collective/peer.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>
#include <string.h>

static struct collective asked(enum collective_kind kind, unsigned nodes,
                               unsigned per_node, uint64_t bytes)
{
    return (struct collective){.kind = kind,
                               .nodes = nodes,
                               .ranks_per_node = per_node,
                               .bytes = bytes,
                               .element_B = 2,
                               .memory = COLLECTIVE_DEVICE};
}

static double us(const struct machine *m, const char *name,
                 const struct collective *c)
{
    struct exec_options exact = exec_defaults;
    struct err err = {0};
    struct exec_result r = {0};
    struct plan p;

    exact.accuracy = 0;
    CHECK(collective_plan(&p, m, collective_find(c->kind, name, &err), NULL, c,
                          &err) == 0);
    CHECK(exec_plan(&r, m, &p, &exact, EXEC_MAKESPAN, &err) == 0);
    if (err.text[0])
        fprintf(stderr, "%s: %s\n", name, err.text);
    double s = r.time_s;
    exec_result_clear(&r);
    plan_clear(&p);
    return 1e6 * s;
}

static double allreduce_us(const struct machine *m, const char *name,
                           unsigned ranks, uint64_t bytes)
{
    struct collective c = asked(COLLECTIVE_ALLREDUCE, 1, ranks, bytes);

    return us(m, name, &c);
}

/* GPUs 0 and 1, and 2 and 3, are joined by 40 GB/s; each has a link of 10 GB/s
 * to its socket. */
static void allreduces(void)
{
    struct machine m;

    tiny_machine(&m, 2);
    tiny_peer(&m);
    /* The kernel, a flag, the load of 4,000 B over 40 GB/s, a flag. */
    CHECK_NEAR(allreduce_us(&m, "one_shot", 2, 4000), 2 + 1 + 2 + 0.1 + 1,
               1e-9);
    CHECK_NEAR(allreduce_us(&m, "one_shot_push", 2, 4000), 2 + 2 + 0.1, 1e-9);
    /* Its part is a half; the writes are seen 3 us later. */
    CHECK_NEAR(allreduce_us(&m, "two_shot", 2, 4000),
               2 + 1 + 2.05 + 3 + 1 + 2.05, 1e-9);
    /* More than 36 blocks: 36 * 8192 * 10 B take 81.92 us at 1 ns/B of each
     * block, which is more than the link's 73.7. */
    CHECK_NEAR(allreduce_us(&m, "one_shot", 2, UINT64_C(36) * 81920),
               2 + 1 + 1 + 81.92 + 1, 1e-9);
    /* Pushed by 128 blocks, only the link bounds it. */
    CHECK_NEAR(allreduce_us(&m, "one_shot_push", 2, UINT64_C(36) * 81920),
               2 + 1 + 36 * 81920 / 40e3, 1e-9);
    /* Two of the three vectors that a GPU loads pass the link of its socket,
     * from which two others load as well. */
    CHECK_NEAR(allreduce_us(&m, "one_shot", 4, 4000), 2 + 1 + 2 + 0.8 + 1,
               1e-9);
    /* Then its part of each, and three parts one after the other: the second
     * and third of 1,000 B over 10 GB/s, the first of two GPUs, too. */
    CHECK_NEAR(allreduce_us(&m, "two_shot", 4, 4000),
               2 + 1 + 2.2 + 3 + 1 + 2.1 + 2.1 + 2.1, 1e-9);
    CHECK_NEAR(allreduce_us(&m, "one_shot", 1, 4000), 0, 1e-9);
    machine_clear(&m);
}

static void alltoalls(void)
{
    struct collective c = asked(COLLECTIVE_ALLTOALL, 1, 2, 8000);
    struct machine m;

    tiny_machine(&m, 2);
    tiny_peer(&m);
    CHECK_NEAR(us(&m, "put", &c), 2 + 0.1 + 2, 1e-9);
    /* Two nodes of a GPU: 4,000 B over 10 GB/s, 5 us. */
    c = asked(COLLECTIVE_ALLTOALL, 2, 1, 8000);
    CHECK_NEAR(us(&m, "put", &c), 2 + 0.4 + 5, 1e-9);
    CHECK_NEAR(us(&m, "put_rail", &c), 2 + 0.4 + 5, 1e-9);
    /* Two nodes of two GPUs with a NIC: each puts two blocks of 2,000 B one
     * after the other. Both NICs of the other way are idle. */
    c = asked(COLLECTIVE_ALLTOALL, 2, 2, 8000);
    double direct_us = us(&m, "put", &c);
    CHECK_NEAR(direct_us, 2 + 0.8 + 5, 1e-9);
    /* The second is forwarded over 40 GB/s. */
    CHECK_NEAR(us(&m, "put_rail", &c), 2 + 0.8 + 5 + 0.05 + 2, 1e-9);
    machine_clear(&m);
}

static void missing(void)
{
    struct collective c = asked(COLLECTIVE_ALLREDUCE, 1, 2, 4000);
    struct err err = {0};
    struct loop l;
    struct machine m;

    tiny_machine(&m, 2);
    const struct collective_algorithm *a =
        collective_find(c.kind, "one_shot", &err);
    CHECK(collective_loop(&l, &m, a, &c, &err) < 0);
    CHECK_HAS(err.text, "one_shot: tiny has no runtimes.peer.gpu.on_node");
    tiny_peer(&m);
    CHECK_EQ(collective_loop(&l, &m, a, &c, &err), 1);
    c.memory = COLLECTIVE_HOST;
    CHECK(collective_loop(&l, &m, a, &c, &err) < 0);
    CHECK_HAS(err.text, "between GPUs only");
    machine_clear(&m);
}

static void choices(void)
{
    static const struct {
        unsigned ranks;
        uint64_t bytes;
        const char *want;
    } of[] = {{2, (8 << 20) - 2, "one_shot"},   {2, 8 << 20, NULL},
              {4, (512 << 10) - 2, "one_shot"}, {4, 512 << 10, "two_shot"},
              {6, 512 << 10, "two_shot"},       {8, 256 << 10, "two_shot"},
              {8, (256 << 10) - 2, "one_shot"}, {3, 4000, NULL}};
    struct machine m;

    tiny_machine(&m, 4);
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct collective c =
            asked(COLLECTIVE_ALLREDUCE, 1, of[i].ranks, of[i].bytes);
        struct library_choice got = library_choose(&vllm_library, &m, &c);
        CHECK((got.ours != NULL) == (of[i].want != NULL));
        if (got.ours && of[i].want)
            CHECK(!strcmp(got.ours->name, of[i].want));
    }
    machine_clear(&m);
}

int main(void)
{
    allreduces();
    alltoalls();
    missing();
    choices();
    return check_result();
}
