/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_segments.h - the segments of one curve (a table of messages, or the rows
 * of one kind of copy), with the breakpoints that the data have. */
#ifndef VALIDATE_CALIBRATE_FIT_SEGMENTS_H
#define VALIDATE_CALIBRATE_FIT_SEGMENTS_H

#include "validate/calibrate/fit_breakpoints.h"
#include "validate/calibrate/fit_parts.h"

struct fit_segments {
    struct json **segments; /* n new ones, not yet in a document */
    size_t n;               /* 0: those of the base stay as they are */
};

/*
 * Finds the breakpoints of the points (by rising bytes), adds their rows, and
 * makes segments where they are not those of the base. A new segment has
 * everything but its limit and its protocol from that of the base which has
 * most of its sizes. Rendezvous begins
 *  - at the breakpoint of the data that may as well be where the base has it;
 *  - else where the time jumps upward and alpha grows most (by a quarter at
 *    least), up to 1 MiB;
 *  - else where the base has it, which is said: no time shows it.
 * Whether a segment before it is short or eager is as in the base.
 */
void fit_segments(struct fit_segments *s, struct fit *f, const char *place,
                  struct json *const *segments, size_t nsegments,
                  const struct fit_point *points, size_t n);
/* What is not in a document by then is the caller's. */
void fit_segments_clear(struct fit_segments *s);

struct json *fit_copy(const struct json *v);
/* The bytes that a segment or a row of copies goes up to; INFINITY: all. */
double fit_limit(const struct json *segment);

#endif
