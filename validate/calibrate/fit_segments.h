/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_segments.h - the segments of one curve (a table of messages, or the rows
 * of one kind of copy), with the breakpoints of the data. */
#ifndef VALIDATE_CALIBRATE_FIT_SEGMENTS_H
#define VALIDATE_CALIBRATE_FIT_SEGMENTS_H

#include "validate/calibrate/fit_breakpoints.h"
#include "validate/calibrate/fit_parts.h"

struct fit_segments {
    struct json **segments; /* n new ones, not yet in a document */
    size_t n;               /* 0 if those of the base stay as they are */
};

/*
 * Finds the breakpoints of the points (by rising bytes), adds their rows, and
 * makes segments if they differ from those of the base. A new segment has
 * everything except its limit and its protocol from the segment of the base
 * that has most of its sizes. Rendezvous begins
 *  - at the breakpoint of the data that may as well be where the base has it;
 *  - otherwise where the time jumps upward and alpha grows most (by at least a
 *    quarter), up to 1 MiB;
 *  - otherwise where the base has it, which a row reports, because no time
 *    shows it.
 * The segments before it are short or eager as in the base.
 */
void fit_segments(struct fit_segments *s, struct fit *f, const char *place,
                  struct json *const *segments, size_t nsegments,
                  const struct fit_point *points, size_t n);
/* Frees the array; segments that are not in a document by then belong to the
 * caller. */
void fit_segments_clear(struct fit_segments *s);

struct json *fit_copy(const struct json *v);
/* Returns the bytes up to which a segment or a row of copies goes; INFINITY if
 * it has no limit. */
double fit_limit(const struct json *segment);

#endif
