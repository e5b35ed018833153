/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures simultaneous copies between the GPUs of a node, and between them and
 * host memory, to see which share of links and switches each gets. */
#include "validate/native/cuda/gpu_run.h"

#include "base/seconds.h"
#include "validate/native/cuda/work.h"

#include <stdlib.h>

enum { HOST = -1 };

/* One of the copies; from and to are a GPU, or HOST. */
struct pair_copy {
    int from, to;
    void *source, *target;
    cudaStream_t stream;
};

/* Only rank 0 measures. */
struct together {
    struct gpu_run *r;
    struct pair_copy *copies;
    int n;
    void **source; /* one per GPU */
    void **target; /* one per GPU: a part for each GPU, and the host's */
    char *host[2]; /* read, written: a part for each GPU */
    unsigned long long *wrong;
    uint64_t bytes;
};

static bool measures(const struct together *t)
{
    return t->r->n->rank == 0;
}

/* --- timing --------------------------------------------------------------- */

static void all_begin(const struct together *t)
{
    for (int i = 0; i < t->n; i++) {
        const struct pair_copy *w = &t->copies[i];
        if (w->from == HOST || w->to == HOST)
            CUDA_DIE(cudaMemcpyAsync(w->target, w->source, t->bytes,
                                     cudaMemcpyDefault, w->stream));
        else
            CUDA_DIE(cudaMemcpyPeerAsync(w->target, w->to, w->source, w->from,
                                         t->bytes, w->stream));
    }
}

static void all_end(const struct together *t)
{
    for (int i = 0; i < t->n; i++)
        CUDA_DIE(cudaStreamSynchronize(t->copies[i].stream));
}

static double batch_together(void *arg, unsigned iterations)
{
    const struct together *t = arg;

    if (!measures(t))
        return 0;
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++) {
        all_begin(t);
        all_end(t);
    }
    return (seconds() - begin) / iterations;
}

/* Checks that every target has the words of its source. The device is
 * synchronised first, because the streams do not wait for the memset of the
 * targets. */
static void check_together(const struct together *t, const char *name)
{
    for (int i = 0; i < t->n; i++)
        CUDA_DIE(cudaMemset(t->copies[i].target, 0xff, t->bytes));
    CUDA_DIE(cudaDeviceSynchronize());
    all_begin(t);
    all_end(t);
    for (int i = 0; i < t->n; i++) {
        const struct pair_copy *w = &t->copies[i];
        CUDA_DIE(cudaSetDevice(w->to == HOST ? w->from : w->to));
        *t->wrong = 0;
        CUDA_DIE(work_wrong(w->target, t->bytes / 8, (uint64_t)(w->from + 1),
                            t->wrong, 0));
        CUDA_DIE(cudaDeviceSynchronize());
        if (*t->wrong)
            native_die("%s: %llu bytes, GPU %d to %d (-1: host): %llu words "
                       "are wrong",
                       name, (unsigned long long)t->bytes, w->from, w->to,
                       *t->wrong);
    }
    CUDA_DIE(cudaSetDevice(t->r->gpu));
}

/* --- the copies ----------------------------------------------------------- */

static void add_copy(struct together *t, int from, int to)
{
    struct pair_copy *w = &t->copies[t->n++];
    uint64_t part = t->r->sizes.to;
    int gpu = from == HOST ? to : from;

    *w = (struct pair_copy){.from = from, .to = to};
    w->source =
        from == HOST ? t->host[0] + (uint64_t)gpu * part : t->source[from];
    w->target = to == HOST
                    ? t->host[1] + (uint64_t)gpu * part
                    : (char *)t->target[to] + (uint64_t)(from + 1) * part;
    CUDA_DIE(cudaSetDevice(gpu));
    CUDA_DIE(cudaStreamCreateWithFlags(&w->stream, cudaStreamNonBlocking));
    CUDA_DIE(cudaSetDevice(t->r->gpu));
}

static void clear_copies(struct together *t)
{
    for (int i = 0; i < t->n; i++)
        CUDA_DIE(cudaStreamDestroy(t->copies[i].stream));
    t->n = 0;
}

/* Measures the copies that were added, for sizes from `least` on. */
static void measure_copies(struct together *t, const char *name, int gpu_b,
                           uint64_t least)
{
    const struct sizes *s = &t->r->sizes;

    for (t->bytes = least; t->bytes <= s->to; t->bytes *= s->factor) {
        if (measures(t))
            check_together(t, name);
        gpu_rows(t->r, name, gpu_b, t->bytes, 0, batch_together, t);
    }
    clear_copies(t);
}

