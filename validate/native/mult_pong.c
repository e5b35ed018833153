/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One rank sends messages to several ranks of another node, which answer. */
#include "validate/native/bench.h"
#include "validate/native/pattern.h"

#include "base/seconds.h"

#include <stdio.h>
#include <string.h>

enum { ELEMENT = 4 };

struct mult_pong {
    const struct native *n;
    const struct bench_options *o;
    struct table *t;
    int most;   /* most messages */
    bool split; /* a size is the sum of all messages */

    /* The current point. */
    char *buffer;
    int messages, bytes;
};

static bool answers(const struct mult_pong *b)
{
    return b->n->node == 1 && b->n->local < b->messages;
}

/* Returns rank 0's buffer for the message to, and from, rank i of the other
 * node. */
static char *slot(const struct mult_pong *b, int i)
{
    return b->buffer + (size_t)i * (size_t)b->bytes;
}

static void ping(const struct mult_pong *b)
{
    for (int i = 0; i < b->messages; i++)
        MPI_TRY(MPI_Send(slot(b, i), b->bytes, MPI_BYTE, b->n->per_node + i, 0,
                         MPI_COMM_WORLD));
}

static void pong(const struct mult_pong *b)
{
    for (int i = 0; i < b->messages; i++)
        MPI_TRY(MPI_Recv(slot(b, i), b->bytes, MPI_BYTE, b->n->per_node + i, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void get(const struct mult_pong *b)
{
    MPI_TRY(MPI_Recv(b->buffer, b->bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE));
}

static void answer(const struct mult_pong *b)
{
    MPI_TRY(MPI_Send(b->buffer, b->bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD));
}

static double mult_pong_batch(void *arg, unsigned iterations)
{
    const struct mult_pong *b = arg;

    if (b->n->rank != 0 && !answers(b))
        return 0;
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++)
        if (b->n->rank == 0) {
            ping(b);
            pong(b);
        } else {
            get(b);
            answer(b);
        }
    return (seconds() - begin) / (2 * (double)iterations);
}

/* Checks the answers. The seed of a message is its destination's rank, that of
 * an answer is the complement of its source's rank. */
static void check_answers(const struct mult_pong *b)
{
    size_t bytes = (size_t)b->bytes;
    char what[48];

    for (int i = 0; i < b->messages; i++)
        pattern_fill(b->n, slot(b, i), bytes,
                     (uint64_t)b->n->per_node + (uint64_t)i);
    ping(b);
    pattern_wipe(b->n, b->buffer, bytes * (size_t)b->messages);
    pong(b);
    for (int i = 0; i < b->messages; i++) {
        int from = b->n->per_node + i;
        snprintf(what, sizeof what, "the answer of rank %d", from);
        pattern_check(b->n, slot(b, i), bytes, ~(uint64_t)from, what);
    }
}

static void check_message(const struct mult_pong *b)
{
    size_t bytes = (size_t)b->bytes;
    uint64_t own = (uint64_t)b->n->rank;

    pattern_wipe(b->n, b->buffer, bytes);
    get(b);
    pattern_check(b->n, b->buffer, bytes, own, "the message from rank 0");
    pattern_fill(b->n, b->buffer, bytes, ~own);
    answer(b);
}

static void point(struct mult_pong *b, uint64_t size, const char *device)
{
    const struct repeat how = {.per_point_s = b->o->native.per_point_s};
    uint64_t n = (uint64_t)b->messages;
    uint64_t bytes = b->split ? size / ELEMENT / n * ELEMENT : size;
    struct samples s;

    if (b->split && bytes < ELEMENT)
        return;
    b->bytes = (int)bytes;
    if (b->n->rank == 0)
        check_answers(b);
    else if (answers(b))
        check_message(b);
    repeat(&s, b->n, &how, mult_pong_batch, b);
    for (size_t i = 0; i < s.n; i++)
        table_row(b->t, "%s,%d,1,%llu,%llu,%u,%.6e,", device, b->messages,
                  (unsigned long long)bytes,
                  (unsigned long long)(b->split ? size : n * bytes),
                  s.iterations, s.s[i]);
    samples_clear(&s);
}

static void mult_pong_measure(void *arg, const char *device, void *buffer)
{
    struct mult_pong *b = arg;

    b->buffer = buffer;
    for (uint64_t size = b->o->sizes.from; size <= b->o->sizes.to;
         size = sizes_next(&b->o->sizes, size))
        for (b->messages = 1; b->messages <= b->most; b->messages++)
            point(b, size, device);
}

/* Puts all buffers of a node on its first GPU, as the simulator does. */
static int mult_pong_first_gpu(const struct native *n, struct err *err)
{
    return native_agree(n, n->gpu->use(0, err), err);
}

static int mult_pong_run(struct native *n, int argc, char **argv, bool split,
                         struct err *err)
{
    static const char *const notes[] = {
        "rank 0 of node 0 sends blocking messages to ranks 0 to messages-1 of "
        "node 1, then receives their answers, of as many bytes, in the same "
        "order; all other ranks sleep",
        "time_s is ONE-WAY: elapsed/(2*iterations), maximum over all active "
        "ranks; one row a batch, after two that do not count",
        "in_bounds is always 1: every message has room of its own; gpu "
        "buffers are all on GPU 0 of their node",
        NULL};
    unsigned messages = 0;
    struct bench_options o = {
        .sizes = {ELEMENT, 512u << 10},
        .about = split ? "One rank sends n messages, each a share of --sizes, "
                         "to ranks 0 to n-1 of another "
                         "node, and gets n answers; the time is half of that.\n"
                       : "One rank sends n messages of --sizes to ranks 0 to "
                         "n-1 of another node, and gets "
                         "n answers; the time is half of that.\n"};
    const struct opt more[] = {{"messages", OPT_COUNT, &messages, "N",
                                "at most N messages (ranks of a node)"},
                               BETWEEN_OPTION(o.sizes),
                               {0}};
    struct table t;
    struct mult_pong b = {.n = n, .o = &o, .t = &t, .split = split};
    bool helped;

    if (bench_begin(n, &o, argc, argv,
                    split ? "mult_pong_split [OPTIONS]" : "mult_pong [OPTIONS]",
                    more, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (bench_ranks(&b.most, n, argv[0], "messages", messages, err) < 0 ||
        mult_pong_first_gpu(n, err) < 0 ||
        table_open(&t, n, &o.native,
                   split ? "mult_pong_split: total_bytes from one rank to n of "
                           "another node, 4*floor(total_bytes/4/n) in each "
                           "message, and back"
                         : "mult_pong: messages from one rank to n of another "
                           "node, and back",
                   notes,
                   "device,messages,in_bounds,bytes_per_message,total_bytes,"
                   "iterations,time_s,same_rack",
                   err) < 0)
        return -1;
    int result =
        bench_memories(n, &o, o.sizes.to * (split ? 1 : (uint64_t)b.most),
                       mult_pong_measure, &b, err);
    return table_end(&t, n, result, err);
}

int bench_mult_pong(struct native *n, int argc, char **argv, struct err *err)
{
    return mult_pong_run(n, argc, argv, false, err);
}

int bench_mult_pong_split(struct native *n, int argc, char **argv,
                          struct err *err)
{
    return mult_pong_run(n, argc, argv, true, err);
}
