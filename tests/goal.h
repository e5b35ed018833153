/* SPDX-License-Identifier: GPL-3.0-or-later */
/* goal.h - reads GOAL text by the grammar of LogGOPSim's own reader and checks
 * it: every message has its receive of equal size, and there is no deadlock,
 * even if a send ends only after its receive is posted. It does not know plans,
 * because it could not contradict the writer of the text if it did. */
#ifndef TESTS_GOAL_H
#define TESTS_GOAL_H

#include "base/err.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOAL_ANY UINT32_MAX

struct goal_op {
    char kind; /* s, r or c */
    uint32_t rank, peer, tag;
    uint64_t size; /* in bytes or ns */
    char label[16];
};

struct goal_text {
    struct goal_op *ops;
    size_t nops, room;
    struct goal_edge {
        size_t before, after; /* 2 * op is its start, 2 * op + 1 its end */
    } * edges;
    size_t nedges, edges_room;
    size_t nrequires;
    uint32_t ranks, rank;
    size_t first;         /* first operation of the current rank */
    bool open;            /* inside a rank's block */
    const char *at;       /* position in the line */
    size_t sends, recvs;  /* counted by goal_check() */
    uint64_t bytes, calc; /* bytes of all sends; ns of all calc */
    char error[256];
};

#define goal_fail(g, ...)                                                      \
    (snprintf((g)->error, sizeof(g)->error, __VA_ARGS__), -1)

static inline void goal_edge(struct goal_text *g, size_t before, size_t after)
{
    if (g->nedges == g->edges_room) {
        g->edges_room = g->edges_room ? 2 * g->edges_room : 256;
        g->edges = xrealloc(g->edges, g->edges_room, sizeof *g->edges);
    }
    g->edges[g->nedges].before = before;
    g->edges[g->nedges++].after = after;
}

/* --- reading -------------------------------------------------------------- */

static inline bool goal_word(struct goal_text *g, const char *word)
{
    size_t len = strlen(word);

    while (*g->at == ' ' || *g->at == '\t')
        g->at++;
    if (strncmp(g->at, word, len) != 0 || isalnum((unsigned char)g->at[len]))
        return false;
    g->at += len;
    return true;
}

static inline bool goal_number(struct goal_text *g, uint64_t *out)
{
    char *end;

    while (*g->at == ' ' || *g->at == '\t')
        g->at++;
    if (!isdigit((unsigned char)*g->at))
        return false;
    *out = strtoull(g->at, &end, 10);
    g->at = end;
    return true;
}

static inline bool goal_rank_or_any(struct goal_text *g, uint32_t *out)
{
    uint64_t n;

    if (goal_word(g, "-1")) {
        *out = GOAL_ANY;
        return true;
    }
    if (!goal_number(g, &n) || n >= UINT32_MAX)
        return false;
    *out = (uint32_t)n;
    return true;
}

/* Reads [tag T] [cpu C] [nic N] and the line's end, in this order. */
static inline int goal_rest(struct goal_text *g, struct goal_op *op)
{
    uint64_t n;

    op->tag = 0;
    if (op->kind != 'c' && goal_word(g, "tag") &&
        !goal_rank_or_any(g, &op->tag))
        return goal_fail(g, "tag");
    if (goal_word(g, "cpu") && (!goal_number(g, &n) || n > 255))
        return goal_fail(g, "cpu");
    if (op->kind != 'c' && goal_word(g, "nic") &&
        (!goal_number(g, &n) || n > 255))
        return goal_fail(g, "nic");
    return *g->at ? goal_fail(g, "more in a line: %s", g->at) : 0;
}

static inline int goal_op(struct goal_text *g, struct goal_op *op)
{
    if (goal_word(g, "calc")) {
        op->kind = 'c';
        if (!goal_number(g, &op->size))
            return goal_fail(g, "calc without a number");
        return goal_rest(g, op);
    }
    op->kind = goal_word(g, "send") ? 's' : 'r';
    if (op->kind == 'r' && !goal_word(g, "recv"))
        return goal_fail(g, "no operation: %s", g->at);
    if (!goal_number(g, &op->size) || *g->at++ != 'b' ||
        !goal_word(g, op->kind == 's' ? "to" : "from") ||
        !goal_rank_or_any(g, &op->peer) ||
        (op->peer >= g->ranks && (op->kind == 's' || op->peer != GOAL_ANY)))
        return goal_fail(g, "send or recv: %s", g->at);
    return goal_rest(g, op);
}

static inline int goal_label(struct goal_text *g, char label[16])
{
    size_t n = 0;

    while (*g->at == ' ')
        g->at++;
    if (!isalpha((unsigned char)*g->at))
        return goal_fail(g, "no label: %s", g->at);
    while (isalnum((unsigned char)*g->at) || *g->at == '_') {
        if (n == 15)
            return goal_fail(g, "a long label");
        label[n++] = *g->at++;
    }
    label[n] = 0;
    return 0;
}

/* Finds a label, from the newest operation on, because dependencies are mostly
 * near. */
