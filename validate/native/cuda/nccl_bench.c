/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times NCCL's operations between ranks, one GPU each: the options, the ranks
 * of each process, and a check of every result. */
#include "validate/native/cuda/nccl_run.h"

#include "validate/calibrate/fit_line.h"
#include "validate/native/elements.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Prepares buffers without any of the operation's results. */
static void check_begin(struct nccl_run *r)
{
    cudaStream_t stream = r->clock.stream;
    struct nccl_share own = nccl_has(r);
    size_t bytes = r->elements * sizeof *r->send;

    nccl_use(r);
    CUDA_DIE(cudaMemsetAsync(r->send, 0xff, bytes, stream));
    CUDA_DIE(cudaMemsetAsync(r->receive, 0xff, bytes, stream));
    CUDA_DIE(elements_fill(r->from, own.n, own.first, own.low, stream));
    CUDA_DIE(cudaMemsetAsync(r->wrong, 0, sizeof *r->wrong, stream));
}

static void check_end(struct nccl_run *r)
{
    cudaStream_t stream = r->clock.stream;
    unsigned long long wrong = 0;

    nccl_use(r);
    for (unsigned i = 0; i < r->ranks; i++) {
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
                   r->op->name, r->elements * sizeof *r->send,
                   r->in_place ? ", in place" : "", wrong);
}

/* Does the operation once and checks it. */
static void nccl_bench_check(struct nccl_process *t)
{
    for (unsigned i = 0; i < t->nruns; i++)
        check_begin(&t->runs[i]);
    nccl_once(t->runs, t->nruns);
    for (unsigned i = 0; i < t->nruns; i++)
        check_end(&t->runs[i]);
}

/* --- rows ----------------------------------------------------------------- */

static double middle(double *v, size_t n)
{
    return n ? fit_median(v, n).value : 0;
}

/* Returns the median of a rank's times by events; the first two batches warmed
 * up. */
static double middle_events(struct nccl_run *r, size_t batches)
{
    size_t skip = r->nevents > batches ? r->nevents - batches : 0;

    return middle(r->events_s + skip, r->nevents - skip);
}

static void nccl_bench_rows(struct nccl_process *process, struct table *t,
                            const struct repeat *how,
                            const struct nccl_method *method)
{
    const struct nccl_run *r = &process->runs[0];
    double events_s = 0;
    struct samples s;

    process->method = method->time;
    for (unsigned i = 0; i < process->nruns; i++)
        process->runs[i].nevents = 0;
    repeat(&s, process->n, how, nccl_batch, process);
    for (unsigned i = 0; i < process->nruns; i++) {
        double own_s = middle_events(&process->runs[i], s.n);
        events_s = own_s > events_s ? own_s : events_s;
    }
    events_s = native_max(process->n, events_s);
    double least = s.s[0], most = s.s[0];
    for (size_t i = 0; i < s.n; i++) {
        least = s.s[i] < least ? s.s[i] : least;
        most = s.s[i] > most ? s.s[i] : most;
    }
    table_row(t, "%s,%u,%zu,%zu,%s,%s,%s,%u,%zu,%.6e,%.6e,%.6e,%.6e",
              r->op->name, r->ranks, r->elements * sizeof(float), r->elements,
              r->in_place ? "in" : "out", method->name,
              nccl_launch_names[process->launch], s.iterations, s.n,
              samples_median(&s), least, most, events_s);
    samples_clear(&s);
}

