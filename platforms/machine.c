/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers questions about a machine that has been read: its devices,
 * localities, routes, NICs and costs. */
#include "platforms/machine.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

const char *const locality_names[NLOCALITIES] = {"shared_cache", "on_socket",
                                                 "on_node", "off_node"};
const char *const msg_path_names[NPATHS] = {"cpu", "gpu", "gpu_no_gdr"};
const char *const runtime_names[NRUNTIMES] = {
#define RUNTIME(upper, lower, word) #lower,
#include "platforms/runtimes.def"
#undef RUNTIME
};

const char *const runtime_words[NRUNTIMES] = {
#define RUNTIME(upper, lower, word) word,
#include "platforms/runtimes.def"
#undef RUNTIME
};
#define GPU_CALL(X, x, at, what) #x,
const char *const gpu_call_names[NGPU_CALLS] = {
#include "platforms/gpu_calls.def"
};
#undef GPU_CALL
#define GPU_CALL(X, x, at, what) what,
const char *const gpu_call_whats[NGPU_CALLS] = {
#include "platforms/gpu_calls.def"
};
#undef GPU_CALL
#define GPU_CALL(X, x, at, what) CALL_AT_##at,
const enum gpu_call_at gpu_call_ats[NGPU_CALLS] = {
#include "platforms/gpu_calls.def"
};
#undef GPU_CALL
const char *const nccl_protocol_names[] = {"simple", "ll",  "ll128",  "nvls",
                                           "p2p",    "pat", "collnet"};
const char *const protocol_names[NPROTOCOLS] = {"short", "eager", "rendezvous"};
const char *const copy_dir_names[NCOPY_DIRS] = {"H2D", "D2H", "D2D"};
const char *const device_kind_names[NDEVICE_KINDS] = {"socket", "gpu", "nic",
                                                      "switch"};
const char *const routing_names[NROUTINGS] = {"minimal", "valiant", "ugal_l",
                                              "ugal_g"};
const char *const topology_names[NTOPOLOGIES] = {
#define TOPOLOGY(upper, lower) #lower,
#include "platforms/topologies.def"
#undef TOPOLOGY
};

void measured_widen(struct measured_range *r, uint64_t least, uint64_t most)
{
    if (!most)
        return;
    if (!r->most || least < r->least)
        r->least = least;
    if (most > r->most)
        r->most = most;
}

static const struct device *nth(const struct machine *m, enum device_kind kind,
                                unsigned index)
{
    for (size_t i = 0; i < m->ndevices; i++)
        if (m->devices[i].kind == kind && m->devices[i].index == index)
            return &m->devices[i];
    assert(!"no such device");
    return NULL;
}

const struct device *machine_gpu(const struct machine *m, unsigned gpu)
{
    return nth(m, DEVICE_GPU, gpu);
}

const struct device *machine_nic(const struct machine *m, unsigned nic)
{
    return nth(m, DEVICE_NIC, nic);
}

const struct device *machine_socket(const struct machine *m, unsigned socket)
{
    return nth(m, DEVICE_SOCKET, socket);
}

unsigned machine_core_socket(const struct machine *m, unsigned core)
{
    for (unsigned s = 0; s < m->nsockets; s++) {
        unsigned cores = machine_socket(m, s)->cores;
        if (core < cores)
            return s;
        core -= cores;
    }
    assert(!"no such core");
    return 0;
}

unsigned machine_socket_core(const struct machine *m, unsigned socket)
{
    unsigned first = 0;

    for (unsigned s = 0; s < socket; s++)
        first += machine_socket(m, s)->cores;
    return first;
}

unsigned machine_gpu_core(const struct machine *m, unsigned gpu)
{
    unsigned socket = machine_gpu(m, gpu)->socket;
    unsigned cores = machine_socket(m, socket)->cores, on_socket = 0,
             before = 0;

    for (unsigned g = 0; g < m->ngpus; g++)
        if (machine_gpu(m, g)->socket == socket) {
            on_socket++;
            before += g < gpu;
        }
    assert(on_socket > 0 && cores > 0);
    return machine_socket_core(m, socket) +
           (cores / on_socket ? before * (cores / on_socket) : before % cores);
}

