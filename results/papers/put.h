/* SPDX-License-Identifier: GPL-3.0-or-later */
/* put.h - what a put takes that a GPU starts into the memory of a GPU of
 * another node, as Fig 4 of Chen et al. 2022 shows it. */
#ifndef RESULTS_PAPERS_PUT_H
#define RESULTS_PAPERS_PUT_H

#include "base/err.h"
#include "platforms/machine.h"

enum { PUT_SIZES = 29, PUTS_STREAMED = 64 }; /* 1 B, 2 B, ... 256 MiB */

struct put_times {
    /* One by itself: "each send is performed as a blocking send operation
     * followed by a system memory fence and a remote counter update". */
    double blocking_s[PUT_SIZES];
    double counting_s; /* of that the fence and the counter */
    /* Until PUTS_STREAMED have arrived, which begin a message gap apart; no
     * fence, no counter. */
    double streaming_s[PUT_SIZES];
};

/* Of a machine of two nodes or more, with messages of GPUs off node. */
int put_measure(struct put_times *times, const struct machine *m,
                struct err *err) MUST_CHECK;

#endif