struct nccl_options {
    const char *library, *launch;
    unsigned gpus;
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

static void one_point(struct nccl_process *process, struct table *t,
                      const struct repeat *how, const struct nccl_options *o)
{
    const struct nccl_run *r = &process->runs[0];

    if (!asked(&o->places, r->in_place ? "in" : "out"))
        return;
    for (unsigned i = 0; i < process->nruns; i++)
        nccl_place(&process->runs[i]);
    nccl_bench_check(process);
    for (size_t m = 0; m < NCCL_METHODS; m++) {
        const struct nccl_method *method = &nccl_methods[m];
        if (!asked(&o->methods, method->name) ||
            (method->in_graph && r->elements * sizeof(float) > o->graph_up_to))
            continue;
        if (method->in_graph)
            nccl_capture(process->runs, process->nruns);
        nccl_bench_rows(process, t, how, method);
        for (unsigned i = 0; method->in_graph && i < process->nruns; i++)
            CUDA_DIE(cudaGraphExecDestroy(process->runs[i].graph));
    }
}

/* Sets the point of all ranks of this process. */
static void nccl_bench_point(struct nccl_process *process,
                             const struct nccl_operation *op, uint64_t bytes,
                             bool in)
{
    for (unsigned i = 0; i < process->nruns; i++) {
        struct nccl_run *r = &process->runs[i];
        r->op = op;
        r->in_place = in;
        r->elements = (size_t)(bytes / sizeof(float));
        if (op->divides)
            r->elements = nccl_block(r) * r->ranks;
    }
}

static void nccl_bench_measure(struct nccl_process *process, struct table *t,
                               const struct bench_options *b,
                               const struct nccl_options *o)
{
    const struct repeat how = cuda_repeat(b);

    for (size_t i = 0; i < NCCL_OPERATIONS; i++) {
        const struct nccl_operation *op = &nccl_operations[i];
        if (!asked(&o->operations, op->name))
            continue;
        for (uint64_t bytes = b->sizes.from; bytes <= b->sizes.to;
             bytes *= b->sizes.factor)
            for (int in = 0; in < 2 - op->never_in_place; in++) {
                nccl_bench_point(process, op, bytes, in);
                if (process->runs[0].elements)
                    one_point(process, t, &how, o);
            }
    }
}

/* --- set-up --------------------------------------------------------------- */

static int check_names(const struct nccl_options *o, struct err *err)
{
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
        for (size_t j = 0; j < NCCL_METHODS; j++)
            known |= !strcmp(o->methods.items[i], nccl_methods[j].name);
        if (!known)
            return fail(err,
                        "--method: expected row, call, waited, graph or "
                        "behind, got '%s'",
                        o->methods.items[i]);
    }
    for (size_t i = 0; i < o->places.n; i++)
        if (strcmp(o->places.items[i], "in") != 0 &&
            strcmp(o->places.items[i], "out") != 0)
            return fail(err, "--place: expected in or out, got '%s'",
                        o->places.items[i]);
    return 0;
}

/* Finds how GPUs are driven, and the ranks of this process. */
static int check_ranks(struct nccl_process *t, const struct nccl_options *o,
                       struct err *err)
{
    const struct native *n = t->n;
    int gpus = 0;

    t->launch = BY_PROCESSES;
    while (o->launch && t->launch < NNCCL_LAUNCHES &&
           strcmp(o->launch, nccl_launch_names[t->launch]) != 0)
        t->launch++;
    if (t->launch == NNCCL_LAUNCHES)
        return fail(err,
                    "--launch: expected processes, threads or one-process, "
                    "got '%s'",
                    o->launch);
    if (t->launch != BY_PROCESSES && n->ranks > 1)
        return fail(err, "--launch %s: expected one process, got %d", o->launch,
                    n->ranks);
    if (t->launch == BY_PROCESSES && n->ranks < 2)
        return fail(err, "nccl: one rank only: two are needed");
    if (CUDA_TRY(err, cudaGetDeviceCount(&gpus)) < 0)
        return -1;
    t->nruns = t->launch == BY_PROCESSES ? 1
               : o->gpus                 ? o->gpus
                                         : (unsigned)gpus;
    if (n->per_node > gpus || t->nruns > (unsigned)gpus)
        return fail(
            err,
            "nccl: %u ranks on a node of %d GPUs: NCCL wants a GPU "
            "for each",
            t->launch == BY_PROCESSES ? (unsigned)n->per_node : t->nruns, gpus);
    if (t->nruns > NCCL_MOST_GPUS)
        return fail(err, "nccl: more than %d GPUs", NCCL_MOST_GPUS);
    pthread_barrier_init(&t->meet, NULL, t->nruns);
    return 0;
}

/* Makes the communicators of this process' ranks, in a group because they wait
 * for each other. */
static int connect_all(struct nccl_process *t, struct nccl_id id,
                       struct err *err)
{
    const struct nccl *l = t->runs[0].nccl;
    int result = NCCL_TRY(l, err, l->begin());

    for (unsigned i = 0; i < t->nruns && result == 0; i++) {
        struct nccl_run *r = &t->runs[i];
        nccl_use(r);
        result = NCCL_TRY(l, err,
                          l->init(&r->comm, (int)r->ranks, id, (int)r->rank));
    }
    return result == 0 ? NCCL_TRY(l, err, l->end()) : -1;
}

static int connect(struct nccl_process *t, struct err *err)
{
    const struct nccl *l = t->runs[0].nccl;
    struct nccl_id id = {0};
    int result = 0;

    if (t->n->rank == 0)
        result = NCCL_TRY(l, err, l->id(&id));
    if (native_agree(t->n, result, err) < 0)
        return -1;
    MPI_TRY(MPI_Bcast(&id, (int)sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD));
    return native_agree(t->n, connect_all(t, id, err), err);
}

static int nccl_bench_room(struct nccl_run *r, uint64_t bytes, struct err *err)
{
    void *gate, *there;

    if (CUDA_TRY(err, cudaSetDevice(r->device)) < 0 ||
        gpu_clock_init(&r->clock, err) < 0 ||
        CUDA_TRY(err, cudaHostAlloc(&gate, sizeof *r->gate,
                                    cudaHostAllocMapped)) < 0 ||
        CUDA_TRY(err, cudaHostGetDevicePointer(&there, gate, 0)) < 0)
        return -1;
    r->gate = gate;
    r->gate_there = there;
    r->send = gpu_piece(&r->pieces, bytes, err);
    r->receive = r->send ? gpu_piece(&r->pieces, bytes, err) : NULL;
    r->wrong = r->receive ? gpu_piece(&r->pieces, sizeof *r->wrong, err) : NULL;
    return r->wrong ? 0 : -1;
}

