/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matcher.h - what the engines of platforms/matchers.def are, one file each. */
#ifndef SIM_TRANSPORT_MATCHER_H
#define SIM_TRANSPORT_MATCHER_H

#include "sim/transport/matching.h"

struct match_engine {
    const char *summary; /* one line */
    /* On a multiprocessor of its own, which takes what has come since it last
     * began at once; else on the receiver's CPU, with each message. */
    bool on_gpu;
    bool partitions;  /* matching.queues, by source */
    unsigned forbids; /* bits 1 << enum forbidden: what it cannot do */
};
extern const struct match_engine *const matchers[NMATCHERS]; /* NULL: none */

#endif
