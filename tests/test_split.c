/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Algorithm 1 by hand: caps, the order of receives, the reverse order of sends,
 * and the shares of the processes of a GPU. Values have 8 bytes. */
#include "tests/check.h"
#include "tests/toys.h"

#include "strategies/exchange/split.h"
#include "strategies/strategy.h"

/* The off-node messages in the order of the plan: ranks and values. */
struct seen {
    uint32_t src, dst;
    uint64_t values;
};

static size_t off_node(struct seen *seen, size_t room, const struct plan *p)
{
    size_t n = 0;

    for (size_t i = 0; i < p->nops; i++)
        if (p->ops[i].phase == PHASE_OFF_NODE && n < room)
            seen[n++] = (struct seen){p->ops[i].src, p->ops[i].dst,
                                      p->ops[i].bytes / 8};
    return n;
}

/* Plans with four GPUs and four ranks a node; checks the off-node messages. */
static void expect(const struct halo *h, uint64_t cap_B,
                   const struct seen *want, size_t nwant, int line)
{
    struct machine m = toy_machine(3, 4, 2);
    struct strategy_options options = {.message_cap_B = cap_B};
    struct err err = {0};
    struct plan plan;
    struct seen seen[16];
    int before = check_failures;

    CHECK(strategy_plan(&split_md_strategy, &plan, &m, h, &options, &err) == 0);
    size_t n = off_node(seen, 16, &plan);
    CHECK_EQ(n, nwant);
    for (size_t i = 0; i < n && i < nwant; i++) {
        CHECK_EQ(seen[i].src, want[i].src);
        CHECK_EQ(seen[i].dst, want[i].dst);
        CHECK_EQ(seen[i].values, want[i].values);
    }
    if (check_failures > before)
        fprintf(stderr, "... in the case of line %d\n", line);
    plan_clear(&plan);
    machine_clear(&m);
}

#define EXPECT(h, cap_values, ...)                                             \
    do {                                                                       \
        const struct seen want_[] = {__VA_ARGS__};                             \
        expect(h, UINT64_C(8) * (cap_values), want_,                           \
               sizeof want_ / sizeof want_[0], __LINE__);                      \
    } while (0)

/* Figure 2.7: two nodes, four processes each, a cap of three values. */
static void two_nodes(void)
{
    struct halo h = {.ngpus = 8, .gpus_per_node = 4, .value_bytes = 8};

    toy_class(&h, 0, 1, 0x1, 4);
    toy_class(&h, 1, 1, 0x6, 3); /* needed twice, sent once */
    toy_class(&h, 3, 1, 0x8, 3);
    /* Node 0 sends 7 from its first socket (4 and 3) and 3 from its second (0
     * and 3), so that its order is 2, 3, 1, 0; node 1 receives 4, 3, 3, 3: 4,
     * 5, 6, 7. Values are cut in the order of their owners: those of GPU 3, 1,
     * 0. 10 values: 3 + 3 + 3 + 1; the three equal ones of 3 are dealt by
     * place: each rank sends its own GPU's. The plan lists by sender. */
    EXPECT(&h, 3, {0, 4, 3}, {1, 5, 3}, {2, 7, 1}, {3, 6, 3});
    /* They are cut into one message, because they are equal to the cap, not
     * below it. */
    EXPECT(&h, 10, {0, 4, 10});
    /* Adjustment 1: it is one message, because they are below the cap. */
    EXPECT(&h, 11, {0, 4, 10});
    /* Adjustment 2: 10 / 2 > 4 ranks and 1 node < 4: the cap becomes ceil(80 B
     * / 4) = 20 B, which holds 2 values: five messages, and the fifth wraps
     * around to the ranks 0, which sends two of GPU 0 first, and 4, which
     * receives those of GPU 7 last. */
    EXPECT(&h, 2, {0, 4, 2}, {0, 6, 2}, {1, 5, 2}, {2, 4, 2}, {3, 7, 2});
    /* 10 / 2.5 = 4 is not above 4: a cap of 20 B stays, with 2 values each. */
    expect(
        &h, 20,
        (struct seen[]){{0, 4, 2}, {0, 6, 2}, {1, 5, 2}, {2, 4, 2}, {3, 7, 2}},
        5, __LINE__);
    toy_halo_clear(&h);
}

