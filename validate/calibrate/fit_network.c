/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the network's limits for many messages: the rate at which a NIC begins
 * them, and the bytes per second that one process and one NIC send. */
#include "platforms/platform.h"
#include "validate/calibrate/fit_parts.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPECIFIED WIRE_KEY(specified_Bps)

struct pairs_wanted {
    uint64_t from, to;
    unsigned least, most; /* range of pairs */
};

static bool of_pairs(const struct measured_point *p, const void *arg)
{
    const struct pairs_wanted *w = arg;

    return !p->x.other_rack && p->x.bytes >= w->from && p->x.bytes <= w->to &&
           p->x.pairs >= w->least && p->x.pairs <= w->most;
}

/* Replaces the number at `key` of every device of this kind that has it. */
static void put_devices(struct fit *f, const char *kind, const char *key,
                        double unit, struct fit_number number,
                        const struct fit_set *set, size_t points,
                        double residual, const char *kept)
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
            fit_source(d, "source", key, set, points, "medians", residual);
    }
}

/*
 * Fits the gap between two messages of a NIC. With the most pairs the smallest
 * messages wait for each other: of n pairs half ping while half pong, so a NIC
 * begins n messages in two one-way times.
 */
static void fit_message_gap(struct fit *f)
{
    struct pairs_wanted w = {0, 8, 1, UINT_MAX};
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
        put_devices(f, "nic", DEVICE_KEY(message_gap_s), 1e9, gap, &set, n,
                    residual, kept);
    }
    fit_set_clear(&set);
}

/* Keeps a specified bandwidth as the wire's specified_GBps, because neither the
 * fit that replaces it nor the next one may exceed it. */
static void keep_specified(struct json *wire)
{
    const struct json *source =
        source_at(json_member(wire, "source"), WIRE_KEY(bandwidth_Bps));
    const char *kind = json_string(json_member(source, "kind"));

    if (json_member(wire, SPECIFIED) || !kind ||
        strcmp(kind, provenance_names[PROVENANCE_SPECIFICATION]) != 0)
        return;
    struct json *statement = json_copy(source);
    json_remove(statement, "of");
    json_add_number(wire, SPECIFIED,
                    json_number(json_member(wire, WIRE_KEY(bandwidth_Bps))));
    source_put(wire, "source", (const char *const[]){SPECIFIED, NULL},
               statement);
}

/* Returns the bandwidth that the hardware is specified to have: the wire's if
 * it has one, otherwise that of a link of the network. */
static double stated_Bps(const struct fit *f, const struct json *wire)
{
    double GBps = json_number(json_member(wire, SPECIFIED));

    if (GBps > 0)
        return GBps * 1e9;
    return f->m->network.bandwidth_Bps > 0 ? f->m->network.bandwidth_Bps
                                           : INFINITY;
}

/* Writes the measured rate, or the specified one if the measured one is above
 * it. */
static bool put_rate(struct fit *f, struct json *o, const char *path,
                     const char *key, struct fit_number rate, double most_Bps,
                     size_t points, double residual, const char *kept)
{
    if (kept || rate.value <= most_Bps)
        return fit_put(f, o, path, key, 1e-9, rate, points, residual, kept);
    fit_set_number(f, o, path, key, 1e-9, (struct fit_number){most_Bps, 0},
                   points, residual,
                   "more was measured than the hardware is stated to carry, "
                   "which is put instead");
    return true;
}

static bool between_nodes(const struct measured_point *p, const void *arg)
{
    (void)arg;
    return !p->x.other_rack;
}

/* Fits the rate of one process, which is that of its largest segment, and no
 * less than that of any measured message. */
