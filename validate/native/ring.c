/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks in a ring send to their neighbours all at once, to measure the cost of
 * a message if both ends are busy, compared with the same message in a
 * ping-pong. */
#include "validate/native/bench.h"
#include "validate/native/pattern.h"
#include "validate/native/slots.h"

#include "base/seconds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AT_ONCE = 64 << 20 };

enum ring_method { PING_PONG, SENDRECV, ISEND_IRECV, NRING_METHODS };
static const char *const method_names[NRING_METHODS] = {"ping_pong", "sendrecv",
                                                        "isend_irecv"};

struct ring {
    const struct native *n;
    const struct bench_options *o;
    struct table *t;
    unsigned *sockets; /* one per rank */
    bool wanted[NBUFFERS];
    int *members;  /* ranks in the ring's order */
    int nmembers;  /* ranks that a locality has */
    uint64_t room; /* bytes to send, and as many to receive */
    MPI_Request *requests;
    void **out; /* send buffers of a round */

    /* The current point. */
    enum ring_method method;
    int ranks, own; /* ranks in the ring; own place, -1 for none */
    int messages;   /* that each rank sends, and receives, in a round */
    int bytes;
    struct slots send, recv;
};

static int neighbour(const struct ring *b, int distance)
{
    return b->members[(b->own + distance + b->ranks) % b->ranks];
}

static void ring_sendrecv(struct ring *b)
{
    for (int d = 1; d <= b->messages; d++)
        MPI_TRY(MPI_Sendrecv(slots_write(&b->send), b->bytes, MPI_BYTE,
                             neighbour(b, d), 0, slots_take(&b->recv), b->bytes,
                             MPI_BYTE, neighbour(b, -d), 0, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE));
}

static void ring_isend_irecv(struct ring *b)
{
    int n = b->messages;

    for (int i = 0; i < n; i++)
        b->out[i] = slots_write(&b->send);
    for (int i = 0; i < n; i++)
        MPI_TRY(MPI_Irecv(slots_take(&b->recv), b->bytes, MPI_BYTE,
                          neighbour(b, -i - 1), 0, MPI_COMM_WORLD,
                          &b->requests[i]));
    for (int i = 0; i < n; i++)
        MPI_TRY(MPI_Isend(b->out[i], b->bytes, MPI_BYTE, neighbour(b, i + 1), 0,
                          MPI_COMM_WORLD, &b->requests[n + i]));
    MPI_TRY(MPI_Waitall(2 * n, b->requests, MPI_STATUSES_IGNORE));
}

static void ring_ping_pong(struct ring *b)
{
    for (int turn = 0; turn < 2; turn++)
        if (turn == b->own)
            MPI_TRY(MPI_Send(slots_write(&b->send), b->bytes, MPI_BYTE,
                             b->members[1 - b->own], 0, MPI_COMM_WORLD));
        else
            MPI_TRY(MPI_Recv(slots_take(&b->recv), b->bytes, MPI_BYTE,
                             b->members[1 - b->own], 0, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE));
}

static void ring_round(struct ring *b)
{
    if (b->method == PING_PONG)
        ring_ping_pong(b);
    else if (b->method == SENDRECV)
        ring_sendrecv(b);
    else
        ring_isend_irecv(b);
}

/* Returns the time that the other rank of a ping-pong spent on writing, because
 * a rank waits meanwhile. */
