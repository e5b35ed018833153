/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_exchange.h - `sluice run` of messages that need no strategy. */
#ifndef CLI_RUN_EXCHANGE_H
#define CLI_RUN_EXCHANGE_H

#include "strategies/job.h"

/* Whether a workload is one of messages: exchange:, random:ranks= or
 * schedule:. */
bool run_is_exchange(const char *workload);
/* Its machine and plan; the ranks are those that the workload names. */
int run_exchange_plan(struct machine *m, struct plan *p, uint32_t *ranks,
                      const struct job_request *r, struct err *err) MUST_CHECK;
/* timeline: the file to write one to, or NULL. */
int run_exchange(const struct job_request *r, bool json, const char *timeline,
                 struct err *err) MUST_CHECK;

#endif
