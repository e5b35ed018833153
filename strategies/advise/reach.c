/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds by bisection with how much of one thing a time is reached. */
#include "strategies/advise/reach.h"

#include "strategies/advise/advise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FAR 1000.0

/* A count is not doubled further where the time has grown so often in a row, to
 * so many times the least. */
enum { GROWN_OFTEN = 3 };
#define GROWN_MUCH 2.0
enum { HALVINGS = 11 }; /* of a factor of 1000: to less than 1 % */

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

/* --- what is varied ------------------------------------------------------- */

struct reacher {
    struct reach *r;
    const struct request *request;
    const struct ways *ways;
    double time_s;
    struct draws_how how;
    double *powers;  /* of the factor, by parameter */
    unsigned *count; /* of `changed`; NULL: a parameter */
    struct request changed;
    struct err refused; /* why the last count could not be */
};

/* Whether a parameter is one of the NIC's, and how it goes with its rate. */
static double nic_power(const struct machine *m, const struct parameter *p)
{
    static const char wires[] = "node.wire_types.";

    if (!strcmp(p->key, "network.bandwidth_GBps") ||
        !strcmp(p->key, "network.process_GBps") ||
        !strcmp(p->key, "network.gpu_GBps"))
        return 1;
    if (strstr(p->key, ".off_node.") && strstr(p->key, "ns_per_byte"))
        return -1;
    if (strncmp(p->key, wires, strlen(wires)) != 0 || !p->rate)
        return 0;
    const char *type = p->key + strlen(wires);
    size_t n = strcspn(type, ".");
    for (size_t i = 0; i < m->nwires; i++)
        if (strlen(m->wires[i].type) == n &&
            !strncmp(m->wires[i].type, type, n) &&
            (m->devices[m->wires[i].ends[0]].kind == DEVICE_NIC ||
             m->devices[m->wires[i].ends[1]].kind == DEVICE_NIC))
            return 1;
    return 0;
}

static int choose_nic(struct reacher *x, struct err *err)
{
    const struct parameters *p = &x->ways->parameters;

    for (size_t i = 0; i < p->n; i++) {
        x->powers[i] = nic_power(&x->ways->machine, &p->list[i]);
        if (x->powers[i] > 0 && !(x->r->now > 0))
            x->r->now = p->list[i].value;
    }
    return x->r->now > 0 ? 0
                         : fail(err, "--vary nic: %s has no bandwidth of a NIC",
                                x->ways->machine.name);
}

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
    const char *near = nearest_word(key, keys, OTHERS + p->n);
    free(keys);
    return fail(err,
                "--vary %s: expected nic, nodes, gpus, ranks-per-node, or a "
                "number of the platform%s%s%s",
                key, near ? " (did you mean " : "", near ? near : "",
                near ? "?)" : "");
}

/* The count of the request that a key names; NULL: none. */
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
        return x->ways->nodes;
    if (x->count == &x->changed.work.gpus)
        return x->ways->gpus;
    return x->request->work.ranks_per_node ? x->request->work.ranks_per_node
                                           : x->ways->machine.ncores;
}

static unsigned count_most(const struct reacher *x)
{
    const struct machine *m = &x->ways->machine;

    if (x->count == &x->changed.work.nodes)
        return m->network.nodes;
    return x->count == &x->changed.work.gpus ? m->network.nodes * m->ngpus
                                             : m->ncores;
}

static int choose_key(struct reacher *x, struct err *err)
{
    const struct parameters *p = &x->ways->parameters;
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
    if (!strcmp(key, REACH_NIC))
        return choose_nic(x, err);
    size_t i = parameters_find(p, key);
    if (i == SIZE_MAX)
        return unknown_key(p, key, err);
    x->powers[i] = 1;
    x->r->now = p->list[i].value;
    x->r->most = !p->list[i].rate;
    return 0;
}

/* --- the time at a value -------------------------------------------------- */

/* The fastest of ways that were timed; NAN: none could be done. */
static double fastest(const struct ways *w, const double *times_s, char **name)
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

