/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exchanges, gathers, scatters and repacking as operations of a plan, and a
 * refusal that algorithms share. */
#include "strategies/collective/collective_steps.h"

#include <assert.h>
#include <stdlib.h>

const char *refuses_odd_ranks(const struct collective *c)
{
    uint32_t n = collective_ranks(c);

    return n % 2 && n > 1 ? "only for even numbers of ranks" : NULL;
}

void collective_block(struct collective_build *b, uint32_t src, uint32_t dst,
                      uint32_t count)
{
    plan_piece(b->p, (struct piece){src, dst, count});
}

static uint32_t collective_message(struct collective_build *b,
                                   const struct collective_comm *comm,
                                   uint32_t from, uint32_t to, uint64_t bytes,
                                   collective_blocks *blocks)
{
    uint32_t op = plan_msg(b->p, comm->phase, from, to, collective_gpu(b, from),
                           collective_gpu(b, to), bytes);

    for (int i = 0; i < b->after[from].n; i++)
        plan_after(b->p, b->after[from].deps[i]);
    for (int i = 0; i < b->after[to].n; i++)
        plan_posted_after(b->p, b->after[to].deps[i]);
    if (b->c->pieces)
        blocks(b, from, to);
    return op;
}

/* Plans an exchange by MPI_Sendrecv(): a rank continues when its send's buffer
 * is free and its receive is complete. */
static void collective_pairwise(struct collective_build *b,
                                const struct collective_comm *comm,
                                uint64_t bytes, collective_blocks *blocks)
{
    for (uint32_t step = 0; step < comm->count; step++) {
        uint32_t first = (uint32_t)b->p->nops;
        for (uint32_t i = 0; i < comm->count; i++)
            collective_message(b, comm, collective_rank(comm, i),
                               collective_rank(comm, i + step), bytes, blocks);
        for (uint32_t i = 0; i < comm->count; i++) {
            uint32_t to = (i + step) % comm->count;
            b->after[collective_rank(comm, i)].deps[0] =
                (first + i) | AFTER_SENT;
            b->after[collective_rank(comm, to)].deps[1] = first + i;
            b->after[collective_rank(comm, i)].n = 2;
        }
    }
}

/* Plans an MPI_Waitall(): an operation of no length that waits for all
 * `deps`. */
static void collective_wait(struct collective_build *b, uint32_t rank,
                            const uint32_t *deps, size_t n)
{
    uint32_t op = plan_work(b->p, rank, 0);

    for (size_t i = 0; i < n; i++)
        plan_after(b->p, deps[i]);
    b->after[rank].deps[0] = op;
    b->after[rank].n = 1;
}

/* Plans an exchange in which all messages are posted in the order of the steps.
 * A rank's message to itself is the last, because MPI copies it only when the
 * rank waits. */
static void collective_nonblocking(struct collective_build *b,
                                   const struct collective_comm *comm,
                                   uint64_t bytes, collective_blocks *blocks)
{
    uint32_t first = (uint32_t)b->p->nops, n = comm->count;
    uint32_t *deps = xcalloc(2 * (size_t)n, sizeof *deps);

    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            collective_message(b, comm, collective_rank(comm, i),
                               collective_rank(comm, i + k + 1), bytes, blocks);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n; k++) {
            deps[2 * k] = (first + k * n + i) | AFTER_SENT;
            deps[2 * k + 1] = first + k * n + (i + 2 * n - k - 1) % n;
        }
        collective_wait(b, collective_rank(comm, i), deps, 2 * (size_t)n);
    }
    free(deps);
}

void collective_exchange(struct collective_build *b,
                         const struct collective_comm *comm, uint64_t bytes,
                         collective_blocks *blocks)
{
    if (b->c->exchange == COLLECTIVE_PAIRWISE)
        collective_pairwise(b, comm, bytes, blocks);
    else
        collective_nonblocking(b, comm, bytes, blocks);
}

/* Plans one message between the first rank and each rank; up: to the first. */
static void collective_rooted(struct collective_build *b,
                              const struct collective_comm *comm,
                              uint64_t bytes, collective_blocks *blocks,
                              bool up)
{
    uint32_t first = (uint32_t)b->p->nops, root = comm->first;
    uint32_t *deps = xcalloc(comm->count, sizeof *deps);

    for (uint32_t i = 0; i < comm->count; i++) {
        uint32_t rank = collective_rank(comm, i);
        collective_message(b, comm, up ? rank : root, up ? root : rank, bytes,
                           blocks);
        deps[i] = up ? first + i : (first + i) | AFTER_SENT;
    }
    for (uint32_t i = 1; i < comm->count; i++) {
        struct collective_after *after = &b->after[collective_rank(comm, i)];
        after->deps[0] = up ? (first + i) | AFTER_SENT : first + i;
        after->n = 1;
    }
    collective_wait(b, root, deps, comm->count);
    free(deps);
}

void collective_gather(struct collective_build *b,
                       const struct collective_comm *comm, uint64_t bytes,
                       collective_blocks *blocks)
{
    collective_rooted(b, comm, bytes, blocks, true);
}

void collective_scatter(struct collective_build *b,
                        const struct collective_comm *comm, uint64_t bytes,
                        collective_blocks *blocks)
{
    collective_rooted(b, comm, bytes, blocks, false);
}

/*
 * A repack is a copy within a process: it costs its bytes as other local copies
 * do (sim/transport/pack.c), by the working set, and for each part a call that
 * accesses memory outside the cache. The 4 ns are fitted to the time that the
 * hierarchical all-to-all of 2 nodes on Dane needs in addition to its phases,
 * with parts of 4 B.
 */
#define REPACK_PART_S 4e-9

void collective_repack(struct collective_build *b,
                       const struct collective_comm *comm, uint64_t bytes,
                       uint64_t part_B)
{
    double parts = part_B ? (double)bytes / (double)part_B : 0;

    for (uint32_t i = 0; i < comm->count; i++) {
        uint32_t rank = collective_rank(comm, i);
        struct collective_after after = b->after[rank];
        uint32_t gpu = collective_gpu(b, rank);
        uint32_t op = gpu == NO_GPU
                          ? plan_work(b->p, rank, parts * REPACK_PART_S)
                          : plan_pack(b->p, PHASE_WORK, rank, gpu, bytes, true);
        for (int d = 0; d < after.n; d++)
            plan_after(b->p, after.deps[d]);
        if (gpu == NO_GPU) {
            uint32_t calls = op;
            op = plan_pack(b->p, PHASE_WORK, rank, gpu, bytes, true);
            plan_after(b->p, calls);
        }
        b->after[rank].deps[0] = op;
        b->after[rank].n = 1;
    }
}
