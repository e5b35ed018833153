/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels, sectors and misses of a search: by hand, and compared with a cache
 * that shifts a plain array. */
#include "base/random.h"
#include "tests/check.h"
#include "tests/graph_toys.h"
#include "workloads/graph/graph_search.h"

#include <string.h>

/* Tests 0 -> 1, 2, 8; 1 -> 2; 8 -> 9; 9 has no arcs; 3 is not reached. */
static void test_by_hand(void)
{
    const uint32_t tail[] = {0, 0, 0, 1, 8, 3}, head[] = {1, 2, 8, 2, 9, 9};
    struct graph g;
    struct graph_search s;

    graph_from_arcs(&g, 10, tail, head, 6);
    graph_search(&g, &s);
    CHECK_EQ(s.levels, 3);
    CHECK_EQ(s.reached, 5);
    /* 3 of 5 arcs, then those of 1 and 8, then 9 has none. */
    CHECK_NEAR(s.level[0], 0.6, 1e-12);
    CHECK_NEAR(s.level[1], 0.4, 1e-12);
    CHECK_NEAR(s.level[2], 0, 1e-12);
    /* Runs: 0 has {1 2} and {8}, the others one each. */
    CHECK_NEAR(s.runs, 5 / 6., 1e-12);
    /* Sectors: 0 and 1 for 0, 0 for 1, 1 for 8, 1 for 3. */
    CHECK_NEAR(s.sectors, 5 / 6., 1e-12);
    /* 1 and 2 of vertex 0 are near the 2 of vertex 1. */
    CHECK_NEAR(s.similar, 2 / 6., 1e-12);
    /* Caches of 1, 2, 3, 4 of two sectors. By number 0 1 | 0 | 1 | 1: the cache
     * of one keeps the last; by level 0 1 | 0 | 1. */
    CHECK_NEAR(s.misses_by_number[0], 4 / 6., 1e-12);
    CHECK_NEAR(s.misses_by_number[1], 2 / 6., 1e-12);
    CHECK_NEAR(s.misses_by_level[0], 4 / 5., 1e-12);
    CHECK_NEAR(s.misses_by_level[1], 2 / 5., 1e-12);
    graph_search_clear(&s);
    graph_clear(&g);
}

/* Touches a sector of the plain cache, sorted by last use; returns true if it
 * had the sector. */
static bool plain_touch(uint32_t *list, uint32_t *n, uint32_t size, uint32_t s)
{
    uint32_t at = 0;

    while (at < *n && list[at] != s)
        at++;
    bool had = at < *n;
    if (!had && *n < size)
        at = (*n)++;
    else if (!had)
        at = size - 1;
    memmove(list + 1, list, at * sizeof *list);
    list[0] = s;
    return had;
}

static void check_cache(uint32_t sectors, const uint32_t size[GRAPH_CACHES],
                        uint64_t random)
{
    uint32_t list[GRAPH_CACHES][64], n[GRAPH_CACHES] = {0};
    uint64_t misses[GRAPH_CACHES] = {0};
    struct graph_cache c;

    graph_cache_init(&c, sectors, size);
    for (int i = 0; i < 5000; i++) {
        /* Near sectors are more frequent. */
        uint64_t most = 1 + random_below(&random, sectors);
        uint32_t s = (uint32_t)random_below(&random, most);
        graph_cache_touch(&c, s);
        for (int k = 0; k < GRAPH_CACHES; k++)
            misses[k] += !plain_touch(list[k], &n[k], size[k], s);
    }
    CHECK_EQ(c.touches, 5000);
    for (int k = 0; k < GRAPH_CACHES; k++) {
        CHECK(misses[k] > 0);
        CHECK_EQ(c.misses[k], misses[k]);
    }
    graph_cache_clear(&c);
}

static void test_against_plain(void)
{
    check_cache(60, (const uint32_t[]){1, 2, 3, 4}, 1);
    check_cache(60, (const uint32_t[]){1, 7, 15, 40}, 2);
    check_cache(60, (const uint32_t[]){30, 40, 59, 60}, 3);
    check_cache(9, (const uint32_t[]){1, 4, 9, 20}, 4);
    check_cache(1, (const uint32_t[]){1, 2, 3, 4}, 5);
}

/* A grid in order touches few sectors per arc; numbered at random nearly
 * one. */
static void test_locality(void)
{
    struct graph g = make_graph("road:vertices=9000,arcs=22000,diameter=160");
    struct graph_search s, r;

    graph_search(&g, &s);
    graph_clear(&g);
    g = make_graph("uniform:vertices=9000,arcs=22000");
    graph_search(&g, &r);
    CHECK_EQ(s.reached, 9000);
    CHECK(s.sectors < 0.95 && r.sectors > 0.99);
    CHECK(s.misses_by_number[1] < r.misses_by_number[1] / 2);
    for (int k = 1; k < GRAPH_CACHES; k++)
        CHECK(r.misses_by_level[k] < r.misses_by_level[k - 1]);
    graph_search_clear(&s);
    graph_search_clear(&r);
    graph_clear(&g);
}

static void test_empty(void)
{
    struct graph g;
    struct graph_search s;

    graph_from_arcs(&g, 3, NULL, NULL, 0);
    graph_search(&g, &s);
    CHECK_EQ(s.levels, 1);
    CHECK_NEAR(s.sectors, 0, 0);
    graph_search_clear(&s);
    graph_clear(&g);
}

int main(void)
{
    test_by_hand();
    test_against_plain();
    test_locality();
    test_empty();
    return check_result();
}
