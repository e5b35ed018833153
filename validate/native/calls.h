/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls.h - executes a plan as one list of calls for each rank, in the order of
 * the plan. The list is made before the clock starts, because a benchmark times
 * the calls alone: a send or receive that is waited for at once is a blocking
 * one, and nothing is allocated or looked up while it runs. A rank of runner.h
 * instead serves the first operation that is ready. */
#ifndef VALIDATE_NATIVE_CALLS_H
#define VALIDATE_NATIVE_CALLS_H

#include "sim/plan/plan.h"
#include "validate/native/slots.h"

#include <stdbool.h>
#include <stdint.h>

/* The memory of a rank for the messages and copies of plans: host memory, and
 * memory of each GPU of the node, by its number in the plans. */
struct calls_memory {
    const struct native *n;
    unsigned ngpus;
    bool one_buffer; /* all messages from and to a peer use one buffer */
    bool messages;   /* plans have messages of GPU memory on a node */
    /* If buffers are used in turn, one message each way at a time: the bytes of
     * those that are sent, and as many of those that receive, at the beginning
     * of each space; otherwise 0. Their kind and size may change between two
     * calls_init(). */
    uint64_t room, turn_B;
    enum buffers buffers;
    /* spaces[0] is host memory, spaces[1 + g] that of GPU g. */
    struct calls_space {
        char *base;
        size_t size;
    } * spaces;
    /* The memory of the ranks of this node, as opened here, if CUDA IPC moves
     * messages: [local rank * ngpus + gpu]; otherwise NULL. */
    void **opened;
};

/* Begin without memory, note the needs of a plan, and allocate the largest
 * needs that were noted. All ranks call each of them. */
void calls_memory_init(struct calls_memory *m, const struct native *n,
                       unsigned ngpus, bool one_buffer);
void calls_memory_needs(struct calls_memory *m, const struct plan *p);
int calls_memory_new(struct calls_memory *m, struct err *err) MUST_CHECK;
void calls_memory_free(struct calls_memory *m);

struct runner;
struct calls {
    const struct calls_memory *memory;
    const struct plan *plan;
    struct runner *runner;
    struct call *list; /* in calls_list.h */
    size_t n;
    MPI_Request *requests;
    struct request_of {
        uint32_t op;
        bool receive, pending; /* pending: as a check finds it */
    } * request_of;
    size_t posts; /* the first calls, which are before the start */
    uint32_t nrequests;
    void *stream;     /* of its copies; NULL for the default one */
    char **out, **in; /* memory of each operation; NULL on other ranks */
    /* The buffers that are used in turn, also those of the only peer, which
     * this rank writes by CUDA IPC. They replace the memory of operations that
     * read what no other has written, or write what no other reads. */
    struct slots send, recv, theirs;
    int peer;
};

/* Makes this rank's list, whose receives without dependencies are posted before
 * the start if `ahead`. For a collective, the runner has its elements and their
 * memory, and `m` none; otherwise it is NULL. All are borrowed until
 * calls_clear(). Fails on all ranks if the plan has operations that a list
 * cannot have, or more ranks than there are. */
int calls_init(struct calls *c, const struct calls_memory *m,
               const struct plan *p, struct runner *r, bool ahead,
               struct err *err) MUST_CHECK;
void calls_clear(struct calls *c);

/* Makes all calls `iterations` times, without a barrier; returns the seconds of
 * one time (repeat.h), 0 on a rank without calls, less the time in which it and
 * its peer have written buffers in turn. arg is a struct calls. */
double calls_batch(void *arg, unsigned iterations);
/* Makes all calls once, from a common start after the posts; returns the
 * seconds that this rank took. */
double calls_once(struct calls *c);
/* Returns the mean over some calls of it, for repeat.h. */
double calls_once_batch(void *arg, unsigned iterations);
/* Makes all calls once with known bytes, which depend on `seed`; ends all ranks
 * if others arrive. All ranks call it. */
void calls_check(struct calls *c, uint64_t seed);

#endif
