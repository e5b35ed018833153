/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times NCCL's operations between the ranks, one GPU each: consecutive
 * operations, each with a wait, in a CUDA graph, and the calls alone. */
#include "validate/native/cuda/nccl_run.h"

#include "base/seconds.h"
#include "validate/calibrate/fit_line.h"
#include "validate/native/elements.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IN_GRAPH = 16, IN_A_ROW = 32 };

#define NCCL_TRY(l, err, call) nccl_library_check((l), (call), #call, (err))
#define NCCL_DIE(l, call) DIE_TRY(nccl_library_check((l), (call), #call, DIE))

static void once(struct nccl_run *r)
{
    NCCL_DIE(&r->nccl, r->op->start(r));
}

/* Does the operation once, from buffers without any of its results, and checks
 * it. */
static void nccl_bench_check(struct nccl_run *r)
{
    cudaStream_t stream = r->clock.stream;
    struct nccl_share own = nccl_has(r);
    unsigned long long wrong = 0;
    size_t bytes = r->elements * sizeof *r->send;

    CUDA_DIE(cudaMemsetAsync(r->send, 0xff, bytes, stream));
    CUDA_DIE(cudaMemsetAsync(r->receive, 0xff, bytes, stream));
    CUDA_DIE(elements_fill(r->from, own.n, own.first, own.low, stream));
    CUDA_DIE(cudaMemsetAsync(r->wrong, 0, sizeof *r->wrong, stream));
    once(r);
    for (unsigned i = 0; i < (unsigned)r->n->ranks; i++) {
        struct nccl_share part = nccl_wants(r, i);
        if (part.n)
            CUDA_DIE(elements_wrong(r->to + i * nccl_block(r), part.n,
                                    part.first, part.low, part.high, r->wrong,
                                    stream));
    }
    CUDA_DIE(cudaMemcpyAsync(&wrong, r->wrong, sizeof wrong,
                             cudaMemcpyDeviceToHost, stream));
    CUDA_DIE(cudaStreamSynchronize(stream));
    if (wrong)
        native_die("nccl: %s of %zu bytes%s: %llu elements are wrong",
                   r->op->name, bytes, r->in_place ? ", in place" : "", wrong);
}

/* --- timing --------------------------------------------------------------- */

static void note_events(struct nccl_run *r, double one_s)
{
    if (r->nevents < sizeof r->events_s / sizeof r->events_s[0])
        r->events_s[r->nevents++] = one_s;
}

/* Times consecutive operations; the CPU waits only at the end. */
static double batch_row(void *arg, unsigned iterations)
{
    struct nccl_run *r = arg;
    double begin = seconds();

    gpu_clock_start(&r->clock);
    for (unsigned i = 0; i < iterations; i++)
        once(r);
    note_events(r, gpu_clock_stop(&r->clock) / iterations);
    return (seconds() - begin) / iterations;
}

/* Times the CPU's calls alone: so few at a time that none waits for room on the
 * stream. */
static double batch_call(void *arg, unsigned iterations)
{
    struct nccl_run *r = arg;
    double sum = 0;

    for (unsigned done = 0; done < iterations;) {
        unsigned n =
            iterations - done < IN_A_ROW ? iterations - done : IN_A_ROW;
        double begin = seconds();
        for (unsigned i = 0; i < n; i++)
            once(r);
        sum += seconds() - begin;
        CUDA_DIE(cudaStreamSynchronize(r->clock.stream));
        done += n;
    }
    return sum / iterations;
}

/* Times operations with a wait after each, and between two events of its
 * own. */
static double batch_waited(void *arg, unsigned iterations)
{
    struct nccl_run *r = arg;
    double begin = seconds(), by_events = 0;

    for (unsigned i = 0; i < iterations; i++) {
        gpu_clock_start(&r->clock);
        once(r);
        by_events += gpu_clock_stop(&r->clock);
    }
    note_events(r, by_events / iterations);
    return (seconds() - begin) / iterations;
}

static double batch_graph(void *arg, unsigned iterations)
{
    struct nccl_run *r = arg;
    unsigned launches = (iterations + IN_GRAPH - 1) / IN_GRAPH;
    double begin = seconds(), each = (double)launches * IN_GRAPH;

    gpu_clock_start(&r->clock);
    for (unsigned i = 0; i < launches; i++)
        CUDA_DIE(cudaGraphLaunch(r->graph, r->clock.stream));
    note_events(r, gpu_clock_stop(&r->clock) / each);
    return (seconds() - begin) / each;
}

static void capture(struct nccl_run *r)
{
    cudaGraph_t graph;

    CUDA_DIE(cudaStreamBeginCapture(r->clock.stream,
                                    cudaStreamCaptureModeThreadLocal));
    for (unsigned i = 0; i < IN_GRAPH; i++)
        once(r);
    CUDA_DIE(cudaStreamEndCapture(r->clock.stream, &graph));
    CUDA_DIE(cudaGraphInstantiate(&r->graph, graph, 0));
    CUDA_DIE(cudaGraphDestroy(graph));
}

