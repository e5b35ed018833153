/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * teams.h - processes with compute threads and one communication thread, and
 * the life that their runtimes (lci.c, mpi_probe.c, mpi_rma.c) have in common
 * for a message, which is a letter here. The compute threads are the process's
 * CPU: a thread that sends comes before all else that waits for it, one that
 * takes a message in behind. The communication thread does its chores first
 * come first served. What each of them takes is struct runtime_costs; message
 * tables say what the wire does.
 */
#ifndef SIM_TRANSPORT_TEAMS_H
#define SIM_TRANSPORT_TEAMS_H

#include "platforms/runtime_costs.h"
#include "sim/transport/fabric.h"
#include "sim/transport/host_counts.h"

struct letter;

/* Of the communication thread. */
struct chore {
    struct chore *next;
    struct letter *of;
    double s;   /* but for what a time round its loop takes */
    bool looks; /* through the lists of what is there and pending */
    void (*then)(struct letter *l);
};

/* Letters in a queue, first come first served. */
struct letters {
    struct letter *first, *last;
    uint32_t n;
};

/* Threads of a process that send, or that take messages in: as many as there
 * are letters, and at most its threads, do so at the same time. */
struct crew {
    struct transfer at; /* first; what waits for the process's CPU */
    struct team *host;
    struct letters waiting, active; /* that its threads are at */
    bool sends;   /* and is served before all that wait for the CPU */
    bool works;   /* it has the CPU, or waits for it */
    bool goes_on; /* behind another letter, whose number `at` has */
};

struct team {
    struct fabric *f;
    struct crew sends, takes;
    struct chore *first_chore, *last_chore;
    bool comm_works;
    double comm_idle_s;                /* since when it has nothing to do */
    uint32_t requests;                 /* that are tested each time round */
    uint64_t packets, arrival_packets; /* that are free */
    uint32_t entries;                  /* messages that are there */
    double unexpected_B;
    struct letters starved, held; /* without a packet: to send, to arrive */
    struct letter *batches;       /* open ones, by their first letters */
    uint32_t fenced;              /* the last epoch that it ended, + 1 */
    struct host_counts counts;
};

/* Puts of an origin, or with fences of all, that complete together. */
struct epoch {
    uint32_t letters, uncalled, unflowed;
    struct letter *first;
};

struct letter {
    struct transfer *t;
    struct letter *next; /* in a queue, or of a batch */
    /* The next of a batch, which its first one brings; and its last one. */
    struct letter *batch, *last;
    struct letter *epoch_next;
    struct transfer *recv;          /* of its own; NULL: none, or not yet */
    const struct segment *bulk;     /* what its bytes take on the wire */
    void (*then)(struct letter *l); /* what comes next on its way, ... */
    void (*after_wire)(struct letter *l);  /* ... behind its bytes, ... */
    void (*then_posted)(struct letter *l); /* ... when it may be received */
    struct chore chores[2];                /* at its sender, at its receiver */
    uint64_t wire_B;
    uint32_t closer;           /* the transfer that ended its epoch */
    double since_s;            /* it waits for a packet */
    uint8_t held;              /* how many things go on with it */
    uint8_t sent_parts, parts; /* that its buffer, and its end, wait for */
    bool posted;               /* it may be received ... */
    bool posted_now;           /* ... only since now */
    bool there;
    bool has_packet;
    bool open;       /* it begins a batch that is not sent yet */
    bool completing; /* what it calls for is the end of its epoch */
};

/* What a runtime of this kind says. */
struct team_rules {
    /* A thread is to send it; false: it cannot yet, and keeps the letter. NULL:
     * all can. */
    bool (*admits)(struct letter *l);
    double (*call_s)(const struct letter *l); /* that one thread takes then */
    void (*called)(struct letter *l);
    double (*take_s)(const struct letter *l); /* likewise, to take it in */
    void (*taken)(struct letter *l);
    bool windows; /* messages arrive in memory that is there */
};

struct teams {
    const struct runtime_costs *costs;
    const struct team_rules *rules;
    const char *name; /* of the runtime */
    unsigned threads;
    uint64_t eager_B;
    struct team *of; /* of each process */
    struct letter *unused, **chunks;
    size_t nchunks;
    /* Epochs of the transfers by their numbers, of the owner; NULL: each put
     * is one of its own. */
    uint32_t *epoch_of;
    struct epoch *epochs;
    /* Of each process, of the owner: what share of the bytes that it receives
     * is memory that is new; NULL: all. */
    const double *new_share;
    /* A buffer was exhausted, where that is an error. */
    bool broken;
    uint32_t broken_host;
    uint32_t broken_at; /* the transfer, by its number */
    const char *broken_what;
};

/* For the processes of a fabric; `by` is a runtime with rules. */
void teams_init(struct fabric *f, enum runtime by);
void teams_free(struct teams *h);
/* The memory of a message that a process received, or sent, may be used
 * again. */
void team_drop(struct teams *h, uint32_t process, double bytes);
/* What the windows of a process hold. */
void team_windows(struct teams *h, uint32_t process, double bytes);

/* A message is sent (its `partner` is itself: it may be received at once). */
void letter_send(struct transfer *t);
/* It may be received now. */
void letter_post(struct transfer *t, const struct transfer *by);
/* A receive of its own takes it. */
void letter_pair(struct transfer *t, struct transfer *recv, bool posted_now);
void letter_go(struct transfer *t);
void crew_go(struct transfer *t);

/* --- for runtimes --------------------------------------------------------- */

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

/* More, of a large message at its receiver: of what is new memory there. */
double letter_new_s(const struct letter *l);

void letters_add(struct letters *q, struct letter *l);
void letters_add_first(struct letters *q, struct letter *l);
struct letter *letters_take(struct letters *q); /* NULL: there is none */
/* A thread of its sender, or of its receiver, is to do its part. */
void crew_add(struct crew *c, struct letter *l);
/* The communication thread of an end does so much for it, then; nothing: then,
 * at once. */
enum letter_end { LETTER_FROM, LETTER_TO };
void letter_chore(struct letter *l, enum letter_end end, double s,
                  void (*then)(struct letter *l));
/* At its receiver, and looks through its lists. */
void letter_look(struct letter *l, double s, void (*then)(struct letter *l));
/* A control message goes one way, then. */
double letter_latency_s(const struct letter *l);
void letter_control(struct letter *l, void (*then)(struct letter *l));
/* Its bytes go over the wire, then. */
void letter_wire(struct letter *l, void (*then)(struct letter *l));
void team_hold(struct team *h, double bytes);
/* It finds no packet or buffer of this host: it waits in q, or that is an
 * error. And when it has one. */
void letter_starve(struct letter *l, struct team *h, struct letters *q,
                   const char *what);
void letter_fed(struct letter *l, struct team *h, const struct transfer *by);
/* The sender's memory is free. */
void letter_sent(struct letter *l);
/* The message is there for who receives it: it ends, or waits for its receive.
 */
void letter_arrived(struct letter *l);
/* Tells who matches it that it is there, or may come. */
void letter_announce(struct letter *l);
void letter_let_go(struct letter *l);
/* No part of a message is by its segment an end's CPU's. */
struct occupancies letter_progress(const struct segment *s, uint64_t bytes);

#endif
