/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "platforms/platform.h"
#include "sim/cli/cli.h"
#include "sim/exec.h"
#include "workloads/exchange.h"
#include "workloads/matrix.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What one case took, in a process of its own. */
struct took {
    double wall_s;
    double peak_MB; /* of that process, or its largest child */
    int code;       /* 0: done; 1: failed; 2: over the limit */
};

static double peak_MB(int who)
{
    struct rusage use;

    getrusage(who, &use);
    return (double)use.ru_maxrss / 1024;
}

/* Runs work(arg) in a child that is ended after limit_s. */
static struct took measure(int (*work)(void *arg), void *arg, unsigned limit_s)
{
    struct took t = {.code = 1};
    int ends[2], status;

    if (pipe(ends))
        return t;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        signal(SIGALRM, SIG_DFL);
        alarm(limit_s);
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
    if (pid < 0 || read(ends[0], &t, sizeof t) != sizeof t)
        t = (struct took){.code = 2, .wall_s = limit_s};
    close(ends[0]);
    if (pid > 0) {
        kill(-pid, SIGKILL); /* the simulation's own child, too */
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    }
    return t;
}

/* --- exchanges ---------------------------------------------------------- */

struct exchange_case {
    const struct machine *m;
    char words[128];
};

/* Reads or draws the messages, plans and simulates them. */
static int run_exchange_case(void *arg)
{
    const struct exchange_case *c = arg;
    struct exchange x;
    struct plan p;
    struct exec_result r;
    struct err err = {0};

    if (exchange_from_workload(&x, c->words, &err) < 0 ||
        exchange_to_plan(&p, c->m, &x, &err) < 0) {
        err_print(&err);
        return -1;
    }
    exchange_clear(&x);
    int result = exec_plan(&r, c->m, &p, false, &err);
    if (result < 0)
        err_print(&err);
    else
        exec_result_clear(&r);
    plan_clear(&p);
    return result;
}

static int by_wall(const void *a, const void *b)
{
    const struct took *x = a, *y = b;

    return x->wall_s < y->wall_s ? -1 : x->wall_s > y->wall_s;
}

static void bench_one(struct exchange_case *c, const char *name,
                      double messages, unsigned limit_s)
{
    struct took t[5];
    unsigned runs = 0;

    do
        t[runs] = measure(run_exchange_case, c, limit_s);
    while (t[runs].code == 0 && ++runs < 5);
    if (runs < 5) {
        printf("%-32s %9.0f %s\n", name, messages,
               t[runs].code == 2 ? "over the limit" : "failed");
        return;
    }
    qsort(t, 5, sizeof *t, by_wall);
    printf("%-32s %9.0f %9.3f %8.3f to %7.3f %11.0f %8.0f\n", name, messages,
           t[2].wall_s, t[0].wall_s, t[4].wall_s, messages / t[2].wall_s,
           t[2].peak_MB);
    fflush(stdout);
}

static void bench_head(const struct machine *m)
{
    printf("random messages of 1 to 100 kB on %s, engine %s", m->name,
           engine_kind_names[exec_engine()]);
    if (exec_engine() == ENGINE_FLUID)
        printf(", accuracy %g", exec_accuracy());
    printf("\n%-32s %9s %9s %19s %11s %8s\n", "case", "messages", "median s",
           "min to max s", "messages/s", "peak MB");
}

/* All posted at once by all cores of 4 to 64 nodes. */
static void bench_exchanges(const struct machine *m, unsigned limit_s)
{
    static const unsigned nodes[] = {4, 16, 64};
    static const unsigned messages[] = {1000, 10000, 100000};

    bench_head(m);
    for (size_t n = 0; n < 3; n++)
        for (size_t k = 0; k < 3; k++) {
            struct exchange_case c = {.m = m};
            unsigned ranks = nodes[n] * m->ncores;
            unsigned each = (messages[k] + ranks - 1) / ranks;
            char name[48];
            if (ranks > messages[k])
                ranks = messages[k];
            snprintf(c.words, sizeof c.words,
                     "random:ranks=%u,messages=%u,rounds=1,"
                     "bytes=1000..100000,seed=1",
                     ranks, each);
            snprintf(name, sizeof name, "%u nodes", nodes[n]);
            bench_one(&c, name, (double)ranks * each, limit_s);
        }
}

/* R ranks, M messages of each, in K rounds. */
static void bench_rounds(const struct machine *m, unsigned limit_s)
{
    static const unsigned cases[][3] = {
        {256, 400, 1}, {1024, 1000, 40}, {1024, 1000, 1}, {4096, 250, 10}};

    bench_head(m);
    for (size_t i = 0; i < 4; i++) {
        struct exchange_case c = {.m = m};
        char name[48];
        snprintf(c.words, sizeof c.words,
                 "random:ranks=%u,messages=%u,rounds=%u,"
                 "bytes=1000..100000,seed=1",
                 cases[i][0], cases[i][1], cases[i][2]);
        snprintf(name, sizeof name, "R=%u M=%u K=%u", cases[i][0], cases[i][1],
                 cases[i][2]);
        bench_one(&c, name, (double)cases[i][0] * cases[i][1], limit_s);
    }
}

/* --- reading and halos -------------------------------------------------- */

struct halo_case {
    unsigned side;  /* of the cube of the 27-point stencil */
    char path[256]; /* the file to write and read */
};

