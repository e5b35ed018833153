/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raises wires that are slower than the messages which were measured to pass
 * them; this happens if the NICs of the base differ from those of the measured
 * machine. */
#include "platforms/platform.h"
#include "platforms/provenance.h"
#include "validate/calibrate/fit_parts.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A rate is tried only if it is below that of the messages by this factor,
 * because otherwise it does not limit them; and it is raised only if it changes
 * their time by this factor, because otherwise it is not on their route. */
static const double BELOW = 0.95, SLOWED = 1.02;

/* A rate of the machine that may limit a message: the wires of a type have it,
 * or the network. */
struct bound {
    struct json *o; /* the object of the document that has it */
    const char *key;
    const char *type; /* type of the wires; NULL for the network */
    size_t rate;      /* for the network: offset in struct machine */
    double Bps;
};

struct bounds {
    struct bound *list;
    size_t n;
};

/* The rates of the network, with their keys. */
static const struct {
    const char *key;
    size_t rate;
} network_rates[] = {
    {"bandwidth_GBps", offsetof(struct machine, network.bandwidth_Bps)},
    {"process_GBps", offsetof(struct machine, network.process_Bps)},
    {"gpu_GBps", offsetof(struct machine, network.gpu_Bps)},
};
enum { NNETWORK_RATES = sizeof network_rates / sizeof network_rates[0] };

static void add_bound(struct bounds *b, const struct bound *bound,
                      double most_Bps)
{
    double GBps = json_number(json_member(bound->o, bound->key));

    if (!(GBps > 0) || GBps * 1e9 >= most_Bps)
        return;
    b->list = xrealloc(b->list, b->n + 1, sizeof *b->list);
    b->list[b->n] = *bound;
    b->list[b->n++].Bps = GBps * 1e9;
}

/* Finds the rates below a rate; the caller frees the list. */
static struct bounds find_bounds(const struct fit *f, double most_Bps)
{
    struct json *types = json_member(json_member(f->doc, "node"), "wire_types");
    struct bounds b = {NULL, 0};

    for (struct json *type = json_at(types, 0); type; type = json_next(type))
        add_bound(&b,
                  &(struct bound){.o = type,
                                  .key = "bandwidth_GBps",
                                  .type = json_key(type)},
                  most_Bps);
    for (size_t i = 0; i < NNETWORK_RATES; i++)
        add_bound(&b,
                  &(struct bound){.o = json_member(f->doc, "network"),
                                  .key = network_rates[i].key,
                                  .rate = network_rates[i].rate},
                  most_Bps);
    return b;
}

static void raise_bound(struct machine *m, const struct bound *b, double Bps)
{
    if (!b->type)
        *(double *)((char *)m + b->rate) = Bps;
    for (size_t i = 0; b->type && i < m->nwires; i++)
        if (!strcmp(m->wires[i].type, b->type))
            m->wires[i].bandwidth_Bps = Bps;
}

/* Returns the path of the object, "node.wire_types.TYPE", which the caller
 * frees. */
static char *place_of(const struct bound *b)
{
    return b->type ? xasprintf("node.wire_types.%s", b->type)
                   : xstrdup("network");
}

/* Computes the point's simulated time divided by the measured one, with all
 * bounds but one raised (n for all; SIZE_MAX for none). */
static int ratio_without(const struct fit *f, const struct measured_point *p,
                         const struct bounds *b, size_t but, double Bps,
                         double *ratio, struct err *err)
{
    struct measured_point point = *p;
    char name[] = "the largest message";
    struct measured one = {.path = name, .points = &point, .npoints = 1};
    struct machine m;

    if (platform_read(&m, f->doc, err) < 0)
        return -1;
    for (size_t i = 0; i < b->n && but != SIZE_MAX; i++)
        if (i != but)
            raise_bound(&m, &b->list[i], Bps);
    int result = measured_simulate(&one, &m, 0, NULL, NULL, err);
    *ratio = point.simulated_s / point.measured_s;
    machine_clear(&m);
    return result;
}

/* Returns whether the rate was fitted to other measurements of this run, or
 * measured or fitted in the base. */
