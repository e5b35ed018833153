/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.h - a machine: the devices and wires of a node, the network between
 * nodes, and the costs of messages (segment.h) and GPUs (gpu.h). It is plain
 * data that platforms/ reads from JSON. Seconds, bytes, bytes per second. */
#ifndef PLATFORMS_MACHINE_H
#define PLATFORMS_MACHINE_H

#include "platforms/gpu.h"
#include "platforms/matching.h"
#include "platforms/provenance.h"
#include "platforms/runtime_costs.h"
#include "platforms/segment.h"

#include <stdbool.h>
#include <stdint.h>

/* DEVICE_SWITCH: of NVLink or PCIe; nothing begins or ends there. */
enum device_kind {
    DEVICE_SOCKET,
    DEVICE_GPU,
    DEVICE_NIC,
    DEVICE_SWITCH,
    NDEVICE_KINDS
};
extern const char *const device_kind_names[NDEVICE_KINDS];

/* A node has at most so many; a rack whose GPUs are joined counts as one. */
enum { MACHINE_DEVICES = 256 };

struct device {
    char *id; /* unique in the node: "cpu0", "gpu2", "nic1" */
    enum device_kind kind;
    unsigned index;  /* among its kind, from 0 in the file's order */
    unsigned socket; /* the socket it hangs on (its own index for a socket; a
                        switch hangs on none) */
    unsigned cores;  /* usable cores; sockets only */
    unsigned cores_per_cache; /* consecutive cores that share one; sockets */
    double memory_B;          /* GPUs and sockets, 0: not given */
    /* Sockets: the rate at which the memory reads, and writes, for all flows
     * from and to its cores. GPUs: the rate at which copies inside it read and
     * write together. 0: no limit. */
    double memory_Bps;
    double reduce_Bps; /* sockets only: of a buffer that a core adds to another;
                          0: as it copies */
    /* Sockets only: a process's copies and sums in its own memory. */
    double copy_Bps; /* of a core; 0: as in a message between two of them */
    double uncached_s_per_B; /* longer, if it is in no cache */
    double shared_cache_B;   /* that the processes of a socket share; 0: none */
    double cache_B; /* sockets only: a core's, for memory that its process uses
                       again and again; 0: not given */
    /* NICs only: the time between two messages that it begins to send (0:
     * none), and how many it sends at the same time, while the rest wait in
     * order (0: no limit). */
    double message_gap_s;
    unsigned messages_at_once;
    unsigned other_rack_at_once; /* the same of messages to other racks, apart;
                                    0: no limit */
    unsigned gpu; /* NICs only: the device that is the GPU it hangs on, which
                     then passes on what comes from it and goes to it; NO_GPU:
                     none */
    struct number_source *source;
};

/* A wire between two devices. */
struct wire {
    char *type;       /* "nvlink-cpu": a name for reports */
    unsigned ends[2]; /* devices */
    double bandwidth_Bps;
    double specified_Bps; /* that its port has by specification, which no fit
                             may exceed; 0: not known */
    bool reduces;     /* the switch at its end adds data that come from several
                         wires, and sends to all of them at once */
    bool half_duplex; /* the bandwidth is that of both directions together; else
                         it holds each way */
    struct number_source *source;
};

/* platforms/topologies.def */
enum topology {
#define TOPOLOGY(upper, lower) TOPOLOGY_##upper,
#include "platforms/topologies.def"
#undef TOPOLOGY
    NTOPOLOGIES
};
extern const char *const topology_names[NTOPOLOGIES];

/*
 * A flow takes one of these ways of a dragonfly (Kim, Dally, Scott, Abts
 * 2008): the minimal one; Valiant's, over a third group that is drawn for each
 * flow; or the better of the two as it starts, by the load of its first link
 * between routers (UGAL-L) or of the most loaded link on the way (UGAL-G).
 */
enum routing {
    ROUTING_MINIMAL,
    ROUTING_VALIANT,
    ROUTING_UGAL_L,
    ROUTING_UGAL_G,
    NROUTINGS
};
extern const char *const routing_names[NROUTINGS];

