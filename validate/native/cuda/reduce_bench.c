/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures GSB and BTB within one GPU (Faraji and Afsahi): the sums alone, and
 * with the copies between the buffers of the processes that share it. */
#include "validate/native/cuda/cuda_bench.h"
#include "validate/native/cuda/reduce.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST = 2, MOST_BUFFERS = 8 };

/* Each process has a send and a receive buffer; the shared buffer has a part
 * for each and one for the result. All are in one GPU's memory. */
struct reduce_run {
    const struct native *n;
    unsigned buffers;
    /* Length of a buffer and distance of two, in doubles. */
    size_t doubles, stride;
    double *send, *receive, *shared;
    double *host;
    void (*once)(struct reduce_run *r);
    struct gpu_clock clock;
    struct gpu_pieces pieces;
};

static double *part(const struct reduce_run *r, double *all, unsigned i)
{
    return all + (size_t)i * r->stride;
}

static void reduce_bench_copy(const struct reduce_run *r, double *to,
                              const double *from)
{
    CUDA_DIE(cudaMemcpyAsync(to, from, r->doubles * sizeof *to,
                             cudaMemcpyDeviceToDevice, r->clock.stream));
}

static void reduce_bench_add(const struct reduce_run *r, double *out,
                             const double *a, const double *b)
{
    struct reduce_inputs two = {.in = {a, b}, .n = 2};

    CUDA_DIE(reduce_start(out, two, r->doubles, r->clock.stream));
}

/* --- GSB: one kernel sums all parts of the shared buffer ------------------ */

static double *result_of_gsb(const struct reduce_run *r)
{
    return part(r, r->shared, r->buffers);
}

static void gsb_sum(const struct reduce_run *r, double *all)
{
    struct reduce_inputs inputs = {.n = r->buffers};

    for (unsigned b = 0; b < r->buffers; b++)
        inputs.in[b] = part(r, all, b);
    CUDA_DIE(
        reduce_start(result_of_gsb(r), inputs, r->doubles, r->clock.stream));
}

static void gsb_kernels(struct reduce_run *r)
{
    gsb_sum(r, r->send);
}

static void gsb_all(struct reduce_run *r)
{
    for (unsigned b = 0; b < r->buffers; b++)
        reduce_bench_copy(r, part(r, r->shared, b), part(r, r->send, b));
    gsb_sum(r, r->shared);
    for (unsigned b = 0; b < r->buffers; b++)
        reduce_bench_copy(r, part(r, r->receive, b), result_of_gsb(r));
}

/* --- BTB: pairs, each level of a binomial tree twice as far apart --------- */

/* Returns the sum of a process. A process that sums (an even one) has two
 * parts: its input, and its sum, which is in the part of its neighbour, because
 * that has none. */
static double *sum_of_btb(const struct reduce_run *r, unsigned process)
{
    return part(r, r->shared, process + 1);
}

static void btb_sum(struct reduce_run *r, bool copies)
{
    double *partial[MOST_BUFFERS];

    for (unsigned p = 0; p < r->buffers; p++)
        partial[p] = part(r, r->send, p);
    for (unsigned apart = 1; apart < r->buffers; apart *= 2)
        for (unsigned p = 0; p + apart < r->buffers; p += 2 * apart) {
            const double *other = partial[p + apart];
            if (copies) {
                reduce_bench_copy(r, part(r, r->shared, p), other);
                other = part(r, r->shared, p);
            }
            reduce_bench_add(r, sum_of_btb(r, p), partial[p], other);
            partial[p] = sum_of_btb(r, p);
        }
}

static double *result_of_btb(const struct reduce_run *r)
{
    return sum_of_btb(r, 0);
}

static void btb_kernels(struct reduce_run *r)
{
    btb_sum(r, false);
}

static void btb_all(struct reduce_run *r)
{
    unsigned apart = 1;

    btb_sum(r, true);
    reduce_bench_copy(r, r->receive, sum_of_btb(r, 0));
    while (2 * apart < r->buffers)
        apart *= 2;
    for (; apart; apart /= 2)
        for (unsigned p = 0; p + apart < r->buffers; p += 2 * apart)
            reduce_bench_copy(r, part(r, r->receive, p + apart),
                              part(r, r->receive, p));
}

/* --- measuring ------------------------------------------------------------ */

static const struct {
    const char *name;
    void (*once)(struct reduce_run *r);
    /* The place of the result; NULL if every process has it, in its receive
     * buffer. */
    double *(*result)(const struct reduce_run *r);
} algorithms[] = {
    {"gsb_reduce", gsb_kernels, result_of_gsb},
    {"gsb_allreduce", gsb_all, NULL},
    {"btb_reduce", btb_kernels, result_of_btb},
    {"btb_allreduce", btb_all, NULL},
};
enum { NALGORITHMS = sizeof algorithms / sizeof algorithms[0] };

/* Returns element i of process p: integers, so that sums are exact in any
 * order. */
static double element(size_t i, unsigned p)
{
    return (double)(i % 1000003) + 3 * p;
}

static double sum_of(size_t i, unsigned processes)
{
    return processes * (double)(i % 1000003) +
           1.5 * processes * (processes - 1);
}

