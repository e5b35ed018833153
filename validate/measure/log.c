/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns the rows of logs (validate/logs) into experiments: collectives by the
 * library's own choice, ping-pongs, windows of messages, copies. */
#include "validate/measure/benchmark.h"

#include "strategies/collective/libraries/library.h"
#include "validate/logs/log.h"

#include <stdio.h>
#include <string.h>

/* The classes of sizes in which points of collectives are compared: latency,
 * the change of protocols, and bandwidth differ in their causes. */
static const struct {
    const char *name;
    uint64_t most_B;
} classes[] = {{"/to_4_KiB", 4096},
               {"/to_1_MiB", (uint64_t)1 << 20},
               {"/to_64_MiB", (uint64_t)64 << 20},
               {"/above_64_MiB", UINT64_MAX}};

static const char *size_class(uint64_t bytes)
{
    size_t i = 0;

    while (bytes > classes[i].most_B)
        i++;
    return classes[i].name;
}

const char *log_size_class_at(const char *name)
{
    const char *at = NULL;

    for (size_t i = 0; i < sizeof classes / sizeof classes[0] && !at; i++)
        at = strstr(name, classes[i].name);
    return at;
}

/* Reads a count that may be left out; 0 then. */
static int log_count(const struct row *r, const char *column, unsigned *out,
                     struct err *err)
{
    *out = 0;
    return cell_empty(r->t, r->row, column)
               ? 0
               : cell_small(r->t, r->row, column, out, err);
}

/* Reads the memory of both ends. Returns 1 if they differ. */
static int log_memory(struct row *r, struct experiment *x)
{
    const char *memory = csv_text(r->t, r->row, "memory");

    x->gpu = !memory || !strcmp(memory, "device");
    if (!x->gpu && strcmp(memory, "host") != 0)
        return leave_out(r, "from %s memory: not simulated", memory);
    if (x->gpu && !r->m->ngpus)
        return leave_out(r, "%s has no GPU", r->m->name);
    return 0;
}

/* --- nodes ---------------------------------------------------------------- */

/* Finds the nodes of the ranks. If the log does not say, they are as few as the
 * GPUs, or cores, of the machine allow; two for messages between two ranks. */
static int log_nodes(struct row *r, struct experiment *x, bool pair,
                     struct err *err)
{
    unsigned room = x->gpu ? r->m->ngpus : r->m->ncores;

    if (log_count(r, "nodes", &x->nodes, err) < 0)
        return -1;
    if (!x->nodes) {
        x->nodes =
            pair && r->m->network.nodes > 1 ? 2 : (x->ranks + room - 1) / room;
        snprintf(r->note, sizeof r->note,
                 "on how many nodes is not stated: %u assumed (--fact "
                 "nodes=N)",
                 x->nodes);
    }
    if (x->nodes > r->m->network.nodes)
        return leave_out(r, "%s has %u nodes, too few for %u", r->m->name,
                         r->m->network.nodes, x->nodes);
    if (x->ranks < x->nodes)
        return leave_out(r, "%u ranks on %u nodes", x->ranks, x->nodes);
    x->ranks_per_node = (x->ranks + x->nodes - 1) / x->nodes;
    if (x->ranks_per_node > room)
        return leave_out(r, "%s has %u %s a node, for %u ranks", r->m->name,
                         room, x->gpu ? "GPUs" : "cores", x->ranks_per_node);
    return 0;
}

/* --- collectives ---------------------------------------------------------- */

/* Returns -1 if the operation is no collective that is simulated. */
static int log_kind(const char *operation)
{
    for (int k = 0; k < NCOLLECTIVE_KINDS; k++)
        if (!strcmp(operation, collective_kind_names[k]))
            return k;
    return -1;
}

/* Returns the bytes of which the size must be a multiple if elements have 4 B,
 * because experiment_call() makes calls of such elements. */
static uint64_t log_unit(const struct experiment *x, enum collective_kind kind)
{
    const struct collective_words w = {.kind = kind, .element_B = 4};

    return collective_unit(&w, x->ranks);
}

