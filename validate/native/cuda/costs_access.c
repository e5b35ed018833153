/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the costs of random and sequential accesses to words by threads of a
 * GPU, and of one counter, by footprint and number of threads. */
#include "validate/native/cuda/costs.h"

#include "validate/native/cuda/access.h"

#include <stdlib.h>

enum {
    MOST_THREADS = 1 << 18,
    LEAST_ACCESSES = 16,
    MOST_ACCESSES = 4096,
    COUNTS = 64,         /* additions of each thread in one kernel */
    STREAM_BYTES = 256,  /* MiB read by one kernel, at least */
    MOST_CROWD = 1 << 18 /* bytes of words that many threads add to */
};
/* The duration of a kernel, long enough that its start does not matter. */
#define KERNEL_S 250e-6

static const char *const names[ACCESS_OPERATIONS] = {
    "read", "atomic_min", "float_add", "write", "float_sum"};
static const char *const chains[ACCESS_OPERATIONS] = {
    "read_chain", "atomic_min_chain", "float_add_chain", NULL, NULL};
static const unsigned threads_of[] = {1,     32,    256,         2048,
                                      16384, 65536, MOST_THREADS};
/* Footprints that are measured with all numbers of threads. */
static const uint64_t swept[] = {4ull << 20, 256ull << 20, 4ull << 30};

struct costs_accesses {
    struct costs *c;
    int b; /* index in c->gpu of the GPU that has the memory */
    uint32_t *words, *found;
    double *sum;
    unsigned long long *sums; /* one per thread of a stream */
    uint32_t *found_here;
    struct access_run run;
    unsigned width; /* words per access of a stream */
    unsigned passes;
    int aggregated;
    uint64_t added; /* number of additions since the words were filled */
    struct gpu_pieces pieces;
};

static void costs_access_die(const struct costs_accesses *a, const char *what,
                             double got, double expected)
{
    native_die("graph-costs: %s: GPU %d on %d, %llu words, %u threads: got "
               "%.0f, expected %.0f",
               what, a->c->gpu[0], a->c->gpu[a->b],
               (unsigned long long)a->run.nwords, a->run.threads, got,
               expected);
}

static double found_sum(struct costs_accesses *a)
{
    double all = 0;

    CUDA_DIE(cudaMemcpyAsync(a->found_here, a->found,
                             a->run.threads * sizeof *a->found,
                             cudaMemcpyDeviceToHost, a->c->clock.stream));
    CUDA_DIE(cudaStreamSynchronize(a->c->clock.stream));
    for (unsigned i = 0; i < a->run.threads; i++)
        all += a->found_here[i];
    return all;
}

static double words_sum(struct costs_accesses *a)
{
    double sum;
    cudaStream_t stream = a->c->clock.stream;

    CUDA_DIE(cudaMemsetAsync(a->sum, 0, sizeof sum, stream));
    CUDA_DIE(
        access_sum(a->run.operation, a->words, a->run.nwords, a->sum, stream));
    CUDA_DIE(cudaMemcpyAsync(&sum, a->sum, sizeof sum, cudaMemcpyDeviceToHost,
                             stream));
    CUDA_DIE(cudaStreamSynchronize(stream));
    return sum;
}

/* --- random accesses ------------------------------------------------------ */

static void prepare_words(struct costs_accesses *a)
{
    cudaStream_t stream = a->c->clock.stream;

    CUDA_DIE(
        cudaMemsetAsync(a->found, 0, MOST_THREADS * sizeof *a->found, stream));
    CUDA_DIE(access_fill(a->run.operation, a->words, a->run.nwords, stream));
    CUDA_DIE(cudaStreamSynchronize(stream));
    a->added = 0;
}

/* Checks that each read returned its word's number, and that the changes which
 * threads counted agree with the words. */
static void check_words(struct costs_accesses *a)
{
    double found = found_sum(a);

    if (a->run.operation == ACCESS_READ) {
        if (found != 0)
            costs_access_die(a, "read: wrong words", found, 0);
        return;
    }
    double sum = words_sum(a);
    if (a->run.operation == ACCESS_WRITE) {
        if (sum < 1 || sum > (double)a->added)
            costs_access_die(a, "write: words", sum, (double)a->added);
        return;
    }
    if (sum != found)
        costs_access_die(a, names[a->run.operation], sum, found);
    if ((a->run.operation == ACCESS_FLOAT_ADD ||
         a->run.operation == ACCESS_FLOAT_SUM) &&
        found != (double)a->added)
        costs_access_die(a, "float_add: additions", found, (double)a->added);
}

static double one_access_kernel(void *arg)
{
    struct costs_accesses *a = arg;
    double accesses = (double)a->run.threads * a->run.accesses;

    a->run.seed++;
    gpu_clock_start(&a->c->clock);
    CUDA_DIE(access_begin(a->run, a->c->clock.stream));
    double spent = gpu_clock_stop(&a->c->clock);
    a->added += (uint64_t)a->run.threads * a->run.accesses;
    return spent / accesses;
}