enum locality machine_core_locality(const struct machine *m, unsigned node_a,
                                    unsigned core_a, unsigned node_b,
                                    unsigned core_b)
{
    if (node_a != node_b)
        return OFF_NODE;

    unsigned socket = machine_core_socket(m, core_a);
    if (socket != machine_core_socket(m, core_b))
        return ON_NODE;

    unsigned first = machine_socket_core(m, socket);
    unsigned share = machine_socket(m, socket)->cores_per_cache;
    if (share && (core_a - first) / share == (core_b - first) / share)
        return SHARED_CACHE;
    return ON_SOCKET;
}

enum locality machine_gpu_locality(const struct machine *m, unsigned node_a,
                                   unsigned gpu_a, unsigned node_b,
                                   unsigned gpu_b)
{
    if (node_a != node_b)
        return OFF_NODE;
    if (machine_gpu(m, gpu_a)->socket == machine_gpu(m, gpu_b)->socket)
        return ON_SOCKET;
    return ON_NODE;
}

bool machine_same_rack(const struct machine *m, unsigned node_a,
                       unsigned node_b)
{
    unsigned n = m->network.nodes_per_rack;

    return !n || network_node(&m->network, node_a) / n ==
                     network_node(&m->network, node_b) / n;
}

bool machine_nodes_alike(const struct machine *m, unsigned nodes)
{
    bool apart = m->network.nodes_per_rack == 1;

    if (m->network.topology != TOPOLOGY_CROSSBAR ||
        m->network.routing != ROUTING_MINIMAL)
        return false;
    for (unsigned node = 1; node < nodes; node++)
        if (machine_same_rack(m, 0, node) == apart)
            return false;
    return true;
}

const struct message_table *machine_table(const struct machine *m,
                                          enum runtime by, enum msg_path path,
                                          enum locality where)
{
    const struct message_table *own = m->messages[by][path];
    const struct message_table *mpi = m->messages[RUNTIME_MPI][path];

    if (own[where].nsegments)
        return &own[where];
    if (where == SHARED_CACHE && own[ON_SOCKET].nsegments)
        return &own[ON_SOCKET];
    if (where == ON_SOCKET && runtime_is_of_kernels(by))
        return &own[ON_NODE]; /* NVLink knows no sockets */
    return where == SHARED_CACHE && !mpi[where].nsegments ? &mpi[ON_SOCKET]
                                                          : &mpi[where];
}

const struct segment *table_segment(const struct message_table *t,
                                    uint64_t bytes)
{
    for (size_t i = 0; i < t->nsegments; i++)
        if (bytes <= t->segments[i].up_to_B)
            return &t->segments[i];
    return NULL;
}

double machine_own_share(const struct machine *m, double working_set_B,
                         unsigned processes)
{
    const struct device *s = machine_socket(m, 0);
    double cache_B = s->shared_cache_B;

    if (processes > m->nsockets)
        cache_B *= (double)m->nsockets / processes;
    if (s->cache_B > cache_B)
        cache_B = s->cache_B;
    return working_set_B > cache_B ? 1 - cache_B / working_set_B : 0;
}

double machine_memory_share(const struct machine *m, double working_set_B)
{
    double cache_B = 0;

    for (unsigned s = 0; s < m->nsockets; s++) {
        double own_B = machine_socket(m, s)->cache_B;
        cache_B = s == 0 || own_B < cache_B ? own_B : cache_B;
    }
    if (cache_B <= 0)
        return 1;
    return working_set_B > cache_B ? 1 - cache_B / working_set_B : 0;
}

int machine_nic_between(const struct machine *m, const struct segment *s,
                        unsigned node_a, unsigned node_b)
{
    if (s->nic != NIC_OF_NODES)
        return s->nic;
    return m->nnics ? (int)((node_a + node_b) % m->nnics) : NIC_OF_SOCKET;
}

