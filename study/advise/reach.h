/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reach.h - the requirements of a time limit: the least bandwidth, the fewest
 * nodes, or the longest latency with which the fastest candidate meets it. */
#ifndef STUDY_ADVISE_REACH_H
#define STUDY_ADVISE_REACH_H

#include "platforms/settings.h"
#include "study/advise/candidates.h"

/* The varied quantity is a number or a group of the platform with its name in
 * --set, such as the bandwidth of all NICs, or a count of the request. */
#define REACH_NIC SETTINGS_NIC

/* A bottleneck at the far end: the fastest candidate becomes slower by
 * `percent` if this parameter is 1 % slower. The largest comes first. */
struct reach_wall {
    char *key;
    double value;
    enum provenance from;
    double percent;
};

struct reach {
    /* "nic", "nodes", "gpus", "ranks-per-node", a number's key or a group's
     * name (settings.h); borrowed. */
    const char *key;
    /* The value is an upper bound (for latencies), else a lower bound. */
    bool most;
    /* Value and time of the request as it is; for a group, its first number. */
    double now, now_s;
    double value, value_s;
    /* The option of `run` that sets the value: "--nodes 4". */
    char *set;
    /* The far end of the search reaches the time, too, so that the value is
     * that end and not a bound. */
    bool any;
    char *candidate;          /* the fastest candidate at the value */
    struct err *why_not;      /* the reason if it is not reached; else NULL */
    struct reach_wall *walls; /* the bottlenecks in that case */
    size_t nwalls;
    unsigned tried;
};

/* Reads a time with its unit, as "50us" or "1.5 ms", into seconds. */
int reach_time(double *time_s, const char *words, struct err *err) MUST_CHECK;

/*
 * Finds the value. A parameter is searched between a thousandth and a thousand
 * times its value, to 1 % by bisection, which assumes that more bandwidth, or
 * less latency, is not slower. A count is doubled from 1 up to the platform's,
 * or until the time grew three times in a row to twice the least; then it is
 * bisected. Fails if there is no such key. If the time is not reached, why_not
 * says so. reach_clear() frees the result.
 */
int reach_find(struct reach *r, const struct request *request,
               const struct candidates *candidates, const char *key,
               double time_s, struct draws_how how, struct err *err) MUST_CHECK;
void reach_clear(struct reach *r);

#endif