/* The network between the nodes. */
struct network {
    enum topology topology;
    unsigned nodes; /* how many the machine has */
    /* TOPOLOGY_FAT_TREE: levels, then down, up and parallel links of each
     * level. TOPOLOGY_TORUS: its dimensions. TOPOLOGY_DRAGONFLY: groups,
     * chassis per group, routers per chassis, nodes per router, each with its
     * number of links (the last has none). TOPOLOGY_DRAGONFLY_PLUS: groups,
     * leaf switches per group (up: spine switches), nodes per leaf, likewise.
     * TOPOLOGY_RAILS: a fat tree. TOPOLOGY_CROSSBAR: nothing. */
    unsigned levels;
    unsigned down[8], up[8], parallel[8];
    /* Dragonflies. Wires between each two groups; 0: one, at SimGrid's place.
     */
    enum routing routing;
    unsigned group_wires;
    /* Rails: how many (NIC i is on rail i, modulo them), and whether all are
     * leaves of one tree, or each is a tree of its own. */
    unsigned rails;
    bool joined;
    double hop_s;         /* more latency for each switch between two nodes */
    double bandwidth_Bps; /* of one link, each way; a node has one, which
                             its NICs share */
    /* R_b: the rate at which one process (or GPU) can send into the network,
     * and receive from it, over all its messages; 0: no limit. */
    double process_Bps;
    /* The NICs of a node move so much from and to its GPUs' memory, both
     * directions together; 0: no limit. */
    double gpu_Bps;
    unsigned nodes_per_rack; /* consecutive nodes; 0: no racks */
    /* Nodes have names (node_names.h) by the name of node 0, or by a file of
     * names and numbers; NULL: they have numbers alone. */
    char *first_node, *node_list;
    /* Not the machine's, but a job's on it: the node that is the job's i-th.
     * Borrowed; NULL: node i. Nodes of plans and engines are the job's; only
     * ways between nodes and racks look here. */
    const unsigned *node_at;
    struct number_source *source;
};

/* Returns the machine's node that is the job's. */
static inline unsigned network_node(const struct network *n, unsigned node)
{
    return n->node_at ? n->node_at[node] : node;
}

/* The times of all threads of a node together, which go through a graph; 0:
 * not given. */
struct graph_model {
    double arc_s;    /* an arc: its head's label is read and written */
    double vertex_s; /* a label somewhere, read or written */
    struct number_source *source;
    /* Building a node's part of a graph leaves so much memory for each of its
     * arcs, for buffers of messages. */
    double spare_B_per_arc;
    struct number_source *spare_source;
};

/* A library of collectives that the machine has. */
struct machine_library {
    char *name;
    struct number_source *source;
};

/* The least and the most of something that was measured; both 0: nothing is
 * said of it. */
struct measured_range {
    uint64_t least, most;
};

/* What the measurements that a machine's numbers are from ranged over. */
struct measured_ranges {
    struct measured_range nodes;          /* most 0: the file does not say it */
    struct measured_range bytes;          /* of a message */
    struct measured_range ranks_per_node; /* that sent at once */
    struct number_source *source;
};

struct machine {
    char *name;
    char *machine; /* whose measurements are its own: its name, or as given */
    char *about;
    char *path; /* the file it was read from */
    char *mpi;  /* that its messages were measured with; NULL: not given */
    /* They come beside those that `mpi` and `nccl` say. */
    struct machine_library *libraries;
    size_t nlibraries;
    struct device *devices;
    size_t ndevices;
    struct wire *wires;
    size_t nwires;
    struct network network;
    /* Without segments where the file has none: see machine_table(). */
    struct message_table messages[NRUNTIMES][NPATHS][NLOCALITIES];
    struct runtime_costs costs[NRUNTIMES]; /* of those with costs of threads */
    struct matching matching;              /* of a runtime that matches */
    struct copy_table copies;
    bool gpudirect; /* device-aware messages use PATH_GDR, else PATH_NO_GDR */
    struct gpu_model gpu;
    struct nccl_model nccl;
    struct graph_model graph;
    struct measured_ranges measured;

    /* Counted by the reader. There may be more GPUs than the ngpus used. */
    unsigned nsockets, ngpus, nnics, nswitches, ncores; /* of one node */
};

void machine_clear(struct machine *m);

/* Makes a range that of both; an end `most` of 0 is none. */
void measured_widen(struct measured_range *r, uint64_t least, uint64_t most);

