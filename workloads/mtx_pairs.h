/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mtx_pairs.h - a list of (row, column) pairs in two to nine bytes each, as
 * differences to the pair before: 2.5 bytes for a matrix in order. */
#ifndef WORKLOADS_MTX_PAIRS_H
#define WORKLOADS_MTX_PAIRS_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct mtx_pair {
    uint32_t row, col;
};

struct mtx_pairs {
    uint8_t *bytes;
    size_t len, room;
    uint64_t n;
    struct mtx_pair last;
    bool mapped; /* bytes are no memory of malloc() */
};

enum { MTX_PAIR_B = 9 }; /* at most; reading and writing touch as many */

/* Room for n pairs more than there are. */
void mtx_pairs_reserve(struct mtx_pairs *p, size_t n);
void mtx_pairs_clear(struct mtx_pairs *p);
/* The same pairs in no more memory than they need. */
struct mtx_pairs mtx_pairs_copy(const struct mtx_pairs *p);

/* Small for small differences of either sign. */
static inline uint32_t mtx_zigzag(uint32_t difference)
{
    return difference << 1 ^ (difference >> 31 ? UINT32_MAX : 0);
}

static inline uint32_t mtx_zagzig(uint32_t code)
{
    return code >> 1 ^ (code & 1 ? UINT32_MAX : 0);
}

static inline unsigned mtx_bytes_of(uint32_t code)
{
    return code ? 4 - (unsigned)__builtin_clz(code) / 8 : 0;
}

static inline void mtx_pairs_empty(struct mtx_pairs *p)
{
    p->len = 0;
    p->n = 0;
    p->last = (struct mtx_pair){0};
}

/* There is room for it. */
static inline void mtx_pairs_add(struct mtx_pairs *p, struct mtx_pair pair)
{
    uint32_t row = mtx_zigzag(pair.row - p->last.row);
    uint32_t col = mtx_zigzag(pair.col - p->last.col);
    unsigned row_B = mtx_bytes_of(row), col_B = mtx_bytes_of(col);
    uint8_t *to = p->bytes + p->len;

    to[0] = (uint8_t)(row_B | col_B << 4);
    row = htole32(row);
    col = htole32(col);
    memcpy(to + 1, &row, sizeof row);
    memcpy(to + 1 + row_B, &col, sizeof col);
    p->len += 1 + row_B + col_B;
    p->last = pair;
    p->n++;
}

/* The pair at *at, which goes to the next; *pair is the one before, {0} at
 * first. */
static inline void mtx_pairs_take(const uint8_t **at, struct mtx_pair *pair)
{
    const uint8_t *from = *at;
    unsigned row_B = from[0] & 15, col_B = from[0] >> 4;
    uint32_t row, col;

    memcpy(&row, from + 1, sizeof row);
    memcpy(&col, from + 1 + row_B, sizeof col);
    row = le32toh(row) & (uint32_t)((UINT64_C(1) << 8 * row_B) - 1);
    col = le32toh(col) & (uint32_t)((UINT64_C(1) << 8 * col_B) - 1);
    pair->row += mtx_zagzig(row);
    pair->col += mtx_zagzig(col);
    *at = from + 1 + row_B + col_B;
}

#endif
