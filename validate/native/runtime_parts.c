/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times calls of threads, turns that find nothing, tests of pending requests,
 * probes past other messages, the calls of epochs, windows and copies. */
#include "validate/native/runtime_parts.h"

#include "base/seconds.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LATE_S 200e-6 /* so that the data have arrived when a call waits */
enum { SMALL = 64, CALLS = 32, MOST_THREADS = 4 };
enum { OTHER_TAG = 40000, NO_TAG, LAST_TAG };
enum { WINDOW_B = 1 << 20, COPY_B = 1 << 20 };

struct part;
struct doing {
    const struct runtime_parts *p;
    const struct part *part;
    int amount; /* threads, or requests */
};
typedef double doing_batch(struct doing *d, unsigned iterations);

/* --- calls of threads ----------------------------------------------------- */

struct caller {
    pthread_t thread;
    struct doing *d;
    pthread_barrier_t *start;
    double took_s;
    int posted;
};

static void *call(void *arg)
{
    struct caller *c = arg;
    const struct runtime_parts *p = c->d->p;
    /* It is static, because it must stay until it is sent. */
    static const char from[SMALL];

    pthread_barrier_wait(c->start);
    double begin = seconds();
    for (int i = 0; i < CALLS; i++)
        c->posted += p->kind->post(p->layer, 1, from, SMALL);
    c->took_s = seconds() - begin;
    return NULL;
}

/* Receives on host 1; both hosts continue until all has arrived. */
static void drain(const struct runtime_parts *p, int expected)
{
    char *in = xcalloc((size_t)expected + 1, SMALL);
    int *from = xcalloc((size_t)expected + 1, sizeof *from);
    struct host_round r = {.from = from,
                           .nfrom = p->own == 1 ? expected : 0,
                           .bytes = SMALL,
                           .in = in,
                           .in_from = from};

    p->kind->round(p->layer, &r);
    free(from);
    free(in);
}

static double calls_at_once(struct doing *d)
{
    struct caller callers[MOST_THREADS] = {0};
    pthread_barrier_t start;
    double took_s = 0;
    int posted = 0;

    pthread_barrier_init(&start, NULL, (unsigned)d->amount);
    for (int i = 0; i < d->amount; i++) {
        callers[i] = (struct caller){.d = d, .start = &start};
        if (pthread_create(&callers[i].thread, NULL, call, &callers[i]))
            native_die("a thread cannot be started");
    }
    for (int i = 0; i < d->amount; i++) {
        pthread_join(callers[i].thread, NULL);
        took_s += callers[i].took_s;
        posted += callers[i].posted;
    }
    pthread_barrier_destroy(&start);
    /* It is not in the layer's communicator, because the layer's probes accept
     * any message there. */
    MPI_TRY(MPI_Send(&posted, 1, MPI_INT, 1, LAST_TAG, MPI_COMM_WORLD));
    drain(d->p, 0);
    return took_s / (CALLS * d->amount);
}

static double call_batch(struct doing *d, unsigned iterations)
{
    double took_s = 0;
    int posted;

    for (unsigned i = 0; i < iterations; i++) {
        if (d->p->own == 0) {
            took_s += calls_at_once(d);
            continue;
        }
        MPI_TRY(MPI_Recv(&posted, 1, MPI_INT, 0, LAST_TAG, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE));
        drain(d->p, posted);
    }
    return took_s / iterations;
}

/* --- turns, tests, matching ----------------------------------------------- */

static double poll_batch(struct doing *d, unsigned iterations)
{
    double begin = seconds();

    if (d->p->own != 0)
        return 0;
    for (unsigned i = 0; i < iterations; i++)
        (void)d->p->kind->turn(d->p->layer);
    return (seconds() - begin) / iterations;
}

static double test_batch(struct doing *d, unsigned iterations)
{
    MPI_Request *requests = xcalloc((size_t)d->amount, sizeof *requests);
    char in;
    int done;

    if (d->p->own != 0) {
        free(requests);
        return 0;
    }
    for (int i = 0; i < d->amount; i++)
        MPI_TRY(
            MPI_Irecv(&in, 1, MPI_BYTE, 1, NO_TAG, d->p->comm, &requests[i]));
    double begin = seconds();
    for (unsigned k = 0; k < iterations; k++)
        for (int i = 0; i < d->amount; i++)
            MPI_TRY(MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE));
    double took_s = seconds() - begin;
    for (int i = 0; i < d->amount; i++) {
        MPI_TRY(MPI_Cancel(&requests[i]));
        MPI_TRY(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
    }
    free(requests);
    return took_s / ((double)iterations * d->amount);
}

