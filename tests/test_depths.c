/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The depths that GPUs know, in all representations, compared with one plain
 * array for each GPU. */
#include "apps/agents/depths.h"
#include "base/random.h"
#include "tests/check.h"

#include <stdlib.h>

enum { N = 3000, MOST_GPUS = 40 };

/* Returns a graph of which only the number of arcs matters. */
static struct graph sized(uint64_t *first, uint64_t arcs)
{
    first[N] = arcs;
    return (struct graph){.n = N, .first = first};
}

static void compare(const struct depths *d, uint32_t want[MOST_GPUS][N])
{
    for (uint32_t g = 0; g < d->ngpus; g++)
        for (uint32_t v = 0; v < N; v++)
            CHECK(depths_get(d, g, v) == want[g][v]);
}

/* Sets depths that rise up to `deepest`, and compares. */
static void random_depths(uint64_t arcs, uint32_t ngpus, uint32_t deepest,
                          enum depths_kind first_kind, enum depths_kind kind)
{
    static uint32_t want[MOST_GPUS][N], part[N];
    static uint64_t first[N + 1];
    struct graph g = sized(first, arcs);
    struct depths d;
    uint64_t state = ngpus + deepest;

    for (uint32_t v = 0; v < N; v++)
        part[v] = v % ngpus;
    for (uint32_t gpu = 0; gpu < ngpus; gpu++)
        for (uint32_t v = 0; v < N; v++)
            want[gpu][v] = UINT32_MAX;
    depths_init(&d, &g, part, ngpus);
    CHECK(d.kind == first_kind);
    compare(&d, want);
    for (uint32_t i = 0; i <= 20000; i++) {
        uint32_t gpu = (uint32_t)(next_random(&state) % ngpus);
        uint32_t v = (uint32_t)(next_random(&state) % N);
        uint32_t depth = (uint32_t)((uint64_t)deepest * i / 20000);
        depths_reach(&d, depth);
        CHECK(depths_above(&d, d.kind, gpu, v, depth) ==
              (want[gpu][v] > depth));
        depths_set(&d, gpu, v, depth);
        want[gpu][v] = depth;
    }
    CHECK(d.kind == kind);
    compare(&d, want);
    depths_clear(&d);
}

int main(void)
{
    /* With few GPUs relative to the arcs, a depth has as many bytes as the
     * deepest needs, whose largest number means unknown. */
    random_depths(16 * N, 4, 254, DEPTHS_8, DEPTHS_8);
    random_depths(16 * N, 4, 255, DEPTHS_8, DEPTHS_16);
    random_depths(16 * N, 36, 65534, DEPTHS_8, DEPTHS_16);
    random_depths(16 * N, 1, 65535, DEPTHS_8, DEPTHS_32);
    random_depths(2 * N, 8, 4000000000u, DEPTHS_8, DEPTHS_32);
    /* There are many GPUs. */
    random_depths(2 * N, 9, 4000000000u, DEPTHS_SPARSE, DEPTHS_SPARSE);
    random_depths(16 * N, 37, 70000, DEPTHS_SPARSE, DEPTHS_SPARSE);
    return check_result();
}
