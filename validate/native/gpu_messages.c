/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures messages between GPUs of a node by CUDA IPC, of several ranks at
 * once: pairs, a ring, from one and to one, all to all. Each series adds one
 * part of a message, so that the time of each part is the difference of two
 * series. */
#include "validate/measure/gpu_messages.h"
#include "validate/native/bench.h"
#include "validate/native/mps.h"
#include "validate/native/pattern.h"

#include "base/seconds.h"

#include <stdio.h>
#include <stdlib.h>

enum tag { THERE, TAKEN };

struct gpu_messages {
    const struct native *n;
    const struct bench_options *o;
    struct table *t;
    bool wanted[NGPU_PARTS];
    uint64_t most; /* largest message */
    char *own; /* the bytes to send, then a place for the bytes of each rank */
    char **opened;  /* the memory of each rank, as mapped here */
    void **records; /* events of this rank, one for each receiver */
    void **events;  /* the event of each rank for this one */
    void *stream;
    MPI_Request *requests; /* receives, then sends */

    /* The current point. */
    enum gpu_flow flow;
    enum gpu_part part;
    int ranks; /* ranks that take part */
    uint64_t bytes;
};

/* --- sources and destinations --------------------------------------------- */

static bool flows(const struct gpu_messages *b, int from, int to)
{
    return gpu_flows(b->flow, (unsigned)b->ranks, (unsigned)from, (unsigned)to);
}

/* Return the k-th rank after and before this one. Each rank begins with another
 * neighbour, so that not all send to the same. */
static int rank_after(const struct gpu_messages *b, int k)
{
    return (b->n->rank + k) % b->ranks;
}

static int rank_before(const struct gpu_messages *b, int k)
{
    return (b->n->rank + b->ranks - k) % b->ranks;
}

static bool sends(const struct gpu_messages *b, int k)
{
    return flows(b, b->n->rank, rank_after(b, k));
}

static bool receives(const struct gpu_messages *b, int k)
{
    return flows(b, rank_before(b, k), b->n->rank);
}

/* --- a round -------------------------------------------------------------- */

/* Returns the place of a rank's message in the memory of its receiver. */
static char *place(const struct gpu_messages *b, char *memory, int from)
{
    return memory + (uint64_t)(from + 1) * b->most;
}

static void begin_copy(const struct gpu_messages *b, int from, int to)
{
    bool mine = from == b->n->rank;
    void *target = place(b, mine ? b->opened[to] : b->own, from);

    DIE_TRY(b->n->gpu->copy(target, mine ? b->own : b->opened[from], b->bytes,
                            b->stream, DIE));
}

static void wait_copies(const struct gpu_messages *b)
{
    DIE_TRY(b->n->gpu->wait(b->stream, DIE));
}

static MPI_Request *next_send(const struct gpu_messages *b, int *posted)
{
    return &b->requests[b->ranks + (*posted)++];
}

static void say_so(const struct gpu_messages *b, int to, enum tag tag,
                   int *posted)
{
    MPI_TRY(MPI_Isend(NULL, 0, MPI_BYTE, to, tag, MPI_COMM_WORLD,
                      next_send(b, posted)));
}

static void post(const struct gpu_messages *b)
{
    for (int k = 0; k < b->ranks; k++) {
        b->requests[k] = MPI_REQUEST_NULL;
        if (receives(b, k))
            MPI_TRY(MPI_Irecv(NULL, 0, MPI_BYTE, rank_before(b, k), THERE,
                              MPI_COMM_WORLD, &b->requests[k]));
    }
}

static void send_one(const struct gpu_messages *b, int to, int *posted)
{
    if (b->part != GPU_PART_PULL)
        begin_copy(b, b->n->rank, to);
    if (b->part == GPU_PART_COPY || b->part == GPU_PART_MESSAGE)
        wait_copies(b);
    if (b->part == GPU_PART_EVENT)
        DIE_TRY(b->n->gpu->event_record(b->records[to], b->stream, DIE));
    if (b->part >= GPU_PART_MESSAGE)
        say_so(b, to, THERE, posted);
}

/* Receives the messages in the order in which they arrive. */
static void receive_all(const struct gpu_messages *b, int *posted)
{
    for (;;) {
        int k;
        MPI_TRY(MPI_Waitany(b->ranks, b->requests, &k, MPI_STATUS_IGNORE));
        if (k == MPI_UNDEFINED)
            return;
        int from = rank_before(b, k);
        if (b->part == GPU_PART_EVENT)
            DIE_TRY(b->n->gpu->event_wait(b->events[from], DIE));
        if (b->part == GPU_PART_PULL) {
            begin_copy(b, from, b->n->rank);
            wait_copies(b);
            say_so(b, from, TAKEN, posted);
        }
    }
}

