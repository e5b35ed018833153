/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Executes collectives on real ranks: the plans that sluice simulates, for a
 * range of sizes, and the MPI library's own for comparison. */
#include "strategies/collective/collective.h"

#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "sim/plan/plan_check.h"
#include "validate/native/bench.h"
#include "validate/native/calls.h"
#include "validate/native/library.h"
#include "validate/native/mps.h"
#include "validate/native/store.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 5, MOST = 50 };

#define COLLECTIVE_ABOUT                                                       \
    "Algorithms: sluice list algorithms. Ranks of a node in GPU memory are "   \
    "dealt to its GPUs,\nN to each.\n"

struct collective_run {
    struct native *n;
    struct bench_options bench;
    struct texts operations, algorithms, sets;
    const char *platform, *memory, *mps;
    unsigned per_gpu, root, groups;
    bool nonblocking, ipc, no_library, no_simulation;
    struct machine m;
    struct table t;
};

static void collective_row(struct collective_run *q, const struct collective *c,
                           const char *algorithm, const struct samples *s,
                           double simulated_s)
{
    const struct native *n = q->n;
    double least = s->s[0], most = s->s[0];
    char simulated[32] = "";

    for (size_t i = 0; i < s->n; i++) {
        least = fmin(least, s->s[i]);
        most = fmax(most, s->s[i]);
    }
    if (simulated_s > 0)
        snprintf(simulated, sizeof simulated, "%.6e", simulated_s);
    table_row(&q->t, "%s,%s,%d,%d,%u,%llu,%llu,%s,%s,%u,%zu,%.6e,%.6e,%.6e,%s",
              collective_kind_names[c->kind], algorithm, n->nodes, n->per_node,
              c->per_gpu, (unsigned long long)c->bytes,
              (unsigned long long)c->bytes / c->element_B,
              collective_memory_names[c->memory],
              c->memory == COLLECTIVE_HOST ? "host" : n->gpu->memory,
              s->iterations, s->n, samples_median(s), least, most, simulated);
}

static struct repeat collective_how(const struct collective_run *q)
{
    return (struct repeat){.least = LEAST,
                           .most = MOST,
                           .per_point_s = q->bench.native.per_point_s};
}

/* --- one algorithm -------------------------------------------------------- */

static int simulated(double *time_s, const struct collective_run *q,
                     const struct plan *p, struct err *err)
{
    struct exec_result result;

    *time_s = 0;
    if (q->no_simulation || q->n->rank != 0 || !p->nops)
        return 0;
    if (exec_plan(&result, &q->m, p, NULL, EXEC_MAKESPAN, err) < 0)
        return -1;
    *time_s = result.time_s;
    exec_result_clear(&result);
    return 0;
}

/* Makes this rank use the GPU that the plan gives it, and enables direct copies
 * from there to the other GPUs. */
static int use_gpu(const struct native *n, const struct collective *c,
                   struct err *err)
{
    const struct gpu_api *gpu = n->gpu;
    unsigned own = store_gpu(c, (uint32_t)n->rank);

    if (!gpu->count || !store_on_gpu(c))
        return 0;
    if (gpu->use(own % gpu->count, err) < 0)
        return -1;
    for (unsigned i = 0; i < gpu->count && gpu->reach; i++)
        if (i != own % gpu->count && gpu->reach(i, err) < 0)
            return -1;
    return 0;
}

/* Runs the plan once, from elements that are set before, and checks the
 * result. */
static void collective_check(const struct native *n, struct runner *r,
                             struct calls *calls)
{
    native_barrier(n);
    store_fill(r);
    native_barrier(n);
    (void)calls_once(calls);
    native_barrier(n);
    store_verify(r);
}

static int collective_run_plan(struct collective_run *q,
                               const struct collective *c, const struct plan *p,
                               struct err *err)
{
    const struct repeat how = collective_how(q);
    const struct calls_memory none = {.n = q->n};
    double simulated_s;
    struct samples s;
    struct calls calls;
    struct runner r;

