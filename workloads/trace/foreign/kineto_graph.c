/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts the activities of a profile by streams, and finds the predecessors of
 * each. */
#include "workloads/trace/foreign/kineto_graph.h"

#include <stdlib.h>
#include <string.h>

/* --- the call that launched a kernel -------------------------------------- */

static int by_correlation(const void *a, const void *b)
{
    const struct kineto_call *x = a, *y = b;

    return (x->correlation > y->correlation) -
           (x->correlation < y->correlation);
}

static int by_thread(const void *a, const void *b)
{
    const struct kineto_call *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->begin_us > y->begin_us) - (x->begin_us < y->begin_us);
}

static int by_begin(const void *a, const void *b)
{
    const struct kineto_activity *x = a, *y = b;

    if (x->begin_us < y->begin_us || x->begin_us > y->begin_us)
        return x->begin_us < y->begin_us ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Returns a measure of how much is known about a call. */
static int comm_worth(const struct kineto_comm *c)
{
    return (c->op != KINETO_UNKNOWN) * 4 + (c->in_B != KINETO_NOT_SAID) * 2 +
           (c->group != KINETO_NONE);
}

/* Returns the call about which most is known, among those on the launch's
 * thread that contain the launch. */
static uint32_t comm_of_launch(const struct kineto_profile *p,
                               const struct kineto_call *launch)
{
    enum { NESTED = 16 };
    size_t low = 0, high = p->ncalls;
    uint32_t best = KINETO_NONE;

    while (low < high) { /* finds the first call that begins later */
        size_t middle = low + (high - low) / 2;
        if (by_thread(&p->calls[middle], launch) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i > 0 && low - i < NESTED; i--) {
        const struct kineto_call *c = &p->calls[i - 1];
        if (c->thread != launch->thread)
            break;
        if (c->begin_us + c->us >= launch->begin_us &&
            (best == KINETO_NONE ||
             comm_worth(&p->comms[c->comm]) > comm_worth(&p->comms[best])))
            best = c->comm;
    }
    return best;
}

static void find_launches(struct kineto_profile *p)
{
    if (p->nlaunches)
        qsort(p->launches, p->nlaunches, sizeof *p->launches, by_correlation);
    if (p->ncalls)
        qsort(p->calls, p->ncalls, sizeof *p->calls, by_thread);
    for (size_t i = 0; p->nlaunches && i < p->nactivities; i++) {
        struct kineto_activity *a = &p->activities[i];
        if (!a->is_comm || a->on_cpu || a->correlation < 0 ||
            (a->comm != KINETO_NONE &&
             p->comms[a->comm].in_B != KINETO_NOT_SAID))
            continue;
        const struct kineto_call key = {.correlation = a->correlation};
        const struct kineto_call *launch =
            bsearch(&key, p->launches, p->nlaunches, sizeof *p->launches,
                    by_correlation);
        uint32_t comm = launch ? comm_of_launch(p, launch) : KINETO_NONE;
        if (comm != KINETO_NONE)
            a->comm = comm;
    }
}

/* Makes activities of the CPU's calls (gloo) if no kernel communicates: of
 * notes such as gloo:all_reduce or, if there are none, of
 * record_param_comms. */
static void calls_as_activities(struct kineto_profile *p)
{
    bool notes = false;

    for (size_t i = 0; i < p->nactivities; i++)
        if (p->activities[i].is_comm)
            return;
    for (size_t i = 0; i < p->ncalls; i++)
        notes |= strchr(p->names->text[p->calls[i].name], ':') != NULL;
    p->activities = xrealloc(p->activities, p->nactivities + p->ncalls + 1,
                             sizeof *p->activities);
    for (size_t i = 0; i < p->ncalls; i++) {
        const struct kineto_call *c = &p->calls[i];
        if (p->comms[c->comm].op == KINETO_UNKNOWN ||
            (notes && !strchr(p->names->text[c->name], ':')))
            continue;
        p->activities[p->nactivities++] =
            (struct kineto_activity){.begin_us = c->begin_us,
                                     .us = c->us,
                                     .correlation = KINETO_NOT_SAID,
                                     .place = c->place,
                                     .stream = c->thread,
                                     .name = c->name,
                                     .comm = c->comm,
                                     .is_comm = true,
                                     .on_cpu = true};
    }
}

/* --- lanes ---------------------------------------------------------------- */

static struct kineto_lane *lane_of(struct kineto_graph *g, int64_t stream)
{
    for (size_t i = 0; i < g->nlanes; i++)
        if (g->lanes[i].stream == stream)
            return &g->lanes[i];
    if (g->nlanes == KINETO_LANES) /* the last lane is for all other streams */
        return &g->lanes[KINETO_LANES - 1];
    g->lanes[g->nlanes] = (struct kineto_lane){
        .stream = stream, .last = SIZE_MAX, .before = SIZE_MAX};
    return &g->lanes[g->nlanes++];
}

static int by_stream(const void *a, const void *b)
{
    const struct kineto_lane *x = a, *y = b;

    return (x->stream > y->stream) - (x->stream < y->stream);
}

static void find_lanes(struct kineto_graph *g)
{
    for (size_t i = 0; i < g->p.nactivities; i++)
        (void)lane_of(g, g->p.activities[i].stream);
    qsort(g->lanes, g->nlanes, sizeof *g->lanes, by_stream);
}

void kineto_graph_init(struct kineto_graph *g)
{
    struct kineto_profile *p = &g->p;

    find_launches(p);
    calls_as_activities(p);
    g->nlanes = g->at = 0;
    if (!p->nactivities)
        return;
    qsort(p->activities, p->nactivities, sizeof *p->activities, by_begin);
    g->begin_us = p->activities[0].begin_us;
    find_lanes(g);
}

static double end_us(const struct kineto_graph *g, size_t i)
{
    return g->p.activities[i].begin_us + g->p.activities[i].us;
}

struct kineto_before kineto_graph_next(struct kineto_graph *g)
{
    const struct kineto_activity *a = &g->p.activities[g->at];
    struct kineto_lane *own = lane_of(g, a->stream);
    struct kineto_before b = {.lane = (uint8_t)(own - g->lanes + 1),
                              .own = own->last,
                              .other = SIZE_MAX,
                              .us = a->us};
    double free_us = b.own == SIZE_MAX ? g->begin_us : end_us(g, b.own);

    for (size_t i = 0; i < g->nlanes; i++) {
        const struct kineto_lane *l = &g->lanes[i];
        size_t done = l->last;
        if (l == own || done == SIZE_MAX)
            continue;
        if (end_us(g, done) > a->begin_us)
            done = l->before; /* because the last one still runs */
        if (done == SIZE_MAX || end_us(g, done) > a->begin_us ||
            (end_us(g, done) <= free_us && b.own != SIZE_MAX))
            continue;
        if (b.other == SIZE_MAX || end_us(g, done) > end_us(g, b.other))
            b.other = done;
    }
    if (b.other != SIZE_MAX && end_us(g, b.other) > free_us)
        free_us = end_us(g, b.other);
    b.gap_us = a->begin_us - free_us;
    /* Two of a stream overlap, so the second takes the rest. */
    if (b.gap_us < 0) {
        b.us = b.us + b.gap_us > 0 ? b.us + b.gap_us : 0;
        b.gap_us = 0;
    }
    own->before = own->last;
    own->last = g->at++;
    return b;
}
