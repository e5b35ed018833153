/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives each operation of a plan its place in the memory of its ranks. Data are
 * handed on where they are, as a program does: a message sends a part of the
 * bytes that a copy or message before it has brought, and a copy takes those of
 * the messages before it. */
#include "validate/native/calls_places.h"

#include "sim/plan/exec.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 256, READS = 0, WRITES = 1 };

/* Counts the used parts of each space while the memory of a rank is divided. */
struct dealer {
    const struct calls_memory *m;
    const struct plan *p;
    uint32_t of;          /* the rank whose memory it is */
    size_t *used;         /* one per space */
    struct place *places; /* one per operation */
    struct hand *hands;   /* one per operation */
    /* If a rank has one buffer for a peer: the offset plus 1, and the bytes. */
    size_t *peer;
    uint64_t *peer_B;
};

/* How an operation hands data on, as far as the rank's memory is divided. */
struct hand {
    uint32_t source;  /* the operation whose data it reads, or NO_OP */
    uint32_t reader;  /* the operation that reads its data, or NO_OP */
    uint64_t taken_B; /* bytes of its data that others read */
    bool gathers;     /* others write into the memory that it reads, */
    uint64_t got_B;   /* so many bytes */
};

static bool moves_here(const struct dealer *d, const struct op *o, int end)
{
    bool message = plan_sends(o) || o->kind == OP_RECV;

    if (!message)
        return (o->kind == OP_COPY || o->kind == OP_PACK) && o->src == d->of;
    return end == READS ? o->kind != OP_RECV && o->src == d->of
                        : o->kind != OP_SEND && o->dst == d->of;
}

unsigned calls_space_of(const struct calls_memory *m, const struct op *o,
                        int end)
{
    uint32_t gpu = end == READS || o->kind == OP_PACK ? o->src_gpu : o->dst_gpu;
    bool host = o->kind == OP_SEND || o->kind == OP_RECV ||
                (o->kind == OP_COPY && o->dir == (end == READS ? H2D : D2H));

    return host || gpu == NO_GPU || !m->ngpus ? 0 : 1 + gpu % m->ngpus;
}

/* Returns the alignment of a message. Small ones are packed, because the
 * elements of a program's array are. */
static size_t align(uint64_t bytes)
{
    size_t to = 1;

    while (to < bytes && to < ALIGN)
        to *= 2;
    return to;
}

static ptrdiff_t place_bytes(struct dealer *d, unsigned space, uint64_t bytes)
{
    size_t to = align(bytes), at = (d->used[space] + to - 1) / to * to;

    d->used[space] = at + bytes;
    return (ptrdiff_t)at;
}

/* Returns a place that is shared with no other operation, or with those of the
 * same peer. */
static ptrdiff_t place_alone(struct dealer *d, const struct op *o, int end)
{
    unsigned space = calls_space_of(d->m, o, end);
    uint32_t peer = end == READS ? o->dst : o->src;

    if (!d->m->one_buffer || !plan_sends(o))
        return place_bytes(d, space, o->bytes);
    if (!d->peer[peer] || d->peer_B[peer] < o->bytes) {
        d->peer[peer] = (size_t)place_bytes(d, space, o->bytes) + 1;
        d->peer_B[peer] = o->bytes;
    }
    return (ptrdiff_t)d->peer[peer] - 1;
}

/* Returns whether one message is sent after another has come, with buffers of
 * its own because those are used in turn. */
static bool answers(const struct dealer *d, uint32_t op, uint32_t before)
{
    return d->m->room && plan_sends(&d->p->ops[op]) &&
           plan_sends(&d->p->ops[before]);
}

/* Returns an operation before that has brought the bytes that this one reads,
 * or NO_OP. After a send it is the one whose data that has sent, too. */
