/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops: run step by step they take the times of the plan of all steps, to the
 * last digit; that plan is the intended one; and only operations in progress
 * take memory. */
#include "sim/plan/chain.h"
#include "sim/plan/exec.h"
#include "strategies/collective/collective.h"
#include "tests/check.h"
#include "tests/random_machine.h"
#include "workloads/workload.h"

#include <stdlib.h>

enum { RANKS = 16, PER_NODE = 4 };

static void random_gpus(struct machine *m)
{
    struct copy_table *c = &m->copies;

    c->mps = below(2);
    c->engine_s = 1e-7 * below(20);
    c->engine_turn_B = below(2) ? 0 : 4000;
    c->slice_s = 1e-6 * below(20);
    c->slice_below_B = 32768;
    c->gpus_are_one = below(2);
    c->contexts = below(2);
    c->returns_up_to_B = below(2) ? 0 : 3000;
    c->mps_from_B = 5000;
    c->mps_gpu_more = c->mps_host_more = 0.5;
    c->nrows = 5;
    c->rows = xcalloc(c->nrows, sizeof *c->rows);
    for (unsigned i = 0; i < c->nrows; i++)
        c->rows[i] = (struct copy_cost){
            .locality = i == 4  ? SHARED_CACHE
                        : i < 2 ? ON_SOCKET
                                : ON_NODE,
            .dir = i == 4  ? D2D
                   : i % 2 ? H2D
                           : D2H,
            .processes = 1,
            .alpha_s = 2e-6,
            .beta_s_per_B = 1e-10,
            .up_to_B = UINT64_MAX,
            .source = source_new(PROVENANCE_ASSUMED, "a test")};
    m->gpu.launch_s = 1e-7 * below(50);
    m->gpu.sync_s = 1e-7 * below(50);
    m->gpu.memory_Bps = 1e11;
}

/* --- random loops --------------------------------------------------------- */

static uint64_t random_bytes(void)
{
    static const uint64_t most[] = {1, 100, 3000, 100000};

    return below(8) == 0 ? 0 : 1 + below((unsigned)most[below(4)]);
}

static uint32_t random_op(struct plan *p)
{
    uint32_t a = below(RANKS), b = below(RANKS), gpu = a / PER_NODE * 4 + a % 4;
    unsigned tenths_us;

    switch (below(10)) {
    case 9:
        return plan_copy_peer(p, PHASE_GATHER, a, gpu, gpu, random_bytes());
    case 8:
        return plan_reduce(p, PHASE_WORK, a, below(2) ? gpu : NO_GPU,
                           random_bytes(), 1 + below(4), below(2));
    case 0:
        tenths_us = below(20);
        return tenths_us % 3 ? plan_work(p, a, 1e-7 * tenths_us)
                             : plan_work_beside(p, a, 1 + tenths_us % 2,
                                                1e-7 * tenths_us);
    case 1:
        return plan_copy(p, PHASE_COPY_OUT, a, below(2) ? D2H : H2D, gpu,
                         1 + random_bytes());
    case 2:
        return plan_pack(p, PHASE_PACK, a, below(2) ? gpu : NO_GPU,
                         random_bytes(), below(2));
    case 3:
        return plan_msg(p, PHASE_OFF_NODE, a, b, gpu, b / PER_NODE * 4 + b % 4,
                        random_bytes());
    default:
        return plan_msg(p, PHASE_OFF_NODE, a, b, NO_GPU, NO_GPU,
                        random_bytes());
    }
}

/* Adds dependencies on earlier operations, sometimes of other ranks, as only a
 * simulator can. */
static void random_deps(struct plan *p, uint32_t op)
{
    for (unsigned n = op ? below(4) : 0; n; n--) {
        uint32_t before = below(op);
        if ((p->ops[before].kind == OP_MSG || p->ops[before].kind == OP_COPY) &&
            below(2))
            before |= AFTER_SENT;
        if (p->ops[op].kind == OP_MSG && below(3) == 0)
            plan_posted_after(p, before);
        else
            plan_after(p, before);
    }
}

static void random_plan(struct plan *p, const struct machine *m)
{
    plan_init(p, m, "random", RANKS / PER_NODE, PER_NODE, NULL);
    for (unsigned n = 1 + below(60); n; n--)
        random_deps(p, random_op(p));
}

/* Makes a ring, a pairwise exchange or something between: each rank sends to
 * the one that is `away` from it. */
