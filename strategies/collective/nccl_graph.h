/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nccl_graph.h - the channels that NCCL's search finds on a machine
 * (github.com/NVIDIA/nccl 5067397c, src/graph): their number, and the bandwidth
 * that it counts for each in a node and between nodes. NCCL sees the GPUs'
 * architecture, their NVLinks, and the NICs.
 */
#ifndef STRATEGIES_COLLECTIVE_NCCL_GRAPH_H
#define STRATEGIES_COLLECTIVE_NCCL_GRAPH_H

#include "platforms/nccl_parts.h"
#include "strategies/collective/collective.h"

/* Returns the generation of the machine's GPUs. */
static inline enum nccl_generation nccl_generation_of(const struct machine *m)
{
    return nccl_generation_by(m->gpu.arch);
}
/* Returns whether RCCL is for the generation, instead of NCCL. */
static inline bool nccl_is_rccl(enum nccl_generation g)
{
    return g >= RCCL_MI200 && g < NNCCL_GENERATIONS;
}

/* NCCL's view of the machine, for a job of so many ranks. Bandwidths are those
 * of one direction, as NCCL counts them. */
struct rccl_rings;
struct nccl_system {
    enum nccl_generation generation;
    unsigned version;                /* of NCCL, 227 for 2.27 */
    const struct rccl_rings *listed; /* RCCL's rings of such a node, or NULL */
    unsigned ranks, nodes, per_node;
    bool nvlink;       /* NVLink joins the GPUs of a node */
    bool switched;     /* NVLink goes through switches */
    bool adds;         /* the switches can add and multicast (NVLS) */
    bool net_adds;     /* switches of the network add, and NCCL uses them */
    bool near_nic;     /* the first GPU reaches a NIC without a socket */
    double gpu_GBps;   /* from a GPU to the others of the node */
    unsigned nics;     /* a node has so many NICs */
    double nic_GBps;   /* a NIC's share of inter_GBps */
    double inter_GBps; /* all NICs of a node, if the network is not slower */
    struct nccl_settings set; /* its texts are the machine's */
};
struct nccl_system nccl_system_of(const struct machine *m,
                                  const struct collective *c);

/* NCCL_DIRECT is NCCL_HEADS without switches in the node that add. */
enum nccl_pattern { NCCL_RING, NCCL_TREE, NCCL_HEADS, NCCL_DIRECT };
/* The bandwidths are those of a channel. There are 0 channels if the pattern is
 * not possible. */
struct nccl_graph {
    unsigned channels;
    double intra_GBps, inter_GBps;
};
/* Returns the channels that the search finds for a pattern. For NVLS they are
 * the heads, which are GPUs. */
struct nccl_graph nccl_search(const struct nccl_system *s,
                              enum nccl_pattern pattern);
/* Returns the bandwidth of an NVLink, as NCCL counts it. */
double nccl_link_GBps(const struct nccl_system *s);
/* Returns the number of channels of rings and trees: twice those that the
 * search finds, or as many as RCCL makes of its rings. */
unsigned nccl_channels_of(const struct nccl_system *s);

#endif
