/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises the kind of a measured file by its columns and turns its rows into
 * experiments. */
#include "validate/measure/measured_rows.h"

#include <stdio.h>
#include <string.h>

/* Without its folders, whose names tell nothing of what is in it. */
static const char *file_name(const struct csv *t)
{
    const char *slash = strrchr(t->path, '/');

    return slash ? slash + 1 : t->path;
}

static bool comment_has(const struct csv *t, const char *text)
{
    for (size_t i = 0; i < t->ncomments; i++)
        if (strstr(t->comments[i], text))
            return true;
    return false;
}

static const char *rack(const struct experiment *x)
{
    return x->other_rack ? ", other rack" : "";
}

/*
 * The ranks of a ping-pong: spread over the sockets of a node, each filled from
 * its first core; GPUs are dealt to them in turn. Where the file does not say
 * how many a node had, as many as it has GPUs.
 */
static int pp_end(const struct csv *t, size_t row, const struct machine *m,
                  const char *rank_column, const char *socket_column,
                  struct experiment *x, int end, struct err *err)
{
    unsigned rank, socket, per_node;

    if (cell_small(t, row, rank_column, &rank, err) < 0 ||
        cell_small(t, row, socket_column, &socket, err) < 0 ||
        cell_ranks_per_node(t, row, m->ngpus ? m->ngpus : m->ncores, m,
                            &per_node, err) < 0)
        return -1;
    if (socket >= m->nsockets)
        return fail(err, "%s:%u: %s: %s has no socket %u", t->path,
                    t->lines[row], socket_column, m->name, socket);
    if (rank / per_node >= m->network.nodes)
        return fail(err,
                    "%s:%u: %s: expected a rank below %u (%u nodes, %u ranks "
                    "each), got %u",
                    t->path, t->lines[row], rank_column,
                    m->network.nodes * per_node, m->network.nodes, per_node,
                    rank);
    unsigned local = rank % per_node, cores = machine_socket(m, socket)->cores;
    unsigned per_socket = per_node / m->nsockets;
    if (per_socket < 1 || per_socket > cores)
        per_socket = per_socket ? cores : 1;
    x->device[end] = m->ngpus ? local % m->ngpus : 0;
    x->core[end] = machine_socket_core(m, socket) + local % per_socket;
    return 0;
}

/* Ranks that were dealt to the sockets in turn come out on one core: the second
 * is on the next. -1 when there is no other. */
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

static int read_ping_pong(struct measured_point *out, const char **why,
                          const struct csv *t, size_t row,
                          const struct machine *m, struct err *err)
{
    struct experiment *x = &out->x;
    static const char *const places[] = {"on_socket", "on_node", "off_node",
                                         NULL};
    const char *where, *file = file_name(t);
    bool staged = strstr(file, "3step") || strstr(file, "3-step") ||
                  strstr(file, "3_step") || comment_has(t, "ping_pong_3step");

    (void)why;
    x->kind = staged ? EXPERIMENT_PING_PONG_3STEP : EXPERIMENT_PING_PONG;
    x->gpu = true;
    if (cell_word(t, row, "locality", places, &where, err) < 0)
        return -1;
    x->two_nodes = !strcmp(where, "off_node");
    if ((csv_column(t, "device") >= 0 &&
         cell_device(t, row, &x->gpu, err) < 0) ||
        csv_count(t, row, "bytes", &x->bytes, err) < 0 ||
        pp_end(t, row, m, "rank_a", "socket_a", x, 0, err) < 0 ||
        pp_end(t, row, m, "rank_b", "socket_b", x, 1, err) < 0)
        return -1;
    if (!x->two_nodes && apart(m, x) < 0)
        return fail(err,
                    "%s:%u: rank_b: on %s it sits on the only core of rank_a",
                    t->path, t->lines[row], m->name);
    x->other_rack = x->two_nodes && cell_is(t, row, "same_rack", "0");
    const char *class = where;
    if (!x->gpu && !strcmp(where, "on_socket"))
        class = locality_names[machine_core_locality(m, 0, x->core[0], 0,
                                                     x->core[1])];
    snprintf(out->group, sizeof out->group, "%s/%s/%s",
             staged ? "ping_pong_3step" : "ping_pong", x->gpu ? "gpu" : "cpu",
             class);
    snprintf(out->label, sizeof out->label, "%llu B%s",
             (unsigned long long)x->bytes, rack(x));
    return 0;
}

