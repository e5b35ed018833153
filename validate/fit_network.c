/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the network does with many messages: how fast a NIC begins them, what
 * one process and one NIC can send. */
#include "platforms/platform.h"
#include "validate/fit.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pairs_wanted {
    uint64_t from, to;
    unsigned least; /* pairs */
};

static bool of_pairs(const struct measured_point *p, const void *arg)
{
    const struct pairs_wanted *w = arg;

    return !p->x.other_rack && p->x.bytes >= w->from && p->x.bytes <= w->to &&
           p->x.pairs >= w->least;
}

/* The number at `key` of every device of this kind that has it. */
static void put_devices(struct fit *f, const char *kind, const char *key,
                        const char *label, double unit,
                        struct fit_number number, const struct fit_set *set,
                        size_t points, double residual, const char *kept)
{
    struct json *devices = json_member(json_member(f->doc, "node"), "devices");

    for (size_t i = 0; i < json_size(devices); i++) {
        struct json *d = json_at(devices, i);
        char path[64];
        if (strcmp(json_string(json_member(d, "kind")), kind) != 0 ||
            !json_member(d, key))
            continue;
        snprintf(path, sizeof path, "node.devices.%zu", i);
        if (fit_put(f, d, path, key, unit, number, points, residual, kept))
            fit_source(d, "source", label, set, points, "medians", residual);
    }
}

/*
 * With the most pairs the smallest messages wait for each other: of n pairs
 * half ping while half pong, so a NIC begins n messages in two one-way times.
 */
static void fit_message_gap(struct fit *f)
{
    struct pairs_wanted w = {0, 8, 1};
    struct fit_set set;
    double alone = INFINITY, gaps[64];
    unsigned most = 0;
    size_t n = 0;

    fit_gather(&set, f, (const char *[]){"maxrate/cpu", NULL}, of_pairs, &w);
    for (size_t i = 0; i < set.n; i++) {
        const struct measured_point *p = set.points[i];
        if (p->x.pairs > most)
            most = p->x.pairs;
        if (p->measured_s < alone)
            alone = p->measured_s;
    }
    for (size_t i = 0; i < set.n; i++)
        if (set.points[i]->x.pairs == most && n < 64)
            gaps[n++] = 2 * set.points[i]->measured_s / most;
    if (n) {
        struct fit_number gap = fit_median(gaps, n);
        const char *kept = gap.value * most / 2 < 1.2 * alone
                               ? "the pairs do not wait for each other"
                               : NULL;
        double residual = gap.half / gap.value;
        put_devices(f, "nic", "message_gap_ns", "message gap", 1e9, gap, &set,
                    n, residual, kept);
    }
    fit_set_clear(&set);
}

static bool between_nodes(const struct measured_point *p, const void *arg)
{
    (void)arg;
    return !p->x.other_rack;
}

/* One process sends at the rate of its largest segment, and at least as fast
 * as a message was seen to go. */
static void fit_process(struct fit *f)
{
    static const char row[] = "messages.cpu.off_node.segments.";
    struct json *network = json_member(f->doc, "network");
    struct fit_number rate = {0, 0};
    struct fit_set set;
    size_t points = 0;
    double residual = 0;

    for (size_t i = 0; i < f->nrows; i++) {
        const struct fit_row *r = &f->rows[i];
        if (strncmp(r->path, row, sizeof row - 1) != 0 || r->kept ||
            !strstr(r->path, "beta") || !(r->fitted.value > 0))
            continue;
        rate = (struct fit_number){1e9 / r->fitted.value, 1e9 * r->fitted.half /
                                                              r->fitted.value /
                                                              r->fitted.value};
        points = r->points;
        residual = r->residual;
    }
    fit_gather(&set, f, (const char *[]){"ping_pong/cpu/off_node", NULL},
               between_nodes, NULL);
    for (size_t i = 0; i < set.n; i++) {
        const struct measured_point *p = set.points[i];
        rate.value = fmax(rate.value, (double)p->x.bytes / p->measured_s);
    }
    if (points && json_member(network, "process_GBps") &&
        fit_put(f, network, "network", "process_GBps", 1e-9, rate, points,
                residual, NULL))
        fit_source(network, "source", "process", &set, points, "medians",
                   residual);
    fit_set_clear(&set);
}

