/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_state.h - a traversal while it runs: what traverse.c (begin and
 * end), traverse_queue.c (what waits), traverse_work.c (when GPUs work),
 * traverse_send.c (transfers), traverse_steps.c (supersteps), bfs.c,
 * bfs_pull.c and pagerank.c (what a vertex does), traverse_stats.c (what is
 * told of it) share.
 */
#ifndef STRATEGIES_AGENTS_TRAVERSE_STATE_H
#define STRATEGIES_AGENTS_TRAVERSE_STATE_H

#include "sim/network/engine.h"
#include "base/time_heap.h"
#include "strategies/agents/time_bins.h"
#include "strategies/agents/traverse.h"
#include "strategies/agents/traverse_trace.h"

/* For a vertex of another GPU: a depth, or a share of rank. */
struct update {
    uint32_t v;
    union {
        uint32_t depth;
        float share;
    };
};

struct updates {
    struct update *list;
    size_t n, room;
};

/* A queue of vertices in order: list[first..n). */
struct fifo {
    uint32_t *list;
    size_t first, n, room;
};

/* From here to before there. */
struct range {
    uint64_t from, to;
};

/* A vertex that was taken, with what it had then; or one of `parts` equal parts
 * of its arcs. */
struct task {
    struct update u;
    uint8_t part, parts;
    uint8_t slice; /* of its chunk */
    uint8_t what;  /* bfs_pull.c's */
};

struct tasks {
    struct task *list;
    size_t n, room;
};

/* The arcs of a task. */
static inline struct range task_arcs(const struct graph *g,
                                     const struct task *p)
{
    uint64_t first = g->first[p->u.v], n = g->first[p->u.v + 1] - first;

    if (p->parts == 1)
        return (struct range){first, first + n};
    return (struct range){first + n * p->part / p->parts,
                          first + n * (p->part + 1u) / p->parts};
}

enum { MOST_SLICES = 64, TAIL_SLICES = 16 };

/* Vertices that workers of a GPU have taken at the same time, a fetch each.
 * What is found goes out as the work goes on: by slices, in `placed` from
 * first[i] to first[i + 1]. Times are of the GPU's clock. */
struct chunk {
    struct gpu *g;
    struct tasks work, placed;
    uint64_t edges, visits;
    uint32_t nworkers;
    double begin, span, tail; /* cut into `slices`, and `tails` */
    uint32_t slices, tails;
    size_t first[MOST_SLICES + TAIL_SLICES + 1];
    uint32_t ended[MOST_SLICES + TAIL_SLICES]; /* workers, with the slice */
    uint32_t slice, applied; /* the next to end, and to be known of */
    uint32_t number;         /* of all chunks */
    double begin_s;
    struct chunk *next; /* of those that are free */
};

/* From one GPU to another. Bytes go in order: while some flow, what is found
 * meanwhile waits, and goes together. */
struct channel {
    struct traversal *t;
    uint32_t from, to;
    bool flowing;
    struct updates out; /* found, and not yet sent */
    size_t counted;     /* of these, as under way */
    size_t gathered;    /* of these, as held by the aggregator */
    bool expected;      /* the receiver knows of them (traverse_stats.c) */
    /* The aggregator's, between nodes: by when what out holds is sent, though
     * it fills no batch. */
    double deadline_s;
    bool waiting; /* a timer is set for it */
};

/* What a GPU has, for traverse_stats.c alone. */
struct gpu_watch {
    double since_s; /* until then all is added up */
    uint32_t at_work, coming;
    uint64_t queued, gathered;
    double queue_s; /* vertices, times how long they waited */
};

