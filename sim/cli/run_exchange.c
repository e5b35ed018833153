/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/run_exchange.h"

#include "platforms/platform.h"
#include "sim/exec.h"
#include "sim/json.h"
#include "workloads/exchange.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double quantiles[] = {0.1, 0.5, 0.9, 0.99, 0.999};
enum { NQUANTILES = sizeof quantiles / sizeof quantiles[0] };

struct durations {
    double mean, of[NQUANTILES]; /* from a message's turn to its end */
    size_t n;
};

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static void measure(struct durations *d, const struct plan *p,
                    const struct exec_result *x)
{
    double *all = xcalloc(p->nops, sizeof *all);
    double sum = 0;

    d->n = 0;
    for (size_t i = 0; i < p->nops; i++)
        if (p->ops[i].kind == OP_MSG) {
            all[d->n] = x->ops[i].end_s - x->ops[i].ready_s;
            sum += all[d->n++];
        }
    qsort(all, d->n, sizeof *all, by_size);
    d->mean = d->n ? sum / (double)d->n : 0;
    for (int q = 0; q < NQUANTILES; q++)
        d->of[q] =
            d->n ? all[(size_t)floor(quantiles[q] * (double)(d->n - 1))] : 0;
    free(all);
}

static void print(const struct job_request *r, const struct machine *m,
                  const struct exchange *x, double time_s,
                  const struct durations *d)
{
    printf("%s on %s: %u ranks, %zu messages, %u rounds; engine %s",
           r->workload, m->name, x->ranks, d->n, x->rounds,
           engine_kind_names[exec_engine()]);
    if (exec_engine() == ENGINE_FLUID && exec_accuracy() > 0)
        printf(", accuracy %g", exec_accuracy());
    printf("\n\ntime %.3f us\nmessages take %.3f us on average", time_s * 1e6,
           d->mean * 1e6);
    for (int q = 0; q < NQUANTILES; q++)
        printf("%s p%g %.3f", q ? "," : ";", quantiles[q] * 100,
               d->of[q] * 1e6);
    printf(" us\n");
}

static void print_json(const struct job_request *r, const struct machine *m,
                       const struct exchange *x, double time_s,
                       const struct durations *d)
{
    struct json *o = json_new_object(), *q = json_new_object();

    json_add_string(o, "platform", m->name);
    json_add_string(o, "workload", r->workload);
    json_add_string(o, "engine", engine_kind_names[exec_engine()]);
    json_add_number(o, "accuracy", exec_accuracy());
    json_add_number(o, "ranks", x->ranks);
    json_add_number(o, "messages", (double)d->n);
    json_add_number(o, "rounds", x->rounds);
    json_add_number(o, "time_s", time_s);
    json_add_number(o, "mean_duration_s", d->mean);
    for (int i = 0; i < NQUANTILES; i++) {
        char key[16];
        snprintf(key, sizeof key, "p%g", quantiles[i] * 100);
        json_add_number(q, key, d->of[i]);
    }
    json_add(o, "durations_s", q);
    json_print(o, stdout);
    json_free(o);
}

int run_exchange(const struct job_request *r, bool json, struct err *err)
{
    struct machine m;
    struct exchange x;
    struct plan p;
    struct exec_result result;
    struct durations d;

    if (r->strategy || r->partition || r->gpus || r->nodes)
        return fail(err,
                    "%s has no strategy, partition, GPUs or nodes to "
                    "choose",
                    r->workload);
    if (platform_load(&m, r->platform ? r->platform : "lassen", r->sets.items,
                      r->sets.n, err) < 0)
        return -1;
    if (exchange_from_workload(&x, r->workload, err) < 0) {
        machine_clear(&m);
        return -1;
    }
    int code = exchange_to_plan(&p, &m, &x, err);
    free(x.msgs); /* the plan has them */
    x.msgs = NULL;
    if (code == 0) {
        code = exec_plan(&result, &m, &p, false, err);
        if (code == 0) {
            measure(&d, &p, &result);
            (json ? print_json : print)(r, &m, &x, result.time_s, &d);
            exec_result_clear(&result);
        }
        plan_clear(&p);
    }
    exchange_clear(&x);
    machine_clear(&m);
    return code;
}
