/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_exchange.h - `sluice run` of messages in rounds, without strategies. */
#ifndef SIM_CLI_RUN_EXCHANGE_H
#define SIM_CLI_RUN_EXCHANGE_H

#include "sim/cli/job.h"

int run_exchange(const struct job_request *r, bool json,
                 struct err *err) MUST_CHECK;

#endif
