/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ti_requests.h - the requests of one rank that are not waited for yet, which
 * time-independent traces name by sender, receiver and tag; of several alike,
 * the one that began first. */
#ifndef WORKLOADS_TRACE_TI_REQUESTS_H
#define WORKLOADS_TRACE_TI_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ti_requests {
    struct ti_request *list;
    size_t room, n;
    uint32_t *chains; /* by hash: the first and the last of the list, 1 more */
    size_t nchains;
    uint32_t oldest, newest, free; /* of the list, 1 more; 0: none */
    size_t wild;                   /* receives with ANY_ */
    uint64_t *ids;                 /* what was taken last */
    size_t ids_room;
};

void ti_requests_add(struct ti_requests *r, uint32_t src, uint32_t dst,
                     uint32_t tag, uint64_t id);
/* Takes one: false, there is none. */
bool ti_requests_take(struct ti_requests *r, uint32_t src, uint32_t dst,
                      uint32_t tag, uint64_t *id);
/* Takes all, oldest first; the list lasts until the next call. */
size_t ti_requests_take_all(struct ti_requests *r, const uint64_t **ids);
void ti_requests_clear(struct ti_requests *r);

#endif
