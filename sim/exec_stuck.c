/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/exec_state.h"

#include "sim/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINES 5

static bool fits(const struct op *recv, const struct op *send)
{
    return recv->dst == send->dst &&
           (recv->peer == ANY_RANK || recv->peer == send->src) &&
           (recv->tag == ANY_TAG || recv->tag == send->tag);
}

/* An unmatched send or receive that would do for this one. */
static uint32_t find_match(const struct exec *x, uint32_t op)
{
    const struct op *o = &x->plan->ops[op];
    uint8_t want = o->kind == OP_SEND ? OP_RECV : OP_SEND;

    for (uint32_t i = 0; i < x->plan->nops; i++) {
        const struct op *other = &x->plan->ops[i];
        if (other->kind == want && x->partner[i] == NO_OP &&
            (want == OP_RECV ? fits(other, o) : fits(o, other)))
            return i;
    }
    return NO_OP;
}

/* What an operation that is stuck waits for; NO_OP: nothing will ever come. */
static uint32_t waits_for(const struct exec *x, uint32_t op)
{
    const struct op *o = &x->plan->ops[op];

    if (!x->tasks[op].started)
        for (uint32_t i = 0; i < o->ndeps; i++) {
            uint32_t dep = x->plan->deps[o->first_dep + i] & ~AFTER_SENT;
            if (!x->tasks[dep].finished)
                return dep;
        }
    if ((o->kind == OP_SEND || o->kind == OP_RECV) && x->partner[op] == NO_OP)
        return find_match(x, op);
    return NO_OP;
}

static bool is_stuck(const struct exec *x, uint32_t op)
{
    return !x->tasks[op].finished ||
           (x->plan->ops[op].kind == OP_SEND && x->partner[op] == NO_OP);
}

/* Follows who waits for whom to where it ends or comes round: an operation of
 * the ring (*ring: true), or the last. */
static uint32_t follow(const struct exec *x, uint32_t op, bool *ring)
{
    bool *seen = xcalloc(x->plan->nops, sizeof *seen);
    uint32_t next;

    *ring = false;
    seen[op] = true;
    while (!*ring && (next = waits_for(x, op)) != NO_OP) {
        *ring = seen[next];
        seen[next] = true;
        op = next;
    }
    free(seen);
    return op;
}

static void add(char *text, size_t room, const char *more)
{
    strncat(text, more, room - strlen(text) - 1);
}

static void name(char *text, size_t room, const struct exec *x, uint32_t op)
{
    char what[128];

    op_describe(what, sizeof what, x->m, x->plan, op);
    snprintf(text, room, "operation %u (%s)", op, what);
}

static void tell_last(char *text, size_t room, const struct exec *x,
                      uint32_t op)
{
    const struct op *o = &x->plan->ops[op];
    char line[256], who[160];

    name(who, sizeof who, x, op);
    snprintf(line, sizeof line, "\n  %s %s", who,
             o->kind == OP_RECV      ? "waits for a message that nobody sends"
             : o->kind != OP_SEND    ? "does not end"
             : x->tasks[op].finished ? "is never received"
                                     : "waits for a receive that nobody posts");
    add(text, room, line);
}

static void tell_ring(char *text, size_t room, const struct exec *x,
                      uint32_t op)
{
    char line[256], who[160];
    uint32_t at = op;
    int lines = 0;

    do {
        name(who, sizeof who, x, at);
        at = waits_for(x, at);
        snprintf(line, sizeof line, "\n  %s waits for operation %u", who, at);
        add(text, room, line);
    } while (at != op && ++lines < MOST_LINES);
    if (at != op)
        add(text, room, "\n  ... and so on, round to the first of these");
}

static int too_long(const struct exec *x, struct err *err)
{
    uint32_t recv = x->truncated, send = x->partner[recv];
    char who[160], what[160];

    name(who, sizeof who, x, recv);
    name(what, sizeof what, x, send);
    return fail_work(err, "%s: %s has room for %llu B, too few for %s",
                     x->plan->name, who,
                     (unsigned long long)x->plan->ops[recv].bytes, what);
}

int exec_stuck(const struct exec *x, struct err *err)
{
    const struct plan *p = x->plan;
    size_t unended = p->nops - x->finished, unreceived = 0;
    char text[sizeof err->text / 2 + 256] = "";
    uint32_t op = 0;
    bool ring;

    if (x->truncated != NO_OP)
        return too_long(x, err);
    if (x->finished == p->nops && !x->unreceived)
        return 0;
    while (!is_stuck(x, op))
        op++;
    for (uint32_t i = op; i < p->nops; i++)
        unreceived += x->tasks[i].finished && is_stuck(x, i);
    op = follow(x, op, &ring);
    (ring ? tell_ring : tell_last)(text, sizeof text, x, op);
    if (!unended)
        return fail_work(err, "%s: messages sent and never received: %zu%s",
                         p->name, unreceived, text);
    return fail_work(err, "%s: operations that never end: %zu of %zu%s%s",
                     p->name, unended, p->nops,
                     ring ? "; these wait for each other" : "", text);
}
