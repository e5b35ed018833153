/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the segments of a curve: they are those of the base or, if its
 * breakpoints differ from those of the data, new ones that are made of them. */
#include "validate/calibrate/fit_segments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double fit_limit(const struct json *segment)
{
    const struct json *limit = json_member(segment, SEGMENT_KEY(up_to_B));

    return limit ? json_number(limit) : INFINITY;
}

static bool is_rendezvous(const struct json *segment)
{
    const char *name = json_string(json_member(segment, "protocol"));

    return name && !strcmp(name, "rendezvous");
}

struct json *fit_copy(const struct json *v)
{
    struct err err = {0};
    char *text = json_text(v);
    struct json *copy = json_parse(text, "a copy", &err);

    free(text);
    if (!copy)
        abort(); /* text that was just written must be readable */
    return copy;
}

/* Returns a copy of o without its member `key`. */
static struct json *copy_without(const struct json *o, const char *key)
{
    struct json *copy = json_new_object();

    for (struct json *v = json_at(o, 0); v; v = json_next(v))
        if (strcmp(json_key(v), key) != 0)
            json_add(copy, json_key(v), fit_copy(v));
    return copy;
}

/* --- the start of rendezvous ---------------------------------------------- */

/* No MPI sends a message of more than 1 MiB before the receiver asks for it; a
 * breakpoint above has another cause (caches, registration). */
static const double MOST_EAGER = 0x1p20;
/* Nor does one ask before it sends a message that fits into a few cache lines:
 * a jump there is the end of inline messages. */
static const double LEAST_EAGER = 512;
static const double HANDSHAKE = 1.25;

/* Returns the breakpoint at which the handshake of a rendezvous shows: the time
 * jumps upward and the line behind it has the alpha that grew most, by at least
 * a quarter; nbreakpoints if there is none. */
static size_t handshake(const struct fit_breakpoints *b)
{
    size_t at = b->nbreakpoints;
    double most = HANDSHAKE;

    for (size_t i = 0; i < b->nbreakpoints; i++) {
        const struct fit_piece *p = &b->pieces[i], *q = p + 1;
        double bytes = b->breakpoints[i].bytes;
        double jump = q->alpha_s - p->alpha_s +
                      (q->beta_s_per_B - p->beta_s_per_B) * bytes;
        if (bytes >= LEAST_EAGER && bytes <= MOST_EAGER && jump > 0 &&
            q->alpha_s >= most * p->alpha_s) {
            most = q->alpha_s / p->alpha_s;
            at = i;
        }
    }
    return at;
}

/* Returns the breakpoint that may as well be at `bytes`, or nbreakpoints. */
static size_t about(const struct fit_breakpoints *b, double bytes)
{
    for (size_t i = 0; i < b->nbreakpoints; i++)
        if (bytes >= b->breakpoints[i].from && bytes <= b->breakpoints[i].to)
            return i;
    return b->nbreakpoints;
}

/* Adds the base's breakpoint, which the data do not show; returns its place. */
static size_t insert(struct fit_breakpoints *b, double bytes)
{
    size_t n = b->nbreakpoints++, at = 0;

    b->breakpoints = xrealloc(b->breakpoints, n + 1, sizeof *b->breakpoints);
    while (at < n && b->breakpoints[at].bytes < bytes)
        at++;
    memmove(&b->breakpoints[at + 1], &b->breakpoints[at],
            (n - at) * sizeof *b->breakpoints);
    b->breakpoints[at] = (struct fit_breakpoint){bytes, 0, 0};
    return at;
}

struct olds {
    struct json *const *segments;
    size_t n;
    size_t first; /* the first rendezvous, or n */
};

/* Returns the breakpoint after which segments are rendezvous, or nbreakpoints.
 * The data decide only if the base has both kinds, or one segment, because in a
 * base with rendezvous alone many messages have shown that it is. */
static size_t rendezvous_breakpoint(struct fit_breakpoints *b,
                                    const struct olds *olds)
{
    if (!json_member(olds->segments[0], "protocol") ||
        (olds->first == 0 && olds->n > 1))
        return b->nbreakpoints;
    if (olds->first == 0 || olds->first == olds->n)
        return handshake(b);

    double bytes = fit_limit(olds->segments[olds->first - 1]);
    size_t at = about(b, bytes);
    if (at == b->nbreakpoints)
        at = handshake(b);
    return at < b->nbreakpoints ? at : insert(b, bytes);
}

/* --- new segments --------------------------------------------------------- */

/* Returns how many measured sizes (each counted as often as it is a point) are
 * above `from` and up to `to` in both ranges. */
static size_t shared(const struct fit_point *points, size_t n, double from,
                     double to, double base_from, double base_to)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += points[i].bytes > fmax(from, base_from) &&
                 points[i].bytes <= fmin(to, base_to);
    return count;
}

