/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_rows.h - what sluice calibrate writes: a named platform, and the
 * numbers that it replaces, as JSON. */
#ifndef CLI_CALIBRATE_ROWS_H
#define CLI_CALIBRATE_ROWS_H

#include "base/json.h"
#include "validate/calibrate/fit.h"

struct calibrate_to {
    const char *file; /* "-": standard output */
    char *name;       /* of the platform there */
    struct json *doc; /* the tables go there; NULL: they are printed */
};

/* Names a platform as asked for, and says from which one it was made, if that
 * has another name. A part without a name stays one. */
void calibrate_rename(struct json *platform, const struct calibrate_to *to);

/* Adds them to the document as "numbers"; a breakpoint has a range. */
void calibrate_rows_json(struct json *to, const struct fit_row *rows, size_t n);

#endif
