/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports the progress, the rate and the time left of a long computation. */
#include "cli/progress.h"

#include "base/seconds.h"

#include <stdio.h>
#include <unistd.h>

#define EVERY_S 0.25

void progress_init(struct progress *p, const char *name, const char *unit,
                   size_t todo, bool asked)
{
    *p = (struct progress){.name = name,
                           .unit = unit,
                           .todo = todo,
                           .begin_s = seconds(),
                           .terminal = isatty(2)};
    p->shown = asked || p->terminal;
    p->said_s = p->begin_s;
}

bool progress_due(const struct progress *p)
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

static void progress_print_line(const struct progress *p, const char *more)
{
    double took_s = seconds() - p->begin_s;
    double rate = took_s > 0 ? (double)p->done / took_s : 0;

    fprintf(stderr, "%s: %zu of %zu %s%s; %.3g %s/s", p->name, p->done, p->todo,
            p->unit, more, rate, p->unit);
    if (p->done < p->todo && rate > 0) {
        fputs(", done in ", stderr);
        print_duration((double)(p->todo - p->done) / rate);
    }
}

void progress_wipe(const struct progress *p)
{
    if (p->shown && p->terminal)
        fputs("\r\033[K", stderr);
}

void progress_say(struct progress *p, const char *more)
{
    p->said_s = seconds();
    if (!p->shown)
        return;
    progress_wipe(p);
    progress_print_line(p, more);
    fputs(p->terminal ? "" : "\n", stderr);
}

void progress_end(const struct progress *p, const char *more)
{
    if (!p->shown)
        return;
    progress_wipe(p);
    progress_print_line(p, more);
    fputs("\n", stderr);
}
