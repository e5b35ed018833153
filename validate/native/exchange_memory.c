/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes GPU memory that all ranks of the GPU see: by CUDA IPC, or, if host
 * memory represents it, by memory that MPI shares. */
#include "validate/native/exchange.h"

#include <stdlib.h>
#include <string.h>

/* Allocates memory on rank 0 of the GPU; the others open it. */
static int shared_gpu(struct exchange *x, char **out, uint64_t bytes,
                      struct err *err)
{
    struct gpu_share share = {0};
    int result = 0;

    if (x->q == 0) {
        *out = x->n->gpu->device_new(bytes, err);
        result = *out ? 0 : -1;
        if (result == 0 && x->per_gpu > 1)
            result = x->n->gpu->share(&share, *out, err);
    }
    if (native_agree(x->n, result, err) < 0)
        return -1;
    MPI_TRY(MPI_Bcast(&share, sizeof share, MPI_BYTE, 0, x->on_gpu));
    if (x->q != 0) {
        *out = x->n->gpu->open(&share, err);
        result = *out ? 0 : -1;
    }
    return native_agree(x->n, result, err);
}

static int shared_host(struct exchange *x, char **out, MPI_Win *window,
                       uint64_t bytes)
{
    MPI_Aint size;
    int unit;

    MPI_TRY(MPI_Win_allocate_shared(x->q ? 0 : (MPI_Aint)bytes, 1,
                                    MPI_INFO_NULL, x->on_gpu, out, window));
    MPI_TRY(MPI_Win_shared_query(*window, 0, &size, &unit, out));
    if (x->q == 0)
        memset(*out, 0, bytes); /* so that its pages exist from now on */
    return 0;
}

static int shared(struct exchange *x, char **out, MPI_Win *window,
                  uint64_t bytes, struct err *err)
{
    if (x->n->gpu->share || x->per_gpu == 1)
        return shared_gpu(x, out, bytes, err);
    return shared_host(x, out, window, bytes);
}

/* Returns the most blocks that a rank handles. */
static uint64_t blocks(const struct exchange *x)
{
    return x->q ? (x->gpus + x->per_gpu - 1) / x->per_gpu : x->gpus;
}

static int own_memory(struct exchange *x, uint64_t most, struct err *err)
{
    const struct gpu_api *api = x->n->gpu;

    x->host_out = api->host_new(blocks(x) * most, err);
    x->host_in = x->host_out ? api->host_new(blocks(x) * most, err) : NULL;
    return x->host_in ? api->stream_new(&x->stream, err) : -1;
}

int native_exchange_init(struct exchange *x, const struct native *n,
                         unsigned per_node, uint64_t most, struct err *err)
{
    unsigned per_gpu = (unsigned)n->per_node / per_node;

    *x = (struct exchange){.n = n,
                           .gpus = per_node * (unsigned)n->nodes,
                           .per_node = per_node,
                           .per_gpu = per_gpu,
                           .q = (unsigned)n->local % per_gpu,
                           .windows = {MPI_WIN_NULL, MPI_WIN_NULL}};
    unsigned on_node = (unsigned)n->local / per_gpu;
    x->own = (unsigned)n->node * per_node + on_node;
    x->requests = xcalloc((size_t)x->gpus * 2, sizeof(MPI_Request));
    MPI_TRY(MPI_Comm_split(n->on_node, (int)on_node, n->rank, &x->on_gpu));
    int result = n->gpu->use(n->gpu->count ? on_node : 0, err);
    if (native_agree(n, result, err) < 0 ||
        shared(x, &x->device_out, &x->windows[0], x->gpus * most, err) < 0 ||
        shared(x, &x->device_in, &x->windows[1], x->gpus * most, err) < 0 ||
        native_agree(n, own_memory(x, most, err), err) < 0) {
        native_exchange_clear(x);
        return -1;
    }
    return 0;
}

static void free_shared(struct exchange *x, char *p, MPI_Win *window)
{
    if (*window != MPI_WIN_NULL)
        MPI_TRY(MPI_Win_free(window));
    else if (p && x->q)
        x->n->gpu->close(p);
    /* The memory must not be freed while another rank has it open. */
    native_barrier(x->n);
    if (p && x->q == 0 && (x->n->gpu->share || x->per_gpu == 1))
        x->n->gpu->device_free(p);
}

void native_exchange_clear(struct exchange *x)
{
    const struct gpu_api *api = x->n->gpu;

    if (x->stream)
        api->stream_free(x->stream);
    if (x->host_out)
        api->host_free(x->host_out);
    if (x->host_in)
        api->host_free(x->host_in);
    free_shared(x, x->device_out, &x->windows[0]);
    free_shared(x, x->device_in, &x->windows[1]);
    MPI_TRY(MPI_Comm_free(&x->on_gpu));
    free(x->requests);
    memset(x, 0, sizeof *x);
}
