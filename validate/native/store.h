/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.h - the elements that a rank of a collective holds while its plan is
 * executed: one vector, or in an all-to-all the blocks of all pairs of ranks,
 * in host memory, GPU memory, or both. Messages are sent from it and received
 * into it directly if their elements are contiguous. */
#ifndef VALIDATE_NATIVE_STORE_H
#define VALIDATE_NATIVE_STORE_H

#include "strategies/collective/collective.h"
#include "strategies/shared_gpu/shared_gpu.h"
#include "validate/native/runner.h"

enum { ELEMENT_B = sizeof(float) };

/* Return the bytes of a store, and the offset of a piece's elements in it. */
uint64_t store_bytes(const struct collective *c);
uint64_t store_offset(const struct collective *c, struct piece piece);
/* Return whether the plan of a collective moves elements in host memory, and in
 * GPU memory. */
bool store_on_host(const struct plan *p, const struct collective *c);
bool store_on_gpu(const struct collective *c);
/* Returns the GPU of a rank, by its number on its node. */
unsigned store_gpu(const struct collective *c, uint32_t rank);

/* Returns whether a message's elements are contiguous in the store of its
 * sender or, if `receives`, of its receiver. */
bool store_straight(const struct runner *r, uint32_t op, bool receives);

/* Return the bytes of a block, and of a piece's elements. */
uint64_t store_block(const struct collective *c);
uint64_t store_size(const struct collective *c, struct piece piece);
/* Returns whether an operation adds the elements that it receives. */
bool store_adds(const struct runner *r, uint32_t op);
/* Returns whether a rank sends to itself; the data are then there already. */
bool store_to_itself(const struct op *o);
/* Returns the store of this rank for an operation between host memories, or in
 * a GPU's. */
char *store_of(const struct runner *r, const struct op *o);

/* --- ranks that share GPUs (strategies/shared_gpu) ------------------------ */

/* Returns whether operations move data of other ranks of the node, as the
 * request's `moves` say. */
bool store_moves(const struct collective *c);
/* store_place() returns where a place is: in a rank's memory on its GPU, behind
 * `number` stores, of which the first is its own. store_places() returns how
 * many stores a rank has. */
struct store_place {
    uint32_t rank;
    unsigned number;
};
struct store_place store_place(const struct runner *r, uint32_t place);
unsigned store_places(const struct runner *r, uint32_t rank);

/* --- store_values.c --------------------------------------------------------
 */

/* Return whether elements that a message sends, or receives, are not where they
 * belong, so that store_pack() or store_unpack() moves them; false if r is
 * NULL. */
bool store_gathers(const struct runner *r, uint32_t op);
bool store_scatters(const struct runner *r, uint32_t op);
/* Called around an operation of this rank: gather the data to send, store the
 * data that arrived, add, copy between host and GPU. */
void store_pack(struct runner *r, uint32_t op);
void store_unpack(struct runner *r, uint32_t op);
void store_add(struct runner *r, uint32_t op);
void store_copy(struct runner *r, uint32_t op);

/* Sets each rank's elements, and fills the rest with poison. */
void store_fill(struct runner *r);
/* Checks every element of the result; ends all ranks if one is wrong. */
void store_verify(struct runner *r);

/* Set the elements that the rank contributes (NAN for others), and those that
 * it must have at the end (NAN for any). Both write a whole store. */
void store_brings(float *to, const struct collective *c, uint32_t rank);
void store_wants(float *to, const struct collective *c, uint32_t rank);

#endif
