/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nccl.c - NCCL's choice: it uses the algorithm and protocol with the smallest
 * latency + bytes / bandwidth by its own model (github.com/NVIDIA/nccl
 * 5067397c, src/graph/tuning.cc). CollNet, PAT and tuner plugins are not
 * modelled.
 *
 * LL128 is not used between nodes if a GPU reaches the NICs through a CPU: that
 * holds up to NCCL 2.27, and later with PCIe but not with C2C.
 *
 * The result of NCCL's search of the topology is assumed: rings and trees use
 * all of a GPU's NVLink, or all NICs of a node; a channel has 20 GB/s, on
 * Hopper 30, on Blackwell 40.
 */
#include "strategies/collective/libraries/library.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum tuned_algorithm { TREE, RING, NVLS, NVLS_TREE, NTUNED_ALGORITHMS };
enum tuned_protocol { LL, LL128, SIMPLE, NTUNED_PROTOCOLS };
enum tuned_generation {
    VOLTA, /* and older ones */
    AMPERE,
    HOPPER,
    BLACKWELL,
    NTUNED_GENERATIONS,
    NOT_TUNED = NTUNED_GENERATIONS /* not NVIDIA's, or unknown */
};
enum tuned_link { NVLINK, PCI, NET, NTUNED_LINKS };
enum tuned_limit {
    OF_LL,
    OF_RING_LL128,
    OF_TREE_LL128,
    OF_TREE,
    OF_NVLS_TREE,
    NTUNED_LIMITS
};
enum { TREE_PARTS = 24 };

