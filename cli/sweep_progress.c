/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports the progress of a sweep, with its runs and failures. */
#include "cli/sweep_progress.h"

#include <stdio.h>
#include <stdlib.h>

void sweep_progress_init(struct sweep_progress *p, const char *name,
                         size_t todo, size_t there, bool asked)
{
    *p = (struct sweep_progress){0};
    progress_init(&p->points, name, "points", todo, asked);
    if (p->points.shown && there)
        fprintf(stderr, "%s: %zu points are there, %zu to do\n", name, there,
                todo);
}

void sweep_progress_add(struct sweep_progress *p, const struct point_runs *runs)
{
    p->points.done++;
    p->runs += runs->n;
    for (size_t i = 0; i < runs->n; i++) {
        const char *error = runs->list[i].error;
        if (error && !p->failed++) {
            p->first = runs->point;
            p->why = xstrdup(error);
        }
    }
}

bool sweep_progress_due(const struct sweep_progress *p)
{
    return progress_due(&p->points);
}

/* The text on runs, next to the one on points. */
struct of_runs {
    char text[80];
};

static struct of_runs of_runs(const struct sweep_progress *p)
{
    struct of_runs of;
    int n = snprintf(of.text, sizeof of.text, ", %zu runs", p->runs);

    if (p->failed)
        snprintf(of.text + n, sizeof of.text - (size_t)n,
                 ", %zu without result", p->failed);
    return of;
}

static void say_first_failure(struct sweep_progress *p)
{
    if (!p->why)
        return;
    fprintf(stderr, "sluice: %s: point %llu: %s\n", p->points.name,
            (unsigned long long)p->first, p->why);
    free(p->why);
    p->why = NULL;
}

void sweep_progress_say(struct sweep_progress *p)
{
    progress_wipe(&p->points);
    say_first_failure(p);
    progress_say(&p->points, of_runs(p).text);
}

void sweep_progress_end(struct sweep_progress *p, bool whole)
{
    progress_wipe(&p->points);
    if (whole && p->points.todo)
        progress_end(&p->points, of_runs(p).text);
    if (whole)
        say_first_failure(p);
    free(p->why);
    if (p->failed && whole)
        fprintf(stderr,
                "sluice: %s: %zu of %zu runs have no result: why is in the "
                "database%s\n",
                p->points.name, p->failed, p->runs,
                p->unkept ? ", which -o RUNS.db keeps" : "");
}
