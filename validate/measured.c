/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/measured.h"

#include "sim/csv.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads one row; 0: an experiment, 1: to be skipped (why is set), -1: error. */
typedef int row_reader(struct measured_point *out, const char **why,
                       const struct csv *t, size_t row, const struct machine *m,
                       struct err *err);

static bool is(const struct csv *t, size_t row, const char *column,
               const char *value)
{
    const char *text = csv_text(t, row, column);

    return text && !strcmp(text, value);
}

static int small(const struct csv *t, size_t row, const char *column,
                 unsigned *out, struct err *err)
{
    uint64_t v;

    if (csv_count(t, row, column, &v, err) < 0)
        return -1;
    if (v > 1000000)
        return fail(err, "%s:%u: %s: %llu is too large", t->path, t->lines[row],
                    column, (unsigned long long)v);
    *out = (unsigned)v;
    return 0;
}

/* How many nodes took part: as many as the machine has, at most. */
static int nodes(const struct csv *t, size_t row, const struct machine *m,
                 unsigned *out, struct err *err)
{
    if (small(t, row, "nodes", out, err) < 0)
        return -1;
    if (*out < 1 || *out > m->network.nodes)
        return fail(err, "%s:%u: nodes: expected from 1 to %u, got %u", t->path,
                    t->lines[row], m->network.nodes, *out);
    return 0;
}

/* "gpu" or "cpu". */
static int device(const struct csv *t, size_t row, bool *gpu, struct err *err)
{
    *gpu = is(t, row, "device", "gpu");
    if (!*gpu && !is(t, row, "device", "cpu"))
        return fail(err, "%s:%u: device: expected cpu or gpu, got '%s'",
                    t->path, t->lines[row],
                    csv_text(t, row, "device") ? csv_text(t, row, "device")
                                               : "");
    return 0;
}

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
 * The ranks of a ping-pong: as many on each node as it has GPUs, spread over
 * the sockets, each filled from its first core.
 */
static int pp_end(const struct csv *t, size_t row, const struct machine *m,
                  const char *rank_column, const char *socket_column,
                  struct experiment *x, int end, struct err *err)
{
    unsigned rank, socket, per_socket = m->ngpus / m->nsockets;

    if (small(t, row, rank_column, &rank, err) < 0 ||
        small(t, row, socket_column, &socket, err) < 0)
        return -1;
    if (socket >= m->nsockets)
        return fail(err, "%s:%u: %s: %s has no socket %u", t->path,
                    t->lines[row], socket_column, m->name, socket);
    x->device[end] = rank % m->ngpus;
    x->core[end] = machine_socket_core(m, socket) + x->device[end] % per_socket;
    return 0;
}

