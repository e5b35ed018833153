/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two threads simulate different machines and workloads at the same time, again
 * and again, and get one thread's results, to the last digit. */
#include <sluice.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 20, MOST = 32 };

struct task {
    const char *machine, *words;
    struct sluice_options options;
    double first_s[MOST]; /* each strategy, simulated alone */
    int failed;
};

static void fail(struct task *t, const char *what, const char *why)
{
    fprintf(stderr, "%s on %s: %s: %s\n", t->words, t->machine, what, why);
    t->failed = 1;
}

/* Simulates all strategies once; fills times[], or compares with it. */
static void simulate_all(struct task *t, int compare)
{
    struct sluice_error error;
    struct sluice_machine *m = sluice_machine_load(t->machine, NULL, 0, &error);
    struct sluice_workload *w =
        m ? sluice_workload_make(m, t->words, &t->options, &error) : NULL;
    size_t n = w ? sluice_workload_strategies(w) : 0;

    if (!w)
        fail(t, "load", error.text);
    for (size_t i = 0; i < n && i < MOST; i++) {
        const char *name = sluice_workload_strategy(w, i);
        struct sluice_result r;
        if (sluice_simulate(&r, w, name, &error) < 0) {
            fail(t, name, error.text);
            continue;
        }
        if (r.off_node_messages + r.on_node_messages + r.transfers == 0 ||
            r.off_node_bytes + r.on_node_bytes + r.transfer_bytes == 0)
            fail(t, name, "nothing was sent");
        if (r.values[0] != r.time_s || strcmp(sluice_field(0), "time_s") != 0 ||
            sluice_field(sluice_fields()))
            fail(t, name, "the first value is no time");
        if (!compare)
            t->first_s[i] = r.time_s;
        else if (memcmp(&t->first_s[i], &r.time_s, sizeof r.time_s) != 0)
            fail(t, name, "another time than alone");
        sluice_result_clear(&r);
    }
    sluice_workload_free(w);
    sluice_machine_free(m);
}

static void *again(void *arg)
{
    for (int i = 0; i < ROUNDS; i++)
        simulate_all(arg, 1);
    return NULL;
}

int main(void)
{
    struct task tasks[] = {
        {.machine = "lassen",
         .words = "stencil:9pt:200x200",
         .options = {.nodes = 3}},
        {.machine = "dgx-1v",
         .words = "bfs:rmat:scale=9,edge_factor=8",
         .options = {.gpus = 4}},
    };
    pthread_t threads[2];
    struct sluice_error error;

    for (int i = 0; i < 2; i++)
        simulate_all(&tasks[i], 0);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, again, &tasks[i]) != 0)
            return 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    /* A wrong name gives an error value, not an exit. */
    if (sluice_machine_load("lasen", NULL, 0, &error) || error.code != 2 ||
        !strstr(error.text, "did you mean lassen")) {
        fprintf(stderr, "a wrong name: %s\n", error.text);
        return 1;
    }
    sluice_workload_free(NULL);
    sluice_machine_free(NULL);
    sluice_plan_free(NULL);
    sluice_result_clear(NULL);
    printf("%d rounds of two threads, equal\n", ROUNDS);
    return tasks[0].failed || tasks[1].failed;
}
