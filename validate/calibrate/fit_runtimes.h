/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fit_runtimes.h - the work of a process's threads per message under the
 * runtimes mpi_probe, mpi_rma and lci (runtimes.NAME.costs of a platform), from
 * the measurements of `sluice-native runtime` between two hosts.
 *
 * send_us and recv_us, and their times per byte, are lines through the CPU
 * times of both ends, minus the time of calls; entry_ns and call_thread_ns are
 * the slopes over messages and threads; the others are as measured. Latencies,
 * rates and rounds are not fitted, because simulations are compared with them.
 */
#ifndef VALIDATE_CALIBRATE_FIT_RUNTIMES_H
#define VALIDATE_CALIBRATE_FIT_RUNTIMES_H

#include "base/json.h"
#include "validate/calibrate/fit.h"
#include "validate/measure/runtime_points.h"

struct fit_runtimes {
    struct fit_row *rows; /* residual: median |relative error|, 0 if measured */
    size_t nrows;
};

/* Replaces, in `runtimes` of a platform or of a part of one, the costs of the
 * runtimes that the file has; their other keys stay. It is an error if the file
 * has none of them. fit_runtimes_clear() is needed even after an error. */
int fit_runtimes(struct fit_runtimes *f, struct json *doc,
                 const struct runtime_points *points,
                 struct err *err) MUST_CHECK;
void fit_runtimes_clear(struct fit_runtimes *f);

#endif