void fit_network(struct fit *f)
{
    fit_message_gap(f);
    fit_process(f);
}

/* --- the wire of a NIC -----------------------------------------------------
 */

/* The type of the wire that ends at a NIC, or NULL. */
static const char *nic_wire(const struct machine *m)
{
    for (size_t i = 0; i < m->nwires; i++)
        for (int end = 0; end < 2; end++)
            if (m->devices[m->wires[i].ends[end]].kind == NIC)
                return m->wires[i].type;
    return NULL;
}

/* The file that a point is from: errors name it. */
static const char *path_of(const struct fit *f, const struct measured_point *p)
{
    for (size_t i = 0; i < f->nfiles; i++)
        for (size_t k = 0; k < f->files[i].npoints; k++)
            if (&f->files[i].points[k] == p)
                return f->files[i].path;
    return "";
}

/*
 * How much longer the simulator takes than was measured, with a wire of this
 * bandwidth and all else fitted.
 */
static int simulated_over_measured(struct fit *f, const struct fit_set *set,
                                   const char *type, double Bps, double *out,
                                   struct err *err)
{
    struct measured subset = {.path = xstrdup(path_of(f, set->points[0])),
                              .npoints = set->n};
    struct machine m;
    int result = platform_read(&m, f->doc, err);

    if (result == 0) {
        for (size_t i = 0; i < m.nwires; i++)
            if (!strcmp(m.wires[i].type, type))
                m.wires[i].bandwidth_Bps = Bps;
        subset.points = xcalloc(set->n, sizeof *subset.points);
        for (size_t i = 0; i < set->n; i++)
            subset.points[i] = *set->points[i];
        result = measured_simulate(&subset, &m, 0, NULL, err);
        for (size_t i = 0; i < set->n && result == 0; i++)
            out[i] = subset.points[i].simulated_s / subset.points[i].measured_s;
        machine_clear(&m);
    }
    measured_clear(&subset);
    return result;
}

/* The points in which many pairs keep the NIC busy with bytes: half of the most
 * pairs and more, from 16 KiB. With two NICs a library sends a message by both
 * of them above 64 KiB (Spectrum MPI does), which says nothing of one. */
static struct pairs_wanted busy(const struct fit *f)
{
    struct pairs_wanted all = {0, UINT64_MAX, 1};
    struct fit_set set;
    unsigned most = 0;

    fit_gather(&set, f, (const char *[]){"maxrate/cpu", NULL}, of_pairs, &all);
    for (size_t i = 0; i < set.n; i++)
        if (set.points[i]->x.pairs > most)
            most = set.points[i]->x.pairs;
    fit_set_clear(&set);
    return (struct pairs_wanted){16384, f->m->nnics > 1 ? 65536 : UINT64_MAX,
                                 most > 3 ? most / 2 : 2};
}

/* How much longer than one pair alone they took: the median. */
static double slowed(const struct fit *f, const struct fit_set *set)
{
    double *v = xcalloc(set->n + 1, sizeof *v), result = 1;
    struct pairs_wanted one = {16384, UINT64_MAX, 1};
    struct fit_set all;
    size_t n = 0;

    fit_gather(&all, f, (const char *[]){"maxrate/cpu", NULL}, of_pairs, &one);
    for (size_t i = 0; i < set->n; i++)
        for (size_t k = 0; k < all.n; k++)
            if (all.points[k]->x.pairs == 1 && n <= i &&
                all.points[k]->x.bytes == set->points[i]->x.bytes)
                v[n++] = set->points[i]->measured_s / all.points[k]->measured_s;
    if (n)
        result = fit_median(v, n).value;
    fit_set_clear(&all);
    free(v);
    return n ? result : INFINITY;
}

