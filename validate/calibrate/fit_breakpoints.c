/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the sizes at which a curve of times changes its slope: protocol switch
 * points, by dynamic programming over pieces. */
#include "validate/calibrate/fit_breakpoints.h"

#include "base/err.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More sizes than MOST_SIZES are thinned out, because they are a scan rather
 * than a choice of sizes, and every breakpoint costs a search over all of
 * them. */
enum { LEAST_SIZES = 3, MOST_SIZES = 128, ROUNDS = 8, RETRIES = 64 };
/* The least noise: medians of repeats deviate at least this much from a line,
 * even if their neighbours by chance do not. */
static const double LEAST_NOISE = 0.025;

/* --- one line ------------------------------------------------------------- */

struct sums {
    double aa, ab, bb, a, b;
};

static struct sums sums_of(const struct fit_point *p, const bool *in, size_t n)
{
    struct sums s = {0};

    for (size_t i = 0; i < n; i++) {
        double u = 1 / p[i].seconds, v = p[i].bytes / p[i].seconds;
        if (!in[i])
            continue;
        s.aa += u * u;
        s.ab += u * v;
        s.bb += v * v;
        s.a += u;
        s.b += v;
    }
    return s;
}

/* Returns the least squares of the relative errors, with alpha and beta not
 * below 0. */
static struct fit_piece line_of(const struct sums *s)
{
    double det = s->aa * s->bb - s->ab * s->ab;
    struct fit_piece both = {-1, -1};

    if (det > 1e-12 * s->aa * s->bb)
        both = (struct fit_piece){(s->a * s->bb - s->b * s->ab) / det,
                                  (s->b * s->aa - s->a * s->ab) / det};
    if (both.alpha_s >= 0 && both.beta_s_per_B >= 0)
        return both;
    /* The solution is on an edge: the rest of the squares is n - a^2 / aa. */
    if (!(s->bb > 0) || s->a * s->a / s->aa >= s->b * s->b / s->bb)
        return (struct fit_piece){s->a / s->aa, 0};
    return (struct fit_piece){0, s->b / s->bb};
}

static double error_of(const struct fit_piece *l, const struct fit_point *p)
{
    return (l->alpha_s + l->beta_s_per_B * p->bytes) / p->seconds - 1;
}

static double cost_of(const struct fit_piece *line, const struct fit_point *p,
                      size_t n, double noise)
{
    double cost = 0;

    for (size_t i = 0; i < n; i++)
        cost += fit_point_cost(error_of(line, &p[i]), noise);
    return cost;
}

double fit_misfit(const struct fit_line *line, const struct fit_point *points,
                  size_t n)
{
    struct fit_piece piece = {line->alpha_s.value, line->beta_s_per_B.value};

    return cost_of(&piece, points, n, LEAST_NOISE);
}

/* Fits from the points `in`: drops and readmits points until the same ones are
 * near. */
static struct fit_piece settled(const struct fit_point *p, bool *in, size_t n,
                                double noise)
{
    struct sums s = sums_of(p, in, n);
    struct fit_piece line = line_of(&s);

    for (int round = 0; round < ROUNDS; round++) {
        bool changed = false;
        size_t near = 0;
        for (size_t i = 0; i < n; i++) {
            bool now = fit_point_cost(error_of(&line, &p[i]), noise) < FIT_FAR;
            changed = changed || now != in[i];
            in[i] = now;
            near += now;
        }
        if (!changed || near < 2)
            break;
        s = sums_of(p, in, n);
        line = line_of(&s);
    }
    return line;
}

/* Returns the cost of the best line of those that begin with all points and
 * with all but one. */
static double piece_cost(struct fit_piece *out, const struct fit_point *p,
                         size_t n, double noise, bool *in)
{
    double best = INFINITY;

    for (size_t out_of = 0; out_of <= n; out_of++) {
        if (out_of && (n < LEAST_SIZES || n > RETRIES || best < 1))
            break;
        for (size_t i = 0; i < n; i++)
            in[i] = i + 1 != out_of;
        struct fit_piece line = settled(p, in, n, noise);
        double cost = cost_of(&line, p, n, noise);
        if (cost < best) {
            best = cost;
            *out = line;
        }
    }
    return best;
}

/* --- all pieces ----------------------------------------------------------- */

struct search {
    const struct fit_point *points;
    size_t n;
    size_t *start; /* first point of each size; nsizes + 1 */
    size_t nsizes;
    double noise, penalty;
    /* cost of the piece from size i to before k; below 0 if not known */
    double *cost;
    bool *in;
};

static double size_of(const struct search *s, size_t i)
{
    return s->points[s->start[i]].bytes;
}

