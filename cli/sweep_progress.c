/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells how far a sweep is, how fast it is, and when it will be done. */
#include "cli/sweep_progress.h"

#include "base/seconds.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define EVERY_S 0.25

void sweep_progress_init(struct sweep_progress *p, const char *name,
                         size_t todo, size_t there, bool shown)
{
    *p = (struct sweep_progress){.name = name,
                                 .todo = todo,
                                 .there = there,
                                 .begin_s = seconds(),
                                 .shown = shown,
                                 .terminal = isatty(2)};
    p->said_s = p->begin_s;
    if (shown && there)
        fprintf(stderr, "%s: %zu points are there, %zu to do\n", name, there,
                todo);
}

void sweep_progress_add(struct sweep_progress *p, const struct point_runs *runs)
{
    p->points++;
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
    return seconds() - p->said_s >= EVERY_S;
}

static void print_duration(double s)
{
    if (s < 100)
        fprintf(stderr, "%.0f s", s);
    else if (s < 6000)
        fprintf(stderr, "%.0f min", s / 60);
    else
        fprintf(stderr, "%.1f h", s / 3600);
}

static void sweep_print_line(const struct sweep_progress *p)
{
    double took_s = seconds() - p->begin_s;
    double rate = took_s > 0 ? (double)p->points / took_s : 0;

    fprintf(stderr, "%s: %zu of %zu points, %zu runs", p->name, p->points,
            p->todo, p->runs);
    if (p->failed)
        fprintf(stderr, ", %zu without result", p->failed);
    fprintf(stderr, "; %.3g points/s", rate);
    if (p->points < p->todo && rate > 0) {
        fputs(", done in ", stderr);
        print_duration((double)(p->todo - p->points) / rate);
    }
}

static void say_first_failure(struct sweep_progress *p)
{
    if (!p->why)
        return;
    fprintf(stderr, "sluice: %s: point %llu: %s\n", p->name,
            (unsigned long long)p->first, p->why);
    free(p->why);
    p->why = NULL;
}

void sweep_progress_say(struct sweep_progress *p)
{
    p->said_s = seconds();
    if (p->shown && p->terminal)
        fputs("\r\033[K", stderr);
    say_first_failure(p);
    if (!p->shown)
        return;
    sweep_print_line(p);
    fputs(p->terminal ? "" : "\n", stderr);
}

void sweep_progress_end(struct sweep_progress *p, bool whole)
{
    if (p->shown && p->terminal)
        fputs("\r\033[K", stderr);
    if (p->shown && whole && p->todo) {
        sweep_print_line(p);
        fputs("\n", stderr);
    }
    if (whole)
        say_first_failure(p);
    free(p->why);
    if (p->failed && whole)
        fprintf(stderr,
                "sluice: %s: %zu of %zu runs have no result: why is in the "
                "database%s\n",
                p->name, p->failed, p->runs,
                p->unkept ? ", which -o RUNS.db keeps" : "");
}
