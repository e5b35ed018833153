/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seed.h - the seed of the random numbers of a workload. */
#ifndef WORKLOADS_LOAD_SEED_H
#define WORKLOADS_LOAD_SEED_H

#include <stdbool.h>
#include <stdint.h>

/* Sets *seed to the seed of a workload: that in its words, or its default.
 * Returns false if the workload draws no random numbers, or is unknown.
 * Partitions have another seed: METIS and random parts use 1. */
bool workload_seed(uint64_t *seed, const char *words);

#endif
