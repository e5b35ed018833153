/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice bench exchange, rounds, engines, growth and accuracy: random exchanges
 * of growing size. */
#include "cli/bench.h"

#include "sim/plan/exec.h"
#include "sim/plan/report.h"
#include "workloads/load/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5 };
#define LONG_S 5.0 /* a case that takes longer is run only once */

struct exchange_case {
    const struct machine *m;
    unsigned ranks, messages, rounds; /* messages: of each rank */
    struct exec_options exec;
};

static double all_messages(const struct exchange_case *c)
{
    return (double)c->ranks * c->messages;
}

static void bench_exchange_words(char words[128], const struct exchange_case *c)
{
    snprintf(words, 128,
             "random:ranks=%u,messages=%u,rounds=%u,bytes=1000..100000,seed=1",
             c->ranks, c->messages, c->rounds);
}

static int bench_exchange_make_plan(struct plan *p,
                                    const struct exchange_case *c,
                                    struct err *err)
{
    char words[128];
    const struct workload_request r = {.words = words};
    struct load l;

    bench_exchange_words(words, c);
    if (load_make(&l, &random_ranks_workload, c->m, &r, err) < 0)
        return -1;
    *p = l.plan; /* the load has nothing else to clear */
    return 0;
}

/* Draws the messages, plans and simulates them. */
static int bench_exchange_run(void *arg)
{
    const struct exchange_case *c = arg;
    struct plan p;
    struct exec_result r;
    struct err err = {0};

    if (bench_exchange_make_plan(&p, c, &err) < 0)
        return err_print(&err), -1;
    int result = exec_plan(&r, c->m, &p, &c->exec, EXEC_MAKESPAN, &err);
    if (result < 0)
        err_print(&err);
    else
        exec_result_clear(&r);
    plan_clear(&p);
    return result;
}

static void bench_exchange_row(struct bench *b, const struct exchange_case *c)
{
    char words[128];

    bench_exchange_words(words, c);
    bench_row(b, &c->exec);
    bench_json_workload(b, words);
    bench_json_number(b, "messages", all_messages(c));
}

static void bench_exchange_head(const struct bench *b)
{
    bench_text(b, "random messages of 1 to 100 kB on %s, engine %s", b->m->name,
               engine_kind_names[exec_engine(b->exec)]);
    if (exec_accuracy(b->exec, 0) > 0)
        bench_text(b, ", accuracy %g", exec_accuracy(b->exec, 0));
    bench_text(b, "\n%-26s %9s %9s %19s %8s %14s %8s\n", "case", "messages",
               "CPU s", "min to max s", "wall s", "messages/CPU s", "peak MB");
}

static bool bench_one(struct bench *b, struct exchange_case *c,
                      const char *name)
{
    struct took t[RUNS], *mid = &t[RUNS / 2];
    int code = bench_repeat(t, RUNS, bench_exchange_run, c, b->limit_s);

    bench_exchange_row(b, c);
    bench_text(b, "%-26s %9.0f ", name, all_messages(c));
    if (code)
        return bench_ended(b, code);
    bench_number(b, "cpu_s", "%9.3f ", mid->cpu_s);
    bench_number(b, "least_cpu_s", "%8.3f to ", t[0].cpu_s);
    bench_number(b, "most_cpu_s", "%7.3f ", t[RUNS - 1].cpu_s);
    bench_number(b, "wall_s", "%8.3f ", mid->wall_s);
    bench_number(b, "messages_per_cpu_s", "%14.0f ",
                 all_messages(c) / mid->cpu_s);
    bench_scaled(b, "peak_bytes", "%8.0f", mid->peak_B, BENCH_MIB);
    return bench_ended(b, 0);
}

/* Makes the i-th case on the machine of c, and its name, which has room for 128
 * bytes. Returns false if there is no such case. */
static bool exchange_nth(struct exchange_case *c, size_t i, char *name)
{
    static const unsigned nodes[] = {4, 16, 64};
    static const unsigned messages[] = {1000, 10000, 100000};

    if (i >= 9)
        return false;
    unsigned ranks = nodes[i / 3] * c->m->ncores, all = messages[i % 3];
    c->ranks = ranks < all ? ranks : all;
    c->messages = (all + ranks - 1) / ranks;
    c->rounds = 1;
    snprintf(name, 128, "%u nodes", nodes[i / 3]);
    return true;
}

