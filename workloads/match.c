/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of several senders to one receiver, drawn at random, for matching
 * engines. `sluice-native match` draws the same. */
#include "workloads/match_draw.h"
#include "sim/plan/exec.h"
#include "workloads/words.h"
#include "workloads/workload.h"

#include <stdlib.h>

enum { MOST_LENGTH = 1 << 24, USUAL_PEERS = 32 };

struct match_words {
    uint64_t length, peers, tags, bytes, seed;
    double unique, matched, wildcards, receives_us;
    struct word_choice order;
};

static int match_words_read(struct match_words *w, const char *rest,
                            struct err *err)
{
    static const char *const orders[] = {"random", "same", "reversed", NULL};
    const struct word words[] = {
        {"length", WORD_COUNT, &w->length, false},
        {"peers", WORD_COUNT, &w->peers, true},
        {"tags", WORD_COUNT, &w->tags, true},
        {"bytes", WORD_BYTES, &w->bytes, true},
        {"unique", WORD_SHARE, &w->unique, true},
        {"matched", WORD_SHARE, &w->matched, true},
        {"wildcards", WORD_SHARE, &w->wildcards, true},
        {"order", WORD_CHOICE, &w->order, true},
        {"receives_us", WORD_REAL_OR_0, &w->receives_us, true},
        {"seed", WORD_SEED, &w->seed, true}};

    *w = (struct match_words){.tags = 65536,
                              .bytes = 8,
                              .unique = 1,
                              .matched = 1,
                              .order = {orders, MATCH_ORDER_RANDOM}};
    if (words_read(rest, words, sizeof words / sizeof words[0], err) < 0)
        return -1;
    if (!w->peers)
        w->peers = w->length < USUAL_PEERS ? w->length : USUAL_PEERS;
    if (w->length > MOST_LENGTH || w->peers > w->length || w->tags > 1u << 30 ||
        w->bytes > (uint64_t)1 << 50)
        return fail(err,
                    "expected a length of at most %d, peers of at most the "
                    "length, at most 2^30 tags, at most 2^50 bytes",
                    MOST_LENGTH);
    if (1 - w->matched + w->wildcards + (1 - w->unique) > 1 + 1e-9)
        return fail(err, "what is not unique, is not matched and has "
                         "wildcards: expected at most all together");
    return 0;
}

/* --- the plan ------------------------------------------------------------- */

struct match_plan {
    struct plan *p;
    const struct match_words *w;
    struct match_draw drawn;
    struct match_envelope *messages, *receives;
    uint32_t begin; /* the receiver's work before it posts, or NO_OP */
};

static bool is_lost(const struct match_plan *x, struct match_envelope e)
{
    return e.tag != MATCH_ANY && e.tag >= x->drawn.tags;
}

static bool is_wild(struct match_envelope e)
{
    return e.src == MATCH_ANY || e.tag == MATCH_ANY;
}

static uint32_t match_send_one(struct match_plan *x, uint32_t sender,
                               uint32_t tag)
{
    return plan_send(x->p, PHASE_OFF_NODE, sender, 0, tag, x->w->bytes);
}

static uint32_t match_post_one(struct match_plan *x, uint32_t from,
                               uint32_t tag)
{
    return plan_recv(x->p, PHASE_OFF_NODE, 0, from, tag, x->w->bytes);
}

/* Posts the receives in order, but those with a wildcard last. Receives from
 * any source accept any tag, too, so that they can receive whichever messages
 * are left. */
static void post_receives(struct match_plan *x)
{
    for (int wild = 0; wild < 3; wild++)
        for (uint32_t i = 0; i < x->drawn.length; i++) {
            struct match_envelope e = x->receives[i];
            if (wild != (!is_wild(e) ? 0 : e.src == MATCH_ANY ? 2 : 1))
                continue;
            match_post_one(x, wild == 2 ? ANY_RANK : 1 + e.src,
                           wild ? ANY_TAG : e.tag);
            if (x->begin != NO_OP)
                plan_after(x->p, x->begin);
        }
}

/* Adds an operation without duration at the receiver, after all operations from
 * `first` on that can be matched. */
