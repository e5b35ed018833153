/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_settings.h - changes of a machine that settings of NCCL and faults make.
 */
#ifndef PLATFORMS_NCCL_SETTINGS_H
#define PLATFORMS_NCCL_SETTINGS_H

#include "platforms/machine.h"

/* Returns the reason why one of NCCL's environment variables is not modelled;
 * NULL if it is, or is unknown. */
const char *nccl_setting_refused(const char *name);
/* Multiplies the rates of the NICs and of the node's link to the network. */
void machine_scale_network(struct machine *m, double factor);
/* Multiplies the rates of the links between GPUs, also through their switches;
 * returns whether there are any. */
bool machine_scale_gpu_links(struct machine *m, double factor);
/* Gives those links this factor of the rate of PCIe; returns false if they are
 * not faster than that. */
bool machine_gpu_links_by_pcie(struct machine *m, double factor);
/* Returns whether a device belongs to PCIe: a PCIe switch is attached to a
 * socket, a switch of NVLink is not. */
bool machine_is_pcie(const struct machine *m, unsigned device);
/* Returns whether a wire is such a link. */
bool machine_is_gpu_link(const struct machine *m, const struct wire *w);

#endif
