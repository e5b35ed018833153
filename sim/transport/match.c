/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Message matching as MPI defines it, with hash tables by envelope, one for
 * each combination of wildcards. */
#include "sim/transport/match.h"

#include "base/err.h"
#include "sim/transport/walk.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The wildcards of a receive; a message waits in one queue for each
 * combination. */
enum { NO_WILDCARD, WILD_SRC, WILD_TAG, WILD_BOTH, NWILDCARDS };

struct queue {
    uint32_t first, last; /* MATCH_NONE if empty */
};

struct entry {
    struct envelope key;
    struct queue receives, messages;
};

/* A hash table with open addressing. An entry is removed once its queues are
 * empty, so that the table stays as small as the number of waiting
 * operations. */
struct table {
    struct entry *entries;
    uint64_t size, used; /* size: 0 or a power of 2 */
};

struct match {
    struct table waiting; /* by envelope */
    struct table pairs;   /* messages by (dst, src), sent and not delivered */
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

static bool match_is_free(const struct entry *e)
{
    return e->receives.first == MATCH_NONE && e->messages.first == MATCH_NONE;
}

static bool match_same(struct envelope a, struct envelope b)
{
    return a.dst == b.dst && a.src == b.src && a.tag == b.tag &&
           a.context == b.context;
}

static uint64_t match_place(const struct table *t, struct envelope key)
{
    uint64_t h = ((uint64_t)key.dst << 32 | key.src) * 0x9e3779b97f4a7c15u;

    h = (h ^ (h >> 32) ^ key.tag ^ (uint64_t)key.context << 32) *
        0xbf58476d1ce4e5b9u;
    return (h ^ (h >> 29)) & (t->size - 1);
}

/* Returns the key's entry, or the free one for it; t->size > 0. */
static struct entry *match_seek(const struct table *t, struct envelope key)
{
    uint64_t i = match_place(t, key);

    while (!match_is_free(&t->entries[i]) &&
           !match_same(t->entries[i].key, key))
        i = (i + 1) & (t->size - 1);
    return &t->entries[i];
}

/* Returns NULL if the key is not in the table. */
static struct entry *match_find(const struct table *t, struct envelope key)
{
    if (!t->size)
        return NULL;
    struct entry *e = match_seek(t, key);
    return match_is_free(e) ? NULL : e;
}

static void match_grow(struct table *t)
{
    struct table old = *t;

    t->size = old.size ? 2 * old.size : 64;
    t->entries = xmalloc(t->size * sizeof *t->entries);
    /* Sets all to MATCH_NONE. */
    memset(t->entries, 0xff, t->size * sizeof *t->entries);
    for (uint64_t i = 0; i < old.size; i++)
        if (!match_is_free(&old.entries[i]))
            *match_seek(t, old.entries[i].key) = old.entries[i];
    free(old.entries);
}

/* Returns the key's entry; if it is new, the caller fills a queue of it. */
static struct entry *match_want(struct table *t, struct envelope key)
{
    if (2 * (t->used + 1) > t->size)
        match_grow(t);
    struct entry *e = match_seek(t, key);
    if (match_is_free(e)) {
        e->key = key;
        t->used++;
    }
    return e;
}

/* Removes an entry that has become empty; entries behind it that it displaced
 * move up. */
static void match_drop(struct table *t, struct entry *gone)
{
    uint64_t hole = (uint64_t)(gone - t->entries), mask = t->size - 1;

    t->used--;
    for (uint64_t i = (hole + 1) & mask; !match_is_free(&t->entries[i]);
         i = (i + 1) & mask) {
        uint64_t home = match_place(t, t->entries[i].key);
        if (((i - home) & mask) < ((i - hole) & mask))
            continue;
        t->entries[hole] = t->entries[i];
        t->entries[i].receives.first = MATCH_NONE;
        t->entries[i].messages.first = MATCH_NONE;
        hole = i;
    }
}

static void match_push(struct queue *q, uint32_t *next, uint32_t op)
{
    next[op] = MATCH_NONE;
    if (q->first == MATCH_NONE)
        q->first = op;
    else
        next[q->last] = op;
    q->last = op;
}

static uint32_t match_pop(struct queue *q, const uint32_t *next)
{
    uint32_t op = q->first;

    q->first = next[op];
    return op;
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
    free(m->waiting.entries);
    free(m->pairs.entries);
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
    match_push(&match_want(&m->pairs, pair)->messages, m->next[NO_WILDCARD],
               send);
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
    struct entry *best = NULL;

    for (int w = 0; w < NWILDCARDS; w++) {
        struct entry *at = match_uses(m, e.dst, w)
                               ? match_find(&m->waiting, match_widen(e, w))
                               : NULL;
        if (at && at->receives.first != MATCH_NONE &&
            (!best ||
             m->turn[at->receives.first] < m->turn[best->receives.first]))
            best = at;
    }
    if (!best)
        return MATCH_NONE;
    uint32_t recv = match_pop(&best->receives, m->next[NO_WILDCARD]);
    if (match_is_free(best))
        match_drop(&m->waiting, best);
    return recv;
}

/* Appends a message to the queues of all receives that could fit. */
static void match_wait_for_receive(struct match *m, uint32_t send,
                                   struct envelope e)
{
    for (int w = 0; w < NWILDCARDS; w++)
        if (match_uses(m, e.dst, w))
            match_push(&match_want(&m->waiting, match_widen(e, w))->messages,
                       m->next[w], send);
}

/* Returns the first message of the pair if it has arrived, because it may be
 * delivered now, else MATCH_NONE. */
static uint32_t match_next_of_pair(struct match *m, struct envelope pair)
{
    struct entry *at = match_find(&m->pairs, pair);

    if (!at || !m->arrived[at->messages.first])
        return MATCH_NONE;
    uint32_t send = match_pop(&at->messages, m->next[NO_WILDCARD]);
    if (match_is_free(at))
        match_drop(&m->pairs, at);
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

uint32_t match_post(struct match *m, uint32_t recv, struct envelope e)
{
    int w = match_wildcards_of(e);
    struct entry *at = match_find(&m->waiting, e);

    /* A message that was taken from another queue is still in this one. */
    while (at && at->messages.first != MATCH_NONE) {
        uint32_t send = match_pop(&at->messages, m->next[w]);
        bool fits = !m->taken[send];
        m->taken[send] = true;
        if (match_is_free(at)) {
            match_drop(&m->waiting, at);
            at = NULL;
        }
        if (fits) {
            match_posting_walks(m, recv, send, e);
            return send;
        }
    }
    match_posting_walks(m, recv, MATCH_NONE, e);
    m->turn[recv] = m->turns++;
    match_push(&match_want(&m->waiting, e)->receives, m->next[NO_WILDCARD],
               recv);
    return MATCH_NONE;
}

uint32_t match_peek(struct match *m, struct envelope probe)
{
    int w = match_wildcards_of(probe);
    struct entry *at = match_find(&m->waiting, probe);

    while (at && at->messages.first != MATCH_NONE) {
        if (!m->taken[at->messages.first])
            return at->messages.first;
        (void)match_pop(&at->messages, m->next[w]);
        if (match_is_free(at)) {
            match_drop(&m->waiting, at);
            at = NULL;
        }
    }
    return MATCH_NONE;
}