static void messages_round(const struct gpu_messages *b)
{
    int posted = 0;

    if (b->part >= GPU_PART_MESSAGE)
        post(b);
    for (int k = 1; k < b->ranks; k++)
        if (sends(b, k))
            send_one(b, rank_after(b, k), &posted);
    if (b->part == GPU_PART_QUEUE)
        wait_copies(b);
    if (b->part >= GPU_PART_MESSAGE)
        receive_all(b, &posted);
    for (int k = 1; k < b->ranks && b->part == GPU_PART_PULL; k++)
        if (sends(b, k))
            MPI_TRY(MPI_Recv(NULL, 0, MPI_BYTE, rank_after(b, k), TAKEN,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    MPI_TRY(MPI_Waitall(posted, b->requests + b->ranks, MPI_STATUSES_IGNORE));
    if (b->part == GPU_PART_EVENT)
        wait_copies(b); /* the sent bytes must not be overwritten before */
}

static double messages_batch(void *arg, unsigned iterations)
{
    const struct gpu_messages *b = arg;

    if (b->n->rank >= b->ranks)
        return 0;
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++)
        messages_round(b);
    return (seconds() - begin) / (double)iterations;
}

static void messages_check(const struct gpu_messages *b)
{
    const struct native *n = b->n;
    bool in = n->rank < b->ranks;
    char what[48];

    if (in)
        pattern_fill(n, b->own, b->bytes, (uint64_t)n->rank);
    for (int from = 0; in && from < b->ranks; from++)
        pattern_wipe(n, place(b, b->own, from), b->bytes);
    native_quiet(n);
    if (in)
        messages_round(b);
    native_quiet(n);
    for (int from = 0; in && from < b->ranks; from++) {
        snprintf(what, sizeof what, "the message from rank %d", from);
        if (flows(b, from, n->rank))
            pattern_check(n, place(b, b->own, from), b->bytes, (uint64_t)from,
                          what);
    }
    native_quiet(n);
}

/* --- points --------------------------------------------------------------- */

static void messages_point(struct gpu_messages *b)
{
    const struct repeat how = {.per_point_s = b->o->native.per_point_s};
    unsigned there = b->n->gpu->count ? b->n->gpu->count : 1;
    int gpus = b->ranks < (int)there ? b->ranks : (int)there;
    struct samples s;

    messages_check(b);
    repeat(&s, b->n, &how, messages_batch, b);
    for (size_t i = 0; i < s.n; i++)
        table_row(b->t, "%s,%s,%d,%d,%llu,%u,%.6e", gpu_flow_names[b->flow],
                  gpu_part_names[b->part], b->ranks, gpus,
                  (unsigned long long)b->bytes, s.iterations, s.s[i]);
    samples_clear(&s);
}

/* Returns whether the flow differs from those measured before: with two ranks a
 * ring and all to all are a pair. */
static bool is_new(const struct gpu_messages *b)
{
    return b->ranks > 2 || b->flow == FLOW_PAIRS || b->flow == FLOW_OUT;
}

static void messages_measure(struct gpu_messages *b)
{
    const struct sizes *sizes = &b->o->sizes;

    for (b->ranks = 2; b->ranks <= b->n->per_node; b->ranks *= 2)
        for (int f = 0; f < NGPU_FLOWS; f++)
            for (int p = 0; p < NGPU_PARTS; p++) {
                b->flow = (enum gpu_flow)f;
                b->part = (enum gpu_part)p;
                for (b->bytes = sizes->from;
                     b->bytes <= sizes->to && b->wanted[p] && is_new(b);
                     b->bytes *= sizes->factor)
                    messages_point(b);
            }
}

/* --- memory and events of the other ranks --------------------------------- */

static int share_memory(struct gpu_messages *b, struct err *err)
{
    const struct gpu_api *api = b->n->gpu;
    size_t ranks = (size_t)b->n->per_node;
    struct gpu_share own = {0}, *all = xcalloc(ranks, sizeof *all);
    int result = 0;

    b->own = api->device_new((ranks + 1) * b->most, err);
    result = b->own && api->share(&own, b->own, err) == 0 &&
                     api->stream_new(&b->stream, err) == 0
                 ? 0
                 : -1;
    result = native_agree(b->n, result, err);
    MPI_TRY(MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE,
                          b->n->on_node));
    for (size_t r = 0; r < ranks && result == 0; r++) {
        b->opened[r] =
            r == (size_t)b->n->local ? b->own : api->open(&all[r], err);
        result = b->opened[r] ? 0 : -1;
    }
    free(all);
    return native_agree(b->n, result, err);
}

static int share_events(struct gpu_messages *b, struct err *err)
{
    const struct gpu_api *api = b->n->gpu;
    size_t ranks = (size_t)b->n->per_node;
    struct gpu_share *own = xcalloc(ranks, sizeof *own);
    struct gpu_share *all = xcalloc(ranks, sizeof *all);
    int result = 0;

    for (size_t r = 0; r < ranks && result == 0; r++) {
        b->records[r] = api->event_new(&own[r], err);
        result = b->records[r] ? 0 : -1;
    }
    result = native_agree(b->n, result, err);
    MPI_TRY(MPI_Alltoall(own, sizeof *own, MPI_BYTE, all, sizeof *all, MPI_BYTE,
                         b->n->on_node));
    for (size_t r = 0; r < ranks && result == 0; r++)
        if (r != (size_t)b->n->local) {
            b->events[r] = api->event_open(&all[r], err);
            result = b->events[r] ? 0 : -1;
        }
    free(own);
    free(all);
    return native_agree(b->n, result, err);
}

