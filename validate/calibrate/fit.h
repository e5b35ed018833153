/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.h - fits the numbers of a platform's JSON to measurements. The structure
 * of the machine (devices, shares) is kept. */
#ifndef VALIDATE_CALIBRATE_FIT_H
#define VALIDATE_CALIBRATE_FIT_H

#include "base/err.h"
#include "platforms/keys.h"
#include "platforms/machine.h"
#include "validate/calibrate/fit_line.h"
#include "validate/measure/measured.h"

#include <stdbool.h>
#include <stddef.h>

/* The key of a member of a segment; copies' rows have equal ones. */
#define SEGMENT_KEY(member) KEY_OF(segment_keys, struct segment, member)
#define WIRE_KEY(member) KEY_OF(wire_type_keys, struct wire, member)
#define NETWORK_KEY(member) KEY_OF(network_keys, struct network, member)
#define DEVICE_KEY(member) KEY_OF(device_keys, struct device, member)

/* One number of the document, in the unit of its key. */
struct fit_row {
    char path[96]; /* "messages.cpu.on_node.segments.2.alpha_us" */
    double old;    /* NAN if there was none */
    struct fit_number fitted;
    double from, to; /* for a breakpoint: the sizes between which it may be */
    size_t points;
    double residual;  /* median |relative error| */
    const char *kept; /* why the old number is kept, or NULL */
    const char *note; /* why the new number is doubtful, or NULL */
};

struct fit {
    struct json *doc;        /* changed in place */
    const struct machine *m; /* the machine of doc as it was before */
    const struct measured *files;
    size_t nfiles;
    bool keep_breakpoints; /* segments keep their limits */
    struct fit_row *rows;
    size_t nrows;
    char **left_out; /* why parts were not fitted */
    size_t nleft_out;
};

/* Fits all numbers that the files determine. The files may be of the kinds
 * ping_pong, all_pairs, maxrate, multi_pair, mult_pong, memcpy and memcpy_mult,
 * and logs (fit_takes); others are left for validation. The result does not
 * depend on the fitted numbers that are in doc already: a second fit gives the
 * same. A part is left as it was if its data would make no valid platform; a
 * row then says why. */
void fit_platform(struct fit *f);
void fit_clear(struct fit *f);
bool fit_takes(const struct measured *file);

#endif
