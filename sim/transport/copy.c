/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The life of a copy that a process issues and waits for.
 *
 *                  process's CPU ---------------------------------|
 *                  issue       |engine of the direction           |
 *                  |-----------|- - - -|--------|=================|
 *  posted          COPY_CPU    COPY_ISSUED      COPY_SERVED       COPIED
 *  (waits for CPU)              (waits) COPY_ENGINE
 *
 * The engine of a direction moves the bytes of one copy at a time; between GPUs
 * it is given back when the bytes begin to flow, so that copies overlap.
 */
#include "sim/transport/transport.h"

enum stage { COPY_CPU, COPY_ISSUED, COPY_ENGINE, COPY_SERVED, COPIED };

static enum locality locality_of(const struct transfer *t)
{
    const struct machine *m = t->f->m;
    unsigned gpu = t->from_gpu % m->ngpus;

    if (t->dir == D2D)
        return machine_gpu_locality(m, t->from_gpu / m->ngpus, gpu,
                                    t->to_gpu / m->ngpus, t->to_gpu % m->ngpus);
    return machine_core_socket(m, fabric_core(t->f, t->from)) ==
                   machine_gpu(m, gpu)->socket
               ? ON_SOCKET
               : ON_NODE;
}

/* Of its GPU: copies under way. */
static unsigned *copying(const struct transfer *t)
{
    return &t->f->copying[fabric_real_gpu(t->f, t->from_gpu)];
}

static struct server *engine_of(const struct transfer *t)
{
    uint32_t gpu =
        t->dir == D2D ? t->from_gpu : fabric_real_gpu(t->f, t->from_gpu);

    return fabric_copy(t->f, gpu, t->dir);
}

/* How long the GPU serves this copy and no other. */
static double engine_s(const struct transfer *t)
{
    const struct copy_table *c = &t->f->m->copies;

    if (!c->mps && *copying(t) > 1 && t->bytes < c->slice_below_B)
        return c->slice_s;
    return c->engine_s;
}

static void copy_bytes(struct transfer *t)
{
    uint32_t process = fabric_process(t->f, t->from);
    uint32_t gpu = fabric_gpu(t->f, t->from_gpu);
    double beta = t->row->beta_s_per_B;

    transfer_flow(t, COPIED, t->dir == H2D ? process : gpu,
                  t->dir == H2D   ? gpu
                  : t->dir == D2D ? fabric_gpu(t->f, t->to_gpu)
                                  : process,
                  beta > 0 ? 1 / beta : 0, NIC_OF_SOCKET);
}

void transfer_copy(struct transfer *t)
{
    t->kind = TRANSFER_COPY;
    t->row = machine_copy(t->f->m, t->dir, locality_of(t), 1, t->bytes);
    transfer_take(t, &t->f->cpu[t->from], COPY_CPU, CAUSE_CPU);
}

void copy_go(struct transfer *t)
{
    double issue_s;

    switch ((enum stage)t->stage) {
    case COPY_CPU:
        t->f->events->began(t->f->user, t);
        ++*copying(t);
        issue_s = t->row->alpha_s - t->f->m->copies.engine_s;
        transfer_later(t, issue_s > 0 ? issue_s : 0, COPY_ISSUED);
        break;
    case COPY_ISSUED:
        transfer_take(t, engine_of(t), COPY_ENGINE, CAUSE_ENGINE);
        break;
    case COPY_ENGINE:
        transfer_later(t, engine_s(t), COPY_SERVED);
        break;
    case COPY_SERVED:
        copy_bytes(t);
        if (t->dir == D2D)
            transfer_release(t, engine_of(t));
        break;
    case COPIED:
        if (t->dir != D2D)
            transfer_release(t, engine_of(t));
        --*copying(t);
        transfer_release(t, &t->f->cpu[t->from]);
        transfer_ended(t);
    }
}
