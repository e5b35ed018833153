/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * host_processes.h - processes with compute threads and one communication
 * thread, and the stages of a message (struct host_message) that their runtimes
 * lci.c, mpi_probe.c and mpi_rma.c share. The compute threads are the process's
 * CPU: a thread that sends goes before all others that wait for the CPU, a
 * thread that receives goes behind them. The communication thread does its
 * tasks (struct comm_task) first come first served. struct runtime_costs has
 * the times of both; the message tables have those of the wire.
 */
#ifndef SIM_TRANSPORT_HOST_PROCESSES_H
#define SIM_TRANSPORT_HOST_PROCESSES_H

#include "platforms/runtime_costs.h"
#include "sim/transport/fabric.h"
#include "sim/transport/host_counts.h"

struct host_message;

/* A task of the communication thread. */
struct comm_task {
    struct comm_task *next;
    struct host_message *of;
    double s; /* seconds, without the time of a round of the polling loop */
    /* It also searches the lists of arrivals and pending requests. */
    bool looks;
    void (*then)(struct host_message *l);
};

/* A queue of messages, first come first served. */
struct message_queue {
    struct host_message *first, *last;
    uint32_t n;
};

/* The threads of a process that send, or those that receive. They work at the
 * same time, one for each message, but no more than the process has threads. */
struct thread_pool {
    struct transfer at; /* first, because it waits for the process's CPU */
    struct host_process *host;
    struct message_queue waiting,
        active; /* messages that its threads work on */
    /* It sends, so it is served before all others that wait for the CPU. */
    bool sends;
    bool works; /* it has the CPU, or waits for it */
    /* It continues after another message, whose number `at` has. */
    bool goes_on;
};

struct host_process {
    struct fabric *f;
    struct thread_pool sends, takes;
    struct comm_task *first_task, *last_task;
    bool comm_works;
    double comm_idle_s; /* time since which it has been idle */
    /* Requests, each tested in every round. */
    uint32_t requests;
    uint64_t packets, arrival_packets; /* free packets */
    uint32_t entries;                  /* messages that have arrived */
    double unexpected_B;
    struct message_queue starved,
        held;                     /* queues for a packet: to send, to arrive */
    struct host_message *batches; /* open batches, by their first messages */
    uint32_t fenced;              /* the last epoch that it ended, plus 1 */
    struct host_counts counts;
};

/* The puts of one origin, or with fences those of all, that complete together.
 */
struct epoch {
    uint32_t messages, uncalled, unflowed;
    struct host_message *first;
};

struct host_message {
    struct transfer *t;
    struct host_message *next; /* in a queue, or in a list of batches */
    /* The next message of a batch, which its first message carries, and the
     * last. */
    struct host_message *batch, *last;
    struct host_message *epoch_next;
    /* Its receive; NULL if it has none, or none yet. */
    struct transfer *recv;
    const struct segment *bulk;           /* cost of its bytes on the wire */
    void (*then)(struct host_message *l); /* the next step, ... */
    /* ... the step after its bytes, ... */
    void (*after_wire)(struct host_message *l);
    /* ... the step after its receive is posted. */
    void (*then_posted)(struct host_message *l);
    struct comm_task tasks[2]; /* at its sender, at its receiver */
    uint64_t wire_B;
    uint32_t closer; /* the transfer that ended its epoch */
    double since_s;  /* time since which it waits for a packet */
    uint8_t held;    /* number of things that still refer to it */
    /* Steps before its buffer is free, before it ends. */
    uint8_t sent_parts, parts;
    bool posted;     /* it may be received ... */
    bool posted_now; /* ... since the current event only */
    bool there;
    bool has_packet;
    bool open;       /* it begins a batch that is not sent yet */
    bool completing; /* its next call ends its epoch */
};

/* The functions in which runtimes of this kind differ. */
struct runtime_rules {
    /* Returns whether a thread can send the message now; if not, it keeps the
     * message. NULL if all messages can be sent. */
    bool (*admits)(struct host_message *l);
    double (*call_s)(
        const struct host_message *l); /* one thread's time to send */
    void (*called)(struct host_message *l);
    double (*take_s)(
        const struct host_message *l); /* one thread's time to receive */
    void (*taken)(struct host_message *l);
    bool windows; /* messages arrive in memory that is allocated already */
};

