/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps equal lists of ranks once, in a hash table with open addressing. */
#include "workloads/trace/rank_lists.h"

#include "base/digest.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_ranks(const uint32_t *ranks, uint32_t n)
{
    uint64_t h = DIGEST_OF_NOTHING ^ n;

    for (uint32_t i = 0; i < n; i++)
        h = digest_word(h, ranks[i]);
    return h ^ h >> 29;
}

static void rank_lists_grow(struct rank_lists *l)
{
    free(l->table);
    l->room = l->room ? 2 * l->room : 64;
    l->table = xmalloc(l->room * sizeof *l->table);
    memset(l->table, 0xff, l->room * sizeof *l->table);
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t at = (uint32_t)l->items[i].hash & (l->room - 1);
        while (l->table[at] != NO_LIST)
            at = (at + 1) & (l->room - 1);
        l->table[at] = i;
    }
}

static uint32_t rank_list_new(struct rank_lists *l, const struct trace *t,
                              uint64_t hash, const uint32_t *ranks, uint32_t n)
{
    struct rank_list list = {.hash = hash, .n = n, .known = NO_LIST};

    list.ranks = xmalloc(n * sizeof *list.ranks);
    memcpy(list.ranks, ranks, n * sizeof *list.ranks);
    for (uint32_t i = 0; i < n; i++)
        list.missing |= t->rank[ranks[i]].missing;
    if ((l->n & (l->n - 1)) == 0)
        l->items = xrealloc(l->items, l->n ? 2 * l->n : 1, sizeof *l->items);
    l->items[l->n] = list;
    return l->n++;
}

uint32_t rank_lists_of(struct rank_lists *l, const struct trace *t,
                       const uint32_t *ranks, uint32_t n)
{
    uint64_t hash = hash_ranks(ranks, n);

    if (l->n >= l->room / 2)
        rank_lists_grow(l);
    uint32_t at = (uint32_t)hash & (l->room - 1);
    for (; l->table[at] != NO_LIST; at = (at + 1) & (l->room - 1)) {
        const struct rank_list *list = &l->items[l->table[at]];
        if (list->hash == hash && list->n == n &&
            !memcmp(list->ranks, ranks, n * sizeof *ranks))
            return l->table[at];
    }
    return l->table[at] = rank_list_new(l, t, hash, ranks, n);
}

void rank_lists_clear(struct rank_lists *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        free(l->items[i].ranks);
    free(l->items);
    free(l->table);
    *l = (struct rank_lists){0};
}