unsigned bench_exchanges(struct bench *b)
{
    struct exchange_case c = {.m = b->m, .exec = *b->exec};
    unsigned failed = 0;
    char name[128];

    bench_exchange_head(b);
    for (size_t i = 0; exchange_nth(&c, i, name); i++)
        failed += bench_one(b, &c, name);
    return failed;
}

bool bench_exchange_case(const struct machine *m, size_t i, char *name,
                         char *words)
{
    struct exchange_case c = {.m = m};

    if (!exchange_nth(&c, i, name))
        return false;
    snprintf(name + strlen(name), 128 - strlen(name), ", %.0f messages",
             all_messages(&c));
    bench_exchange_words(words, &c);
    return true;
}

static const unsigned large[][3] = {
    {256, 400, 1}, {1024, 1000, 40}, {1024, 1000, 1}, {4096, 250, 10}};
enum { NLARGE = sizeof large / sizeof large[0] };

static bool rounds_nth(struct exchange_case *c, size_t i, char *name)
{
    if (i >= NLARGE)
        return false;
    c->ranks = large[i][0];
    c->messages = large[i][1];
    c->rounds = large[i][2];
    snprintf(name, 128, "R=%u M=%u K=%u", c->ranks, c->messages, c->rounds);
    return true;
}

unsigned bench_rounds(struct bench *b)
{
    struct exchange_case c = {.m = b->m, .exec = *b->exec};
    unsigned failed = 0;
    char name[128];

    bench_exchange_head(b);
    for (size_t i = 0; rounds_nth(&c, i, name); i++)
        failed += bench_one(b, &c, name);
    return failed;
}

bool bench_rounds_case(size_t i, char *name, char *words)
{
    struct exchange_case c;

    if (!rounds_nth(&c, i, name))
        return false;
    bench_exchange_words(words, &c);
    return true;
}

/* --- engines compared ----------------------------------------------------- */

static const struct candidate {
    const char *name;
    enum engine_kind kind;
    double accuracy;
} candidates[] = {{"fluid exact", ENGINE_FLUID, 0},
                  {"fluid 0.001", ENGINE_FLUID, 0.001},
                  {"fluid 0.01", ENGINE_FLUID, 0.01},
                  {"simgrid", ENGINE_SIMGRID, 0}};
enum { NWAYS = 4, NFLUID = 3 };

/* Adds a row and returns the CPU seconds of an engine: the median of a few
 * runs, or a single one if it takes longer than LONG_S; -1 if it fails, which
 * is counted, or exceeds the limit. */
static double time_candidate(struct bench *b, struct exchange_case *c,
                             size_t candidate, unsigned runs, unsigned *failed)
{
    struct took t[RUNS], *mid = t;

    c->exec.engine = candidates[candidate].kind;
    c->exec.accuracy = candidates[candidate].accuracy;
    bench_exchange_row(b, c);
    t[0] = bench_measure(bench_exchange_run, c, b->limit_s);
    int code = t[0].code;
    if (!code && t[0].wall_s <= LONG_S) {
        code = bench_repeat(t, runs, bench_exchange_run, c, b->limit_s);
        mid = &t[runs / 2];
    }
    *failed += code == 1;
    if (code)
        bench_json_words(b, "error", bench_why(code));
    else
        bench_json_number(b, "cpu_s", mid->cpu_s);
    return code ? -1 : mid->cpu_s;
}

static void print_rate(struct bench *b, double cpu_s, double messages)
{
    if (cpu_s < 0)
        bench_text(b, " %12s", "-");
    else
        bench_number(b, "messages_per_cpu_s", " %12.0f", messages / cpu_s);
}

