/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times and checks the MPI library's own collectives. */
#include "validate/native/library.h"

#include "base/seconds.h"
#include "validate/native/store.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct library {
    const struct native *n;
    const struct collective *c;
    void *from, *to;
    int all, block; /* elements */
};

bool library_can(const struct native *n, const struct collective *c)
{
    return c->bytes <= INT_MAX &&
           (c->memory == COLLECTIVE_HOST ||
            (c->memory == COLLECTIVE_DEVICE && n->device_mpi));
}

static void library_once(const struct library *l)
{
    const MPI_Comm world = MPI_COMM_WORLD;
    int root = (int)l->c->root;

    switch (l->c->kind) {
    case COLLECTIVE_ALLREDUCE:
        MPI_TRY(
            MPI_Allreduce(l->from, l->to, l->all, MPI_FLOAT, MPI_SUM, world));
        break;
    case COLLECTIVE_ALLGATHER:
        MPI_TRY(MPI_Allgather(l->from, l->block, MPI_FLOAT, l->to, l->block,
                              MPI_FLOAT, world));
        break;
    case COLLECTIVE_REDUCE_SCATTER:
        MPI_TRY(MPI_Reduce_scatter_block(l->from, l->to, l->block, MPI_FLOAT,
                                         MPI_SUM, world));
        break;
    case COLLECTIVE_BROADCAST:
        MPI_TRY(MPI_Bcast(l->to, l->all, MPI_FLOAT, root, world));
        break;
    case COLLECTIVE_REDUCE:
        MPI_TRY(MPI_Reduce(l->from, l->to, l->all, MPI_FLOAT, MPI_SUM, root,
                           world));
        break;
    default:
        MPI_TRY(MPI_Alltoall(l->from, l->block, MPI_FLOAT, l->to, l->block,
                             MPI_FLOAT, world));
    }
}

static double library_batch(void *arg, unsigned iterations)
{
    const struct library *l = arg;
    double sum = 0;

    for (unsigned i = 0; i < iterations; i++) {
        native_barrier(l->n);
        double begin = seconds();
        library_once(l);
        sum += seconds() - begin;
    }
    return sum / iterations;
}

/* Returns where a buffer of the library begins in a store, in elements: the
 * buffer that this rank sends if `own`, otherwise the one that it receives. */
static size_t in_store(const struct library *l, bool own)
{
    size_t rank = (size_t)l->n->rank;
    enum collective_kind kind = l->c->kind;

    if (own && kind == COLLECTIVE_ALLTOALL)
        return rank * (size_t)l->all;
    bool block =
        own ? kind == COLLECTIVE_ALLGATHER : kind == COLLECTIVE_REDUCE_SCATTER;
    return block ? rank * (size_t)l->block : 0;
}

static void move(const struct library *l, void *to, const void *from, size_t n)
{
    DIE_TRY(l->n->gpu->copy(to, from, n * sizeof(float), NULL, DIE));
    DIE_TRY(l->n->gpu->wait(NULL, DIE));
}

/* Moves the blocks of this rank together, because they are contiguous in the
 * library's buffer. */
static void side_by_side(const struct library *l, float *store)
{
    size_t block = (size_t)l->block, all = (size_t)l->all;

    for (size_t k = 0; k < (size_t)l->n->ranks; k++)
        memmove(store + k * block, store + k * all + (size_t)l->n->rank * block,
                block * sizeof *store);
}

static void library_check(const struct library *l)
{
    float *store = xmalloc(store_bytes(l->c)), *got = xmalloc(l->c->bytes);
    size_t n = (size_t)l->all;
    bool gives_block = l->c->kind == COLLECTIVE_ALLGATHER;
    bool gets_block = l->c->kind == COLLECTIVE_REDUCE_SCATTER;

    store_brings(store, l->c, (uint32_t)l->n->rank);
    move(l, l->from, store + in_store(l, true),
         gives_block ? (size_t)l->block : n);
    if (l->c->kind == COLLECTIVE_BROADCAST)
        move(l, l->to, store, n);
    library_once(l);
    move(l, got, l->to, gets_block ? (size_t)l->block : n);
    store_wants(store, l->c, (uint32_t)l->n->rank);
    if (l->c->kind == COLLECTIVE_ALLTOALL)
        side_by_side(l, store);
    const float *wanted = store + in_store(l, false);
    for (size_t i = 0; i < (gets_block ? (size_t)l->block : n); i++)
        if (!isnan(wanted[i]) && got[i] != wanted[i])
            native_die("mpi: %s: element %zu is %.9g, expected %.9g",
                       collective_kind_names[l->c->kind], i, (double)got[i],
                       (double)wanted[i]);
    free(store);
    free(got);
}

int library_repeat(struct samples *s, const struct native *n,
                   const struct collective *c, const struct repeat *how,
                   struct err *err)
{
    const struct gpu_api *gpu = n->gpu;
    bool device = c->memory == COLLECTIVE_DEVICE;
    struct library l = {
        .n = n,
        .c = c,
        .all = (int)(c->bytes / sizeof(float)),
        .block = (int)(c->bytes / sizeof(float) / collective_ranks(c))};

    l.from =
        device ? gpu->device_new(c->bytes, err) : gpu->host_new(c->bytes, err);
    if (l.from)
        l.to = device ? gpu->device_new(c->bytes, err)
                      : gpu->host_new(c->bytes, err);
    int result = native_agree(n, l.to ? 0 : -1, err);
    if (result == 0) {
        library_check(&l);
        repeat(s, n, how, library_batch, &l);
    }
    if (l.from)
        device ? gpu->device_free(l.from) : gpu->host_free(l.from);
    if (l.to)
        device ? gpu->device_free(l.to) : gpu->host_free(l.to);
    return result;
}
