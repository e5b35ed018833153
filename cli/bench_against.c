/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice bench --against: the same runs by this program and by another one, in
 * turns, because only runs of the same minutes can be compared. */
#include "cli/bench.h"

#include "base/doubles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAIRS = 5, MOST_ARGS = 16 };

/* A case, and the arguments of one run of it; the first is the program. */
struct bench_args {
    char name[128];
    char text[MOST_ARGS][512];
    char *list[MOST_ARGS + 1];
    size_t n;
    const char *words; /* the workload, one of the arguments */
};

static void PRINTF_LIKE(2, 3)
    args_add(struct bench_args *a, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(a->text[a->n], sizeof a->text[a->n], fmt, args);
    va_end(args);
    a->list[a->n] = a->text[a->n];
    a->n++;
}

/* Adds options that widen the machine as bench_widen() does. */
static int args_widen(struct bench_args *a, const struct machine *m,
                      unsigned nodes, struct err *err)
{
    struct machine wide;

    if (bench_widen(&wide, m, nodes, err) < 0)
        return -1;
    args_add(a, "--set");
    args_add(a, "network.nodes=%u", nodes);
    if (wide.network.topology != TOPOLOGY_FAT_TREE)
        return 0;
    args_add(a, "--set");
    args_add(a, "network.levels.%u.down=%u", wide.network.levels - 1,
             wide.network.down[wide.network.levels - 1]);
    return 0;
}

/* Makes the arguments of the i-th case. Returns 1 if they are made, 0 if there
 * is no such case, -1 with err if it fails. */
static int args_make(struct bench_args *a, const struct machine *m,
                     const struct against *x, size_t i, struct err *err)
{
    char room[128];
    const char *words = room;
    unsigned gpus = 0;
    bool is;

    *a = (struct bench_args){0};
    if (!strcmp(x->kind, "strategies"))
        is = bench_strategies_case(i, &words, &gpus);
    else if (!strcmp(x->kind, "rounds"))
        is = bench_rounds_case(i, a->name, room);
    else
        is = bench_exchange_case(m, i, a->name, room);
    if (!is)
        return 0;
    args_add(a, "%s", ""); /* the program, filled in for each run */
    args_add(a, "run");
    args_add(a, "--csv");
    args_add(a, "--platform");
    args_add(a, "%s", x->platform);
    args_add(a, "--workload");
    args_add(a, "%s", words);
    a->words = a->text[a->n - 1];
    if (x->accuracy) {
        args_add(a, "--accuracy");
        args_add(a, "%s", x->accuracy);
    }
    if (!gpus)
        return 1;
    if (!m->ngpus)
        return fail(err, "%s has no GPUs", m->name);
    snprintf(a->name, sizeof a->name, "%s, %u GPUs", words, gpus);
    args_add(a, "--gpus");
    args_add(a, "%u", gpus);
    return args_widen(a, m, (gpus + m->ngpus - 1) / m->ngpus, err) < 0 ? -1 : 1;
}

/* Runs the program of list[0] without its output. */
static int bench_against_run(void *arg)
{
    const struct bench_args *a = arg;
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        execv(a->list[0], a->list);
        fprintf(stderr, "sluice: %s: %s\n", a->list[0], strerror(errno));
        _exit(1);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -1;
}

/* Runs the case by both programs in turns and adds the medians to the row.
 * Returns 0, or the code of the first run that did not finish. */
static int run_pairs(struct bench *b, struct bench_args *a,
                     const struct against *x)
{
    double cpu_s[2][PAIRS], ratios[PAIRS], peak_B[2] = {0};

    for (int i = 0; i < PAIRS; i++) {
        struct took t[2];
        for (int k = 0; k < 2; k++) {
            int who = (i + k + 1) % 2; /* they take turns in going first */
            snprintf(a->text[0], sizeof a->text[0], "%s",
                     who ? x->program : "/proc/self/exe");
            t[who] = bench_measure(bench_against_run, a, b->limit_s);
            if (t[who].code)
                return t[who].code;
            cpu_s[who][i] = t[who].cpu_s;
            if (t[who].peak_B > peak_B[who])
                peak_B[who] = t[who].peak_B;
        }
        ratios[i] = t[0].cpu_s / t[1].cpu_s;
    }
    double ratio = doubles_median(ratios, PAIRS);
    bench_number(b, "cpu_s", "%9.3f ", doubles_median(cpu_s[0], PAIRS));
    bench_number(b, "other_cpu_s", "%9.3f ", doubles_median(cpu_s[1], PAIRS));
    bench_number(b, "ratio", "%7.3f ", ratio);
    bench_number(b, "least_ratio", "%7.3f to ", ratios[0]);
    bench_number(b, "most_ratio", "%6.3f ", ratios[PAIRS - 1]);
    bench_scaled(b, "peak_bytes", "%9.0f ", peak_B[0], BENCH_MIB);
    bench_scaled(b, "other_peak_bytes", "%9.0f", peak_B[1], BENCH_MIB);
    return 0;
}

int bench_against(struct bench *b, const struct against *x, struct err *err)
{
    struct bench_args a;
    unsigned failed = 0;
    int made;

    bench_text(b,
               "sluice run on %s, this program and %s in turns; CPU seconds "
               "and their ratio: medians of %d pairs\n"
               "%-46s %9s %9s %7s %17s %9s %9s\n",
               b->m->name, x->program, PAIRS, "case", "this", "other", "ratio",
               "min to max", "peak MB", "other");
    if (b->doc)
        json_add_string(b->doc, "against", x->program);
    for (size_t i = 0; (made = args_make(&a, b->m, x, i, err)) > 0; i++) {
        bench_row(b, NULL);
        bench_words(b, "case", "%-46s ", a.name);
        bench_json_workload(b, a.words);
        failed += bench_ended(b, run_pairs(b, &a, x));
    }
    if (made < 0)
        return -1;
    return failed ? fail_work(err, "bench: %u of the cases failed", failed) : 0;
}
