/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strategies on patterns small enough to check by hand, and their refusals.
 * test_strategies.c checks that values arrive. */
#include "tests/check.h"
#include "tests/toys.h"

#include "base/opts.h"
#include "strategies/strategy.h"

static uint64_t count_phase(const struct plan *p, enum phase phase)
{
    uint64_t ops = 0;

    for (size_t i = 0; i < p->nops; i++)
        ops += p->ops[i].phase == phase;
    return ops;
}

/* Each GPU of node 0 sends to one GPU of node 1, but not to that of its own
 * number: 2-step has all to redistribute, 2-step-1 nothing. */
static void best_case(void)
{
    struct machine m = toy_machine(2, 3, 4);
    struct halo h = {.ngpus = 6, .gpus_per_node = 3, .value_bytes = 8};
    struct strategy_options options = {0};
    struct err err = {0};
    struct plan plan;

    for (uint32_t g = 0; g < 3; g++)
        toy_class(&h, g, 1, 1u << (g + 1) % 3, 10);
    CHECK(strategy_plan(&two_step_staged_strategy, &plan, &m, &h, &options,
                        &err) == 0);
    CHECK_EQ(count_phase(&plan, PHASE_OFF_NODE), 3);
    CHECK_EQ(count_phase(&plan, PHASE_SCATTER), 3);
    plan_clear(&plan);
    CHECK(strategy_plan(&two_step_1_staged_strategy, &plan, &m, &h, &options,
                        &err) == 0);
    CHECK_EQ(count_phase(&plan, PHASE_OFF_NODE), 3);
    CHECK_EQ(count_phase(&plan, PHASE_SCATTER), 0);
    plan_clear(&plan);
    toy_halo_clear(&h);

    /* GPUs 4 and 5 (0x2 and 0x4) need 10 values each: the lower one gets all
     * and forwards 10. */
    toy_class(&h, 0, 1, 0x1, 9);
    toy_class(&h, 0, 1, 0x2, 10);
    toy_class(&h, 0, 1, 0x4, 10);
    CHECK(strategy_plan(&two_step_1_device_strategy, &plan, &m, &h, &options,
                        &err) == 0);
    CHECK_EQ(plan.nops, 3);
    CHECK_EQ(plan.ops[0].dst_gpu, 4);
    CHECK_EQ(plan.ops[0].bytes, 29 * 8);
    plan_clear(&plan);
    toy_halo_clear(&h);
    machine_clear(&m);
}

/* GPUs 0 and 1 of node 0 send to GPUs 3 and 5 of node 1, whose numbers in the
 * node all differ from the senders' own: each value moves to the sender's
 * neighbour of that number, crosses once, and has arrived. */
static void rail(void)
{
    struct machine m = toy_machine(2, 3, 4);
    struct halo h = {.ngpus = 6, .gpus_per_node = 3, .value_bytes = 8};
    struct strategy_options options = {0};
    struct err err = {0};
    struct plan plan;

    toy_class(&h, 0, 1, 0x1, 1);
    toy_class(&h, 0, 1, 0x4, 2);
    toy_class(&h, 1, 1, 0x4, 4);
    CHECK(strategy_plan(&rail_device_strategy, &plan, &m, &h, &options, &err) ==
          0);
    CHECK_EQ(count_phase(&plan, PHASE_GATHER), 2);
    CHECK_EQ(count_phase(&plan, PHASE_OFF_NODE), 2);
    CHECK_EQ(plan.nops, 4);
    for (size_t i = 0; i < plan.nops; i++) {
        const struct op *op = &plan.ops[i];
        if (op->phase == PHASE_GATHER)
            CHECK_EQ(op->dst_gpu, 2);
        else
            CHECK_EQ(op->src_gpu + 3, op->dst_gpu);
        if (op->dst_gpu == 5)
            CHECK_EQ(op->bytes, 6 * 8);
    }
    plan_clear(&plan);
    toy_halo_clear(&h);
    machine_clear(&m);
}

/* With `turned` GPU 1 of four, two a node, sends to 2, 3 and then to 0,
 * otherwise to 0 on its node first. */
static void turned(void)
{
    static const uint32_t order[2][3] = {{0, 2, 3}, {2, 3, 0}};
    struct machine m = toy_machine(2, 2, 4);
    struct halo h = {.ngpus = 4, .gpus_per_node = 2, .value_bytes = 8};
    struct err err = {0};
    struct plan plan;

    toy_class(&h, 1, 0, 1, 1);
    toy_class(&h, 1, 1, 1, 1);
    toy_class(&h, 1, 1, 2, 1);
    for (int turned = 0; turned < 2; turned++) {
        struct strategy_options options = {.turned = turned};
        CHECK(strategy_plan(&standard_device_strategy, &plan, &m, &h, &options,
                            &err) == 0);
        CHECK_EQ(plan.nops, 3);
        for (uint32_t i = 0; i < plan.nops && i < 3; i++)
            CHECK_EQ(plan.ops[i].dst_gpu, order[turned][i]);
        plan_clear(&plan);
    }
    toy_halo_clear(&h);
    machine_clear(&m);
}

/* Node 0 sends only to every third node, with three GPUs a node: yet its
 * messages leave by three ranks and arrive at three (local ranks 0, 2 and
 * 4). */
