/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.h - what a machine is: the devices and wires of a node, the network
 * between nodes, and what messages and copies cost. Plain data; platforms/
 * reads it from JSON. Seconds, bytes, bytes per second. */
#ifndef PLATFORMS_MACHINE_H
#define PLATFORMS_MACHINE_H

#include "base/err.h"
#include "platforms/matching.h"
#include "platforms/provenance.h"
#include "platforms/runtime_costs.h"

#include <stdbool.h>
#include <stdint.h>

/* Where two processes sit relative to each other. SHARED_CACHE: two cores of
 * one socket that share a cache; ON_SOCKET: the other pairs of a socket;
 * ON_NODE: other socket, same node. */
enum locality { SHARED_CACHE, ON_SOCKET, ON_NODE, OFF_NODE, NLOCALITIES };
extern const char *const locality_names[NLOCALITIES];

/* What kind of memory a message goes between, and how. HOST: host memory.
 * GDR: GPU memory with GPUDirect; NO_GDR: GPU memory, GPUDirect off. */
enum msg_path { PATH_HOST, PATH_GDR, PATH_NO_GDR, NPATHS };
extern const char
    *const msg_path_names[NPATHS]; /* "cpu", "gpu", "gpu_no_gdr" */

/* Who carries messages (platforms/runtimes.def): their costs are a runtime's on
 * a machine. */
enum runtime {
#define RUNTIME(upper, lower, word) RUNTIME_##upper,
#include "platforms/runtimes.def"
#undef RUNTIME
    NRUNTIMES
};
extern const char *const runtime_names[NRUNTIMES];
extern const char *const runtime_words[NRUNTIMES]; /* "mpi-rma" */
static inline bool runtime_is_nccl(enum runtime by)
{
    return by >= RUNTIME_NCCL_SIMPLE && by <= RUNTIME_NCCL_NVLS;
}

enum protocol {
    PROTOCOL_SHORT,
    PROTOCOL_EAGER,
    PROTOCOL_RENDEZVOUS,
    NPROTOCOLS
};
extern const char *const protocol_names[NPROTOCOLS];

/* In the place of a GPU's number: host memory, or none. */
#define NO_GPU UINT32_MAX

/* Which NIC of its node a message leaves and enters by. */
#define NIC_OF_SOCKET (-1) /* the one nearest to the process */
/* All messages of two nodes take one: the sum of their numbers, modulo the
 * NICs. */
#define NIC_OF_NODES (-2)
/* In the place of a NIC, of a flow on a node: its bytes are in caches, and pass
 * by memory. */
#define BY_CACHE (-3)

/* When a message's sender may use the memory again. */
enum buffer_free {
    FREE_BY_PROTOCOL,  /* rendezvous: transferred; else at once */
    FREE_AT_ONCE,      /* its CPU is done: the bytes were copied */
    FREE_ACKNOWLEDGED, /* ack_s after the last byte was there */
    FREE_TRANSFERRED,  /* the last byte is there */
    NBUFFER_FREE
};
extern const char *const buffer_free_names[NBUFFER_FREE];

/* Who moves the bytes of a rendezvous between nodes, once it is matched. */
enum rendezvous {
    RENDEZVOUS_PUT, /* the sender: it has heard of the match before */
    RENDEZVOUS_GET, /* the receiver reads them from the sender's memory: all of
                       the time on the wire comes after the match, and no place
                       at the sender's NIC is taken */
    NRENDEZVOUS
};
extern const char *const rendezvous_names[NRENDEZVOUS];

/* Whose time the transfer of the bytes is. */
enum mover {
    MOVED_BY_WIRE,     /* of a NIC, or of nobody in particular */
    MOVED_BY_RECEIVER, /* on a node: of the receiver's CPU, which copies, or
                          waits for a copy that it started */
    NMOVERS
};
extern const char *const mover_names[NMOVERS];

/*
 * One segment of a message cost table: an undisturbed message of at most
 * up_to_B bytes takes alpha + beta * bytes from the call of send to the end of
 * receive: the time of a ping-pong, one way. The sender's CPU is busy with it
 * for send_s + send_s_per_B * bytes, the receiver's likewise: o_s and o_r of
 * LogGP (Alexandrov et al. 1995), measured with many messages. What alpha and
 * beta are more than both, is on the wire. Where both are more, the surplus is
 * hidden in a ping-pong, since a process does it while it waits
 * (segment_occupancies()).
 */