/* Returns the accesses that make a kernel of KERNEL_S. */
static unsigned accesses_for(struct costs_accesses *a)
{
    a->run.accesses = LEAST_ACCESSES;
    one_access_kernel(a);
    double one_s = one_access_kernel(a) * a->run.threads;
    double wanted = KERNEL_S / one_s;

    return wanted <= LEAST_ACCESSES ? LEAST_ACCESSES
           : wanted >= MOST_ACCESSES
               ? MOST_ACCESSES
               : (unsigned)wanted & ~(LEAST_ACCESSES - 1u);
}

static void one_random_point(struct costs_accesses *a)
{
    const char *const *of = a->run.in_flight > 1 ? names : chains;

    prepare_words(a);
    a->run.accesses = accesses_for(a);
    costs_measure(a->c,
                  (struct costs_point){of[a->run.operation], a->c->gpu[a->b],
                                       a->run.nwords * 4, a->run.threads,
                                       a->run.together, a->run.in_flight},
                  one_access_kernel, a);
    check_words(a);
}

static bool is_swept(uint64_t bytes)
{
    for (size_t i = 0; i < sizeof swept / sizeof swept[0]; i++)
        if (swept[i] == bytes)
            return true;
    return false;
}

/* Measures random accesses, with 1 or 8 consecutive threads on adjacent words:
 * 8 words are a sector of 32 bytes. */
static void random_points(struct costs_accesses *a)
{
    const size_t all = sizeof threads_of / sizeof threads_of[0];
    const uint64_t bytes = a->run.nwords * 4;

    for (int op = 0; op < ACCESS_OPERATIONS; op++)
        for (unsigned together = 1; together <= 8; together *= 8)
            for (unsigned flying = 1; flying <= ACCESS_IN_FLIGHT;
                 flying *= ACCESS_IN_FLIGHT)
                for (size_t i = is_swept(bytes) ? 0 : all - 1; i < all; i++) {
                    if (threads_of[i] < together ||
                        (flying == 1 && !chains[op]))
                        continue;
                    a->run.operation = (enum access_operation)op;
                    a->run.together = together;
                    a->run.in_flight = flying;
                    a->run.threads = threads_of[i];
                    one_random_point(a);
                }
}

/* --- few words ------------------------------------------------------------ */

/* Times additions to few words, which are serialised there. The words are set
 * anew before each kernel, so that floats count exactly. */
static double one_crowd_kernel(void *arg)
{
    struct costs_accesses *a = arg;

    prepare_words(a);
    return one_access_kernel(a) * (a->run.one_lane ? 32 : 1);
}

static void one_crowd_point(struct costs_accesses *a, const char *name,
                            uint64_t bytes, unsigned threads)
{
    uint64_t lanes = a->run.one_lane ? 32 : 1;

    a->run.nwords = bytes / 4;
    a->run.threads = threads;
    a->run.accesses = LEAST_ACCESSES;
    costs_measure(a->c,
                  (struct costs_point){name, a->c->gpu[a->b], a->run.nwords * 4,
                                       a->run.threads, 1, a->run.in_flight},
                  one_crowd_kernel, a);
    a->added /= lanes;
    check_words(a);
}

static void crowd_points(struct costs_accesses *a)
{
    static const struct {
        const char *name;
        enum access_operation operation;
        int one_lane;
    } all[] = {{"float_sum_few", ACCESS_FLOAT_SUM, 0},
               {"float_sum_lane", ACCESS_FLOAT_SUM, 1},
               {"float_add_few", ACCESS_FLOAT_ADD, 0},
               {"atomic_min_few", ACCESS_ATOMIC_MIN, 0}};

    a->run.together = 1;
    a->run.in_flight = ACCESS_IN_FLIGHT;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        a->run.operation = all[i].operation;
        a->run.one_lane = all[i].one_lane;
        for (uint64_t bytes = 4; bytes <= MOST_CROWD; bytes *= 4)
            one_crowd_point(a, all[i].name, bytes, MOST_THREADS);
        for (unsigned threads = 512; threads < MOST_THREADS; threads *= 8)
            one_crowd_point(a, all[i].name, 4, threads);
    }
    a->run.one_lane = 0;
}

/* --- in order ------------------------------------------------------------- */

static double one_stream(void *arg)
{
    struct costs_accesses *a = arg;

    gpu_clock_start(&a->c->clock);
    CUDA_DIE(access_stream(a->words, a->run.nwords, a->width, a->passes,
                           a->sums, a->c->clock.stream));
    return gpu_clock_stop(&a->c->clock) / ((double)a->run.nwords * a->passes);
}

/* Returns the sum of all words, each once, as computed by the CPU. */
static unsigned long long sum_of_words(uint64_t nwords)
{
    unsigned long long sum = 0;

    for (uint64_t i = 0; i < nwords; i++)
        sum += (uint32_t)i * 2654435761u & 0x7fffffffu;
    return sum;
}

enum { MOST_CHECKED = 1 << 26 }; /* words: more would take the CPU too long */

