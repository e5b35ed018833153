/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host_counts.h - what a process under a runtime with a communication thread
 * held and did (teams.h), for reports. */
#ifndef SIM_TRANSPORT_HOST_COUNTS_H
#define SIM_TRANSPORT_HOST_COUNTS_H

#include <stdint.h>

struct host_counts {
    /* Bytes of the buffers of messages that are under way: now, and the most
     * there were. Of packets and windows: as they were made. */
    double live_B, most_B, reserved_B;
    uint64_t messages; /* that it sent on the wire */
    uint64_t retries;  /* sends, or arrivals, that found no packet or buffer */
    double waited_s;   /* until they had one, all of them */
    double comm_s;     /* the communication thread was busy */
    uint32_t most_requests;
};

#endif
