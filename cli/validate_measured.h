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
    unsigned max_ops;       /* 0: no limit */
    const char *rank_nodes; /* file of the ranks' nodes, or NULL */
    /* Draws of machines by which advices are judged, instead; 0: not. */
    unsigned sure;
    double model_error; /* NAN: those of sluice advise */
    bool rows;          /* print what model_errors.def has of them */
};

/* Simulates and prints. What is left out is told on standard error. */
int validate_measured(const struct measured_request *r,
                      struct err *err) MUST_CHECK;

/* How sure advices were, and how often right. */
struct sure;
/* Of native runs: r->files are those. */
int validate_sure_native(const struct measured_request *r,
                         struct err *err) MUST_CHECK;
void sure_print(const struct sure *s, const struct measured_request *r);

#endif
