/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tally.h - counts of triples of numbers. */
#ifndef WORKLOADS_TRACE_TALLY_H
#define WORKLOADS_TRACE_TALLY_H

#include <stddef.h>
#include <stdint.h>

struct tally_row {
    uint32_t key[3];
    uint64_t count; /* 0 if the row is free */
};

/* A table of counts, empty if it is all 0. The rows have no meaningful
 * order. */
struct tally {
    struct tally_row *rows; /* `size` of them */
    size_t size, used;
};

/* Returns the count of a triple, valid until the next call. If the triple is
 * new, the count is 0, and the caller must increase it, because a row with 0 is
 * free. */
uint64_t *tally_at(struct tally *t, uint32_t a, uint32_t b, uint32_t c);
/* Returns the count of a triple, or 0. */
uint64_t tally_of(const struct tally *t, uint32_t a, uint32_t b, uint32_t c);
void tally_clear(struct tally *t);

#endif
