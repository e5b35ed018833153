/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shared_gpu.h - what collectives of ranks that share GPUs consist of (Faraji
 * and Afsahi, 2018): copies into and out of a buffer in GPU memory that one
 * rank has and all may use, by CUDA IPC or by way of the host, and flags in
 * host memory that its rank polls. Ranks of a communicator are counted as in
 * collective_build.h; its first one leads and has the buffer.
 */
#ifndef STRATEGIES_SHARED_GPU_SHARED_GPU_H
#define STRATEGIES_SHARED_GPU_SHARED_GPU_H

#include "strategies/collective/collective_build.h"

/* How a vector gets to the leader, or from it. */
enum shared_copy { SHARED_IPC, SHARED_HOST, NSHARED_COPIES };

/* By which copies of a rank's vector its values move, for checks: `op` stores
 * what place `from` has in place `to`, or adds it to what is there. Each rank
 * has three places. */
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
void shared_moved(const struct collective_build *b, uint32_t op, bool adds,
                  uint32_t from_rank, enum shared_place from, uint32_t to_rank,
                  enum shared_place to);

/* The ranks of GPU `gpu` of a node, in the order of the ranks; their leader is
 * the GPU's. And the leaders of the GPUs of a node; and of the nodes. */
struct collective_comm shared_on_gpu(const struct collective_build *b,
                                     unsigned node, unsigned gpu);
struct collective_comm shared_of_node(const struct collective_build *b,
                                      unsigned node);
struct collective_comm shared_of_job(const struct collective_build *b);
/* GPUs of a node that are used. */
unsigned shared_gpus(const struct collective_build *b);
uint32_t shared_gpu_of(const struct collective_build *b, uint32_t rank);
/* Why ranks cannot share GPUs as these algorithms want, or NULL. */
const char *shared_refuses(const struct collective *c);

/* --- operations of a rank --------------------------------------------------
 * Each comes after what its rank did before, which goes on after it, unless it
 * answers a flag: then it comes after that, and after `since`, what the rank
 * did before it began to poll, and nobody waits for it. They return their
 * number. */

struct collective_after shared_since(const struct collective_build *b,
                                     uint32_t rank);

/* Rank `from` writes a flag that `to` polls: a message in host memory of a
 * cache line. */
uint32_t shared_flag(struct collective_build *b, uint32_t from, uint32_t to);
/* What `rank` does next comes after the flag, too. */
void shared_see(struct collective_build *b, uint32_t rank, uint32_t flag);
/* A copy between the memories of two GPUs of a node, or inside one, by `rank`;
 * IPC events are recorded behind it. */
uint32_t shared_ipc_copy(struct collective_build *b, enum phase phase,
                         uint32_t rank, uint32_t from_gpu, uint32_t to_gpu,
                         uint64_t bytes);
uint32_t shared_record(struct collective_build *b, uint32_t rank);
/* Between the rank's GPU and the host. */
uint32_t shared_host_copy(struct collective_build *b, enum phase phase,
                          uint32_t rank, enum copy_dir dir, uint64_t bytes);
/* An answer: the rank copies to its GPU. */
uint32_t shared_take_in(struct collective_build *b, uint32_t rank,
                        uint32_t flag, struct collective_after since,
                        uint64_t bytes);
/* A kernel of the rank adds `inputs` buffers up, and the rank waits for it,
 * after all of deps. */
uint32_t shared_reduce(struct collective_build *b, uint32_t rank,
                       uint64_t bytes, unsigned inputs, const uint32_t *deps,
                       size_t n);

/* --- reductions and broadcasts ---------------------------------------------
 */

struct shared_way {
    const char *name;
    /* The leader gets the sum of all vectors; all get the leader's. inside: all
     * are on one GPU. */
    void (*reduce)(struct collective_build *b,
                   const struct collective_comm *comm, uint64_t bytes,
                   bool inside);
    void (*broadcast)(struct collective_build *b,
                      const struct collective_comm *comm, uint64_t bytes,
                      bool inside);
};
extern const struct shared_way shared_gsb, shared_btb;

/* The leaders of the nodes, whose vectors are in their GPUs, get the sum of
 * all: by way of the host, as MVAPICH2 does. */
void shared_between_nodes(struct collective_build *b, uint64_t bytes);
/* All ranks of the communicator, in host memory, get the sum of all. */
void shared_host_allreduce(struct collective_build *b,
                           const struct collective_comm *comm);
/* The same of blocks of so many elements: each gets all. */
void shared_host_allgather(struct collective_build *b,
                           const struct collective_comm *comm);

#endif
