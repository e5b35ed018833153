/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mps.h - finds out whether the processes of a GPU share it through CUDA's
 * MPS. */
#ifndef VALIDATE_NATIVE_MPS_H
#define VALIDATE_NATIVE_MPS_H

#include "validate/native/native.h"

#define MPS_OPTION(wanted)                                                     \
    {                                                                          \
        "mps", OPT_TEXT, &(wanted), "HOW",                                     \
            "on or off: an error when it is not; config has it in any case"    \
    }

/* Sets o->mps for the rows: "MPS_on", "MPS_off", or "host_memory" if this
 * represents GPU memory and there is no GPU to share. It asks CUDA itself
 * whether this process is a client. All ranks call it; it fails on all if they
 * differ, or if the answer is not as `wanted` (on, off, any or NULL) or as
 * --config names it. */
int mps_find(struct native_options *o, const struct native *n,
             const char *wanted, struct err *err) MUST_CHECK;

#endif
