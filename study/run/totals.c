/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums and extremes over the messages and ranks of an outcome. */
#include "study/run/totals.h"

#include <math.h>

uint64_t outcome_messages(const struct outcome *o)
{
    uint64_t n = 0;

    for (int where = 0; where < NLOCALITIES; where++)
        n += o->report.messages[where];
    return n;
}

double outcome_on_node(const uint64_t by_locality[NLOCALITIES])
{
    return (double)(by_locality[SHARED_CACHE] + by_locality[ON_SOCKET] +
                    by_locality[ON_NODE]);
}

double hosts_most(const struct outcome *o, size_t offset)
{
    double most = o->nhosts ? 0 : NAN;

    for (uint32_t i = 0; i < o->nhosts; i++)
        most =
            fmax(most, *(const double *)((const char *)&o->hosts[i] + offset));
    return most;
}

double hosts_least(const struct outcome *o, size_t offset)
{
    double least = o->nhosts ? INFINITY : NAN;

    for (uint32_t i = 0; i < o->nhosts; i++)
        least =
            fmin(least, *(const double *)((const char *)&o->hosts[i] + offset));
    return least;
}

double hosts_retries(const struct outcome *o)
{
    double sum = o->nhosts ? 0 : NAN;

    for (uint32_t i = 0; i < o->nhosts; i++)
        sum += (double)o->hosts[i].retries;
    return sum;
}

double hosts_waited_s(const struct outcome *o)
{
    double sum = o->nhosts ? 0 : NAN;

    for (uint32_t i = 0; i < o->nhosts; i++)
        sum += o->hosts[i].waited_s;
    return sum;
}
