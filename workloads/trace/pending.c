/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the requests of a rank of a trace by keys of three numbers. */
#include "workloads/trace/pending.h"

#include "base/err.h"
#include "sim/transport/match.h"

#include <stdlib.h>
#include <string.h>

/* One request. Links are positions in the list plus 1, and 0 for none. */
struct pending_one {
    uint32_t src, dst, tag;
    uint32_t next; /* next of its chain, or of the free entries */
    /* Neighbours in the order in which they were added. */
    uint32_t older, newer;
    uint64_t id;
};

static size_t pending_chain(const struct pending *r, uint32_t src, uint32_t dst,
                            uint32_t tag)
{
    uint64_t h = src * UINT64_C(0x9e3779b97f4a7c15);

    h = (h ^ dst) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ tag) * UINT64_C(0x94d049bb133111eb);
    return (size_t)(h >> 32) & (r->nchains - 1);
}

static bool pending_is_wild(const struct pending_one *q)
{
    return q->src == ANY_RANK || q->tag == ANY_TAG;
}

static void pending_append(struct pending *r, uint32_t number)
{
    struct pending_one *q = &r->list[number - 1];
    uint32_t *ends = &r->chains[2 * pending_chain(r, q->src, q->dst, q->tag)];

    q->next = 0;
    if (ends[0])
        r->list[ends[1] - 1].next = number;
    else
        ends[0] = number;
    ends[1] = number;
}

/* Doubles the room, and links the chains anew, the oldest first. */
static void pending_grow(struct pending *r)
{
    size_t room = r->room ? 2 * r->room : 16;

    r->list = xrealloc(r->list, room, sizeof *r->list);
    for (size_t i = room; i-- > r->room;) {
        r->list[i].next = r->free;
        r->free = (uint32_t)i + 1;
    }
    r->room = room;
    r->nchains = room;
    free(r->chains);
    r->chains = xcalloc(2 * r->nchains, sizeof *r->chains);
    for (uint32_t i = r->oldest; i; i = r->list[i - 1].newer)
        pending_append(r, i);
}

void pending_add(struct pending *r, uint32_t src, uint32_t dst, uint32_t tag,
                 uint64_t id)
{
    if (!r->free)
        pending_grow(r);
    uint32_t number = r->free;
    struct pending_one *q = &r->list[number - 1];

    r->free = q->next;
    *q = (struct pending_one){
        .src = src, .dst = dst, .tag = tag, .older = r->newest, .id = id};
    if (r->newest)
        r->list[r->newest - 1].newer = number;
    else
        r->oldest = number;
    r->newest = number;
    pending_append(r, number);
    r->wild += pending_is_wild(q);
    r->n++;
}

/* Removes a request from its chain; `before` is the one before it, 0 if it is
 * the first. */
static void pending_unchain(struct pending *r, uint32_t number, uint32_t before)
{
    struct pending_one *q = &r->list[number - 1];
    uint32_t *ends = &r->chains[2 * pending_chain(r, q->src, q->dst, q->tag)];

    if (before)
        r->list[before - 1].next = q->next;
    else
        ends[0] = q->next;
    if (ends[1] == number)
        ends[1] = before;
}

static uint64_t pending_remove(struct pending *r, uint32_t number,
                               uint32_t before)
{
    struct pending_one *q = &r->list[number - 1];

    pending_unchain(r, number, before);
    if (q->older)
        r->list[q->older - 1].newer = q->newer;
    else
        r->oldest = q->newer;
    if (q->newer)
        r->list[q->newer - 1].older = q->older;
    else
        r->newest = q->older;
    r->wild -= pending_is_wild(q);
    r->n--;
    q->next = r->free;
    r->free = number;
    return q->id;
}

/* Finds the oldest receive with a wildcard that fits, because a wait for it
 * names the message that it got. */