struct segment {
    enum protocol protocol;
    uint64_t up_to_B; /* UINT64_MAX: no limit */
    double alpha_s;
    double beta_s_per_B;
    double send_s, recv_s;
    double send_s_per_B, recv_s_per_B;
    enum rendezvous rendezvous; /* of PROTOCOL_RENDEZVOUS */
    enum buffer_free buffer_free;
    double ack_s;
    enum mover mover;
    double gap_s; /* between messages of this kind at a NIC; 0: the NIC's */
    /* More latency when the receiver's last message, in the order in which they
     * were sent, came from another process:
     * what a ping-pong, whose cache lines stay warm, never shows. */
    double other_peer_s;
    /* On a node: how often the bytes are copied there (by both CPUs: 2; 0: not
     * given, once), and what the wires carry for each message beside them. */
    double copies, extra_B;
    /* On a node: a byte's time more, of which CPUs have their parts as of beta,
     * when it is in no cache (machine_memory_share()). */
    double uncached_s_per_B;
    /* Of a process to itself: its CPU copies that long, and that is all. Else
     * it costs what any other message does. */
    bool self_copies;
    double self_s, self_s_per_B;
    /* Between GPUs of a node: how long the receiving GPU's engine serves it and
     * no other; without has_engine as long as a copy (copies.engine_s). */
    bool has_engine;
    double engine_s;
    int nic; /* NIC_OF_SOCKET, NIC_OF_NODES or the index of a NIC */
    struct number_source *source;
};

/* What a message of so many bytes costs the CPU of an end: `s` that delays the
 * message, and `hidden_s` that a process does while it waits, or that is still
 * to be paid when it did not wait. */
struct occupancy {
    double s, hidden_s;
};
struct occupancies {
    struct occupancy send, recv;
};
struct occupancies segment_occupancies(const struct segment *s, uint64_t bytes);
/* What is left of alpha, and of beta, for the wire. */
double segment_latency_s(const struct segment *s);
double segment_wire_s_per_B(const struct segment *s);
/* A rendezvous whose receiver gets the bytes. */
static inline bool segment_gets(const struct segment *s)
{
    return s->protocol == PROTOCOL_RENDEZVOUS &&
           s->rendezvous == RENDEZVOUS_GET;
}
/* The default of FREE_BY_PROTOCOL resolved. */
enum buffer_free segment_buffer_free(const struct segment *s);

struct message_table { /* segments by rising up_to_B; the last has no limit */
    struct segment *segments;
    size_t nsegments;    /* 0: the machine cannot do this */
    double other_rack_s; /* more latency between nodes of different racks */
    struct number_source *other_rack_source;
};

enum copy_dir { H2D, D2H, D2D, NCOPY_DIRS };
extern const char *const copy_dir_names[NCOPY_DIRS];

/*
 * A copy between host and GPU memory (or two GPUs) by one of `processes`
 * processes that copy from the same GPU at once: alpha + beta * bytes, bytes
 * being those of each process. The simulator uses the rows of one process and
 * lets contention emerge; the closed-form models use them all.
 */
struct copy_cost {
    enum copy_dir dir;
    enum locality locality; /* ON_SOCKET, ON_NODE: across sockets, or
                               SHARED_CACHE: D2D inside one GPU */
    unsigned processes;
    uint64_t up_to_B; /* UINT64_MAX: no limit */
    double alpha_s;
    double beta_s_per_B;
    struct number_source *source;
};

