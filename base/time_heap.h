/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_heap.h - a heap of identifiers with keys, the least key first. Each
 * identifier is there at most once, and its key can be changed; if keys are
 * equal, the lower number is first. */
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
    uint32_t *where; /* place of each id plus 1; 0 if it is not there */
    uint32_t where_room;
};

void time_heap_clear(struct time_heap *h);
/* Adds id, or changes its key. Equal keys are ordered by `order`, which must be
 * the same in every call for an id, then by id. */
void time_heap_set_in_order(struct time_heap *h, uint32_t id, uint32_t order,
                            double key);
/* Does the same with id as order. */
void time_heap_set(struct time_heap *h, uint32_t id, double key);
void time_heap_remove(struct time_heap *h, uint32_t id); /* if it is there */
/* Removes the identifier with the least key and returns it; the heap must not
 * be empty, neither here nor in time_heap_first(). */
uint32_t time_heap_pop(struct time_heap *h);

static inline double time_heap_first(const struct time_heap *h)
{
    return h->items[0].key;
}

#endif
