// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the kernels of PageRank by sweeps; callable from C. */
#include "validate/native/cuda/pagerank_sweep.cuh"

static unsigned ctas_for(uint64_t threads, unsigned most)
{
    uint64_t ctas = (threads + SWEEP_CTA - 1) / SWEEP_CTA;

    return (unsigned)(ctas < 1 ? 1 : ctas > most ? most : ctas);
}

#define BEGIN(kernel, threads, ...)                                            \
    START(kernel, ctas_for((threads), ctas), SWEEP_CTA, 0, stream, __VA_ARGS__)

int sweep_tails_start(const struct sweep *s, unsigned ctas, void *stream)
{
    BEGIN(sweep_tails, (uint64_t)s->g.own * WARP, *s);
    return cudaGetLastError();
}

int sweep_first_start(const struct sweep *s, unsigned ctas, void *stream)
{
    BEGIN(sweep_first, (uint64_t)s->g.own + s->g.ghosts, *s);
    return cudaGetLastError();
}

int sweep_ranks_start(const struct sweep *s, unsigned ctas, void *stream)
{
    BEGIN(sweep_ranks, s->g.own, *s);
    return cudaGetLastError();
}

int sweep_arcs_start(const struct sweep *s, unsigned ctas, void *stream)
{
    BEGIN(sweep_arcs, s->g.arcs, *s);
    return cudaGetLastError();
}

int sweep_send_start(const struct sweep *s, unsigned ctas, void *stream)
{
    BEGIN(sweep_send, s->g.ghosts, *s);
    return cudaGetLastError();
}

int sweep_received_start(const struct sweep *s, const float *sums,
                         const uint32_t *home, uint32_t n, unsigned ctas,
                         void *stream)
{
    BEGIN(sweep_received, n, *s, sums, home, n);
    return cudaGetLastError();
}

int sweep_resident(unsigned *ctas)
{
    return resident_ctas(sweep_arcs, SWEEP_CTA, 0, ctas);
}
