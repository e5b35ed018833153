/* SPDX-License-Identifier: GPL-3.0-or-later */
/* team_toys.h - plans on a tiny machine under runtimes with a communication
 * thread, whose costs can be checked by hand. */
#ifndef TESTS_TEAM_TOYS_H
#define TESTS_TEAM_TOYS_H

#include "sim/plan/exec_processes.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>

/* Messages between nodes are eager and take 1 us + 1 ns/B one way; each node
 * has a rank on 8 cores. */
static struct machine tiny;
static const double us = 1e-6;

static inline struct runtime_costs *costs(enum runtime by)
{
    struct runtime_costs *c = &tiny.costs[by];

    source_free(c->source);
    *c = (struct runtime_costs){.devices = 1,
                                .windows = 1,
                                .source =
                                    source_new(PROVENANCE_ASSUMED, "a test")};
    return c;
}

static inline struct plan plan_of(enum runtime by, unsigned ranks)
{
    struct plan p;

    plan_init(&p, &tiny, "hosts", ranks, 1, NULL);
    p.runtime = by;
    return p;
}

static inline uint32_t message(struct plan *p, uint32_t from, uint32_t to,
                               uint64_t bytes)
{
    return plan_msg(p, PHASE_OFF_NODE, from, to, NO_GPU, NO_GPU, bytes);
}

static inline struct exec_result run(const struct plan *p)
{
    struct exec_result r = {.time_s = NAN};
    struct err err = {0};

    if (exec_plan(&r, &tiny, p, NULL, EXEC_DETAILS, &err) < 0)
        err_print(&err);
    return r;
}

/* Runs the plan and clears it; returns the time in us. */
static inline double time_us(struct plan *p)
{
    struct exec_result r = run(p);
    double t = r.time_s / us;

    exec_result_clear(&r);
    plan_clear(p);
    return t;
}

static inline const char *refusal(struct plan *p)
{
    static struct err err;
    struct exec_result r;

    err = (struct err){0};
    if (exec_plan(&r, &tiny, p, NULL, EXEC_TIMES, &err) == 0)
        exec_result_clear(&r);
    plan_clear(p);
    return err.text;
}

static inline struct runtime_costs *lci_costs(void)
{
    struct runtime_costs *c = costs(RUNTIME_LCI);

    c->call_s = 0.5 * us;
    c->copy_Bps = 1e9;
    c->send_s = 0.7 * us;
    c->recv_s = 0.3 * us;
    c->recv_s_per_B = 0.1e-9;
    c->dequeue_s = 0.2 * us;
    c->packet_B = 1000;
    c->packets_per_host = 1;
    return c;
}

static inline struct runtime_costs *probe_costs(void)
{
    struct runtime_costs *c = costs(RUNTIME_MPI_PROBE);

    c->call_s = 0.5 * us;
    c->send_s = 0.4 * us;
    c->send_s_per_B = 0.1e-9;
    c->recv_s = 0.3 * us;
    c->recv_s_per_B = 0.1e-9;
    c->poll_s = 0.3 * us;
    c->entry_s = 10e-9;
    c->dequeue_s = 0.2 * us;
    c->eager_B = 1000;
    return c;
}

static inline struct runtime_costs *rma_costs(void)
{
    struct runtime_costs *c = costs(RUNTIME_MPI_RMA);

    c->start_s = 0.1 * us;
    c->call_s = 0.5 * us;
    c->complete_s = 0.2 * us;
    c->wait_s = 0.3 * us;
    c->post_s = 0.4 * us;
    c->lock_s = 0.05 * us;
    c->fence_s = 1 * us;
    c->window_s = 2 * us;
    return c;
}

static inline void team_machine(void)
{
    tiny_machine(&tiny, 4);
    tiny.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments[0].protocol =
        PROTOCOL_EAGER;
}

#endif
