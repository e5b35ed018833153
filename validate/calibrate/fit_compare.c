/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates what was measured before and after a fit. */
#include "validate/calibrate/fit_compare.h"

#include <stdlib.h>
#include <string.h>

/* A part of the points of a file; they are those of `all`, with numbers of
 * their own. */
static struct measured sample_of(const struct measured *all)
{
    struct measured s = *all;
    size_t step = (all->npoints + FIT_COMPARED - 1) / FIT_COMPARED;

    s.path = xstrdup(all->path);
    s.notes = NULL;
    s.rows_s = NULL;
    s.npoints = s.nnotes = 0;
    s.points = xcalloc(all->npoints, sizeof *s.points);
    for (size_t i = 0; i < all->npoints; i += step)
        s.points[s.npoints++] = all->points[i];
    return s;
}

/* "maxrate/cpu" and "maxrate", but not "ping_pong/cpu/off_node". */
static bool is_short(const char *name)
{
    const char *slash = strchr(name, '/');

    return !slash || !strchr(slash + 1, '/');
}

static int summary_on(struct error_summary **list, size_t *n,
                      struct measured *files, size_t nfiles,
                      const struct machine *m, struct err *err)
{
    for (size_t i = 0; i < nfiles; i++)
        if (measured_simulate(&files[i], m, 0, NULL, NULL, err) < 0)
            return -1;
    *list = measured_summary(files, nfiles, n);
    return 0;
}

static int compare_samples(struct fit_change **changes, size_t *n,
                           struct measured *files, size_t nfiles,
                           const struct machine *before,
                           const struct machine *after, struct err *err)
{
    struct error_summary *old = NULL, *new = NULL;
    size_t nold = 0, nnew = 0;
    int result = summary_on(&old, &nold, files, nfiles, before, err);

    if (result == 0)
        result = summary_on(&new, &nnew, files, nfiles, after, err);
    *changes = xcalloc(nnew, sizeof **changes);
    for (size_t i = 0; i < nnew && result == 0; i++) {
        struct fit_change *c = &(*changes)[*n];
        size_t k = 0;
        while (k < nold && strcmp(old[k].name, new[i].name) != 0)
            k++;
        if (k == nold || !is_short(new[i].name))
            continue;
        memcpy(c->name, new[i].name, sizeof c->name);
        c->points = new[i].points;
        c->before = old[k].median;
        c->after = new[i].median;
        ++*n;
    }
    free(old);
    free(new);
    return result;
}

int fit_compare(struct fit_change **changes, size_t *n,
                const struct measured *files, size_t nfiles,
                const struct machine *before, const struct machine *after,
                struct err *err)
{
    struct measured *samples = xcalloc(nfiles, sizeof *samples);

    *changes = NULL;
    *n = 0;
    for (size_t i = 0; i < nfiles; i++)
        samples[i] = sample_of(&files[i]);
    int result =
        compare_samples(changes, n, samples, nfiles, before, after, err);
    for (size_t i = 0; i < nfiles; i++)
        measured_clear(&samples[i]);
    free(samples);
    return result;
}

bool fit_is_worse(const struct fit_change *c)
{
    return c->after > c->before + 0.01 && c->after > 1.1 * c->before;
}
