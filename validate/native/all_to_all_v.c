/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every GPU sends to every GPU, by the four strategies. */
#include "validate/native/bench.h"
#include "validate/native/exchange.h"
#include "validate/native/mps.h"

#include <stdio.h>
#include <string.h>

enum { LEAST = 10, MOST = 200 };

struct all_to_all {
    const struct native *n;
    const struct bench_options *o;
    struct table *t;
    unsigned per_node;       /* GPUs */
    bool wanted[NEXCHANGES]; /* strategies */
};

static void all_to_all_v_points(const struct all_to_all *b, struct exchange *x)
{
    /* Operations are timed one at a time, because without a pause a rank that
     * only sends would run ahead of those that receive. */
    const struct repeat how = {.iterations = 1,
                               .least = LEAST,
                               .most = MOST,
                               .per_point_s = b->o->native.per_point_s};

    for (x->bytes = b->o->sizes.from; x->bytes <= b->o->sizes.to;
         x->bytes *= b->o->sizes.factor) {
        struct samples s;
        native_exchange_check(x);
        repeat(&s, b->n, &how, native_exchange_batch, x);
        for (size_t i = 0; i < s.n; i++)
            table_row(b->t, "%d,%u,%d,isend_irecv,%s,%llu,%u,%.6e", b->n->nodes,
                      x->gpus, b->n->per_node, exchange_names[x->strategy],
                      (unsigned long long)x->bytes, s.iterations, s.s[i]);
        samples_clear(&s);
    }
}

static int all_to_all_v_measure(const struct all_to_all *b, struct err *err)
{
    struct exchange x;

    if (native_exchange_init(&x, b->n, b->per_node, b->o->sizes.to, err) < 0)
        return -1;
    for (int s = 0; s < NEXCHANGES; s++)
        if (b->wanted[s]) {
            x.strategy = (enum exchange_strategy)s;
            all_to_all_v_points(b, &x);
        }
    native_exchange_clear(&x);
    return 0;
}

static int strategy_option(struct all_to_all *b, const char *name,
                           struct err *err)
{
    bool any = false;

    for (int s = 0; s < NEXCHANGES; s++) {
        b->wanted[s] = !name || !strcmp(name, exchange_names[s]);
        any = any || b->wanted[s];
    }
    if (!any)
        return fail(err,
                    "--strategy: expected cuda_aware, copy_to_cpu, "
                    "extra_message or dup_devptr, got '%s'",
                    name);
    if (b->n->device_mpi || !b->wanted[CUDA_AWARE])
        return 0;
    if (name)
        return fail(err, "--strategy cuda_aware: this MPI cannot send GPU "
                         "memory (it was built without CUDA)");
    if (b->n->rank == 0)
        fprintf(stderr, "sluice-native: cuda_aware is left out: this MPI "
                        "cannot send GPU memory\n");
    b->wanted[CUDA_AWARE] = false;
    return 0;
}

static int gpus_option(struct all_to_all *b, unsigned gpus, struct err *err)
{
    const struct native *n = b->n;
    bool real = n->gpu != &gpu_host_api;
    unsigned ranks = (unsigned)n->per_node;

    if (real && gpus > n->gpu->count)
        return fail(err, "--gpus %u: there are %u", gpus, n->gpu->count);
    b->per_node = gpus ? gpus : real ? n->gpu->count : ranks;
    if (ranks % b->per_node != 0)
        return fail(err,
                    "%u ranks of a node cannot be dealt to %u GPUs (see "
                    "--gpus)",
                    ranks, b->per_node);
    if (b->o->sizes.to * b->per_node * (uint64_t)n->nodes >= 1u << 31)
        return fail(err,
                    "--sizes: %llu bytes for each of %llu GPUs are more "
                    "than a message can have",
                    (unsigned long long)b->o->sizes.to,
                    (unsigned long long)b->per_node *
                        (unsigned long long)n->nodes);
    return 0;
}

int bench_all_to_all_v(struct native *n, int argc, char **argv, struct err *err)
{
    static const char *const notes[] = {
        "every GPU sends bytes_per_gpu_pair to every GPU, itself included; "
        "each row is one exchange, from a common start until the last rank is "
        "done, after two that do not count",
        "isend_irecv: MPI_Isend and MPI_Irecv in turn, in the order of the "
        "GPUs; then the sends are waited for, then the receives",
        "cuda_aware: one rank of each GPU, GPU memory. copy_to_cpu: it copies "
        "all out, exchanges host memory, copies all in",
        "extra_message: it copies all out and gives each other rank of the GPU "
        "its part with a blocking send; rank q exchanges with the GPUs d = own "
        "+ q (mod ranks of a GPU), and gives back what has come; all is copied "
        "in at once",
        "dup_devptr: each rank of the GPU copies its own part out, exchanges "
        "it, and copies what has come in",
        "config=host_memory: there is no GPU, host memory stands for GPU "
        "memory; ranks of a GPU share it",
        NULL};
    struct bench_options o = {
        .sizes = {4, 512u << 10},
        .copies = true,
        .about = "Every GPU sends --sizes to every GPU. cuda_aware: GPU memory "
                 "by MPI; copy_to_cpu: "
                 "through host memory of one rank; extra_message: one rank "
                 "copies, all ranks of the "
                 "GPU send; dup_devptr: all ranks of the GPU copy and send "
                 "their parts. The time is "
                 "from a common start until the last rank is done.\n"};
    unsigned gpus = 0;
    const char *mps = NULL, *strategy = NULL;
    const struct opt more[] = {
        MPS_OPTION(mps),
        {"gpus", OPT_COUNT, &gpus, "N",
         "GPUs of a node (all; without any, as many as ranks)"},
        {"strategy", OPT_TEXT, &strategy, "NAME",
         "cuda_aware, copy_to_cpu, extra_message or dup_devptr (all)"},
        {0}};
    struct table t;
    struct all_to_all b = {.n = n, .o = &o, .t = &t};
    bool helped;

    if (bench_begin(n, &o, argc, argv, "all_to_all_v [OPTIONS]", more, &helped,
                    err) < 0)
        return -1;
    if (helped)
        return 0;
    if (gpus_option(&b, gpus, err) < 0 ||
        strategy_option(&b, strategy, err) < 0 ||
        mps_find(&o.native, n, mps, err) < 0 ||
        table_open(&t, n, &o.native, "all-to-all between all GPUs", notes,
                   "nodes,gpus,ranks_per_node,implementation,strategy,"
                   "bytes_per_gpu_pair,iterations,time_s",
                   err) < 0)
        return -1;
    return table_end(&t, n, all_to_all_v_measure(&b, err), err);
}