static bool is_measured(const struct fit *f, const struct bound *b,
                        const struct fit_row *row)
{
    for (size_t i = 0; i < f->nrows; i++)
        if (!f->rows[i].kept && !strcmp(f->rows[i].path, row->path))
            return true;
    const struct json *source = source_at(json_member(b->o, "source"), b->key);
    const char *kind = json_string(json_member(source, "kind"));
    return b->type && kind &&
           (!strcmp(kind, provenance_names[PROVENANCE_MEASURED]) ||
            !strcmp(kind, provenance_names[PROVENANCE_FIT]));
}

static void put_bound(struct fit *f, const struct bound *b, double Bps,
                      const struct fit_set *set)
{
    struct fit_row row = {.old = b->Bps / 1e9, .points = 1};
    char *place = place_of(b);

    double specified = json_number(json_member(b->o, "specified_GBps")) * 1e9;

    snprintf(row.path, sizeof row.path, "%s.%s", place, b->key);
    if (specified > 0 && specified < Bps) {
        row.kept = "messages were measured to be faster than this wire is "
                   "specified to be";
        fit_add_row(f, &row);
    } else if (is_measured(f, b, &row)) {
        row.kept = "messages were measured to be faster than this wire, which "
                   "was measured by itself";
        fit_add_row(f, &row);
    } else {
        fit_set_number(f, b->o, place, b->key, 1e-9,
                       (struct fit_number){Bps, 0}, 1, 0,
                       "the base's is slower than the messages that pass "
                       "it");
        fit_source(b->o, "source", b->type ? NULL : b->key, set, 1,
                   "median, the rate of messages, which it has at least", 0);
    }
    free(place);
}

/* Returns the rate of the largest messages, according to their segment or to
 * the largest one; 0 if none was fitted. */
static double rate_of(const struct fit *f, const char *table,
                      const struct fit_set *set)
{
    const struct measured_point *last = set->points[set->n - 1];
    double rate = 0;

    for (size_t i = 0; i < f->nrows; i++) {
        const struct fit_row *r = &f->rows[i];
        if (!strncmp(r->path, table, strlen(table)) && !r->kept &&
            strstr(r->path, ".beta_ns_per_byte") && r->fitted.value > 0)
            rate = 1e9 / r->fitted.value;
    }
    return rate > 0 ? fmax(rate, (double)last->x.bytes / last->measured_s) : 0;
}

/* Raises each rate without which the largest message would be faster. */
static int raise_slow(struct fit *f, const struct bounds *b, double Bps,
                      const struct fit_set *set, struct err *err)
{
    const struct measured_point *p = set->points[set->n - 1];
    double now, raised, with;

    if (ratio_without(f, p, b, SIZE_MAX, Bps, &now, err) < 0 ||
        ratio_without(f, p, b, b->n, Bps, &raised, err) < 0)
        return -1;
    for (size_t i = 0; i < b->n && now > SLOWED * raised; i++) {
        if (ratio_without(f, p, b, i, Bps, &with, err) < 0)
            return -1;
        if (with > SLOWED * raised)
            put_bound(f, &b->list[i], Bps, set);
    }
    return 0;
}

/* Raises the rates that the messages between two places show to be too slow. */
static int fit_wires_of(struct fit *f, const char *table,
                        const struct fit_set *set, struct err *err)
{
    double Bps = rate_of(f, table, set);
    struct bounds b = find_bounds(f, BELOW * Bps);
    int result = b.n ? raise_slow(f, &b, Bps, set, err) : 0;

    free(b.list);
    return result;
}

static bool in_rack(const struct measured_point *p, const void *arg)
{
    (void)arg;
    return !p->x.other_rack;
}

int fit_wires(struct fit *f, struct err *err)
{
    int result = 0;

    for (int p = PATH_HOST; p <= PATH_GDR; p++)
        for (int l = 0; l < NLOCALITIES && result == 0; l++) {
            const char *path = msg_path_names[p], *where = locality_names[l];
            char table[64], group[64];
            struct fit_set set;
            snprintf(table, sizeof table, "messages.%s.%s.segments.", path,
                     where);
            snprintf(group, sizeof group, "ping_pong/%s/%s", path, where);
            fit_gather(&set, f, (const char *[]){group, NULL}, in_rack, NULL);
            if (set.n)
                result = fit_wires_of(f, table, &set, err);
            fit_set_clear(&set);
        }
    return result;
}