    int result = simulated(&simulated_s, q, p, err);
    if (native_agree(q->n, result, err) < 0 ||
        runner_init(&r, q->n, p, NULL, c, q->m.ngpus ? q->m.ngpus : 1, err) < 0)
        return -1;
    result = native_agree(q->n, use_gpu(q->n, c, err), err);
    if (result == 0)
        result = calls_init(&calls, &none, p, &r, true, err);
    if (result == 0) {
        collective_check(q->n, &r, &calls);
        repeat(&s, q->n, &how, calls_once_batch, &calls);
        /* The sums have grown meanwhile. */
        collective_check(q->n, &r, &calls);
        collective_row(q, c, p->name, &s, simulated_s);
        samples_clear(&s);
        calls_clear(&calls);
    }
    runner_clear(&r);
    return result;
}

/* Returns whether moves go through host memory that ranks share, because no
 * such memory is made here. */
static bool through_host(const struct shared_moves *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->moves[i].from % NSHARED_PLACES == SHARED_STAGE ||
            s->moves[i].to % NSHARED_PLACES == SHARED_STAGE)
            return true;
    return false;
}

/* Returns 1 if the algorithm does not apply, or cannot run here, and the user
 * did not name it. */
static int collective_one(struct collective_run *q, const struct collective *c,
                          const struct collective_algorithm *a, bool asked,
                          struct err *err)
{
    struct collective with = *c;
    struct shared_moves moves = {0};
    struct plan p;
    int result;

    with.moves = &moves;
    if (!a->phases[0].build)
        result =
            fail(err, "%s: runs inside a GPU, without plan of CPUs", a->name);
    else
        result = collective_plan(&p, &q->m, a, NULL, &with, err);
    if (result < 0) {
        free(moves.moves);
        return asked ? -1 : 1;
    }
    result = plan_check(&p, &q->m, err);
    if (result == 0 && through_host(&moves))
        result = fail(err,
                      "%s: copies through host memory that ranks share, which "
                      "is not done for real",
                      a->name);
    if (result == 0)
        result = collective_run_plan(q, &with, &p, err);
    plan_clear(&p);
    free(moves.moves);
    return result < 0 && !asked && err->kind == ERR_INPUT ? 1 : result;
}

static bool wants_algorithm(const struct collective_run *q, const char *name)
{
    for (size_t i = 0; i < q->algorithms.n; i++)
        if (!strcmp(q->algorithms.items[i], name))
            return true;
    return q->algorithms.n == 0;
}

static int collective_at(struct collective_run *q, struct collective *c,
                         struct err *err)
{
    const struct repeat how = collective_how(q);
    struct samples s;

    for (size_t i = 0; i < ncollectives; i++) {
        const struct collective_algorithm *a = collectives[i];
        if (a->kind != c->kind || !wants_algorithm(q, a->name))
            continue;
        c->groups = a->grouped ? q->groups : 1;
        int got = collective_one(q, c, a, q->algorithms.n > 0, err);
        if (got < 0)
            return -1;
        if (got == 1 && q->n->rank == 0 && c->bytes == q->bench.sizes.to)
            fprintf(stderr, "sluice-native: left out: %s\n", err->text);
    }
    if (q->no_library || !library_can(q->n, c))
        return 0;
    if (library_repeat(&s, q->n, c, &how, err) < 0)
        return -1;
    collective_row(q, c, "mpi", &s, 0);
    samples_clear(&s);
    return 0;
}

/* --- options -------------------------------------------------------------- */

static uint64_t whole_blocks(const struct collective *c, uint64_t bytes)
{
    uint64_t of_all = (uint64_t)c->element_B * collective_ranks(c);
    bool blocks = c->kind == COLLECTIVE_ALLGATHER ||
                  c->kind == COLLECTIVE_REDUCE_SCATTER ||
                  c->kind == COLLECTIVE_ALLTOALL;

    return blocks ? bytes / of_all * of_all
                  : bytes / c->element_B * c->element_B;
}

