/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs messages on a node, copies between host and GPU, and copies in host
 * memory, each on some ranks, all at once, to see which share of the memory's
 * bandwidth each gets. */
#include "validate/native/bench.h"
#include "validate/measure/sweep.h"
#include "validate/native/mps.h"
#include "validate/native/pattern.h"
#include "validate/native/slots.h"

#include "base/seconds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_S 10e-3
enum { BATCHES = 5, WARM_UP = 1, GO_ON = 0, LAST = 1 };

enum activity { MESSAGE, TO_GPU, FROM_GPU, HOST_COPY, NACTIVITIES };
static const char *const activity_names[NACTIVITIES] = {"message", "h2d", "d2h",
                                                        "host_copy"};

/* The activities of a mix, each with k ranks (or pairs of ranks, for messages):
 * first each alone, then the mixtures of a staged exchange. */
static const bool mixes[][NACTIVITIES] = {
    {true, false, false, false}, {false, true, false, false},
    {false, false, true, false}, {false, false, false, true},
    {false, true, true, false},  {true, true, false, false},
    {true, false, true, false},  {true, false, false, true},
    {false, false, true, true},  {true, true, true, false},
};
enum { NMIXES = sizeof mixes / sizeof mixes[0] };

struct contention {
    const struct native *n;
    const struct bench_options *o;
    struct table *t;
    bool wanted[NBUFFERS];
    uint64_t room; /* bytes to send, and as many to receive */
    char *memory;  /* host memory, pinned */
    void *device;  /* GPU memory */
    void *stream;

    /* The current point. */
    int ranks[NACTIVITIES]; /* that take part; pairs for messages */
    int own, place;         /* this rank's activity (-1 for none), its number */
    uint64_t bytes;
    struct slots from, to;
};

/* --- one operation -------------------------------------------------------- */

static int partner(const struct contention *b)
{
    return b->place % 2 ? b->n->rank - 1 : b->n->rank + 1;
}

/* Exchanges a message with the partner. The first rank of a pair decides
 * whether the pair continues; returns whether it was the last. */
static bool exchange_once(const struct contention *b, void *out, void *in,
                          bool last)
{
    bool leads = b->place % 2 == 0;
    MPI_Status status;

    MPI_TRY(MPI_Sendrecv(out, (int)b->bytes, MPI_BYTE, partner(b),
                         leads && last ? LAST : GO_ON, in, (int)b->bytes,
                         MPI_BYTE, partner(b), MPI_ANY_TAG, MPI_COMM_WORLD,
                         &status));
    return leads ? last : status.MPI_TAG == LAST;
}

static void gpu_copy(const struct contention *b, void *to, const void *from)
{
    DIE_TRY(b->n->gpu->copy(to, from, b->bytes, b->stream, DIE));
    DIE_TRY(b->n->gpu->wait(b->stream, DIE));
}

/* Does one operation; returns whether it was the last. */
static bool operate(struct contention *b, bool last)
{
    void *from = slots_take(&b->from), *to = slots_take(&b->to);

    switch ((enum activity)b->own) {
    case MESSAGE:
        return exchange_once(b, from, to, last);
    case TO_GPU:
        gpu_copy(b, b->device, from);
        return last;
    case FROM_GPU:
        gpu_copy(b, to, b->device);
        return last;
    case HOST_COPY:
    case NACTIVITIES:
        memcpy(to, from, b->bytes);
    }
    return last;
}

/* Does one operation with known bytes; ends the ranks if others arrive. */
static void contention_check(struct contention *b)
{
    uint64_t seed = (uint64_t)b->n->rank, expected = seed;
    void *from = b->from.memory, *to = b->to.memory;

    if (b->own < 0)
        return;
    if (b->own == MESSAGE)
        expected = (uint64_t)partner(b);
    if (b->own == TO_GPU)
        to = b->device;
    if (b->own == FROM_GPU)
        from = b->device;
    pattern_fill(b->n, from, b->bytes, seed);
    pattern_wipe(b->n, to, b->bytes);
    (void)operate(b, true);
    pattern_check(b->n, to, b->bytes, expected, activity_names[b->own]);
}

/* --- a batch -------------------------------------------------------------- */

/* Returns the operations per second of this rank, and adds their number to
 * *count. */
static double own_rate(struct contention *b, double *count)
{
    unsigned done = 0;
    bool over = false;

    double begin = seconds(), end = begin;
    while (!over) {
        over = operate(b, end - begin >= BATCH_S);
        end = seconds();
        done++;
    }
    *count += done;
    return done / (end - begin);
}

/* Sets rates and counts of all activities, summed over their ranks. */
static void contention_batch(struct contention *b, double *rates,
                             double *counts)
{
    double mine[2 * NACTIVITIES] = {0}, all[2 * NACTIVITIES];

    native_alive(b->n, "a timed batch");
    native_barrier(b->n);
    if (b->own >= 0)
        mine[b->own] = own_rate(b, &mine[NACTIVITIES + b->own]);
    native_quiet(b->n);
    MPI_TRY(MPI_Allreduce(mine, all, 2 * NACTIVITIES, MPI_DOUBLE, MPI_SUM,
                          MPI_COMM_WORLD));
    memcpy(rates, all, NACTIVITIES * sizeof *rates);
    memcpy(counts, all + NACTIVITIES, NACTIVITIES * sizeof *counts);
}

