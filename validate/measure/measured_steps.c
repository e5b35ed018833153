/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads rows of steps of a stencil code, and of queues: the time to match many
 * messages. */
#include "validate/measure/measured_rows.h"

#include <stdio.h>
#include <string.h>

/* Returns whether a backend sends out of GPU memory by an MPI's ordinary
 * calls. */
static bool ordinary_mpi(const char *backend)
{
    return strstr(backend, "gpu_aware") && !strstr(backend, "stream");
}

/* Sets the time that one GPU computes in a step, from the rows of one GPU or,
 * without them, from the bandwidth of its memory: a value read and one written
 * per cell. */
static int halo_kernel(struct row *r, struct experiment *x, unsigned gpus)
{
    double whole_s = survey_kernel(r->survey, r->t, r->row);
    double cells = (double)x->grid_cells * (double)x->grid_cells;

    if (whole_s <= 0 && r->m->gpu.memory_Bps <= 0)
        return leave_out(r,
                         "no row of one GPU, and %s does not say how fast "
                         "its GPUs are",
                         r->m->name);
    if (whole_s <= 0) {
        whole_s = 16 * cells / r->m->gpu.memory_Bps;
        snprintf(r->note, sizeof r->note,
                 "no row of one GPU: the kernel from the bandwidth of %s's "
                 "GPUs",
                 r->m->name);
    } else {
        /* A GPU alone waits for its kernel too. */
        whole_s -= r->m->gpu.launch_s + r->m->gpu.sync_s;
        snprintf(r->note, sizeof r->note,
                 "the kernel's time is the file's of one GPU");
    }
    x->kernel_s = whole_s > 0 ? whole_s / gpus : 0;
    return 0;
}

int read_halo_step(struct measured_point *out, struct row *r, struct err *err)
{
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    const char *backend = csv_text(t, r->row, "backend");
    unsigned gpus;

    x->kind = EXPERIMENT_HALO_STEP;
    x->gpu = true;
    if (!ordinary_mpi(backend))
        return leave_out(r, "not an MPI's ordinary messages: %.60s", backend);
    if (cell_small(t, r->row, "gpus_per_node", &x->ranks_per_node, err) < 0 ||
        cell_small(t, r->row, "grid_edge_cells", &x->grid_cells, err) < 0)
        return -1;
    int got = row_nodes(r, &x->nodes, err);
    if (got)
        return got;
    if (!x->ranks_per_node || !x->grid_cells)
        return fail(err, "%s:%u: expected GPUs and cells above 0", t->path,
                    t->lines[r->row]);
    if (x->ranks_per_node > r->m->ngpus)
        return leave_out(r, "%s has %u GPUs a node, not %u", r->m->name,
                         r->m->ngpus, x->ranks_per_node);
    gpus = x->nodes * x->ranks_per_node;
    if (gpus == 1)
        return leave_out(r, "one GPU: there is no halo");
    got = halo_kernel(r, x, gpus);
    if (got)
        return got;
    snprintf(out->group, sizeof out->group, "halo_step/%u_cells/%u",
             x->grid_cells, x->nodes);
    snprintf(out->label, sizeof out->label, "%u nodes of %u GPUs", x->nodes,
             x->ranks_per_node);
    return 0;
}

int read_matching(struct measured_point *out, struct row *r, struct err *err)
{
    static const char *const places[] = {"on_numa", "on_socket", "on_node",
                                         "off_node", NULL};
    static const char *const orders[] = {"in_order", "reversed", NULL};
    const struct machine *m = r->m;
    struct experiment *x = &out->x;
    const char *where, *order;
    const struct csv *t = r->t;

    x->kind = EXPERIMENT_MATCHING;
    x->bytes = 1;
    if (cell_word(t, r->row, "locality", places, &where, err) < 0 ||
        cell_word(t, r->row, "receive_order", orders, &order, err) < 0 ||
        cell_small(t, r->row, "messages", &x->messages, err) < 0)
        return -1;
    if (!x->messages)
        return fail(err, "%s:%u: messages: expected at least 1, got 0", t->path,
                    t->lines[r->row]);
    x->reversed = !strcmp(order, orders[1]);
    x->two_nodes = !strcmp(where, "off_node");
    if (!strcmp(where, "on_numa"))
        x->core[1] = 1;
    else if (!strcmp(where, "on_socket"))
        x->core[1] = machine_socket(m, 0)->cores - 1;
    else if (!strcmp(where, "on_node"))
        x->core[1] = machine_socket_core(m, m->nsockets - 1);
    if (x->two_nodes ? m->network.nodes < 2
                     : !x->core[1] || x->core[1] >= m->ncores)
        return leave_out(r, "%s has no two such ranks: %s", m->name, where);
    snprintf(out->group, sizeof out->group, "matching/%s/%s", order, where);
    snprintf(out->label, sizeof out->label, "%u messages", x->messages);
    return 0;
}
