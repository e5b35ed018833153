/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_matching.h - sluice calibrate fits matching engines to
 * measurements. */
#ifndef CLI_CALIBRATE_MATCHING_H
#define CLI_CALIBRATE_MATCHING_H

#include "base/json.h"
#include "cli/calibrate_rows.h"

/* Fits the constants of `matching` of a platform, or of a preset such as
 * platforms/matching/h200.json, to one file of sluice-native match. Writes the
 * whole document. */
int calibrate_matching(const char *base, const char *path,
                       const struct calibrate_to *to,
                       struct err *err) MUST_CHECK;

#endif
