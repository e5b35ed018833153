/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * btb.c - a binomial tree of buffers: in level k a rank copies its sum into the
 * buffer of the rank 2^k before it, which adds it to its own sum by a kernel;
 * the sum comes back down the same tree (Faraji and Afsahi 2018, 4.1.2). A rank
 * copies only when the other is at the same level, which the other signals by a
 * flag. Within one GPU its memory moves 7 (P - 1) vectors: 2 for each copy, 3
 * for each kernel.
 */
#include "strategies/shared_gpu/shared_gpu.h"

static void btb_up(struct collective_build *b, uint32_t from, uint32_t to,
                   uint64_t bytes, bool first)
{
    if (!first)
        shared_see(b, from, shared_flag(b, to, from));
    uint32_t copy =
        shared_ipc_copy(b, PHASE_GATHER, from, collective_gpu_of(b, from),
                        collective_gpu_of(b, to), bytes);
    shared_moved(b, copy, false, from, SHARED_OWN, to, SHARED_SLOT);
    shared_record(b, from);
    shared_see(b, to, shared_flag(b, from, to));
    uint32_t sum = shared_reduce(b, to, bytes, 2, NULL, 0);
    shared_moved(b, sum, true, to, SHARED_SLOT, to, SHARED_OWN);
}

static void btb_reduce(struct collective_build *b,
                       const struct collective_comm *comm, uint64_t bytes,
                       bool inside)
{
    for (uint32_t d = 1; d < comm->count; d *= 2)
        for (uint32_t i = d; i < comm->count; i += 2 * d)
            btb_up(b, collective_rank(comm, i), collective_rank(comm, i - d),
                   bytes, inside && d == 1);
}

static void btb_broadcast(struct collective_build *b,
                          const struct collective_comm *comm, uint64_t bytes,
                          bool inside)
{
    uint32_t top = 1;

    (void)inside;
    while (2 * top < comm->count)
        top *= 2;
    for (uint32_t d = top; d; d /= 2)
        for (uint32_t i = d; i < comm->count; i += 2 * d) {
            uint32_t from = collective_rank(comm, i - d);
            uint32_t to = collective_rank(comm, i);
            shared_see(b, to, shared_flag(b, from, to));
            uint32_t copy = shared_ipc_copy(b, PHASE_SCATTER, to,
                                            collective_gpu_of(b, from),
                                            collective_gpu_of(b, to), bytes);
            shared_moved(b, copy, false, from, SHARED_OWN, to, SHARED_OWN);
        }
}

const struct shared_scheme shared_btb = {"btb", btb_reduce, btb_broadcast};
