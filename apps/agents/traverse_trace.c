/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records the events of a traversal in bounded memory, because it merges them
 * when there is no more room. */
#include "apps/agents/traverse_trace.h"

#include "base/child.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_EVENT UINT32_MAX
/* The first merged_s above 0, in seconds. */
#define SHORTEST_S 1e-9
/* Bins of time for a GPU's queue. */
#define QUEUE_BINS 8192

uint32_t track_number(const struct task_trace_tracks *t, struct track k)
{
    uint32_t number[] = {
        [TRACK_STEPS] = k.from,
        [TRACK_GPUS] = t->ngpus + k.from * t->ngpus + k.to,
        [TRACK_NODES] = t->ngpus * (t->ngpus + 1) + k.from * t->nodes + k.to,
        [TRACK_HOST] = t->ngpus * (t->ngpus + 1) + t->nodes * t->nodes + k.from,
    };

    return number[k.kind];
}

struct track track_of_number(const struct task_trace_tracks *t, uint32_t number)
{
    uint32_t gpus = t->ngpus, pairs = gpus * gpus, nodes = t->nodes * t->nodes;

    if (number < gpus)
        return (struct track){TRACK_STEPS, number, number};
    number -= gpus;
    if (number < pairs)
        return (struct track){TRACK_GPUS, number / gpus, number % gpus};
    number -= pairs;
    if (number < nodes)
        return (struct track){TRACK_NODES, number / t->nodes,
                              number % t->nodes};
    return (struct track){TRACK_HOST, number - nodes, number - nodes};
}

static size_t task_trace_count_tracks(const struct task_trace_tracks *t)
{
    return track_number(t, (struct track){TRACK_HOST, t->ngpus, 0});
}

static void task_trace_forget_last(struct task_trace *t)
{
    memset(t->last, 0xff,
           task_trace_count_tracks(&t->tracks) * sizeof *t->last);
}

struct task_trace *task_trace_new(struct task_trace_tracks k, size_t limit,
                                  double steps_s)
{
    struct task_trace *t = xcalloc(1, sizeof *t);

    t->tracks = k;
    t->limit = limit;
    t->steps_s = steps_s;
    t->last = xcalloc(task_trace_count_tracks(&k), sizeof *t->last);
    task_trace_forget_last(t);
    t->queued = xcalloc(k.ngpus, sizeof *t->queued);
    for (uint32_t i = 0; i < k.ngpus; i++)
        time_bins_init(&t->queued[i], QUEUE_BINS);
    return t;
}

void task_trace_free(struct task_trace *t)
{
    for (uint32_t i = 0; t && i < t->tracks.ngpus; i++)
        time_bins_clear(&t->queued[i]);
    if (t) {
        free(t->queued);
        free(t->events);
        free(t->last);
    }
    free(t);
}

/* Returns whether it could merge the event into the newest one of its track. */
static bool task_trace_join(struct task_trace *t,
                            const struct task_trace_event *e)
{
    uint32_t last = t->last[e->track];

    if (last == NO_EVENT)
        return false;
    struct task_trace_event *into = &t->events[last];
    double from = fmin(into->from_s, e->from_s);
    double to = fmax(into->to_s, e->to_s);
    bool is_step = e->track < t->tracks.ngpus;
    if (to - from > (is_step ? fmax(t->merged_s, t->steps_s) : t->merged_s))
        return false;
    into->from_s = from;
    into->to_s = to;
    into->n += e->n;
    into->amount += e->amount;
    into->more += e->more;
    return true;
}

static void task_trace_append(struct task_trace *t,
                              const struct task_trace_event *e)
{
    if (t->n == t->room) {
        t->room = t->room ? 2 * t->room : 1024;
        t->events = xrealloc(t->events, t->room, sizeof *t->events);
    }
    t->last[e->track] = (uint32_t)t->n;
    t->events[t->n++] = *e;
}

