/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runtime.h - layers over MPI that exchange messages in rounds, as the
 * communication runtimes of Dang et al. 2018 do: a probe loop, epochs of
 * windows, a pool of packets. A rank is a host; its main thread is the
 * communication thread and, between rounds, the compute thread. */
#ifndef VALIDATE_NATIVE_RUNTIME_H
#define VALIDATE_NATIVE_RUNTIME_H

#include "validate/native/native.h"

#include <stddef.h>

/* The messages of a host in a round: one of `bytes` to each host of `to`, and
 * one from each of `from`. A host may be listed several times. */
struct host_round {
    const int *to, *from;
    int nto, nfrom;
    size_t bytes;
    const char *out; /* message i begins at i * bytes */
    char *in;        /* received messages in the order of arrival */
    int *in_from;    /* the sources of these messages */
    bool rests; /* it sleeps if there is nothing to do, to measure CPU time */
};

struct layer_options {
    MPI_Comm comm;
    size_t most_B; /* largest message */
    int most;      /* most messages of a host to another in a round */
    size_t packet_B;
    unsigned packets_per_host;
    /* Smaller messages to one host are sent together, up to this size; 0 to
     * send each separately. */
    size_t aggregate_B;
    double flush_s; /* longest wait for more of them */
    bool fence;     /* epochs by MPI_Win_fence */
};

/* The functions end all ranks if MPI fails. A layer whose `post` is NULL has
 * only whole rounds. The data of post() must stay until the end of the
 * round. */
struct layer;
struct layer_kind {
    const char *name;
    bool multiple; /* it needs MPI_THREAD_MULTIPLE */
    struct layer *(*open)(const struct layer_options *o);
    void (*close)(struct layer *l);
    /* Called by all hosts that send or receive. */
    void (*round)(struct layer *l, const struct host_round *r);
    /* Any thread may call it. Returns false if there is no packet; the caller
     * tries again. */
    bool (*post)(struct layer *l, int to, const void *from, size_t bytes);
    /* Called by the communication thread: goes once through its loop; returns
     * whether anything moved. */
    bool (*turn)(struct layer *l);
};
extern const struct layer_kind layer_probe, layer_lci, layer_rma;

/* Messages of a layer that have arrived, or are to be sent, between threads. */
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

/* Does a round of a layer that has post and turn: its turns put the messages
 * that arrive into `arrived`, in memory that the round frees; pending() returns
 * the messages that are not sent yet. */
void layer_exchange(struct layer *l, const struct layer_kind *kind,
                    const struct host_round *r, struct queue *arrived,
                    size_t (*pending)(const struct layer *));

/* Seconds of the calls alone, in the epochs of layer_rma's windows, since it
 * was opened. */
struct rma_calls {
    double start_s, put_s, complete_s, post_s, wait_s, fence_s;
    /* Numbers of calls. */
    unsigned long starts, puts, completes, posts, waits, fences;
};
const struct rma_calls *rma_calls(const struct layer *l);
/* Makes every wait begin this much later, so that the messages under way have
 * arrived by then. */
void rma_wait_late(struct layer *l, double late_s);

#endif
