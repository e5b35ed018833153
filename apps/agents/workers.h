/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workers.h - the blocks of threads that work on one GPU at the same time, and
 * the times at which their results are known. They know tasks and the costs of
 * these, nothing else. */
#ifndef APPS_AGENTS_WORKERS_H
#define APPS_AGENTS_WORKERS_H

#include "base/time_heap.h"
#include "apps/agents/task.h"

#include <stdbool.h>

struct engine;
struct gpu_costs;

enum { MOST_SLICES = 64, TAIL_SLICES = 16 };

/* Vertices that workers of a GPU have dequeued at the same time, a fetch each.
 * Results become known while the work continues: by slices, slice i of which is
 * `placed` from first[i] to first[i + 1]. Times are of the GPU's clock, except
 * begin_s. */
struct chunk {
    struct workers *on;
    struct work work;
    struct tasks placed;
    uint32_t nworkers;
    double begin, span, tail; /* cut into `slices`, and `tails` */
    uint32_t slices, tails;
    size_t first[MOST_SLICES + TAIL_SLICES + 1];
    /* Workers that end with the slice. */
    uint32_t ended[MOST_SLICES + TAIL_SLICES];
    uint32_t slice, known; /* the next slices: to end, and to become known */
    uint32_t number;       /* its index among all chunks */
    double begin_s;        /* for the caller: time of the dequeue */
    struct chunk *next;    /* in the list of free chunks */
};

/* The chunks of all GPUs of a run, by number. */
struct chunks {
    struct chunk **all, *free;
    uint32_t n;
};

void chunks_clear(struct chunks *p);

/* The part that all GPUs of a run share. It is borrowed for the run. */
struct workers_setup {
    struct engine *engine;
    const struct graph *g;
    struct chunks *chunks;
    const float *vertex;          /* cost of a visit with its arcs, in units */
    double unit_s;                /* seconds per unit of the whole GPU */
    const struct gpu_costs *gpus; /* one per GPU (costs.h) */
    double step_s;                /* fixed time of a step */
    /* Workers of a GPU; 1 if the whole GPU is one. */
    uint64_t workers;
    uint32_t fetch; /* vertices that each dequeues at once */
    bool at_end;    /* results are known only once all of a chunk has ended */
    /* Seconds from a slice's end until its results are known. */
    double known_after_s;

    void *arg; /* the first argument of the calls */
    /* Called when the results of a slice are known; `last` if they complete the
     * chunk, which the caller must then free. */
    void (*known)(void *arg, uint32_t gpu, struct chunk *c,
                  const struct task *list, size_t n, bool last);
    /* Called when slices have ended, because workers may be idle. */
    void (*idle)(void *arg, uint32_t gpu);
};

struct workers {
    const struct workers_setup *setup;
    uint32_t gpu;
    uint32_t active;
    uint32_t unknown; /* slices that have ended, with unknown results */
    /* Units done by a worker that was always active, and the time of that
     * value. */
    double clock, clock_s;
    double tick_s;            /* time of the last event that was set */
    struct time_heap running; /* chunks, by the end of their next slice */
};

void workers_init(struct workers *w, const struct workers_setup *setup,
                  uint32_t gpu);
void workers_clear(struct workers *w);

/* Returns an empty chunk, which chunk_free() frees. */
struct chunk *chunk_new(struct workers *w);
void chunk_free(struct chunk *c);

uint64_t workers_idle(const struct workers *w);
/* Start a chunk: workers_begin() distributes its tasks to idle workers in
 * order, a fetch each; workers_begin_whole() gives all of them to the whole
 * GPU. workers_wait() must follow the last of those that begin at one time. */
void workers_begin(struct workers *w, struct chunk *c);
void workers_begin_whole(struct workers *w, struct chunk *c);
void workers_wait(struct workers *w);
/* Returns whether nobody works and all results are known. */
bool workers_are_done(const struct workers *w);

#endif
