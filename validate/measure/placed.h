/* SPDX-License-Identifier: GPL-3.0-or-later */
/* placed.h - the nodes on which the ranks of measured calls were: a file with
 * the columns machine, session, ranks, and the node of rank_count ranks from
 * first_rank on. Jobs that have a torus to themselves have its dimensions in
 * their rows. */
#ifndef VALIDATE_MEASURE_PLACED_H
#define VALIDATE_MEASURE_PLACED_H

#include "sim/plan/placement.h"

/* A job on the machine, which borrows both. */
struct placed {
    char *session, *dims; /* "4x4x4", or "" */
    unsigned ranks;
    bool known; /* the nodes are known; otherwise they are the first ones */
    struct placement placement; /* if known */
    struct machine machine;     /* shallow copy */
};

struct placed_jobs {
    const struct machine *m;
    struct csv rows; /* empty without a file */
    struct node_names names;
    char *of; /* the machine as the file calls it; NULL for any */
    struct placed **list;
    size_t n;
};

/* Loads the file of nodes; `path` is NULL if there is none. Borrows the
 * machine. Errors name the file and its line. */
int placed_load(struct placed_jobs *jobs, const char *path,
                const struct machine *m, const char *of,
                struct err *err) MUST_CHECK;
void placed_clear(struct placed_jobs *jobs);
/* Returns the job, found or made. It is an error if a node is unknown, a rank
 * is missing, or the dimensions are more or fewer than the machine's. */
const struct placed *placed_find(struct placed_jobs *jobs, const char *session,
                                 unsigned ranks, const char *dims,
                                 struct err *err) MUST_CHECK;

#endif