static void task_trace_merge(struct task_trace *t)
{
    size_t n = t->n;

    t->n = 0;
    task_trace_forget_last(t);
    for (size_t i = 0; i < n; i++) {
        struct task_trace_event e = t->events[i];
        if (!task_trace_join(t, &e))
            task_trace_append(t, &e);
    }
}

/* Merges events until half of the room is free, or there is one per track. */
static void traverse_trace_make_room(struct task_trace *t)
{
    double end = 0;

    for (size_t i = 0; i < t->n; i++)
        end = fmax(end, t->events[i].to_s);
    while (t->n > t->limit / 2 && t->merged_s < end) {
        t->merged_s = t->merged_s > 0 ? 2 * t->merged_s : SHORTEST_S;
        task_trace_merge(t);
    }
    if (t->limit < 2 * t->n)
        t->limit = 2 * t->n;
}

void task_trace_add(struct task_trace *t, struct task_trace_event e)
{
    if (task_trace_join(t, &e))
        return;
    if (t->n == t->limit)
        traverse_trace_make_room(t);
    task_trace_append(t, &e);
}

/* --- the report ----------------------------------------------------------- */

struct task_trace_report *task_trace_tell(const struct task_trace *t,
                                          const struct time_bins *used_B,
                                          double time_s)
{
    struct task_trace_report *report = xcalloc(1, sizeof *report);

    *report = (struct task_trace_report){
        .tracks = t->tracks,
        .n = t->n,
        .merged_s = t->merged_s,
        .steps_s = fmax(t->merged_s, t->steps_s),
        .events = xcalloc(t->n, sizeof *report->events),
        .used_B = xcalloc(TRACE_PARTS, sizeof(double)),
        .queued =
            xcalloc((size_t)t->tracks.ngpus * TRACE_PARTS, sizeof(double)),
    };
    if (t->n)
        memcpy(report->events, t->events, t->n * sizeof *t->events);
    time_bins_share(used_B, report->used_B, TRACE_PARTS, time_s);
    for (uint32_t i = 0; i < t->tracks.ngpus; i++) {
        double *parts = &report->queued[(size_t)i * TRACE_PARTS];
        time_bins_share(&t->queued[i], parts, TRACE_PARTS, time_s);
        for (int k = 0; k < TRACE_PARTS && time_s > 0; k++)
            parts[k] /= time_s / TRACE_PARTS;
    }
    return report;
}

int task_trace_put(const struct task_trace_report *t, int fd)
{
    size_t queued = (size_t)t->tracks.ngpus * TRACE_PARTS;

    if (child_put(fd, t, sizeof *t) < 0 ||
        child_put(fd, t->events, t->n * sizeof *t->events) < 0 ||
        child_put(fd, t->used_B, TRACE_PARTS * sizeof *t->used_B) < 0)
        return -1;
    return child_put(fd, t->queued, queued * sizeof *t->queued);
}

struct task_trace_report *task_trace_get(int fd)
{
    struct task_trace_report *t = xcalloc(1, sizeof *t);

    if (child_get(fd, t, sizeof *t) < 0) {
        free(t);
        return NULL;
    }
    size_t queued = (size_t)t->tracks.ngpus * TRACE_PARTS;
    t->events = xcalloc(t->n, sizeof *t->events);
    t->used_B = xcalloc(TRACE_PARTS, sizeof *t->used_B);
    t->queued = xcalloc(queued, sizeof *t->queued);
    if (child_get(fd, t->events, t->n * sizeof *t->events) == 0 &&
        child_get(fd, t->used_B, TRACE_PARTS * sizeof *t->used_B) == 0 &&
        child_get(fd, t->queued, queued * sizeof *t->queued) == 0)
        return t;
    task_trace_report_free(t);
    return NULL;
}

void task_trace_report_free(struct task_trace_report *t)
{
    if (!t)
        return;
    free(t->events);
    free(t->used_B);
    free(t->queued);
    free(t);
}