/* Makes the ranks of this process. */
static int nccl_bench_ranks(struct nccl_process *t, const struct nccl *l,
                            uint64_t bytes, struct err *err)
{
    int device = 0, result = CUDA_TRY(err, cudaGetDevice(&device));

    for (unsigned i = 0; i < t->nruns && result == 0; i++) {
        bool alone = t->launch == BY_PROCESSES;
        t->runs[i] =
            (struct nccl_run){.nccl = l,
                              .rank = alone ? (unsigned)t->n->rank : i,
                              .ranks = alone ? (unsigned)t->n->ranks : t->nruns,
                              .device = alone ? device : (int)i};
        result = nccl_bench_room(&t->runs[i], bytes, err);
    }
    return result;
}

static int nccl_bench_start(struct nccl_process *t, struct nccl *l,
                            const struct bench_options *b,
                            const struct nccl_options *o, struct err *err)
{
    if (native_agree(t->n, check_ranks(t, o, err), err) < 0 ||
        native_agree(t->n, nccl_library_open(l, o->library, err), err) < 0 ||
        native_agree(t->n, nccl_bench_ranks(t, l, b->sizes.to, err), err) < 0)
        return -1;
    return connect(t, err);
}

static void nccl_bench_end(struct nccl_process *t, struct nccl *l)
{
    for (unsigned i = 0; i < t->nruns; i++) {
        struct nccl_run *r = &t->runs[i];
        nccl_use(r);
        NCCL_DIE(l, l->destroy(r->comm));
        gpu_clock_clear(&r->clock);
        gpu_pieces_clear(&r->pieces);
        cudaFreeHost((void *)r->gate);
    }
    pthread_barrier_destroy(&t->meet);
    nccl_library_close(l);
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

static int nccl_bench_open(struct table *t, struct native *n,
                           const struct bench_options *b, const struct nccl *l,
                           struct err *err)
{
    char *about = settings(l);
    const char *const notes[] = {
        about,
        "bytes: of the largest buffer of a rank, as nccl-tests' size; float32, "
        "sums; every result was checked, element by element",
        "method row: one after the other, the CPU waits at the end; call: the "
        "CPU's calls alone, 32 on their way at most; waited: each waited for; "
        "graph: 16 in a CUDA graph; behind: 32 at most, behind a kernel that "
        "ends once all are on the stream, by events",
        "launch: the GPUs' ranks are processes, threads of one, or all of one "
        "thread, whose call is then a group",
        "time_s: of one, by the CPU's clock, the longest of the ranks; median, "
        "least and most of the batches; events_s: the same by events, median",
        NULL};
    int result = table_open(t, n, &b->native, "operations of NCCL", notes,
                            "operation,ranks,bytes,elements,place,method,"
                            "launch,iterations,batches,time_s,least_s,most_s,"
                            "events_s",
                            err);
    free(about);
    return result;
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
         "row, call, waited, graph or behind; may be given again (all)"},
        {"launch", OPT_TEXT, &o.launch, "HOW",
         "processes: a rank drives a GPU; threads, one-process: one rank "
         "drives all, by a thread each or by one (processes)"},
        {"gpus", OPT_COUNT, &o.gpus, "N",
         "of threads and one-process: so many (all)"},
        {"place", OPT_TEXTS, &o.places, "NAME",
         "in or out: whether the result takes the source's place (both)"},
        {"graph-up-to", OPT_BYTES, &o.graph_up_to, "B",
         "largest size in a graph (1M)"},
        {0}};
    struct bench_options b = {
        .sizes = {8, 1u << 30}, .most = 16ull << 30, .copies = true};
    struct nccl nccl = {0};
    struct table t;
    bool helped;

    if (cuda_begin(n, &b, argc, argv, "nccl [OPTIONS]", more, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (b.sizes.from % sizeof(float))
        return fail(err, "--sizes: expected multiples of 4 bytes, got %llu",
                    (unsigned long long)b.sizes.from);
    if (check_names(&o, err) < 0)
        return -1;
    struct nccl_process *process = xcalloc(1, sizeof *process);
    process->n = n;
    int result = nccl_bench_start(process, &nccl, &b, &o, err);
    if (result == 0)
        result = nccl_bench_open(&t, n, &b, &nccl, err);
    if (result == 0) {
        nccl_bench_measure(process, &t, &b, &o);
        nccl_bench_end(process, &nccl);
        result = table_close(&t, n, err);
    }
    free(process);
    return result;
}
