/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls_places.h - the places of a plan's operations in the memory of their
 * ranks; for calls.c and calls_memory.c. */
#ifndef VALIDATE_NATIVE_CALLS_PLACES_H
#define VALIDATE_NATIVE_CALLS_PLACES_H

#include "validate/native/calls.h"

#include <stddef.h>

/* The offsets of the bytes that an operation reads and writes, each in its
 * space; -1 if it is not of this rank. */
struct place {
    ptrdiff_t at[2];
    bool alone[2]; /* no other operation writes, or reads, these bytes */
};

/* Returns whether it is a message of GPU memory within a node. */
static inline bool calls_on_gpus(const struct plan *p, const struct op *o)
{
    return o->kind == OP_MSG && o->src_gpu != NO_GPU &&
           plan_node(p, o->src) == plan_node(p, o->dst);
}

/* Returns the space that an operation reads (end 0) or writes (1). */
unsigned calls_space_of(const struct calls_memory *m, const struct op *o,
                        int end);
/* Sets the places of all operations of a rank, and the bytes that it needs in
 * each space. Every rank finds the same. */
void calls_places(struct place *out, size_t *used, const struct calls_memory *m,
                  const struct plan *p, uint32_t rank);

#endif
