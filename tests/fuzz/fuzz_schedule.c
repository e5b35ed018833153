/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a schedule of sends, receives and work: it is refused in one
 * line, or gives a plan that names ranks of the machine and has only backward
 * dependencies. */
#include "platforms/platform.h"
#include "sim/plan/plan_check.h"
#include "tests/fuzz/memory_file.h"
#include "workloads/schedule.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct machine *machine(void)
{
    static struct machine m;
    struct err err;

    if (!m.name && platform_load(&m, "lassen", NULL, 0, &err) < 0)
        abort();
    return &m;
}

static void check(const struct plan *p, uint32_t ranks)
{
    uint32_t room = p->nodes * p->ranks_per_node;
    struct err err = {0};

    if (!p->nops || ranks > room || plan_check(p, machine(), &err) < 0 ||
        plan_check_ranks(p, &err) < 0)
        abort();
    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        if (o->src >= ranks || o->dst >= ranks)
            abort();
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
            if ((p->deps[d] & DEP_OP) >= i)
                abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file f;
    struct plan p;
    struct err err = {0};
    char workload[64];
    uint32_t ranks;

    memory_file_open(&f, data, size);
    snprintf(workload, sizeof workload, "schedule:%s", f.path);
    if (schedule_to_plan(&p, &ranks, machine(), workload, &err) == 0) {
        check(&p, ranks);
        plan_clear(&p);
    } else if (!err.text[0] || strchr(err.text, '\n')) {
        abort();
    }
    memory_file_close(&f);
    return 0;
}
