/* SPDX-License-Identifier: GPL-3.0-or-later */
/* segment.h - the costs of a message by its runtime, its path and the locality
 * of its two ends: tables of segments. Seconds, bytes. */
#ifndef PLATFORMS_SEGMENT_H
#define PLATFORMS_SEGMENT_H

#include "platforms/provenance.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The locality of two processes. SHARED_CACHE: two cores of one socket that
 * share a cache; ON_SOCKET: the other pairs of a socket; ON_NODE: other socket,
 * same node. */
enum locality { SHARED_CACHE, ON_SOCKET, ON_NODE, OFF_NODE, NLOCALITIES };
extern const char *const locality_names[NLOCALITIES];

/* The memory between which a message goes. HOST: host memory. GDR: GPU memory
 * with GPUDirect; NO_GDR: GPU memory, GPUDirect off. */
enum msg_path { PATH_HOST, PATH_GDR, PATH_NO_GDR, NPATHS };
extern const char
    *const msg_path_names[NPATHS]; /* "cpu", "gpu", "gpu_no_gdr" */

/* A runtime carries messages (platforms/runtimes.def), and has costs of its own
 * on a machine. */
enum runtime {
#define RUNTIME(upper, lower, word) RUNTIME_##upper,
#include "platforms/runtimes.def"
#undef RUNTIME
    NRUNTIMES
};
extern const char *const runtime_names[NRUNTIMES];
extern const char *const runtime_words[NRUNTIMES]; /* "mpi-rma" */
static inline bool runtime_is_of_nccl(enum runtime by)
{
    return by >= RUNTIME_NCCL_SIMPLE && by < RUNTIME_PEER;
}
/* Returns whether kernels move its messages, block by block. */
static inline bool runtime_is_of_kernels(enum runtime by)
{
    return by >= RUNTIME_NCCL_SIMPLE && by <= RUNTIME_PEER;
}

enum protocol {
    PROTOCOL_SHORT,
    PROTOCOL_EAGER,
    PROTOCOL_RENDEZVOUS,
    NPROTOCOLS
};
extern const char *const protocol_names[NPROTOCOLS];

/* Stands for host memory, or for none, in the place of a GPU's number. */
#define NO_GPU UINT32_MAX

/* A message leaves and enters its node by one NIC. */
#define NIC_OF_SOCKET (-1) /* the one nearest to the process */
/* All messages of two nodes use one NIC: the sum of the nodes' numbers, modulo
 * the number of NICs. */
#define NIC_OF_NODES (-2)
/* Stands in the place of a NIC if the bytes of a flow on a node are in caches,
 * because they bypass memory then. */
#define BY_CACHE (-3)

/* The sender of a message may use its memory again at one of these times. */
enum buffer_free {
    FREE_BY_PROTOCOL,  /* rendezvous: transferred; else at once */
    FREE_AT_ONCE,      /* its CPU is done, because the bytes were copied */
    FREE_ACKNOWLEDGED, /* ack_s after the last byte was there */
    FREE_TRANSFERRED,  /* the last byte is there */
    NBUFFER_FREE
};
extern const char *const buffer_free_names[NBUFFER_FREE];

/* One side moves the bytes of a rendezvous between nodes after its match. */
enum rendezvous {
    RENDEZVOUS_PUT, /* the sender, because it knows of the match */
    RENDEZVOUS_GET, /* the receiver, which reads them from the sender's memory:
                       the whole time on the wire comes after the match, and no
                       slot of the sender's NIC is used */
    NRENDEZVOUS
};
extern const char *const rendezvous_names[NRENDEZVOUS];

/* The transfer of the bytes keeps one of these busy. */
enum mover {
    MOVED_BY_WIRE,     /* a NIC, or no device in particular */
    MOVED_BY_RECEIVER, /* on a node: the receiver's CPU, because it copies, or
                          waits for a copy that it started */
    NMOVERS
};
extern const char *const mover_names[NMOVERS];

/*
 * One segment of a message cost table: an undisturbed message of at most
 * up_to_B bytes takes alpha + beta * bytes from the call of send to the end of
 * receive: the time of a ping-pong, one way. The sender's CPU is busy with it
 * for send_s + send_s_per_B * bytes, the receiver's likewise: o_s and o_r of
 * LogGP (Alexandrov et al. 1995), measured with many messages. The rest of
 * alpha and beta is the wire's. If both CPUs take more than these, a ping-pong
 * hides the surplus, because a process does it while it waits
 * (segment_occupancies()).
 */
struct segment {
    enum protocol protocol;
    uint64_t up_to_B; /* UINT64_MAX if there is no limit */
    double alpha_s;
    double beta_s_per_B;
    double send_s, recv_s;
    double send_s_per_B, recv_s_per_B;
    enum rendezvous rendezvous; /* if it is PROTOCOL_RENDEZVOUS */
    enum buffer_free buffer_free;
    double ack_s;
    enum mover mover;
    double gap_s; /* time between messages of this kind at a NIC; 0 if it is the
                     NIC's */
    /* More latency if the receiver's last message, in the order in which they
     * were sent, came from another process: a ping-pong never shows it,
     * because its cache lines stay warm. */
    double other_peer_s;
    /* On a node: the number of times that bytes are copied (2 if both CPUs
     * copy; 0 if it is not given, which counts as 1), and the bytes that the
     * wires carry more for each message. */
    double copies, extra_B;
    /* On a node: the added time of a byte if it is in no cache
     * (machine_memory_share()), of which CPUs have the same parts as of
     * beta. */
    double uncached_s_per_B;
    /* A message of a process to itself: if self_copies, its CPU copies that
     * long and nothing else happens, because no wire is used; otherwise it
     * costs the same as any other. */
    bool self_copies;
    double self_s, self_s_per_B;
    /* Between GPUs of a node: the time in which the receiving GPU's engine
     * serves it and no other; if not has_engine, that of a copy
     * (copies.engine_s). */
    bool has_engine;
    double engine_s;
    int nic; /* NIC_OF_SOCKET, NIC_OF_NODES or the index of a NIC */
    struct number_source *source;
};

/* A message keeps the CPU of an end busy: `s` delays the message, and a process
 * does `hidden_s` while it waits, or pays it later if it did not wait. */
struct occupancy {
    double s, hidden_s;
};
struct occupancies {
    struct occupancy send, recv;
};
struct occupancies segment_occupancies(const struct segment *s, uint64_t bytes);
/* Returns alpha + beta * bytes: the time of a message that nothing disturbs. */
double segment_alone_s(const struct segment *s, uint64_t bytes);
/* Return the part of alpha, and of beta, that is the wire's because no CPU has
 * it. */
double segment_latency_s(const struct segment *s);
double segment_wire_s_per_B(const struct segment *s);
/* Returns whether it is a rendezvous whose receiver reads the bytes. */
static inline bool segment_gets(const struct segment *s)
{
    return s->protocol == PROTOCOL_RENDEZVOUS &&
           s->rendezvous == RENDEZVOUS_GET;
}
/* Returns the mode; if it is FREE_BY_PROTOCOL, that of the protocol. */
enum buffer_free segment_buffer_free(const struct segment *s);

struct message_table { /* segments by rising up_to_B; the last has no limit */
    struct segment *segments;
    size_t nsegments;    /* 0 if the machine cannot do this */
    double other_rack_s; /* added latency between nodes of different racks */
    struct number_source *other_rack_source;
};

#endif
