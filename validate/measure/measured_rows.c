/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises the kind of a measured file by its columns and turns its rows into
 * experiments. */
#include "validate/measure/measured_rows.h"

#include "validate/measure/benchmark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int read_ping_pong(struct measured_point *out, struct row *r,
                          struct err *err)
{
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    const char *where;
    bool staged = pp_staged(r);

    x->kind = staged ? EXPERIMENT_PING_PONG_3STEP : EXPERIMENT_PING_PONG;
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

/* Reads the median pair of a class of pairs, over all pairs of two full
 * nodes. */
static int read_all_pairs(struct measured_point *out, struct row *r,
                          struct err *err)
{
    const struct machine *m = r->m;
    const struct csv *t = r->t;
    struct experiment *x = &out->x;
    const char *class = csv_text(t, r->row, "pair_class");

    x->kind = EXPERIMENT_PING_PONG;
    if (cell_device(t, r->row, &x->gpu, err) < 0 ||
        csv_count(t, r->row, "bytes", &x->bytes, err) < 0)
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
        return leave_out(r, "pair class unknown: %s", class);
    snprintf(out->group, sizeof out->group, "all_pairs/%s/%s",
             x->gpu ? "gpu" : "cpu", class);
    snprintf(out->label, sizeof out->label, "%llu B",
             (unsigned long long)x->bytes);
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

static int read_copy(struct measured_point *out, struct row *r, struct err *err)
{
    static const char *const places[] = {"on_socket", "off_socket",
                                         "gpus_across_sockets",
                                         "gpus_on_other_socket", NULL};
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    const char *where;
    unsigned socket;

    x->kind = EXPERIMENT_COPY;
    if (direction(t, r->row, &x->dir, err) < 0)
        return -1;
    if (cell_blank(t, r->row, "locality") ||
        cell_blank(t, r->row, "cpu_socket"))
        return leave_out(r, "locality or cpu_socket is empty");
    if (cell_word(t, r->row, "locality", places, &where, err) < 0 ||
        csv_count(t, r->row, "bytes", &x->bytes, err) < 0)
        return -1;
    int got = row_socket(r, "cpu_socket", &socket, err);
    if (got == 0)
        got = row_gpu(r, "gpu_a", &x->device[0], err);
    if (got == 0 && x->dir == D2D)
        got = row_gpu(r, "gpu_b", &x->device[1], err);
    if (got)
        return got;
    x->core[0] = machine_socket_core(r->m, socket);
    snprintf(out->group, sizeof out->group, "memcpy/%s/%s",
             copy_dir_names[x->dir], where);
    snprintf(out->label, sizeof out->label, "%llu B",
             (unsigned long long)x->bytes);
    return 0;
}

/* Returns the number of ranks in the line "measured:" of the head, 40 for "one
 * node of Lassen, 40 ranks (10 per GPU), ..."; 0 if it does not say. */
static unsigned ranks_in_head(const struct csv *t)
{
    for (size_t i = 0; i < t->ncomments; i++) {
        const char *text = t->comments[i];
        if (strncmp(text, " measured:", 10) != 0)
            continue;
        for (const char *at = text; (at = strstr(at, " ranks")); at++) {
            const char *digit = at;
            while (digit > text && digit[-1] >= '0' && digit[-1] <= '9')
                digit--;
            if (digit < at)
                return (unsigned)strtoul(digit, NULL, 10);
        }
    }
    return 0;
}

/* Reads the pattern; files without one have copies in one direction. */
static int read_pattern(struct measured_point *out, const struct row *r,
                        struct err *err)
{
    struct experiment *x = &out->x;
    unsigned pattern = COPY_ONE_WAY;

    if (!cell_empty(r->t, r->row, "pattern") &&
        cell_name(r->t, r->row, "pattern", copy_pattern_names, NCOPY_PATTERNS,
                  &pattern, err) < 0)
        return -1;
    x->pattern = (enum copy_pattern)pattern;
    return x->pattern == COPY_ONE_WAY ? direction(r->t, r->row, &x->dir, err)
                                      : 0;
}

/* Reads the number of GPUs that copied: all, or one that the machine's GPUs
 * represent. */
static int copied_gpus(struct measured_point *out, struct row *r,
                       struct err *err)
{
    const struct machine *m = r->m;
    unsigned busy = m->ngpus;

    if (!cell_empty(r->t, r->row, "gpus_copying") &&
        cell_small(r->t, r->row, "gpus_copying", &busy, err) < 0)
        return -1;
    if (busy == m->ngpus)
        return 0;
    out->x.copied_gpus = busy;
    return busy == 1 && m->copies.gpus_are_one
               ? 0
               : leave_out(r, "%u GPUs copied, %s has %u", busy, m->name,
                           m->ngpus);
}

static void name_copies(struct measured_point *out)
{
    const struct experiment *x = &out->x;
    const char *mps = x->mps_off ? "MPS_off" : "MPS_on";

    if (x->pattern != COPY_ONE_WAY || x->copied_gpus)
        snprintf(out->group, sizeof out->group, "memcpy_mult/%s/%s", mps,
                 copy_pattern_names[x->pattern]);
    else
        snprintf(out->group, sizeof out->group, "memcpy_mult/%s", mps);
    snprintf(out->label, sizeof out->label, "%u ranks per GPU, %llu B%s",
             x->copiers, (unsigned long long)x->bytes,
             x->pattern != COPY_ONE_WAY ? ", both ways"
             : x->dir == D2H            ? ", to the host"
             : x->dir == D2D            ? ", in the GPU"
                                        : "");
}

static int read_copies(struct measured_point *out, struct row *r,
                       struct err *err)
{
    struct experiment *x = &out->x;
    const struct csv *t = r->t;

