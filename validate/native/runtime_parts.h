/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runtime_parts.h - measures the costs of the parts of a layer's work: calls of
 * threads, a turn that finds nothing, tests, matching, epochs, windows,
 * copies. */
#ifndef VALIDATE_NATIVE_RUNTIME_PARTS_H
#define VALIDATE_NATIVE_RUNTIME_PARTS_H

#include "validate/native/repeat.h"
#include "validate/native/runtime.h"

struct runtime_parts {
    const struct native *n;
    MPI_Comm comm; /* two hosts */
    const struct layer_kind *kind;
    struct layer *layer;
    int own; /* -1 if it takes no part */
    double per_point_s;
};

struct part_result {
    const char *operation;
    int threads, pending;
    size_t bytes;
    struct samples samples; /* the caller clears them */
};

/* Measures the i-th part that this kind of layer has; returns false if there
 * are fewer. All ranks call it. */
bool runtime_part(const struct runtime_parts *p, int i,
                  struct part_result *out);

#endif
