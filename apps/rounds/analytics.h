/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytics.h - graph algorithms that are really executed on the hosts' parts
 * of a graph, round after round, and the work and messages of each round. */
#ifndef APPS_ROUNDS_ANALYTICS_H
#define APPS_ROUNDS_ANALYTICS_H

#include "apps/rounds/hosts.h"
#include "apps/rounds/round.h"

#include <stdbool.h>

struct analytics_input {
    const struct hosts *hosts;
    uint32_t source;     /* for bfs, sssp */
    uint32_t max_weight; /* for sssp: weights are 1 to this; see arc_weight() */
    double damping;      /* for pagerank */
    double threshold;    /* for pagerank: smaller residues are not pushed */
    unsigned max_rounds; /* for pagerank; all others end by themselves */
    unsigned jobs;       /* hosts at a time, in threads; 0 for one */
    /* One per arc of the graph; NULL to use arc_weight(). */
    const uint32_t *weight;
};

#define UNREACHED UINT32_MAX

struct analytics_result {
    struct rounds rounds;
    /* Indexed by vertex, from the masters. bfs, sssp: the distance, or
     * UNREACHED; cc: the smallest number of a vertex in its component. */
    uint32_t *label;
    /* For pagerank, indexed by vertex: 1 on average, without the rank that is
     * lost because some vertices have no outgoing arcs. */
    double *rank;
    bool too_long;    /* sssp: a path was longer than a label can hold */
    bool unfinished;  /* it was ended by max_rounds */
    unsigned value_B; /* bytes of a value that is sent */
    /* For each host the bytes that one-sided messages need at any time, with a
     * window for each pattern. */
    uint64_t *window_B;
};
void analytics_clear(struct analytics_result *r);

/* An algorithm by its name, and the function that runs it on the hosts of each
 * cut. */
struct analytics {
    const char *name;
    void (*run[NCUTS])(struct analytics_result *r,
                       const struct analytics_input *in);
    /* Arcs are edges, so each arc is added in the other direction, too. */
    bool undirected;
};
extern const struct analytics analytics[];
extern const size_t nanalytics;
const struct analytics *analytics_find(const char *name);

/* distance.c */

/* Returns the weight of an edge if the graph has none: 1 to `most`, by a hash
 * of its two vertices, the same in both directions. */
uint32_t arc_weight(uint32_t u, uint32_t v, uint32_t most);
/* Returns the distance of v by an existing arc from u, which has the given
 * label. Returns UNREACHED and sets *too_long if it is more than a label can
 * hold. */
uint32_t input_distance(const struct analytics_input *in, uint32_t label,
                        uint32_t u, uint32_t v, bool *too_long);

/* relax.c: labels fall to minima. */
void bfs_cvc(struct analytics_result *r, const struct analytics_input *in);
void cc_cvc(struct analytics_result *r, const struct analytics_input *in);
void sssp_cvc(struct analytics_result *r, const struct analytics_input *in);
/* pagerank.c: residues are pushed. */
void pagerank_cvc(struct analytics_result *r, const struct analytics_input *in);

/* blocked.c: the same algorithms as Gemini does them. */
void bfs_blocked(struct analytics_result *r, const struct analytics_input *in);
void cc_blocked(struct analytics_result *r, const struct analytics_input *in);
void sssp_blocked(struct analytics_result *r, const struct analytics_input *in);
void pagerank_blocked(struct analytics_result *r,
                      const struct analytics_input *in);

#endif
