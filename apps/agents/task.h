/* SPDX-License-Identifier: GPL-3.0-or-later */
/* task.h - a unit of a worker's work: a vertex, or an equal part of the arcs of
 * one. */
#ifndef APPS_AGENTS_TASK_H
#define APPS_AGENTS_TASK_H

#include "apps/agents/update.h"
#include "workloads/graph/graph.h"

/* A vertex that was dequeued, with its value at that time; or one of `parts`
 * equal parts of its arcs. */
struct task {
    struct update u;
    uint8_t part, parts;
    uint8_t slice; /* the slice of its chunk; set by workers.c */
    uint8_t what;  /* the algorithm's own */
};

struct tasks {
    struct task *list;
    size_t n, room;
};

/* Vertices that were dequeued together: `visits` is their number, `edges` the
 * arcs that they cost, `tasks` the tasks to do for them, `units` the cost of
 * these. */
struct work {
    struct tasks tasks;
    uint64_t visits, edges;
    double units; /* unit: costs.unit_s of the whole GPU */
};

static inline void tasks_reserve(struct tasks *list, size_t room)
{
    if (list->room >= room)
        return;
    while (list->room < room)
        list->room = list->room ? 2 * list->room : 64;
    list->list = xrealloc(list->list, list->room, sizeof *list->list);
}

static inline void tasks_add(struct tasks *to, struct task p)
{
    tasks_reserve(to, to->n + 1);
    to->list[to->n++] = p;
}

/* Positions in a graph's arcs, `to` not included. */
struct range {
    uint64_t from, to;
};

static inline struct range task_arcs(const struct graph *g,
                                     const struct task *p)
{
    uint64_t first = g->first[p->u.v], n = g->first[p->u.v + 1] - first;

    if (p->parts == 1)
        return (struct range){first, first + n};
    return (struct range){first + n * p->part / p->parts,
                          first + n * (p->part + 1u) / p->parts};
}

#endif
