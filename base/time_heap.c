/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A binary heap of keyed identifiers whose keys can be changed or removed. */
#include "base/time_heap.h"

#include "base/err.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void time_heap_clear(struct time_heap *h)
{
    free(h->items);
    free(h->where);
    memset(h, 0, sizeof *h);
}

static bool before(struct time_heap_item a, struct time_heap_item b)
{
    if (a.key != b.key)
        return a.key < b.key;
    return a.order < b.order || (a.order == b.order && a.id < b.id);
}

static void time_heap_put(struct time_heap *h, uint32_t i,
                          struct time_heap_item item)
{
    h->items[i] = item;
    h->where[item.id] = i + 1;
}

static void up(struct time_heap *h, uint32_t i)
{
    struct time_heap_item item = h->items[i];

    for (; i > 0 && before(item, h->items[(i - 1) / 2]); i = (i - 1) / 2)
        time_heap_put(h, i, h->items[(i - 1) / 2]);
    time_heap_put(h, i, item);
}

static void down(struct time_heap *h, uint32_t i)
{
    struct time_heap_item item = h->items[i];

    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= h->n)
            break;
        if (child + 1 < h->n && before(h->items[child + 1], h->items[child]))
            child++;
        if (!before(h->items[child], item))
            break;
        time_heap_put(h, i, h->items[child]);
        i = child;
    }
    time_heap_put(h, i, item);
}

void time_heap_set(struct time_heap *h, uint32_t id, double key)
{
    time_heap_set_in_order(h, id, id, key);
}

void time_heap_set_in_order(struct time_heap *h, uint32_t id, uint32_t order,
                            double key)
{
    if (id >= h->where_room) {
        uint32_t room = 2 * id + 64;
        h->where = xrealloc(h->where, room, sizeof *h->where);
        memset(&h->where[h->where_room], 0,
               (room - h->where_room) * sizeof *h->where);
        h->where_room = room;
    }
    if (!h->where[id]) {
        if (h->n == h->room) {
            h->room = h->room ? 2 * h->room : 64;
            h->items = xrealloc(h->items, h->room, sizeof *h->items);
        }
        time_heap_put(h, h->n++, (struct time_heap_item){key, order, id});
        up(h, h->n - 1);
        return;
    }
    uint32_t i = h->where[id] - 1;
    h->items[i].key = key;
    up(h, i);
    down(h, h->where[id] - 1);
}

void time_heap_remove(struct time_heap *h, uint32_t id)
{
    if (id >= h->where_room || !h->where[id])
        return;
    uint32_t i = h->where[id] - 1;
    struct time_heap_item last = h->items[--h->n];
    h->where[id] = 0;
    if (last.id == id)
        return;
    time_heap_put(h, i, last);
    up(h, i);
    down(h, h->where[last.id] - 1);
}

uint32_t time_heap_pop(struct time_heap *h)
{
    assert(h->n);
    uint32_t id = h->items[0].id;

    time_heap_remove(h, id);
    return id;
}
