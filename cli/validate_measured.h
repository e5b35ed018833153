/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_measured.h - `sluice validate --against`: micro-benchmarks predicted
 * and compared with measurements. */
#ifndef CLI_VALIDATE_MEASURED_H
#define CLI_VALIDATE_MEASURED_H

#include "cli/cli.h"
#include "sim/plan/exec.h"

struct measured_request {
    const char *platform; /* NULL: the machines that the files name */
    struct texts files, sets;
    const struct exec_options *exec; /* NULL: exec_defaults */
    bool json, points, summary;
    unsigned max_ops; /* 0: no limit */
};

/* Simulates and prints. What is left out is told on standard error. */
int validate_measured(const struct measured_request *r,
                      struct err *err) MUST_CHECK;

#endif
