/* SPDX-License-Identifier: GPL-3.0-or-later */
/* digest.h - a checksum by which a change of some bytes is noticed: FNV-1a
 * (Fowler, Noll, Vo 1991), 64 bits. Hash tables use it, too. */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_OF_NOTHING UINT64_C(0xcbf29ce484222325)

/* Returns the digest of the data of `digest` followed by one more byte; or, for
 * hash tables, by one more word, which is faster than its bytes. */
static inline uint64_t digest_word(uint64_t digest, uint64_t word)
{
    return (digest ^ word) * UINT64_C(0x100000001b3);
}

/* Returns the digest of the data of `digest` followed by `n` more bytes. */
static inline uint64_t digest_add(uint64_t digest, const void *data, size_t n)
{
    const unsigned char *bytes = data;

    for (size_t i = 0; i < n; i++)
        digest = digest_word(digest, bytes[i]);
    return digest;
}

/* Does the same for a text without its end. */
static inline uint64_t digest_text(uint64_t digest, const char *text)
{
    for (; *text; text++)
        digest = digest_word(digest, (unsigned char)*text);
    return digest;
}

#endif
