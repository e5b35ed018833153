/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages: a line through the ping-pong times of each segment, and how much
 * longer the way to another rack is. */
#include "validate/fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct range {
    uint64_t from, to;
};

/* One pair of maxrate is a ping-pong between nodes. */
static bool same_rack(const struct measured_point *p, const void *arg)
{
    const struct range *r = arg;

    return !p->x.other_rack && p->x.pairs <= 1 && p->x.bytes >= r->from &&
           p->x.bytes <= r->to;
}

/* A point this much above the line through the two sizes before it is no
 * bandwidth: the software did something else there. */
static const double ARTEFACT = 1.6;

/* The points as the fit takes them; GPU messages between nodes without
 * artefacts. Returns how many. */
static size_t usable(struct fit_point *out, const struct fit_set *set,
                     bool artefacts)
{
    size_t n = 0;

    for (size_t i = 0; i < set->n; i++) {
        struct fit_point p = {(double)set->points[i]->x.bytes,
                              set->points[i]->measured_s};
        size_t k = n; /* the last of the size before the last */
        while (k > 0 && out[k - 1].bytes == out[n - 1].bytes)
            k--;
        if (artefacts && k > 0) {
            const struct fit_point *a = &out[k - 1], *b = &out[n - 1];
            double slope = (b->seconds - a->seconds) / (b->bytes - a->bytes);
            if (p.seconds >
                ARTEFACT * (b->seconds + slope * (p.bytes - b->bytes)))
                continue;
        }
        out[n++] = p;
    }
    return n;
}

/*
 * A segment whose beta is 0 is flat: its one number is alpha. Else both, or,
 * where the points do not tell one of them, the other with the old one kept: a
 * flat segment has no slope, a long one no latency.
 */
static struct fit_line fit_segment(struct json *segment,
                                   const struct fit_point *points, size_t n,
                                   const char **alpha_kept,
                                   const char **beta_kept)
{
    double alpha_s = json_number(json_member(segment, "alpha_us")) / 1e6;
    double beta = json_number(json_member(segment, "beta_ns_per_byte")) / 1e9;
    struct fit_line line;

    *alpha_kept = *beta_kept = NULL;
    if (n < 3) {
        *alpha_kept = *beta_kept = "fewer than 3 points";
        line = (struct fit_line){{alpha_s, 0}, {beta, 0}, 0};
        return line;
    }
    if (!(beta > 0)) {
        line.beta_s_per_B.value = beta;
        fit_line(&line, points, n, FIT_ALPHA);
        return line;
    }
    fit_line(&line, points, n, FIT_BOTH);
    bool alpha_good = fit_good(line.alpha_s);
    if (!fit_good(line.beta_s_per_B)) {
        *beta_kept = line.beta_s_per_B.value > 0
                         ? "its interval is wider than the number"
                         : "the fit is not above 0";
        line.beta_s_per_B.value = beta;
        fit_line(&line, points, n, FIT_ALPHA);
    } else if (!alpha_good) {
        *alpha_kept = line.alpha_s.value > 0
                          ? "its interval is wider than the number"
                          : "the fit is not above 0";
        line.alpha_s.value = alpha_s;
        fit_line(&line, points, n, FIT_BETA);
    }
    return line;
}

void fit_put_segment(struct fit *f, struct json *segment, const char *path,
                     const struct fit_set *set, const struct fit_point *points,
                     size_t n)
{
    const char *alpha_kept, *beta_kept;

    if (!n)
        return;
    struct fit_line line =
        fit_segment(segment, points, n, &alpha_kept, &beta_kept);
    bool flat = !(json_number(json_member(segment, "beta_ns_per_byte")) > 0);
    bool a = fit_put(f, segment, path, "alpha_us", 1e6, line.alpha_s, n,
                     line.residual, alpha_kept);
    bool b = !flat && fit_put(f, segment, path, "beta_ns_per_byte", 1e9,
                              line.beta_s_per_B, n, line.residual, beta_kept);
    if (a || b)
        fit_source(segment, "source", NULL, set, n,
                   !a            ? "medians (alpha kept)"
                   : !b && !flat ? "medians (beta kept)"
                                 : "medians",
                   line.residual);
}

