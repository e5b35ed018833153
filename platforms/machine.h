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

/* A DEVICE_SWITCH is one of NVLink or PCIe; no flow begins or ends there. */
enum device_kind {
    DEVICE_SOCKET,
    DEVICE_GPU,
    DEVICE_NIC,
    DEVICE_SWITCH,
    NDEVICE_KINDS
};
extern const char *const device_kind_names[NDEVICE_KINDS];

/* Limits the devices of a node; a rack counts as one node if its GPUs are
 * joined. */
enum { MACHINE_DEVICES = 256 };

struct device {
    char *id; /* unique in the node: "cpu0", "gpu2", "nic1" */
    enum device_kind kind;
    unsigned index;  /* number among its kind, from 0 in the file's order */
    unsigned socket; /* the socket it hangs on (a socket's own index; a switch
                        hangs on none) */
    unsigned cores;  /* usable cores; sockets only */
    unsigned cores_per_cache; /* consecutive cores that share one; sockets */
    double memory_B;          /* GPUs and sockets; 0 if it is not given */
    /* A socket's memory is read, and written, at most at this rate by all flows
     * from and to its cores; copies inside a GPU read and write together at
     * this rate. 0 if there is no limit. */
    double memory_Bps;
    double reduce_Bps; /* sockets only: rate at which a core adds a buffer to
                          another; 0 if it is that of its copies */
    /* Sockets only: the rates of a process's copies and sums in its own
     * memory. */
    double copy_Bps; /* rate of a core; 0 if it is that of a message between two
                        cores */
    double uncached_s_per_B; /* added time of a byte that is in no cache */
    double shared_cache_B; /* cache that a socket's processes share; 0: none */
    double cache_B; /* sockets only: cache of a core, which holds memory that
                       its process uses again and again; 0 if it is not given */
    /* NICs only: the time between two messages that it begins to send (0:
     * none), and the number that it sends at the same time, while the rest wait
     * in order (0: no limit). */
    double message_gap_s;
    unsigned messages_at_once;
    unsigned other_rack_at_once; /* the limit of messages to other racks, which
                                    are counted separately; 0: no limit */
    unsigned gpu; /* NICs only: index in `devices` of the GPU it hangs on, which
                     passes on its data; NO_GPU if it hangs on a socket */
    struct number_source *source;
};

/* A wire between two devices. */
struct wire {
    char *type;       /* name for reports, such as "nvlink-cpu" */
    unsigned ends[2]; /* devices */
    double bandwidth_Bps;
    double specified_Bps; /* rate of its port by specification, which no fit may
                             exceed; 0 if it is not known */
    bool reduces;     /* the switch at its end adds data that come from several
                         wires, and sends to all of them at once */
    bool half_duplex; /* the bandwidth is that of both directions together;
                         otherwise it holds for each */
    struct number_source *source;
};

/* The names are listed in platforms/topologies.def. */
enum topology {
#define TOPOLOGY(upper, lower) TOPOLOGY_##upper,
#include "platforms/topologies.def"
#undef TOPOLOGY
    NTOPOLOGIES
};
extern const char *const topology_names[NTOPOLOGIES];

