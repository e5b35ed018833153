/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The places of a collective's elements on real ranks. */
#include "validate/native/store.h"

#include "strategies/collective/collective_build.h"

#include <string.h>

uint64_t store_block(const struct collective *c)
{
    return c->bytes / collective_ranks(c);
}

uint64_t store_bytes(const struct collective *c)
{
    return c->kind == COLLECTIVE_ALLTOALL ? c->bytes * collective_ranks(c)
                                          : c->bytes;
}

uint64_t store_offset(const struct collective *c, struct piece piece)
{
    if (c->kind == COLLECTIVE_ALLTOALL)
        return (piece.class_id * (uint64_t)collective_ranks(c) + piece.first) *
               store_block(c);
    return piece.first * ELEMENT_B;
}

uint64_t store_size(const struct collective *c, struct piece piece)
{
    return piece.count *
           (c->kind == COLLECTIVE_ALLTOALL ? store_block(c) : ELEMENT_B);
}

bool store_on_gpu(const struct collective *c)
{
    return c->memory != COLLECTIVE_HOST;
}

bool store_on_host(const struct plan *p, const struct collective *c)
{
    bool on = !store_on_gpu(c);

    for (uint32_t op = 0; op < p->nops && !on; op++)
        on = (p->ops[op].kind == OP_COPY && p->ops[op].dir != D2D) ||
             (p->ops[op].src_gpu == NO_GPU && plan_npieces(p, op));
    return on;
}

unsigned store_gpu(const struct collective *c, uint32_t rank)
{
    return rank % c->ranks_per_node / collective_per_gpu(c);
}

bool store_adds(const struct runner *r, uint32_t op)
{
    const struct plan *p = r->plan;

    return r->collective->kind != COLLECTIVE_ALLTOALL && plan_npieces(p, op) &&
           p->pieces[plan_first_piece(p, op)].class_id == COLLECTIVE_ADD;
}

bool store_to_itself(const struct op *o)
{
    return o->src == o->dst;
}

bool store_straight(const struct runner *r, uint32_t op, bool receives)
{
    if (plan_npieces(r->plan, op) != 1)
        return false;
    return !receives ||
           (!store_adds(r, op) && !store_to_itself(&r->plan->ops[op]));
}

char *store_of(const struct runner *r, const struct op *o)
{
    return o->src_gpu == NO_GPU ? r->host_store : r->device_store;
}

bool store_moves(const struct collective *c)
{
    return c->moves && c->moves->n;
}

/* Returns the rank that has a place in its memory; for data that others bring
 * it is the rank that adds them. */
static uint32_t place_owner(const struct runner *r, uint32_t place)
{
    const struct shared_moves *s = r->collective->moves;

    for (size_t i = 0; i < s->n && place % NSHARED_PLACES != SHARED_OWN; i++)
        if (s->moves[i].adds && s->moves[i].from == place)
            return r->plan->ops[s->moves[i].op].src;
    return place / NSHARED_PLACES;
}

struct store_place store_place(const struct runner *r, uint32_t place)
{
    uint32_t owner = place_owner(r, place), first = r->plan->ranks_per_node;
    struct store_place at = {owner, 0};

    first *= plan_node(r->plan, owner);
    if (place % NSHARED_PLACES == SHARED_OWN)
        return at;
    at.number = 1;
    for (uint32_t k = first; k < place / NSHARED_PLACES; k++)
        at.number += place_owner(r, k * NSHARED_PLACES + SHARED_SLOT) == owner;
    return at;
}

unsigned store_places(const struct runner *r, uint32_t rank)
{
    uint32_t first = plan_node(r->plan, rank) * r->plan->ranks_per_node;
    unsigned n = 1;

    for (uint32_t k = 0;
         store_moves(r->collective) && k < r->plan->ranks_per_node; k++)
        n += place_owner(r, (first + k) * NSHARED_PLACES + SHARED_SLOT) == rank;
    return n;
}
