/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures copies and accesses by kernels within a GPU and between two:
 * bandwidth, latency, atomics. */
#include "validate/native/cuda/gpu_run.h"

#include "base/seconds.h"
#include "validate/native/cuda/work.h"

enum {
    ADDITIONS = 64,  /* additions of each thread in one kernel */
    ADD_STRIDE = 16, /* counters of 8 bytes: 128 bytes apart */
    MOST_ADDERS = 131072,
    LEAST_BYTES = 64, /* for accesses by kernels */
};

/* Accesses from this GPU's memory to `to`, in GPU b. */
struct access {
    struct gpu_run *r;
    int b;
    bool peer; /* the two may reach each other's memory */
    bool few;  /* one thread and all of them, none between */
    void *from, *to;
    unsigned long long *wrong; /* on this GPU */
    uint64_t bytes, seed;
    unsigned threads, added;
    void (*start)(struct access *a); /* the kernel that is measured */
};

static void count_wrong(struct access *a, const char *what)
{
    cudaStream_t stream = a->r->clock.stream;

    /* The words are copied back, over memory that was cleared. */
    CUDA_DIE(cudaMemsetAsync(a->from, 0, a->bytes, stream));
    CUDA_DIE(
        cudaMemcpyAsync(a->from, a->to, a->bytes, cudaMemcpyDefault, stream));
    unsigned long long wrong =
        gpu_wrong(a->from, a->bytes, a->seed, a->wrong, stream);
    if (wrong)
        native_die("%s: %llu bytes, GPU %d to %d: %llu words are wrong", what,
                   (unsigned long long)a->bytes, a->r->gpu, a->b, wrong);
}

/* --- copies --------------------------------------------------------------- */

static void gpu_memory_copy(const struct access *a)
{
    cudaStream_t stream = a->r->clock.stream;

    if (a->b == a->r->gpu)
        CUDA_DIE(cudaMemcpyAsync(a->to, a->from, a->bytes,
                                 cudaMemcpyDeviceToDevice, stream));
    else
        CUDA_DIE(cudaMemcpyPeerAsync(a->to, a->b, a->from, a->r->gpu, a->bytes,
                                     stream));
}

static double batch_copy(void *arg, unsigned iterations)
{
    const struct access *a = arg;

    if (a->r->n->rank != 0)
        return 0;
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++) {
        gpu_memory_copy(a);
        CUDA_DIE(cudaStreamSynchronize(a->r->clock.stream));
    }
    return (seconds() - begin) / iterations;
}

static double batch_copy_stream(void *arg, unsigned iterations)
{
    const struct access *a = arg;

    if (a->r->n->rank != 0)
        return 0;
    gpu_clock_start(&a->r->clock);
    for (unsigned i = 0; i < iterations; i++)
        gpu_memory_copy(a);
    return gpu_clock_stop(&a->r->clock) / iterations;
}

static void gpu_memory_copies(struct access *a, const char *name,
                              const char *in_a_row)
{
    struct gpu_run *r = a->r;

    for (a->bytes = r->sizes.from; a->bytes <= r->sizes.to;
         a->bytes *= r->sizes.factor) {
        if (r->n->rank == 0) {
            a->seed++;
            CUDA_DIE(
                work_fill(a->from, r->sizes.to / 8, a->seed, r->clock.stream));
            gpu_memory_copy(a);
            count_wrong(a, name);
        }
        gpu_rows(r, name, a->b, a->bytes, 0, batch_copy, a);
        gpu_rows(r, in_a_row, a->b, a->bytes, 0, batch_copy_stream, a);
    }
}

/* --- bandwidth of one GPU's memory ---------------------------------------- */

static double batch_kernels(void *arg, unsigned iterations)
{
    struct access *a = arg;

    if (a->r->n->rank != 0)
        return 0;
    gpu_clock_start(&a->r->clock);
    for (unsigned i = 0; i < iterations; i++)
        a->start(a);
    return gpu_clock_stop(&a->r->clock) / iterations;
}

static void start_read(struct access *a)
{
    /* No thread's sum is likely to equal this; if it does, a word is
     * written. */
    CUDA_DIE(work_read(a->from, a->bytes, 0x5eed5eed, (uint32_t *)a->wrong,
                       a->r->clock.stream));
}

static void start_write(struct access *a)
{
    CUDA_DIE(work_write(a->to, a->bytes, 1, a->r->clock.stream));
}

