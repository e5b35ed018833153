/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ping.h - one rank's part in a ping-pong of blocking messages. */
#ifndef VALIDATE_NATIVE_PING_H
#define VALIDATE_NATIVE_PING_H

#include "validate/native/native.h"

struct ping {
    const struct native *n;
    bool first; /* sends first */
    int other;  /* the rank at the other end */
    void *buffer;
    int bytes;
    /* The other's buffer, opened by CUDA IPC: the bytes are copied there, and
     * an empty message says so. NULL: MPI takes the buffer. */
    void *peer;
};

/* The one-way time: half a round trip. */
double ping_time(const struct ping *p, unsigned iterations);
/* One round trip with known bytes; ends the ranks when others arrive. */
void ping_check(const struct ping *p);

#endif
