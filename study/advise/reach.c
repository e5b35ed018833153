/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds by bisection the value of one quantity with which a time is reached. */
#include "study/advise/reach.h"

#include "study/advise/advise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAR 1000.0
#define NEAR 0.01 /* in the logarithm of a ratio */

/* A count is not doubled further once the time has grown this often in a row,
 * to this many times the least. */
enum { GROWN_OFTEN = 3 };
#define GROWN_MUCH 2.0
enum { HALVINGS = 11 }; /* bisections of a factor of 1000: to less than 1 % */

int reach_time(double *time_s, const char *words, struct err *err)
{
    static const struct {
        const char *unit;
        double s;
    } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    char *end;
    double v = strtod(words, &end);

    while (*end == ' ')
        end++;
    for (size_t i = 0; i < sizeof units / sizeof units[0] && end != words; i++)
        if (!strcmp(end, units[i].unit) && v > 0 && isfinite(v)) {
            *time_s = v * units[i].s;
            return 0;
        }
    return fail(err,
                "expected a time above 0 with its unit (50us, 1.5ms), got "
                "'%.40s'",
                words);
}

/* --- the varied quantity -------------------------------------------------- */

struct reacher {
    struct reach *r;
    const struct request *request;
    const struct candidates *candidates;
    double time_s;
    struct draws_how how;
    /* Parameters in which the varied quantity is a parameter of its own. */
    struct parameters own;
    size_t parameter, inverse; /* indices in these; SIZE_MAX if there is none */
    /* Points into `changed`; NULL if a parameter is varied. */
    unsigned *count;
    struct request changed;
    struct err refused; /* the reason if the last count was refused */
};

static int unknown_key(const struct parameters *p, const char *key,
                       struct err *err)
{
    static const char *const others[] = {REACH_NIC, "nodes", "gpus",
                                         "ranks-per-node"};
    enum { OTHERS = sizeof others / sizeof others[0] };
    const char **keys = xcalloc(OTHERS + p->n, sizeof *keys);

    memcpy(keys, others, sizeof others);
    for (size_t i = 0; i < p->n; i++)
        keys[OTHERS + i] = p->list[i].key;
    const char *near = nearest_word(key, keys, OTHERS + parameters_costs(p));
    free(keys);
    return fail(err,
                "--vary %s: expected nic, nodes, gpus, ranks-per-node, or a "
                "number of the platform%s%s%s",
                key, near ? " (did you mean " : "", near ? near : "",
                near ? "?)" : "");
}

/* Returns the count of the request that a key names, or NULL. */
static unsigned *count_of(struct request *r, const char *key)
{
    if (!strcmp(key, "nodes"))
        return &r->work.nodes;
    if (!strcmp(key, "gpus"))
        return &r->work.gpus;
    return !strcmp(key, "ranks-per-node") ? &r->work.ranks_per_node : NULL;
}

static double count_now(const struct reacher *x)
{
    if (x->count == &x->changed.work.nodes)
        return x->candidates->nodes;
    if (x->count == &x->changed.work.gpus)
        return x->candidates->gpus;
    return x->request->work.ranks_per_node ? x->request->work.ranks_per_node
                                           : x->candidates->machine.ncores;
}

static unsigned count_most(const struct reacher *x)
{
    const struct machine *m = &x->candidates->machine;

    if (x->count == &x->changed.work.nodes)
        return m->network.nodes;
    return x->count == &x->changed.work.gpus ? m->network.nodes * m->ngpus
                                             : m->ncores;
}

/* Fails for a limit, because it is in whole bytes, and neither more nor less of
 * it is faster. */
static int check_no_limit(const struct reacher *x, struct err *err)
{
    for (size_t i = 0; i < x->own.nnumbers; i++) {
        const struct number *n = &x->own.numbers[i];
        if (n->limit && (n->of == x->parameter || n->of == x->inverse))
            return fail(err,
                        "--vary %s: %s is a limit between two segments, and "
                        "only costs and counts can be varied",
                        x->r->key, n->key);
    }
    return 0;
}

