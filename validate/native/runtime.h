/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runtime.h - layers over MPI that exchange messages in rounds, as the
 * communication runtimes of Dang et al. 2018 do: a probe loop, epochs of
 * windows, a pool of packets. A rank is a host; its main thread is the
 * communication thread and, between rounds, the compute thread.
 */
#ifndef VALIDATE_NATIVE_RUNTIME_H
#define VALIDATE_NATIVE_RUNTIME_H

#include "validate/native/native.h"

#include <stddef.h>

/* What a host does in a round: a message of `bytes` to each of `to`, one from
 * each of `from`. A host may stand there several times. */
struct host_round {
    const int *to, *from;
    int nto, nfrom;
    size_t bytes;
    const char *out; /* message i begins at i * bytes */
    char *in;        /* likewise, in the order of arrival ... */
    int *in_from;    /* ... from these */
    bool rests;      /* sleeps where nothing is to be done: for its CPU time */
};

struct layer_options {
    MPI_Comm comm;
    size_t most_B; /* of a message */
    int most;      /* messages of a host to another in a round */
    size_t packet_B;
    unsigned packets_per_host;
    size_t aggregate_B; /* smaller messages to one host go together, up to it;
                           0: each alone */
    double flush_s;     /* and wait for others no longer */
    bool fence;         /* epochs by MPI_Win_fence */
};

/*
 * The functions end all ranks when MPI fails. A layer whose `post` is NULL has
 * whole rounds only. What post() is given stays until the round's end.
 */
struct layer;
struct layer_kind {
    const char *name;
    bool multiple; /* wants MPI_THREAD_MULTIPLE */
    struct layer *(*open)(const struct layer_options *o);
    void (*close)(struct layer *l);
    /* By all hosts that send or receive. */
    void (*round)(struct layer *l, const struct host_round *r);
    /* By any thread: false when there is no packet; to be tried again. */
    bool (*post)(struct layer *l, int to, const void *from, size_t bytes);
    /* The communication thread: once round its loop; whether anything moved. */
    bool (*turn)(struct layer *l);
};
extern const struct layer_kind layer_probe, layer_lci, layer_rma;

/* A layer's messages that have arrived, or are to be sent, between threads. */
struct queued {
    int host; /* the other one */
    char *data;
    size_t bytes;
};
struct queue;
struct queue *queue_new(void);
void queue_free(struct queue *q);
void queue_put(struct queue *q, struct queued what);
bool queue_take(struct queue *q, struct queued *out);

/* A round of a layer that posts and turns: `arrived` is where its turns put
 * messages, in memory that the round frees; pending() those not yet sent. */
void layer_exchange(struct layer *l, const struct layer_kind *kind,
                    const struct host_round *r, struct queue *arrived,
                    size_t (*pending)(const struct layer *));

/* What the epochs of layer_rma's windows took, in seconds, since it was opened:
 * of the calls alone. */
struct rma_calls {
    double start_s, put_s, complete_s, post_s, wait_s, fence_s;
    unsigned long starts, puts, completes, posts, waits, fences; /* how many */
};
const struct rma_calls *rma_calls(const struct layer *l);
/* Before each wait, so long, for what is under way to arrive. */
void rma_wait_late(struct layer *l, double late_s);

#endif
