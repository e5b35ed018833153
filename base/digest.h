/* SPDX-License-Identifier: GPL-3.0-or-later */
/* digest.h - a checksum by which a change of some bytes is noticed: FNV-1a
 * (Fowler, Noll and Vo), 64 bits. */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_OF_NOTHING UINT64_C(0xcbf29ce484222325)

/* Returns the digest of the data of `digest` followed by `n` more bytes. */
static inline uint64_t digest_add(uint64_t digest, const void *data, size_t n)
{
    const unsigned char *bytes = data;

    for (size_t i = 0; i < n; i++)
        digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
    return digest;
}

#endif
