/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fabric.h - the resources that the transfers of a run share and use in turn:
 * the CPUs of processes, the copy engines of GPUs, the places and message gaps
 * of NICs; and the state of a transfer. A plan's executor, or graph agents,
 * make the fabric, post transfers by a runtime (transport.h) and get callbacks
 * for their events.
 */
#ifndef SIM_TRANSPORT_FABRIC_H
#define SIM_TRANSPORT_FABRIC_H

#include "platforms/machine.h"
#include "sim/network/engine.h"
#include "sim/transport/cause.h"
#include "sim/transport/match.h"
#include "sim/transport/match_queues.h"
#include "sim/transport/pool.h"
#include "sim/transport/server.h"

/* The kind of a transfer, which selects the file with its stages: message.c,
 * put.c, push.c, copy.c, pack.c, work.c, host_processes.c (list.c). */
enum transfer_kind {
    TRANSFER_MESSAGE, /* it is its own receive */
    TRANSFER_SEND,    /* matched (match.h) with a TRANSFER_RECEIVE */
    TRANSFER_RECEIVE,
    TRANSFER_PUT,
    TRANSFER_PUSH,       /* a message by kernels of both GPUs */
    TRANSFER_COPY,       /* its process waits for the end */
    TRANSFER_COPY_ASYNC, /* its process continues once it is issued */
    TRANSFER_PACK,
    TRANSFER_WORK,
    /* The first three kinds under a runtime of host_processes.h, and the
     * threads of a process. */
    TRANSFER_HOST_MESSAGE,
    TRANSFER_HOST_MESSAGE_SEND,
    TRANSFER_HOST_MESSAGE_RECEIVE,
    TRANSFER_THREAD_POOL,
    /* The fabric's: the numbers from `from` to `to` in a queue. */
    TRANSFERS_AT_REST,
};

/*
 * One message, receive, put, copy, or a piece of work of a process. Its owner
 * fills in the fields above the line and posts it (transport.h). Until it is
 * done, the owner neither changes nor moves it.
 */
struct transfer {
    struct waiter waiter; /* first, because a waiter is cast to its transfer */
    struct fabric *f;
    uint64_t bytes;    /* for a receive: the size of its buffer */
    uint32_t from, to; /* processes; a receive's `from` may be ANY_RANK */
    uint32_t from_gpu, to_gpu; /* numbers in the run; NO_GPU: host memory */
    union {
        /* Its number, if its owner numbers transfers (rests). */
        uint32_t number;
        /* For a put: operations that begin one after the other. */
        uint32_t puts;
    };
    uint8_t kind; /* enum transfer_kind */
    union {
        uint8_t runtime; /* enum runtime, of messages and puts */
        uint8_t dir;     /* enum copy_dir, of copies */
        bool synced;     /* for a pack: its process waits for its kernel */
        uint8_t lane; /* for work: 0 is its process's CPU, others are lanes */
    };
    /* --- */
    /* The next stage, from an enum of the file of its kind. */
    uint8_t stage;
    uint8_t cause : 4; /* enum cause, while it waits for a server */
    /* Number of things that still refer to it, used by message.c. */
    uint8_t held : 3;
    uint8_t leaves : 1; /* used by message.c: it leaves its node */
    union {
        /* If it is a message: its receive, itself if that is no transfer of its
         * own, NULL if it is not posted yet. If it is a receive: the
         * message. */
        struct transfer *partner;
        struct host_message *message; /* if it is sent by host_processes.h */
        double wire_B;                /* for a put: bytes on the wire */
        /* For a push: channels side by side, 1 at least. */
        unsigned channels;
        uint64_t left_B; /* for a copy: bytes that have not flowed yet */
    };
    union {
        const struct segment *segment; /* for messages and puts */
        const struct copy_cost *row;   /* for copies */
        double work_s;                 /* for work, in seconds */
        /* For a pack: 1; for a reduction: the buffers that it reads, among them
         * the one to which it adds. */
        unsigned inputs;
    };
};

/* A transfer in the memory of a pool. */
struct pooled {
    struct transfer transfer; /* first, because it is cast to this */
    uint32_t place;           /* in the pool */
    uint32_t step;            /* from the owner, NO_STEP if it is not used */
};
#define NO_STEP UINT32_MAX

