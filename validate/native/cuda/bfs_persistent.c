/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Atos' persistent search: one launch, and its end; or with the CPU in control
 * of the updates for other GPUs, while the kernel runs. */
#include "validate/native/cuda/bfs_search.h"

#include <stdlib.h>

/* Words of pinned memory that the host reads while the kernel runs. */
enum {
    SEEN_DONE,
    SEEN_END,                           /* end of the outbox for each peer */
    SET_END = SEEN_END + TRAVERSE_PEERS /* end of the inbox there */
};

/* The CPU's copies while the kernel runs. */
struct carrier {
    cudaStream_t stream;
};

static bool carried(const struct traverse_side *side)
{
    return side->team->how.transfer == TRANSFER_COPY;
}

static int persistent_begin(struct traverse_side *side, struct err *err)
{
    if (search_begin(side, false, search_room, err) < 0)
        return -1;
    struct search_side *v = side->state;
    struct carrier *c = v->room = xcalloc(1, sizeof *c);
    if (carried(side) &&
        CUDA_TRY(err, cudaStreamCreateWithFlags(&c->stream,
                                                cudaStreamNonBlocking)) < 0)
        return -1;
    if (CUDA_TRY(err, search_persistent_resident(&v->ctas)) < 0)
        return -1;
    return side_ctas(side, &v->ctas, err);
}

static void persistent_end(struct traverse_side *side)
{
    const struct carrier *c = ((struct search_side *)side->state)->room;

    if (c && c->stream)
        cudaStreamDestroy(c->stream);
    search_end_side(side);
}

/* Copies the new updates of the outbox for a peer, then the end of its receive
 * queue. */
static void carry(struct traverse_side *side, struct search_side *v,
                  unsigned peer, uint32_t from, uint32_t end)
{
    const struct carrier *c = v->room;
    struct traverse_side *other = side_peer(side, peer);
    const struct search_side *to = other->state;
    const struct search_update *items = v->s.peer[peer].outbox.items;
    unsigned me = side_as_peer(side, peer);
    uint32_t *set = (uint32_t *)&side->words[SET_END + peer];

    if (end > to->received_room)
        native_die("%s: GPU %u receives more than %llu updates",
                   side->team->how.x->name, other->gpu,
                   (unsigned long long)to->received_room);
    spin_for(side->team->how.latency_s);
    *set = end;
    CUDA_DIE(cudaMemcpyPeerAsync(&to->received[me][from], other->device,
                                 &items[from], side->device,
                                 (end - from) * sizeof *items, c->stream));
    CUDA_DIE(cudaMemcpyAsync(&to->in[me].end.value, set, sizeof *set,
                             cudaMemcpyHostToDevice, c->stream));
}

/* Copies the new updates of all outboxes; carried_before is how many were
 * copied before. */
static void carry_new(struct traverse_side *side, struct search_side *v,
                      uint32_t *carried_before)
{
    const struct carrier *c = v->room;
    bool any = false;

    for (unsigned p = 0; p < side_peers(side); p++) {
        uint32_t from = carried_before[p];
        uint32_t end = (uint32_t)side->words[SEEN_END + p];
        if (end == from)
            continue;
        carry(side, v, p, from, end);
        any = true;
        carried_before[p] = end;
        side->counts.bytes += (end - from) * sizeof(struct search_update);
        side->counts.received += end - from; /* the other GPU receives them */
    }
    if (any)
        CUDA_DIE(cudaStreamSynchronize(c->stream));
}

/* Copies until the kernel says that the search is over. */
static void carry_all(struct traverse_side *side, struct search_side *v)
{
    const struct carrier *c = v->room;
    uint32_t from[TRAVERSE_PEERS] = {0};

    do {
        search_read_ends(side, SEEN_END, v->out, side_peers(side), c->stream);
        CUDA_DIE(cudaMemcpyAsync(&side->words[SEEN_DONE],
                                 &v->s.status->done.value, sizeof(uint32_t),
                                 cudaMemcpyDeviceToHost, c->stream));
        CUDA_DIE(cudaStreamSynchronize(c->stream));
        carry_new(side, v, from);
    } while (!(uint32_t)side->words[SEEN_DONE]);
}

static void persistent_run(struct traverse_side *side)
{
    struct search_side *v = side->state;

    side_begin_work(side);
    CUDA_DIE(search_persistent_start(&v->s, v->ctas, side->stream));
    if (carried(side))
        carry_all(side, v);
    side_sync(side);
}

const struct traverse_execution bfs_persistent_execution = {
    .name = "persistent",
    .algorithm = "bfs",
    .transfers = 1u << TRANSFER_STORE | 1u << TRANSFER_COPY,
    .bytes = search_bytes,
    .begin = persistent_begin,
    .reset = search_reset,
    .connect = search_connect,
    .run = persistent_run,
    .collect = search_collect,
    .end = persistent_end,
    .values = search_values,
};
