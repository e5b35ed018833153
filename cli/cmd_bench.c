/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice bench: measures time and memory of the simulator itself, each case in
 * a child process. */
#include "platforms/platform.h"
#include "cli/bench.h"
#include "cli/cli.h"
#include "base/seconds.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Sets the CPU time of this process and its children until now, and the peak
 * memory of the larger of the two. */
static void bench_usage(struct took *t)
{
    static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};

    t->cpu_s = t->peak_B = 0;
    for (int i = 0; i < 2; i++) {
        struct rusage use;
        getrusage(whose[i], &use);
        double peak = (double)use.ru_maxrss * 1024;
        t->cpu_s +=
            (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
            1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
        t->peak_B = peak > t->peak_B ? peak : t->peak_B;
    }
}

struct took bench_measure(int (*work)(void *arg), void *arg, unsigned limit_s)
{
    struct took t = {.code = 1};
    int ends[2], status;

    if (pipe(ends))
        return t;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        double start = seconds();
        t.code = work(arg) < 0;
        bench_usage(&t);
        t.wall_s = seconds() - start;
        _exit(write(ends[1], &t, sizeof t) != sizeof t);
    }
    close(ends[1]);
    struct pollfd done = {.fd = ends[0], .events = POLLIN};
    int limit_ms = limit_s < INT_MAX / 1000 ? (int)limit_s * 1000 : -1;
    if (pid < 0 || poll(&done, 1, limit_ms) == 0)
        t = (struct took){.code = pid < 0 ? 1 : 2};
    else if (read(ends[0], &t, sizeof t) != sizeof t)
        t = (struct took){.code = 1};
    close(ends[0]);
    if (pid > 0) {
        kill(-pid, SIGKILL); /* includes the simulation's own child */
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    }
    return t;
}

static int by_cpu(const void *a, const void *b)
{
    const struct took *x = a, *y = b;

    return x->cpu_s < y->cpu_s ? -1 : x->cpu_s > y->cpu_s;
}

int bench_repeat(struct took *took, unsigned runs, int (*work)(void *arg),
                 void *arg, unsigned limit_s)
{
    for (unsigned i = 0; i < runs; i++) {
        took[i] = bench_measure(work, arg, limit_s);
        if (took[i].code)
            return took[i].code;
    }
    qsort(took, runs, sizeof *took, by_cpu);
    return 0;
}

static const struct kind {
    const char *name, *platform; /* the default; NULL if it needs no platform */
    unsigned (*run)(struct bench *b);
    int (*may_fail)(struct bench *b, struct err *err); /* in place of run */
    /* It accepts --engine and --accuracy; otherwise it chooses them itself. */
    bool takes_engine;
    bool has_runs; /* has cases of sluice run, for --against */
} kinds[] = {{"exchange", "lassen", bench_exchanges, NULL, true, true},
             {"rounds", "flat8", bench_rounds, NULL, true, true},
             {"engines", "flat8", bench_engines, NULL, false, false},
             {"growth", "flat8", bench_growth, NULL, false, false},
             {"start", "flat8", bench_start, NULL, true, false},
             {"strategies", "lassen", bench_strategies, NULL, true, true},
             {"accuracy", "flat8", NULL, bench_accuracy, false, false},
             {"traverse", "dgx-1v", bench_traverse, NULL, true, false},
             {"collective", "frontier", bench_collectives, NULL, true, false},
             {"halo", NULL, NULL, bench_halos, false, false}};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

/* Refuses the options that a kind would ignore. */
static int check_taken(const struct kind *kind, const char *platform,
                       const struct engine_options *engine, const char *against,
                       struct err *err)
{
    const char *not_taken = NULL;

    if (!kind->platform && platform)
        not_taken = "platform";
    else if (!kind->takes_engine && engine->engine)
        not_taken = "engine";
    else if (!kind->takes_engine && engine->accuracy)
        not_taken = "accuracy";
    else if (against && !kind->has_runs)
        not_taken = "against";
    else if (against && engine->engine)
        return fail(err, "--engine: not with --against");
    return not_taken
               ? fail(err, "--%s: not for bench %s", not_taken, kind->name)
               : 0;
}