static uint32_t find_source(const struct dealer *d, uint32_t op)
{
    const struct plan *p = d->p;
    const struct op *o = &p->ops[op];
    unsigned space = calls_space_of(d->m, o, READS);

    for (uint32_t i = plan_first_dep(p, op); i < plan_end_dep(p, op); i++) {
        uint32_t from = p->deps[i] & DEP_OP;
        if ((p->deps[i] & FOR_RECEIVE) || answers(d, op, from))
            continue;
        if (p->deps[i] & AFTER_SENT)
            from = d->hands[from].source;
        if (from != NO_OP && moves_here(d, &p->ops[from], WRITES) &&
            calls_space_of(d->m, &p->ops[from], WRITES) == space &&
            d->hands[from].taken_B + o->bytes <= p->ops[from].bytes)
            return from;
    }
    return NO_OP;
}

static ptrdiff_t place_read(struct dealer *d, uint32_t op)
{
    const struct op *o = &d->p->ops[op];
    struct hand *h = &d->hands[op];

    if (h->gathers)
        return d->places[op].at[READS];
    h->source = d->m->one_buffer ? NO_OP : find_source(d, op);
    if (h->source == NO_OP)
        return place_alone(d, o, READS);
    struct hand *from = &d->hands[h->source];
    ptrdiff_t at = d->places[h->source].at[WRITES] + (ptrdiff_t)from->taken_B;
    from->taken_B += o->bytes;
    return at;
}

static ptrdiff_t place_written(struct dealer *d, uint32_t op)
{
    const struct op *o = &d->p->ops[op];
    uint32_t reader = d->hands[op].reader;
    struct hand *h = reader == NO_OP ? NULL : &d->hands[reader];

    if (!h || h->got_B + o->bytes > d->p->ops[reader].bytes)
        return place_alone(d, o, WRITES);
    if (!h->gathers)
        d->places[reader].at[READS] = place_alone(d, &d->p->ops[reader], READS);
    h->gathers = true;
    h->got_B += o->bytes;
    d->hands[op].taken_B = o->bytes;
    return d->places[reader].at[READS] + (ptrdiff_t)(h->got_B - o->bytes);
}

/* Finds the first operation that reads the data of each message. */
static void find_readers(struct dealer *d)
{
    const struct plan *p = d->p;

    for (uint32_t op = 0; op < p->nops; op++)
        d->hands[op].source = d->hands[op].reader = NO_OP;
    for (uint32_t op = 0; op < p->nops && !d->m->one_buffer; op++) {
        unsigned space = calls_space_of(d->m, &p->ops[op], READS);
        if (!moves_here(d, &p->ops[op], READS))
            continue;
        for (uint32_t i = plan_first_dep(p, op); i < plan_end_dep(p, op); i++) {
            uint32_t from = p->deps[i]; /* finished, without flags */
            if (from < op && p->ops[from].kind == OP_MSG &&
                !answers(d, op, from) && moves_here(d, &p->ops[from], WRITES) &&
                calls_space_of(d->m, &p->ops[from], WRITES) == space &&
                d->hands[from].reader == NO_OP)
                d->hands[from].reader = op;
        }
    }
}

void calls_places(struct place *out, size_t *used, const struct calls_memory *m,
                  const struct plan *p, uint32_t rank)
{
    size_t ranks = (size_t)p->nodes * p->ranks_per_node;
    struct dealer d = {.m = m,
                       .p = p,
                       .of = rank,
                       .used = used,
                       .places = out,
                       .hands = xcalloc(p->nops, sizeof *d.hands),
                       .peer = xcalloc(ranks, sizeof *d.peer),
                       .peer_B = xcalloc(ranks, sizeof *d.peer_B)};

    for (unsigned s = 0; s <= m->ngpus; s++)
        used[s] = 2 * m->room;
    for (uint32_t op = 0; op < p->nops; op++)
        out[op] = (struct place){.at = {-1, -1}};
    find_readers(&d);
    for (uint32_t op = 0; op < p->nops; op++) {
        const struct op *o = &p->ops[op];
        if (moves_here(&d, o, READS))
            out[op].at[READS] = place_read(&d, op);
        if (moves_here(&d, o, WRITES))
            out[op].at[WRITES] = place_written(&d, op);
    }
    for (uint32_t op = 0; op < p->nops; op++) {
        const struct hand *h = &d.hands[op];
        out[op].alone[READS] = h->source == NO_OP && !h->gathers;
        out[op].alone[WRITES] = !h->taken_B;
    }
    free(d.hands);
    free(d.peer);
    free(d.peer_B);
}
