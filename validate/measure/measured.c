/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a file of measurements and takes the median of repeated rows. */
#include "validate/measure/measured.h"

#include "validate/measure/benchmark.h"

#include <assert.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
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

/* Returns the index of the point of this experiment, new or known. A linear
 * search suffices, because points are few (thousands). */
static size_t point_index(struct measured *f, struct times **times,
                          const struct measured_point *p)
{
    for (size_t i = f->npoints; i-- > 0;)
        if (!strcmp(f->points[i].group, p->group) &&
            !strcmp(f->points[i].label, p->label) &&
            !strcmp(f->points[i].apart, p->apart) &&
            !strcmp(f->points[i].mpi, p->mpi))
            return i;
    f->points = xrealloc(f->points, f->npoints + 1, sizeof *f->points);
    *times = xrealloc(*times, f->npoints + 1, sizeof **times);
    f->points[f->npoints] = *p;
    (*times)[f->npoints] = (struct times){0};
    return f->npoints++;
}

static void add_notes(struct measured *f, const char *text, bool left_out,
                      size_t rows)
{
    for (size_t i = 0; i < f->nnotes; i++)
        if (f->notes[i].left_out == left_out &&
            !strcmp(f->notes[i].text, text)) {
            f->notes[i].rows += rows;
            return;
        }
    f->notes = xrealloc(f->notes, f->nnotes + 1, sizeof *f->notes);
    struct measured_note *note = &f->notes[f->nnotes++];
    *note = (struct measured_note){.rows = rows, .left_out = left_out};
    snprintf(note->text, sizeof note->text, "%s", text);
}

static void add_note(struct measured *f, const char *text, bool left_out)
{
    add_notes(f, text, left_out, 1);
}

/* Adds what the reader of a log reported about its lines. */
static void add_log_notes(struct measured *f, const struct log_note *notes,
                          size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char text[sizeof f->notes[0].text];
        snprintf(text, sizeof text, "%.90s (line %u%s)", notes[i].text,
                 notes[i].first, notes[i].lines > 1 ? " on" : "");
        add_notes(f, text, false, notes[i].lines);
    }
}

/* Reads the noise of repeats that the file itself states, if it has only their
 * median. */
static int noise_of_row(struct measured_point *p, const struct csv *t,
                        size_t row, struct err *err)
{
    p->noise = NAN;
    if (cell_empty(t, row, "noise"))
        return 0;
    if (csv_number(t, row, "noise", &p->noise, err) < 0)
        return -1;
    if (p->noise < 0)
        return fail(err, "%s:%u: noise: expected a number not below 0, got %g",
                    t->path, t->lines[row], p->noise);
    return 0;
}

/* Checks the iterations of which a time is the mean, because without any there
 * is no time. */
static int check_iterations(const struct csv *t, size_t row, struct err *err)
{
    uint64_t n;

    if (cell_empty(t, row, "iterations"))
        return 0;
    if (csv_count(t, row, "iterations", &n, err) < 0)
        return -1;
    return n ? 0
             : fail(err, "%s:%u: iterations: expected at least 1, got 0",
                    t->path, t->lines[row]);
}

/* Returns whether the row belongs to the machine, if the file has several. */
static bool is_of(const struct csv *t, size_t row, const char *machine)
{
    return !machine || cell_is(t, row, "machine", machine);
}

static int measured_read_row(struct measured *f, struct times **times,
                             const struct benchmark *of, struct row *r,
                             struct err *err)
{
    const struct measured_kind *kind = &of->file;
    struct measured_point p = {.line = r->t->lines[r->row], .x.of = of};
    double s;

    if (cell_blank(r->t, r->row, kind->time)) {
        add_note(f, "no time", true);
        return 0;
    }
    if (csv_number(r->t, r->row, kind->time, &s, err) < 0)
        return -1;
    if (s <= 0)
        return fail(err, "%s:%u: %s: expected a time above 0, got %g",
                    r->t->path, p.line, kind->time, s);
    if (check_iterations(r->t, r->row, err) < 0)
        return -1;
    int got = kind->read(&p, r, err);
    if (got < 0)
        return -1;
    if (*r->note)
        add_note(f, r->note, got > 0);
    if (got > 0)
        return 0;
    if (noise_of_row(&p, r->t, r->row, err) < 0)
        return -1;
    measured_name(&p, r->t, r->row, kind, r->m);
    size_t i = point_index(f, times, &p);
    assert(*times);
    add_time(&(*times)[i], s);
    return 0;
}

static int measured_read_rows(struct measured *f, struct times **times,
                              const struct csv *t, const struct benchmark *of,
                              const struct machine *m, const char *machine,
                              struct err *err)
{
    struct survey survey;
    int result = 0;

    survey_make(&survey, t);
    for (size_t row = 0; row < t->nrows && result == 0; row++) {
        struct row r = {
            .t = t, .row = row, .m = m, .survey = &survey, .jobs = f->jobs};
        if (is_of(t, row, machine))
            result = measured_read_row(f, times, of, &r, err);
    }
    survey_clear(&survey);
    return result;
}

