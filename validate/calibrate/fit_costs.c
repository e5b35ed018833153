/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the costs of a GPU's accesses by least squares over footprints, and
 * takes the costs of calls as measured. */
#include "validate/calibrate/fit_calls.h"

#include "base/number.h"
#include "platforms/keys.h"
#include "platforms/machine.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- into the document ---------------------------------------------------- */

/* Returns the object of a part: "access", "calls", "calls.several", or NULL for
 * gpu itself. */
static struct json *costs_object(struct json *doc, const char *part)
{
    struct json *o = json_object_in(doc, "gpu");
    char key[32];

    for (const char *at = part; at && *at; at += *at == '.') {
        size_t n = strcspn(at, ".");
        snprintf(key, sizeof key, "%.*s", (int)n, at);
        o = json_object_in(o, key);
        at += n;
    }
    return o;
}

enum { MOST_FILES = 64 };

/* Merges the rows of one number, one per file, into one: the median of each
 * column. */
static void merge_row(struct fit_costs *f, size_t at)
{
    double value[MOST_FILES], half[MOST_FILES], residual[MOST_FILES];
    struct fit_row *row = &f->rows[at];
    size_t n = 0, kept = at + 1, points = 0;

    for (size_t i = at; i < f->nrows; i++) {
        struct fit_row *r = &f->rows[i];
        if (strcmp(r->path, row->path) != 0) {
            f->rows[kept++] = *r;
            continue;
        }
        value[n] = r->fitted.value;
        half[n] = r->fitted.half;
        residual[n++] = r->residual;
        points += r->points;
    }
    gsl_sort(value, 1, n);
    gsl_sort(half, 1, n);
    gsl_sort(residual, 1, n);
    row->fitted.value =
        number_four_digits(gsl_stats_median_from_sorted_data(value, 1, n));
    row->fitted.half = gsl_stats_median_from_sorted_data(half, 1, n);
    row->residual = gsl_stats_median_from_sorted_data(residual, 1, n);
    row->points = points;
    f->nrows = kept;
}

static void put_row(struct fit_row *row, struct json *doc)
{
    char part[32] = "";
    const char *key = row->path + strlen("gpu."), *dot = strrchr(key, '.');

    if (dot) {
        snprintf(part, sizeof part, "%.*s", (int)(dot - key), key);
        key = dot + 1;
    }
    struct json *o = costs_object(doc, *part ? part : NULL);
    const struct json *old = json_member(o, key);
    if (old)
        row->old = json_number(old);
    json_replace(o, key, json_new_number(row->fitted.value));
}

/* --- hits and misses ------------------------------------------------------ */

#define AT(field) offsetof(struct gpu_access, field)
enum { OPERATIONS = 4, MOST_FOOTPRINTS = 40, SIZES = 400 };
static const struct {
    const char *operation;
    size_t hit, miss; /* places in struct gpu_access */
} accesses[OPERATIONS] = {
    {"read", AT(hit_s), AT(miss_s)},
    {"atomic_min", AT(atomic_hit_s), AT(atomic_miss_s)},
    {"float_add", AT(float_atomic_hit_s), AT(float_atomic_miss_s)},
    {"float_sum", AT(float_sum_hit_s), AT(float_sum_miss_s)},
};

/* The times of one operation by footprint. */
struct sweep {
    double bytes[MOST_FOOTPRINTS], time_s[MOST_FOOTPRINTS];
    size_t n;
    double hit_s, miss_s, hit_half_s, miss_half_s;
};

static unsigned most_threads(const struct cost_points *p)
{
    unsigned most = 0;

    for (size_t i = 0; i < p->n; i++)
        if (!strcmp(p->points[i].operation, "read") &&
            p->points[i].threads > most)
            most = p->points[i].threads;
    return most;
}

static void take_sweep(struct sweep *s, const struct cost_points *p,
                       const char *operation, unsigned threads)
{
    s->n = 0;
    for (size_t i = 0; i < p->n && s->n < MOST_FOOTPRINTS; i++) {
        const struct cost_point *q = &p->points[i];
        if (strcmp(q->operation, operation) != 0 || q->peer ||
            q->together != 1 || q->threads != threads)
            continue;
        s->bytes[s->n] = (double)q->bytes;
        s->time_s[s->n++] = q->median_s;
    }
}

/* Sets the shares of hits and of misses in a time, divided by the time
 * itself. */
static void shares(const struct sweep *s, size_t i, double l2_B, double *hit,
                   double *miss)
{
    double h = fmin(1, l2_B / s->bytes[i]);

    *hit = h / s->time_s[i];
    *miss = (1 - h) / s->time_s[i];
}

static double sweep_error(const struct sweep *s, size_t i, double l2_B)
{
    double hit, miss;

    shares(s, i, l2_B, &hit, &miss);
    return s->hit_s * hit + s->miss_s * miss - 1;
}

/* Computes hit and miss with this L2 by the normal equations; returns the sum
 * of squares. */
