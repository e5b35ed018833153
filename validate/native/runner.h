/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runner.h - executes a plan on real ranks: messages by MPI or CUDA IPC, copies
 * by CUDA or memcpy, with buffers whose every byte is known. */
#ifndef VALIDATE_NATIVE_RUNNER_H
#define VALIDATE_NATIVE_RUNNER_H

#include "sim/plan/plan.h"
#include "strategies/collective/collective.h"
#include "validate/native/native.h"
#include "workloads/halo.h"

#include <stdbool.h>
#include <stdint.h>

/* What waits on this rank for the end of an operation: the start of another,
 * or that its receive may be posted. */
struct waiter {
    uint32_t op;
    bool post;
    bool word; /* of a request: that the receiver is ready */
};

/* What a receive of its own got last. */
struct received {
    uint32_t src, tag;
    int bytes;
};

struct runner {
    const struct native *n;
    const struct plan *plan;
    const struct halo *halo; /* whose values the pieces are; NULL: none */
    /* Whose elements they are (store.h); NULL: none. Then memory that is read
     * or written by many operations, of this rank: */
    const struct collective *collective;
    char *host_store, *device_store;
    unsigned long long wrong; /* elements in the end */
    char *slot;               /* what others bring, or NULL (store_moves()) */
    unsigned ngpus;           /* of a node, in the plan's numbers */
    uint64_t largest_B;       /* that an OP_SEND has for this rank */
    bool ipc;                 /* device memory within a node by CUDA IPC */

    /* Of each operation that this rank has a part in, else NULL: memory that
     * is read, and written. */
    void **out, **in;
    struct runner_memory *memory; /* owns it */

    /* What follows an operation's end on this rank: waiters first[i] to
     * first[i + 1]; i = 2 * op: finished, 2 * op + 1: sent. */
    uint32_t *first;
    struct waiter *waiters;
    /* Per operation, what it still waits for; as it is at the beginning. */
    uint32_t *unmet, *unmet_posts, *unmet_now, *unmet_posts_now;
    uint32_t parts; /* sends, copies, work and receives of this rank */
    uint32_t words; /* its sends that wait for word from the receiver */

    /* While it runs. */
    uint32_t left;                   /* parts */
    uint32_t *ready, nready, served; /* operations that can start */
    MPI_Request *requests;
    struct waiter *request_of; /* post: it is a receive */
    MPI_Status *statuses;
    int *completed, nrequests;
    struct received *received; /* of each operation */
    MPI_Comm matched;  /* of sends and receives with tags of their own */
    struct flow *flow; /* while the flow of the values is checked, or NULL */
};

/*
 * Prepares the plan (borrowed until runner_clear(); so are the halo and the
 * collective, one or none of which is given). All ranks call it, with equal
 * arguments. Fails when the ranks are not those of the plan
 * and when it needs what is not there (device-aware messages off the node with
 * an MPI that cannot).
 */
int runner_init(struct runner *r, const struct native *n, const struct plan *p,
                const struct halo *h, const struct collective *c,
                unsigned ngpus, struct err *err) MUST_CHECK;
void runner_clear(struct runner *r);

/* Executes the plan once, from a common start on; the seconds that this rank
 * took. */
double runner_once(struct runner *r);

/*
 * Executes it once so that values really flow: what an operation sends is put
 * together from what has arrived before. Every value that arrives is compared,
 * and in the end every GPU has what it needs. Ends all ranks when not. Without
 * a halo only bytes are compared, by runner_verify().
 */
void runner_check_flow(struct runner *r);

/* Fills all that is read with its pattern, all that is written with another. */
void runner_fill(struct runner *r);
/* Every byte that this rank received or copied is as it must be, or all ranks
 * end. */
void runner_verify(struct runner *r);

/* --- for the files that the runner consists of ---------------------------- */

int runner_check(const struct runner *r, struct err *err) MUST_CHECK;

int runner_memory_new(struct runner *r, struct err *err) MUST_CHECK;
void runner_memory_free(struct runner *r);
/* The memory of the receiver of a message, opened here; NULL: by MPI. */
void *runner_peer_memory(const struct runner *r, uint32_t op);

/* A receive that takes any number of bytes. */
static inline bool runner_any_size(const struct op *o)
{
    return o->kind == OP_RECV && o->bytes == UINT64_MAX;
}
/* A place of a rank of the node (shared_gpu.h), opened here. */
void *runner_place(const struct runner *r, uint32_t place);
/* Of an operation of this rank: also of a receive that takes any number. */
uint64_t runner_bytes(const struct runner *r, const struct op *o);

/* The bytes that an operation carries, so many. `seed` is used where it has no
 * pieces (runner_seed()). */
void runner_pattern(uint8_t *to, const struct runner *r, uint32_t op,
                    uint64_t bytes, uint64_t seed);
/* Those of consecutive values; behind them. */
uint8_t *runner_put_values(uint8_t *to, const struct runner *r,
                           struct piece piece);
uint64_t runner_seed(const struct runner *r, uint32_t op);
/* Between any memory and ordinary memory, at once. */
void runner_move(const struct runner *r, void *to, const void *from,
                 size_t bytes);

void flow_pack(struct runner *r, uint32_t op);
void flow_unpack(struct runner *r, uint32_t op);

#endif
