/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workers.h - the blocks of threads that work on one GPU at the same time, and
 * when what they find is known. They know of tasks and what these take, of
 * nothing else.
 */
#ifndef STRATEGIES_AGENTS_WORKERS_H
#define STRATEGIES_AGENTS_WORKERS_H

#include "base/time_heap.h"
#include "strategies/agents/task.h"

#include <stdbool.h>

struct engine;
struct gpu_costs;

enum { MOST_SLICES = 64, TAIL_SLICES = 16 };

/* Vertices that workers of a GPU have taken at the same time, a fetch each.
 * What is found goes out as the work goes on: by slices, in `placed` from
 * first[i] to first[i + 1]. Times are of the GPU's clock, but for begin_s. */
struct chunk {
    struct workers *on;
    struct work work;
    struct tasks placed;
    uint32_t nworkers;
    double begin, span, tail; /* cut into `slices`, and `tails` */
    uint32_t slices, tails;
    size_t first[MOST_SLICES + TAIL_SLICES + 1];
    uint32_t ended[MOST_SLICES + TAIL_SLICES]; /* workers, with the slice */
    uint32_t slice, known; /* the next to end, and to be known of */
    uint32_t number;       /* of all chunks */
    double begin_s;        /* the caller's: when it was taken */
    struct chunk *next;    /* of those that are free */
};

/* The chunks of all GPUs of a run, by number. */
struct chunks {
    struct chunk **all, *free;
    uint32_t n;
};

void chunks_clear(struct chunks *p);

/* What all GPUs of a run have in common. Borrowed for the run. */
struct workers_setup {
    struct engine *engine;
    const struct graph *g;
    struct chunks *chunks;
    const float *vertex; /* what a visit with its arcs takes, in units */
    double unit_s;       /* of time of the whole GPU */
    const struct gpu_costs *gpus; /* costs.h */
    double step_s;                /* the fixed part of a step */
    uint64_t workers;             /* of a GPU; 1: the GPU is one */
    uint32_t fetch;               /* vertices that each takes at once */
    bool at_end;          /* nothing is known before all of a chunk has ended */
    double known_after_s; /* from a slice's end to when it is known */

    void *arg; /* the calls' first */
    /* What a slice of the chunk has found is known; last: all of the chunk,
     * which is then the caller's to free. */
    void (*known)(void *arg, uint32_t gpu, struct chunk *c,
                  const struct task *list, size_t n, bool last);
    /* Slices have ended: workers may be idle. */
    void (*idle)(void *arg, uint32_t gpu);
};

struct workers {
    const struct workers_setup *setup;
    uint32_t gpu;
    uint32_t active;
    uint32_t unknown;         /* slices that have ended, not known of */
    double clock, clock_s;    /* units of a worker always active; when */
    double tick_s;            /* of the last event that was set */
    struct time_heap running; /* chunks, by when their next slice ends */
};

void workers_init(struct workers *w, const struct workers_setup *setup,
                  uint32_t gpu);
void workers_clear(struct workers *w);

/* Empty; freed by chunk_free(). */
struct chunk *chunk_new(struct workers *w);
void chunk_free(struct chunk *c);

uint64_t workers_idle(const struct workers *w);
/* Idle workers begin with the chunk's tasks, dealt to them in order, a fetch
 * each; or the whole GPU with all of them. workers_wait() comes after the last
 * of those that begin at one time. */
void workers_begin(struct workers *w, struct chunk *c);
void workers_begin_whole(struct workers *w, struct chunk *c);
void workers_wait(struct workers *w);
/* Nobody works, and all that was found is known. */
bool workers_are_done(const struct workers *w);

#endif
