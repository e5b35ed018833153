/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hierarchical_allreduce.c - allreduces first on nodes, then between them.
 *
 * hierarchical_X A node's first rank gets its sum up a binomial tree, the first
 *                ranks do X, and broadcast it down a binomial tree.
 * lanes_X        A ring reduce-scatter on each node; ranks of the same number
 *                on all nodes do X with their block; a ring allgather on each
 *                node (Träff, Hunold 2020: Decomposing MPI Collectives for
 *                Exploiting Multi-lane Communication).
 */
#include "strategies/collective/collective_parts.h"

typedef void allreduce_part(struct collective_build *b,
                            const struct collective_comm *comm,
                            struct collective_range range);

const char *refuses_unequal_nodes(const struct collective *c)
{
    return collective_ranks(c) % c->ranks_per_node
               ? "only for as many ranks on each node"
               : NULL;
}

/* Plans a collective on each node. */
static void on_nodes(struct collective_build *b, allreduce_part *part)
{
    uint32_t ppn = b->c->ranks_per_node, here = b->nodes * ppn;

    if (here > b->ranks)
        here = b->ranks;
    for (uint32_t first = 0; first < here && ppn > 1; first += ppn)
        part(b,
             &(struct collective_comm){first, 1,
                                       here - first < ppn ? here - first : ppn,
                                       PHASE_ON_NODE},
             collective_all(b));
}

static void levels_build_reduce(struct collective_build *b)
{
    on_nodes(b, binomial_reduce);
}

static void levels_build_broadcast(struct collective_build *b)
{
    on_nodes(b, binomial_broadcast);
}

static void levels_build_reduce_scatter(struct collective_build *b)
{
    on_nodes(b, ring_reduce_scatter);
}

static void levels_build_allgather(struct collective_build *b)
{
    on_nodes(b, ring_allgather);
}

/* Plans a collective of the ranks of each number below `lanes` on all nodes,
 * each with its block of the vector. */
static void levels_between_nodes(struct collective_build *b,
                                 allreduce_part *part, uint32_t lanes)
{
    uint32_t ppn = b->c->ranks_per_node;

    for (uint32_t lane = 0; lane < lanes && b->ranks > ppn; lane++)
        part(b,
             &(struct collective_comm){lane, ppn, (b->ranks + ppn - 1) / ppn,
                                       PHASE_OFF_NODE},
             collective_blocks_of(collective_all(b), lane, lane + 1, lanes));
}

static void ring_allreduce(struct collective_build *b,
                           const struct collective_comm *comm,
                           struct collective_range range)
{
    ring_reduce_scatter(b, comm, range);
    ring_allgather(b, comm, range);
}

/* --- rings in steps ------------------------------------------------------- */

static uint32_t levels_one_step(const struct collective_build *b)
{
    (void)b;
    return 1;
}

static uint32_t levels_node_steps(const struct collective_build *b)
{
    uint32_t ppn = b->c->ranks_per_node;

    return (b->ranks + ppn - 1) / ppn - 1;
}

static void levels_build_leaders_adding(struct collective_build *b)
{
    levels_between_nodes(b, ring_adding_step, 1);
}

static void levels_build_leaders_storing(struct collective_build *b)
{
    levels_between_nodes(b, ring_storing_step, 1);
}

static void levels_build_lanes_adding(struct collective_build *b)
{
    levels_between_nodes(b, ring_adding_step, b->c->ranks_per_node);
}

static void levels_build_lanes_storing(struct collective_build *b)
{
    levels_between_nodes(b, ring_storing_step, b->c->ranks_per_node);
}

#define LEADERS_ring                                                           \
    .sections = {{levels_one_step, levels_build_reduce},                       \
                 {levels_node_steps, levels_build_leaders_adding},             \
                 {levels_node_steps, levels_build_leaders_storing},            \
                 {levels_one_step, levels_build_broadcast}},
#define LANES_ring                                                             \
    .sections = {{levels_one_step, levels_build_reduce_scatter},               \
                 {levels_node_steps, levels_build_lanes_adding},               \
                 {levels_node_steps, levels_build_lanes_storing},              \
                 {levels_one_step, levels_build_allgather}},
#define LEADERS_recursive_doubling
#define LANES_recursive_doubling
#define LEADERS_rabenseifner
#define LANES_rabenseifner

/* --- all ------------------------------------------------------------------ */

#define HIERARCHICAL(X)                                                        \
    static void levels_build_leaders_##X(struct collective_build *b)           \
    {                                                                          \
        levels_between_nodes(b, X##_allreduce, 1);                             \
    }                                                                          \
    static void levels_build_lanes_##X(struct collective_build *b)             \
    {                                                                          \
        levels_between_nodes(b, X##_allreduce, b->c->ranks_per_node);          \
    }                                                                          \
    const struct collective_algorithm                                          \
        hierarchical_##X##_allreduce_collective = {                            \
            .kind = COLLECTIVE_ALLREDUCE,                                      \
            .by_node = true,                                                   \
            .name = "hierarchical_" #X,                                        \
            .summary = "to a leader of each node, " #X " between leaders",     \
            LEADERS_##X.phases = {{.name = "reduce",                           \
                                   .on_node = true,                            \
                                   .build = levels_build_reduce},              \
                                  {.name = "inter_node",                       \
                                   .build = levels_build_leaders_##X},         \
                                  {.name = "broadcast",                        \
                                   .on_node = true,                            \
                                   .build = levels_build_broadcast}},          \
    };                                                                         \
    const struct collective_algorithm lanes_##X##_allreduce_collective = {     \
        .kind = COLLECTIVE_ALLREDUCE,                                          \
        .by_node = true,                                                       \
        .name = "lanes_" #X,                                                   \
        .summary = "a block to each rank of a node, " #X " between nodes",     \
        .refuses = refuses_unequal_nodes,                                      \
        LANES_##X.phases = {{.name = "reduce_scatter",                         \
                             .on_node = true,                                  \
                             .build = levels_build_reduce_scatter},            \
                            {.name = "inter_node",                             \
                             .build = levels_build_lanes_##X},                 \
                            {.name = "allgather",                              \
                             .on_node = true,                                  \
                             .build = levels_build_allgather}},                \
    }

HIERARCHICAL(ring);
HIERARCHICAL(recursive_doubling);
HIERARCHICAL(rabenseifner);