static void fit_locality(struct fit *f, struct json *table, const char *path,
                         const char *const *groups, bool artefacts)
{
    struct json *segments = json_member(table, "segments");
    struct range range = {0, 0};

    for (size_t i = 0; i < json_size(segments); i++) {
        struct json *segment = json_at(segments, i);
        const struct json *last = json_member(segment, "up_to_bytes");
        struct fit_set set;
        char place[128];

        range.to = last ? (uint64_t)json_number(last) : UINT64_MAX;
        fit_gather(&set, f, groups, same_rack, &range);
        struct fit_point *points = xcalloc(set.n, sizeof *points);
        size_t n = usable(points, &set, artefacts);
        snprintf(place, sizeof place, "%s.segments.%zu", path, i);
        fit_put_segment(f, segment, place, &set, points, n);
        free(points);
        fit_set_clear(&set);
        range.from = range.to + 1;
    }
}

static bool small(const struct measured_point *p, const void *arg)
{
    (void)arg;
    return p->x.bytes <= 65536;
}

/* The median of what the other rack adds at equal sizes. */
static void fit_other_rack(struct fit *f, struct json *table, const char *path,
                           const char *group)
{
    struct fit_set set;
    size_t n = 0;

    fit_gather(&set, f, (const char *[]){group, NULL}, small, NULL);
    double *more = xcalloc(set.n, sizeof *more);
    for (size_t i = 0; i < set.n; i++)
        for (size_t k = 0; k < set.n && set.points[i]->x.other_rack; k++)
            if (!set.points[k]->x.other_rack &&
                set.points[k]->x.bytes == set.points[i]->x.bytes)
                more[n++] =
                    set.points[i]->measured_s - set.points[k]->measured_s;
    if (n) {
        struct fit_number number = fit_median(more, n);
        double residual = 0;
        for (size_t i = 0; i < n; i++)
            more[i] = more[i] > number.value ? more[i] / number.value - 1
                                             : 1 - more[i] / number.value;
        residual = fit_median(more, n).value;
        if (fit_put(f, table, path, "other_rack_us", 1e6, number, n, residual,
                    n < 3 ? "fewer than 3 points" : NULL))
            fit_source(table, "other_rack_source", NULL, &set, n, "sizes",
                       residual);
    }
    free(more);
    fit_set_clear(&set);
}

static void fit_table(struct fit *f, struct json *table, enum msg_path p,
                      enum locality l)
{
    const char *path = msg_path_names[p], *where = locality_names[l];
    char place[64], group[64], maxrate[64];
    const char *groups[] = {group, NULL, NULL};
    struct fit_set set;

    snprintf(place, sizeof place, "messages.%s.%s", path, where);
    snprintf(group, sizeof group, "ping_pong/%s/%s", path, where);
    snprintf(maxrate, sizeof maxrate, "maxrate/%s", path);
    if (l == OFF_NODE)
        groups[1] = maxrate;
    /* The pairs of a few ranks a node may all share a cache; then there are
     * those of a full node. */
    fit_gather(&set, f, groups, NULL, NULL);
    if (!set.n && p == PATH_HOST && l == ON_SOCKET)
        groups[0] = "all_pairs/cpu/on_socket_other";
    fit_set_clear(&set);
    fit_locality(f, table, place, groups, p == PATH_GDR && l == OFF_NODE);
    if (l == OFF_NODE)
        fit_other_rack(f, table, place, group);
}

void fit_messages(struct fit *f)
{
    struct json *messages = json_member(f->doc, "messages");

    for (int p = PATH_HOST; p <= PATH_GDR; p++) {
        struct json *path = json_member(messages, msg_path_names[p]);
        for (int l = 0; path && l < NLOCALITIES; l++) {
            struct json *table = json_member(path, locality_names[l]);
            if (table)
                fit_table(f, table, (enum msg_path)p, (enum locality)l);
        }
    }
}