/* Notes that a machine without NCCL simulates NCCL's calls by its MPI. */
static void log_note_library(struct row *r, const struct experiment *x)
{
    const struct collective_library *library =
        library_of(r->m, x->gpu ? COLLECTIVE_DEVICE : COLLECTIVE_HOST);
    const char *benchmark = csv_text(r->t, r->row, "benchmark");

    if (!strncmp(benchmark, "nccl-", 5) && !library->is_for)
        snprintf(r->note, sizeof r->note,
                 "%s does not say how it runs NCCL: simulated as %s",
                 r->m->name, library->name);
}

static int log_collective(struct measured_point *out, struct row *r,
                          enum collective_kind kind, struct err *err)
{
    /* The library is asked with an algorithm of the kind; any will do. */
    static const struct collective_algorithm asked[NCOLLECTIVE_KINDS] = {
        [COLLECTIVE_ALLREDUCE] = {.kind = COLLECTIVE_ALLREDUCE},
        [COLLECTIVE_ALLGATHER] = {.kind = COLLECTIVE_ALLGATHER},
        [COLLECTIVE_REDUCE_SCATTER] = {.kind = COLLECTIVE_REDUCE_SCATTER},
        [COLLECTIVE_BROADCAST] = {.kind = COLLECTIVE_BROADCAST},
        [COLLECTIVE_REDUCE] = {.kind = COLLECTIVE_REDUCE},
        [COLLECTIVE_ALLTOALL] = {.kind = COLLECTIVE_ALLTOALL}};
    struct experiment *x = &out->x;

    x->of = &library_call_benchmark;
    x->collective = &asked[kind];
    if (log_count(r, "ranks", &x->ranks, err) < 0)
        return -1;
    if (!x->ranks)
        return leave_out(r, "of how many ranks is not stated: --fact ranks=N");
    if (x->ranks < 2)
        return leave_out(r, "of one rank");
    int got = log_nodes(r, x, false, err);
    if (got)
        return got;
    x->bytes -= x->bytes % log_unit(x, kind);
    if (!x->bytes)
        return leave_out(r, "fewer elements than ranks");
    x->out_of_place = cell_is(r->t, r->row, "place", "out");
    x->in_graph = cell_is(r->t, r->row, "calls", "graph");
    if (log_count(r, "by_thread", &x->by_thread, err) < 0)
        return -1;
    snprintf(out->logged, sizeof out->logged, "%s",
             csv_text(r->t, r->row, "algorithm"));
    log_note_library(r, x);
    snprintf(out->group, sizeof out->group, "%s/%s/%ux%u%s/%s",
             csv_text(r->t, r->row, "benchmark"), collective_kind_names[kind],
             x->nodes, x->ranks_per_node, size_class(x->bytes),
             x->out_of_place ? "out_of_place" : "in_place");
    snprintf(out->label, sizeof out->label, "%u ranks, %llu B", x->ranks,
             (unsigned long long)x->bytes);
    return 0;
}

/* --- messages ------------------------------------------------------------- */

static const char *log_where(const struct row *r, const struct experiment *x)
{
    if (x->two_nodes)
        return "off_node";
    if (x->gpu)
        return machine_gpu(r->m, 0)->socket == machine_gpu(r->m, 1)->socket
                   ? "on_socket"
                   : "on_node";
    return locality_names[machine_core_locality(r->m, 0, x->core[0], 0,
                                                x->core[1])];
}

/* Sets the ends of two ranks: the first core, or GPU, of two nodes, or the
 * first two of one. */
static int log_latency(struct measured_point *out, struct row *r,
                       struct err *err)
{
    struct experiment *x = &out->x;
    const struct machine *m = r->m;

    x->of = &ping_pong_benchmark;
    x->ranks = 2;
    int got = log_nodes(r, x, true, err);
    if (got)
        return got;
    x->two_nodes = x->nodes > 1;
    unsigned second = x->two_nodes ? 0 : 1;
    x->device[1] = x->gpu ? second : 0;
    for (unsigned i = 0; i < 2; i++)
        x->core[i] = x->gpu ? machine_gpu_core(m, x->device[i]) : i * second;
    snprintf(out->group, sizeof out->group, "ping_pong/%s/%s",
             x->gpu ? "gpu" : "cpu", log_where(r, x));
    snprintf(out->label, sizeof out->label, "%llu B",
             (unsigned long long)x->bytes);
    x->nodes = 0; /* as in other files of ping-pongs */
    return 0;
}

