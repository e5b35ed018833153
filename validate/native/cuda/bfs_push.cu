// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the kernels of a level that pushes; callable from C. */
#include "validate/native/cuda/bfs_levels.cuh"

static uint32_t share_of(uint32_t arcs, unsigned ctas)
{
    uint32_t each = (arcs + ctas - 1) / ctas;

    return (each + PUSH_CTA - 1) / PUSH_CTA * PUSH_CTA;
}

int push_arcs_start(const struct push_level *l, unsigned ctas, void *stream)
{
    struct push_level level = *l;

    level.share = share_of(l->arcs, ctas);
    START(push_arcs, (l->arcs + level.share - 1) / level.share, PUSH_CTA,
          sizeof(struct push_memory), stream, level);
    return cudaGetLastError();
}

int push_received_start(const struct push_level *l, const struct push_inbox *in,
                        unsigned ctas, void *stream)
{
    unsigned most = 0;

    for (unsigned p = 0; p < l->peers; p++)
        most += (in->n[p] + PUSH_CTA - 1) / PUSH_CTA;
    START(push_received, in->counts || most > ctas ? ctas : most, PUSH_CTA,
          sizeof(struct push_memory), stream, *l, *in);
    return cudaGetLastError();
}

int push_resident(unsigned *ctas)
{
    return resident_ctas(push_arcs, PUSH_CTA, sizeof(struct push_memory), ctas);
}
