/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pending.h - the requests of one rank that are not waited for yet, by names of
 * three numbers, such as sender, receiver and tag; of several alike, the one
 * that began first. */
#ifndef WORKLOADS_TRACE_PENDING_H
#define WORKLOADS_TRACE_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pending {
    struct pending_one *list;
    size_t room, n;
    uint32_t *chains; /* by hash: the first and the last of the list, 1 more */
    size_t nchains;
    uint32_t oldest, newest, free; /* of the list, 1 more; 0: none */
    size_t wild;                   /* receives with ANY_ */
    uint64_t *ids;                 /* what was taken last */
    size_t ids_room;
};

void pending_add(struct pending *r, uint32_t src, uint32_t dst, uint32_t tag,
                 uint64_t id);
/* Takes one: false, there is none. */
bool pending_take(struct pending *r, uint32_t src, uint32_t dst, uint32_t tag,
                  uint64_t *id);
/* Those of tag 0 whose dst and src are the upper and lower half of an address
 * of a list of n, each so many bytes behind the other. Takes them, oldest
 * first, or only counts them (ids NULL). */
size_t pending_take_list(struct pending *r, uint64_t address, uint64_t each_B,
                         uint64_t n, const uint64_t **ids);
/* The oldest of these; 0: there is none, else 1. */
size_t pending_take_oldest(struct pending *r, uint64_t address, uint64_t each_B,
                           uint64_t n, uint64_t *id);
/* Takes all, oldest first; the list lasts until the next call. */
size_t pending_take_all(struct pending *r, const uint64_t **ids);
void pending_clear(struct pending *r);

#endif
