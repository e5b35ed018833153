/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the costs of communication runtimes: CPU times of messages by lines over
 * bytes, other parts as measured. */
#include "validate/calibrate/fit_runtimes.h"

#include "base/number.h"
#include "platforms/keys.h"
#include "platforms/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const fitted_runtimes[] = {"mpi_probe", "mpi_rma", "lci"};
enum { NFITTED = 3 };

/* The place of a number, by which it is named. */
#define AT(field) offsetof(struct runtime_costs, field)

/* The fit of one runtime. */
struct runtime_fit {
    struct fit_runtimes *f;
    const char *runtime;
    const struct runtime_points *points;
    struct json *costs;
};

/* --- into the document ---------------------------------------------------- */

/* Puts a number in its key's unit; one that is below 0 because of noise becomes
 * 0. */
static void put_number(struct runtime_fit *r, size_t at,
                       struct fit_number number, size_t points, double residual)
{
    const char *key = key_of_field(&runtime_costs_keys, at);
    struct fit_row row = {.old = NAN, .points = points, .residual = residual};
    const struct json *old = json_member(r->costs, key);

    if (old)
        row.old = json_number(old);
    row.fitted.value = number.value > 0 ? number_four_digits(number.value) : 0;
    row.fitted.half = number.half;
    snprintf(row.path, sizeof row.path, "runtimes.%s.costs.%s", r->runtime,
             key);
    json_replace(r->costs, key, json_new_number(row.fitted.value));
    r->f->rows = xrealloc(r->f->rows, r->f->nrows + 1, sizeof *r->f->rows);
    r->f->rows[r->f->nrows++] = row;
}

/* --- points --------------------------------------------------------------- */

static bool point_is(const struct runtime_point *p, const char *runtime,
                     const char *operation)
{
    return p->hosts == 2 && !strcmp(p->runtime, runtime) &&
           !strcmp(p->operation, operation);
}

/* Returns the first point of an operation, which is that of one thread; NULL if
 * there is none. */
static const struct runtime_point *find_point(const struct runtime_fit *r,
                                              const char *operation)
{
    for (size_t i = 0; i < r->points->n; i++)
        if (point_is(&r->points->points[i], r->runtime, operation))
            return &r->points->points[i];
    return NULL;
}

static double seconds_of(const struct runtime_fit *r, const char *operation)
{
    const struct runtime_point *p = find_point(r, operation);

    return p ? p->time_s : 0;
}

/* Returns the unit of a number's key. */
static double unit_at(size_t at)
{
    return key_unit(key_of_field(&runtime_costs_keys, at));
}

static void put_measured(struct runtime_fit *r, size_t at,
                         const char *operation)
{
    const struct runtime_point *p = find_point(r, operation);

    if (p)
        put_number(r, at, (struct fit_number){p->time_s / unit_at(at), 0}, 1,
                   0);
}

enum over { OVER_BYTES, OVER_THREADS, OVER_PENDING };

/* Fits a line through the points of an operation; returns false if there are
 * fewer than two. */
static bool line_over(struct fit_line *line, size_t *n,
                      const struct runtime_fit *r, const char *operation,
                      enum over x)
{
    struct fit_point *all = xcalloc(r->points->n, sizeof *all);

    *n = 0;
    for (size_t i = 0; i < r->points->n; i++) {
        const struct runtime_point *p = &r->points->points[i];
        if (!point_is(p, r->runtime, operation))
            continue;
        all[*n].bytes = x == OVER_BYTES     ? (double)p->bytes
                        : x == OVER_THREADS ? p->threads - 1.0
                                            : p->pending;
        all[(*n)++].seconds = p->time_s;
    }
    *line = (struct fit_line){0};
    if (*n > 1)
        fit_line(line, all, *n, FIT_BOTH);
    free(all);
    return *n > 1;
}

/* --- numbers -------------------------------------------------------------- */

static struct fit_number scaled(struct fit_number n, double less, double unit)
{
    return (struct fit_number){(n.value - less) / unit, n.half / unit};
}

/* Puts the CPU time of a message on one end, minus the call, which is counted
 * separately. */
