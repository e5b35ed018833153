/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_compare.h - compares how well the base and the fitted platform predict
 * the files of the fit. */
#ifndef VALIDATE_CALIBRATE_FIT_COMPARE_H
#define VALIDATE_CALIBRATE_FIT_COMPARE_H

#include "base/err.h"
#include "platforms/machine.h"
#include "validate/measure/measured.h"

#include <stddef.h>

/* The change of one group, "ping_pong/cpu": the median |error| on either
 * platform, and the error of the worst point on the fitted one. */
struct fit_change {
    char name[264];
    size_t points;
    double before, after, worst;
};

/* Simulates the files on both machines, at most FIT_COMPARED points of a file,
 * evenly chosen. Returns one change for each kind and, below it, each kind of
 * memory, which the caller frees. Points that one of the machines cannot
 * simulate are left out, and left_out says why; otherwise it has no text. */
enum { FIT_COMPARED = 100 };
void fit_compare(struct fit_change **changes, size_t *n,
                 const struct measured *files, size_t nfiles,
                 const struct machine *before, const struct machine *after,
                 struct err *left_out);
/* Returns whether the error grew by more than 1 % point, and by more than a
 * tenth. */
bool fit_is_worse(const struct fit_change *c);

#endif
