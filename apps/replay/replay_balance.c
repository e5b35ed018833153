/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handles operations without a partner in the trace: cancelled receives that
 * got a message anyway are put back, and if the trace is cut off, messages and
 * receives whose partner would come after its end are left out. Partners are
 * found by matching all sends with all receives, those without wildcards
 * first. */
#include "apps/replay/replay_state.h"

#include <inttypes.h>
#include <stdlib.h>

struct balance {
    const struct plan *p;
    struct match *match;
    bool *served; /* one flag per operation */
};

static struct envelope balance_envelope(const struct plan *p, uint32_t op)
{
    const struct op *o = &p->ops[op];
    const struct op_match *by = &p->match[op];

    return (struct envelope){o->dst, op_matches(o->kind) ? by->peer : o->src,
                             by->tag, by->context};
}

static bool balance_any(const struct plan *p, uint32_t op)
{
    return p->match[op].peer == ANY_RANK || p->match[op].tag == ANY_TAG;
}

/* Does nothing, because no receive is posted yet. */
static void balance_found(void *arg, uint32_t send, uint32_t recv)
{
    (void)arg;
    (void)send;
    (void)recv;
}

static void balance_offer(struct balance *b)
{
    for (uint32_t i = 0; i < b->p->nops; i++)
        if (op_matches(b->p->ops[i].kind))
            match_announce(b->match, balance_envelope(b->p, i));
    for (uint32_t i = 0; i < b->p->nops; i++) {
        if (b->p->ops[i].kind != OP_SEND)
            continue;
        match_send(b->match, i, balance_envelope(b->p, i));
        match_arrive(b->match, i, balance_envelope(b->p, i), balance_found, b);
    }
    for (uint32_t i = 0; i < b->p->nops; i++)
        if (b->p->ops[i].kind == OP_PROBE)
            b->served[i] =
                match_peek(b->match, balance_envelope(b->p, i)) != MATCH_NONE;
}

static void balance_post(struct balance *b, uint32_t op)
{
    uint32_t send = match_post(b->match, op, balance_envelope(b->p, op));

    b->served[op] = send != MATCH_NONE;
    if (send != MATCH_NONE)
        b->served[send] = true;
}

/* Makes the operation a wait for nothing, so its number and its successors
 * stay. */
void replay_leave_out(struct plan *p, uint32_t op)
{
    struct op *o = &p->ops[op];

    *o = (struct op){.kind = OP_WORK,
                     .phase = PHASE_WORK,
                     .src = o->src,
                     .dst = o->kind == OP_SEND ? o->src : o->dst,
                     .src_gpu = NO_GPU,
                     .dst_gpu = NO_GPU,
                     .first_dep = o->first_dep};
}

static void balance_cut(struct replay *r, const struct balance *b)
{
    uint64_t sends = 0, receives = 0;

    for (uint32_t i = 0; i < r->p->nops; i++) {
        uint8_t kind = r->p->ops[i].kind;
        if (b->served[i] || (kind != OP_SEND && !op_matches(kind)))
            continue;
        sends += kind == OP_SEND;
        receives += kind != OP_SEND;
        replay_leave_out(r->p, i);
    }
    if (sends + receives)
        plan_origin_remark(r->origin,
                           "the trace is cut off: %" PRIu64
                           " messages that nobody receives, and %" PRIu64
                           " receives and probes that nobody answers, are "
                           "left out",
                           sends, receives);
}

static void balance_all(struct replay *r, struct balance *b)
{
    for (int any = 0; any < 2; any++)
        for (uint32_t i = 0; i < r->p->nops; i++)
            if (r->p->ops[i].kind == OP_RECV && balance_any(r->p, i) == any)
                balance_post(b, i);
    for (size_t i = 0; i < r->ncancelled; i++) {
        struct replay_cancelled *c = &r->cancelled[i];
        struct op now = r->p->ops[c->op];
        r->p->ops[c->op] = c->was;
        r->p->match[c->op] = c->by;
        balance_post(b, c->op);
        r->served += b->served[c->op];
        if (b->served[c->op])
            continue;
        r->p->ops[c->op] = now;
        r->p->match[c->op] = (struct op_match){0};
    }
}

void replay_balance(struct replay *r)
{
    struct balance b = {.p = r->p};

    if (!r->p->match || (!r->origin->cut_off && !r->ncancelled))
        return;
    b.match = match_new(r->t->ranks, r->p->nops);
    b.served = xcalloc(r->p->nops, sizeof *b.served);
    /* Cancelled receives are announced as well, because they may match a
     * message. */
    for (size_t i = 0; i < r->ncancelled; i++) {
        const struct replay_cancelled *c = &r->cancelled[i];
        match_announce(b.match, (struct envelope){c->was.dst, c->by.peer,
                                                  c->by.tag, c->by.context});
    }
    balance_offer(&b);
    balance_all(r, &b);
    if (r->origin->cut_off)
        balance_cut(r, &b);
    match_free(b.match);
    free(b.served);
}