/* A flow takes one of these routes through a dragonfly (Kim, Dally, Scott, Abts
 * 2008): the minimal one; Valiant's, over a third group that is drawn for each
 * flow; or the better of the two when it starts, by the load of its first link
 * between routers (UGAL-L) or of the most loaded link of the route (UGAL-G). */
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
    unsigned nodes; /* number of nodes that the machine has */
    /* TOPOLOGY_FAT_TREE: levels, then down, up and parallel links of each
     * level. TOPOLOGY_TORUS: its dimensions. TOPOLOGY_DRAGONFLY: groups,
     * chassis per group, routers per chassis, nodes per router, each with its
     * number of links (the last has none). TOPOLOGY_DRAGONFLY_PLUS: groups,
     * leaf switches per group (up: spine switches), nodes per leaf, likewise.
     * TOPOLOGY_RAILS: a fat tree. TOPOLOGY_CROSSBAR has none of these numbers,
     * because it never blocks. */
    unsigned levels;
    unsigned down[8], up[8], parallel[8];
    /* Dragonflies: wires between each two groups; 0 if there is one, at the
     * place that SimGrid gives it. */
    enum routing routing;
    unsigned group_wires;
    /* Rails: their number (NIC i is on rail i, modulo it). If they are joined,
     * all are leaves of one tree; otherwise each is a tree of its own. */
    unsigned rails;
    bool joined;
    double hop_s;         /* added latency of each switch between two nodes */
    double bandwidth_Bps; /* rate of one link, each way; a node has one, which
                             its NICs share */
    /* R_b: the rate at which one process (or GPU) can send into the network,
     * and receive from it, over all its messages; 0: no limit. */
    double process_Bps;
    /* The NICs of a node move data from and to its GPUs' memory at most at this
     * rate, both directions together; 0: no limit. */
    double gpu_Bps;
    bool reduces;            /* its switches can add (SHARP) */
    unsigned nodes_per_rack; /* consecutive nodes; 0: no racks */
    /* Nodes have names (node_names.h) if the name of node 0, or a file of names
     * and numbers, is given; if both are NULL they have numbers alone. */
    char *first_node, *node_list;
    /* The machine's node that is the i-th of a job, which is not part of the
     * machine. It is borrowed; if it is NULL, that is node i. Nodes of plans
     * and engines are the job's; only routes between nodes and racks use it. */
    const unsigned *node_at;
    struct number_source *source;
};

/* Returns the machine's node for a node of the job. */
static inline unsigned network_node(const struct network *n, unsigned node)
{
    return n->node_at ? n->node_at[node] : node;
}

/* The times of all threads of a node together that traverse a graph; 0 if they
 * are not given. */
struct graph_model {
    double arc_s;    /* an edge, whose head's label is read and written */
    double vertex_s; /* a label at a random place, read or written */
    struct number_source *source;
    /* Memory that is left for buffers of messages after a node's part of a
     * graph was built, for each of its edges. */
    double spare_B_per_arc;
    struct number_source *spare_source;
};

/* A library of collectives that the machine has. */
struct machine_library {
    char *name;
    struct number_source *source;
};

/* The least and the most of a quantity that was measured; both are 0 if it is
 * not given. */
struct measured_range {
    uint64_t least, most;
};

/* The ranges over which a machine's numbers were measured. */
struct measured_ranges {
    struct measured_range nodes;          /* most is 0 if the file gives none */
    struct measured_range bytes;          /* size of a message */
    struct measured_range ranks_per_node; /* ranks that sent at once */
    struct number_source *source;
};

struct machine {
    char *name;
    char *machine; /* the machine whose measurements count as its own; its name
                      if it is not given */
    char *about;
    char *path; /* file from which it was read */
    char *mpi;  /* MPI with which its messages were measured; NULL if it is not
                   given */
    /* Libraries besides those that follow from `mpi` and `nccl`. */
    struct machine_library *libraries;
    size_t nlibraries;
    struct device *devices;
    size_t ndevices;
    struct wire *wires;
    size_t nwires;
    struct network network;
    /* A table has no segments if the file has none: see machine_table(). */
    struct message_table messages[NRUNTIMES][NPATHS][NLOCALITIES];
    struct runtime_costs costs[NRUNTIMES]; /* set if it has costs of threads */
    struct matching matching;              /* used by a runtime that matches */
    struct copy_table copies;
    bool gpudirect; /* device-aware messages use PATH_GDR, else PATH_NO_GDR */
    struct gpu_model gpu;
    struct nccl_model nccl;
    struct graph_model graph;
    struct measured_ranges measured;

    /* The reader counts them. Of the GPUs only the first ngpus are used if the
     * file says so. */
    unsigned nsockets, ngpus, nnics, nswitches, ncores; /* per node */
};

void machine_clear(struct machine *m);

/* Widens a range so that it includes another one, which is empty if its `most`
 * is 0. */
void measured_widen(struct measured_range *r, uint64_t least, uint64_t most);

/* Returns the socket of a core. Cores are numbered socket after socket, so that
 * core 0 is the first of socket 0. */
unsigned machine_core_socket(const struct machine *m, unsigned core);
/* Returns the first core of a socket. */
unsigned machine_socket_core(const struct machine *m, unsigned socket);
const struct device *machine_gpu(const struct machine *m, unsigned gpu);
const struct device *machine_nic(const struct machine *m, unsigned nic);
const struct device *machine_socket(const struct machine *m, unsigned socket);

