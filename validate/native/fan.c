/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times nonblocking messages from one rank to others, and from them to it, with
 * receives that are posted before or late. It separates the costs of a send and
 * a receive on their CPU, the time until a buffer is free, and the time after
 * the match. */
#include "validate/native/bench.h"
#include "validate/native/pattern.h"
#include "validate/native/slots.h"

#include "base/seconds.h"
#include "validate/calibrate/fit_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_S 5e-3
/* Delay of late receives: everything that can be done before them is done
 * then. */
#define LATE_S 20e-6
#define LATE_TIMES 4
enum { GO = 1 }; /* a tag */
enum { TRIAL = 3, MOST_ROUNDS = 300, MOST_MESSAGES = 16, MOST_BATCHES = 128 };

struct fan {
    const struct native *n;
    const struct bench_options *o;
    struct table *t;
    unsigned *sockets; /* one per rank */
    int most;          /* most messages */
    uint64_t room;     /* bytes to send, and as many to receive */
    MPI_Request *requests, *go;
    void **buffers; /* one per message of a round */

    /* The current locality. */
    MPI_Comm comm; /* rank 0, then the others in order */
    int own;       /* rank in comm; -1 if it takes no part */
    int others;

    /* The current point. */
    bool out; /* rank 0 sends */
    double delay_s;
    int messages, peers, bytes;
    struct slots send, recv;
    /* One per round of a batch. */
    double round_s[MOST_ROUNDS], round_calls_s[MOST_ROUNDS];
    /* Rank 0: time of the calls of a round, one per batch. */
    double calls_s[MOST_BATCHES];
    size_t ncalls;
};

/* Returns the rank that message i of this rank goes to or comes from. Rank 0
 * has all messages of a round; they belong to the other ranks in turn. */
static int peer_of(const struct fan *b, int i)
{
    return b->own == 0 ? 1 + i % b->peers : 0;
}

static int own_messages(const struct fan *b)
{
    if (b->own == 0)
        return b->messages;
    int place = b->own - 1;
    return place < b->peers ? (b->messages - place + b->peers - 1) / b->peers
                            : 0;
}

static void write_all(struct fan *b, int n)
{
    for (int i = 0; i < n; i++)
        b->buffers[i] = slots_write(&b->send);
}

static void send_all(struct fan *b, int n)
{
    for (int i = 0; i < n; i++)
        MPI_TRY(MPI_Isend(b->buffers[i], b->bytes, MPI_BYTE, peer_of(b, i), 0,
                          b->comm, &b->requests[i]));
}

static void post_all(struct fan *b, int n)
{
    for (int i = 0; i < n; i++) {
        b->buffers[i] = slots_take(&b->recv);
        MPI_TRY(MPI_Irecv(b->buffers[i], b->bytes, MPI_BYTE, peer_of(b, i), 0,
                          b->comm, &b->requests[i]));
    }
}

static void wait_all(struct fan *b, int n)
{
    MPI_TRY(MPI_Waitall(n, b->requests, MPI_STATUSES_IGNORE));
}

static void fan_meet(const struct fan *b)
{
    MPI_TRY(MPI_Barrier(b->comm));
}

/* Waits for delay_s without a call of MPI, so that MPI makes no progress. */
static void be_late(const struct fan *b)
{
    double begin = seconds();

    while (seconds() - begin < b->delay_s)
        ;
}

/* Permits the ranks that send to rank 0 to begin. Only rank 0 has the clock,
 * and it leaves a barrier after some of the others. */
static void say_go(struct fan *b)
{
    for (int i = 0; i < b->peers; i++)
        MPI_TRY(MPI_Isend(NULL, 0, MPI_BYTE, 1 + i, GO, b->comm, &b->go[i]));
}

static void await_go(const struct fan *b)
{
    MPI_TRY(MPI_Recv(NULL, 0, MPI_BYTE, 0, GO, b->comm, MPI_STATUS_IGNORE));
}

/* Does a round's sends. Returns the seconds from the first call, or from the
 * start of the round if that was earlier; *calls_s are those of the calls
 * alone. */
static double fan_sends(struct fan *b, double *calls_s)
{
    int n = own_messages(b);

    write_all(b, n);
    fan_meet(b);
    if (!b->out && b->delay_s <= 0 && n)
        await_go(b);
    double begin = seconds();
    send_all(b, n);
    double posted = seconds();
    wait_all(b, n);
    *calls_s = posted - begin;
    return seconds() - begin;
}

static double fan_receives(struct fan *b, double *calls_s)
{
    int n = own_messages(b);
    bool late = b->delay_s > 0;

    if (late) {
        fan_meet(b);
        be_late(b);
    }
    double begin = seconds();
    post_all(b, n);
    double posted = seconds();
    *calls_s = posted - begin;
    if (!late) {
        fan_meet(b);
        begin = seconds();
    }
    if (!late && !b->out)
        say_go(b);
    wait_all(b, n);
    double took = seconds() - begin;
    if (!late && !b->out)
        MPI_TRY(MPI_Waitall(b->peers, b->go, MPI_STATUSES_IGNORE));
    return took;
}