static double middle(double *v, size_t n)
{
    return n ? fit_median(v, n).value : 0;
}

static void nccl_bench_rows(struct nccl_run *r, struct table *t,
                            const struct repeat *how, const char *method,
                            repeat_batch *batch)
{
    struct samples s;

    r->nevents = 0;
    repeat(&s, r->n, how, batch, r);
    /* The first two batches warmed up. */
    size_t skip = r->nevents > s.n ? r->nevents - s.n : 0;
    double events_s =
        native_max(r->n, middle(r->events_s + skip, r->nevents - skip));
    double least = s.s[0], most = s.s[0];
    for (size_t i = 0; i < s.n; i++) {
        least = s.s[i] < least ? s.s[i] : least;
        most = s.s[i] > most ? s.s[i] : most;
    }
    table_row(t, "%s,%d,%zu,%zu,%s,%s,%u,%zu,%.6e,%.6e,%.6e,%.6e", r->op->name,
              r->n->ranks, r->elements * sizeof(float), r->elements,
              r->in_place ? "in" : "out", method, s.iterations, s.n,
              samples_median(&s), least, most, events_s);
    samples_clear(&s);
}

struct nccl_options {
    const char *library;
    struct texts operations, methods, places;
    uint64_t graph_up_to;
};

static bool asked(const struct texts *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->items[i], name))
            return true;
    return list->n == 0;
}

static void one_point(struct nccl_run *r, struct table *t,
                      const struct repeat *how, const struct nccl_options *o)
{
    if (!asked(&o->places, r->in_place ? "in" : "out"))
        return;
    nccl_place(r);
    nccl_bench_check(r);
    if (asked(&o->methods, "row"))
        nccl_bench_rows(r, t, how, "row", batch_row);
    if (asked(&o->methods, "call"))
        nccl_bench_rows(r, t, how, "call", batch_call);
    if (asked(&o->methods, "waited"))
        nccl_bench_rows(r, t, how, "waited", batch_waited);
    if (!asked(&o->methods, "graph") ||
        r->elements * sizeof(float) > o->graph_up_to)
        return;
    capture(r);
    nccl_bench_rows(r, t, how, "graph", batch_graph);
    CUDA_DIE(cudaGraphExecDestroy(r->graph));
}

static void nccl_bench_measure(struct nccl_run *r, struct table *t,
                               const struct bench_options *b,
                               const struct nccl_options *o)
{
    const struct repeat how = cuda_repeat(b);

    for (size_t i = 0; i < NCCL_OPERATIONS; i++) {
        if (!asked(&o->operations, nccl_operations[i].name))
            continue;
        r->op = &nccl_operations[i];
        for (uint64_t bytes = b->sizes.from; bytes <= b->sizes.to;
             bytes *= b->sizes.factor) {
            r->elements = (size_t)(bytes / sizeof(float));
            if (r->op->divides)
                r->elements = nccl_block(r) * (size_t)r->n->ranks;
            for (int in = 0; in < 2 && r->elements; in++) {
                r->in_place = in;
                if (!in || !r->op->never_in_place)
                    one_point(r, t, &how, o);
            }
        }
    }
}

/* --- set-up --------------------------------------------------------------- */

static int check_names(const struct nccl_options *o, struct err *err)
{
    static const char *const methods[] = {"row", "call", "waited", "graph"};
    const char *names[NCCL_OPERATIONS];

    for (size_t i = 0; i < NCCL_OPERATIONS; i++)
        names[i] = nccl_operations[i].name;
    for (size_t i = 0; i < o->operations.n; i++) {
        bool known = false;
        for (size_t j = 0; j < NCCL_OPERATIONS; j++)
            known |= !strcmp(o->operations.items[i], names[j]);
        if (!known)
            return fail(err,
                        "--operation: expected allreduce, allgather, "
                        "reduce_scatter, broadcast, reduce, alltoall, "
                        "sendrecv or send, got '%s'",
                        o->operations.items[i]);
    }
    for (size_t i = 0; i < o->methods.n; i++) {
        bool known = false;
        for (size_t j = 0; j < sizeof methods / sizeof methods[0]; j++)
            known |= !strcmp(o->methods.items[i], methods[j]);
        if (!known)
            return fail(
                err, "--method: expected row, call, waited or graph, got '%s'",
                o->methods.items[i]);
    }
    for (size_t i = 0; i < o->places.n; i++)
        if (strcmp(o->places.items[i], "in") != 0 &&
            strcmp(o->places.items[i], "out") != 0)
            return fail(err, "--place: expected in or out, got '%s'",
                        o->places.items[i]);
    return 0;
}

static int check_ranks(const struct native *n, struct err *err)
{
    int gpus = 0;

    if (n->ranks < 2)
        return fail(err, "nccl: one rank only: two are needed");
    if (CUDA_TRY(err, cudaGetDeviceCount(&gpus)) < 0)
        return -1;
    if (n->per_node > gpus)
        return fail(err,
                    "nccl: %d ranks on a node of %d GPUs: NCCL wants a GPU "
                    "for each",
                    n->per_node, gpus);
    return 0;
}

