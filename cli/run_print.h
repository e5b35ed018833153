/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_print.h - the results of `sluice run`. */
#ifndef CLI_RUN_PRINT_H
#define CLI_RUN_PRINT_H

#include "strategies/job.h"
#include "cli/print_links.h"
#include "sim/plan/report.h"
#include "strategies/strategy.h"

struct run {
    const struct strategy *strategy;
    struct report report;
    double model_s; /* the closed form, corrected reading; 0: none */
    struct link_use links[BUSIEST_LINKS];
    size_t nlinks;
    char path[REPORT_STEPS][96]; /* of report.path */
};

void run_print(const struct job *j, const struct run *runs, size_t n,
               bool details);
void run_print_json(const struct job *j, const struct run *runs, size_t n);
void run_print_csv(const struct run *runs, size_t n);

#endif
