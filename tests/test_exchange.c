/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages in rounds: read, drawn, refused, and simulated on both engines,
 * compared with closed forms and with each other. */
#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "sim/plan/report.h"
#include "tests/check.h"
#include "tests/scratch.h"
#include "workloads/exchange.h"

#include <stdlib.h>
#include <unistd.h>

static struct machine flat;
static struct exec_options how;

static int load(struct exchange *x, const char *text, struct err *err)
{
    char *path = scratch_file("x.csv", text);
    int result = exchange_read(x, path, err);

    free(path);
    return result;
}

static double simulated(struct exchange *x, double accuracy,
                        struct exec_result *r, struct plan *p)
{
    struct err err = {0};

    how.accuracy = accuracy;
    if (exchange_to_plan(p, &flat, x, &err) < 0 ||
        exec_plan(r, &flat, p, &how, EXEC_TIMES, &err) < 0) {
        err_print(&err);
        CHECK(!"simulated");
        return -1;
    }
    return r->time_s;
}

static double time_of(const char *rows)
{
    struct exchange x;
    struct exec_result r;
    struct plan p;
    struct err err = {0};
    char *text = xasprintf("round,src,dst,bytes\n%s", rows);

    if (load(&x, text, &err) < 0) {
        err_print(&err);
        CHECK(!"read");
        free(text);
        return -1;
    }
    double time = simulated(&x, 0, &r, &p);
    exec_result_clear(&r);
    plan_clear(&p);
    exchange_clear(&x);
    free(text);
    return time;
}

/*
 * flat8 off node: 1 us, a quarter of it on each CPU, 0.08 ns/B = 12.5 GB/s; a
 * rank sends and receives 12.5 GB/s, a node 25. 1 MB takes 80 us. Ranks 0, 8,
 * 16, ... are on separate nodes.
 */
static void conformance(void)
{
    const double us = 1e-6;

    CHECK_NEAR(time_of("0,0,8,1000000\n"), 81 * us, 1e-9);
    /* One message in each direction: they do not disturb each other, except for
     * the CPU, which is free again before anything arrives. */
    CHECK_NEAR(time_of("0,0,8,1000000\n0,8,0,1000000\n"), 81 * us, 1e-9);
    /* 8 messages of one pair share the rank's 12.5 GB/s from their starts on, a
     * quarter of a microsecond apart: the last byte arrives 640 us after the
     * first start; up to 8 quarters follow on the receiver's CPU. */
    double eight = time_of("0,0,8,1000000\n0,0,8,1000000\n0,0,8,1000000\n"
                           "0,0,8,1000000\n0,0,8,1000000\n0,0,8,1000000\n"
                           "0,0,8,1000000\n0,0,8,1000000\n");
    CHECK(eight >= (0.25 + 0.5 + 640 + 0.25) * us);
    CHECK(eight <= (0.25 + 0.5 + 640 + 8 * 0.25) * us);
    /* In a chain each round waits for the one before. */
    CHECK_NEAR(time_of("0,0,8,1000000\n1,8,16,1000000\n2,16,24,1000000\n"),
               3 * 81 * us, 1e-9);
    /* Fan-out 1 to 8 has the sender's rate. Incast 8 to 1 has the receiver's;
     * all end together and the CPU receives them one after the other. */
    CHECK_NEAR(time_of("0,0,8,1000000\n0,0,16,1000000\n0,0,24,1000000\n"
                       "0,0,32,1000000\n0,0,40,1000000\n0,0,48,1000000\n"
                       "0,0,56,1000000\n0,0,64,1000000\n"),
               (0.25 + 0.5 + 640 + 0.25) * us, 1e-9);
    CHECK_NEAR(time_of("0,8,0,1000000\n0,16,0,1000000\n0,24,0,1000000\n"
                       "0,32,0,1000000\n0,40,0,1000000\n0,48,0,1000000\n"
                       "0,56,0,1000000\n0,64,0,1000000\n"),
               (0.25 + 0.5 + 640 + 8 * 0.25) * us, 1e-9);
    /* A message has no bytes, and one is to itself. */
    CHECK_NEAR(time_of("0,0,8,0\n"), 1 * us, 1e-9);
    CHECK_NEAR(time_of("0,3,3,1000\n"), 0.55 * us, 1e-9);
}

/* Computed by hand: each of two searches of a list takes 0.1 us, and each entry
 * that it looks at 0.01, on the receiver's CPU. */
static void matching(void)
{
    const struct matching none = flat.matching;

    flat.matching = (struct matching){
        .engine = MATCHER_LIST, .attempt_s = 1e-7, .entry_s = 1e-8};
    /* The receive is posted first: it looks at no entry, the message looks at
     * it. */
    CHECK_NEAR(time_of("0,0,8,0\n"), 1.21e-6, 1e-9);
    CHECK_NEAR(time_of("0,0,8,0\n1,8,16,0\n"), 2.42e-6, 1e-9);
    /* Both messages arrive at once; the second one's receive is first, or
     * not. */
    double in_order = time_of("0,0,16,0\n0,8,16,0\n");
    CHECK_NEAR(in_order - 1.21e-6, 0.25e-6 + 0.21e-6, 1e-9);
    flat.matching = none;
    CHECK_NEAR(time_of("0,0,8,0\n"), 1e-6, 1e-9);
}

