/* SPDX-License-Identifier: GPL-3.0-or-later */
/* library_call.h - a call of a collective as a library makes it: by the
 * algorithm that the library chooses, in steps if it is long; and the time that
 * a formula by peak bandwidth gives. */
#ifndef VALIDATE_MEASURE_LIBRARY_CALL_H
#define VALIDATE_MEASURE_LIBRARY_CALL_H

#include "sim/network/engine.h"
#include "validate/measure/experiment.h"

struct library_call {
    double time_s;
    const char *algorithm; /* as the library calls it */
    /* The link that was used most, and its share of the time at full rate. */
    struct link_use link;
    double used;
};

/* Simulates a call of library_call_benchmark. Fails if the library has no plan
 * of its choice, or if the machine cannot do it. */
int library_call_run(struct library_call *r, const struct machine *m,
                     const struct experiment *x, const struct exec_options *o,
                     struct err *err) MUST_CHECK;

/* Returns the time by alpha and beta that nothing is fitted to: ceil(log2 of
 * the ranks) latencies of an empty message, and the bytes that cross the
 * busiest link of a rank (busbw's) at the peak rate of a GPU's links in its
 * node or, between nodes, of the node's NICs; NAN if the machine has no such
 * rate. */
double library_call_baseline(const struct machine *m,
                             const struct experiment *x);

#endif
