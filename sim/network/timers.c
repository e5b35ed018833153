/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timers in lanes of equal delay, and a heap of those of other delays. */
#include "sim/network/timers.h"

#include "base/err.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- lanes ---------------------------------------------------------------- */

static struct timer_lane *timers_lane(struct timers *q, double delay)
{
    uint64_t bits;

    memcpy(&bits, &delay, sizeof bits);
    bits *= 0x9e3779b97f4a7c15u;
    return &q->lanes[bits >> 58];
}

/* Returns whether the lane is for this delay: it was already, or it is empty
 * and the delay recurs. */
static bool lane_takes(struct timer_lane *l, double delay)
{
    if (l->room && l->delay == delay)
        return true;
    if (l->n || l->seen != delay) {
        l->seen = delay;
        return false;
    }
    l->seen = l->delay;
    l->delay = delay;
    return true;
}

static void lane_grow(struct timer_lane *l)
{
    uint32_t room = l->room ? 2 * l->room : 16;
    struct timer *ring = xmalloc(room * sizeof *ring);

    for (uint32_t i = 0; i < l->n; i++)
        ring[i] = l->ring[(l->first + i) & (l->room - 1)];
    free(l->ring);
    l->ring = ring;
    l->first = 0;
    l->room = room;
}

static bool head_before(const struct timer_head *a, const struct timer_head *b)
{
    return a->time < b->time || (a->time == b->time && a->seq < b->seq);
}

static void heads_up(struct timers *q, struct timer_head h)
{
    uint32_t i = q->nheads++;

    for (; i > 0 && head_before(&h, &q->heads[(i - 1) / 2]); i = (i - 1) / 2)
        q->heads[i] = q->heads[(i - 1) / 2];
    q->heads[i] = h;
}

/* Puts h in the place of the first. */
static void heads_down(struct timers *q, struct timer_head h)
{
    uint32_t i = 0;

    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= q->nheads)
            break;
        if (child + 1 < q->nheads &&
            head_before(&q->heads[child + 1], &q->heads[child]))
            child++;
        if (!head_before(&q->heads[child], &h))
            break;
        q->heads[i] = q->heads[child];
        i = child;
    }
    q->heads[i] = h;
}

static struct timer lanes_pop(struct timers *q)
{
    uint32_t lane = q->heads[0].lane;
    struct timer_lane *l = &q->lanes[lane];
    struct timer first = l->ring[l->first];

    l->first = (l->first + 1) & (l->room - 1);
    if (--l->n) {
        const struct timer *next = &l->ring[l->first];
        heads_down(q, (struct timer_head){next->time, next->seq, lane});
    } else if (--q->nheads) {
        heads_down(q, q->heads[q->nheads]);
    }
    return first;
}

/* --- other delays --------------------------------------------------------- */

static bool timer_before(const struct timer *a, const struct timer *b)
{
    return a->time < b->time || (a->time == b->time && a->seq < b->seq);
}

static void others_add(struct timers *q, struct timer t)
{
    size_t i = q->nothers++;

    if (q->nothers > q->others_room) {
        q->others_room = 2 * q->nothers + 64;
        q->others = xrealloc(q->others, q->others_room, sizeof *q->others);
    }
    for (; i > 0 && timer_before(&t, &q->others[(i - 1) / 2]); i = (i - 1) / 2)
        q->others[i] = q->others[(i - 1) / 2];
    q->others[i] = t;
}

static struct timer others_pop(struct timers *q)
{
    struct timer first = q->others[0], last = q->others[--q->nothers];
    size_t i = 0;

    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= q->nothers)
            break;
        if (child + 1 < q->nothers &&
            timer_before(&q->others[child + 1], &q->others[child]))
            child++;
        if (!timer_before(&q->others[child], &last))
            break;
        q->others[i] = q->others[child];
        i = child;
    }
    q->others[i] = last;
    return first;
}

/* --- the interface -------------------------------------------------------- */

void timers_add(struct timers *q, double now, double delay, uint64_t seq,
                void (*fn)(void *), void *arg)
{
    struct timer t = {now + delay, seq, fn, arg};
    struct timer_lane *l = timers_lane(q, delay);

    if (!lane_takes(l, delay)) {
        others_add(q, t);
        return;
    }
    if (l->n == l->room)
        lane_grow(l);
    l->ring[(l->first + l->n) & (l->room - 1)] = t;
    if (l->n++ == 0)
        heads_up(q, (struct timer_head){t.time, seq, (uint32_t)(l - q->lanes)});
}

/* Returns whether the first of all timers is one of the heap. */
static bool timers_other_first(const struct timers *q)
{
    const struct timer_head *h = q->heads; /* perhaps none */
    const struct timer *o = q->others;

    return q->nothers && (!q->nheads || o->time < h->time ||
                          (o->time == h->time && o->seq < h->seq));
}

double timers_first(const struct timers *q)
{
    double first = q->nheads ? q->heads[0].time : INFINITY;

    return q->nothers && q->others[0].time < first ? q->others[0].time : first;
}

struct timer timers_pop(struct timers *q)
{
    return timers_other_first(q) ? others_pop(q) : lanes_pop(q);
}

size_t timers_count(const struct timers *q)
{
    size_t n = q->nothers;

    for (size_t i = 0; i < TIMER_LANES; i++)
        n += q->lanes[i].n;
    return n;
}

static int timers_in_order(const void *a, const void *b)
{
    return timer_before(a, b) ? -1 : 1;
}

void timers_list(const struct timers *q, struct timer *list)
{
    size_t n = 0;

    for (size_t i = 0; i < q->nothers; i++)
        list[n++] = q->others[i];
    for (size_t i = 0; i < TIMER_LANES; i++) {
        const struct timer_lane *l = &q->lanes[i];
        for (uint32_t k = 0; k < l->n; k++)
            list[n++] = l->ring[(l->first + k) & (l->room - 1)];
    }
    qsort(list, n, sizeof *list, timers_in_order);
}

void timers_clear(struct timers *q)
{
    for (size_t i = 0; i < TIMER_LANES; i++)
        free(q->lanes[i].ring);
    free(q->others);
    memset(q, 0, sizeof *q);
}