static int time_on(double *time_s, char **name, const struct reacher *x,
                   const struct ways *w, double factor, struct err *err)
{
    struct timed_ways timed = ways_timed(w, x->how);
    double *row = draws_nominal(&w->parameters);
    double *times_s = xcalloc(w->n, sizeof *times_s);

    for (size_t i = 0; i < w->parameters.n && factor != 1; i++)
        row[i] = pow(factor, x->powers[i]);
    int result = draws_time(times_s, &timed, row, 1, NULL, err);
    *time_s = result < 0 ? NAN : fastest(w, times_s, name);
    free(row);
    free(times_s);
    return result;
}

/* A count that cannot be (more GPUs than rows) reaches nothing. */
static int time_counted(double *time_s, char **name, struct reacher *x,
                        unsigned count, struct err *err)
{
    struct ways w;

    *x->count = count;
    *time_s = INFINITY;
    if (ways_load(&w, &x->changed, &x->refused) < 0)
        return 0;
    int result = time_on(time_s, name, x, &w, 1, err);
    ways_clear(&w);
    return result;
}

/* 1: reached, with the value and its time kept; 0: not. *took_s: the time. */
static int try_value(struct reacher *x, double value, double *took_s,
                     struct err *err)
{
    struct reach *r = x->r;
    char *name = NULL;
    double time_s;
    int result = x->count
                     ? time_counted(&time_s, &name, x, (unsigned)value, err)
                     : time_on(&time_s, &name, x, x->ways, value / r->now, err);

    r->tried++;
    *took_s = time_s;
    if (result < 0 || !(time_s <= x->time_s)) {
        if (result == 0 && !(time_s >= r->value_s) && isfinite(time_s)) {
            r->value = value;
            r->value_s = time_s; /* the nearest to it, until it is reached */
        }
        free(name);
        return result < 0 ? -1 : 0;
    }
    free(r->way);
    r->way = name;
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
    (void)fail(r->why_not,
               "%s: %.6g us is not reached between %.4g and %.4g: the fastest "
               "way takes %.6g us at the best, at %.4g",
               r->key, x->time_s * 1e6, x->count ? 1 : r->now, last,
               r->value_s * 1e6, r->value);
}

/* Between a value that does and one that does not: a parameter by ratio, a
 * count by halves until they are next to each other. */
static int reach_between(struct reacher *x, double good, double bad,
                         struct err *err)
{
    for (int i = 0; x->count ? good - bad > 1 : i < HALVINGS; i++) {
        double middle =
            x->count ? bad + floor((good - bad) / 2) : sqrt(good * bad);
        double took_s;
        int reached = try_value(x, middle, &took_s, err);
        if (reached < 0)
            return -1;
        *(reached ? &good : &bad) = middle;
    }
    return 0;
}

/* The far end must do, and the other one not. */
static int reach_parameter(struct reacher *x, struct err *err)
{
    struct reach *r = x->r;
    double good = r->most ? r->now / FAR : r->now * FAR;
    double bad = r->most ? r->now * FAR : r->now / FAR;
    double took_s;
    int reached = try_value(x, good, &took_s, err);

    if (reached == 0)
        not_reached(x, good);
    if (reached <= 0)
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

int reach_find(struct reach *r, const struct request *request,
               const struct ways *ways, const char *key, double time_s,
               struct draws_how how, struct err *err)
{
    struct reacher x = {
        .r = r, .request = request, .ways = ways, .time_s = time_s, .how = how};
    char *name = NULL;

    *r = (struct reach){.key = key, .value_s = INFINITY};
    x.powers = xcalloc(ways->parameters.n, sizeof *x.powers);
    int result = choose_key(&x, err);
    if (result == 0)
        result = time_on(&r->now_s, &name, &x, ways, 1, err);
    if (result == 0)
        result = x.count ? reach_count(&x, err) : reach_parameter(&x, err);
    free(name);
    free(x.powers);
    if (result < 0)
        reach_clear(r);
    return result;
}

void reach_clear(struct reach *r)
{
    free(r->way);
    free(r->why_not);
    *r = (struct reach){0};
}