static void messages_clear(struct gpu_messages *b)
{
    const struct gpu_api *api = b->n->gpu;

    for (int r = 0; r < b->n->per_node; r++) {
        if (b->opened[r] && b->opened[r] != b->own)
            api->close(b->opened[r]);
        if (b->events[r])
            api->event_free(b->events[r]);
    }
    /* Memory must not be freed while another rank has it open. */
    native_quiet(b->n);
    for (int r = 0; r < b->n->per_node; r++)
        if (b->records[r])
            api->event_free(b->records[r]);
    if (b->stream)
        api->stream_free(b->stream);
    if (b->own)
        api->device_free(b->own);
}

static int messages_run(struct gpu_messages *b, struct err *err)
{
    size_t ranks = (size_t)b->n->per_node;

    b->most = b->o->sizes.to;
    b->opened = xcalloc(ranks, sizeof *b->opened);
    b->records = xcalloc(ranks, sizeof *b->records);
    b->events = xcalloc(ranks, sizeof *b->events);
    b->requests = xcalloc(3 * ranks, sizeof *b->requests);
    int result = share_memory(b, err);
    if (result == 0 && b->wanted[GPU_PART_EVENT])
        result = share_events(b, err);
    if (result == 0)
        messages_measure(b);
    messages_clear(b);
    free(b->requests);
    free(b->events);
    free(b->records);
    free(b->opened);
    return result;
}

/* Chooses all parts if there is no --parts. */
static int choose_parts(struct gpu_messages *b, const char *parts,
                        struct err *err)
{
    bool events = b->n->gpu->event_new;

    for (int p = 0; p < NGPU_PARTS; p++)
        b->wanted[p] = p != GPU_PART_EVENT || events;
    if (bench_list(b->wanted, gpu_part_names, NGPU_PARTS, "parts", parts, err) <
        0)
        return -1;
    return b->wanted[GPU_PART_EVENT] && !events
               ? fail(err, "--parts event: there is no GPU")
               : 0;
}

int bench_gpu_messages(struct native *n, int argc, char **argv, struct err *err)
{
    static const char *const notes[] = {
        "the first `ranks` ranks of a node, dealt to its GPUs in turn, send "
        "one message "
        "to each that they send to, all at once: pairs: to the other of two; "
        "ring: to the next rank; out: rank 0 to all others; in: all others to "
        "rank 0; all: each to each other; all other ranks sleep",
        "queue: a copy into each receiver's memory (CUDA IPC), waited for "
        "together; copy: each waited for; message: then an empty message goes "
        "to "
        "the receiver; event: an event of CUDA is recorded behind the copy and "
        "an empty message sent at once, the receiver waits for the event; "
        "pull: an empty message, then the receiver copies from the sender's "
        "memory, waits, and answers",
        "time_s: of such a round, elapsed/iterations, maximum over the ranks, "
        "which are not synchronised after the start; one row a batch, after "
        "two that do not count",
        "config=host_memory: there is no GPU, memory of the host that the "
        "processes share stands for it",
        NULL};
    const char *parts = NULL, *mps = NULL;
    const struct opt more[] = {
        {"parts", OPT_TEXT, &parts, "LIST",
         "of queue,copy,message,event,pull (all that there are)"},
        MPS_OPTION(mps),
        {0}};
    struct bench_options o = {
        .sizes = {4, 4u << 20, 16},
        .copies = true,
        .about = "2, 4, 8, ... ranks of a node send between GPU memories at "
                 "once, by CUDA IPC: in "
                 "pairs, in a ring, one to all, all to one, all to all.\n"};
    struct table t;
    struct gpu_messages b = {.n = n, .o = &o, .t = &t};
    bool helped;

    if (bench_begin(n, &o, argc, argv, "gpu_messages [OPTIONS]", more, &helped,
                    err) < 0)
        return -1;
    if (helped)
        return 0;
    if (n->gpu == &gpu_host_api)
        n->gpu = &gpu_host_shared_api;
    if (n->per_node < 2)
        return fail(err, "gpu_messages: expected two ranks or more on a node");
    if (choose_parts(&b, parts, err) < 0 ||
        mps_find(&o.native, n, mps, err) < 0 ||
        table_open(&t, n, &o.native,
                   "gpu_messages: messages between GPUs of a node at once",
                   notes, "flow,part,ranks,gpus,bytes,iterations,time_s",
                   err) < 0)
        return -1;
    return table_end(&t, n, messages_run(&b, err), err);
}
