/* SPDX-License-Identifier: GPL-3.0-or-later */
/* split.h - lines 12 to 17 of Algorithm 1 (Lockhart et al. 2022), for the split
 * strategies and for predictions of their messages. */
#ifndef STRATEGIES_EXCHANGE_SPLIT_H
#define STRATEGIES_EXCHANGE_SPLIT_H

#include <stdint.h>

/* Table 1: the volumes that one node receives from other nodes. */
struct split_volumes {
    uint64_t total_B; /* total_IN_recv_vol */
    uint64_t max_B;   /* max_IN_recv_size: from one node */
    uint32_t nodes;   /* num_IN_nodes */
};

/* Returns the size in bytes of the largest message that the node receives, or
 * UINT64_MAX if it receives one message from each node, because all are smaller
 * than the cap. */
uint64_t split_message_cap(const struct split_volumes *v, uint64_t cap_B,
                           unsigned ranks_per_node);

#endif