static int choose_key(struct reacher *x, struct err *err)
{
    const struct parameters *p = &x->candidates->parameters;
    const char *key = x->r->key;

    x->changed = *x->request;
    x->count = count_of(&x->changed, key);
    if (x->count == &x->changed.work.nodes)
        x->changed.work.gpus = 0;
    if (x->count == &x->changed.work.gpus)
        x->changed.work.nodes = 0;
    if (x->count) {
        x->r->now = count_now(x);
        return 0;
    }
    x->parameter = parameters_take(&x->own, key, &x->inverse);
    if (x->parameter == SIZE_MAX)
        return unknown_key(p, key, err);
    if (check_no_limit(x, err) < 0)
        return -1;
    const struct parameter *of = &x->own.list[x->parameter];
    x->r->now = of->value;
    x->r->most = !of->rate;
    return 0;
}

/* --- the time at a value -------------------------------------------------- */

/* Returns the time of the fastest candidate and sets *name to its name;
 * INFINITY if none could be run. */
static double fastest(const struct candidates *w, const double *times_s,
                      char **name)
{
    double least_s = INFINITY;

    for (size_t i = 0; i < w->n; i++)
        if (times_s[i] < least_s) {
            least_s = times_s[i];
            free(*name);
            *name = xstrdup(w->list[i].name);
        }
    return least_s;
}

/* Returns a row in which the varied quantity is multiplied by the factor; the
 * caller frees it. */
static double *row_at(const struct reacher *x, double factor)
{
    double *row = draws_nominal(&x->own);

    if (x->parameter != SIZE_MAX)
        row[x->parameter] = factor;
    if (x->inverse != SIZE_MAX)
        row[x->inverse] = 1 / factor;
    return row;
}

static struct timed_candidates timed_of(const struct reacher *x,
                                        const struct candidates *w)
{
    struct timed_candidates timed = candidates_timed(w, x->how);

    timed.exact = true;
    if (!x->count)
        timed.parameters = &x->own;
    return timed;
}

static int time_on(double *time_s, char **name, const struct reacher *x,
                   const struct candidates *w, double factor, struct err *err)
{
    struct timed_candidates timed = timed_of(x, w);
    double *row = x->count ? draws_nominal(&w->parameters) : row_at(x, factor);
    double *times_s = xcalloc(w->n, sizeof *times_s);
    int result = draws_time(times_s, &timed, row, 1, NULL, err);
    *time_s = result < 0 ? NAN : fastest(w, times_s, name);
    free(row);
    free(times_s);
    return result;
}

/* Times the request with another count. A count that is refused (more GPUs than
 * rows) takes infinitely long. */
static int time_counted(double *time_s, char **name, struct reacher *x,
                        unsigned count, struct err *err)
{
    struct candidates w;

    *x->count = count;
    *time_s = INFINITY;
    if (candidates_load(&w, &x->changed, &x->refused) < 0)
        return 0;
    int result = time_on(time_s, name, x, &w, 1, err);
    candidates_clear(&w);
    return result;
}

/* Returns whether --set accepts only a factor for it. */
static bool is_group(const struct reacher *x)
{
    const struct parameter *p = &x->own.list[x->parameter];

    return p->nplaces > 1 || p->shares || x->inverse != SIZE_MAX;
}

/* Returns the value as it is printed: a single number has four digits, or the
 * factor of a group. */
static double printed_value(const struct reacher *x, double value)
{
    char text[40];

    if (x->count)
        return value;
    double unit = is_group(x) ? x->r->now : 1;
    snprintf(text, sizeof text, "%.4g", value / unit);
    return strtod(text, NULL) * unit;
}

/* Returns 1 and keeps the value and its time if the time is reached, else 0.
 * Sets *took_s to the time. */
static int try_value(struct reacher *x, double value, double *took_s,
                     struct err *err)
{
    struct reach *r = x->r;
    char *name = NULL;
    double time_s;
    int result =
        x->count
            ? time_counted(&time_s, &name, x, (unsigned)value, err)
            : time_on(&time_s, &name, x, x->candidates, value / r->now, err);

    r->tried++;
    *took_s = time_s;
    if (result < 0 || !(time_s <= x->time_s)) {
        if (result == 0 && !(time_s >= r->value_s) && isfinite(time_s)) {
            r->value = value;
            /* The nearest is kept until the time is reached. */
            r->value_s = time_s;
        }
        free(name);
        return result < 0 ? -1 : 0;
    }
    free(r->candidate);
    r->candidate = name;
    r->value = value;
    r->value_s = time_s;
    return 1;
}

/* --- search --------------------------------------------------------------- */

