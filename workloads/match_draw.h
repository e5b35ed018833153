/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match_draw.h - messages and receives of one receiver, drawn at random, to be
 * matched: natively, in simulation, and by the laws of matching engines. */
#ifndef WORKLOADS_MATCH_DRAW_H
#define WORKLOADS_MATCH_DRAW_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MATCH_ANY 0xffffffffu /* a receive's source or tag */

struct match_envelope {
    uint32_t src, tag;
};

/* The order of the receives, against that of the messages. */
enum match_drawn_order {
    MATCH_ORDER_RANDOM,
    MATCH_ORDER_SAME,
    MATCH_ORDER_BACK
};

struct match_draw {
    uint32_t length; /* messages, and receives */
    unsigned ranks;  /* sources; as many messages of each, but for `equal` */
    unsigned tags;   /* different ones, drawn with equal chance */
    uint32_t lost;   /* messages, and receives, that nothing fits */
    uint32_t wild;   /* receives that take any source or any tag */
    uint32_t equal;  /* messages, and receives, of one source and tag */
    enum match_drawn_order order;
    uint64_t seed; /* 0: that of the native benchmark */
};

/* Fills `length` of each; lost + wild + equal is not more. Equal arguments give
 * equal ones. */
void match_draw_fill(struct match_envelope *messages,
                     struct match_envelope *receives,
                     const struct match_draw *d);

#ifdef __cplusplus
}
#endif

#endif
