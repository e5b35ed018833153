/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matcher.h - the properties of the engines of platforms/matchers.def, each of
 * which is one file. */
#ifndef SIM_TRANSPORT_MATCHER_H
#define SIM_TRANSPORT_MATCHER_H

#include "sim/transport/matching.h"

struct match_engine {
    const char *summary; /* one line */
    /* It runs on a multiprocessor of its own, which takes at once all messages
     * that came since its last pass; else on the receiver's CPU, with each
     * message. */
    bool on_gpu;
    bool partitions;  /* it has matching.queues queues, divided by source */
    unsigned forbids; /* bits 1 << enum forbidden, because it cannot do these */
};
/* NULL if there is none. */
extern const struct match_engine *const matchers[NMATCHERS];

#endif
