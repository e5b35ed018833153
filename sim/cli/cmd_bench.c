/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "platforms/platform.h"
#include "sim/cli/cli.h"
#include "sim/exec.h"
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

struct exchange {
    const struct machine *m;
    unsigned nodes;
    unsigned messages;
};

/* The same numbers on every machine: splitmix64. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Messages of 1 to 100 kB from every rank in turn to uniformly random others,
 * all posted at once. */
static int run_exchange(void *arg)
{
    const struct exchange *x = arg;
    struct plan p;
    struct exec_result r;
    struct err err = {0};
    uint64_t state = 1;

    plan_init(&p, x->m, "bench", x->nodes, x->m->ncores, NULL);
    uint32_t ranks = x->nodes * x->m->ncores;
    for (uint32_t i = 0; i < x->messages; i++) {
        uint32_t src = i % ranks;
        uint32_t dst =
            (src + 1 + (uint32_t)(next_random(&state) % (ranks - 1))) % ranks;
        plan_msg(&p, PHASE_OFF_NODE, src, dst, NO_GPU, NO_GPU,
                 1000 + next_random(&state) % 99001);
    }
    int result = exec_plan(&r, x->m, &p, false, &err);
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

static void bench_exchanges(const struct machine *m, unsigned limit_s)
{
    static const unsigned nodes[] = {4, 16, 64};
    static const unsigned messages[] = {1000, 10000, 100000};

    printf("random exchanges on %s, %u ranks a node, all posted at once, "
           "engine %s\n",
           m->name, m->ncores, engine_kind_names[exec_engine()]);
    printf("%6s %9s %10s %19s %12s %9s\n", "nodes", "messages", "median s",
           "min to max s", "messages/s", "peak MB");
    for (size_t n = 0; n < 3; n++)
        for (size_t k = 0; k < 3; k++) {
            struct exchange x = {m, nodes[n], messages[k]};
            struct took t[3];
            unsigned runs = 0;
            do
                t[runs] = measure(run_exchange, &x, limit_s);
            while (t[runs].code == 0 && ++runs < 3);
            if (runs < 3) {
                printf("%6u %9u %10s\n", nodes[n], messages[k],
                       t[runs].code == 2 ? "over limit" : "failed");
                continue;
            }
            qsort(t, 3, sizeof *t, by_wall);
            printf("%6u %9u %10.3f %8.3f to %7.3f %12.0f %9.0f\n", nodes[n],
                   messages[k], t[1].wall_s, t[0].wall_s, t[2].wall_s,
                   messages[k] / t[1].wall_s, t[1].peak_MB);
            fflush(stdout);
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
    int noperands, result = 0;
    bool helped;
    const struct opt opts[] = {
        {"platform", OPT_TEXT, &platform, "NAME", "the machine (lassen)"},
        ENGINE_OPTION(engine),
        {"limit", OPT_COUNT, &limit_s, "SECONDS",
         "a case that takes longer is ended (120)"},
    };

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0],
                   "bench [exchange|halo]",
                   "exchange: messages simulated a second, and memory. halo: "
                   "reading a matrix and\nbuilding its halo. Medians of 3.\n",
                   &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (engine_choose(engine, err) < 0)
        return -1;
    bool exchange = noperands == 0, halo = noperands == 0;
    for (int i = 1; i <= noperands; i++) {
        exchange = exchange || !strcmp(argv[i], "exchange");
        halo = halo || !strcmp(argv[i], "halo");
        if (strcmp(argv[i], "exchange") != 0 && strcmp(argv[i], "halo") != 0)
            return fail(err, "bench: expected exchange or halo, got '%s'",
                        argv[i]);
    }

    struct machine m;
    if (platform_load(&m, platform ? platform : "lassen", NULL, 0, err) < 0)
        return -1;
    if (exchange)
        bench_exchanges(&m, limit_s);
    if (halo)
        result = bench_halos(limit_s, err);
    machine_clear(&m);
    return result;
}
