/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Native runs compared with the simulation: medians and noise, winners, the
 * cost of a wrong one, and bad input that is refused. */
#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "tests/check.h"
#include "tests/scratch.h"
#include "validate/measure/native_results.h"

#include <stdlib.h>

#define HEAD                                                                   \
    "run_id,machine,config,workload,partition,gpus,nodes,ranks_per_node,"      \
    "value_bytes,strategy,memory,sample,time_s\n"
#define DUO "r,duo,x,stencil:5pt:8x8,contiguous,2,2,2,"

/* Loads rows, which are made of parts because a matrix's name has commas. */
static int load(struct native_results *r, const char *text, struct err *err)
{
    char *path = scratch_file("native.csv", text);
    int result = native_load(r, (const char *const[]){path}, 1, err);

    /* The next call frees the path, because the results name it until they are
     * cleared. */
    static char *kept;
    free(kept);
    kept = path;
    return result;
}

static bool loaded(struct native_results *r, const char *text)
{
    struct err err = {0};

    if (load(r, text, &err) == 0 &&
        native_simulate(r, NULL, NULL, 0, NULL, NULL, &err) == 0)
        return true;
    err_print(&err);
    CHECK(!"loaded and simulated");
    return false;
}

/* --- one time ------------------------------------------------------------- */

static void medians(void)
{
    struct native_results r;

    if (!loaded(&r, HEAD DUO "8,standard/staged,host,0,24e-6\n" DUO
                             "8,split+md,host,0,30e-6\n" DUO
                             "8,standard/staged,host,1,20e-6\n" DUO
                             "8,standard/staged,host,2,22e-6\n" DUO
                             "8,standard/staged,host,3,21e-6\n" DUO
                             "8,standard/staged,host,4,23e-6\n"))
        return;
    CHECK_EQ(r.n, 1);
    CHECK_EQ(r.cases[0].n, 2);
    const struct native_time *staged = &r.cases[0].times[0];
    const struct native_time *md = &r.cases[0].times[1];
    CHECK_HAS(staged->strategy->name, "standard/staged");
    CHECK_EQ(staged->nsamples, 5);
    CHECK_EQ(staged->line, 2);
    CHECK_EQ(md->line, 3);
    /* The quartiles are 21 and 23. */
    CHECK_NEAR(staged->native_s, 22e-6, 1e-12);
    CHECK_NEAR(staged->noise_s, 1.57 * 2e-6 / sqrt(5), 1e-12);
    CHECK(isnan(md->noise_s));
    /* 8 values of 8 B: a copy of 10 us + 0.1 ns/B out and in, a message of 1 us
     * + 1 ns/B between. */
    CHECK_NEAR(staged->simulated_s, 2 * 10.0064e-6 + 1.064e-6, 1e-9);
    native_clear(&r);
}

/* A case that is measured twice has more samples: of another run, in another
 * file. */
static void several_files(void)
{
    struct native_results r;
    struct err err = {0};
    char *a = scratch_file("a.csv", HEAD DUO "8,split+md,host,0,1e-6\n");
    char *b = scratch_file("b.csv", "# measured: by hand\n" HEAD
                                    "s,duo,x,stencil:5pt:8x8,contiguous,2,2,2,"
                                    "8,split+md,host,0,3e-6\n" DUO
                                    "8,split+md,gpu,0,5e-6\n");

    CHECK_EQ(native_load(&r, (const char *const[]){a, b}, 2, &err), 0);
    CHECK_EQ(r.n, 2);
    CHECK_EQ(r.cases[0].times[0].nsamples, 2);
    CHECK_NEAR(r.cases[0].times[0].native_s, 2e-6, 1e-12);
    CHECK(r.cases[1].gpu_memory);
    native_clear(&r);
    /* Another MPI makes another case. */
    char *c =
        scratch_file("c.csv", "mpi," HEAD "m," DUO "8,split+md,host,0,7e-6\n");
    CHECK_EQ(native_load(&r, (const char *const[]){a, c}, 2, &err), 0);
    CHECK_EQ(r.n, 2);
    native_clear(&r);
    free(c);
    CHECK(native_load(&r, (const char *const[]){a, a}, 2, &err) < 0);
    CHECK_HAS(err.text, "a.csv:2: sample: run r has number 0 of this already");
    free(a);
    free(b);
}

/* Three runs take 20, 22 and 24 us: the notch of four samples is 1.57 us, but
 * three medians with a standard deviation of 2 determine little. */
