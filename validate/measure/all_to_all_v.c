/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BenchPress' all_to_all_v and all_to_all: every GPU sends to every GPU, itself
 * included, by one of four strategies. A call of the MPI library is represented
 * by all its messages at once, from the own rank on; in GPU memory it copies to
 * the host and back. */
#include "validate/measure/benchmark.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Operations follow each other without a barrier; the first ones, in which
 * ranks that began at once drift apart, are left out. */
enum { ROUNDS = 5, WARM_UP = 2 };

/* --- the plan ------------------------------------------------------------- */

struct a2a {
    struct plan *p;
    const struct machine *m;
    const struct experiment *x;
    unsigned gpus, per_gpu; /* all GPUs, ranks per GPU */
    /* For rank q of GPU g at g * per_gpu + q. last: the operation that ends its
     * last round, with AFTER_SENT if that is the end of a send; NO_OP if it has
     * none. ready: the operation after which its messages begin. first: its
     * first message. */
    uint32_t *last, *ready, *first;
};

/* Returns rank q of a GPU, because the ranks of a node are assigned to its GPUs
 * in blocks. */
static uint32_t rank_of(const struct a2a *a, unsigned gpu, unsigned q)
{
    unsigned node = gpu / a->m->ngpus, local = gpu % a->m->ngpus;

    return node * a->p->ranks_per_node + local * a->per_gpu + q;
}

static size_t place(const struct a2a *a, unsigned gpu, unsigned q)
{
    return (size_t)gpu * a->per_gpu + q;
}

/* Makes the newest operation begin after `before`, and its receive be posted
 * after `posted`. */
static void a2a_after(const struct a2a *a, uint32_t before, uint32_t posted)
{
    if (before != NO_OP)
        plan_after(a->p, before);
    if (posted != NO_OP)
        plan_posted_after(a->p, posted);
}

/* Adds a copy that begins the rank's operation. */
static uint32_t copy_out(const struct a2a *a, unsigned g, unsigned q,
                         uint64_t bytes)
{
    uint32_t op =
        plan_copy(a->p, PHASE_COPY_OUT, rank_of(a, g, q), D2H, g, bytes);

    a2a_after(a, a->last[place(a, g, q)], NO_OP);
    return op;
}

/* Adds a message from GPU to GPU for every pair, including a GPU with itself,
 * in rank order, or for a library from itself on; first[0] gets the number of
 * the first. */
static void all_pairs(const struct a2a *a)
{
    bool aware = a->x->strategy == CUDA_AWARE && !a->x->library;

    a->first[0] = (uint32_t)a->p->nops;
    for (unsigned g = 0; g < a->gpus; g++)
        for (unsigned i = 0; i < a->gpus; i++) {
            unsigned d = a->x->library ? (g + i) % a->gpus : i;
            plan_msg(a->p, PHASE_OFF_NODE, rank_of(a, g, 0), rank_of(a, d, 0),
                     aware ? g : NO_GPU, aware ? d : NO_GPU, a->x->bytes);
            a2a_after(a, a->ready[place(a, g, 0)], a->ready[place(a, d, 0)]);
        }
}

/* Makes the newest operation come after the first rank's messages of
 * all_pairs(), as after both of its Waitalls. */
static void after_all_pairs(const struct a2a *a, unsigned g)
{
    for (unsigned s = 0; s < a->gpus; s++)
        plan_after(a->p, a->first[0] + s * a->gpus +
                             (a->x->library ? (g + a->gpus - s) % a->gpus : g));
    for (unsigned d = 0; d < a->gpus; d++)
        plan_after(a->p, (a->first[0] + g * a->gpus + d) | AFTER_SENT);
}

static void cuda_aware(const struct a2a *a)
{
    for (unsigned g = 0; g < a->gpus; g++)
        a->ready[place(a, g, 0)] = a->last[place(a, g, 0)];
    all_pairs(a);
    for (unsigned g = 0; g < a->gpus; g++) {
        a->last[place(a, g, 0)] = plan_work(a->p, rank_of(a, g, 0), 0);
        after_all_pairs(a, g);
    }
}

