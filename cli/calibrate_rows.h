/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_rows.h - the numbers that sluice calibrate replaces, as JSON. */
#ifndef CLI_CALIBRATE_ROWS_H
#define CLI_CALIBRATE_ROWS_H

#include "base/json.h"
#include "validate/calibrate/fit.h"

/* Adds them to the document as "numbers"; a breakpoint has a range. */
void calibrate_rows_json(struct json *to, const struct fit_row *rows, size_t n);

#endif
