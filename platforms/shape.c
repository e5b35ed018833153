/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the parts of two machines, but not their costs. */
#include "platforms/shape.h"

#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool same_device(const struct device *a, const struct device *b)
{
    return a->kind == b->kind && a->socket == b->socket &&
           a->cores == b->cores && a->cores_per_cache == b->cores_per_cache &&
           a->gpu == b->gpu;
}

static bool same_devices(const struct machine *a, const struct machine *b)
{
    if (a->ndevices != b->ndevices || a->ncores != b->ncores)
        return false;
    for (size_t i = 0; i < a->ndevices; i++)
        if (!same_device(&a->devices[i], &b->devices[i]))
            return false;
    return true;
}

static bool same_wires(const struct machine *a, const struct machine *b)
{
    if (a->nwires != b->nwires)
        return false;
    for (size_t i = 0; i < a->nwires; i++)
        if (a->wires[i].ends[0] != b->wires[i].ends[0] ||
            a->wires[i].ends[1] != b->wires[i].ends[1] ||
            a->wires[i].reduces != b->wires[i].reduces)
            return false;
    return true;
}

static bool same_table(const struct message_table *a,
                       const struct message_table *b)
{
    if (a->nsegments != b->nsegments)
        return false;
    for (size_t i = 0; i < a->nsegments; i++)
        if (a->segments[i].protocol != b->segments[i].protocol)
            return false;
    return true;
}

static bool same_messages(const struct machine *a, const struct machine *b)
{
    for (int by = 0; by < NRUNTIMES; by++)
        for (int path = 0; path < NPATHS; path++)
            for (int where = 0; where < NLOCALITIES; where++)
                if (!same_table(&a->messages[by][path][where],
                                &b->messages[by][path][where]))
                    return false;
    return a->gpudirect == b->gpudirect;
}

static bool same_copies(const struct copy_table *a, const struct copy_table *b)
{
    if (a->nrows != b->nrows || a->mps != b->mps ||
        a->mps_clients != b->mps_clients || a->contexts != b->contexts ||
        a->gpus_are_one != b->gpus_are_one)
        return false;
    for (size_t i = 0; i < a->nrows; i++)
        if (a->rows[i].dir != b->rows[i].dir ||
            a->rows[i].locality != b->rows[i].locality ||
            a->rows[i].processes != b->rows[i].processes)
            return false;
    return true;
}

/* Compares the work that kernels do, and the sizes up to which the CPU does
 * it. */
static bool same_gpu(const struct gpu_model *a, const struct gpu_model *b)
{
    return same_text(a->arch, b->arch) &&
           (a->launch_s > 0) == (b->launch_s > 0) &&
           (a->memory_Bps > 0) == (b->memory_Bps > 0) &&
           a->gdrcopy_up_to_B == b->gdrcopy_up_to_B &&
           a->cpu_sums_up_to_B == b->cpu_sums_up_to_B &&
           (a->cpu_sums_s_per_B > 0) == (b->cpu_sums_s_per_B > 0);
}

const char *machine_shape_differs(const struct machine *a,
                                  const struct machine *b)
{
    if (a->network.nodes != b->network.nodes)
        return "network.nodes";
    if (a->ngpus != b->ngpus)
        return "gpus_used";
    if (!same_devices(a, b))
        return "node.devices";
    if (!same_wires(a, b))
        return "node.wires";
    if (!same_messages(a, b))
        return "messages";
    if (!same_copies(&a->copies, &b->copies))
        return "copies";
    if (!same_gpu(&a->gpu, &b->gpu))
        return "gpu";
    if (!a->nccl.slots != !b->nccl.slots)
        return "nccl";
    return same_text(a->mpi, b->mpi) ? NULL : "mpi";
}