static const struct {
    double base_us[NTUNED_ALGORITHMS][NTUNED_PROTOCOLS];
    double step_us[NTUNED_LINKS][NTUNED_ALGORITHMS][NTUNED_PROTOCOLS];
    double limit_GBps[NTUNED_LIMITS][NTUNED_GENERATIONS][3];
    double nvls_part[NTUNED_GENERATIONS];
    double tree_part[NTUNED_PROTOCOLS][TREE_PARTS];
} constants = {
#define NCCL_BASE(algorithm, ...) .base_us[algorithm] = {__VA_ARGS__},
#define NCCL_STEP(link, algorithm, ...)                                        \
    .step_us[link][algorithm] = {__VA_ARGS__},
#define NCCL_LIMIT(of, generation, ...)                                        \
    .limit_GBps[OF_##of][generation] = {__VA_ARGS__},
#define NCCL_NVLS(generation, part) .nvls_part[generation] = part,
#define NCCL_TREE_PART(protocol, ...) .tree_part[protocol] = {__VA_ARGS__},
#include "strategies/collective/libraries/nccl.def"
};

/* --- the machine from NCCL's view ----------------------------------------- */

#define NET_OVERHEAD_US 1.0 /* for CPUs that are not AMD's */
#define NVLS_CHANNELS 16.0

struct nccl_view {
    enum tuned_generation generation;
    unsigned ranks, nodes, per_node;
    bool nvlink;   /* NVLink joins the GPUs of a node */
    bool switched; /* it does so through switches, which can add */
    /* A NIC is attached to the first GPU, or to a switch of that GPU. */
    bool near_nic;
    double GBps; /* sum over the channels of a ring */
    double tree_GBps;
    double intra_GBps, inter_GBps;
    double channels;
};

/* Returns the generation by the compute capability, as NCCL does. */
static enum tuned_generation nccl_generation_of(const struct machine *m)
{
    const char *arch = m->gpu.arch;

    if (!arch || strncmp(arch, "sm_", 3) != 0)
        return NOT_TUNED;
    long sm = strtol(arch + 3, NULL, 10);
    return sm >= 100  ? BLACKWELL
           : sm >= 90 ? HOPPER
           : sm >= 80 ? AMPERE
                      : VOLTA;
}

/* Returns the other end of a wire, or NO_GPU if the device is at neither. */
static unsigned nccl_far_end(const struct wire *w, unsigned device)
{
    return w->ends[0] == device   ? w->ends[1]
           : w->ends[1] == device ? w->ends[0]
                                  : NO_GPU;
}

/* Returns whether the device belongs to PCIe: a PCIe switch is attached to a
 * socket, an NVLink switch is not. */
static bool nccl_is_pcie(const struct machine *m, unsigned device)
{
    if (m->devices[device].kind != DEVICE_SWITCH)
        return m->devices[device].kind == DEVICE_SOCKET;
    for (size_t i = 0; i < m->nwires; i++) {
        unsigned to = nccl_far_end(&m->wires[i], device);
        if (to != NO_GPU && m->devices[to].kind == DEVICE_SOCKET)
            return true;
    }
    return false;
}

static bool nccl_is_nic(const struct machine *m, unsigned device)
{
    return device != NO_GPU && m->devices[device].kind == DEVICE_NIC;
}

/* Returns whether a NIC is near the GPU, because only then LL128 is used
 * between nodes. */
static bool nccl_near_nic(const struct machine *m, unsigned gpu)
{
    for (size_t i = 0; i < m->nwires; i++) {
        unsigned to = nccl_far_end(&m->wires[i], gpu);
        if (nccl_is_nic(m, to))
            return true;
        if (to == NO_GPU || m->devices[to].kind != DEVICE_SWITCH)
            continue;
        for (size_t k = 0; k < m->nwires; k++)
            if (nccl_is_nic(m, nccl_far_end(&m->wires[k], to)))
                return true;
    }
    return false;
}

/* Sets the bandwidth from the first GPU to other GPUs and their switches; if it
 * has no such wires, the bandwidth to its socket. */
static void nccl_intra(struct nccl_view *v, const struct machine *m)
{
    unsigned gpu = (unsigned)(machine_gpu(m, 0) - m->devices);
    double by_pci = 0;

    for (size_t i = 0; i < m->nwires; i++) {
        const struct wire *w = &m->wires[i];
        unsigned to = nccl_far_end(w, gpu);
        if (to == NO_GPU || m->devices[to].kind == DEVICE_NIC)
            continue;
        bool pcie = nccl_is_pcie(m, to);
        *(pcie ? &by_pci : &v->intra_GBps) += w->bandwidth_Bps / 1e9;
        v->switched |= !pcie && m->devices[to].kind == DEVICE_SWITCH;
    }
    v->near_nic = nccl_near_nic(m, gpu);
    v->nvlink = v->intra_GBps > 0;
    if (!v->nvlink)
        v->intra_GBps = by_pci;
}

static double nccl_inter(const struct machine *m)
{
    double sum = 0;

    for (size_t i = 0; i < m->nwires; i++)
        if (m->devices[m->wires[i].ends[0]].kind == DEVICE_NIC ||
            m->devices[m->wires[i].ends[1]].kind == DEVICE_NIC)
            sum += m->wires[i].bandwidth_Bps / 1e9;
    return fmin(sum, m->network.bandwidth_Bps / 1e9);
}

static struct nccl_view nccl_see(const struct machine *m,
                                 const struct collective *c)
{
    static const double channel_GBps[] = {20, 20, 30, 40};
    struct nccl_view v = {.generation = nccl_generation_of(m),
                          .ranks = collective_ranks(c),
                          .nodes = c->nodes,
                          .per_node = c->ranks_per_node};

    assert(v.generation != NOT_TUNED); /* the caller has asked */
    nccl_intra(&v, m);
    v.inter_GBps = nccl_inter(m);
    v.GBps = v.nodes == 1      ? v.intra_GBps
             : v.per_node == 1 ? v.inter_GBps
                               : fmin(v.intra_GBps, v.inter_GBps);
    /* On two nodes each node has half of the tree. NCCL's search then accepts
     * links within a node that are up to twice as fast as those between nodes,
     * and counts the former. */
    v.tree_GBps = v.nodes == 2 ? fmin(v.intra_GBps, 2 * v.inter_GBps) : v.GBps;
    v.channels = fmax(1, round(v.GBps / channel_GBps[v.generation]));
    return v;
}

static double nccl_limit(const struct nccl_view *v, enum tuned_limit of)
{
    unsigned scale = v->nodes <= 2 ? v->nodes - 1 : 2;
    bool of_cpu = of == OF_LL && v->nodes > 1;

    return constants.limit_GBps[of][of_cpu ? VOLTA : v->generation][scale];
}

/* --- bandwidth ------------------------------------------------------------ */

static unsigned nccl_steps(enum collective_kind kind, unsigned ranks)
{
    return kind == COLLECTIVE_ALLREDUCE ? 2 * (ranks - 1)
           : kind == COLLECTIVE_ALLGATHER || kind == COLLECTIVE_REDUCE_SCATTER
               ? ranks - 1
               : ranks;
}

static double nccl_nvls_GBps(const struct nccl_view *v, enum tuned_algorithm a,
                             enum collective_kind kind)
{
    double intra = v->intra_GBps * constants.nvls_part[v->generation] *
                   (NVLS_CHANNELS - 1) / NVLS_CHANNELS;
    double per_node = v->per_node;

    intra *= kind == COLLECTIVE_ALLREDUCE ? 2 : (per_node - 1) / per_node;
    if (a == NVLS)
        return intra;
    return fmin(fmin(intra, v->inter_GBps * (v->nodes <= 2 ? 2 : 1)),
                nccl_limit(v, OF_NVLS_TREE) * NVLS_CHANNELS);
}

static double nccl_bus_GBps(const struct nccl_view *v, enum tuned_algorithm a,
                            enum tuned_protocol p, enum collective_kind kind)
{
    if (a == NVLS || a == NVLS_TREE)
        return nccl_nvls_GBps(v, a, kind);
    if (a == RING && p == LL)
        return fmin(nccl_limit(v, OF_LL), v->GBps * 0.5);
    if (a == RING && p == LL128)
        return fmin(v->GBps * 0.92, v->channels * nccl_limit(v, OF_RING_LL128));
    if (a == RING)
        return v->GBps;
    double tree =
        fmin(v->tree_GBps * 0.92, v->channels * nccl_limit(v, OF_TREE));
    if (p == LL)
        return fmin(tree / 3.8, nccl_limit(v, OF_LL));
    if (p == LL128)
        return fmin(tree * (v->nodes == 1 ? 7.0 / 9 : 120.0 / 128),
                    v->channels * nccl_limit(v, OF_TREE_LL128));
    return tree;
}

/* Returns the bandwidth in terms of the whole buffer. */
static double nccl_GBps(const struct nccl_view *v, enum tuned_algorithm a,
                        enum tuned_protocol p, enum collective_kind kind)
{
    double bus = nccl_bus_GBps(v, a, p, kind);
    bool split =
        kind == COLLECTIVE_ALLGATHER || kind == COLLECTIVE_REDUCE_SCATTER;

    if (a != RING && split)
        return bus;
    return bus *
           (a == TREE ? 0.5 : (double)v->ranks / nccl_steps(kind, v->ranks));
}

/* --- latency -------------------------------------------------------------- */

static double nccl_ring_us(const struct nccl_view *v, enum tuned_protocol p,
                           enum collective_kind kind, double intra,
                           double inter)
{
    unsigned steps = nccl_steps(kind, v->ranks);
    enum tuned_link link = v->nodes > 1 ? NET : v->nvlink ? NVLINK : PCI;

    if (kind == COLLECTIVE_BROADCAST || kind == COLLECTIVE_REDUCE)
        return constants.step_us[link][RING][p];
    unsigned between = v->nodes == 1 ? 0 : v->nodes - 1;
    if (kind == COLLECTIVE_ALLREDUCE)
        between *= 2;
    if (v->nodes > 1)
        intra = fmax(intra, NET_OVERHEAD_US * (p == SIMPLE ? 3 : 1));
    return (steps - between) * intra + between * inter;
}

static double nccl_us(const struct nccl_view *v, enum tuned_algorithm a,
                      enum tuned_protocol p, enum collective_kind kind)
{
    double intra = constants.step_us[v->nvlink ? NVLINK : PCI][a][p];
    double inter = constants.step_us[NET][v->per_node == 1 ? TREE : a][p];
    double doublings = floor(log2(v->nodes));

    if (a == RING)
        return constants.base_us[a][p] + nccl_ring_us(v, p, kind, intra, inter);
    if (a == TREE)
        return constants.base_us[a][p] +
               2 * ((v->ranks / v->nodes - 1) * intra + doublings * inter);
    if (a == NVLS)
        return intra + (v->nodes > 1 ? inter : 0);
    return constants.base_us[a][p] + intra + 2 * doublings * inter;
}

/* --- the choice ----------------------------------------------------------- */

/* Returns the reason why NCCL has no NVLS there, or NULL. */
static const char *nccl_lacks_nvls(const struct nccl_view *v,
                                   enum tuned_algorithm a,
                                   enum collective_kind kind)
{
    if (!v->switched || v->generation < HOPPER)
        return "NCCL's NVLS takes switches of NVLink that add, and GPUs of "
               "sm_90 or later";
    if (a == NVLS_TREE)
        return v->nodes > 1 && kind == COLLECTIVE_ALLREDUCE
                   ? NULL
                   : "NCCL's NVLSTree is for all-reduces of several nodes";
    if (v->nodes > 1 || v->per_node <= 2)
        return "NCCL's NVLS is for one node of more than two GPUs";
    return kind != COLLECTIVE_BROADCAST && kind != COLLECTIVE_REDUCE
               ? NULL
               : "NCCL's NVLS has no root";
}

/* Returns the reason why NCCL does not use it there, or NULL. */
static const char *nccl_lacks(const struct nccl_view *v, enum tuned_algorithm a,
                              enum tuned_protocol p, enum collective_kind kind)
{
    if (p == LL128 && !v->nvlink)
        return "NCCL's LL128 goes over NVLink";
    if (p == LL128 && v->nodes > 1 && !v->near_nic)
        return "NCCL's LL128 goes between nodes only where a GPU reaches a NIC "
               "past no socket";
    if (a == RING)
        return NULL;
    if (a == TREE)
        return kind == COLLECTIVE_ALLREDUCE ? NULL
                                            : "NCCL's trees are of all-reduces";
    return p == SIMPLE ? nccl_lacks_nvls(v, a, kind)
                       : "NCCL's NVLS has no other protocol";
}

static double nccl_time_us(const struct nccl_view *v, enum tuned_algorithm a,
                           enum tuned_protocol p, const struct collective *c)
{
    double us = nccl_us(v, a, p, c->kind), GBps = nccl_GBps(v, a, p, c->kind);
    uint64_t units = c->bytes >> 6;
    int doublings = units ? 63 - __builtin_clzll(units) : -1;

    if (a == TREE && doublings >= 0 && doublings < TREE_PARTS - 1)
        GBps *= constants.tree_part[p][doublings];
    if (a == RING && p == SIMPLE && v->nodes > 1 &&
        c->kind == COLLECTIVE_ALLREDUCE &&
        (double)c->bytes / (v->channels * v->ranks) >= 64)
        us *= v->generation == VOLTA ? 1.9 : 1.4;
    return us + (double)c->bytes / (1000 * GBps);
}

static const char *const tuned_names[NTUNED_ALGORITHMS][NTUNED_PROTOCOLS] = {
    [TREE] = {"nccl_tree/ll", "nccl_tree/ll128", "nccl_tree/simple"},
    [RING] = {"nccl_ring/ll", "nccl_ring/ll128", "nccl_ring/simple"},
    [NVLS] = {[SIMPLE] = "nccl_nvls"},
    [NVLS_TREE] = {[SIMPLE] = "nccl_nvls_tree"},
};

static const char *nccl_choose(const struct machine *m,
                               const struct collective *c)
{
    const char *best = NULL;
    double least = INFINITY;

    if (c->memory != COLLECTIVE_DEVICE || !m->ngpus || c->per_gpu > 1 ||
        c->kind == COLLECTIVE_ALLTOALL || collective_ranks(c) < 2 ||
        nccl_generation_of(m) == NOT_TUNED)
        return NULL;
    struct nccl_view v = nccl_see(m, c);
    for (int a = 0; a < NTUNED_ALGORITHMS; a++)
        for (int p = 0; p < NTUNED_PROTOCOLS; p++) {
            if (!tuned_names[a][p] || nccl_lacks(&v, a, p, c->kind))
                continue;
            double us = nccl_time_us(&v, a, p, c);
            if (us < least) {
                least = us;
                best = tuned_names[a][p];
            }
        }
    return best;
}

/* --- algorithms by selection ---------------------------------------------- */

static bool nccl_is(const struct collective_algorithm *x,
                    enum tuned_algorithm *algorithm,
                    enum tuned_protocol *protocol)
{
    for (int a = 0; a < NTUNED_ALGORITHMS; a++)
        for (int p = 0; p < NTUNED_PROTOCOLS; p++)
            if (tuned_names[a][p] && !strcmp(tuned_names[a][p], x->name)) {
                *algorithm = a;
                *protocol = p;
                return true;
            }
    return false;
}

static bool nccl_has(const struct collective_algorithm *x)
{
    enum tuned_algorithm a;
    enum tuned_protocol p;

    return nccl_is(x, &a, &p);
}

static const char *nccl_refuses_told(const struct machine *m,
                                     const struct collective_algorithm *x,
                                     const struct collective *c)
{
    enum tuned_algorithm a;
    enum tuned_protocol p;

    if (!nccl_is(x, &a, &p))
        return "it is not NCCL's";
    if (nccl_generation_of(m) == NOT_TUNED)
        return "NCCL is for GPUs whose gpu.arch is sm_NUMBER";
    if (c->memory != COLLECTIVE_DEVICE)
        return "NCCL's are between GPUs (memory=device)";
    struct nccl_view v = nccl_see(m, c);
    return nccl_lacks(&v, a, p, c->kind);
}

const struct collective_library nccl_library = {
    .name = "nccl",
    .summary = "NCCL's model of its own time (commit 5067397c, 2026)",
    .of_gpus = true,
    .choose = nccl_choose,
    .has = nccl_has,
    .refuses = nccl_refuses_told,
};