struct gpu {
    struct traversal *t;
    uint32_t number;
    struct fifo *near;   /* by the GPU that found the vertex, or one of all */
    struct fifo far;     /* behind the threshold, or found later */
    struct fifo kernel;  /* what a discrete kernel has taken */
    uint64_t waiting;    /* in all of them */
    uint32_t into, turn; /* of `near`: what is found goes there; the next */
    uint32_t threshold;
    bool busy;       /* a discrete kernel runs */
    bool launching;  /* or looking for work */
    double kernel_s; /* since when it runs, or looks; what it has done */
    uint64_t kernel_visits, kernel_edges;
    uint32_t active;       /* workers */
    uint32_t unapplied;    /* slices that have ended, but are not known of */
    double clock, clock_s; /* edges of a worker that is always active; when */
    double tick_s;         /* of the last event that was set */
    struct time_heap running; /* chunks, by when their next slice ends */
    uint64_t under_way;       /* own stores that are not there yet */
    double issued_s; /* when it, or its CPU, can start the next transfer */
    uint32_t vertices;
    uint32_t *depth;          /* BFS: what it knows of every vertex's depth */
    float *sum;               /* PageRank: what others' vertices are to get */
    struct channel *channels; /* to each GPU */
    struct traverse_gpu *stats;
    struct gpu_watch watch;
};

struct traversal {
    const struct traverse_input *in;
    struct traverse_result *r;
    struct engine *engine;
    struct gpu *gpus;
    const struct algorithm_ops *ops;
    double edge_s, step_s; /* of an edge; the fixed part of a step */
    double vertex_edges;   /* what a visit takes, in edges */
    /* Threads that are resident at once: the most vertices that a
     * persistent kernel takes together, and the most updates that it has under
     * way, since a thread waits for its own. */
    uint64_t threads;
    uint64_t workers; /* of a GPU: blocks of threads, 1: the GPU is one */
    uint32_t fetch;   /* vertices that a worker takes from a queue at once */
    uint32_t nqueues; /* of a GPU, in `near` */
    struct chunk *free_chunks;
    struct chunk **chunks; /* all, by number */
    uint32_t nchunks;
    struct pull *pull; /* bfs_pull.c's */
    /* PageRank. */
    double *residue; /* of each vertex, at its owner */
    uint8_t *queued;
    double last_s;           /* when something last happened */
    struct time_bins used_B; /* on the wire */
    struct trace *trace;     /* NULL: no timeline is wanted */
    uint32_t overflow;       /* a GPU whose queue is full, or NO_OVERFLOW */
};
#define NO_OVERFLOW UINT32_MAX

struct algorithm_ops {
    void (*begin)(struct traversal *t);
    /* What the vertex has when it is taken; false: nothing is to be done. */
    bool (*take)(struct traversal *t, struct gpu *g, struct update *u);
    /* Tasks have ended: their updates reach neighbours here, or go out. */
    void (*apply)(struct traversal *t, struct gpu *g, const struct task *p,
                  size_t n);
    /* What priority goes by; NULL: there is none. */
    uint32_t (*key)(const struct gpu *g, uint32_t v);
    void (*receive)(struct traversal *t, struct gpu *g, struct update u);
    /* Before updates are sent: adds what has come up for them since they were
     * found. NULL: nothing can; each is of its own. */
    void (*pack)(struct gpu *g, struct updates *out);
    void (*end)(struct traversal *t);
    /* NULL, or both. Before the GPU takes what is queued: it may find something
     * for others. And what it took becomes other work, known of when all of it
     * has ended. Then vertices of others are queued too, when they are told. */
    void (*aim)(struct traversal *t, struct gpu *g);
    void (*direct)(struct traversal *t, struct chunk *c);
};
extern const struct algorithm_ops bfs_ops, bfs_optimised_ops, pagerank_ops;

/* --- traverse_queue.c ----------------------------------------------------- */

/* Into the queue; key: what priority goes by. */
void traverse_push(struct traversal *t, struct gpu *g, uint32_t v,
                   uint32_t key);
/* Into what is queued only when nothing else is left: the GPU then looks
 * through all of its vertices for such. */