static void start_copy(struct access *a)
{
    CUDA_DIE(work_copy(a->to, a->from, a->bytes, a->r->clock.stream));
}

static void start_put(struct access *a)
{
    CUDA_DIE(
        work_put(a->to, a->bytes / 8, a->seed, a->threads, a->r->clock.stream));
}

static void start_add(struct access *a, size_t stride, int chained)
{
    a->added += ADDITIONS;
    CUDA_DIE(work_add(a->to, stride, a->threads, ADDITIONS, chained,
                      a->r->clock.stream));
}

static void start_add_one(struct access *a)
{
    start_add(a, 0, 0);
}

static void start_add_own(struct access *a)
{
    start_add(a, ADD_STRIDE, 0);
}

static void start_add_chain(struct access *a)
{
    start_add(a, 0, 1);
}

/* Times one addition: a kernel does several, one after the other. */
static double batch_adds(void *arg, unsigned iterations)
{
    return batch_kernels(arg, iterations) / ADDITIONS;
}

static void kernel_rows(struct access *a, const char *name, uint64_t bytes,
                        unsigned threads, repeat_batch *batch,
                        void (*start)(struct access *a))
{
    a->start = start;
    gpu_rows(a->r, name, a->b, bytes, threads, batch, a);
}

static void bandwidth(struct access *a)
{
    struct gpu_run *r = a->r;

    for (a->bytes = r->sizes.from; a->bytes <= r->sizes.to;
         a->bytes *= r->sizes.factor) {
        if (a->bytes < LEAST_BYTES)
            continue;
        kernel_rows(a, "memory_read", a->bytes, 0, batch_kernels, start_read);
        kernel_rows(a, "memory_write", a->bytes, 0, batch_kernels, start_write);
        kernel_rows(a, "memory_copy", a->bytes, 0, batch_kernels, start_copy);
        if (r->n->rank != 0)
            continue;
        a->seed++;
        CUDA_DIE(work_fill(a->from, a->bytes / 8, a->seed, r->clock.stream));
        start_copy(a);
        count_wrong(a, "memory_copy");
    }
}

/* --- accesses by threads -------------------------------------------------- */

static void check_added(struct access *a, const char *what, unsigned counters,
                        unsigned long long wanted)
{
    for (unsigned i = 0; i < counters; i++) {
        unsigned long long got;
        size_t at = (size_t)i * ADD_STRIDE;
        CUDA_DIE(cudaMemcpy(&got, (unsigned long long *)a->to + at, sizeof got,
                            cudaMemcpyDefault));
        if (got != wanted)
            native_die("%s: GPU %d on %d, %u threads: counter %u is %llu, "
                       "expected %llu",
                       what, a->r->gpu, a->b, a->threads, i, got, wanted);
        /* It checks the first ones, and the last. */
        if (i == 7 && counters > 16)
            i = counters - 2;
    }
}

static void additions(struct access *a, const char *name,
                      void (*start)(struct access *a), bool own)
{
    struct gpu_run *r = a->r;

    a->added = 0;
    if (r->n->rank == 0)
        CUDA_DIE(work_write(a->to, (size_t)MOST_ADDERS * ADD_STRIDE * 8, 0,
                            r->clock.stream));
    kernel_rows(a, name, 8, a->threads, batch_adds, start);
    if (r->n->rank != 0)
        return;
    if (own)
        check_added(a, name, a->threads, a->added);
    else
        check_added(a, name, 1, (unsigned long long)a->added * a->threads);
}

static void puts_of(struct access *a)
{
    struct gpu_run *r = a->r;

    for (a->threads = 32; a->threads <= MOST_ADDERS; a->threads *= 8)
        for (a->bytes = r->sizes.from; a->bytes <= r->sizes.to;
             a->bytes *= r->sizes.factor) {
            uint64_t least = a->threads * 8ull;
            if (a->bytes < least || a->bytes > 4096 * least)
                continue;
            a->seed++;
            kernel_rows(a, "put", a->bytes, a->threads, batch_kernels,
                        start_put);
            if (r->n->rank == 0)
                count_wrong(a, "put");
        }
}

static void by_threads(struct access *a)
{
    static const unsigned adders[] = {1, 32, 1024, 16384, MOST_ADDERS};

    for (size_t i = 0; i < sizeof adders / sizeof adders[0]; i++) {
        a->threads = adders[i];
        if (a->few && i > 0 && a->threads < MOST_ADDERS)
            continue;
        if (i == 0)
            additions(a, "atomic_add_chain", start_add_chain, false);
        additions(a, "atomic_add_one", start_add_one, false);
        additions(a, "atomic_add_own", start_add_own, true);
    }
    puts_of(a);
}

