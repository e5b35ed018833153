/* SPDX-License-Identifier: GPL-3.0-or-later */
/* groups.h - points of a space in groups that are alike but for the machine,
 * dealt out to threads: one loads what a group needs, while others work on
 * other groups. */
#ifndef STRATEGIES_EXPLORE_GROUPS_H
#define STRATEGIES_EXPLORE_GROUPS_H

#include "strategies/explore/space.h"

#include <stdbool.h>

struct group {
    char *key;        /* workload, partition, nodes, ... */
    uint64_t *points; /* in rising order */
    size_t n, begun, done;
    bool opened, opening; /* by the thread that took its first point */
    void *loaded;         /* what that thread has put there */
};

struct groups;

struct groups *groups_new(const struct space *s, const uint64_t *points,
                          size_t npoints);
void groups_free(struct groups *g);

/* The next point of a thread, and its group; false: there is none. Of a group
 * that is new the first point is taken alone until groups_opened(). */
bool groups_take(struct groups *g, struct group **of, uint64_t *point);
void groups_opened(struct groups *g, struct group *of);
/* True: it was the last of its group, which nobody uses any more. */
bool groups_done(struct groups *g, struct group *of);
/* No more points are given out. */
void groups_stop(struct groups *g);

#endif
