/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates messages between one host and others as a plan. */
#include "results/papers/runtime_burst.h"

#include "sim/plan/exec.h"

int burst_run(struct burst_result *b, const struct machine *m, enum runtime by,
              struct burst x, struct err *err)
{
    struct exec_result r;
    struct plan p;

    plan_init(&p, m, "burst", x.hosts, 1, NULL);
    p.runtime = by;
    for (unsigned i = 0; i < x.messages; i++)
        for (unsigned h = 1; h < x.hosts; h++)
            plan_msg(&p, PHASE_OFF_NODE, x.back ? 0 : h, x.back ? h : 0, NO_GPU,
                     NO_GPU, x.bytes);
    int result = exec_plan(&r, m, &p, NULL, EXEC_MAKESPAN, err);
    plan_clear(&p);
    if (result < 0)
        return -1;
    *b = (struct burst_result){.time_s = r.time_s};
    for (uint32_t h = 0; h < r.nhosts; h++)
        b->retries += r.hosts[h].retries;
    exec_result_clear(&r);
    return 0;
}
