/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shared_gpu.h - the parts of collectives of ranks that share GPUs (Faraji and
 * Afsahi, 2018): copies into and out of a buffer in GPU memory that one rank
 * has and all may use, by CUDA IPC or through the host, and flags in host
 * memory that its rank polls. Ranks are counted within a communicator as in
 * collective_build.h; its first one is the leader and has the buffer.
 */
#ifndef STRATEGIES_SHARED_GPU_SHARED_GPU_H
#define STRATEGIES_SHARED_GPU_SHARED_GPU_H

#include "strategies/collective/collective_build.h"

/* The kind of a copy between a rank and the leader. */
enum shared_copy { SHARED_IPC, SHARED_HOST, NSHARED_COPIES };

/* Copies of values, recorded for checks: operation `op` stores the values of
 * place `from` in place `to`, or adds them to those there. Each rank has three
 * places: its own vector, its slot in the leader's buffer, and a buffer in host
 * memory. */
enum shared_place { SHARED_OWN, SHARED_SLOT, SHARED_STAGE, NSHARED_PLACES };
struct shared_move {
    uint32_t op;
    bool adds;
    uint32_t from, to; /* rank * NSHARED_PLACES + place */
};
struct shared_moves {
    struct shared_move *moves; /* the caller frees it */
    size_t n, room;
};
/* Records a copy if the request has b->c->moves. */
void shared_moved(const struct collective_build *b, uint32_t op, bool adds,
                  uint32_t from_rank, enum shared_place from, uint32_t to_rank,
                  enum shared_place to);

/* Return communicators: the ranks of GPU `gpu` of a node in ascending order,
 * whose first is the GPU's leader; the leaders of the GPUs of a node; the
 * leaders of the nodes. */
struct collective_comm shared_on_gpu(const struct collective_build *b,
                                     unsigned node, unsigned gpu);
struct collective_comm shared_of_node(const struct collective_build *b,
                                      unsigned node);
struct collective_comm shared_of_job(const struct collective_build *b);
/* Returns the number of GPUs of a node that are used. */
unsigned shared_gpus(const struct collective_build *b);
/* Returns the reason why ranks do not share GPUs as these algorithms require,
 * or NULL. */
const char *shared_refuses(const struct collective *c);

/* --- operations of a rank --------------------------------------------------
 * Each of these functions returns the number of its operation. The operation
 * follows the rank's operations so far, and later ones follow it. Only an
 * answer to a flag follows the flag and `since`, the rank's operations before
 * it began to poll, and no operation waits for it unless it is named. */

struct collective_after shared_since(const struct collective_build *b,
                                     uint32_t rank);

/* Plans a flag that rank `from` writes and rank `to` polls: a message of a
 * cache line in host memory. */
uint32_t shared_flag(struct collective_build *b, uint32_t from, uint32_t to);
/* Lets the next operation of `rank` follow the flag, too. */
void shared_see(struct collective_build *b, uint32_t rank, uint32_t flag);
/* Plans a copy by `rank` between the memories of two GPUs of a node, or within
 * one; shared_record() plans the record of an IPC event after it. */
uint32_t shared_ipc_copy(struct collective_build *b, enum phase phase,
                         uint32_t rank, uint32_t from_gpu, uint32_t to_gpu,
                         uint64_t bytes);
uint32_t shared_record(struct collective_build *b, uint32_t rank);
/* Plans a copy between the rank's GPU and the host. */
uint32_t shared_host_copy(struct collective_build *b, enum phase phase,
                          uint32_t rank, enum copy_dir dir, uint64_t bytes);
/* Plans a copy from the host to the rank's GPU, which answers a flag. */
uint32_t shared_take_in(struct collective_build *b, uint32_t rank,
                        uint32_t flag, struct collective_after since,
                        uint64_t bytes);
/* Plans a kernel of the rank that adds `inputs` buffers after all of deps; the
 * rank waits for its end. */
uint32_t shared_reduce(struct collective_build *b, uint32_t rank,
                       uint64_t bytes, unsigned inputs, const uint32_t *deps,
                       size_t n);

/* --- reductions and broadcasts ---------------------------------------------
 */

struct shared_scheme {
    const char *name;
    /* reduce: the leader gets the sum of all vectors; broadcast: all get the
     * leader's. inside: all ranks are on one GPU. */
    void (*reduce)(struct collective_build *b,
                   const struct collective_comm *comm, uint64_t bytes,
                   bool inside);
    void (*broadcast)(struct collective_build *b,
                      const struct collective_comm *comm, uint64_t bytes,
                      bool inside);
};
extern const struct shared_scheme shared_gsb, shared_btb;

/* Plans that the leaders of the nodes, whose vectors are in their GPUs, get the
 * sum of all, through the host as in MVAPICH2. */
void shared_between_nodes(struct collective_build *b, uint64_t bytes);
/* Plans an allreduce of the ranks of the communicator in host memory. */
void shared_host_allreduce(struct collective_build *b,
                           const struct collective_comm *comm);
/* Plans an allgather of them in host memory, of blocks of equal size. */
void shared_host_allgather(struct collective_build *b,
                           const struct collective_comm *comm);

#endif