static int collective_measure(struct collective_run *q,
                              enum collective_memory memory, struct err *err)
{
    for (int kind = 0; kind < NCOLLECTIVE_KINDS; kind++) {
        bool asked = q->operations.n == 0;
        for (size_t i = 0; i < q->operations.n; i++)
            asked |=
                !strcmp(q->operations.items[i], collective_kind_names[kind]);
        for (uint64_t bytes = q->bench.sizes.from;
             asked && bytes <= q->bench.sizes.to;
             bytes *= q->bench.sizes.factor) {
            bool rooted =
                kind == COLLECTIVE_BROADCAST || kind == COLLECTIVE_REDUCE;
            struct collective c = {.kind = (enum collective_kind)kind,
                                   .nodes = (unsigned)q->n->nodes,
                                   .ranks_per_node = (unsigned)q->n->per_node,
                                   .element_B = sizeof(float),
                                   .root = rooted ? q->root : 0,
                                   .memory = memory,
                                   .per_gpu = q->per_gpu,
                                   .exchange = q->nonblocking
                                                   ? COLLECTIVE_NONBLOCKING
                                                   : COLLECTIVE_PAIRWISE,
                                   .pieces = true};
            c.bytes = whole_blocks(&c, bytes);
            if (c.bytes && collective_at(q, &c, err) < 0)
                return -1;
        }
    }
    return 0;
}

static int collective_known(const struct texts *asked, const char *option,
                            const char *const *names, size_t n, struct err *err)
{
    for (size_t i = 0; i < asked->n; i++) {
        bool found = false;
        for (size_t j = 0; j < n; j++)
            found |= !strcmp(asked->items[i], names[j]);
        if (!found) {
            const char *near = nearest_word(asked->items[i], names, n);
            return fail(err, "--%s %s: unknown%s%s%s", option, asked->items[i],
                        near ? " (did you mean " : "", near ? near : "",
                        near ? "?)" : "");
        }
    }
    return 0;
}

static int check_asked(struct collective_run *q, enum collective_memory *memory,
                       struct err *err)
{
    const char **names = xcalloc(ncollectives, sizeof *names);
    int k = 0;

    for (size_t i = 0; i < ncollectives; i++)
        names[i] = collectives[i]->name;
    int result =
        collective_known(&q->operations, "operation", collective_kind_names,
                         NCOLLECTIVE_KINDS, err);
    if (result == 0)
        result = collective_known(&q->algorithms, "algorithm", names,
                                  ncollectives, err);
    free(names);
    if (result < 0)
        return -1;
    while (k < NCOLLECTIVE_MEMORIES &&
           strcmp(q->memory, collective_memory_names[k]) != 0)
        k++;
    if (k == NCOLLECTIVE_MEMORIES)
        return fail(err, "--memory: expected host, device or staged, got '%s'",
                    q->memory);
    *memory = (enum collective_memory)k;
    if (q->root >= (unsigned)q->n->ranks)
        return fail(err, "--root %u: there are %d ranks", q->root, q->n->ranks);
    /* The sums of small integers are exact in float32 for up to 180 ranks. */
    if (q->n->ranks > 180)
        return fail(err,
                    "collective: %d ranks are more than 180, of which "
                    "float32 has exact sums",
                    q->n->ranks);
    return 0;
}

/* Checks the largest size, because MPI counts a message's bytes by an int; a
 * message by CUDA IPC is empty. */
static int check_largest(const struct collective_run *q,
                         enum collective_memory memory, struct err *err)
{
    bool by_ipc = memory == COLLECTIVE_DEVICE && q->n->gpu->share &&
                  !q->n->device_mpi && q->no_library;

    return by_ipc || q->bench.sizes.to <= INT_MAX
               ? 0
               : fail(err, "--sizes: what MPI sends is below 2G; by CUDA IPC, "
                           "with --no-library, it may be more");
}

