/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The candidates and options of a job, for the files that load one. */
#include "study/run/job_parts.h"
#include "study/run/graph_rounds.h"
#include "study/run/own_words.h"
#include "study/run/shapes.h"

#include <stdlib.h>
#include <string.h>

/* Returns the strategies that use an option, "a, b"; NULL if none does. The
 * caller frees it. */
static char *job_option_takers(const char *option)
{
    char *list = NULL;

    for (size_t i = 0; i < nstrategies; i++) {
        if (!opt_in_list(strategies[i]->options, option))
            continue;
        char *longer = list ? xasprintf("%s, %s", list, strategies[i]->name)
                            : xstrdup(strategies[i]->name);
        free(list);
        list = longer;
    }
    return list;
}

int job_check_option(void *arg, const char *option, struct err *err)
{
    const struct job *j = arg;
    const struct workload *w = j->workload;
    bool rounds = job_shape(j)->on_hosts;
    const char *taken = rounds ? w->round_options : w->options;

    if (opt_in_list("platform workload set", option) ||
        (!rounds && opt_in_list("strategy", option)) ||
        opt_in_list(taken, option))
        return 0;
    for (size_t i = 0; i < j->nchoices; i++)
        if (j->choices[i].strategy &&
            opt_in_list(j->choices[i].strategy->options, option))
            return 0;
    if (request_refuse_owned(option, w, err) < 0)
        return -1;
    char *list = job_shape(j)->closed_forms ? job_option_takers(option) : NULL;
    int result = list ? fail(err, "--%s: only for %s", option, list)
                      : fail(err, "--%s: not for %s%s, which takes: %s", option,
                             w->prefix, rounds ? " with --runtime" : "", taken);
    free(list);
    return result;
}

struct choice *job_add_choice(struct job *j, const char *name)
{
    j->choices = xrealloc(j->choices, j->nchoices + 1, sizeof *j->choices);
    j->choices[j->nchoices] = (struct choice){.name = name};
    return &j->choices[j->nchoices++];
}

int job_choose_strategies(struct job *j, const char *names, struct err *err)
{
    const struct strategy **list = xcalloc(nstrategies, sizeof(void *));
    size_t n;
    int result = strategies_pick(list, &n, names, err);

    for (size_t i = 0; result == 0 && i < n; i++)
        job_add_choice(j, list[i]->name)->strategy = list[i];
    free(list);
    return result;
}

void job_clear(struct job *j)
{
    for (size_t i = 0; i < j->nchoices; i++) {
        free(j->choices[i].own_name);
        if (j->choices[i].execution) {
            execution_clear(j->choices[i].execution);
            free(j->choices[i].execution);
        }
    }
    free(j->choices);
    graph_rounds_free(j->own_rounds);
    load_clear(&j->load);
    trace_phases_clear(&j->phases);
    placement_clear(&j->placement);
    machine_clear(&j->own);
    free(j->words);
    free(j->plain_words);
    memset(j, 0, sizeof *j);
}
