/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PageRank by residues in Atos' queues: one persistent kernel, or one kernel
 * after the other for the present contents of the queues. */
#include "validate/native/cuda/bfs_search.h"

/* There are many places, because a vertex is queued again until the residue
 * that it receives stays below the bound; hubs receive residues from other GPUs
 * far more often. */
static const struct search_room room = {.local = 64, .far = 0, .inbox = 256};

static uint64_t residual_bytes(const struct graph_share *g, unsigned gpus)
{
    return search_room_bytes(g, gpus, room) + 4ull * g->own;
}

/* Sets up the ranks besides the queues. */
static int residual_begin(struct traverse_side *side, struct err *err)
{
    struct search_side *v = side->state;
    struct residual *r = &v->residual;
    r->damping = (float)TRAVERSE_DAMPING;
    r->base = (float)(1 - TRAVERSE_DAMPING);
    r->bound = (float)(side->group->how.threshold * (1 - TRAVERSE_DAMPING));
    r->rank = side_piece(side, 4ull * side->share.own, err);
    side->values = (const uint32_t *)r->rank;
    return r->rank ? 0 : -1;
}

static void residual_reset(struct traverse_side *side)
{
    struct search_side *v = side->state;

    search_reset(side);
    CUDA_DIE(residual_first_start(&v->s, &v->residual, side->stream));
    CUDA_DIE(cudaStreamSynchronize(side->stream));
}

/* --- persistent ----------------------------------------------------------- */

static int persistent_begin(struct traverse_side *side, struct err *err)
{
    if (search_begin(side, sizeof(struct search_side), false, room, err) < 0 ||
        residual_begin(side, err) < 0)
        return -1;
    return persistent_ctas(side, residual_persistent_resident, err);
}

static void persistent_run(struct traverse_side *side)
{
    struct search_side *v = side->state;

    side_begin_work(side);
    CUDA_DIE(
        residual_persistent_start(&v->s, &v->residual, v->ctas, side->stream));
    side_sync(side);
}

const struct traverse_execution pagerank_persistent_execution = {
    .name = "residual-persistent",
    .algorithm = "pagerank",
    .transfers = 1u << TRANSFER_STORE,
    .bytes = residual_bytes,
    .begin = persistent_begin,
    .reset = residual_reset,
    .connect = search_connect,
    .run = persistent_run,
    .collect = search_collect,
};

/* --- discrete ------------------------------------------------------------- */

static int residues_range(const struct search_side *v,
                          const struct search_range *range, void *stream)
{
    return residual_discrete_start(&v->s, &v->residual, range, stream);
}

static int residues_received(const struct search_side *v,
                             const struct search_update *list, uint32_t n,
                             void *stream)
{
    return residual_received_start(&v->s, &v->residual, list, n, stream);
}

static const struct search_kernels residues = {residues_range,
                                               residues_received};

static int residual_discrete_begin(struct traverse_side *side, struct err *err)
{
    return discrete_begin(side, room, &residues, err) < 0
               ? -1
               : residual_begin(side, err);
}

static void residual_discrete_reset(struct traverse_side *side)
{
    residual_reset(side);
    discrete_start(side, side->share.own);
}

const struct traverse_execution pagerank_discrete_execution = {
    .name = "residual-discrete",
    .algorithm = "pagerank",
    .transfers = 1u << TRANSFER_STORE | 1u << TRANSFER_COPY,
    .bytes = residual_bytes,
    .begin = residual_discrete_begin,
    .reset = residual_discrete_reset,
    .connect = search_connect,
    .run = discrete_run,
    .collect = search_collect,
    .end = discrete_end,
};