/* Sets the median of the rows of a point, and their distance from it. */
static void settle(struct measured_point *p, const struct times *list)
{
    double *off = xcalloc(list->n, sizeof *off);

    gsl_sort(list->s, 1, list->n);
    p->nrows = list->n;
    p->measured_s = gsl_stats_median_from_sorted_data(list->s, 1, list->n);
    for (size_t i = 0; i < list->n; i++)
        off[i] = fabs(list->s[i] / p->measured_s - 1);
    gsl_sort(off, 1, list->n);
    if (list->n > 1)
        p->noise = gsl_stats_median_from_sorted_data(off, 1, list->n);
    free(off);
}

static bool known(char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

int measured_machines(char ***names, size_t *n, const char **kind,
                      const char *path, struct err *err)
{
    struct csv t;

    *names = NULL;
    *n = 0;
    if (log_or_csv(&t, path, NULL, NULL, NULL, err) < 0)
        return -1;
    const struct benchmark *found = measured_kind(&t);
    *kind = found ? found->file.name : NULL;
    for (size_t row = 0; row < t.nrows; row++) {
        const char *name = csv_text(&t, row, "machine");
        if (!name || !*name || known(*names, *n, name))
            continue;
        *names = xrealloc(*names, *n + 1, sizeof **names);
        (*names)[(*n)++] = xstrdup(name);
    }
    csv_clear(&t);
    return 0;
}

int measured_load(struct measured *f, const char *path, const struct machine *m,
                  struct err *err)
{
    return measured_load_of(f, path, m, &(struct measured_words){0}, err);
}

int measured_load_of(struct measured *f, const char *path,
                     const struct machine *m, const struct measured_words *w,
                     struct err *err)
{
    struct csv t;
    struct times *times = NULL;
    struct log_note *notes;
    size_t nnotes;
    int result = 0;

    memset(f, 0, sizeof *f);
    if (log_or_csv(&t, path, w->facts, &notes, &nnotes, err) < 0)
        return -1;
    add_log_notes(f, notes, nnotes);
    free(notes);
    const struct benchmark *of = measured_kind(&t);
    if (!of)
        result = fail(err,
                      "%s: not a file of measurements that sluice knows "
                      "(no known set of columns, and no line of a log: sluice "
                      "list logs)",
                      path);
    else if (!m->ngpus && of->file.gpus)
        result = fail(err, "%s: %s has no GPU", path, m->name);
    f->path = xstrdup(path);
    csv_origin(&t, f->origin, sizeof f->origin);
    if (result == 0) {
        const char *machine = w->only ? w->only : csv_text(&t, 0, "machine");
        snprintf(f->kind, sizeof f->kind, "%s", of->file.name);
        snprintf(f->machine, sizeof f->machine, "%s", machine ? machine : "");
        f->jobs = xcalloc(1, sizeof *f->jobs);
        result = placed_load(f->jobs, w->rank_nodes, m, machine, err);
        if (result == 0)
            result = measured_read_rows(f, &times, &t, of, m, w->only, err);
    }
    if (f->npoints)
        f->rows_s = xcalloc(f->npoints, sizeof *f->rows_s);
    for (size_t i = 0; i < f->npoints && times; i++) {
        settle(&f->points[i], &times[i]);
        f->rows_s[i] = times[i].s;
    }
    free(times);
    csv_clear(&t);
    if (result < 0)
        measured_clear(f);
    return result;
}

/* Merges two points of one experiment into the first of them. */
static void merge_into(struct measured *f, size_t to, size_t from)
{
    struct measured_point *p = &f->points[to];
    size_t n = p->nrows + f->points[from].nrows;
    struct times all = {xrealloc(f->rows_s[to], n, sizeof(double)), n, n};

    memcpy(all.s + p->nrows, f->rows_s[from],
           f->points[from].nrows * sizeof *all.s);
    free(f->rows_s[from]);
    f->rows_s[to] = all.s;
    settle(p, &all);
}

void measured_pool(struct measured *f)
{
    size_t kept = 0;

    for (size_t i = 0; i < f->npoints; i++) {
        size_t to = 0;
        while (to < kept && (strcmp(f->points[to].group, f->points[i].group) ||
                             strcmp(f->points[to].label, f->points[i].label)))
            to++;
        if (to < kept) {
            merge_into(f, to, i);
            continue;
        }
        f->points[kept] = f->points[i];
        f->rows_s[kept++] = f->rows_s[i];
    }
    f->npoints = kept;
}

void measured_clear(struct measured *f)
{
    free(f->path);
    for (size_t i = 0; i < f->npoints && f->rows_s; i++)
        free(f->rows_s[i]);
    free(f->rows_s);
    free(f->points);
    free(f->notes);
    if (f->jobs)
        placed_clear(f->jobs);
    free(f->jobs);
    memset(f, 0, sizeof *f);
}
