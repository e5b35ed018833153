/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runtime_burst.h - messages between one host and others at once, under a
 * runtime: latency and rate. */
#ifndef RESULTS_PAPERS_RUNTIME_BURST_H
#define RESULTS_PAPERS_RUNTIME_BURST_H

#include "base/err.h"
#include "platforms/machine.h"

#include <stdbool.h>
#include <stdint.h>

/* The messages: each of the other hosts sends to host 0 or, if `back`, host 0
 * sends to each of them. */
struct burst {
    unsigned hosts, messages; /* messages: of each pair */
    uint64_t bytes;
    bool back;
};

struct burst_result {
    double time_s;
    uint64_t retries; /* attempts that found no packet or buffer */
};

int burst_run(struct burst_result *b, const struct machine *m, enum runtime by,
              struct burst x, struct err *err) MUST_CHECK;

#endif