static double solve_sweep(struct sweep *s, double l2_B)
{
    double hh = 0, hm = 0, mm = 0, h1 = 0, m1 = 0, squares = 0;

    for (size_t i = 0; i < s->n; i++) {
        double hit, miss;
        shares(s, i, l2_B, &hit, &miss);
        hh += hit * hit;
        hm += hit * miss;
        mm += miss * miss;
        h1 += hit;
        m1 += miss;
    }
    double det = hh * mm - hm * hm;
    s->hit_s = (h1 * mm - m1 * hm) / det;
    s->miss_s = (m1 * hh - h1 * hm) / det;
    for (size_t i = 0; i < s->n; i++)
        squares += pow(sweep_error(s, i, l2_B), 2);
    double variance = squares / (double)(s->n - 2);
    s->hit_half_s = 1.96 * sqrt(variance * mm / det);
    s->miss_half_s = 1.96 * sqrt(variance * hh / det);
    return squares;
}

static double sweep_residual(const struct sweep *s, double l2_B)
{
    double errors[MOST_FOOTPRINTS];

    for (size_t i = 0; i < s->n; i++)
        errors[i] = fabs(sweep_error(s, i, l2_B));
    gsl_sort(errors, 1, s->n);
    return gsl_stats_median_from_sorted_data(errors, 1, s->n);
}

static double solve_all(struct sweep *s, double l2_B)
{
    double squares = 0;

    for (int i = 0; i < OPERATIONS; i++)
        squares += s[i].n ? solve_sweep(&s[i], l2_B) : 0;
    return squares;
}

/* Returns the L2 of least squares: it is searched between the two smallest
 * footprints that might be hits and the four largest, which are mostly
 * misses. */
static double best_l2(struct sweep *s, double least_B, double most_B)
{
    double best_B = least_B, fewest = INFINITY;

    for (int i = 0; i <= SIZES; i++) {
        double l2_B = least_B * pow(most_B / least_B, (double)i / SIZES);
        double squares = solve_all(s, l2_B);
        if (squares < fewest) {
            fewest = squares;
            best_B = l2_B;
        }
    }
    solve_all(s, best_B);
    return best_B;
}

enum { LEAST_FOOTPRINTS = 6, APART = 64 };

static int check_sweep(const struct sweep *s, const char *operation,
                       const struct cost_points *p, struct err *err)
{
    double least = INFINITY, most = 0;

    for (size_t i = 0; i < s->n; i++) {
        least = fmin(least, s->bytes[i]);
        most = fmax(most, s->bytes[i]);
    }
    if (s->n >= LEAST_FOOTPRINTS && most >= APART * least)
        return 0;
    return fail(err,
                "%s: %s: expected %d footprints or more, the largest at least "
                "%d times the smallest, to tell hits from misses",
                p->from, operation, LEAST_FOOTPRINTS, APART);
}

static int fit_sweeps(struct fit_costs *f, const struct cost_points *p,
                      struct err *err)
{
    struct sweep s[OPERATIONS] = {{{0}, {0}, 0, 0, 0, 0, 0}};
    unsigned threads = most_threads(p);
    double least_B = 0, most_B = INFINITY;
    size_t points = 0;

    for (int i = 0; i < OPERATIONS; i++) {
        take_sweep(&s[i], p, accesses[i].operation, threads);
        if (!s[i].n)
            continue;
        if (check_sweep(&s[i], accesses[i].operation, p, err) < 0)
            return -1;
        gsl_sort2(s[i].bytes, 1, s[i].time_s, 1, s[i].n);
        least_B = fmax(least_B, s[i].bytes[1]);
        most_B = fmin(most_B, s[i].bytes[s[i].n - 1] / 4);
        points += s[i].n;
    }
    if (!points)
        return 0;
    double l2_B = best_l2(s, least_B, most_B), residual = 0;
    for (int i = 0; i < OPERATIONS; i++) {
        if (!s[i].n)
            continue;
        residual = sweep_residual(&s[i], l2_B);
        fit_put_cost(
            f, "access", key_of_field(&access_keys, accesses[i].hit),
            (struct fit_number){1e9 * s[i].hit_s, 1e9 * s[i].hit_half_s},
            s[i].n, residual);
        fit_put_cost(
            f, "access", key_of_field(&access_keys, accesses[i].miss),
            (struct fit_number){1e9 * s[i].miss_s, 1e9 * s[i].miss_half_s},
            s[i].n, residual);
    }
    fit_put_cost(f, NULL, KEY_OF(gpu_keys, struct gpu_model, l2_B),
                 (struct fit_number){l2_B / 0x1p20, 0}, points, residual);
    return 0;
}

/* --- numbers as measured -------------------------------------------------- */

enum { WARP = 32 };

/* Takes latencies from the chains of 32 lanes on separate words, with the
 * smallest and with the largest footprint. */
