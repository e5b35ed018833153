/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fit_matching.h - fits the constants of matching engines to the measurements
 * of `sluice-native match`, and reports how well they predict the cases to
 * which they were not fitted.
 *
 * Fitted to: lists of up to 512; matrices of up to 2048 without wildcards and
 * with all matched (passes, receives, misses, scan, short queues, compaction);
 * four queues of up to 2048 in total (the cost of another queue); the hash
 * table of one CTA of up to 1024. Predicted: longer queues, half matched,
 * wildcards, other numbers of queues and CTAs.
 */
#ifndef VALIDATE_CALIBRATE_FIT_MATCHING_H
#define VALIDATE_CALIBRATE_FIT_MATCHING_H

#include "validate/calibrate/fit.h"
#include "validate/measure/match_points.h"

/* Cases of one kind: the errors of the law for the measured times. */
struct fit_match_group {
    char name[64]; /* "partitioned, 8 queues, half matched" */
    bool fitted;   /* otherwise predicted */
    unsigned points;
    double median; /* |relative error| of the time */
    double worst;  /* relative error, with its sign */
    unsigned worst_length;
};

struct fit_matching {
    struct fit_row *rows;
    size_t nrows;
    struct fit_match_group *groups;
    size_t ngroups;
};

/* Replaces the constants in `matching` of a document, a platform or a preset,
 * by fitted ones: those of lists if it has attempt_ns or entry_ns or none at
 * all, those of GPUs if it has clock_MHz, the clock to which the cycles refer.
 * Others stay. fit_matching_clear() is needed even after an error. */
int fit_matching(struct fit_matching *f, struct json *doc,
                 const struct match_points *points, struct err *err) MUST_CHECK;
void fit_matching_clear(struct fit_matching *f);

#endif
