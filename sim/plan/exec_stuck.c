/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explains a plan that cannot end: receives that are never matched, or a ring
 * of ranks that wait for each other. */
#include "sim/plan/exec_state.h"

#include "sim/plan/describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINES 5

/* --- expected matches ----------------------------------------------------- */

static void exec_stuck_pair(void *arg, uint32_t send, uint32_t recv)
{
    uint32_t *partner = arg;

    if (send == MATCH_NONE || recv == MATCH_NONE)
        return;
    partner[send] = recv;
    partner[recv] = send;
}

/* Offers the unmatched operations that have begun, or those that have not, in
 * the plan's order. */
static void exec_stuck_offer(const struct exec *x, struct match *m,
                             uint32_t *partner, bool begun)
{
    for (uint32_t i = 0; i < x->plan->nops; i++) {
        const struct op *o = &x->plan->ops[i];
        if (x->partner[i] != NO_OP || exec_started(x, i) != begun)
            continue;
        if (o->kind == OP_RECV)
            exec_stuck_pair(partner,
                            match_post(m, i, exec_envelope(x->plan, i)), i);
        if (o->kind != OP_SEND)
            continue;
        match_send(m, i, exec_envelope(x->plan, i));
        match_arrive(m, i, exec_envelope(x->plan, i), exec_stuck_pair, partner);
    }
}

/* Returns the matches that would follow if all other operations began; NULL if
 * the plan has no receives. The caller frees it. */
static uint32_t *exec_stuck_expected(const struct exec *x)
{
    const struct plan *p = x->plan;

    if (!x->partner)
        return NULL;
    struct match *m = match_new(p->nodes * p->ranks_per_node, p->nops);
    uint32_t *partner = xcalloc(p->nops, sizeof *partner);
    for (uint32_t i = 0; i < p->nops; i++) {
        partner[i] = NO_OP;
        if (p->ops[i].kind == OP_RECV)
            match_announce(m, exec_envelope(p, i));
    }
    exec_stuck_offer(x, m, partner, true);
    exec_stuck_offer(x, m, partner, false);
    match_free(m);
    return partner;
}

/* --- the ring of waits ---------------------------------------------------- */

/* Returns the operation for which a stuck operation waits; NO_OP if nothing can
 * ever release it. */
static uint32_t exec_stuck_waits_for(const struct exec *x,
                                     const uint32_t *partner, uint32_t op)
{
    const struct plan *p = x->plan;

    for (uint32_t i = plan_first_dep(p, op); i < plan_end_dep(p, op); i++) {
        uint32_t dep = p->deps[i] & DEP_OP;
        if (!exec_finished(x, dep))
            return dep;
    }
    return partner && x->partner[op] == NO_OP ? partner[op] : NO_OP;
}

static bool exec_stuck_never_received(const struct exec *x, uint32_t op)
{
    return x->plan->ops[op].kind == OP_SEND && exec_finished(x, op) &&
           x->partner[op] == NO_OP;
}

/* Follows the waits until they end or form a ring; returns an operation of the
 * ring (*ring: true), or the last operation. */
static uint32_t exec_stuck_follow(const struct exec *x, const uint32_t *partner,
                                  uint32_t op, bool *ring)
{
    bool *seen = xcalloc(x->plan->nops, sizeof *seen);
    uint32_t next;

    *ring = false;
    seen[op] = true;
    while (!*ring && (next = exec_stuck_waits_for(x, partner, op)) != NO_OP) {
        *ring = seen[next];
        seen[next] = true;
        op = next;
    }
    free(seen);
    return op;
}

static void exec_stuck_add(char *text, size_t room, const char *more)
{
    strncat(text, more, room - strlen(text) - 1);
}

static void exec_stuck_name(char *text, size_t room, const struct exec *x,
                            uint32_t op)
{
    char what[128];

    op_describe(what, sizeof what, x->m, x->plan, op);
    snprintf(text, room, "operation %u (%s)", op, what);
}

static void exec_stuck_tell_last(char *text, size_t room, const struct exec *x,
                                 uint32_t op)
{
    const struct op *o = &x->plan->ops[op];
    char line[256], who[160];

    exec_stuck_name(who, sizeof who, x, op);
    snprintf(line, sizeof line, "\n  %s %s", who,
             op_matches(o->kind)    ? "waits for a message that nobody sends"
             : o->kind != OP_SEND   ? "does not end"
             : exec_finished(x, op) ? "is never received"
                                    : "waits for a receive that nobody posts");
    exec_stuck_add(text, room, line);
}

static void exec_stuck_tell_ring(char *text, size_t room, const struct exec *x,
                                 const uint32_t *partner, uint32_t op)
{
    char line[256], who[160];
    uint32_t at = op;
    int lines = 0;

    do {
        exec_stuck_name(who, sizeof who, x, at);
        at = exec_stuck_waits_for(x, partner, at);
        snprintf(line, sizeof line, "\n  %s waits for operation %u", who, at);
        exec_stuck_add(text, room, line);
    } while (at != op && ++lines < MOST_LINES);
    if (at != op)
        exec_stuck_add(text, room,
                       "\n  ... and so on, round to the first of these");
}

static int exec_stuck_too_long(const struct exec *x, struct err *err)
{
    uint32_t recv = x->truncated, send = x->partner[recv];
    char who[160], what[160];

    exec_stuck_name(who, sizeof who, x, recv);
    exec_stuck_name(what, sizeof what, x, send);
    return fail(err, "%s has room for %llu B, too few for %s", who,
                (unsigned long long)x->plan->ops[recv].bytes, what);
}

static int exec_stuck_plan(const struct exec *x, struct err *err)
{
    const struct plan *p = x->plan;
    size_t unended = p->nops - x->finished, unreceived = 0;
    char text[sizeof err->text - 256] = "", sent[64] = "";
    uint32_t op = 0;
    bool ring;

    if (x->truncated != NO_OP)
        return exec_stuck_too_long(x, err);
    if (!unended && !x->unreceived)
        return 0;
    while (unended ? exec_finished(x, op) : !exec_stuck_never_received(x, op))
        op++;
    for (uint32_t i = 0; i < p->nops; i++)
        unreceived += exec_stuck_never_received(x, i);

    uint32_t *partner = exec_stuck_expected(x);
    op = exec_stuck_follow(x, partner, op, &ring);
    if (ring)
        exec_stuck_tell_ring(text, sizeof text, x, partner, op);
    else
        exec_stuck_tell_last(text, sizeof text, x, op);
    free(partner);
    if (unreceived)
        snprintf(sent, sizeof sent, "%smessages sent and never received: %zu",
                 unended ? "; " : "", unreceived);
    if (!unended)
        return fail(err, "%s%s", sent, text);
    return fail(err, "operations that never end: %zu of %zu%s%s%s", unended,
                p->nops, sent, ring ? "; these wait for each other" : "", text);
}

int exec_stuck(const struct exec *x, struct err *err)
{
    uint64_t all = 0;

    if (x->plan)
        return exec_stuck_plan(x, err);
    for (unsigned i = 0; i < x->nparts; i++)
        all += (uint64_t)(x->parts[i].end - x->parts[i].begin) *
               x->parts[i].body->nops;
    if (x->finished == all)
        return 0;
    return fail(err, "%llu of %llu operations never ran",
                (unsigned long long)(all - x->finished),
                (unsigned long long)all);
}
