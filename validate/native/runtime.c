/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the costs of communication runtimes: a probe loop, epochs of windows
 * and a pool of packets between hosts of one rank each; whole rounds, and their
 * parts. */
#include "validate/native/runtime.h"

#include "validate/native/bench.h"
#include "validate/native/pattern.h"
#include "validate/native/runtime_parts.h"

#include "base/seconds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLUSH_S 20e-6
enum {
    SMALL = 64,
    ACK = 8,
    AGGREGATE = 4096,
    MOST_WINDOW = 64,
    CPU_WINDOWS = 4
};

/* --- the layers that are measured ----------------------------------------- */

static const struct variant {
    const char *name; /* in the rows */
    const struct layer_kind *kind;
    bool fence, together;
} variants[] = {{"mpi_probe", &layer_probe, false, false},
                {"mpi_probe_together", &layer_probe, false, true},
                {"mpi_rma", &layer_rma, false, false},
                {"mpi_rma_fence", &layer_rma, true, false},
                {"lci", &layer_lci, false, false}};
enum { NVARIANTS = sizeof variants / sizeof variants[0] };

struct runtime {
    const struct native *n;
    const struct bench_options *o;
    struct table *t;
    size_t packet_B;
    unsigned packets;
    int most_hosts, most_window;
    char *out, *in; /* buffers for a window, or for all hosts */
    int *to, *from, *in_from;

    /* The current layer. */
    const struct variant *v;
    MPI_Comm comm; /* the hosts that take part */
    struct layer *layer;
    int hosts, own; /* own: -1 if it takes no part */

    /* The current point. */
    int window;
    size_t bytes;
    bool rests;
};

static void runtime_open(struct runtime *b, int hosts)
{
    bool takes_part = b->n->rank < hosts;
    struct layer_options o = {.most_B = b->o->sizes.to < SMALL ? SMALL
                                                               : b->o->sizes.to,
                              .most = hosts == 2 ? b->most_window : 1,
                              .packet_B = b->packet_B,
                              .packets_per_host = b->packets,
                              .aggregate_B = b->v->together ? AGGREGATE : 0,
                              .flush_s = FLUSH_S,
                              .fence = b->v->fence};

    b->hosts = hosts;
    b->own = takes_part ? b->n->rank : -1;
    MPI_TRY(MPI_Comm_split(MPI_COMM_WORLD, takes_part ? 0 : MPI_UNDEFINED,
                           b->n->rank, &b->comm));
    o.comm = b->comm;
    b->layer = takes_part ? b->v->kind->open(&o) : NULL;
}

static void runtime_close(struct runtime *b)
{
    if (b->own < 0)
        return;
    b->v->kind->close(b->layer);
    MPI_TRY(MPI_Comm_free(&b->comm));
}

static void runtime_row(const struct runtime *b, const char *operation,
                        int threads, int pending, const struct samples *s)
{
    bool pool = b->v->kind == &layer_lci;

    for (size_t i = 0; i < s->n; i++)
        table_row(b->t, "%s,%s,%d,%d,%d,%d,%zu,%zu,%u,%u,%.6e", b->v->name,
                  operation, b->hosts, threads, b->window, pending, b->bytes,
                  pool ? b->packet_B : 0, pool ? b->packets : 0, s->iterations,
                  s->s[i]);
}

/* Measures a point with `messages` per batch; 0 for as many as take long
 * enough. */
static void runtime_point(struct runtime *b, const char *operation,
                          repeat_batch *batch, unsigned messages)
{
    const struct repeat how = {.iterations = messages,
                               .per_point_s = b->o->native.per_point_s};
    struct samples s;

    repeat(&s, b->n, &how, batch, b);
    runtime_row(b, operation, 1, 0, &s);
    samples_clear(&s);
}

/* --- two hosts ------------------------------------------------------------ */

/* Sends this many messages from host `sender` to the other of two. */
static void one_way(struct runtime *b, int sender, int messages, size_t bytes)
{
    struct host_round r = {.to = b->to,
                           .from = b->from,
                           .bytes = bytes,
                           .out = b->out,
                           .in = b->in,
                           .in_from = b->in_from,
                           .rests = b->rests};

    for (int i = 0; i < messages; i++)
        b->to[i] = b->from[i] = 1 - b->own;
    *(b->own == sender ? &r.nto : &r.nfrom) = messages;
    b->v->kind->round(b->layer, &r);
}

