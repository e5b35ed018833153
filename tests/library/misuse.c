/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes NULL and numbers out of range for each argument of the library: the
 * result is an error of code 2 with a text, or nothing, and the program never
 * ends. */
#include <sluice.h>

#include <stdio.h>
#include <string.h>

static int failures;

static void check(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "misuse: %s\n", what);
    failures++;
}

/* Checks that the error names, with `words`, the wrong argument. */
static void refused(int is_null, struct sluice_error *error, const char *words)
{
    check(is_null && error->code == 2 && strstr(error->text, words), words);
    if (!is_null || !strstr(error->text, words))
        fprintf(stderr, "  got code %d: %s\n", error->code, error->text);
    memset(error, 0, sizeof *error);
}

static void machines(void)
{
    const char *const none[] = {NULL};
    struct sluice_error e = {0};

    refused(!sluice_machine_load(NULL, NULL, 0, &e), &e, "platform: ");
    refused(!sluice_machine_load("duo", NULL, 1, &e), &e, "sets: ");
    refused(!sluice_machine_load("duo", none, 1, &e), &e, "sets[0]: ");
    check(!sluice_machine_load(NULL, NULL, 0, NULL), "no error to fill");
    check(!sluice_machine_name(NULL) && !sluice_machine_nodes(NULL) &&
              !sluice_machine_gpus(NULL) && !sluice_machine_cores(NULL),
          "of no machine");
    sluice_machine_free(NULL);
}

static void workloads(const struct sluice_machine *m, const char *words)
{
    const struct sluice_options large[] = {{.nodes = UINT32_MAX},
                                           {.gpus = UINT32_MAX}};
    struct sluice_error e = {0};

    refused(!sluice_workload_make(NULL, words, NULL, &e), &e, "machine: ");
    refused(!sluice_workload_make(m, NULL, NULL, &e), &e, "workload: ");
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        refused(!sluice_workload_make(m, words, &large[i], &e), &e, "");
    check(!sluice_workload_gpus(NULL) && !sluice_workload_nodes(NULL) &&
              !sluice_workload_seed(NULL, NULL) &&
              !sluice_workload_strategies(NULL) &&
              !sluice_workload_strategy(NULL, 0),
          "of no workload");
    sluice_workload_free(NULL);
}

static void matching(const struct sluice_machine *m)
{
    const struct sluice_queues none = {0}, backwards = {8, 8, 8, -1, 0, 0};
    struct sluice_error e = {0};
    double time_s;

    refused(sluice_match(&time_s, NULL, NULL, &none, &e) < 0, &e, "machine: ");
    refused(sluice_match(NULL, NULL, m, &none, &e) < 0, &e, "time_s: ");
    refused(sluice_match(&time_s, NULL, m, NULL, &e) < 0, &e, "queues: ");
    refused(sluice_match(&time_s, NULL, m, &backwards, &e) < 0, &e, "");
    refused(sluice_puts(&time_s, NULL, NULL, 8, 1, &e) < 0, &e, "machine: ");
    refused(sluice_puts(NULL, NULL, m, 8, 1, &e) < 0, &e, "time_s: ");
    refused(sluice_puts(&time_s, NULL, m, 8, 0, &e) < 0, &e, "puts: ");
}

static void plans(const struct sluice_workload *w)
{
    const char *name = sluice_workload_strategy(w, 0);
    struct sluice_error e = {0};
    struct sluice_plan *p = sluice_plan_make(w, name, &e);

    check(p != NULL, "a plan");
    check(sluice_plan_operations(p) > 0 &&
              sluice_plan_operation(p, 0).from != SLUICE_NO_RANK,
          "its operations");
    check(sluice_plan_operation(p, SIZE_MAX).from == SLUICE_NO_RANK &&
              sluice_plan_operation(NULL, 0).to == SLUICE_NO_RANK &&
              !sluice_plan_operations(NULL),
          "operations that are not there");
    sluice_plan_free(p);
    sluice_plan_free(NULL);
    refused(!sluice_plan_make(NULL, name, &e), &e, "workload: ");
    refused(!sluice_plan_make(w, NULL, &e), &e, "strategy: ");
}

static void simulations(const struct sluice_workload *w)
{
    const char *name = sluice_workload_strategy(w, 0);
    struct sluice_error e = {0};
    struct sluice_result r;

    refused(sluice_simulate(NULL, w, name, &e) < 0, &e, "result: ");
    refused(sluice_simulate(&r, NULL, name, &e) < 0, &e, "workload: ");
    refused(sluice_simulate(&r, w, NULL, &e) < 0, &e, "strategy: ");
    check(!r.nlinks && !r.noperations, "of what was refused");
    sluice_result_clear(NULL);
    check(!sluice_workload_strategy(w, SIZE_MAX), "a strategy behind the last");
}

int main(void)
{
    const char words[] = "stencil:5pt:40x40";
    struct sluice_options options = {.nodes = 2};
    struct sluice_error e = {0};
    struct sluice_machine *m = sluice_machine_load("duo", NULL, 0, &e);
    struct sluice_workload *w =
        m ? sluice_workload_make(m, words, &options, &e) : NULL;

    check(w != NULL, e.text);
    machines();
    if (w) {
        workloads(m, words);
        matching(m);
        plans(w);
        simulations(w);
    }
    sluice_workload_free(w);
    sluice_machine_free(m);
    return failures > 0;
}