static int bench_kind(struct bench *b, const struct kind *kind, struct err *err)
{
    if (kind->may_fail)
        return kind->may_fail(b, err);
    unsigned failed = kind->run(b);
    return failed ? fail_work(err, "bench: %u of the cases failed", failed) : 0;
}

int cmd_bench(int argc, char **argv, struct err *err)
{
    struct engine_options engine = {0};
    struct exec_options exec;
    const char *platform = NULL, *against = NULL;
    struct bench b = {.exec = &exec, .limit_s = 120};
    int noperands;
    bool helped, as_json = false;
    const struct opt opts[] = {
        {"platform", OPT_TEXT, &platform, "NAME",
         "the machine [default: flat8; exchange, strategies: lassen; traverse: "
         "dgx-1v; collective: frontier]"},
        ENGINE_OPTIONS(engine),
        {"limit", OPT_COUNT, &b.limit_s, "SECONDS",
         "end a case that takes longer [default: 120]"},
        {"against", OPT_TEXT, &against, "PROGRAM",
         "exchange, rounds, strategies: run another sluice in turns, and print "
         "the ratio of CPU seconds"},
        {"json", OPT_FLAG, &as_json, NULL, "as JSON, when all is measured"},
    };

    if (opts_parse(
            argc, argv, opts, sizeof opts / sizeof opts[0],
            "bench exchange|rounds|engines|growth|start|strategies|accuracy|"
            "traverse|collective|halo",
            "exchange: 1000 to 100,000 messages posted at once on 4 to 64 "
            "nodes. rounds: a million\n"
            "messages in rounds on 128 and 512 nodes of 8 ranks. engines: "
            "SimGrid's solver compared\n"
            "with ours. growth: how the time grows with messages and ranks. "
            "start: one message on\n"
            "1024 to 65,536 nodes. strategies: all strategies for halos of up "
            "to 49 million nonzeros\n"
            "on up to 16,384 GPUs. accuracy: results with a tolerance compared "
            "with exact ones,\n"
            "without times (half an hour). traverse: BFS and PageRank on GPUs "
            "compared with one\n"
            "thread. collective: collectives of 1024 and 4096 GPUs. halo: "
            "reading a matrix and building\n"
            "its halo. CPU seconds are those of the whole program with the "
            "system's, medians of 5 runs\n"
            "(growth: 3; traverse, collective, halo, strategies: one).\n"
            "engines, growth and accuracy choose the engine and the accuracy "
            "themselves. The first\n"
            "line tells how fast the machine is: seconds of two days are "
            "comparable only where that\n"
            "is equal; --against compares two programs whatever it is.\n",
            &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    size_t kind = 0;
    while (kind < NKINDS &&
           (noperands != 1 || strcmp(argv[1], kinds[kind].name) != 0))
        kind++;
    const char *names[NKINDS];
    for (size_t i = 0; i < NKINDS; i++)
        names[i] = kinds[i].name;
    const char *near =
        noperands == 1 ? nearest_word(argv[1], names, NKINDS) : NULL;
    if (kind == NKINDS && near)
        return fail(err, "bench: cannot measure '%s' (did you mean %s?)",
                    argv[1], near);
    if (kind == NKINDS)
        return fail(err, "bench: expected exchange, rounds, engines, growth, "
                         "start, strategies, accuracy, traverse, collective "
                         "or halo");
    if (check_taken(&kinds[kind], platform, &engine, against, err) < 0 ||
        engine_choose(&exec, &engine, err) < 0)
        return -1;

    struct machine m;
    platform = platform ? platform : kinds[kind].platform;
    if (platform && platform_load(&m, platform, NULL, 0, err) < 0)
        return -1;
    b.m = platform ? &m : NULL;
    if (as_json)
        bench_begin_json(&b, kinds[kind].name);
    bench_speed(&b);
    int result;
    if (against)
        result = bench_against(&b,
                               &(struct against){kinds[kind].name, against,
                                                 platform, engine.accuracy},
                               err);
    else
        result = bench_kind(&b, &kinds[kind], err);
    if (as_json)
        bench_print_json(&b);
    if (platform)
        machine_clear(&m);
    return result;
}
