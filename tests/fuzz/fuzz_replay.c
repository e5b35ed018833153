/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a trace: it is refused in one line, or gives a plan that has
 * only backward dependencies, and that ends or reports why it does not. */
#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "apps/replay/replay.h"
#include "tests/fuzz/memory_file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A larger plan is not run, because an input shall take milliseconds. */
enum { MOST_RANKS = 64, MOST_OPS = 20000 };

static const struct machine *machine(void)
{
    static struct machine m;
    struct err err;

    if (!m.name && platform_load(&m, "lassen", NULL, 0, &err) < 0)
        abort();
    return &m;
}

static void check_err(const struct err *err)
{
    if (!err->text[0])
        abort();
}

static void run(const struct plan *p)
{
    struct exec_options o = exec_defaults;
    struct exec_result x;
    struct err err = {0};

    o.max_events = 1000000;
    if (exec_plan(&x, machine(), p, &o, EXEC_DETAILS, &err) == 0)
        exec_result_clear(&x);
    else
        check_err(&err);
}

static void check(const struct plan *p)
{
    for (size_t i = 0; i < p->nops; i++)
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
            if ((p->deps[d] & DEP_OP) >= i)
                abort();
    if (p->origin->nplaces != p->nops)
        abort();
    if (p->nops <= MOST_OPS)
        run(p);
}

static void replay(struct trace *t)
{
    const struct replay_options o = {.compute_scale = 1, .flops = 1e9};
    struct plan p, shape;
    struct err err = {0};

    plan_init(&shape, machine(), "fuzz", 1, machine()->ncores, NULL);
    if (plan_place(&shape, machine(), t->ranks, 0, 0, &err) < 0) {
        check_err(&err);
    } else if (replay_plan(&p, machine(), t, &shape, &o, &err) == 0) {
        check(&p);
        plan_clear(&p);
    } else {
        check_err(&err);
    }
    plan_clear(&shape);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file f;
    struct trace t;
    struct err err = {0};

    memory_file_open(&f, data, size);
    if (trace_open(&t, f.path, &err) == 0) {
        if (t.ranks && t.ranks <= MOST_RANKS)
            replay(&t);
        trace_close(&t);
    } else {
        check_err(&err);
    }
    memory_file_close(&f);
    return 0;
}
