/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw.h - a machine as an SVG drawing: the devices of a node, wires with their
 * bandwidths, and the levels of the network. `sluice show platform --svg`
 * prints the whole file; `sluice report` has it in its page, and colours the
 * wires. */
#ifndef CLI_DRAW_H
#define CLI_DRAW_H

#include "platforms/machine.h"

#include <stdio.h>

/*
 * Draws a node, and the network if asked for. Each direction of a wire is a
 * path of the class "wire" whose data-link is the name of that link without its
 * node, "cpu0>nic0"; each device is a group of the class "device" whose
 * data-device is its id. Names are escaped.
 */
void draw_machine(FILE *to, const struct machine *m, bool with_network);

/* Draw parts of it. Lengths are pixels. Return the height that is used, and
 * widen *width to the width that is needed. */
double draw_node(FILE *to, const struct machine *m, double *width);
double draw_network(FILE *to, const struct machine *m, double top,
                    double *width);

/* Prints text with markup characters as entities, and control characters as
 * '?'. */
void draw_escaped(FILE *to, const char *text);

#endif