/* --- one GPU, and each other one ------------------------------------------ */

static size_t room(const struct gpu_run *r)
{
    size_t adders = (size_t)MOST_ADDERS * ADD_STRIDE * 8;

    return r->sizes.to > adders ? (size_t)r->sizes.to : adders;
}

static int gpu_memory_prepare(struct access *a, struct err *err)
{
    struct gpu_run *r = a->r;

    if (r->n->rank != 0)
        return 0;
    a->from = gpu_piece(&r->pieces, room(r), err);
    a->wrong = a->from ? gpu_piece(&r->pieces, sizeof *a->wrong, err) : NULL;
    if (!a->wrong || CUDA_TRY(err, cudaSetDevice(a->b)) < 0)
        return -1;
    a->to = gpu_piece(&r->pieces, room(r), err);
    int result = a->to ? 0 : -1, peer = 0;
    if (CUDA_TRY(err, cudaSetDevice(r->gpu)) < 0)
        return -1;
    if (a->b != r->gpu &&
        CUDA_TRY(err, cudaDeviceCanAccessPeer(&peer, r->gpu, a->b)) < 0)
        return -1;
    a->peer = peer != 0;
    return result;
}

static int one_gpu(struct gpu_run *r, struct err *err)
{
    struct access a = {.r = r, .b = r->gpu};

    if (native_agree(r->n, gpu_memory_prepare(&a, err), err) < 0)
        return -1;
    gpu_memory_copies(&a, "copy", "copy_stream");
    bandwidth(&a);
    by_threads(&a);
    gpu_pieces_clear(&r->pieces);
    return 0;
}

static int other_gpu(struct gpu_run *r, int b, bool few, struct err *err)
{
    struct access a = {.r = r, .b = b, .few = few};

    if (native_agree(r->n, gpu_memory_prepare(&a, err), err) < 0)
        return -1;
    MPI_TRY(MPI_Bcast(&a.peer, 1, MPI_C_BOOL, 0, MPI_COMM_WORLD));
    gpu_memory_copies(&a, "copy_no_peer", "copy_no_peer_stream");
    if (a.peer) {
        int result = r->n->rank == 0
                         ? CUDA_TRY(err, cudaDeviceEnablePeerAccess(b, 0))
                         : 0;
        if (native_agree(r->n, result, err) < 0)
            return -1;
        gpu_memory_copies(&a, "copy_peer", "copy_peer_stream");
        by_threads(&a);
        if (r->n->rank == 0)
            CUDA_DIE(cudaDeviceDisablePeerAccess(b));
    }
    gpu_pieces_clear(&r->pieces);
    return 0;
}

int gpu_memory(struct gpu_run *r, struct err *err)
{
    if (one_gpu(r, err) < 0)
        return -1;
    for (int b = 0; b < r->gpus; b++)
        if (b != r->gpu && other_gpu(r, b, false, err) < 0)
            return -1;
    return 0;
}

/* --- every GPU and each other one ----------------------------------------- */

static int gpu_and_others(struct gpu_run *r, struct err *err)
{
    int result = r->n->rank == 0 ? CUDA_TRY(err, cudaSetDevice(r->gpu)) : 0;

    if (result == 0)
        result = gpu_clock_init(&r->clock, err);
    if (native_agree(r->n, result, err) < 0)
        return -1;
    for (int b = 0; b < r->gpus; b++)
        if (b != r->gpu && other_gpu(r, b, true, err) < 0)
            return -1;
    gpu_clock_clear(&r->clock);
    return 0;
}

int gpu_memory_pairs(struct gpu_run *r, struct err *err)
{
    struct gpu_run of = *r;

    /* Only the first and the last size are measured, because there are many
     * pairs, and each point takes time. */
    if (r->sizes.to / r->sizes.from > 1)
        of.sizes.factor = (unsigned)(r->sizes.to / r->sizes.from);
    for (of.gpu = 0; of.gpu < r->gpus; of.gpu++)
        if (gpu_and_others(&of, err) < 0)
            return -1;
    return r->n->rank == 0 ? CUDA_TRY(err, cudaSetDevice(r->gpu)) : 0;
}