static double others_writing_s(const struct ring *b, double own_s)
{
    double other_s;

    MPI_TRY(MPI_Sendrecv(&own_s, 1, MPI_DOUBLE, b->members[1 - b->own], 1,
                         &other_s, 1, MPI_DOUBLE, b->members[1 - b->own], 1,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    return other_s;
}

static double ring_batch(void *arg, unsigned iterations)
{
    struct ring *b = arg;

    if (b->own < 0)
        return 0;
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++)
        ring_round(b);
    double took = seconds() - begin, writing = slots_writing_s(&b->send);
    if (b->method != PING_PONG)
        return (took - writing) / (double)iterations;
    return (took - writing - others_writing_s(b, writing)) /
           (2 * (double)iterations);
}

/* Sends one message to the next rank with known bytes. */
static void ring_check(const struct ring *b)
{
    size_t bytes = (size_t)b->bytes;
    void *out = b->send.memory, *in = b->recv.memory;
    char what[48];

    if (b->own < 0)
        return;
    int next = neighbour(b, 1), before = neighbour(b, -1);
    snprintf(what, sizeof what, "the message from rank %d", before);
    pattern_fill(b->n, out, bytes, (uint64_t)b->n->rank);
    pattern_wipe(b->n, in, bytes);
    MPI_TRY(MPI_Sendrecv(out, b->bytes, MPI_BYTE, next, 0, in, b->bytes,
                         MPI_BYTE, before, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE));
    pattern_check(b->n, in, bytes, (uint64_t)before, what);
}

static void ring_point(struct ring *b, const char *device, const char *where,
                       enum buffers kind, char *memory, uint64_t bytes)
{
    const struct repeat how = {.per_point_s = b->o->native.per_point_s};
    uint64_t at_once = (uint64_t)b->messages;
    bool gpu = *device == 'g';
    struct samples s;

    b->bytes = (int)bytes;
    slots_begin(&b->send, b->n, memory, gpu, kind, bytes, at_once);
    slots_begin(&b->recv, b->n, memory + b->room, gpu, kind, bytes, at_once);
    ring_check(b);
    repeat(&s, b->n, &how, ring_batch, b);
    for (size_t i = 0; i < s.n; i++)
        table_row(b->t, "%s,%s,%s,%s,%d,%d,%d,%u,%.6e", device, where,
                  buffer_names[kind], method_names[b->method], b->ranks,
                  b->messages, b->bytes, s.iterations, s.s[i]);
    samples_clear(&s);
}

static void ring_sizes(struct ring *b, const char *device, const char *where,
                       char *memory)
{
    const struct sizes *sizes = &b->o->sizes;

    for (int k = 0; k < NBUFFERS; k++)
        for (uint64_t bytes = sizes->from; bytes <= sizes->to && b->wanted[k];
             bytes *= sizes->factor) {
            bool large = bytes * (uint64_t)b->messages > MOST_AT_ONCE;
            if ((k == BUFFERS_COLD && bytes < LEAST_COLD_B) ||
                (b->messages > 1 && large))
                continue;
            ring_point(b, device, where, (enum buffers)k, memory, bytes);
        }
}

static void ring_join(struct ring *b, int ranks)
{
    b->ranks = ranks;
    b->own = -1;
    for (int i = 0; i < ranks; i++)
        if (b->members[i] == b->n->rank)
            b->own = i;
}

/* Measures rings of two, four and all ranks, with one neighbour on each side
 * and with all. */
static void ring_locality(struct ring *b, const char *device, const char *where,
                          char *memory)
{
    int before = 0;

    b->method = PING_PONG;
    b->messages = 1;
    ring_join(b, 2);
    ring_sizes(b, device, where, memory);
    for (int step = 0; step < 3; step++) {
        int ranks = step < 2 ? 2 << step : b->nmembers;
        if (ranks > b->nmembers || ranks <= before)
            continue;
        before = ranks;
        ring_join(b, ranks);
        for (int m = SENDRECV; m < NRING_METHODS; m++) {
            b->method = (enum ring_method)m;
            b->messages = 1;
            ring_sizes(b, device, where, memory);
            b->messages = ranks - 1;
            if (ranks > 2)
                ring_sizes(b, device, where, memory);
        }
    }
}

/* Lists the ranks of a ring: for a socket its ranks in order; otherwise they
 * alternate with ranks that are this far from rank 0. */
static void ring_members(struct ring *b, const char *where)
{
    const struct native *n = b->n;
    int most = n->nodes > 1 ? 2 * n->per_node : n->per_node;
    bool socket = !strcmp(where, "on_socket"), node = !strcmp(where, "on_node");
    int near = 0, far = 0;

    for (int r = 0; r < most; r++) {
        const char *place =
            r ? native_locality(n, b->sockets, 0, r) : "on_socket";
        bool is_near = !strcmp(place, "on_socket") ||
                       (!socket && !node && r < n->per_node);
        if (is_near && socket)
            b->members[near++] = r;
        else if (is_near)
            b->members[2 * near++] = r;
        else if (!strcmp(place, where))
            b->members[2 * far++ + 1] = r;
    }
    b->nmembers = socket ? near : 2 * (near < far ? near : far);
}

static void ring_measure(void *arg, const char *device, void *buffer)
{
    static const char *const wanted[] = {"on_socket", "on_node", "off_node"};
    struct ring *b = arg;

    for (size_t w = 0; w < sizeof wanted / sizeof wanted[0]; w++) {
        ring_members(b, wanted[w]);
        if (b->nmembers >= 2)
            ring_locality(b, device, wanted[w], buffer);
    }
}

static int ring_memories(struct ring *b, struct err *err)
{
    size_t ranks = (size_t)b->n->ranks;
    uint64_t to = b->o->sizes.to, many = to * (ranks - 1);
    uint64_t all = many < MOST_AT_ONCE ? many : MOST_AT_ONCE;

    b->sockets = native_sockets(b->n);
    b->members = xcalloc(2 * ranks, sizeof *b->members);
    b->requests = xcalloc(2 * ranks, sizeof(MPI_Request));
    b->out = xcalloc(ranks, sizeof *b->out);
    /* Each message has a cache line more, for its alignment. */
    b->room = slots_room(b->wanted, to, 1) + all + 64 * ranks;
    int result = bench_memories(b->n, b->o, 2 * b->room, ring_measure, b, err);
    free(b->out);
    free(b->requests);
    free(b->members);
    free(b->sockets);
    return result;
}

int bench_ring(struct native *n, int argc, char **argv, struct err *err)
{
    static const char *const notes[] = {
        "rank r sends to r+1 ... r+messages and receives from r-1 ... "
        "r-messages, all ranks of the ring at once: sendrecv: one MPI_Sendrecv "
        "after the other; isend_irecv: all posted, one MPI_Waitall; all other "
        "ranks sleep",
        "time_s: one such round, elapsed/iterations, maximum over the ranks, "
        "which are not synchronised after the start; one row a batch, after "
        "two that do not count",
        "ping_pong: the first two ranks alone, ONE WAY, with the same buffers",
        "locality: of neighbours: ranks of one socket; of two sockets, or of "
        "two nodes, in turn",
        BUFFERS_NOTE,
        NULL};
    const char *buffers = NULL;
    const struct opt more[] = {SLOTS_OPTION(buffers), {0}};
    struct bench_options o = {
        .sizes = {4, 4u << 20, 4},
        .about = "Two, four and all ranks of a socket (of two sockets, of two "
                 "nodes) send to their "
                 "neighbours all at once, beside a ping-pong of the same "
                 "buffers.\n"};
    struct table t;
    struct ring b = {.n = n, .o = &o, .t = &t};
    bool helped;

    if (bench_begin(n, &o, argc, argv, "ring [OPTIONS]", more, &helped, err) <
        0)
        return -1;
    if (helped)
        return 0;
    if (n->ranks < 2)
        return fail(err, "ring: expected two ranks or more");
    if (slots_option(b.wanted, buffers, err) < 0 ||
        table_open(&t, n, &o.native,
                   "ring: ranks that all send to their neighbours at once",
                   notes,
                   "device,locality,buffers,method,ranks,messages,"
                   "bytes_per_message,iterations,time_s",
                   err) < 0)
        return -1;
    return table_end(&t, n, ring_memories(&b, err), err);
}
