/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seed.h - with what the random numbers of a workload are drawn. */
#ifndef WORKLOADS_LOAD_SEED_H
#define WORKLOADS_LOAD_SEED_H

#include <stdbool.h>
#include <stdint.h>

/* The seed of the workload of these words: what they say, or else its own.
 * False: no random number is drawn for it, or there is no such workload. What
 * is drawn for a partition is not meant: METIS and random parts have 1. */
bool workload_seed(uint64_t *seed, const char *words);

#endif