static int collective_work(struct collective_run *q,
                           enum collective_memory memory, struct err *err)
{
    static const char *const notes[] = {
        "bytes: of the largest buffer of a rank, as nccl-tests' size; float32; "
        "every element of each result is checked, before and after the times",
        "time_s: of one execution, from a common start until the last rank's "
        "last operation; median, least and most of the batches; simulated_s: "
        "the same plan, on the platform of the command line",
        "algorithm mpi: the MPI library's own, between host memory or, where "
        "the MPI takes it, GPU memory",
        "memory_of: host stands for GPU memory where there is no GPU", NULL};

    if (mps_find(&q->bench.native, q->n, q->mps, err) < 0 ||
        table_open(&q->t, q->n, &q->bench.native,
                   "collectives, each algorithm's plan on real ranks", notes,
                   "operation,algorithm,nodes,ranks_per_node,per_gpu,bytes,"
                   "elements,memory,memory_of,iterations,batches,time_s,"
                   "least_s,most_s,simulated_s",
                   err) < 0)
        return -1;
    return table_end(&q->t, q->n, collective_measure(q, memory, err), err);
}

int bench_collective(struct native *n, int argc, char **argv, struct err *err)
{
    struct collective_run q = {.n = n,
                               .per_gpu = 1,
                               .groups = 1,
                               .memory = "host",
                               .bench = {.sizes = {8, 1u << 20, 4},
                                         .most = 16ull << 30,
                                         .copies = true,
                                         .about = COLLECTIVE_ABOUT}};
    const struct opt more[] = {
        {"platform", OPT_TEXT, &q.platform, "NAME",
         "the machine, for its GPUs and what is simulated (lassen)"},
        {"set", OPT_TEXTS, &q.sets, "KEY=VALUE", "override a value of it"},
        {"operation", OPT_TEXTS, &q.operations, "NAME",
         "allreduce, allgather, ...; may be given again (all)"},
        {"algorithm", OPT_TEXTS, &q.algorithms, "NAME",
         "may be given again (all that apply)"},
        {"memory", OPT_TEXT, &q.memory, "WHERE",
         "host, device or staged (host)"},
        {"per-gpu", OPT_COUNT, &q.per_gpu, "N", "ranks that share a GPU (1)"},
        {"groups", OPT_COUNT, &q.groups, "N",
         "leaders or groups of a node, for algorithms that have them (1)"},
        {"root", OPT_COUNT, &q.root, "R", "of broadcast and reduce (0)"},
        {"nonblocking", OPT_FLAG, &q.nonblocking, NULL,
         "all-to-alls post all messages at once"},
        {"mps", OPT_TEXT, &q.mps, "on|off", "an error when it is not so (any)"},
        {"ipc", OPT_FLAG, &q.ipc, NULL,
         "messages of GPU memory on a node by CUDA IPC, though MPI takes them"},
        {"no-library", OPT_FLAG, &q.no_library, NULL,
         "leave out the MPI library's own"},
        {"no-simulation", OPT_FLAG, &q.no_simulation, NULL,
         "leave out simulated_s"},
        {0}};
    enum collective_memory memory = COLLECTIVE_HOST;
    bool helped;

    if (bench_begin(n, &q.bench, argc, argv, "collective [OPTIONS]", more,
                    &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (native_agree(n, check_asked(&q, &memory, err), err) < 0 ||
        native_agree(n,
                     platform_load(&q.m, q.platform ? q.platform : "lassen",
                                   q.sets.items, q.sets.n, err),
                     err) < 0)
        return -1;
    if (n->gpu == &gpu_host_api)
        n->gpu = &gpu_host_shared_api;
    n->device_mpi &= !q.ipc;
    int result = check_largest(&q, memory, err);
    if (result == 0)
        result = collective_work(&q, memory, err);
    machine_clear(&q.m);
    return result;
}