static void noise_of_runs(void)
{
    struct native_results r;
    struct err err = {0};

#define RUN(name)                                                              \
    name ",duo,x,stencil:5pt:8x8,contiguous,2,2,2,8,split+md,host,"
    CHECK_EQ(load(&r,
                  HEAD RUN("a") "0,20e-6\n" RUN("b") "0,22e-6\n" RUN(
                      "c") "0,24e-6\n" RUN("b") "1,22e-6\n",
                  &err),
             0);
    CHECK_NEAR(r.cases[0].times[0].noise_s, 4.30265272991 * 2e-6 / sqrt(6),
               1e-9);
#undef RUN
    native_clear(&r);
}

/* --- winners -------------------------------------------------------------- */

/* All staged strategies except split have one prediction, because they are one
 * plan on duo. */
static void equal_predictions(void)
{
    struct native_results r;

    if (!loaded(&r, HEAD DUO "8,standard/staged,host,0,22e-6\n" DUO
                             "8,3-step/staged,host,0,21e-6\n" DUO
                             "8,split+md,host,0,20e-6\n"))
        return;
    CHECK_HAS(native_fastest(&r.cases[0])->strategy->name, "split+md");
    CHECK_HAS(native_predicted(&r.cases[0])->strategy->name, "3-step/staged");
    CHECK(!native_is_clear(&r.cases[0])); /* each has one sample */
    struct native_score s = native_score(&r, NULL);
    CHECK_EQ(s.cases, 1);
    CHECK_EQ(s.right, 0);
    CHECK_NEAR(s.worst_regret, 0.05, 1e-9);
    native_clear(&r);
}

static double summary_of(const struct native_results *r, const char *name,
                         bool p90)
{
    size_t n;
    double v = NAN;
    struct error_summary *list = native_summary(r, &n);

    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i].name, name))
            v = p90 ? list[i].p90 : list[i].median;
    free(list);
    return v;
}

static void clear_winners(const struct native_results *r)
{
    CHECK_EQ(r->n, 5);
    CHECK(native_is_clear(&r->cases[0]));  /* 22 +- 1.4 and 30 */
    CHECK(native_is_clear(&r->cases[1]));  /* 25 +- 0.91 and 26 */
    CHECK(!native_is_clear(&r->cases[2])); /* 26 +- 1.11 and 28 +- 1.11 */
    CHECK(!native_is_clear(&r->cases[3])); /* one has a single sample */
    CHECK(!native_is_clear(&r->cases[4])); /* one strategy */
}

/* split+md wins natively, but standard/staged is predicted: 26 instead of
 * 25. */
static void one_is_wrong(const struct native_results *r)
{
    struct native_score s = native_score(r, NULL);

    CHECK_EQ(s.cases, 4);
    CHECK_EQ(s.right, 3);
    CHECK_EQ(s.clear, 2);
    CHECK_EQ(s.clear_right, 1);
    /* With two strategies a case, its pair is its winner. */
    CHECK_EQ(s.pairs, 2);
    CHECK_EQ(s.pairs_right, 1);
    CHECK_NEAR(s.median_regret, 0, 1e-12);
    CHECK_NEAR(s.worst_regret, 0.04, 1e-9);
    CHECK(s.worst_case == &r->cases[1]);
    s = native_score(r, "gpu");
    CHECK_EQ(s.cases, 1);
    CHECK_EQ(s.clear, 0);
}

/* tests/data/native_duo.csv; its table is golden/validate_native.out. */
static void by_hand(void)
{
    static const char *const path[] = {"tests/data/native_duo.csv"};
    struct native_results r;
    struct err err = {0};

    CHECK_EQ(native_load(&r, path, 1, &err), 0);
    CHECK_EQ(native_simulate(&r, NULL, NULL, 0, NULL, NULL, &err), 0);
    clear_winners(&r);
    one_is_wrong(&r);
    /* 21.0768 for 22, 21.6144 for 26, 24.4576 for 26: the middle one counts. */
    CHECK_NEAR(summary_of(&r, "host/standard/staged", false), 1 - 24.4576 / 26,
               1e-9);
    /* 2.064 for 2.58 is 20 % off, 2.512 for 5.024 50: at 90 %, 47. */
    CHECK_NEAR(summary_of(&r, "gpu/standard/device", true), 0.47, 1e-9);
    CHECK_NEAR(summary_of(&r, "gpu", false), 0.2, 1e-9);
    native_clear(&r);
}

