/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fit_costs.h - what a GPU's accesses and calls cost (gpu.access, gpu.calls of
 * a platform) from what `sluice-native graph-costs` measured.
 *
 * Fitted: a hit and a miss of the L2 for reads, atomicMin and additions of
 * floats, and the L2's size for them all, to the times of the most threads by
 * footprint F: hit h + miss (1 - h), h = min(1, L2 / F), least squares of the
 * relative errors. Taken as measured: latencies (32 lanes apart, the smallest
 * and the largest footprint of them), additions to one address, calls. A call
 * that is waited for takes the CPU's call, the stream's time and what the wait
 * then takes, which is the same for copies and memset: gpu.calls.sync_us; what
 * a kernel takes more is its start, in launch_stream_us; what a copy behind a
 * short kernel takes more is copy_behind_us.
 */
#ifndef VALIDATE_CALIBRATE_FIT_COSTS_H
#define VALIDATE_CALIBRATE_FIT_COSTS_H

#include "base/json.h"
#include "validate/calibrate/fit.h"
#include "validate/measure/cost_points.h"

struct fit_costs {
    struct fit_row *rows; /* residual: median |relative error|, 0: measured */
    size_t nrows;
};

/*
 * Replaces in `gpu` of a platform, or of a part of one, what the files
 * determine; the rest stays. Of several files, each of another run, each number
 * is the median of what they say. An error when one determines nothing, or its
 * footprints do not tell a hit from a miss. fit_costs_clear() even after an
 * error.
 */
int fit_costs(struct fit_costs *f, struct json *doc,
              const struct cost_points *files, size_t n,
              struct err *err) MUST_CHECK;
void fit_costs_clear(struct fit_costs *f);

#endif
