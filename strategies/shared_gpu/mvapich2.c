/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mvapich2.c - vectors in GPUs in MPI libraries that do not know of shared GPUs
 * (Faraji and Afsahi 2018, 2.3): each rank copies its own to the host, the
 * hosts do the collective, each rank copies the result back. mvapich2_gdr maps
 * GPU memory into that of the CPU for small vectors (gpu.gdrcopy_up_to_bytes),
 * so that the CPU copies them without the GPU.
 */
#include "strategies/shared_gpu/shared_gpu.h"

#include "strategies/collective/collective_parts.h"

static const char *mvapich2_refuses(const struct collective *c)
{
    return c->memory == COLLECTIVE_DEVICE ? NULL
                                          : "is for vectors in GPUs "
                                            "(memory=device)";
}

static void mvapich2_stage(struct collective_build *b, enum copy_dir dir,
                           uint64_t bytes, bool gdr)
{
    const struct gpu_model *g = &b->m->gpu;

    for (uint32_t r = 0; r < b->ranks; r++) {
        if (!gdr || bytes > g->gdrcopy_up_to_B) {
            shared_host_copy(b, dir == D2H ? PHASE_COPY_OUT : PHASE_COPY_IN, r,
                             dir, bytes);
            continue;
        }
        uint32_t op =
            plan_work(b->p, r, g->gdrcopy_s + (double)bytes / g->gdrcopy_Bps);
        b->p->of_costs = true;
        for (int i = 0; i < b->after[r].n; i++)
            plan_after(b->p, b->after[r].deps[i]);
        b->after[r] = (struct collective_after){{op}, 1};
    }
}

static void mvapich2(struct collective_build *b, bool gdr)
{
    struct collective_comm world = collective_world(b);
    bool gather = b->c->kind == COLLECTIVE_ALLGATHER;

    mvapich2_stage(b, D2H, gather ? b->c->bytes / b->ranks : b->c->bytes, gdr);
    if (gather)
        shared_host_allgather(b, &world);
    else
        shared_host_allreduce(b, &world);
    mvapich2_stage(b, H2D, b->c->bytes, gdr);
}

static void build_plain(struct collective_build *b)
{
    mvapich2(b, false);
}

static void build_gdr(struct collective_build *b)
{
    mvapich2(b, true);
}

#define MVAPICH2(KIND, kind_, name_, build_, what)                             \
    const struct collective_algorithm name_##_##kind_##_collective = {         \
        .kind = COLLECTIVE_##KIND,                                             \
        .name = #name_,                                                        \
        .summary = (what),                                                     \
        .refuses = mvapich2_refuses,                                           \
        .shared = true,                                                        \
        .phases = {{.build = (build_)}},                                       \
    }

#define PLAIN "in GPUs as MVAPICH2 2.1: copied to the host, there, copied back"
#define GDR "the same, small vectors mapped into the memory of the CPU"
MVAPICH2(ALLREDUCE, allreduce, mvapich2, build_plain, PLAIN);
MVAPICH2(ALLREDUCE, allreduce, mvapich2_gdr, build_gdr, GDR);
MVAPICH2(ALLGATHER, allgather, mvapich2, build_plain, PLAIN);
MVAPICH2(ALLGATHER, allgather, mvapich2_gdr, build_gdr, GDR);
