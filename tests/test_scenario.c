/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of Fig 4.3 of Lockhart et al. 2022: counts, duplicates, errors. */
#include "sim/plan/plan_check.h"
#include "strategies/strategy.h"
#include "tests/check.h"
#include "tests/toys.h"
#include "workloads/scenario.h"

#include <string.h>

static struct halo make(unsigned gpus, struct scenario s)
{
    struct halo h = {0};
    struct err err = {0};

    if (scenario_halo(&h, gpus, &s, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return h;
}

/* 32 messages of 10 bytes are from 4 GPUs to 4 nodes: 8 of each GPU, 2 for each
 * node, to 2 of its GPUs. */
static void test_counts(void)
{
    struct halo h = make(4, (struct scenario){32, 4, 10, 0, false});
    struct halo_stats st;

    halo_stats(&h, &st);
    CHECK_EQ(h.ngpus, 20);
    CHECK_EQ(st.off_node_values, 320);
    CHECK_EQ(st.off_node_messages, 32);
    CHECK_EQ(st.max_messages_per_gpu, 8);
    CHECK_EQ(st.max_nodes_per_gpu, 4);
    CHECK_EQ(st.max_values_node_to_node, 80);
    CHECK_EQ(h.classes[0].src, 0);
    CHECK_EQ(h.classes[0].dst_node, 1);
    CHECK_EQ(h.classes[0].dst_mask, 1); /* the first is to its own number */
    CHECK_EQ(h.classes[1].dst_mask, 2); /* the next is to the next one */
    halo_clear(&h);
}

/* With 16 nodes each gets 2 messages; no GPU has enough for them all. */
static void test_counts_uneven(void)
{
    struct halo h = make(4, (struct scenario){32, 16, 10, 0, false});
    struct halo_stats st;

    halo_stats(&h, &st);
    CHECK_EQ(st.max_nodes_per_node, 16);
    CHECK_EQ(st.max_nodes_per_gpu, 8);
    CHECK_EQ(st.max_values_node_to_node, 20);
    halo_clear(&h);

    /* 7 messages from 4 GPUs are 2, 2, 2, 1. */
    h = make(4, (struct scenario){7, 3, 1, 0, false});
    halo_stats(&h, &st);
    CHECK_EQ(st.off_node_values, 7);
    CHECK_EQ(st.max_values_per_gpu, 2);
    halo_clear(&h);
}

/* All messages to a node are from one GPU: 4 nodes, one for each GPU. */
static void test_best_case(void)
{
    struct halo h = make(4, (struct scenario){256, 4, 8, 0, true});

    for (uint32_t c = 0; c < h.nclasses; c++) {
        CHECK_EQ(h.classes[c].src, h.classes[c].dst_node - 1);
        CHECK_EQ(h.classes[c].count, 16 * 8);
    }
    CHECK_EQ(h.nclasses, 16);
    halo_clear(&h);
}

/* With a quarter of all bytes as duplicates: if 2 GPUs of a node get 10 bytes
 * each, 5 of the values are the same. */
static void test_duplicates(void)
{
    struct halo h = make(4, (struct scenario){32, 4, 10, 0.25, false});
    struct halo_stats st;

    halo_stats(&h, &st);
    CHECK_EQ(st.off_node_values, 320);
    CHECK_EQ(st.off_node_values_dedup, 240);
    halo_clear(&h);

    /* The most duplicates: half of all, if there are two. */
    h = make(4, (struct scenario){32, 4, 10, 1, false});
    halo_stats(&h, &st);
    CHECK_EQ(st.off_node_values, 320);
    CHECK_EQ(st.off_node_values_dedup, 160);
    halo_clear(&h);
}

static void test_refused(void)
{
    struct halo h;
    struct err err = {0};
    const struct scenario bad[] = {{0, 4, 8, 0, false},
                                   {1, 0, 8, 0, false},
                                   {1, 1, 0, 0, false},
                                   {1, 1, 1, 1.5, false},
                                   {3, 1, UINT64_MAX / 2, 0, false}};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_EQ(scenario_halo(&h, 4, &bad[i], &err), -1);
        CHECK_HAS(err.text, "scenario: ");
    }
    CHECK_EQ(scenario_halo(&h, 0, &(struct scenario){1, 1, 1, 0, false}, &err),
             -1);
}

/* Returns the values that cross the network, and stores the number of messages
 * that do. */
static uint64_t sent(const struct plan *p, uint64_t *messages)
{
    uint64_t values = 0;

    *messages = 0;
    for (size_t i = 0; i < p->nops; i++) {
        const struct op *op = &p->ops[i];
        uint64_t carried = 0;
        for (uint32_t k = plan_first_piece(p, i); k < plan_end_piece(p, i); k++)
            carried += p->pieces[k].count;
        CHECK_EQ(carried, op->bytes); /* values of one byte */
        if (op->phase == PHASE_OFF_NODE) {
            (*messages)++;
            values += carried;
        }
    }
    return values;
}

/* 256 messages are to 16 GPUs: 4 of each pair, which a halo merges. */
static void test_unmerge(void)
{
    struct machine m = toy_machine(8, 4, 10);
    struct halo h = make(4, (struct scenario){256, 4, 100, 0.25, false});
    struct strategy_options options = {0};
    struct plan merged, apart;
    struct err err = {0};
    uint64_t messages;

    CHECK_EQ(strategy_plan(&standard_staged_strategy, &merged, &m, &h, &options,
                           &err),
             0);
    CHECK_EQ(sent(&merged, &messages), 25600);
    CHECK_EQ(messages, 64);
    scenario_unmerge(&apart, &merged, &h, 100);
    CHECK_EQ(plan_check(&apart, &m, &err), 0);
    CHECK_EQ(sent(&apart, &messages), 25600);
    CHECK_EQ(messages, 256);
    /* The copies in wait for every part. */
    const struct op *last = &apart.ops[apart.nops - 1];
    CHECK_EQ(last->phase, PHASE_COPY_IN);
    CHECK_EQ(plan_ndeps(&apart, apart.nops - 1), 16);
    plan_clear(&apart);
    plan_clear(&merged);
    halo_clear(&h);
    machine_clear(&m);
}

/* If there is nothing to separate, the plan is the same. */
static void test_unmerge_nothing(void)
{
    struct machine m = toy_machine(8, 4, 10);
    struct halo h = make(4, (struct scenario){256, 4, 100, 0.25, false});
    struct strategy_options options = {0};
    struct plan merged, apart;
    struct err err = {0};

    CHECK_EQ(strategy_plan(&standard_staged_strategy, &merged, &m, &h, &options,
                           &err),
             0);
    scenario_unmerge(&apart, &merged, &h, 1 << 20);
    CHECK_EQ(apart.nops, merged.nops);
    CHECK_EQ(apart.ndeps, merged.ndeps);
    CHECK_EQ(apart.npieces, merged.npieces);
    plan_clear(&apart);
    plan_clear(&merged);
    halo_clear(&h);
    machine_clear(&m);
}

int main(void)
{
    test_counts();
    test_counts_uneven();
    test_best_case();
    test_duplicates();
    test_refused();
    test_unmerge();
    test_unmerge_nothing();
    return check_result();
}
