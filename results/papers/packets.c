/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The payload share of NVLink and PCIe packets by message size. */
#include "results/papers/packets.h"

#include <math.h>

/*
 * A packet has 2 dwords of framing, sequence number and LCRC, a header of 4
 * dwords (64-bit addresses), and whole dwords of payload (Intel AN 855,
 * "Protocol Overhead", without ECRC). The largest payload depends on the
 * system: 256 B is assumed. 2 of 130 bits are the encoding's.
 */
const struct nvlink_packet pcie3_packet = {4, 256, 24, NULL};
static const double pcie3_code = 128.0 / 130;

double nvlink_payload(const struct nvlink_packet *p, double bytes)
{
    double sent = ceil(bytes / p->granule_B) * p->granule_B;

    return bytes / (sent + ceil(sent / p->payload_B) * p->header_B);
}

double pcie3_payload(double bytes)
{
    return nvlink_payload(&pcie3_packet, bytes) * pcie3_code;
}