static double span_cost(struct search *s, size_t i, size_t k)
{
    double *known = &s->cost[i * (s->nsizes + 1) + k];
    struct fit_piece line;

    if (*known < 0)
        *known = piece_cost(&line, s->points + s->start[i],
                            s->start[k] - s->start[i], s->noise, s->in);
    return *known;
}

static void find_sizes(struct search *s)
{
    size_t n = 0, all = 0;

    for (size_t i = 0; i < s->n; i++)
        all += i == 0 || s->points[i].bytes != s->points[i - 1].bytes;
    size_t group = (all + MOST_SIZES - 1) / MOST_SIZES;
    s->start = xcalloc(all + 1, sizeof *s->start);
    for (size_t i = 0, at = 0; i < s->n; i++)
        if (i == 0 || s->points[i].bytes != s->points[i - 1].bytes)
            if (at++ % group == 0)
                s->start[n++] = i;
    s->start[n] = s->n;
    s->nsizes = n;
}

/* Returns the noise. Half of the sizes deviate less from the line through their
 * neighbours; if three points deviate equally, their distance from it has a
 * deviation of sqrt(14/9), for sizes that grow by factors as for times that do
 * not grow. */
static double noise_of(const struct search *s)
{
    double *mid = xcalloc(s->nsizes, sizeof *mid), noise = 0;
    double *off = xcalloc(s->nsizes, sizeof *off), *t = NULL;

    t = xcalloc(s->n, sizeof *t);
    for (size_t i = 0; i < s->nsizes; i++) {
        size_t n = s->start[i + 1] - s->start[i];
        for (size_t k = 0; k < n; k++)
            t[k] = s->points[s->start[i] + k].seconds;
        gsl_sort(t, 1, n);
        mid[i] = gsl_stats_median_from_sorted_data(t, 1, n);
    }
    for (size_t i = 1; i + 1 < s->nsizes; i++) {
        double a = size_of(s, i - 1), b = size_of(s, i), c = size_of(s, i + 1);
        double line =
            mid[i - 1] + (b - a) / (c - a) * (mid[i + 1] - mid[i - 1]);
        off[i - 1] = fabs(line / mid[i] - 1);
    }
    if (s->nsizes > 2) {
        gsl_sort(off, 1, s->nsizes - 2);
        noise = 1.4826 / sqrt(14.0 / 9) *
                gsl_stats_median_from_sorted_data(off, 1, s->nsizes - 2);
    }
    free(mid);
    free(off);
    free(t);
    return fmax(noise, LEAST_NOISE);
}

static void search_init(struct search *s, const struct fit_point *points,
                        size_t n)
{
    *s = (struct search){.points = points, .n = n};
    find_sizes(s);
    s->noise = noise_of(s);
    /* A piece has three numbers; it never costs less than a far-off point. */
    s->penalty = fmax(3 * log((double)n), FIT_FAR + 1);
    size_t cells = s->nsizes * (s->nsizes + 1);
    s->cost = xcalloc(cells, sizeof *s->cost);
    for (size_t i = 0; i < cells; i++)
        s->cost[i] = -1;
    s->in = xcalloc(n, sizeof *s->in);
}

static void search_clear(struct search *s)
{
    free(s->start);
    free(s->cost);
    free(s->in);
}

/* Sets last[k] to the begin of the piece that ends before size k in the best
 * pieces up to there, and returns their cost. */
static double best_pieces(struct search *s, size_t *last)
{
    double *best = xcalloc(s->nsizes + 1, sizeof *best);

    for (size_t k = 1; k <= s->nsizes; k++) {
        best[k] = INFINITY;
        for (size_t i = 0; i + LEAST_SIZES <= k; i++) {
            double c = best[i] + span_cost(s, i, k) + s->penalty;
            if (c < best[k]) {
                best[k] = c;
                last[k] = i;
            }
        }
    }
    double all = best[s->nsizes];
    free(best);
    return all;
}

/* Returns the last size before index k of sizes; for a thinned-out size its
 * last. */
static double before(const struct search *s, size_t k)
{
    return s->points[s->start[k] - 1].bytes;
}

/* Returns the breakpoint at k between the pieces from i and up to end, with the
 * sizes to which it can move. */
static struct fit_breakpoint breakpoint_of(struct search *s, size_t i, size_t k,
                                           size_t end)
{
    double limit = span_cost(s, i, k) + span_cost(s, k, end) + FIT_LIKELY;
    size_t from = k, to = k;

    while (from > i + LEAST_SIZES &&
           span_cost(s, i, from - 1) + span_cost(s, from - 1, end) <= limit)
        from--;
    while (to + LEAST_SIZES < end &&
           span_cost(s, i, to + 1) + span_cost(s, to + 1, end) <= limit)
        to++;
    return (struct fit_breakpoint){before(s, k), before(s, from),
                                   before(s, to)};
}