/* Returns the core of a GPU's own process: the cores of its socket are divided
 * evenly among the GPUs there. */
unsigned machine_gpu_core(const struct machine *m, unsigned gpu);

/* Returns the locality of two cores (given as node and core of the node). */
enum locality machine_core_locality(const struct machine *m, unsigned node_a,
                                    unsigned core_a, unsigned node_b,
                                    unsigned core_b);
/* Returns the locality of two GPUs: ON_SOCKET, ON_NODE or OFF_NODE. */
enum locality machine_gpu_locality(const struct machine *m, unsigned node_a,
                                   unsigned gpu_a, unsigned node_b,
                                   unsigned gpu_b);
/* Returns whether the job's nodes can change places without any other change:
 * each has one wire to a switch, and all or none are in one rack. */
bool machine_nodes_alike(const struct machine *m, unsigned nodes);
bool machine_same_rack(const struct machine *m, unsigned node_a,
                       unsigned node_b);

/* Returns a runtime's costs of messages: its own table, or that of RUNTIME_MPI
 * if it has none for this path and locality; perhaps one without segments. A
 * machine without a SHARED_CACHE table uses ON_SOCKET for it. */
const struct message_table *machine_table(const struct machine *m,
                                          enum runtime by, enum msg_path path,
                                          enum locality where);
/* Returns the segment for a message of this size, or NULL if there is none. */
const struct segment *table_segment(const struct message_table *t,
                                    uint64_t bytes);
const struct segment *machine_segment(const struct machine *m, enum runtime by,
                                      enum msg_path path, enum locality where,
                                      uint64_t bytes);
/* Returns the NIC by which messages of a segment go between two nodes: an
 * index, or NIC_OF_SOCKET. */
int machine_nic_between(const struct machine *m, const struct segment *s,
                        unsigned node_a, unsigned node_b);
/* Returns the share of accesses that miss the caches of processes which use
 * `working_set_B` of memory again and again: 1 if caches are not given. */
double machine_memory_share(const struct machine *m, double working_set_B);
/* Returns the same share if each of `processes` on a node works on memory of
 * its own: they divide the sockets' shared caches, and have those of their
 * cores. */
double machine_own_share(const struct machine *m, double working_set_B,
                         unsigned processes);
/* Returns the costs of calls of a program that uses `ngpus` GPUs. */
const struct gpu_calls *machine_gpu_calls(const struct machine *m,
                                          uint32_t ngpus);
/* Returns the time of a kernel's put of one byte into a GPU of another node
 * (RUNTIME_SHMEM), 0 if the machine has none. */
double machine_put_s(const struct machine *m);
/* Returns the row for a copy: the one with the nearest number of processes that
 * is not below the given one, or the largest if all are below; NULL if there is
 * none. */
const struct copy_cost *machine_copy(const struct machine *m, enum copy_dir dir,
                                     enum locality where, unsigned processes,
                                     uint64_t bytes);
/* Returns the size of the largest eager message, which is the default message
 * cap of the split strategies. */
uint64_t machine_rendezvous_limit(const struct machine *m);
/* Returns the path of messages from GPU memory: with GPUDirect, or without. */
enum msg_path machine_gpu_path(const struct machine *m);
/* Returns the number of all cores of all nodes. */
uint32_t machine_cores(const struct machine *m);
/* Returns the rate at which the NICs of one node inject together: R_N of the
 * max-rate model. */
double machine_injection_Bps(const struct machine *m);

/* Finds the route inside a node between two of its devices, by sockets and
 * switches only (and from or to a NIC by the GPU it hangs on): the fewest
 * wires, ties by the order in the file. Fills hops with indices of wires;
 * reversed[i] says that wire i is used from ends[1] to ends[0]. Returns the
 * number of hops (at most 16), or -1 if there is no route. */
int machine_route(const struct machine *m, unsigned from, unsigned to,
                  unsigned hops[16], bool reversed[16]);

/* Finds the NIC by which each core, then each GPU of a node reaches the
 * network: the one that is fewest wires away among those of its socket (among
 * all, if that has none). If several are equally near, they are divided in
 * blocks among the cores of the socket, and among the GPUs that have the same
 * ones. Fills `nic` with ncores + ngpus indices; 0 if there is no route to a
 * NIC. */
void machine_nearest_nics(const struct machine *m, unsigned *nic);

#endif
