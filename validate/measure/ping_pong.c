/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A message between two ranks, or, staged, between their GPUs with both copies
 * by hand. */
#include "validate/measure/ping_pong.h"

#include "validate/measure/benchmark.h"

#include <stdio.h>
#include <string.h>

/* --- the plan ------------------------------------------------------------- */

int ping_pong_plan(struct plan *p, const struct machine *m,
                   const struct experiment *x, struct err *err)
{
    bool gpu = x->gpu || x->staged;

    for (int i = 0; i < 2; i++)
        if (experiment_needs(m, x->core[i], x->device[i], gpu, err) < 0)
            return -1;

    unsigned node = x->two_nodes ? 1 : 0;
    uint32_t a = x->core[0], b = node * m->ncores + x->core[1];
    uint32_t gpu_a = x->device[0], gpu_b = node * m->ngpus + x->device[1];
    experiment_all_cores(p, m, "ping_pong", node + 1);
    if (!x->staged) {
        if (!x->gpu)
            gpu_a = gpu_b = NO_GPU;
        plan_msg(p, PHASE_OFF_NODE, a, b, gpu_a, gpu_b, x->bytes);
        if (x->iteration)
            experiment_answer(p, 0);
        return 0;
    }
    uint32_t out = plan_copy(p, PHASE_COPY_OUT, a, D2H, gpu_a, x->bytes);
    uint32_t msg = plan_msg(p, PHASE_OFF_NODE, a, b, NO_GPU, NO_GPU, x->bytes);
    plan_after(p, out);
    plan_copy(p, PHASE_COPY_IN, b, H2D, gpu_b, x->bytes);
    plan_after(p, msg);
    return 0;
}

/* --- rows ----------------------------------------------------------------- */

/* Sets the socket of a rank: the column's, or that of its place on the node. */
static int pp_socket(struct row *r, const char *column, unsigned local,
                     unsigned per_node, unsigned *out, struct err *err)
{
    unsigned per_socket = (per_node + r->m->nsockets - 1) / r->m->nsockets;

    if (!cell_empty(r->t, r->row, column))
        return row_socket(r, column, out, err);
    if (csv_column(r->t, column) < 0)
        return fail(err, "%s: no column named %s", r->t->path, column);
    *out = local / per_socket;
    snprintf(r->note, sizeof r->note,
             "empty sockets were taken from the numbers of the ranks");
    return 0;
}

/* Sets an end of a ping-pong. Ranks are spread over the sockets of a node, each
 * filled from its first core; GPUs are assigned to them in turn or, if a GPU
 * has several ranks, in blocks. If the file does not say how many ranks a node
 * had, it is the number of its GPUs, or of its cores if it has none. */
static int pp_end(struct row *r, const char *rank_column,
                  const char *socket_column, struct experiment *x, int end,
                  struct err *err)
{
    const struct machine *m = r->m;
    unsigned rank, socket, per_node;

    if (cell_blank(r->t, r->row, rank_column))
        return leave_out(r, "%s is empty", rank_column);
    if (cell_small(r->t, r->row, rank_column, &rank, err) < 0)
        return -1;
    int got =
        row_ranks_per_node(r, m->ngpus ? m->ngpus : m->ncores, &per_node, err);
    unsigned local = got ? 0 : rank % per_node;
    if (got == 0)
        got = pp_socket(r, socket_column, local, per_node, &socket, err);
    if (got)
        return got;
    if (rank / per_node >= m->network.nodes)
        return leave_out(r, "%s has %u nodes, too few for rank %u at %u a node",
                         m->name, m->network.nodes, rank, per_node);
    unsigned cores = machine_socket(m, socket)->cores;
    unsigned per_socket = per_node / m->nsockets;
    if (per_socket < 1 || per_socket > cores)
        per_socket = per_socket ? cores : 1;
    if (m->ngpus && per_node > m->ngpus && per_node % m->ngpus == 0 &&
        csv_column(r->t, "method") >= 0)
        x->device[end] = local / (per_node / m->ngpus);
    else
        x->device[end] = m->ngpus ? local % m->ngpus : 0;
    x->core[end] = machine_socket_core(m, socket) + local % per_socket;
    return 0;
}

