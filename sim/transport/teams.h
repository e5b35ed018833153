/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * teams.h - processes with compute threads and one communication thread, and
 * the stages of a message (struct letter) that their runtimes lci.c,
 * mpi_probe.c and mpi_rma.c share. The compute threads are the process's CPU: a
 * thread that sends goes before all others that wait for the CPU, a thread that
 * receives goes behind them. The communication thread does its tasks (struct
 * chore) first come first served. struct runtime_costs has the times of both;
 * the message tables have those of the wire.
 */
#ifndef SIM_TRANSPORT_TEAMS_H
#define SIM_TRANSPORT_TEAMS_H

#include "platforms/runtime_costs.h"
#include "sim/transport/fabric.h"
#include "sim/transport/host_counts.h"

struct letter;

/* A task of the communication thread. */
struct chore {
    struct chore *next;
    struct letter *of;
    double s; /* seconds, without the time of a round of the polling loop */
    /* It also searches the lists of arrivals and pending requests. */
    bool looks;
    void (*then)(struct letter *l);
};

/* A queue of messages, first come first served. */
struct letters {
    struct letter *first, *last;
    uint32_t n;
};

/* The threads of a process that send, or those that receive. They work at the
 * same time, one for each message, but no more than the process has threads. */
struct crew {
    struct transfer at; /* first, because it waits for the process's CPU */
    struct team *host;
    struct letters waiting, active; /* messages that its threads work on */
    /* It sends, so it is served before all others that wait for the CPU. */
    bool sends;
    bool works; /* it has the CPU, or waits for it */
    /* It continues after another message, whose number `at` has. */
    bool goes_on;
};

struct team {
    struct fabric *f;
    struct crew sends, takes;
    struct chore *first_chore, *last_chore;
    bool comm_works;
    double comm_idle_s; /* time since which it has been idle */
    /* Requests, each tested in every round. */
    uint32_t requests;
    uint64_t packets, arrival_packets; /* free packets */
    uint32_t entries;                  /* messages that have arrived */
    double unexpected_B;
    struct letters starved, held; /* queues for a packet: to send, to arrive */
    struct letter *batches;       /* open batches, by their first messages */
    uint32_t fenced;              /* the last epoch that it ended, plus 1 */
    struct host_counts counts;
};

/* The puts of one origin, or with fences those of all, that complete together.
 */
struct epoch {
    uint32_t letters, uncalled, unflowed;
    struct letter *first;
};

struct letter {
    struct transfer *t;
    struct letter *next; /* in a queue, or in a list of batches */
    /* The next message of a batch, which its first message carries, and the
     * last. */
    struct letter *batch, *last;
    struct letter *epoch_next;
    /* Its receive; NULL if it has none, or none yet. */
    struct transfer *recv;
    const struct segment *bulk;     /* cost of its bytes on the wire */
    void (*then)(struct letter *l); /* the next step, ... */
    /* ... the step after its bytes, ... */
    void (*after_wire)(struct letter *l);
    /* ... the step after its receive is posted. */
    void (*then_posted)(struct letter *l);
    struct chore chores[2]; /* at its sender, at its receiver */
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
struct team_rules {
    /* Returns whether a thread can send the message now; if not, it keeps the
     * message. NULL if all messages can be sent. */
    bool (*admits)(struct letter *l);
    double (*call_s)(const struct letter *l); /* one thread's time to send */
    void (*called)(struct letter *l);
    double (*take_s)(const struct letter *l); /* one thread's time to receive */
    void (*taken)(struct letter *l);
    bool windows; /* messages arrive in memory that is allocated already */
};

struct teams {
    const struct runtime_costs *costs;
    const struct team_rules *rules;
    const char *name; /* the name of the runtime */
    unsigned threads;
    uint64_t eager_B;
    struct team *of; /* one per process */
    struct letter *unused, **chunks;
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

/* Makes the teams of the processes of a fabric; `by` is a runtime with rules.
 */
void teams_init(struct fabric *f, enum runtime by);
void teams_free(struct teams *h);
/* Frees the memory of a message that a process received or sent. */
void team_drop(struct teams *h, uint32_t process, double bytes);
/* Adds the bytes of the windows of a process. */
void team_windows(struct teams *h, uint32_t process, double bytes);

/* Sends a message. If its `partner` is itself, it may be received at once. */
void letter_send(struct transfer *t);
/* Lets a message be received. */
void letter_post(struct transfer *t, const struct transfer *by);
/* Joins a message and the receive that takes it. */
void letter_pair(struct transfer *t, struct transfer *recv, bool posted_now);
void letter_go(struct transfer *t);
void crew_go(struct transfer *t);

/* --- functions for runtimes ----------------------------------------------- */

static inline struct team *letter_from(const struct letter *l)
{
    return &l->t->f->teams->of[l->t->from];
}

static inline struct team *letter_to(const struct letter *l)
{
    return &l->t->f->teams->of[l->t->to];
}

static inline const struct runtime_costs *letter_costs(const struct letter *l)
{
    return l->t->f->teams->costs;
}

/* Returns the extra time of a large message at its receiver, because part of
 * its memory there is new. */
double letter_new_s(const struct letter *l);

void letters_add(struct letters *q, struct letter *l);
void letters_add_first(struct letters *q, struct letter *l);
/* Returns NULL if it is empty. */
struct letter *letters_take(struct letters *q);
/* Queues a message for a thread of its sender, or of its receiver. */
void crew_add(struct crew *c, struct letter *l);
/* Lets the communication thread of an end work on the message for s seconds,
 * and then calls `then`; at once if s is 0 and no request is tested. */
enum letter_end { LETTER_FROM, LETTER_TO };
void letter_chore(struct letter *l, enum letter_end end, double s,
                  void (*then)(struct letter *l));
/* Does the same at the receiver, and includes the search through its lists. */
void letter_look(struct letter *l, double s, void (*then)(struct letter *l));
/* Sends a control message one way, then calls `then`. */
double letter_latency_s(const struct letter *l);
void letter_control(struct letter *l, void (*then)(struct letter *l));
/* Sends the bytes over the wire, then calls `then`. */
void letter_wire(struct letter *l, void (*then)(struct letter *l));
void team_hold(struct team *h, double bytes);
/* Queues a message that finds no packet or buffer of this process in q, or
 * notes an error if exhaustion is one. letter_fed() counts the wait once it is
 * over. */
void letter_starve(struct letter *l, struct team *h, struct letters *q,
                   const char *what);
void letter_fed(struct letter *l, struct team *h, const struct transfer *by);
/* Frees the sender's memory. */
void letter_sent(struct letter *l);
/* Marks the message as arrived; it ends, or waits for its receive. */
void letter_arrived(struct letter *l);
/* Announces to the matching that it has arrived, or may come. */
void letter_announce(struct letter *l);
void letter_let_go(struct letter *l);
/* Returns 0 for both CPUs, because the communication threads do the work. */
struct occupancies letter_progress(const struct segment *s, uint64_t bytes);

#endif