static uint32_t pending_find_wild(const struct pending *r, uint32_t src,
                                  uint32_t dst, uint32_t tag)
{
    for (uint32_t i = r->oldest; r->wild && i; i = r->list[i - 1].newer) {
        const struct pending_one *q = &r->list[i - 1];
        if (pending_is_wild(q) && q->dst == dst &&
            (q->src == src || q->src == ANY_RANK) &&
            (q->tag == tag || q->tag == ANY_TAG))
            return i;
    }
    return 0;
}

/* Returns the request before this one in its chain; 0 if it is the first. */
static uint32_t pending_before(const struct pending *r, uint32_t number)
{
    const struct pending_one *q = &r->list[number - 1];
    uint32_t i = r->chains[2 * pending_chain(r, q->src, q->dst, q->tag)];
    uint32_t before = 0;

    for (; i != number; i = r->list[i - 1].next)
        before = i;
    return before;
}

bool pending_take(struct pending *r, uint32_t src, uint32_t dst, uint32_t tag,
                  uint64_t *id)
{
    uint32_t before = 0;

    if (!r->n)
        return false;
    uint32_t i = r->chains[2 * pending_chain(r, src, dst, tag)];
    for (; i; before = i, i = r->list[i - 1].next) {
        const struct pending_one *q = &r->list[i - 1];
        if (q->src != src || q->dst != dst || q->tag != tag)
            continue;
        *id = pending_remove(r, i, before);
        return true;
    }
    uint32_t found = pending_find_wild(r, src, dst, tag);
    if (found)
        *id = pending_remove(r, found, pending_before(r, found));
    return found != 0;
}

static void pending_ids_room(struct pending *r)
{
    if (r->n <= r->ids_room)
        return;
    r->ids_room = r->room;
    r->ids = xrealloc(r->ids, r->ids_room, sizeof *r->ids);
}

static bool pending_in_list(const struct pending_one *q, uint64_t address,
                            uint64_t each_B, uint64_t n)
{
    uint64_t behind = ((uint64_t)q->dst << 32 | q->src) - address;

    return !q->tag && behind % each_B == 0 && behind / each_B < n;
}

size_t pending_take_list(struct pending *r, uint64_t address, uint64_t each_B,
                         uint64_t n, const uint64_t **ids)
{
    size_t found = 0;

    if (ids)
        pending_ids_room(r);
    for (uint32_t i = r->oldest, next; i; i = next) {
        next = r->list[i - 1].newer;
        if (!pending_in_list(&r->list[i - 1], address, each_B, n))
            continue;
        if (ids)
            r->ids[found] = pending_remove(r, i, pending_before(r, i));
        found++;
    }
    if (ids)
        *ids = r->ids;
    return found;
}

size_t pending_take_oldest(struct pending *r, uint64_t address, uint64_t each_B,
                           uint64_t n, uint64_t *id)
{
    for (uint32_t i = r->oldest; i; i = r->list[i - 1].newer)
        if (pending_in_list(&r->list[i - 1], address, each_B, n)) {
            *id = pending_remove(r, i, pending_before(r, i));
            return 1;
        }
    return 0;
}

size_t pending_take_all(struct pending *r, const uint64_t **ids)
{
    size_t n = r->n, at = 0;

    pending_ids_room(r);
    for (uint32_t i = r->oldest; i; i = r->list[i - 1].newer)
        r->ids[at++] = r->list[i - 1].id;
    *ids = r->ids;
    r->n = r->wild = 0;
    r->oldest = r->newest = r->free = 0;
    for (size_t i = r->room; i-- > 0;) {
        r->list[i].next = r->free;
        r->free = (uint32_t)i + 1;
    }
    if (r->chains)
        memset(r->chains, 0, 2 * r->nchains * sizeof *r->chains);
    return n;
}

void pending_clear(struct pending *r)
{
    free(r->list);
    free(r->chains);
    free(r->ids);
    *r = (struct pending){0};
}