/* --- known factors -------------------------------------------------------- */

struct shape {
    const char *workload, *partition;
    unsigned nodes, ranks_per_node, value_bytes;
    unsigned unused; /* missing GPUs of the last node */
};

/* Adjacent entries of this list share neither matrix nor halo. */
static const struct shape shapes[] = {
    {"stencil:5pt:40x40", "contiguous", 2, 40, 8, 0},
    {"random:rows=500,row_nnz=4,seed=1", "metis", 3, 8, 64, 0},
    {"stencil:5pt:40x40", "metis", 2, 8, 64, 0},
    {"random:rows=500,row_nnz=4,seed=1", "contiguous", 3, 40, 8, 0},
    {"stencil:5pt:40x40", "contiguous", 2, 40, 800, 0},
    {"stencil:5pt:40x40", "contiguous", 3, 8, 8, 0},
    {"random:rows=500,row_nnz=4,seed=1", "contiguous", 3, 8, 8, 3},
};
enum { NSHAPES = sizeof shapes / sizeof shapes[0] };

static double factor(size_t shape, size_t strategy)
{
    return 0.7 + 0.1 * (double)((shape + 3 * strategy) % 7);
}

static unsigned gpus_of(const struct machine *m, const struct shape *x)
{
    return x->nodes * m->ngpus - x->unused;
}

static double simulated(const struct machine *m, const struct shape *x,
                        const struct strategy *s)
{
    struct strategy_options options = {.ranks_per_node = x->ranks_per_node};
    struct matrix matrix;
    struct halo halo;
    struct plan plan;
    struct exec_result result;
    struct err err;

    if (matrix_from_workload(&matrix, x->workload, &err) < 0 ||
        matrix_halo_by(&halo, &matrix, x->partition, gpus_of(m, x), m->ngpus,
                       &err) < 0)
        return NAN;
    halo.value_bytes = x->value_bytes;
    double time_s = NAN;
    if (strategy_plan(s, &plan, m, &halo, &options, &err) == 0) {
        if (exec_plan(&result, m, &plan, NULL, EXEC_TIMES, &err) == 0) {
            time_s = result.time_s;
            exec_result_clear(&result);
        }
        plan_clear(&plan);
    }
    halo_clear(&halo);
    matrix_clear(&matrix);
    return time_s;
}

/* Returns rows in which each time is simulated independently, and multiplied by
 * a known factor. The caller frees them. */
static char *disturbed(const struct machine *m)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    fputs(HEAD, to);
    for (size_t i = 0; i < NSHAPES; i++)
        for (size_t k = 0; k < nstrategies; k++) {
            const struct shape *x = &shapes[i];
            fprintf(to, "r,lassen,,\"%s\",%s,%u,%u,%u,%u,%s,host,0,%.17g\n",
                    x->workload, x->partition, gpus_of(m, x), x->nodes,
                    x->ranks_per_node, x->value_bytes, strategies[k]->name,
                    simulated(m, x, strategies[k]) * factor(i, k));
        }
    fclose(to);
    return text;
}

static void known_factors(void)
{
    struct native_results r;
    struct machine m;
    struct err err = {0};

    CHECK_EQ(platform_load(&m, "lassen", NULL, 0, &err), 0);
    char *text = disturbed(&m);
    if (loaded(&r, text)) {
        CHECK_EQ(r.n, NSHAPES);
        for (size_t i = 0; i < r.n; i++)
            for (size_t k = 0; k < r.cases[i].n; k++) {
                const struct native_time *t = &r.cases[i].times[k];
                CHECK(t->strategy == strategies[k]);
                CHECK_NEAR(t->native_s / t->simulated_s, factor(i, k), 1e-9);
            }
        native_clear(&r);
    }
    free(text);
    machine_clear(&m);
}

/* --- refusals ------------------------------------------------------------- */