static int connect(struct nccl_run *r, struct err *err)
{
    struct nccl_id id = {0};
    int result = 0;

    if (r->n->rank == 0)
        result = NCCL_TRY(&r->nccl, err, r->nccl.id(&id));
    if (native_agree(r->n, result, err) < 0)
        return -1;
    MPI_TRY(MPI_Bcast(&id, (int)sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD));
    result = NCCL_TRY(&r->nccl, err,
                      r->nccl.init(&r->comm, r->n->ranks, id, r->n->rank));
    return native_agree(r->n, result, err);
}

static int nccl_bench_room(struct nccl_run *r, uint64_t bytes, struct err *err)
{
    if (gpu_clock_init(&r->clock, err) < 0)
        return -1;
    r->send = gpu_piece(&r->pieces, bytes, err);
    r->receive = r->send ? gpu_piece(&r->pieces, bytes, err) : NULL;
    r->wrong = r->receive ? gpu_piece(&r->pieces, sizeof *r->wrong, err) : NULL;
    return r->wrong ? 0 : -1;
}

static int nccl_bench_start(struct nccl_run *r, const struct bench_options *b,
                            const struct nccl_options *o, struct err *err)
{
    if (native_agree(r->n, check_ranks(r->n, err), err) < 0 ||
        native_agree(r->n, nccl_library_open(&r->nccl, o->library, err), err) <
            0 ||
        native_agree(r->n, nccl_bench_room(r, b->sizes.to, err), err) < 0)
        return -1;
    return connect(r, err);
}

/* Returns the variables of NCCL that are set, and its version, for the head. */
extern char **environ;

static char *settings(const struct nccl *l)
{
    char *all = xasprintf("NCCL %d.%d.%d;", l->version / 10000,
                          l->version / 100 % 100, l->version % 100);

    for (char **e = environ; *e; e++) {
        if (strncmp(*e, "NCCL_", 5) != 0 || !strncmp(*e, "NCCL_DEBUG", 10) ||
            !strncmp(*e, "NCCL_VERSION", 12))
            continue;
        char *more = xasprintf("%s %s", all, *e);
        free(all);
        all = more;
    }
    return all;
}

int bench_nccl(struct native *n, int argc, char **argv, struct err *err)
{
    struct nccl_options o = {.graph_up_to = 1u << 20};
    const struct opt more[] = {
        {"nccl", OPT_TEXT, &o.library, "FILE",
         "NCCL's shared library (libnccl.so.2)"},
        {"operation", OPT_TEXTS, &o.operations, "NAME",
         "allreduce, allgather, reduce_scatter, broadcast, reduce, alltoall, "
         "sendrecv, send; may be given again (all)"},
        {"method", OPT_TEXTS, &o.methods, "NAME",
         "row, call, waited or graph; may be given again (all)"},
        {"place", OPT_TEXTS, &o.places, "NAME",
         "in or out: whether the result takes the source's place (both)"},
        {"graph-up-to", OPT_BYTES, &o.graph_up_to, "B",
         "largest size in a graph (1M)"},
        {0}};
    struct bench_options b = {
        .sizes = {8, 1u << 30}, .most = 16ull << 30, .copies = true};
    struct nccl_run r = {.n = n};
    struct table t;
    bool helped;

    if (cuda_begin(n, &b, argc, argv, "nccl [OPTIONS]", more, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (b.sizes.from % sizeof(float))
        return fail(err, "--sizes: expected multiples of 4 bytes, got %llu",
                    (unsigned long long)b.sizes.from);
    if (check_names(&o, err) < 0 || nccl_bench_start(&r, &b, &o, err) < 0)
        return -1;
    char *about = settings(&r.nccl);
    const char *const notes[] = {
        about,
        "bytes: of the largest buffer of a rank, as nccl-tests' size; float32, "
        "sums; every result was checked, element by element",
        "method row: one after the other, the CPU waits at the end; call: the "
        "CPU's calls alone, 32 on their way at most; waited: each between two "
        "events of its own, and waited for; graph: 16 in a "
        "CUDA graph",
        "time_s: of one, by the CPU's clock, the longest of the ranks; median, "
        "least and most of the batches; events_s: the same by events, median",
        NULL};
    if (table_open(&t, n, &b.native, "operations of NCCL", notes,
                   "operation,ranks,bytes,elements,place,method,iterations,"
                   "batches,time_s,least_s,most_s,events_s",
                   err) < 0)
        return -1;
    free(about);
    nccl_bench_measure(&r, &t, &b, &o);
    NCCL_DIE(&r.nccl, r.nccl.destroy(r.comm));
    gpu_clock_clear(&r.clock);
    gpu_pieces_clear(&r.pieces);
    nccl_library_close(&r.nccl);
    return table_close(&t, n, err);
}
