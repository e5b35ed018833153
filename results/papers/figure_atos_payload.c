/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fig 2: the payload's share of the bytes on the wire. */
#include "results/papers/figure.h"

#include "results/papers/packets.h"

enum { STEP_B = 4, LARGEST_B = 1024 };

int figure_atos_payload(FILE *csv, FILE *vars, const struct figure_input *in,
                        struct err *err)
{
    const struct nvlink_packet *nvlink = &in->m->gpu.packet;

    if (!nvlink->granule_B)
        return fail(err, "%s has no gpu.nvlink_packet", in->m->name);
    fprintf(csv, "bytes,nvlink,pcie3\n");
    for (unsigned b = STEP_B; b <= LARGEST_B; b += STEP_B)
        fprintf(csv, "%u,%.6g,%.6g\n", b, nvlink_payload(nvlink, b),
                pcie3_payload(b));
    fprintf(vars, "granule = %u\npayload = %u\nheader = %u\n",
            nvlink->granule_B, nvlink->payload_B, nvlink->header_B);
    fprintf(vars, "pcie_payload = %u\npcie_header = %u\n",
            pcie3_packet.payload_B, pcie3_packet.header_B);
    return 0;
}
