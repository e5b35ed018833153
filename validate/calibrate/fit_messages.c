/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits messages: a line through the ping-pong times of each segment, and the
 * additional time of the route to another rack. */
#include "validate/calibrate/fit_parts.h"
#include "validate/calibrate/fit_segments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct range {
    uint64_t from, to;
};

/* Returns whether it is a ping-pong between nodes of one rack; one pair of
 * maxrate counts as one. */
static bool same_rack(const struct measured_point *p, const void *arg)
{
    const struct range *r = arg;

    return !p->x.other_rack && p->x.pairs <= 1 && p->x.bytes >= r->from &&
           p->x.bytes <= r->to;
}

/* A point this much above the line through the two sizes before it is no
 * bandwidth: the software did something else there. */
static const double ARTEFACT = 1.6;

/* Collects the points of a fit, without the artefacts of GPU messages between
 * nodes. Returns how many there are. */
static size_t usable(struct fit_point *out, const struct fit_set *set,
                     bool artefacts)
{
    size_t n = 0;

    for (size_t i = 0; i < set->n; i++) {
        struct fit_point p = {(double)set->points[i]->x.bytes,
                              set->points[i]->measured_s};
        size_t k = n; /* the last point of the size before the last */
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

/* The outcome for the numbers of a segment. */
struct verdict {
    /* Why they are kept; NULL if replaced. */
    const char *alpha_kept, *beta_kept;
    const char *alpha_note, *beta_note;
};

/* Returns whether a line without a slope is as good, up to the price of one
 * more number, or whether it `must` be flat. */
static bool flat_will_do(struct fit_line *line, const struct fit_point *points,
                         size_t n, bool must)
{
    struct fit_line flat = {.beta_s_per_B = {0, line->beta_s_per_B.half}};
    double half = flat.beta_s_per_B.half;

    fit_line(&flat, points, n, FIT_ALPHA);
    flat.beta_s_per_B.half = half;
    if (!must && fit_misfit(&flat, points, n) >
                     fit_misfit(line, points, n) + log((double)n))
        return false;
    *line = flat;
    return true;
}

/* Uses alpha of the segment before, otherwise the old one. */
static void alpha_from(struct fit_line *line, struct verdict *v,
                       const struct json *segment, const struct json *before,
                       const struct fit_point *points, size_t n)
{
    const char *doubt = fit_doubt(line->alpha_s);
    const struct json *from = before ? before : segment;
    double alpha_us = json_number(json_member(from, SEGMENT_KEY(alpha_s)));

    *line = (struct fit_line){.alpha_s = {alpha_us / 1e6, 0}};
    fit_line(line, points, n, FIT_BETA);
    if (before)
        v->alpha_note = "that of the segment before, for it is not determined";
    else
        v->alpha_kept = doubt;
}

/* Replaces a line that falls, or begins below 0, by the nearest one to the
 * points that does neither: a flat one, or one through 0. */
static void not_negative(struct fit_line *line, struct verdict *v,
                         const struct fit_point *points, size_t n)
{
    struct fit_line flat = {{0, 0}, {0, 0}, 0}, steep = {{0, 0}, {0, 0}, 0};

    if (line->alpha_s.value >= 0 && line->beta_s_per_B.value >= 0)
        return;
    fit_line(&flat, points, n, FIT_ALPHA);
    fit_line(&steep, points, n, FIT_BETA);
    *line = fit_misfit(&flat, points, n) <= fit_misfit(&steep, points, n)
                ? flat
                : steep;
    *v = (struct verdict){0};
    if (line->beta_s_per_B.value > 0)
        v->alpha_note = "nothing: the times would begin below 0";
    else
        v->beta_note = "nothing: the times do not grow";
}

static struct fit_line fit_segment(struct verdict *v,
                                   const struct json *segment,
                                   const struct json *before,
                                   const struct fit_point *points, size_t n,
                                   bool flat)
{
    double alpha_s =
        json_number(json_member(segment, SEGMENT_KEY(alpha_s))) / 1e6;
    double beta =
        json_number(json_member(segment, SEGMENT_KEY(beta_s_per_B))) / 1e9;
    bool last = !json_member(segment, SEGMENT_KEY(up_to_B));
    struct fit_line line = {{alpha_s, 0}, {beta, 0}, 0};

    *v = (struct verdict){0};
    if (n < 3) {
        v->alpha_kept = v->beta_kept = "fewer than 3 points";
        return line;
    }
    fit_line(&line, points, n, FIT_BOTH);
    if (!last && flat_will_do(&line, points, n, flat))
        return line;
    if (!(line.beta_s_per_B.value > 0)) {
        v->beta_kept = "the fit is not above 0";
        line.beta_s_per_B.value = beta;
        fit_line(&line, points, n, FIT_ALPHA);
    } else if (!fit_good(line.alpha_s)) {
        alpha_from(&line, v, segment, before, points, n);
    }
    if (!v->beta_kept)
        v->beta_note = fit_doubt(line.beta_s_per_B);
    not_negative(&line, v, points, n);
    return line;
}

void fit_put_segment(struct fit *f, struct json *segment,
                     const struct json *before, const char *path,
                     const struct fit_set *set, const struct fit_point *points,
                     size_t n, bool flat)
{
    struct verdict v;

    if (!n)
        return;
    struct fit_line line = fit_segment(&v, segment, before, points, n, flat);
    if (v.alpha_kept)
        fit_put(f, segment, path, SEGMENT_KEY(alpha_s), 1e6, line.alpha_s, n,
                line.residual, v.alpha_kept);
    else
        fit_set_number(f, segment, path, SEGMENT_KEY(alpha_s), 1e6,
                       line.alpha_s, n, line.residual, v.alpha_note);
    if (v.beta_kept)
        fit_put(f, segment, path, SEGMENT_KEY(beta_s_per_B), 1e9,
                line.beta_s_per_B, n, line.residual, v.beta_kept);
    else
        fit_set_number(f, segment, path, SEGMENT_KEY(beta_s_per_B), 1e9,
                       line.beta_s_per_B, n, line.residual, v.beta_note);
    if (v.alpha_kept && v.beta_kept)
        return;
    fit_source(segment, "source", NULL, set, n,
               v.alpha_kept   ? "medians (alpha kept)"
               : v.alpha_note ? "medians (alpha of the segment before)"
               : v.beta_kept  ? "medians (beta kept)"
                              : "medians",
               line.residual);
    if (!v.alpha_kept)
        source_join(segment, "source",
                    (const char *const[]){SEGMENT_KEY(alpha_s), NULL});
    if (!v.beta_kept)
        source_join(segment, "source",
                    (const char *const[]){SEGMENT_KEY(beta_s_per_B), NULL});
}

/* Finds the points above `from`, up to `to`. Returns how many there are. */
static size_t range_of(const struct fit_point *points, size_t n, double from,
                       double to, const struct fit_point **first)
{
    size_t i = 0, k;

    while (i < n && points[i].bytes <= from)
        i++;
    for (k = i; k < n && points[k].bytes <= to; k++)
        ;
    *first = points + i;
    return k - i;
}

static void new_segments(struct fit *f, struct json *table, const char *path,
                         const struct fit_point *points, size_t n)
{
    const struct json *old = json_member(table, "segments");
    size_t nold = json_size(old);
    struct json **olds = xcalloc(nold, sizeof(void *));
    struct fit_segments s;

    for (size_t i = 0; i < nold; i++)
        olds[i] = json_at(old, i);
    fit_segments(&s, f, path, olds, nold, points, n);
    if (s.n) {
        struct json *list = json_new_array();
        for (size_t i = 0; i < s.n; i++)
            json_append(list, s.segments[i]);
        json_replace(table, "segments", list);
    }
    fit_segments_clear(&s);
    free(olds);
}

/* Scales the CPU times of messages on a node that no measurement determines,
 * because they are shares of a ping-pong's time (perhaps above 1 in total). */
static void follow(struct json *segment, const char *key, double before,
                   double now)
{
    const struct json *old = json_member(segment, key);
    char text[40];

    if (!old || !(before > 0))
        return;
    if (!(now > 0) && strstr(key, "byte")) {
        json_remove(segment, key); /* 0 is left out */
        return;
    }
    snprintf(text, sizeof text, "%.4g", json_number(old) / before * now);
    json_replace(segment, key, json_new_number(strtod(text, NULL)));
}

static double number_at(const struct json *segment, const char *key)
{
    return json_number(json_member(segment, key));
}

static void follow_all(struct json *segment, double alpha_us, double beta_ns)
{
    double alpha_now = number_at(segment, SEGMENT_KEY(alpha_s));
    double beta_now = number_at(segment, SEGMENT_KEY(beta_s_per_B));

    follow(segment, SEGMENT_KEY(send_s), alpha_us, alpha_now);
    follow(segment, SEGMENT_KEY(recv_s), alpha_us, alpha_now);
    follow(segment, SEGMENT_KEY(send_s_per_B), beta_ns, beta_now);
    follow(segment, SEGMENT_KEY(recv_s_per_B), beta_ns, beta_now);
}

static void fit_locality(struct fit *f, struct json *table, const char *path,
                         const char *const *groups, bool near_host,
                         bool artefacts)
{
    struct range range = {0, UINT64_MAX};
    struct fit_set set;

    fit_gather(&set, f, groups, same_rack, &range);
    struct fit_point *points = xcalloc(set.n + 1, sizeof *points);
    size_t n = usable(points, &set, artefacts);
    fit_set_clear(&set);
    new_segments(f, table, path, points, n);

    struct json *segments = json_member(table, "segments");
    double from = -1;
    for (size_t i = 0; i < json_size(segments); i++) {
        struct json *segment = json_at(segments, i);
        const struct json *last = json_member(segment, SEGMENT_KEY(up_to_B));
        double to = last ? json_number(last) : INFINITY;
        const struct fit_point *first;
        char place[128];

        range.to = last ? (uint64_t)to : UINT64_MAX;
        fit_gather(&set, f, groups, same_rack, &range);
        size_t count = range_of(points, n, from, to, &first);
        snprintf(place, sizeof place, "%s.segments.%zu", path, i);
        double alpha_us = number_at(segment, SEGMENT_KEY(alpha_s));
        double beta_ns = number_at(segment, SEGMENT_KEY(beta_s_per_B));
        fit_put_segment(f, segment, i ? json_at(segments, i - 1) : NULL, place,
                        &set, first, count, false);
        if (near_host)
            follow_all(segment, alpha_us, beta_ns);
        fit_set_clear(&set);
        range.from = range.to + 1;
        from = to;
    }
    free(points);
}

static bool small(const struct measured_point *p, const void *arg)
{
    (void)arg;
    return p->x.bytes <= 65536;
}

/* Fits the time that another rack adds: the median over equal sizes. */
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
    /* If a node has few ranks, all of its pairs may share a cache; then the
     * pairs of a full node are used. */
    fit_gather(&set, f, groups, NULL, NULL);
    if (!set.n && p == PATH_HOST && l == ON_SOCKET)
        groups[0] = "all_pairs/cpu/on_socket_other";
    fit_set_clear(&set);
    fit_locality(f, table, place, groups, p == PATH_HOST && l != OFF_NODE,
                 p == PATH_GDR && l == OFF_NODE);
    if (l == OFF_NODE)
        fit_other_rack(f, table, place, group);
}

/* Names the MPI of the messages, if all were measured with the same other one
 * than the base's. */
static void name_mpi(struct fit *f)
{
    const char *mpi = NULL;

    for (size_t i = 0; i < f->nfiles; i++)
        for (size_t k = 0; k < f->files[i].npoints; k++) {
            const struct measured_point *p = &f->files[i].points[k];
            if (strncmp(p->group, "ping_pong/", 10) != 0)
                continue;
            if (!p->other_mpi || !*p->mpi || (mpi && strcmp(mpi, p->mpi) != 0))
                return;
            mpi = p->mpi;
        }
    if (mpi && json_member(f->doc, "mpi"))
        json_replace(f->doc, "mpi", json_new_string(mpi));
}

int fit_messages(struct fit *f, struct err *err)
{
    (void)err;
    name_mpi(f);
    struct json *messages = json_member(f->doc, "messages");

    for (int p = PATH_HOST; p <= PATH_GDR; p++) {
        struct json *path = json_member(messages, msg_path_names[p]);
        for (int l = 0; path && l < NLOCALITIES; l++) {
            struct json *table = json_member(path, locality_names[l]);
            if (table)
                fit_table(f, table, (enum msg_path)p, (enum locality)l);
        }
    }
    return 0;
}
