/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape.h - whether plans made for one machine are those of another. */
#ifndef PLATFORMS_SHAPE_H
#define PLATFORMS_SHAPE_H

#include "platforms/machine.h"

/*
 * A plan is made by these, costs apart: the nodes, the devices and wires of a
 * node, which messages there are, which copies and up to which sizes, and
 * whether kernels have a cost. (A strategy that cuts messages for the machine
 * looks at machine_rendezvous_limit(), too.) NULL: both machines have the
 * same; else the key in a platform file of the first that differs
 * ("network.nodes").
 */
const char *machine_shape_differs(const struct machine *a,
                                  const struct machine *b);

#endif
