/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step of a stencil code on GPUs as a plan. */
#include "validate/measure/halo_step.h"

#include <stdlib.h>

enum { CELL_B = 8, NEIGHBOURS = 8 };

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

int halo_step_plan(struct plan *p, const struct machine *m,
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
