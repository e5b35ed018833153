// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the kernels of Gunrock's level; callable from C. */
#include "validate/native/cuda/bfs_gunrock.cuh"

static const unsigned memory_B = sizeof(struct push_memory);

static unsigned ctas_for(uint32_t n)
{
    return (n + GUNROCK_CTA - 1) / GUNROCK_CTA;
}

int gunrock_degrees_start(const struct gunrock_level *l, void *stream)
{
    START(gunrock_degrees, ctas_for(l->items), GUNROCK_CTA, 0, stream, *l);
    return cudaGetLastError();
}

int gunrock_advance_start(const struct gunrock_level *l, unsigned ctas,
                          void *stream)
{
    uint32_t each = (l->arcs + ctas - 1) / ctas;
    uint32_t share = (each + GUNROCK_CTA - 1) / GUNROCK_CTA * GUNROCK_CTA;

    START(gunrock_advance, (l->arcs + share - 1) / share, PUSH_CTA, memory_B,
          stream, *l, share);
    return cudaGetLastError();
}

static unsigned at_most(unsigned ctas, uint32_t n, unsigned each)
{
    unsigned wanted = (n + each - 1) / each;

    return wanted < ctas ? wanted : ctas;
}

int gunrock_filter_start(const struct gunrock_level *l, unsigned ctas,
                         void *stream)
{
    START(gunrock_filter, at_most(ctas, l->arcs, PUSH_TILE), PUSH_CTA, memory_B,
          stream, *l);
    return cudaGetLastError();
}

int gunrock_split_start(const struct gunrock_level *l, unsigned ctas,
                        void *stream)
{
    START(gunrock_split, ctas, GUNROCK_CTA, memory_B, stream, *l);
    return cudaGetLastError();
}

int gunrock_copy_start(const struct gunrock_level *l, uint32_t n, void *stream)
{
    START(gunrock_copy, ctas_for(n), GUNROCK_CTA, 0, stream, *l, n);
    return cudaGetLastError();
}

int gunrock_expand_start(const struct gunrock_level *l, const uint32_t *list,
                         uint32_t n, void *stream)
{
    START(gunrock_expand, ctas_for(n), GUNROCK_CTA, memory_B, stream, *l, list,
          n);
    return cudaGetLastError();
}

int gunrock_resident(unsigned *ctas)
{
    return resident_ctas(gunrock_advance, PUSH_CTA, memory_B, ctas);
}
