/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host_counts.h - the memory and the work of a process under a runtime with a
 * communication thread (host_processes.h), for reports. */
#ifndef SIM_TRANSPORT_HOST_COUNTS_H
#define SIM_TRANSPORT_HOST_COUNTS_H

#include <stdint.h>

struct host_counts {
    /* Bytes in the buffers of messages under way: now and at most. Packets and
     * windows count in reserved_B, because they are allocated once. */
    double live_B, most_B, reserved_B;
    uint64_t messages; /* messages that it sent on the wire */
    uint64_t retries;  /* sends, or arrivals, that found no packet or buffer */
    double waited_s;   /* until they had one, summed over all */
    double comm_s;     /* time for which the communication thread was busy */
    uint32_t most_requests;
};

#endif