static double fan_round(struct fan *b, double *calls_s)
{
    return (b->own == 0) == b->out ? fan_sends(b, calls_s)
                                   : fan_receives(b, calls_s);
}

/* Does a batch and returns rank 0's median, so that a disturbed round does not
 * count. */
static double fan_batch(void *arg, unsigned iterations)
{
    struct fan *b = arg;

    if (b->own < 0)
        return 0;
    for (unsigned i = 0; i < iterations; i++)
        b->round_s[i] = fan_round(b, &b->round_calls_s[i]);
    if (b->own > 0)
        return 0;
    if (b->ncalls < MOST_BATCHES)
        b->calls_s[b->ncalls++] =
            fit_median(b->round_calls_s, iterations).value - b->send.clock_s;
    return fit_median(b->round_s, iterations).value - b->send.clock_s;
}

/* Does a round each way with known bytes, which differ by message. */
static void fan_check(struct fan *b)
{
    int n = b->own < 0 ? 0 : own_messages(b);
    char what[64];

    for (int turn = 0; turn < 2 && b->own >= 0; turn++) {
        bool sends = (b->own == 0) == (turn == 0);
        for (int i = 0; i < n; i++) {
            /* The number of the message on rank 0. */
            int number = b->own ? b->own - 1 + i * b->peers : i;
            b->buffers[i] = slots_take(sends ? &b->send : &b->recv);
            if (sends)
                pattern_fill(b->n, b->buffers[i], (size_t)b->bytes,
                             (uint64_t)number);
            else
                pattern_wipe(b->n, b->buffers[i], (size_t)b->bytes);
        }
        if (sends) {
            send_all(b, n);
        } else {
            for (int i = 0; i < n; i++)
                MPI_TRY(MPI_Irecv(b->buffers[i], b->bytes, MPI_BYTE,
                                  peer_of(b, i), 0, b->comm, &b->requests[i]));
        }
        wait_all(b, n);
        for (int i = 0; i < n && !sends; i++) {
            int number = b->own ? b->own - 1 + i * b->peers : i;
            snprintf(what, sizeof what, "message %d, rank 0 %s", number,
                     turn == 0 ? "sends" : "receives");
            pattern_check(b->n, b->buffers[i], (size_t)b->bytes,
                          (uint64_t)number, what);
        }
    }
}

/* --- points --------------------------------------------------------------- */

/* Returns the number of rounds that last BATCH_S, including everything that is
 * not timed. */
static unsigned rounds(struct fan *b)
{
    double begin = seconds();

    native_alive(b->n, "a trial");
    (void)fan_batch(b, TRIAL);
    double one_s = native_max(b->n, (seconds() - begin) / TRIAL);
    double wanted = BATCH_S / one_s;
    return wanted < 1             ? 1
           : wanted > MOST_ROUNDS ? MOST_ROUNDS
                                  : (unsigned)wanted;
}

/* Measures a point; returns the median of its times. */
static double fan_point(struct fan *b, const char *device, const char *where)
{
    struct repeat how = {.per_point_s = b->o->native.per_point_s};
    char delay[24] = "";
    struct samples s;

    if (b->delay_s > 0)
        snprintf(delay, sizeof delay, "%.6e", b->delay_s);
    how.iterations = rounds(b);
    b->ncalls = 0;
    repeat(&s, b->n, &how, fan_batch, b);
    /* The batches that count are the last ones. */
    const double *calls_s = b->calls_s + b->ncalls - s.n;
    for (size_t i = 0; i < s.n && b->own == 0; i++)
        table_row(b->t, "%s,%s,%s,%s,%d,%d,%d,%s,%u,%.6e,%.6e", device, where,
                  b->out ? "out" : "in", b->delay_s > 0 ? "late" : "posted",
                  b->messages, b->peers, b->bytes, delay, s.iterations,
                  calls_s[i], s.s[i]);
    double median = samples_median(&s);
    samples_clear(&s);
    return median;
}

static void fan_directions(struct fan *b, const char *device, const char *where,
                           char *memory)
{
    bool gpu = *device == 'g';
    uint64_t bytes = (uint64_t)b->bytes, at_once = (uint64_t)b->most;

    slots_begin(&b->send, b->n, memory, gpu, BUFFERS_WRITTEN, bytes, at_once);
    slots_begin(&b->recv, b->n, memory + b->room, gpu, BUFFERS_WRITTEN, bytes,
                at_once);
    fan_check(b);
    for (int out = 1; out >= 0; out--) {
        b->out = out;
        b->delay_s = 0;
        double posted_s = fan_point(b, device, where);
        b->delay_s = LATE_S + LATE_TIMES * posted_s;
        (void)fan_point(b, device, where);
    }
}