static void not_reached(struct reacher *x, double last)
{
    struct reach *r = x->r;

    r->why_not = xcalloc(1, sizeof *r->why_not);
    if (x->refused.text[0] && !isfinite(r->value_s)) {
        *r->why_not = x->refused;
        (void)fail_in(r->why_not, "%s", r->key);
        return;
    }
    if (!isfinite(r->value_s)) {
        (void)fail(r->why_not,
                   "%s: no machine between %.4g and %.4g can be simulated",
                   r->key, x->count ? 1 : r->now, last);
        return;
    }
    (void)fail(r->why_not,
               "%s: %.6g us is not reached between %.4g and %.4g: the fastest "
               "candidate takes %.6g us at the best, at %.4g",
               r->key, x->time_s * 1e6, x->count ? 1 : r->now, last,
               r->value_s * 1e6, r->value);
}

/* --- bottlenecks ---------------------------------------------------------- */

/* A parameter that slows a time by less, in percent, is no bottleneck. */
#define IS_WALL 0.05
enum { MOST_WALLS = 3 };

static int by_percent(const void *a, const void *b)
{
    const struct reach_wall *x = a, *y = b;

    return (x->percent < y->percent) - (x->percent > y->percent);
}

/* Keeps the parameters with at least half of the largest effect. */
static void keep_walls(struct reach *r)
{
    size_t n = 0;

    qsort(r->walls, r->nwalls, sizeof *r->walls, by_percent);
    while (n < r->nwalls && n < MOST_WALLS && r->walls[n].percent > IS_WALL &&
           r->walls[n].percent >= r->walls[0].percent / 2)
        n++;
    for (size_t i = n; i < r->nwalls; i++)
        free(r->walls[i].key);
    r->nwalls = n;
}

static void say_walls(struct reach *r)
{
    for (size_t i = 0; i < r->nwalls; i++) {
        const struct reach_wall *w = &r->walls[i];
        size_t n = strlen(r->why_not->text);
        snprintf(r->why_not->text + n, sizeof r->why_not->text - n,
                 "%s %s (%s, %.4g)", i ? " and" : "; the wall is", w->key,
                 provenance_names[w->from], w->value);
    }
}

static size_t candidate_named(const struct candidates *w, const char *name)
{
    size_t candidate = 0;

    while (candidate + 1 < w->n && strcmp(w->list[candidate].name, name) != 0)
        candidate++;
    return candidate;
}

/* Times the candidate with every other parameter 1 % slower, if the varied
 * quantity is multiplied by the factor. */
static int time_walls(double *times_s, const struct reacher *x,
                      size_t candidate, double factor, struct err *err)
{
    const struct parameters *p = &x->own;
    struct timed_candidates timed = timed_of(x, x->candidates);
    double *rows = xcalloc((p->n + 1) * p->n, sizeof *rows);
    bool *live = xcalloc(timed.n, sizeof *live);

    live[candidate] = true;
    for (size_t i = 0; i <= p->n; i++) {
        double *row = row_at(x, factor);
        if (i < p->n && i != x->parameter && i != x->inverse)
            row[i] *= p->list[i].rate ? 0.99 : 1.01;
        memcpy(rows + i * p->n, row, p->n * sizeof *row);
        free(row);
    }
    int result = draws_time(times_s, &timed, rows, p->n + 1, live, err);
    free(live);
    free(rows);
    return result;
}

static int find_walls(struct reacher *x, double factor, struct err *err)
{
    const struct parameters *p = &x->own;
    struct reach *r = x->r;
    size_t nways = x->candidates->n;
    char *name = NULL;
    double far_s;
    int result = time_on(&far_s, &name, x, x->candidates, factor, err);

    if (result < 0 || !name) {
        free(name);
        return result;
    }
    size_t candidate = candidate_named(x->candidates, name);
    double *times_s = xcalloc((p->n + 1) * nways, sizeof *times_s);
    result = time_walls(times_s, x, candidate, factor, err);
    r->walls = xcalloc(p->n, sizeof *r->walls);
    for (size_t i = 0; i < p->n && result == 0; i++) {
        double slower = times_s[i * nways + candidate] / far_s - 1;
        if (slower > 0 && p->list[i].nplaces && !p->list[i].limit)
            r->walls[r->nwalls++] =
                (struct reach_wall){.key = xstrdup(p->list[i].key),
                                    .value = p->list[i].value,
                                    .from = p->list[i].from,
                                    .percent = 100 * slower};
    }
    keep_walls(r);
    say_walls(r);
    free(times_s);
    free(name);
    return result;
}

