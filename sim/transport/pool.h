/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h - room for the transfers of a run that are under way: each stays where
 * it is until it is given back, and is then used again. */
#ifndef SIM_TRANSPORT_POOL_H
#define SIM_TRANSPORT_POOL_H

#include <stdint.h>

struct transfer;

/* All zero: empty. */
struct transfer_pool {
    struct pooled **chunks;
    uint32_t nchunks;
    struct pooled *unused; /* a list, by their waiters */
};

/* Its fields are whatever they were. */
struct transfer *pool_take(struct transfer_pool *p);
void pool_give(struct transfer_pool *p, struct transfer *t);
/* Where it is, as a number; and what is there. */
uint32_t pool_place(const struct transfer *t);
struct transfer *pool_at(const struct transfer_pool *p, uint32_t place);
void pool_clear(struct transfer_pool *p);

#endif
