/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collective_build.h - functions to build the phases of collectives: steps, in
 * each of which ranks send elements that are stored or added; and for
 * all-to-alls exchanges, gathers and scatters of communicators. */
#ifndef STRATEGIES_COLLECTIVE_COLLECTIVE_BUILD_H
#define STRATEGIES_COLLECTIVE_COLLECTIVE_BUILD_H

#include "strategies/collective/collective.h"

enum { COLLECTIVE_AFTER = 4 };

struct collective_build {
    struct plan *p;
    const struct machine *m;
    const struct collective *c;
    unsigned nodes;     /* planned ones, which may be 1 of c->nodes */
    uint32_t ranks;     /* ranks of the job, on all c->nodes */
    unsigned per_group; /* ranks in a group */
    uint64_t block_B;   /* all-to-all: bytes from each rank to each */
    unsigned element_B;
    uint64_t elements; /* in the vector, or in an allgather's result */
    /* after[rank] is the set of dependencies of that rank's next operation. */
    struct collective_after {
        uint32_t deps[COLLECTIVE_AFTER]; /* in the form of plan_after() */
        uint8_t n;
    } * after;
    /* If not NULL, posted[rank] is the set of dependencies of the receives in
     * that rank's next step; else `after` holds for receives as well. */
    struct collective_after *posted;
    struct collective_steps *steps; /* items of the current step */
};

/* Makes the plan that build() describes, for an operation that is not in the
 * table of algorithms. */
void collective_plan_by(struct plan *p, const struct machine *m,
                        const struct collective *c,
                        void (*build)(struct collective_build *b, void *arg),
                        void *arg);

/* Returns the reason why an algorithm that needs equally many ranks on all
 * nodes does not apply, or NULL. */
const char *refuses_unequal_nodes(const struct collective *c);
/* Returns the reason why an algorithm whose ranks form pairs does not apply, or
 * NULL. */
const char *refuses_odd_ranks(const struct collective *c);

/* Returns the rank's GPU, numbered in the job. */
uint32_t collective_gpu_of(const struct collective_build *b, uint32_t rank);

/* A communicator: `count` ranks `first`, first + stride, ... */
struct collective_comm {
    uint32_t first, stride, count;
    enum phase phase; /* the phase of its messages */
};
static inline uint32_t collective_rank(const struct collective_comm *comm,
                                       uint32_t i)
{
    return comm->first + i % comm->count * comm->stride;
}

/* --- steps ---------------------------------------------------------------- */

/* With ADD_HERE the message itself adds its elements on arrival, without an
 * OP_REDUCE. */
enum collective_action {
    COLLECTIVE_STORE,
    COLLECTIVE_ADD,
    COLLECTIVE_ADD_HERE
};

struct collective_range {
    uint64_t first, count; /* elements */
};

/* Returns the range of all elements. */
struct collective_range collective_all(const struct collective_build *b);
/* Returns blocks i to before `end` if the range is divided into n blocks, as
 * equal as possible and the larger ones first. */
struct collective_range collective_blocks_of(struct collective_range whole,
                                             uint32_t i, uint32_t end,
                                             uint32_t n);

/* Plans for this step that rank `from` sends the elements to rank `to`, which
 * stores them or adds them to its own. An empty range is sent, too. Messages of
 * a rank are posted in the order of the calls. */
void collective_send(struct collective_build *b, enum phase phase,
                     uint32_t from, uint32_t to, struct collective_range range,
                     enum collective_action action);
/* Appends these elements to the newest message. */
void collective_send_also(struct collective_build *b,
                          struct collective_range range);
/* Plans for this step of an all-to-all that rank `from` sends `bytes` bytes to
 * rank `to`; collective_block() then says which blocks these are. */
void collective_send_blocks(struct collective_build *b, enum phase phase,
                            uint32_t from, uint32_t to, uint64_t bytes);
/* Plans for this step that the rank copies `bytes` bytes in its memory. */
void collective_copy(struct collective_build *b, uint32_t rank, uint64_t bytes);
/* Ends the step. The next operations of a rank wait for all that it has sent in
 * this step (because its buffers must be free), received and then added, as
 * after MPI_Sendrecv() or MPI_Waitall() and MPI_Reduce_local(). Copies of this
 * step wait for the step before, so they begin together with the messages. */
void collective_step(struct collective_build *b);
/* If on, receives are posted one step ahead from now on, as a pipeline of
 * segments does with a second buffer: they wait for the sends of their rank in
 * the step before, or, if it has none, for the step before that. If off, they
 * wait as other operations do. */
void collective_ahead(struct collective_build *b, bool on);
/* The rank's sends in its next step wait for the operation, too. */
void collective_also_after(struct collective_build *b, uint32_t rank,
                           uint32_t op);
/*
 * collective_fork() returns a copy of the state of all ranks, from which a
 * second sequence of steps can begin. Operations planned until
 * collective_turn_to(copy) and operations planned after it, until
 * collective_join(), do not wait for each other. collective_turn_to() returns
 * the state to be joined; collective_join() frees it, and lets later operations
 * wait for both sequences.
 */
struct collective_after *collective_fork(const struct collective_build *b);
struct collective_after *collective_turn_to(struct collective_build *b,
                                            struct collective_after *other);
void collective_join(struct collective_build *b,
                     struct collective_after *other);

/* --- all-to-alls ---------------------------------------------------------- */

/* Calls collective_block() for each run of blocks in the message of rank `from`
 * to rank `to`; each algorithm has its own. */
typedef void collective_blocks(struct collective_build *b, uint32_t from,
                               uint32_t to);
/* Appends to the newest message the blocks of rank `src` for `count` ranks from
 * `dst` on. */
void collective_block(struct collective_build *b, uint32_t src, uint32_t dst,
                      uint32_t count);

/* Plans an exchange: each rank of the communicator sends `bytes` bytes to each,
 * itself included. */
void collective_exchange(struct collective_build *b,
                         const struct collective_comm *comm, uint64_t bytes,
                         collective_blocks *blocks);
/* Plans a gather: each rank, the first included, sends `bytes` bytes to the
 * first in one message. */
void collective_gather(struct collective_build *b,
                       const struct collective_comm *comm, uint64_t bytes,
                       collective_blocks *blocks);
/* Plans a scatter: the first rank sends `bytes` bytes to each, itself
 * included. */
void collective_scatter(struct collective_build *b,
                        const struct collective_comm *comm, uint64_t bytes,
                        collective_blocks *blocks);
/* Plans for each rank of the communicator a copy of `bytes` bytes between two
 * of its buffers, in parts of part_B bytes. */
void collective_repack(struct collective_build *b,
                       const struct collective_comm *comm, uint64_t bytes,
                       uint64_t part_B);

#endif
