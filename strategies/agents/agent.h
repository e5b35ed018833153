/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent.h - a GPU that takes what waits in its queues, works, and sends what it
 * finds: the one place where queues, workers, outbox, algorithm and observer
 * meet. */
#ifndef STRATEGIES_AGENTS_AGENT_H
#define STRATEGIES_AGENTS_AGENT_H

#include "sim/transport/fabric.h"
#include "strategies/agents/algorithm.h"
#include "strategies/agents/observer.h"
#include "strategies/agents/outbox.h"
#include "strategies/agents/queues.h"
#include "strategies/agents/workers.h"

struct agent {
    struct traversal *t;
    struct site site; /* what the algorithm sees of it */
    struct queues queues;
    struct workers workers;
    struct outbox outbox;
    bool asleep;     /* it begins later than others */
    bool busy;       /* a discrete kernel runs */
    bool launching;  /* or looking for work, or its end becomes known */
    double called_s; /* of it, until its work was launched */
    bool polling;    /* the CPU is to see that something waits */
    double polls_s;  /* since when it reads the queues' counters */
    double kernel_s; /* since when it runs, or looks; what it has done */
    uint64_t kernel_visits, kernel_edges;
    /* Where found vertices are unseen at first: pushes in a second when one was
     * made last, and how often in the mean nobody else pushed after it. */
    double push_rate, pushed_s, seen;
    bool hiding; /* the end of it is set */
};

/* All of them. */
struct traversal {
    const struct traverse_input *in;
    struct engine *engine;
    struct fabric fabric;
    unsigned *cores;      /* of the processes of a node's GPUs */
    struct agent *agents; /* in->ngpus */
    const struct algorithm_table *algorithm;
    void *state; /* the algorithm's */
    struct observer observer;
    struct chunks chunks;
    struct workers_setup workers;
    struct outbox_setup outbox;
    double before_s;   /* of a step, before its work */
    double called_s;   /* of that, until the CPU goes on */
    double last_s;     /* when something last happened */
    bool raising;      /* the threshold of all GPUs */
    uint32_t overflow; /* a GPU whose queue is full, or NO_OVERFLOW */
    uint64_t arcs;     /* that GPUs have gone along */
    double most_arcs;  /* of a run that gets anywhere */
};
#define NO_OVERFLOW UINT32_MAX

/* It fails: no GPU begins anything any more. */
static inline bool traversal_fails(const struct traversal *t)
{
    return t->overflow != NO_OVERFLOW || (double)t->arcs > t->most_arcs;
}

/* By the GPU. After that traversal's workers and outbox have all calls but are
 * otherwise to be filled in before. */
void agents_init(struct traversal *t);
void agents_clear(struct traversal *t);

/* The GPU begins to work if it can. */
void agent_start(struct agent *a);
/* After all pushes of a time: the observer notes the queue. */
void agent_queue_changed(struct agent *a);
/* Updates of a GPU arrive. */
void agent_deliver(struct agent *a, uint32_t from, const struct updates *list);

/* For supersteps: takes all that waits, NULL when that is nothing; what it
 * found is known. */
struct chunk *agent_take_all(struct agent *a);
void agent_apply_all(struct agent *a, struct chunk *c);
/* The calls of its sends, to so many GPUs. */
double agent_send_s(const struct agent *a, uint32_t to);
/* What a kernel takes to find work, besides the fixed part of a step; looked:
 * through all vertices. */
double agent_look_s(const struct agent *a, bool looked);

#endif
