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
};
