/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the distinct values of the axes of a sweep, and their order. */
#include "cli/sweep_view.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *value_of(const struct sweep_view *v,
                            const struct stored_run *r)
{
    return v->axis == SWEEP_CANDIDATES ? r->run.candidate : r->values[v->axis];
}

static double number_of(const char *text)
{
    double x;

    return number_real(text, &x) ? x : NAN;
}

static int by_number(const void *a, const void *b)
{
    double x = number_of(*(const char *const *)a);
    double y = number_of(*(const char *const *)b);

    return x < y ? -1 : x > y;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void sweep_view_init(struct sweep_view *v, const struct stored *t, size_t axis)
{
    *v = (struct sweep_view){.runs = t, .axis = axis, .numbers = true};
    v->values = xcalloc(t->nruns + 1, sizeof *v->values);
    for (size_t i = 0; i < t->nruns; i++) {
        const char *text = value_of(v, &t->runs[i]);
        if (!text || t->runs[i].run.error)
            continue;
        v->numbers &= !isnan(number_of(text));
        v->values[v->n++] = text;
    }
    v->log = axis != SWEEP_CANDIDATES && t->space.axes[axis].log;
    qsort(v->values, v->n, sizeof *v->values, v->numbers ? by_number : by_text);
    size_t kept = 0;
    for (size_t i = 0; i < v->n; i++)
        if (!i || strcmp(v->values[i], v->values[i - 1]) != 0)
            v->values[kept++] = v->values[i];
    v->n = kept;
    /* An axis is logarithmic if the ratios of its values are equal within 5
     * %. */
    for (size_t i = 2; i < v->n && v->numbers && !v->log; i++) {
        double a = number_of(v->values[i - 2]), b = number_of(v->values[i - 1]);
        double c = number_of(v->values[i]);
        if (!(a > 0) || fabs(b * b / a / c - 1) > 0.05)
            break;
        v->log = i + 1 == v->n;
    }
}

void sweep_view_clear(struct sweep_view *v)
{
    free(v->values);
    *v = (struct sweep_view){0};
}

const char *sweep_view_name(const struct sweep_view *v)
{
    return v->axis == SWEEP_CANDIDATES ? "way"
                                       : v->runs->space.axes[v->axis].name;
}

size_t sweep_view_of(const struct sweep_view *v, const struct stored_run *r)
{
    const char *text = value_of(v, r);

    if (!text)
        return v->n;
    const char **at =
        bsearch(&text, v->values, v->n, sizeof *v->values,
                v->numbers && !isnan(number_of(text)) ? by_number : by_text);
    return at ? (size_t)(at - v->values) : v->n;
}

double sweep_view_share(const struct sweep_view *v, const struct stored_run *r)
{
    if (v->n < 2)
        return 0.5;
    if (!v->numbers)
        return (double)sweep_view_of(v, r) / (double)(v->n - 1);
    double x = number_of(value_of(v, r));
    double low = number_of(v->values[0]), high = number_of(v->values[v->n - 1]);
    if (v->log && low > 0)
        return log(x / low) / log(high / low);
    return (x - low) / (high - low);
}

/* Returns how informative a picture along the axis is; 0 if it has one
 * value. */
static size_t worth(const struct stored *t, size_t axis)
{
    struct sweep_view v;

    sweep_view_init(&v, t, axis);
    size_t n = v.n, more = v.numbers ? t->nruns : 0;
    sweep_view_clear(&v);
    return n > 1 ? n + more : 0;
}

static int find_named(size_t *axis, const struct stored *t, const char *name,
                      struct err *err)
{
    const char **names = xcalloc(t->space.naxes + 1, sizeof *names);

    *axis = SWEEP_CANDIDATES;
    names[t->space.naxes] = "way";
    bool found = !strcmp(name, "way");
    for (size_t a = 0; a < t->space.naxes; a++) {
        names[a] = t->space.axes[a].name;
        if (!strcmp(name, names[a])) {
            *axis = a;
            found = true;
        }
    }
    const char *near = nearest_word(name, names, t->space.naxes + 1);
    free(names);
    if (found)
        return 0;
    return near ? fail(err, "%s: no axis of the sweep (did you mean %s?)", name,
                       near)
                : fail(err, "%s: no axis of the sweep", name);
}

int sweep_view_find(size_t *axis, const struct stored *t, const char *name,
                    size_t other, struct err *err)
{
    size_t most = 0;

    if (name)
        return find_named(axis, t, name, err);
    *axis = SWEEP_CANDIDATES;
    for (size_t a = 0; a < t->space.naxes; a++) {
        size_t n = a == other ? 0 : worth(t, a);
        if (n > most) {
            most = n;
            *axis = a;
        }
    }
    if (most || other != SWEEP_CANDIDATES)
        return 0;
    return t->space.naxes ? 0 : fail(err, "%s: no axis to draw", t->path);
}