    x->kind = EXPERIMENT_COPIES;
    if (read_pattern(out, r, err) < 0 ||
        cell_small(t, r->row, "copying_ranks_per_gpu", &x->copiers, err) < 0 ||
        csv_count(t, r->row, "bytes_per_rank", &x->bytes, err) < 0)
        return -1;
    int got = copied_gpus(out, r, err);
    if (got)
        return got;
    unsigned ngpus = x->copied_gpus ? x->copied_gpus : r->m->ngpus;
    unsigned ranks = ranks_in_head(t);
    if (ranks < x->copiers * ngpus)
        ranks = x->copiers * ngpus;
    got = row_ranks_per_node(r, ranks, &x->ranks_per_node, err);
    if (got)
        return got;
    if (x->copiers < 1 || x->copiers > x->ranks_per_node / ngpus)
        return fail(err,
                    "%s:%u: copying_ranks_per_gpu: expected from 1 to %u (%u "
                    "ranks, %u GPUs), got %u",
                    t->path, t->lines[r->row], x->ranks_per_node / ngpus,
                    x->ranks_per_node, ngpus, x->copiers);
    x->mps_off = !row_mps(r);
    name_copies(out);
    return 0;
}

/* The kinds of files that are not of a benchmark (benchmark.h); the first that
 * matches counts. */
static const struct measured_kind kinds[] = {
    {"ping_pong",
     {"rank_a", "rank_b", "locality"},
     "time_s",
     read_ping_pong,
     "device method locality rank_a rank_b socket_a socket_b bytes same_rack "
     "ranks_per_node",
     false,
     false},
    {"all_pairs",
     {"pair_class"},
     "time_median_s",
     read_all_pairs,
     "device pair_class bytes pairs",
     false,
     false},
    {"pairs",
     {"active_pairs", "pairs_socket0"},
     "time_s",
     read_pairs,
     "device active_pairs pairs_socket0 fill total_bytes bytes_per_message "
     "same_rack",
     false,
     false},
    {"multi_pair",
     {"pairs_per_domain", "domains_active", "domain"},
     "time_s",
     read_multi_pair,
     "device method locality domain domains_active pairs_per_domain "
     "pairs_total pairs_socket0 bytes_per_message",
     false,
     false},
    {"gpu_messages",
     {"flow", "part", "gpus"},
     "time_s",
     read_gpu_messages,
     "flow part ranks gpus bytes mps",
     true,
     false},
    {"memcpy_mult",
     {"copying_ranks_per_gpu"},
     "time_s",
     read_copies,
     "direction_printed direction_performed copying_ranks_per_gpu "
     "gpus_copying bytes_per_rank ranks_per_node pattern mps",
     true,
     false},
    {"memcpy",
     {"direction_performed", "cpu_socket"},
     "time_s",
     read_copy,
     "direction_printed direction_performed cpu_rank cpu_socket gpu_a gpu_b "
     "locality bytes",
     true,
     false},
    {"all_to_all_v",
     {"bytes_per_gpu_pair"},
     "time_s",
     read_all_to_all,
     "nodes ranks_per_node implementation strategy bytes_per_gpu_pair mps",
     false,
     false},
    {"alltoall",
     {"bytes_per_rank_pair", "phase", "leaders_or_groups_per_node"},
     "time_s",
     read_collective,
     "nodes ranks_per_node bytes_per_rank_pair strategy exchange "
     "leaders_or_groups_per_node phase",
     false,
     false},
    {"all_reduce",
     {"bytes_per_gpu", "strategy"},
     "time_s",
     read_all_reduce,
     "nodes gpus ranks_per_node strategy bytes_per_gpu",
     false,
     false},
    {"gpu_collectives",
     {"partition_mode", "ranks_per_gpu", "algorithm"},
     "time_s",
     read_gpu_collective,
     "nodes gpus_per_node ranks_per_gpu partition_mode collective algorithm "
     "bytes variant",
     false,
     false},
    {"collectives",
     {"algorithm", "bytes_total", "torus_dims"},
     "median_s",
     read_call,
     "nodes torus_dims ranks collective memory algorithm bytes_total "
     "session test p10_s p90_s min_s median_s iterations",
     false,
     true},
    {"native_collective",
     {"operation", "memory_of", "per_gpu"},
     "time_s",
     read_native_call,
     "operation algorithm nodes ranks_per_node per_gpu bytes elements memory "
     "memory_of iterations batches least_s most_s simulated_s",
     false,
     false},
    {"spmv",
     {"level", "nnz", "strategy"},
     "time_s",
     read_spmv,
     "nodes ranks_per_gpu aggregation level program result_mismatch nnz "
     "max_messages_per_gpu "
     "max_values_sent_per_gpu max_messages_per_rank_node_aware strategy",
     false,
     false},
};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

static bool kind_is_of(const struct measured_kind *kind, const struct csv *t)
{
    for (size_t c = 0; c < 3 && kind->columns[c]; c++)
        if (csv_column(t, kind->columns[c]) < 0)
            return false;
    return true;
}

const struct measured_kind *measured_kind(const struct csv *t)
{
    for (int x = 0; x < NEXPERIMENTS; x++) {
        const struct benchmark *b = benchmark_of((enum experiment_kind)x);
        if (b && kind_is_of(&b->file, t))
            return &b->file;
    }
    for (size_t k = 0; k < NKINDS; k++)
        if (kind_is_of(&kinds[k], t))
            return &kinds[k];
    return NULL;
}

bool measured_has_sessions(const char *kind)
{
    for (size_t k = 0; kind && k < NKINDS; k++)
        if (!strcmp(kind, kinds[k].name))
            return kinds[k].sessions;
    return false;
}
