/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Halo-like phases of traces: found by hand, and in drawn halos compared with
 * the draw. */
#include "base/random.h"
#include "tests/check.h"
#include "tests/trace_words.h"
#include "workloads/trace/phases.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static struct trace_phases find(uint32_t ranks, const char *const *texts)
{
    struct trace_phases p = {0};
    struct trace t;
    struct err err;

    words_open(&t, ranks, texts);
    int result = trace_phases_find(&p, &t, &err);
    CHECK_EQ(result, 0);
    trace_close(&t);
    return p;
}

static void check_volume(const struct trace_phase *p, size_t i,
                         struct phase_volume want)
{
    CHECK(i < p->nvolumes);
    if (i >= p->nvolumes)
        return;
    CHECK_EQ(p->volumes[i].src, want.src);
    CHECK_EQ(p->volumes[i].dst, want.dst);
    CHECK_EQ(p->volumes[i].messages, want.messages);
    CHECK_EQ(p->volumes[i].empty, want.empty);
    CHECK_EQ(p->volumes[i].bytes, want.bytes);
}

static void check_batch(const struct trace_phases *p, uint32_t rank,
                        uint32_t nth, struct trace_batch want)
{
    size_t i = p->first_batch[rank] + nth;

    CHECK(i < p->first_batch[rank + 1]);
    if (i >= p->first_batch[rank + 1])
        return;
    CHECK_EQ(p->batches[i].phase, want.phase);
    CHECK_EQ(p->batches[i].first, want.first);
    CHECK_EQ(p->batches[i].begin, want.begin);
    CHECK_EQ(p->batches[i].wait, want.wait);
    CHECK_EQ(p->batches[i].end, want.end);
}

/* There are three ranks in a row, as in FD4: sends, receives, one wait; the
 * middle one computes between and has two messages for rank 2, one empty. */
static void test_row(void)
{
    static const char *const texts[] = {"c s1.7:100 r1.7:200 w c",
                                        "q s0.7:60 s2.7:70 c s2.8:0 r0.7:100 "
                                        "r2.7:50 w",
                                        "r1.7:70 r1.8:0 s1.7:50 c w"};
    struct trace_phases p = find(3, texts);

    CHECK_EQ(p.n, 1);
    CHECK_EQ(p.messages, 5);
    CHECK_EQ(p.in_messages, 5);
    CHECK_EQ(p.bytes, 280);
    CHECK_EQ(p.in_bytes, 280);
    CHECK_EQ(p.phases[0].nranks, 3);
    CHECK_EQ(p.phases[0].nvolumes, 4);
    check_volume(&p.phases[0], 0, (struct phase_volume){0, 1, 1, 0, 100});
    check_volume(&p.phases[0], 1, (struct phase_volume){1, 0, 1, 0, 60});
    check_volume(&p.phases[0], 2, (struct phase_volume){1, 2, 2, 1, 70});
    check_volume(&p.phases[0], 3, (struct phase_volume){2, 1, 1, 0, 50});
    check_batch(&p, 0, 0, (struct trace_batch){0, 1, 2, 3, 3});
    check_batch(&p, 1, 0, (struct trace_batch){0, 1, 6, 7, 7});
    check_batch(&p, 2, 0, (struct trace_batch){0, 0, 2, 4, 4});
    CHECK_EQ(p.left[IN_PHASE], 3);
    trace_phases_clear(&p);
}

/* A sequence of waits is one wait, even with queries between. */
static void test_row_of_waits(void)
{
    static const char *const texts[] = {"s1:5 r1:5 w1 q w1", "r0:5 s0:5 w c"};
    struct trace_phases p = find(2, texts);

    CHECK_EQ(p.n, 1);
    check_batch(&p, 0, 0, (struct trace_batch){0, 0, 1, 2, 4});
    trace_phases_clear(&p);
}

/* A wait for nothing ends no batch, and is not its first wait. */
static void test_wait_for_nothing(void)
{
    static const char *const texts[] = {"s1:5 w0 r1:5 w0 c w w",
                                        "w0 r0:5 s0:5 w0 c w"};
    struct trace_phases p = find(2, texts);

    CHECK_EQ(p.n, 1);
    check_batch(&p, 0, 0, (struct trace_batch){0, 0, 2, 5, 5});
    check_batch(&p, 1, 0, (struct trace_batch){0, 1, 2, 5, 5});
    trace_phases_clear(&p);
}

