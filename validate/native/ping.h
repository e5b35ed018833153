/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ping.h - one rank's part in a ping-pong of blocking messages. */
#ifndef VALIDATE_NATIVE_PING_H
#define VALIDATE_NATIVE_PING_H

#include "validate/native/native.h"

struct ping {
    const struct native *n;
    bool first; /* sends first */
    int other;  /* the other rank */
    void *buffer;
    int bytes;
    /* The other rank's buffer, opened by CUDA IPC: the bytes are copied there,
     * and an empty message announces them. NULL if MPI sends the buffer. */
    void *peer;
};

/* Returns the one-way time in seconds: half a round trip. */
double ping_time(const struct ping *p, unsigned iterations);
/* Does one round trip with known bytes; ends all ranks if others arrive. */
void ping_check(const struct ping *p);

#endif
