/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_made.h - traces made in memory, event by event, and the results of
 * their replay. The place of an event is its number in its rank, from 1. */
#ifndef TESTS_TRACE_MADE_H
#define TESTS_TRACE_MADE_H

#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "apps/replay/replay.h"
#include "tests/check.h"

#include <stdlib.h>

struct made_rank {
    struct trace_event *events;
    size_t n, at;
};

static int made_next(struct trace *t, uint32_t rank, struct trace_event *e,
                     struct err *err)
{
    struct made_rank *of = (struct made_rank *)t->state + rank;

    (void)err;
    if (of->at == of->n)
        return 0;
    *e = of->events[of->at++];
    return 1;
}

static int made_rewind(struct trace *t, uint32_t rank, struct err *err)
{
    (void)err;
    ((struct made_rank *)t->state)[rank].at = 0;
    return 0;
}

static void made_close(struct trace *t)
{
    struct made_rank *of = t->state;

    for (uint32_t r = 0; r < t->ranks; r++) {
        for (size_t i = 0; i < of[r].n; i++) {
            free((void *)(uintptr_t)of[r].events[i].requests);
            free((void *)(uintptr_t)of[r].events[i].counts);
            free((void *)(uintptr_t)of[r].events[i].recv_counts);
            free((void *)(uintptr_t)of[r].events[i].members);
        }
        free(of[r].events);
    }
    free(of);
}

static const struct trace_format made_format = {.name = "made",
                                                .next = made_next,
                                                .rewind = made_rewind,
                                                .close = made_close};

static inline struct trace made_trace(uint32_t ranks)
{
    struct trace t = {.format = &made_format, .path = xstrdup("made")};

    trace_set_ranks(&t, ranks);
    t.state = xcalloc(ranks, sizeof(struct made_rank));
    for (uint32_t r = 0; r < ranks; r++)
        t.rank[r].places_lines = true;
    return t;
}

/* Adds an event. The pointer is valid until the rank's next one is added. */
static inline struct trace_event *
made_add(struct trace *t, uint32_t rank, enum trace_call call, const char *name)
{
    struct made_rank *of = (struct made_rank *)t->state + rank;

    of->events = xrealloc(of->events, of->n + 1, sizeof *of->events);
    of->events[of->n] = trace_event_new(call);
    of->events[of->n].name = name;
    of->events[of->n].place = of->n + 1;
    return &of->events[of->n++];
}

static inline struct trace_event *made_send(struct trace *t, uint32_t rank,
                                            uint32_t to, uint32_t tag,
                                            uint64_t bytes, uint64_t request)
{
    struct trace_event *e = made_add(t, rank, TRACE_SEND, "MPI_Send");

    e->blocks = request == NO_REQUEST;
    e->peer = to;
    e->tag = tag;
    e->bytes = bytes;
    e->request = request;
    return e;
}

static inline struct trace_event *made_recv(struct trace *t, uint32_t rank,
                                            uint32_t from, uint32_t tag,
                                            uint64_t bytes, uint64_t request)
{
    struct trace_event *e = made_send(t, rank, from, tag, bytes, request);

    e->call = TRACE_RECV;
    e->name = "MPI_Recv";
    return e;
}

static inline void made_compute(struct trace *t, uint32_t rank, double work_s)
{
    made_add(t, rank, TRACE_COMPUTE, "compute")->work_s = work_s;
}

static inline uint64_t *made_copy(const uint64_t *items, size_t n)
{
    uint64_t *copy = xcalloc(n, sizeof *copy);

    memcpy(copy, items, n * sizeof *copy);
    return copy;
}

/* Adds a wait for the requests from `first` to before first + n. */
static inline void made_wait(struct trace *t, uint32_t rank, uint64_t first,
                             size_t n)
{
    struct trace_event *e = made_add(t, rank, TRACE_WAIT, "MPI_Waitall");
    uint64_t *list = xcalloc(n, sizeof *list);

    for (size_t i = 0; i < n; i++)
        list[i] = first + i;
    e->requests = list;
    e->nrequests = n;
}

static inline struct trace_event *made_collective(struct trace *t,
                                                  uint32_t rank,
                                                  enum trace_collective kind,
                                                  uint64_t bytes)
{
    struct trace_event *e =
        made_add(t, rank, TRACE_COLLECTIVE, trace_collective_names[kind]);

    e->collective = (uint8_t)kind;
    e->blocks = true;
    e->peer = 0;
    e->bytes = bytes;
    return e;
}

/* A run on `nodes` nodes, with ranks in blocks. */
struct made_run {
    struct replay_options options;
    struct machine *m;
    unsigned nodes;
};

/* Makes the plan; returns -1 with err if it fails. The trace can be run
 * again. */
static inline int made_plan(struct plan *p, const struct made_run *run,
                            struct trace *t, struct err *err)
{
    struct plan shape;
    struct err ignored;

    for (uint32_t r = 0; r < t->ranks; r++)
        if (made_rewind(t, r, &ignored) < 0)
            return -1;
    plan_init(&shape, run->m, "made", 1, run->m->ncores, NULL);
    int result = plan_place(&shape, run->m, t->ranks, run->nodes, 0, err);
    if (result == 0)
        result = replay_plan(p, run->m, t, &shape, &run->options, err);
    plan_clear(&shape);
    return result;
}

/* Returns the time of its replay; NAN if it fails, with the error in `text`. */
static inline double made_time(const struct made_run *run, struct trace *t,
                               char *text, size_t room)
{
    struct plan p;
    struct exec_result x;
    struct err err = {0};
    double time_s = NAN;

    *text = '\0';
    if (made_plan(&p, run, t, &err) < 0) {
        snprintf(text, room, "%s", err.text);
        return NAN;
    }
    if (exec_plan(&x, run->m, &p, NULL, EXEC_TIMES, &err) == 0) {
        time_s = x.time_s;
        exec_result_clear(&x);
    } else {
        snprintf(text, room, "%s", err.text);
    }
    plan_clear(&p);
    return time_s;
}

#endif
