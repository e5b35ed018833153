/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the requests of a rank of a time-independent trace by their names. */
#include "workloads/trace/ti_requests.h"

#include "base/err.h"
#include "sim/transport/match.h"

#include <stdlib.h>
#include <string.h>

/* Links are numbers in the list, 1 more; 0: none. */
struct ti_request {
    uint32_t src, dst, tag;
    uint32_t next;         /* of its chain; of a free one: of those */
    uint32_t older, newer; /* of all */
    uint64_t id;
};

static size_t ti_chain(const struct ti_requests *r, uint32_t src, uint32_t dst,
                       uint32_t tag)
{
    uint64_t h = src * UINT64_C(0x9e3779b97f4a7c15);

    h = (h ^ dst) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ tag) * UINT64_C(0x94d049bb133111eb);
    return (size_t)(h >> 32) & (r->nchains - 1);
}

static bool ti_request_is_wild(const struct ti_request *q)
{
    return q->src == ANY_RANK || q->tag == ANY_TAG;
}

static void ti_chain_append(struct ti_requests *r, uint32_t number)
{
    struct ti_request *q = &r->list[number - 1];
    uint32_t *ends = &r->chains[2 * ti_chain(r, q->src, q->dst, q->tag)];

    q->next = 0;
    if (ends[0])
        r->list[ends[1] - 1].next = number;
    else
        ends[0] = number;
    ends[1] = number;
}

/* Twice the room; the chains anew, oldest first. */
static void ti_requests_grow(struct ti_requests *r)
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
        ti_chain_append(r, i);
}

void ti_requests_add(struct ti_requests *r, uint32_t src, uint32_t dst,
                     uint32_t tag, uint64_t id)
{
    if (!r->free)
        ti_requests_grow(r);
    uint32_t number = r->free;
    struct ti_request *q = &r->list[number - 1];

    r->free = q->next;
    *q = (struct ti_request){
        .src = src, .dst = dst, .tag = tag, .older = r->newest, .id = id};
    if (r->newest)
        r->list[r->newest - 1].newer = number;
    else
        r->oldest = number;
    r->newest = number;
    ti_chain_append(r, number);
    r->wild += ti_request_is_wild(q);
    r->n++;
}

/* Behind `before` of its chain; 0: it is the first. */
static void ti_chain_remove(struct ti_requests *r, uint32_t number,
                            uint32_t before)
{
    struct ti_request *q = &r->list[number - 1];
    uint32_t *ends = &r->chains[2 * ti_chain(r, q->src, q->dst, q->tag)];

    if (before)
        r->list[before - 1].next = q->next;
    else
        ends[0] = q->next;
    if (ends[1] == number)
        ends[1] = before;
}

static uint64_t ti_requests_remove(struct ti_requests *r, uint32_t number,
                                   uint32_t before)
{
    struct ti_request *q = &r->list[number - 1];

    ti_chain_remove(r, number, before);
    if (q->older)
        r->list[q->older - 1].newer = q->newer;
    else
        r->oldest = q->newer;
    if (q->newer)
        r->list[q->newer - 1].older = q->older;
    else
        r->newest = q->older;
    r->wild -= ti_request_is_wild(q);
    r->n--;
    q->next = r->free;
    r->free = number;
    return q->id;
}

/* A receive from anyone is waited for by the name of what it got. */
static uint32_t ti_requests_find_wild(const struct ti_requests *r, uint32_t src,
                                      uint32_t dst, uint32_t tag)
{
    for (uint32_t i = r->oldest; r->wild && i; i = r->list[i - 1].newer) {
        const struct ti_request *q = &r->list[i - 1];
        if (ti_request_is_wild(q) && q->dst == dst &&
            (q->src == src || q->src == ANY_RANK) &&
            (q->tag == tag || q->tag == ANY_TAG))
            return i;
    }
    return 0;
}

bool ti_requests_take(struct ti_requests *r, uint32_t src, uint32_t dst,
                      uint32_t tag, uint64_t *id)
{
    uint32_t before = 0;

    if (!r->n)
        return false;
    uint32_t i = r->chains[2 * ti_chain(r, src, dst, tag)];
    for (; i; before = i, i = r->list[i - 1].next) {
        const struct ti_request *q = &r->list[i - 1];
        if (q->src != src || q->dst != dst || q->tag != tag)
            continue;
        *id = ti_requests_remove(r, i, before);
        return true;
    }
    uint32_t found = ti_requests_find_wild(r, src, dst, tag);
    if (!found)
        return false;
    const struct ti_request *q = &r->list[found - 1];
    before = 0;
    for (i = r->chains[2 * ti_chain(r, q->src, q->dst, q->tag)]; i != found;
         i = r->list[i - 1].next)
        before = i;
    *id = ti_requests_remove(r, found, before);
    return true;
}

size_t ti_requests_take_all(struct ti_requests *r, const uint64_t **ids)
{
    size_t n = r->n, at = 0;

    if (n > r->ids_room) {
        r->ids_room = r->room;
        r->ids = xrealloc(r->ids, r->ids_room, sizeof *r->ids);
    }
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

void ti_requests_clear(struct ti_requests *r)
{
    free(r->list);
    free(r->chains);
    free(r->ids);
    *r = (struct ti_requests){0};
}
