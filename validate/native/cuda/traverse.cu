// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the kernels of all native executions of graph algorithms; callable
 * from C. They are compiled together, because CUDA's headers take longer than
 * the kernels. */
#include "validate/native/cuda/bfs_direction.cuh"
#include "validate/native/cuda/bfs_gunrock.cuh"
#include "validate/native/cuda/bfs_search.cuh"
#include "validate/native/cuda/pagerank_residual.cuh"
#include "validate/native/cuda/pagerank_sweep.cuh"
#include "validate/native/cuda/start.cuh"

static const unsigned push_B = sizeof(struct push_memory);
static const unsigned batch_B = sizeof(struct search_batch);

/* Defines a function that sets *ctas to the CTAs of a kernel that the GPU in
 * use holds at once. */
#define RESIDENT(name, kernel, cta, bytes)                                     \
    int name(unsigned *ctas)                                                   \
    {                                                                          \
        return resident_ctas(kernel, cta, bytes, ctas);                        \
    }
RESIDENT(push_resident, push_arcs, PUSH_CTA, push_B)
RESIDENT(gunrock_resident, gunrock_advance, PUSH_CTA, push_B)
RESIDENT(search_persistent_resident, search_persistent, SEARCH_CTA, batch_B)
RESIDENT(residual_persistent_resident, residual_persistent, SEARCH_CTA, batch_B)
RESIDENT(sweep_resident, sweep_arcs, SWEEP_CTA, 0)

/* --- levels that push or pull --------------------------------------------- */

/* Returns the arcs of each CTA: equally many, in full tiles of threads. */
static uint32_t share_of(uint32_t arcs, unsigned ctas)
{
    uint32_t each = (arcs + ctas - 1) / ctas;

    return (each + PUSH_CTA - 1) / PUSH_CTA * PUSH_CTA;
}

int push_arcs_start(const struct push_level *l, unsigned ctas, void *stream)
{
    struct push_level level = *l;

    level.share = share_of(l->arcs, ctas);
    return START(push_arcs, ctas_for(l->arcs, level.share), PUSH_CTA, push_B,
                 stream, level);
}

int push_received_start(const struct push_level *l, const struct push_inbox *in,
                        unsigned ctas, void *stream)
{
    unsigned most = 0;

    for (unsigned p = 0; p < l->peers; p++)
        most += (in->n[p] + PUSH_CTA - 1) / PUSH_CTA;
    return START(push_received, in->counts || most > ctas ? ctas : most,
                 PUSH_CTA, push_B, stream, *l, *in);
}

int pull_start(const struct pull_level *l, unsigned ctas, void *stream)
{
    return START(pull_arcs, ctas, PUSH_CTA, push_B, stream, *l);
}

/* --- Gunrock's levels ----------------------------------------------------- */

int gunrock_degrees_start(const struct gunrock_level *l, void *stream)
{
    return START(gunrock_degrees, ctas_for(l->items, GUNROCK_CTA), GUNROCK_CTA,
                 0, stream, *l);
}

int gunrock_scan_start(const struct gunrock_level *l, void *stream)
{
    uint32_t tiles = gunrock_tiles(l->items);
    int code = START(gunrock_clear, ctas_for(tiles, GUNROCK_CTA), GUNROCK_CTA,
                     0, stream, *l);

    return code == cudaSuccess
               ? START(gunrock_scan, tiles, PUSH_CTA, push_B, stream, *l)
               : code;
}

int gunrock_advance_start(const struct gunrock_level *l, unsigned ctas,
                          void *stream)
{
    uint32_t share = share_of(l->arcs, ctas);

    return START(gunrock_advance, ctas_for(l->arcs, share), PUSH_CTA, push_B,
                 stream, *l, share);
}

int gunrock_filter_start(const struct gunrock_level *l, unsigned ctas,
                         void *stream)
{
    return START(gunrock_filter, ctas_for(l->arcs, PUSH_TILE, ctas), PUSH_CTA,
                 push_B, stream, *l);
}

