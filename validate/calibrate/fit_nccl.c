/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fit_nccl.c - fits the numbers of NCCL to logs of collectives: each number in
 * turn, by the simulated times of all calls, to the least cost of their errors.
 * A number is kept if fewer than 3 calls depend on it, if the calls are as
 * likely with the old one, or if its interval is wider than the number: numbers
 * of NCCL stand for each other, so that one log seldom tells them apart.
 */
#include "validate/calibrate/fit_parts.h"

#include "base/jobs.h"
#include "platforms/platform.h"
#include "validate/measure/benchmark.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct fitted {
    const char *place, *key, *source;
} numbers[] = {
#define FITTED(place, key, source) {place, key, source},
#include "validate/calibrate/fit_nccl.def"
#undef FITTED
};
enum { PASSES = 2 };
/* Each number of each protocol. */
#define NUMBERS (sizeof numbers / sizeof numbers[0] * NNCCL_PROTOCOLS)

/* A factor of a number is searched within this, in this many steps of a golden
 * section; a number is of no use if a change by PROBE moves all times by less
 * than MOVED. The noise of a log is about 2 % if it does not show more. */
static const double MOST_FACTOR = 4, PROBE = 1.1, MOVED = 1e-3, NOISE = 0.02;
enum { COARSE = 3, GOLDEN_STEPS = 9 };

/* The calls of all files, and their simulated times. */
struct calls {
    struct fit *f;
    struct fit_set set;
    double *times_s;
    size_t *same; /* the first call that is the same to NCCL, perhaps itself */
    bool *moved;  /* calls whose times the number under trial moves */
    double noise; /* relative error that counts as one deviation */
};

static bool is_call(const struct measured_point *p, const void *arg)
{
    (void)arg;
    return p->x.of == &library_call_benchmark && p->x.gpu;
}

/* Gathers the calls of all groups. */
static void gather_calls(struct fit_set *set, const struct fit *f)
{
    const char **groups;
    size_t n = 0, room = 1;

    for (size_t i = 0; i < f->nfiles; i++)
        room += f->files[i].npoints;
    groups = xcalloc(room, sizeof *groups);
    for (size_t i = 0; i < f->nfiles; i++)
        for (size_t k = 0; k < f->files[i].npoints; k++)
            if (is_call(&f->files[i].points[k], NULL))
                groups[n++] = f->files[i].points[k].group;
    fit_gather(set, f, groups, is_call, NULL);
    free(groups);
}

/* Finds calls that are simulated alike: in place or not is the same to NCCL. */
static void find_same(struct calls *c)
{
    for (size_t i = 0; i < c->set.n; i++) {
        const struct experiment *x = &c->set.points[i]->x;
        for (c->same[i] = 0; c->same[i] < i; c->same[i]++) {
            const struct experiment *y = &c->set.points[c->same[i]]->x;
            if (x->bytes == y->bytes && x->ranks == y->ranks &&
                x->nodes == y->nodes && x->collective == y->collective)
                break;
        }
    }
}

/* --- times and costs ------------------------------------------------------ */

/* Simulates all calls, or only those that the number moves, with the document
 * as it is. A call that the machine cannot do has the time 0. Returns 1 if the
 * document is no valid platform. */
static int fit_nccl_simulate(const struct calls *c, bool all_calls,
                             struct err *err)
{
    struct measured all = {.path = xstrdup("calls")};
    struct exec_options exec = exec_defaults;
    size_t *which = xcalloc(c->set.n, sizeof *which);
    struct machine m;

    if (platform_read(&m, c->f->doc, err) < 0) {
        free(which);
        free(all.path);
        return err->kind == ERR_INPUT ? 1 : -1;
    }
    exec.jobs = jobs_cores();
    all.points = xcalloc(c->set.n, sizeof *all.points);
    for (size_t i = 0; i < c->set.n; i++)
        if (c->same[i] == i && (all_calls || c->moved[i])) {
            which[all.npoints] = i;
            all.points[all.npoints++] = *c->set.points[i];
        }
    int result = measured_simulate_some(&all, &m, 0, &exec, NULL, err);
    for (size_t i = 0; i < all.npoints; i++)
        c->times_s[which[i]] = all.points[i].simulated_s;
    for (size_t i = 0; i < c->set.n; i++)
        c->times_s[i] = c->times_s[c->same[i]];
    machine_clear(&m);
    measured_clear(&all);
    free(which);
    return result;
}

