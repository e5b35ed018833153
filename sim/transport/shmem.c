/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHMEM: one-sided puts that kernels start (Chen et al. 2022: NVSHMEM). In a
 * node they are stores over NVLink; between nodes a put takes the whole alpha,
 * no CPU of a process, and its turn at the NIC. */
#include "sim/transport/transport.h"

static struct occupancies shmem_progress(const struct segment *s,
                                         uint64_t bytes)
{
    (void)s;
    (void)bytes;
    return (struct occupancies){{0, 0}, {0, 0}};
}

const struct transport shmem_transport = {
    .summary = "one-sided puts that a GPU's kernel starts; no CPU, no receive",
    .pairing = PAIRING_NONE,
    .ordering = ORDER_NONE,
    .by_gpu = true,
    .progress = shmem_progress,
    .put = transfer_put,
};