static void fit_process(struct fit *f)
{
    static const char row[] = "messages.cpu.off_node.segments.";
    struct json *network = json_member(f->doc, "network");
    struct fit_number rate = {0, 0};
    struct fit_set set;
    size_t points = 0;
    double residual = 0;
    const char *what = "medians";

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
    for (size_t i = 0; i < set.n && points; i++) {
        const struct measured_point *p = set.points[i];
        if (rate.value >= (double)p->x.bytes / p->measured_s)
            continue;
        rate = (struct fit_number){(double)p->x.bytes / p->measured_s, 0};
        points = 1;
        residual = 0;
        what = "median, the fastest";
    }
    if (points && json_member(network, NETWORK_KEY(process_Bps)) &&
        put_rate(f, network, "network", NETWORK_KEY(process_Bps), rate,
                 stated_Bps(f, NULL), points, residual, NULL))
        fit_source(network, "source", NETWORK_KEY(process_Bps), &set, points,
                   what, residual);
    fit_set_clear(&set);
}

int fit_network(struct fit *f, struct err *err)
{
    (void)err;
    fit_message_gap(f);
    fit_process(f);
    return 0;
}

/* --- the wire of a NIC ---------------------------------------------------- */

/* Returns the type of the wire that ends at a NIC, or NULL. */
static const char *nic_wire(const struct machine *m)
{
    for (size_t i = 0; i < m->nwires; i++)
        for (int end = 0; end < 2; end++)
            if (m->devices[m->wires[i].ends[end]].kind == DEVICE_NIC)
                return m->wires[i].type;
    return NULL;
}

/* Returns the file of a point, which errors name. */
static const char *path_of(const struct fit *f, const struct measured_point *p)
{
    for (size_t i = 0; i < f->nfiles; i++)
        for (size_t k = 0; k < f->files[i].npoints; k++)
            if (&f->files[i].points[k] == p)
                return f->files[i].path;
    return "";
}

/* Computes the simulated times divided by the measured ones, for a wire of this
 * bandwidth and with all other fitted numbers. */
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
        result = measured_simulate(&subset, &m, 0, NULL, NULL, err);
        for (size_t i = 0; i < set->n && result == 0; i++)
            out[i] = subset.points[i].simulated_s / subset.points[i].measured_s;
        machine_clear(&m);
    }
    measured_clear(&subset);
    return result;
}

/* Returns the points in which many pairs keep the NIC busy with bytes: half of
 * the most pairs and more, from 16 KiB. If there are two NICs, messages above
 * 64 KiB say nothing about one of them, because a library (Spectrum MPI) sends
 * them by both. */
static struct pairs_wanted busy(const struct fit *f)
{
    struct pairs_wanted all = {0, UINT64_MAX, 1, UINT_MAX};
    struct fit_set set;
    unsigned most = 0;

    fit_gather(&set, f, (const char *[]){"maxrate/cpu", NULL}, of_pairs, &all);
    for (size_t i = 0; i < set.n; i++)
        if (set.points[i]->x.pairs > most)
            most = set.points[i]->x.pairs;
    fit_set_clear(&set);
    return (struct pairs_wanted){16384, f->m->nnics > 1 ? 65536 : UINT64_MAX,
                                 most > 3 ? most / 2 : 2, UINT_MAX};
}

/* Returns the median factor by which the pairs are slower than one pair alone,
 * and infinity if none was alone. */
static double slowed(const struct fit_set *set, const struct fit_set *alone)
{
    double *v = xcalloc(set->n, sizeof *v);
    size_t n = 0;

    for (size_t i = 0; i < set->n; i++) {
        const struct measured_point *p = set->points[i];
        size_t k = 0;
        while (k < alone->n && alone->points[k]->x.bytes != p->x.bytes)
            k++;
        if (k < alone->n)
            v[n++] = p->measured_s / alone->points[k]->measured_s;
    }
    double result = n ? fit_median(v, n).value : INFINITY;
    free(v);
    return result;
}

/* Returns whether the pairs stay in step. Then all use the same direction at a
 * time, and together they send hardly more than one pair alone. */