static double latency_batch(void *arg, unsigned iterations)
{
    struct runtime *b = arg;

    if (b->own < 0)
        return 0;
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++) {
        one_way(b, 0, 1, b->bytes);
        one_way(b, 1, 1, b->bytes);
    }
    return (seconds() - begin) / (2 * (double)iterations);
}

/* Sends as many windows as have this many messages, at least one; returns the
 * messages. */
static double window_rounds(struct runtime *b, unsigned messages)
{
    unsigned windows = messages / (unsigned)b->window;

    windows += !windows;
    for (unsigned i = 0; i < windows; i++) {
        one_way(b, 0, b->window, b->bytes);
        one_way(b, 1, 1, ACK);
    }
    return (double)windows * b->window;
}

static double rate_batch(void *arg, unsigned iterations)
{
    struct runtime *b = arg;

    if (b->own < 0)
        return 0;
    double begin = seconds(), messages = window_rounds(b, iterations);
    return (seconds() - begin) / messages;
}

/* Returns the CPU time per message on host `of`, which sleeps if there is
 * nothing to do; 0 on the other. */
static double cpu_of(struct runtime *b, int of, unsigned iterations)
{
    if (b->own < 0)
        return 0;
    b->rests = true;
    double begin = cpu_seconds(), messages = window_rounds(b, iterations);
    double took = cpu_seconds() - begin;
    b->rests = false;
    return b->own == of ? took / messages : 0;
}

static double sender_cpu_batch(void *arg, unsigned iterations)
{
    return cpu_of(arg, 0, iterations);
}

static double receiver_cpu_batch(void *arg, unsigned iterations)
{
    return cpu_of(arg, 1, iterations);
}

/* Sends a window each way with known bytes. */
static void check_two(struct runtime *b)
{
    size_t all = b->bytes * (size_t)b->window;

    if (b->own < 0)
        return;
    for (int sender = 0; sender < 2; sender++) {
        for (int i = 0; i < b->window; i++)
            pattern_fill(b->n, b->out + (size_t)i * b->bytes, b->bytes,
                         (uint64_t)b->own);
        pattern_wipe(b->n, b->in, all);
        one_way(b, sender, b->window, b->bytes);
        for (int i = 0; i < b->window && b->own != sender; i++)
            pattern_check(b->n, b->in + (size_t)i * b->bytes, b->bytes,
                          (uint64_t)sender, b->v->name);
    }
}

static void latencies(struct runtime *b)
{
    const struct sizes *s = &b->o->sizes;

    b->window = 1;
    for (b->bytes = s->from; b->bytes <= s->to; b->bytes *= s->factor) {
        check_two(b);
        runtime_point(b, "latency", latency_batch, 0);
    }
}

static void rates(struct runtime *b)
{
    const struct sizes *s = &b->o->sizes;
    unsigned messages = CPU_WINDOWS * (unsigned)b->most_window;
    bool rests = b->v->kind->post;

    b->bytes = SMALL;
    for (b->window = 1; b->window <= b->most_window; b->window *= 2) {
        check_two(b);
        runtime_point(b, "rate", rate_batch, 0);
    }
    b->window = b->most_window;
    for (b->bytes = s->from; b->bytes <= s->to && rests;
         b->bytes *= s->factor) {
        runtime_point(b, "sender_cpu", sender_cpu_batch, messages);
        runtime_point(b, "receiver_cpu", receiver_cpu_batch, messages);
    }
}

/* --- rounds of all -------------------------------------------------------- */

static void all_to_all(struct runtime *b)
{
    struct host_round r = {.to = b->to,
                           .from = b->from,
                           .nto = b->hosts - 1,
                           .nfrom = b->hosts - 1,
                           .bytes = b->bytes,
                           .out = b->out,
                           .in = b->in,
                           .in_from = b->in_from};

    for (int i = 1; i < b->hosts; i++) {
        b->to[i - 1] = (b->own + i) % b->hosts;
        b->from[i - 1] = (b->own - i + b->hosts) % b->hosts;
    }
    b->v->kind->round(b->layer, &r);
}

