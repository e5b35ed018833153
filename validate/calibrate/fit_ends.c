/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the protocol by which a message is sent, and its costs for its ends,
 * from the times of many messages of one rank. */
#include "validate/calibrate/fit_ends.h"

#include "base/err.h"
#include "validate/calibrate/fit_line.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ends_protocol_names[NENDS_PROTOCOLS] = {
    "buffer free at once", "buffer free when acknowledged",
    "fetched by the receiver", "sent after a handshake"};

enum { MOST_NUMBERS = 2, STEPS = 400, HALVINGS = 24, SCANNED = 20 };
static const double SCAN_STEP = 0.1, NEAR = 1e-5;
static const double ROUGH_STEP = 0.2, ROUGH = 0.01;
static const double LEAST_DEVIATION = 0.01; /* because no model is better */

/* A protocol, and which of its numbers are fitted. */
struct candidate {
    enum ends_protocol protocol;
    bool cpu, other; /* `other` is ack, or a time per byte */
};

static const struct candidate candidates[] = {
    {ENDS_AT_ONCE, false, false},      {ENDS_AT_ONCE, false, true},
    {ENDS_AT_ONCE, true, false},       {ENDS_AT_ONCE, true, true},
    {ENDS_ACKNOWLEDGED, false, false}, {ENDS_ACKNOWLEDGED, false, true},
    {ENDS_GET, false, false},          {ENDS_GET, true, false},
    {ENDS_PUT, false, false},          {ENDS_PUT, true, false},
};
enum { NCANDIDATES = sizeof candidates / sizeof candidates[0] };

struct task {
    const struct segment *base;
    const struct candidate *how;
    struct mult_pong *benchmark;
    double cpu_s; /* if it is not fitted */
    const struct mult_pong_point *points;
    size_t n;
    double *simulated_s; /* room for the points' times */
};

static size_t numbers_of(const struct candidate *c)
{
    return (size_t)c->cpu + (size_t)c->other;
}

/* Returns the segment with these numbers, in the order of the candidate. */
static struct segment segment_with(const struct task *t, const double *x)
{
    struct segment s = *t->base;
    enum ends_protocol protocol = t->how->protocol;
    double cpu_s = t->how->cpu ? *x++ : t->cpu_s;
    double other = t->how->other ? *x : 0;
    bool waits = protocol == ENDS_GET || protocol == ENDS_PUT;

    s.protocol = waits                          ? PROTOCOL_RENDEZVOUS
                 : s.protocol == PROTOCOL_SHORT ? PROTOCOL_SHORT
                                                : PROTOCOL_EAGER;
    s.send_s = s.recv_s = cpu_s;
    s.send_s_per_B = s.recv_s_per_B = protocol == ENDS_AT_ONCE ? other : 0;
    s.buffer_free = protocol == ENDS_AT_ONCE        ? FREE_AT_ONCE
                    : protocol == ENDS_ACKNOWLEDGED ? FREE_ACKNOWLEDGED
                                                    : FREE_TRANSFERRED;
    s.ack_s = protocol == ENDS_ACKNOWLEDGED ? other : 0;
    s.rendezvous = protocol == ENDS_GET ? RENDEZVOUS_GET : RENDEZVOUS_PUT;
    return s;
}

/* Returns the mean |relative error|, equal for half and double. */
static double deviation(const struct task *t, const double *x)
{
    const struct segment s = segment_with(t, x);
    double sum = 0;

    mult_pong_times(t->simulated_s, t->benchmark, &s, t->points, t->n);
    for (size_t i = 0; i < t->n; i++)
        sum += fabs(log(t->simulated_s[i] / t->points[i].seconds));
    return sum / (double)t->n;
}

/* Converts the roots of the search to numbers. A root is in units of alpha (or
 * of beta), so that no number is negative. An acknowledgement takes no longer
 * than a message without bytes. */
static void numbers_at(const struct task *t, const double *roots, double *x)
{
    size_t n = numbers_of(t->how);

    for (size_t i = 0; i < n; i++) {
        double number = roots[i] * roots[i];
        bool other = t->how->other && i + 1 == n;
        if (other && t->how->protocol == ENDS_ACKNOWLEDGED)
            number = fmin(number, 1);
        x[i] = number * (other && t->how->protocol == ENDS_AT_ONCE
                             ? t->base->beta_s_per_B
                             : t->base->alpha_s);
    }
}

