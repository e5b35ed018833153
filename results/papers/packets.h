/* SPDX-License-Identifier: GPL-3.0-or-later */
/* packets.h - the share of the requested bytes in the bytes on the wire: Fig 2
 * of Chen et al. 2022. */
#ifndef RESULTS_PAPERS_PACKETS_H
#define RESULTS_PAPERS_PACKETS_H

#include "platforms/machine.h"

/* Memory writes over PCIe 3. */
extern const struct nvlink_packet pcie3_packet;

double nvlink_payload(const struct nvlink_packet *p, double bytes);
double pcie3_payload(double bytes); /* with its encoding */

#endif
