/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seconds.h - clocks for measuring our own work. */
#ifndef BASE_SECONDS_H
#define BASE_SECONDS_H

#include <time.h>

/* Returns the time since some fixed moment, by a clock that never goes back. */
static inline double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the CPU time of this process. */
static inline double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
