/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching engines on random programs: partners, times, and lengths of queues,
 * compared with kernels that are followed receive by receive and with plain
 * lists. */
#include "base/random.h"
#include "sim/network/engine.h"
#include "sim/transport/match_queues.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>

enum { OPS = 700, RANKS = 2, CONTEXTS = 2, SOURCES = 6, QUEUES = 3 };
enum { SERVERS = RANKS * CONTEXTS };

static uint64_t state;

static unsigned below(unsigned n)
{
    return (unsigned)(next_random(&state) % n);
}

struct op {
    double at_s;
    bool receive;
    struct envelope e;
};

/* The results of each operation, and of each rank and communicator. */
struct told {
    uint32_t partner[OPS];
    double at_s[OPS];
};

static struct op ops[OPS];

static bool fits(struct envelope recv, struct envelope send)
{
    return recv.dst == send.dst && recv.context == send.context &&
           (recv.src == ANY_RANK || recv.src == send.src) &&
           (recv.tag == ANY_TAG || recv.tag == send.tag);
}

static int server_number(struct envelope e)
{
    return (int)(e.dst * CONTEXTS + e.context);
}

/* --- the simulator -------------------------------------------------------- */

struct program {
    struct engine *engine;
    struct match *match;
    struct match_queues *queues;
    struct told told;
};

struct begun {
    struct program *p;
    uint32_t op;
};

static void note(struct told *t, uint32_t send, uint32_t recv, double now)
{
    t->partner[send] = recv;
    t->partner[recv] = send;
    t->at_s[send] = t->at_s[recv] = now;
}

static void matched(void *user, uint32_t send, uint32_t recv)
{
    struct program *p = user;

    note(&p->told, send, recv, engine_now(p->engine));
}

static void arrived(void *user, uint32_t send, uint32_t recv)
{
    struct program *p = user;

    if (!match_queues_arrival(p->queues, send, recv, ops[send].e) &&
        recv != MATCH_NONE)
        matched(p, send, recv);
}

static void begin(void *arg)
{
    struct begun *b = arg;
    struct program *p = b->p;
    struct envelope e = ops[b->op].e;

    if (!ops[b->op].receive) {
        match_send(p->match, b->op, e);
        match_queues_sent(p->queues, b->op, e);
        match_arrive(p->match, b->op, e, arrived, p);
        return;
    }
    uint32_t send = match_post(p->match, b->op, e);
    if (!match_queues_posting(p->queues, b->op, send, e) && send != MATCH_NONE)
        matched(p, send, b->op);
}

static void run(struct program *p, const struct matching *l,
                const struct machine *m)
{
    struct err err = {0};
    struct begun begun[OPS];
    struct match_listener listener = {p, matched};

    p->engine = engine_new(ENGINE_FLUID, m, 1, &err);
    p->match = match_new(RANKS, OPS);
    p->queues = match_queues_new(l, p->engine, RANKS, OPS, listener);
    for (uint32_t i = 0; i < OPS; i++) {
        p->told.partner[i] = MATCH_NONE;
        begun[i] = (struct begun){p, i};
        if (ops[i].receive)
            match_announce(p->match, ops[i].e);
        engine_after(p->engine, ops[i].at_s, begin, &begun[i]);
    }
    CHECK(engine_run(p->engine, &err) == 0);
    match_free(p->match);
    engine_free(p->engine);
}

/* --- the plain version ---------------------------------------------------- */

struct list {
    uint32_t op[OPS], n;
};

struct plain {
    struct list messages, receives; /* not dequeued by a pass yet */
    struct list umq, prq;           /* a list matcher's queues */
    struct match_length umq_length, prq_length;
    uint64_t passes;
    double busy_s;
    bool busy, changed;
    double over_s; /* end of the pass, and its results */
    uint32_t found[OPS][2], nfound;
};

static void take_out(struct list *l, uint32_t op)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < l->n; i++)
        if (l->op[i] != op)
            l->op[kept++] = l->op[i];
    l->n = kept;
}

static void put(struct list *l, uint32_t op)
{
    l->op[l->n++] = op;
}

/* Makes one search of a list matcher. */
static void plain_search(struct list *in, struct match_length *in_length,
                         struct list *own, struct match_length *own_length,
                         uint32_t op)
{
    in_length->searches++;
    in_length->sum += in->n;
    for (uint32_t i = 0; i < in->n; i++) {
        uint32_t other = in->op[i];
        if (ops[op].receive ? fits(ops[op].e, ops[other].e)
                            : fits(ops[other].e, ops[op].e)) {
            take_out(in, other);
            return;
        }
    }
    put(own, op);
    if (own->n > own_length->most)
        own_length->most = own->n;
}

