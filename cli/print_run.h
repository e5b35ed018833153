/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_run.h - the results of `sluice run`, one form for all workloads. */
#ifndef CLI_PRINT_RUN_H
#define CLI_PRINT_RUN_H

#include "strategies/run/run.h"

#include <stdio.h>

/* The outcomes are ranked, and all of them could be done. */
struct run_results {
    const struct job *job;
    const struct outcome *list;
    size_t n;
    bool details; /* of every outcome, not only of the first; all links */
};

void print_run(const struct run_results *r);
void print_run_json(const struct run_results *r);

/* The ranking: a table of text, or CSV with all columns. */
void print_ranking(const struct run_results *r);
void print_run_csv(const struct run_results *r);

/* How many links are shown of an outcome: the busiest, or all with details. */
size_t shown_links(const struct run_results *r, const struct outcome *o);
double link_utilisation(const struct link_use *l, double time_s);

#endif
