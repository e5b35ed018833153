/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rccl_rings.h - the rings that RCCL does not search, because it knows the
 * node: rccl_rings.def. */
#ifndef STRATEGIES_COLLECTIVE_RCCL_RINGS_H
#define STRATEGIES_COLLECTIVE_RCCL_RINGS_H

#include "strategies/collective/nccl_graph.h"

enum { MOST_RCCL_RINGS = 16 };
struct rccl_rings {
    enum nccl_generation from, to;
    bool between;    /* for several nodes */
    unsigned copies; /* RCCL's list has each ring so often */
    unsigned factor; /* channels for each ring of the list, at least */
    unsigned tuning; /* the number of the table of RCCL's model of time */
    /* Different rings, with a digit for each GPU; NULL behind the last. */
    const char *gpus[MOST_RCCL_RINGS];
};
/* Returns the number of different rings. */
unsigned rccl_different(const struct rccl_rings *list);
/* Returns the list whose GPUs and links the nodes of a job have, or NULL. */
const struct rccl_rings *rccl_rings_of(const struct machine *m,
                                       const struct nccl_system *s);
/* Returns the number of channels of rings and trees that RCCL makes of those
 * of its list, or of its search. */
unsigned rccl_channels(const struct nccl_system *s, unsigned rings);

#endif
