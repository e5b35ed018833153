/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the phases of a trace: groups of batches that exchange messages only
 * with each other, and the volume that each rank sends each other rank in
 * them. */
#include "workloads/trace/phases.h"

#include "workloads/trace/phases_parts.h"

#include <stdlib.h>

const char *const no_phase_names[NNO_PHASE] = {
    [IN_PHASE] = "in a phase",
    [LONE_MESSAGE] = "of one message",
    [OTHER_END] = "the other end is not among what is completed together",
    [WITH_WILDCARD] = "a probe or a receive from anyone may see its messages",
    [MIXED_MEMORY] = "some messages are in GPU memory, and some are not",
    [TOO_LONG] = "a message is longer than its receive",
    [SEVERAL] = "a rank has several with the same others",
    [IN_CIRCLE] = "its ranks wait for each other in between",
};

/* A union-find structure over all batches, which are numbered rank after rank:
 * batches that exchange messages are in one group. */
struct groups {
    struct trace_steps *s;
    uint32_t n;
    uint32_t *first; /* number of each rank's first batch; ranks + 1 of them */
    /* A batch above it in its group; itself for a representative. */
    uint32_t *parent;
    /* These hold for representatives only. */
    uint8_t *why;        /* enum no_phase */
    uint32_t *nmessages; /* messages that the group sends */
    uint32_t *nranks, *phase;
};

static void groups_init(struct groups *g, struct trace_steps *s)
{
    *g = (struct groups){.s = s};
    g->first = xcalloc(s->ranks + 1, sizeof *g->first);
    for (uint32_t r = 0; r < s->ranks; r++) {
        g->first[r] = g->n;
        g->n += s->rank[r].nbatches;
    }
    g->first[s->ranks] = g->n;
    g->parent = xcalloc(g->n, sizeof *g->parent);
    g->why = xcalloc(g->n, sizeof *g->why);
    g->nmessages = xcalloc(g->n, sizeof *g->nmessages);
    g->nranks = xcalloc(g->n, sizeof *g->nranks);
    g->phase = xcalloc(g->n, sizeof *g->phase);
    for (uint32_t b = 0; b < g->n; b++)
        g->parent[b] = b;
}

static void groups_clear(struct groups *g)
{
    free(g->first);
    free(g->parent);
    free(g->why);
    free(g->nmessages);
    free(g->nranks);
    free(g->phase);
}

static uint32_t groups_find(struct groups *g, uint32_t b)
{
    while (g->parent[b] != b)
        b = g->parent[b] = g->parent[g->parent[b]];
    return b;
}

static void group_refuse(struct groups *g, uint32_t b, enum no_phase why)
{
    b = groups_find(g, b);
    if (g->why[b] == IN_PHASE)
        g->why[b] = (uint8_t)why;
}

static void group_join(struct groups *g, uint32_t a, uint32_t b)
{
    a = groups_find(g, a);
    b = groups_find(g, b);
    if (a == b)
        return;
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    g->parent[high] = low;
    if (g->why[low] == IN_PHASE)
        g->why[low] = g->why[high];
    g->nmessages[low] += g->nmessages[high];
}

/* --- groups --------------------------------------------------------------- */

/* Joins batch b with the batch at the other end of h, or refuses its group.
 * `first` is the first half of the batch. */
static void group_half(struct groups *g, uint32_t b, const struct half *h,
                       const struct half *first)
{
    const struct trace_steps *s = g->s;

    if (s->channels[h->channel].unsure) {
        group_refuse(g, b, WITH_WILDCARD);
        return;
    }
    const struct half *other =
        h->matched ? &s->rank[h->peer].halves[h->partner] : NULL;
    if (!other || other->batch == NOT_ANY) {
        group_refuse(g, b, OTHER_END);
        return;
    }
    if (h->sends && h->bytes > other->bytes)
        group_refuse(g, b, TOO_LONG);
    if (h->in_gpu != other->in_gpu || h->in_gpu != first->in_gpu)
        group_refuse(g, b, MIXED_MEMORY);
    group_join(g, b, g->first[h->peer] + other->batch);
}

static void group_all(struct groups *g)
{
    for (uint32_t r = 0; r < g->s->ranks; r++) {
        const struct rank_steps *rank = &g->s->rank[r];
        for (uint32_t i = 0; i < rank->nbatches; i++) {
            const struct batch *b = &rank->batches[i];
            for (uint32_t h = b->first_half; h < b->end_half; h++) {
                uint32_t of = g->first[r] + i;
                g->nmessages[groups_find(g, of)] += rank->halves[h].sends;
                group_half(g, of, &rank->halves[h],
                           &rank->halves[b->first_half]);
            }
        }
    }
}

/* Refuses groups in which a rank has two batches, and groups of one message. */
static void group_ranks(struct groups *g)
{
    uint32_t *seen = xcalloc(g->n, sizeof *seen);

    for (uint32_t r = 0; r < g->s->ranks; r++)
        for (uint32_t b = g->first[r]; b < g->first[r + 1]; b++) {
            uint32_t of = groups_find(g, b);
            if (seen[of] == r + 1)
                group_refuse(g, of, SEVERAL);
            g->nranks[of] += seen[of] != r + 1;
            seen[of] = r + 1;
        }
    free(seen);
    for (uint32_t b = 0; b < g->n; b++)
        if (g->parent[b] == b && g->nmessages[b] < 2)
            group_refuse(g, b, LONE_MESSAGE);
}

