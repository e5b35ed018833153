/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws queues of messages and receives that are to be matched. */
#include "workloads/match_draw.h"

/* Draws a number by xorshift64*, whose high half is random enough for
 * shuffling. */
static uint32_t draw_below(uint64_t *state, uint32_t below)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * 0x2545f4914f6cdd1dull >> 32) * below >> 32);
}

static void draw_swap(struct match_envelope *a, struct match_envelope *b)
{
    struct match_envelope swapped = *a;

    *a = *b;
    *b = swapped;
}

static void draw_shuffle(struct match_envelope *e, uint32_t n, uint64_t *state)
{
    for (uint32_t i = n; i > 1; i--)
        draw_swap(&e[i - 1], &e[draw_below(state, i)]);
}

/* Draws messages and receives; those of one number match. Tags from `tags` on
 * belong to the lost ones: nothing on the other side has them. */
static void draw_pairs(struct match_envelope *messages,
                       struct match_envelope *receives,
                       const struct match_draw *d, uint64_t *state)
{
    for (uint32_t i = 0; i < d->length; i++) {
        messages[i].src = i % d->ranks;
        messages[i].tag = draw_below(state, d->tags);
        if (i >= d->length - d->equal)
            messages[i] = (struct match_envelope){0, 0};
        receives[i] = messages[i];
        if (i < d->lost) {
            messages[i].tag += d->tags;
            receives[i].tag += 2 * d->tags;
        } else if (i - d->lost < d->wild && draw_below(state, 2)) {
            receives[i].src = MATCH_ANY;
        } else if (i - d->lost < d->wild) {
            receives[i].tag = MATCH_ANY;
        }
    }
}

void match_draw_fill(struct match_envelope *messages,
                     struct match_envelope *receives,
                     const struct match_draw *d)
{
    uint64_t state = d->seed * 0xd1342543de82ef95ull + 0x9e3779b97f4a7c15ull;

    draw_pairs(messages, receives, d, &state);
    uint64_t again = state;
    draw_shuffle(messages, d->length, &state);
    draw_shuffle(receives, d->length,
                 d->order == MATCH_ORDER_RANDOM ? &state : &again);
    for (uint32_t i = 0; i < d->length / 2 && d->order == MATCH_ORDER_BACK; i++)
        draw_swap(&receives[i], &receives[d->length - 1 - i]);
}
