/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * matching.h - the time to find the receive of a message, by a list on the
 * receiver's CPU or by an engine of its own (the GPU kernels of Klenk et al.
 * 2017), and the queues that it searches. match.h decides which receive takes a
 * message.
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

/* The order of the receives of a queue, relative to its messages. */
enum match_order { MATCH_IN_ORDER, MATCH_RANDOM, MATCH_REVERSED };

/* A queue of messages and one of receives; `matched` of each have a partner. */
struct match_load {
    double messages, receives, matched;
    enum match_order order;
};

/*
 * The work of an engine on such a queue if it takes `rows` messages at a time:
 * its passes, and the receives that it looks at in all of them, `hits` of which
 * are matched. A pass ends with the last receive that fits one of its messages;
 * if a message has no receive, the pass looks at all of them.
 */
struct match_search {
    double messages; /* in the queue */
    double passes, columns, hits;
};
struct match_search match_search(struct match_load load, double rows);

/* The layout of `queues` queues (1 at least) on an engine, if the longest has
 * `longest` messages. */
struct match_layout {
    unsigned rows;  /* messages of a queue in one pass */
    bool is_short;  /* each queue has one warp and no matrix */
    bool pipelined; /* one warp reduces while the others scan */
    unsigned ctas;
    double serial; /* rounds of CTAs, one after the other */
    double in_cta; /* queues per CTA */
};
struct match_layout match_layout(const struct matching *l, unsigned queues,
                                 double longest);

/* Returns the time of a list: `entries` entries looked at in `attempts`
 * attempts. */
double match_list_s(const struct matching *l, double attempts, double entries);
/* Returns the entries that the receives look at, one receive after the other,
 * in a list of messages. */
double match_list_entries(struct match_load load);

/* Returns the time of an engine matrix or partitioned. Its queues are searched
 * at the same time, so the longest search decides. If `compact`, the remaining
 * entries are moved together. */
double match_matrix_s(const struct matching *l, struct match_layout how,
                      const struct match_search *queues, unsigned nqueues,
                      bool compact);

/* The rounds of a hash engine until all receives have been in a table. `equal`
 * is the largest number of receives with one source and tag (1: all differ). */
struct match_rounds { /* per CTA */
    double rounds;
    double turns;   /* the rounds, each counted once for every 1024 receives */
    double entered; /* receives entered, summed over the rounds */
    double serial;  /* rounds of CTAs, one after the other */
};
struct match_rounds match_rounds(const struct matching *l, double messages,
                                 double receives, double equal);
double match_hash_s(const struct matching *l, double messages, double receives,
                    double equal);

/*
 * Returns the time of the engine of l for all of a load at once, divided evenly
 * among its queues or CTAs: the time of a micro-benchmark, whose matches per
 * second are load.matched divided by it. Returns NAN if the engine is
 * MATCHER_NONE.
 */
double match_load_s(const struct matching *l, struct match_load load,
                    bool compact);

#endif