const struct segment *machine_segment(const struct machine *m, enum runtime by,
                                      enum msg_path path, enum locality where,
                                      uint64_t bytes)
{
    return table_segment(machine_table(m, by, path, where), bytes);
}

const struct gpu_calls *machine_gpu_calls(const struct machine *m,
                                          uint32_t ngpus)
{
    return ngpus > 1 && m->gpu.several_given ? &m->gpu.calls_of_several
                                             : &m->gpu.calls;
}

double machine_put_s(const struct machine *m)
{
    const struct segment *s =
        machine_segment(m, RUNTIME_SHMEM, machine_gpu_path(m), OFF_NODE, 1);

    return s ? s->alpha_s : 0;
}

/* Returns whether row a is a better answer than b for this many processes. */
static bool nearer(const struct copy_cost *a, const struct copy_cost *b,
                   unsigned processes)
{
    bool a_enough = a->processes >= processes;
    bool b_enough = b->processes >= processes;

    if (a_enough != b_enough)
        return a_enough;
    if (a->processes != b->processes)
        return a_enough ? a->processes < b->processes
                        : a->processes > b->processes;
    return a->up_to_B < b->up_to_B;
}

const struct copy_cost *machine_copy(const struct machine *m, enum copy_dir dir,
                                     enum locality where, unsigned processes,
                                     uint64_t bytes)
{
    const struct copy_cost *best = NULL;

    for (size_t i = 0; i < m->copies.nrows; i++) {
        const struct copy_cost *row = &m->copies.rows[i];
        if (row->dir != dir || row->locality != where || bytes > row->up_to_B)
            continue;
        if (!best || nearer(row, best, processes))
            best = row;
    }
    return !best && where == SHARED_CACHE
               ? machine_copy(m, dir, ON_SOCKET, processes, bytes)
               : best;
}

uint64_t machine_rendezvous_limit(const struct machine *m)
{
    const struct message_table *t =
        &m->messages[RUNTIME_MPI][PATH_HOST][OFF_NODE];
    uint64_t limit = 0;

    for (size_t i = 0; i < t->nsegments; i++)
        if (t->segments[i].protocol != PROTOCOL_RENDEZVOUS)
            limit = t->segments[i].up_to_B;
    return limit;
}

double machine_injection_Bps(const struct machine *m)
{
    double nics = 0;

    for (size_t w = 0; w < m->nwires; w++)
        for (int end = 0; end < 2; end++)
            if (m->devices[m->wires[w].ends[end]].kind == DEVICE_NIC)
                nics += m->wires[w].bandwidth_Bps;
    return nics > 0 && nics < m->network.bandwidth_Bps
               ? nics
               : m->network.bandwidth_Bps;
}

static bool hangs_on(const struct machine *m, unsigned nic, unsigned gpu)
{
    return m->devices[nic].kind == DEVICE_NIC && m->devices[nic].gpu == gpu;
}

/* Returns whether a route may pass a device: a NIC passes nothing on, a GPU
 * only if a NIC that hangs on it is an end. */
static bool passes_on(const struct machine *m, unsigned d, unsigned from,
                      unsigned to)
{
    switch (m->devices[d].kind) {
    case DEVICE_SOCKET:
    case DEVICE_SWITCH:
        return true;
    case DEVICE_GPU:
        return hangs_on(m, from, d) || hangs_on(m, to, d);
    default:
        return false;
    }
}

