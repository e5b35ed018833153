/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the sizes between which the limits of segments are: the measured ones
 * on either side, in ping-pongs, and those of odd sizes in many messages of one
 * rank. */
#include "platforms/platform.h"
#include "validate/calibrate/fit_parts.h"
#include "validate/calibrate/fit_segments.h"
#include "validate/calibrate/mult_pong_time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char NEXT[] = "next_from_bytes";
/* The deviation of the recursion's model of a round, because it reproduces the
 * rounds of eager messages to 4.3 and 5.0 % (results/calibration). A measured
 * median is nearer to its line: fit_breakpoints() assumes 2.5 % and more. */
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

/* Returns the cost of the points' deviation from the model if messages of up to
 * `cut` bytes are of the first segment, and the others of the second. */
static double cost_of_cut(const struct fit_set *set, const struct segment *s,
                          double link_Bps, double cut)
{
    double cost = 0;

    for (size_t i = 0; i < set->n; i++) {
        const struct measured_point *p = set->points[i];
        double e = mult_pong_s(&s[(double)p->x.bytes > cut], link_Bps,
                               p->x.bytes, p->x.messages) /
                       p->measured_s -
                   1;
        cost += fit_point_cost(e, MODEL_NOISE);
    }
    return cost;
}

/* Returns the sizes between which the limit is as likely as anywhere, among
 * those inside. */
static struct limit narrowed(struct limit l, const struct fit_set *set,
                             const struct segment *s, double link_Bps)
{
    double least = cost_of_cut(set, s, link_Bps, l.up_to), cut = l.up_to;
    struct limit found = {INFINITY, 0};

    for (size_t i = 0; i < set->n; i++)
        least = fmin(least, cost_of_cut(set, s, link_Bps,
                                        (double)set->points[i]->x.bytes));
    for (size_t i = 0; i <= set->n; i++) {
        double next = i < set->n ? (double)set->points[i]->x.bytes : l.next;
        if (next > cut &&
            cost_of_cut(set, s, link_Bps, cut) <= least + FIT_LIKELY) {
            found.up_to = fmin(found.up_to, cut);
            found.next = next;
        }
        cut = next;
    }
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
                          const struct message_table *now, double link_Bps,
                          const char *path, const char *const *groups,
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
        l = narrowed(l, &many, &now->segments[i], link_Bps);
    if (l.up_to > old) {
        json_replace(segment, "up_to_bytes", json_new_number(l.up_to));
        limit_row(f, path, i, old, &l, many.n);
    }
    json_add_number(segment, NEXT, l.next);
    fit_set_clear(&many);
}

static void limit_table(struct fit *f, const struct machine *now,
                        enum msg_path p, enum locality l)
{
    const char *name = msg_path_names[p], *where = locality_names[l];
    struct json *segments = json_member(
        json_member(json_member(json_member(f->doc, "messages"), name), where),
        "segments");
    char path[64], pong[64], maxrate[64], mult[64], split[64];
    const char *const alone[] = {pong, l == OFF_NODE ? maxrate : NULL, NULL};
    const char *const many[] = {l == OFF_NODE ? mult : NULL, split, NULL};
    double link_Bps =
        now->network.process_Bps > 0 ? now->network.process_Bps : INFINITY;
    struct fit_set set;

    snprintf(path, sizeof path, "messages.%s.%s", name, where);
    snprintf(pong, sizeof pong, "ping_pong/%s/%s", name, where);
    snprintf(maxrate, sizeof maxrate, "maxrate/%s", name);
    snprintf(mult, sizeof mult, "mult_pong/%s", name);
    snprintf(split, sizeof split, "mult_pong_split/%s", name);
    fit_gather(&set, f, alone, in_rack, NULL);
    for (size_t i = 0; i + 1 < json_size(segments) && set.n; i++)
        limit_segment(f, segments, i, &now->messages[RUNTIME_MPI][p][l],
                      link_Bps, path, many, &set);
    fit_set_clear(&set);
}

int fit_limits(struct fit *f, struct err *err)
{
    struct machine now;

    if (platform_read(&now, f->doc, err) < 0)
        return fail_in(err, "the fitted platform");
    for (int p = PATH_HOST; p <= PATH_GDR; p++)
        for (int l = 0; l < NLOCALITIES; l++)
            limit_table(f, &now, (enum msg_path)p, (enum locality)l);
    machine_clear(&now);
    return 0;
}