static void check_stream(struct costs_accesses *a)
{
    unsigned threads = access_stream_threads(a->run.nwords, a->width);
    unsigned long long got = 0;

    if (a->run.nwords > MOST_CHECKED)
        return;
    unsigned long long *sums = xcalloc(threads, sizeof *sums);
    CUDA_DIE(cudaMemcpy(sums, a->sums, threads * sizeof *sums,
                        cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < threads; i++)
        got += sums[i];
    free(sums);
    unsigned long long expected = sum_of_words(a->run.nwords) * a->passes;
    if (got != expected)
        costs_access_die(a, "stream", (double)got, (double)expected);
}

static void stream_points(struct costs_accesses *a)
{
    uint64_t least = (uint64_t)STREAM_BYTES << 20, bytes = a->run.nwords * 4;

    a->run.operation = ACCESS_READ;
    a->run.threads = MOST_THREADS;
    prepare_words(a);
    a->passes = bytes < least ? (unsigned)(least / bytes) : 1;
    for (a->width = 1; a->width <= 4; a->width *= 4) {
        costs_measure(
            a->c,
            (struct costs_point){"stream", a->c->gpu[a->b], bytes,
                                 access_stream_threads(a->run.nwords, a->width),
                                 a->width, 1},
            one_stream, a);
        check_stream(a);
    }
}

/* --- one counter ---------------------------------------------------------- */

static double one_count(void *arg)
{
    struct costs_accesses *a = arg;

    gpu_clock_start(&a->c->clock);
    CUDA_DIE(access_count(a->words, a->run.threads, COUNTS, a->aggregated,
                          a->found, a->c->clock.stream));
    double spent = gpu_clock_stop(&a->c->clock);
    a->added += (uint64_t)a->run.threads * COUNTS;
    return spent / ((double)a->run.threads * COUNTS);
}

static void one_count_point(struct costs_accesses *a)
{
    cudaStream_t stream = a->c->clock.stream;
    uint32_t got;

    CUDA_DIE(
        cudaMemsetAsync(a->found, 0, MOST_THREADS * sizeof *a->found, stream));
    CUDA_DIE(cudaMemsetAsync(a->words, 0, sizeof got, stream));
    a->added = 0;
    costs_measure(
        a->c,
        (struct costs_point){a->aggregated ? "counter_warp" : "counter",
                             a->c->gpu[a->b], 4, a->run.threads,
                             a->aggregated ? 32 : 1, 1},
        one_count, a);
    CUDA_DIE(
        cudaMemcpyAsync(&got, a->words, sizeof got, cudaMemcpyDefault, stream));
    CUDA_DIE(cudaStreamSynchronize(stream));
    if (got != (uint32_t)a->added)
        costs_access_die(a, "counter", got, (uint32_t)a->added);
    double found = found_sum(a);
    if (found != 0)
        costs_access_die(a, "counter: numbers out of order", found, 0);
}

static void count_points(struct costs_accesses *a)
{
    const size_t all = sizeof threads_of / sizeof threads_of[0];

    for (a->aggregated = 0; a->aggregated < 2; a->aggregated++)
        for (size_t i = a->aggregated ? 1 : 0; i < all; i++) {
            a->run.threads = threads_of[i];
            one_count_point(a);
        }
}

/* --- own memory, and the other GPU's -------------------------------------- */

static int costs_access_prepare(struct costs_accesses *a, struct err *err)
{
    struct costs *c = a->c;
    size_t threads = access_stream_threads(c->footprints.to / 4, 1);

    a->found = gpu_piece(&a->pieces, MOST_THREADS * sizeof *a->found, err);
    a->sum = a->found ? gpu_piece(&a->pieces, sizeof *a->sum, err) : NULL;
    a->sums =
        a->sum ? gpu_piece(&a->pieces, threads * sizeof *a->sums, err) : NULL;
    if (!a->sums || CUDA_TRY(err, cudaSetDevice(c->gpu[a->b])) < 0)
        return -1;
    a->words = gpu_piece(&a->pieces, (size_t)c->footprints.to, err);
    if (CUDA_TRY(err, cudaSetDevice(c->gpu[0])) < 0 || !a->words)
        return -1;
    a->found_here = xcalloc(MOST_THREADS, sizeof *a->found_here);
    a->run.words = a->words;
    a->run.found = a->found;
    return 0;
}

static int costs_access_of(struct costs *c, int b, struct err *err)
{
    struct costs_accesses a = {.c = c, .b = b};
    uint64_t bytes = c->footprints.from;

    if (costs_access_prepare(&a, err) < 0) {
        gpu_pieces_clear(&a.pieces);
        return -1;
    }
    for (; bytes <= c->footprints.to; bytes *= c->footprints.factor) {
        a.run.nwords = bytes / 4;
        random_points(&a);
        stream_points(&a);
    }
    count_points(&a);
    crowd_points(&a);
    free(a.found_here);
    gpu_pieces_clear(&a.pieces);
    return 0;
}

int costs_access(struct costs *c, struct err *err)
{
    for (int b = 0; b < c->gpus; b++)
        if (costs_access_of(c, b, err) < 0)
            return -1;
    return 0;
}