static void fit_latencies(struct fit_costs *f, const struct cost_points *p)
{
    const struct cost_point *least = NULL, *most = NULL;

    for (size_t i = 0; i < p->n; i++) {
        const struct cost_point *q = &p->points[i];
        if (strcmp(q->operation, "read_chain") != 0 || q->peer ||
            q->together != 1 || q->threads != WARP)
            continue;
        least = !least || q->bytes < least->bytes ? q : least;
        most = !most || q->bytes > most->bytes ? q : most;
    }
    if (!least || least == most)
        return;
    fit_measured(f, "access",
                 KEY_OF(access_keys, struct gpu_access, latency_hit_s),
                 1e9 * WARP * least->median_s, least);
    fit_measured(f, "access",
                 KEY_OF(access_keys, struct gpu_access, latency_miss_s),
                 1e9 * WARP * most->median_s, most);
}

/* Takes the bandwidth of sequential words, one per thread, with the largest
 * footprint. */
static void fit_stream(struct fit_costs *f, const struct cost_points *p)
{
    enum { WORD_B = 4 };
    const struct cost_point *most = NULL;

    for (size_t i = 0; i < p->n; i++) {
        const struct cost_point *q = &p->points[i];
        if (!strcmp(q->operation, "stream") && !q->peer && q->together == 1 &&
            (!most || q->bytes > most->bytes))
            most = q;
    }
    if (most)
        fit_measured(f, "access",
                     KEY_OF(access_keys, struct gpu_access, stream_Bps),
                     1e-9 * WORD_B / most->median_s, most);
}

/* Takes additions to one address; those of the lanes of a warp are one
 * access. */
static void fit_same_address(struct fit_costs *f, const struct cost_points *p)
{
    const struct cost_point *q =
        cost_points_find(p, "counter", false, 0, most_threads(p));

    if (q)
        fit_measured(f, "access",
                     KEY_OF(access_keys, struct gpu_access, same_address_s),
                     1e9 * WARP * q->median_s, q);
    /* For floats each lane's addition is one. */
    const struct cost_point *sum =
        cost_points_find(p, "float_sum_few", false, 4, most_threads(p));
    if (sum)
        fit_measured(
            f, "access",
            KEY_OF(access_keys, struct gpu_access, float_same_address_s),
            1e9 * sum->median_s, sum);
}

/* --- the whole ------------------------------------------------------------ */

static bool fit_costs_has(const struct fit_costs *f, const char *part)
{
    for (size_t i = 0; i < f->nrows; i++)
        if (!strncmp(f->rows[i].path, part, strlen(part)))
            return true;
    return false;
}

/* Puts the source: the names of the files that have such an operation. */
static void put_source(const struct fit_costs *f, struct json *doc,
                       const char *part, const char *operation,
                       const struct cost_points *files, size_t n,
                       enum provenance kind, const char *how)
{
    char path[32], *names = xstrdup("");
    size_t used = 0;

    snprintf(path, sizeof path, "gpu.%s.", part);
    for (size_t i = 0; i < n; i++) {
        if (!cost_points_find(&files[i], operation, false, 0, 0))
            continue;
        char *longer =
            xasprintf("%s%s%s", names, used ? ", " : "", files[i].from);
        free(names);
        names = longer;
        used++;
    }
    char *text =
        xasprintf("%s%s", used > 1 ? "medians of the files: " : "", how);
    if (fit_costs_has(f, path))
        json_replace(costs_object(doc, part), "source",
                     source_json(kind, names, text));
    free(text);
    free(names);
}

static int fit_one_file(struct fit_costs *f, const struct cost_points *points,
                        struct err *err)
{
    size_t before = f->nrows;

    if (fit_sweeps(f, points, err) < 0)
        return -1;
    fit_latencies(f, points);
    fit_same_address(f, points);
    fit_stream(f, points);
    fit_calls(f, points, most_threads(points));
    return f->nrows > before
               ? 0
               : fail(err, "%s: determines no cost of accesses or calls",
                      points->from);
}

int fit_costs(struct fit_costs *f, struct json *doc,
              const struct cost_points *files, size_t n, struct err *err)
{
    *f = (struct fit_costs){0};
    if (n > MOST_FILES)
        return fail(err, "expected at most %d files, got %zu", MOST_FILES, n);
    for (size_t i = 0; i < n; i++)
        if (fit_one_file(f, &files[i], err) < 0)
            return -1;
    for (size_t i = 0; i < f->nrows; i++) {
        merge_row(f, i);
        put_row(&f->rows[i], doc);
    }
    put_source(f, doc, "access", "read", files, n, PROVENANCE_FIT,
               "hits, misses and the L2's size to times by "
               "footprint; latencies of 32 lanes, same_address_ns and "
               "stream_GBps as measured");
    put_source(f, doc, "calls", "kernel_call", files, n, PROVENANCE_MEASURED,
               "medians; sync_us is what a wait takes beyond "
               "the call and the stream's time");
    return 0;
}

void fit_costs_clear(struct fit_costs *f)
{
    free(f->rows);
    *f = (struct fit_costs){0};
}
