/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timers end in order of time, and at one time in order of the calls, for any
 * mixture of delays. */
#include "sim/network/timers.h"
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>

static uint64_t state;

static unsigned below(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

static void nothing(void *arg)
{
    (void)arg;
}

/* Draws delays from `usual` values, which are more than there are lanes or few;
 * one in `rare` is another value, and some are zero. Compares the order with a
 * search through a plain list, in which at most `most` timers wait. */
static void in_order(unsigned usual, unsigned rare, unsigned most)
{
    enum { N = 20000 };
    struct timers q = {0};
    struct timer *list = malloc(N * sizeof *list);
    size_t there = 0, wrong = 0;
    uint64_t seq = 0;
    double now = 0;

    while (seq < N || there) {
        if (seq < N && there < most && below(2)) {
            double delay =
                below(rare) ? below(usual) * 0.1 : below(1000) * 1e-3;
            list[there++] = (struct timer){now + delay, seq, NULL, NULL};
            timers_add(&q, now, delay, seq++, nothing, NULL);
            continue;
        }
        if (!there)
            continue;
        size_t first = 0;
        for (size_t i = 1; i < there; i++)
            if (list[i].time < list[first].time ||
                (list[i].time == list[first].time &&
                 list[i].seq < list[first].seq))
                first = i;
        wrong += timers_first(&q) != list[first].time;
        struct timer t = timers_pop(&q);
        wrong += t.time != list[first].time || t.seq != list[first].seq;
        now = t.time;
        list[first] = list[--there];
    }
    CHECK_EQ(wrong, 0);
    CHECK(isinf(timers_first(&q)));
    timers_clear(&q);
    free(list);
}

int main(void)
{
    state = 1;
    in_order(3, 1000, 500);
    in_order(10, 4, 100);
    in_order(200, 2, 300);
    in_order(1, 1, 50);
    return check_result();
}
