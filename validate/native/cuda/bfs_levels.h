/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_levels.h - a search level by level on all GPUs: one loop, of which an
 * execution supplies the level of one GPU. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_LEVELS_H
#define VALIDATE_NATIVE_CUDA_BFS_LEVELS_H

#include "validate/native/cuda/traverse_execution.h"

/* Words that the loop publishes; those of a level follow. */
enum { WORD_FRONTIER, WORD_ARCS, LEVEL_WORDS };

/* Does one level of this GPU: *vertices is the size of its frontier, before and
 * after. Returns the number of arcs that were inspected. */
typedef uint64_t bfs_level(struct traverse_side *s, uint32_t depth,
                           uint64_t *vertices);

/* Does level after level until no GPU has a frontier; `vertices` is the size of
 * this GPU's first one. */
void bfs_levels_run(struct traverse_side *s, uint64_t vertices,
                    bfs_level *level);

#endif
