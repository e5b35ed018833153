/* SPDX-License-Identifier: GPL-3.0-or-later */
/* placed.h - on which nodes the ranks of measured calls were: a file of
 * machine, session, ranks, and the node of rank_count ranks from first_rank
 * on. Jobs that have a torus to themselves have its dimensions in their rows.
 */
#ifndef VALIDATE_MEASURE_PLACED_H
#define VALIDATE_MEASURE_PLACED_H

#include "sim/plan/placement.h"

/* A job on the machine: which borrows both. */
struct placed {
    char *session, *dims; /* "4x4x4", or "" */
    unsigned ranks;
    bool known;                 /* the nodes, else they are the first ones */
    struct placement placement; /* when known */
    struct machine machine;     /* shallow */
};

struct placed_jobs {
    const struct machine *m;
    struct csv rows; /* without a file: none */
    struct node_names names;
    char *of; /* the machine as the file calls it; NULL: whatever it is */
    struct placed **list;
    size_t n;
};

/* Borrows the machine. `path` NULL: no file of nodes. Errors name it and its
 * line. */
int placed_load(struct placed_jobs *jobs, const char *path,
                const struct machine *m, const char *of,
                struct err *err) MUST_CHECK;
void placed_clear(struct placed_jobs *jobs);
/* The job, found or made. Errors: an unknown node, a rank that is missing,
 * dimensions of other than the machine's number of dimensions. */
const struct placed *placed_find(struct placed_jobs *jobs, const char *session,
                                 unsigned ranks, const char *dims,
                                 struct err *err) MUST_CHECK;

#endif
