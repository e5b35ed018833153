/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_breakpoints.h - finds the sizes at which a curve of times over sizes
 * breaks into lines: protocol switch points. */
#ifndef VALIDATE_CALIBRATE_FIT_BREAKPOINTS_H
#define VALIDATE_CALIBRATE_FIT_BREAKPOINTS_H

#include "validate/calibrate/fit_line.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns the distance of the points from the line: the sum of the squared
 * relative errors in units of 2.5 %, of which none counts more than 9. */
double fit_misfit(const struct fit_line *line, const struct fit_point *points,
                  size_t n);

/* The last measured size of a piece, and the sizes between which it may as well
 * be: 95 % of the likelihood, with the other breakpoints in place. */
struct fit_breakpoint {
    double bytes, from, to;
};

/* The line of a piece; alpha and beta are not below 0. */
struct fit_piece {
    double alpha_s, beta_s_per_B;
};

struct fit_breakpoints {
    struct fit_breakpoint *breakpoints; /* nbreakpoints, by rising bytes */
    struct fit_piece *pieces;           /* nbreakpoints + 1 */
    size_t nbreakpoints;
    double noise; /* relative deviation that the search assumed */
    bool found;   /* false if they are the measured ones of the base */
};

/*
 * Finds lines with jumps between them: the set of breakpoints with the least
 * BIC. An error is relative, in units of the noise, and no point counts more
 * than one of 3 deviations, so that a disturbed time does not pay for a
 * breakpoint. The noise is the deviation of sizes from the line through their
 * neighbours, but at least 2.5 %: smaller deviations are not resolved, because
 * no protocol is linear to less. A piece has at least 3 sizes.
 *
 * The points must be in order of rising bytes. The breakpoints of the base stay
 * (found is false) if each may as well be where it is and all those found are
 * not better by more than 10 of BIC, which is called very strong evidence (Kass
 * and Raftery 1995); therefore a platform that was fitted once keeps its
 * breakpoints when it is measured again. They also stay if there are fewer than
 * 6 sizes. fit_breakpoints_clear() frees the result.
 */
void fit_breakpoints(struct fit_breakpoints *out,
                     const struct fit_point *points, size_t n,
                     const double *base, size_t nbase);
void fit_breakpoints_clear(struct fit_breakpoints *b);

#endif