static double at_roots(const struct task *t, const double *roots)
{
    double x[MOST_NUMBERS];

    numbers_at(t, roots, x);
    return deviation(t, x);
}

static double at_vector(const gsl_vector *v, void *arg)
{
    return at_roots(arg, gsl_vector_const_ptr(v, 0));
}

/* Moves the roots to the least deviation by a simplex, whose first step is
 * `first` and last one `last`. */
static double descend(struct task *t, double *roots, double first, double last)
{
    size_t k = numbers_of(t->how);
    gsl_multimin_function f = {at_vector, k, t};
    gsl_multimin_fminimizer *m =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, k);
    gsl_vector *v = gsl_vector_alloc(k), *step = gsl_vector_alloc(k);

    for (size_t i = 0; i < k; i++)
        gsl_vector_set(v, i, roots[i]);
    gsl_vector_set_all(step, first);
    gsl_multimin_fminimizer_set(m, &f, v, step);
    for (int i = 0; i < STEPS; i++)
        if (gsl_multimin_fminimizer_iterate(m) ||
            gsl_multimin_fminimizer_size(m) < last)
            break;
    for (size_t i = 0; i < k; i++)
        roots[i] = gsl_vector_get(gsl_multimin_fminimizer_x(m), i);
    double least = gsl_multimin_fminimizer_minimum(m);
    gsl_vector_free(v);
    gsl_vector_free(step);
    gsl_multimin_fminimizer_free(m);
    return least;
}

/* Narrows the roots between which the deviation is least, by the golden
 * section. */
static double narrow(const struct task *t, double from, double to, double *root)
{
    static const double GOLDEN = 0.6180339887498949;
    double a = to - GOLDEN * (to - from), b = from + GOLDEN * (to - from);
    double at_a = at_roots(t, &a), at_b = at_roots(t, &b);

    while (to - from > NEAR) {
        if (at_a <= at_b) {
            to = b, b = a, at_b = at_a;
            a = to - GOLDEN * (to - from);
            at_a = at_roots(t, &a);
        } else {
            from = a, a = b, at_a = at_b;
            b = from + GOLDEN * (to - from);
            at_b = at_roots(t, &b);
        }
    }
    *root = at_a <= at_b ? a : b;
    return fmin(at_a, at_b);
}

/* Finds the least deviation of a single number. It narrows every valley of a
 * scan, because a narrow one may be deeper than the scan shows. */
static double scan(const struct task *t, double *root)
{
    double at[SCANNED + 1], least = INFINITY, found;

    for (int i = 0; i <= SCANNED; i++)
        at[i] = at_roots(t, &(double){i * SCAN_STEP});
    for (int i = 0; i <= SCANNED; i++) {
        if ((i < SCANNED && at[i] > at[i + 1]) || (i && at[i] >= at[i - 1]))
            continue;
        double got =
            narrow(t, fmax(0, i - 1) * SCAN_STEP, (i + 1) * SCAN_STEP, &found);
        if (fmin(at[i], got) >= least)
            continue;
        least = fmin(at[i], got);
        *root = got < at[i] ? found : i * SCAN_STEP;
    }
    return least;
}

/* Finds the least deviation of several numbers: only the best of some rough
 * descents is finished. */
static double descend_from_all(struct task *t, double *roots)
{
    static const double starts[] = {0.1, 0.4, 0.7, 1};
    double best = INFINITY;

    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        double found[MOST_NUMBERS] = {starts[i], starts[i]};
        double got = descend(t, found, ROUGH_STEP, ROUGH);
        if (got >= best)
            continue;
        best = got;
        memcpy(roots, found, sizeof found);
    }
    return descend(t, roots, ROUGH, NEAR);
}