static const struct {
    const char *text, *want;
} bad[] = {
    {"", "no rows"},
    {"run_id,machine\n1,2\n", ": no column named config"},
    {HEAD DUO "8,split+md,host,0\n", ":2: expected 13 fields, got 12"},
    {HEAD DUO "8,split+md,host,0,nan\n",
     ":2: time_s: expected a number, got 'nan'"},
    {HEAD DUO "8,split+md,host,0,-1e-6\n",
     ":2: time_s: expected a time above 0, got -1e-06"},
    {HEAD DUO "8,split+md,host,0,0\n", "time_s: expected a time above 0"},
    {HEAD DUO "8,split+md,host,0.5,1\n", "sample: expected a whole number"},
    {HEAD DUO "8,split+mmd,host,0,1\n", ":2: strategy: split+mmd"},
    {HEAD DUO "8,split+md,disk,0,1\n",
     ":2: memory: expected host or gpu, got 'disk'"},
    {HEAD DUO "0,split+md,host,0,1\n",
     ":2: value_bytes: expected a number above 0"},
    {HEAD DUO "-8,split+md,host,0,1\n", "value_bytes: expected a whole number"},
    {HEAD DUO "1048577,split+md,host,0,1\n",
     ":2: value_bytes: 1048577 is too large"},
    {HEAD DUO "8,split+md,host,0,1\n\n" DUO "8,split+md,host,0,1\n",
     ":4: sample: run r has number 0 of this already"},
    {HEAD ",duo,x,stencil:5pt:8x8,contiguous,2,2,2,8,split+md,host,0,1\n",
     ":2: run_id: nothing there"},
    {HEAD "r,,x,stencil:5pt:8x8,contiguous,2,2,2,8,split+md,host,0,1\n",
     ":2: machine: nothing there"},
    {HEAD "r,duo,x,,contiguous,2,2,2,8,split+md,host,0,1\n",
     ":2: workload: nothing there"},
    {HEAD "r,duo,x,stencil:5pt:8x8,best,2,2,2,8,split+md,host,0,1\n",
     ":2: partition: best: unknown partition"},
    {HEAD "r,duo,x,stencil:5pt:8x8,metis,3,2,2,8,split+md,host,0,1\n",
     ":2: nodes: expected 3, since duo has 1 GPUs on a node, got 2"},
    {HEAD "r,duo,x,stencil:5pt:8x8,metis,2,0,2,8,split+md,host,0,1\n",
     ":2: nodes: expected a number above 0"},
    {HEAD "r,duo,x,stencil:5pt:8x8,metis,2,2,two,8,split+md,host,0,1\n",
     ":2: ranks_per_node: expected a number, got 'two'"},
    /* these are found when they are simulated */
    {HEAD "r,duo,x,stencil:5pt:8x8,,2,2,2,8,split+md,host,0,1\n",
     ":2: workload: stencil:5pt:8x8: expected a partition"},
    {HEAD "r,duo,x,alltoall:bites=8,,2,2,2,8,split+md,host,0,1\n",
     ":2: workload: alltoall:bites=8: 'bites'"},
    {HEAD "r,dou,x,stencil:5pt:8x8,metis,2,2,2,8,split+md,host,0,1\n",
     ":2: machine: "},
    {HEAD "r,duo,x,stencil:4pt:8x8,metis,2,2,2,8,split+md,host,0,1\n",
     ":2: workload: stencil:4pt:8x8"},
    {HEAD "r,duo,x,spmv:none.mtx,metis,2,2,2,8,split+md,host,0,1\n",
     ":2: workload: none.mtx"},
    {HEAD "r,duo,x,stencil:5pt:8x8,metis,2,1,2,8,split+md,host,0,1\n",
     ":2: nodes: expected 2, since duo has 1 GPUs on a node, got 1"},
    {HEAD "r,duo,x,stencil:5pt:1x1,metis,2,2,2,8,split+md,host,0,1\n",
     ":2: gpus: "},
    {HEAD "r,duo,x,stencil:5pt:8x8,metis,4,4,2,8,split+md,host,0,1\n",
     ":2: split+md: 4 GPUs need 4 nodes, duo has 2"},
    {HEAD "r,duo,x,stencil:5pt:8x8,metis,2,2,3,8,split+md,host,0,1\n",
     ":2: split+md: 3 ranks per node wanted, duo has 2"},
};

static void refusals(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct native_results r;
        struct err err = {0};
        int result = load(&r, bad[i].text, &err);

        if (result == 0) {
            result = native_simulate(&r, NULL, NULL, 0, NULL, NULL, &err);
            native_clear(&r);
        }
        CHECK(result < 0);
        CHECK(err.kind == ERR_INPUT);
        CHECK_HAS(err.text, "native.csv");
        CHECK_HAS(err.text, bad[i].want);
    }
}

int main(void)
{
    scratch_make();
    medians();
    noise_of_runs();
    several_files();
    equal_predictions();
    by_hand();
    known_factors();
    refusals();
    scratch_clear();
    return check_result();
}
