/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fit_matching.h - fits the constants of matching engines to what
 * `sluice-native match` measured, and says how well they predict the cases that
 * they were not fitted to.
 *
 * Fitted to: lists of up to 512; matrices without wildcards and with all
 * matched of up to 2048 (passes, receives, misses, scan, short queues,
 * compaction); four queues of up to 2048 together (what another queue costs);
 * one CTA's hash table of up to 1024. Predicted: longer queues, half matched,
 * wildcards, other numbers of queues and CTAs.
 */
#ifndef VALIDATE_CALIBRATE_FIT_MATCHING_H
#define VALIDATE_CALIBRATE_FIT_MATCHING_H

#include "validate/calibrate/fit.h"
#include "validate/measure/match_points.h"

/* Cases of one kind: the law against what was measured. */
struct fit_match_group {
    char name[64]; /* "partitioned, 8 queues, half matched" */
    bool fitted;   /* else predicted */
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

/*
 * Replaces the constants in `matching` of a document, a platform or a preset,
 * by fitted ones: those of lists where it has attempt_ns or entry_ns or none at
 * all, those of GPUs where it has clock_MHz, the clock that the cycles are of.
 * Others stay. fit_matching_clear() even after an error.
 */
int fit_matching(struct fit_matching *f, struct json *doc,
                 const struct match_points *points, struct err *err) MUST_CHECK;
void fit_matching_clear(struct fit_matching *f);

#endif