static void fan_sizes(struct fan *b, const char *device, const char *where,
                      char *memory)
{
    const struct sizes *sizes = &b->o->sizes;

    for (uint64_t bytes = sizes->from; bytes <= sizes->to;
         bytes *= sizes->factor)
        for (b->messages = 1; b->messages <= b->most; b->messages *= 2) {
            b->peers = b->messages < b->others ? b->messages : b->others;
            b->bytes = (int)bytes;
            fan_directions(b, device, where, memory);
        }
}

/* Forms a communicator of rank 0 and the first ranks that are this far from
 * it. */
static void fan_join(struct fan *b, const char *where)
{
    const struct native *n = b->n;
    int most = n->nodes > 1 ? 2 * n->per_node : n->per_node, found = 0;
    bool mine = n->rank == 0;

    for (int r = 1; r < most && found < b->most; r++)
        if (!strcmp(native_locality(n, b->sockets, 0, r), where)) {
            found++;
            mine = mine || r == n->rank;
        }
    b->others = found;
    b->own = -1;
    MPI_TRY(MPI_Comm_split(MPI_COMM_WORLD, mine ? 0 : MPI_UNDEFINED, n->rank,
                           &b->comm));
    if (mine)
        MPI_TRY(MPI_Comm_rank(b->comm, &b->own));
}

static void fan_measure(void *arg, const char *device, void *buffer)
{
    static const char *const wanted[] = {"on_socket", "on_node", "off_node"};
    struct fan *b = arg;

    for (size_t w = 0; w < sizeof wanted / sizeof wanted[0]; w++) {
        fan_join(b, wanted[w]);
        if (b->others)
            fan_sizes(b, device, wanted[w], buffer);
        if (b->comm != MPI_COMM_NULL)
            MPI_TRY(MPI_Comm_free(&b->comm));
    }
}

static int fan_memories(struct fan *b, struct err *err)
{
    const bool wanted[NBUFFERS] = {[BUFFERS_WRITTEN] = true};
    size_t most = (size_t)b->most;

    b->sockets = native_sockets(b->n);
    b->requests = xcalloc(most, sizeof(MPI_Request));
    b->go = xcalloc(most, sizeof(MPI_Request));
    b->buffers = xcalloc(most, sizeof *b->buffers);
    b->room = slots_room(wanted, b->o->sizes.to, most);
    int result = bench_memories(b->n, b->o, 2 * b->room, fan_measure, b, err);
    free(b->buffers);
    free(b->go);
    free(b->requests);
    free(b->sockets);
    return result;
}

int bench_fan(struct native *n, int argc, char **argv, struct err *err)
{
    static const char *const notes[] = {
        "out: rank 0 sends by MPI_Isend to peers ranks in turn; in: they send "
        "to rank 0; a round begins with a barrier of those that take part; "
        "all other ranks sleep",
        "posted: receives are posted before the barrier; in: then rank 0 "
        "sends an empty message to each of the others, which send when they "
        "have it; late: receives are posted delay_s after the barrier, in "
        "which the receiver does nothing",
        "calls_s: rank 0's MPI_Isend, or MPI_Irecv, calls alone; time_s: of "
        "rank 0, from its first call after the barrier until its MPI_Waitall "
        "is over; one row a batch, the "
        "median of its rounds, after two that do not count",
        "what is sent is written before each round, and buffers are used in "
        "turn through twice the L2 of a core",
        NULL};
    unsigned messages = 0;
    const struct opt more[] = {{"messages", OPT_COUNT, &messages, "N",
                                "1, 2, 4, ... up to N messages (16)"},
                               {0}};
    struct bench_options o = {
        .sizes = {4, 256u << 10, 4},
        .about =
            "1, 2, 4, ... messages at once from one rank to others, and from "
            "them to it, with "
            "receives posted before and late, on a socket, a node and two "
            "nodes.\n"};
    struct table t;
    struct fan b = {.n = n, .o = &o, .t = &t};
    bool helped;

    if (bench_begin(n, &o, argc, argv, "fan [OPTIONS]", more, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (n->ranks < 2)
        return fail(err, "fan: expected two ranks or more");
    b.most = messages ? (int)messages : MOST_MESSAGES;
    if (table_open(&t, n, &o.native,
                   "fan: messages from one rank to others at once, and to it",
                   notes,
                   "device,locality,direction,receives,messages,peers,"
                   "bytes_per_message,delay_s,iterations,calls_s,time_s",
                   err) < 0)
        return -1;
    return table_end(&t, n, fan_memories(&b, err), err);
}
