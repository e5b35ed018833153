/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape.h - compares two machines, because a plan made for one may be that of
 * another. */
#ifndef PLATFORMS_SHAPE_H
#define PLATFORMS_SHAPE_H

#include "platforms/machine.h"

/* Returns the key in a platform file of the first property that differs
 * ("network.nodes"), among those by which a plan is made, apart from costs: the
 * nodes, the devices and wires of a node, the messages and copies there are,
 * the sizes up to which the CPU copies and adds, and whether kernels have a
 * cost. (A strategy that cuts messages for the machine depends on
 * machine_rendezvous_limit(), too.) NULL if both machines have the same. */
const char *machine_shape_differs(const struct machine *a,
                                  const struct machine *b);

#endif
