/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a traversal that are stored for its timeline. */
#include "apps/agents/traverse_trace.h"
#include "tests/check.h"

#include <stdbool.h>

static const struct task_trace_tracks tracks = {6, 2};

static void numbers(void)
{
    uint32_t n = 0;

    for (enum track_kind kind = TRACK_STEPS; kind <= TRACK_HOST; kind++) {
        bool pair = kind == TRACK_GPUS || kind == TRACK_NODES;
        uint32_t most = kind == TRACK_NODES ? tracks.nodes : tracks.ngpus;
        for (uint32_t from = 0; from < most; from++)
            for (uint32_t to = pair ? 0 : from; to < (pair ? most : from + 1);
                 to++) {
                struct track k = track_of_number(
                    &tracks,
                    track_number(&tracks, (struct track){kind, from, to}));
                CHECK_EQ(track_number(&tracks, k), n++);
                CHECK_EQ(k.kind, kind);
                CHECK_EQ(k.from, from);
                CHECK_EQ(k.to, to);
            }
    }
}

static struct task_trace_event event(uint32_t track, double from_s, double to_s)
{
    return (struct task_trace_event){from_s, to_s, track, 1, 10, 20};
}

/* Steps that overlap are merged within a time; transfers are not, nor are steps
 * on another track. */
static void overlapping_steps(void)
{
    struct task_trace *t = task_trace_new(tracks, 100, 4e-6);
    uint32_t channel = track_number(&tracks, (struct track){TRACK_GPUS, 1, 2});

    task_trace_add(t, event(0, 0, 2e-6));
    task_trace_add(t, event(0, 1e-6, 3e-6));
    task_trace_add(t, event(1, 1e-6, 3e-6));
    task_trace_add(t, event(0, 3e-6, 5e-6));
    task_trace_add(t, event(channel, 0, 1e-6));
    task_trace_add(t, event(channel, 1e-6, 2e-6));
    CHECK_EQ(t->n, 5);
    CHECK_EQ(t->events[0].n, 2);
    CHECK_EQ(t->events[0].amount, 20);
    CHECK_EQ(t->events[0].more, 40);
    CHECK_NEAR(t->events[0].to_s, 3e-6, 0);
    CHECK_NEAR(t->merged_s, 0, 0);
    task_trace_free(t);
}

/* There are many more events than room: nothing is lost, and none is longer
 * than the reported bound. */
static void bounded(void)
{
    struct task_trace *t = task_trace_new(tracks, 100, 0);
    uint64_t n = 0, amount = 0;
    double longest = 0;

    for (int i = 0; i < 10000; i++) {
        task_trace_add(t, event((uint32_t)i % 5, i * 1e-6, i * 1e-6 + 4e-6));
        CHECK(t->n <= 100);
    }
    for (size_t i = 0; i < t->n; i++) {
        n += t->events[i].n;
        amount += t->events[i].amount;
        longest = fmax(longest, t->events[i].to_s - t->events[i].from_s);
    }
    CHECK_EQ(n, 10000);
    CHECK_EQ(amount, 100000);
    CHECK(longest <= t->merged_s);
    CHECK(t->n > 10);
    task_trace_free(t);
}

/* There are more tracks than room: each has one event. */
static void more_tracks(void)
{
    struct task_trace *t = task_trace_new(tracks, 4, 0);

    for (int round = 0; round < 100; round++)
        for (uint32_t i = 0; i < 6; i++)
            task_trace_add(t, event(i, round * 1e-6, round * 1e-6 + 1e-6));
    CHECK(t->n >= 6 && t->n <= 12);
    task_trace_free(t);
}

int main(void)
{
    numbers();
    overlapping_steps();
    bounded();
    more_tracks();
    return check_result();
}
