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

/* Where the state repeats, of the steps that do; else of all. */
static double step_s(const struct outcome *o, unsigned steps)
{
    return o->loop.period ? o->loop.period_s / o->loop.period
                          : o->time_s / steps;
}

void print_repeat(const struct run_results *r)
{
    printf("\n%-17s %10s %10s  %s\n", "strategy", "us a step", "simulated",
           "the others are left out since");
    for (size_t i = 0; i < r->n; i++) {
        const struct loop_result *l = &r->list[i].loop;
        printf("%-17s %10.2f %10u  ", r->list[i].name,
               step_s(&r->list[i], r->job->repeat) * 1e6, l->simulated);
        if (l->period > 1)
            printf("the state repeats every %u steps from step %u on\n",
                   l->period, l->repeats_from);
        else if (l->period)
            printf("the state repeats every step from step %u on\n",
                   l->repeats_from);
        else
            printf("-\n");
    }
}

void add_repeat(struct json *x, const struct outcome *o, unsigned steps)
{
    json_add_number(x, "steps", steps);
    json_add_number(x, "step_s", step_s(o, steps));
    json_add_number(x, "simulated_steps", o->loop.simulated);
    if (!o->loop.period)
        return;
    json_add_number(x, "period_steps", o->loop.period);
    json_add_number(x, "repeats_from", o->loop.repeats_from);
}