static bool in_step(const struct fit_set *set, double slower)
{
    double pairs = 0;

    for (size_t i = 0; i < set->n; i++)
        pairs += (double)set->points[i]->x.pairs / (double)set->n;
    return isfinite(slower) && pairs / slower < 1.3;
}

/* Fills v with the bytes per second of all pairs together, of each point. */
static void rates(double *v, const struct fit_set *set)
{
    for (size_t i = 0; i < set->n; i++)
        v[i] = set->points[i]->x.pairs * (double)set->points[i]->x.bytes /
               set->points[i]->measured_s;
}

static double fit_network_spread(double *v, size_t n, double middle)
{
    for (size_t i = 0; i < n; i++)
        v[i] = fabs(v[i] / middle - 1);
    return fit_median(v, n).value;
}

/* Takes the rate of one pair alone, because pairs in step send one way only. */
static void one_way(const struct fit_set *alone, struct fit_number *rate,
                    double *residual)
{
    double *v = xcalloc(alone->n, sizeof *v);

    rates(v, alone);
    *rate = fit_median(v, alone->n);
    *residual = fit_network_spread(v, alone->n, rate->value);
    free(v);
}

/* Finds the rate of the wire. Pairs that are not in step use both directions,
 * but never fill both all the time, so that half of their rate is a lower bound
 * of one direction. The simulated benchmark loses as much; therefore its loss
 * shows how far above that bound the wire is. */
static int wire_rate(struct fit *f, const struct fit_set *set, const char *type,
                     struct fit_number *rate, double *residual, struct err *err)
{
    double *v = xcalloc(set->n, sizeof *v);

    rates(v, set);
    *rate = fit_median(v, set->n);
    rate->value /= 2;
    rate->half /= 2;
    int result = simulated_over_measured(f, set, type, rate->value, v, err);
    if (result == 0) {
        struct fit_number lost = fit_median(v, set->n);
        *residual = fit_network_spread(v, set->n, lost.value);
        rate->half = rate->half * lost.value + rate->value * lost.half;
        rate->value *= fmax(lost.value, 1);
    }
    free(v);
    return result;
}

static int put_wire(struct fit *f, struct json *wire, const char *type,
                    const struct fit_set *set, const struct fit_set *alone,
                    struct err *err)
{
    double slower = slowed(set, alone), residual = 0;
    bool step = in_step(set, slower);
    const struct fit_set *from = step ? alone : set;
    const char *kept = from->n < 3    ? "fewer than 3 points"
                       : slower < 1.2 ? "the pairs do not fill the NIC"
                                      : NULL;
    struct fit_number rate;
    char path[96];

    if (!kept)
        keep_specified(wire);
    if (step)
        one_way(alone, &rate, &residual);
    else if (wire_rate(f, set, type, &rate, &residual, err) < 0)
        return -1;
    snprintf(path, sizeof path, "node.wire_types.%s", type);
    double most_Bps = stated_Bps(f, wire);
    if (put_rate(f, wire, path, WIRE_KEY(bandwidth_Bps), rate, most_Bps,
                 from->n, residual, kept))
        fit_source(wire, "source", NULL, from, from->n,
                   rate.value > most_Bps ? "medians, above the specified rate"
                                         : "medians",
                   residual);
    return 0;
}

int fit_nic_wire(struct fit *f, struct err *err)
{
    const struct pairs_wanted many = busy(f), one = {many.from, many.to, 1, 1};
    const char *type = nic_wire(f->m);
    struct json *wire =
        json_member(json_member(json_member(f->doc, "node"), "wire_types"),
                    type ? type : "");
    struct fit_set set, alone;
    int result = 0;

    fit_gather(&set, f, (const char *[]){"maxrate/cpu", NULL}, of_pairs, &many);
    fit_gather(&alone, f, (const char *[]){"maxrate/cpu", NULL}, of_pairs,
               &one);
    if (set.n && type && wire)
        result = put_wire(f, wire, type, &set, &alone, err);
    fit_set_clear(&set);
    fit_set_clear(&alone);
    return result;
}
