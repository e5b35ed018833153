// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the kernels of PageRank by residues; callable from C. */
#include "validate/native/cuda/pagerank_residual.cuh"

static const unsigned MOST_CTAS = 1056;

static unsigned ctas_for(uint64_t n)
{
    return (unsigned)((n + SEARCH_CTA - 1) / SEARCH_CTA);
}

int residual_first_start(const struct search *s, const struct residual *r,
                         void *stream)
{
    unsigned ctas = ctas_for((uint64_t)s->g.own + s->g.ghosts + 1);

    START(residual_first, ctas < MOST_CTAS ? ctas : MOST_CTAS, SEARCH_CTA, 0,
          stream, *s, *r);
    return cudaGetLastError();
}

int residual_persistent_start(const struct search *s, const struct residual *r,
                              unsigned ctas, void *stream)
{
    START(residual_persistent, ctas, SEARCH_CTA, sizeof(struct search_batch),
          stream, *s, *r);
    return cudaGetLastError();
}

int residual_persistent_resident(unsigned *ctas)
{
    return resident_ctas(residual_persistent, SEARCH_CTA,
                         sizeof(struct search_batch), ctas);
}

int residual_discrete_start(const struct search *s, const struct residual *r,
                            const struct search_range *range, void *stream)
{
    START(residual_discrete, range_ctas(*range, s->peers), SEARCH_CTA,
          sizeof(struct search_batch), stream, *s, *r, *range);
    return cudaGetLastError();
}

int residual_received_start(const struct search *s, const struct residual *r,
                            const struct search_update *list, uint32_t n,
                            void *stream)
{
    START(residual_received, ctas_for(n), SEARCH_CTA, 0, stream, *s, *r, list,
          n);
    return cudaGetLastError();
}
