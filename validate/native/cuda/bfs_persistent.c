/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Atos' persistent search: one launch, and its end. */
#include "validate/native/cuda/bfs_search.h"

static int persistent_begin(struct traverse_side *side, struct err *err)
{
    if (search_begin(side, false, search_room, err) < 0)
        return -1;
    return CUDA_TRY(err, search_persistent_resident(
                             &((struct search_side *)side->state)->ctas));
}

static void persistent_run(struct traverse_side *side)
{
    struct search_side *v = side->state;

    side_begin_work(side);
    CUDA_DIE(search_persistent_start(&v->s, v->ctas, side->stream));
    side_sync(side);
}

const struct traverse_execution bfs_persistent_execution = {
    .name = "persistent",
    .algorithm = "bfs",
    .transfers = 1u << TRANSFER_STORE,
    .bytes = search_bytes,
    .begin = persistent_begin,
    .reset = search_reset,
    .connect = search_connect,
    .run = persistent_run,
    .collect = search_collect,
    .end = search_end_side,
    .values = search_values,
};
