/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a plan of messages in rounds, which are read from CSV or drawn at
 * random. */
#include "workloads/exchange.h"

#include "base/csv.h"
#include "base/number.h"
#include "base/random.h"
#include "workloads/workload.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void exchange_clear(struct exchange *x)
{
    free(x->msgs);
    memset(x, 0, sizeof *x);
}

/* Reads "KEY" and a number, as `take` does, and moves *text after them. */
static bool exchange_take_as(const char **text, const char *key, uint64_t *out,
                             const char *(*take)(const char *, uint64_t *))
{
    size_t len = strlen(key);

    if (strncmp(*text, key, len) != 0)
        return false;
    const char *end = take(*text + len, out);
    if (end)
        *text = end;
    return end;
}

static bool exchange_take(const char **text, const char *key, uint64_t *out)
{
    return exchange_take_as(text, key, out, number_take_whole);
}

static bool exchange_take_size(const char **text, const char *key,
                               uint64_t *out)
{
    return exchange_take_as(text, key, out, number_take_bytes);
}

int exchange_draw(struct exchange *x, const char *workload, uint32_t most_ranks,
                  struct err *err)
{
    uint64_t ranks, messages, rounds, low, high, seed;
    const char *at = workload;

    memset(x, 0, sizeof *x);
    if (!exchange_take(&at, "random:ranks=", &ranks) ||
        !exchange_take(&at, ",messages=", &messages) ||
        !exchange_take(&at, ",rounds=", &rounds) ||
        !exchange_take_size(&at, ",bytes=", &low) ||
        !exchange_take_size(&at, "..", &high) ||
        !exchange_take(&at, ",seed=", &seed) || *at)
        return fail(err,
                    "%s: expected random:ranks=R,messages=M,rounds=K,"
                    "bytes=A..B,seed=S",
                    workload);
    if (ranks < 2 || ranks > PLAN_MAX_RANKS || !messages || !rounds ||
        rounds > messages || low > high || high > (uint64_t)1 << 50 ||
        messages > ((uint64_t)1 << 28) / ranks)
        return fail(err,
                    "%s: expected 2 ranks or more, at least as many "
                    "messages as rounds, at most 2^28 messages, A <= B",
                    workload);
    if (ranks > most_ranks)
        return fail(err, "%s: the machine has %u cores", workload, most_ranks);
    x->ranks = (uint32_t)ranks;
    x->rounds = (uint32_t)rounds;
    x->nmsgs = ranks * messages;
    x->msgs = xcalloc(x->nmsgs, sizeof *x->msgs);
    size_t n = 0;
    for (uint32_t k = 0; k < rounds; k++) {
        uint64_t first = messages * k / rounds;
        uint64_t last = messages * (k + 1) / rounds;
        for (uint32_t src = 0; src < ranks; src++)
            for (uint64_t i = first; i < last; i++) {
                uint64_t away = 1 + next_random(&seed) % (ranks - 1);
                uint64_t bytes = low + next_random(&seed) % (high - low + 1);
                x->msgs[n++] = (struct exchange_msg){
                    k, src, (uint32_t)((src + away) % ranks), bytes};
            }
    }
    return 0;
}

/* Sorts stably by round: each round keeps the order of the file. */
static void sort_rounds(struct exchange *x)
{
    bool sorted = true;

    for (size_t i = 1; i < x->nmsgs && sorted; i++)
        sorted = x->msgs[i - 1].round <= x->msgs[i].round;
    if (sorted)
        return;
    struct exchange_msg *from = x->msgs;
    size_t *at = xcalloc((size_t)x->rounds + 1, sizeof *at);
    x->msgs = xcalloc(x->nmsgs, sizeof *x->msgs);
    for (size_t i = 0; i < x->nmsgs; i++)
        at[from[i].round + 1]++;
    for (uint32_t k = 0; k < x->rounds; k++)
        at[k + 1] += at[k];
    for (size_t i = 0; i < x->nmsgs; i++)
        x->msgs[at[from[i].round]++] = from[i];
    free(at);
    free(from);
}

int exchange_read(struct exchange *x, const char *path, struct err *err)
{
    struct csv t;
    int result = 0;

    memset(x, 0, sizeof *x);
    if (csv_load(&t, path, err) < 0)
        return -1;
    x->nmsgs = t.nrows;
    x->msgs = xcalloc(t.nrows, sizeof *x->msgs);
    for (size_t i = 0; i < t.nrows && result == 0; i++) {
        struct exchange_msg *m = &x->msgs[i];
        if (csv_below(&t, i, "round", PLAN_MAX_RANKS, &m->round, err) < 0 ||
            csv_below(&t, i, "src", PLAN_MAX_RANKS, &m->src, err) < 0 ||
            csv_below(&t, i, "dst", PLAN_MAX_RANKS, &m->dst, err) < 0 ||
            csv_count(&t, i, "bytes", &m->bytes, err) < 0)
            result = -1;
        uint32_t most = m->src > m->dst ? m->src : m->dst;
        if (most >= x->ranks)
            x->ranks = most + 1;
        if (m->round >= x->rounds)
            x->rounds = m->round + 1;
    }
    csv_clear(&t);
    if (result == 0)
        sort_rounds(x);
    else
        exchange_clear(x);
    return result;
}

/* Returns whether messages need receives of their own, because finding a
 * receive takes time or a restriction is set. */
static bool is_matched(const struct machine *m)
{
    return m->matching.engine != MATCHER_NONE || m->matching.forbids;
}

