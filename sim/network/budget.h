/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget.h - what an engine would take before anything is simulated, so that a
 * machine that is too large is refused at once and by one message. */
#ifndef SIM_NETWORK_BUDGET_H
#define SIM_NETWORK_BUDGET_H

#include "sim/network/engine.h"

struct budget {
    double links;
    double memory_B, time_s;
    double allowed_B, allowed_s;
};

/*
 * Estimates, in floating point since a network may have more links than any
 * integer counts. SimGrid builds all links of shapes that it has, and time
 * grows with the square of the nodes and, in a fat tree, with the switches of a
 * level times those of the next; the fluid engine keeps some numbers for each
 * node and its devices.
 */
struct budget budget_of(enum engine_kind kind, const struct machine *m,
                        unsigned nodes);
/* Bad input when it is more than is allowed. */
int budget_check(enum engine_kind kind, const struct machine *m, unsigned nodes,
                 struct err *err) MUST_CHECK;

#endif
