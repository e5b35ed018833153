/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytics.h - graph algorithms that really run on the hosts' parts of a
 * graph, round after round, and what they do and send in each. */
#ifndef STRATEGIES_ROUNDS_ANALYTICS_H
#define STRATEGIES_ROUNDS_ANALYTICS_H

#include "strategies/rounds/hosts.h"
#include "strategies/rounds/round.h"

#include <stdbool.h>

struct analytics_input {
    const struct hosts *hosts;
    uint32_t source;     /* of bfs, sssp */
    uint32_t max_weight; /* of sssp: weights are 1 to this; see arc_weight() */
    double damping;      /* of pagerank */
    double threshold;    /* of pagerank: smaller residues are not passed on */
    unsigned max_rounds; /* of pagerank; all others end by themselves */
    unsigned jobs;       /* hosts at a time, in threads; 0: one */
    const uint32_t *weight; /* of each arc of the graph; NULL: arc_weight() */
};

#define UNREACHED UINT32_MAX

struct analytics_result {
    struct rounds rounds;
    /* By vertex, of masters. bfs, sssp: the distance, or UNREACHED; cc: the
     * smallest number of a vertex in its component. */
    uint32_t *label;
    double *rank;    /* of pagerank: 1 on average, but for what is lost where no
                        arc leads on */
    bool too_long;   /* sssp: a path was longer than a label can say */
    bool unfinished; /* ended by max_rounds */
    unsigned value_B; /* of a value that is sent */
    /* Of each host: what one-sided messages need to have room for at any time,
     * a window for each pattern. */
    uint64_t *window_B;
};
void analytics_clear(struct analytics_result *r);

/* What runs on the hosts of one cut, by the name of the algorithm. */
struct analytics {
    const char *name;
    void (*run[NCUTS])(struct analytics_result *r,
                       const struct analytics_input *in);
    bool undirected; /* arcs are edges: the graph gets every way back */
};
extern const struct analytics analytics[];
extern const size_t nanalytics;
const struct analytics *analytics_find(const char *name);

/* On a graph without weights: one of 1 to `most` for each edge, by a hash of
 * its two vertices, the same both ways. */
uint32_t arc_weight(uint32_t u, uint32_t v, uint32_t most);
/* What comes over an arc that there is, to which a label leads; UNREACHED and
 * *too_long: more than a label can say. */
uint32_t input_distance(const struct analytics_input *in, uint32_t label,
                        uint32_t u, uint32_t v, bool *too_long);

/* relax.c: labels fall to minima. */
void bfs_cvc(struct analytics_result *r, const struct analytics_input *in);
void cc_cvc(struct analytics_result *r, const struct analytics_input *in);
void sssp_cvc(struct analytics_result *r, const struct analytics_input *in);
/* pagerank.c: residues that are pushed. */
void pagerank_cvc(struct analytics_result *r, const struct analytics_input *in);

/* blocked.c: the same as Gemini does them. */
void bfs_blocked(struct analytics_result *r, const struct analytics_input *in);
void cc_blocked(struct analytics_result *r, const struct analytics_input *in);
void sssp_blocked(struct analytics_result *r, const struct analytics_input *in);
void pagerank_blocked(struct analytics_result *r,
                      const struct analytics_input *in);

#endif
