/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the limits that many pairs of a node share, the memory of a socket and
 * the wire between two sockets, to pairs that ping-pong at once. */
#include "platforms/platform.h"
#include "validate/calibrate/fit_parts.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of messages whose time depends on their bytes, and which both CPUs copy
 * out of caches; larger ones may be read from pages that nobody wrote. */
enum { LEAST_B = 1024, MOST_B = 32768, BISECTIONS = 14, MOST_POINTS = 24 };
/* Limits are tried between these multiples of the rate at which the pairs move
 * bytes. */
static const double LEAST_SHARE = 0.5, MOST_SHARE = 16, SLOWED = 1.2;

/* A limit, and the function that sets it in a machine. */
struct shared {
    struct fit *f;
    const char *group;
    void (*set)(struct machine *m, const char *what, double Bps);
    const char *what; /* type of the wire */
};

static void set_memory(struct machine *m, const char *what, double Bps)
{
    (void)what;
    for (size_t i = 0; i < m->ndevices; i++)
        if (m->devices[i].kind == DEVICE_SOCKET)
            m->devices[i].memory_Bps = Bps;
}

static void set_wire(struct machine *m, const char *what, double Bps)
{
    for (size_t i = 0; i < m->nwires; i++)
        if (!strcmp(m->wires[i].type, what))
            m->wires[i].bandwidth_Bps = Bps;
}

/* Returns the type of the wire between two sockets, or NULL. */
static const char *socket_wire(const struct machine *m)
{
    for (size_t i = 0; i < m->nwires; i++)
        if (m->devices[m->wires[i].ends[0]].kind == DEVICE_SOCKET &&
            m->devices[m->wires[i].ends[1]].kind == DEVICE_SOCKET)
            return m->wires[i].type;
    return NULL;
}

static bool of_node(const struct measured_point *p, const void *arg)
{
    const unsigned *pairs = arg;

    return !p->x.gpu && !p->x.staged && !p->x.two_nodes &&
           p->x.bytes >= LEAST_B && p->x.bytes <= MOST_B &&
           p->x.pairs >= pairs[0] && p->x.pairs <= pairs[1];
}

/* Gathers the points of a locality, of any number of active domains. */
static void gather_pairs(struct fit_set *set, const struct shared *s,
                         unsigned least, unsigned most)
{
    static const char *const domains[] = {"one_numa", "one_socket", "one_node",
                                          "every_numa", "every_socket"};
    const unsigned pairs[2] = {least, most};
    char names[5][64];
    const char *groups[6] = {0};

    for (size_t i = 0; i < 5; i++) {
        snprintf(names[i], sizeof names[i], "%s/%s", s->group, domains[i]);
        groups[i] = names[i];
    }
    fit_gather(set, s->f, groups, of_node, pairs);
}

static unsigned most_pairs(const struct fit_set *set)
{
    unsigned most = 0;

    for (size_t i = 0; i < set->n; i++)
        if (set->points[i]->x.pairs > most)
            most = set->points[i]->x.pairs;
    return most;
}

/* Finds the median of simulated / measured with such a limit. */
static int ratio_with(const struct shared *s, const struct fit_set *set,
                      double Bps, double *ratio, struct err *err)
{
    struct measured subset = {.path = xstrdup(set->from), .npoints = set->n};
    double *v = xcalloc(set->n, sizeof *v);
    struct machine m;

    subset.points = xcalloc(set->n, sizeof *subset.points);
    for (size_t i = 0; i < set->n; i++)
        subset.points[i] = *set->points[i];
    int result = platform_read(&m, s->f->doc, err);
    if (result == 0) {
        s->set(&m, s->what, Bps);
        result = measured_simulate(&subset, &m, 0, NULL, NULL, err);
        machine_clear(&m);
    }
    for (size_t i = 0; i < set->n && result == 0; i++)
        v[i] = subset.points[i].simulated_s / subset.points[i].measured_s;
    if (result == 0)
        *ratio = fit_median(v, set->n).value;
    free(v);
    measured_clear(&subset);
    return result;
}

/* Finds how many bytes all pairs move a second, and how much slower they are
 * than one pair alone. */
static void moved(const struct fit_set *set, const struct fit_set *alone,
                  double *Bps, double *slower)
{
    double *rates = xcalloc(set->n, sizeof *rates);
    double *slow = xcalloc(set->n, sizeof *slow);
    size_t n = 0;

    for (size_t i = 0; i < set->n; i++) {
        const struct measured_point *p = set->points[i];
        rates[i] = p->x.pairs * (double)p->x.bytes / p->measured_s;
        for (size_t k = 0; k < alone->n; k++)
            if (alone->points[k]->x.bytes == p->x.bytes) {
                slow[n++] = p->measured_s / alone->points[k]->measured_s;
                break;
            }
    }
    *Bps = fit_median(rates, set->n).value;
    *slower = n ? fit_median(slow, n).value : 0;
    free(rates);
    free(slow);
}

