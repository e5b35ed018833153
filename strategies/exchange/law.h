/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law.h - what strategies count their messages by (.messages): a halo between
 * two nodes. */
#ifndef STRATEGIES_EXCHANGE_LAW_H
#define STRATEGIES_EXCHANGE_LAW_H

#include "workloads/halo.h"

#include <stdbool.h>
#include <stdint.h>

/* The GPUs of one node that have something for another node. */
uint64_t law_gpus(const struct halo *h, uint32_t from, uint32_t to);
/* The pairs of a GPU of one node and one of the other that needs its values. */
uint64_t law_gpu_pairs(const struct halo *h, uint32_t from, uint32_t to);
/* Bytes from one node to another; spelled: a value once for each GPU that needs
 * it. 0 from a node to itself. */
uint64_t law_volume(const struct halo *h, bool spelled, uint32_t from,
                    uint32_t to);

#endif
