/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known.h - specified rates of devices by their names: PCIe generations, NICs,
 * GPUs, links between GPUs. Bytes per second, each way. */
#ifndef PLATFORMS_DISCOVER_KNOWN_H
#define PLATFORMS_DISCOVER_KNOWN_H

#include <stdbool.h>

/* Returns the rate of a PCIe link of `width` lanes of GTps 10^9 transfers, less
 * its encoding; 0 if they make no sense. */
double known_pcie_Bps(double GTps, unsigned width);

/* Returns the rate of all ports of a NIC by the PCI vendor and device in its
 * name, such as 0x15b3 and 0x101b, and its own name; 0 and NULL if it is not
 * known. */
double known_nic_Bps(unsigned vendor, unsigned device, const char **name);

/* Returns the rate of one NVLink of a GPU of this compute capability (80 is
 * 8.0); 0 if it is not known. */
double known_nvlink_Bps(unsigned sm, const char **name);
/* Returns the rate of one link between AMD's GPUs of this gfx number (0x90a, or
 * 910 of RCCL); 0 if it is not known. */
double known_xgmi_Bps(const char *gcn, const char **name);

struct known_gpu {
    const char *part; /* a part of the model's name, or of its gfx number */
    const char *name;
    const char *maker, *arch; /* "sm_90", "gfx942" */
    double memory_GBps, l2_MiB, memory_GiB;
    unsigned sms;
};

/* Returns a GPU by its model's name ("Tesla V100-SXM3-32GB-H"), or NULL if it
 * is not known. */
const struct known_gpu *known_gpu(const char *model);
/* Returns one by its PCI vendor and device, or NULL. */
const struct known_gpu *known_pci_gpu(unsigned vendor, unsigned device);
/* Returns one of AMD by its gfx number, as RCCL has it, and its compute units,
 * or NULL. */
const struct known_gpu *known_gcn_gpu(const char *gcn, unsigned sms);
/* Returns a compiler's name for a gfx number as RCCL has it: "gfx90a" for 910,
 * which the caller frees; NULL if it is none. */
char *known_gcn_arch(const char *gcn);
/* Returns "nvidia", "amd", "intel", or NULL. */
const char *known_maker(unsigned vendor);

#endif
