/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gather.h - kernels (cuda/gather.cuh) that gather n values, to[i] =
 * from[index[i]], and scatter them, to[index[i]] = from[i]. Both return a
 * cudaError_t. */
#ifndef VALIDATE_NATIVE_GATHER_H
#define VALIDATE_NATIVE_GATHER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int gather_pack(uint64_t *to, const uint64_t *from, const uint32_t *index,
                size_t n, void *stream);
int gather_unpack(uint64_t *to, const uint64_t *from, const uint32_t *index,
                  size_t n, void *stream);

#ifdef __cplusplus
}
#endif

#endif