/* Sets pairs of ranks at once: the halves of the ranks. */
static int log_pairs(struct measured_point *out, struct row *r,
                     const char *operation, struct err *err)
{
    struct experiment *x = &out->x;

    if (log_count(r, "ranks", &x->ranks, err) < 0 ||
        log_count(r, "window", &x->messages, err) < 0)
        return -1;
    if (!x->ranks)
        return leave_out(r, "of how many pairs is not stated: --fact ranks=N");
    if (x->ranks % 2)
        return leave_out(r, "%u ranks do not form pairs", x->ranks);
    x->pairs = x->ranks / 2;
    int got = log_nodes(r, x, true, err);
    if (got)
        return got;
    if (x->nodes > 2)
        return leave_out(r, "pairs on %u nodes: not simulated", x->nodes);
    x->two_nodes = x->nodes == 2;
    x->domains = 1;
    x->domain_ranks = x->ranks_per_node;
    bool windows = strcmp(operation, LOG_MULTI_LATENCY) != 0;
    x->of = windows ? &window_benchmark : &multi_pair_benchmark;
    x->both_ways = !strcmp(operation, LOG_BIDIRECTIONAL);
    if (windows && (!x->messages || x->messages > 1024))
        return leave_out(r, "a window of %u messages", x->messages);
    if (windows && !x->bytes)
        return leave_out(r, "of no bytes");
    snprintf(out->group, sizeof out->group, "%s/%s/%s/%u", operation,
             x->gpu ? "gpu" : "cpu", x->two_nodes ? "off_node" : "on_node",
             x->pairs);
    snprintf(out->label, sizeof out->label, "%llu B",
             (unsigned long long)x->bytes);
    x->nodes = 0;
    return 0;
}

/* --- copies --------------------------------------------------------------- */

static int log_copy_of(struct measured_point *out, struct row *r,
                       const char *direction, struct err *err)
{
    struct experiment *x = &out->x;
    int d = 0;

    while (d < NCOPY_DIRS && strcmp(direction, copy_dir_names[d]) != 0)
        d++;
    if (d == NCOPY_DIRS)
        return leave_out(r, "copies %s: not simulated", direction);
    x->of = &memcpy_benchmark;
    x->dir = (enum copy_dir)d;
    int got = row_gpu(r, "gpu_a", &x->device[0], err);
    if (got == 0)
        got = row_gpu(r, "gpu_b", &x->device[1], err);
    if (got)
        return got;
    x->core[0] = machine_gpu_core(r->m, x->device[0]);
    bool apart = machine_gpu(r->m, x->device[0])->socket !=
                 machine_gpu(r->m, x->device[1])->socket;
    snprintf(out->group, sizeof out->group, "memcpy/%s/%s", direction,
             apart ? "gpus_across_sockets" : "on_socket");
    snprintf(out->label, sizeof out->label, "%llu B, GPU %u, %u",
             (unsigned long long)x->bytes, x->device[0], x->device[1]);
    return 0;
}

/* -------------------------------------------------------------------------- */

static int log_row(struct measured_point *out, struct row *r, struct err *err)
{
    const char *operation = csv_text(r->t, r->row, "operation");
    struct experiment *x = &out->x;
    size_t copy = strlen(LOG_COPY);

    if (csv_count(r->t, r->row, "bytes", &x->bytes, err) < 0)
        return -1;
    int kind = log_kind(operation);
    int got = log_memory(r, x);
    if (got)
        return got;
    if (kind >= 0)
        return log_collective(out, r, (enum collective_kind)kind, err);
    if (!strncmp(operation, LOG_COPY, copy))
        return log_copy_of(out, r, operation + copy, err);
    if (!strcmp(operation, LOG_LATENCY))
        return log_latency(out, r, err);
    if (!strcmp(operation, LOG_MULTI_LATENCY) ||
        !strcmp(operation, LOG_BANDWIDTH) ||
        !strcmp(operation, LOG_BIDIRECTIONAL) ||
        !strcmp(operation, LOG_MULTI_BANDWIDTH))
        return log_pairs(out, r, operation, err);
    return leave_out(r, "%s: not simulated", operation);
}

const struct benchmark log_benchmark = {
    .file = {.name = "log",
             .columns = {"benchmark", "operation", "place"},
             .time = "time_s",
             .read = log_row,
             .simulated =
                 "benchmark operation memory nodes ranks bytes place "
                 "calls by_thread pairs window gpu_a gpu_b algorithm label"},
};
