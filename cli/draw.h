/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw.h - a machine as an SVG drawing: what a node is, wires with their
 * bandwidths, and the levels of the network. `sluice show platform --svg` is
 * the whole file; `sluice report` has it in its page, and colours the wires. */
#ifndef CLI_DRAW_H
#define CLI_DRAW_H

#include "platforms/machine.h"

#include <stdio.h>

/*
 * A node, and the network if asked for. Each direction of a wire is a path of
 * the class "wire" whose data-link is the name of that link without its node,
 * "cpu0>nic0"; each device a group of the class "device" whose data-device is
 * its id. Names are escaped.
 */
void draw_machine(FILE *to, const struct machine *m, bool with_network);

/* Parts of it. Lengths are pixels. Returns the height that it took, and widens
 * *width to what it needs. */
double draw_node(FILE *to, const struct machine *m, double *width);
double draw_network(FILE *to, const struct machine *m, double top,
                    double *width);

/* Text with what markup would be as entities; control characters as '?'. */
void draw_escaped(FILE *to, const char *text);

#endif