/* The median pair of a class of pairs, over all pairs of two full nodes. */
static int read_all_pairs(struct measured_point *out, const char **why,
                          const struct csv *t, size_t row,
                          const struct machine *m, struct err *err)
{
    struct experiment *x = &out->x;
    const char *class = csv_text(t, row, "pair_class");

    *why = "pair class unknown";
    x->kind = EXPERIMENT_PING_PONG;
    if (cell_device(t, row, &x->gpu, err) < 0 ||
        csv_count(t, row, "bytes", &x->bytes, err) < 0)
        return -1;
    if (!strcmp(class, "on_socket_shared_L2"))
        x->core[1] = 1;
    else if (!strcmp(class, "on_socket_other"))
        x->core[1] = machine_socket(m, 0)->cores - 1;
    else if (!strcmp(class, "on_node"))
        x->core[1] = machine_socket_core(m, m->nsockets - 1);
    else if (!strcmp(class, "off_node"))
        x->two_nodes = true;
    else
        return 1;
    snprintf(out->group, sizeof out->group, "all_pairs/%s/%s",
             x->gpu ? "gpu" : "cpu", class);
    snprintf(out->label, sizeof out->label, "%llu B",
             (unsigned long long)x->bytes);
    return 0;
}

static int read_pairs(struct measured_point *out, const char **why,
                      const struct csv *t, size_t row, const struct machine *m,
                      struct err *err)
{
    struct experiment *x = &out->x;
    const char *kind = csv_column(t, "total_bytes") >= 0 ? "node_pong"
                       : csv_column(t, "fill") >= 0      ? "inj_bw"
                                                         : "maxrate";

    (void)why;
    x->kind = EXPERIMENT_PAIRS;
    if ((csv_column(t, "device") >= 0 &&
         cell_device(t, row, &x->gpu, err) < 0) ||
        cell_small(t, row, "active_pairs", &x->pairs, err) < 0 ||
        cell_small(t, row, "pairs_socket0", &x->socket0_pairs, err) < 0 ||
        csv_count(t, row, "bytes_per_message", &x->bytes, err) < 0)
        return -1;
    if (x->pairs == 0 || x->socket0_pairs > x->pairs)
        return fail(err,
                    "%s:%u: active_pairs: %u pairs, %u of them on socket 0",
                    t->path, t->lines[row], x->pairs, x->socket0_pairs);
    if (x->pairs > (x->gpu ? m->ngpus : m->ncores))
        return fail(err, "%s:%u: active_pairs: %s has no %s %u", t->path,
                    t->lines[row], m->name, x->gpu ? "GPU" : "core",
                    x->pairs - 1);
    if (x->socket0_pairs < x->pairs && m->nsockets < 2)
        return fail(err, "%s:%u: pairs_socket0: %s has no socket 1", t->path,
                    t->lines[row], m->name);
    x->other_rack = cell_is(t, row, "same_rack", "0");
    snprintf(out->group, sizeof out->group, "%s/%s", kind,
             x->gpu ? "gpu" : "cpu");
    snprintf(out->label, sizeof out->label,
             "%u pairs (%u on socket 0), %llu B%s", x->pairs, x->socket0_pairs,
             (unsigned long long)x->bytes, rack(x));
    return 0;
}

static int direction(const struct csv *t, size_t row, enum copy_dir *dir,
                     struct err *err)
{
    static const char *const names[] = {"H2D", "D2H", "D2D", NULL};
    const char *name;

    if (cell_word(t, row, "direction_performed", names, &name, err) < 0)
        return -1;
    for (int d = 0; d < NCOPY_DIRS; d++)
        if (!strcmp(name, copy_dir_names[d]))
            *dir = (enum copy_dir)d;
    return 0;
}

static int read_copy(struct measured_point *out, const char **why,
                     const struct csv *t, size_t row, const struct machine *m,
                     struct err *err)
{
    static const char *const places[] = {"on_socket", "off_socket",
                                         "gpus_across_sockets",
                                         "gpus_on_other_socket", NULL};
    struct experiment *x = &out->x;
    const char *where;
    unsigned socket;

