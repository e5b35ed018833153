/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop_time.h - the loop of a collective by one algorithm, and its time on a
 * machine. */
#ifndef TESTS_LOOP_TIME_H
#define TESTS_LOOP_TIME_H

#include "sim/plan/exec.h"
#include "strategies/collective/collective.h"
#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>

static inline void loop_of(struct loop *l, const struct machine *m,
                           const char *algorithm, const struct collective *c)
{
    struct err err = {0};
    const struct collective_algorithm *a =
        collective_find(c->kind, algorithm, &err);

    CHECK(a && collective_loop(l, m, a, c, &err) == 0);
    if (err.text[0])
        fprintf(stderr, "%s\n", err.text);
}

/* Returns the time, with all steps simulated one by one if `whole`. */
static inline double loop_s(const struct machine *m, const char *name,
                            const struct collective *c, bool whole)
{
    struct exec_options exact = exec_defaults;
    struct exec_result r;
    struct loop l;
    struct err err;

    exact.accuracy = 0;
    loop_of(&l, m, name, c);
    exact.every_step = whole;
    CHECK(exec_loop(&r, m, &l, &exact, EXEC_MAKESPAN, &err) == 0);
    double time_s = r.time_s;
    exec_result_clear(&r);
    loop_clear(&l);
    return time_s;
}

static inline double loop_us(const struct machine *m, const char *algorithm,
                             const struct collective *c)
{
    return loop_s(m, algorithm, c, false) * 1e6;
}

#endif
