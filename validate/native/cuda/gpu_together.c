/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies between the GPUs of a node that go on at once: what links and switches
 * between them leave each other. */
#include "validate/native/cuda/gpu_run.h"

#include "base/seconds.h"
#include "validate/native/cuda/work.h"

#include <stdlib.h>

/* One of the copies. */
struct way {
    int from, to;
    void *source, *target;
    cudaStream_t stream;
};

/* Rank 0 alone. */
struct together {
    struct gpu_run *r;
    struct way *ways;
    int n;
    void **source; /* of each GPU */
    void **target; /* of each GPU: a part for each GPU that sends to it */
    unsigned long long *wrong;
    uint64_t bytes;
};

static void all_begin(const struct together *t)
{
    for (int i = 0; i < t->n; i++) {
        const struct way *w = &t->ways[i];
        CUDA_DIE(cudaMemcpyPeerAsync(w->target, w->to, w->source, w->from,
                                     t->bytes, w->stream));
    }
}

static void all_end(const struct together *t)
{
    for (int i = 0; i < t->n; i++)
        CUDA_DIE(cudaStreamSynchronize(t->ways[i].stream));
}

static double batch_together(void *arg, unsigned iterations)
{
    const struct together *t = arg;

    if (t->r->n->rank != 0)
        return 0;
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++) {
        all_begin(t);
        all_end(t);
    }
    return (seconds() - begin) / iterations;
}

/* Every target has the words of the GPU that it came from. */
static void check_together(const struct together *t, const char *name)
{
    for (int i = 0; i < t->n; i++)
        CUDA_DIE(cudaMemset(t->ways[i].target, 0xff, t->bytes));
    all_begin(t);
    all_end(t);
    for (int i = 0; i < t->n; i++) {
        const struct way *w = &t->ways[i];
        CUDA_DIE(cudaSetDevice(w->to));
        *t->wrong = 0;
        CUDA_DIE(work_wrong(w->target, t->bytes / 8, (uint64_t)w->from,
                            t->wrong, 0));
        CUDA_DIE(cudaDeviceSynchronize());
        if (*t->wrong)
            native_die("%s: %llu bytes, GPU %d to %d: %llu words are wrong",
                       name, (unsigned long long)t->bytes, w->from, w->to,
                       *t->wrong);
    }
    CUDA_DIE(cudaSetDevice(t->r->gpu));
}

/* `next`: of each GPU to the next one alone. */
static int choose_ways(struct together *t, bool next, struct err *err)
{
    int gpus = t->r->gpus;

    t->n = 0;
    for (int a = 0; a < gpus; a++)
        for (int b = 0; b < gpus; b++) {
            struct way *w = &t->ways[t->n];
            if (a == b || (next && b != (a + 1) % gpus))
                continue;
            *w = (struct way){
                a, b, t->source[a],
                (char *)t->target[b] + (uint64_t)a * t->r->sizes.to, NULL};
            if (CUDA_TRY(err, cudaSetDevice(a)) < 0 ||
                CUDA_TRY(err, cudaStreamCreateWithFlags(
                                  &w->stream, cudaStreamNonBlocking)) < 0)
                return -1;
            t->n++;
        }
    return CUDA_TRY(err, cudaSetDevice(t->r->gpu));
}

/* GPUs that cannot reach each other copy by way of the host, as they would. */
static int together_room(struct together *t, struct err *err)
{
    struct gpu_run *r = t->r;

    for (int a = 0; a < r->gpus; a++) {
        if (CUDA_TRY(err, cudaSetDevice(a)) < 0)
            return -1;
        for (int b = 0; b < r->gpus; b++)
            if (b != a && cudaDeviceEnablePeerAccess(b, 0) != cudaSuccess)
                cudaGetLastError();
        if (!(t->source[a] = gpu_piece(&r->pieces, r->sizes.to, err)) ||
            !(t->target[a] = gpu_piece(&r->pieces,
                                       (uint64_t)r->gpus * r->sizes.to, err)) ||
            CUDA_TRY(err, work_fill(t->source[a], r->sizes.to / 8, (uint64_t)a,
                                    0)) < 0 ||
            CUDA_TRY(err, cudaDeviceSynchronize()) < 0)
            return -1;
    }
    if (CUDA_TRY(err, cudaSetDevice(r->gpu)) < 0)
        return -1;
    /* A counter that kernels of all GPUs reach. */
    return CUDA_TRY(err, cudaMallocHost((void **)&t->wrong, sizeof *t->wrong));
}

static int together_prepare(struct together *t, bool next, struct err *err)
{
    if (t->r->n->rank != 0)
        return 0;
    if (!t->wrong && together_room(t, err) < 0)
        return -1;
    return choose_ways(t, next, err);
}

static void together_clear(struct together *t)
{
    if (t->wrong)
        cudaFreeHost(t->wrong);
    gpu_pieces_clear(&t->r->pieces);
    free(t->ways);
    free(t->source);
    free(t->target);
}

int gpu_together(struct gpu_run *r, struct err *err)
{
    size_t gpus = (size_t)r->gpus;
    struct together t = {.r = r,
                         .ways = xcalloc(gpus * gpus, sizeof *t.ways),
                         .source = xcalloc(gpus, sizeof *t.source),
                         .target = xcalloc(gpus, sizeof *t.target)};
    int result = 0;

    for (int next = 1; next >= 0 && result == 0; next--) {
        const char *name = next ? "copy_next_together" : "copy_all_together";
        result = native_agree(r->n, together_prepare(&t, next != 0, err), err);
        for (t.bytes = r->sizes.from; result == 0 && t.bytes <= r->sizes.to;
             t.bytes *= r->sizes.factor) {
            if (r->n->rank == 0)
                check_together(&t, name);
            gpu_rows(r, name, NO_GPU, t.bytes, 0, batch_together, &t);
        }
        for (int i = 0; i < t.n; i++)
            cudaStreamDestroy(t.ways[i].stream);
    }
    together_clear(&t);
    return result;
}