static void balanced_three_step(void)
{
    struct machine m = toy_machine(10, 3, 4);
    struct halo h = {.ngpus = 30, .gpus_per_node = 3, .value_bytes = 8};
    struct strategy_options options = {0};
    struct err err = {0};
    struct plan plan;
    uint32_t senders = 0, receivers = 0;

    for (uint32_t node = 3; node < 10; node += 3)
        toy_class(&h, 0, node, 0x7, 2);
    for (uint32_t node = 3; node < 10; node += 3)
        toy_class(&h, 3 * node, 0, 0x7, 2);
    CHECK(strategy_plan(&three_step_staged_strategy, &plan, &m, &h, &options,
                        &err) == 0);
    for (size_t i = 0; i < plan.nops; i++) {
        const struct op *op = &plan.ops[i];
        if (op->phase != PHASE_OFF_NODE)
            continue;
        senders |= op->src < 8 ? 1u << op->src : 0;
        receivers |= op->dst < 8 ? 1u << op->dst : 0;
    }
    CHECK_EQ(senders, 0x15);
    CHECK_EQ(receivers, 0x15);
    plan_clear(&plan);
    toy_halo_clear(&h);
    machine_clear(&m);
}

/* With 40 cores and 4 GPUs a node, as on Lassen, each GPU has ten ranks. */
static void placement(void)
{
    struct machine m = toy_machine(2, 4, 20);
    struct halo h = {.ngpus = 8, .gpus_per_node = 4, .value_bytes = 8};
    struct strategy_options options = {0};
    struct err err = {0};
    struct plan plan;

    for (uint32_t g = 0; g < 4; g++)
        toy_class(&h, g, 1, 1u << g, 3);
    CHECK(strategy_plan(&standard_device_strategy, &plan, &m, &h, &options,
                        &err) == 0);
    CHECK_EQ(plan.nops, 4);
    for (uint32_t i = 0; i < plan.nops; i++) {
        CHECK_EQ(plan.ops[i].src, 10 * i);
        CHECK_EQ(plan.ops[i].dst, 40 + 10 * i);
    }
    plan_clear(&plan);
    toy_halo_clear(&h);
    machine_clear(&m);
}

/* Checks that planning on a machine that cannot run it fails with the
 * reason. */
static void refused(const char *name, const struct machine *m,
                    const struct halo *h, struct strategy_options options,
                    const char *reason)
{
    struct err err = {0};
    struct plan plan;
    const struct strategy *s = strategy_find(name, &err);

    CHECK(s != NULL);
    if (!s)
        return;
    CHECK(strategy_plan(s, &plan, m, h, &options, &err) < 0);
    CHECK(plan.ops == NULL && plan.name == NULL);
    CHECK_HAS(err.text, name);
    CHECK_HAS(err.text, reason);
}

static void errors(void)
{
    struct machine m = toy_machine(2, 4, 4);
    struct halo h = {.ngpus = 8, .gpus_per_node = 4, .value_bytes = 8};
    struct strategy_options options = {0};
    struct err err = {0};

    toy_class(&h, 0, 1, 3, 2);
    CHECK(strategy_find("standard/stagd", &err) == NULL);
    CHECK_HAS(err.text, "did you mean standard/staged?");
    CHECK_HAS(err.text, "; all: sluice list strategies");

    options.ranks_per_node = 3;
    refused("standard/staged", &m, &h, options,
            "socket 1 of toy has 2 GPUs, but 1 of 3 ranks");
    options.ranks_per_node = 9;
    refused("standard/staged", &m, &h, options, "toy has 8 cores");
    options.ranks_per_node = 0;
    m.network.nodes = 1;
    refused("standard/staged", &m, &h, options,
            "8 GPUs need 2 nodes, toy has 1");
    m.network.nodes = 2;
    m.copies.nrows = 0;
    refused("standard/staged", &m, &h, options, "no copies");
    m.copies.nrows = 2;
    m.messages[RUNTIME_MPI][PATH_GDR][OFF_NODE].nsegments = 0;
    refused("standard/device", &m, &h, options, "gpu messages off_node");
    m.messages[RUNTIME_MPI][PATH_GDR][OFF_NODE].nsegments = 2;
    h.gpus_per_node = 8;
    refused("standard/device", &m, &h, options,
            "the halo has 8 GPUs per node, toy has 4");
    toy_halo_clear(&h);
    machine_clear(&m);
}

/* Each row is complete, and plans in one form; words of options have one blank
 * between. */
static void table(void)
{
    for (size_t i = 0; i < nstrategies; i++) {
        const struct strategy *s = strategies[i];
        struct err err = {0};
        CHECK(s->name && s->summary && s->help && s->options);
        CHECK(!s->route != !s->plan);
        CHECK(strategy_find(s->name, &err) == s);
        if (s->options)
            CHECK(!strstr(s->options, "  ") && !strchr(s->options, ','));
    }
    CHECK(opt_in_list("a message-cap b", "message-cap"));
    CHECK(opt_in_list("message-cap", "message-cap"));
    CHECK(!opt_in_list("a message-cap b", "message"));
    CHECK(!opt_in_list("a message-cap b", "cap"));
    CHECK(!opt_in_list("", "a") && !opt_in_list(NULL, "a"));
}

int main(void)
{
    table();
    best_case();
    balanced_three_step();
    rail();
    turned();
    placement();
    errors();
    return check_result();
}