/* Adds a message after the operations of its ends in the rounds before. */
static void exchange_add_matched(struct plan *p, const struct exchange_msg *m,
                                 const uint32_t *joint)
{
    plan_send(p, PHASE_OFF_NODE, m->src, m->dst, m->round, m->bytes);
    if (joint[m->src] != NO_OP)
        plan_after(p, joint[m->src]);
    plan_recv(p, PHASE_OFF_NODE, m->dst, m->src, m->round, m->bytes);
    if (joint[m->dst] != NO_OP)
        plan_after(p, joint[m->dst]);
}

static void exchange_add_message(struct plan *p, const struct exchange_msg *m,
                                 const uint32_t *joint)
{
    plan_msg(p, PHASE_OFF_NODE, m->src, m->dst, NO_GPU, NO_GPU, m->bytes);
    if (joint[m->src] != NO_OP)
        plan_after(p, joint[m->src]);
    if (joint[m->dst] != NO_OP && m->dst != m->src)
        plan_posted_after(p, joint[m->dst]);
}

/*
 * Adds a round. Between two rounds every rank that took part has a joint: an
 * operation without duration that comes after all of its messages and its last
 * joint, and before its next messages. It saves dependencies between all pairs
 * of messages.
 */
static void add_round(struct plan *p, const struct exchange *x, size_t from,
                      size_t to, uint32_t *joint, bool matched, bool last)
{
    uint32_t first = (uint32_t)p->nops;

    for (size_t i = from; i < to; i++) {
        if (matched)
            exchange_add_matched(p, &x->msgs[i], joint);
        else
            exchange_add_message(p, &x->msgs[i], joint);
    }
    if (last)
        return;

    /* This sorts the messages by rank, into lists that follow each other. */
    size_t *at = xcalloc((size_t)x->ranks + 2, sizeof *at);
    uint32_t *mine = xcalloc(2 * (to - from), sizeof *mine);
    for (size_t i = from; i < to; i++) {
        at[x->msgs[i].src + 2]++;
        at[x->msgs[i].dst + 2]++;
    }
    for (uint32_t r = 0; r < x->ranks; r++)
        at[r + 2] += at[r + 1];
    for (size_t i = from; i < to; i++) {
        uint32_t op = first + (uint32_t)(i - from) * (matched ? 2 : 1);
        mine[at[x->msgs[i].src + 1]++] = matched ? op : op | AFTER_SENT;
        mine[at[x->msgs[i].dst + 1]++] = matched ? op + 1 : op;
    }
    for (uint32_t r = 0; r < x->ranks; r++) {
        if (at[r] == at[r + 1])
            continue;
        uint32_t op = plan_work(p, r, 0);
        if (joint[r] != NO_OP)
            plan_after(p, joint[r]);
        for (size_t i = at[r]; i < at[r + 1]; i++)
            plan_after(p, mine[i]);
        joint[r] = op;
    }
    free(at);
    free(mine);
}

int exchange_to_plan(struct plan *p, const struct machine *m,
                     const struct exchange *x, struct err *err)
{
    plan_init(p, m, "messages", 1, m->ncores, NULL);
    if (plan_spread(p, m, x->ranks, err) < 0) {
        plan_clear(p);
        return -1;
    }

    uint32_t *joint = xcalloc(x->ranks, sizeof *joint);
    memset(joint, 0xff, x->ranks * sizeof *joint);
    for (size_t from = 0, to; from < x->nmsgs; from = to) {
        for (to = from;
             to < x->nmsgs && x->msgs[to].round == x->msgs[from].round;)
            to++;
        add_round(p, x, from, to, joint, is_matched(m), to == x->nmsgs);
    }
    free(joint);
    return 0;
}

/* --- workloads ------------------------------------------------------------ */

/* Makes the plan, and clears the exchange. */
static int plan_messages(struct plan *p, uint32_t *ranks,
                         const struct machine *m, struct exchange *x,
                         struct err *err)
{
    *ranks = x->ranks;
    int result = exchange_to_plan(p, m, x, err);
    exchange_clear(x);
    return result;
}

int exchange_file_messages(struct plan *p, uint32_t *ranks,
                           const struct machine *m, const char *path,
                           struct err *err)
{
    struct exchange x;

    return exchange_read(&x, path, err) < 0
               ? -1
               : plan_messages(p, ranks, m, &x, err);
}

static int exchange_messages(struct plan *p, uint32_t *ranks,
                             const struct machine *m, const char *words,
                             struct err *err)
{
    return exchange_file_messages(
        p, ranks, m, words + strlen(exchange_workload.prefix), err);
}

static int random_messages(struct plan *p, uint32_t *ranks,
                           const struct machine *m, const char *words,
                           struct err *err)
{
    struct exchange x;

    return exchange_draw(&x, words, machine_cores(m), err) < 0
               ? -1
               : plan_messages(p, ranks, m, &x, err);
}

const struct workload exchange_workload = {
    .prefix = "exchange:",
    .words = "exchange:FILE.csv",
    .summary = "messages between ranks: round,src,dst,bytes",
    .help = "A round begins for a rank when all that it sends and receives in "
            "the round before is\ncomplete.",
    .options = "nodes ranks-per-node placement runtime runtime-exhaustion",
    .platform = "lassen",
    .messages = exchange_messages,
};

const struct workload random_ranks_workload = {
    .prefix = "random:ranks=",
    .words = "random:ranks=R,messages=M,rounds=K,bytes=A..B,seed=S",
    .summary = "M messages of each rank to random others, in K rounds",
    .help = "Destinations and sizes are drawn uniformly.",
    .options = "nodes ranks-per-node placement runtime runtime-exhaustion",
    .platform = "lassen",
    .messages = random_messages,
    .draws = true, /* its words always have the seed */
};