static void copy_to_cpu(const struct a2a *a)
{
    uint64_t all = a->gpus * a->x->bytes;

    for (unsigned g = 0; g < a->gpus; g++)
        a->ready[place(a, g, 0)] = copy_out(a, g, 0, all);
    all_pairs(a);
    for (unsigned g = 0; g < a->gpus; g++) {
        a->last[place(a, g, 0)] =
            plan_copy(a->p, PHASE_COPY_IN, rank_of(a, g, 0), H2D, g, all);
        after_all_pairs(a, g);
    }
}

/* Returns whether every GPU's data reach every GPU, as by a library, which the
 * messages of the program do not. */
static bool reaches_all(const struct a2a *a)
{
    return a->x->library || a->x->iteration;
}

/* Returns the i-th GPU that rank q of a GPU sends to, if all are reached. */
static unsigned nth_to(const struct a2a *a, unsigned from, unsigned i)
{
    return a->x->library ? (from + i) % a->gpus : i;
}

/* Returns whether rank q of GPU `from` has a message for GPU `to`: by its
 * number, or, if messages are split, because every rank has its part. */
static bool has_message(const struct a2a *a, unsigned from, unsigned q,
                        unsigned to)
{
    return a->x->split || to % a->per_gpu == (from + q) % a->per_gpu;
}

/* Returns the bytes of a message; a part consists of whole elements of 4
 * bytes. */
static uint64_t message_bytes(const struct a2a *a)
{
    return a->x->split ? a->x->bytes / 4 / a->per_gpu * 4 : a->x->bytes;
}

/* Returns how many messages rank q of a GPU sends, and how many it receives, if
 * the program sends them. The program ran to its end, so that both are equal,
 * though by its rule more destinations would fall to q for one GPU than for
 * another. */
static unsigned all_to_all_parts(const struct a2a *a, unsigned q)
{
    return a->gpus / a->per_gpu + (q < a->gpus % a->per_gpu);
}

/* Returns the bytes that rank q of GPU g sends or receives. */
static uint64_t bytes_of(const struct a2a *a, unsigned g, unsigned q, bool out)
{
    unsigned n = 0;

    if (!reaches_all(a))
        return all_to_all_parts(a, q) * a->x->bytes;
    for (unsigned d = 0; d < a->gpus; d++)
        n += out ? has_message(a, g, q, d) : has_message(a, d, q, g);
    return n * message_bytes(a);
}

static void part_message(const struct a2a *a, unsigned g, unsigned q,
                         unsigned to)
{
    plan_msg(a->p, PHASE_OFF_NODE, rank_of(a, g, q), rank_of(a, to, q), NO_GPU,
             NO_GPU, message_bytes(a));
    a2a_after(a, a->ready[place(a, g, q)], a->ready[place(a, to, q)]);
}

/* Adds the messages of all ranks. By a bug of the program all messages of rank
 * q of a GPU go to rank q of one GPU, q further on; a library's go to the right
 * one. */
static void all_ranks(const struct a2a *a)
{
    for (unsigned g = 0; g < a->gpus; g++)
        for (unsigned q = 0; q < a->per_gpu; q++) {
            a->first[place(a, g, q)] = (uint32_t)a->p->nops;
            for (unsigned i = 0; reaches_all(a) && i < a->gpus; i++)
                if (has_message(a, g, q, nth_to(a, g, i)))
                    part_message(a, g, q, nth_to(a, g, i));
            for (unsigned k = 0; !reaches_all(a) && k < all_to_all_parts(a, q);
                 k++)
                part_message(a, g, q, (g + q) % a->gpus);
        }
}

/* Returns the number of the message that rank q of a GPU has for another, by a
 * library. */