/* Returns the error of a call as a logarithm, because a time twice too long and
 * one twice too short are equally wrong. */
static double error_of(const struct calls *c, size_t i)
{
    return c->times_s[i] > 0 ? log(c->times_s[i] / c->set.points[i]->measured_s)
                             : 0;
}

static double cost_of(const struct calls *c)
{
    double cost = 0;

    for (size_t i = 0; i < c->set.n; i++)
        cost += fit_point_cost(error_of(c, i), c->noise);
    return cost;
}

/* Returns the median |error| of all calls, or of those that the number moves.
 */
static double median_error(const struct calls *c, bool all_calls)
{
    double *errors = xcalloc(c->set.n, sizeof *errors);
    size_t n = 0;

    for (size_t i = 0; i < c->set.n; i++)
        if (all_calls || c->moved[i])
            errors[n++] = fabs(error_of(c, i));
    double median = n ? fit_median(errors, n).value : 0;
    free(errors);
    return median;
}

/* --- one number ----------------------------------------------------------- */

/* A number of the document while it is fitted. */
struct trial {
    struct calls *c;
    struct json *o;
    const char *key;
    double old;
    struct err *err;
    bool failed, all_calls;
};

/* Returns the cost of all calls if the number is multiplied by a factor. */
static double cost_at(struct trial *t, double factor)
{
    int result = -1;

    json_replace(t->o, t->key, json_new_number(t->old * factor));
    if (!t->failed)
        result = fit_nccl_simulate(t->c, t->all_calls, t->err);
    t->failed |= result < 0;
    return result ? INFINITY : cost_of(t->c);
}

/* Finds the calls that depend on the number, and returns how many there are.
 * The times are those of the document before. */
static size_t calls_moved(struct trial *t)
{
    struct calls *c = t->c;
    double *before = xcalloc(c->set.n, sizeof *before);
    size_t moved = 0;

    memcpy(before, c->times_s, c->set.n * sizeof *before);
    t->all_calls = true;
    (void)cost_at(t, PROBE);
    t->all_calls = false;
    for (size_t i = 0; i < c->set.n; i++) {
        c->moved[i] = fabs(c->times_s[i] - before[i]) > MOVED * before[i];
        moved += c->moved[i];
    }
    memcpy(c->times_s, before, c->set.n * sizeof *before);
    free(before);
    return t->failed ? 0 : moved;
}

/* Returns the factor of the least cost, by a golden section of its logarithm
 * around the best of a few. */
static double best_factor(struct trial *t)
{
    const double part = (sqrt(5) - 1) / 2, width = log(MOST_FACTOR) / COARSE;
    double best = 0, least = INFINITY;

    for (int i = -COARSE; i <= COARSE; i++) {
        double cost = cost_at(t, exp(i * width));
        if (cost < least) {
            least = cost;
            best = i * width;
        }
    }
    double low = best - width, high = best + width;
    double a = high - part * (high - low), b = low + part * (high - low);
    double at_a = cost_at(t, exp(a)), at_b = cost_at(t, exp(b));
    for (int i = 0; i < GOLDEN_STEPS; i++) {
        bool left = at_a <= at_b;
        *(left ? &high : &low) = left ? b : a;
        if (left) {
            b = a;
            at_b = at_a;
            at_a = cost_at(t, exp(a = high - part * (high - low)));
        } else {
            a = b;
            at_a = at_b;
            at_b = cost_at(t, exp(b = low + part * (high - low)));
        }
    }
    double middle = cost_at(t, exp((low + high) / 2));
    return exp(middle <= least ? (low + high) / 2 : best);
}

/* Returns half the width of the factors around the best whose cost is at most
 * FIT_LIKELY above the least. */
static double half_width(struct trial *t, double best)
{
    double least = cost_at(t, best), end[2];

    for (int side = 0; side < 2; side++) {
        double factor = best, step = side ? 1.02 : 1 / 1.02;
        while (factor < best * 10 && factor > best / 10 &&
               cost_at(t, factor) <= least + FIT_LIKELY) {
            factor *= step;
            step *= step > 1 ? 1.02 : 1 / 1.02;
        }
        end[side] = factor;
    }
    return (end[1] - end[0]) / 2;
}

/* A number as it was and as it is fitted, after the passes so far. */
struct result {
    double old;
    struct fit_number fitted; /* 0 if it is kept */
    size_t moved;
    double residual;
};

