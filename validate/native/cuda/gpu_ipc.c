/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures GPU memory of rank 0 that rank 1 opens, on the same GPU or on
 * another. */
#include "validate/native/cuda/gpu_run.h"

#include "base/seconds.h"
#include "validate/native/cuda/work.h"

enum { OWNER, OPENER };

struct ipc {
    struct gpu_run *r;
    uint64_t bytes;
    struct gpu_share share;
    void *own;    /* OWNER's is shared; OPENER copies from and to its own */
    void *opened; /* on OPENER */
    unsigned long long *wrong;
    bool closing; /* the close is timed, not the open */
    bool writing; /* from own to opened */
};

static bool is(const struct ipc *c, int rank)
{
    return c->r->n->rank == rank;
}

static void gpu_ipc_copy(const struct ipc *c)
{
    cudaStream_t stream = c->r->clock.stream;

    CUDA_DIE(cudaMemcpyAsync(c->writing ? c->opened : c->own,
                             c->writing ? c->own : c->opened, c->bytes,
                             cudaMemcpyDeviceToDevice, stream));
    CUDA_DIE(cudaStreamSynchronize(stream));
}

static double batch_copy(void *arg, unsigned iterations)
{
    const struct ipc *c = arg;

    if (!is(c, OPENER))
        return 0;
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++)
        gpu_ipc_copy(c);
    return (seconds() - begin) / iterations;
}

static double batch_handle(void *arg, unsigned iterations)
{
    struct ipc *c = arg;

    if (!is(c, OWNER))
        return 0;
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++)
        DIE_TRY(c->r->n->gpu->share(&c->share, c->own, DIE));
    return (seconds() - begin) / iterations;
}

static double batch_open(void *arg, unsigned iterations)
{
    struct ipc *c = arg;
    double opening = 0, closing = 0;

    if (!is(c, OPENER))
        return 0;
    for (unsigned i = 0; i < iterations; i++) {
        double begin = seconds();
        DIE_TRY((c->opened = c->r->n->gpu->open(&c->share, DIE)) ? 0 : -1);
        double between = seconds();
        CUDA_DIE(cudaIpcCloseMemHandle(c->opened));
        opening += between - begin;
        closing += seconds() - between;
    }
    return (c->closing ? closing : opening) / iterations;
}

/* Allocates each rank's memory, and gives OPENER the handle of OWNER's. */
static int gpu_ipc_prepare(struct ipc *c, struct err *err)
{
    struct gpu_run *r = c->r;
    const struct native *n = r->n;
    int result = 0;

    if (is(c, OWNER) || is(c, OPENER)) {
        c->own = gpu_piece(&r->pieces, c->bytes, err);
        c->wrong = c->own ? gpu_piece(&r->pieces, sizeof *c->wrong, err) : NULL;
        result = c->wrong ? 0 : -1;
    }
    if (result == 0 && is(c, OWNER))
        result = n->gpu->share(&c->share, c->own, err);
    if (native_agree(n, result, err) < 0)
        return -1;
    MPI_TRY(MPI_Bcast(&c->share, (int)sizeof c->share, MPI_BYTE, OWNER,
                      MPI_COMM_WORLD));
    return 0;
}

static void gpu_ipc_fill(const struct ipc *c, uint64_t seed)
{
    CUDA_DIE(work_fill(c->own, c->bytes / 8, seed, c->r->clock.stream));
    CUDA_DIE(cudaStreamSynchronize(c->r->clock.stream));
}

static void count_wrong(const struct ipc *c, uint64_t seed, const char *what)
{
    unsigned long long wrong =
        gpu_wrong(c->own, c->bytes, seed, c->wrong, c->r->clock.stream);

    if (wrong)
        native_die("%s: %llu bytes: %llu words are wrong", what,
                   (unsigned long long)c->bytes, wrong);
}

/* Reads data that OWNER wrote, then writes data that OWNER checks. */
static void gpu_ipc_copies(struct ipc *c, int gpu_b)
{
    const uint64_t seed = 1000003 * c->bytes;

    if (is(c, OWNER))
        gpu_ipc_fill(c, seed);
    native_quiet(c->r->n);
    if (is(c, OPENER))
        DIE_TRY((c->opened = c->r->n->gpu->open(&c->share, DIE)) ? 0 : -1);
    c->writing = false;
    gpu_rows(c->r, "ipc_copy_read", gpu_b, c->bytes, 0, batch_copy, c);
    if (is(c, OPENER)) {
        count_wrong(c, seed, "ipc_copy_read");
        gpu_ipc_fill(c, seed + 1);
    }
    c->writing = true;
    gpu_rows(c->r, "ipc_copy_write", gpu_b, c->bytes, 0, batch_copy, c);
    native_quiet(c->r->n);
    if (is(c, OWNER))
        count_wrong(c, seed + 1, "ipc_copy_write");
    if (is(c, OPENER))
        CUDA_DIE(cudaIpcCloseMemHandle(c->opened));
    native_quiet(c->r->n);
}

static int check_ranks(const struct native *n, struct err *err)
{
    if (n->ranks < 2)
        return fail(err, "one rank only: two are needed");
    if (n->per_node < 2 && !n->pretended)
        return fail(err, "ranks 0 and 1 are on different hosts");
    return 0;
}

int gpu_ipc_try(struct gpu_run *r, struct err *err)
{
    struct ipc c = {.r = r, .bytes = 4u << 20};
    int result = 0;

    if (check_ranks(r->n, err) < 0)
        return -1;
    result = gpu_ipc_prepare(&c, err);
    if (result == 0) {
        if (is(&c, OPENER) && !(c.opened = r->n->gpu->open(&c.share, err)))
            result = -1;
        if (is(&c, OPENER) && result == 0)
            CUDA_DIE(cudaIpcCloseMemHandle(c.opened));
        result = native_agree(r->n, result, err);
    }
    gpu_pieces_clear(&r->pieces);
    /* The failure must not become the error of the next call. */
    cudaGetLastError();
    return result;
}

int gpu_ipc(struct gpu_run *r, struct err *err)
{
    struct ipc c = {.r = r};
    int gpu_b = r->own;

    MPI_TRY(MPI_Bcast(&gpu_b, 1, MPI_INT, OPENER, MPI_COMM_WORLD));
    for (uint64_t bytes = r->sizes.from; bytes <= r->sizes.to;
         bytes *= r->sizes.factor) {
        c.bytes = bytes;
        if (gpu_ipc_prepare(&c, err) < 0)
            return -1;
        if (bytes == r->sizes.from || r->sizes.factor * bytes > r->sizes.to) {
            c.closing = false;
            gpu_rows(r, "ipc_handle", NO_GPU, bytes, 0, batch_handle, &c);
            gpu_rows(r, "ipc_open", gpu_b, bytes, 0, batch_open, &c);
            c.closing = true;
            gpu_rows(r, "ipc_close", gpu_b, bytes, 0, batch_open, &c);
        }
        gpu_ipc_copies(&c, gpu_b);
        gpu_pieces_clear(&r->pieces);
    }
    return 0;
}
