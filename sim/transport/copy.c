/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stages of a copy between host and GPU memory, or between two GPUs of a
 * node.
 *
 *                  issue       |engine of the direction |   bytes flow
 *                  |-----------|- - - -|----------------|=================|
 *  posted          COPY_CPU    COPY_ISSUED              COPY_SERVED COPIED
 *  (waits for CPU)              (waits) COPY_ENGINE
 *
 * A copy holds the CPU of its process from COPY_CPU until COPIED, because the
 * process waits for the end. If the copy is asynchronous it holds the CPU until
 * COPY_LAUNCHED, a kernel's launch later; if it is a small one to the GPU,
 * which returns early (returns_up_to_B), until COPY_ISSUED. The engine of a
 * direction moves the bytes of one copy at a time, so it is held until COPIED,
 * or passes to the next after engine_turn_B (COPY_TURN). Between GPUs copies
 * overlap, so the engine is held until COPY_SERVED only.
 *
 * If processes use the GPU in turn (copies.contexts without MPS), kernels and
 * the copies that share its context with them have one server, that of the
 * kernels, which is held until COPIED.
 */
#include "sim/transport/transport.h"

#include <math.h>

enum stage {
    COPY_CPU,
    COPY_LAUNCHED, /* asynchronous copies only */
    COPY_ISSUED,
    COPY_ENGINE,
    COPY_SERVED,
    COPY_TURN, /* its next bytes, after those of other copies */
    COPIED,
};

static enum locality copy_locality(const struct transfer *t)
{
    const struct machine *m = t->f->m;
    unsigned gpu = t->from_gpu % m->ngpus;

    if (t->dir == D2D && t->from_gpu == t->to_gpu)
        return SHARED_CACHE;
    if (t->dir == D2D)
        return machine_gpu_locality(m, t->from_gpu / m->ngpus, gpu,
                                    t->to_gpu / m->ngpus, t->to_gpu % m->ngpus);
    return machine_core_socket(m, fabric_core(t->f, t->from)) ==
                   machine_gpu(m, gpu)->socket
               ? ON_SOCKET
               : ON_NODE;
}

/* Returns the process whose copy its GPU served last. */
static uint32_t *copy_last(const struct transfer *t)
{
    return &t->f->copied_by[fabric_real_gpu(t->f, t->from_gpu)];
}

/* Returns whether one process at a time has the GPU for such a copy. */
static bool copy_in_context(const struct transfer *t)
{
    return fabric_contexts(t->f) &&
           (t->dir == D2D ||
            (t->dir == H2D && t->bytes < t->f->m->copies.slice_below_B));
}

static struct server *copy_engine(const struct transfer *t)
{
    if (copy_in_context(t))
        return &t->f->kernels[fabric_real_gpu(t->f, t->from_gpu)];
    uint32_t gpu =
        t->dir == D2D ? t->from_gpu : fabric_real_gpu(t->f, t->from_gpu);

    return fabric_copy(t->f, gpu, t->dir);
}

/* Returns how long the GPU serves this copy and no other: without MPS a slice,
 * if the last copy was another process's. */
static double copy_engine_s(const struct transfer *t)
{
    const struct copy_table *c = &t->f->m->copies;
    uint32_t last = *copy_last(t);

    if (t->f->issued)
        return 0;
    if (copy_in_context(t))
        return c->engine_s + fabric_switch_s(t);
    if (fabric_contexts(t->f))
        return c->engine_s;
    *copy_last(t) = t->from;
    if (!c->mps && last != NO_PROCESS && last != t->from &&
        t->bytes < c->slice_below_B)
        return c->slice_s;
    return c->engine_s;
}

/* Returns the bytes that its engine moves before it serves the next copy. */
static uint64_t copy_turn_B(const struct transfer *t)
{
    uint64_t turn_B = t->f->m->copies.engine_turn_B;

    return t->dir == D2D || turn_B == 0 || turn_B > t->left_B ? t->left_B
                                                              : turn_B;
}

