/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces whose phases a strategy exchanges, as plans that run: which messages
 * belong to a phase, and which ranks wait for each other. */
#include "apps/replay/replay.h"

#include "base/random.h"
#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "tests/check.h"
#include "tests/trace_words.h"

#include <stdarg.h>
#include <stdio.h>

enum { RANKS = 12, EACH = 4, ROOM = 65536 };

static struct machine machine;

struct run {
    struct trace_phases phases;
    struct plan plan;
    struct exec_result x;
    bool ran;
};

static void run_clear(struct run *r)
{
    if (r->ran)
        exec_result_clear(&r->x);
    plan_clear(&r->plan);
    trace_phases_clear(&r->phases);
}

/* Runs the trace with a strategy, or as given if it is NULL. */
static struct run run(uint32_t ranks, const char *const *texts,
                      const struct strategy *strategy, bool all_in_gpus)
{
    struct run r = {0};
    struct trace t;
    struct plan shape;
    struct err err = {0};

    words_open(&t, ranks, texts);
    CHECK_EQ(trace_phases_find(&r.phases, &t, &err), 0);
    const struct replay_options o = {
        .compute_scale = 1,
        .flops = 1e9,
        .all_in_gpus = all_in_gpus,
        .strategy = strategy,
        .phases = &r.phases,
        .exchange = {.pack = true, .contiguous = true}};
    plan_init(&shape, &machine, "words", (ranks + EACH - 1) / EACH, EACH, NULL);
    int result = replay_plan(&r.plan, &machine, &t, &shape, &o, &err);
    CHECK_EQ(result, 0);
    if (result == 0) {
        result = exec_plan(&r.x, &machine, &r.plan, NULL, EXEC_DETAILS, &err);
        CHECK_EQ(result, 0);
        r.ran = result == 0;
    }
    if (result < 0)
        fprintf(stderr, "%s: %s\n", strategy ? strategy->name : "as given",
                err.text);
    plan_clear(&shape);
    trace_close(&t);
    return r;
}

static size_t count(const struct run *r, enum op_kind kind)
{
    size_t n = 0;

    for (size_t i = 0; i < r->plan.nops; i++)
        n += r->plan.ops[i].kind == kind;
    return n;
}

static double end_of(const struct run *r, uint32_t rank)
{
    double end_s = 0;

    for (size_t i = 0; r->ran && i < r->plan.nops; i++)
        if (r->plan.ops[i].src == rank && r->x.ops[i].end_s > end_s)
            end_s = r->x.ops[i].end_s;
    return end_s;
}

static bool applies(const struct strategy *s, bool all_in_gpus)
{
    return s != &split_dd_strategy && (all_in_gpus || !s->device_aware);
}

/* Rank 0 computes for 1 ms before it begins: ranks that wait for it are late,
 * and rank 3, which does not, is not. Operations outside the phase stay. */
static void test_late(void)
{
    static char slow[4096] = "", *const text = slow;
    for (int i = 0; i < 1000; i++)
        strcat(text, "c ");
    strcat(text, "s1 s5 r1 r5 w S2");
    const char *const texts[] = {text,   "s0 r0 w", "R0",
                                 "c S4", "R3",      "r0 s0 w c"};
    struct run r = run(6, texts, &three_step_staged_strategy, false);

    CHECK_EQ(r.phases.n, 1);
    CHECK_EQ(count(&r, OP_SEND), 2);
    CHECK_EQ(count(&r, OP_RECV), 2);
    CHECK(count(&r, OP_MSG) >= 4);
    for (uint32_t rank = 0; rank < 6; rank++)
        CHECK_EQ(end_of(&r, rank) > 1e-3, rank != 3 && rank != 4);
    CHECK(end_of(&r, 3) < 1e-4);
    run_clear(&r);
}

