/* SPDX-License-Identifier: GPL-3.0-or-later */
/* requests.h - what a rank has begun and not waited for, by the numbers that
 * its trace gives. */
#ifndef STRATEGIES_REPLAY_REQUESTS_H
#define STRATEGIES_REPLAY_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct request_of {
    uint64_t number;
    /* Its operation, as plan_after() takes it; NO_OP: complete at once. */
    uint32_t op;
    uint32_t epoch;   /* of its rank when it began */
    uint32_t pending; /* 1 + the collective that is to be expanded; 0: none */
};

/* Open addressing; zeros are an empty one. */
struct requests {
    struct request_of *slots; /* number NO_REQUEST: free */
    size_t size, used;        /* size: 0 or a power of 2 */
};

void requests_clear(struct requests *r);
/* A number that is there already is taken over. */
struct request_of *requests_put(struct requests *r, uint64_t number);
/* NULL: not there. Lasts until the next put or drop. */
struct request_of *requests_find(const struct requests *r, uint64_t number);
void requests_drop(struct requests *r, struct request_of *of);

#endif
