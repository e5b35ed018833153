/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates the measured points before and after a fit. */
#include "validate/calibrate/fit_compare.h"

#include <stdlib.h>
#include <string.h>

/* Returns a part of the points of a file; they are those of `all`, with numbers
 * of their own. Their experiments borrow from its jobs, which it keeps. */
static struct measured sample_of(const struct measured *all)
{
    struct measured s = *all;
    size_t step = (all->npoints + FIT_COMPARED - 1) / FIT_COMPARED;

    s.path = xstrdup(all->path);
    s.notes = NULL;
    s.rows_s = NULL;
    s.jobs = NULL;
    s.npoints = s.nnotes = 0;
    s.points = xcalloc(all->npoints, sizeof *s.points);
    for (size_t i = 0; i < all->npoints; i += step)
        s.points[s.npoints++] = all->points[i];
    return s;
}

/* Returns true for "maxrate/cpu" and "maxrate", but not for
 * "ping_pong/cpu/off_node". */
static bool is_short(const char *name)
{
    const char *slash = strchr(name, '/');

    return !slash || !strchr(slash + 1, '/');
}

/* Simulates the files and summarises their errors; those that cannot be
 * simulated have no points afterwards. */
static struct error_summary *summary_on(size_t *n, struct measured *files,
                                        size_t nfiles, const struct machine *m,
                                        struct err *left_out)
{
    for (size_t i = 0; i < nfiles; i++)
        if (files[i].npoints &&
            measured_simulate(&files[i], m, 0, NULL, NULL, left_out) < 0)
            files[i].npoints = 0;
    return measured_summary(files, nfiles, n);
}

static void fit_compare_pair(struct fit_change *changes, size_t *n,
                             const struct error_summary *old, size_t nold,
                             const struct error_summary *new)
{
    size_t k = 0;

    while (k < nold && strcmp(old[k].name, new->name) != 0)
        k++;
    if (k == nold || !is_short(new->name))
        return;
    struct fit_change *c = &changes[(*n)++];
    memcpy(c->name, new->name, sizeof c->name);
    c->points = new->points;
    c->before = old[k].median;
    c->after = new->median;
    c->worst = new->worst;
}

void fit_compare(struct fit_change **changes, size_t *n,
                 const struct measured *files, size_t nfiles,
                 const struct machine *before, const struct machine *after,
                 struct err *left_out)
{
    struct measured *samples = xcalloc(nfiles, sizeof *samples);
    size_t nold, nnew;

    *n = 0;
    left_out->text[0] = 0;
    for (size_t i = 0; i < nfiles; i++)
        samples[i] = sample_of(&files[i]);
    struct error_summary *old =
        summary_on(&nold, samples, nfiles, before, left_out);
    struct error_summary *new =
        summary_on(&nnew, samples, nfiles, after, left_out);
    *changes = xcalloc(nnew, sizeof **changes);
    for (size_t i = 0; i < nnew; i++)
        fit_compare_pair(*changes, n, old, nold, &new[i]);
    free(old);
    free(new);
    for (size_t i = 0; i < nfiles; i++)
        measured_clear(&samples[i]);
    free(samples);
}

bool fit_is_worse(const struct fit_change *c)
{
    return c->after > c->before + 0.01 && c->after > 1.1 * c->before;
}
