/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many threads push to a queue in GPU memory and pop from it: Figure 1 of
 * Atos. */
#include "validate/native/cuda/cuda_bench.h"
#include "validate/native/cuda/queue.h"

#include <stdlib.h>

enum { MOST_THREADS = 1 << 24 };

static const struct {
    const char *queue, *form;
} forms[QUEUE_FORMS] = {{"atos", "warp"}, {"atos", "cta"}, {"cas", "warp"}};
static const char *const operations[QUEUE_OPERATIONS] = {"push", "pop",
                                                         "push_pop"};

struct queue_run {
    const struct native *n;
    enum queue_form form;
    enum queue_operation operation;
    unsigned threads, cta;
    struct queue q;
    uint32_t *popped, *numbers; /* GPU memory; numbers: 0, 1, 2 ... */
    uint32_t *seen;             /* on the host */
    struct gpu_clock clock;
    struct gpu_pieces pieces;
};

static uint32_t items(const struct queue_run *r)
{
    return r->threads * QUEUE_OPS;
}

/* Sets the queue as the operation needs it: empty, or full to be emptied. */
static void queue_bench_prepare(const struct queue_run *r)
{
    struct queue_counters full = {.end = {.value = items(r)},
                                  .end_alloc = {.value = items(r)},
                                  .end_max = {.value = items(r)},
                                  .end_count = {.value = items(r)}};
    cudaStream_t stream = r->clock.stream;
    size_t bytes = items(r) * sizeof *r->q.items;

    CUDA_DIE(cudaMemsetAsync(r->popped, 0xff, bytes, stream));
    if (r->operation == QUEUE_POP) {
        CUDA_DIE(cudaMemcpyAsync(r->q.items, r->numbers, bytes,
                                 cudaMemcpyDeviceToDevice, stream));
        CUDA_DIE(cudaMemcpyAsync(r->q.at, &full, sizeof full,
                                 cudaMemcpyHostToDevice, stream));
    } else {
        CUDA_DIE(cudaMemsetAsync(r->q.items, 0xff, bytes, stream));
        CUDA_DIE(cudaMemsetAsync(r->q.at, 0, sizeof *r->q.at, stream));
    }
    CUDA_DIE(cudaStreamSynchronize(stream));
}

static void fetch(const struct queue_run *r, const uint32_t *from)
{
    CUDA_DIE(cudaMemcpy(r->seen, from, items(r) * sizeof *from,
                        cudaMemcpyDeviceToHost));
}

static const char *wrong(const struct queue_run *r)
{
    struct queue_counters c;

    CUDA_DIE(cudaMemcpy(&c, r->q.at, sizeof c, cudaMemcpyDeviceToHost));
    if (c.trouble.value)
        return c.trouble.value & QUEUE_STUCK
                   ? "a thread waited in vain for the others"
                   : "the queue was full";
    fetch(r, r->q.items);
    if (!queue_each_once(r->seen, items(r)))
        return "an item was lost in the queue, or is there twice";
    if (r->operation != QUEUE_POP && !queue_in_order(r->seen, items(r)))
        return "a thread's items are not in its order";
    if (r->operation == QUEUE_PUSH)
        return NULL;
    fetch(r, r->popped);
    if (!queue_each_once(r->seen, items(r)))
        return "an item was never popped, or twice";
    if (r->operation == QUEUE_POP &&
        !queue_popped_in_order(r->seen, r->threads))
        return "a thread did not pop in the queue's order";
    return NULL;
}

static double queue_bench_batch(void *arg, unsigned iterations)
{
    struct queue_run *r = arg;
    double spent = 0;

    if (r->n->rank != 0)
        return 0;
    for (unsigned i = 0; i < iterations; i++) {
        queue_bench_prepare(r);
        gpu_clock_start(&r->clock);
        CUDA_DIE(queue_start(r->form, r->operation, r->threads, r->cta, r->q,
                             r->popped, r->clock.stream));
        spent += gpu_clock_stop(&r->clock);
    }
    const char *why = wrong(r);
    if (why)
        native_die("queue %s, %s, %s, %u threads: %s", forms[r->form].queue,
                   forms[r->form].form, operations[r->operation], r->threads,
                   why);
    return spent / iterations;
}

static void queue_bench_one_point(struct table *t, const struct repeat *how,
                                  struct queue_run *r)
{
    struct samples s;

    repeat(&s, r->n, how, queue_bench_batch, r);
    for (size_t i = 0; i < s.n; i++)
        table_row(t, "%s,%s,%s,%u,%u,%u,%.6e,%.6e", forms[r->form].queue,
                  forms[r->form].form, operations[r->operation], r->threads,
                  items(r), s.iterations, s.s[i], items(r) / s.s[i]);
    samples_clear(&s);
}

/* Sets *most to the threads that the GPU holds at once, for every form: with
 * more, those that wait would keep those that push from running. */
