/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.h - settings and faults (explanations.def) that would bring the
 * simulated times of a machine nearer to measured ones. Each is tried by a
 * simulation of all points on a machine that is changed as it says. */
#ifndef VALIDATE_MEASURE_EXPLAIN_H
#define VALIDATE_MEASURE_EXPLAIN_H

#include "validate/measure/measured.h"

struct explanation {
    const char *text;
    double error; /* mean |log(simulated / measured)| of the points */
    size_t moved; /* number of points that it changes by 1 % or more */
};

struct explained {
    double error; /* error of the unchanged machine */
    /* The explanations that lower the error by EXPLAIN_LEAST or more come in
     * the order of their errors. */
    struct explanation *list;
    size_t n;
    /* Median of measured - simulated over sizes up to 4 KiB, because a cost of
     * each call shows there; NAN if there are no such points. */
    double floor_s;
};
/* An explanation is listed if it explains at least this share of the error,
 * because less may be chance. */
#define EXPLAIN_LEAST 0.15

/* Tries all explanations. The points must have been simulated on the platform
 * with these settings (--set), which is loaded anew for each. The caller frees
 * the list. */
int explain(struct explained *e, const struct measured *f, const char *platform,
            const char *const *sets, size_t nsets, const struct exec_options *o,
            struct err *err) MUST_CHECK;

#endif
