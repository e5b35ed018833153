/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rccl_rings.c - RCCL's lists of rings, and the number of channels that it
 * makes of rings (github.com/ROCm/rccl 0cbce2a7, src/graph/connect.cc,
 * src/init.cc). */
#include "strategies/collective/rccl_rings.h"

#include "strategies/collective/nccl_wires.h"

#include <string.h>

enum { INTRA, INTER };
/* The most channels on one node and on several. */
static const unsigned most[NNCCL_GENERATIONS][2] = {
    [RCCL_MI200] = {32, 32},
    [RCCL_MI300] = {128, 64},
    [RCCL_MI350] = {128, 64},
};

static const struct rccl_rings lists[] = {
#define RCCL_RINGS(from, to, place, copies, factor, tuning, ...)               \
    {from, to, (place) == INTER, copies, factor, tuning, {__VA_ARGS__}},
#include "strategies/collective/rccl_rings.def"
};

/* Returns whether wires join the neighbours in each ring. */
static bool are_joined(const struct machine *m, const struct rccl_rings *list)
{
    for (size_t i = 0; i < MOST_RCCL_RINGS && list->gpus[i]; i++) {
        const char *ring = list->gpus[i];
        size_t n = strlen(ring);
        for (size_t at = list->between; at < n; at++)
            if (!nccl_joined(m, (unsigned)(ring[(at + n - 1) % n] - '0'),
                             (unsigned)(ring[at] - '0')))
                return false;
    }
    return true;
}

const struct rccl_rings *rccl_rings_of(const struct machine *m,
                                       const struct nccl_system *s)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (s->generation >= lists[i].from && s->generation <= lists[i].to &&
            lists[i].between == (s->nodes > 1) &&
            strlen(lists[i].gpus[0]) == s->per_node && are_joined(m, &lists[i]))
            return &lists[i];
    return NULL;
}

unsigned rccl_different(const struct rccl_rings *list)
{
    unsigned n = 0;

    while (n < MOST_RCCL_RINGS && list->gpus[n])
        n++;
    return n;
}

/* Returns how many channels RCCL makes at least of each ring. */
static unsigned factor_of(const struct nccl_system *s, unsigned rings)
{
    if (s->listed)
        return s->listed->factor;
    if (s->generation == RCCL_MI200)
        return s->nodes == 1 ? 4 : rings < 2 ? 4 : 2;
    return s->ranks == 2 ? 16 : s->ranks == 4 ? 4 : 2;
}

unsigned rccl_channels(const struct nccl_system *s, unsigned rings)
{
    unsigned limit = most[s->generation][s->nodes > 1 ? INTER : INTRA];
    unsigned doubled = rings <= limit / 2 ? 2 * rings
                       : rings < limit    ? rings
                                          : limit;
    unsigned factor = factor_of(s, rings);

    if (factor > limit / rings)
        factor = limit / rings;
    return doubled > factor * rings ? doubled : factor * rings;
}