struct copy_table {
    struct copy_cost *rows;
    size_t nrows;
    /* Of alpha, the GPU serves this long exclusively, first come first
     * served (what limits many processes that copy at once, with MPS); then,
     * between host and GPU, until the bytes are over: a direction has one
     * engine. */
    double engine_s;
    struct number_source *engine_source;
    /* A copy gives the engine of its direction to the next that waits after
     * that many bytes, and waits again; 0: when it is over. */
    uint64_t engine_turn_B;
    /* Without MPS the processes of one GPU are time-sliced: a copy below
     * slice_below_B holds the GPU for slice_s where the one before was another
     * process's. */
    double slice_s;
    uint64_t slice_below_B;
    struct number_source *slice_source;
    /* Without MPS one process at a time has the GPU, for kernels, for copies
     * between GPUs or inside one, and for those to it below slice_below_B: a
     * change of process takes slice_s. False: copies have slices, each for
     * itself, and kernels none. */
    bool contexts;
    bool mps;             /* the Multi-Process Service runs */
    unsigned mps_clients; /* that it serves on a GPU at most; 0: not given */
    struct number_source *mps_clients_source;
    /* What copies of at least mps_from_B take longer with it, as a part of
     * beta: between host and GPU, and all others. */
    uint64_t mps_from_B;
    double mps_host_more, mps_gpu_more;
    struct number_source *mps_source;
    /* A copy to the GPU of at most that many bytes returns to its rank once
     * they are in a buffer of the driver: its sender's memory is free
     * (AFTER_SENT), and its CPU. */
    uint64_t returns_up_to_B;
    struct number_source *returns_source;
    /* The GPUs of a node represent one GPU that processes share: there is one
     * set of copy engines. Without MPS the messages between them take turns,
     * each for as long as it lasts. */
    bool gpus_are_one;
};

/* DEVICE_SWITCH: of NVLink or PCIe; nothing begins or ends there. */
enum device_kind {
    DEVICE_SOCKET,
    DEVICE_GPU,
    DEVICE_NIC,
    DEVICE_SWITCH,
    NDEVICE_KINDS
};
extern const char *const device_kind_names[NDEVICE_KINDS];

/* Of a node, at most: a rack whose GPUs are joined counts as one. */
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
    /* Sockets: what its memory can read, and write, for all flows from and to
     * its cores. GPUs: what copies inside it read and write together. 0: no
     * limit. */
    double memory_Bps;
    double reduce_Bps; /* sockets only: of a buffer that a core adds to another;
                          0: as it copies */
    /* Sockets only, of what a process does in its own memory, copies and sums.
     */
    double copy_Bps; /* of a core; 0: as in a message between two of them */
    double uncached_s_per_B; /* longer, of what is in no cache */
    double shared_cache_B;   /* that the processes of a socket share; 0: none */
    double cache_B; /* sockets only: a core's, for what its process uses again
                       and again; 0: not given */
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
    bool reduces; /* the switch at its end adds what comes from several wires,
                     and sends to all of them at once */
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
 * Which of the ways of a dragonfly a flow takes (Kim, Dally, Scott, Abts 2008):
 * the minimal one; Valiant's, over a third group that is drawn for each flow;
 * or the better of the two as it starts, by the load of its first link between
 * routers (UGAL-L) or of the most loaded link on the way (UGAL-G).
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
    /* R_b: what one process (or GPU) can send into the network, and receive
     * from it, over all its messages; 0: no limit. */
    double process_Bps;
    /* What the NICs of a node move from and to its GPUs' memory, both
     * directions together; 0: no limit. */
    double gpu_Bps;
    unsigned nodes_per_rack; /* consecutive nodes; 0: no racks */
    /* What nodes are called (node_names.h): the name of node 0, or a file of
     * names and numbers; NULL: by their numbers alone. */
    char *first_node, *node_list;
    /* Not the machine's, but a job's on it: the node that is the job's i-th.
     * Borrowed; NULL: node i. Nodes of plans and engines are the job's; only
     * ways between nodes and racks look here. */
    const unsigned *node_at;
    struct number_source *source;
};

/* Which node is the job's node. */
static inline unsigned network_node(const struct network *n, unsigned node)
{
    return n->node_at ? n->node_at[node] : node;
}

/*
 * A put over NVLink is sent in packets: at least granule_B and at most
 * payload_B of payload each, plus header_B on the wire. All 0: not given.
 */
struct nvlink_packet {
    unsigned granule_B, payload_B, header_B;
    struct number_source *source;
};

/* What a program calls, step after step, to have a GPU work
 * (platforms/gpu_calls.def), and whose time that takes. */
