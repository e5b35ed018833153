/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a file of measurements, of each kind that its columns determine:
 * it is refused in one line, or gives points that each have a plan for the
 * machine, or a reason why not. */
#include "platforms/platform.h"
#include "sim/plan/plan_check.h"
#include "tests/fuzz/memory_file.h"
#include "validate/measure/measured.h"
#include "validate/measure/benchmark.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bounds are low because all pairs of GPUs of a machine make millions of
 * operations. */
enum { MOST_NODES = 3, MOST_MESSAGES = 100 };

static void check_error(const struct err *err)
{
    if (!err->text[0] || strchr(err->text, '\n'))
        abort();
}

/* Returns two machines, one with GPUs on two sockets, one without GPUs. */
static const struct machine *machines(void)
{
    static const char *const names[] = {"lassen", "testbed-2x8"};
    static struct machine m[2];
    struct err err;

    for (int i = 0; i < 2 && !m[i].name; i++)
        if (platform_load(&m[i], names[i], NULL, 0, &err) < 0)
            abort();
    return m;
}

static void check_plan(const struct measured_point *p, const struct machine *m)
{
    const struct experiment *x = &p->x;
    struct plan plan;
    struct err err = {0};

    if (x->nodes > MOST_NODES || x->messages > MOST_MESSAGES ||
        x->of == &spmv_benchmark)
        return;
    if (experiment_plan(&plan, m, x, &err) < 0) {
        check_error(&err);
        return;
    }
    if (!plan.nops || !(experiment_extra_s(m, x) >= 0))
        abort();
    if (plan_check(&plan, m, &err) < 0)
        check_error(&err);
    plan_clear(&plan);
}

static void check(const struct measured *f, const struct machine *m)
{
    size_t n;

    if (!f->kind[0] || (!f->npoints && !f->nnotes))
        abort();
    for (size_t i = 0; i < f->npoints; i++) {
        struct measured_point *p = &f->points[i];
        if (!(p->measured_s > 0) || !p->nrows || !p->group[0] || !p->line)
            abort();
        check_plan(p, m);
        p->simulated_s = p->measured_s;
    }
    struct error_summary *s = measured_summary(f, 1, &n);
    for (size_t i = 0; i < n; i++)
        if (s[i].median != 0 || s[i].p90 != 0 || !s[i].points)
            abort();
    free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file f;

    memory_file_open(&f, data, size);
    for (int i = 0; i < 2; i++) {
        const struct machine *m = &machines()[i];
        struct measured file;
        struct err err = {0};
        if (measured_load(&file, f.path, m, &err) == 0) {
            check(&file, m);
            measured_clear(&file);
        } else {
            check_error(&err);
            if (file.points || file.path)
                abort();
        }
    }
    memory_file_close(&f);
    return 0;
}
