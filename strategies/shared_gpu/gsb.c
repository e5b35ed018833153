/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gsb.c - the GPU shared buffer: all ranks copy their vectors into one buffer
 * on the leader's GPU, one kernel adds them, all ranks copy the sum (Faraji and
 * Afsahi 2018, 4.1.1):
 *
 *     others    copy, event, flag                        copy
 *     leader    copy        await the events, kernel, flags  copy
 *
 * Within one GPU its memory moves (5 P + 1) vectors: 2 for each copy, P + 1 for
 * the kernel.
 */
#include "strategies/shared_gpu/shared_gpu.h"

#include <stdlib.h>

static void gsb_reduce(struct collective_build *b,
                       const struct collective_comm *comm, uint64_t bytes,
                       bool inside)
{
    uint32_t root = collective_rank(comm, 0), to = collective_gpu_of(b, root);
    uint32_t *seen, n = 0;

    if (comm->count < 2)
        return;
    seen = xcalloc(comm->count, sizeof *seen);
    (void)inside;
    for (uint32_t i = 1; i < comm->count; i++) {
        uint32_t rank = collective_rank(comm, i);
        uint32_t copy = shared_ipc_copy(b, PHASE_GATHER, rank,
                                        collective_gpu_of(b, rank), to, bytes);
        shared_moved(b, copy, false, rank, SHARED_OWN, rank, SHARED_SLOT);
        shared_record(b, rank);
        seen[n++] = shared_flag(b, rank, root);
    }
    uint32_t sum = shared_reduce(b, root, bytes, comm->count, seen, n);
    for (uint32_t i = 1; i < comm->count; i++)
        shared_moved(b, sum, true, collective_rank(comm, i), SHARED_SLOT, root,
                     SHARED_OWN);
    free(seen);
}

static void gsb_broadcast(struct collective_build *b,
                          const struct collective_comm *comm, uint64_t bytes,
                          bool inside)
{
    uint32_t root = collective_rank(comm, 0), from = collective_gpu_of(b, root);

    (void)inside;
    for (uint32_t i = 1; i < comm->count; i++) {
        uint32_t rank = collective_rank(comm, i);
        shared_see(b, rank, shared_flag(b, root, rank));
        uint32_t copy = shared_ipc_copy(b, PHASE_SCATTER, rank, from,
                                        collective_gpu_of(b, rank), bytes);
        shared_moved(b, copy, false, root, SHARED_OWN, rank, SHARED_OWN);
    }
}

const struct shared_scheme shared_gsb = {"gsb", gsb_reduce, gsb_broadcast};
