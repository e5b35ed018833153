/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_lists.h - lists of ranks, of which equal ones are kept once, so that a
 * program that splits its communicator again and again needs no more memory. */
#ifndef WORKLOADS_TRACE_RANK_LISTS_H
#define WORKLOADS_TRACE_RANK_LISTS_H

#include "workloads/trace/trace.h"

#define NO_LIST UINT32_MAX

struct rank_list {
    uint64_t hash;
    uint32_t *ranks, n;
    bool missing;   /* whether one of them has no events */
    uint32_t known; /* for the user; NO_LIST at first */
};

/* The lists; empty if it is all 0. */
struct rank_lists {
    struct rank_list *items;
    uint32_t n;
    /* Numbers of lists by hash; NO_LIST marks a free slot. */
    uint32_t *table, room;
};

/* Returns the number of the list of these ranks of the trace, which are copied
 * if the list is new. */
uint32_t rank_lists_of(struct rank_lists *l, const struct trace *t,
                       const uint32_t *ranks, uint32_t n);
void rank_lists_clear(struct rank_lists *l);

#endif
