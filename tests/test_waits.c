/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of waits: its chains, and a plan with more waits than it can
 * number. */
#include "sim/plan/exec_here.h"
#include "sim/plan/waits.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>

static void chains(void)
{
    struct op_waits w;

    waits_init(&w, 2);
    for (uint32_t i = 0; i < 1000; i++)
        waits_add(&w, i % 2, (struct op_wait){.over_s = i, .whom = i & DEP_OP});
    CHECK_EQ(w.n, 1000);
    CHECK_EQ(waits_until(&w, 0, 500)->whom, 500);
    CHECK_EQ(waits_until(&w, 1, 500)->whom, 499);
    CHECK(!waits_until(&w, 1, 0.5));
    CHECK(!w.full);
    waits_clear(&w);
}

/* The items of a list of all waits are left out here, because they take 32
 * GiB. */
static void no_room(void)
{
    struct op_waits w;

    waits_init(&w, 2);
    w.n = w.room = WAITS_MOST;
    waits_add(&w, 1, (struct op_wait){.over_s = 1});
    CHECK_EQ(w.n, WAITS_MOST);
    CHECK_EQ(w.last[1], 0);
    CHECK(!w.list);
    CHECK(w.full);
    waits_clear(&w);
}

/* Runs a rank's three operations, of which two wait. */
static int run(uint32_t most, struct err *err)
{
    struct machine m;
    struct exec_result r;
    struct plan p;

    tiny_machine(&m, 4);
    struct engine *e = engine_new(ENGINE_FLUID, &m, 1, err);
    plan_init(&p, &m, "p", 1, 8, NULL);
    for (int i = 0; i < 3; i++) {
        uint32_t op = plan_work(&p, 0, 1e-6);
        if (i)
            plan_after(&p, op - 1);
    }
    const struct loop l = loop_of_plan(&p);
    exec_result_init(&r, &l, EXEC_DETAILS);
    r.waits.most = most;
    int result = exec_loop_on(&r, e, &m, &l, err);
    exec_result_clear(&r);
    engine_free(e);
    plan_clear(&p);
    machine_clear(&m);
    return result;
}

static void refused(void)
{
    struct err err = {0};

    CHECK(run(2, &err) == 0);
    CHECK(run(1, &err) < 0);
    CHECK_HAS(err.text, "p: more than 1 waits of operations are too many");
}

int main(void)
{
    chains();
    no_room();
    refused();
    return check_result();
}