/* Moves the second rank to the next core if both are on one, which happens if
 * ranks were assigned to the sockets in turn. Returns -1 if there is no other
 * core. */
static int apart(const struct machine *m, struct experiment *x)
{
    unsigned socket = machine_core_socket(m, x->core[0]);
    unsigned first = machine_socket_core(m, socket);
    unsigned cores = machine_socket(m, socket)->cores;

    if (x->core[0] != x->core[1])
        return 0;
    x->core[1] = first + (x->core[0] - first + 1) % cores;
    return x->core[0] == x->core[1] ? -1 : 0;
}

/* Returns whether the bytes are copied by hand from GPU to GPU, by the column
 * `method` if there is one (an MPI that accepts GPU memory, or copies by hand),
 * otherwise by the head. */
static bool pp_staged(const struct row *r)
{
    if (csv_column(r->t, "method") >= 0)
        return cell_is(r->t, r->row, "method", "copy_to_cpu");
    return head_says(r->t, "ping_pong_3step");
}

/* Reads the locality of the ends; if the file does not give it, it follows from
 * node and socket. */
static int pp_where(struct row *r, const char **where, struct err *err)
{
    static const char *const places[] = {"on_socket", "on_node", "off_node",
                                         NULL};
    unsigned rank[2], per_node;

    *where = "";
    if (!cell_empty(r->t, r->row, "locality") ||
        csv_column(r->t, "locality") < 0)
        return cell_word(r->t, r->row, "locality", places, where, err);
    if (cell_blank(r->t, r->row, "rank_a") ||
        cell_blank(r->t, r->row, "rank_b"))
        return leave_out(r, "neither locality nor ranks");
    if (cell_small(r->t, r->row, "rank_a", &rank[0], err) < 0 ||
        cell_small(r->t, r->row, "rank_b", &rank[1], err) < 0)
        return -1;
    int got = row_ranks_per_node(r, r->m->ngpus ? r->m->ngpus : r->m->ncores,
                                 &per_node, err);
    if (got)
        return got;
    unsigned per_socket = (per_node + r->m->nsockets - 1) / r->m->nsockets;
    *where =
        rank[0] / per_node != rank[1] / per_node ? "off_node"
        : rank[0] % per_node / per_socket != rank[1] % per_node / per_socket
            ? "on_node"
            : "on_socket";
    snprintf(r->note, sizeof r->note,
             "empty localities were taken from the numbers of the ranks");
    return 0;
}

/* Sets both ends; leaves the row out if this machine does not have two such
 * ends. */
static int pp_ends(struct row *r, struct experiment *x, bool gpus,
                   struct err *err)
{
    int got = pp_end(r, "rank_a", "socket_a", x, 0, err);

    if (got == 0)
        got = pp_end(r, "rank_b", "socket_b", x, 1, err);
    if (got || x->two_nodes)
        return got;
    if (apart(r->m, x) < 0)
        return leave_out(r, "on %s both ranks sit on the only core of a socket",
                         r->m->name);
    if (gpus && x->device[0] == x->device[1])
        return leave_out(r, "on %s both ranks have the same GPU", r->m->name);
    return 0;
}

static int ping_pong_row(struct measured_point *out, struct row *r,
                         struct err *err)
{
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    const char *where;
    bool staged = pp_staged(r);

