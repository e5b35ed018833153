/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_heap.h - the least key first, of few identified by number, each at most
 * once; keys can be changed. Equal keys: the lower number first. */
#ifndef BASE_TIME_HEAP_H
#define BASE_TIME_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct time_heap {
    struct time_heap_item {
        double key;
        uint32_t order, id;
    } * items;
    uint32_t n, room;
    uint32_t *where; /* of each id: its place + 1, 0: not there */
    uint32_t where_room;
};

void time_heap_clear(struct time_heap *h);
/* Puts id in, or changes its key. Equal keys go by `order`, the same in every
 * call for an id, then by id. */
void time_heap_set_in_order(struct time_heap *h, uint32_t id, uint32_t order,
                            double key);
/* By id alone. */
void time_heap_set(struct time_heap *h, uint32_t id, double key);
void time_heap_remove(struct time_heap *h, uint32_t id); /* if it is there */
uint32_t time_heap_pop(struct time_heap *h);

static inline double time_heap_first(const struct time_heap *h)
{
    return h->items[0].key;
}

#endif