/* Stores the n pieces from size at[p] to before at[p + 1]. */
static void fit_breakpoints_take(struct fit_breakpoints *out, struct search *s,
                                 const size_t *at, size_t n)
{
    out->nbreakpoints = n - 1;
    out->pieces = xcalloc(n, sizeof *out->pieces);
    out->breakpoints = xcalloc(n, sizeof *out->breakpoints);
    for (size_t p = 0; p < n; p++) {
        piece_cost(&out->pieces[p], s->points + s->start[at[p]],
                   s->start[at[p + 1]] - s->start[at[p]], s->noise, s->in);
        if (p)
            out->breakpoints[p - 1] =
                breakpoint_of(s, at[p - 1], at[p], at[p + 1]);
    }
}

static void take_found(struct fit_breakpoints *out, struct search *s,
                       const size_t *last)
{
    size_t n = 0;

    for (size_t k = s->nsizes; k > 0; k = last[k])
        n++;
    size_t *at = xcalloc(n + 1, sizeof *at);
    at[n] = s->nsizes;
    for (size_t p = n; p-- > 0;)
        at[p] = last[at[p + 1]];
    fit_breakpoints_take(out, s, at, n);
    out->found = true;
    free(at);
}

/* Sets where the pieces of the base begin, at[0] = 0 to at[n] = nsizes, for
 * those that have sizes; named[i] is the breakpoint after piece i. Returns
 * n. */
static size_t base_pieces(const struct search *s, const double *base,
                          size_t nbase, size_t *at, double *named)
{
    size_t n = 0, k = 0;

    at[0] = 0;
    for (size_t b = 0; b < nbase; b++) {
        while (k < s->nsizes && size_of(s, k) <= base[b])
            k++;
        if (k > at[n] && k < s->nsizes) {
            named[n] = base[b];
            at[++n] = k;
        }
    }
    at[++n] = s->nsizes;
    return n;
}

static void take_base(struct fit_breakpoints *out, struct search *s,
                      const size_t *at, const double *named, size_t n)
{
    fit_breakpoints_take(out, s, at, n);
    for (size_t b = 0; b + 1 < n; b++) {
        out->breakpoints[b].bytes = named[b];
        out->breakpoints[b].from = fmin(out->breakpoints[b].from, named[b]);
        out->breakpoints[b].to = fmax(out->breakpoints[b].to, named[b]);
    }
}

/* Returns whether no breakpoint would be better elsewhere between its
 * neighbours. */
static bool in_place(struct search *s, const size_t *at, size_t n)
{
    for (size_t p = 1; p < n; p++) {
        size_t i = at[p - 1], end = at[p + 1];
        double here = span_cost(s, i, at[p]) + span_cost(s, at[p], end);
        for (size_t k = i + LEAST_SIZES; k + LEAST_SIZES <= end; k++)
            if (span_cost(s, i, k) + span_cost(s, k, end) + FIT_LIKELY < here)
                return false;
    }
    return true;
}

static double pieces_cost(struct search *s, const size_t *at, size_t n)
{
    double all = 0;

    for (size_t p = 0; p < n; p++)
        all += span_cost(s, at[p], at[p + 1]) + s->penalty;
    return all;
}

void fit_breakpoints(struct fit_breakpoints *out,
                     const struct fit_point *points, size_t n,
                     const double *base, size_t nbase)
{
    struct search s;

    memset(out, 0, sizeof *out);
    if (!n)
        return;
    search_init(&s, points, n);
    out->noise = s.noise;
    size_t *last = xcalloc(s.nsizes + 1, sizeof *last);
    size_t *at = xcalloc(nbase + 2, sizeof *at);
    double *named = xcalloc(nbase + 1, sizeof *named);
    size_t npieces = base_pieces(&s, base, nbase, at, named);
    bool stay = s.nsizes < (size_t)2 * LEAST_SIZES ||
                (in_place(&s, at, npieces) &&
                 pieces_cost(&s, at, npieces) <=
                     best_pieces(&s, last) + FIT_CLEARLY_BETTER);
    if (stay) {
        take_base(out, &s, at, named, npieces);
    } else {
        best_pieces(&s, last);
        take_found(out, &s, last);
    }
    free(last);
    free(at);
    free(named);
    search_clear(&s);
}

void fit_breakpoints_clear(struct fit_breakpoints *b)
{
    free(b->breakpoints);
    free(b->pieces);
    memset(b, 0, sizeof *b);
}
