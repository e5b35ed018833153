/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random programs that cannot deadlock reach their end, with every byte: each
 * is a sequence of messages, collectives, computing and waits in which both
 * sides of a message begin at one place, so that no operation needs a later
 * one. Some are compared with SimGrid.
 */
#include "base/random.h"
#include "tests/trace_made.h"

#define MOST_RANKS 7
#define STEPS 60

static struct machine lassen;

/* The requests that a rank has begun and not waited for. */
struct begun {
    uint64_t first, n;
};

struct program {
    struct trace t;
    uint32_t ranks;
    struct begun begun[MOST_RANKS];
    uint64_t sends, bytes; /* point-to-point messages */
    uint64_t *state;
    bool halos; /* now and then all wait for an exchange together */
};

static uint32_t draw(struct program *g, uint32_t below)
{
    return (uint32_t)(next_random(g->state) % below);
}

static void wait_for_all(struct program *g, uint32_t rank)
{
    struct begun *b = &g->begun[rank];

    if (b->n)
        made_wait(&g->t, rank, b->first, b->n);
    b->first += b->n;
    b->n = 0;
}

static uint64_t draw_request(struct program *g, uint32_t rank)
{
    struct begun *b = &g->begun[rank];

    return draw(g, 3) ? b->first + b->n++ : NO_REQUEST;
}

static void message(struct program *g, uint32_t tag)
{
    uint32_t from = draw(g, g->ranks), to = draw(g, g->ranks);
    uint64_t bytes = draw(g, 3) ? draw(g, 300) : draw(g, 300000);
    uint64_t request = draw_request(g, from);

    if (from == to) { /* a rank may wait for itself */
        request = request == NO_REQUEST
                      ? g->begun[from].first + g->begun[from].n++
                      : request;
    }
    made_send(&g->t, from, to, tag, bytes, request)->synchronous =
        !draw(g, 5) && from != to;
    if (!draw(g, 6) && from != to)
        made_recv(&g->t, to, draw(g, 2) ? ANY_RANK : from, tag, 0, NO_REQUEST)
            ->call = TRACE_PROBE;
    made_recv(&g->t, to, draw(g, 3) ? from : ANY_RANK, tag, bytes + draw(g, 2),
              draw_request(g, to));
    g->sends++;
    g->bytes += bytes;
}

static void collective(struct program *g)
{
    enum trace_collective kind =
        (enum trace_collective)draw(g, NTRACE_COLLECTIVES);
    uint64_t bytes = draw(g, 3000);
    uint32_t root = draw(g, g->ranks);
    bool blocks = draw(g, 2);

    for (uint32_t r = 0; r < g->ranks; r++) {
        struct trace_event *e = made_collective(&g->t, r, kind, bytes);
        e->peer = root;
        e->blocks = blocks;
        if (!blocks)
            e->request = g->begun[r].first + g->begun[r].n++;
    }
}

static void onesided(struct program *g)
{
    uint32_t rank = draw(g, g->ranks), peer = draw(g, g->ranks);
    struct trace_event *e = made_add(&g->t, rank, TRACE_PUT, "MPI_Put");

    e->call = draw(g, 2) ? TRACE_PUT : TRACE_GET;
    e->peer = peer;
    e->bytes = draw(g, 50000);
    if (draw(g, 2))
        made_add(&g->t, rank, TRACE_FLUSH, "MPI_Win_flush")->peer =
            draw(g, 2) ? ANY_RANK : peer;
}

/* Adds an exchange of all ranks, in which some may have no part. */
static void halo(struct program *g, uint32_t tag)
{
    for (uint32_t r = 0; r < g->ranks; r++)
        wait_for_all(g, r);
    for (uint32_t n = draw(g, 3 * g->ranks); n; n--) {
        uint32_t from = draw(g, g->ranks), to = draw(g, g->ranks);
        uint64_t bytes = draw(g, 3) ? draw(g, 300) : draw(g, 300000);
        struct begun *src = &g->begun[from], *dst = &g->begun[to];
        made_send(&g->t, from, to, tag, bytes, src->first + src->n++);
        made_recv(&g->t, to, from, tag, bytes, dst->first + dst->n++);
        g->sends++;
        g->bytes += bytes;
    }
    for (uint32_t r = g->ranks; r-- > 0;)
        wait_for_all(g, r);
}

static void step(struct program *g, uint32_t tag)
{
    if (g->halos && !draw(g, 3)) {
        halo(g, tag);
        return;
    }
    switch (draw(g, 8)) {
    case 0:
        collective(g);
        break;
    case 1:
        made_compute(&g->t, draw(g, g->ranks), draw(g, 100) * 1e-6);
        break;
    case 2:
        wait_for_all(g, draw(g, g->ranks));
        break;
    case 3:
        onesided(g);
        break;
    default:
        message(g, tag);
    }
}