/* A rank computes between begin and wait, at the same time. */
static void test_overlap(void)
{
    static char both[8192] = "s4:1000000 r4:1000000 ", half[8192] = "";
    for (int i = 0; i < 1000; i++)
        strcat(both, "c ");
    strcpy(half, both);
    strcat(both, "w c");
    strcat(half, "w");
    const char *const texts[] = {both, "", "", "", "s0:1000000 r0:1000000 w"};
    for (size_t i = 0; i < nstrategies; i++) {
        if (!applies(strategies[i], false))
            continue;
        struct run r = run(5, texts, strategies[i], false);
        CHECK_NEAR(end_of(&r, 0), 1.001e-3, 0.05);
        run_clear(&r);
    }
}

/* A phase that would be a cycle is given up: it runs as given, and ends. */
static void test_circle(void)
{
    static const char *const texts[] = {"s4:1000000 w S1.9", "R0.9 s4 w", "",
                                        "", "r0:1000000 r1 w"};

    for (size_t i = 0; i < nstrategies; i++) {
        if (!applies(strategies[i], false))
            continue;
        struct run r = run(5, texts, strategies[i], false);
        CHECK_EQ(r.phases.n, 0);
        CHECK_EQ(count(&r, OP_SEND), 3);
        run_clear(&r);
    }
}

/* --- drawn ---------------------------------------------------------------- */

static void say(char *text, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text + used, ROOM - used, format, args);
    va_end(args);
}

/* Draws one exchange, followed by a barrier, a blocking message or nothing. */
static void draw_step(char *const *texts, uint64_t *seed)
{
    bool sends[RANKS][RANKS];

    for (int a = 0; a < RANKS; a++)
        for (int b = 0; b < RANKS; b++)
            sends[a][b] = !random_below(seed, 4);
    for (int r = 0; r < RANKS; r++) {
        if (random_below(seed, 2))
            say(texts[r], "c ");
        for (int o = 0; o < RANKS; o++) {
            if (sends[r][o])
                say(texts[r], "s%d:%d ", o, (r * 7 + o) % 5 * 2000);
            if (sends[o][r])
                say(texts[r], "r%d:%d ", o, (o * 7 + r) % 5 * 2000);
        }
        say(texts[r], random_below(seed, 2) ? "w " : "w1 c w ");
    }
    switch (random_below(seed, 3)) {
    case 0:
        for (int r = 0; r < RANKS; r++)
            say(texts[r], "b ");
        break;
    case 1:
        say(texts[2], "S9:100000 ");
        say(texts[9], "R2:100000 ");
        break;
    default:
        break;
    }
}

static void check_drawn(const char *const *texts, bool all_in_gpus)
{
    struct run given = run(RANKS, texts, NULL, all_in_gpus);
    uint64_t waits = given.phases.messages - given.phases.in_messages;

    CHECK_EQ(count(&given, OP_SEND), given.phases.messages);
    for (size_t i = 0; i < nstrategies; i++) {
        if (!applies(strategies[i], all_in_gpus))
            continue;
        struct run r = run(RANKS, texts, strategies[i], all_in_gpus);
        CHECK_EQ(r.phases.n, given.phases.n);
        CHECK_EQ(count(&r, OP_SEND), waits);
        CHECK(r.ran && r.x.time_s > 0);
        run_clear(&r);
    }
    run_clear(&given);
}

static void test_drawn(void)
{
    uint64_t seed = 11;

    for (int i = 0; i < 30; i++) {
        char *texts[RANKS];
        for (int r = 0; r < RANKS; r++)
            texts[r] = xcalloc(ROOM, 1);
        for (int k = 0; k < 4; k++)
            draw_step(texts, &seed);
        check_drawn((const char *const *)texts, i % 2);
        for (int r = 0; r < RANKS; r++)
            free(texts[r]);
    }
}

int main(void)
{
    struct err err;

    if (platform_load(&machine, "lassen", NULL, 0, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    test_late();
    test_overlap();
    test_circle();
    test_drawn();
    machine_clear(&machine);
    return check_result();
}