enum gpu_call {
#define GPU_CALL(X, x, at, what) GPU_CALL_##X,
#include "platforms/gpu_calls.def"
#undef GPU_CALL
    NGPU_CALLS
};
enum gpu_call_at {
    CALL_AT_HOST,
    CALL_AT_STREAM,
    CALL_AT_COPY,
    CALL_AT_WAIT,
    CALL_AT_DEVICE,
    CALL_AT_ACCESS
};
extern const char *const gpu_call_names[NGPU_CALLS];
extern const char *const gpu_call_whats[NGPU_CALLS];
extern const enum gpu_call_at gpu_call_ats[NGPU_CALLS];

/* A launch and the wait for it are those of the GPU where they are not given
 * here. */
struct gpu_calls {
    double s[NGPU_CALLS];        /* 0: not given */
    double stream_s[NGPU_CALLS]; /* of those at streams */
    /* A copy that is called while its stream is at work waits in its engine,
     * which looks again after so long, then twice and four times that. */
    double behind_s;
    struct number_source *source; /* of all; its part "launch: ..." is that one's */
};

/* What is the same for all GPUs; 0: not given. A number whose own source is
 * NULL has the common source. */
/*
 * What threads take for a sector of SECTOR_B somewhere in memory: that is in
 * the L2 cache (hit) or not (miss). By the whole GPU when all of it is busy; a
 * latency is of one access, when nobody else has any.
 */
enum { SECTOR_B = 32 };
struct gpu_access {
    double hit_s, miss_s;                           /* a read, or write */
    double atomic_hit_s, atomic_miss_s;             /* on integers */
    double float_atomic_hit_s, float_atomic_miss_s; /* additions */
    /* Additions of threads that do not ask what was there. */
    double float_sum_hit_s, float_sum_miss_s;
    /* Words of 4 B that threads read one after the other, each its own; 0: at
     * the memory's bandwidth. */
    double stream_Bps;
    double same_address_s;       /* an atomic, when all are on one address */
    double float_same_address_s; /* likewise an addition; 0: not given */
    double latency_hit_s, latency_miss_s;
    struct number_source *source; /* NULL: not given */
};

struct gpu_model {
    char *arch;        /* as compilers call it: "sm_90", "gfx942"; or NULL */
    double memory_Bps; /* bandwidth of its memory */
    double l2_B;
    unsigned sms, threads_per_sm; /* that are resident at once */
    double launch_s;              /* from the CPU's call to a kernel's start */
    double sync_s; /* from a kernel's end until the CPU has seen it */
    /* From the end of a copy by CUDA IPC until its process knows that others
     * see it by its IPC event. */
    double ipc_event_s;
    /* A small copy between host and GPU by the CPU itself (gdrcopy). */
    double gdrcopy_s, gdrcopy_Bps;
    uint64_t gdrcopy_up_to_B;
    /* MPI adds vectors of up to so many bytes by the CPU, where they are in
     * GPU memory: so much longer than in the host's. 0: by kernels. */
    uint64_t cpu_sums_up_to_B;
    double cpu_sums_s_per_B;
    /* A put or atomic of a kernel into the memory of a GPU that NVLink joins.
     */
    double remote_atomic_s;
    struct nvlink_packet packet;
    struct gpu_access access;
    struct gpu_calls calls;
    /* Of several threads of the CPU, each with a GPU, where that is given. */
    struct gpu_calls calls_of_several;
    bool several_given;
    struct number_source *source;
    struct number_source *launch_source, *sync_source, *remote_atomic_source;
    struct number_source *ipc_event_source, *gdrcopy_source, *cpu_sums_source;
};

/* What a channel's threads do besides sending, for each byte that they send to
 * a GPU of their node: before the next one, while nothing is on its way, and
 * beside it, so that they send more slowly. */
struct channel_work {
    double after_s_per_B, beside_s_per_B;
};

/* How NCCL divides a collective of a protocol. */
enum nccl_protocol_kind {
    NCCL_SIMPLE,
    NCCL_LL,
    NCCL_LL128,
    NCCL_NVLS,
    NNCCL_PROTOCOLS
};
extern const char *const nccl_protocol_names[NNCCL_PROTOCOLS];
struct nccl_protocol {
    double start_s; /* from the call to the first byte, and from the last to the
                       end: of a collective, what no step takes */
    unsigned slot_B; /* of payload, in a channel's buffer */
    /* A ring's chunk, in slots, and the parts of it that are passed on one by
     * one. A tree's chunks are a slot. */
    unsigned chunk_slots, slices;
    unsigned channel_B; /* fewer channels are used than that it has less */
    /* Until a channel's threads have taken over (copied, or added) a byte that
     * came, in which they send none; 0: beta has it. */
    double take_s_per_B;
    struct number_source *source, *start_source, *take_source;
};
struct nccl_model {
    unsigned channels; /* of a GPU; 0: not given */
    unsigned slots;    /* of each channel's buffer */
    struct nccl_protocol protocols[NNCCL_PROTOCOLS];
    struct number_source *source, *channels_source;
};

