/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine without sharing: a lone message is as fast as with it, on every
 * machine, and each of many is as fast as a lone one. */
#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

static double time_on(const struct machine *m, const struct plan *p,
                      enum engine_kind engine)
{
    struct exec_options how = exec_defaults;
    struct exec_result r;
    struct err err = {0};

    how.engine = engine;
    how.accuracy = 0;
    if (exec_plan(&r, m, p, &how, EXEC_MAKESPAN, &err) < 0) {
        err_print(&err);
        CHECK(!"simulated");
        return -1;
    }
    double time_s = r.time_s;
    exec_result_clear(&r);
    return time_s;
}

/* Messages one after the other: on a core's node, to the next node, to the last
 * one. */
static void lone_messages(const struct machine *m)
{
    static const uint64_t sizes[] = {0, 1, 3000, 100000, 5000000};
    unsigned nodes =
        m->network.nodes && m->network.nodes < 5 ? m->network.nodes : 5;
    unsigned per_node = m->ncores < 3 ? m->ncores : 3;
    struct plan p;

    plan_init(&p, m, "lone", nodes, per_node, NULL);
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (uint32_t to = 1; to < nodes * per_node; to++) {
            uint32_t op =
                plan_msg(&p, PHASE_OFF_NODE, 0, to, NO_GPU, NO_GPU, sizes[i]);
            if (op)
                plan_after(&p, op - 1);
        }
    CHECK(p.nops > 0);
    double shared_s = time_on(m, &p, ENGINE_FLUID);
    CHECK_NEAR(time_on(m, &p, ENGINE_ALONE), shared_s, 1e-9 * shared_s);
    plan_clear(&p);
}

static void on_all_machines(void)
{
    struct platform_list list;
    struct machine m;
    struct err err = {0};

    platform_list(&list);
    CHECK(list.n > 20);
    for (size_t i = 0; i < list.n; i++) {
        CHECK_EQ(platform_load(&m, list.entries[i].name, NULL, 0, &err), 0);
        lone_messages(&m);
        machine_clear(&m);
    }
    platform_list_clear(&list);
}

struct flight {
    struct engine *e;
    double end_s;
};

static void landed(void *arg)
{
    struct flight *f = arg;

    f->end_s = engine_now(f->e);
}

/* Flows that share every link end as if each had it alone. */
static void many_at_once(void)
{
    struct machine m;
    struct err err = {0};
    struct flight f[8];

    tiny_machine(&m, 4);
    struct engine *e = engine_new(ENGINE_ALONE, &m, 4, &err);
    CHECK(e);
    for (unsigned i = 0; i < 8; i++) {
        f[i] = (struct flight){e, -1};
        engine_flow(e, engine_core(&m, 0, 0), engine_core(&m, 1, 0),
                    1e6 * (i + 1), 1e9, NIC_OF_SOCKET, landed, &f[i]);
    }
    CHECK_EQ(engine_run(e, &err), 0);
    for (unsigned i = 0; i < 8; i++)
        CHECK_NEAR(f[i].end_s, 1e-3 * (i + 1), 1e-12);
    engine_free(e);
    machine_clear(&m);
}

int main(void)
{
    on_all_machines();
    many_at_once();
    return check_result();
}
