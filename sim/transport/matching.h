/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * matching.h - matching with a cost: what it takes to find the receive of a
 * message, by a list on the receiver's CPU or by an engine of its own (the GPU
 * kernels of Klenk et al. 2017), and the queues that it works on. Who is
 * matched with whom is match.h's.
 *
 * An engine is one file here, matching_NAME.c, and one line in
 * platforms/matchers.def.
 */
#ifndef SIM_TRANSPORT_MATCHING_H
#define SIM_TRANSPORT_MATCHING_H

#include "platforms/matching.h"

#include <stdbool.h>
#include <stdint.h>

/* --- the laws: functions of constants and lengths alone ------------------- */

/* In which order the receives of a queue stand, against its messages. */
enum match_order { MATCH_IN_ORDER, MATCH_RANDOM, MATCH_REVERSED };

/* A queue of messages and one of receives; `matched` of each fit. */
struct match_load {
    double messages, receives, matched;
    enum match_order order;
};

/* What an engine does with such a queue that takes `rows` messages at a time:
 * passes, and receives looked at in all of them (`hits` of these are matched).
 * A pass ends with the last receive that one of its messages fits, or, when
 * there are messages that none fits, looks at all. */
struct match_search {
    double messages; /* of the queue */
    double passes, columns, hits;
};
struct match_search match_search(struct match_load load, double rows);

/* How an engine lays so many queues (1 at least) out, of which the longest has
 * `longest` messages. */
struct match_layout {
    unsigned rows;  /* messages of a queue in a pass */
    bool is_short;  /* a warp for each queue, no matrix */
    bool pipelined; /* a warp reduces while the others scan */
    unsigned ctas;
    double serial; /* times that CTAs are one after the other */
    double in_cta; /* queues of a CTA */
};
struct match_layout match_layout(const struct matching *l, unsigned queues,
                                 double longest);

/* list: so many entries looked at in so many attempts. */
double match_list_s(const struct matching *l, double attempts, double entries);
/* The entries that a receive after the other looks at in a list of messages. */
double match_list_entries(struct match_load load);

/* matrix, partitioned: the queues one beside the other, the longest search
 * decides. compact: what is left is moved together. */
double match_matrix_s(const struct matching *l, struct match_layout how,
                      const struct match_search *queues, unsigned nqueues,
                      bool compact);

/* hash: rounds until all receives have been in a table. `equal`: so many
 * receives, at most, have one source and tag (1: none is like another). */
struct match_rounds { /* of a CTA */
    double rounds;
    double turns;   /* the same, each for every 1024 receives that it enters */
    double entered; /* receives that rounds entered, again and again */
    double serial;  /* times that CTAs are one after the other */
};
struct match_rounds match_rounds(const struct matching *l, double messages,
                                 double receives, double equal);
double match_hash_s(const struct matching *l, double messages, double receives,
                    double equal);

/* All of a load at once by the engine of l, divided evenly among its queues or
 * CTAs: a micro-benchmark's time; matches a second are load.matched divided by
 * it. NAN: MATCHER_NONE. */
double match_load_s(const struct matching *l, struct match_load load,
                    bool compact);

#endif