/* With MPI_Irecv, MPI_Send, MPI_Waitall, a send that blocks begins a batch that
 * the rank waits for later. */
static void test_blocking_sends(void)
{
    static const char *const texts[] = {"c r1:5 r2:6 S1:7 c S2:8 c w c",
                                        "r0:7 S0:5 w", "r0:8 s0:6 w"};
    struct trace_phases p = find(3, texts);

    CHECK_EQ(p.n, 1);
    CHECK_EQ(p.in_messages, 4);
    CHECK_EQ(p.in_bytes, 26);
    check_batch(&p, 0, 0, (struct trace_batch){0, 1, 5, 7, 7});
    check_batch(&p, 1, 0, (struct trace_batch){0, 0, 1, 2, 2});
    check_volume(&p.phases[0], 0, (struct phase_volume){0, 1, 1, 0, 7});
    check_volume(&p.phases[0], 3, (struct phase_volume){2, 0, 1, 0, 6});
    trace_phases_clear(&p);
    /* Messages after a barrier are another phase. */
    static const char *const twice[] = {"r1 S1 w b r1 S1 w",
                                        "r0 S0 w b r0 S0 w"};
    p = find(2, twice);
    CHECK_EQ(p.n, 2);
    trace_phases_clear(&p);
}

static void check_none(uint32_t ranks, const char *const *texts,
                       enum no_phase why, size_t batches)
{
    struct trace_phases p = find(ranks, texts);

    CHECK_EQ(p.n, 0);
    CHECK_EQ(p.in_messages, 0);
    CHECK_EQ(p.left[why], batches);
    CHECK_EQ(p.first_batch[ranks], 0);
    trace_phases_clear(&p);
}

static void test_none(void)
{
    /* The first send blocks, and no batch is open that it could join. */
    static const char *const blocking[] = {"S1 r1 w", "S0 r0 w"};
    check_none(2, blocking, OTHER_END, 2);
    static const char *const received[] = {"r1 S1 w", "R0 S0"};
    check_none(2, received, OTHER_END, 1);
    /* Rank 0 sends again after it has waited for the first. */
    static const char *const again[] = {"r1 r1 w1 S1 w", "r0 s0 s0 w"};
    check_none(2, again, OTHER_END, 1);
    static const char *const other_end[] = {"s1 r1 w", "S0 R0"};
    check_none(2, other_end, OTHER_END, 1);
    /* The trace is cut off before rank 1 sends. */
    static const char *const cut[] = {"s1 r1 w", "r0 w"};
    check_none(2, cut, OTHER_END, 2);
    static const char *const anyone[] = {"s1 s1 r1 w", "r0 r0 s0 w r*"};
    check_none(2, anyone, WITH_WILDCARD, 2);
    static const char *const lone[] = {"s1 w", "r0 w"};
    check_none(2, lone, LONE_MESSAGE, 2);
    static const char *const too_long[] = {"s1:9 r1 w", "r0:8 s0 w"};
    check_none(2, too_long, TOO_LONG, 2);
    /* Rank 1 waits for each, rank 0 for both. */
    static const char *const several[] = {"s1.1 s1.2 r1.1 r1.2 w",
                                          "s0.1 r0.1 w s0.2 r0.2 w"};
    check_none(2, several, SEVERAL, 3);
    /* A barrier is between begin and end. */
    static const char *const barrier[] = {"s1 r1 b w", "s0 r0 b w"};
    check_none(2, barrier, OTHER_END, 0);
    /* Another operation begins before all are waited for. */
    static const char *const early[] = {"s1 r1 w1 s1 w", "s0 r0 r0 w"};
    check_none(2, early, OTHER_END, 1);
}

/* An earlier request is waited for together with a batch. */
static void test_stray(void)
{
    static const char *const texts[] = {"r1.9 b s1 r1 w", "b s0 r0 w S0.9"};

    check_none(2, texts, OTHER_END, 1);
}

