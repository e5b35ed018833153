/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * peer_allreduce.c - the all-reduces of inference engines, each of which is one
 * kernel that loads from the memory of its peers (vLLM's custom_all_reduce.cuh,
 * github.com/vllm-project/vllm; SGLang has the same).
 *
 * With one_shot each rank loads the whole vectors of all others between two
 * barriers of flags. With two_shot it adds its own part of all vectors, and
 * behind a second barrier loads the sums of the other parts. A thread's loads
 * of vectors to add are under way together. Those of sums follow one another,
 * because a store, which may change the memory of the next load, is between
 * them. With one_shot_push each rank stores its vector in the memory of all
 * others, whose threads poll for the elements themselves, so there are no
 * flags (TensorRT-LLM's allReduceFusionKernels.cu, by Lamport's protocol).
 */
#include "strategies/collective/peer.h"

/* 36 blocks were found best on A100, A10, A30, T4 and V100, by a search of the
 * kernel's authors. */
enum { MOST_BLOCKS = 36, MOST_PUSH_BLOCKS = 128 };

static unsigned blocks_of(const struct collective_build *b)
{
    return peer_blocks(b->c->bytes, MOST_BLOCKS);
}

static void one_shot(struct collective_build *b)
{
    peer_launch(b);
    if (b->ranks < 2)
        return;
    peer_barrier(b, false);
    for (uint32_t d = 1; d < b->ranks; d++)
        for (uint32_t r = 0; r < b->ranks; r++)
            peer_access(b, (r + d) % b->ranks, r, collective_all(b),
                        COLLECTIVE_ADD, blocks_of(b));
    collective_step(b);
    peer_barrier(b, false);
}

static void one_shot_push(struct collective_build *b)
{
    unsigned blocks = peer_blocks(b->c->bytes, MOST_PUSH_BLOCKS);

    peer_launch(b);
    for (uint32_t d = 1; d < b->ranks; d++)
        for (uint32_t r = 0; r < b->ranks; r++)
            peer_access(b, r, (r + d) % b->ranks, collective_all(b),
                        COLLECTIVE_ADD, blocks);
    collective_step(b);
}

static struct collective_range part_of(const struct collective_build *b,
                                       uint32_t rank)
{
    return collective_blocks_of(collective_all(b), rank, rank + 1, b->ranks);
}

static void two_shot(struct collective_build *b)
{
    peer_launch(b);
    if (b->ranks < 2)
        return;
    peer_barrier(b, false);
    for (uint32_t d = 1; d < b->ranks; d++)
        for (uint32_t r = 0; r < b->ranks; r++)
            peer_access(b, (r + d) % b->ranks, r, part_of(b, r), COLLECTIVE_ADD,
                        blocks_of(b));
    collective_step(b);
    peer_barrier(b, true);
    for (uint32_t d = 1; d < b->ranks; d++) {
        for (uint32_t r = 0; r < b->ranks; r++) {
            uint32_t from = (r + d) % b->ranks;
            peer_access(b, from, r, part_of(b, from), COLLECTIVE_STORE,
                        blocks_of(b));
        }
        collective_step(b);
    }
}

const struct collective_algorithm one_shot_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "one_shot",
    .summary = "a kernel loads the vectors of all GPUs, as vLLM's 1-stage",
    .refuses = peer_refuses,
    .runtime = RUNTIME_PEER,
    .phases = {{.build = one_shot}},
    .make_loop = peer_check,
};

const struct collective_algorithm one_shot_push_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "one_shot_push",
    .summary = "a kernel stores its vector at all GPUs, as TensorRT-LLM's",
    .refuses = peer_refuses,
    .runtime = RUNTIME_PEER,
    .phases = {{.build = one_shot_push}},
    .make_loop = peer_check,
};

const struct collective_algorithm two_shot_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "two_shot",
    .summary = "a kernel adds its part of all, loads the rest, as vLLM's "
               "2-stage",
    .refuses = peer_refuses,
    .runtime = RUNTIME_PEER,
    .phases = {{.build = two_shot}},
    .make_loop = peer_check,
};