static void turning_loop(struct loop *l, const struct machine *m, bool at_once)
{
    uint32_t n = 2 + below(RANKS - 1), away = below(n), deps = below(16);
    uint64_t bytes = random_bytes();

    *l = (struct loop){
        .steps = 1 + below(2 * n), .turning = n, .at_once = at_once};
    plan_init(&l->body, m, "turning", RANKS / PER_NODE, PER_NODE, NULL);
    for (uint32_t r = 0; r < n; r++) {
        uint32_t to = (r + away) % n, from = (r + n - away) % n;
        plan_msg(&l->body, PHASE_OFF_NODE, r, to, NO_GPU, NO_GPU, bytes);
        if (at_once)
            continue;
        plan_after_last(&l->body, r | AFTER_SENT);
        if (deps & 1)
            plan_after_last(&l->body, from);
        if (deps & 2)
            plan_after_last(&l->body, to | FOR_RECEIVE);
        if (deps & 4)
            plan_after_last(&l->body, to | FOR_RECEIVE | AFTER_SENT);
    }
}

/* --- the plan of all steps as oracle -------------------------------------- */

static void check_loop(const struct loop *l, const struct machine *m,
                       const struct exec_options *o)
{
    size_t n = loop_ops(l), wrong = 0;
    struct exec_result got, want;
    struct err err = {0};
    struct plan p;

    CHECK(loop_unroll(&p, l, &err) == 0);
    CHECK_EQ(p.nops, n);
    CHECK(exec_plan(&want, m, &p, o, EXEC_TIMES, &err) == 0);
    CHECK(exec_loop(&got, m, l, o, EXEC_TIMES, &err) == 0);
    if (*err.text)
        err_print(&err);
    CHECK(got.time_s == want.time_s);
    for (size_t i = 0; i < n; i++) {
        /* In the plan all wait for the CPU from the beginning. */
        if (l->at_once)
            got.ops[i].ready_s = want.ops[i].ready_s;
        wrong += memcmp(&got.ops[i], &want.ops[i], sizeof *got.ops) != 0;
    }
    CHECK_EQ(wrong, 0);
    CHECK(got.steps.most_ops <= n);
    exec_result_clear(&want);
    exec_result_clear(&got);
    plan_clear(&p);
}

static void random_loops(unsigned n)
{
    for (unsigned i = 0; i < n && !check_failures; i++) {
        const struct exec_options o = {.engine = ENGINE_FLUID,
                                       .accuracy = i % 3 ? 0 : 0.01,
                                       .max_events = UINT64_MAX};
        struct machine m;
        struct loop l;
        struct plan p;
        state = i + 1;
        random_machine(&m);
        random_gpus(&m);
        if (i % 2) {
            turning_loop(&l, &m, i % 4 == 1);
        } else {
            random_plan(&p, &m);
            loop_repeat(&l, &p, 1 + below(8));
            plan_clear(&p);
        }
        check_loop(&l, &m, &o);
        if (check_failures)
            fprintf(stderr, "case %u\n", i);
        loop_clear(&l);
        machine_clear(&m);
    }
}

/* Makes the machine and the plan of a seed. */
static void random_case(struct machine *m, struct plan *p, unsigned seed)
{
    state = seed;
    random_machine(m);
    random_gpus(m);
    random_plan(p, m);
}

/* --- rounds as oracle ----------------------------------------------------- */

static double time_of(const struct machine *m, const struct plan *p)
{
    struct exec_result r;
    struct err err = {0};

    CHECK(exec_plan(&r, m, p, NULL, EXEC_MAKESPAN, &err) == 0);
    if (*err.text)
        err_print(&err);
    double time_s = r.time_s;
    exec_result_clear(&r);
    return time_s;
}

static void repeat_as_rounds(const struct plan *p, const struct machine *m)
{
    uint32_t steps = 1 + below(5);
    struct plan rounds, all;
    struct chain chain;
    struct loop l;
    struct err err = {0};

    loop_repeat(&l, p, 1);
    CHECK(loop_unroll(&rounds, &l, &err) == 0);
    loop_clear(&l);
    chain_init(&chain, &rounds);
    for (uint32_t i = 1; i < steps; i++)
        chain_add(&chain, p);
    chain_clear(&chain);
    loop_repeat(&l, p, steps);
    CHECK(loop_unroll(&all, &l, &err) == 0);
    CHECK_EQ(all.nops, rounds.nops);
    for (size_t i = 0; i < all.nops && i < rounds.nops; i++)
        CHECK(all.ops[i].kind == rounds.ops[i].kind &&
              all.ops[i].src == rounds.ops[i].src &&
              all.ops[i].dst == rounds.ops[i].dst);
    rounds.working_set_B = plan_working_set(p);
    CHECK(time_of(m, &all) == time_of(m, &rounds));
    loop_clear(&l);
    plan_clear(&all);
    plan_clear(&rounds);
}

