/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tiny_machine.h - machines of two sockets built in code, with round numbers
 * that can be checked by hand. */
#ifndef TESTS_TINY_MACHINE_H
#define TESTS_TINY_MACHINE_H

#include "platforms/machine.h"

#include <string.h>

static inline void tiny_device(struct machine *m, const char *id,
                               enum device_kind kind, unsigned index,
                               unsigned socket)
{
    struct device *d = &m->devices[m->ndevices++];

    d->id = xstrdup(id);
    d->kind = kind;
    d->index = index;
    d->socket = socket;
    d->gpu = NO_GPU;
    d->source = source_new(PROVENANCE_ASSUMED, "a test");
}

static inline void tiny_wire(struct machine *m, unsigned a, unsigned b,
                             double Bps)
{
    struct wire *w = &m->wires[m->nwires++];

    w->type = xstrdup("wire");
    w->ends[0] = a;
    w->ends[1] = b;
    w->bandwidth_Bps = Bps;
    w->source = source_new(PROVENANCE_ASSUMED, "a test");
}

static inline void tiny_runtime(struct machine *m, enum runtime by,
                                enum msg_path path, enum locality where,
                                double alpha_s, double beta)
{
    struct message_table *t = &m->messages[by][path][where];

    t->segments = xcalloc(1, sizeof *t->segments);
    t->nsegments = 1;
    t->segments[0] =
        (struct segment){.protocol = PROTOCOL_RENDEZVOUS,
                         .up_to_B = UINT64_MAX,
                         .alpha_s = alpha_s,
                         .beta_s_per_B = beta,
                         .nic = NIC_OF_SOCKET,
                         .source = source_new(PROVENANCE_ASSUMED, "a test")};
}

static inline void tiny_messages(struct machine *m, enum msg_path path,
                                 enum locality where, double alpha_s,
                                 double beta)
{
    tiny_runtime(m, RUNTIME_MPI, path, where, alpha_s, beta);
}

/* Adds NCCL with this number of channels and slots of 64 B. Messages of Simple
 * take 2 us + 1 ns/B on each channel, those of LL 1 us + 1 ns/B with twice the
 * bytes on the wires, those of LL128 1.5 us + 1 ns/B with 17/16 of them; NVLS 3
 * us, with 5/4; a collective 5 us more. */
static inline void tiny_nccl(struct machine *m, unsigned channels)
{
    static const double alpha_s[] = {2e-6, 1e-6, 1.5e-6, 3e-6, 2e-6, 2e-6};
    static const double copies[] = {1, 2, 17.0 / 16, 1.25, 1, 1};

    m->nccl.channels = channels;
    m->nccl.slots = 4;
    for (int p = 0; p < NNCCL_PROTOCOLS; p++) {
        enum runtime by = (enum runtime)(RUNTIME_NCCL_SIMPLE + p);
        m->nccl.protocols[p] = (struct nccl_protocol){.start_s = 5e-6,
                                                      .slot_B = 64,
                                                      .chunk_slots = 1,
                                                      .slices = 1,
                                                      .channel_B = 1};
        for (int where = p < NNCCL_RUNTIMES ? ON_SOCKET : NLOCALITIES;
             where < NLOCALITIES; where++) {
            tiny_runtime(m, by, PATH_GDR, (enum locality)where, alpha_s[p],
                         1e-9);
            m->messages[by][PATH_GDR][where].segments[0].copies = copies[p];
        }
    }
    m->nccl.protocols[0].chunk_slots = m->nccl.protocols[0].slices = 2;
}

/* Lets kernels access other GPUs' memory: a kernel starts 2 us after another
 * one, and its writes are seen 3 us later. A flag takes 1 us; on a node a block
 * of threads loads up to 8 KiB in 2 us, and more in 1 us + 1 ns/B; 5 us to
 * another node. */
static inline void tiny_peer(struct machine *m)
{
    static const uint64_t up_to_B[] = {4, 8192, UINT64_MAX};
    static const double alpha_s[] = {1e-6, 2e-6, 1e-6};

    m->costs[RUNTIME_PEER].kernel_s = 2e-6;
    m->costs[RUNTIME_PEER].release_s = 3e-6;
    m->costs[RUNTIME_PEER].source = source_new(PROVENANCE_ASSUMED, "a test");
    tiny_runtime(m, RUNTIME_PEER, PATH_GDR, OFF_NODE, 5e-6, 0);
    tiny_runtime(m, RUNTIME_PEER, PATH_GDR, ON_NODE, 0, 0);
    struct message_table *t = &m->messages[RUNTIME_PEER][PATH_GDR][ON_NODE];
    struct segment first = t->segments[0];
    t->segments = xrealloc(t->segments, 3, sizeof *t->segments);
    t->nsegments = 3;
    for (size_t i = 0; i < 3; i++) {
        t->segments[i] = first;
        if (i)
            t->segments[i].source = source_new(PROVENANCE_ASSUMED, "a test");
        t->segments[i].up_to_B = up_to_B[i];
        t->segments[i].alpha_s = alpha_s[i];
    }
    t->segments[2].beta_s_per_B = 1e-9;
}

/*
 * Makes a machine with two sockets of `cores` cores, two GPUs and one NIC on
 * each, and 64 nodes on a crossbar of 20 GB/s. GPU-socket 10 GB/s, NIC 10 GB/s,
 * socket-socket and GPU-GPU 40 GB/s. All messages take 1 us + 1 ns/B, at any
 * locality.
 */
static inline void tiny_machine(struct machine *m, unsigned cores)
{
    memset(m, 0, sizeof *m);
    m->name = xstrdup("tiny");
    m->devices = xcalloc(8, sizeof *m->devices);
    m->wires = xcalloc(16, sizeof *m->wires);
    tiny_device(m, "cpu0", DEVICE_SOCKET, 0, 0);
    tiny_device(m, "cpu1", DEVICE_SOCKET, 1, 1);
    m->devices[0].cores = m->devices[1].cores = cores;
    tiny_device(m, "gpu0", DEVICE_GPU, 0, 0);
    tiny_device(m, "gpu1", DEVICE_GPU, 1, 0);
    tiny_device(m, "gpu2", DEVICE_GPU, 2, 1);
    tiny_device(m, "gpu3", DEVICE_GPU, 3, 1);
    tiny_device(m, "nic0", DEVICE_NIC, 0, 0);
    tiny_device(m, "nic1", DEVICE_NIC, 1, 1);
    tiny_wire(m, 0, 1, 40e9);
    for (unsigned g = 0; g < 4; g++)
        tiny_wire(m, g / 2, 2 + g, 10e9);
    tiny_wire(m, 2, 3, 40e9);
    tiny_wire(m, 4, 5, 40e9);
    tiny_wire(m, 0, 6, 10e9);
    tiny_wire(m, 1, 7, 10e9);
    m->network.topology = TOPOLOGY_CROSSBAR;
    m->network.nodes = 64;
    m->network.bandwidth_Bps = 20e9;
    m->network.source = source_new(PROVENANCE_ASSUMED, "a test");
    m->gpudirect = true;
    m->nsockets = m->nnics = 2;
    m->ngpus = 4;
    m->ncores = 2 * cores;
    for (int path = 0; path < NPATHS; path++)
        for (int where = 0; where < NLOCALITIES; where++)
            tiny_messages(m, (enum msg_path)path, (enum locality)where, 1e-6,
                          1e-9);
}

#endif
