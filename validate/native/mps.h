/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mps.h - whether the processes of a GPU share it through CUDA's MPS. */
#ifndef VALIDATE_NATIVE_MPS_H
#define VALIDATE_NATIVE_MPS_H

#include "validate/native/native.h"

#define MPS_OPTION(wanted)                                                     \
    {                                                                          \
        "mps", OPT_TEXT, &(wanted), "HOW",                                     \
            "on or off: an error when it is not; config tells what it is"      \
    }

/*
 * What the rows' config says: "MPS_on", "MPS_off", or "host_memory" where that
 * stands for GPU memory and there is no GPU to share. CUDA itself is asked
 * whether this process is a client. All ranks call it; it fails on all when
 * they differ, or when it is not as `wanted` (on, off, any or NULL).
 */
int mps_find(const char **config, const struct native *n, const char *wanted,
             struct err *err) MUST_CHECK;

#endif