/* Callbacks of the owner of transfers, called at the time of each event; user
 * is the fabric's. A callback may be NULL. */
struct transfer_events {
    /* It has its first resource. */
    void (*began)(void *user, struct transfer *t);
    /* Its bytes begin to flow; its last byte has arrived. */
    void (*flows)(void *user, struct transfer *t);
    void (*flowed)(void *user, struct transfer *t);
    /* The memory from which a message, puts, or an asynchronous copy were sent
     * may be used again. */
    void (*sent)(void *user, struct transfer *t);
    /* A message has been received (if it is matched: its receive ends), puts
     * have arrived, a copy or work is over. */
    void (*ended)(void *user, struct transfer *t);
    /* The transport no longer refers to it. */
    void (*done)(void *user, struct transfer *t);
    /* The receive takes the message; both are given by their numbers, and
     * message_pair() joins their transfers. */
    void (*matched)(void *user, uint32_t send, uint32_t recv);
    /* If an engine needs time to find the pair, this comes before: both are
     * there now, the receive (`posted`) or the message last. */
    void (*found)(void *user, uint32_t send, uint32_t recv, bool posted);
    /* The message has arrived, and no posted receive takes it. */
    void (*unexpected)(void *user, uint32_t send);
    /* A wait is over because of the transfer `by`. */
    void (*waited)(void *user, struct transfer *t, enum cause cause,
                   const struct transfer *by);
    /*
     * For owners that number transfers and make them only while they run, so
     * that a waiting transfer needs no more memory than its number
     * (fabric.behind). rests: the transfer has to wait for a server; if its
     * owner returns true, it has noted the stage and takes the transfer back.
     * resumes: the wait of a number is over and the server is its own; its
     * owner makes the transfer and continues it.
     */
    bool (*rests)(void *user, struct transfer *t);
    void (*resumes)(void *user, uint32_t number, enum cause cause,
                    const struct transfer *by);
};

#define NO_PROCESS UINT32_MAX

struct nic {
    struct server places;     /* for messages within the rack */
    struct server other_rack; /* for messages to other racks */
    double gap_s, free_s;     /* free_s: when it may begin the next message */
};

struct fabric {
    struct engine *engine;
    const struct machine *m;
    const struct transfer_events *events;
    void *user;
    double origin; /* the engine's time at the start of the run */
    unsigned per_node;
    uint32_t processes;
    const unsigned *core; /* one per process of a node */
    struct server *cpu;   /* one per process */
    /* The lanes of processes beside their CPUs, `lanes` for each; NULL if there
     * are none. */
    struct server *lane;
    unsigned lanes;
    struct channel_work channel_work; /* for pushes */
    bool issued; /* the owner accounts for the calls of copies itself */
    double
        /* Times when each CPU was last released, long ago at the start. */
        *cpu_free_s;
    /* The longest time that a message hides on its receiver's CPU. Snapshots
     * need it, because it does not matter how much longer a CPU was idle. */
    double hides_s;
    /* The part of the messages on nodes whose bytes pass through memory, and
     * how much of that each process owes, in messages: half a message at the
     * start. */
    double memory_share;
    double own_share;    /* machine_own_share() */
    double *memory_owed; /* one per process, in messages */
    /* One per process: the sender of its last message, or NO_PROCESS. */
    uint32_t *heard;
    struct server *copy; /* one per GPU and direction */
    /* One per GPU: the process of its last copy, or with contexts the process
     * that has it, or NO_PROCESS. */
    uint32_t *copied_by;
    struct server *kernels; /* one per GPU */
    struct nic *nics;       /* one per node and NIC */
    unsigned *nearest_nic;  /* for each core, then each GPU, of a node */
    /* The NIC that stands for each; NULL if each is its own. */
    const uint32_t *nic_stands;
    /* NULL if no transfers are matched. */
    struct match *match;
    struct match_queues *queues; /* NULL if nobody needs them */
    bool match_by_engine;        /* an engine finds matches, not a CPU */
    /* The next number in the queue of each resting number, from the owner; NULL
     * if transfers do not rest. */
    uint32_t *behind;
    struct host_processes *
        host_processes; /* NULL unless the runtime is one of host_processes.h */
    struct transfer_pool pool; /* the owner may take transfers from it */
};

