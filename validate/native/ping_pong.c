/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two ranks send a message to and fro with blocking calls. */
#include "validate/native/bench.h"

#include "sim/seconds.h"

#include <stdlib.h>
#include <string.h>

struct ping {
    const struct native *n;
    int a, b; /* ranks */
    void *buffer;
    int bytes;
};

static double batch(void *arg, unsigned iterations)
{
    const struct ping *p = arg;
    bool first = p->n->rank == p->a;
    int other = first ? p->b : p->a;

    if (!first && p->n->rank != p->b)
        return 0;
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++) {
        if (first)
            MPI_TRY(MPI_Send(p->buffer, p->bytes, MPI_BYTE, other, 0,
                             MPI_COMM_WORLD));
        MPI_TRY(MPI_Recv(p->buffer, p->bytes, MPI_BYTE, other, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        if (!first)
            MPI_TRY(MPI_Send(p->buffer, p->bytes, MPI_BYTE, other, 0,
                             MPI_COMM_WORLD));
    }
    return (seconds() - begin) / (2 * (double)iterations);
}

static void one_pair(struct table *t, const struct repeat *how,
                     const unsigned *sockets, struct ping *p,
                     struct sizes sizes, const char *device)
{
    const char *where = native_locality(p->n, sockets, p->a, p->b);

    for (uint64_t bytes = sizes.from; bytes <= sizes.to; bytes *= 2) {
        struct samples s;
        p->bytes = (int)bytes;
        repeat(&s, p->n, how, batch, p);
        for (size_t i = 0; i < s.n; i++)
            table_row(t, "%s,%s,%d,%d,%u,%u,%llu,%u,%.6e,", device, where, p->a,
                      p->b, sockets[p->a], sockets[p->b],
                      (unsigned long long)bytes, s.iterations, s.s[i]);
        samples_clear(&s);
    }
}

/* Of each locality that there is one pair: rank 0 and the first that fits. */
static void one_device(struct table *t, const struct native *n,
                       const struct repeat *how, struct sizes sizes,
                       void *buffer, const char *device)
{
    static const char *const wanted[] = {"on_socket", "on_node", "off_node"};
    unsigned *sockets = native_sockets(n);
    struct ping p = {.n = n, .buffer = buffer};

    for (size_t w = 0; w < sizeof wanted / sizeof wanted[0]; w++)
        for (p.b = 1; p.b < n->ranks; p.b++)
            if (!strcmp(native_locality(n, sockets, p.a, p.b), wanted[w])) {
                one_pair(t, how, sockets, &p, sizes, device);
                break;
            }
    free(sockets);
}

static int measure(struct table *t, const struct native *n,
                   const struct bench_options *o, struct err *err)
{
    const struct repeat how = {.per_point_s = o->native.per_point_s};

    for (int gpu = 0; gpu < 2; gpu++) {
        void *buffer;
        if (gpu ? !o->gpu : !o->cpu)
            continue;
        buffer = gpu ? n->gpu->device_new(o->sizes.to, err)
                     : n->gpu->host_new(o->sizes.to, err);
        if (native_agree(n, buffer ? 0 : -1, err) < 0)
            return -1;
        one_device(t, n, &how, o->sizes, buffer, gpu ? "gpu" : "cpu");
        if (gpu)
            n->gpu->device_free(buffer);
        else
            n->gpu->host_free(buffer);
    }
    return 0;
}

int bench_ping_pong(struct native *n, int argc, char **argv, struct err *err)
{
    static const char *const notes[] = {
        "time_s is ONE-WAY: elapsed/(2*iterations) of a blocking Send/Recv "
        "ping-pong, maximum over the two ranks; one row a batch, after two "
        "that do not count",
        "one pair active at a time; all other ranks sleep", NULL};
    struct bench_options o = {.sizes = {4, 4u << 20}};
    struct table t;
    bool helped;

    if (bench_begin(n, &o, argc, argv, "ping_pong [OPTIONS]", NULL, &helped,
                    err) < 0)
        return -1;
    if (helped)
        return 0;
    if (n->ranks < 2)
        return fail(err, "ping_pong: expected two ranks or more");
    if (table_open(&t, n, &o.native,
                   "ping-pong between two ranks, one pair of each locality",
                   notes,
                   "device,locality,rank_a,rank_b,socket_a,socket_b,bytes,"
                   "iterations,time_s,same_rack",
                   err) < 0)
        return -1;
    if (measure(&t, n, &o, err) < 0) {
        table_abandon(&t);
        return -1;
    }
    return table_close(&t, n, err);
}