    (void)why;
    x->kind = EXPERIMENT_COPY;
    if (direction(t, row, &x->dir, err) < 0 ||
        cell_word(t, row, "locality", places, &where, err) < 0 ||
        cell_small(t, row, "cpu_socket", &socket, err) < 0 ||
        cell_gpu(t, row, "gpu_a", m, &x->device[0], err) < 0 ||
        csv_count(t, row, "bytes", &x->bytes, err) < 0)
        return -1;
    if (x->dir == D2D && cell_gpu(t, row, "gpu_b", m, &x->device[1], err) < 0)
        return -1;
    if (socket >= m->nsockets)
        return fail(err, "%s:%u: cpu_socket: %s has no socket %u", t->path,
                    t->lines[row], m->name, socket);
    x->core[0] = machine_socket_core(m, socket);
    snprintf(out->group, sizeof out->group, "memcpy/%s/%s",
             copy_dir_names[x->dir], where);
    snprintf(out->label, sizeof out->label, "%llu B",
             (unsigned long long)x->bytes);
    return 0;
}

/* BenchPress ran this with 40 ranks a node, most of which only wait; else
 * there are those that copy. */
static unsigned copying_ranks(const struct csv *t, unsigned copiers,
                              const struct machine *m)
{
    char origin[64];

    csv_origin(t, origin, sizeof origin);
    return !strncmp(origin, "BenchPress", 10) ? 40 : copiers * m->ngpus;
}

static int read_copies(struct measured_point *out, const char **why,
                       const struct csv *t, size_t row, const struct machine *m,
                       struct err *err)
{
    struct experiment *x = &out->x;

    (void)why;
    x->kind = EXPERIMENT_COPIES;
    if (direction(t, row, &x->dir, err) < 0 ||
        cell_small(t, row, "copying_ranks_per_gpu", &x->copiers, err) < 0 ||
        csv_count(t, row, "bytes_per_rank", &x->bytes, err) < 0 ||
        cell_ranks_per_node(t, row, copying_ranks(t, x->copiers, m), m,
                            &x->ranks_per_node, err) < 0)
        return -1;
    if (x->copiers < 1 || x->copiers > x->ranks_per_node / m->ngpus)
        return fail(err,
                    "%s:%u: copying_ranks_per_gpu: expected from 1 to %u (%u "
                    "ranks, %u GPUs), got %u",
                    t->path, t->lines[row], x->ranks_per_node / m->ngpus,
                    x->ranks_per_node, m->ngpus, x->copiers);
    x->mps_off = cell_is(t, row, "config", "MPS_off");
    snprintf(out->group, sizeof out->group, "memcpy_mult/%s",
             x->mps_off ? "MPS_off" : "MPS_on");
    snprintf(out->label, sizeof out->label, "%u ranks per GPU, %llu B",
             x->copiers, (unsigned long long)x->bytes);
    return 0;
}

/* "nodes_per_rack=7+4+4" in the comment of the row's run: 3 racks. */
static unsigned racks_of_run(const struct csv *t, size_t row)
{
    const char *run = cell_run(t, row);
    const char *at = run ? strstr(run, "nodes_per_rack=") : NULL;
    unsigned n = 1;

    for (; at && *at && *at != ' '; at++)
        n += *at == '+';
    return n;
}

static int strategy_named(const char *const *names, const struct csv *t,
                          size_t row, unsigned *out, struct err *err)
{
    const char *name;

    if (cell_word(t, row, "strategy", names, &name, err) < 0)
        return -1;
    for (*out = 0; strcmp(names[*out], name) != 0;)
        ++*out;
    return 0;
}

static int read_all_to_all(struct measured_point *out, const char **why,
                           const struct csv *t, size_t row,
                           const struct machine *m, struct err *err)
{
    static const char *const names[] = {"cuda_aware", "copy_to_cpu",
                                        "extra_message", "dup_devptr", NULL};
    struct experiment *x = &out->x;

    *why = "mpi_collective: the MPI library's algorithm is unknown";
    if (!cell_is(t, row, "implementation", "isend_irecv"))
        return 1;
    x->kind = EXPERIMENT_ALL_TO_ALL;
    if (cell_nodes(t, row, m, &x->nodes, err) < 0 ||
        cell_small(t, row, "ranks_per_node", &x->ranks_per_node, err) < 0 ||
        csv_count(t, row, "bytes_per_gpu_pair", &x->bytes, err) < 0 ||
        strategy_named(names, t, row, &x->strategy, err) < 0)
        return -1;
    /* The runs of a point had different nodes: three a rack, about. */
    x->racks = racks_of_run(t, row) < 2 ? 1 : x->nodes < 6 ? 2 : x->nodes / 3;
    x->other_rack = x->racks > 1;
    /* The head of Lassen's file: MPS was not effective in these runs. */
    x->mps_off = !cell_is(t, row, "config", "MPS_on") &&
                 !cell_is(t, row, "config", "host_memory");
    snprintf(out->group, sizeof out->group, "all_to_all_v/isend_irecv/%s/%u",
             names[x->strategy], x->nodes);
    snprintf(out->label, sizeof out->label, "%llu B",
             (unsigned long long)x->bytes);
    return 0;
}

