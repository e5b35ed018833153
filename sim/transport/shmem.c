/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHMEM: one-sided puts that kernels start (Chen et al. 2022: NVSHMEM). In a
 * node they are stores over NVLink; between nodes a put takes the whole alpha,
 * no CPU of a process, and its turn at the NIC. */
#include "sim/transport/transport.h"

const struct transport shmem_transport = {
    .summary = "one-sided puts that a GPU's kernel starts; no CPU, no receive",
    .pairing = PAIRING_NONE,
    .ordering = ORDER_NONE,
    .by_gpu = true,
    .put = transfer_put,
};
