/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mtx_pairs.h - a list of (row, column) pairs in at most nine bytes each, as
 * differences from the pair before: 2.5 bytes for a sorted matrix. */
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
    bool mapped; /* bytes were mapped, not allocated by malloc() */
};

/* Most bytes of a pair; as many are read and written. */
enum { MTX_PAIR_B = 9 };

/* Makes room for n more pairs. */
void mtx_pairs_reserve(struct mtx_pairs *p, size_t n);
void mtx_pairs_clear(struct mtx_pairs *p);
/* Returns a copy in no more memory than it needs. */
struct mtx_pairs mtx_pairs_copy(const struct mtx_pairs *p);

/* Maps differences of either sign to small numbers if they are small. */
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

/* Appends a pair; there must be room for it. */
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

/* Reads the pair at *at, and moves *at to the next. *pair must be the one
 * before it, {0} at first. */
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
