/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_state.h - a traversal while it runs: what traverse.c (when GPUs
 * work), traverse_send.c (transfers), traverse_steps.c (supersteps), bfs.c and
 * pagerank.c (what a vertex does), traverse_stats.c (what is told of it) share.
 */
#ifndef STRATEGIES_TRAVERSE_STATE_H
#define STRATEGIES_TRAVERSE_STATE_H

#include "sim/engine.h"
#include "sim/time_bins.h"
#include "strategies/traverse.h"
#include "strategies/traverse_trace.h"

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

/* Vertices that a GPU has taken, with what they had then. They are done one
 * slice after the other, so that what is found goes out as the work goes on. */
struct chunk {
    struct gpu *g;
    struct updates work;
    uint32_t slices, slice; /* how many; the next */
    uint64_t edges, visits;
    double begin_s;
    bool looked;        /* through all vertices, since the queue was empty */
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
    struct fifo near, far; /* far: behind the threshold, or found later */
    uint32_t threshold;
    bool busy;          /* it cannot take a chunk */
    uint64_t under_way; /* own stores that are not there yet */
    double issued_s;    /* when it, or its CPU, can start the next transfer */
    uint32_t vertices;
    uint32_t *depth;          /* BFS: what it knows of every vertex's depth */
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
    /* Threads that are resident at once: the most edges that a persistent
     * kernel takes together, and the most updates that it has under way, since
     * a thread waits for its own. */
    uint64_t threads;
    struct chunk *free_chunks;
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
    /* A slice of the chunk has ended, work.list[from..to): its updates reach
     * neighbours here, or go out. */
    void (*apply)(struct traversal *t, struct gpu *g, const struct chunk *c,
                  size_t from, size_t to);
    /* What priority goes by; NULL: there is none. */
    uint32_t (*key)(const struct gpu *g, uint32_t v);
    void (*receive)(struct traversal *t, struct gpu *g, struct update u);
    void (*end)(struct traversal *t);
};
extern const struct algorithm_ops bfs_ops, pagerank_ops;

/* --- traverse.c ----------------------------------------------------------- */

/* Into the queue; key: what priority goes by. */
void traverse_push(struct traversal *t, struct gpu *g, uint32_t v,
                   uint32_t key);
/* Into what is queued only when nothing else is left: the GPU then looks
 * through all of its vertices for such. */
void traverse_push_later(struct traversal *t, struct gpu *g, uint32_t v);
void traverse_add_update(struct updates *list, struct update u);
/* Takes at most so many edges' worth of vertices; NULL: there are none. */
struct chunk *traverse_take(struct traversal *t, struct gpu *g, uint64_t edges);
void traverse_free_chunk(struct traversal *t, struct chunk *c);
double traverse_work_s(const struct traversal *t, const struct gpu *g,
                       const struct chunk *c);
/* Updates are there; the GPU begins to work if it can. */
void traverse_deliver(struct traversal *t, struct gpu *g,
                      const struct update *list, size_t n);
void traverse_start(struct traversal *t, struct gpu *g);
/* After all pushes of a moment: for what is told of queues. */
void traverse_queue_changed(struct gpu *g);

/* --- traverse_send.c, traverse_steps.c ------------------------------------ */

/* Sends what the GPU has found for others. */
void traverse_send(struct traversal *t, struct gpu *g);
/* For how many others, GPUs or nodes, the GPU gathers updates. */
uint32_t traverse_destinations(const struct traversal *t, const struct gpu *g);
/* Its workers wait for their own stores, or for room in the aggregator. */
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
