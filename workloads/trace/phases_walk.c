/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carries out the steps of a trace without time, with phases as barriers, and
 * gives up phases whose ranks would wait for themselves. */
#include "workloads/trace/phases_parts.h"

#include <stdlib.h>

struct walker {
    size_t at;         /* number of its next step */
    uint32_t batch;    /* number of its next batch */
    bool queued, came; /* came: to the meeting or phase for which it waits */
    uint32_t before;   /* the rank that came there before it, or NOT_ANY */
};

struct walk {
    struct trace_steps *s;
    struct walker *walkers;
    const uint32_t *phase_of;
    uint32_t *first_batch; /* first batch of each rank in phase_of */
    struct meeting *phases;
    bool *given_up;
    uint32_t *queue; /* ranks that may be able to continue */
    size_t head, n;
};

static void walk_wake(struct walk *w, uint32_t rank)
{
    size_t at = w->head + w->n;

    if (w->walkers[rank].queued)
        return;
    w->walkers[rank].queued = true;
    w->queue[at < w->s->ranks ? at : at - w->s->ranks] = rank;
    w->n++;
}

static void walk_wake_all(struct walk *w)
{
    for (uint32_t r = 0; r < w->s->ranks; r++)
        walk_wake(w, r);
}

/* Returns the batch that begins with the rank's next step if it is in a phase,
 * else NULL. */
static const struct batch *walk_batch(const struct walk *w, uint32_t rank,
                                      uint32_t *phase)
{
    const struct walker *k = &w->walkers[rank];
    const struct rank_steps *r = &w->s->rank[rank];

    if (k->batch == r->nbatches || r->batches[k->batch].first_step != k->at)
        return NULL;
    *phase = w->phase_of[w->first_batch[rank] + k->batch];
    if (*phase == NOT_ANY || w->given_up[*phase])
        return NULL;
    return &r->batches[k->batch];
}

/* Wakes all ranks that came to a meeting, which continue or check again. */
static void walk_part(struct walk *w, struct meeting *m)
{
    for (uint32_t r = m->last; r != NOT_ANY; r = w->walkers[r].before)
        walk_wake(w, r);
}

/* Lets a rank come to a meeting. Returns whether all others are there, too. */
static bool walk_meets(struct walk *w, uint32_t rank, struct meeting *m)
{
    struct walker *k = &w->walkers[rank];

    if (!k->came) {
        k->came = true;
        k->before = m->last;
        m->last = rank;
        if (++m->came == m->wanted)
            walk_part(w, m);
    }
    if (m->came < m->wanted)
        return false;
    k->came = false;
    return true;
}

static void walk_begin(struct walk *w, struct half *h)
{
    h->begun = true;
    if (h->matched)
        walk_wake(w, h->peer);
}

static void walk_begin_batch(struct walk *w, uint32_t rank,
                             const struct batch *b)
{
    for (uint32_t h = b->first_half; h < b->end_half; h++)
        walk_begin(w, &w->s->rank[rank].halves[h]);
}

/* Carries out one step, or a whole phase. Returns false if the rank has to
 * wait. */
static bool walk_step(struct walk *w, uint32_t rank)
{
    struct walker *k = &w->walkers[rank];
    struct rank_steps *r = &w->s->rank[rank];
    const struct step *s = &r->steps[k->at];
    uint32_t phase;
    const struct batch *b = walk_batch(w, rank, &phase);

    if (b) {
        if (!walk_meets(w, rank, &w->phases[phase]))
            return false;
        walk_begin_batch(w, rank, b);
        k->at = b->end_step;
        k->batch++;
        return true;
    }
    if (k->batch < r->nbatches && r->batches[k->batch].first_step == k->at)
        k->batch++; /* the batch is in no phase */
    if (s->kind == STEP_BEGIN) {
        walk_begin(w, &r->halves[s->of]);
    } else if (s->kind == STEP_WAIT) {
        const struct half *h = &r->halves[s->of];
        if (h->matched && !w->s->rank[h->peer].halves[h->partner].begun)
            return false;
    } else {
        if (!walk_meets(w, rank, &w->s->meetings[s->of]))
            return false;
    }
    k->at++;
    return true;
}

static void walk_on(struct walk *w)
{
    while (w->n) {
        uint32_t rank = w->queue[w->head];
        w->head = w->head + 1 < w->s->ranks ? w->head + 1 : 0;
        w->n--;
        w->walkers[rank].queued = false;
        while (w->walkers[rank].at < w->s->rank[rank].nsteps &&
               walk_step(w, rank))
            ;
    }
}

/* Returns the first phase in which a rank waits; NOT_ANY if there is none. */
static uint32_t walk_stuck_in(const struct walk *w)
{
    uint32_t first = NOT_ANY, phase;

    for (uint32_t r = 0; r < w->s->ranks; r++)
        if (w->walkers[r].at < w->s->rank[r].nsteps &&
            walk_batch(w, r, &phase) && phase < first)
            first = phase;
    return first;
}

/* Gives up a phase: its ranks carry out the steps of their batches one by
 * one. */
static void walk_give_up(struct walk *w, uint32_t phase)
{
    for (uint32_t r = w->phases[phase].last; r != NOT_ANY;
         r = w->walkers[r].before)
        w->walkers[r].came = false;
    w->given_up[phase] = true;
}

/* Lets ranks continue if none waits in a phase: those that wait to send,
 * because the other side can keep their messages, or all if none waits to send.
 * Returns false if no rank waits. */
static bool walk_release(struct walk *w)
{
    bool moved = false;

    for (int sends = 1; sends >= 0 && !moved; sends--)
        for (uint32_t r = 0; r < w->s->ranks; r++) {
            const struct rank_steps *rank = &w->s->rank[r];
            struct walker *k = &w->walkers[r];
            if (k->at == rank->nsteps)
                continue;
            const struct step *s = &rank->steps[k->at];
            if (sends && (s->kind != STEP_WAIT || !rank->halves[s->of].sends))
                continue;
            k->came = false;
            k->at++;
            moved = true;
        }
    return moved;
}

void trace_steps_walk(struct trace_steps *s, const uint32_t *phase_of,
                      struct meeting *phases, bool *given_up)
{
    struct walk w = {
        .s = s, .phase_of = phase_of, .phases = phases, .given_up = given_up};
    uint32_t batches = 0;

    w.walkers = xcalloc(s->ranks, sizeof *w.walkers);
    w.queue = xcalloc(s->ranks, sizeof *w.queue);
    w.first_batch = xcalloc(s->ranks, sizeof *w.first_batch);
    for (uint32_t r = 0; r < s->ranks; r++) {
        w.first_batch[r] = batches;
        batches += s->rank[r].nbatches;
    }
    for (bool moved = true; moved;) {
        walk_wake_all(&w);
        walk_on(&w);
        uint32_t phase = walk_stuck_in(&w);
        if (phase != NOT_ANY)
            walk_give_up(&w, phase);
        else
            moved = walk_release(&w);
    }
    free(w.walkers);
    free(w.queue);
    free(w.first_batch);
}
