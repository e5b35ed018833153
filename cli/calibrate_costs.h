/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_costs.h - sluice calibrate writes measured costs of GPUs into a
 * platform. */
#ifndef CLI_CALIBRATE_COSTS_H
#define CLI_CALIBRATE_COSTS_H

#include "base/json.h"
#include "cli/calibrate_rows.h"
#include "validate/calibrate/fit.h"

/* Writes a platform, or a part of one such as platforms/parts/h200-costs.json,
 * with the gpu.access and gpu.calls that n files of sluice-native graph-costs
 * give. Prints the replaced numbers as calibrate_write() does. */
int calibrate_costs(const char *base, char *const *paths, size_t n,
                    const struct calibrate_to *to, struct err *err) MUST_CHECK;

/* Names the document and writes it to to->file, if it reads back or is a part
 * of a platform. Adds the replaced numbers to the document to->doc; prints them
 * if that is NULL, unless the document itself goes to standard output. */
int calibrate_write(struct json *doc, const struct fit_row *rows, size_t n,
                    const struct calibrate_to *to, struct err *err) MUST_CHECK;

#endif