/* Finds the limit with which the simulated pairs are as slow as the measured
 * ones. If there is none, *kept says why. */
static int find_limit(const struct shared *s, const struct fit_set *set,
                      const struct fit_set *alone, struct fit_number *limit,
                      double *residual, const char **kept, struct err *err)
{
    double rate, slower, ratio;

    moved(set, alone, &rate, &slower);
    if (set->n < 3 || !alone->n)
        *kept = "fewer than 3 points";
    else if (slower < SLOWED)
        *kept = "the pairs do not slow each other";
    if (*kept)
        return 0;
    double low = LEAST_SHARE * rate, high = MOST_SHARE * rate;
    if (ratio_with(s, set, low, &ratio, err) < 0)
        return -1;
    if (ratio < 1)
        *kept = "something else slows them";
    for (int i = 0; i < BISECTIONS && !*kept; i++) {
        double middle = sqrt(low * high);
        if (ratio_with(s, set, middle, &ratio, err) < 0)
            return -1;
        if (ratio > 1)
            low = middle;
        else
            high = middle;
    }
    *limit = (struct fit_number){sqrt(low * high), high - low};
    *residual = fabs(ratio - 1);
    return 0;
}

/* Keeps a few of many points, evenly taken. */
static void thin(struct fit_set *set)
{
    size_t step = (set->n + MOST_POINTS - 1) / MOST_POINTS, n = 0;

    for (size_t i = 0; i < set->n; i += step)
        set->points[n++] = set->points[i];
    set->n = n;
}

static void put_memory(struct fit *f, struct fit_number limit, double residual,
                       const struct fit_set *set, const char *kept)
{
    struct json *devices = json_member(json_member(f->doc, "node"), "devices");

    for (size_t i = 0; i < json_size(devices); i++) {
        struct json *d = json_at(devices, i);
        char path[64];
        if (strcmp(json_string(json_member(d, "kind")), "socket") != 0)
            continue;
        snprintf(path, sizeof path, "node.devices.%zu", i);
        if (fit_put(f, d, path, DEVICE_KEY(memory_Bps), 1e-9, limit, set->n,
                    residual, kept))
            fit_source(d, "source", DEVICE_KEY(memory_Bps), set, set->n,
                       "medians", residual);
    }
}

static void put_socket_wire(struct fit *f, const char *type,
                            struct fit_number limit, double residual,
                            const struct fit_set *set, const char *kept)
{
    struct json *types = json_member(json_member(f->doc, "node"), "wire_types");
    struct json *wire = json_member(types, type);
    char path[96];

    snprintf(path, sizeof path, "node.wire_types.%s", type);
    if (wire && fit_put(f, wire, path, WIRE_KEY(bandwidth_Bps), 1e-9, limit,
                        set->n, residual, kept))
        fit_source(wire, "source", NULL, set, set->n, "medians", residual);
}

static int fit_limit_of(const struct shared *s, struct err *err)
{
    struct fit_set all, set, alone;
    struct fit_number limit = {0, 0};
    double residual = 0;
    const char *kept = NULL;
    int result = 0;

    gather_pairs(&all, s, 1, UINT_MAX);
    unsigned most = most_pairs(&all);
    fit_set_clear(&all);
    gather_pairs(&set, s, most > 3 ? most / 2 : 2, UINT_MAX);
    gather_pairs(&alone, s, 1, 1);
    if (set.n) {
        thin(&set);
        result = find_limit(s, &set, &alone, &limit, &residual, &kept, err);
    }
    if (set.n && result == 0 && s->what)
        put_socket_wire(s->f, s->what, limit, residual, &set, kept);
    else if (set.n && result == 0)
        put_memory(s->f, limit, residual, &set, kept);
    fit_set_clear(&set);
    fit_set_clear(&alone);
    return result;
}

int fit_shared(struct fit *f, struct err *err)
{
    const struct shared memory = {f, "multi_pair/cpu/on_socket", set_memory,
                                  NULL};
    const struct shared wire = {f, "multi_pair/cpu/on_node", set_wire,
                                socket_wire(f->m)};

    if (fit_limit_of(&memory, err) < 0)
        return -1;
    return wire.what ? fit_limit_of(&wire, err) : 0;
}