/* Pairs that stay in step all use the same direction at a time: together they
 * send hardly more than one pair alone. */
static bool in_step(const struct fit *f, const struct fit_set *set)
{
    double pairs = 0;

    for (size_t i = 0; i < set->n; i++)
        pairs += (double)set->points[i]->x.pairs / (double)set->n;
    return pairs / slowed(f, set) < 1.3;
}

/* The bytes per second of all pairs together, of each point. */
static size_t rates(double *v, const struct fit_set *set, unsigned most_pairs)
{
    size_t n = 0;

    for (size_t i = 0; i < set->n; i++)
        if (set->points[i]->x.pairs <= most_pairs)
            v[n++] = set->points[i]->x.pairs * (double)set->points[i]->x.bytes /
                     set->points[i]->measured_s;
    return n;
}

static double spread(double *v, size_t n, double middle)
{
    for (size_t i = 0; i < n; i++)
        v[i] = fabs(v[i] / middle - 1);
    return fit_median(v, n).value;
}

/* Of pairs in step what they send goes one way: what one pair sends alone. */
static void one_way(const struct fit *f, struct fit_number *rate,
                    double *residual)
{
    const struct pairs_wanted large = {16384, UINT64_MAX, 1};
    struct fit_set set;

    fit_gather(&set, f, (const char *[]){"maxrate/cpu", NULL}, of_pairs,
               &large);
    double *v = xcalloc(set.n, sizeof *v);
    size_t n = rates(v, &set, 1);
    *rate = fit_median(v, n);
    *residual = spread(v, n, rate->value);
    free(v);
    fit_set_clear(&set);
}

/*
 * Unsynchronised pairs use both directions, so half of what they send is a
 * lower bound of one direction: they never fill both all the time. The
 * simulated benchmark loses the same: how much says how far above it the wire
 * is.
 */
static int wire_rate(struct fit *f, const struct fit_set *set, const char *type,
                     struct fit_number *rate, double *residual, struct err *err)
{
    double *v = xcalloc(set->n, sizeof *v);

    rates(v, set, UINT_MAX);
    *rate = fit_median(v, set->n);
    rate->value /= 2;
    rate->half /= 2;
    int result = simulated_over_measured(f, set, type, rate->value, v, err);
    if (result == 0) {
        struct fit_number lost = fit_median(v, set->n);
        *residual = spread(v, set->n, lost.value);
        rate->half = rate->half * lost.value + rate->value * lost.half;
        rate->value *= fmax(lost.value, 1);
    }
    free(v);
    return result;
}

int fit_nic_wire(struct fit *f, struct err *err)
{
    const struct pairs_wanted saturated = busy(f);
    const char *type = nic_wire(f->m);
    struct json *wire =
        json_member(json_member(json_member(f->doc, "node"), "wire_types"),
                    type ? type : "");
    struct fit_set set;
    int result = 0;

    fit_gather(&set, f, (const char *[]){"maxrate/cpu", NULL}, of_pairs,
               &saturated);
    if (set.n && type && wire) {
        struct fit_number rate;
        double residual;
        char path[96];
        const char *kept = set.n < 3 ? "fewer than 3 points"
                           : slowed(f, &set) < 1.2
                               ? "the pairs do not fill the NIC"
                               : NULL;
        if (in_step(f, &set))
            one_way(f, &rate, &residual);
        else
            result = wire_rate(f, &set, type, &rate, &residual, err);
        snprintf(path, sizeof path, "node.wire_types.%s", type);
        if (result == 0 && fit_put(f, wire, path, "bandwidth_GBps", 1e-9, rate,
                                   set.n, residual, kept))
            fit_source(wire, "source", NULL, &set, set.n, "medians", residual);
    }
    fit_set_clear(&set);
    return result;
}