static double copy_s_per_B(const struct transfer *t)
{
    const struct copy_table *c = &t->f->m->copies;
    double more = t->dir == D2D ? c->mps_gpu_more : c->mps_host_more;

    return t->row->beta_s_per_B *
           (c->mps && t->bytes >= c->mps_from_B ? 1 + more : 1);
}

static void copy_bytes(struct transfer *t)
{
    uint32_t process = fabric_process(t->f, t->from);
    uint32_t gpu = fabric_gpu(t->f, t->from_gpu);
    double beta = copy_s_per_B(t);

    transfer_flow(t, COPIED, t->dir == H2D ? process : gpu,
                  t->dir == H2D   ? gpu
                  : t->dir == D2D ? fabric_gpu(t->f, t->to_gpu)
                                  : process,
                  (double)copy_turn_B(t), beta > 0 ? 1 / beta : 0,
                  NIC_OF_SOCKET);
}

/* Returns the time before the GPU serves it: alpha without the engine's time.
 */
static double copy_issue_s(const struct transfer *t)
{
    return t->f->issued ? 0
                        : fmax(t->row->alpha_s - t->f->m->copies.engine_s, 0);
}

/* Returns the part of that time on the CPU of an asynchronous copy. */
static double copy_launch_s(const struct transfer *t)
{
    return fmin(t->f->m->gpu.launch_s, copy_issue_s(t));
}

void copy_prepare(struct transfer *t)
{
    t->row = machine_copy(t->f->m, t->dir, copy_locality(t), 1, t->bytes);
}

/* Gives the engine to the first that waits for it, then waits for it again. */
static void copy_next_turn(struct transfer *t)
{
    transfer_release(t, copy_engine(t));
    transfer_take(t, copy_engine(t), COPY_TURN, CAUSE_ENGINE);
}

/* Returns whether its process continues before its bytes have arrived. */
static bool copy_returns_early(const struct transfer *t)
{
    return t->kind == TRANSFER_COPY && t->dir == H2D &&
           t->bytes <= t->f->m->copies.returns_up_to_B;
}

static void copy_returns(struct transfer *t)
{
    transfer_release_cpu(t, t->from);
    transfer_sent(t);
}

static void copy_end(struct transfer *t)
{
    if (t->dir != D2D || copy_in_context(t))
        transfer_release(t, copy_engine(t));
    transfer_flowed(t);
    if (t->kind == TRANSFER_COPY_ASYNC)
        transfer_sent(t);
    else if (!copy_returns_early(t))
        copy_returns(t);
    transfer_ended(t);
    transfer_done(t);
}

void copy_go(struct transfer *t)
{
    switch ((enum stage)t->stage) {
    case COPY_CPU:
        transfer_began(t);
        if (t->kind == TRANSFER_COPY_ASYNC)
            transfer_later(t, copy_launch_s(t), COPY_LAUNCHED);
        else
            transfer_later(t, copy_issue_s(t), COPY_ISSUED);
        break;
    case COPY_LAUNCHED:
        transfer_later(t, copy_issue_s(t) - copy_launch_s(t), COPY_ISSUED);
        transfer_release_cpu(t, t->from);
        break;
    case COPY_ISSUED:
        if (copy_returns_early(t))
            copy_returns(t);
        transfer_take(t, copy_engine(t), COPY_ENGINE, CAUSE_ENGINE);
        break;
    case COPY_ENGINE:
        transfer_later(t, copy_engine_s(t), COPY_SERVED);
        break;
    case COPY_SERVED:
        t->left_B = t->bytes;
        copy_bytes(t);
        if (t->dir == D2D && !copy_in_context(t))
            transfer_release(t, copy_engine(t));
        break;
    case COPY_TURN:
        copy_bytes(t);
        break;
    case COPIED:
        t->left_B -= copy_turn_B(t);
        if (t->left_B > 0)
            copy_next_turn(t);
        else
            copy_end(t);
    }
}
