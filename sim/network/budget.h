/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget.h - estimates of an engine's memory and building time before anything
 * is simulated, so that a machine that is too large is refused at once and with
 * one message. */
#ifndef SIM_NETWORK_BUDGET_H
#define SIM_NETWORK_BUDGET_H

#include "sim/network/engine.h"

struct budget {
    /* Bytes and seconds; `allowed` are the limits. */
    double links;
    double memory_B, time_s;
    double allowed_B, allowed_s;
};

/*
 * Estimates in floating point, because a network may have more links than any
 * integer counts. SimGrid builds all links of the shapes that it has; its time
 * grows with the square of the nodes and, in a fat tree, with the product of
 * the switches of adjacent levels. The fluid engine keeps some numbers for each
 * node and its devices.
 */
struct budget budget_of(enum engine_kind kind, const struct machine *m,
                        unsigned nodes);
/* Fails if an estimate is above its limit. */
int budget_check(enum engine_kind kind, const struct machine *m, unsigned nodes,
                 struct err *err) MUST_CHECK;

#endif
