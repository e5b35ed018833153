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

static const struct opts_page page = {
    .usage = "bench KIND [OPTIONS]",
    .about =
        "Measures the CPU time and the memory of sluice itself. KIND is:\n"
        "  exchange    1000 to 100,000 messages at once on 4 to 64 nodes\n"
        "  rounds      a million messages in rounds on 128 and 512 nodes of 8 "
        "ranks\n"
        "  engines     SimGrid's solver compared with sluice's\n"
        "  growth      time by the number of messages and of ranks\n"
        "  start       one message on 1024 to 65,536 nodes\n"
        "  strategies  all strategies for halos of up to 49 million nonzeros "
        "on up to 16,384 GPUs\n"
        "  accuracy    results with a tolerance compared with exact ones, "
        "without times (half an hour)\n"
        "  traverse    BFS and PageRank on GPUs compared with one thread\n"
        "  collective  collectives of 1024 and 4096 GPUs\n"
        "  halo        reading a matrix and building its halo\n"
        "CPU seconds are those of the whole program and of the system for it, "
        "medians of 5 runs (growth: 3; traverse, collective, halo, "
        "strategies: one). engines, growth and accuracy choose the engine and "
        "the accuracy themselves. The first line is the speed of this "
        "machine: seconds of two days are comparable only if it is equal; "
        "--against compares two programs even if it is not.\n",
    .examples = {{"Measure the start of a simulation",
                  "sluice bench start --limit 60"},
                 {"Compare the CPU time of two programs",
                  "sluice bench exchange --against ./sluice-before"}},
};

/* Returns the kind of the only operand; NULL if there is none of that name. */
static const struct kind *bench_find(int noperands, char **operands,
                                     struct err *err)
{
    const char *names[NKINDS];

    for (size_t i = 0; i < NKINDS; i++) {
        names[i] = kinds[i].name;
        if (noperands == 1 && !strcmp(operands[0], kinds[i].name))
            return &kinds[i];
    }
    const char *near =
        noperands == 1 ? nearest_word(operands[0], names, NKINDS) : NULL;
    return near
               ? fail_null(err, "bench: cannot measure '%s' (did you mean %s?)",
                           operands[0], near)
               : fail_null(err, "bench: expected exchange, rounds, engines, "
                                "growth, start, strategies, accuracy, "
                                "traverse, collective or halo");
}

/* Measures a kind on a platform, which is NULL if the kind needs none. */
static int bench_on(struct bench *b, const struct kind *kind,
                    const char *platform, const struct against *against,
                    bool as_json, struct err *err)
{
    struct machine m;

    if (platform && platform_load(&m, platform, NULL, 0, err) < 0)
        return -1;
    b->m = platform ? &m : NULL;
    if (as_json)
        bench_begin_json(b, kind->name);
    bench_speed(b);
    int result = against->program ? bench_against(b, against, err)
                                  : bench_kind(b, kind, err);
    if (as_json)
        bench_print_json(b);
    if (platform)
        machine_clear(&m);
    return result;
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
        OPT_HEADING("Cases"),
        {"platform", OPT_TEXT, &platform, "NAME",
         "platform [default: flat8; exchange, strategies: lassen; traverse: "
         "dgx-1v; collective: frontier]"},
        {"limit", OPT_COUNT, &b.limit_s, "SECONDS",
         "end a case that takes longer [default: 120]"},
        {"against", OPT_TEXT, &against, "PROGRAM",
         "exchange, rounds, strategies: run another sluice in turns, and "
         "report the ratio of CPU seconds"},
        ENGINE_OPTIONS(engine),
        OPT_HEADING("Output"),
        {"json", OPT_FLAG, &as_json, NULL,
         "results as JSON, when all are measured"},
    };

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                   &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    const struct kind *kind = bench_find(noperands, argv + 1, err);
    if (!kind || check_taken(kind, platform, &engine, against, err) < 0 ||
        engine_choose(&exec, &engine, err) < 0)
        return -1;
    platform = platform ? platform : kind->platform;
    return bench_on(
        &b, kind, platform,
        &(struct against){kind->name, against, platform, engine.accuracy},
        as_json, err);
}