/* Fits one number, given all others. */
static int fit_one(struct result *r, struct calls *c, const struct fitted *n,
                   struct json *o, struct err *err)
{
    double now = json_number(json_member(o, n->key));
    struct trial t = {.c = c, .o = o, .key = n->key, .old = now, .err = err};
    size_t moved = calls_moved(&t);
    double median = median_error(c, false), noise = c->noise;
    double best = moved >= 3 ? best_factor(&t) : 1;
    struct fit_number fitted = {now * best, 0};

    if (moved >= 3 && cost_at(&t, best) < INFINITY) {
        /* The noise is that of the fit, because before it an error is no
         * noise. The cost may fall by a few calls alone; the median says so. */
        double after = median_error(c, false);
        c->noise = fmax(NOISE, after);
        if (after <= median && cost_at(&t, best) < cost_at(&t, 1) - FIT_LIKELY)
            fitted.half = now * half_width(&t, best);
        c->noise = noise;
    }
    bool good = fitted.half > 0 && fitted.half <= fitted.value / 2;
    if (moved >= 3)
        (void)cost_at(&t, good ? best : 1);
    json_replace(o, n->key, json_new_number(good ? fitted.value : now));
    if (good)
        *r = (struct result){r->old, fitted, moved, median_error(c, false)};
    return t.failed ? -1 : 0;
}

/* Returns the object that has a number of a protocol; NULL if there is none
 * above 0. */
static struct json *fit_nccl_place(char **place, const struct fit *f,
                                   const struct fitted *n, int protocol)
{
    *place = xasprintf(n->place, nccl_protocol_names[protocol]);
    struct json *o = (struct json *)json_at_path(f->doc, *place);
    if (json_number(json_member(o, n->key)) > 0)
        return o;
    free(*place);
    *place = NULL;
    return NULL;
}

/* Fits each number in turn. */
static int fit_pass(struct result *results, struct calls *c, struct err *err)
{
    int failed = 0;

    for (size_t i = 0; i < NUMBERS && !failed; i++) {
        const struct fitted *n = &numbers[i / NNCCL_PROTOCOLS];
        char *place;
        struct json *o =
            fit_nccl_place(&place, c->f, n, (int)(i % NNCCL_PROTOCOLS));
        if (!o)
            continue;
        if (!results[i].old)
            results[i].old = json_number(json_member(o, n->key));
        failed = fit_one(&results[i], c, n, o, err);
        free(place);
    }
    return failed;
}

/* Puts the fitted numbers with their sources into the document, whose numbers
 * become those of before for the rows. */
static void put_results(const struct result *results, struct calls *c)
{
    for (size_t i = 0; i < NUMBERS; i++) {
        const struct fitted *n = &numbers[i / NNCCL_PROTOCOLS];
        const struct result *r = &results[i];
        char *place;
        struct json *o =
            r->fitted.value > 0
                ? fit_nccl_place(&place, c->f, n, (int)(i % NNCCL_PROTOCOLS))
                : NULL;
        if (!o)
            continue;
        json_replace(o, n->key, json_new_number(r->old));
        fit_set_number(c->f, o, place, n->key, 1, r->fitted, r->moved,
                       r->residual, NULL);
        fit_source(o, n->source, strcmp(n->source, "source") ? NULL : n->key,
                   &c->set, r->moved, "calls", r->residual);
        free(place);
    }
}

static int fit_all_calls(struct calls *c, struct err *err)
{
    struct result results[NUMBERS] = {0};
    int result = fit_nccl_simulate(c, true, err);

    for (int pass = 0; pass < PASSES && result == 0; pass++) {
        c->noise = fmax(NOISE, median_error(c, true));
        result = fit_pass(results, c, err);
    }
    if (result == 0)
        put_results(results, c);
    return result;
}

int fit_nccl(struct fit *f, struct err *err)
{
    struct calls c = {.f = f, .noise = NOISE};
    int result = 0;

    gather_calls(&c.set, f);
    c.times_s = xcalloc(c.set.n + 1, sizeof *c.times_s);
    c.same = xcalloc(c.set.n + 1, sizeof *c.same);
    c.moved = xcalloc(c.set.n + 1, sizeof *c.moved);
    find_same(&c);
    if (c.set.n && f->m->nccl.slots)
        result = fit_all_calls(&c, err);
    free(c.times_s);
    free(c.same);
    free(c.moved);
    fit_set_clear(&c.set);
    return result;
}
