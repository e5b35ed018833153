/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match_draw.h - messages and receives of one receiver, drawn at random to be
 * matched: natively, in simulation, and in models of matching engines. */
#ifndef WORKLOADS_MATCH_DRAW_H
#define WORKLOADS_MATCH_DRAW_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MATCH_ANY 0xffffffffu /* wildcard for a receive's source or tag */

struct match_envelope {
    uint32_t src, tag;
};

/* The order of the receives, relative to that of the messages. */
enum match_drawn_order {
    MATCH_ORDER_RANDOM,
    MATCH_ORDER_SAME,
    MATCH_ORDER_BACK
};

struct match_draw {
    uint32_t length; /* number of messages, and of receives */
    unsigned ranks;  /* sources; each sends equally many, except for `equal` */
    unsigned tags;   /* number of tags, drawn uniformly */
    uint32_t lost;   /* messages, and receives, without a match */
    uint32_t wild;   /* receives with any source or any tag */
    uint32_t equal;  /* messages, and receives, with one source and tag */
    enum match_drawn_order order;
    uint64_t seed; /* 0 for the seed of the native benchmark */
};

/* Fills `length` elements of each array; lost + wild + equal must not exceed
 * length. Equal arguments give equal results. */
void match_draw_fill(struct match_envelope *messages,
                     struct match_envelope *receives,
                     const struct match_draw *d);

#ifdef __cplusplus
}
#endif

#endif