/* Cores are numbered socket after socket: core 0 is the first of socket 0. */
unsigned machine_core_socket(const struct machine *m, unsigned core);
/* The first core of a socket. */
unsigned machine_socket_core(const struct machine *m, unsigned socket);
const struct device *machine_gpu(const struct machine *m, unsigned gpu);
const struct device *machine_nic(const struct machine *m, unsigned nic);
const struct device *machine_socket(const struct machine *m, unsigned socket);

/* The core of a GPU's own process: the cores of its socket are dealt out
 * evenly among the GPUs there. */
unsigned machine_gpu_core(const struct machine *m, unsigned gpu);

/* Returns the locality of two cores (given as node and core of the node). */
enum locality machine_core_locality(const struct machine *m, unsigned node_a,
                                    unsigned core_a, unsigned node_b,
                                    unsigned core_b);
/* Locality of two GPUs: ON_SOCKET, ON_NODE or OFF_NODE. */
enum locality machine_gpu_locality(const struct machine *m, unsigned node_a,
                                   unsigned gpu_a, unsigned node_b,
                                   unsigned gpu_b);
bool machine_same_rack(const struct machine *m, unsigned node_a,
                       unsigned node_b);

/* Returns a runtime's costs of messages: its own table, or that of RUNTIME_MPI
 * if it has none for this path and locality; perhaps one without segments. A
 * machine without a SHARED_CACHE table uses ON_SOCKET for it. */
const struct message_table *machine_table(const struct machine *m,
                                          enum runtime by, enum msg_path path,
                                          enum locality where);
/* Returns the segment for a message of this size, NULL if there is none. */
const struct segment *table_segment(const struct message_table *t,
                                    uint64_t bytes);
const struct segment *machine_segment(const struct machine *m, enum runtime by,
                                      enum msg_path path, enum locality where,
                                      uint64_t bytes);
/* Returns the NIC by which messages of a segment go between two nodes: an
 * index, or NIC_OF_SOCKET. */
int machine_nic_between(const struct machine *m, const struct segment *s,
                        unsigned node_a, unsigned node_b);
/* Returns the part of memory that is not in the caches of processes which use
 * `working_set_B` of it again and again: 1 if caches are not given. */
double machine_memory_share(const struct machine *m, double working_set_B);
/* The same if each of `processes` on a node works on memory of its own: they
 * divide the sockets' shared caches, and have those of their cores. */
double machine_own_share(const struct machine *m, double working_set_B,
                         unsigned processes);
/* Returns the calls of a program that has so many GPUs at work. */
const struct gpu_calls *machine_gpu_calls(const struct machine *m,
                                          uint32_t ngpus);
/* Returns the time of a kernel's put of one byte into a GPU of another node
 * (RUNTIME_SHMEM), 0 if the machine has none. */
double machine_put_s(const struct machine *m);
/* The row for a copy; the row with the nearest number of processes that is not
 * below the wanted one, else the largest. NULL when there is none. */
const struct copy_cost *machine_copy(const struct machine *m, enum copy_dir dir,
                                     enum locality where, unsigned processes,
                                     uint64_t bytes);
/* The largest eager message: the default message cap of the split strategies.
 */
uint64_t machine_rendezvous_limit(const struct machine *m);
/* Returns how messages go from GPU memory: with GPUDirect, or without. */
enum msg_path machine_gpu_path(const struct machine *m);
/* Returns the number of all cores of all nodes. */
uint32_t machine_cores(const struct machine *m);
/* Returns the rate at which the NICs of one node inject together: R_N of the
 * max-rate model. */
double machine_injection_Bps(const struct machine *m);

/*
 * The way inside a node between two of its devices, by sockets and switches
 * only (and from or to a NIC by the GPU it hangs on): the fewest wires, ties by
 * the order in the file. Fills hops with wire indices, lowest bit of
 * reversed[i] says that wire i is used from ends[1] to ends[0]. Returns the
 * number of hops (at most 16), or -1 when there is no way.
 */
int machine_route(const struct machine *m, unsigned from, unsigned to,
                  unsigned hops[16], bool reversed[16]);

/*
 * The NIC by which each core, then each GPU of a node reaches the network: of
 * those of its socket (of all, if that has none) the one fewest wires away.
 * Several that are equally near are distributed round-robin over the cores of
 * the socket, and over the GPUs that have the same ones. Fills `nic` with
 * ncores + ngpus indices; 0 where there is no way to a NIC.
 */
void machine_nearest_nics(const struct machine *m, unsigned *nic);

#endif