int gunrock_split_start(const struct gunrock_level *l, unsigned ctas,
                        void *stream)
{
    return START(gunrock_split, ctas, GUNROCK_CTA, push_B, stream, *l);
}

int gunrock_copy_start(const struct gunrock_level *l, uint32_t n, void *stream)
{
    return START(gunrock_copy, ctas_for(n, GUNROCK_CTA), GUNROCK_CTA, 0, stream,
                 *l, n);
}

int gunrock_expand_start(const struct gunrock_level *l, const uint32_t *list,
                         uint32_t n, void *stream)
{
    return START(gunrock_expand, ctas_for(n, GUNROCK_CTA), GUNROCK_CTA, push_B,
                 stream, *l, list, n);
}

/* --- searches by queues --------------------------------------------------- */

static __global__ void read_clock(volatile unsigned long long *seen)
{
    *seen = clock_ns();
}

int search_clock_start(unsigned long long *seen, void *stream)
{
    return START(read_clock, 1, 1, 0, stream, seen);
}

int search_persistent_start(const struct search *s, unsigned ctas, void *stream)
{
    return START(search_persistent, ctas, SEARCH_CTA, batch_B, stream, *s);
}

int search_discrete_start(const struct search *s, const struct search_range *r,
                          void *stream)
{
    return START(search_discrete, range_ctas(*r, s->peers), SEARCH_CTA, batch_B,
                 stream, *s, *r);
}

int search_raise_start(const struct search *s, uint32_t from, uint32_t n,
                       void *stream)
{
    return START(search_raise, ctas_for(n, SEARCH_CTA), SEARCH_CTA, 0, stream,
                 *s, from, n);
}

int search_received_start(const struct search *s,
                          const struct search_update *list, uint32_t n,
                          void *stream)
{
    return START(search_received, ctas_for(n, SEARCH_CTA), SEARCH_CTA, 0,
                 stream, *s, list, n);
}

/* --- PageRank by residues ------------------------------------------------- */

int residual_first_start(const struct search *s, const struct residual *r,
                         void *stream)
{
    uint64_t values = (uint64_t)s->g.own + s->g.ghosts;

    return START(residual_first, ctas_for(values + 1, SEARCH_CTA, 1056),
                 SEARCH_CTA, 0, stream, *s, *r);
}

int residual_persistent_start(const struct search *s, const struct residual *r,
                              unsigned ctas, void *stream)
{
    return START(residual_persistent, ctas, SEARCH_CTA, batch_B, stream, *s,
                 *r);
}

int residual_discrete_start(const struct search *s, const struct residual *r,
                            const struct search_range *range, void *stream)
{
    return START(residual_discrete, range_ctas(*range, s->peers), SEARCH_CTA,
                 batch_B, stream, *s, *r, *range);
}

int residual_received_start(const struct search *s, const struct residual *r,
                            const struct search_update *list, uint32_t n,
                            void *stream)
{
    return START(residual_received, ctas_for(n, SEARCH_CTA), SEARCH_CTA, 0,
                 stream, *s, *r, list, n);
}

/* --- PageRank by sweeps --------------------------------------------------- */

#define SWEEP(kernel, threads, ...)                                            \
    START(kernel, ctas_for((threads), SWEEP_CTA, ctas), SWEEP_CTA, 0, stream,  \
          __VA_ARGS__)
#define SWEEP_START(kernel, threads)                                           \
    int kernel##_start(const struct sweep *s, unsigned ctas, void *stream)     \
    {                                                                          \
        return SWEEP(kernel, threads, *s);                                     \
    }
SWEEP_START(sweep_tails, (uint64_t)s->g.own *WARP)
SWEEP_START(sweep_first, (uint64_t)s->g.own + s->g.ghosts)
SWEEP_START(sweep_ranks, s->g.own)
SWEEP_START(sweep_arcs, s->g.arcs)
SWEEP_START(sweep_send, s->g.ghosts)

int sweep_received_start(const struct sweep *s, const float *sums,
                         const uint32_t *home, uint32_t n, unsigned ctas,
                         void *stream)
{
    return SWEEP(sweep_received, n, *s, sums, home, n);
}