static struct program write_program(uint64_t *state, bool halos)
{
    struct program g = {.state = state, .halos = halos};

    g.ranks = 2 + draw(&g, MOST_RANKS - 1);
    g.t = made_trace(g.ranks);
    for (uint32_t i = 0; i < STEPS; i++)
        step(&g, i);
    for (uint32_t r = 0; r < g.ranks; r++)
        wait_for_all(&g, r);
    return g;
}

static double run(const struct plan *p, enum engine_kind engine)
{
    struct exec_options o = exec_defaults;
    struct exec_result x;
    struct err err = {0};

    o.engine = engine;
    if (exec_plan(&x, &lassen, p, &o, EXEC_TIMES, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        return NAN;
    }
    double time_s = x.time_s;
    exec_result_clear(&x);
    return time_s;
}

/* Checks that the program also ends if each strategy exchanges its phases.
 * Returns how many phases there are. */
static uint32_t check_phases(uint64_t seed)
{
    uint64_t state = seed;
    struct program g = write_program(&state, true);
    struct trace_phases phases;
    struct err err = {0};

    CHECK_EQ(trace_phases_find(&phases, &g.t, &err), 0);
    for (size_t i = 0; i < nstrategies; i++) {
        struct made_run on = {.options = {.compute_scale = 1, .flops = 1e9},
                              .m = &lassen,
                              .nodes = 1 + (unsigned)(seed % g.ranks)};
        struct plan p;
        uint64_t sends = 0;
        if (strategies[i]->device_aware || strategies[i] == &split_dd_strategy)
            continue;
        on.options.strategy = strategies[i];
        on.options.phases = &phases;
        on.options.exchange.pack = true;
        on.options.exchange.contiguous = true;
        for (uint32_t r = 0; r < g.ranks; r++)
            CHECK_EQ(trace_rewind(&g.t, r, &err), 0);
        int result = made_plan(&p, &on, &g.t, &err);
        CHECK_EQ(result, 0);
        if (result < 0)
            break;
        for (size_t k = 0; k < p.nops; k++)
            sends += p.ops[k].kind == OP_SEND;
        CHECK_EQ(sends, g.sends - phases.in_messages);
        if (!(run(&p, ENGINE_FLUID) >= 0)) {
            fprintf(stderr, "%s, seed %llu\n", strategies[i]->name,
                    (unsigned long long)seed);
            CHECK(!"it ends");
        }
        plan_clear(&p);
    }
    uint32_t n = phases.n;
    trace_phases_clear(&phases);
    trace_close(&g.t);
    return n;
}

static void check_program(uint64_t seed, bool simgrid)
{
    uint64_t state = seed, sends = 0, receives = 0, bytes = 0;
    struct program g = write_program(&state, false);
    const struct made_run on = {.options = {.compute_scale = 1, .flops = 1e9},
                                .m = &lassen,
                                .nodes = 1 + (unsigned)(seed % g.ranks)};
    struct plan p;
    struct err err = {0};

    int result = made_plan(&p, &on, &g.t, &err);
    CHECK_EQ(result, 0);
    if (result < 0)
        fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, err.text);
    for (size_t i = 0; result == 0 && i < p.nops; i++) {
        sends += p.ops[i].kind == OP_SEND;
        receives += p.ops[i].kind == OP_RECV;
        bytes += p.ops[i].kind == OP_SEND ? p.ops[i].bytes : 0;
        CHECK(p.origin->nplaces == p.nops);
    }
    CHECK_EQ(sends, g.sends);
    CHECK_EQ(receives, g.sends);
    CHECK_EQ(bytes, g.bytes);
    double time_s = result == 0 ? run(&p, ENGINE_FLUID) : NAN;
    CHECK(time_s >= 0);
    if (!(time_s >= 0))
        fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    if (simgrid && result == 0)
        CHECK_NEAR(run(&p, ENGINE_SIMGRID), time_s, 1e-6);
    if (result == 0)
        plan_clear(&p);
    trace_close(&g.t);
}

int main(void)
{
    struct err err;
    uint32_t phases = 0;

    if (platform_load(&lassen, "lassen", NULL, 0, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    for (uint64_t seed = 1; seed <= 400; seed++)
        check_program(seed, seed <= 10);
    for (uint64_t seed = 1; seed <= 300; seed++)
        phases += check_phases(seed);
    CHECK(phases > 3000);
    machine_clear(&lassen);
    return check_result();
}