static uint32_t message_to(const struct a2a *a, unsigned from, unsigned q,
                           unsigned to)
{
    uint32_t op = a->first[place(a, from, q)];

    for (unsigned i = 0; nth_to(a, from, i) != to; i++)
        op += has_message(a, from, q, nth_to(a, from, i));
    return op;
}

/* Makes the newest operation come after all messages that rank q of GPU g
 * receives. */
static void after_parts(const struct a2a *a, unsigned g, unsigned q)
{
    unsigned from = (g + a->gpus - q % a->gpus) % a->gpus;

    for (unsigned s = 0; reaches_all(a) && s < a->gpus; s++)
        if (has_message(a, s, q, g))
            plan_after(a->p, message_to(a, s, q, g));
    for (unsigned k = 0; !reaches_all(a) && k < all_to_all_parts(a, q); k++)
        plan_after(a->p, a->first[place(a, from, q)] + k);
}

/* Adds the parts that the first rank of a GPU, which has copied all, sends to
 * the others with blocking sends. */
static void hand_out(const struct a2a *a, unsigned g, uint32_t before)
{
    for (unsigned q = 1; q < a->per_gpu; q++) {
        uint64_t bytes = bytes_of(a, g, q, true);
        a->ready[place(a, g, q)] = a->last[place(a, g, q)];
        if (!bytes)
            continue;
        uint32_t op = plan_msg(a->p, PHASE_GATHER, rank_of(a, g, 0),
                               rank_of(a, g, q), NO_GPU, NO_GPU, bytes);
        a2a_after(a, before, a->last[place(a, g, q)]);
        a->ready[place(a, g, q)] = op;
        before = op | AFTER_SENT;
    }
    a->ready[place(a, g, 0)] = before;
}

/* Adds the parts that they send back, and the first rank's copy of all. */
static void bring_back(const struct a2a *a, unsigned g, uint64_t all)
{
    uint32_t back = (uint32_t)a->p->nops, nback = 0;

    for (unsigned q = 1; q < a->per_gpu; q++) {
        if (!bytes_of(a, g, q, false))
            continue;
        uint32_t op =
            plan_msg(a->p, PHASE_SCATTER, rank_of(a, g, q), rank_of(a, g, 0),
                     NO_GPU, NO_GPU, bytes_of(a, g, q, false));
        after_parts(a, g, q);
        a->last[place(a, g, q)] = op | AFTER_SENT;
        nback++;
    }
    a->last[place(a, g, 0)] =
        plan_copy(a->p, PHASE_COPY_IN, rank_of(a, g, 0), H2D, g, all);
    after_parts(a, g, 0);
    for (uint32_t i = 0; i < nback; i++)
        plan_after(a->p, back + i);
}

static void extra_message(const struct a2a *a)
{
    uint64_t all = a->gpus * a->x->bytes;

    for (unsigned g = 0; g < a->gpus; g++)
        hand_out(a, g, copy_out(a, g, 0, all));
    all_ranks(a);
    for (unsigned g = 0; g < a->gpus; g++)
        bring_back(a, g, all);
}

/* Makes every rank copy its own part out and in; a rank without a part does
 * nothing. */
static void dup_devptr(const struct a2a *a)
{
    for (unsigned g = 0; g < a->gpus; g++)
        for (unsigned q = 0; q < a->per_gpu; q++) {
            uint64_t bytes = bytes_of(a, g, q, true);
            a->ready[place(a, g, q)] =
                bytes ? copy_out(a, g, q, bytes) : a->last[place(a, g, q)];
        }
    all_ranks(a);
    for (unsigned g = 0; g < a->gpus; g++)
        for (unsigned q = 0; q < a->per_gpu; q++) {
            if (!bytes_of(a, g, q, false))
                continue;
            a->last[place(a, g, q)] =
                plan_copy(a->p, PHASE_COPY_IN, rank_of(a, g, q), H2D, g,
                          bytes_of(a, g, q, false));
            after_parts(a, g, q);
        }
}

