/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the rows of model_errors.def from measured decisions. */
#include "validate/measure/advice_calibration.h"

#include "base/err.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_row(const struct model_error_row *r,
                     const struct calibration_case *c)
{
    return r->kind == c->kind && !strcmp(r->machine, c->machine) &&
           decided_class(r->most_nodes, r->most_B) ==
               decided_class(c->nodes, c->bytes);
}

static double off(const struct calibration_case *c, size_t candidate)
{
    return log(c->measured_s[candidate] / c->nominal_s[candidate]);
}

/* Sums over decisions. */
struct squares {
    double own2;       /* squares about the mean of a path */
    double freedom;    /* their degrees of freedom */
    double path2;      /* squares of the difference of two paths' means */
    double candidates; /* factor of a candidate's variance in path2 */
    double pairs;      /* decisions with two paths */
};

static void add_squares(struct squares *s, const struct calibration_case *c)
{
    double mean[2] = {0, 0};
    double n[2] = {0, 0};

    for (size_t i = 0; i < c->nways; i++) {
        mean[c->paths[i]] += off(c, i);
        n[c->paths[i]]++;
    }
    for (int p = 0; p < 2; p++) {
        mean[p] /= fmax(n[p], 1);
        s->freedom += fmax(n[p] - 1, 0);
    }
    for (size_t i = 0; i < c->nways; i++)
        s->own2 += pow(off(c, i) - mean[c->paths[i]], 2);
    if (!(n[0] > 0 && n[1] > 0))
        return;
    s->path2 += pow(mean[0] - mean[1], 2);
    s->candidates += 1 / n[0] + 1 / n[1];
    s->pairs++;
}

/* The method of moments: the expected square of the difference of two paths'
 * means is twice the path's variance plus own2 times s->candidates. If each
 * path has one candidate, only the sum of both variances is known. */
static void row_errors(struct model_error_row *r, const struct squares *s)
{
    double own2 = s->freedom > 0 ? s->own2 / s->freedom : 0;

    r->own = s->freedom > 0 ? sqrt(own2) : -1;
    r->path = -1;
    if (s->pairs > 0)
        r->path =
            sqrt(fmax(0, (s->path2 - own2 * s->candidates) / s->pairs / 2));
}

static void add_range(struct model_error_row *r,
                      const struct calibration_case *c)
{
    bool first = !r->most_nodes;

    if (first || c->nodes < r->least_nodes)
        r->least_nodes = c->nodes;
    if (c->nodes > r->most_nodes)
        r->most_nodes = c->nodes;
    if (first || c->bytes < r->least_B)
        r->least_B = c->bytes;
    if (c->bytes > r->most_B)
        r->most_B = c->bytes;
}

static void fill_row(struct model_error_row *r, const struct calibration *s,
                     const struct model_error_row *like)
{
    struct squares squares = {0};

    for (size_t i = 0; i < s->n; i++)
        if (same_row(like, &s->list[i])) {
            add_range(r, &s->list[i]);
            add_squares(&squares, &s->list[i]);
        }
    row_errors(r, &squares);
    const struct model_error e = {.path = fmax(r->path, 0),
                                  .own = fmax(r->own, 0)};
    for (size_t i = 0; i < s->n; i++) {
        if (!same_row(like, &s->list[i]))
            continue;
        struct calibration_answer a = calibration_answer(s, &s->list[i], &e);
        if (a.tied > 1)
            continue;
        r->cases++;
        r->right += a.right;
        r->stated += a.probability >= 0.8;
        r->stated_right += a.probability >= 0.8 && a.right;
    }
}

struct model_error_row *calibration_rows(const struct calibration *s, size_t *n)
{
    struct model_error_row *rows = xcalloc(s->n + 1, sizeof *rows);

    *n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct calibration_case *c = &s->list[i];
        const struct model_error_row like = {.kind = c->kind,
                                             .machine = c->machine,
                                             .most_nodes = c->nodes,
                                             .most_B = c->bytes};
        size_t k = 0;
        while (k < *n && !same_row(&rows[k], c))
            k++;
        if (k < *n)
            continue;
        rows[*n] =
            (struct model_error_row){.kind = c->kind, .machine = c->machine};
        fill_row(&rows[(*n)++], s, &like);
    }
    return rows;
}