void traverse_push_later(struct traversal *t, struct gpu *g, uint32_t v);
bool traverse_near_is_empty(const struct gpu *g);
bool traverse_far_waits(const struct gpu *g);
/* The threshold rises to just above the least that waits behind it, and what is
 * below it then is next. Without a key all of it is. */
void traverse_raise(struct traversal *t, struct gpu *g);
/* That, when nothing else waits; true: all vertices were looked through. */
bool traverse_refill(struct traversal *t, struct gpu *g);
/* Fills the chunk from the queues in turn, with at most so many; false: nothing
 * waits. */
bool traverse_pop(struct chunk *c, struct traversal *t, uint64_t vertices);
/* All that waits is the kernel's; false: nothing waits. looked: through all
 * vertices, since the queues were empty. */
bool traverse_fill_kernel(struct traversal *t, struct gpu *g, bool *looked);
bool traverse_pop_kernel(struct chunk *c, struct traversal *t,
                         uint64_t vertices);

/* --- traverse_work.c ------------------------------------------------------ */

void traverse_add_task(struct tasks *list, struct task p);
/* NULL: there are none. */
struct chunk *traverse_take(struct traversal *t, struct gpu *g);
void traverse_free_chunk(struct traversal *t, struct chunk *c);
/* What a kernel takes to find work, besides the fixed part of a step. */
double traverse_look_s(const struct traversal *t, const struct gpu *g,
                       bool looked);
/* Updates of a GPU are there. */
void traverse_deliver(struct traversal *t, struct gpu *g, uint32_t from,
                      const struct update *list, size_t n);
/* The GPU begins to work if it can. */
void traverse_start(struct traversal *t, struct gpu *g);
/* After all pushes of a moment: for what is told of queues. */
void traverse_queue_changed(struct gpu *g);

/* --- traverse_send.c, traverse_steps.c ------------------------------------ */

void traverse_add_update(struct updates *list, struct update u);
/* Sends what the GPU has found for others. */
void traverse_send(struct traversal *t, struct gpu *g);
/* For how many others, GPUs or nodes, the GPU gathers updates. */
uint32_t traverse_destinations(const struct traversal *t, const struct gpu *g);
/* Its threads wait for their own stores, or for room in the aggregator. */
bool traverse_stalled(const struct traversal *t, const struct gpu *g);
int traverse_supersteps(struct traversal *t, struct err *err) MUST_CHECK;

/* --- traverse_stats.c: what is told of a run ------------------------------ */

void traverse_stats_begin(struct traversal *t);
/* After the end: time_s is known. */
void traverse_stats_end(struct traversal *t);
/* What a GPU has, from when on; the times of a GPU do not go back.
 * A chunk is at work; it has ended, all of it. */
void traverse_note_work(struct gpu *g, double s);
void traverse_note_done(struct gpu *g, double from_s, double to_s,
                        uint64_t visits, uint64_t edges);
/* So many vertices are queued. To be called once for all that happens at one
 * moment. */
void traverse_note_queue(struct gpu *g, double s, uint64_t length);
/* Something is under way to it; it is there. */
void traverse_note_coming(struct gpu *g, double s);
void traverse_note_arrived(struct gpu *g, double s);
/* The aggregator holds so many updates more; it has sent so many. */
void traverse_note_gathered(struct gpu *g, uint64_t more);
void traverse_note_sent(struct gpu *g, uint64_t updates);
/* What has no size that is known before: from the process that simulated, -1
 * when the other is gone. */
void traverse_put_lists(const struct traversal *t, int fd);
int traverse_get_lists(struct traverse_result *r, bool with_trace,
                       int fd) MUST_CHECK;
/* A transfer of so many bytes took so many on the wire, in this time. */
void traverse_note_use(struct traversal *t, struct track track, double from_s,
                       double to_s, double bytes, double wire_B);
/* For the timeline alone: a copy between a GPU and its host. */
void traverse_note_copy(struct traversal *t, uint32_t gpu, double from_s,
                        double to_s, double bytes);

#endif
