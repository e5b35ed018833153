/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages and receives that are drawn to be matched: the draw, and the plan of
 * the workload match:, which must end even if some remain unmatched. */
#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "tests/check.h"
#include "workloads/match_draw.h"
#include "workloads/workload.h"

#include <stdlib.h>

enum { N = 333 };

/* Returns an FNV-1a hash of all that was drawn. */
static uint64_t digest(const struct match_envelope *messages,
                       const struct match_envelope *receives)
{
    uint64_t h = 0;

    for (int i = 0; i < N; i++)
        h = (h ^ messages[i].src ^ (uint64_t)messages[i].tag << 20 ^
             (uint64_t)receives[i].src << 40 ^ receives[i].tag) *
            0x100000001b3u;
    return h;
}

static unsigned most_frequent(const struct match_envelope *e)
{
    unsigned most = 0;

    for (int i = 0; i < N; i++) {
        unsigned same = 0;
        for (int k = 0; k < N; k++)
            same += e[i].src == e[k].src && e[i].tag == e[k].tag;
        most = same > most ? same : most;
    }
    return most;
}

static void test_draw(void)
{
    struct match_envelope messages[N], receives[N];
    struct match_draw d = {
        .length = N, .ranks = 7, .tags = 100, .wild = 83, .lost = 33};

    /* This is the draw of the benchmark whose measurements are kept. */
    match_draw_fill(messages, receives, &d);
    CHECK(digest(messages, receives) == 0x333c5e99a4effdd8u);

    d = (struct match_draw){
        .length = N, .ranks = 7, .tags = 65536, .order = MATCH_ORDER_SAME};
    match_draw_fill(messages, receives, &d);
    CHECK(!memcmp(messages, receives, sizeof messages));
    CHECK_EQ(most_frequent(messages), 1);
    d.order = MATCH_ORDER_BACK;
    match_draw_fill(messages, receives, &d);
    for (int i = 0; i < N; i++)
        CHECK(!memcmp(&messages[i], &receives[N - 1 - i], sizeof *messages));
    uint64_t before = digest(messages, receives);
    d.seed = 1;
    match_draw_fill(messages, receives, &d);
    CHECK(digest(messages, receives) != before);
    d.equal = 100;
    match_draw_fill(messages, receives, &d);
    CHECK_EQ(most_frequent(messages), 100);
}

/* Every send has a receive, and with `late` none was posted before. */
static void test_plan(const char *words, uint32_t ranks, size_t sends)
{
    const struct exec_options how = exec_defaults;
    struct exec_result r;
    struct machine m;
    struct plan p;
    struct err err = {0};
    uint32_t got;
    size_t n = 0;

    if (platform_load(&m, "dgx-h100", NULL, 0, &err) < 0 ||
        match_workload.messages(&p, &got, &m, words, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        CHECK(!"made");
        return;
    }
    CHECK_EQ(got, ranks);
    CHECK_EQ(exec_plan(&r, &m, &p, &how, EXEC_TIMES, &err), 0);
    for (size_t i = 0; i < p.nops; i++) {
        n += p.ops[i].kind == OP_SEND;
        if (p.ops[i].kind == OP_SEND || p.ops[i].kind == OP_RECV)
            CHECK(r.partner[i] != NO_OP);
    }
    CHECK_EQ(n, sends);
    exec_result_clear(&r);
    plan_clear(&p);
    machine_clear(&m);
}

static void test_refused(const char *words, const char *why)
{
    struct machine m;
    struct plan p;
    struct err err = {0};
    uint32_t ranks;

    CHECK_EQ(platform_load(&m, "dgx-h100", NULL, 0, &err), 0);
    CHECK_EQ(match_workload.messages(&p, &ranks, &m, words, &err), -1);
    CHECK_HAS(err.text, why);
    CHECK_HAS(err.text, words);
    machine_clear(&m);
}

int main(void)
{
    test_draw();
    test_plan("match:length=10", 11, 10);
    test_plan("match:length=100,peers=5,order=reversed", 6, 100);
    test_plan("match:length=200,matched=0.5,receives_us=30", 33, 300);
    test_plan("match:length=200,wildcards=0.3", 33, 200);
    for (int seed = 0; seed < 10; seed++) {
        char words[120];
        snprintf(words, sizeof words,
                 "match:length=150,peers=4,tags=3,matched=0.6,wildcards=0.3,"
                 "unique=0.9,receives_us=%d,seed=%d",
                 seed % 2 * 20, seed);
        test_plan(words, 5, 210);
    }
    test_refused("match:peers=3", "length: expected length=NUMBER");
    test_refused("match:length=5,order=odd",
                 "order: expected one of random, same, reversed, got 'odd'");
    test_refused("match:length=5,peers=6", "peers of at most the length");
    test_refused("match:length=5,matched=0.2,wildcards=0.5",
                 "at most all together");
    return check_result();
}
