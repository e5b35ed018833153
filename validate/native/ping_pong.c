/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two ranks send a message back and forth with blocking calls. */
#include "validate/native/bench.h"
#include "validate/native/ping.h"

#include <stdlib.h>
#include <string.h>

struct ping_pong {
    const struct native *n;
    const struct bench_options *o;
    struct table *t;
    unsigned *sockets; /* one per rank */
    bool all;
};

static double ping_pong_batch(void *arg, unsigned iterations)
{
    const struct ping *p = arg;

    return p->n ? ping_time(p, iterations) : 0;
}

/* Opens the two ranks' buffers for each other. */
static void open_peer(const struct ping_pong *b, struct ping *p)
{
    struct gpu_share own, other;
    struct err err = {0};

    if (!p->n)
        return;
    DIE_TRY(b->n->gpu->share(&own, p->buffer, DIE));
    MPI_TRY(MPI_Sendrecv(&own, sizeof own, MPI_BYTE, p->other, 0, &other,
                         sizeof other, MPI_BYTE, p->other, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE));
    p->peer = b->n->gpu->open(&other, &err);
    if (!p->peer)
        native_die_of(&err);
}

static void one_pair(const struct ping_pong *b, int first, int second,
                     const char *device, void *buffer)
{
    const struct native *n = b->n;
    const struct repeat how = {.per_point_s = b->o->native.per_point_s};
    const char *where = native_locality(n, b->sockets, first, second);
    struct ping p = {.buffer = buffer, .first = n->rank == first};

    p.other = p.first ? second : first;
    if (p.first || n->rank == second)
        p.n = n;
    if (*device == 'g' && !n->device_mpi)
        open_peer(b, &p);
    for (uint64_t bytes = b->o->sizes.from; bytes <= b->o->sizes.to;
         bytes = sizes_next(&b->o->sizes, bytes)) {
        struct samples s;
        p.bytes = (int)bytes;
        if (p.n)
            ping_check(&p);
        repeat(&s, n, &how, ping_pong_batch, &p);
        for (size_t i = 0; i < s.n; i++)
            table_row(b->t, "%s,%s,%d,%d,%u,%u,%llu,%u,%.6e,", device, where,
                      first, second, b->sockets[first], b->sockets[second],
                      (unsigned long long)bytes, s.iterations, s.s[i]);
        samples_clear(&s);
    }
    if (p.peer)
        n->gpu->close(p.peer);
    /* Memory must not be freed while another rank has it open. */
    native_quiet(n);
}

/* Returns one past the last rank that rank 0 can send to: on two nodes, or by
 * CUDA IPC on its own. */
static int furthest(const struct native *n, const char *device)
{
    bool far = n->nodes > 1 && (n->device_mpi || *device == 'c');

    return far ? 2 * n->per_node : n->per_node;
}

/* Measures rank 0 with the first and with the last rank of a locality, because
 * neighbours may share a cache and distant ranks do not. */
static void two_pairs(const struct ping_pong *b, const char *wanted,
                      const char *device, void *buffer)
{
    int found[2] = {0, 0};
    int most = furthest(b->n, device);

    for (int r = 1; r < most; r++)
        if (!strcmp(native_locality(b->n, b->sockets, 0, r), wanted)) {
            if (!found[0])
                found[0] = r;
            found[1] = r;
        }
    if (found[0])
        one_pair(b, 0, found[0], device, buffer);
    if (found[1] > found[0])
        one_pair(b, 0, found[1], device, buffer);
}

static void ping_pong_measure(void *arg, const char *device, void *buffer)
{
    static const char *const wanted[] = {"on_socket", "on_node", "off_node"};
    const struct ping_pong *b = arg;
    int most = furthest(b->n, device);

    for (size_t w = 0; w < sizeof wanted / sizeof wanted[0] && !b->all; w++)
        two_pairs(b, wanted[w], device, buffer);
    for (int first = 0; first < b->n->per_node && b->all; first++)
        for (int second = first + 1; second < most; second++)
            one_pair(b, first, second, device, buffer);
}

static int pairs_option(struct ping_pong *b, const char *pairs, struct err *err)
{
    b->all = pairs && !strcmp(pairs, "all");
    if (pairs && !b->all && strcmp(pairs, "few") != 0)
        return fail(err, "--pairs: expected few or all, got '%s'", pairs);
    if (b->n->ranks < 2)
        return fail(err, "ping_pong: expected two ranks or more");
    return 0;
}

int bench_ping_pong(struct native *n, int argc, char **argv, struct err *err)
{
    static const char *const notes[] = {
        "time_s is ONE-WAY: elapsed/(2*iterations) of a blocking Send/Recv "
        "ping-pong, maximum over the two ranks; one row a batch, after two "
        "that do not count",
        "one pair active at a time; all other ranks sleep",
        "gpu, with an MPI that was built without CUDA: on a node only; the "
        "sender copies into the receiver's memory (CUDA IPC), then an empty "
        "message tells it",
        NULL};
    const char *pairs = NULL;
    struct bench_options o = {.sizes = {4, 4u << 20},
                              .ipc = true,
                              .about =
                                  "The time of one message, half of a round "
                                  "trip of blocking calls, one pair of ranks "
                                  "at a time.\n"};
    const struct opt more[] = {
        {"pairs", OPT_TEXT, &pairs, "WHICH",
         "few: rank 0 and two of each locality; all: of two nodes (few)"},
        BETWEEN_OPTION(o.sizes),
        {0}};
    struct table t;
    struct ping_pong b = {.n = n, .o = &o, .t = &t};
    bool helped;

    if (bench_begin(n, &o, argc, argv, "ping_pong [OPTIONS]", more, &helped,
                    err) < 0)
        return -1;
    if (helped)
        return 0;
    if (pairs_option(&b, pairs, err) < 0 ||
        table_open(&t, n, &o.native, "ping-pong between two ranks", notes,
                   "device,locality,rank_a,rank_b,socket_a,socket_b,bytes,"
                   "iterations,time_s,same_rack",
                   err) < 0)
        return -1;
    b.sockets = native_sockets(n);
    int result = bench_memories(n, &o, o.sizes.to, ping_pong_measure, &b, err);
    free(b.sockets);
    return table_end(&t, n, result, err);
}
