/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_platform_nccl.c - prints the channels that NCCL finds on a platform, as
 * its log with NCCL_DEBUG=INFO does: graphs, channels, rings, trees and heads.
 */
#include "cli/show_platform.h"

#include "strategies/collective/nccl.h"

#include <stdio.h>
#include <stdlib.h>

enum { TREE_CHILDREN = 3 };

static void show_graph(const char *name, struct nccl_graph g)
{
    if (g.channels)
        printf("  %-6s nChannels %u, bw %.6g/%.6g GB/s (in the node, between "
               "nodes)\n",
               name, g.channels, g.intra_GBps, g.inter_GBps);
    else
        printf("  %-6s not possible\n", name);
}

static void show_rings(const struct machine *m, const struct collective *c)
{
    struct nccl_groups g;
    unsigned channel = 0;

    nccl_groups_of(&g, m, c, 1);
    for (uint32_t i = 0; i < g.n; i++) {
        printf("  rings %u to %u:", channel, channel + g.channels - 1);
        for (uint32_t at = 0; at < g.ranks; at++)
            printf(" %u", g.order[(size_t)i * g.ranks + at]);
        printf("\n");
        channel += g.channels;
    }
    nccl_groups_clear(&g);
}

/* Prints a rank of a tree: its children, the one on its node first, -1 for
 * none, then the rank and its parent. */
static void show_tree(const uint32_t *parent, uint32_t ranks, unsigned per_node,
                      uint32_t rank)
{
    uint32_t order[TREE_CHILDREN] = {0};
    unsigned n = 0;

    for (int elsewhere = 0; elsewhere < 2; elsewhere++)
        for (uint32_t r = 0; r < ranks; r++)
            if (parent[r] == rank && n < TREE_CHILDREN &&
                (r / per_node != rank / per_node) == elsewhere)
                order[n++] = r;
    for (unsigned i = 0; i < TREE_CHILDREN; i++)
        printf("%s%d", i ? "/" : "", i < n ? (int)order[i] : -1);
    printf("->%u->%d", rank,
           parent[rank] == NCCL_NO_PARENT ? -1 : (int)parent[rank]);
}

/* The second half of the channels has the second tree of each group, if there
 * are two. */
static void show_trees(const struct machine *m, const struct collective *c)
{
    struct nccl_groups g;

    nccl_tree_groups_of(&g, m, c, 1);
    unsigned channels = g.n * g.channels;
    uint32_t *parents = xcalloc((size_t)channels * g.ranks, sizeof *parents);
    for (unsigned i = 0; i < channels; i++)
        nccl_tree_parents(&parents[(size_t)i * g.ranks], &g, c, i % g.n,
                          c->nodes > 1 && i >= channels / 2);
    for (uint32_t rank = 0; rank < g.ranks; rank++) {
        printf("  rank %u: Trees", rank);
        for (unsigned i = 0; i < channels; i++) {
            printf(" [%u] ", i);
            show_tree(&parents[(size_t)i * g.ranks], g.ranks, c->ranks_per_node,
                      rank);
        }
        printf("\n");
    }
    free(parents);
    nccl_groups_clear(&g);
}

static void show_heads(const struct collective *c, unsigned heads)
{
    for (unsigned h = 0; h < heads; h++) {
        printf("  head %u:", h);
        for (unsigned node = 0; node < c->nodes; node++)
            printf(" %u",
                   node * c->ranks_per_node + h * c->ranks_per_node / heads);
        printf("\n");
    }
}

int show_platform_nccl_on(const struct machine *m, unsigned nodes,
                          struct err *err)
{
    struct collective c = {.kind = COLLECTIVE_ALLREDUCE,
                           .nodes = nodes,
                           .ranks_per_node = m->ngpus,
                           .bytes = UINT64_C(1) << 40,
                           .memory = COLLECTIVE_DEVICE};
    const struct nccl_protocol *p2p = &m->nccl.protocols[NCCL_P2P];

    if (!m->nccl.slots || nccl_generation_of(m) == NCCL_NO_GENERATION)
        return fail(err, "--nccl: %s has no nccl", m->name);
    if (!nodes || nodes > m->network.nodes)
        return fail(err, "--nodes: expected 1 to %u", m->network.nodes);
    const struct nccl_system s = nccl_system_of(m, &c);
    unsigned channels = nccl_channels(m, &c, NULL);
    printf("NCCL on %u x %u GPUs of %s\n", nodes, m->ngpus, m->name);
    show_graph("Ring", nccl_search(&s, NCCL_RING));
    show_graph("Tree", nccl_search(&s, NCCL_TREE));
    show_graph("NVLS", nccl_search(&s, NCCL_HEADS));
    unsigned heads = nccl_heads(m, &c);
    printf("  %u coll channels, %u nvls channels", channels,
           heads ? nccl_channels(m, &c, &m->nccl.protocols[NCCL_NVLS]) : 0);
    if (p2p->slot_B)
        printf(", %u p2p channels for a long message of an all-to-all",
               nccl_p2p_channels(&s, channels, p2p, UINT64_C(1) << 30));
    printf("\n");
    show_rings(m, &c);
    show_trees(m, &c);
    show_heads(&c, heads);
    return 0;
}
