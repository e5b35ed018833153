/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refuses plans that the runner cannot execute: those of other ranks, and those
 * with messages that this MPI cannot send. */
#include "validate/native/runner.h"

#include <limits.h>

/* Returns the rank that knows of the end of an operation: a message is sent at
 * its source and finished at its destination. */
static uint32_t known_at(const struct op *o, uint32_t dep)
{
    return o->kind == OP_MSG && !(dep & AFTER_SENT) ? o->dst : o->src;
}

static int check_deps(const struct runner *r, uint32_t op, struct err *err)
{
    const struct plan *p = r->plan;
    const struct op *o = &p->ops[op];

    for (uint32_t d = plan_first_dep(p, op); d < plan_end_dep(p, op); d++) {
        uint32_t dep = p->deps[d];
        uint32_t waits = dep & FOR_RECEIVE ? o->dst : o->src;
        uint32_t known = known_at(&p->ops[dep & DEP_OP], dep);
        if (waits != known)
            return fail(err,
                        "operation %u of rank %u waits for operation %u, "
                        "whose end only rank %u knows: real ranks need a "
                        "message for that",
                        op, waits, dep & DEP_OP, known);
    }
    return 0;
}

/* Returns whether MPI moves its data, and so counts the bytes by an int; CUDA's
 * copies have no such limit. */
static bool counted(const struct runner *r, const struct op *o)
{
    bool on_gpu = o->src_gpu != NO_GPU;

    return o->kind == OP_MSG ? !(on_gpu && r->ipc)
                             : o->kind == OP_SEND || o->kind == OP_RECV ||
                                   (o->kind == OP_REDUCE && !on_gpu);
}

static int check_op(const struct runner *r, uint32_t op, struct err *err)
{
    const struct plan *p = r->plan;
    const struct op *o = &p->ops[op];
    uint64_t values = 0;
    int *tag_limit, found;

    if (o->kind == OP_REDUCE && !r->collective)
        return fail(err,
                    "operation %u adds up: that is for sluice-native "
                    "collective",
                    op);
    if ((p->match && p->match[op].context) || (o->kind == OP_WORK && o->lane))
        return fail(err,
                    "operation %u: communicators of a trace, and work beside a "
                    "rank's CPU, are for the simulator alone",
                    op);
    if (counted(r, o) && o->bytes > INT_MAX && !runner_any_size(o))
        return fail(err, "operation %u: %llu bytes are more than MPI counts",
                    op, (unsigned long long)o->bytes);
    MPI_TRY(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_limit, &found));
    if (found && 2 * p->nops > (size_t)*tag_limit)
        return fail(err, "more operations than this MPI has tags (%d)",
                    *tag_limit);
    for (uint32_t i = plan_first_piece(p, op); i < plan_end_piece(p, op); i++)
        values += p->pieces[i].count;
    if (values && r->halo && values * r->halo->value_bytes != o->bytes)
        return fail(err, "operation %u: %llu bytes, but %llu values of %u", op,
                    (unsigned long long)o->bytes, (unsigned long long)values,
                    r->halo->value_bytes);
    bool device = o->kind == OP_MSG && o->src_gpu != NO_GPU;
    if (device && !r->n->device_mpi &&
        (plan_node(p, o->src) != plan_node(p, o->dst) || !r->ipc))
        return fail(err, "this MPI cannot send GPU memory to another node (it "
                         "was built without CUDA)");
    return check_deps(r, op, err);
}

int runner_check(const struct runner *r, struct err *err)
{
    const struct plan *p = r->plan;
    const struct native *n = r->n;

    if (p->nodes != (unsigned)n->nodes ||
        p->ranks_per_node != (unsigned)n->per_node)
        return fail(err,
                    "%s: the plan is for %u nodes of %u ranks, there are %d "
                    "of %d",
                    p->name, p->nodes, p->ranks_per_node, n->nodes,
                    n->per_node);
    for (uint32_t op = 0; op < p->nops; op++)
        if (check_op(r, op, err) < 0)
            return fail_in(err, "%s", p->name);
    return 0;
}