/* Does rounds, each from a common start. */
static double round_batch(void *arg, unsigned iterations)
{
    struct runtime *b = arg;
    double took = 0;

    for (unsigned i = 0; i < iterations && b->own >= 0; i++) {
        MPI_TRY(MPI_Barrier(b->comm));
        double begin = seconds();
        all_to_all(b);
        took += seconds() - begin;
    }
    return took / iterations;
}

static void check_all(struct runtime *b)
{
    if (b->own < 0)
        return;
    for (int i = 0; i < b->hosts - 1; i++)
        pattern_fill(b->n, b->out + (size_t)i * b->bytes, b->bytes,
                     (uint64_t)b->own);
    pattern_wipe(b->n, b->in, b->bytes * (size_t)(b->hosts - 1));
    MPI_TRY(MPI_Barrier(b->comm));
    all_to_all(b);
    for (int i = 0; i < b->hosts - 1; i++)
        pattern_check(b->n, b->in + (size_t)i * b->bytes, b->bytes,
                      (uint64_t)b->in_from[i], b->v->name);
}

static void rounds(struct runtime *b)
{
    const struct sizes *s = &b->o->sizes;

    b->window = 1;
    for (b->bytes = s->from; b->bytes <= s->to; b->bytes *= s->factor) {
        check_all(b);
        runtime_point(b, "round", round_batch, 0);
    }
}

/* --- the command ---------------------------------------------------------- */

static void runtime_parts_of(struct runtime *b)
{
    struct runtime_parts p = {.n = b->n,
                              .comm = b->comm,
                              .kind = b->v->kind,
                              .layer = b->layer,
                              .own = b->own,
                              .per_point_s = b->o->native.per_point_s};
    struct part_result result;

    for (int i = 0; runtime_part(&p, i, &result); i++) {
        b->window = 1;
        b->bytes = result.bytes;
        runtime_row(b, result.operation, result.threads, result.pending,
                    &result.samples);
        samples_clear(&result.samples);
    }
}

static void runtime_measure(struct runtime *b, const struct variant *v)
{
    b->v = v;
    runtime_open(b, 2);
    latencies(b);
    rates(b);
    if (!v->fence && !v->together)
        runtime_parts_of(b);
    runtime_close(b);
    for (int hosts = 2; hosts <= b->most_hosts; hosts++) {
        if (hosts > 4 && hosts < b->most_hosts && hosts & (hosts - 1))
            continue;
        runtime_open(b, hosts);
        rounds(b);
        runtime_close(b);
    }
}

/* Compares a name with its spelling in rows and platforms, "mpi_rma", or in
 * options of sluice, "mpi-rma". */
static bool is_name(const char *text, const char *name, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text[i] != name[i] && (text[i] != '-' || name[i] != '_'))
            return false;
    return true;
}

/* Returns whether a list of names, separated by commas, has this name; NULL has
 * all. */
static bool in_list(const char *list, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = list; at && *at; at += strcspn(at, ",")) {
        at += *at == ',';
        if (strcspn(at, ",") == n && is_name(at, name, n))
            return true;
    }
    return !list;
}

static int runtime_all(struct runtime *b, const char *list, struct err *err)
{
    int level;
    size_t messages = (size_t)(b->most_hosts > b->most_window ? b->most_hosts
                                                              : b->most_window);
    size_t room = messages * (b->o->sizes.to < SMALL ? SMALL : b->o->sizes.to);

    (void)err;
    MPI_TRY(MPI_Query_thread(&level));
    b->out = xcalloc(1, room);
    b->in = xcalloc(1, room);
    b->to = xcalloc(messages, sizeof(int));
    b->from = xcalloc(messages, sizeof(int));
    b->in_from = xcalloc(messages, sizeof(int));
    for (int i = 0; i < NVARIANTS; i++) {
        const struct variant *v = &variants[i];
        if (!in_list(list, v->kind->name))
            continue;
        if (!v->kind->multiple || level == MPI_THREAD_MULTIPLE)
            runtime_measure(b, v);
        else if (b->n->rank == 0)
            fprintf(stderr,
                    "sluice-native: %s is left out: this MPI has no "
                    "MPI_THREAD_MULTIPLE, or --funneled\n",
                    v->name);
    }
    free(b->in_from);
    free(b->from);
    free(b->to);
    free(b->in);
    free(b->out);
    return 0;
}