/* Returns the entries of a queue. */
static struct list of_queue(const struct list *all, unsigned queue,
                            unsigned nqueues)
{
    struct list l = {.n = 0};

    for (uint32_t i = 0; i < all->n; i++)
        if (nqueues == 1 || ops[all->op[i]].e.src % nqueues == queue)
            put(&l, all->op[i]);
    return l;
}

/* Runs the kernel on groups of messages: receive after receive, each matches
 * the first message of the group that fits and is left. */
static struct match_search plain_kernel(struct plain *s, struct list messages,
                                        struct list receives, unsigned rows)
{
    struct match_search r = {.messages = messages.n};

    for (uint32_t from = 0; from < messages.n && receives.n; from += rows) {
        struct list group = {.n = 0};
        for (uint32_t i = from; i < messages.n && i < from + rows; i++)
            put(&group, messages.op[i]);
        struct list left = receives;
        r.passes++;
        for (uint32_t j = 0; j < left.n && group.n; j++) {
            r.columns++;
            for (uint32_t i = 0; i < group.n; i++) {
                if (!fits(ops[left.op[j]].e, ops[group.op[i]].e))
                    continue;
                s->found[s->nfound][0] = group.op[i];
                s->found[s->nfound++][1] = left.op[j];
                r.hits++;
                take_out(&receives, left.op[j]);
                take_out(&group, group.op[i]);
                break;
            }
        }
    }
    return r;
}

static uint32_t most_alike(const struct list *l)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t n = 0;
        for (uint32_t j = 0; j < l->n; j++)
            n += fits(ops[l->op[i]].e, ops[l->op[j]].e);
        most = n > most ? n : most;
    }
    return most;
}

static double plain_hash_s(struct plain *s, const struct matching *l)
{
    plain_kernel(s, s->messages, s->receives, OPS);
    return match_hash_s(l, s->messages.n, s->receives.n,
                        most_alike(&s->receives));
}

static double plain_matrix_s(struct plain *s, const struct matching *l)
{
    struct match_search searches[QUEUES];
    struct list messages[QUEUES], receives[QUEUES];
    unsigned n = l->engine == MATCHER_PARTITIONED ? QUEUES : 1, active = 0;
    uint32_t longest = 0;

    for (unsigned i = 0; i < n; i++) {
        messages[active] = of_queue(&s->messages, i, n);
        receives[active] = of_queue(&s->receives, i, n);
        if (!messages[active].n || !receives[active].n)
            continue;
        if (messages[active].n > longest)
            longest = messages[active].n;
        active++;
    }
    struct match_layout how = match_layout(l, active, longest);
    for (unsigned i = 0; i < active; i++)
        searches[i] = plain_kernel(s, messages[i], receives[i], how.rows);
    return match_matrix_s(l, how, searches, active, true);
}

static void plain_begin(struct plain *s, const struct matching *l, double now)
{
    unsigned n = l->engine == MATCHER_PARTITIONED ? QUEUES : 1;
    bool wanted = false;

    for (unsigned i = 0; i < n; i++)
        wanted = wanted || (of_queue(&s->messages, i, n).n &&
                            of_queue(&s->receives, i, n).n);
    if (s->busy || !s->changed || !wanted)
        return;
    s->busy = true;
    s->changed = false;
    double pass_s =
        l->engine == MATCHER_HASH ? plain_hash_s(s, l) : plain_matrix_s(s, l);
    s->over_s = now + pass_s;
    s->passes++;
    s->busy_s += pass_s;
    for (uint32_t i = 0; i < s->nfound; i++) {
        take_out(&s->messages, s->found[i][0]);
        take_out(&s->receives, s->found[i][1]);
    }
}

static void plain_over(struct plain *s, const struct matching *l,
                       struct told *told)
{
    for (uint32_t i = 0; i < s->nfound; i++)
        note(told, s->found[i][0], s->found[i][1], s->over_s);
    s->nfound = 0;
    s->busy = false;
    plain_begin(s, l, s->over_s);
}

static void plain_come(struct plain *s, const struct matching *l, uint32_t op)
{
    if (ops[op].receive)
        plain_search(&s->umq, &s->umq_length, &s->prq, &s->prq_length, op);
    else
        plain_search(&s->prq, &s->prq_length, &s->umq, &s->umq_length, op);
    put(ops[op].receive ? &s->receives : &s->messages, op);
    s->changed = true;
    plain_begin(s, l, ops[op].at_s);
}

/* Returns the server whose pass ends first, before `then`; NULL if there is
 * none. */
static struct plain *plain_first(struct plain *servers, double then)
{
    struct plain *first = NULL;

