/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pending.h - the requests of one rank for which it has not waited yet. The key
 * of a request is three numbers, such as sender, receiver and tag; several
 * requests with one key are served in the order in which they began. */
#ifndef WORKLOADS_TRACE_PENDING_H
#define WORKLOADS_TRACE_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pending {
    struct pending_one *list;
    size_t room, n;
    uint32_t *chains; /* first and last position of each chain, plus 1 */
    size_t nchains;
    /* Positions in the list plus 1; 0 for none. */
    uint32_t oldest, newest, free;
    size_t wild;   /* number of receives with ANY_RANK or ANY_TAG */
    uint64_t *ids; /* the requests that were removed last */
    size_t ids_room;
};

void pending_add(struct pending *r, uint32_t src, uint32_t dst, uint32_t tag,
                 uint64_t id);
/* Removes a request and sets *id; a receive with a wildcard fits every key that
 * its wildcard covers. Returns false if there is none. */
bool pending_take(struct pending *r, uint32_t src, uint32_t dst, uint32_t tag,
                  uint64_t *id);
/*
 * Finds the requests in a list of n requests that begins at an address, with
 * each_B bytes for each: requests of tag 0 whose dst and src are the upper and
 * the lower half of their addresses. Removes them, the oldest first, or only
 * counts them if ids is NULL. Returns their number; *ids is valid until the
 * next call.
 */
size_t pending_take_list(struct pending *r, uint64_t address, uint64_t each_B,
                         uint64_t n, const uint64_t **ids);
/* Removes the oldest of these. Returns 1, or 0 if there is none. */
size_t pending_take_oldest(struct pending *r, uint64_t address, uint64_t each_B,
                           uint64_t n, uint64_t *id);
/* Removes all requests. Returns their number, and in *ids the requests, the
 * oldest first, valid until the next call. */
size_t pending_take_all(struct pending *r, const uint64_t **ids);
void pending_clear(struct pending *r);

#endif