struct host_processes {
    const struct runtime_costs *costs;
    const struct runtime_rules *rules;
    const char *name; /* the name of the runtime */
    unsigned threads;
    uint64_t eager_B;
    struct host_process *of; /* one per process */
    struct host_message *unused, **chunks;
    size_t nchunks;
    /* The epochs, and each transfer's epoch by its number, from the owner. NULL
     * if each put is an epoch of its own. */
    uint32_t *epoch_of;
    struct epoch *epochs;
    /* The part of the bytes received by each process that is new memory, from
     * the owner. NULL if all of it is. */
    const double *new_share;
    /* Set if a buffer was exhausted and the runtime makes that an error. */
    bool broken;
    uint32_t broken_host;
    uint32_t broken_at; /* the number of the transfer */
    const char *broken_what;
};

/* Makes the threads of the processes of a fabric; `by` is a runtime with rules.
 */
void host_processes_init(struct fabric *f, enum runtime by);
void host_processes_free(struct host_processes *h);
/* Frees the memory of a message that a process received or sent. */
void host_process_drop(struct host_processes *h, uint32_t process,
                       double bytes);
/* Adds the bytes of the windows of a process. */
void host_process_windows(struct host_processes *h, uint32_t process,
                          double bytes);

/* Sends a message. If its `partner` is itself, it may be received at once. */
void host_message_send(struct transfer *t);
/* Lets a message be received. */
void host_message_post(struct transfer *t, const struct transfer *by);
/* Joins a message and the receive that takes it. */
void host_message_pair(struct transfer *t, struct transfer *recv,
                       bool posted_now);
void host_message_go(struct transfer *t);
void thread_pool_go(struct transfer *t);

/* --- functions for runtimes ----------------------------------------------- */

static inline struct host_process *
host_message_from(const struct host_message *l)
{
    return &l->t->f->host_processes->of[l->t->from];
}

static inline struct host_process *host_message_to(const struct host_message *l)
{
    return &l->t->f->host_processes->of[l->t->to];
}

static inline const struct runtime_costs *
host_message_costs(const struct host_message *l)
{
    return l->t->f->host_processes->costs;
}

/* Returns the extra time of a large message at its receiver, because part of
 * its memory there is new. */
double host_message_new_s(const struct host_message *l);

void message_queue_add(struct message_queue *q, struct host_message *l);
void message_queue_add_first(struct message_queue *q, struct host_message *l);
/* Returns NULL if it is empty. */
struct host_message *message_queue_take(struct message_queue *q);
/* Queues a message for a thread of its sender, or of its receiver. */
void thread_pool_add(struct thread_pool *c, struct host_message *l);
/* Lets the communication thread of an end work on the message for s seconds,
 * and then calls `then`; at once if s is 0 and no request is tested. */
enum host_message_end { HOST_MESSAGE_FROM, HOST_MESSAGE_TO };
void host_message_task(struct host_message *l, enum host_message_end end,
                       double s, void (*then)(struct host_message *l));
/* Does the same at the receiver, and includes the search through its lists. */
void host_message_look(struct host_message *l, double s,
                       void (*then)(struct host_message *l));
/* Sends a control message one way, then calls `then`. */
double host_message_latency_s(const struct host_message *l);
void host_message_control(struct host_message *l,
                          void (*then)(struct host_message *l));
/* Sends the bytes over the wire, then calls `then`. */
void host_message_wire(struct host_message *l,
                       void (*then)(struct host_message *l));
void host_process_hold(struct host_process *h, double bytes);
/* Queues a message that finds no packet or buffer of this process in q, or
 * notes an error if exhaustion is one. host_message_fed() counts the wait once
 * it is over. */
void host_message_starve(struct host_message *l, struct host_process *h,
                         struct message_queue *q, const char *what);
void host_message_fed(struct host_message *l, struct host_process *h,
                      const struct transfer *by);
/* Frees the sender's memory. */
void host_message_sent(struct host_message *l);
/* Marks the message as arrived; it ends, or waits for its receive. */
void host_message_arrived(struct host_message *l);
/* Announces to the matching that it has arrived, or may come. */
void host_message_announce(struct host_message *l);
void host_message_let_go(struct host_message *l);

#endif
