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
#define LONG_S 5.0 /* what takes longer is run once */

struct exchange_case {
    const struct machine *m;
    unsigned ranks, messages, rounds; /* messages of each rank */
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
    *p = l.plan; /* all that there is to clear of it */
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

static void bench_exchange_print_head(const struct machine *m,
                                      const struct exec_options *o)
{
    printf("random messages of 1 to 100 kB on %s, engine %s", m->name,
           engine_kind_names[exec_engine(o)]);
    if (exec_accuracy(o, NULL) > 0)
        printf(", accuracy %g", exec_accuracy(o, NULL));
    printf("\n");
    printf("%-26s %9s %9s %19s %8s %14s %8s\n", "case", "messages", "CPU s",
           "min to max s", "wall s", "messages/CPU s", "peak MB");
}

static bool bench_one(struct exchange_case *c, const char *name,
                      unsigned limit_s)
{
    struct took t[RUNS], *mid = &t[RUNS / 2];
    int code = bench_repeat(t, RUNS, bench_exchange_run, c, limit_s);

    printf("%-26s %9.0f ", name, all_messages(c));
    if (code)
        printf("%s\n", code == 2 ? "over the limit" : "failed");
    else
        printf("%9.3f %8.3f to %7.3f %8.3f %14.0f %8.0f\n", mid->cpu_s,
               t[0].cpu_s, t[RUNS - 1].cpu_s, mid->wall_s,
               all_messages(c) / mid->cpu_s, mid->peak_MB);
    fflush(stdout);
    return code == 1;
}

/* On the machine of c; false: there is none. The name has room for 128. */
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

unsigned bench_exchanges(const struct machine *m, const struct exec_options *o,
                         unsigned limit_s)
{
    struct exchange_case c = {.m = m, .exec = *o};
    unsigned failed = 0;
    char name[128];

    bench_exchange_print_head(m, o);
    for (size_t i = 0; exchange_nth(&c, i, name); i++)
        failed += bench_one(&c, name, limit_s);
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

unsigned bench_rounds(const struct machine *m, const struct exec_options *o,
                      unsigned limit_s)
{
    struct exchange_case c = {.m = m, .exec = *o};
    unsigned failed = 0;
    char name[128];

    bench_exchange_print_head(m, o);
    for (size_t i = 0; rounds_nth(&c, i, name); i++)
        failed += bench_one(&c, name, limit_s);
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

/* --- engines side by side ---------------------------------------------------
 */

static const struct way {
    const char *name;
    enum engine_kind kind;
    double accuracy;
} ways[] = {{"fluid exact", ENGINE_FLUID, 0},
            {"fluid 0.001", ENGINE_FLUID, 0.001},
            {"fluid 0.01", ENGINE_FLUID, 0.01},
            {"simgrid", ENGINE_SIMGRID, 0}};
enum { NWAYS = 4, NFLUID = 3 };

/* CPU seconds: the median of a few, of one where that takes long; -1 when it
 * fails, which is counted, or is over the limit. */
static double time_way(struct exchange_case *c, size_t way, unsigned runs,
                       unsigned limit_s, unsigned *failed)
{
    struct took t[RUNS];

    c->exec.engine = ways[way].kind;
    c->exec.accuracy = ways[way].accuracy;
    t[0] = bench_measure(bench_exchange_run, c, limit_s);
    int code = t[0].code;
    if (!code && t[0].wall_s > LONG_S)
        return t[0].cpu_s;
    if (!code)
        code = bench_repeat(t, runs, bench_exchange_run, c, limit_s);
    *failed += code == 1;
    return code ? -1 : t[runs / 2].cpu_s;
}

static void print_rate(double cpu_s, double messages)
{
    if (cpu_s < 0)
        printf(" %12s", "-");
    else
        printf(" %12.0f", messages / cpu_s);
}

unsigned bench_engines(const struct machine *m, const struct exec_options *o,
                       unsigned limit_s)
{
    /* All at once but for the first, where a rank has one under way. */
    static const unsigned cases[][3] = {{16, 400, 400}, {64, 4, 1},
                                        {64, 40, 1},    {512, 5, 1},
                                        {512, 20, 1},   {512, 80, 1}};
    unsigned failed = 0;

    printf(
        "messages/CPU s, random messages of 1 to 100 kB on %s, whole program, "
        "medians of %d (once where over %g s)\n%-22s %9s",
        m->name, RUNS, LONG_S, "case", "messages");
    for (size_t w = 0; w < NWAYS; w++)
        printf(" %12s", ways[w].name);
    printf("  exact and 0.01 to simgrid\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct exchange_case c = {m, cases[i][0], cases[i][1], cases[i][2], *o};
        double cpu[NWAYS];
        printf("R=%-5u M=%-4u K=%-5u %9.0f", c.ranks, c.messages, c.rounds,
               all_messages(&c));
        for (size_t w = 0; w < NWAYS; w++) {
            cpu[w] = time_way(&c, w, RUNS, limit_s, &failed);
            print_rate(cpu[w], all_messages(&c));
            fflush(stdout);
        }
        if (cpu[0] > 0 && cpu[3] > 0)
            printf("  %.0f x, %.0f x", cpu[3] / cpu[0], cpu[3] / cpu[2]);
        printf("\n");
    }
    return failed;
}

/* --- growth ------------------------------------------------------------------
 */

static unsigned bench_exchange_grow(const struct machine *m,
                                    const struct exec_options *o,
                                    const char *what,
                                    const unsigned (*cases)[3], size_t n,
                                    unsigned limit_s)
{
    double before[NFLUID] = {-1, -1, -1}, first[NFLUID], size_before = 0;
    double first_size = 0;
    unsigned failed = 0;

    printf("with %s\n", what);
    for (size_t i = 0; i < n; i++) {
        struct exchange_case c = {m, cases[i][0], cases[i][1], cases[i][2], *o};
        struct machine wide = *m;
        unsigned nodes = (c.ranks + m->ncores - 1) / m->ncores;
        double size = all_messages(&c);
        struct err err;
        if (nodes > m->network.nodes && bench_widen(&wide, m, nodes, &err) < 0)
            return err_print(&err), failed + 1;
        c.m = &wide;
        printf("R=%-5u M=%-4u K=%-5u %9.0f", c.ranks, c.messages, c.rounds,
               size);
        for (size_t w = 0; w < NFLUID; w++) {
            double cpu =
                before[w] < 0 && i ? -1 : time_way(&c, w, 3, limit_s, &failed);
            if (cpu < 0)
                printf(" %9s %5s", "-", "");
            else if (i)
                printf(" %9.3f %5.2f", cpu,
                       log(cpu / before[w]) / log(size / size_before));
            else
                printf(" %9.3f %5s", cpu, "");
            before[w] = cpu;
            first[w] = i ? first[w] : cpu;
            fflush(stdout);
        }
        size_before = size;
        first_size = i ? first_size : size;
        printf("\n");
    }
    printf("%-32s", "from the first row to the last");
    for (size_t w = 0; w < NFLUID; w++)
        if (before[w] < 0)
            printf(" %9s %5s", "", "-");
        else
            printf(" %9s %5.2f", "",
                   log(before[w] / first[w]) / log(size_before / first_size));
    printf("\n");
    return failed;
}

unsigned bench_growth(const struct machine *m, const struct exec_options *o,
                      unsigned limit_s)
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

    printf("CPU seconds on %s (medians of 3, once where over %g s), and the "
           "exponent from the row above\n%-22s %9s",
           m->name, LONG_S, "case", "messages");
    for (size_t w = 0; w < NFLUID; w++)
        printf(" %15s", ways[w].name);
    printf("\n");
    return bench_exchange_grow(m, o, "messages in rounds of 25", in_rounds, 4,
                               limit_s) +
           bench_exchange_grow(m, o, "messages posted at once", at_once, 4,
                               limit_s) +
           bench_exchange_grow(m, o, "ranks, 250 messages each in rounds of 25",
                               with_ranks, 4, limit_s) +
           bench_exchange_grow(m, o, "ranks, 16 messages each posted at once",
                               many_ranks, 5, limit_s);
}

/* --- accuracy
 * ----------------------------------------------------------------- */

struct outcome {
    double time_s;
    struct durations d;
};

/* more_B: bytes that the first message has more. */
static int bench_exchange_simulate(struct outcome *o,
                                   const struct exchange_case *c,
                                   double accuracy, unsigned more_B,
                                   struct err *err)
{
    struct exec_options exec = c->exec;
    struct plan p;
    struct exec_result r;

    if (bench_exchange_make_plan(&p, c, err) < 0)
        return -1;
    p.ops[0].bytes += more_B;
    exec.accuracy = accuracy;
    int result = exec_plan(&r, c->m, &p, &exec, EXEC_TIMES, err);
    if (result == 0) {
        o->time_s = r.time_s;
        durations_make(&o->d, &p, &r);
        exec_result_clear(&r);
    }
    plan_clear(&p);
    return result;
}

static void print_outcome(const struct exchange_case *c, const char *what,
                          const struct outcome *o, const struct outcome *exact)
{
    printf("R=%-5u M=%-4u K=%-3u %6s %+8.3f%% %+8.3f%%", c->ranks, c->messages,
           c->rounds, what, 100 * (o->time_s / exact->time_s - 1),
           100 * (o->d.mean / exact->d.mean - 1));
    for (size_t q = 0; q < NQUANTILES; q++)
        printf(" %+7.3f%%", 100 * (o->d.of[q] / exact->d.of[q] - 1));
    printf("\n");
    fflush(stdout);
}

int bench_accuracy(const struct machine *m, const struct exec_options *o,
                   struct err *err)
{
    printf("difference to exact on %s: makespan, mean duration, percentiles of "
           "the durations;\n1B: exact, the first message a byte longer\n"
           "%-22s %6s %9s %9s",
           m->name, "case", "A", "makespan", "mean");
    for (size_t q = 0; q < NQUANTILES; q++)
        printf("    p%-4g", 100 * duration_quantiles[q]);
    printf("\n");
    for (size_t i = 0; i < NLARGE; i++) {
        struct exchange_case c = {m, large[i][0], large[i][1], large[i][2], *o};
        struct outcome exact, near;
        if (bench_exchange_simulate(&exact, &c, 0, 0, err) < 0 ||
            bench_exchange_simulate(&near, &c, 0.01, 0, err) < 0)
            return -1;
        print_outcome(&c, "0.01", &near, &exact);
        if (bench_exchange_simulate(&near, &c, 0.001, 0, err) < 0)
            return -1;
        print_outcome(&c, "0.001", &near, &exact);
        if (bench_exchange_simulate(&near, &c, 0, 1, err) < 0)
            return -1;
        print_outcome(&c, "1B", &near, &exact);
    }
    return 0;
}
