/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent.h - a GPU that dequeues waiting vertices, works on them, and sends the
 * updates that it finds. Queues, workers, outbox, algorithm and observer meet
 * only here. */
#ifndef APPS_AGENTS_AGENT_H
#define APPS_AGENTS_AGENT_H

#include "sim/transport/fabric.h"
#include "apps/agents/algorithm.h"
#include "apps/agents/observer.h"
#include "apps/agents/outbox.h"
#include "apps/agents/queues.h"
#include "apps/agents/workers.h"

struct agent {
    struct traversal *t;
    /* The view of this GPU that the algorithm gets. */
    struct site site;
    struct queues queues;
    struct workers workers;
    struct outbox outbox;
    bool asleep; /* it starts later than the others */
    bool busy;   /* a discrete kernel runs */
    /* A kernel is being launched, or looks for work, or its end is not known
     * yet. */
    bool launching;
    /* Seconds that the CPU spent on the launch until the kernel had its
     * work. */
    double called_s;
    /* The CPU is about to see that vertices wait. */
    bool polling;
    /* Time since which the CPU reads the counters of the queues. */
    double polls_s;
    /* Time since which the kernel runs or looks for work, and the vertices and
     * arcs that it has visited since. */
    double kernel_s;
    uint64_t kernel_visits, kernel_edges;
    /* If found vertices are hidden at first (queues.hides): pushes per second
     * at the time of the last push, that time, and the expected number of
     * pushes since then that no other push followed. */
    double push_rate, pushed_s, seen;
    /* An event is set that ends the hiding. */
    bool hiding;
};

/* A run: all GPUs and everything that they share. */
struct traversal {
    const struct traverse_input *in;
    struct engine *engine;
    struct fabric fabric;
    unsigned *cores;      /* CPU cores of the processes of a node's GPUs */
    struct agent *agents; /* in->ngpus of them */
    const struct algorithm_table *algorithm;
    void *state;                    /* the algorithm's own */
    void (*start)(struct agent *a); /* agent_start() */
    struct observer observer;
    struct chunks chunks;
    struct workers_setup workers;
    struct outbox_setup outbox;
    double before_s;   /* fixed time of a step before its work, seconds */
    double called_s;   /* the part of before_s until the CPU continues */
    double last_s;     /* time of the last event that changed anything */
    bool raising;      /* the common threshold of all GPUs is being raised */
    uint32_t overflow; /* a GPU whose queue is full, or NO_OVERFLOW */
    uint64_t arcs;     /* arcs that GPUs have visited, in total */
    double most_arcs;  /* a run that visits more makes no progress */
};
#define NO_OVERFLOW UINT32_MAX

/* Returns whether the run fails, in which case no GPU starts anything any
 * more. */
static inline bool traversal_fails(const struct traversal *t)
{
    return t->overflow != NO_OVERFLOW || (double)t->arcs > t->most_arcs;
}

/* Makes one agent per GPU and lets the algorithm queue its first vertices. The
 * workers and the outbox of the traversal have all of their calls afterwards;
 * the caller fills in their other members before. agents_clear() frees it
 * all. */
void agents_init(struct traversal *t);
void agents_clear(struct traversal *t);

/* Starts work on the GPU if it has any and is free. */
void agent_start(struct agent *a);
/* Tells the observer the length of the queue; called once after all pushes of
 * one time. Notes an overflow if the queue is beyond its capacity. */
void agent_queue_changed(struct agent *a);
/* Hands the updates of GPU `from` to the algorithm when they arrive. */
void agent_deliver(struct agent *a, uint32_t from, const struct updates *list);

/* For supersteps: agent_take_all() dequeues all that waits, NULL if that is
 * nothing; agent_apply_all() makes the results of this work known and frees
 * it. */
struct chunk *agent_take_all(struct agent *a);
void agent_apply_all(struct agent *a, struct chunk *c);
/* Returns the seconds of the CPU's calls that send to `to` GPUs. */
double agent_send_s(const struct agent *a, uint32_t to);
/* Returns the seconds that a kernel needs to find its work, in addition to the
 * fixed part of a step; `looked` if it looks through all vertices. */
double agent_look_s(const struct agent *a, bool looked);

#endif