static bool list_is_known(const char *list)
{
    static const char *const known[] = {"mpi_probe", "mpi_rma", "lci"};
    size_t names = 1, found = 0;

    for (const char *c = list; c && *c; c++)
        names += *c == ',';
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        found += in_list(list, known[i]);
    return !list || found == names;
}

static int runtime_check(const struct runtime *b, const char *list,
                         struct err *err)
{
    if (!list_is_known(list))
        return fail(err,
                    "--runtime: expected some of mpi-probe,mpi-rma,lci, got "
                    "'%s'",
                    list);
    if (b->n->ranks < 2)
        return fail(err, "runtime: expected two ranks or more");
    if (b->most_window < 1 || b->most_window > MOST_WINDOW)
        return fail(err, "--window: expected 1 to %d messages", MOST_WINDOW);
    if (!b->packets || !b->packet_B)
        return fail(err, "--packets and --packet-bytes: expected 1 or more");
    return 0;
}

static const char *const runtime_notes[] = {
    "a rank is a host; mpi_probe: MPI_Isend, MPI_Iprobe of any source and "
    "tag, MPI_Irecv, MPI_Test of each request (together: messages of one "
    "host up to 4096 B or 20 us); mpi_rma: a window of each host, "
    "post/start/complete/wait (fence: one window, two fences a round); "
    "lci: packets of a pool over MPI, eager up to packet_bytes, then "
    "ready-to-send, ready-to-receive, put",
    "latency: one way of a ping-pong; rate: of a window of messages and "
    "an answer of 8 B, per message; round: all hosts to all others, from "
    "a common start; sender_cpu, receiver_cpu: CPU time of the process "
    "per message of such a window, sleeping where nothing is to be done",
    "call: a thread's post or put of 64 B, of so many threads at once; "
    "poll: a time round the loop that finds nothing; test: per pending "
    "request; entry: a probe past so many messages that do not match; "
    "start, complete, post, wait: per host; copy: in host memory, "
    "copy_new: "
    "into memory that is new; window: MPI_Win_create of so many bytes on "
    "two hosts",
    "maximum over the ranks; one row a batch, after two that do not count",
    NULL};

int bench_runtime(struct native *n, int argc, char **argv, struct err *err)
{
    const char *list = NULL;
    unsigned packets = 64, packet_B = 8192, window = MOST_WINDOW;
    bool funneled = false;
    const struct opt more[] = {
        {"runtime", OPT_TEXT, &list, "LIST", "of mpi-probe,mpi-rma,lci (all)"},
        {"window", OPT_COUNT, &window, "N",
         "messages that are under way at most (64)"},
        {"packets", OPT_COUNT, &packets, "N",
         "of the pool, for each host (64)"},
        {"packet-bytes", OPT_COUNT, &packet_B, "N",
         "of a packet: the largest eager message of lci (8192)"},
        {"funneled", OPT_FLAG, &funneled, NULL,
         "MPI_THREAD_FUNNELED instead of MULTIPLE: all but lci"},
        {0}};
    struct bench_options o = {
        .sizes = {8, 512u << 10, 8},
        .most = 16u << 20,
        .copies = true,
        .about = "Messages between hosts, a rank each, by a probe loop, by "
                 "epochs of windows and by "
                 "a pool of packets: latencies, rates, rounds of all to all, "
                 "and what the parts cost.\n"};
    struct table t;
    struct runtime b = {.n = n, .o = &o, .t = &t};
    bool helped;

    if (bench_begin(n, &o, argc, argv, "runtime [OPTIONS]", more, &helped,
                    err) < 0)
        return -1;
    if (helped)
        return 0;
    b.packet_B = packet_B;
    b.packets = packets;
    b.most_hosts = n->ranks;
    b.most_window = (int)window;
    if (runtime_check(&b, list, err) < 0 ||
        table_open(&t, n, &o.native,
                   "runtime: messages of communication runtimes", runtime_notes,
                   "runtime,operation,hosts,threads,window,pending,bytes,"
                   "packet_bytes,packets_per_host,iterations,time_s",
                   err) < 0)
        return -1;
    return table_end(&t, n, runtime_all(&b, list, err), err);
}
