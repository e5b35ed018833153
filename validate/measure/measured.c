/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a file of measurements and takes the median of repeated rows. */
#include "validate/measure/measured.h"

#include "validate/measure/measured_rows.h"

#include <assert.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rows of one point, while the file is read. */
struct times {
    double *s;
    size_t n, room;
};

static void add_time(struct times *list, double s)
{
    if (list->n == list->room) {
        list->room = list->room ? 2 * list->room : 8;
        list->s = xrealloc(list->s, list->room, sizeof *list->s);
    }
    list->s[list->n++] = s;
}

/* The point of this experiment, new or known. Points are few (thousands). */
static size_t point_index(struct measured *f, struct times **times,
                          const struct measured_point *p)
{
    for (size_t i = f->npoints; i-- > 0;)
        if (!strcmp(f->points[i].group, p->group) &&
            !strcmp(f->points[i].label, p->label))
            return i;
    f->points = xrealloc(f->points, f->npoints + 1, sizeof *f->points);
    *times = xrealloc(*times, f->npoints + 1, sizeof **times);
    f->points[f->npoints] = *p;
    (*times)[f->npoints] = (struct times){0};
    return f->npoints++;
}

static int measured_read_rows(struct measured *f, struct times **times,
                              const struct csv *t,
                              const struct measured_kind *kind,
                              const struct machine *m, struct err *err)
{
    for (size_t row = 0; row < t->nrows; row++) {
        struct measured_point p = {.line = t->lines[row]};
        const char *why = "";
        double s;
        int got = kind->read(&p, &why, t, row, m, err);
        if (got < 0)
            return -1;
        if (got > 0) {
            f->skipped++;
            snprintf(f->skipped_why, sizeof f->skipped_why, "%s", why);
            continue;
        }
        if (csv_number(t, row, kind->time, &s, err) < 0)
            return -1;
        if (s <= 0)
            return fail(err, "%s:%u: %s: expected a time above 0, got %g",
                        t->path, t->lines[row], kind->time, s);
        size_t i = point_index(f, times, &p);
        assert(*times);
        add_time(&(*times)[i], s);
    }
    return 0;
}

int measured_load(struct measured *f, const char *path, const struct machine *m,
                  struct err *err)
{
    struct csv t;
    struct times *times = NULL;
    int result = 0;

    memset(f, 0, sizeof *f);
    if (csv_load(&t, path, err) < 0)
        return -1;
    const struct measured_kind *kind = measured_kind(&t);
    if (!kind)
        result = fail(err,
                      "%s: not a file of measurements that sluice knows "
                      "(no known set of columns)",
                      path);
    else if (!m->ngpus && !strncmp(kind->name, "memcpy", 6))
        result = fail(err, "%s: %s has no GPU", path, m->name);
    f->path = xstrdup(path);
    csv_origin(&t, f->origin, sizeof f->origin);
    if (result == 0) {
        const char *machine = csv_text(&t, 0, "machine");
        snprintf(f->kind, sizeof f->kind, "%s", kind->name);
        snprintf(f->machine, sizeof f->machine, "%s", machine ? machine : "");
        result = measured_read_rows(f, &times, &t, kind, m, err);
    }
    for (size_t i = 0; i < f->npoints && times; i++) {
        gsl_sort(times[i].s, 1, times[i].n);
        f->points[i].measured_s =
            gsl_stats_median_from_sorted_data(times[i].s, 1, times[i].n);
        f->points[i].nrows = times[i].n;
        free(times[i].s);
    }
    free(times);
    csv_clear(&t);
    if (result < 0)
        measured_clear(f);
    return result;
}

void measured_clear(struct measured *f)
{
    free(f->path);
    free(f->points);
    memset(f, 0, sizeof *f);
}
