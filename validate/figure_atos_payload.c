/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fig 2: what part of the bytes on the wire is what was asked for. */
#include "validate/figure.h"

#include <math.h>

enum { STEP_B = 4, LARGEST_B = 1024 };

/*
 * A memory write over PCIe 3: 2 dwords of framing, sequence number and LCRC,
 * and a header of 4 dwords (64-bit addresses); whole dwords of payload (Intel
 * AN 855, "Protocol Overhead", without ECRC). The largest payload is the
 * system's: 256 B assumed. 2 of 130 bits are the encoding's.
 */
static const struct nvlink_packet pcie3 = {4, 256, 24, NULL};
static const double pcie3_code = 128.0 / 130;

static double payload(const struct nvlink_packet *p, double bytes)
{
    double sent = ceil(bytes / p->granule_B) * p->granule_B;

    return bytes / (sent + ceil(sent / p->payload_B) * p->header_B);
}

int figure_atos_payload(FILE *csv, FILE *vars, const struct figure_input *in,
                        struct err *err)
{
    const struct nvlink_packet *nvlink = &in->m->gpu.packet;

    if (!nvlink->granule_B)
        return fail(err, "%s has no gpu.nvlink_packet", in->m->name);
    fprintf(csv, "bytes,nvlink,pcie3\n");
    for (unsigned b = STEP_B; b <= LARGEST_B; b += STEP_B)
        fprintf(csv, "%u,%.6g,%.6g\n", b, payload(nvlink, b),
                payload(&pcie3, b) * pcie3_code);
    fprintf(vars, "granule = %u\npayload = %u\nheader = %u\n",
            nvlink->granule_B, nvlink->payload_B, nvlink->header_B);
    fprintf(vars, "pcie_payload = %u\npcie_header = %u\n", pcie3.payload_B,
            pcie3.header_B);
    return 0;
}
