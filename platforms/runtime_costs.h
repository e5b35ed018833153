/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runtime_costs.h - the times of a process's threads for a message under a
 * runtime with a communication thread (Dang et al. 2018). Platforms have them
 * in `runtimes.NAME.costs`, and sim/transport uses them. A process's own CPU
 * stands for its compute threads, and one communication thread runs besides.
 * The wire's times are in the message tables.
 */
#ifndef PLATFORMS_RUNTIME_COSTS_H
#define PLATFORMS_RUNTIME_COSTS_H

#include "base/err.h"
#include "platforms/provenance.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* RMA epochs are opened and closed by one of these. */
enum rma_epoch {
    EPOCH_PSCW, /* post, start, complete, wait: with each peer */
    EPOCH_FENCE,
    NRMA_EPOCHS
};
extern const char *const rma_epoch_names[NRMA_EPOCHS];

/* A number that is not given is 0 unless it says otherwise. */
struct runtime_costs {
    /* --- compute threads --- */
    double call_s; /* a call that sends: packet and lc_send, queue, MPI_Put */
    double call_thread_s; /* more for each other thread that calls meanwhile */
    unsigned threads;     /* threads that call; 0: a core each, less one */
    unsigned devices;     /* divide the threads among them; at least 1 */
    double dequeue_s;     /* a thread dequeues a message */
    double copy_Bps; /* rate of a core, into a packet and out; 0: no time */
    /* --- the communication thread --- */
    double send_s, recv_s; /* each message */
    double send_s_per_B, recv_s_per_B;
    /* More for each byte if the message is larger than a packet or eager,
     * because its memory is new and pinned. */
    double large_send_s_per_B, large_recv_s_per_B;
    double poll_s; /* an iteration of its loop that finds nothing */
    /* --- lci --- */
    uint64_t packet_B;         /* the largest eager message */
    unsigned packets_per_host; /* a process's pool has as many for each other
                                  process, and for itself */
    /* --- mpi_probe --- */
    uint64_t eager_B; /* 0: the most that the platform's mpi sends eagerly */
    double flush_s;   /* small messages wait so long for others; 0: not */
    double test_s;    /* each request, in each iteration */
    double entry_s;   /* each entry of the lists that a match looks at */
    uint64_t
        unexpected_B; /* eager messages that are not received yet; 0: any */
    /* --- mpi_rma --- */
    enum rma_epoch epoch;
    double start_s, complete_s, post_s, wait_s; /* with each peer */
    double fence_s;
    double lock_s;    /* more for each call, if MPI_THREAD_MULTIPLE */
    double window_s;  /* to create one window, by all processes */
    unsigned windows; /* each process has them: data types times patterns */
    /* --- peer --- */
    double kernel_s;  /* from the kernel before, in a CUDA graph, to this one */
    double release_s; /* until a kernel's writes are seen before its flag */
    /* --- */
    bool exhaustion_fails; /* a message that finds no packet or buffer is an
                              error; otherwise it waits */
    /* NULL: the platform has no costs of this runtime. */
    struct number_source *source;
};

/* Returns how many bytes all buffers of a process's pool hold, in a run of so
 * many processes. */
double runtime_pool_B(const struct runtime_costs *c, uint32_t processes);

struct json;
/* Reads the object `costs` of a runtime. */
int runtime_costs_read(struct runtime_costs *c, int runtime,
                       const struct json *o, struct err *err) MUST_CHECK;
/* Returns whether a platform may have costs of this runtime. */
bool runtime_has_costs(int runtime);

#endif
