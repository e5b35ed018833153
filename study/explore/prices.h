/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prices.h - price and power of the nodes in use: sums over the parts of a
 * node, by rates that the user gives. */
#ifndef STUDY_EXPLORE_PRICES_H
#define STUDY_EXPLORE_PRICES_H

#include "base/json.h"
#include "platforms/machine.h"

/* Rates per part of a machine; 0 if not given. */
struct rates {
    double node, socket, core, gpu, nic, switch_, nic_GBps;
};

/* Rates as in {"dollars": {"node": 9000, "nic": 1500, "nic_GBps": 20, "source":
 * "..."}, "watts": {...}}: a number for each node, socket, core, gpu, nic and
 * switch inside a node, and for each GB/s of a NIC. */
struct prices {
    struct rates dollars, watts;
    bool has_dollars, has_watts;
};

int prices_read(struct prices *p, const struct json *o,
                struct err *err) MUST_CHECK;
/* Returns the sum for this many nodes. */
double rates_sum(const struct rates *r, const struct machine *m,
                 unsigned nodes);

#endif