static void random_rounds(unsigned n)
{
    for (unsigned i = 0; i < n && !check_failures; i++) {
        struct machine m;
        struct plan p;
        random_case(&m, &p, 5000 + i);
        repeat_as_rounds(&p, &m);
        plan_clear(&p);
        machine_clear(&m);
        if (check_failures)
            fprintf(stderr, "case %u\n", i);
    }
}

/* --- all-to-alls ---------------------------------------------------------- */

/* Checks that the messages of alltoall: are those of the all-to-all that is
 * validated, with the same dependencies; its waits come after them. */
static void same_as_collective(bool at_once)
{
    const struct collective c = {.kind = COLLECTIVE_ALLTOALL,
                                 .nodes = 3,
                                 .ranks_per_node = 8,
                                 .bytes = 24000,
                                 .exchange = at_once ? COLLECTIVE_NONBLOCKING
                                                     : COLLECTIVE_PAIRWISE,
                                 .groups = 1};
    struct plan want, got;
    struct machine m;
    struct loop l;
    struct err err = {0};
    uint32_t ranks;

    tiny_machine(&m, 4);
    CHECK(alltoall_workload.loop(
              &l, &ranks, &m,
              at_once ? "alltoall:ranks=24,bytes=1000,exchange=nonblocking"
                      : "alltoall:ranks=24,bytes=1000,exchange=pairwise",
              &err) == 0);
    CHECK(loop_unroll(&got, &l, &err) == 0);
    CHECK(collective_plan(&want, &m, &direct_collective, NULL, &c, &err) == 0);
    CHECK_EQ(ranks, 24);
    CHECK_EQ(got.nops, 24 * 24);
    CHECK_EQ(want.nops, got.nops + (at_once ? 24 : 0));
    CHECK(got.working_set_B == want.working_set_B);
    CHECK(memcmp(got.ops, want.ops, got.nops * sizeof *got.ops) == 0);
    CHECK_EQ(got.ndeps, at_once ? 0 : want.ndeps);
    CHECK(got.ndeps == 0 ||
          memcmp(got.deps, want.deps, got.ndeps * sizeof *got.deps) == 0);
    check_loop(&l, &m, NULL);
    plan_clear(&want);
    plan_clear(&got);
    loop_clear(&l);
    machine_clear(&m);
}

/* Each rank has one message in progress at a time, and few steps are. */
static void room(void)
{
    struct exec_result r;
    struct machine m;
    struct loop l;
    struct err err = {0};
    uint32_t ranks;

    tiny_machine(&m, 4);
    CHECK(alltoall_workload.loop(&l, &ranks, &m,
                                 "alltoall:ranks=256,bytes=1k,"
                                 "exchange=pairwise",
                                 &err) == 0);
    CHECK(exec_loop(&r, &m, &l, NULL, EXEC_MAKESPAN, &err) == 0);
    CHECK(r.steps.most_ops <= 2 * 256);
    CHECK(r.steps.most_steps <= 32);
    exec_result_clear(&r);
    loop_clear(&l);
    machine_clear(&m);
}

/* --- repeated plans ------------------------------------------------------- */

/*
 * Rank 0 sends 1000 B to rank 8 on another node, which takes 2 us, and works
 * for 5 us: its steps begin at 0, 5, 10 us. Rank 8 only receives: its next
 * receive is posted when the last message has arrived, so it is not delayed,
 * and the last one ends 2 us after the last send begins.
 */