static double least_deviation(struct task *t, double *x)
{
    double roots[MOST_NUMBERS] = {0}, least;

    switch (numbers_of(t->how)) {
    case 0:
        return deviation(t, x);
    case 1:
        least = scan(t, roots);
        break;
    default:
        least = descend_from_all(t, roots);
    }
    numbers_at(t, roots, x);
    return least;
}

/* Returns the BIC for deviations with a Laplace distribution. A CPU time that
 * differs from that of smaller messages must be clearly better. */
static double bic(const struct task *t, double least)
{
    double n = (double)t->n;
    bool differs = t->how->cpu && !isnan(t->cpu_s);

    return 2 * n * log(fmax(least, LEAST_DEVIATION)) +
           (double)numbers_of(t->how) * log(n) +
           (differs ? FIT_CLEARLY_BETTER : 0);
}

/* Returns whether a candidate can be distinguished: only a first segment
 * separates a time per byte from a time per message, because in later ones a
 * line through both would follow any curve. */
static bool possible(const struct candidate *c, bool cpu_known)
{
    if (cpu_known)
        return !(c->cpu && c->other);
    return c->cpu || c->protocol == ENDS_ACKNOWLEDGED;
}

/* Returns how far a number can move towards `end` while the deviation stays
 * likely, up to ten times alpha (or beta). */
static double likely_end(const struct task *t, const double *x, size_t which,
                         double least, double end)
{
    double limit =
        fmax(least, LEAST_DEVIATION) * exp(FIT_LIKELY / (2 * (double)t->n));
    double near = x[which], far = end, tried[MOST_NUMBERS] = {x[0], x[1]};

    tried[which] = end;
    if (deviation(t, tried) <= limit)
        return end;
    for (int i = 0; i < HALVINGS; i++) {
        tried[which] = (near + far) / 2;
        if (deviation(t, tried) <= limit)
            near = tried[which];
        else
            far = tried[which];
    }
    return near;
}

/* A candidate, its best numbers, and their deviation. */
struct found {
    struct task task;
    double x[MOST_NUMBERS], least;
};

static struct ends_number number_of(const struct found *f, size_t which,
                                    double unit)
{
    double x = f->x[which];

    return (struct ends_number){
        x, likely_end(&f->task, f->x, which, f->least, 0),
        likely_end(&f->task, f->x, which, f->least, fmax(10 * unit, 2 * x))};
}

static void take(struct ends_fit *out, const struct found *f)
{
    const struct task *t = &f->task;
    const struct segment *base = t->base;
    size_t other = t->how->cpu;

    *out = (struct ends_fit){.protocol = t->how->protocol,
                             .segment = segment_with(t, f->x),
                             .cpu_fitted = t->how->cpu,
                             .cpu_s = {t->cpu_s, t->cpu_s, t->cpu_s},
                             .residual = f->least};
    if (t->how->cpu)
        out->cpu_s = number_of(f, 0, base->alpha_s);
    if (t->how->other && t->how->protocol == ENDS_ACKNOWLEDGED)
        out->ack_s = number_of(f, other, base->alpha_s);
    else if (t->how->other)
        out->s_per_B = number_of(f, other, base->beta_s_per_B);
}

void fit_ends_find(struct ends_fit *out, const struct segment *segment,
                   struct mult_pong *benchmark, double cpu_s,
                   const struct mult_pong_point *points, size_t n)
{
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    double best = INFINITY, *room = xcalloc(n, sizeof *room);
    struct found found = {.least = NAN};

    for (size_t i = 0; i < NCANDIDATES; i++) {
        struct found f = {.task = {.base = segment,
                                   .how = &candidates[i],
                                   .benchmark = benchmark,
                                   .cpu_s = cpu_s,
                                   .points = points,
                                   .n = n,
                                   .simulated_s = room}};
        if (!possible(f.task.how, !isnan(cpu_s)))
            continue;
        if (isnan(cpu_s) && !f.task.how->cpu)
            f.task.cpu_s = 0; /* the sender waits longer, so it has no effect */
        f.least = least_deviation(&f.task, f.x);
        double cost = bic(&f.task, f.least);
        if (found.task.how && cost >= best)
            continue;
        best = cost;
        found = f;
    }
    take(out, &found);
    free(room);
    gsl_set_error_handler(before);
}
