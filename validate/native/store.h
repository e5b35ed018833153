/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.h - the elements that a rank of a collective holds while its plan is
 * executed: one vector, or in an all-to-all the blocks of all pairs of ranks,
 * in host memory, GPU memory, or both. Messages go from and into it straight
 * where their elements lie side by side. */
#ifndef VALIDATE_NATIVE_STORE_H
#define VALIDATE_NATIVE_STORE_H

#include "strategies/collective/collective.h"
#include "strategies/shared_gpu/shared_gpu.h"
#include "validate/native/runner.h"

/* Bytes of one, and where in it the elements of a piece begin. */
uint64_t store_bytes(const struct collective *c);
uint64_t store_offset(const struct collective *c, struct piece piece);
/* Which memory the plan of a collective moves elements in. */
bool store_on_host(const struct plan *p, const struct collective *c);
bool store_on_gpu(const struct collective *c);
/* The GPU of a rank, by its number on its node. */
unsigned store_gpu(const struct collective *c, uint32_t rank);

/* A message's elements lie side by side: where it is sent from, or, when it
 * receives, where they are stored. */
bool store_straight(const struct runner *r, uint32_t op, bool receives);

/* --- of ranks that share GPUs (strategies/shared_gpu) ----------------------
 */

/* Whether operations move what other ranks of the node have, as the request's
 * `moves` say. */
bool store_moves(const struct collective *c);
/* Where a place is: in a rank's memory on its GPU, behind so many stores, of
 * which the first is its own. And how many stores a rank has. */
struct store_place {
    uint32_t rank;
    unsigned number;
};
struct store_place store_place(const struct runner *r, uint32_t place);
unsigned store_places(const struct runner *r, uint32_t rank);

/* Around an operation of this rank: gathers what is sent, puts what has come to
 * its place, adds, copies between host and GPU. */
void store_pack(struct runner *r, uint32_t op);
void store_unpack(struct runner *r, uint32_t op);
void store_add(struct runner *r, uint32_t op);
void store_copy(struct runner *r, uint32_t op);

/* Each rank's elements, and nothing else but poison. */
void store_fill(struct runner *r);
/* Every element of the result is there, or all ranks end. */
void store_verify(struct runner *r);

/* What the rank brings: element i of `wanted`, or NAN; and what it must have in
 * the end, NAN: anything. Both have room for a store. */
void store_brings(float *to, const struct collective *c, uint32_t rank);
void store_wants(float *to, const struct collective *c, uint32_t rank);

#endif