static void steps_by_hand(void)
{
    struct exec_result r;
    struct machine m;
    struct loop l;
    struct plan p;
    struct err err = {0};

    tiny_machine(&m, 4);
    plan_init(&p, &m, "hand", 2, 8, NULL);
    uint32_t work = plan_work(&p, 0, 5e-6);
    plan_msg(&p, PHASE_OFF_NODE, 0, 8, NO_GPU, NO_GPU, 1000);
    plan_after(&p, work);
    loop_repeat(&l, &p, 10);
    CHECK_EQ(loop_ops(&l), 10 * 2 + 9 * 2);
    CHECK(exec_loop(&r, &m, &l, NULL, EXEC_MAKESPAN, &err) == 0);
    /* The sender waits, because its buffer is free when the message has
     * arrived. */
    CHECK_NEAR(r.time_s, 10 * 7e-6, 1e-9);
    exec_result_clear(&r);
    loop_clear(&l);
    plan_clear(&p);
    machine_clear(&m);
}

/* --- skipped steps -------------------------------------------------------- */

/* Runs a thousand steps without those that the state shows to be repeated, and
 * all of them, and compares; returns how many were simulated. */
static uint32_t left_out(const struct plan *p, const struct machine *m,
                         double accuracy)
{
    struct exec_options o = {
        .engine = ENGINE_FLUID, .accuracy = accuracy, .max_events = UINT64_MAX};
    struct exec_result few, all;
    struct loop l;
    struct err err = {0};

    loop_repeat(&l, p, 1000);
    CHECK(exec_loop(&few, m, &l, &o, EXEC_LINKS, &err) == 0);
    o.every_step = true;
    CHECK(exec_loop(&all, m, &l, &o, EXEC_LINKS, &err) == 0);
    CHECK_EQ(all.steps.simulated, 1000);
    CHECK(all.steps.period == 0);
    CHECK_NEAR(few.time_s, all.time_s, 1e-9);
    CHECK(few.steps.simulated == 1000 || few.steps.period > 0);
    CHECK_EQ((1000 - few.steps.simulated) %
                 (few.steps.period ? few.steps.period : 1),
             0);
    CHECK_EQ(few.nlinks, all.nlinks);
    for (size_t i = 0; i < few.nlinks && few.nlinks == all.nlinks; i++)
        if (!strcmp(few.links[i].name, all.links[i].name))
            CHECK_NEAR(few.links[i].bytes, all.links[i].bytes, 1e-9);
    uint32_t simulated = few.steps.simulated;
    exec_result_clear(&few);
    exec_result_clear(&all);
    loop_clear(&l);
    return simulated;
}

static void random_repeats(unsigned n)
{
    unsigned soon = 0, never = 0;

    for (unsigned i = 0; i < n && !check_failures; i++) {
        struct machine m;
        struct plan p;
        random_case(&m, &p, 1000 + i);
        uint32_t simulated = left_out(&p, &m, i % 3 ? 0 : 0.01);
        soon += simulated <= 100;
        never += simulated == 1000;
        plan_clear(&p);
        machine_clear(&m);
        if (check_failures)
            fprintf(stderr, "case %u\n", i);
    }
    printf("of %u random plans %u repeat soon, %u are simulated whole\n", n,
           soon, never);
    CHECK(soon >= n / 4);
    CHECK(never > 0);
}

/* Rank 0 runs ahead, and no state repeats, because it sends and never
 * receives. */
static void runs_ahead(void)
{
    struct exec_options whole = exec_defaults;
    struct exec_result r;
    struct err err = {0};
    struct machine m;
    struct plan p;
    struct loop l;

    tiny_machine(&m, 4);
    m.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments[0].protocol =
        PROTOCOL_EAGER;
    plan_init(&p, &m, "ahead", 2, 8, NULL);
    plan_msg(&p, PHASE_OFF_NODE, 0, 8, NO_GPU, NO_GPU, 8);
    uint32_t last = plan_work(&p, 8, 5e-5);
    CHECK_EQ(p.ops[last].src, 8);
    CHECK_EQ(left_out(&p, &m, 0), 1000);
    /* Hundreds of steps have begun but not ended, and each has its own
     * state. */
    loop_repeat(&l, &p, 1000);
    check_loop(&l, &m, NULL);
    whole.every_step = true;
    CHECK(exec_loop(&r, &m, &l, &whole, EXEC_MAKESPAN, &err) == 0);
    CHECK(r.steps.most_steps > 500);
    exec_result_clear(&r);
    loop_clear(&l);
    plan_clear(&p);
    machine_clear(&m);
}

/* --- differences from step to step ---------------------------------------- */