static inline int goal_find(struct goal_text *g, const char *label, size_t *op)
{
    for (*op = g->nops; *op > g->first;)
        if (!strcmp(g->ops[--*op].label, label))
            return 0;
    return goal_fail(g, "rank %" PRIu32 ": no label %s", g->rank, label);
}

static inline int goal_requires(struct goal_text *g, const char *label)
{
    char other[16];
    size_t after, before;

    if (goal_label(g, other) < 0 || goal_find(g, label, &after) < 0 ||
        goal_find(g, other, &before) < 0)
        return -1;
    g->nrequires++;
    goal_edge(g, 2 * before + 1, 2 * after);
    return *g->at ? goal_fail(g, "more in a line: %s", g->at) : 0;
}

static inline int goal_in_rank(struct goal_text *g)
{
    struct goal_op op = {.rank = g->rank};
    char label[16];
    size_t twice;

    if (goal_label(g, label) < 0)
        return -1;
    if (goal_word(g, "requires"))
        return goal_requires(g, label);
    if (*g->at++ != ':')
        return goal_fail(g, "after a label: %s", g->at - 1);
    if (goal_find(g, label, &twice) == 0)
        return goal_fail(g, "rank %" PRIu32 ": %s twice", g->rank, label);
    g->error[0] = 0;
    memcpy(op.label, label, sizeof label);
    if (goal_op(g, &op) < 0)
        return -1;
    if (g->nops == g->room) {
        g->room = g->room ? 2 * g->room : 256;
        g->ops = xrealloc(g->ops, g->room, sizeof *g->ops);
    }
    goal_edge(g, 2 * g->nops, 2 * g->nops + 1);
    g->ops[g->nops++] = op;
    return 0;
}

static inline int goal_line(struct goal_text *g)
{
    uint64_t n;

    if (!*g->at || !strncmp(g->at, "//", 2))
        return 0;
    if (!g->open && goal_word(g, "num_ranks")) {
        if (!goal_number(g, &n) || !n || n >= UINT32_MAX)
            return goal_fail(g, "num_ranks");
        g->ranks = (uint32_t)n;
        return 0;
    }
    if (!g->open && goal_word(g, "rank")) {
        if (!goal_number(g, &n) || n != g->rank || n >= g->ranks ||
            !goal_word(g, "{"))
            return goal_fail(g, "rank: %s", g->at);
        g->open = true;
        g->first = g->nops;
        return 0;
    }
    if (g->open && goal_word(g, "}")) {
        g->open = false;
        g->rank++;
        return g->first == g->nops ? goal_fail(g, "a rank without operations")
                                   : 0;
    }
    return g->open ? goal_in_rank(g) : goal_fail(g, "outside: %s", g->at);
}

/* --- matching ------------------------------------------------------------- */

