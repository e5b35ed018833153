/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nccl.c - NCCL's choice: it uses the algorithm and protocol with the smallest
 * latency + bytes / bandwidth by its own model (github.com/NVIDIA/nccl
 * 5067397c, src/graph/tuning.cc). Tuner plugins are not modelled.
 *
 * LL128 is not used between nodes if a GPU reaches the NICs through a CPU: that
 * holds up to NCCL 2.27, and later with PCIe but not with C2C.
 */
#include "strategies/collective/libraries/nccl_choice.h"

#include "strategies/collective/nccl.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum tuned_limit {
    OF_LL,
    OF_RING_LL128,
    OF_TREE_LL128,
    OF_TREE,
    OF_NVLS_TREE,
    NTUNED_LIMITS
};
enum { TREE_PARTS = 24, NVLS_HEADS = 32, COLLNET_GPUS = 8 };

struct tuned {
    double base_us[NTUNED_ALGORITHMS][NTUNED_PROTOCOLS];
    double step_us[NTUNED_LINKS][NTUNED_ALGORITHMS][NTUNED_PROTOCOLS];
    double limit_GBps[NTUNED_LIMITS][NNCCL_GENERATIONS][3];
    /* The most that all channels reach together, and one of LL128; 0 if there
     * is no such limit. */
    double all_GBps[NNCCL_GENERATIONS];
    double ll128_GBps[NCOLLECTIVE_KINDS];
    double tree_ll128_part; /* LL128's part of Simple's rate between nodes */
    /* In jobs on several nodes these lengthen a step of LL and one of Simple's
     * rings, and no step of LL is shorter than overhead_us. */
    double ll_step_factor, plateau_factor[NNCCL_GENERATIONS], overhead_us;
    double nvls_part[NNCCL_GENERATIONS];
    /* PAT has parts of a ring's bandwidth and of a step's latency, and takes so
     * many us for each rank. */
    double pat_part, pat_seen, pat_rank_us;
    double collnet_peer_us; /* for each other GPU of the node */
    double tree_part[NTUNED_PROTOCOLS][TREE_PARTS];
};
static const struct tuned newest = {
#define NCCL_BASE(algorithm, ...) .base_us[algorithm] = {__VA_ARGS__},
#define NCCL_STEP(link, algorithm, ...)                                        \
    .step_us[link][algorithm] = {__VA_ARGS__},
#define NCCL_LIMIT(of, generation, ...)                                        \
    .limit_GBps[OF_##of][generation] = {__VA_ARGS__},
#define NCCL_OF_GENERATION(generation, all, plateau)                           \
    .all_GBps[generation] = (all), .plateau_factor[generation] = (plateau),
#define NCCL_ONE(of, value) .of = (value),
#define NCCL_NVLS(generation, part) .nvls_part[generation] = part,
#define NCCL_PAT(part, seen, us)                                               \
    .pat_part = (part), .pat_seen = (seen), .pat_rank_us = (us),
#define NCCL_COLLNET_PEER(us) .collnet_peer_us = (us),
#define NCCL_TREE_PART(protocol, ...) .tree_part[protocol] = {__VA_ARGS__},
#include "strategies/collective/libraries/nccl.def"
};

/* Earlier versions had other values: from version `from` to before `to`. */
static const struct {
    unsigned from, to;
    size_t at;
    double was;
} changes[] = {
#define NCCL_WAS(from, to, of, was) {from, to, offsetof(struct tuned, of), was},
#include "strategies/collective/libraries/nccl_versions.def"
};

static struct tuned tuned_of(unsigned version)
{
    struct tuned t = newest;

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        if (version >= changes[i].from && version < changes[i].to)
            memcpy((char *)&t + changes[i].at, &changes[i].was,
                   sizeof changes[i].was);
    return t;
}

/* --- the machine from NCCL's view ----------------------------------------- */

struct nccl_view {
    struct tuned t;
    unsigned version;
    bool no_pat; /* by its setting, or without numbers of it */
    struct nccl_system s;
    struct nccl_graph graphs[NTUNED_ALGORITHMS];
    unsigned channels; /* rings and trees have so many */
};

static struct nccl_view nccl_see(const struct machine *m,
                                 const struct collective *c)
{
    struct nccl_view v = {.no_pat = m->nccl.settings.no_pat ||
                                    !m->nccl.protocols[NCCL_PAT].slot_B,
                          .s = nccl_system_of(m, c)};

    v.version = v.s.version;
    v.t = tuned_of(v.version);
    assert(nccl_generation_of(m) != NCCL_NO_GENERATION); /* caller has asked */
    v.graphs[RING] = nccl_search(&v.s, NCCL_RING);
    v.graphs[TREE] = v.graphs[PAT] = nccl_search(&v.s, NCCL_TREE);
    v.graphs[NVLS] = v.graphs[NVLS_TREE] = nccl_search(&v.s, NCCL_HEADS);
    v.graphs[COLLNET_DIRECT] = nccl_search(&v.s, NCCL_DIRECT);
    v.graphs[COLLNET_CHAIN] = v.graphs[TREE];
    v.channels = nccl_channels(m, c, NULL);
    return v;
}

static double nccl_limit(const struct nccl_view *v, enum tuned_limit of)
{
    unsigned scale = v->s.nodes <= 2 ? v->s.nodes - 1 : 2;
    bool of_cpu = of == OF_LL && v->s.nodes > 1;

    return v->t.limit_GBps[of][of_cpu ? NCCL_VOLTA : v->s.generation][scale];
}

/* --- bandwidth ------------------------------------------------------------ */

static bool nccl_splits(enum collective_kind kind)
{
    return kind == COLLECTIVE_ALLGATHER || kind == COLLECTIVE_REDUCE_SCATTER;
}

/* Returns a head's bandwidth before version 2.28. */
static double nccl_old_nvls_GBps(const struct nccl_view *v,
                                 enum tuned_algorithm a,
                                 enum collective_kind kind)
{
    const struct nccl_graph *g = &v->graphs[a];
    double n = v->s.per_node;

    if (a == NVLS && kind != COLLECTIVE_ALLREDUCE && v->version >= 227)
        return fmin(g->intra_GBps * (n - 1) / n, g->inter_GBps * 0.9);
    if (v->version < 219)
        return v->s.nodes <= 2 ? g->intra_GBps : g->inter_GBps;
    return fmin(g->intra_GBps,
                g->inter_GBps * (a == NVLS_TREE && v->s.nodes > 2 ? 0.5 : 1));
}

/* Returns a head's bandwidth. An all-reduce overlaps two operations. */
static double nccl_nvls_GBps(const struct nccl_view *v, enum tuned_algorithm a,
                             enum collective_kind kind)
{
    const struct nccl_graph *g = &v->graphs[a];

    if (v->version < 228)
        return nccl_old_nvls_GBps(v, a, kind);
    double heads = g->channels, per_node = v->s.per_node;
    double intra =
        g->intra_GBps * v->t.nvls_part[v->s.generation] * (heads - 1) / heads;

    intra *= kind == COLLECTIVE_ALLREDUCE ? 2 : (per_node - 1) / per_node;
    if (a == NVLS)
        return v->s.nodes > 1 ? fmin(intra, g->inter_GBps) : intra;
    return fmin(fmin(intra, g->inter_GBps * (v->s.nodes <= 2 ? 2 : 1)),
                nccl_limit(v, OF_NVLS_TREE));
}

static double nccl_ll128_GBps(const struct nccl_view *v, enum tuned_limit of,
                              enum collective_kind kind)
{
    double own = v->t.ll128_GBps[kind];

    return own > 0 ? own : nccl_limit(v, of);
}

static double nccl_tree_GBps(const struct nccl_view *v, enum tuned_protocol p,
                             double all, double channels)
{
    double tree = fmin(all * 0.92, channels * nccl_limit(v, OF_TREE));

    if (p == LL)
        tree = fmin(tree / 3.8, nccl_limit(v, OF_LL));
    if (p == LL128)
        tree = fmin(
            tree * (v->s.nodes == 1 ? 7.0 / 9 : v->t.tree_ll128_part),
            channels * nccl_ll128_GBps(v, OF_TREE_LL128, COLLECTIVE_ALLREDUCE));
    /* A node of one GPU sends and receives all of a tree by that GPU. */
    return v->s.per_node == 1 ? tree * 0.85 : tree;
}

/* NCCL counts half of the GPUs that share a NIC, and on Hopper and later 15 %
 * less if GPUs send to all heads. */
static double nccl_collnet_GBps(const struct nccl_view *v,
                                enum tuned_algorithm a)
{
    const struct nccl_graph *g = &v->graphs[a];
    double all = g->channels * g->intra_GBps;

    if (a == COLLNET_CHAIN)
        return all;
    all /= 1 + ((double)v->s.per_node / g->channels - 1) / 2;
    return v->s.generation >= NCCL_HOPPER ? all * 0.85 : all;
}

/* Returns LL's fraction of a ring's bandwidth. */
static double nccl_ll_part(const struct nccl_view *v, enum collective_kind kind)
{
    return v->version >= 221 ? 1.0 / 2
           : v->s.nodes == 1 &&
                   (nccl_splits(kind) || kind == COLLECTIVE_BROADCAST)
               ? 1.0 / 3
               : 1.0 / 4;
}

static double nccl_bus_GBps(const struct nccl_view *v, enum tuned_algorithm a,
                            enum tuned_protocol p, enum collective_kind kind)
{
    const struct nccl_graph *g = &v->graphs[a];
    double n = g->channels;
    double all = n * (v->s.nodes <= 2 ? g->intra_GBps : g->inter_GBps);
    double most = v->t.all_GBps[v->s.generation];
    bool alone = v->version < 223 && v->s.per_node == 1;

    if (most > 0 && a <= RING)
        all = fmin(all, most);
    if (a == NVLS || a == NVLS_TREE)
        return n * nccl_nvls_GBps(v, a, kind);
    if (a == TREE)
        return nccl_tree_GBps(v, p, all, n);
    if (a == PAT)
        return all * v->t.pat_part;
    if (a == COLLNET_DIRECT || a == COLLNET_CHAIN)
        return nccl_collnet_GBps(v, a);
    return p == LL ? fmin(nccl_limit(v, OF_LL), all * nccl_ll_part(v, kind))
           : p == LL128 ? fmin(all * (alone ? 0.7 : 0.92),
                               n * nccl_ll128_GBps(v, OF_RING_LL128, kind))
                        : all;
}

/* Returns the bytes of the buffer for each byte on the bus. Before version 2.28
 * those of NVLS do not depend on the ranks. */
static double nccl_part_of_bus(const struct nccl_view *v,
                               enum tuned_algorithm a,
                               enum collective_kind kind)
{
    double nodes = v->s.nodes;

    if (a == TREE || a == COLLNET_DIRECT || a == COLLNET_CHAIN)
        return 0.5;
    if (a == RING || v->version >= 228)
        return (double)v->s.ranks / nccl_steps(kind, v->s.ranks);
    return a == NVLS_TREE && v->version < 219 ? 0.7 * nodes / (2 * (nodes - 1))
                                              : 5.0 / 6;
}

/* Returns the bandwidth in terms of the whole buffer. */
static double nccl_GBps(const struct nccl_view *v, enum tuned_algorithm a,
                        enum tuned_protocol p, enum collective_kind kind)
{
    double bus = nccl_bus_GBps(v, a, p, kind);

    return a != RING && nccl_splits(kind) ? bus
                                          : bus * nccl_part_of_bus(v, a, kind);
}

/* --- latency -------------------------------------------------------------- */

static double nccl_ring_us(const struct nccl_view *v, enum tuned_protocol p,
                           enum collective_kind kind, double intra,
                           double inter)
{
    unsigned steps = nccl_steps(kind, v->s.ranks);
    enum tuned_link link = v->s.nodes > 1 ? NET : v->s.nvlink ? NVLINK : PCI;

    if (kind == COLLECTIVE_BROADCAST || kind == COLLECTIVE_REDUCE)
        return nccl_same_channels(&v->s)
                   ? v->t.step_us[link][RING][p]
                   : steps * v->t.step_us[link][p == SIMPLE ? TREE : RING][p];
    unsigned between = v->s.nodes == 1 ? 0 : v->s.nodes - 1;
    if (kind == COLLECTIVE_ALLREDUCE)
        between *= 2;
    if (v->s.nodes > 1)
        intra = fmax(intra, v->t.overhead_us * (p == SIMPLE ? 3 : 1));
    return (steps - between) * intra + between * inter;
}

static double nccl_us(const struct nccl_view *v, enum tuned_algorithm a,
                      enum tuned_protocol p, enum collective_kind kind)
{
    double intra = v->t.step_us[v->s.nvlink ? NVLINK : PCI][a][p];
    double inter = v->t.step_us[NET][v->s.per_node == 1 ? TREE : a][p];
    double doublings = floor(log2(v->s.nodes));

    if (p == LL && v->s.nodes > 1)
        intra *= v->t.ll_step_factor;
    if (a == RING)
        return v->t.base_us[a][p] + nccl_ring_us(v, p, kind, intra, inter);
    if (a == TREE)
        return v->t.base_us[a][p] +
               2 * ((v->s.ranks / v->s.nodes - 1) * intra + doublings * inter);
    if (a == NVLS)
        return intra + (v->s.nodes > 1 ? inter : 0);
    if (a == COLLNET_CHAIN)
        return 2 * (v->s.per_node - 1) * intra + inter;
    if (a == COLLNET_DIRECT)
        return 2 * ((v->s.per_node > 1) * intra +
                    (v->s.per_node - 1) * v->t.collnet_peer_us) +
               inter;
    if (a == PAT)
        return v->t.base_us[a][p] + doublings * inter * v->t.pat_seen +
               v->s.ranks * v->t.pat_rank_us;
    return v->t.base_us[a][p] + intra + 2 * doublings * inter;
}

/* --- the choice ----------------------------------------------------------- */

/* Returns the reason why an algorithm that treats nodes alike has no plan
 * there, or NULL. */
static const char *nccl_lacks_ranks(const struct nccl_view *v)
{
    return v->s.ranks == v->s.nodes * v->s.per_node
               ? NULL
               : "NCCL's NVLS and CollNet have a model of as many ranks on all "
                 "nodes alone";
}

/* Returns the reason why NCCL has no NVLS there, or NULL. */
static const char *nccl_lacks_nvls(const struct nccl_view *v,
                                   enum tuned_algorithm a,
                                   enum collective_kind kind)
{
    if (!v->graphs[NVLS].channels)
        return "NCCL's NVLS takes switches of NVLink that add, and GPUs of "
               "sm_90 or later";
    if (a == NVLS_TREE)
        return v->s.nodes > 1 && kind == COLLECTIVE_ALLREDUCE
                   ? nccl_lacks_ranks(v)
                   : "NCCL's NVLSTree is for all-reduces of several nodes";
    if (v->s.nodes > 1 && (!v->s.net_adds || kind != COLLECTIVE_ALLREDUCE))
        return "NCCL's NVLS is for one node, or all-reduces in a network that "
               "adds (network.reduces, NCCL_COLLNET_ENABLE=1)";
    if (v->s.per_node <= 2)
        return "NCCL's NVLS is for more than two GPUs of a node";
    if (kind != COLLECTIVE_ALLREDUCE && v->s.per_node > NVLS_HEADS)
        return "NCCL's NVLS has 32 heads, each of which gathers or scatters "
               "for its GPU";
    return kind != COLLECTIVE_BROADCAST && kind != COLLECTIVE_REDUCE
               ? nccl_lacks_ranks(v)
               : "NCCL's NVLS has no root";
}

/* Returns the reason why NCCL has no CollNet there, or NULL. */
static const char *nccl_lacks_collnet(const struct nccl_view *v,
                                      enum tuned_algorithm a,
                                      enum collective_kind kind)
{
    return !v->s.net_adds
               ? "NCCL's CollNet takes several nodes, a network that adds "
                 "(network.reduces), and NCCL_COLLNET_ENABLE=1"
           : kind != COLLECTIVE_ALLREDUCE
               ? "NCCL's CollNet has a model of all-reduces alone"
           : v->s.per_node > COLLNET_GPUS
               ? "NCCL's CollNet is for 8 GPUs a node"
           : a == COLLNET_DIRECT && !v->s.switched
               ? "NCCL's CollnetDirect takes switches of NVLink"
               : nccl_lacks_ranks(v);
}

/* Returns the reason why NCCL has no PAT there, or NULL. */
static const char *nccl_lacks_pat(const struct nccl_view *v,
                                  enum collective_kind kind)
{
    return v->version < 223 ? "NCCL has PAT from version 2.23 on"
           : !nccl_splits(kind)
               ? "NCCL's PAT is for all-gathers and reduce-scatters"
           : v->s.per_node > 1 ? "NCCL's PAT is for nodes of one GPU"
           : v->no_pat ? "NCCL_PAT_ENABLE is 0, or the platform has no nccl.pat"
                       : NULL;
}

/* Returns the reason why NCCL does not use it there, or NULL. */
static const char *nccl_lacks(const struct nccl_view *v, enum tuned_algorithm a,
                              enum tuned_protocol p, enum collective_kind kind)
{
    if (p == LL128 && !v->s.nvlink)
        return "NCCL's LL128 goes over NVLink";
    if (p == LL128 && v->s.nodes > 1 && !v->s.near_nic)
        return "NCCL's LL128 goes between nodes only where a GPU reaches a NIC "
               "past no socket";
    if (a == RING)
        return NULL;
    if (a == TREE)
        return kind == COLLECTIVE_ALLREDUCE ? NULL
                                            : "NCCL's trees are of all-reduces";
    if (a == PAT)
        return nccl_lacks_pat(v, kind);
    if (a == COLLNET_DIRECT || a == COLLNET_CHAIN)
        return nccl_lacks_collnet(v, a, kind);
    return p == SIMPLE ? nccl_lacks_nvls(v, a, kind)
                       : "NCCL's NVLS has no other protocol";
}

/* Returns whether Simple's rings between nodes are slower than their steps say,
 * because a vector has more than a few lines for each rank. */
static bool nccl_on_plateau(const struct nccl_view *v, uint64_t bytes)
{
    return v->version < 218
               ? (double)bytes >= v->s.ranks / 16.0 * 65536
               : bytes / ((uint64_t)v->channels * v->s.ranks) >= 64;
}

static double nccl_time_us(const struct nccl_view *v, enum tuned_algorithm a,
                           enum tuned_protocol p, const struct collective *c)
{
    double us = nccl_us(v, a, p, c->kind), GBps = nccl_GBps(v, a, p, c->kind);
    uint64_t units = c->bytes >> 6;
    int doublings = units ? 63 - __builtin_clzll(units) : -1;

    if (a == TREE && doublings >= 0 && doublings < TREE_PARTS - 1)
        GBps *= v->t.tree_part[p][doublings];
    if (a == RING && p == SIMPLE && v->s.nodes > 1 &&
        c->kind == COLLECTIVE_ALLREDUCE && nccl_on_plateau(v, c->bytes))
        us *= v->t.plateau_factor[v->s.generation];
    return us + (double)c->bytes / (1000 * GBps);
}

void nccl_tune(struct nccl_tuning *t, const struct machine *m,
               const struct collective *c)
{
    struct nccl_view v = nccl_see(m, c);

    for (int a = 0; a < NTUNED_ALGORITHMS; a++)
        for (int p = 0; p < NTUNED_PROTOCOLS; p++) {
            t->lacks[a][p] = nccl_lacks(&v, a, p, c->kind);
            if (!t->lacks[a][p] && !v.graphs[a].channels)
                t->lacks[a][p] = "NCCL's search finds no channels for it";
            t->us[a][p] = t->lacks[a][p] ? 0 : nccl_time_us(&v, a, p, c);
        }
}

static const char *nccl_choose(const struct machine *m,
                               const struct collective *c)
{
    enum tuned_algorithm a;
    enum tuned_protocol p;
    struct nccl_tuning t;

    if (!nccl_serves(m, c) || nccl_is_rccl(nccl_generation_of(m)))
        return NULL;
    if (c->kind == COLLECTIVE_ALLTOALL)
        return m->nccl.protocols[NCCL_P2P].slot_B ? NCCL_P2P_NAME : NULL;
    nccl_tune(&t, m, c);
    return nccl_fastest(m, &t, &a, &p) ? tuned_names[a][p] : NULL;
}

static const char *nccl_refuses_it(const struct machine *m,
                                   const struct collective_algorithm *x,
                                   const struct collective *c)
{
    return nccl_is_rccl(nccl_generation_of(m)) ? "NCCL is for NVIDIA's GPUs"
                                               : nccl_refuses_told(m, x, c);
}

static bool nccl_is_for(const struct machine *m)
{
    return m->nccl.slots > 0 && !nccl_is_rccl(nccl_generation_of(m));
}

const struct collective_library nccl_library = {
    .name = "nccl",
    .summary = "NCCL's model of its own time (commit 5067397c, 2026)",
    .is_for = nccl_is_for,
    .choose = nccl_choose,
    .has = nccl_is_tuned,
    .refuses = nccl_refuses_it,
};