static void round_of(const struct a2a *a)
{
    switch (a->x->strategy) {
    case CUDA_AWARE:
        if (a->x->library)
            copy_to_cpu(a);
        else
            cuda_aware(a);
        break;
    case COPY_TO_CPU:
        copy_to_cpu(a);
        break;
    case EXTRA_MESSAGE:
        extra_message(a);
        break;
    default:
        dup_devptr(a);
    }
}

static int all_to_all_plan(struct plan *p, const struct machine *m,
                           const struct experiment *x, struct err *err)
{
    struct a2a a = {
        p,    m,    x,   x->nodes * m->ngpus, x->ranks_per_node / m->ngpus,
        NULL, NULL, NULL};

    if (x->ranks_per_node > m->ncores || a.per_gpu == 0)
        return fail(err, "%s has %u cores and %u GPUs: %u ranks do not fit",
                    m->name, m->ncores, m->ngpus, x->ranks_per_node);
    plan_init(p, m, "all_to_all_v", x->nodes, x->ranks_per_node, NULL);
    size_t n = place(&a, a.gpus, 0);
    a.last = xcalloc(3 * n, sizeof *a.last);
    a.ready = a.last + n;
    a.first = a.ready + n;
    for (size_t i = 0; i < n; i++)
        a.last[i] = NO_OP;
    for (int round = 0; round < (x->iteration ? 1 : ROUNDS); round++)
        round_of(&a);
    free(a.last);
    return 0;
}

/* Returns the time of one operation, of several that follow each other. */
static double all_to_all_measure(const struct plan *p,
                                 const struct op_times *ops)
{
    size_t warm_up = p->nops / ROUNDS * WARM_UP;
    double begin = 0, end = 0;

    for (size_t i = 0; i < p->nops; i++) {
        end = fmax(end, ops[i].end_s);
        if (i < warm_up)
            begin = fmax(begin, ops[i].end_s);
    }
    return (end - begin) / (ROUNDS - WARM_UP);
}

static const char *const a2a_names[] = {"cuda_aware", "copy_to_cpu",
                                        "extra_message", "dup_devptr", NULL};

/* --- rows ----------------------------------------------------------------- */

/* Reads which call made the exchange: the program's messages, MPI_Alltoallv,
 * or, if the row does not say, MPI_Alltoall, which gives every rank its part of
 * every message. */
static int all_to_all_call(struct row *r, struct experiment *x,
                           const char **name, struct err *err)
{
    static const char *const names[] = {"isend_irecv", "mpi_collective", NULL};

    *name = "mpi_collective";
    if (csv_column(r->t, "implementation") < 0)
        x->split = true;
    else if (cell_word(r->t, r->row, "implementation", names, name, err) < 0)
        return -1;
    x->library = !strcmp(*name, names[1]);
    if (x->library)
        snprintf(r->note, sizeof r->note,
                 "mpi_collective: all messages at once stand for the library's "
                 "algorithm");
    return 0;
}

static int all_to_all_row(struct measured_point *out, struct row *r,
                          struct err *err)
{
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    const char *call;

    if (all_to_all_call(r, x, &call, err) < 0 ||
        csv_count(t, r->row, "bytes_per_gpu_pair", &x->bytes, err) < 0 ||
        strategy_named(a2a_names, t, r->row, &x->strategy, err) < 0)
        return -1;
    const char *kind = x->split     ? "all_to_all"
                       : x->library ? "all_to_all_v_library"
                                    : "all_to_all_v";
    int got = row_nodes(r, &x->nodes, err);
    if (got == 0)
        got = row_ranks_per_node(r, r->m->ngpus, &x->ranks_per_node, err);
    if (got)
        return got;
    if (!r->m->ngpus || x->ranks_per_node < r->m->ngpus)
        return leave_out(r, "%s has %u GPUs: %u ranks a node do not fit",
                         r->m->name, r->m->ngpus, x->ranks_per_node);
    x->racks = racks_of_run(t, r->row);
    x->other_rack = x->racks > 1;
    x->mps_off = !row_mps(r);
    snprintf(out->group, sizeof out->group, "%s/%s/%s/%u", kind, call,
             a2a_names[x->strategy], x->nodes);
    snprintf(out->label, sizeof out->label, "%llu B%s",
             (unsigned long long)x->bytes, rack(x));
    snprintf(out->decision, sizeof out->decision, "%s, %u nodes, %s", kind,
             x->nodes, out->label);
    snprintf(out->choice, sizeof out->choice, "%s", a2a_names[x->strategy]);
    out->aware = x->strategy == CUDA_AWARE;
    return 0;
}

