/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fabric.h - what the transfers of a run share and take in turn: the CPUs of
 * processes, the copy engines of GPUs, the places and message gaps of NICs; and
 * a transfer while it has some of them. Who moves bytes (a plan's executor,
 * graph agents) makes the fabric, posts transfers by a runtime (transport.h)
 * and gets a callback for what happens to them.
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

/* Whose life it is: that of message.c, put.c, push.c, copy.c, pack.c, or a
 * process's own work. */
enum transfer_kind {
    TRANSFER_MESSAGE, /* that is its own receive */
    TRANSFER_SEND,    /* a message that is matched (match.h) with a ... */
    TRANSFER_RECEIVE,
    TRANSFER_PUT,
    TRANSFER_PUSH,       /* a message by kernels of both GPUs */
    TRANSFER_COPY,       /* its process waits for its end */
    TRANSFER_COPY_ASYNC, /* its process goes on once it is issued */
    TRANSFER_PACK,
    TRANSFER_WORK,
    /* As the first three, by teams.h; and threads of a process. */
    TRANSFER_LETTER,
    TRANSFER_LETTER_SEND,
    TRANSFER_LETTER_RECEIVE,
    TRANSFER_CREW,
    TRANSFERS_AT_REST, /* the fabric's: numbers in a queue, from `from` to `to`
                        */
};

/*
 * One message, receive, put, copy, or a piece of work of a process. Its owner
 * fills what is above the line, posts it (transport.h), and leaves it alone and
 * in its place until it is done.
 */
struct transfer {
    struct waiter waiter; /* first: a waiter is its transfer */
    struct fabric *f;
    uint64_t bytes;    /* of a receive: that it has room for */
    uint32_t from, to; /* processes; a receive's `from` may be ANY_RANK */
    uint32_t from_gpu, to_gpu; /* of the run; NO_GPU: host memory */
    union {
        uint32_t number; /* its owner's, where those are numbered (rests) */
        uint32_t puts;   /* operations that begin one after the other */
    };
    uint8_t kind; /* enum transfer_kind */
    union {
        uint8_t runtime; /* enum runtime; of a copy: ... */
        uint8_t dir;     /* enum copy_dir; of a pack: ... */
        bool synced;     /* its process waits for its kernel; of work: ... */
        uint8_t lane;    /* beside its process's CPU; 0: on that */
    };
    /* --- */
    uint8_t stage;      /* what is next */
    uint8_t cause : 4;  /* of its wait for a server */
    uint8_t held : 3;   /* message.c's: how many things go on with it */
    uint8_t leaves : 1; /* message.c's: its node */
    union {
        /* Of a message: what takes it in, itself when its receive is no
         * transfer of its own; NULL: that is not posted yet. Of a receive: the
         * message. */
        struct transfer *partner;
        struct letter *letter; /* of teams.h's, once it is sent */
        double wire_B;         /* of puts: what their bytes take on the wire */
        unsigned channels;     /* of a push: side by side, 1 at least */
        uint64_t left_B;       /* of a copy: what is still to flow */
    };
    union {
        const struct segment *segment; /* of a message, or puts */
        const struct copy_cost *row;   /* of a copy */
        double work_s;                 /* of work */
        unsigned inputs; /* of a pack: the buffers that it reads, 1, or of a
                            reduction, which is one of several */
    };
};

/* Callbacks of the owner of transfers, at the moment when it happens; user is
 * the fabric's. NULL: nobody asks. */
struct transfer_events {
    /* Its first resource is its own. */
    void (*began)(void *user, struct transfer *t);
    /* Its bytes begin to flow; the last one is there. */
    void (*flows)(void *user, struct transfer *t);
    void (*flowed)(void *user, struct transfer *t);
    /* Of a message, puts, or an asynchronous copy: the memory that they were
     * sent from may be used again. */
    void (*sent)(void *user, struct transfer *t);
    /* A message has been received (of a matched one: its receive ends), puts
     * are there, a copy or work is over. */
    void (*ended)(void *user, struct transfer *t);
    /* The transport refers to it no more. */
    void (*done)(void *user, struct transfer *t);
    /* The receive takes the message, by their numbers: message_pair() joins
     * their transfers. */
    void (*matched)(void *user, uint32_t send, uint32_t recv);
    /* Before that, where an engine takes its time to find them: both are there
     * now, the receive (posted) or the message last. */
    void (*found)(void *user, uint32_t send, uint32_t recv, bool posted);
    /* The message is there, and no receive that is posted takes it. */
    void (*unexpected)(void *user, uint32_t send);
    /* A wait is over, ended by another transfer. */
    void (*waited)(void *user, struct transfer *t, enum cause cause,
                   const struct transfer *by);
    /*
     * Where transfers have numbers and are made when they go on, so that what
     * only waits takes no more than a number's room (fabric.behind). rests: the
     * transfer is to wait for a server; true: its owner has noted its stage and
     * takes it back. resumes: the wait of a number at a server, which is its
     * now, is over; its owner makes its transfer and lets it go on.
     */
    bool (*rests)(void *user, struct transfer *t);
    void (*resumes)(void *user, uint32_t number, enum cause cause,
                    const struct transfer *by);
};