/* Measures copies of each GPU to the next one, and to all others. */
static void between_gpus(struct together *t)
{
    int gpus = t->r->gpus;

    for (int a = 0; a < gpus && measures(t); a++)
        add_copy(t, a, (a + 1) % gpus);
    measure_copies(t, "copy_next_together", NO_GPU, t->r->sizes.from);
    for (int a = 0; a < gpus && measures(t); a++)
        for (int b = 0; b < gpus; b++)
            if (a != b)
                add_copy(t, a, b);
    measure_copies(t, "copy_all_together", NO_GPU, t->r->sizes.from);
}

static void add_host(struct together *t, int gpu, bool out)
{
    if (measures(t))
        add_copy(t, out ? gpu : HOST, out ? HOST : gpu);
}

/* Measures copies of a GPU alone, and of each two at once: GPUs that share a
 * switch, or a link to the host, are then slower. */
static void with_host(struct together *t, bool out)
{
    const char *names[] = {out ? "d2h_together" : "h2d_together",
                           out ? "d2h_all_together" : "h2d_all_together"};
    struct gpu_run *r = t->r, of = *r;

    t->r = &of;
    for (of.gpu = 0; of.gpu < r->gpus; of.gpu++)
        for (int b = of.gpu; b < r->gpus; b++) {
            add_host(t, of.gpu, out);
            if (b != of.gpu)
                add_host(t, b, out);
            measure_copies(t, names[0], b, r->sizes.to);
        }
    t->r = r;
    for (int a = 0; a < r->gpus; a++)
        add_host(t, a, out);
    measure_copies(t, names[1], NO_GPU, r->sizes.from);
}

/* --- set-up --------------------------------------------------------------- */

static int room_of_gpu(struct together *t, int gpu, struct err *err)
{
    struct gpu_run *r = t->r;
    uint64_t part = r->sizes.to;

    if (CUDA_TRY(err, cudaSetDevice(gpu)) < 0)
        return -1;
    /* GPUs that cannot reach each other copy through the host. */
    for (int b = 0; b < r->gpus; b++)
        if (b != gpu && cudaDeviceEnablePeerAccess(b, 0) != cudaSuccess)
            cudaGetLastError();
    if (!(t->source[gpu] = gpu_piece(&r->pieces, part, err)) ||
        !(t->target[gpu] =
              gpu_piece(&r->pieces, (uint64_t)(r->gpus + 1) * part, err)) ||
        CUDA_TRY(err, work_fill(t->source[gpu], part / 8, (uint64_t)(gpu + 1),
                                0)) < 0)
        return -1;
    return CUDA_TRY(err, cudaDeviceSynchronize());
}

static int together_room(struct together *t, struct err *err)
{
    struct gpu_run *r = t->r;
    uint64_t part = r->sizes.to;

    if (!measures(t))
        return 0;
    for (int gpu = 0; gpu < r->gpus; gpu++)
        if (room_of_gpu(t, gpu, err) < 0)
            return -1;
    if (CUDA_TRY(err, cudaSetDevice(r->gpu)) < 0)
        return -1;
    for (int i = 0; i < 2; i++)
        if (CUDA_TRY(err, cudaMallocHost((void **)&t->host[i],
                                         (uint64_t)r->gpus * part)) < 0)
            return -1;
    for (int gpu = 0; gpu < r->gpus; gpu++)
        for (uint64_t i = 0; i < part / 8; i++)
            ((uint64_t *)(void *)(t->host[0] + (uint64_t)gpu * part))[i] = i;
    /* The kernels of all GPUs reach this counter. */
    return CUDA_TRY(err, cudaMallocHost((void **)&t->wrong, sizeof *t->wrong));
}

static void together_clear(struct together *t)
{
    for (int i = 0; i < 2; i++)
        if (t->host[i])
            cudaFreeHost(t->host[i]);
    if (t->wrong)
        cudaFreeHost(t->wrong);
    gpu_pieces_clear(&t->r->pieces);
    free(t->copies);
    free(t->source);
    free(t->target);
}

int gpu_together(struct gpu_run *r, struct err *err)
{
    size_t gpus = (size_t)r->gpus;
    struct together t = {.r = r,
                         .copies = xcalloc(gpus * gpus, sizeof *t.copies),
                         .source = xcalloc(gpus, sizeof *t.source),
                         .target = xcalloc(gpus, sizeof *t.target)};

    int result = native_agree(r->n, together_room(&t, err), err);
    if (result == 0) {
        between_gpus(&t);
        with_host(&t, false);
        with_host(&t, true);
    }
    together_clear(&t);
    return result;
}
