/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two threads simulate different plans on different machines at the same time,
 * with results that are equal bit for bit to those of one thread alone. */
#include "platforms/platform.h"
#include "sim/network/node_routes.h"
#include "sim/plan/exec.h"
#include "tests/check.h"
#include "workloads/exchange.h"

#include <pthread.h>
#include <stdlib.h>

enum { TIMES = 50 };

struct task {
    const char *platform, *words;
    struct machine m;
    struct exec_options how;
    struct plan plan;
    struct exec_result alone;
    struct node_routes *node_routes;
    unsigned different, failed;
};

static int prepare(struct task *t, double accuracy, struct err *err)
{
    struct exchange x;

    if (platform_load(&t->m, t->platform, NULL, 0, err) < 0 ||
        exchange_draw(&x, t->words, 10000, err) < 0)
        return -1;
    t->how = exec_defaults;
    t->how.accuracy = accuracy;
    int result = exchange_to_plan(&t->plan, &t->m, &x, err);
    exchange_clear(&x);
    if (result == 0)
        result =
            exec_plan(&t->alone, &t->m, &t->plan, &t->how, EXEC_DETAILS, err);
    t->node_routes = node_routes_new(&t->m);
    return result;
}

static bool equal(const struct exec_result *a, const struct exec_result *b,
                  size_t nops)
{
    return a->time_s == b->time_s && a->nlinks == b->nlinks &&
           !memcmp(a->ops, b->ops, nops * sizeof *a->ops) &&
           !memcmp(a->links, b->links, a->nlinks * sizeof *a->links);
}

static void *simulate(void *arg)
{
    struct task *t = arg;

    for (int i = 0; i < TIMES; i++) {
        struct exec_options how = t->how;
        struct exec_result r;
        struct err err = {0};
        how.node_routes = i % 2 ? t->node_routes : NULL;
        if (exec_plan(&r, &t->m, &t->plan, &how, EXEC_DETAILS, &err) < 0) {
            t->failed++;
            continue;
        }
        t->different += !equal(&r, &t->alone, t->plan.nops);
        exec_result_clear(&r);
    }
    return NULL;
}

static void clear(struct task *t)
{
    exec_result_clear(&t->alone);
    plan_clear(&t->plan);
    node_routes_free(t->node_routes);
    machine_clear(&t->m);
}

int main(void)
{
    struct task tasks[2] = {
        {.platform = "flat8",
         .words = "random:ranks=256,messages=8,rounds=2,bytes=1000..100000,"
                  "seed=1"},
        {.platform = "lassen",
         .words = "random:ranks=160,messages=12,rounds=3,bytes=8..300000,"
                  "seed=2"}};
    pthread_t threads[2];
    struct err err = {0};

    for (int i = 0; i < 2; i++)
        if (prepare(&tasks[i], i ? 0.01 : 0, &err) < 0)
            return err_print(&err);
    for (int i = 0; i < 2; i++)
        CHECK(!pthread_create(&threads[i], NULL, simulate, &tasks[i]));
    for (int i = 0; i < 2; i++)
        CHECK(!pthread_join(threads[i], NULL));
    for (int i = 0; i < 2; i++) {
        CHECK(tasks[i].alone.time_s > 0 && tasks[i].alone.nlinks > 100);
        CHECK_EQ(tasks[i].failed, 0);
        CHECK_EQ(tasks[i].different, 0);
        clear(&tasks[i]);
    }
    return check_result();
}
