/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Atos' persistent search: one launch, and its end; or with the CPU in control
 * of the updates for other GPUs, while the kernel runs. */
#include "validate/native/cuda/bfs_search.h"

/* Words of pinned memory that the host reads while the kernel runs. */
enum {
    SEEN_DONE,
    SEEN_END,                           /* end of the outbox for each peer */
    SET_END = SEEN_END + TRAVERSE_PEERS /* end of the inbox there */
};

struct persistent {
    struct search_side search; /* the first, as in search_begin() */
    cudaStream_t stream;       /* for the CPU's copies while the kernel runs */
};

static bool carried(const struct traverse_side *side)
{
    return side->group->how.transfer == TRANSFER_COPY;
}

int persistent_ctas(struct traverse_side *side, int (*resident)(unsigned *ctas),
                    struct err *err)
{
    struct search_side *v = side->state;

    return CUDA_TRY(err, resident(&v->ctas)) < 0
               ? -1
               : side_ctas(side, &v->ctas, err);
}

static int persistent_begin(struct traverse_side *side, struct err *err)
{
    struct persistent *p;

    if (search_begin(side, sizeof *p, false, search_room, err) < 0)
        return -1;
    p = side->state;
    if (carried(side) &&
        CUDA_TRY(err, cudaStreamCreateWithFlags(&p->stream,
                                                cudaStreamNonBlocking)) < 0)
        return -1;
    return persistent_ctas(side, search_persistent_resident, err);
}

static void persistent_end(struct traverse_side *side)
{
    const struct persistent *p = side->state;

    if (p->stream)
        cudaStreamDestroy(p->stream);
}

/* Copies the new updates of the outbox for a peer, then the end of its receive
 * queue. */
static void carry(struct traverse_side *side, unsigned peer, uint32_t from,
                  uint32_t end)
{
    const struct persistent *p = side->state;
    const struct search_side *to = side_peer(side, peer)->state;
    uint32_t *set = (uint32_t *)&side->words[SET_END + peer];

    search_carry(side, peer, from, end, NULL, p->stream);
    *set = end;
    CUDA_DIE(cudaMemcpyAsync(&to->in[side_as_peer(side, peer)].end.value, set,
                             sizeof *set, cudaMemcpyHostToDevice, p->stream));
    side->counts.received += end - from; /* the other GPU receives them */
}

/* Copies the new updates of all outboxes; carried_before is how many were
 * copied before. */
static void carry_new(struct traverse_side *side, uint32_t *carried_before)
{
    const struct persistent *p = side->state;
    bool any = false;

    for (unsigned i = 0; i < side_peers(side); i++) {
        uint32_t end = (uint32_t)side->words[SEEN_END + i];
        if (end == carried_before[i])
            continue;
        carry(side, i, carried_before[i], end);
        any = true;
        carried_before[i] = end;
    }
    if (any)
        CUDA_DIE(cudaStreamSynchronize(p->stream));
}

/* Copies until the kernel says that the search is over. */
static void carry_all(struct traverse_side *side)
{
    const struct persistent *p = side->state;
    const struct search_side *v = &p->search;
    uint32_t from[TRAVERSE_PEERS] = {0};

    do {
        search_read_ends(side, SEEN_END, v->out, side_peers(side), p->stream);
        CUDA_DIE(cudaMemcpyAsync(&side->words[SEEN_DONE],
                                 &v->s.status->done.value, sizeof(uint32_t),
                                 cudaMemcpyDeviceToHost, p->stream));
        CUDA_DIE(cudaStreamSynchronize(p->stream));
        carry_new(side, from);
    } while (!(uint32_t)side->words[SEEN_DONE]);
}

static void persistent_run(struct traverse_side *side)
{
    struct search_side *v = side->state;

    side_begin_work(side);
    CUDA_DIE(search_persistent_start(&v->s, v->ctas, side->stream));
    if (carried(side))
        carry_all(side);
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
};