static uint32_t match_joint(struct match_plan *x, size_t first)
{
    size_t end = x->p->nops;
    uint32_t joint = plan_work(x->p, 0, 0);

    for (size_t i = first; i < end; i++) {
        uint32_t tag = x->p->match[i].tag;
        if (tag == ANY_TAG || tag < x->drawn.tags)
            plan_after(x->p, (uint32_t)i);
    }
    return joint;
}

/* Receives the remaining messages once all others are matched, and then sends a
 * message to every remaining receive, because a program must end. */
static void match_clear_up(struct match_plan *x, size_t first)
{
    if (!x->drawn.lost)
        return;
    uint32_t joint = match_joint(x, first);
    size_t last = x->p->nops;
    for (uint32_t i = 0; i < x->drawn.lost; i++) {
        match_post_one(x, ANY_RANK, ANY_TAG);
        plan_after(x->p, joint);
    }
    joint = match_joint(x, last);
    for (uint32_t i = 0; i < x->drawn.length; i++)
        if (is_lost(x, x->receives[i])) {
            match_send_one(x, 1 + x->receives[i].src, x->receives[i].tag);
            plan_after(x->p, joint);
        }
}

static void match_fill(struct match_plan *x)
{
    uint32_t n = x->drawn.length;

    match_draw_fill(x->messages, x->receives, &x->drawn);
    for (uint32_t i = 0; i < n; i++)
        match_send_one(x, 1 + x->messages[i].src, x->messages[i].tag);
    if (x->w->receives_us > 0)
        x->begin = plan_work(x->p, 0, 1e-6 * x->w->receives_us);
    size_t first = x->p->nops;
    post_receives(x);
    match_clear_up(x, first);
}

static int match_messages(struct plan *p, uint32_t *ranks,
                          const struct machine *m, const char *words,
                          struct err *err)
{
    struct match_words w;

    if (match_words_read(&w, words + strlen("match:"), err) < 0)
        return fail_in(err, "%s", words);
    double n = (double)w.length;
    struct match_plan x = {
        .p = p,
        .w = &w,
        .begin = NO_OP,
        .drawn = {.length = (uint32_t)w.length,
                  .ranks = (unsigned)w.peers,
                  .tags = (unsigned)w.tags,
                  .lost = (uint32_t)(n * (1 - w.matched) + 0.5),
                  .wild = (uint32_t)(n * w.wildcards),
                  .equal = (uint32_t)(n * (1 - w.unique)),
                  .order = (enum match_drawn_order)w.order.chosen,
                  .seed = w.seed}};
    *ranks = 1 + (uint32_t)w.peers;
    plan_init(p, m, "matching", 1, m->ncores, NULL);
    if (plan_spread(p, m, *ranks, err) < 0) {
        plan_clear(p);
        return -1;
    }
    x.messages = xcalloc(w.length, sizeof *x.messages);
    x.receives = xcalloc(w.length, sizeof *x.receives);
    match_fill(&x);
    free(x.messages);
    free(x.receives);
    return 0;
}

const struct workload match_workload = {
    .prefix = "match:",
    .words = "match:length=N[,peers=P,tags=T,unique=U,matched=M,wildcards=W,"
             "order=O,...]",
    .summary = "N messages and N receives at one receiver, to be matched",
    .help =
        "peers (32): ranks that send, in turns. tags (65536): how many there "
        "are to draw from.\nunique (1): the share of messages of sources and "
        "tags that are drawn; the others have\none source and tag. matched "
        "(1): the share of messages that a receive fits; when those are\n"
        "received, the others and the receives that are left are served, too. "
        "wildcards (0): the\nshare of receives of any source and tag, or of "
        "any tag; they are posted last. order:\nof the receives against the "
        "messages, random (so without), same or reversed.\nreceives_us (0): "
        "when the receives are posted. bytes (8): of a message. seed (0): 0 "
        "is\nwhat sluice-native match draws.",
    .options =
        "nodes ranks-per-node placement matching runtime runtime-exhaustion",
    .platform = "dgx-h100",
    .messages = match_messages,
    .draws = true,
    .seed = 0,
};