#define NO_PROCESS UINT32_MAX

struct nic {
    struct server places;     /* for messages that stay in the rack, ... */
    struct server other_rack; /* ... or not */
    double gap_s, free_s;     /* when it may begin the next message */
};

struct fabric {
    struct engine *engine;
    const struct machine *m;
    const struct transfer_events *events;
    void *user;
    double origin; /* the engine's clock when the run started */
    unsigned per_node;
    uint32_t processes;
    const unsigned *core; /* of each process of a node */
    struct server *cpu;   /* of each process */
    /* What a process does beside its CPU: of each, `lanes` of them; NULL. */
    struct server *lane;
    unsigned lanes;
    struct channel_work channel_work; /* of pushes */
    bool issued; /* whoever posts copies has spent what their calls take */
    double
        *cpu_free_s; /* when it was last given back; at the start: long ago */
    /* No message hides more than this on its receiver's CPU, for snapshots: it
     * does not matter how much longer one was free. */
    double hides_s;
    /* The part of the messages on nodes that goes through memory, and what of
     * it each process owes, in messages: a half at the start. */
    double memory_share;
    double own_share;    /* machine_own_share() */
    double *memory_owed; /* of each process, in messages */
    uint32_t *heard;     /* of each: who sent it its last message, NO_PROCESS */
    struct server *copy; /* of each GPU, for each direction */
    uint32_t *copied_by; /* of each GPU: whose copy was last (with contexts: who
                            has it), NO_PROCESS */
    struct server *kernels; /* of each GPU */
    struct nic *nics;       /* of each node */
    unsigned *nearest_nic;  /* of each core, then GPU, of a node */
    /* With transfers that are matched; else NULL. */
    struct match *match;
    struct match_queues *queues; /* NULL: nobody asks */
    bool match_by_engine;        /* that takes its time, not a CPU's */
    /* With transfers that rest; else NULL, the owner's: of each number that
     * does, the next in its queue. */
    uint32_t *behind;
    struct teams *teams;       /* of a runtime of teams.h; else NULL */
    struct transfer_pool pool; /* the owner may take transfers from it */
};

/*
 * For `nodes` nodes with per_node processes each: process i sits on node
 * i / per_node, core[i % per_node]. Borrows all of these until the clear.
 */
void fabric_init(struct fabric *f, struct engine *e, const struct machine *m,
                 unsigned nodes, unsigned per_node, const unsigned *core);
void fabric_clear(struct fabric *f);
/* What its processes use again and again: what is more than their caches goes
 * through memory. Not told: all does. */
void fabric_working_set(struct fabric *f, double bytes);
/* Transfers of numbers below n may be matched; lengths: those of the queues are
 * counted. */
void fabric_match(struct fabric *f, size_t n, bool lengths);
/* A message is sent that is matched. */
void fabric_sent(struct fabric *f, uint32_t send, struct envelope e);
/* What match.h says of a message that is delivered, or a receive that is
 * posted: the other one, or MATCH_NONE. true: they are matched now; else later
 * (transfer_events.matched), when an engine has found them, or there is no
 * pair.
 */
bool fabric_arrived(struct fabric *f, uint32_t send, uint32_t recv,
                    struct envelope e);
bool fabric_posted(struct fabric *f, uint32_t recv, uint32_t send,
                   struct envelope e);

/* Fills what is below the line for a transfer of this kind that has its
 * process's CPU and whose first stage, 0, comes now: what posting it does but
 * for that. */
void transfer_prepare(struct transfer *t);
/* A number waits for a server. */
void fabric_rest(struct fabric *f, struct server *s, enum cause cause,
                 uint32_t number);