static int most_threads(unsigned cta, unsigned *most, struct err *err)
{
    int gpu, processors;

    if (CUDA_TRY(err, cudaGetDevice(&gpu)) < 0 ||
        CUDA_TRY(err, cudaDeviceGetAttribute(&processors,
                                             cudaDevAttrMultiProcessorCount,
                                             gpu)) < 0)
        return -1;
    *most = MOST_THREADS;
    for (int f = 0; f < QUEUE_FORMS; f++)
        for (int o = 0; o < QUEUE_OPERATIONS; o++) {
            unsigned ctas;
            if (CUDA_TRY(err, queue_resident((enum queue_form)f,
                                             (enum queue_operation)o, cta,
                                             &ctas)) < 0)
                return -1;
            unsigned all = ctas * cta * (unsigned)processors;
            *most = all < *most ? all : *most;
        }
    return *most >= 32 ? 0 : fail_work(err, "no CTA of %u threads runs", cta);
}

static int queue_bench_make_room(struct queue_run *r, unsigned most,
                                 struct err *err)
{
    size_t n = (size_t)most * QUEUE_OPS, bytes = n * sizeof(uint32_t);

    if (gpu_clock_init(&r->clock, err) < 0)
        return -1;
    r->q.capacity = (uint32_t)n;
    r->q.at = gpu_piece(&r->pieces, sizeof *r->q.at, err);
    r->q.items = r->q.at ? gpu_piece(&r->pieces, bytes, err) : NULL;
    r->popped = r->q.items ? gpu_piece(&r->pieces, bytes, err) : NULL;
    r->numbers = r->popped ? gpu_piece(&r->pieces, bytes, err) : NULL;
    if (!r->numbers)
        return -1;
    r->seen = xcalloc(n, sizeof *r->seen);
    for (size_t i = 0; i < n; i++)
        r->seen[i] = (uint32_t)i;
    return CUDA_TRY(
        err, cudaMemcpy(r->numbers, r->seen, bytes, cudaMemcpyHostToDevice));
}

static void queue_bench_measure(struct table *t, const struct repeat *how,
                                struct queue_run *r, unsigned cta,
                                unsigned least, unsigned most, unsigned factor)
{
    for (int f = 0; f < QUEUE_FORMS; f++)
        for (int o = 0; o < QUEUE_OPERATIONS; o++)
            for (unsigned threads = least;; threads *= factor) {
                r->form = (enum queue_form)f;
                r->operation = (enum queue_operation)o;
                r->threads = threads < most ? threads : most;
                r->cta = cta < r->threads ? cta : r->threads;
                queue_bench_one_point(t, how, r);
                if (threads >= most)
                    break;
            }
}

/* Makes the number of threads the same on all ranks, because they go through
 * the points together. */
static int prepare_all(struct queue_run *r, unsigned cta, unsigned *most,
                       struct err *err)
{
    unsigned limit = *most;
    int result = 0;

    if (r->n->rank == 0) {
        result = most_threads(cta, most, err);
        if (limit < *most)
            *most = limit;
        if (result == 0)
            result = queue_bench_make_room(r, *most, err);
    }
    MPI_TRY(MPI_Bcast(most, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD));
    return native_agree(r->n, result, err);
}

int bench_queue(struct native *n, int argc, char **argv, struct err *err)
{
    static const char *const notes[] = {
        "time_s: of one kernel, between two CUDA events; one row is the mean "
        "of a batch of kernels; before each the queue is set up again, which "
        "is not in the time",
        "every thread does 10 operations; items: of all threads; push_pop: "
        "each pushes one and pops one, 10 times, nothing between",
        "every item was found once in the queue and was popped once, each "
        "thread's in its order",
        NULL};
    unsigned cta = 512, most;
    struct opt more[] = {
        {"cta", OPT_COUNT, &cta, "N", "threads of a CTA (512)"}, {0}};
    struct bench_options o = {.sizes = {32, MOST_THREADS},
                              .sized = "threads",
                              .copies = true,
                              .about = "--sizes has numbers of threads, up to "
                                       "what the GPU holds at once.\n"};
    struct queue_run r = {.n = n};
    struct table t;
    bool helped;

    if (cuda_begin(n, &o, argc, argv, "queue [OPTIONS]", more, &helped, err) <
        0)
        return -1;
    if (helped)
        return 0;
    if (cta % 32 || cta > 1024)
        return fail(err, "--cta: expected 32, 64 ... 1024, got %u", cta);
    if (o.sizes.from % 32 || o.sizes.to > MOST_THREADS)
        return fail(err, "--sizes: expected multiples of 32 threads up to %d",
                    MOST_THREADS);
    most = (unsigned)o.sizes.to;
    if (prepare_all(&r, cta, &most, err) < 0 ||
        table_open(&t, n, &o.native,
                   "push, pop and both on a queue in GPU memory", notes,
                   "queue,form,operation,threads,items,iterations,time_s,"
                   "items_per_s",
                   err) < 0)
        return -1;
    const struct repeat how = cuda_repeat(&o);
    queue_bench_measure(&t, &how, &r, cta, (unsigned)o.sizes.from, most,
                        o.sizes.factor);
    if (n->rank == 0)
        gpu_clock_clear(&r.clock);
    gpu_pieces_clear(&r.pieces);
    free(r.seen);
    return table_close(&t, n, err);
}