/* --- points of sluice-native ---------------------------------------------- */

static void all_to_all_sweep(const struct sweep *s)
{
    struct experiment x = {.iteration = true,
                           .nodes = s->m->network.nodes,
                           .ranks_per_node = s->m->ncores};

    for (x.strategy = CUDA_AWARE; x.strategy <= DUP_DEVPTR; x.strategy++)
        for (x.bytes = s->sizes.from;
             x.bytes <= s->sizes.to && (s->wanted & 1u << x.strategy);
             x.bytes *= s->sizes.factor)
            sweep_point(s, &x, "%u,%u,%u,isend_irecv,%s,%llu", x.nodes,
                        x.nodes * s->m->ngpus, x.ranks_per_node,
                        a2a_names[x.strategy], (unsigned long long)x.bytes);
}

static const char *const all_to_all_notes[] = {
    "every GPU sends bytes_per_gpu_pair to every GPU, itself included; "
    "each row is one exchange, from a common start until the last rank is "
    "done, after two that do not count",
    "isend_irecv: MPI_Isend and MPI_Irecv in the order of the GPUs, then one "
    "wait for all",
    "cuda_aware: one rank of each GPU, GPU memory. copy_to_cpu: it copies "
    "all out, exchanges host memory, copies all in",
    "extra_message: it copies all out and gives each other rank of the GPU "
    "its part with a blocking send; rank q exchanges with the GPUs d = own "
    "+ q (mod ranks of a GPU), and gives back what has come; all is copied "
    "in at once",
    "dup_devptr: each rank of the GPU copies its own part out, exchanges "
    "it, and copies what has come in",
    "config=host_memory: there is no GPU, host memory stands for GPU memory",
    NULL};

static const struct benchmark_command all_to_all_commands[] = {
    {.name = "all_to_all_v",
     .summary = "every GPU sends to every GPU, by four strategies",
     .about = "Every GPU sends --sizes to every GPU. cuda_aware: GPU memory by "
              "MPI; copy_to_cpu: through host memory of one rank; "
              "extra_message: one rank copies, all ranks of the GPU send; "
              "dup_devptr: all ranks of the GPU copy and send their parts. The "
              "time is from a common start until the last rank is done.\n",
     .measured = "all-to-all between all GPUs",
     .notes = all_to_all_notes,
     .columns = "nodes,gpus,ranks_per_node,implementation,strategy,"
                "bytes_per_gpu_pair",
     .sizes = {4, 512u << 10},
     .copies = true,
     .dealt = true,
     .alone = true,
     .words_option = "strategy",
     .words_help = "of cuda_aware,copy_to_cpu,extra_message,dup_devptr (all)",
     .words = a2a_names,
     .nwords = 4,
     .usual = 15,
     .aware = 1u << CUDA_AWARE,
     .sweep = all_to_all_sweep},
    {0}};

const struct benchmark all_to_all_v_benchmark = {
    .file = {.name = "all_to_all_v",
             .columns = {"bytes_per_gpu_pair"},
             .time = "time_s",
             .read = all_to_all_row,
             .simulated = "nodes ranks_per_node implementation strategy "
                          "bytes_per_gpu_pair mps"},
    .plan = all_to_all_plan,
    .measure = all_to_all_measure,
    .commands = all_to_all_commands,
    .rounds = ROUNDS,
    .mps = true,
};