static inline int goal_by_key(const void *left, const void *right)
{
    const struct goal_op *a = *(const struct goal_op *const *)left;
    const struct goal_op *b = *(const struct goal_op *const *)right;
    uint32_t x[3] = {a->kind == 's' ? a->peer : a->rank,
                     a->kind == 's' ? a->rank : a->peer, a->tag};
    uint32_t y[3] = {b->kind == 's' ? b->peer : b->rank,
                     b->kind == 's' ? b->rank : b->peer, b->tag};

    for (int i = 0; i < 3; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static inline bool goal_fits(const struct goal_op *s, const struct goal_op *r)
{
    return s->peer == r->rank && (r->peer == GOAL_ANY || r->peer == s->rank) &&
           (r->tag == GOAL_ANY || r->tag == s->tag);
}

/* Finds an augmenting path that gives send i a receive, for which others may
 * have to change theirs. */
static inline bool goal_augment(struct goal_op **sends, struct goal_op **recvs,
                                size_t n, size_t i, bool *seen, size_t *taken)
{
    for (size_t r = 0; r < n; r++) {
        if (seen[r] || !goal_fits(sends[i], recvs[r]))
            continue;
        seen[r] = true;
        if (taken[r] == SIZE_MAX ||
            goal_augment(sends, recvs, n, taken[r], seen, taken)) {
            taken[r] = i;
            return true;
        }
    }
    return false;
}

/* Checks the ranks with wildcards: some matching must pair all of their
 * messages. */
static inline int goal_match_any(struct goal_text *g, struct goal_op **sends,
                                 struct goal_op **recvs, size_t n)
{
    bool *seen = xcalloc(n, sizeof *seen);
    size_t *taken = xcalloc(n, sizeof *taken);
    int result = 0;

    memset(taken, 0xff, n * sizeof *taken);
    for (size_t i = 0; i < n && result == 0; i++) {
        memset(seen, 0, n * sizeof *seen);
        if (!goal_augment(sends, recvs, n, i, seen, taken))
            result = goal_fail(g, "send %s of rank %" PRIu32 ": no receive",
                               sends[i]->label, sends[i]->rank);
    }
    free(seen);
    free(taken);
    return result;
}

/* Checks messages without wildcards: each has one receive, of equal size. */
static inline int goal_match_keys(struct goal_text *g, struct goal_op **sends,
                                  struct goal_op **recvs, size_t n)
{
    qsort(sends, n, sizeof *sends, goal_by_key);
    qsort(recvs, n, sizeof *recvs, goal_by_key);
    for (size_t i = 0; i < n; i++) {
        size_t s = (size_t)(sends[i] - g->ops);
        size_t r = (size_t)(recvs[i] - g->ops);
        if (goal_by_key(&sends[i], &recvs[i]) != 0)
            return goal_fail(g, "send %s of rank %" PRIu32 ": no receive",
                             sends[i]->label, sends[i]->rank);
        if (i && goal_by_key(&sends[i - 1], &sends[i]) == 0)
            return goal_fail(g, "send %s of rank %" PRIu32 ": its tag twice",
                             sends[i]->label, sends[i]->rank);
        if (sends[i]->size != recvs[i]->size)
            return goal_fail(g, "send %s of rank %" PRIu32 ": another size",
                             sends[i]->label, sends[i]->rank);
        goal_edge(g, 2 * s, 2 * r + 1);
        goal_edge(g, 2 * r, 2 * s + 1);
    }
    return 0;
}

/* Checks the messages to ranks with wildcards, or to those without. */
static inline int goal_match(struct goal_text *g, const bool *wild, bool with)
{
    struct goal_op **sends = xcalloc(g->nops + 1, sizeof *sends);
    struct goal_op **recvs = xcalloc(g->nops + 1, sizeof *recvs);
    size_t ns = 0, nr = 0;

    for (size_t i = 0; i < g->nops; i++) {
        struct goal_op *op = &g->ops[i];
        if (op->kind == 's' && wild[op->peer] == with)
            sends[ns++] = op;
        if (op->kind == 'r' && wild[op->rank] == with)
            recvs[nr++] = op;
    }
    int result = ns != nr ? goal_fail(g, "%zu sends, %zu receives", ns, nr)
                 : with   ? goal_match_any(g, sends, recvs, ns)
                          : goal_match_keys(g, sends, recvs, ns);
    free(sends);
    free(recvs);
    return result;
}

/* --- order ---------------------------------------------------------------- */

static inline int goal_by_before(const void *a, const void *b)
{
    const struct goal_edge *x = a, *y = b;

    return (x->before > y->before) - (x->before < y->before);
}

/* Removes operations that wait for nothing, until none is left (topological
 * order). */
static inline int goal_sort(struct goal_text *g)
{
    size_t n = 2 * g->nops, done = 0, ready = 0;
    size_t *missing = xcalloc(n + 1, sizeof *missing);
    size_t *first = xcalloc(n + 2, sizeof *first);
    size_t *queue = xcalloc(n + 1, sizeof *queue);

    qsort(g->edges, g->nedges, sizeof *g->edges, goal_by_before);
    for (size_t e = 0; e < g->nedges; e++) {
        missing[g->edges[e].after]++;
        first[g->edges[e].before + 1]++;
    }
    for (size_t i = 0; i < n; i++) {
        first[i + 1] += first[i];
        if (!missing[i])
            queue[ready++] = i;
    }
    for (; done < ready; done++)
        for (size_t e = first[queue[done]]; e < first[queue[done] + 1]; e++)
            if (--missing[g->edges[e].after] == 0)
                queue[ready++] = g->edges[e].after;
    free(missing);
    free(first);
    free(queue);
    return done == n
               ? 0
               : goal_fail(g, "a circle: %zu of %zu never happen", n - done, n);
}

static inline void goal_clear(struct goal_text *g)
{
    free(g->ops);
    free(g->edges);
    g->ops = NULL;
    g->edges = NULL;
}

static inline int goal_read(struct goal_text *g, const char *text)
{
    char *copy = xstrdup(text), *rest = copy, *line;
    int result = 0;

    while (result == 0 && (line = strsep(&rest, "\n"))) {
        g->at = line;
        result = goal_line(g);
    }
    free(copy);
    if (result == 0 && (g->open || g->rank != g->ranks || !g->ranks))
        result =
            goal_fail(g, "%" PRIu32 " of %" PRIu32 " ranks", g->rank, g->ranks);
    return result;
}

/* Returns -1 if the text is wrong, with the reason in g->error. The caller
 * calls goal_clear() in both cases. */
static inline int goal_check(struct goal_text *g, const char *text)
{
    memset(g, 0, sizeof *g);
    if (goal_read(g, text) < 0)
        return -1;
    bool *wild = xcalloc(g->ranks, sizeof *wild);
    for (size_t i = 0; i < g->nops; i++) {
        struct goal_op *op = &g->ops[i];
        g->sends += op->kind == 's';
        g->recvs += op->kind == 'r';
        g->bytes += op->kind == 's' ? op->size : 0;
        g->calc += op->kind == 'c' ? op->size : 0;
        if (op->kind == 'r' && (op->peer == GOAL_ANY || op->tag == GOAL_ANY))
            wild[op->rank] = true;
    }
    int result = goal_match(g, wild, false);
    if (result == 0)
        result = goal_match(g, wild, true);
    if (result == 0)
        result = goal_sort(g);
    free(wild);
    return result;
}

#endif
