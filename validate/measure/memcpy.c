/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One copy by one rank: to a GPU, from it, or between two. */
#include "validate/measure/benchmark.h"

#include <stdio.h>

/* --- the plan ------------------------------------------------------------- */

static int memcpy_plan(struct plan *p, const struct machine *m,
                       const struct experiment *x, struct err *err)
{
    if (experiment_needs(m, x->core[0], x->device[0], true, err) < 0 ||
        experiment_needs(m, x->core[0], x->device[1], x->dir == D2D, err) < 0)
        return -1;
    experiment_all_cores(p, m, "copy", 1);
    if (x->dir == D2D)
        plan_copy_peer(p, PHASE_COPY_IN, x->core[0], x->device[0], x->device[1],
                       x->bytes);
    else
        plan_copy(p, PHASE_COPY_IN, x->core[0], x->dir, x->device[0], x->bytes);
    return 0;
}

/* --- rows ----------------------------------------------------------------- */

static int memcpy_row(struct measured_point *out, struct row *r,
                      struct err *err)
{
    static const char *const places[] = {"on_socket", "off_socket",
                                         "gpus_across_sockets",
                                         "gpus_on_other_socket", NULL};
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    const char *where;
    unsigned socket;

    if (row_direction(t, r->row, &x->dir, err) < 0)
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

/* --- points of sluice-native ---------------------------------------------- */

/* Returns the place of a copy in the words of the column. If the system does
 * not say, it counts as on the socket. */
static const char *memcpy_place(const struct sweep *s, unsigned socket,
                                const struct experiment *x)
{
    int a = s->gpu_sockets[x->device[0]], b = s->gpu_sockets[x->device[1]];

    if (a < 0 || b < 0)
        return "on_socket";
    if (a != b)
        return "gpus_across_sockets";
    if (a == (int)socket)
        return "on_socket";
    return x->dir == D2D ? "gpus_on_other_socket" : "off_socket";
}

static void memcpy_sizes(const struct sweep *s, struct experiment *x)
{
    const char *dir = copy_dir_names[x->dir];
    unsigned rank = x->core[0], socket = s->sockets[rank];
    char other[16] = "";

    if (x->dir == D2D)
        snprintf(other, sizeof other, "%u", x->device[1]);
    for (x->bytes = s->sizes.from; x->bytes <= s->sizes.to;
         x->bytes *= s->sizes.factor)
        sweep_point(s, x, "%s,%s,%u,%u,%u,%s,%s,%llu", dir, dir, rank, socket,
                    x->device[0], other, memcpy_place(s, socket, x),
                    (unsigned long long)x->bytes);
}

static void memcpy_rank(const struct sweep *s, unsigned rank)
{
    struct experiment x = {.iteration = true, .core = {rank}};

    for (unsigned g = 0; g < s->m->ngpus; g++) {
        x.device[0] = x.device[1] = g;
        for (int d = H2D; d <= D2H; d++) {
            x.dir = (enum copy_dir)d;
            memcpy_sizes(s, &x);
        }
    }
    x.dir = D2D;
    for (x.device[0] = 0; x.device[0] < s->m->ngpus; x.device[0]++)
        for (x.device[1] = x.device[0] + 1; x.device[1] < s->m->ngpus;
             x.device[1]++)
            memcpy_sizes(s, &x);
}

/* Measures the first rank of each socket of the first node. */
static void memcpy_sweep(const struct sweep *s)
{
    for (unsigned r = 0; r < s->m->ncores; r++) {
        bool first = true;
        for (unsigned before = 0; before < r; before++)
            first = first && s->sockets[before] != s->sockets[r];
        if (first)
            memcpy_rank(s, r);
    }
}

static const char *const memcpy_notes[] = {
    "time_s: one cudaMemcpyAsync on a stream of its own, then "
    "cudaStreamSynchronize, elapsed/iterations; pinned host memory; one "
    "rank copies at a time, all others sleep; one row a batch, after two "
    "that do not count",
    SWEEP_HOST_NOTE,
    "locality: of the GPUs to the rank's socket; on_socket too where the "
    "system does not tell",
    NULL};

static const struct benchmark_command memcpy_commands[] = {
    {.name = "memcpy",
     .summary = "copies between host and GPUs, and between GPUs",
     .about = "The first rank of each socket of the first node copies to, from "
              "and between its GPUs; the time is that of one copy and the wait "
              "for it. Without a GPU memcpy between host buffers.\n",
     .measured = "copies between host and GPUs and between GPUs, one rank at a "
                 "time",
     .notes = memcpy_notes,
     .columns = "direction_printed,direction_performed,cpu_rank,cpu_socket,"
                "gpu_a,gpu_b,locality,bytes",
     .sizes = {4, 32u << 20},
     .copies = true,
     .sweep = memcpy_sweep},
    {0}};

const struct benchmark memcpy_benchmark = {
    .file = {.name = "memcpy",
             .columns = {"direction_performed", "cpu_socket"},
             .time = "time_s",
             .read = memcpy_row,
             .simulated = "direction_printed direction_performed cpu_rank "
                          "cpu_socket gpu_a gpu_b "
                          "locality bytes",
             .gpus = true},
    .plan = memcpy_plan,
    .by_size = true,
    .commands = memcpy_commands,
};
