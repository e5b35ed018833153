/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_lists.h - the depths and the two frontiers of a GPU; in turn one is read
 * and the other filled. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_LISTS_H
#define VALIDATE_NATIVE_CUDA_BFS_LISTS_H

#include "validate/native/cuda/bfs_push.h"
#include "validate/native/cuda/traverse_execution.h"

struct bfs_lists {
    uint32_t *depth;
    struct arc_list lists[2];
    unsigned ctas;   /* that the GPU holds at once */
    bool has_source; /* the source belongs to this GPU */
    /* The frontier: vertices and arcs of its list, in one word; vertices
     * without arcs, which are in no list. */
    uint64_t both, leaves;
};

/* The words of pinned memory that bfs_lists_read() sets, from struct
 * list_counts. */
enum { LIST_BOTH, LIST_LEAVES, LIST_REMOTE, LIST_WORDS };

uint64_t bfs_lists_bytes(const struct graph_share *g);
int bfs_lists_begin(struct bfs_lists *b, struct traverse_side *s,
                    struct err *err) MUST_CHECK;
/* Clears the depths; the first frontier is the source, if it is own. */
void bfs_lists_reset(struct bfs_lists *b, struct traverse_side *s);

/* Begins a level of the present frontier, and returns it; nothing is sent. */
struct push_level bfs_lists_level(const struct bfs_lists *b,
                                  struct traverse_side *s, uint32_t depth);
/* Starts to copy the counts of found vertices to pinned memory. */
void bfs_lists_read(struct traverse_side *s, const struct push_level *l);
/* Waits for them: the found vertices are the next frontier; returns their
 * number. */
uint64_t bfs_lists_next(struct bfs_lists *b, struct traverse_side *s);

#endif
