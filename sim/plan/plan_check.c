/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that a plan can be run on a machine. */
#include "sim/plan/plan_check.h"

#include "sim/plan/forbidden.h"

static int check_ranks_of(const struct plan *p, size_t op, struct err *err)
{
    for (uint32_t i = plan_first_dep(p, op); i < plan_end_dep(p, op); i++) {
        uint32_t dep = p->deps[i];
        uint32_t rank = plan_waits_on(&p->ops[op], dep);
        uint32_t other = plan_ends_on(p, dep);
        if (rank != other)
            return fail(err,
                        "rank %u waits for operation %u, which ends on rank "
                        "%u: only messages join ranks",
                        rank, dep & DEP_OP, other);
    }
    return 0;
}

int plan_check_ranks(const struct plan *p, struct err *err)
{
    for (size_t i = 0; i < p->nops; i++)
        if (check_ranks_of(p, i, err) < 0)
            return fail_in(err, "%s: operation %zu", p->name, i);
    return 0;
}

static int check_op(const struct plan *p, const struct machine *m, size_t i,
                    struct err *err)
{
    const struct op *op = &p->ops[i];
    uint32_t ranks = p->nodes * p->ranks_per_node;
    uint32_t gpus = p->nodes * m->ngpus;

    if (op->src >= ranks || op->dst >= ranks)
        return fail(err, "rank %u of %u", op->src >= ranks ? op->src : op->dst,
                    ranks);
    if (op_matches(op->kind) && p->match[i].peer != ANY_RANK &&
        p->match[i].peer >= ranks)
        return fail(err, "rank %u of %u", p->match[i].peer, ranks);
    if ((op->src_gpu != NO_GPU && op->src_gpu >= gpus) ||
        (op->dst_gpu != NO_GPU && op->dst_gpu >= gpus))
        return fail(err, "GPU %u of %u",
                    op->src_gpu != NO_GPU && op->src_gpu >= gpus ? op->src_gpu
                                                                 : op->dst_gpu,
                    gpus);
    if (plan_sends(op)) {
        enum msg_path path = plan_path(m, op);
        enum locality where = plan_locality(p, m, op);
        if (!machine_segment(m, p->runtime, path, where, op->bytes))
            return fail(err, "%s has no %s messages %s", m->name,
                        msg_path_names[path], locality_names[where]);
    }
    if (op->kind == OP_COPY &&
        !machine_copy(m, op->dir, plan_locality(p, m, op), 1, op->bytes))
        return fail(err, "%s has no %s copies %s", m->name,
                    copy_dir_names[op->dir],
                    locality_names[plan_locality(p, m, op)]);
    return 0;
}

int plan_check(const struct plan *p, const struct machine *m, struct err *err)
{
    if (p->nodes > m->network.nodes)
        return fail(err, "%s: %u nodes wanted, %s has %u", p->name, p->nodes,
                    m->name, m->network.nodes);
    for (unsigned i = 0; i < p->ranks_per_node; i++)
        if (p->core[i] >= m->ncores)
            return fail(err, "%s: %u ranks per node wanted, %s has %u cores",
                        p->name, p->ranks_per_node, m->name, m->ncores);
    for (size_t i = 0; i < p->nops; i++)
        if (check_op(p, m, i, err) < 0)
            return fail_in(err, "%s: operation %zu", p->name, i);
    return p->match && forbidden_wildcards(p, m, err) < 0
               ? fail_in(err, "%s", p->name)
               : 0;
}
