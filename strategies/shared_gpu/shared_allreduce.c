/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hierarchy of Faraji and Afsahi 2018, 4.2: the ranks of a GPU, the GPUs of
 * a node and the nodes reduce in this order, and the sum returns in the
 * opposite order. Both the level of a GPU and that of a node use GSB or BTB. */
#include "strategies/shared_gpu/shared_gpu.h"

static void shared_hierarchy(struct collective_build *b,
                             const struct shared_scheme *on_gpu,
                             const struct shared_scheme *on_node)
{
    uint64_t bytes = b->c->bytes;

    for (unsigned node = 0; node < b->nodes; node++) {
        struct collective_comm gpus = shared_of_node(b, node);
        for (unsigned gpu = 0; gpu < gpus.count; gpu++) {
            struct collective_comm ranks = shared_on_gpu(b, node, gpu);
            on_gpu->reduce(b, &ranks, bytes, true);
        }
        on_node->reduce(b, &gpus, bytes, false);
    }
    shared_between_nodes(b, bytes);
    for (unsigned node = 0; node < b->nodes; node++) {
        struct collective_comm gpus = shared_of_node(b, node);
        on_node->broadcast(b, &gpus, bytes, false);
        for (unsigned gpu = 0; gpu < gpus.count; gpu++) {
            struct collective_comm ranks = shared_on_gpu(b, node, gpu);
            on_gpu->broadcast(b, &ranks, bytes, true);
        }
    }
}

#define SHARED_HIERARCHY(on_gpu, on_node, what)                                \
    static void build_##on_gpu##_##on_node(struct collective_build *b)         \
    {                                                                          \
        shared_hierarchy(b, &shared_##on_gpu, &shared_##on_node);              \
    }                                                                          \
    const struct collective_algorithm                                          \
        on_gpu##_##on_node##_allreduce_collective = {                          \
            .kind = COLLECTIVE_ALLREDUCE,                                      \
            .name = #on_gpu "_" #on_node,                                      \
            .summary = (what),                                                 \
            .refuses = shared_refuses,                                         \
            .shared = true,                                                    \
            .phases = {{.build = build_##on_gpu##_##on_node}},                 \
    }

SHARED_HIERARCHY(gsb, gsb,
                 "ranks that share GPUs: one buffer of a GPU, then one of a "
                 "node");
SHARED_HIERARCHY(gsb, btb,
                 "ranks that share GPUs: one buffer of a GPU, then a tree of "
                 "GPUs");
SHARED_HIERARCHY(btb, gsb,
                 "ranks that share GPUs: a tree on a GPU, then one buffer of "
                 "a node");
SHARED_HIERARCHY(btb, btb,
                 "ranks that share GPUs: a tree on a GPU, then a tree of "
                 "GPUs");
