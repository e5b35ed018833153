/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the repeated steps of `sluice run`, of --repeat or of a collective. */
#include "cli/print_run.h"

/* Returns the seconds of a step: the mean over a period if the state repeats,
 * otherwise over all steps. */
static double step_s(const struct outcome *o, unsigned steps)
{
    return o->loop.period ? o->loop.period_s / o->loop.period
                          : o->time_s / steps;
}

static void print_period(const struct exec_steps *l)
{
    if (l->period > 1)
        printf("the state repeats every %u steps from step %u on", l->period,
               l->repeats_from);
    else
        printf("the state repeats every step from step %u on", l->repeats_from);
}

void print_repeat(const struct run_results *r)
{
    printf("\n%-17s %10s %10s  %s\n", "strategy", "us a step", "simulated",
           "the others are left out since");
    for (size_t i = 0; i < r->n; i++) {
        const struct exec_steps *l = &r->list[i].loop;
        printf("%-17s %10.2f %10u  ", r->list[i].name,
               step_s(&r->list[i], r->job->repeat) * 1e6, l->simulated);
        if (l->period)
            print_period(l);
        printf("%s\n", l->period ? "" : "-");
    }
}

void print_collective_steps(const struct run_results *r)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct outcome *o = &r->list[i];
        if (!o->in_steps)
            continue;
        printf("%s%s: %u of %u steps simulated", i ? "" : "\n", o->name,
               o->loop.simulated, o->loop.steps);
        if (o->loop.period) {
            printf("; the others are left out, ");
            print_period(&o->loop);
        }
        if (o->loop.simulated_ops < o->loop.ops)
            printf("; %zu of %zu operations of a step, the others are alike",
                   o->loop.simulated_ops, o->loop.ops);
        if (o->rounded)
            printf("; blocks rounded up to the largest");
        printf("\n");
    }
}

void add_repeat(struct json *x, const struct outcome *o, unsigned steps)
{
    json_add_number(x, "steps", o->loop.steps);
    if (steps > 1)
        json_add_number(x, "step_s", step_s(o, steps));
    json_add_number(x, "simulated_steps", o->loop.simulated);
    if (o->loop.simulated_ops < o->loop.ops) {
        json_add_number(x, "step_operations", (double)o->loop.ops);
        json_add_number(x, "simulated_operations",
                        (double)o->loop.simulated_ops);
    }
    if (o->rounded)
        json_add_bool(x, "blocks_rounded_up", true);
    if (!o->loop.period)
        return;
    json_add_number(x, "period_steps", o->loop.period);
    json_add_number(x, "repeats_from", o->loop.repeats_from);
}
