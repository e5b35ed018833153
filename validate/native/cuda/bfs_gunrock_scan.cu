// SPDX-License-Identifier: GPL-3.0-or-later
/* The scan of Gunrock's level, by CUB; callable from C. */
#include <cub/device/device_scan.cuh>

#include "validate/native/cuda/bfs_gunrock.h"

int gunrock_scan_start(const struct gunrock_level *l, void *memory,
                       size_t *bytes, void *stream)
{
    return cub::DeviceScan::InclusiveSum(memory, *bytes, l->degrees, l->ends,
                                         l->items, (cudaStream_t)stream);
}
