/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Atos' persistent search: one launch, and its end; or with the CPU in control
 * of what goes to the other GPU, while the kernel runs. */
#include "validate/native/cuda/bfs_search.h"

#include <stdlib.h>

/* Words of pinned memory: what the host sees while the kernel runs. */
enum { SEEN_END, SEEN_DONE, SET_END };

/* The CPU's copies beside the kernel. */
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
    return CUDA_TRY(err, search_persistent_resident(&v->ctas));
}

static void persistent_end(struct traverse_side *side)
{
    const struct carrier *c = ((struct search_side *)side->state)->room;

    if (c && c->stream)
        cudaStreamDestroy(c->stream);
    search_end_side(side);
}

static void see(struct traverse_side *side, const struct carrier *c,
                unsigned word, const uint32_t *from)
{
    CUDA_DIE(cudaMemcpyAsync(&side->words[word], from, sizeof *from,
                             cudaMemcpyDeviceToHost, c->stream));
}

/* What is new in the outbox goes to the other GPU, then the end of its receive
 * queue. */
static void carry(struct traverse_side *side, struct search_side *v,
                  uint32_t from, uint32_t end)
{
    const struct carrier *c = v->room;
    struct traverse_side *other = side_other(side);
    const struct search_side *to = other->state;
    uint32_t *set = (uint32_t *)&side->words[SET_END];

    if (end > to->received_room)
        native_die("%s: GPU %u receives more than %llu updates",
                   side->team->how.x->name, other->gpu,
                   (unsigned long long)to->received_room);
    spin_for(side->team->how.latency_s);
    *set = end;
    CUDA_DIE(cudaMemcpyPeerAsync(
        &to->received[from], (int)other->gpu, &v->s.outbox.items[from],
        (int)side->gpu, (end - from) * sizeof *v->s.outbox.items, c->stream));
    CUDA_DIE(cudaMemcpyAsync(&to->s.inbox.at->end.value, set, sizeof *set,
                             cudaMemcpyHostToDevice, c->stream));
    CUDA_DIE(cudaStreamSynchronize(c->stream));
}

/* Until the kernel says that all is done. */
static void carry_all(struct traverse_side *side, struct search_side *v)
{
    const struct carrier *c = v->room;
    uint32_t from = 0, end, done;

    do {
        see(side, c, SEEN_END, &v->s.outbox.at->end.value);
        see(side, c, SEEN_DONE, &v->s.status->done.value);
        CUDA_DIE(cudaStreamSynchronize(c->stream));
        end = (uint32_t)side->words[SEEN_END];
        done = (uint32_t)side->words[SEEN_DONE];
        if (end > from)
            carry(side, v, from, end);
        from = end;
    } while (!done);
    side->counts.bytes += from * sizeof *v->s.outbox.items;
    side->counts.received += from; /* by the other one */
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