static void carry_more(const void *arg, struct plan *p, uint32_t step,
                       uint32_t i)
{
    CHECK_EQ(*(const int *)arg, 7);
    p->ops[p->nops - 1].bytes = 10 * step + i;
    plan_piece(p, (struct piece){step, i, 1});
}

/* In the plan of all steps operations carry the bytes that the loop gives,
 * although the body has none. */
static void carries(void)
{
    struct loop l = {.steps = 3, .carry = carry_more};
    struct machine m;
    struct plan p;
    struct err err;

    tiny_machine(&m, 2);
    *(int *)(l.arg = xcalloc(1, sizeof(int))) = 7;
    plan_init(&l.body, &m, "carries", 1, 2, NULL);
    plan_msg(&l.body, PHASE_ON_NODE, 0, 1, NO_GPU, NO_GPU, 5);
    plan_msg(&l.body, PHASE_ON_NODE, 1, 0, NO_GPU, NO_GPU, 5);
    CHECK(loop_unroll(&p, &l, &err) == 0);
    CHECK_EQ(p.nops, 6);
    for (uint32_t i = 0; i < p.nops; i++) {
        CHECK_EQ(p.ops[i].bytes, 10 * (i / 2) + i % 2);
        CHECK_EQ(plan_npieces(&p, i), 1);
        CHECK_EQ(p.pieces[plan_first_piece(&p, i)].class_id, i / 2);
    }
    plan_clear(&p);
    loop_clear(&l);
    machine_clear(&m);
}

/* Messages that turn between two ranks, and n operations of work that wait for
 * the first one, in the same step or (last) in the next. */
static void turning_waiters(struct loop *l, const struct machine *m, uint32_t n,
                            bool last)
{
    *l = (struct loop){.steps = 3, .turning = 2};
    plan_init(&l->body, m, "waiters", 2, 8, NULL);
    plan_msg(&l->body, PHASE_OFF_NODE, 0, 8, NO_GPU, NO_GPU, 1000);
    plan_msg(&l->body, PHASE_OFF_NODE, 8, 0, NO_GPU, NO_GPU, 1000);
    for (uint32_t i = 0; i < n; i++) {
        plan_work(&l->body, 8, 1e-6);
        if (last)
            plan_after_last(&l->body, 0);
        else
            plan_after(&l->body, 0);
    }
}

/* As many as the list of exec_loop() has room for, and one more. */
static void most_waiters(void)
{
    struct machine m;
    struct loop l;
    struct err err = {0};

    tiny_machine(&m, 4);
    for (int last = 0; last < 2; last++) {
        turning_waiters(&l, &m, LOOP_MOST_WAITERS, last);
        CHECK(loop_check(&l, &m, &err) == 0);
        loop_clear(&l);
        turning_waiters(&l, &m, LOOP_MOST_WAITERS + 1, last);
        CHECK(loop_check(&l, &m, &err) < 0);
        CHECK_HAS(err.text, "waiters: 17 operations wait for one whose");
        loop_clear(&l);
    }
    machine_clear(&m);
}

/* SimGrid runs in another process, which passes on the counts as well. */
static void counts_of_engines(void)
{
    static const enum engine_kind kinds[] = {ENGINE_FLUID, ENGINE_SIMGRID};
    struct exec_options o = exec_defaults;
    struct exec_result r;
    struct machine m;
    struct plan p;
    struct err err;

    tiny_machine(&m, 4);
    plan_init(&p, &m, "counts", 2, 8, NULL);
    for (uint32_t i = 0; i < 5; i++)
        plan_msg(&p, PHASE_OFF_NODE, i, 8 + i, NO_GPU, NO_GPU, 100);
    for (int i = 0; i < 2; i++) {
        o.engine = kinds[i];
        CHECK(exec_plan(&r, &m, &p, &o, EXEC_MAKESPAN, &err) == 0);
        CHECK_EQ(r.steps.simulated, 1);
        CHECK_EQ(r.steps.simulated_ops, 5);
        CHECK_EQ(r.steps.most_ops, 5);
        exec_result_clear(&r);
    }
    plan_clear(&p);
    machine_clear(&m);
}

int main(void)
{
    counts_of_engines();
    most_waiters();
    carries();
    same_as_collective(false);
    same_as_collective(true);
    room();
    steps_by_hand();
    runs_ahead();
    random_repeats(50);
    random_loops(600);
    random_rounds(200);
    return check_result();
}
