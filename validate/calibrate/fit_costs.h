/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fit_costs.h - the costs of a GPU's accesses and calls (gpu.access, gpu.calls
 * of a platform) from the measurements of `sluice-native graph-costs`.
 *
 * Fitted are a hit and a miss of the L2 for reads, atomicMin and additions of
 * floats, and the L2's size for all of them, to the times of the most threads
 * by footprint F: hit h + miss (1 - h), h = min(1, L2 / F), by least squares of
 * the relative errors. Latencies (32 lanes on separate words, with their
 * smallest and their largest footprint), additions to one address, and calls
 * are taken as measured. A call with a wait takes the CPU's call, the stream's
 * time and the wait itself, which is the same for copies and memset:
 * gpu.calls.sync_us; the additional time of a kernel is its start, in
 * launch_stream_us; the additional time of a copy behind a short kernel is
 * copy_behind_us.
 */
#ifndef VALIDATE_CALIBRATE_FIT_COSTS_H
#define VALIDATE_CALIBRATE_FIT_COSTS_H

#include "base/json.h"
#include "validate/calibrate/fit.h"
#include "validate/measure/cost_points.h"

struct fit_costs {
    struct fit_row *rows; /* residual: median |relative error|, 0 if measured */
    size_t nrows;
};

/* Replaces, in `gpu` of a platform or of a part of one, the numbers that the
 * files determine; the rest stays. Each file is of another run; each number is
 * the median over the files. It is an error if a file determines nothing, or if
 * its footprints do not distinguish a hit from a miss. fit_costs_clear() is
 * needed even after an error. */
int fit_costs(struct fit_costs *f, struct json *doc,
              const struct cost_points *files, size_t n,
              struct err *err) MUST_CHECK;
void fit_costs_clear(struct fit_costs *f);

#endif
