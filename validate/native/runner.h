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

/* An action on this rank that waits for the end of an operation: the start of
 * another, or the post of its receive. */
struct waiter {
    uint32_t op;
    bool post;
    bool word; /* a request for the notice that the receiver is ready */
};

/* The source, tag and size of the last message that an OP_RECV got. */
struct received {
    uint32_t src, tag;
    int bytes;
};

struct runner {
    const struct native *n;
    const struct plan *plan;
    const struct halo *halo; /* the pieces are values of it; NULL for none */
    /* The collective whose elements the pieces are (store.h); NULL for none.
     * Its memory on this rank, which many operations read and write: */
    const struct collective *collective;
    char *host_store, *device_store;
    unsigned long long wrong; /* elements that are wrong at the end */
    char *slot;     /* memory for other ranks' data, or NULL (store_moves()) */
    unsigned ngpus; /* GPUs per node, in the plan's numbers */
    uint64_t largest_B; /* largest OP_SEND to this rank */
    bool ipc;           /* CUDA IPC moves device memory within a node */

    /* For each operation that this rank takes part in, the memory that it reads
     * and writes; otherwise NULL. */
    void **out, **in;
    struct runner_memory *memory; /* owns that memory */

    /* The actions that follow an operation's end on this rank: waiters first[i]
     * to first[i + 1] - 1, with i = 2 * op once it is finished, i = 2 * op + 1
     * once it is sent. */
    uint32_t *first;
    struct waiter *waiters;
    /* Dependencies that each operation still waits for: at the start of a run,
     * and now. */
    uint32_t *unmet, *unmet_posts, *unmet_now, *unmet_posts_now;
    uint32_t parts; /* sends, copies, work and receives of this rank */
    uint32_t words; /* its sends that wait for a notice of the receiver */

    /* Set while it runs. */
    uint32_t left;                   /* parts that have not ended */
    uint32_t *ready, nready, served; /* operations that can start */
    MPI_Request *requests;
    struct waiter *request_of; /* post: it is a receive */
    struct waiter *done;       /* those that have just ended */
    MPI_Status *statuses;
    int *completed, nrequests;
    struct received *received; /* one per operation */
    MPI_Comm matched;  /* for sends and receives with tags of their own */
    struct flow *flow; /* NULL unless the flow of values is checked */
};

/* Prepares the plan, which is borrowed until runner_clear(), as are the halo
 * and the collective, at most one of which is given. All ranks call it, with
 * equal arguments. Fails if the ranks are not those of the plan, or if the plan
 * needs a function that is missing (device-aware messages between nodes with an
 * MPI that cannot send them). */
int runner_init(struct runner *r, const struct native *n, const struct plan *p,
                const struct halo *h, const struct collective *c,
                unsigned ngpus, struct err *err) MUST_CHECK;
void runner_clear(struct runner *r);

/* Executes the plan once, from a common start; returns the seconds that this
 * rank took. */
double runner_once(struct runner *r);
/* Returns the mean over some calls of it, for repeat.h; `arg` is a runner. */
double runner_batch(void *arg, unsigned iterations);

/* Executes the plan once so that values really flow: an operation sends the
 * values that have arrived before. Compares every value that arrives, and
 * checks that in the end every GPU has the values that it needs; ends all ranks
 * if not. Without a halo only bytes are compared, by runner_verify(). */
void runner_check_flow(struct runner *r);

/* Fills all memory that is read with its pattern, and all that is written with
 * another. */
void runner_fill(struct runner *r);
/* Checks every byte that this rank received or copied; ends all ranks if one is
 * wrong. */
void runner_verify(struct runner *r);

/* --- for the files that make up the runner -------------------------------- */

int runner_check(const struct runner *r, struct err *err) MUST_CHECK;

int runner_memory_new(struct runner *r, struct err *err) MUST_CHECK;
void runner_memory_free(struct runner *r);
/* Returns whether CUDA IPC moves a message. */
bool runner_by_ipc(const struct runner *r, const struct op *o);
/* Returns the memory of the receiver of a message, as opened here; NULL if MPI
 * sends it. */
void *runner_peer_memory(const struct runner *r, uint32_t op);

/* Returns whether it is a receive that accepts any number of bytes. */
static inline bool runner_any_size(const struct op *o)
{
    return o->kind == OP_RECV && o->bytes == UINT64_MAX;
}
/* Returns a place of a rank of the node (shared_gpu.h), as opened here. */
void *runner_place(const struct runner *r, uint32_t place);
/* Returns the bytes of an operation of this rank; for a receive of any number,
 * the room that it needs. */
uint64_t runner_bytes(const struct runner *r, const struct op *o);

/* Writes the bytes that an operation carries, `bytes` of them. `seed`
 * (runner_seed()) is used if it has no pieces. */
void runner_pattern(uint8_t *to, const struct runner *r, uint32_t op,
                    uint64_t bytes, uint64_t seed);
/* Writes the bytes of consecutive values; returns the end. */
uint8_t *runner_put_values(uint8_t *to, const struct runner *r,
                           struct piece piece);
uint64_t runner_seed(const struct runner *r, uint32_t op);
/* Copies between any memory and ordinary memory, and waits for the end. */
void runner_move(const struct runner *r, void *to, const void *from,
                 size_t bytes);

/* Copies the bytes of a pack instead of gathering them: it needs the same
 * kernel launch, and reads and writes as many bytes. */
void runner_pack(struct runner *r, uint32_t op);

void flow_pack(struct runner *r, uint32_t op);
void flow_unpack(struct runner *r, uint32_t op);
/* Makes and frees the flow of the halo's values; flow_check() ends all ranks
 * unless every value has arrived exactly once at each GPU that needs it. */
struct flow *flow_new(const struct runner *r);
void flow_free(struct flow *f, const struct runner *r);
void flow_check(const struct runner *r);

#endif
