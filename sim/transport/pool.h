/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h - memory for the transfers of a run that are under way. A transfer
 * does not move until it is given back, and its memory is then used again. */
#ifndef SIM_TRANSPORT_POOL_H
#define SIM_TRANSPORT_POOL_H

#include <stdint.h>

struct transfer;

/* An empty pool is all zero. */
struct transfer_pool {
    struct pooled **chunks;
    uint32_t nchunks;
    struct pooled *unused; /* a list, linked by their waiters */
};

/* Returns room for a transfer, whose fields are not initialized; its step is
 * NO_STEP. */
struct pooled *pool_take(struct transfer_pool *p);
void pool_give(struct transfer_pool *p, struct pooled *t);
/* Returns the transfer at that place, unused ones too; NULL if there is no such
 * place. */
struct pooled *pool_at(const struct transfer_pool *p, uint32_t place);
void pool_clear(struct transfer_pool *p);

#endif
