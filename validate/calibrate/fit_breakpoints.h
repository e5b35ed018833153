/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_breakpoints.h - finds the sizes at which a curve of times over sizes
 * breaks into lines: protocol switch points. */
#ifndef VALIDATE_CALIBRATE_FIT_BREAKPOINTS_H
#define VALIDATE_CALIBRATE_FIT_BREAKPOINTS_H

#include "validate/calibrate/fit_line.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * How far the points are from the line: the sum of the squared relative errors
 * in units of 2.5 %, none above 9.
 */
double fit_misfit(const struct fit_line *line, const struct fit_point *points,
                  size_t n);

/* The last measured size of a piece, and between which sizes it may as well
 * be: 95 % of the likelihood, the other breakpoints where they are. */
struct fit_breakpoint {
    double bytes, from, to;
};

/* What a piece is like; alpha and beta are not below 0. */
struct fit_piece {
    double alpha_s, beta_s_per_B;
};

struct fit_breakpoints {
    struct fit_breakpoint *breakpoints; /* nbreakpoints, by rising bytes */
    struct fit_piece *pieces;           /* nbreakpoints + 1 */
    size_t nbreakpoints;
    double noise; /* relative deviation that was reckoned with */
    bool found;   /* false: they are those of the base that were measured */
};

/*
 * Lines with jumps between them, the set of breakpoints with the least BIC: an
 * error is relative, in units of the noise, and no point counts more than one
 * of 3 deviations, so that a disturbed time pays for no breakpoint. The noise
 * is how far sizes are from the line through their neighbours in size, and 2.5
 * % at least: finer steps than that are not distinguished, for no protocol is a
 * line to less. A piece has 3 sizes at least.
 *
 * The points are by rising bytes. The breakpoints of the base stay (found is
 * false) while each may as well be where it is and all those found are not
 * better by more than 10 of BIC, which is called very strong evidence (Kass and
 * Raftery 1995); so a platform that was fitted once keeps its breakpoints when
 * it is measured again. They stay, too, where there are fewer than 6 sizes.
 */
void fit_breakpoints(struct fit_breakpoints *out,
                     const struct fit_point *points, size_t n,
                     const double *base, size_t nbase);
void fit_breakpoints_clear(struct fit_breakpoints *b);

#endif
