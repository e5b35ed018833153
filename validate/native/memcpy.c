/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies between host and GPUs, and between GPUs, by one rank at a time. */
#include "validate/native/bench.h"
#include "validate/native/copies.h"
#include "validate/native/host.h"
#include "validate/native/mps.h"

#include <stdio.h>
#include <stdlib.h>

enum { UNKNOWN = -1 };

struct copy_bench {
    const struct native *n;
    const struct bench_options *o;
    struct table *t;
    unsigned gpus;
    int *gpu_sockets; /* sockets of the first node's GPUs, or UNKNOWN */
};

/* Returns the place of a copy in the words of the measured files. `b` is
 * another GPU, or -1 for none. If the system does not say, it counts as on the
 * socket. */
static const char *memcpy_place(const struct copy_bench *c, unsigned socket,
                                unsigned a, int b)
{
    int s = c->gpu_sockets[a], z = b < 0 ? s : c->gpu_sockets[b];

    if (s == UNKNOWN || z == UNKNOWN)
        return "on_socket";
    if (s != z)
        return "gpus_across_sockets";
    if (s == (int)socket)
        return "on_socket";
    return b < 0 ? "off_socket" : "gpus_on_other_socket";
}

static void memcpy_points(const struct copy_bench *b, struct copies *c,
                          int rank, unsigned socket, unsigned gpu, int peer)
{
    const struct repeat how = {.per_point_s = b->o->native.per_point_s};
    const char *dir = copy_dir_names[c->dir];
    char other[16] = "";

    if (peer >= 0)
        snprintf(other, sizeof other, "%d", peer);
    for (c->bytes = b->o->sizes.from; c->bytes <= b->o->sizes.to;
         c->bytes *= b->o->sizes.factor) {
        struct samples s;
        copies_check(c);
        repeat(&s, b->n, &how, copies_batch, c);
        for (size_t i = 0; i < s.n; i++)
            table_row(b->t, "%s,%s,%d,%u,%u,%s,%s,%llu,%u,%.6e", dir, dir, rank,
                      socket, gpu, other, memcpy_place(b, socket, gpu, peer),
                      (unsigned long long)c->bytes, s.iterations, s.s[i]);
        samples_clear(&s);
    }
}

/* Measures one rank with one GPU, or between two if peer is not -1. */
static int one_gpu(const struct copy_bench *b, int rank, unsigned socket,
                   unsigned gpu, int peer, struct err *err)
{
    struct copies c;

    if (copies_init(&c, b->n, b->n->rank == rank, gpu, peer, b->o->sizes.to,
                    err) < 0)
        return -1;
    for (int d = 0; d < NCOPY_DIRS; d++)
        if ((d == D2D) == (peer >= 0)) {
            c.dir = (enum copy_dir)d;
            memcpy_points(b, &c, rank, socket, gpu, peer);
        }
    copies_clear(&c);
    return 0;
}

static int one_rank(const struct copy_bench *b, int rank, unsigned socket,
                    struct err *err)
{
    for (unsigned g = 0; g < b->gpus; g++)
        if (one_gpu(b, rank, socket, g, -1, err) < 0)
            return -1;
    for (unsigned g = 0; g < b->gpus; g++)
        for (unsigned peer = g + 1; peer < b->gpus; peer++)
            if (one_gpu(b, rank, socket, g, (int)peer, err) < 0)
                return -1;
    return 0;
}

/* Measures the first rank of each socket of the first node. */
static int all_sockets(const struct copy_bench *b, struct err *err)
{
    unsigned *sockets = native_sockets(b->n);
    int result = 0;

    for (int r = 0; r < b->n->per_node && result == 0; r++) {
        bool first = true;
        for (int before = 0; before < r; before++)
            first = first && sockets[before] != sockets[r];
        if (first)
            result = one_rank(b, r, sockets[r], err);
    }
    free(sockets);
    return result;
}

/* Finds the sockets of the GPUs. Rank 0's are used, because its node is
 * measured. */
static int find_sockets(struct copy_bench *b, struct err *err)
{
    int result = 0;

    b->gpu_sockets = xcalloc(b->gpus, sizeof *b->gpu_sockets);
    for (unsigned g = 0; g < b->gpus && result == 0; g++) {
        char address[32] = "";
        b->gpu_sockets[g] = UNKNOWN;
        if (!b->n->gpu->address)
            continue;
        result = b->n->gpu->address(g, address, sizeof address, err);
        b->gpu_sockets[g] = host_pci_socket(address);
    }
    return native_agree(b->n, result, err);
}

int bench_memcpy(struct native *n, int argc, char **argv, struct err *err)
{
    static const char *const notes[] = {
        "time_s: one cudaMemcpyAsync on a stream of its own, then "
        "cudaStreamSynchronize, elapsed/iterations; pinned host memory; one "
        "rank copies at a time, all others sleep; one row a batch, after two "
        "that do not count",
        COPIES_HOST_NOTE,
        "locality: of the GPUs to the rank's socket; on_socket too where the "
        "system does not tell",
        NULL};
    struct bench_options o = {.sizes = {4, 32u << 20},
                              .copies = true,
                              .about =
                                  "The first rank of each socket of the first "
                                  "node copies to, from and between its "
                                  "GPUs; the time is that of one copy and the "
                                  "wait for it. Without a GPU memcpy "
                                  "between host buffers.\n"};
    unsigned gpus = 0;
    const char *mps = NULL;
    const struct opt more[] = {COPIES_OPTIONS(mps, gpus), {0}};
    struct table t;
    struct copy_bench b = {.n = n, .o = &o, .t = &t};
    bool helped;

    if (bench_begin(n, &o, argc, argv, "memcpy [OPTIONS]", more, &helped, err) <
        0)
        return -1;
    if (helped)
        return 0;
    if (copies_gpus(&b.gpus, n, gpus, err) < 0 ||
        mps_find(&o.native, n, mps, err) < 0)
        return -1;
    int result = find_sockets(&b, err);
    if (result == 0)
        result = table_open(&t, n, &o.native,
                            "copies between host and GPUs and between GPUs, "
                            "one rank at a time",
                            notes,
                            "direction_printed,direction_performed,cpu_rank,"
                            "cpu_socket,gpu_a,gpu_b,locality,bytes,iterations,"
                            "time_s",
                            err);
    if (result == 0)
        result = table_end(&t, n, all_sockets(&b, err), err);
    free(b.gpu_sockets);
    return result;
}