/* Values gathered or scattered, or added up, in the memory of from_gpu or of
 * the process (NO_GPU); `bytes` are written, and so many of each input read. */
void transfer_pack(struct transfer *t);

/* The process's CPU is busy for work_s. */
void transfer_work(struct transfer *t, double work_s);

/* Writes the state of all that transfers share, and of the engine; name(user,
 * t) is a number for a transfer. False: there are receives to be matched, or
 * the engine cannot. And what a transfer alone knows (copies: of which not all
 * that they hold is in use). */
struct snapshot;
bool fabric_snapshot(const struct fabric *f, struct snapshot *s,
                     uint64_t (*name)(void *user, void *transfer), void *user);
void transfer_snapshot(const struct transfer *t, struct snapshot *s);

/* --- for the lives of transfers ------------------------------------------- */

double fabric_now(const struct fabric *f); /* since the start of the run */
/* What comes next in its life (t->stage says what). */
void transfer_go(struct transfer *t);
void message_go(struct transfer *t);
void put_go(struct transfer *t);
void push_go(struct transfer *t);
void copy_go(struct transfer *t);
void pack_go(struct transfer *t);
/* Has waited until now, ended by another. */
void transfer_waited(struct transfer *t, enum cause cause,
                     const struct transfer *by);
/* Waits for a server; `stage` comes when it is the transfer's. */
void transfer_take(struct transfer *t, struct server *s, uint8_t stage,
                   enum cause cause);
/* Its place goes to who waits for it. */
void transfer_release(const struct transfer *t, struct server *s);
/* The same of a process's CPU. */
/* Where work of a process is done: its CPU, or a lane beside it (from 1). */
struct server *fabric_worker(const struct fabric *f, uint32_t process,
                             unsigned lane);
/* Processes work on so many lanes beside their CPUs. */
void fabric_lanes(struct fabric *f, unsigned lanes);
void transfer_release_cpu(const struct transfer *t, uint32_t process);
void transfer_later(struct transfer *t, double delay_s, uint8_t stage);
/* Bytes flow for it, then comes `stage`. */
void transfer_flow(struct transfer *t, uint8_t stage, uint32_t from,
                   uint32_t to, double bytes, double rate_cap_Bps, int nic);
void transfer_began(struct transfer *t);
void transfer_flowed(struct transfer *t);
void transfer_sent(struct transfer *t);
void transfer_ended(struct transfer *t);
void transfer_done(struct transfer *t);

unsigned fabric_node(const struct fabric *f, uint32_t process);
unsigned fabric_core(const struct fabric *f, uint32_t process);
/* As endpoints of the engine. */
uint32_t fabric_process(const struct fabric *f, uint32_t process);
uint32_t fabric_gpu(const struct fabric *f, uint32_t gpu);
/* The GPU whose engines copy: where a node's stand for one, the first. */
uint32_t fabric_real_gpu(const struct fabric *f, uint32_t gpu);
/* Processes have a GPU in turn; and what it takes until the transfer's process
 * has its GPU, which is noted. */
bool fabric_contexts(const struct fabric *f);
double fabric_switch_s(const struct transfer *t);
struct server *fabric_copy(const struct fabric *f, uint32_t gpu,
                           enum copy_dir dir);

bool transfer_leaves_node(const struct transfer *t);
/* Its messages' (machine_table()), for these memories and places. */
const struct message_table *transfer_table(const struct transfer *t);
const struct segment *transfer_segment(const struct transfer *t,
                                       uint64_t bytes);
/* More latency of a message between racks. */
double transfer_other_rack_s(const struct transfer *t);
/* That, and what the switches on its way add. */
double transfer_far_s(const struct transfer *t);
/* By which NIC it goes: an index, or NIC_OF_SOCKET; also within a node. */
int transfer_nic(const struct transfer *t);
/* The NIC that a message leaves its node by: the given one, or
 * the nearest to its process or GPU. */
struct nic *fabric_nic(const struct transfer *t, int nic);
/* Between its messages there. */
double transfer_gap_s(const struct transfer *t, int nic);
/* Waits for a place at that NIC; `stage` comes when it has one. */
void transfer_take_nic(struct transfer *t, int nic, uint8_t stage);
/* It has its place: `stage` comes when the message rate lets it begin so many
 * messages. */
void transfer_wait_gap(struct transfer *t, int nic, double messages,
                       uint8_t stage);
void transfer_release_nic(struct transfer *t, int nic);

#endif
