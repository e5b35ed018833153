/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Message matching as MPI defines it, with hash tables by envelope, one for
 * each combination of wildcards. */
#include "sim/transport/match.h"

#include "base/err.h"
#include "sim/transport/envelopes.h"
#include "sim/transport/walk.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The wildcards of a receive; a message waits in one queue for each
 * combination. */
enum { NO_WILDCARD, WILD_SRC, WILD_TAG, WILD_BOTH, NWILDCARDS };

struct match {
    /* Queues of receives and of messages, by envelope; and those of messages by
     * (dst, src) that were sent and not delivered. */
    struct envelopes waiting, pairs;
    uint32_t *next[NWILDCARDS]; /* next[wildcards][operation] in its queue */
    uint32_t *tag;              /* indexed by message */
    uint32_t *context;          /* indexed by message; NULL if all are 0 */
    /* Indexed by receive: the sequence number of its posting. */
    uint32_t *turn;
    bool *arrived, *taken;
    uint8_t *wildcards; /* indexed by rank: bits of those that it uses */
    uint32_t turns;
    size_t nops;
    uint32_t ranks;
    struct lists **lists; /* indexed by rank; NULL unless walks are counted */
    uint32_t *ticket;     /* indexed by operation: its ticket in its list */
    uint32_t *walked;     /* indexed by operation */
};

/* The lists of a rank in one communicator, linked to those of its others. */
struct lists {
    struct lists *next;
    uint32_t context;
    struct walk receives, messages;
};

/* Appends an operation to the queue of an envelope. */
static void match_push(struct envelopes *t, struct envelope key, bool receives,
                       uint32_t *next, uint32_t op)
{
    struct envelope_entry *q = envelopes_want(t, key, receives);

    next[op] = MATCH_NONE;
    if (!q->n)
        q->n = op + 1;
    else
        next[q->last] = op;
    q->last = op;
}

static uint32_t match_first(const struct envelope_entry *q)
{
    return q->n - 1;
}

/* Removes the first operation of a queue; returns the queue, NULL once it is
 * empty. */
static struct envelope_entry *
match_pop(struct envelopes *t, struct envelope_entry *q, const uint32_t *next)
{
    q->n = next[match_first(q)] + 1; /* 0 after MATCH_NONE */
    if (q->n)
        return q;
    envelopes_drop(t, q);
    return NULL;
}

/* --- the interface -------------------------------------------------------- */

struct match *match_new(uint32_t ranks, size_t nops)
{
    struct match *m = xcalloc(1, sizeof *m);

    m->nops = nops;
    m->ranks = ranks;
    m->next[NO_WILDCARD] = xcalloc(nops, sizeof(uint32_t));
    m->tag = xcalloc(nops, sizeof *m->tag);
    m->turn = xcalloc(nops, sizeof *m->turn);
    m->arrived = xcalloc(nops, sizeof *m->arrived);
    m->taken = xcalloc(nops, sizeof *m->taken);
    m->wildcards = xcalloc(ranks, sizeof *m->wildcards);
    return m;
}

static void lists_free(struct lists *l)
{
    while (l) {
        struct lists *next = l->next;
        walk_clear(&l->receives);
        walk_clear(&l->messages);
        free(l);
        l = next;
    }
}

void match_free(struct match *m)
{
    if (!m)
        return;
    envelopes_clear(&m->waiting);
    envelopes_clear(&m->pairs);
    for (int w = 0; w < NWILDCARDS; w++)
        free(m->next[w]);
    free(m->tag);
    free(m->context);
    free(m->turn);
    free(m->arrived);
    free(m->taken);
    free(m->wildcards);
    for (uint32_t r = 0; m->lists && r < m->ranks; r++)
        lists_free(m->lists[r]);
    free(m->lists);
    free(m->ticket);
    free(m->walked);
    free(m);
}

/* --- entries that a search looks at --------------------------------------- */

void match_count_walks(struct match *m)
{
    m->lists = xcalloc(m->ranks, sizeof *m->lists);
    m->ticket = xcalloc(m->nops, sizeof *m->ticket);
    m->walked = xcalloc(m->nops, sizeof *m->walked);
}

uint32_t match_walked(const struct match *m, uint32_t send, uint32_t recv)
{
    return m->walked ? m->walked[send] + m->walked[recv] : 0;
}

/* Counts the search of op through a list of its rank: it removes `found`, or,
 * if that is MATCH_NONE, looks at all entries and is appended to its own
 * list. */
static void match_search(struct match *m, struct walk *list, uint32_t found,
                         struct walk *own, uint32_t op)
{
    if (found != MATCH_NONE) {
        m->walked[op] += walk_leave(list, m->ticket[found]);
        return;
    }
    m->walked[op] += list->length;
    m->ticket[op] = walk_enter(own);
}

static struct lists *match_lists(struct match *m, struct envelope e)
{
    struct lists **at = &m->lists[e.dst];

    while (*at && (*at)->context != e.context)
        at = &(*at)->next;
    if (!*at) {
        *at = xcalloc(1, sizeof **at);
        (*at)->context = e.context;
    }
    return *at;
}

static void match_arrival_walks(struct match *m, uint32_t send, uint32_t recv,
                                struct envelope e)
{
    if (!m->lists)
        return;
    struct lists *l = match_lists(m, e);
    match_search(m, &l->receives, recv, &l->messages, send);
}

