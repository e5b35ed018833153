/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_costs.h - what sluice calibrate does with measured costs of GPUs.
 */
#ifndef CLI_CALIBRATE_COSTS_H
#define CLI_CALIBRATE_COSTS_H

#include "base/json.h"
#include "cli/calibrate_rows.h"
#include "validate/calibrate/fit.h"

/* Writes a platform, or a part of one such as platforms/parts/h200-costs.json,
 * with gpu.access and gpu.calls as n files of sluice-native graph-costs say;
 * prints what was replaced, as calibrate_write() does. */
int calibrate_costs(const char *base, char *const *paths, size_t n,
                    const struct calibrate_to *to, struct err *err) MUST_CHECK;

/* Names and writes a document that reads back, or is a part of one. What of it
 * was replaced is added to the document to->doc, NULL: printed unless what is
 * written goes to standard output. */
int calibrate_write(struct json *doc, const struct fit_row *rows, size_t n,
                    const struct calibrate_to *to, struct err *err) MUST_CHECK;

#endif