static void receive_all(const struct doing *d)
{
    char in;

    for (int i = 0; i < d->amount; i++)
        MPI_TRY(MPI_Recv(&in, 1, MPI_BYTE, 0, OTHER_TAG, d->p->comm,
                         MPI_STATUS_IGNORE));
    MPI_TRY(MPI_Send(&in, 1, MPI_BYTE, 0, LAST_TAG, d->p->comm));
}

/* Probes past messages that are there and do not match. */
static double entry_probes(const struct doing *d, unsigned iterations)
{
    char in;
    int there;

    MPI_TRY(
        MPI_Recv(&in, 1, MPI_BYTE, 0, LAST_TAG, d->p->comm, MPI_STATUS_IGNORE));
    double begin = seconds();
    for (unsigned k = 0; k < iterations; k++)
        MPI_TRY(MPI_Iprobe(0, NO_TAG, d->p->comm, &there, MPI_STATUS_IGNORE));
    double took_s = seconds() - begin;
    receive_all(d);
    return took_s / iterations;
}

static double entry_batch(struct doing *d, unsigned iterations)
{
    char out = 0;

    if (d->p->own == 1)
        return entry_probes(d, iterations);
    for (int i = 0; i < d->amount; i++)
        MPI_TRY(MPI_Send(&out, 1, MPI_BYTE, 1, OTHER_TAG, d->p->comm));
    MPI_TRY(MPI_Send(&out, 1, MPI_BYTE, 1, LAST_TAG, d->p->comm));
    MPI_TRY(MPI_Recv(&out, 1, MPI_BYTE, 1, LAST_TAG, d->p->comm,
                     MPI_STATUS_IGNORE));
    return 0;
}

/* --- epochs, windows, copies ---------------------------------------------- */

enum epoch_call { START, PUT, COMPLETE, POST, WAIT };

static double epoch_s(const struct rma_calls *c, enum epoch_call which)
{
    switch (which) {
    case START:
        return c->start_s / (double)c->starts;
    case PUT:
        return c->put_s / (double)c->puts;
    case COMPLETE:
        return c->complete_s / (double)c->completes;
    case POST:
        return c->post_s / (double)c->posts;
    case WAIT:
        return c->wait_s / (double)c->waits;
    }
    return 0;
}

/* Both hosts write to each other, late enough that no call waits for the
 * other's. */
static double epoch_batch(struct doing *d, unsigned iterations);

static double window_batch(struct doing *d, unsigned iterations)
{
    char *memory = xcalloc(1, WINDOW_B);
    double took_s = 0;
    MPI_Win w;

    for (unsigned i = 0; i < iterations; i++) {
        MPI_TRY(MPI_Barrier(d->p->comm));
        double begin = seconds();
        MPI_TRY(
            MPI_Win_create(memory, WINDOW_B, 1, MPI_INFO_NULL, d->p->comm, &w));
        took_s += seconds() - begin;
        MPI_TRY(MPI_Win_free(&w));
    }
    free(memory);
    return took_s / iterations;
}

/* Copies between buffers that no cache holds. */
static double copy_batch(struct doing *d, unsigned iterations)
{
    enum { IN_TURN = 32 };
    char *all = xmalloc(2 * (size_t)IN_TURN * COPY_B);
    double took_s = 0;

    if (d->p->own == 0) {
        memset(all, 1, 2 * (size_t)IN_TURN * COPY_B);
        for (unsigned i = 0; i < iterations; i++) {
            char *at = all + (size_t)(i % IN_TURN) * COPY_B;
            double begin = seconds();
            memcpy(at + (size_t)IN_TURN * COPY_B, at, COPY_B);
            took_s += seconds() - begin;
        }
    }
    free(all);
    return took_s / iterations;
}