/* Numbers the groups that are still phases, in the order of their first
 * batches. Returns how many they are. */
static uint32_t group_number(struct groups *g)
{
    uint32_t n = 0;

    for (uint32_t b = 0; b < g->n; b++)
        g->phase[b] =
            g->parent[b] == b && g->why[b] == IN_PHASE ? n++ : NOT_ANY;
    return n;
}

static void group_walk(struct groups *g)
{
    uint32_t n = group_number(g);
    struct meeting *phases = xcalloc(n, sizeof *phases);
    uint32_t *phase_of = xcalloc(g->n, sizeof *phase_of);
    bool *given_up = xcalloc(n, sizeof *given_up);

    for (uint32_t b = 0; b < g->n; b++) {
        phase_of[b] = g->phase[groups_find(g, b)];
        if (g->phase[b] != NOT_ANY)
            phases[g->phase[b]] = (struct meeting){g->nranks[b], 0, NOT_ANY};
    }
    trace_steps_walk(g->s, phase_of, phases, given_up);
    for (uint32_t b = 0; b < g->n; b++)
        if (g->phase[b] != NOT_ANY && given_up[g->phase[b]])
            g->why[b] = IN_CIRCLE;
    free(phases);
    free(phase_of);
    free(given_up);
}

/* --- phases --------------------------------------------------------------- */

static int by_receiver(const void *left, const void *right)
{
    const struct phase_volume *a = left, *b = right;

    return (a->dst > b->dst) - (a->dst < b->dst);
}

/* Adds the volumes that a batch sends to its phase, one for each receiver. */
static void phase_send(struct trace_phase *p, uint32_t rank,
                       const struct rank_steps *r, const struct batch *b)
{
    struct phase_volume *out = &p->volumes[p->nvolumes];
    size_t n = 0, kept = 0;

    for (uint32_t i = b->first_half; i < b->end_half; i++) {
        const struct half *h = &r->halves[i];
        if (h->sends)
            out[n++] =
                (struct phase_volume){rank, h->peer, 1, !h->bytes, h->bytes};
    }
    p->messages += n;
    qsort(out, n, sizeof *out, by_receiver);
    for (size_t i = 0; i < n; i++) {
        p->bytes += out[i].bytes;
        if (kept && out[kept - 1].dst == out[i].dst) {
            out[kept - 1].messages++;
            out[kept - 1].empty += out[i].empty;
            out[kept - 1].bytes += out[i].bytes;
        } else {
            out[kept++] = out[i];
        }
    }
    p->nvolumes += kept;
}

static void phases_make_room(struct trace_phases *p, const struct groups *g)
{
    p->phases = xcalloc(p->n, sizeof *p->phases);
    for (uint32_t b = 0; b < g->n; b++) {
        if (g->phase[b] == NOT_ANY)
            continue;
        struct trace_phase *phase = &p->phases[g->phase[b]];
        phase->ranks = xcalloc(g->nranks[b], sizeof *phase->ranks);
        phase->volumes = xcalloc(g->nmessages[b], sizeof *phase->volumes);
    }
}

static void phases_add(struct trace_phases *p, struct groups *g)
{
    size_t n = 0;

    p->ranks = g->s->ranks;
    p->batches = xcalloc(g->n, sizeof *p->batches);
    p->first_batch = xcalloc(p->ranks + 1, sizeof *p->first_batch);
    for (uint32_t r = 0; r < p->ranks; r++) {
        const struct rank_steps *rank = &g->s->rank[r];
        p->first_batch[r] = n;
        for (uint32_t i = 0; i < rank->nbatches; i++) {
            uint32_t of = groups_find(g, g->first[r] + i);
            p->left[g->why[of]]++;
            if (g->phase[of] == NOT_ANY)
                continue;
            struct trace_phase *phase = &p->phases[g->phase[of]];
            phase->ranks[phase->nranks++] = r;
            phase->in_gpu = rank->halves[rank->batches[i].first_half].in_gpu;
            phase_send(phase, r, rank, &rank->batches[i]);
            p->batches[n] = rank->batches[i].is;
            p->batches[n++].phase = g->phase[of];
        }
    }
    p->first_batch[p->ranks] = n;
}

int trace_phases_find(struct trace_phases *p, struct trace *t, struct err *err)
{
    struct trace_steps s;
    struct groups g;

    *p = (struct trace_phases){0};
    if (trace_steps_read(&s, t, err) < 0)
        return -1;
    groups_init(&g, &s);
    group_all(&g);
    group_ranks(&g);
    group_walk(&g);
    p->n = group_number(&g);
    phases_make_room(p, &g);
    phases_add(p, &g);
    p->messages = s.messages;
    p->bytes = s.bytes;
    for (uint32_t i = 0; i < p->n; i++) {
        p->in_messages += p->phases[i].messages;
        p->in_bytes += p->phases[i].bytes;
    }
    groups_clear(&g);
    trace_steps_clear(&s);
    return 0;
}

void trace_phases_clear(struct trace_phases *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        free(p->phases[i].ranks);
        free(p->phases[i].volumes);
    }
    free(p->phases);
    free(p->batches);
    free(p->first_batch);
    *p = (struct trace_phases){0};
}

uint32_t trace_phase_member(const struct trace_phase *p, uint32_t rank)
{
    uint32_t low = 0, high = p->nranks - 1;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->ranks[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
