/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step of a stencil code on a square periodic grid: kernel, packing, halo
 * exchange between GPUs, unpacking. */
#include "validate/measure/benchmark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_B = 8, NEIGHBOURS = 8 };

/* --- the plan ------------------------------------------------------------- */

struct halo_grid {
    unsigned rows, cols; /* ranks of the grid */
    unsigned cells;      /* edge of the whole grid */
};

/* Divides the ranks as MPI_Dims_create does: as square as possible, with no
 * fewer rows than columns. */
static struct halo_grid halo_grid_of(const struct experiment *x)
{
    unsigned gpus = x->nodes * x->ranks_per_node, cols = 1;

    for (unsigned i = 1; i * i <= gpus; i++)
        if (gpus % i == 0)
            cols = i;
    return (struct halo_grid){gpus / cols, cols, x->grid_cells};
}

static uint32_t neighbour(const struct halo_grid *g, uint32_t rank, int down,
                          int right)
{
    unsigned row = rank / g->cols, col = rank % g->cols;

    row = (row + g->rows + (unsigned)down) % g->rows;
    col = (col + g->cols + (unsigned)right) % g->cols;
    return row * g->cols + col;
}

/* Returns the bytes for the neighbour: an edge of the block, or a corner. */
static uint64_t halo_bytes(const struct halo_grid *g, int down, int right)
{
    if (down && right)
        return CELL_B;
    return (uint64_t)CELL_B * (down ? g->cells / g->cols : g->cells / g->rows);
}

/* Returns the time of a kernel that packs or unpacks this many bytes, with its
 * launch. */
static double pack_s(const struct machine *m, uint64_t bytes)
{
    double memory_s =
        m->gpu.memory_Bps > 0 ? 2 * (double)bytes / m->gpu.memory_Bps : 0;

    return m->gpu.launch_s + memory_s;
}

static void send_all(struct plan *p, const struct machine *m,
                     const struct halo_grid *g, uint32_t rank, uint32_t *first)
{
    uint32_t before = (uint32_t)p->nops - 1; /* the kernel, then each packing */

    *first = (uint32_t)p->nops;
    for (int i = 0; i < 9; i++) {
        int down = i / 3 - 1, right = i % 3 - 1;
        uint32_t to = neighbour(g, rank, down, right);
        uint32_t here =
            rank / p->ranks_per_node * m->ngpus + rank % p->ranks_per_node;
        uint32_t there =
            to / p->ranks_per_node * m->ngpus + to % p->ranks_per_node;
        uint64_t bytes = halo_bytes(g, down, right);
        if (!down && !right)
            continue;
        uint32_t pack = plan_work(p, rank, pack_s(m, bytes) + m->gpu.sync_s);
        plan_after(p, before);
        (void)plan_msg(p, PHASE_OFF_NODE, rank, to, here, there, bytes);
        plan_after(p, pack);
        before = pack;
    }
}

/* Plans the kernels that unpack, after the messages of the opposite directions;
 * first[] is the first packing kernel of each rank. Nobody waits for them,
 * because the next step's kernel follows them on the stream, and is waited for.
 */
static void receive_all(struct plan *p, const struct machine *m,
                        const struct halo_grid *g, uint32_t rank,
                        const uint32_t *first)
{
    unsigned k = 0;

    for (int i = 0; i < 9; i++) {
        int down = i / 3 - 1, right = i % 3 - 1;
        if (!down && !right)
            continue;
        uint32_t from = neighbour(g, rank, -down, -right);
        uint32_t msg = first[from] + 2 * k++ + 1;
        plan_work(p, rank, pack_s(m, halo_bytes(g, down, right)));
        plan_after(p, msg);
        /* It also comes after all packing. */
        plan_after(p, first[rank] + 2 * (NEIGHBOURS - 1));
    }
}

/* Plans the step of CabanaGhost's game of life
 * (github.com/CUP-ECS/CabanaGhost): 8 bytes per cell, one rank per GPU, blocks
 * of a grid of ranks that is as square as possible, eight neighbours, some of
 * which may be the same. The kernel comes first; then for each neighbour a
 * packing kernel, its synchronisation and a message out of GPU memory; then for
 * each message, in order of arrival, an unpacking kernel, without a wait for it
 * (Cabana, Cabana_Grid_HaloBase.hpp: packBuffer ends with a fence, unpackBuffer
 * does not). These kernels move their bytes twice through GPU memory. */
static int halo_step_plan(struct plan *p, const struct machine *m,
                          const struct experiment *x, struct err *err)
{
    struct halo_grid g = halo_grid_of(x);
    unsigned ranks = x->nodes * x->ranks_per_node;

    if (x->ranks_per_node > m->ngpus)
        return fail(err, "%s has %u GPUs a node, not %u", m->name, m->ngpus,
                    x->ranks_per_node);
    unsigned *core = xcalloc(x->ranks_per_node, sizeof *core);
    uint32_t *first = xcalloc(ranks, sizeof *first);
    for (unsigned i = 0; i < x->ranks_per_node; i++)
        core[i] = machine_gpu_core(m, i);
    plan_init(p, m, "halo_step", x->nodes, x->ranks_per_node, core);
    for (uint32_t r = 0; r < ranks; r++) {
        plan_work(p, r, m->gpu.launch_s + x->kernel_s + m->gpu.sync_s);
        send_all(p, m, &g, r, &first[r]);
    }
    for (uint32_t r = 0; r < ranks; r++)
        receive_all(p, m, &g, r, first);
    free(core);
    free(first);
    return 0;
}

/* --- rows ----------------------------------------------------------------- */

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

static int halo_step_row(struct measured_point *out, struct row *r,
                         struct err *err)
{
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    const char *backend = csv_text(t, r->row, "backend");
    unsigned gpus;

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

const struct benchmark halo_step_benchmark = {
    .file = {.name = "halo_step",
             .columns = {"grid_edge_cells", "backend", "time_per_step_s"},
             .time = "time_per_step_s",
             .read = halo_step_row,
             .simulated = "nodes gpus_per_node grid_edge_cells backend "
                          "solve_time_s setup_time_s"},
    .plan = halo_step_plan,
};