/* A round waits for a rank's own messages, not for other ranks'. */
static void rounds(void)
{
    CHECK_NEAR(time_of("0,0,8,1000000\n1,16,24,1000000\n"), 81e-6, 1e-9);
    CHECK_NEAR(time_of("1,8,16,1000000\n0,0,8,1000000\n"), 162e-6, 1e-9);
    /* A sender continues when its memory is free, at 0.25 us: the two messages
     * share its NIC from 0.75 us on, for 160 us. */
    CHECK_NEAR(time_of("0,0,8,1000000\n1,0,16,1000000\n"), 161e-6, 1e-9);
    /* A receive of the second round is not posted in the first, so that the
     * message of 16, which arrived long before, is received from 81 us on. */
    CHECK_NEAR(time_of("0,0,8,1000000\n1,16,8,0\n"), 81.25e-6, 1e-9);
}

/* Both bounds of the sizes are drawn, no message goes to its sender, and the
 * largest number of ranks is accepted. */
static void random_bounds(void)
{
    struct exchange x;
    struct err err = {0};
    size_t large = 0;

    CHECK(exchange_draw(
              &x, "random:ranks=4,messages=5,rounds=5,bytes=1k..1K,seed=1", 4,
              &err) == 0);
    CHECK_EQ(x.msgs[0].bytes, 1024);
    exchange_clear(&x);
    CHECK(exchange_draw(
              &x, "random:ranks=4,messages=50,rounds=50,bytes=5..6,seed=1", 4,
              &err) == 0);
    CHECK_EQ(x.nmsgs, 200);
    for (size_t i = 0; i < x.nmsgs; i++) {
        CHECK(x.msgs[i].bytes == 5 || x.msgs[i].bytes == 6);
        CHECK(x.msgs[i].src != x.msgs[i].dst);
        large += x.msgs[i].bytes == 6;
    }
    CHECK(large > 50 && large < 150);
    exchange_clear(&x);
}

static void refused(const char *text, const char *want)
{
    struct exchange x;
    struct err err = {0};

    CHECK(load(&x, text, &err) < 0);
    CHECK_HAS(err.text, want);
}

static void refused_words(const char *words, const char *want)
{
    struct exchange x;
    struct err err = {0};

    CHECK(exchange_draw(&x, words, 10000, &err) < 0);
    CHECK_HAS(err.text, want);
}

static void refusals(void)
{
    refused("round,src,dst,bytes\n", "no rows");
    refused("round,src,dst\n0,1,2\n", "no column named bytes");
    refused("round,src,dst,bytes\n0,1,2,-3\n", ":2: bytes: expected a whole");
    refused("round,src,dst,bytes\n0,1,99999999,3\n",
            ":2: dst: 99999999 is too");
    struct exchange x;
    struct err err = {0};
    CHECK(exchange_read(&x, "none.csv", &err) < 0);
    CHECK_HAS(err.text, "none.csv: cannot be read");
    refused_words("random:ranks=4", "expected random:ranks=R,messages=M");
    refused_words("random:ranks=1,messages=1,rounds=1,bytes=1..2,seed=1",
                  "2 ranks or more");
    refused_words("random:ranks=4,messages=1,rounds=2,bytes=1..2,seed=1",
                  "as many messages as rounds");
    refused_words("random:ranks=4,messages=1,rounds=1,bytes=2..1,seed=1",
                  "A <= B");
    refused_words("random:ranks=10001,messages=1,rounds=1,bytes=1..2,seed=1",
                  "the machine has 10000 cores");
}

static void measure(struct durations *d, double *makespan, const char *words,
                    double accuracy)
{
    struct exchange x;
    struct exec_result r = {0};
    struct plan p = {0};
    struct err err = {0};

    CHECK(exchange_draw(&x, words, 10000, &err) == 0);
    *makespan = simulated(&x, accuracy, &r, &p);
    if (*makespan < 0)
        exit(check_result());
    durations_make(d, &p, &r);
    exec_result_clear(&r);
    plan_clear(&p);
    exchange_clear(&x);
}

/* With a tolerance the makespan and the percentiles are within it. */
static void tolerance(const char *words, double a)
{
    struct durations exact, d;
    double exact_time, time;

    measure(&exact, &exact_time, words, 0);
    measure(&d, &time, words, a);
    CHECK_EQ(d.n, exact.n);
    CHECK_NEAR(time, exact_time, a);
    for (int q = 0; q < NQUANTILES; q++)
        CHECK_NEAR(d.of[q], exact.of[q], a);
}

int main(void)
{
    struct err err = {0};

    scratch_make();
    how = exec_defaults;
    if (platform_load(&flat, "flat8", NULL, 0, &err) < 0)
        return err_print(&err);
    for (int kind = 0; kind <= ENGINE_FLUID; kind++) {
        how.engine = (enum engine_kind)kind;
        conformance();
        rounds();
        matching();
        random_bounds();
    }
    refusals();
    how.engine = ENGINE_FLUID;
    for (int i = 0; i < 2; i++)
        tolerance("random:ranks=256,messages=40,rounds=1,bytes=1000..100000,"
                  "seed=1",
                  i ? 0.01 : 0.001);
    /* Errors grow, because a second round depends on the ends of the first. */
    tolerance("random:ranks=512,messages=20,rounds=2,bytes=1000..100000,seed=2",
              0.01);
    machine_clear(&flat);
    scratch_clear();
    return check_result();
}
