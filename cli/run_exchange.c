/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice run of messages that need no strategy: exchanges in rounds and
 * schedules. */
#include "cli/run_exchange.h"

#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "base/json.h"
#include "sim/plan/report.h"
#include "sim/plan/timeline.h"
#include "workloads/exchange.h"
#include "workloads/schedule.h"

#include <stdio.h>

static void print(const struct job_request *r, const struct machine *m,
                  uint32_t ranks, const struct exec_result *result,
                  const struct durations *d)
{
    printf("%s on %s: %u ranks, %zu messages; engine %s", r->workload, m->name,
           ranks, d->n, engine_kind_names[exec_engine(r->exec)]);
    if (result->accuracy > 0)
        printf(", accuracy %g", result->accuracy);
    printf("\n\ntime %.3f us\nmessages take %.3f us on average",
           result->time_s * 1e6, d->mean * 1e6);
    for (int q = 0; q < NQUANTILES; q++)
        printf("%s p%g %.3f", q ? "," : ";", duration_quantiles[q] * 100,
               d->of[q] * 1e6);
    printf(" us\n");
}

static void print_json(const struct job_request *r, const struct machine *m,
                       uint32_t ranks, const struct exec_result *result,
                       const struct durations *d)
{
    struct json *o = json_new_object(), *q = json_new_object();

    json_add_string(o, "platform", m->name);
    json_add_string(o, "workload", r->workload);
    json_add_string(o, "engine", engine_kind_names[exec_engine(r->exec)]);
    json_add_number(o, "accuracy", result->accuracy);
    json_add_number(o, "ranks", ranks);
    json_add_number(o, "messages", (double)d->n);
    json_add_number(o, "time_s", result->time_s);
    json_add_number(o, "mean_duration_s", d->mean);
    for (int i = 0; i < NQUANTILES; i++) {
        char key[16];
        snprintf(key, sizeof key, "p%g", duration_quantiles[i] * 100);
        json_add_number(q, key, d->of[i]);
    }
    json_add(o, "durations_s", q);
    json_print(o, stdout);
    json_free(o);
}

bool run_is_exchange(const char *workload)
{
    return exchange_is(workload) || schedule_is(workload);
}

static int make_plan(struct plan *p, uint32_t *ranks, const struct machine *m,
                     const char *workload, struct err *err)
{
    struct exchange x;

    if (schedule_is(workload))
        return schedule_to_plan(p, ranks, m, workload, err);
    if (exchange_from_workload(&x, workload, machine_cores(m), err) < 0)
        return -1;
    *ranks = x.ranks;
    int result = exchange_to_plan(p, m, &x, err);
    exchange_clear(&x);
    return result;
}

int run_exchange_plan(struct machine *m, struct plan *p, uint32_t *ranks,
                      const struct job_request *r, struct err *err)
{
    if (r->strategy || r->partition || r->gpus || r->nodes || r->value_bytes)
        return fail(err,
                    "%s has no strategy, partition, GPUs, nodes or bytes of a "
                    "value to choose",
                    r->workload);
    if (platform_load(m, r->platform ? r->platform : "lassen", r->sets.items,
                      r->sets.n, err) < 0)
        return -1;
    if (make_plan(p, ranks, m, r->workload, err) == 0)
        return 0;
    machine_clear(m);
    return -1;
}

int run_exchange(const struct job_request *r, bool json, const char *timeline,
                 struct err *err)
{
    struct machine m;
    struct plan p;
    struct exec_result result;
    struct durations d;
    uint32_t ranks;

    if (run_exchange_plan(&m, &p, &ranks, r, err) < 0)
        return -1;
    int code = exec_plan(&result, &m, &p, r->exec, timeline != NULL, err);
    if (code == 0) {
        if (timeline)
            code = timeline_save(timeline, &m, &p, &result, err);
        durations_make(&d, &p, &result);
        if (code == 0)
            (json ? print_json : print)(r, &m, ranks, &result, &d);
        exec_result_clear(&result);
    }
    plan_clear(&p);
    machine_clear(&m);
    return code;
}
