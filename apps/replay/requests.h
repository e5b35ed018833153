/* SPDX-License-Identifier: GPL-3.0-or-later */
/* requests.h - the requests that a rank has begun and not waited for, by the
 * numbers of its trace. */
#ifndef APPS_REPLAY_REQUESTS_H
#define APPS_REPLAY_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct request_of {
    uint64_t number;
    /* Its operation, as plan_after() takes it; NO_OP if it is complete at
     * once. */
    uint32_t op;
    uint32_t epoch; /* epoch of its rank when it began */
    /* 1 + the collective that is not in the plan yet; 0 if none. */
    uint32_t pending;
};

/* A hash table with open addressing; all zeros is an empty one. */
struct requests {
    struct request_of *slots; /* number is NO_REQUEST if free */
    size_t size, used;        /* size: 0 or a power of 2 */
};

void requests_clear(struct requests *r);
/* Adds a request; if the number exists already it is reused. */
struct request_of *requests_put(struct requests *r, uint64_t number);
/* Returns NULL if it does not exist. The result is valid until the next put or
 * drop. */
struct request_of *requests_find(const struct requests *r, uint64_t number);
void requests_drop(struct requests *r, struct request_of *of);

#endif