unsigned bench_engines(struct bench *b)
{
    /* Except in the first case, all messages are posted at once; there a rank
     * has one message under way at a time. */
    static const unsigned cases[][3] = {{16, 400, 400}, {64, 4, 1},
                                        {64, 40, 1},    {512, 5, 1},
                                        {512, 20, 1},   {512, 80, 1}};
    unsigned failed = 0;

    bench_text(
        b,
        "messages/CPU s, random messages of 1 to 100 kB on %s, whole program, "
        "medians of %d (once where over %g s)\n%-22s %9s",
        b->m->name, RUNS, LONG_S, "case", "messages");
    for (size_t w = 0; w < NWAYS; w++)
        bench_text(b, " %12s", candidates[w].name);
    bench_text(b, "  exact and 0.01 to simgrid\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct exchange_case c = {b->m, cases[i][0], cases[i][1], cases[i][2],
                                  *b->exec};
        double cpu[NWAYS];
        bench_text(b, "R=%-5u M=%-4u K=%-5u %9.0f", c.ranks, c.messages,
                   c.rounds, all_messages(&c));
        for (size_t w = 0; w < NWAYS; w++) {
            cpu[w] = time_candidate(b, &c, w, RUNS, &failed);
            print_rate(b, cpu[w], all_messages(&c));
        }
        if (cpu[0] > 0 && cpu[3] > 0)
            bench_text(b, "  %.0f x, %.0f x", cpu[3] / cpu[0], cpu[3] / cpu[2]);
        bench_text(b, "\n");
    }
    return failed;
}

/* --- growth --------------------------------------------------------------- */

/* The CPU seconds of the fluid engines at one size. */
struct grown {
    double messages, cpu_s[NFLUID]; /* -1 if not measured */
};

/* Measures one size and prints it, with the exponents of the growth since
 * `before`, unless that is NULL. */
static struct grown bench_exchange_grown(struct bench *b,
                                         struct exchange_case *c,
                                         const struct grown *before,
                                         unsigned *failed)
{
    struct grown now = {.messages = all_messages(c)};

    bench_text(b, "R=%-5u M=%-4u K=%-5u %9.0f", c->ranks, c->messages,
               c->rounds, now.messages);
    for (size_t w = 0; w < NFLUID; w++) {
        double cpu = before && before->cpu_s[w] < 0
                         ? -1
                         : time_candidate(b, c, w, 3, failed);
        now.cpu_s[w] = cpu;
        if (cpu < 0)
            bench_text(b, " %9s %5s", "-", "");
        else
            bench_text(b, " %9.3f ", cpu);
        if (cpu >= 0 && before)
            bench_number(b, "exponent", "%5.2f",
                         log(cpu / before->cpu_s[w]) /
                             log(now.messages / before->messages));
        else if (cpu >= 0)
            bench_text(b, "%5s", "");
    }
    bench_text(b, "\n");
    return now;
}

static unsigned bench_exchange_grow(struct bench *b, const char *what,
                                    const unsigned (*cases)[3], size_t n)
{
    struct grown first = {0}, now = {0};
    const struct machine *m = b->m;
    unsigned failed = 0;

    bench_text(b, "with %s\n", what);
    for (size_t i = 0; i < n; i++) {
        struct exchange_case c = {m, cases[i][0], cases[i][1], cases[i][2],
                                  *b->exec};
        struct machine wide = *m;
        unsigned nodes = (c.ranks + m->ncores - 1) / m->ncores;
        struct err err;
        if (nodes > m->network.nodes && bench_widen(&wide, m, nodes, &err) < 0)
            return err_print(&err), failed + 1;
        c.m = &wide;
        now = bench_exchange_grown(b, &c, i ? &now : NULL, &failed);
        first = i ? first : now;
    }
    bench_text(b, "%-32s", "from the first row to the last");
    for (size_t w = 0; w < NFLUID; w++)
        if (now.cpu_s[w] < 0)
            bench_text(b, " %9s %5s", "", "-");
        else
            bench_text(b, " %9s %5.2f", "",
                       log(now.cpu_s[w] / first.cpu_s[w]) /
                           log(now.messages / first.messages));
    bench_text(b, "\n");
    return failed;
}

