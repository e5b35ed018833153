/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common properties of all runtimes with a communication thread, compared with
 * mpi if their threads take no time. */
#include "tests/team_toys.h"

static void refusals(void)
{
    struct plan p = plan_of(RUNTIME_LCI, 2);

    source_free(costs(RUNTIME_LCI)->source);
    tiny.costs[RUNTIME_LCI].source = NULL;
    message(&p, 0, 1, 1000);
    CHECK_HAS(refusal(&p), "lci: tiny has no runtimes.lci.costs");

    p = plan_of(RUNTIME_LCI, 2);
    lci_costs();
    plan_msg(&p, PHASE_OFF_NODE, 0, 1, 0, 4, 1000);
    CHECK_HAS(refusal(&p), "lci has no table of messages between GPUs");
}

static const enum runtime hosted[] = {RUNTIME_LCI, RUNTIME_MPI_PROBE,
                                      RUNTIME_MPI_RMA};

/* A rank's received data occupies its buffer until the operations that depend
 * on it end. */
static void buffers_are_used(void)
{
    for (int scatter = 0; scatter < 2; scatter++) {
        struct plan p = plan_of(RUNTIME_LCI, 3);
        struct exec_result r;

        struct runtime_costs *c = costs(RUNTIME_LCI);
        c->packet_B = 2000;
        c->packets_per_host = 10;
        uint32_t a = message(&p, 0, 2, 1000);
        uint32_t work = plan_work(&p, 1, 5 * us);
        message(&p, 1, 2, 1000);
        plan_after(&p, work);
        if (scatter) {
            p.lanes = 1;
            plan_work_beside(&p, 2, 1, 20 * us);
            plan_after(&p, a);
        }
        r = run(&p);
        CHECK_NEAR(r.hosts[2].most_B, scatter ? 2000 : 1000, 0);
        CHECK_NEAR(r.hosts[2].live_B, 0, 0);
        exec_result_clear(&r);
        plan_clear(&p);
    }
}

static uint32_t drawn(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)*seed * below >> 32);
}

/* Makes messages among six ranks, some after work, some after other
 * messages. */
static struct plan random_plan(enum runtime by, uint32_t seed, bool depend)
{
    struct plan p = plan_of(by, 6);
    uint32_t last[6] = {0}, n = 0;
    bool any[6] = {0};

    for (int i = 0; i < 40; i++) {
        uint32_t from = drawn(&seed, 6), to = (from + 1 + drawn(&seed, 5)) % 6;
        n = message(&p, from, to, drawn(&seed, 5000));
        if (depend && any[from] && drawn(&seed, 2))
            plan_after(&p, last[from]);
        last[to] = n;
        any[to] = true;
    }
    return p;
}

/* If threads take no time, the times are mpi's, whose CPUs take none here. */
static void no_costs_are_the_wire(void)
{
    for (uint32_t seed = 1; seed <= 20; seed++)
        for (int r = 0; r < 3; r++) {
            bool depend = hosted[r] != RUNTIME_MPI_RMA && seed % 2;
            struct plan mpi = random_plan(RUNTIME_MPI, seed, depend);
            struct plan p = random_plan(hosted[r], seed, depend);
            struct runtime_costs *c = costs(hosted[r]);
            c->packet_B = c->eager_B = 5000;
            c->packets_per_host = 100;
            CHECK_NEAR(time_us(&p), time_us(&mpi), 1e-9);
        }
}

/* More packets never make it slower. */
static void packets_help(void)
{
    for (uint32_t seed = 1; seed <= 20; seed++) {
        double before_us = INFINITY;
        for (unsigned packets = 1; packets <= 16; packets *= 2) {
            struct plan p = random_plan(RUNTIME_LCI, seed, false);
            struct runtime_costs *c = lci_costs();
            c->packet_B = 5000;
            c->packets_per_host = packets;
            double t = time_us(&p);
            CHECK(t <= before_us * (1 + 1e-9));
            before_us = t;
        }
    }
}

/* At any costs each message ends once, and buffers are empty then. */
static void all_ends(void)
{
    const struct exec_options alone = {.engine = ENGINE_ALONE,
                                       .max_events = 1000000};

    for (uint32_t seed = 1; seed <= 30; seed++)
        for (int k = 0; k < 6; k++) {
            struct plan p = random_plan(hosted[k / 2], seed, true);
            struct exec_result r;
            struct err err = {0};
            lci_costs()->packet_B = 2500;
            probe_costs()->flush_s = seed % 3 * us;
            tiny.costs[RUNTIME_MPI_PROBE].test_s = 0.05 * us;
            tiny.costs[RUNTIME_MPI_PROBE].eager_B = 2500;
            tiny.costs[RUNTIME_MPI_PROBE].unexpected_B = 3000;
            rma_costs()->epoch = seed % 2 ? EPOCH_PSCW : EPOCH_FENCE;
            CHECK(exec_plan(&r, &tiny, &p, k % 2 ? &alone : NULL, EXEC_DETAILS,
                            &err) == 0);
            for (uint32_t i = 0; i < r.nhosts; i++)
                CHECK_NEAR(r.hosts[i].live_B, 0, 0);
            exec_result_clear(&r);
            plan_clear(&p);
        }
}

int main(void)
{
    team_machine();
    refusals();
    buffers_are_used();
    no_costs_are_the_wire();
    packets_help();
    all_ends();
    machine_clear(&tiny);
    return check_result();
}
