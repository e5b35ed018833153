/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends messages of one byte with different tags, whose receives are posted in
 * the same or in reverse order, to measure the cost of a walk through the
 * queues of the matching. */
#include "validate/native/bench.h"

#include "base/seconds.h"
#include "validate/measure/benchmark.h"

#include <stdlib.h>
#include <string.h>

struct matching_run {
    const struct native *n;
    const struct bench_options *o;
    struct table *t;
    unsigned *sockets; /* one per rank */
    MPI_Request *requests;
    char *out, *in; /* one byte per message */

    /* The current point. */
    bool reversed;
    int messages, other; /* the other rank; -1 if this one takes no part */
    bool first;
};

static void matching_send(const struct matching_run *b)
{
    for (int i = 0; i < b->messages; i++)
        MPI_TRY(MPI_Isend(b->out + i, 1, MPI_BYTE, b->other, i, MPI_COMM_WORLD,
                          &b->requests[i]));
    MPI_TRY(MPI_Waitall(b->messages, b->requests, MPI_STATUSES_IGNORE));
}

static void matching_receive(const struct matching_run *b)
{
    int last = b->messages - 1;

    for (int i = 0; i < b->messages; i++) {
        int tag = b->reversed ? last - i : i;
        MPI_TRY(MPI_Irecv(b->in + tag, 1, MPI_BYTE, b->other, tag,
                          MPI_COMM_WORLD, &b->requests[i]));
    }
    MPI_TRY(MPI_Waitall(b->messages, b->requests, MPI_STATUSES_IGNORE));
}

static double matching_batch(void *arg, unsigned iterations)
{
    const struct matching_run *b = arg;

    if (b->other < 0)
        return 0;
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++) {
        if (b->first)
            matching_send(b);
        matching_receive(b);
        if (!b->first)
            matching_send(b);
    }
    return (seconds() - begin) / (2 * (double)iterations);
}

/* Does a round with bytes that differ by message. */
static void matching_check(struct matching_run *b)
{
    for (int i = 0; i < b->messages; i++) {
        b->out[i] = (char)(i * 7 + b->n->rank);
        b->in[i] = (char)~(i * 7 + b->other);
    }
    if (b->n->breaks == BREAK_CORRUPT)
        b->out[0] ^= 1;
    (void)matching_batch(b, 1);
    for (int i = 0; i < b->messages && b->other >= 0; i++)
        if (b->in[i] != (char)(i * 7 + b->other))
            native_die("corrupted data: message %d of %d from rank %d", i,
                       b->messages, b->other);
}

static void matching_points(struct matching_run *b, const char *where)
{
    const struct repeat how = {.per_point_s = b->o->native.per_point_s};
    const struct sizes *counts = &b->o->sizes;

    for (uint64_t n = counts->from; n <= counts->to; n *= counts->factor) {
        struct samples s;
        b->messages = (int)n;
        matching_check(b);
        repeat(&s, b->n, &how, matching_batch, b);
        for (size_t i = 0; i < s.n; i++)
            table_row(b->t, "%s,%s,%d,%u,%.6e", where,
                      b->reversed ? "reversed" : "in_order", b->messages,
                      s.iterations, s.s[i]);
        samples_clear(&s);
    }
}

/* Measures rank 0 with the last rank of each locality, because neighbours may
 * share a cache. */
static void matching_measure(struct matching_run *b)
{
    static const char *const wanted[] = {"on_socket", "on_node", "off_node"};
    const struct native *n = b->n;
    int most = n->nodes > 1 ? 2 * n->per_node : n->per_node;

    for (size_t w = 0; w < sizeof wanted / sizeof wanted[0]; w++) {
        int partner = 0;
        for (int r = 1; r < most; r++)
            if (!strcmp(native_locality(n, b->sockets, 0, r), wanted[w]))
                partner = r;
        if (!partner)
            continue;
        b->first = n->rank == 0;
        b->other = b->first ? partner : n->rank == partner ? 0 : -1;
        for (int reversed = 0; reversed < 2; reversed++) {
            b->reversed = reversed;
            matching_points(b, wanted[w]);
        }
    }
}

static int tags_suffice(uint64_t messages, struct err *err)
{
    int *most, found;

    MPI_TRY(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &found));
    if (found && messages > (uint64_t)*most + 1)
        return fail(err, "--sizes: this MPI has tags up to %d only", *most);
    return 0;
}

int bench_matching(struct native *n, int argc, char **argv, struct err *err)
{
    static const char *const notes[] = {
        "n messages of 1 byte with tags 0 to n-1 by MPI_Isend to one rank and "
        "as many back; in_order: receives posted in the order of the sends; "
        "reversed: backwards, so that each match walks the queue; all other "
        "ranks sleep",
        "time_s is ONE-WAY, of all n: elapsed/(2*iterations), maximum over the "
        "two ranks; one row a batch, after two that do not count",
        NULL};
    struct bench_options o = {
        .sizes = {1, 4u << 10},
        .sized = "messages",
        .copies = true,
        .about = "n messages of one byte between two ranks, with receives in "
                 "their order and "
                 "backwards, on a socket, a node and two nodes.\n"};
    struct table t;
    struct matching_run b = {.n = n, .o = &o, .t = &t};
    bool helped;

    if (bench_begin(n, &o, argc, argv, "matching [OPTIONS]", NULL, &helped,
                    err) < 0)
        return -1;
    if (helped)
        return 0;
    if (n->ranks < 2)
        return fail(err, "matching: expected two ranks or more");
    if (tags_suffice(o.sizes.to, err) < 0)
        return -1;
    char *head = benchmark_head(&matching_benchmark);
    int opened = table_open(&t, n, &o.native,
                            "matching: messages of one byte, receives in order "
                            "and backwards",
                            notes, head, err);
    free(head);
    if (opened < 0)
        return -1;
    b.sockets = native_sockets(n);
    b.requests = xcalloc(o.sizes.to, sizeof(MPI_Request));
    b.out = xcalloc(o.sizes.to, 1);
    b.in = xcalloc(o.sizes.to, 1);
    matching_measure(&b);
    free(b.in);
    free(b.out);
    free(b.requests);
    free(b.sockets);
    return table_end(&t, n, 0, err);
}
