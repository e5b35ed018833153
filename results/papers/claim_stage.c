/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a graph algorithm on a machine for a claim of Chen et al. 2022. */
#include "results/papers/claim_stage.h"

#include "platforms/platform.h"

#include <stdlib.h>
#include <string.h>

#define EXECUTION "execution."

/* Returns `set`, unless it is NULL, and after it those of the lab's changes
 * that are of executions, or all others. The caller frees the list; its texts
 * are borrowed. */
static const char **choose_sets(size_t *n, const struct lab *lab,
                                const char *set, bool execution)
{
    const char **sets = xcalloc(lab->nsets + 1, sizeof *sets);
    size_t skip = strlen(EXECUTION);

    *n = 0;
    if (set)
        sets[(*n)++] = set;
    for (size_t i = 0; i < lab->nsets; i++)
        if (!strncmp(lab->sets[i], EXECUTION, skip) == execution)
            sets[(*n)++] = lab->sets[i] + (execution ? skip : 0);
    return sets;
}

int stage_machine(struct machine *m, const struct lab *lab,
                  const char *platform, const char *set, struct err *err)
{
    size_t n;
    const char **sets = choose_sets(&n, lab, set, false);
    int result = platform_load(m, platform, sets, n, err);

    free(sets);
    return result;
}

int stage_open(struct stage *s, const struct lab *lab, const char *platform,
               const char *set, const struct stage_graph *graph, uint32_t ngpus,
               struct err *err)
{
    *s = (struct stage){.lab = lab, .name = graph->name};
    if (stage_machine(&s->m, lab, platform, set, err) < 0)
        return -1;
    if (graph_from_words(&s->g, graph->words, err) < 0) {
        machine_clear(&s->m);
        return -1;
    }
    s->part = xcalloc(s->g.n, sizeof *s->part);
    s->in = (struct traverse_input){.m = &s->m,
                                    .g = &s->g,
                                    .part = s->part,
                                    .ngpus = ngpus,
                                    .source = graph_hub(&s->g),
                                    .damping = 0.85,
                                    .threshold = 1e-2};
    if (graph_partition(s->part, &s->g, ngpus, GRAPH_METIS, 1, err) < 0) {
        stage_close(s);
        return -1;
    }
    return 0;
}

void stage_close(struct stage *s)
{
    graph_clear(&s->g);
    machine_clear(&s->m);
    free(s->part);
}

int stage_run(struct outcome *o, const struct stage *s, enum algorithm a,
              const char *execution, const char *set, struct err *err)
{
    struct traverse_input in = s->in;
    struct traverse_result r;
    struct execution x;
    size_t n;

    const char **sets = choose_sets(&n, s->lab, set, true);
    int result = execution_load(&x, execution, sets, n, err);

    free(sets);
    if (result < 0)
        return -1;
    in.x = &x;
    in.algorithm = a;
    result = traverse_run(&r, &in, err);
    execution_clear(&x);
    if (result < 0)
        return -1;
    *o = (struct outcome){r.time_s, (double)r.wire_B};
    traverse_result_clear(&r);
    return 0;
}
