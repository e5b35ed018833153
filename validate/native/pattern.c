/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills host or GPU memory with known bytes and checks them. */
#include "validate/native/pattern.h"

#include <stdlib.h>
#include <string.h>

static unsigned char pattern_byte(uint64_t seed, uint64_t i)
{
    /* Multiplicative hashing: the upper bits depend on all lower ones. */
    return (unsigned char)((seed * 0x9e3779b97f4a7c15u + i) *
                               0xd1342543de82ef95u >>
                           56);
}

static void pattern_copy(const struct native *n, void *to, const void *from,
                         size_t bytes)
{
    DIE_TRY(n->gpu->copy(to, from, bytes, NULL, DIE));
    DIE_TRY(n->gpu->wait(NULL, DIE));
}

void pattern_fill(const struct native *n, void *to, size_t bytes, uint64_t seed)
{
    unsigned char *all = xmalloc(bytes);

    for (size_t i = 0; i < bytes; i++)
        all[i] = pattern_byte(seed, i);
    if (n->breaks == BREAK_CORRUPT && bytes)
        all[bytes / 2] ^= 1;
    pattern_copy(n, to, all, bytes);
    free(all);
}

void pattern_wipe(const struct native *n, void *to, size_t bytes)
{
    unsigned char *all = xmalloc(bytes);

    memset(all, 0xa5, bytes);
    pattern_copy(n, to, all, bytes);
    free(all);
}

void pattern_check(const struct native *n, const void *from, size_t bytes,
                   uint64_t seed, const char *what)
{
    unsigned char *all = xmalloc(bytes);

    pattern_copy(n, all, from, bytes);
    for (size_t i = 0; i < bytes; i++)
        if (all[i] != pattern_byte(seed, i))
            native_die("corrupted data: %s: byte %zu of %zu: expected 0x%02x, "
                       "got 0x%02x",
                       what, i, bytes, pattern_byte(seed, i), all[i]);
    free(all);
}
