/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_traverse.h - `sluice validate --traverse`: simulated graph searches
 * compared with those on real GPUs. */
#ifndef CLI_VALIDATE_TRAVERSE_H
#define CLI_VALIDATE_TRAVERSE_H

#include "cli/cli.h"
#include "cli/validate_measured.h"
#include "sim/plan/exec.h"

struct traverse_request {
    const char *platform; /* NULL for h200-x2 */
    struct texts files, sets, folders;
    const struct exec_options *exec; /* NULL for exec_defaults */
    bool json, points;
    const struct measured_request
        *calibration; /* --calibration; NULL if not asked for */
};

int validate_traverse(const struct traverse_request *r,
                      struct err *err) MUST_CHECK;

#endif
