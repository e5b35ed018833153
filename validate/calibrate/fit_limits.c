/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the sizes between which the limits of segments are: the measured ones
 * on either side, in ping-pongs, and those of odd sizes in many messages of one
 * rank. */
#include "platforms/platform.h"
#include "validate/calibrate/fit_parts.h"
#include "validate/calibrate/fit_segments.h"
#include "validate/calibrate/mult_pong_times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char NEXT[] = "next_from_bytes";
/* The deviation of the simulated rounds, because they reproduce the rounds of
 * eager messages to 4.3 and 5.0 % (results/calibration). A measured median is
 * nearer to its line: fit_breakpoints() assumes 2.5 % and more. */
static const double MODEL_NOISE = 0.05;

/* The limit of a segment, and the first size that belongs to the next one. */
struct limit {
    double up_to, next;
};

static bool in_rack(const struct measured_point *p, const void *arg)
{
    (void)arg;
    return !p->x.other_rack && p->x.pairs <= 1;
}

/* Returns whether the point has a size inside the limit, and at least one
 * message. */
static bool inside(const struct measured_point *p, const void *arg)
{
    const struct limit *l = arg;

    return !p->x.other_rack && p->x.messages && (double)p->x.bytes > l->up_to &&
           (double)p->x.bytes < l->next;
}

static double next_size(const struct fit_set *set, double up_to)
{
    for (size_t i = 0; i < set->n; i++)
        if ((double)set->points[i]->x.bytes > up_to)
            return (double)set->points[i]->x.bytes;
    return INFINITY;
}

/* Returns the cost of each point's deviation if its messages are of the
 * segment. */
static double *costs_with(const struct fit_set *set, const struct segment *s,
                          struct mult_pong *benchmark)
{
    struct mult_pong_point *points = xcalloc(set->n, sizeof *points);
    double *costs = xcalloc(set->n, sizeof *costs);

    for (size_t i = 0; i < set->n; i++)
        points[i] = (struct mult_pong_point){set->points[i]->x.bytes,
                                             set->points[i]->x.messages,
                                             set->points[i]->measured_s};
    mult_pong_times(costs, benchmark, s, points, set->n);
    for (size_t i = 0; i < set->n; i++)
        costs[i] =
            fit_point_cost(costs[i] / points[i].seconds - 1, MODEL_NOISE);
    free(points);
    return costs;
}

/* Returns the cost of all points if messages of up to `cut` bytes are of the
 * first segment, and the others of the second. */
static double cost_of_cut(const struct fit_set *set, double *const costs[2],
                          double cut)
{
    double cost = 0;

    for (size_t i = 0; i < set->n; i++)
        cost += costs[(double)set->points[i]->x.bytes > cut][i];
    return cost;
}

/* Returns the sizes between which the limit is as likely as anywhere, among
 * those inside. */
static struct limit narrowed(struct limit l, const struct fit_set *set,
                             const struct segment *s,
                             struct mult_pong *benchmark)
{
    double *const costs[2] = {costs_with(set, &s[0], benchmark),
                              costs_with(set, &s[1], benchmark)};
    double least = cost_of_cut(set, costs, l.up_to), cut = l.up_to;
    struct limit found = {INFINITY, 0};

    for (size_t i = 0; i < set->n; i++)
        least = fmin(least,
                     cost_of_cut(set, costs, (double)set->points[i]->x.bytes));
    for (size_t i = 0; i <= set->n; i++) {
        double next = i < set->n ? (double)set->points[i]->x.bytes : l.next;
        if (next > cut && cost_of_cut(set, costs, cut) <= least + FIT_LIKELY) {
            found.up_to = fmin(found.up_to, cut);
            found.next = next;
        }
        cut = next;
    }
    free(costs[0]);
    free(costs[1]);
    return found;
}

/* Adds a row that says between which sizes the limit moved. */
static void limit_row(struct fit *f, const char *path, size_t i, double old,
                      const struct limit *l, size_t points)
{
    struct fit_row row = {.old = old,
                          .fitted = {l->up_to, 0},
                          .from = l->up_to,
                          .to = l->next,
                          .points = points};

    snprintf(row.path, sizeof row.path, "%.60s.up_to_bytes[%zu]", path, i);
    fit_add_row(f, &row);
}

/* Returns the limit of the segment at i according to ping-pongs and the
 * document; it does not reach that of the next one. */
static struct limit first_limit(struct json *segments, size_t i,
                                const struct fit_set *alone)
{
    struct json *segment = json_at(segments, i);
    const struct json *known = json_member(segment, NEXT);
    double up_to = fit_limit(segment), next = next_size(alone, up_to);

    next = fmin(next, fit_limit(json_at(segments, i + 1)));
    if (known && json_number(known) > up_to)
        next = fmin(next, json_number(known));
    return (struct limit){up_to, next};
}

static void limit_segment(struct fit *f, struct json *segments, size_t i,
                          const struct message_table *now,
                          struct mult_pong *benchmark, const char *path,
                          const char *const *groups,
                          const struct fit_set *alone)
{
    struct limit l = first_limit(segments, i, alone);
    struct json *segment = json_at(segments, i);
    double old = l.up_to;
    struct fit_set many;

    json_remove(segment, NEXT);
    if (!isfinite(l.next))
        return;
    fit_gather(&many, f, groups, inside, &l);
    if (many.n && !f->keep_breakpoints)
        l = narrowed(l, &many, &now->segments[i], benchmark);
    if (l.up_to > old) {
        json_replace(segment, SEGMENT_KEY(up_to_B), json_new_number(l.up_to));
        limit_row(f, path, i, old, &l, many.n);
    }
    json_add_number(segment, NEXT, l.next);
    fit_set_clear(&many);
}

static void limit_table(struct fit *f, const struct machine *now,
                        enum msg_path p, enum locality l,
                        struct mult_pong *benchmark)
{
    const char *name = msg_path_names[p], *where = locality_names[l];
    struct json *segments = json_member(
        json_member(json_member(json_member(f->doc, "messages"), name), where),
        "segments");
    char path[64], pong[64], maxrate[64], mult[64], split[64];
    const char *const alone[] = {pong, l == OFF_NODE ? maxrate : NULL, NULL};
    const char *const many[] = {l == OFF_NODE ? mult : NULL, split, NULL};
    struct fit_set set;

    snprintf(path, sizeof path, "messages.%s.%s", name, where);
    snprintf(pong, sizeof pong, "ping_pong/%s/%s", name, where);
    snprintf(maxrate, sizeof maxrate, "maxrate/%s", name);
    snprintf(mult, sizeof mult, "mult_pong/%s", name);
    snprintf(split, sizeof split, "mult_pong_split/%s", name);
    fit_gather(&set, f, alone, in_rack, NULL);
    for (size_t i = 0; i + 1 < json_size(segments) && set.n; i++)
        limit_segment(f, segments, i, &now->messages[RUNTIME_MPI][p][l],
                      benchmark, path, many, &set);
    fit_set_clear(&set);
}

int fit_limits(struct fit *f, struct err *err)
{
    struct machine now;

    if (platform_read(&now, f->doc, err) < 0)
        return fail_in(err, "the fitted platform");
    struct mult_pong *benchmark =
        mult_pong_new(now.ncores, now.network.process_Bps);
    for (int p = PATH_HOST; p <= PATH_GDR; p++)
        for (int l = 0; l < NLOCALITIES; l++)
            limit_table(f, &now, (enum msg_path)p, (enum locality)l, benchmark);
    machine_clear(&now);
    return mult_pong_free(benchmark, err);
}