/*
 * Makes the fabric of `nodes` nodes with per_node processes each: process i
 * sits on node i / per_node, core[i % per_node]. Borrows e, m and core until
 * fabric_clear().
 */
void fabric_init(struct fabric *f, struct engine *e, const struct machine *m,
                 unsigned nodes, unsigned per_node, const unsigned *core);
void fabric_clear(struct fabric *f);
/* Sets the size of the data that its processes use repeatedly: bytes beyond
 * their caches go through memory. If it is not set, all bytes do. */
void fabric_working_set(struct fabric *f, double bytes);
/* Gives each process that many lanes beside its CPU. */
void fabric_lanes(struct fabric *f, unsigned lanes);
/* Lets transfers numbered below n be matched; if `lengths`, the lengths of the
 * queues are counted. */
void fabric_match(struct fabric *f, size_t n, bool lengths);
/* Notes that a matched message is sent. */
void fabric_sent(struct fabric *f, uint32_t send, struct envelope e);
/*
 * Handle a delivered message, or a posted receive, with the operation that
 * match.h found for it, or MATCH_NONE. Return true if they are matched now,
 * false if there is no pair or if an engine finds it later
 * (transfer_events.matched).
 */
bool fabric_arrived(struct fabric *f, uint32_t send, uint32_t recv,
                    struct envelope e);
bool fabric_posted(struct fabric *f, uint32_t recv, uint32_t send,
                   struct envelope e);

/*
 * fabric_snapshot() writes the shared state of all transfers, and that of the
 * engine; name(user, t) is a number for a transfer. It returns false if
 * receives have to be matched, or if the engine has no snapshots.
 * transfer_snapshot() writes the fields of a transfer, for copies only those
 * that are in use.
 */
struct snapshot;
bool fabric_snapshot(const struct fabric *f, struct snapshot *s,
                     uint64_t (*name)(void *user, void *transfer), void *user);
void transfer_snapshot(const struct transfer *t, struct snapshot *s);

/* --- places --------------------------------------------------------------- */

/* Seconds since the start of the run. */
static inline double fabric_now(const struct fabric *f)
{
    return engine_now(f->engine) - f->origin;
}

static inline unsigned fabric_node(const struct fabric *f, uint32_t process)
{
    return process / f->per_node;
}

static inline unsigned fabric_core(const struct fabric *f, uint32_t process)
{
    return f->core[process % f->per_node];
}

/* Returns the server of a process's work: its CPU if lane is 0, else a lane. */
struct server *fabric_worker(const struct fabric *f, uint32_t process,
                             unsigned lane);
/* Return the numbers of endpoints of the engine. */
uint32_t fabric_process(const struct fabric *f, uint32_t process);
uint32_t fabric_gpu(const struct fabric *f, uint32_t gpu);
/* Returns the GPU whose engines copy: if one stands for all GPUs of a node, the
 * first. */
uint32_t fabric_real_gpu(const struct fabric *f, uint32_t gpu);
/* fabric_contexts() returns whether processes use a GPU in turn.
 * fabric_switch_s() returns the time until the transfer's process has its GPU,
 * and notes that process as its user. */
bool fabric_contexts(const struct fabric *f);
double fabric_switch_s(const struct transfer *t);
struct server *fabric_copy(const struct fabric *f, uint32_t gpu,
                           enum copy_dir dir);

bool transfer_leaves_node(const struct transfer *t);
/* Returns the message table (machine_table()) for its memories and places. */
const struct message_table *transfer_table(const struct transfer *t);
const struct segment *transfer_segment(const struct transfer *t,
                                       uint64_t bytes);
/* Returns the extra latency of a message between racks. */
double transfer_other_rack_s(const struct transfer *t);
/* Returns the same plus the latency of the switches on its route. */
double transfer_far_s(const struct transfer *t);
/* Returns the index of its NIC, or NIC_OF_SOCKET; also within a node. */
int transfer_nic(const struct transfer *t);
/* Return the NIC by which a message leaves its node, the given one or the
 * nearest to its process or GPU: its number in fabric.nics; and itself, or the
 * one that stands for it. */
uint32_t fabric_nic_number(const struct transfer *t, int nic);
struct nic *fabric_nic(const struct transfer *t, int nic);
#endif