int machine_route(const struct machine *m, unsigned from, unsigned to,
                  unsigned hops[16], bool reversed[16])
{
    unsigned queue[MACHINE_DEVICES], by_wire[MACHINE_DEVICES] = {0};
    bool seen[MACHINE_DEVICES] = {false};
    size_t head = 0, tail = 0;

    assert(m->ndevices <= MACHINE_DEVICES);
    seen[from] = true;
    queue[tail++] = from;
    while (head < tail && !seen[to]) {
        unsigned at = queue[head++];
        for (unsigned w = 0; w < m->nwires; w++) {
            const unsigned *ends = m->wires[w].ends;
            if (ends[0] != at && ends[1] != at)
                continue;
            unsigned next = ends[0] == at ? ends[1] : ends[0];
            if (seen[next] || (next != to && !passes_on(m, next, from, to)))
                continue;
            seen[next] = true;
            by_wire[next] = w;
            queue[tail++] = next;
        }
    }
    if (!seen[to])
        return -1;

    int n = 0;
    for (unsigned at = to; at != from;) {
        const unsigned *ends = m->wires[by_wire[at]].ends;
        if (n == 16)
            return -1;
        hops[n] = by_wire[at];
        reversed[n] = ends[0] == at;
        at = ends[0] == at ? ends[1] : ends[0];
        n++;
    }
    for (int i = 0; i < n / 2; i++) {
        unsigned hop = hops[i];
        bool rev = reversed[i];
        hops[i] = hops[n - 1 - i];
        reversed[i] = reversed[n - 1 - i];
        hops[n - 1 - i] = hop;
        reversed[n - 1 - i] = rev;
    }
    return n;
}

/* Finds the NICs that are nearest to a device: near[i] is set if NIC i is
 * one. */
static void nearest(const struct machine *m, const struct device *from,
                    bool *near)
{
    int best = INT_MAX;

    memset(near, 0, m->nnics * sizeof *near);
    for (unsigned d = 0; d < m->ndevices; d++) {
        const struct device *nic = &m->devices[d];
        unsigned hops[16];
        bool reversed[16];
        if (nic->kind != DEVICE_NIC)
            continue;
        int away =
            machine_route(m, (unsigned)(from - m->devices), d, hops, reversed);
        if (away < 0)
            continue;
        if (nic->socket != from->socket)
            away += 16; /* more than any route on its own socket */
        if (away < best)
            memset(near, 0, m->nnics * sizeof *near);
        if (away <= best)
            near[nic->index] = true;
        best = away < best ? away : best;
    }
}

/* Returns the one of the near NICs for the k-th of n users; they share them in
 * blocks. */
static unsigned dealt(const bool *near, unsigned nnics, unsigned k, unsigned n)
{
    unsigned count = 0, nic = 0;

    for (unsigned i = 0; i < nnics; i++)
        count += near[i];
    if (!count)
        return 0;
    for (unsigned skip = k * count / n; !near[nic] || skip; nic++)
        skip -= near[nic];
    return nic;
}

static void deal_to_gpus(const struct machine *m, unsigned *nic)
{
    bool *near = xcalloc((size_t)m->ngpus * m->nnics, sizeof *near);

    for (unsigned g = 0; g < m->ngpus; g++)
        nearest(m, machine_gpu(m, g), &near[(size_t)g * m->nnics]);
    for (unsigned g = 0; g < m->ngpus; g++) {
        const bool *own = &near[(size_t)g * m->nnics];
        unsigned before = 0, n = 0;
        for (unsigned other = 0; other < m->ngpus; other++) {
            bool same = !memcmp(&near[(size_t)other * m->nnics], own,
                                m->nnics * sizeof *own);
            before += other < g && same;
            n += same;
        }
        nic[g] = dealt(own, m->nnics, before, n);
    }
    free(near);
}

void machine_nearest_nics(const struct machine *m, unsigned *nic)
{
    bool *near = xcalloc(m->nnics, sizeof *near);

    for (unsigned s = 0; s < m->nsockets; s++) {
        const struct device *socket = machine_socket(m, s);
        nearest(m, socket, near);
        for (unsigned c = 0; c < socket->cores; c++)
            *nic++ = dealt(near, m->nnics, c, socket->cores);
    }
    free(near);
    deal_to_gpus(m, nic);
}

uint32_t machine_cores(const struct machine *m)
{
    uint64_t cores = (uint64_t)m->ncores * m->network.nodes;

    return cores < UINT32_MAX ? (uint32_t)cores : UINT32_MAX;
}

enum msg_path machine_gpu_path(const struct machine *m)
{
    return m->gpudirect ? PATH_GDR : PATH_NO_GDR;
}