/* Returns the one of the base's segments from `first` to before `end` that has
 * most of the sizes above `from` and up to `to`. */
static const struct json *model(const struct olds *olds, size_t first,
                                size_t end, const struct fit_point *points,
                                size_t n, double from, double to)
{
    const struct json *best = olds->segments[first];
    size_t most = 0;

    for (size_t i = first; i < end; i++) {
        double base_from = i ? fit_limit(olds->segments[i - 1]) : -1;
        size_t count = shared(points, n, from, to, base_from,
                              fit_limit(olds->segments[i]));
        if (count > most) {
            most = count;
            best = olds->segments[i];
        }
    }
    return best;
}

/* Makes the segment above `from` and up to `to`, like the base's segment there
 * or, if the base has none of the protocol, like its others with another name.
 * The caller owns it. */
static struct json *segment(const struct olds *olds, bool rendezvous,
                            bool named, const struct fit_point *points,
                            size_t n, double from, double to)
{
    size_t first = 0, end = olds->n;
    bool both = olds->first > 0 && olds->first < olds->n;

    if (named && both) {
        first = rendezvous ? olds->first : 0;
        end = rendezvous ? olds->n : olds->first;
    }
    const struct json *base = model(olds, first, end, points, n, from, to);
    struct json *made;
    /* Only a rendezvous lets the receiver copy from the sender's memory. */
    if (named && !rendezvous && is_rendezvous(base))
        made = copy_without(base, "receiver_copies");
    else
        made = fit_copy(base);
    if (named && rendezvous != is_rendezvous(made)) {
        json_replace(made, "protocol",
                     json_new_string(rendezvous ? "rendezvous" : "eager"));
        json_remove(made, rendezvous ? "buffer_free" : "rendezvous");
        json_remove(made, SEGMENT_KEY(ack_s));
    }
    if (isinf(to)) {
        struct json *last = copy_without(made, SEGMENT_KEY(up_to_B));
        json_remove(last, "next_from_bytes");
        json_free(made);
        return last;
    }
    if (fit_limit(made) != to)
        json_remove(made, "next_from_bytes");
    json_replace(made, SEGMENT_KEY(up_to_B), json_new_number(to));
    return made;
}

static void add_rows(struct fit *f, const char *place,
                     const struct fit_breakpoints *b, size_t n)
{
    for (size_t i = 0; i < b->nbreakpoints; i++) {
        const struct fit_breakpoint *breakpoint = &b->breakpoints[i];
        struct fit_row row = {.old = b->found ? NAN : breakpoint->bytes,
                              .points = n};
        row.fitted.value = breakpoint->bytes;
        row.from = breakpoint->from;
        row.to = breakpoint->to;
        if (!(breakpoint->to > 0)) {
            row.old = breakpoint->bytes;
            row.kept = "no time shows where rendezvous begins";
        }
        snprintf(row.path, sizeof row.path, "%s.up_to_bytes[%zu]", place, i);
        fit_add_row(f, &row);
    }
}

static void fit_segments_make(struct fit_segments *s, const struct olds *olds,
                              struct fit_breakpoints *b,
                              const struct fit_point *points, size_t n)
{
    size_t at = rendezvous_breakpoint(b, olds);
    bool named = at < b->nbreakpoints;
    double from = -1;

    s->n = b->nbreakpoints + 1;
    s->segments = xcalloc(s->n, sizeof(void *));
    for (size_t i = 0; i < s->n; i++) {
        double to = i < b->nbreakpoints ? b->breakpoints[i].bytes : INFINITY;
        s->segments[i] = segment(olds, i > at, named, points, n, from, to);
        from = to;
    }
}

void fit_segments(struct fit_segments *s, struct fit *f, const char *place,
                  struct json *const *segments, size_t nsegments,
                  const struct fit_point *points, size_t n)
{
    struct olds olds = {segments, nsegments, 0};
    struct fit_breakpoints b;

    memset(s, 0, sizeof *s);
    if (f->keep_breakpoints || !n)
        return;
    double *limits = xcalloc(nsegments, sizeof *limits);
    for (size_t i = 0; i < nsegments; i++)
        limits[i] = fit_limit(segments[i]);
    while (olds.first < nsegments && !is_rendezvous(segments[olds.first]))
        olds.first++;
    fit_breakpoints(&b, points, n, limits, nsegments - 1);
    if (b.found)
        fit_segments_make(s, &olds, &b, points, n);
    add_rows(f, place, &b, n);
    fit_breakpoints_clear(&b);
    free(limits);
}

void fit_segments_clear(struct fit_segments *s)
{
    free(s->segments);
    memset(s, 0, sizeof *s);
}
