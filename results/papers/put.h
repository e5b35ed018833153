/* SPDX-License-Identifier: GPL-3.0-or-later */
/* put.h - the time of a GPU-initiated put into the memory of a GPU of another
 * node, as in Fig 4 of Chen et al. 2022. */
#ifndef RESULTS_PAPERS_PUT_H
#define RESULTS_PAPERS_PUT_H

#include "base/err.h"
#include "platforms/machine.h"

enum { PUT_SIZES = 29, PUTS_STREAMED = 64 }; /* 1 B, 2 B, ... 256 MiB */

struct put_times {
    /* A single put: "each send is performed as a blocking send operation
     * followed by a system memory fence and a remote counter update". */
    double blocking_s[PUT_SIZES];
    double counting_s; /* the part of the fence and the counter */
    /* The time until PUTS_STREAMED puts have arrived, which begin a message gap
     * apart, without fence or counter. */
    double streaming_s[PUT_SIZES];
};

/* Measures the puts; the machine has two nodes or more, and messages of GPUs
 * off node. */
int put_measure(struct put_times *times, const struct machine *m,
                struct err *err) MUST_CHECK;

#endif