    x->staged = staged;
    x->gpu = true;
    if (cell_is(t, r->row, "method", "rccl"))
        return leave_out(r, "rccl: a GPU library's messages, not MPI's");
    int got = row_partition(r);
    if (got == 0)
        got = pp_where(r, &where, err);
    if (got)
        return got;
    x->two_nodes = !strcmp(where, "off_node");
    if ((csv_column(t, "device") >= 0 &&
         cell_device(t, r->row, &x->gpu, err) < 0) ||
        csv_count(t, r->row, "bytes", &x->bytes, err) < 0)
        return -1;
    got = pp_ends(r, x, x->gpu || staged, err);
    if (got)
        return got;
    x->other_rack = x->two_nodes && cell_is(t, r->row, "same_rack", "0");
    const char *class = where;
    if (!x->gpu && !strcmp(where, "on_socket"))
        class = locality_names[machine_core_locality(r->m, 0, x->core[0], 0,
                                                     x->core[1])];
    snprintf(out->group, sizeof out->group, "%s/%s/%s",
             staged ? "ping_pong_3step" : "ping_pong", x->gpu ? "gpu" : "cpu",
             class);
    snprintf(out->label, sizeof out->label, "%llu B%s",
             (unsigned long long)x->bytes, rack(x));
    if (x->gpu && csv_column(t, "method") >= 0) {
        snprintf(out->decision, sizeof out->decision, "%s, %s", where,
                 out->label);
        snprintf(out->choice, sizeof out->choice, "%s",
                 staged ? "copy_to_cpu" : "gpu_aware");
        out->aware = !staged;
    }
    return 0;
}

/* --- points of sluice-native ---------------------------------------------- */

static void ping_pong_sizes(const struct sweep *s, unsigned first,
                            unsigned second)
{
    struct experiment x = sweep_pair(s, first, second);

    for (x.bytes = s->sizes.from; x.bytes <= s->sizes.to;
         x.bytes = sizes_next(&s->sizes, x.bytes))
        sweep_point(s, &x, "%s,%s,%u,%u,%u,%u,%llu", sweep_device(s),
                    sweep_locality(s, first, second), first, second,
                    s->sockets[first], s->sockets[second],
                    (unsigned long long)x.bytes);
}

/* Measures all pairs of two nodes; or rank 0 with the first and with the last
 * rank of a locality, because neighbours may share a cache and distant ranks do
 * not. */
static void ping_pong_sweep(const struct sweep *s)
{
    bool all = s->wanted & 2; /* the second word */
    unsigned near, distant;

    for (int w = 0; w < NSWEEP_LOCALITIES && !all; w++) {
        sweep_partners(s, sweep_localities[w], &near, &distant);
        if (near)
            ping_pong_sizes(s, 0, near);
        if (distant > near)
            ping_pong_sizes(s, 0, distant);
    }
    for (unsigned first = 0; first < s->m->ncores && all; first++)
        for (unsigned other = first + 1; other < sweep_reach(s); other++)
            ping_pong_sizes(s, first, other);
}

static const char *const ping_pong_words[] = {"few", "all"};

static const char *const ping_pong_notes[] = {
    "time_s is ONE-WAY: elapsed/(2*iterations) of a blocking Send/Recv "
    "ping-pong, maximum over the two ranks; one row a batch, after two "
    "that do not count",
    "one pair active at a time; all other ranks sleep",
    "gpu, with an MPI that was built without CUDA: on a node only; the "
    "sender copies into the receiver's memory (CUDA IPC), then sends an "
    "empty message",
    NULL};

static const struct benchmark_command ping_pong_commands[] = {
    {.name = "ping_pong",
     .summary = "messages between two ranks",
     .about = "The time of one message, half of a round trip of blocking "
              "calls, one pair of ranks at a time.\n",
     .measured = "ping-pong between two ranks",
     .notes = ping_pong_notes,
     .columns = "device,locality,rank_a,rank_b,socket_a,socket_b,bytes",
     .same_rack = true,
     .sizes = {4, 4u << 20},
     .ipc = true,
     .between = true,
     .words_option = "pairs",
     .words_help =
         "few: rank 0 and two of each locality; all: of two nodes (few)",
     .words = ping_pong_words,
     .nwords = 2,
     .sweep = ping_pong_sweep},
    {0}};

const struct benchmark ping_pong_benchmark = {
    .file = {.name = "ping_pong",
             .columns = {"rank_a", "rank_b", "locality"},
             .time = "time_s",
             .read = ping_pong_row,
             .simulated = "device method locality rank_a rank_b socket_a "
                          "socket_b bytes same_rack "
                          "ranks_per_node"},
    .plan = ping_pong_plan,
    .by_size = true,
    .commands = ping_pong_commands,
    .round_trip = true,
    .one_buffer = true,
};