static void contention_row(const struct contention *b, enum buffers kind,
                           const double *rates, const double *counts)
{
    for (int a = 0; a < NACTIVITIES; a++) {
        double ranks = b->ranks[a] * (a == MESSAGE ? 2 : 1);
        if (b->ranks[a])
            table_row(b->t, "%s,%d,%d,%d,%d,%llu,%s,%.0f,%.6e",
                      activity_names[a], b->ranks[MESSAGE], b->ranks[TO_GPU],
                      b->ranks[FROM_GPU], b->ranks[HOST_COPY],
                      (unsigned long long)b->bytes, buffer_names[kind],
                      counts[a], ranks / rates[a]);
    }
}

static void contention_point(struct contention *b, enum buffers kind,
                             uint64_t bytes)
{
    double rates[NACTIVITIES], counts[NACTIVITIES];

    b->bytes = bytes;
    slots_begin(&b->from, b->n, b->memory, false, kind, bytes, 1);
    slots_begin(&b->to, b->n, b->memory + b->room, false, kind, bytes, 1);
    contention_check(b);
    native_break(b->n);
    for (int i = 0; i < WARM_UP; i++)
        contention_batch(b, rates, counts);
    for (int i = 0; i < BATCHES; i++) {
        contention_batch(b, rates, counts);
        contention_row(b, kind, rates, counts);
    }
}

/* --- assignment of ranks -------------------------------------------------- */

/* Assigns k ranks, or pairs, to each activity of a mix, one after the other;
 * returns false if there are too few. */
static bool deal(struct contention *b, const bool mix[NACTIVITIES], int k)
{
    int next = 0, local = b->n->node == 0 ? b->n->local : b->n->ranks;

    b->own = -1;
    for (int a = 0; a < NACTIVITIES; a++) {
        int ranks = !mix[a] ? 0 : a == MESSAGE ? 2 * k : k;
        b->ranks[a] = mix[a] ? k : 0;
        if (local >= next && local < next + ranks) {
            b->own = a;
            b->place = local - next;
        }
        next += ranks;
    }
    return next <= b->n->per_node;
}

static void contention_sizes(struct contention *b)
{
    const struct sizes *sizes = &b->o->sizes;

    for (int kind = 0; kind < NBUFFERS; kind++)
        for (uint64_t bytes = sizes->from;
             bytes <= sizes->to && b->wanted[kind]; bytes *= sizes->factor)
            contention_point(b, (enum buffers)kind, bytes);
}

static void contention_measure(struct contention *b)
{
    for (int m = 0; m < NMIXES; m++)
        for (int k = 1; deal(b, mixes[m], k); k *= 2)
            contention_sizes(b);
}

static int contention_memory(struct contention *b, struct err *err)
{
    const struct gpu_api *gpu = b->n->gpu;

    b->room = slots_room(b->wanted, b->o->sizes.to, 1);
    b->memory = gpu->host_new(2 * b->room, err);
    if (!b->memory)
        return -1;
    memset(b->memory, 1, 2 * b->room);
    b->device = gpu->device_new(b->o->sizes.to, err);
    return b->device ? gpu->stream_new(&b->stream, err) : -1;
}

static int contention_run(struct contention *b, struct err *err)
{
    const struct gpu_api *gpu = b->n->gpu;
    int result = native_agree(b->n, contention_memory(b, err), err);

    if (result == 0)
        contention_measure(b);
    if (b->stream)
        gpu->stream_free(b->stream);
    if (b->device)
        gpu->device_free(b->device);
    if (b->memory)
        gpu->host_free(b->memory);
    return result;
}

int bench_contention(struct native *n, int argc, char **argv, struct err *err)
{
    static const char *const notes[] = {
        "on one node at once: pairs pairs of ranks, of which both send and "
        "receive (MPI_Sendrecv, host memory); h2d_ranks and d2h_ranks ranks "
        "that copy to, or from, their GPU (cudaMemcpyAsync and "
        "cudaStreamSynchronize, pinned memory); host_copy_ranks ranks that "
        "copy from one buffer to another by memcpy; all other ranks sleep",
        "each row is a batch of 10 ms, after one that does not count; time_s "
        "is that of one operation of one rank of `activity`: its ranks / the "
        "sum of their rates; iterations: operations of all of them",
        "bytes: of one operation; a host copy reads and writes as many, a "
        "message goes each way",
        BUFFERS_NOTE,
        SWEEP_HOST_NOTE,
        NULL};
    const char *buffers = NULL, *mps = NULL;
    const struct opt more[] = {SLOTS_OPTION(buffers), MPS_OPTION(mps), {0}};
    struct bench_options o = {
        .sizes = {64u << 10, 16u << 20, 16},
        .copies = true,
        .about = "1, 2, 4, ... ranks of a node exchange messages, copy to the "
                 "GPU, from the GPU, and "
                 "in host memory, each alone and some together.\n"};
    struct table t;
    struct contention b = {.n = n, .o = &o, .t = &t};
    bool helped;

    if (bench_begin(n, &o, argc, argv, "contention [OPTIONS]", more, &helped,
                    err) < 0)
        return -1;
    if (helped)
        return 0;
    if (slots_option(b.wanted, buffers ? buffers : "same,cold", err) < 0)
        return -1;
    /* Writing before each operation would itself use the memory that is
     * measured. */
    if (b.wanted[BUFFERS_WRITTEN])
        return fail(err, "--buffers: expected some of same,cold, got '%s'",
                    buffers);
    if (mps_find(&o.native, n, mps, err) < 0 ||
        table_open(&t, n, &o.native,
                   "contention: messages and copies of one node at once", notes,
                   "activity,pairs,h2d_ranks,d2h_ranks,host_copy_ranks,bytes,"
                   "buffers,iterations,time_s",
                   err) < 0)
        return -1;
    return table_end(&t, n, contention_run(&b, err), err);
}
