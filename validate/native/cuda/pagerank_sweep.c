/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PageRank by sweeps: in every iteration two kernels, their end, and a read of
 * the largest change. */
#include "validate/native/cuda/pagerank_sweep.h"
#include "validate/native/cuda/traverse_execution.h"
#include "validate/native/cuda/traverse_sender.h"

#include "base/seconds.h"

#include <string.h>

struct sweep_side {
    struct sweep s;
    unsigned ctas;
    /* For copies only: the sums that the peers' ghosts received, by peer, and
     * the vertices that these are. Otherwise they are not allocated. */
    float *received;
    uint32_t *received_home;
    uint32_t from[TRAVERSE_PEERS], nreceived;
};

enum { WORD_WORST };

static uint64_t sweep_bytes(const struct graph_share *g, unsigned gpus)
{
    return 4 * ((uint64_t)g->arcs + 3 * (uint64_t)g->own + g->ghosts) +
           (gpus > 1 ? 8 * (gpus - 1ull) * g->own : 0);
}

static void count_received(struct traverse_side *side, struct sweep_side *v)
{
    for (unsigned p = 0; p < side_peers(side); p++) {
        v->from[p] = v->nreceived;
        v->nreceived +=
            share_ghosts_of(&side_peer(side, p)->share, side_as_peer(side, p));
    }
}

/* Allocates the memory into which others copy. */
static int received_new(struct traverse_side *side, struct sweep_side *v,
                        struct err *err)
{
    v->received = side_piece(side, 4ull * v->nreceived, err);
    v->received_home = side_piece(side, 4ull * v->nreceived, err);
    if (!v->received || !v->received_home)
        return -1;
    for (unsigned p = 0; p < side_peers(side); p++) {
        const struct traverse_side *other = side_peer(side, p);
        unsigned me = side_as_peer(side, p);
        const uint32_t *home =
            other->share.home + share_ghosts_from(&other->share, me);
        if (CUDA_TRY(err, cudaMemcpyPeer(
                              v->received_home + v->from[p], side->device, home,
                              other->device,
                              4ull * share_ghosts_of(&other->share, me))) < 0)
            return -1;
    }
    return 0;
}

static int sweep_begin(struct traverse_side *side, struct err *err)
{
    struct sweep_side *v = side->state = xcalloc(1, sizeof *v);
    const struct traverse_case *how = &side->group->how;
    struct sweep *s = &v->s;

    count_received(side, v);
    s->g = side->share;
    s->damping = (float)TRAVERSE_DAMPING;
    s->base = (float)(1 - TRAVERSE_DAMPING);
    s->tail = side_piece(side, 4ull * s->g.arcs, err);
    s->rank = side_piece(side, 4ull * s->g.own, err);
    side->values = (const uint32_t *)s->rank;
    s->share = side_piece(side, 4ull * s->g.own, err);
    s->sum = side_piece(side, 4 * ((uint64_t)s->g.own + s->g.ghosts), err);
    s->worst = side_piece(side, 4, err);
    if (!s->tail || !s->rank || !s->share || !s->sum || !s->worst ||
        CUDA_TRY(err, sweep_resident(&v->ctas)) < 0 ||
        CUDA_TRY(err, sweep_tails_start(s, v->ctas, side->stream)) < 0 ||
        CUDA_TRY(err, cudaStreamSynchronize(side->stream)) < 0)
        return -1;
    return how->gpus > 1 && how->transfer == TRANSFER_COPY
               ? received_new(side, v, err)
               : 0;
}

static void sweep_connect(struct traverse_side *side)
{
    struct sweep_side *v = side->state;

    for (unsigned p = 0; p < side_peers(side); p++)
        v->s.to[p] =
            ((const struct sweep_side *)side_peer(side, p)->state)->s.sum;
}

static void sweep_reset(struct traverse_side *side)
{
    struct sweep_side *v = side->state;

    CUDA_DIE(sweep_first_start(&v->s, v->ctas, side->stream));
    CUDA_DIE(cudaStreamSynchronize(side->stream));
}

/* --- between GPUs --------------------------------------------------------- */

/* Sends by a kernel that adds to other GPUs' sums. */
static void send_stored(struct traverse_side *side, struct sweep_side *v)
{
    CUDA_DIE(sweep_send_start(&v->s, v->ctas, side->stream));
    side_sync(side);
    spin_for(side->group->how.latency_s);
    side->counts.remote_atomics += v->s.g.ghosts;
    side->counts.bytes += 4ull * v->s.g.ghosts;
}

