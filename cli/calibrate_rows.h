/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_rows.h - the output of sluice calibrate: a named platform, and the
 * numbers that it replaces, as JSON. */
#ifndef CLI_CALIBRATE_ROWS_H
#define CLI_CALIBRATE_ROWS_H

#include "base/json.h"
#include "validate/calibrate/fit.h"

struct calibrate_to {
    const char *file; /* "-" for standard output */
    char *name;       /* the name for the platform in it */
    struct json *doc; /* receives the tables; if NULL, they are printed */
    const struct log_facts *facts; /* that logs do not state; borrowed */
};

/* Names a platform to->name, and appends the name of its base to its
 * description, if that differs. A part without a name stays without one. */
void calibrate_rename(struct json *platform, const struct calibrate_to *to);

/* Adds the numbers to the document as "numbers"; a breakpoint has a range. */
void calibrate_rows_json(struct json *to, const struct fit_row *rows, size_t n);

#endif