/* Tries the far end. The quantity goes only as far as machines exist, because
 * no part of a cost is above its whole. */
static int far_end(double *end, struct reacher *x, struct err *err)
{
    struct reach *r = x->r;
    double took_s;
    int reached;

    *end = r->most ? r->now / FAR : r->now * FAR;
    for (;;) {
        *end = printed_value(x, *end);
        reached = try_value(x, *end, &took_s, err);
        if (reached != 0 || isfinite(took_s) || fabs(log(*end / r->now)) < NEAR)
            return reached;
        *end = sqrt(*end * r->now);
    }
}

/* Bisects between a value that reaches the time and one that does not: a
 * parameter by ratio, a count until both are adjacent. */
static int reach_between(struct reacher *x, double good, double bad,
                         struct err *err)
{
    for (int i = 0; x->count ? good - bad > 1 : i < HALVINGS; i++) {
        double middle = x->count ? bad + floor((good - bad) / 2)
                                 : printed_value(x, sqrt(good * bad));
        double took_s;
        int reached = try_value(x, middle, &took_s, err);
        if (reached < 0)
            return -1;
        *(reached ? &good : &bad) = middle;
    }
    return 0;
}

/* Searches a parameter. The far end must reach the time; if the other end does,
 * too, any value is good enough. */
static int reach_parameter(struct reacher *x, struct err *err)
{
    struct reach *r = x->r;
    double good, bad = printed_value(x, r->most ? r->now * FAR : r->now / FAR);
    double took_s;
    int reached = far_end(&good, x, err);

    if (reached == 0) {
        not_reached(x, good);
        return find_walls(x, good / r->now, err);
    }
    if (reached < 0)
        return reached;
    reached = try_value(x, bad, &took_s, err);
    r->any = reached == 1;
    return reached == 0  ? reach_between(x, good, bad, err)
           : reached < 0 ? -1
                         : 0;
}

static int reach_count(struct reacher *x, struct err *err)
{
    unsigned bad = 0, good = 1, most = count_most(x), grown = 0;
    double last_s, before_s = INFINITY;
    int reached;

    while ((reached = try_value(x, good, &last_s, err)) == 0 && good < most) {
        grown = isfinite(last_s) && last_s > before_s ? grown + 1 : 0;
        if (grown >= GROWN_OFTEN && last_s > GROWN_MUCH * x->r->value_s)
            break;
        before_s = last_s;
        bad = good;
        good = good > most / 2 ? most : 2 * good;
    }
    if (reached == 0)
        not_reached(x, good);
    return reached <= 0 ? reached : reach_between(x, good, bad, err);
}

/* Returns the option that sets the value. */
static char *set_of(const struct reacher *x)
{
    const struct reach *r = x->r;

    if (x->count)
        return xasprintf("--%s %.0f", r->key, r->value);
    if (is_group(x))
        return xasprintf("--set %s=x%.4g", r->key, r->value / r->now);
    return xasprintf("--set %s=%.4g", r->key, r->value);
}

int reach_find(struct reach *r, const struct request *request,
               const struct candidates *candidates, const char *key,
               double time_s, struct draws_how how, struct err *err)
{
    struct reacher x = {.r = r,
                        .request = request,
                        .candidates = candidates,
                        .time_s = time_s,
                        .how = how,
                        .parameter = SIZE_MAX,
                        .inverse = SIZE_MAX};
    char *name = NULL;

    *r = (struct reach){.key = key, .value_s = INFINITY};
    parameters_of(&x.own, candidates->parameters.doc,
                  candidates->parameters.path);
    int result = choose_key(&x, err);
    if (result == 0)
        result = time_on(&r->now_s, &name, &x, candidates, 1, err);
    if (result == 0)
        result = x.count ? reach_count(&x, err) : reach_parameter(&x, err);
    if (result == 0 && !r->why_not)
        r->set = set_of(&x);
    free(name);
    parameters_clear(&x.own);
    if (result < 0)
        reach_clear(r);
    return result < 0 ? -1 : 0;
}

void reach_clear(struct reach *r)
{
    for (size_t i = 0; i < r->nwalls; i++)
        free(r->walls[i].key);
    free(r->walls);
    free(r->set);
    free(r->candidate);
    free(r->why_not);
    *r = (struct reach){0};
}