static void put_end(struct runtime_fit *r, const char *operation, size_t at,
                    size_t byte_at, double less_s)
{
    struct fit_line line;
    size_t n;

    if (!line_over(&line, &n, r, operation, OVER_BYTES))
        return;
    put_number(r, at, scaled(line.alpha_s, less_s, unit_at(at)), n,
               line.residual);
    put_number(r, byte_at, scaled(line.beta_s_per_B, 0, unit_at(byte_at)), n,
               line.residual);
}

static void put_slope(struct runtime_fit *r, const char *operation, size_t at,
                      enum over x)
{
    struct fit_line line;
    size_t n;

    if (line_over(&line, &n, r, operation, x))
        put_number(r, at, scaled(line.beta_s_per_B, 0, unit_at(at)), n,
                   line.residual);
}

static void put_copy(struct runtime_fit *r)
{
    const struct runtime_point *p = find_point(r, "copy");

    if (p)
        put_number(r, AT(copy_Bps),
                   (struct fit_number){1e-9 * (double)p->bytes / p->time_s, 0},
                   1, 0);
}

static void put_pool(struct runtime_fit *r)
{
    const struct runtime_point *p = find_point(r, "call");

    if (!p)
        return;
    put_number(r, AT(packet_B), (struct fit_number){(double)p->packet_B, 0}, 1,
               0);
    put_number(r, AT(packets_per_host), (struct fit_number){p->packets, 0}, 1,
               0);
}

static void put_source(struct runtime_fit *r)
{
    static const size_t ends[] = {AT(send_s), AT(recv_s), AT(send_s_per_B),
                                  AT(recv_s_per_B)};
    const char *of[5];
    size_t n = 0;

    for (size_t i = 0; i < 4; i++) {
        const char *key = key_of_field(&runtime_costs_keys, ends[i]);
        if (json_member(r->costs, key))
            of[n++] = key;
    }
    of[n] = NULL;
    json_replace(r->costs, "source",
                 source_json(PROVENANCE_MEASURED, r->points->from, NULL));
    if (n)
        source_put(r->costs, "source", of,
                   source_json(PROVENANCE_FIT, r->points->from,
                               "lines through the CPU times of both ends, "
                               "less the call"));
}

static void fit_one(struct runtime_fit *r)
{
    double call_s = seconds_of(r, "call");

    put_measured(r, AT(call_s), "call");
    put_slope(r, "call", AT(call_thread_s), OVER_THREADS);
    put_end(r, "sender_cpu", AT(send_s), AT(send_s_per_B), call_s);
    put_end(r, "receiver_cpu", AT(recv_s), AT(recv_s_per_B), 0);
    put_measured(r, AT(poll_s), "poll");
    if (!strcmp(r->runtime, "lci"))
        put_pool(r);
    if (!strcmp(r->runtime, "mpi_probe")) {
        put_slope(r, "entry", AT(entry_s), OVER_PENDING);
        put_measured(r, AT(test_s), "test");
    }
    if (strcmp(r->runtime, "mpi_rma") != 0)
        put_copy(r);
    put_measured(r, AT(start_s), "start");
    put_measured(r, AT(complete_s), "complete");
    put_measured(r, AT(post_s), "post");
    put_measured(r, AT(wait_s), "wait");
    put_measured(r, AT(window_s), "window");
    put_source(r);
}

int fit_runtimes(struct fit_runtimes *f, struct json *doc,
                 const struct runtime_points *points, struct err *err)
{
    *f = (struct fit_runtimes){0};
    for (int i = 0; i < NFITTED; i++) {
        struct runtime_fit r = {
            .f = f, .runtime = fitted_runtimes[i], .points = points};
        if (!find_point(&r, "call"))
            continue;
        r.costs = json_object_in(
            json_object_in(json_object_in(doc, "runtimes"), r.runtime),
            "costs");
        fit_one(&r);
    }
    return f->nrows ? 0
                    : fail(err,
                           "%s: expected calls of mpi_probe, mpi_rma or lci "
                           "between two hosts",
                           points->from);
}

void fit_runtimes_clear(struct fit_runtimes *f)
{
    free(f->rows);
    *f = (struct fit_runtimes){0};
}
