/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_settings.h - changes of a machine that settings of NCCL and faults make.
 */
#ifndef PLATFORMS_NCCL_SETTINGS_H
#define PLATFORMS_NCCL_SETTINGS_H

#include "platforms/machine.h"

/* Chunks of sends between nodes, and over PCIe, are such a part of others. */
enum { NCCL_SHORTER_CHUNKS = 4 };

/* The row of an option for these settings, as struct texts. */
#define NCCL_OPTION(texts)                                                     \
    {                                                                          \
        "nccl", OPT_TEXTS, &(texts), "KEY=VALUE",                              \
            "set an environment variable of NCCL, such as NCCL_ALGO=Ring, "    \
            "NCCL_P2P_DISABLE=1, NCCL_IB_DISABLE=1 (sluice list keys has "     \
            "all, as nccl.settings); may be repeated"                          \
    }

/* Returns the --set that makes a setting "NCCL_ALGO=Ring", which the caller
 * frees; NULL, with err filled, if the variable has no model, or has one
 * (*modelled) but not of this value. */
char *nccl_setting_path(const char *setting, bool *modelled, struct err *err);
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
