/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_exchange.h - `sluice run` of messages that need no strategy. */
#ifndef SIM_CLI_RUN_EXCHANGE_H
#define SIM_CLI_RUN_EXCHANGE_H

#include "sim/cli/job.h"

/* Whether a workload is one of messages: exchange:, random:ranks= or
 * schedule:. */
bool run_is_exchange(const char *workload);
/* timeline: the file to write one to, or NULL. */
int run_exchange(const struct job_request *r, bool json, const char *timeline,
                 struct err *err) MUST_CHECK;

#endif
