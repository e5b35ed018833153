/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seconds.h - wall-clock time, for measuring our own work. */
#ifndef BASE_SECONDS_H
#define BASE_SECONDS_H

#include <time.h>

static inline double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* For how long this process has had a core. */
static inline double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
