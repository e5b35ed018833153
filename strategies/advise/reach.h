/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reach.h - what it takes to reach a time: the least bandwidth, the fewest
 * nodes, or the longest latency with which the fastest way is fast enough. */
#ifndef STRATEGIES_ADVISE_REACH_H
#define STRATEGIES_ADVISE_REACH_H

#include "platforms/settings.h"
#include "strategies/advise/ways.h"

/* What is varied: a number or a group of the platform, exactly as --set names
 * it, such as all that is a NIC's bandwidth; or a count of the request. */
#define REACH_NIC SETTINGS_NIC

/* At the far end, what makes the fastest way last longer when it is 1 % slower,
 * and by how many percent; most first. */
struct reach_wall {
    char *key;
    double value;
    enum provenance from;
    double percent;
};

struct reach {
    const char *key;   /* "nic", "nodes", "gpus", "ranks-per-node", a number's
                          key or a group's name (settings.h); borrowed */
    bool most;         /* of a latency: what it may be at most; else at least */
    double now, now_s; /* of the request as it is; of a group, its first */
    double value, value_s;
    char *set; /* the option of `run` that makes it so: "--nodes 4" */
    bool any;  /* the end that was looked at reaches it, too: the value
                  is that end, not a bound */
    char *way; /* the fastest there */
    struct err *why_not;      /* it is not reached; NULL: it is */
    struct reach_wall *walls; /* what stops it then */
    size_t nwalls;
    unsigned tried;
};

/* "50us", "1.5 ms": seconds. */
int reach_time(double *time_s, const char *words, struct err *err) MUST_CHECK;

/*
 * Of a parameter between a thousandth and a thousand times what it is, to 1 %
 * by bisection, where it is taken that more bandwidth, or less latency, is not
 * slower. Of a count: doubled from 1 to what the platform has, or to where it
 * took longer three times in a row, and twice as long as at the best, then
 * bisected.
 * -1: the key is none; that the time is not reached is in why_not.
 */
int reach_find(struct reach *r, const struct request *request,
               const struct ways *ways, const char *key, double time_s,
               struct draws_how how, struct err *err) MUST_CHECK;
void reach_clear(struct reach *r);

#endif