unsigned bench_growth(struct bench *b)
{
    static const unsigned in_rounds[][3] = {
        {1024, 125, 5}, {1024, 250, 10}, {1024, 500, 20}, {1024, 1000, 40}};
    static const unsigned at_once[][3] = {
        {1024, 125, 1}, {1024, 250, 1}, {1024, 500, 1}, {1024, 1000, 1}};
    static const unsigned with_ranks[][3] = {
        {256, 250, 10}, {512, 250, 10}, {1024, 250, 10}, {2048, 250, 10}};
    static const unsigned many_ranks[][3] = {{256, 16, 1},
                                             {1024, 16, 1},
                                             {4096, 16, 1},
                                             {16384, 16, 1},
                                             {65536, 16, 1}};

    bench_text(b,
               "CPU seconds on %s (medians of 3, once where over %g s), and "
               "the exponent from the row above\n%-22s %9s",
               b->m->name, LONG_S, "case", "messages");
    for (size_t w = 0; w < NFLUID; w++)
        bench_text(b, " %15s", candidates[w].name);
    bench_text(b, "\n");
    return bench_exchange_grow(b, "messages in rounds of 25", in_rounds, 4) +
           bench_exchange_grow(b, "messages posted at once", at_once, 4) +
           bench_exchange_grow(b, "ranks, 250 messages each in rounds of 25",
                               with_ranks, 4) +
           bench_exchange_grow(b, "ranks, 16 messages each posted at once",
                               many_ranks, 5);
}

/* --- accuracy ------------------------------------------------------------- */

struct outcome {
    double time_s;
    struct durations d;
};

/* Simulates the case; the first message has more_B additional bytes. */
static int bench_exchange_simulate(struct outcome *o,
                                   const struct exchange_case *c,
                                   unsigned more_B, struct err *err)
{
    struct plan p;
    struct exec_result r;

    if (bench_exchange_make_plan(&p, c, err) < 0)
        return -1;
    p.ops[0].bytes += more_B;
    int result = exec_plan(&r, c->m, &p, &c->exec, EXEC_TIMES, err);
    if (result == 0) {
        o->time_s = r.time_s;
        durations_make(&o->d, &p, &r);
        exec_result_clear(&r);
    }
    plan_clear(&p);
    return result;
}

static void print_outcome(struct bench *b, const struct exchange_case *c,
                          const char *what, const struct outcome *o,
                          const struct outcome *exact)
{
    bench_exchange_row(b, c);
    bench_text(b, "R=%-5u M=%-4u K=%-3u ", c->ranks, c->messages, c->rounds);
    bench_words(b, "case", "%6s ", what);
    bench_scaled(b, "makespan_error", "%+8.3f%% ",
                 o->time_s / exact->time_s - 1, 0.01);
    bench_scaled(b, "mean_error", "%+8.3f%%", o->d.mean / exact->d.mean - 1,
                 0.01);
    for (size_t q = 0; q < NQUANTILES; q++) {
        char key[32];
        snprintf(key, sizeof key, "p%g_error", 100 * duration_quantiles[q]);
        bench_scaled(b, key, " %+7.3f%%", o->d.of[q] / exact->d.of[q] - 1,
                     0.01);
    }
    bench_ended(b, 0);
}

int bench_accuracy(struct bench *b, struct err *err)
{
    static const struct {
        const char *name;
        double accuracy;
        unsigned more_B;
    } near[] = {{"0.01", 0.01, 0}, {"0.001", 0.001, 0}, {"1B", 0, 1}};

    bench_text(b,
               "difference to exact on %s: makespan, mean duration, "
               "percentiles of the durations;\n1B: exact, the first message a "
               "byte longer\n%-22s %6s %9s %9s",
               b->m->name, "case", "A", "makespan", "mean");
    for (size_t q = 0; q < NQUANTILES; q++)
        bench_text(b, "    p%-4g", 100 * duration_quantiles[q]);
    bench_text(b, "\n");
    for (size_t i = 0; i < NLARGE; i++) {
        struct exchange_case c = {b->m, large[i][0], large[i][1], large[i][2],
                                  *b->exec};
        struct outcome exact, o;
        c.exec.accuracy = 0;
        if (bench_exchange_simulate(&exact, &c, 0, err) < 0)
            return -1;
        for (size_t k = 0; k < sizeof near / sizeof near[0]; k++) {
            c.exec.accuracy = near[k].accuracy;
            if (bench_exchange_simulate(&o, &c, near[k].more_B, err) < 0)
                return -1;
            print_outcome(b, &c, near[k].name, &o, &exact);
        }
    }
    return 0;
}