/* What the threads of a node take, all together, that go through a graph; 0:
 * not given. */
struct graph_model {
    double arc_s;    /* an arc: its head's label is read and written */
    double vertex_s; /* a label somewhere, read or written */
    struct number_source *source;
    /* Of each arc of a node's part of a graph: memory that building it leaves,
     * for buffers of messages. */
    double spare_B_per_arc;
    struct number_source *spare_source;
};

/* A library of collectives that the machine has. */
struct machine_library {
    char *name;
    struct number_source *source;
};

struct machine {
    char *name;
    char *about;
    char *path; /* the file it was read from */
    char *mpi;  /* that its messages were measured with; NULL: not given */
    /* Beside those that `mpi` and `nccl` say. */
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

    /* Counted by the reader. There may be more GPUs than the ngpus used. */
    unsigned nsockets, ngpus, nnics, nswitches, ncores; /* of one node */
};

void machine_clear(struct machine *m);

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

/* Locality of two cores (given as node and core of the node). */
enum locality machine_core_locality(const struct machine *m, unsigned node_a,
                                    unsigned core_a, unsigned node_b,
                                    unsigned core_b);
/* Locality of two GPUs: ON_SOCKET, ON_NODE or OFF_NODE. */
enum locality machine_gpu_locality(const struct machine *m, unsigned node_a,
                                   unsigned gpu_a, unsigned node_b,
                                   unsigned gpu_b);
bool machine_same_rack(const struct machine *m, unsigned node_a,
                       unsigned node_b);

/* What messages of a runtime cost: its own table, or, where it has none for
 * this path and locality, that of RUNTIME_MPI; perhaps one without segments. A
 * machine without a SHARED_CACHE table uses ON_SOCKET for it. */
const struct message_table *machine_table(const struct machine *m,
                                          enum runtime by, enum msg_path path,
                                          enum locality where);
/* The segment for a message of this size; NULL when there is none. */
const struct segment *table_segment(const struct message_table *t,
                                    uint64_t bytes);
const struct segment *machine_segment(const struct machine *m, enum runtime by,
                                      enum msg_path path, enum locality where,
                                      uint64_t bytes);
/* By which NIC messages of a segment go between two nodes: an index, or
 * NIC_OF_SOCKET. */
int machine_nic_between(const struct machine *m, const struct segment *s,
                        unsigned node_a, unsigned node_b);
/* Of what processes use `working_set_B` of again and again, the part that is
 * not in their caches: 1 where these are not given. */
double machine_memory_share(const struct machine *m, double working_set_B);
/* The same of what each of `processes` on a node works on by itself, where they
 * divide the sockets' shared caches, and have those of their cores. */
double machine_own_share(const struct machine *m, double working_set_B,
                         unsigned processes);
/* Of a program that has so many GPUs at work. */
const struct gpu_calls *machine_gpu_calls(const struct machine *m,
                                          uint32_t ngpus);
/* What a kernel's put of one byte into a GPU of another node takes
 * (RUNTIME_SHMEM); 0: the machine has none. */
double machine_put_s(const struct machine *m);
/* The row for a copy; the row with the nearest number of processes that is not
 * below the wanted one, else the largest. NULL when there is none. */
const struct copy_cost *machine_copy(const struct machine *m, enum copy_dir dir,
                                     enum locality where, unsigned processes,
                                     uint64_t bytes);
/* The largest eager message: the default message cap of the split strategies.
 */
uint64_t machine_rendezvous_limit(const struct machine *m);
/* How messages go from GPU memory: with GPUDirect, or without. */
enum msg_path machine_gpu_path(const struct machine *m);
/* All cores of all nodes. */
uint32_t machine_cores(const struct machine *m);
/* What the NICs of one node can inject together: R_N of the max-rate model. */
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
