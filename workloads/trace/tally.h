/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tally.h - how often each of many triples of numbers occurred. */
#ifndef WORKLOADS_TRACE_TALLY_H
#define WORKLOADS_TRACE_TALLY_H

#include <stddef.h>
#include <stdint.h>

struct tally_row {
    uint32_t key[3];
    uint64_t count; /* 0: no row */
};

/* All 0: empty. Rows stand in an order that means nothing. */
struct tally {
    struct tally_row *rows; /* size of them */
    size_t size, used;
};

/* The count of a triple, good until the next call; of a new one 0, which the
 * caller makes more. */
uint64_t *tally_at(struct tally *t, uint32_t a, uint32_t b, uint32_t c);
/* Its count, or 0. */
uint64_t tally_of(const struct tally *t, uint32_t a, uint32_t b, uint32_t c);
void tally_clear(struct tally *t);

#endif
