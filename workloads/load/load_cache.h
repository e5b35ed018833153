/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_cache.h - a cache of matrices and their halos, which are read and
 * partitioned once for all loads that need the same, and of platforms. Threads
 * may share it. */
#ifndef WORKLOADS_LOAD_LOAD_CACHE_H
#define WORKLOADS_LOAD_LOAD_CACHE_H

#include "workloads/halo.h"

struct load_cache;

struct load_cache *load_cache_new(void);
void load_cache_free(struct load_cache *c); /* cache may be NULL */

/* Returns the cache of the platforms of the loads' machines; NULL if there is
 * none. */
struct platform_cache *load_cache_platforms(struct load_cache *c);

/* Makes a halo as matrix_from_workload() and matrix_halo_by() do, or copies it
 * if the cache has it. The caller owns *h, because it is always a copy. */
int load_cache_halo(struct halo *h, struct load_cache *c, const char *words,
                    const char *partition, unsigned gpus,
                    unsigned gpus_per_node, struct err *err) MUST_CHECK;

#endif