static void match_posting_walks(struct match *m, uint32_t recv, uint32_t send,
                                struct envelope e)
{
    if (!m->lists)
        return;
    struct lists *l = match_lists(m, e);
    match_search(m, &l->messages, send, &l->receives, recv);
}

static int match_wildcards_of(struct envelope e)
{
    return (e.src == ANY_RANK ? WILD_SRC : 0) |
           (e.tag == ANY_TAG ? WILD_TAG : 0);
}

static struct envelope match_widen(struct envelope e, int wildcards)
{
    if (wildcards & WILD_SRC)
        e.src = ANY_RANK;
    if (wildcards & WILD_TAG)
        e.tag = ANY_TAG;
    return e;
}

void match_announce(struct match *m, struct envelope recv)
{
    int w = match_wildcards_of(recv);

    m->wildcards[recv.dst] |= (uint8_t)(1u << w);
    if (!m->next[w])
        m->next[w] = xcalloc(m->nops, sizeof(uint32_t));
}

/* Returns whether receives of this rank can have these wildcards. */
static bool match_uses(const struct match *m, uint32_t rank, int w)
{
    return w == NO_WILDCARD || m->wildcards[rank] >> w & 1;
}

void match_send(struct match *m, uint32_t send, struct envelope e)
{
    struct envelope pair = {.dst = e.dst, .src = e.src};

    m->tag[send] = e.tag;
    if (e.context && !m->context)
        m->context = xcalloc(m->nops, sizeof *m->context);
    if (m->context)
        m->context[send] = e.context;
    match_push(&m->pairs, pair, false, m->next[NO_WILDCARD], send);
}

void match_complete(const struct match *m, uint32_t send, struct envelope *e)
{
    e->tag = m->tag[send];
    e->context = m->context ? m->context[send] : 0;
}

/* Removes and returns the receive that was posted first among those that fit,
 * MATCH_NONE if none does. */
static uint32_t match_take_receive(struct match *m, struct envelope e)
{
    struct envelope_entry *best = NULL;

    for (int w = 0; w < NWILDCARDS; w++) {
        struct envelope_entry *at =
            match_uses(m, e.dst, w)
                ? envelopes_find(&m->waiting, match_widen(e, w), true)
                : NULL;
        if (at &&
            (!best || m->turn[match_first(at)] < m->turn[match_first(best)]))
            best = at;
    }
    if (!best)
        return MATCH_NONE;
    uint32_t recv = match_first(best);
    match_pop(&m->waiting, best, m->next[NO_WILDCARD]);
    return recv;
}

/* Appends a message to the queues of all receives that could fit. */
static void match_wait_for_receive(struct match *m, uint32_t send,
                                   struct envelope e)
{
    for (int w = 0; w < NWILDCARDS; w++)
        if (match_uses(m, e.dst, w))
            match_push(&m->waiting, match_widen(e, w), false, m->next[w], send);
}

/* Returns the first message of the pair if it has arrived, because it may be
 * delivered now, else MATCH_NONE. */
static uint32_t match_next_of_pair(struct match *m, struct envelope pair)
{
    struct envelope_entry *at = envelopes_find(&m->pairs, pair, false);

    if (!at || !m->arrived[match_first(at)])
        return MATCH_NONE;
    uint32_t send = match_first(at);
    match_pop(&m->pairs, at, m->next[NO_WILDCARD]);
    return send;
}

void match_arrive(struct match *m, uint32_t send, struct envelope e,
                  void (*found)(void *arg, uint32_t send, uint32_t recv),
                  void *arg)
{
    struct envelope pair = {.dst = e.dst, .src = e.src};

    m->arrived[send] = true;
    while ((send = match_next_of_pair(m, pair)) != MATCH_NONE) {
        match_complete(m, send, &e);
        uint32_t recv = match_take_receive(m, e);
        m->taken[send] = recv != MATCH_NONE;
        if (recv == MATCH_NONE)
            match_wait_for_receive(m, send, e);
        match_arrival_walks(m, send, recv, e);
        found(arg, send, recv);
    }
}

/* Returns the queue of messages that fit, which begins with one that is not
 * taken; NULL if there is none. A message that was taken from another queue is
 * still in this one. */
static struct envelope_entry *match_messages(struct match *m, struct envelope e)
{
    struct envelope_entry *at = envelopes_find(&m->waiting, e, false);

    while (at && m->taken[match_first(at)])
        at = match_pop(&m->waiting, at, m->next[match_wildcards_of(e)]);
    return at;
}

uint32_t match_post(struct match *m, uint32_t recv, struct envelope e)
{
    struct envelope_entry *at = match_messages(m, e);
    uint32_t send = at ? match_first(at) : MATCH_NONE;

    match_posting_walks(m, recv, send, e);
    if (at) {
        m->taken[send] = true;
        match_pop(&m->waiting, at, m->next[match_wildcards_of(e)]);
        return send;
    }
    m->turn[recv] = m->turns++;
    match_push(&m->waiting, e, true, m->next[NO_WILDCARD], recv);
    return MATCH_NONE;
}

uint32_t match_peek(struct match *m, struct envelope probe)
{
    const struct envelope_entry *at = match_messages(m, probe);

    return at ? match_first(at) : MATCH_NONE;
}
