/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_runtimes.h - sluice calibrate writes measured costs of
 * communication runtimes into a platform. */
#ifndef CLI_CALIBRATE_RUNTIMES_H
#define CLI_CALIBRATE_RUNTIMES_H

#include "base/json.h"
#include "cli/calibrate_rows.h"

/* Writes a platform, or a part of one, with the costs of runtimes that a file
 * of sluice-native runtime gives. */
int calibrate_runtimes(const char *base, const char *path,
                       const struct calibrate_to *to,
                       struct err *err) MUST_CHECK;

#endif
