/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_measured.h - `sluice validate --against`: simulated micro-benchmarks
 * compared with measurements. */
#ifndef CLI_VALIDATE_MEASURED_H
#define CLI_VALIDATE_MEASURED_H

#include "cli/cli.h"
#include "sim/plan/exec.h"
#include "validate/logs/log.h"

/* The platform of files that name no machine. */
#define MEASURED_PLATFORM "lassen"

struct measured_request {
    const char *platform; /* NULL for the machines that the files name */
    struct texts files, sets;
    const struct exec_options *exec; /* NULL for exec_defaults */
    bool json, points, summary;
    unsigned max_ops;              /* 0 for no limit */
    const char *rank_nodes;        /* file of the ranks' nodes, or NULL */
    const struct log_facts *facts; /* that logs do not state, or NULL */
    /* If not 0, scores advice instead, with this many drawn machines. */
    unsigned calibration;
    double model_error; /* NAN for that of sluice advise */
    bool rows;          /* print rows for model_errors.def */
};

/* Simulates and prints. Rows that are left out are reported on standard
 * error. */
int validate_measured(const struct measured_request *r,
                      struct err *err) MUST_CHECK;

/* The calibration of advice: stated probabilities compared with the frequency
 * of being right. */
struct calibration;
/* Scores the advice on native runs, which r->files are. */
int validate_calibration_native(const struct measured_request *r,
                                struct err *err) MUST_CHECK;
void calibration_print(const struct calibration *s,
                       const struct measured_request *r);

#endif
