/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs.h - the state of a breadth-first search, for its two variants. */
#ifndef APPS_AGENTS_BFS_H
#define APPS_AGENTS_BFS_H

#include "apps/agents/algorithm.h"
#include "apps/agents/depths.h"

struct bfs {
    const struct traverse_input *in;
    struct traverse_result *r;
    struct depths depths;
};

void bfs_init(struct bfs *b, const struct traverse_input *in,
              struct traverse_result *r, const struct site *sites);
void bfs_write(const struct bfs *b);
void bfs_clear(struct bfs *b);

/* Pulls if that is less work than pushing. It has no functions before and after
 * a run, because bfs_algorithm has them. */
extern const struct algorithm_table bfs_pull_algorithm;

#endif
