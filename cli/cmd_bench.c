/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice bench: measures time and memory of the simulator itself, each case in
 * a child process. */
#include "platforms/platform.h"
#include "cli/bench.h"
#include "cli/cli.h"
#include "base/seconds.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double peak_MB(int who)
{
    struct rusage use;

    getrusage(who, &use);
    return (double)use.ru_maxrss / 1024;
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
        t.wall_s = seconds() - start;
        double children = peak_MB(RUSAGE_CHILDREN);
        t.peak_MB = peak_MB(RUSAGE_SELF);
        if (children > t.peak_MB)
            t.peak_MB = children;
        _exit(write(ends[1], &t, sizeof t) != sizeof t);
    }
    close(ends[1]);
    struct pollfd done = {.fd = ends[0], .events = POLLIN};
    if (pid < 0 || poll(&done, 1, (int)limit_s * 1000) == 0)
        t = (struct took){.code = pid < 0 ? 1 : 2};
    else if (read(ends[0], &t, sizeof t) != sizeof t)
        t = (struct took){.code = 1};
    close(ends[0]);
    if (pid > 0) {
        kill(-pid, SIGKILL); /* the simulation's own child, too */
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    }
    return t;
}

static int by_wall(const void *a, const void *b)
{
    const struct took *x = a, *y = b;

    return x->wall_s < y->wall_s ? -1 : x->wall_s > y->wall_s;
}

int bench_repeat(struct took *took, unsigned runs, int (*work)(void *arg),
                 void *arg, unsigned limit_s)
{
    for (unsigned i = 0; i < runs; i++) {
        took[i] = bench_measure(work, arg, limit_s);
        if (took[i].code)
            return took[i].code;
    }
    qsort(took, runs, sizeof *took, by_wall);
    return 0;
}

static const struct kind {
    const char *name, *platform; /* the default; NULL: none is looked at */
    unsigned (*run)(const struct machine *m, const struct exec_options *o,
                    unsigned limit_s); /* or NULL */
    bool takes_engine; /* --engine and --accuracy; else it chooses them */
} kinds[] = {{"exchange", "lassen", bench_exchanges, true},
             {"rounds", "flat8", bench_rounds, true},
             {"engines", "flat8", bench_engines, false},
             {"growth", "flat8", bench_growth, false},
             {"accuracy", "flat8", NULL, false},
             {"traverse", "dgx-1v", bench_traverse, true},
             {"halo", NULL, NULL, false}};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

/* What a kind would not look at is refused. */
static int check_taken(const struct kind *kind, const char *platform,
                       const struct engine_options *engine, struct err *err)
{
    const char *not_taken = NULL;

    if (!kind->platform && platform)
        not_taken = "platform";
    else if (!kind->takes_engine && engine->engine)
        not_taken = "engine";
    else if (!kind->takes_engine && engine->accuracy)
        not_taken = "accuracy";
    return not_taken
               ? fail(err, "--%s: not for bench %s", not_taken, kind->name)
               : 0;
}

int cmd_bench(int argc, char **argv, struct err *err)
{
    struct engine_options engine = {0};
    struct exec_options exec;
    const char *platform = NULL;
    unsigned limit_s = 120;
    int noperands;
    bool helped;
    const struct opt opts[] = {
        {"platform", OPT_TEXT, &platform, "NAME",
         "the machine [default: flat8; exchange: lassen; traverse: dgx-1v]"},
        ENGINE_OPTIONS(engine),
        {"limit", OPT_COUNT, &limit_s, "SECONDS",
         "end a case that takes longer [default: 120]"},
    };

    if (opts_parse(
            argc, argv, opts, sizeof opts / sizeof opts[0],
            "bench exchange|rounds|engines|growth|accuracy|traverse|halo",
            "exchange: 1000 to 100,000 messages posted at once on 4 to 64 "
            "nodes. rounds: a million\n"
            "messages in rounds on 128 and 512 nodes of 8 ranks. engines: "
            "SimGrid's solver compared\n"
            "with ours. growth: how the time grows with messages and ranks. "
            "accuracy: results with a\n"
            "tolerance compared with exact ones, without times (half an hour). "
            "traverse: BFS and\n"
            "PageRank on GPUs compared with one thread. halo: reading a matrix "
            "and building its\n"
            "halo. Times are of the whole program (traverse: of the "
            "simulation), medians of 5 runs\n"
            "(growth: 3; traverse, halo: one). engines, growth and accuracy "
            "choose the engine and\n"
            "the accuracy themselves.\n",
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
                         "accuracy, traverse or halo");
    if (check_taken(&kinds[kind], platform, &engine, err) < 0 ||
        engine_choose(&exec, &engine, err) < 0)
        return -1;
    if (!kinds[kind].platform)
        return bench_halos(limit_s, err);

    struct machine m;
    if (platform_load(&m, platform ? platform : kinds[kind].platform, NULL, 0,
                      err) < 0)
        return -1;
    int result = 0;
    if (kinds[kind].run) {
        unsigned failed = kinds[kind].run(&m, &exec, limit_s);
        if (failed)
            result = fail_work(err, "bench: %u of the cases failed", failed);
    } else {
        result = bench_accuracy(&m, &exec, err);
    }
    machine_clear(&m);
    return result;
}
