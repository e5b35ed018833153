/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that a machine has everything that a run of a graph algorithm
 * needs. */
#include "apps/agents/traverse_check.h"

#include "sim/transport/transport.h"
#include "apps/agents/algorithm.h"

/* Fails if the machine lacks a number that this execution needs. */
static int check_gpu(const struct traverse_input *in, struct err *err)
{
    const struct gpu_model *g = &in->m->gpu;
    const char *missing = NULL;

    if (execution_has_calls(in->x) && !(g->calls.s[GPU_CALL_SYNC] > 0))
        missing = "stream_sync_us";
    else if (!g->sms || !g->threads_per_sm)
        missing = "sms or threads_per_sm";
    else if (in->ngpus > 1 && in->m->ngpus > 1 && !(g->remote_atomic_s > 0))
        missing = "remote_atomic_us";
    else if (in->ngpus > 1 && !g->packet.granule_B)
        missing = "nvlink_packet";
    else if (!(in->edge_s > 0) && !g->access.source)
        missing = "access, which sluice-native graph-costs measures "
                  "(--edge-ns stands for it)";
    else if (!(in->edge_s > 0) && !(g->l2_B > 0))
        missing = "l2_MiB (--edge-ns stands for it)";
    else if (!(in->edge_s > 0) && !(g->memory_Bps > 0))
        missing = "memory_GBps (--edge-ns stands for it)";
    if (missing)
        return fail(err, "%s has no gpu.%s", in->m->name, missing);
    if (step_check(traverse_step(in), in->m, in->ngpus > 1, err) < 0)
        return -1;
    if (in->x->worker_threads > g->threads_per_sm)
        return fail(err, "worker_threads: %u, but %s has %u threads on an SM",
                    in->x->worker_threads, in->m->name, g->threads_per_sm);
    return 0;
}

/* Fails if the machine lacks the messages that the runtime needs between GPUs
 * with this locality. */
static int check_way(const struct traverse_input *in, enum locality where,
                     struct err *err)
{
    const struct machine *m = in->m;
    enum msg_path path = machine_gpu_path(m);
    enum runtime by = in->x->runtime;

    if (where != OFF_NODE &&
        (by == RUNTIME_SHMEM ||
         (by == RUNTIME_CPU_COPY && machine_copy(m, D2D, where, 1, 1))))
        return 0;
    if (machine_segment(m, by, path, where, 1))
        return 0;
    return fail(err, "%s has no %s messages %s, which %s takes", m->name,
                msg_path_names[path], locality_names[where], runtime_names[by]);
}

static int check_runtime(const struct traverse_input *in, struct err *err)
{
    unsigned n = in->ngpus < in->m->ngpus ? in->ngpus : in->m->ngpus;
    enum runtime by = in->x->runtime;

    if (transports[by]->by_gpu != (in->x->control == CONTROL_GPU))
        return fail(err, "%s: runtime: %s is for control by the %s",
                    in->x->name, runtime_names[by],
                    transports[by]->by_gpu ? "gpu" : "cpu");
    for (unsigned a = 0; a < n; a++)
        for (unsigned b = 0; b < a; b++)
            if (check_way(in, machine_gpu_locality(in->m, 0, a, 0, b), err) < 0)
                return -1;
    return in->ngpus > in->m->ngpus ? check_way(in, OFF_NODE, err) : 0;
}

int traverse_check(const struct traverse_input *in, struct err *err)
{
    const struct machine *m = in->m;

    if (!m->ngpus || in->ngpus > (uint64_t)m->ngpus * m->network.nodes)
        return fail(err, "%u GPUs wanted, %s has %u nodes of %u", in->ngpus,
                    m->name, m->network.nodes, m->ngpus);
    if (algorithms[in->algorithm]->check(in, err) < 0)
        return -1;
    if (check_gpu(in, err) < 0)
        return -1;
    return in->x->schedule == SCHEDULE_BULK_SYNCHRONOUS
               ? 0 /* because its plans are checked */
               : check_runtime(in, err);
}
