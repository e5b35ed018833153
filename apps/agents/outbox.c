/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The channels of a GPU: one for each other GPU that it has found an update
 * for. */
#include "apps/agents/channel.h"

#include "sim/network/engine.h"
#include "apps/agents/execution.h"

#include <stdlib.h>
#include <string.h>

/* Returns the most updates of a channel without a stall. Assumed: each
 * destination has room for a batch that is gathered and one that is in flight;
 * without an aggregator, a put for every thread. */
static uint64_t most_updates(const struct outbox_setup *s)
{
    uint64_t room = 2 * s->x->batch_B;

    if (room < s->threads * s->x->update_B)
        room = s->threads * s->x->update_B;
    return room / s->x->update_B;
}

void outbox_init(struct outbox *b, const struct outbox_setup *setup,
                 uint32_t gpu)
{
    *b = (struct outbox){.setup = setup,
                         .gpu = gpu,
                         .numbers = {.none = UINT32_MAX},
                         .most = most_updates(setup)};
}

void outbox_clear(struct outbox *b)
{
    channel_drop_parcels(b);
    for (uint32_t i = 0; i < b->nchannels; i++) {
        free(b->channels[i]->out.list);
        free(b->channels[i]);
    }
    free(b->channels);
    free(b->fresh);
    free(b->due);
    sparse_clear(&b->numbers);
    memset(b, 0, sizeof *b);
}

/* --- channels ------------------------------------------------------------- */

/* Returns the channel by which updates for this GPU go, as one that has some.
 */
static struct channel *outbox_channel(struct outbox *b, uint32_t to)
{
    bool ring = b->setup->x->forwarding == FORWARDING_RING;
    struct channel *c =
        channel_to(b, ring ? (b->gpu + 1) % b->setup->ngpus : to);

    if (!c->fresh)
        b->fresh[b->nfresh++] = c;
    c->fresh = true;
    return c;
}

void outbox_add(struct outbox *b, uint32_t to, struct update u)
{
    channel_add(outbox_channel(b, to), u);
}

void outbox_add_all(struct outbox *b, const uint32_t *owner,
                    const uint32_t *list, size_t n)
{
    struct channel *c = NULL;
    uint32_t to = 0;

    for (size_t i = 0; i < n; i++) {
        if (!c || owner[list[i]] != to) {
            to = owner[list[i]];
            c = outbox_channel(b, to);
        }
        channel_add(c, (struct update){.v = list[i]});
    }
}

static int by_destination(const void *a, const void *b)
{
    const struct channel *const *x = a, *const *y = b;

    return ((*x)->to > (*y)->to) - ((*x)->to < (*y)->to);
}

/* Sorts the channels by destination, because flushes and exchanges must not
 * depend on the order in which updates were found. */
static void outbox_sort_fresh(struct outbox *b)
{
    uint32_t i = 1;

    while (i < b->nfresh && b->fresh[i - 1]->to < b->fresh[i]->to)
        i++;
    if (i < b->nfresh)
        qsort(b->fresh, b->nfresh, sizeof(struct channel *), by_destination);
}

uint32_t outbox_to(struct outbox *b)
{
    outbox_sort_fresh(b);
    return b->nfresh;
}

struct updates *outbox_waiting(struct outbox *b, uint32_t i, uint32_t *to)
{
    *to = b->fresh[i]->to;
    return &b->fresh[i]->out;
}

void outbox_empty(struct outbox *b)
{
    for (uint32_t i = 0; i < b->nfresh; i++) {
        struct channel *c = b->fresh[i];
        channel_empties(c);
        c->fresh = false;
        c->out.n = 0;
    }
    b->nfresh = 0;
}

bool outbox_is_empty(const struct outbox *b)
{
    for (uint32_t i = 0; i < b->nchannels; i++)
        if (b->channels[i]->out.n)
            return false;
    return true;
}

bool outbox_is_quiet(const struct outbox *b)
{
    return !b->going && outbox_is_empty(b);
}

bool outbox_is_stalled(const struct outbox *b)
{
    const struct outbox_setup *s = b->setup;

    /* It never stalls if the CPU sends, because nobody waits for a copy; nor if
     * every vertex has a place of its own where its updates are added up. */
    if (s->x->control == CONTROL_CPU || s->pack)
        return false;
    return b->under_way > s->threads || b->crowded;
}

/* --- flushing ------------------------------------------------------------- */

/* Adds the channels whose deadline has come to those that are flushed, even if
 * the timer has not fired yet. */
static void outbox_take_due(struct outbox *b)
{
    double now = engine_now(b->setup->engine);

    while (b->due_first < b->ndue && b->due[b->due_first].s <= now) {
        struct due d = b->due[b->due_first++];
        if (d.c->deadline_s > d.s || d.c->fresh)
            continue;
        d.c->fresh = true;
        b->fresh[b->nfresh++] = d.c;
    }
}

void outbox_flush(struct outbox *b)
{
    outbox_take_due(b);
    outbox_sort_fresh(b);
    for (uint32_t i = 0; i < b->nfresh; i++) {
        struct channel *c = b->fresh[i];
        c->fresh = false;
        if (!c->out.n)
            continue;
        channel_expect(c);
        channel_send(c);
    }
    b->nfresh = 0;
}