static void copy_sums(struct traverse_side *side, const struct sweep_side *v,
                      unsigned peer)
{
    const struct sweep_side *to = side_peer(side, peer)->state;
    const struct graph_share *g = &side->share;

    side_send(side, peer, to->received + to->from[side_as_peer(side, peer)],
              v->s.sum + g->own + share_ghosts_from(g, peer),
              4ull * share_ghosts_of(g, peer), NULL, side->stream);
}

/* Sends by the CPU, which copies the ghosts' sums; a kernel there adds them. */
static void send_copied(struct traverse_side *side, struct sweep_side *v)
{
    float *ghosts = v->s.sum + v->s.g.own;
    uint64_t bytes = 4ull * v->s.g.ghosts;

    side_sync(side);
    for (unsigned p = 0; p < side_peers(side); p++)
        copy_sums(side, v, p);
    CUDA_DIE(cudaMemsetAsync(ghosts, 0, bytes, side->stream));
    side_sync(side);
    group_meet(side->group);
    side_begin_work(side);
    CUDA_DIE(sweep_received_start(&v->s, v->received, v->received_home,
                                  v->nreceived, v->ctas, side->stream));
    side_sync(side);
}

static void sweep_exchange(struct traverse_side *side, struct sweep_side *v)
{
    if (side->group->how.transfer == TRANSFER_STORE)
        send_stored(side, v);
    else
        send_copied(side, v);
    side->counts.received += v->nreceived;
}

/* --- iterations ----------------------------------------------------------- */

/* Does one iteration; returns the largest change here of the ranks with which
 * it begins. */
static float one_iteration(struct traverse_side *side, struct sweep_side *v,
                           bool first)
{
    float worst;

    side_begin_work(side);
    if (!first) {
        CUDA_DIE(cudaMemsetAsync(v->s.worst, 0, 4, side->stream));
        CUDA_DIE(sweep_ranks_start(&v->s, v->ctas, side->stream));
    }
    CUDA_DIE(sweep_arcs_start(&v->s, v->ctas, side->stream));
    if (!first)
        side_read(side, WORD_WORST, v->s.worst, sizeof *v->s.worst);
    side_sync(side);
    side->counts.visits += first ? 0 : v->s.g.own;
    side->counts.arcs += v->s.g.arcs;
    /* All sums must be reset before any GPU adds to another's. */
    if (side->group->how.gpus > 1) {
        group_meet(side->group);
        side_begin_work(side);
        sweep_exchange(side, v);
    }
    if (first)
        return 0;
    memcpy(&worst, &side->words[WORD_WORST], sizeof worst);
    return worst;
}

/* Returns the maximum over all GPUs; their threads meet. */
static float worst_of_all(struct traverse_side *side, float mine)
{
    const struct traverse_group *t = side->group;
    float worst = 0;
    uint32_t bits;

    memcpy(&bits, &mine, sizeof bits);
    group_publish(side, WORD_WORST, bits);
    group_meet(side->group);
    for (unsigned g = 0; g < t->how.gpus; g++) {
        float of;
        bits = (uint32_t)group_word(t, g, WORD_WORST);
        memcpy(&of, &bits, sizeof of);
        worst = of > worst ? of : worst;
    }
    return worst;
}

static void sweep_run(struct traverse_side *side)
{
    struct sweep_side *v = side->state;
    struct traverse_group *t = side->group;
    uint64_t vertices = 0, arcs = 0;

    for (unsigned g = 0; g < t->how.gpus; g++) {
        vertices += t->sides[g].share.own;
        arcs += t->sides[g].share.arcs;
    }
    for (uint32_t i = 0; i < t->how.max_iterations; i++) {
        double begin = seconds();
        float mine = one_iteration(side, v, i == 0);
        float worst = worst_of_all(side, mine);
        if (side->gpu == 0)
            group_level(t, i ? vertices : 0, arcs, seconds() - begin);
        if (i > 0 && !(worst > (float)t->how.threshold))
            break;
        /* The published words must be read before they are published again. */
        group_meet(t);
    }
}

const struct traverse_execution pagerank_sweep_execution = {
    .name = "sweep",
    .algorithm = "pagerank",
    .levels = true,
    .transfers = 1u << TRANSFER_STORE | 1u << TRANSFER_COPY,
    .bytes = sweep_bytes,
    .begin = sweep_begin,
    .reset = sweep_reset,
    .connect = sweep_connect,
    .run = sweep_run,
};