static int read_mult_pong(struct measured_point *out, const char **why,
                          const struct csv *t, size_t row,
                          const struct machine *m, struct err *err)
{
    struct experiment *x = &out->x;
    uint64_t total;

    (void)why;
    (void)m;
    x->kind = EXPERIMENT_MULT_PONG;
    x->other_rack =
        cell_is(t, row, "same_rack", "0") || racks_of_run(t, row) > 1;
    if (cell_device(t, row, &x->gpu, err) < 0 ||
        cell_small(t, row, "messages", &x->messages, err) < 0 ||
        csv_count(t, row, "bytes_per_message", &x->bytes, err) < 0 ||
        csv_count(t, row, "total_bytes", &total, err) < 0)
        return -1;
    /* In the split form the total is divided over the messages; either form
     * has both sizes in each row, so the file's head or name tells. */
    bool split = comment_has(t, "measured: mult_pong_split") ||
                 (!comment_has(t, "measured: mult_pong:") &&
                  strstr(file_name(t), "split"));
    snprintf(out->group, sizeof out->group, "%s/%s",
             split ? "mult_pong_split" : "mult_pong", x->gpu ? "gpu" : "cpu");
    snprintf(out->label, sizeof out->label, "%u messages of %llu B%s",
             x->messages, (unsigned long long)x->bytes, rack(x));
    return 0;
}

static int read_spmv(struct measured_point *out, const char **why,
                     const struct csv *t, size_t row, const struct machine *m,
                     struct err *err)
{
    static const char *const names[] = {"cuda_aware", "copy_to_cpu",
                                        "node_aware", "dup_devptr_node_aware",
                                        NULL};
    struct experiment *x = &out->x;
    unsigned level;

    *why = "spmv: only level 0 and the strategies without aggregation are "
           "simulated";
    x->kind = EXPERIMENT_SPMV;
    if (cell_small(t, row, "level", &level, err) < 0 ||
        cell_nodes(t, row, m, &x->nodes, err) < 0 ||
        strategy_named(names, t, row, &x->strategy, err) < 0)
        return -1;
    if (level != 0 || x->strategy > COPY_TO_CPU)
        return 1;
    x->other_rack = racks_of_run(t, row) > 1;
    snprintf(out->group, sizeof out->group, "spmv/%s", names[x->strategy]);
    snprintf(out->label, sizeof out->label, "level 0, %u nodes%s", x->nodes,
             rack(x));
    return 0;
}

/* The first that fits counts. */
static const struct measured_kind kinds[] = {
    {"ping_pong", {"rank_a", "rank_b", "locality"}, "time_s", read_ping_pong},
    {"all_pairs", {"pair_class"}, "time_median_s", read_all_pairs},
    {"pairs", {"active_pairs", "pairs_socket0"}, "time_s", read_pairs},
    {"memcpy_mult", {"copying_ranks_per_gpu"}, "time_s", read_copies},
    {"memcpy", {"direction_performed", "cpu_socket"}, "time_s", read_copy},
    {"all_to_all_v", {"bytes_per_gpu_pair"}, "time_s", read_all_to_all},
    {"mult_pong", {"messages", "in_bounds"}, "time_s", read_mult_pong},
    {"spmv", {"level", "nnz", "strategy"}, "time_s", read_spmv},
};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

const struct measured_kind *measured_kind(const struct csv *t)
{
    for (size_t k = 0; k < NKINDS; k++) {
        bool all = true;
        for (size_t c = 0; c < 3 && kinds[k].columns[c]; c++)
            all = all && csv_column(t, kinds[k].columns[c]) >= 0;
        if (all)
            return &kinds[k];
    }
    return NULL;
}