static int write_matrix(const struct matrix *m, const char *path)
{
    FILE *f = fopen(path, "w");

    if (!f)
        return -1;
    fprintf(f,
            "%%%%MatrixMarket matrix coordinate pattern general\n%u %u %llu\n",
            m->rows, m->rows, (unsigned long long)m->row_ptr[m->rows]);
    for (uint32_t row = 0; row < m->rows; row++)
        for (uint64_t i = m->row_ptr[row]; i < m->row_ptr[row + 1]; i++)
            fprintf(f, "%u %u\n", row + 1, m->col[i] + 1);
    return fclose(f);
}

static int run_write(void *arg)
{
    struct halo_case *c = arg;
    struct matrix m;
    struct err err = {0};
    char words[64];

    snprintf(words, sizeof words, "stencil:27pt:%ux%ux%u", c->side, c->side,
             c->side);
    if (matrix_from_workload(&m, words, &err) < 0)
        return -1;
    return write_matrix(&m, c->path);
}

static int run_read(void *arg)
{
    struct halo_case *c = arg;
    struct matrix m;
    struct err err = {0};

    if (matrix_read(&m, c->path, &err) < 0) {
        err_print(&err);
        return -1;
    }
    return 0;
}

static int run_halo(void *arg)
{
    struct halo_case *c = arg;
    struct matrix m;
    struct halo h;
    struct err err = {0};
    char words[64];

    snprintf(words, sizeof words, "stencil:27pt:%ux%ux%u", c->side, c->side,
             c->side);
    if (matrix_from_workload(&m, words, &err) < 0)
        return -1;
    uint32_t *part = xcalloc(m.rows, sizeof *part);
    return matrix_partition(part, &m, 256, PARTITION_CONTIGUOUS, &err) < 0 ||
                   matrix_halo(&h, &m, part, 256, 4, &err) < 0
               ? -1
               : 0;
}

static int bench_halos(unsigned limit_s, struct err *err)
{
    static const unsigned sides[] = {27, 57, 123};
    const char *dir = getenv("TMPDIR");

    printf("27-point stencils in a .mtx file, halo for 256 GPUs (4 a node)\n");
    printf("%12s %10s %12s %9s %22s %9s\n", "nonzeros", "read s", "nonzeros/s",
           "peak MB", "generate and halo s", "peak MB");
    for (size_t i = 0; i < 3; i++) {
        struct halo_case c = {.side = sides[i]};
        snprintf(c.path, sizeof c.path, "%s/sluice-bench-%ld.mtx",
                 dir ? dir : "/tmp", (long)getpid());
        double s = 3.0 * sides[i] - 2, nnz = s * s * s;
        struct took w = measure(run_write, &c, limit_s);
        if (w.code) {
            unlink(c.path);
            return fail_work(err, "%s: cannot be written", c.path);
        }
        struct took r = measure(run_read, &c, limit_s);
        struct took h = measure(run_halo, &c, limit_s);
        unlink(c.path);
        if (r.code || h.code)
            return fail_work(err, "reading or halo failed or took over %u s",
                             limit_s);
        printf("%12.0f %10.2f %12.0f %9.0f %22.2f %9.0f\n", nnz, r.wall_s,
               nnz / r.wall_s, r.peak_MB, h.wall_s, h.peak_MB);
        fflush(stdout);
    }
    return 0;
}

int cmd_bench(int argc, char **argv, struct err *err)
{
    const char *platform = NULL, *engine = NULL;
    unsigned limit_s = 120;
    double accuracy = 0;
    int noperands, result = 0;
    bool helped;
    const struct opt opts[] = {
        {"platform", OPT_TEXT, &platform, "NAME",
         "the machine (lassen; rounds: flat8)"},
        ENGINE_OPTION(engine),
        {"accuracy", OPT_NUMBER, &accuracy, "A",
         "of the fluid engine: 0, exact (0), to 0.1"},
        {"limit", OPT_COUNT, &limit_s, "SECONDS",
         "a case that takes longer is ended (120)"},
    };

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0],
                   "bench exchange|rounds|halo",
                   "exchange: 1000 to 100,000 messages posted at once on 4 to "
                   "64 nodes. rounds: a\nmillion messages in rounds on 128 and "
                   "512 nodes of 8 ranks. halo: reading a matrix\nand building "
                   "its halo. Whole program; medians of 5 (halo: once).\n",
                   &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands != 1 ||
        (strcmp(argv[1], "exchange") != 0 && strcmp(argv[1], "rounds") != 0 &&
         strcmp(argv[1], "halo") != 0))
        return fail(err, "bench: expected exchange, rounds or halo");
    if (accuracy < 0 || accuracy > 0.1)
        return fail(err, "--accuracy: expected 0 to 0.1, got %g", accuracy);
    if (engine_choose(engine, err) < 0)
        return -1;
    exec_use_accuracy(accuracy);

    bool rounds = !strcmp(argv[1], "rounds");
    struct machine m;
    if (platform_load(&m,
                      platform ? platform
                      : rounds ? "flat8"
                               : "lassen",
                      NULL, 0, err) < 0)
        return -1;
    if (rounds)
        bench_rounds(&m, limit_s);
    else if (!strcmp(argv[1], "exchange"))
        bench_exchanges(&m, limit_s);
    else
        result = bench_halos(limit_s, err);
    machine_clear(&m);
    return result;
}
