/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `sluice run --repeat` shows of steps that are done again and again. */
#include "cli/print_run.h"

uint64_t outcome_messages(const struct outcome *o)
{
    uint64_t n = 0;

    for (int where = 0; where < NLOCALITIES; where++)
        n += o->report.messages[where];
    return n;
}

void print_repeat(const struct run_results *r)
{
    printf("\n%-17s %10s\n", "strategy", "us a step");
    for (size_t i = 0; i < r->n; i++) {
        const struct outcome *o = &r->list[i];
        printf("%-17s %10.2f\n", o->name, o->time_s * 1e6 / r->job->repeat);
    }
}

void add_repeat(struct json *x, const struct outcome *o, unsigned steps)
{
    json_add_number(x, "steps", steps);
    json_add_number(x, "step_s", o->time_s / steps);
}
