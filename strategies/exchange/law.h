/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law.h - counts of a halo between two nodes, from which strategies compute
 * their numbers of messages (.messages). */
#ifndef STRATEGIES_EXCHANGE_LAW_H
#define STRATEGIES_EXCHANGE_LAW_H

#include "workloads/halo.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns the number of GPUs of one node that have values for the other
 * node. */
uint64_t law_gpus(const struct halo *h, uint32_t from, uint32_t to);
/* Returns the number of GPUs of one node that need values of the other, which
 * is `from`. */
uint64_t law_receivers(const struct halo *h, uint32_t from, uint32_t to);
/* Returns the number of pairs of a GPU of one node and a GPU of the other that
 * needs its values. */
uint64_t law_gpu_pairs(const struct halo *h, uint32_t from, uint32_t to);
/* Returns the bytes from one node to another, 0 from a node to itself. If
 * `spelled`, a value counts once for each GPU that needs it. */
uint64_t law_volume(const struct halo *h, bool spelled, uint32_t from,
                    uint32_t to);

#endif
