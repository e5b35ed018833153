/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_lists.h - lists of ranks, equal ones kept once: a program that splits
 * its communicator again and again costs no more. */
#ifndef WORKLOADS_TRACE_RANK_LISTS_H
#define WORKLOADS_TRACE_RANK_LISTS_H

#include "workloads/trace/trace.h"

#define NO_LIST UINT32_MAX

struct rank_list {
    uint64_t hash;
    uint32_t *ranks, n;
    bool missing;   /* one of them has no events */
    uint32_t known; /* the user's; NO_LIST at first */
};

/* All 0: empty. */
struct rank_lists {
    struct rank_list *items;
    uint32_t n;
    uint32_t *table, room; /* numbers of lists, by hash; NO_LIST: free */
};

/* The number of the list of these ranks of the trace; they are copied. */
uint32_t rank_lists_of(struct rank_lists *l, const struct trace *t,
                       const uint32_t *ranks, uint32_t n);
void rank_lists_clear(struct rank_lists *l);

#endif