/* Copies into new memory, like that of a message of unknown size. */
static double copy_new_batch(struct doing *d, unsigned iterations)
{
    char *from = xmalloc(COPY_B);
    double begin = seconds();

    memset(from, 1, COPY_B);
    for (unsigned i = 0; i < iterations && d->p->own == 0; i++) {
        char *to = mmap(NULL, COPY_B, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (to == MAP_FAILED)
            native_die("no memory");
        memcpy(to, from, COPY_B);
        munmap(to, COPY_B);
    }
    double took_s = seconds() - begin;
    free(from);
    return d->p->own == 0 ? took_s / iterations : 0;
}

/* --- all parts ------------------------------------------------------------ */

struct part {
    const char *operation;
    doing_batch *batch;
    const struct layer_kind *kind; /* NULL for all kinds that have post */
    enum epoch_call epoch;
    size_t bytes;
    int amounts[4];      /* ended by 0 */
    bool threads;        /* amounts are threads */
    unsigned iterations; /* 0 for as many as take long enough */
};

static const struct part parts[] = {
    {"call", call_batch, NULL, 0, SMALL, {1, 2, 4, 0}, true, 8},
    {"poll", poll_batch, NULL, 0, 0, {1, 0}, false, 0},
    {"test", test_batch, &layer_probe, 0, 0, {1, 16, 128, 0}, false, 0},
    {"entry", entry_batch, &layer_probe, 0, 1, {1, 128, 512, 0}, false, 0},
    {"start", epoch_batch, &layer_rma, START, SMALL, {1, 0}, false, 8},
    {"call", epoch_batch, &layer_rma, PUT, SMALL, {1, 0}, true, 8},
    {"complete", epoch_batch, &layer_rma, COMPLETE, SMALL, {1, 0}, false, 8},
    {"post", epoch_batch, &layer_rma, POST, SMALL, {1, 0}, false, 8},
    {"wait", epoch_batch, &layer_rma, WAIT, SMALL, {1, 0}, false, 8},
    {"window", window_batch, &layer_rma, 0, WINDOW_B, {1, 0}, false, 0},
    {"copy", copy_batch, NULL, 0, COPY_B, {1, 0}, false, 0},
    {"copy_new", copy_new_batch, NULL, 0, COPY_B, {1, 0}, false, 0},
};
enum { NPARTS = sizeof parts / sizeof parts[0] };

static double epoch_batch(struct doing *d, unsigned iterations)
{
    const struct runtime_parts *p = d->p;
    char out[SMALL] = "", in[SMALL];
    int other = 1 - p->own, in_from;
    struct host_round r = {.to = &other,
                           .from = &other,
                           .nto = 1,
                           .nfrom = 1,
                           .bytes = SMALL,
                           .out = out,
                           .in = in,
                           .in_from = &in_from};
    const struct rma_calls before = *rma_calls(p->layer);

    rma_wait_late(p->layer, LATE_S);
    for (unsigned i = 0; i < iterations; i++) {
        MPI_TRY(MPI_Barrier(p->comm));
        p->kind->round(p->layer, &r);
    }
    rma_wait_late(p->layer, 0);
    struct rma_calls now = *rma_calls(p->layer);
    now.start_s -= before.start_s;
    now.put_s -= before.put_s;
    now.complete_s -= before.complete_s;
    now.post_s -= before.post_s;
    now.wait_s -= before.wait_s;
    now.starts -= before.starts;
    now.puts -= before.puts;
    now.completes -= before.completes;
    now.posts -= before.posts;
    now.waits -= before.waits;
    return epoch_s(&now, d->part->epoch);
}

static double part_batch(void *arg, unsigned iterations)
{
    struct doing *d = arg;

    return d->p->own < 0 ? 0 : d->part->batch(d, iterations);
}

static bool part_is_of(const struct part *part, const struct layer_kind *kind)
{
    return part->kind ? part->kind == kind : kind->post != NULL;
}

bool runtime_part(const struct runtime_parts *p, int i, struct part_result *out)
{
    for (size_t k = 0; k < NPARTS; k++)
        for (size_t a = 0; parts[k].amounts[a]; a++) {
            struct doing d = {p, &parts[k], parts[k].amounts[a]};
            if (!part_is_of(&parts[k], p->kind) || i-- > 0)
                continue;
            *out =
                (struct part_result){.operation = parts[k].operation,
                                     .threads = parts[k].threads ? d.amount : 1,
                                     .pending = parts[k].threads ? 0 : d.amount,
                                     .bytes = parts[k].bytes};
            const struct repeat how = {.iterations = parts[k].iterations,
                                       .per_point_s = p->per_point_s};
            repeat(&out->samples, p->n, &how, part_batch, &d);
            return true;
        }
    return false;
}
