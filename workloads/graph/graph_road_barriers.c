/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closes most streets between the districts of a road network, so that few
 * bridges remain. */
#include "workloads/graph/graph_road.h"

#include "base/random.h"

#include <stdlib.h>

/* The beginnings of districts along one axis, from 0, and the end. */
struct bands {
    uint64_t *begin;
    uint64_t n;
};

static struct bands make_bands(uint64_t crossings, uint64_t *random)
{
    struct bands b = {.n = crossings / ROAD_DISTRICT};

    b.n = b.n > 0 ? b.n : 1;
    b.begin = xcalloc(b.n + 1, sizeof *b.begin);
    for (uint64_t k = 1; k < b.n; k++)
        b.begin[k] = k * ROAD_DISTRICT - ROAD_DISTRICT / 4 +
                     random_below(random, ROAD_DISTRICT / 2);
    b.begin[b.n] = crossings;
    return b;
}

/* Closes streets at one side of a district: those from `from` to `to` of a row
 * or column of `all`, which are `step` crossings apart. Some stay open at
 * random places, at least one, and those at the border of the network. */
static void close_side(uint8_t *closed, uint64_t step, uint8_t way,
                       uint64_t from, uint64_t to, uint64_t all, double bridges,
                       uint64_t *random)
{
    double wanted = bridges * (double)(to - from);
    uint64_t stay =
        (uint64_t)(wanted + (double)(next_random(random) >> 32) * 0x1p-32);

    stay = stay > 0 ? stay : 1;
    for (uint64_t k = from; k < to; k++) {
        bool border = k == 0 || k == all - 1;
        if (border || random_below(random, to - k) < stay)
            stay -= stay > 0;
        else
            closed[k * step] |= way;
    }
}

/* Returns whether a side belongs to the district of a corner. Opposite corners
 * have the longest distance, along the border, which is open. The sides of
 * their districts stay open, so that no detour makes a longer one. */
static bool in_corner(uint64_t line, uint64_t nlines, uint64_t band,
                      uint64_t nbands)
{
    return (line == 1 || line == nlines - 1) &&
           (band == 0 || band == nbands - 1);
}

uint8_t *road_barriers(const struct road_plan *p, double bridges,
                       uint64_t *random)
{
    uint8_t *closed = xcalloc(p->across * p->along, sizeof *closed);

    if (bridges >= 1)
        return closed;

    struct bands x = make_bands(p->across, random);
    struct bands y = make_bands(p->along, random);
    for (uint64_t i = 0; i < y.n; i++)
        for (uint64_t j = 0; j < x.n; j++) {
            if (j > 0 && !in_corner(j, x.n, i, y.n))
                close_side(closed + x.begin[j] - 1, p->across, ROAD_RIGHT,
                           y.begin[i], y.begin[i + 1], p->along, bridges,
                           random);
            if (i > 0 && !in_corner(i, y.n, j, x.n))
                close_side(closed + (y.begin[i] - 1) * p->across, 1, ROAD_DOWN,
                           x.begin[j], x.begin[j + 1], p->across, bridges,
                           random);
        }
    free(x.begin);
    free(y.begin);
    return closed;
}