static void three_nodes(void)
{
    struct halo h = {.ngpus = 12, .gpus_per_node = 4, .value_bytes = 8};

    toy_class(&h, 0, 1, 0x1, 2);
    toy_class(&h, 0, 2, 0x1, 4);
    toy_class(&h, 4, 2, 0x2, 7);
    /* Orders: node 0 sends from GPU 0: 3, 2, 1, 0; node 1 sends from GPU 4 more
     * than it receives: 7, 6, 5, 4; node 2 receives 7 at GPU 9, 4 at GPU 8: 9,
     * 8, 10, 11. Node 2 receives 4 (node 1), 4 (node 0) and 3 (node 1): ranks
     * 9, 8, 10. Node 0 sends 4 (rank 0), then 2 (rank 1); node 1 sends 4 (rank
     * 4), then 3 (rank 5). Node 1 receives its 2 at rank 7: the cap of 4 is not
     * reached there. */
    EXPECT(&h, 4, {0, 8, 4}, {1, 7, 2}, {4, 9, 4}, {5, 10, 3});
    toy_halo_clear(&h);
}

static void caps(void)
{
    /* Table 1: total, largest, nodes. */
    const struct split_volumes small = {90, 30, 3}, large = {1000, 400, 3};
    const struct split_volumes many = {1000, 100, 40};

    CHECK(split_message_cap(&small, 31, 4) == UINT64_MAX);
    CHECK_EQ(split_message_cap(&small, 30, 4), 30);
    CHECK_EQ(split_message_cap(&large, 30, 40), 30); /* 33.3 <= 40 */
    CHECK_EQ(split_message_cap(&large, 30, 32), 32); /* ceil(31.25) */
    CHECK_EQ(split_message_cap(&large, 25, 40), 25); /* 40 is not above */
    CHECK_EQ(split_message_cap(&many, 24, 40), 24);  /* 40 nodes: no room */
    CHECK_EQ(split_message_cap(&many, 24, 41), 25);  /* ceil(24.39) */
}

/* Stores the bytes of the copies of one direction, by local rank. */
static void copied(uint64_t bytes[8], const struct plan *p, enum copy_dir dir,
                   unsigned node)
{
    memset(bytes, 0, 8 * sizeof *bytes);
    for (size_t i = 0; i < p->nops; i++)
        if (p->ops[i].kind == OP_COPY && p->ops[i].dir == dir &&
            plan_node(p, p->ops[i].src) == node)
            bytes[p->ops[i].src % p->ranks_per_node] += p->ops[i].bytes;
}

/* Two GPUs, eight ranks: ranks 0 to 3 serve GPU 0, ranks 4 to 7 GPU 1. */
static void duplicate_pointers(void)
{
    struct machine m = toy_machine(2, 2, 4);
    struct halo h = {.ngpus = 4, .gpus_per_node = 2, .value_bytes = 8};
    struct strategy_options options = {.processes_per_gpu = 2};
    struct err err = {0};
    struct plan plan;
    uint64_t bytes[8];

    toy_class(&h, 0, 0, 0x2, 4);
    toy_class(&h, 0, 1, 0x3, 7);
    /* 11 values leave GPU 0 by ranks 0 and 1: 6 and 5. */
    CHECK(strategy_plan(&split_dd_strategy, &plan, &m, &h, &options, &err) ==
          0);
    copied(bytes, &plan, D2H, 0);
    CHECK_EQ(bytes[0], 48);
    CHECK_EQ(bytes[1], 40);
    CHECK_EQ(bytes[2], 0);
    /* 4 reach GPU 1 of node 0: 2 each; 7 reach both GPUs of node 1. */
    copied(bytes, &plan, H2D, 0);
    CHECK_EQ(bytes[4], 16);
    CHECK_EQ(bytes[5], 16);
    copied(bytes, &plan, H2D, 1);
    CHECK_EQ(bytes[0], 32);
    CHECK_EQ(bytes[1], 24);
    CHECK_EQ(bytes[4], 32);
    CHECK_EQ(bytes[5], 24);
    plan_clear(&plan);
    toy_halo_clear(&h);
    machine_clear(&m);
}

static void too_many_processes(void)
{
    struct machine m = toy_machine(2, 2, 4);
    struct halo h = {.ngpus = 4, .gpus_per_node = 2, .value_bytes = 8};
    struct strategy_options options = {.processes_per_gpu = 5};
    struct err err = {0};
    struct plan plan;

    CHECK(strategy_plan(&split_dd_strategy, &plan, &m, &h, &options, &err) < 0);
    CHECK_HAS(err.text, "5 processes per GPU wanted, GPU 0 has 4 ranks");
    machine_clear(&m);
}

int main(void)
{
    two_nodes();
    three_nodes();
    caps();
    duplicate_pointers();
    too_many_processes();
    return check_result();
}