/* One of four ranks has no part in the first, another none in the second. */
static void test_without_batch(void)
{
    static const char *const texts[] = {
        "s1:1 s2:1 r1:2 r2:3 w s3:7 r3:8 w", "s0:2 r0:1 w s3:9 r3:10 w",
        "s0:3 r0:1 w", "s0:8 s1:10 r0:7 r1:9 w"};
    struct trace_phases p = find(4, texts);

    CHECK_EQ(p.n, 2);
    CHECK_EQ(p.phases[0].nranks, 3);
    CHECK_EQ(p.phases[1].nranks, 3);
    CHECK_EQ(p.phases[0].bytes, 7);
    CHECK_EQ(p.phases[1].bytes, 34);
    CHECK_EQ(p.phases[1].ranks[2], 3);
    check_batch(&p, 3, 0, (struct trace_batch){1, 0, 3, 4, 4});
    trace_phases_clear(&p);
}

/* Two exchanges have equal peers and tags, and rank 0 begins the second when
 * rank 1 has not finished the first: messages of a pair keep their order. */
static void test_two_in_flight(void)
{
    static const char *const texts[] = {"s1:1 s1:2 r1:3 w s1:4 s1:5 r1:6 w",
                                        "r0:1 r0:2 s0:3 w r0:4 r0:5 s0:6 w"};
    struct trace_phases p = find(2, texts);

    CHECK_EQ(p.n, 2);
    check_volume(&p.phases[0], 0, (struct phase_volume){0, 1, 2, 0, 3});
    check_volume(&p.phases[1], 0, (struct phase_volume){0, 1, 2, 0, 9});
    trace_phases_clear(&p);
    /* Both begin them together, and wait for one after the other. */
    static const char *const at_once[] = {"s1.1 r1.1 s1.2 r1.2 w1 w1 w1 w1",
                                          "s0.1 r0.1 s0.2 r0.2 w"};
    p = find(2, at_once);
    CHECK_EQ(p.n, 1);
    CHECK_EQ(p.phases[0].messages, 4);
    check_batch(&p, 0, 0, (struct trace_batch){0, 0, 3, 4, 7});
    trace_phases_clear(&p);
}

/*
 * Ranks 0 and 1 send to 2, but 1 only after it has received a later message of
 * 0: if 0's message waited for 1's, 0 would wait for itself.
 */
static void test_circle(void)
{
    static const char *const texts[] = {"s2 w S1.9", "R0.9 s2 w", "r0 r1 w"};

    check_none(3, texts, IN_CIRCLE, 3);
    /* Two phases have messages that some ranks send in one order and some in
     * the other. */
    static const char *const two[] = {"s1.1 s3.1 w s2.2 s3.2 w", "r0.1 r2.1 w",
                                      "r0.2 r3.2 w s1.1 w",
                                      "r0.1 w r0.2 s2.2 w"};
    struct trace_phases p = find(4, two);
    CHECK_EQ(p.left[IN_CIRCLE], 4);
    CHECK_EQ(p.left[IN_PHASE], 3);
    CHECK_EQ(p.n, 1);
    CHECK_EQ(p.phases[0].nranks, 3);
    trace_phases_clear(&p);
}

/* Sends that complete only by buffering are no cycle of phases. */
static void test_eager(void)
{
    static const char *const texts[] = {"S1 R1 s1 r1 w", "S0 R0 s0 r0 w"};
    struct trace_phases p = find(2, texts);

    CHECK_EQ(p.n, 1);
    trace_phases_clear(&p);
}

static void test_to_itself(void)
{
    static const char *const texts[] = {"s0:4 r0:4 s1:2 r1:3 w", "r0:2 s0:3 w"};
    struct trace_phases p = find(2, texts);

    CHECK_EQ(p.n, 1);
    check_volume(&p.phases[0], 0, (struct phase_volume){0, 0, 1, 0, 4});
    trace_phases_clear(&p);
}

/* --- drawn halos ---------------------------------------------------------- */

enum { RANKS = 12, STEPS = 4, ROOM = 65536 };

struct drawn {
    uint64_t bytes[STEPS][RANKS][RANKS];
    char *texts[RANKS];
};

static void say(char *text, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text + used, ROOM - used, format, args);
    va_end(args);
}

