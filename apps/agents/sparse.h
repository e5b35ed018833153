/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse.h - 32-bit values by 32-bit index, if most indices have a common
 * value; the memory grows with the number of indices that were looked up for
 * writing. */
#ifndef APPS_AGENTS_SPARSE_H
#define APPS_AGENTS_SPARSE_H

#include <stddef.h>
#include <stdint.h>

struct sparse_slot {
    uint32_t index;
    union {
        uint32_t value;
        float real;
    };
};

/* A hash table with open addressing and linear probing, at most two thirds
 * full. A struct with all zeros and a value of `none` is an empty table. */
struct sparse {
    struct sparse_slot *slots; /* 2^bits; NULL if none yet */
    unsigned bits;
    uint32_t n;    /* slots in use */
    uint32_t none; /* value of an index that was not written */
};

/* The index of a free slot, so no index may equal it. */
#define SPARSE_FREE UINT32_MAX

/* Returns the slot of the index, or the free slot where it would be. */
static inline struct sparse_slot *sparse_find(const struct sparse *s,
                                              uint32_t index)
{
    uint32_t mask = ((uint32_t)1 << s->bits) - 1;
    /* Multiplicative hashing (Knuth, The Art of Computer Programming, vol. 3,
     * 6.4), with 2^32 divided by the golden ratio. */
    uint32_t at = (index * 0x9e3779b1u) >> (32 - s->bits);

    while (s->slots[at].index != index && s->slots[at].index != SPARSE_FREE)
        at = (at + 1) & mask;
    return &s->slots[at];
}

/* Adds an index, with the value `none`; s may have no slots yet. */
struct sparse_slot *sparse_add(struct sparse *s, uint32_t index);
void sparse_clear(struct sparse *s);

/* Returns the slot of an index, for reading or writing; valid until another
 * index is written. */
static inline struct sparse_slot *sparse_slot(struct sparse *s, uint32_t index)
{
    if (s->slots) {
        struct sparse_slot *slot = sparse_find(s, index);
        if (slot->index == index)
            return slot;
    }
    return sparse_add(s, index);
}

static inline uint32_t *sparse_at(struct sparse *s, uint32_t index)
{
    return &sparse_slot(s, index)->value;
}

/* The same for tables whose values are all floats; `none` is 0. */
static inline float *sparse_float(struct sparse *s, uint32_t index)
{
    return &sparse_slot(s, index)->real;
}

static inline uint32_t sparse_get(const struct sparse *s, uint32_t index)
{
    const struct sparse_slot *slot = s->slots ? sparse_find(s, index) : NULL;

    return slot && slot->index == index ? slot->value : s->none;
}

static inline float sparse_real(const struct sparse *s, uint32_t index)
{
    const struct sparse_slot *slot = s->slots ? sparse_find(s, index) : NULL;

    return slot && slot->index == index ? slot->real : 0;
}

#endif