    for (int i = 0; i < SERVERS; i++)
        if (servers[i].busy && servers[i].over_s < then &&
            (!first || servers[i].over_s < first->over_s))
            first = &servers[i];
    return first;
}

static void run_plainly(struct plain *servers, struct told *told,
                        const struct matching *l)
{
    struct plain *s;

    for (uint32_t i = 0; i < OPS; i++)
        told->partner[i] = MATCH_NONE;
    for (uint32_t i = 0; i < OPS; i++) {
        while ((s = plain_first(servers, ops[i].at_s)))
            plain_over(s, l, told);
        plain_come(&servers[server_number(ops[i].e)], l, i);
    }
    while ((s = plain_first(servers, INFINITY)))
        plain_over(s, l, told);
}

/* --- comparison ----------------------------------------------------------- */

/* Draws bursts, and receives that are early or late. */
static void draw(bool wildcards, unsigned tags)
{
    double now = 0;
    unsigned receives = 1 + below(7);

    for (uint32_t i = 0; i < OPS; i++) {
        struct op *o = &ops[i];
        if (i % 100 == 0)
            receives = 1 + below(7);
        now += below(4) ? 1e-9 * (1 + below(1000)) : 1e-6 * below(100);
        o->at_s = now;
        o->receive = below(8) < receives;
        o->e = (struct envelope){below(RANKS), below(SOURCES), below(tags),
                                 below(CONTEXTS)};
        if (o->receive && wildcards && !below(6))
            o->e.src = ANY_RANK;
        if (o->receive && wildcards && !below(6))
            o->e.tag = ANY_TAG;
    }
}

static void compare(const struct program *p, const struct plain *servers,
                    const struct told *told)
{
    size_t n;
    struct match_counts *c = match_queues_counts(p->queues, &n);

    CHECK_EQ(n, SERVERS);
    for (uint32_t i = 0; i < OPS; i++) {
        CHECK_EQ(p->told.partner[i], told->partner[i]);
        if (told->partner[i] != MATCH_NONE)
            CHECK_NEAR(p->told.at_s[i], told->at_s[i], 1e-9);
    }
    for (size_t i = 0; i < n; i++) {
        const struct plain *s = &servers[i];
        CHECK_EQ(c[i].rank * CONTEXTS + c[i].context, i);
        CHECK_EQ(c[i].umq.most, s->umq_length.most);
        CHECK_EQ(c[i].prq.most, s->prq_length.most);
        CHECK_EQ(c[i].umq.sum, s->umq_length.sum);
        CHECK_EQ(c[i].prq.sum, s->prq_length.sum);
        CHECK_EQ(c[i].umq.searches, s->umq_length.searches);
        CHECK_EQ(c[i].umq.now, s->umq.n);
        CHECK_EQ(c[i].passes, s->passes);
        CHECK_NEAR(c[i].busy_s, s->busy_s, 1e-9);
    }
    free(c);
}

static void random_program(unsigned seed, enum matcher engine,
                           const struct machine *m)
{
    const struct matching l = {.engine = engine,
                               .clock_Hz = 1e9,
                               .pass_cycles = 1000,
                               .receive_cycles = 300,
                               .miss_cycles = 170,
                               .scan_cycles = 150,
                               .short_cycles = 270,
                               .short_messages = 32,
                               .cta_messages = seed % 2 ? 64 : 1024,
                               .compaction = 0.1,
                               .queues = QUEUES,
                               .queue_cycles = 10,
                               .ctas = 1 + seed % 3,
                               .resident_ctas = 2,
                               .round_cycles = 5000,
                               .hash_cycles = 4,
                               .slots = 1.25};
    struct program *p = xcalloc(1, sizeof *p);
    struct plain *servers = xcalloc(SERVERS, sizeof *servers);
    struct told *told = xcalloc(1, sizeof *told);
    int before = check_failures;

    state = seed * 7919ull + 1;
    draw(engine == MATCHER_MATRIX && seed % 4 < 2, 1 + below(30));
    run(p, &l, m);
    run_plainly(servers, told, &l);
    compare(p, servers, told);
    if (check_failures > before)
        fprintf(stderr, "  with seed %u, %s\n", seed, matcher_names[engine]);
    match_queues_free(p->queues);
    free(p);
    free(servers);
    free(told);
}

int main(void)
{
    const enum matcher engines[] = {MATCHER_MATRIX, MATCHER_PARTITIONED,
                                    MATCHER_HASH};
    struct machine tiny;

    tiny_machine(&tiny, 4);
    for (unsigned seed = 0; seed < 20 && !check_failures; seed++)
        for (int i = 0; i < 3; i++)
            random_program(seed, engines[i], &tiny);
    machine_clear(&tiny);
    return check_result();
}
