/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_native.h - `sluice validate --native`: simulated halo exchanges
 * compared with native runs. */
#ifndef CLI_VALIDATE_NATIVE_H
#define CLI_VALIDATE_NATIVE_H

#include "cli/cli.h"
#include "validate/measure/native_results.h"

struct native_request {
    const char *platform; /* NULL for the machine that each row names */
    struct texts files, sets;
    const struct exec_options *exec; /* NULL for exec_defaults */
};

/* Loads and simulates the runs; if a machine is not the platform, it is
 * reported on standard error. The caller frees the results by
 * native_clear(). */
int native_read(struct native_results *r, const struct native_request *request,
                struct err *err) MUST_CHECK;
int validate_native(const struct native_request *request, bool json,
                    struct err *err) MUST_CHECK;

#endif