static int read_ping_pong(struct measured_point *out, const char **why,
                          const struct csv *t, size_t row,
                          const struct machine *m, struct err *err)
{
    struct experiment *x = &out->x;
    const char *where = csv_text(t, row, "locality");
    const char *file = file_name(t);
    bool staged = strstr(file, "3step") || strstr(file, "3-step") ||
                  strstr(file, "3_step") || comment_has(t, "ping_pong_3step");

    (void)why;
    x->kind = staged ? PING_PONG_3STEP : PING_PONG;
    x->gpu = true;
    if ((csv_column(t, "device") >= 0 && device(t, row, &x->gpu, err) < 0) ||
        csv_count(t, row, "bytes", &x->bytes, err) < 0 ||
        pp_end(t, row, m, "rank_a", "socket_a", x, 0, err) < 0 ||
        pp_end(t, row, m, "rank_b", "socket_b", x, 1, err) < 0)
        return -1;
    x->two_nodes = !strcmp(where, "off_node");
    x->other_rack = x->two_nodes && is(t, row, "same_rack", "0");
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
    x->kind = PING_PONG;
    if (device(t, row, &x->gpu, err) < 0 ||
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
    (void)m;
    x->kind = PAIRS;
    if ((csv_column(t, "device") >= 0 && device(t, row, &x->gpu, err) < 0) ||
        small(t, row, "active_pairs", &x->pairs, err) < 0 ||
        small(t, row, "pairs_socket0", &x->socket0_pairs, err) < 0 ||
        csv_count(t, row, "bytes_per_message", &x->bytes, err) < 0)
        return -1;
    if (x->pairs == 0 || x->socket0_pairs > x->pairs)
        return fail(err, "%s:%u: %u pairs, %u of them on socket 0", t->path,
                    t->lines[row], x->pairs, x->socket0_pairs);
    x->other_rack = is(t, row, "same_rack", "0");
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
    const char *text = csv_text(t, row, "direction_performed");

    for (int d = 0; d < NCOPY_DIRS; d++)
        if (text && !strcmp(text, copy_dir_names[d])) {
            *dir = (enum copy_dir)d;
            return 0;
        }
    return fail(err,
                "%s:%u: direction_performed: expected H2D, D2H or D2D, "
                "got '%s'",
                t->path, t->lines[row], text ? text : "");
}

static int read_copy(struct measured_point *out, const char **why,
                     const struct csv *t, size_t row, const struct machine *m,
                     struct err *err)
{
    struct experiment *x = &out->x;
    unsigned socket;

    (void)why;
    x->kind = COPY;
    if (direction(t, row, &x->dir, err) < 0 ||
        small(t, row, "cpu_socket", &socket, err) < 0 ||
        small(t, row, "gpu_a", &x->device[0], err) < 0 ||
        csv_count(t, row, "bytes", &x->bytes, err) < 0)
        return -1;
    if (x->dir == D2D && small(t, row, "gpu_b", &x->device[1], err) < 0)
        return -1;
    if (socket >= m->nsockets)
        return fail(err, "%s:%u: cpu_socket: %s has no socket %u", t->path,
                    t->lines[row], m->name, socket);
    x->core[0] = machine_socket_core(m, socket);
    snprintf(out->group, sizeof out->group, "memcpy/%s/%s",
             copy_dir_names[x->dir], csv_text(t, row, "locality"));
    snprintf(out->label, sizeof out->label, "%llu B",
             (unsigned long long)x->bytes);
    return 0;
}

static int read_copies(struct measured_point *out, const char **why,
                       const struct csv *t, size_t row, const struct machine *m,
                       struct err *err)
{
    struct experiment *x = &out->x;

    (void)why;
    (void)m;
    x->kind = COPIES;
    x->ranks_per_node = 40;
    if (direction(t, row, &x->dir, err) < 0 ||
        small(t, row, "copying_ranks_per_gpu", &x->copiers, err) < 0 ||
        csv_count(t, row, "bytes_per_rank", &x->bytes, err) < 0)
        return -1;
    x->mps_off = is(t, row, "config", "MPS_off");
    snprintf(out->group, sizeof out->group, "memcpy_mult/%s",
             x->mps_off ? "MPS_off" : "MPS_on");
    snprintf(out->label, sizeof out->label, "%u ranks per GPU, %llu B",
             x->copiers, (unsigned long long)x->bytes);
    return 0;
}

/* "nodes_per_rack=7+4+4" in the comment of the row's run: 3 racks. */
static unsigned racks_of_run(const struct csv *t, size_t row)
{
    const char *run = csv_text(t, row, "run_id");
    char wanted[64];

    if (!run)
        return 1;
    snprintf(wanted, sizeof wanted, "run_id=%s ", run);
    for (size_t i = 0; i < t->ncomments; i++) {
        if (!strstr(t->comments[i], wanted))
            continue;
        const char *at = strstr(t->comments[i], "nodes_per_rack=");
        unsigned n = 1;
        for (; at && *at && *at != ' '; at++)
            n += *at == '+';
        return n;
    }
    return 1;
}

static int strategy_named(const char *const *names, const struct csv *t,
                          size_t row, unsigned *out, struct err *err)
{
    const char *text = csv_text(t, row, "strategy");

    for (unsigned i = 0; i < 4; i++)
        if (!strcmp(text, names[i])) {
            *out = i;
            return 0;
        }
    return fail(err, "%s:%u: strategy: expected %s, %s, %s or %s, got '%s'",
                t->path, t->lines[row], names[0], names[1], names[2], names[3],
                text);
}

static int read_all_to_all(struct measured_point *out, const char **why,
                           const struct csv *t, size_t row,
                           const struct machine *m, struct err *err)
{
    static const char *const names[] = {"cuda_aware", "copy_to_cpu",
                                        "extra_message", "dup_devptr"};
    struct experiment *x = &out->x;

    *why = "mpi_collective: the MPI library's algorithm is unknown";
    if (!is(t, row, "implementation", "isend_irecv"))
        return 1;
    x->kind = ALL_TO_ALL;
    if (nodes(t, row, m, &x->nodes, err) < 0 ||
        small(t, row, "ranks_per_node", &x->ranks_per_node, err) < 0 ||
        csv_count(t, row, "bytes_per_gpu_pair", &x->bytes, err) < 0 ||
        strategy_named(names, t, row, &x->strategy, err) < 0)
        return -1;
    /* The runs of a point had different nodes: three a rack, about. */
    x->racks = racks_of_run(t, row) < 2 ? 1 : x->nodes < 6 ? 2 : x->nodes / 3;
    x->other_rack = x->racks > 1;
    /* The head of Lassen's file: MPS was not effective in these runs. */
    x->mps_off =
        !is(t, row, "config", "MPS_on") && !is(t, row, "config", "host_memory");
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
    x->kind = MULT_PONG;
    x->other_rack = is(t, row, "same_rack", "0") || racks_of_run(t, row) > 1;
    if (device(t, row, &x->gpu, err) < 0 ||
        small(t, row, "messages", &x->messages, err) < 0 ||
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
                                        "node_aware", "dup_devptr_node_aware"};
    struct experiment *x = &out->x;
    unsigned level;

    *why = "spmv: only level 0 and the strategies without aggregation are "
           "simulated";
    x->kind = SPMV;
    if (small(t, row, "level", &level, err) < 0 ||
        nodes(t, row, m, &x->nodes, err) < 0 ||
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

/* The kinds, by a column that only they have. The first that fits counts. */
static const struct kind {
    const char *name;
    const char *columns[3];
    const char *time;
    row_reader *read;
} kinds[] = {
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

static const struct kind *kind_of(const struct csv *t)
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

/* The rows of one point, while the file is read. */
struct times {
    double *s;
    size_t n, room;
};

static void add_time(struct times *list, double s)
{
    if (list->n == list->room) {
        list->room = list->room ? 2 * list->room : 8;
        list->s = xrealloc(list->s, list->room, sizeof *list->s);
    }
    list->s[list->n++] = s;
}

/* The point of this experiment, new or known. Points are few (thousands). */
static size_t point_index(struct measured *f, struct times **times,
                          const struct measured_point *p)
{
    for (size_t i = f->npoints; i-- > 0;)
        if (!strcmp(f->points[i].group, p->group) &&
            !strcmp(f->points[i].label, p->label))
            return i;
    f->points = xrealloc(f->points, f->npoints + 1, sizeof *f->points);
    *times = xrealloc(*times, f->npoints + 1, sizeof **times);
    f->points[f->npoints] = *p;
    (*times)[f->npoints] = (struct times){0};
    return f->npoints++;
}

static int read_rows(struct measured *f, struct times **times,
                     const struct csv *t, const struct kind *kind,
                     const struct machine *m, struct err *err)
{
    for (size_t row = 0; row < t->nrows; row++) {
        struct measured_point p = {.line = t->lines[row]};
        const char *why = "";
        double s;
        int got = kind->read(&p, &why, t, row, m, err);
        if (got < 0)
            return -1;
        if (got > 0) {
            f->skipped++;
            snprintf(f->skipped_why, sizeof f->skipped_why, "%s", why);
            continue;
        }
        if (csv_number(t, row, kind->time, &s, err) < 0)
            return -1;
        if (s <= 0)
            return fail(err, "%s:%u: %s: expected a time above 0, got %g",
                        t->path, t->lines[row], kind->time, s);
        size_t i = point_index(f, times, &p);
        add_time(&(*times)[i], s);
    }
    return 0;
}

int measured_load(struct measured *f, const char *path, const struct machine *m,
                  struct err *err)
{
    struct csv t;
    struct times *times = NULL;
    int result = 0;

    memset(f, 0, sizeof *f);
    if (csv_load(&t, path, err) < 0)
        return -1;
    const struct kind *kind = kind_of(&t);
    if (!kind)
        result = fail(err,
                      "%s: not a file of measurements that sluice knows "
                      "(no known set of columns)",
                      path);
    else if (m->ngpus < m->nsockets)
        result = fail(err, "%s has fewer GPUs than sockets", m->name);
    f->path = xstrdup(path);
    csv_origin(&t, f->origin, sizeof f->origin);
    if (result == 0) {
        const char *machine = csv_text(&t, 0, "machine");
        snprintf(f->kind, sizeof f->kind, "%s", kind->name);
        snprintf(f->machine, sizeof f->machine, "%s", machine ? machine : "");
        result = read_rows(f, &times, &t, kind, m, err);
    }
    for (size_t i = 0; i < f->npoints; i++) {
        gsl_sort(times[i].s, 1, times[i].n);
        f->points[i].measured_s =
            gsl_stats_median_from_sorted_data(times[i].s, 1, times[i].n);
        f->points[i].nrows = times[i].n;
        free(times[i].s);
    }
    free(times);
    csv_clear(&t);
    if (result < 0)
        measured_clear(f);
    return result;
}

void measured_clear(struct measured *f)
{
    free(f->path);
    free(f->points);
    memset(f, 0, sizeof *f);
}
