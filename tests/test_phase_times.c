/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time for which a rank is in a phase, on a machine on which it can be
 * computed by hand: a message takes 1 us and 1 ns a byte, at any locality. */
#include "sim/plan/report.h"

#include "tests/check.h"
#include "tests/tiny_machine.h"

static struct machine tiny;

static struct report report_of(struct plan *p)
{
    struct exec_result x;
    struct report r;
    struct err err = {0};

    CHECK(exec_plan(&x, &tiny, p, NULL, EXEC_TIMES, &err) == 0);
    report_make(&r, &tiny, p, &x);
    exec_result_clear(&x);
    plan_clear(p);
    return r;
}

static uint32_t message(struct plan *p, uint32_t from, uint32_t to)
{
    return plan_msg(p, PHASE_OFF_NODE, from, to, NO_GPU, NO_GPU, 1000);
}

/*
 * Three rounds: a message of 2 us, then 100 us of work. The phase lasts from 0
 * to 206 us; both ranks are in it for 6 us.
 */
static void rounds(void)
{
    struct plan p;
    struct report r;

    plan_init(&p, &tiny, "rounds", 2, 8, NULL);
    for (uint32_t round = 0, work = 0; round < 3; round++) {
        uint32_t sent = message(&p, 0, 8);
        if (round)
            plan_after(&p, work);
        work = plan_work(&p, 0, 100e-6);
        plan_after(&p, sent);
    }
    r = report_of(&p);
    CHECK_NEAR(r.time_s, 306e-6, 1e-9);
    CHECK_NEAR(r.phases[PHASE_OFF_NODE].wall_s, 206e-6, 1e-9);
    CHECK_NEAR(r.phases[PHASE_OFF_NODE].rank_s, 6e-6, 1e-9);
    CHECK_NEAR(r.phases[PHASE_WORK].rank_s, 300e-6, 1e-9);
}

/*
 * Messages of one rank at the same time count once, even if their numbers are
 * not in the order of their beginning: from 11 to 13 us, and from 0 to 2 us and
 * from 1 to 3 us. Two ranks that are in a phase one after the other count each
 * for its own part.
 */
static void together(void)
{
    struct plan p;
    struct report r;

    plan_init(&p, &tiny, "together", 2, 8, NULL);
    uint32_t first = plan_work(&p, 1, 11e-6);
    uint32_t second = plan_work(&p, 2, 1e-6);
    message(&p, 0, 8);
    plan_after(&p, first);
    message(&p, 0, 9);
    message(&p, 0, 10);
    plan_after(&p, second);
    r = report_of(&p);
    CHECK_NEAR(r.phases[PHASE_OFF_NODE].wall_s, 13e-6, 1e-9);
    CHECK_NEAR(r.phases[PHASE_OFF_NODE].rank_s, 5e-6, 1e-9);
    CHECK_NEAR(r.phases[PHASE_WORK].wall_s, 11e-6, 1e-9);
    CHECK_NEAR(r.phases[PHASE_GATHER].wall_s + 1, 1, 1e-12);
    CHECK_NEAR(r.phases[PHASE_GATHER].rank_s + 1, 1, 1e-12);
}

int main(void)
{
    tiny_machine(&tiny, 4);
    rounds();
    together();
    machine_clear(&tiny);
    return check_result();
}
