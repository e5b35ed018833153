/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.h - fits the numbers of a platform's JSON to measurements. The structure
 * of the machine (devices, shares) is kept. */
#ifndef VALIDATE_CALIBRATE_FIT_H
#define VALIDATE_CALIBRATE_FIT_H

#include "base/err.h"
#include "platforms/machine.h"
#include "validate/calibrate/fit_line.h"
#include "validate/measure/measured.h"

#include <stdbool.h>
#include <stddef.h>

/* One number of the file, in the unit of its key. */
struct fit_row {
    char path[96]; /* "messages.cpu.on_node.segments.2.alpha_us" */
    double old;    /* NAN: there was none */
    struct fit_number fitted;
    double from, to; /* of a breakpoint: between which sizes it may be */
    size_t points;
    double residual;  /* median |relative error| */
    const char *kept; /* why the old number stays, or NULL */
    const char *note; /* why the new number is doubtful, or NULL */
};

struct fit {
    struct json *doc;        /* changed in place */
    const struct machine *m; /* what doc was before */
    const struct measured *files;
    size_t nfiles;
    bool keep_breakpoints; /* segments end where they did */
    struct fit_row *rows;
    size_t nrows;
    char **left_out; /* why parts stayed as they were */
    size_t nleft_out;
};

/*
 * Fits all that the files determine. They may be of the kinds ping_pong,
 * all_pairs, maxrate, multi_pair, mult_pong, memcpy and memcpy_mult
 * (fit_takes); the others are left for validation. The result does not depend
 * on the fitted numbers that are in doc already: fitted again, it is the same.
 * A part of which the data would make no platform stays as it was: a row says
 * why.
 */
void fit_platform(struct fit *f);
void fit_clear(struct fit *f);
bool fit_takes(const struct measured *file);

#endif
