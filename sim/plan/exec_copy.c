/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The life of a copy between host and GPU memory: the issuing CPU, the copy
 * engine, the flow of bytes. */
#include "sim/plan/exec_state.h"

static const struct copy_cost *cost_of(const struct exec *x, const struct op *o)
{
    return machine_copy(x->m, o->dir, plan_locality(x->plan, x->m, o), 1,
                        o->bytes);
}

/* How long the GPU serves this copy and no other. */
static double engine_s(const struct exec *x, const struct op *o)
{
    const struct copy_table *t = &x->m->copies;

    if (!t->mps && x->copying[exec_real_gpu(x, o->src_gpu)] > 1 &&
        o->bytes < t->slice_below_B)
        return t->slice_s;
    return t->engine_s;
}

static void copy_bytes(struct exec *x, uint32_t op)
{
    const struct op *o = &x->plan->ops[op];
    uint32_t rank = exec_rank(x, o->src);
    uint32_t gpu = exec_gpu(x, o->src_gpu);
    double beta = cost_of(x, o)->beta_s_per_B;

    exec_flow(x, op, COPIED, o->dir == H2D ? rank : gpu,
              o->dir == H2D   ? gpu
              : o->dir == D2D ? exec_gpu(x, o->dst_gpu)
                              : rank,
              beta > 0 ? 1 / beta : 0, NIC_OF_SOCKET);
}

/* The rank issues a copy and waits for its end, so its CPU is held. The engine
 * of a direction moves the bytes of one copy at a time; between GPUs copies
 * overlap. */
void exec_copy(struct exec *x, uint32_t op, enum stage stage)
{
    const struct op *o = &x->plan->ops[op];
    uint32_t gpu = o->dir == D2D ? o->src_gpu : exec_real_gpu(x, o->src_gpu);
    struct server *engine = &x->copy[(size_t)gpu * NCOPY_DIRS + o->dir];
    double issue_s;

    switch (stage) {
    case COPY_CPU:
        x->times[op].start_s = exec_now(x);
        x->copying[exec_real_gpu(x, o->src_gpu)]++;
        issue_s = cost_of(x, o)->alpha_s - x->m->copies.engine_s;
        exec_later(x, op, issue_s > 0 ? issue_s : 0, COPY_ISSUED);
        break;
    case COPY_ISSUED:
        exec_take(x, engine, op, COPY_ENGINE, CAUSE_ENGINE);
        break;
    case COPY_ENGINE:
        exec_later(x, op, engine_s(x, o), COPY_SERVED);
        break;
    case COPY_SERVED:
        copy_bytes(x, op);
        if (o->dir == D2D)
            exec_release(x, engine, op);
        break;
    default:
        if (o->dir != D2D)
            exec_release(x, engine, op);
        x->copying[exec_real_gpu(x, o->src_gpu)]--;
        exec_release(x, &x->cpu[o->src], op);
        exec_finish(x, op);
    }
}
