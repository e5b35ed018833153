/* SPDX-License-Identifier: GPL-3.0-or-later */
/* groups.h - the points of a space in groups that differ only in the machine,
 * dealt out to threads: one thread loads the data of a group while others work
 * on other groups. Thread-safe. */
#ifndef STUDY_EXPLORE_GROUPS_H
#define STUDY_EXPLORE_GROUPS_H

#include "study/explore/space.h"

#include <stdbool.h>

struct family;
struct group {
    char *key;        /* workload, partition, nodes, ... */
    uint64_t *points; /* in rising order */
    size_t n, begun, done;
    bool opened, opening;  /* the thread that has its first point sets both */
    struct family *loaded; /* NULL until that thread makes it */
};

struct groups;

struct groups *groups_new(const struct space *s, const uint64_t *points,
                          size_t npoints);
/* Frees the families, too, that are left after groups_stop(). */
void groups_free(struct groups *g);

/* Takes the next point for a thread, and its group; returns false if there are
 * no more. The first point of a new group is dealt out alone until
 * groups_opened(); a thread that finds only such groups waits. */
bool groups_take(struct groups *g, struct group **of, uint64_t *point);
void groups_opened(struct groups *g, struct group *of);
/* Counts a point as done. After the last of a group it frees the group's family
 * and returns true. */
bool groups_done(struct groups *g, struct group *of);
/* Stops dealing out points. */
void groups_stop(struct groups *g);

#endif
