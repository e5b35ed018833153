/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_cache.h - matrices and their halos, read and divided once for all loads
 * that want the same, and the platforms of them, in whatever threads. */
#ifndef WORKLOADS_LOAD_LOAD_CACHE_H
#define WORKLOADS_LOAD_LOAD_CACHE_H

#include "workloads/halo.h"

struct load_cache;

struct load_cache *load_cache_new(void);
void load_cache_free(struct load_cache *c); /* NULL: nothing */

/* The platforms that the loads' machines are read from. NULL: none. */
struct platform_cache *load_cache_platforms(struct load_cache *c);

/* What matrix_from_workload() and matrix_halo_by() make; *h is the caller's. */
int load_cache_halo(struct halo *h, struct load_cache *c, const char *words,
                    const char *partition, unsigned gpus,
                    unsigned gpus_per_node, struct err *err) MUST_CHECK;

#endif