static void check_sum(const struct reduce_run *r, const char *name,
                      const double *sum, unsigned process)
{
    CUDA_DIE(cudaMemcpy(r->host, sum, r->doubles * sizeof *sum,
                        cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < r->doubles; i++)
        if (r->host[i] != sum_of(i, r->buffers))
            native_die("%s: %u buffers of %zu bytes: process %u: element %zu "
                       "is %.17g, expected %.17g",
                       name, r->buffers, r->doubles * sizeof *sum, process, i,
                       r->host[i], sum_of(i, r->buffers));
}

/* Does the operation once more, from buffers without any of its results, and
 * checks it. */
static void reduce_bench_check(struct reduce_run *r, unsigned a)
{
    size_t bytes = r->stride * sizeof(double);

    CUDA_DIE(
        cudaMemsetAsync(r->receive, 0xff, r->buffers * bytes, r->clock.stream));
    CUDA_DIE(cudaMemsetAsync(r->shared, 0xff, (r->buffers + 1) * bytes,
                             r->clock.stream));
    r->once(r);
    CUDA_DIE(cudaStreamSynchronize(r->clock.stream));
    if (algorithms[a].result)
        check_sum(r, algorithms[a].name, algorithms[a].result(r), 0);
    else
        for (unsigned p = 0; p < r->buffers; p++)
            check_sum(r, algorithms[a].name, part(r, r->receive, p), p);
}

static double reduce_bench_batch(void *arg, unsigned iterations)
{
    struct reduce_run *r = arg;

    if (r->n->rank != 0)
        return 0;
    gpu_clock_start(&r->clock);
    for (unsigned i = 0; i < iterations; i++)
        r->once(r);
    return gpu_clock_stop(&r->clock) / iterations;
}

static void reduce_bench_one_point(struct table *t, const struct repeat *how,
                                   struct reduce_run *r, unsigned a)
{
    struct samples s;
    double bytes = (double)(r->doubles * sizeof(double));

    r->once = algorithms[a].once;
    if (r->n->rank == 0)
        reduce_bench_check(r, a);
    repeat(&s, r->n, how, reduce_bench_batch, r);
    for (size_t i = 0; i < s.n; i++)
        table_row(t, "%s,%u,%.0f,%u,%.6e,%.6g", algorithms[a].name, r->buffers,
                  bytes, s.iterations, s.s[i],
                  1e-9 * r->buffers * bytes / s.s[i]);
    samples_clear(&s);
}

static int reduce_bench_make_room(struct reduce_run *r, size_t most,
                                  struct err *err)
{
    size_t bytes = most * sizeof(double), n = MOST_BUFFERS;

    if (gpu_clock_init(&r->clock, err) < 0)
        return -1;
    r->stride = most;
    r->send = gpu_piece(&r->pieces, n * bytes, err);
    r->receive = r->send ? gpu_piece(&r->pieces, n * bytes, err) : NULL;
    r->shared = r->receive ? gpu_piece(&r->pieces, (n + 1) * bytes, err) : NULL;
    if (!r->shared)
        return -1;
    r->host = xcalloc(most, sizeof *r->host);
    for (unsigned p = 0; p < MOST_BUFFERS; p++) {
        for (size_t i = 0; i < most; i++)
            r->host[i] = element(i, p);
        if (CUDA_TRY(err, cudaMemcpy(part(r, r->send, p), r->host, bytes,
                                     cudaMemcpyHostToDevice)) < 0)
            return -1;
    }
    return 0;
}

static void reduce_bench_measure(struct table *t, const struct repeat *how,
                                 struct reduce_run *r, struct sizes sizes)
{
    for (unsigned a = 0; a < NALGORITHMS; a++)
        for (r->buffers = FEWEST; r->buffers <= MOST_BUFFERS; r->buffers++)
            for (uint64_t b = sizes.from; b <= sizes.to; b *= sizes.factor) {
                r->doubles = (size_t)b / sizeof(double);
                reduce_bench_one_point(t, how, r, a);
            }
}

int bench_reduce(struct native *n, int argc, char **argv, struct err *err)
{
    static const char *const notes[] = {
        "time_s: between two CUDA events around a batch, divided by its "
        "iterations; all calls on one stream of one process: those of "
        "different processes of one GPU do not overlap either (without MPS)",
        "reduce: the kernels only; allreduce: also the copies of GSB's steps 1 "
        "and 7, or of BTB's levels up and down, without the flags between "
        "processes",
        "bytes: of one buffer, doubles; GBps: the bytes of all processes' send "
        "buffers by the time; every sum was checked, exactly",
        NULL};
    struct bench_options o = {.sizes = {4096, 64u << 20}, .copies = true};
    struct reduce_run r = {.n = n};
    struct table t;
    bool helped;

    if (cuda_begin(n, &o, argc, argv, "reduce [OPTIONS]", NULL, &helped, err) <
        0)
        return -1;
    if (helped)
        return 0;
    if (o.sizes.from % 16)
        return fail(err, "--sizes: expected multiples of 16 bytes, got %llu",
                    (unsigned long long)o.sizes.from);
    int result = n->rank == 0
                     ? reduce_bench_make_room(
                           &r, (size_t)o.sizes.to / sizeof(double), err)
                     : 0;
    if (native_agree(n, result, err) < 0 ||
        table_open(&t, n, &o.native,
                   "sums of the buffers of processes that share a GPU", notes,
                   "algorithm,buffers,bytes,iterations,time_s,GBps", err) < 0)
        return -1;
    const struct repeat how = cuda_repeat(&o);
    reduce_bench_measure(&t, &how, &r, o.sizes);
    if (n->rank == 0)
        gpu_clock_clear(&r.clock);
    gpu_pieces_clear(&r.pieces);
    free(r.host);
    return table_close(&t, n, err);
}