/* Draws two messages for each pair; some ranks receive first. */
static void draw(struct drawn *d, uint64_t *seed)
{
    for (int r = 0; r < RANKS; r++)
        d->texts[r] = xcalloc(ROOM, 1);
    for (int k = 0; k < STEPS; k++) {
        for (int a = 0; a < RANKS; a++)
            for (int b = 0; b < RANKS; b++)
                d->bytes[k][a][b] = next_random(seed) % 8 == 0 && a != b
                                        ? 1 + next_random(seed) % 1000
                                        : 0;
        for (int r = 0; r < RANKS; r++) {
            bool any = false, late = next_random(seed) % 2;
            for (int pass = 0; pass < 2; pass++)
                for (int o = 0; o < RANKS; o++) {
                    bool sends = (pass == 1) == late;
                    uint64_t B = sends ? d->bytes[k][r][o] : d->bytes[k][o][r];
                    any |= B > 0;
                    if (B)
                        say(d->texts[r], "%c%d:%d %c%d:%llu ",
                            sends ? 's' : 'r', o, 0, sends ? 's' : 'r', o,
                            (unsigned long long)B);
                }
            if (any)
                say(d->texts[r], next_random(seed) % 2 ? "w c " : "w1 w ");
        }
        if (next_random(seed) % 2)
            for (int r = 0; r < RANKS; r++)
                say(d->texts[r], "b ");
    }
}

/* Labels ranks that exchange with each other in a step by the lowest of
 * them. */
static void label(int *of, uint64_t bytes[RANKS][RANKS])
{
    for (int r = 0; r < RANKS; r++)
        of[r] = r;
    for (int round = 0; round < RANKS; round++)
        for (int a = 0; a < RANKS; a++)
            for (int b = 0; b < RANKS; b++)
                if (bytes[a][b])
                    of[a] = of[b] = of[a] < of[b] ? of[a] : of[b];
}

static void check_drawn(const struct drawn *d, const struct trace_phases *p)
{
    uint64_t want[RANKS][RANKS] = {{0}}, got[RANKS][RANKS] = {{0}};
    uint32_t phases = 0;
    size_t batches = 0;

    for (int k = 0; k < STEPS; k++) {
        int of[RANKS];
        label(of, (uint64_t(*)[RANKS])d->bytes[k]);
        for (int a = 0; a < RANKS; a++) {
            int members = 0;
            for (int b = 0; b < RANKS; b++) {
                want[a][b] += d->bytes[k][a][b];
                members += of[b] == a;
            }
            phases += members > 1;
            batches += members > 1 ? (size_t)members : 0;
        }
    }
    CHECK_EQ(p->n, phases);
    CHECK_EQ(p->first_batch[RANKS], batches);
    for (uint32_t i = 0; i < p->n; i++)
        for (size_t v = 0; v < p->phases[i].nvolumes; v++) {
            const struct phase_volume *x = &p->phases[i].volumes[v];
            got[x->src][x->dst] += x->bytes;
            CHECK_EQ(x->messages, 2);
            CHECK_EQ(x->empty, 1);
        }
    CHECK(!memcmp(want, got, sizeof want));
}

static void test_drawn(void)
{
    uint64_t seed = 7;

    for (int i = 0; i < 200; i++) {
        struct drawn d;
        draw(&d, &seed);
        struct trace_phases p = find(RANKS, (const char *const *)d.texts);
        check_drawn(&d, &p);
        trace_phases_clear(&p);
        for (int r = 0; r < RANKS; r++)
            free(d.texts[r]);
    }
}

/* --- arbitrary traces ----------------------------------------------------- */

static bool in_batch(const struct trace_phases *p, uint32_t rank, uint64_t at)
{
    for (size_t i = p->first_batch[rank]; i < p->first_batch[rank + 1]; i++)
        if (at >= p->batches[i].first && at <= p->batches[i].begin)
            return true;
    return false;
}

/* Checks that a rank has one batch of a phase, that the batches of a rank
 * follow each other, and that phases have exactly the messages that begin in
 * batches. */
