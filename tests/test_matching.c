/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching with a cost: each engine's time by hand, the wait for an engine that
 * is busy, and queues against plain lists. */
#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "sim/transport/matching.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>

enum { PER_NODE = 8 };

static struct machine tiny;
static struct exec_options how;

/* Messages of 0 B are there 1 us after they are sent, received or not; nothing
 * keeps a CPU busy. */
static void eager(void)
{
    for (int where = 0; where < NLOCALITIES; where++)
        tiny.messages[RUNTIME_MPI][PATH_HOST][where].segments[0].protocol =
            PROTOCOL_EAGER;
}

/* 1 GHz: a cycle is a nanosecond. Round numbers that tell the parts apart. */
static struct matching law(enum matcher engine)
{
    return (struct matching){.engine = engine,
                             .entry_s = 100e-9,
                             .attempt_s = 10e-9,
                             .clock_Hz = 1e9,
                             .pass_cycles = 1000,
                             .receive_cycles = 300,
                             .miss_cycles = 200,
                             .scan_cycles = 150,
                             .short_cycles = 270,
                             .short_messages = 32,
                             .cta_messages = 1024,
                             .queues = 4,
                             .queue_cycles = 10,
                             .ctas = 4,
                             .resident_ctas = 2,
                             .round_cycles = 5000,
                             .hash_cycles = 4,
                             .slots = 1.25};
}

static double run(struct exec_result *r, const struct plan *p)
{
    struct err err = {0};

    if (exec_plan(r, &tiny, p, &how, EXEC_DETAILS, &err) == 0)
        return r->time_s;
    fprintf(stderr, "%s\n", err.text);
    return -1;
}

static double run_time(struct plan *p)
{
    struct exec_result r;
    double time = run(&r, p);

    exec_result_clear(&r);
    plan_clear(p);
    return time;
}

/* `n` receives of rank 0, tags from 0 on, then as many messages from rank 8 on
 * another node, of the last tag first where `backwards`. */
static void posted(struct plan *p, uint32_t n, bool backwards)
{
    plan_init(p, &tiny, "posted", 2, PER_NODE, NULL);
    for (uint32_t i = 0; i < n; i++)
        plan_recv(p, PHASE_OFF_NODE, 0, PER_NODE, i, 0);
    for (uint32_t i = 0; i < n; i++)
        plan_send(p, PHASE_OFF_NODE, PER_NODE, 0, backwards ? n - 1 - i : i, 0);
}

/* --- time by hand --------------------------------------------------------- */

/* Two attempts for each message and its receive, 10 ns each, and entries of
 * 100 ns: 1 for each in order, 4 + 3 + 2 + 1 backwards, one after the other on
 * the receiver's CPU. */
static void by_list(void)
{
    struct plan p;

    tiny.matching = law(MATCHER_LIST);
    posted(&p, 4, false);
    CHECK_NEAR(run_time(&p), 1e-6 + 8 * 10e-9 + 4 * 100e-9, 1e-9);
    posted(&p, 4, true);
    CHECK_NEAR(run_time(&p), 1e-6 + 8 * 10e-9 + 10 * 100e-9, 1e-9);
}

/* One message: a pass of one warp, which looks at one receive. Of four that
 * come at once the first is alone in its pass, the other three are the next. */
static void by_matrix(void)
{
    struct plan p;
    struct exec_result r;

    tiny.matching = law(MATCHER_MATRIX);
    posted(&p, 1, false);
    CHECK_NEAR(run_time(&p), 1e-6 + 1.27e-6, 1e-9);
    posted(&p, 4, false);
    CHECK_NEAR(run(&r, &p), 1e-6 + 1.27e-6 + (1 + 3 * 0.27) * 1e-6, 1e-9);
    CHECK_EQ(r.nqueues, 1);
    CHECK_EQ(r.queues[0].passes, 2);
    CHECK_EQ(r.queues[0].most_waiting, 3);
    CHECK_EQ(r.queues[0].prq.most, 4);
    CHECK_EQ(r.queues[0].umq.most, 0);
    CHECK_NEAR(r.queues[0].busy_s, 3.08e-6, 1e-9);
    exec_result_clear(&r);
    plan_clear(&p);
}

int main(void)
{
    tiny_machine(&tiny, 4);
    eager();
    for (int engine = 0; engine < 2; engine++) {
        how = exec_defaults;
        how.engine = engine ? ENGINE_SIMGRID : ENGINE_FLUID;
        by_list();
        by_matrix();
    }
    tiny.matching = (struct matching){0};
    machine_clear(&tiny);
    return check_result();
}