static void check_sound(const struct trace_phases *p, struct trace *t)
{
    uint64_t sent = 0;

    for (uint32_t r = 0; r < p->ranks; r++) {
        uint64_t before = 0, at = 0;
        struct trace_event e;
        struct err err;
        for (size_t i = p->first_batch[r]; i < p->first_batch[r + 1]; i++) {
            const struct trace_batch *b = &p->batches[i];
            CHECK(b->first >= before && b->begin >= b->first &&
                  b->wait > b->begin && b->end >= b->wait);
            before = b->end + 1;
            for (size_t k = p->first_batch[r]; k < i; k++)
                CHECK(p->batches[k].phase != b->phase);
        }
        CHECK_EQ(trace_rewind(t, r, &err), 0);
        for (; trace_next(t, r, &e, &err) > 0; at++)
            if (e.call == TRACE_SEND && in_batch(p, r, at))
                sent++;
    }
    CHECK_EQ(sent, p->in_messages);
    for (uint32_t i = 0; i < p->n; i++)
        for (size_t v = 0; v < p->phases[i].nvolumes; v++) {
            bool src = false, dst = false;
            for (uint32_t k = 0; k < p->phases[i].nranks; k++) {
                src |= p->phases[i].ranks[k] == p->phases[i].volumes[v].src;
                dst |= p->phases[i].ranks[k] == p->phases[i].volumes[v].dst;
            }
            CHECK(src && dst);
        }
}

/* Draws a word of a rank, of a pair of ranks, or both ends of a message. */
static void draw_word(char *const *texts, uint64_t *seed, bool any)
{
    static const char words[] = "srsrwwwwbSRcq";
    char kind = words[random_below(seed, any ? 13 : 8)];
    int a = (int)random_below(seed, 4), b = (int)random_below(seed, 4);
    int tag = (int)random_below(seed, 2);

    if (!strchr("srSR", kind)) {
        say(texts[a], kind == 'w' && tag ? "w1 " : "%c ", kind);
    } else if (random_below(seed, 20)) {
        say(texts[a], "s%d.%d ", b, tag);
        say(texts[b], "r%d.%d ", a, tag);
    } else if (random_below(seed, 3)) {
        say(texts[a], "%c%d.%d ", kind, b, tag);
    } else {
        say(texts[a], "r* ");
    }
}

/* Ranks do anything, matched or not, deadlocked or not. */
static void test_anything(void)
{
    uint64_t seed = 5;
    size_t found = 0;

    for (int i = 0; i < 3000; i++) {
        char *texts[4];
        for (int r = 0; r < 4; r++)
            texts[r] = xcalloc(ROOM, 1);
        for (int n = (int)random_below(&seed, 60); n > 0; n--)
            draw_word(texts, &seed, i % 2);
        struct trace_phases p;
        struct trace t;
        struct err err;
        words_open(&t, 4, (const char *const *)texts);
        CHECK_EQ(trace_phases_find(&p, &t, &err), 0);
        check_sound(&p, &t);
        found += p.n;
        trace_phases_clear(&p);
        trace_close(&t);
        for (int r = 0; r < 4; r++)
            free(texts[r]);
    }
    CHECK(found > 200);
}

/* --- a wrong trace -------------------------------------------------------- */

/* Fails at the third event of a rank. */
static int broken_next(struct trace *t, uint32_t rank, struct trace_event *e,
                       struct err *err)
{
    const struct words_rank *r = &((struct words_rank *)t->state)[rank];

    return r->at == 2 ? fail(err, "broken") : words_next(t, rank, e, err);
}

static void test_broken(void)
{
    static const struct trace_format broken = {.name = "broken",
                                               .next = broken_next,
                                               .rewind = words_rewind,
                                               .close = words_close};
    const char *texts[] = {"r1 s1 w c r1 s1 w", "r0 s0 w c r0 s0 w"};
    struct trace_phases p = {0};
    struct err err = {0};
    struct trace t;

    words_open(&t, 2, texts);
    t.format = &broken;
    CHECK(trace_phases_find(&p, &t, &err) < 0);
    CHECK(strstr(err.text, "broken") != NULL);
    trace_phases_clear(&p);
    trace_close(&t);
}

/* There is no rank 5 of two. */
static void test_nobody(void)
{
    const char *texts[] = {"r1 s5 w", "r0 s0 w"};
    struct trace_phases p = {0};
    struct err err = {0};
    struct trace t;

    words_open(&t, 2, texts);
    CHECK(trace_phases_find(&p, &t, &err) < 0);
    CHECK(strstr(err.text, "5") != NULL);
    trace_phases_clear(&p);
    trace_close(&t);
}

int main(void)
{
    test_broken();
    test_nobody();
    test_row();
    test_row_of_waits();
    test_wait_for_nothing();
    test_blocking_sends();
    test_none();
    test_stray();
    test_without_batch();
    test_two_in_flight();
    test_circle();
    test_eager();
    test_to_itself();
    test_drawn();
    test_anything();
    return check_result();
}
