/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The elements of a collective on real ranks: their places, their moves and
 * sums, and their final values. */
#include "validate/native/store.h"

#include "strategies/collective/collective_build.h"
#include "validate/native/elements.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENT_B = sizeof(float) };

static uint64_t store_block(const struct collective *c)
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

static uint64_t store_size(const struct collective *c, struct piece piece)
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

static bool adds(const struct runner *r, uint32_t op)
{
    const struct plan *p = r->plan;

    return r->collective->kind != COLLECTIVE_ALLTOALL && plan_npieces(p, op) &&
           p->pieces[plan_first_piece(p, op)].class_id == COLLECTIVE_ADD;
}

/* Returns whether a rank sends to itself; the data are then there already. */
static bool to_itself(const struct op *o)
{
    return o->src == o->dst;
}

bool store_straight(const struct runner *r, uint32_t op, bool receives)
{
    if (plan_npieces(r->plan, op) != 1)
        return false;
    return !receives || (!adds(r, op) && !to_itself(&r->plan->ops[op]));
}

/* Returns the store of this rank for an operation between host memories, or in
 * a GPU's. */
static char *store_of(const struct runner *r, const struct op *o)
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

/* --- operations ----------------------------------------------------------- */

static void between(struct runner *r, char *buffer, uint32_t op, bool out)
{
    const struct plan *p = r->plan;
    const struct op *o = &p->ops[op];

    for (uint32_t i = plan_first_piece(p, op); i < plan_end_piece(p, op); i++) {
        char *at = store_of(r, o) + store_offset(r->collective, p->pieces[i]);
        uint64_t bytes = store_size(r->collective, p->pieces[i]);
        if (o->src_gpu == NO_GPU)
            memcpy(out ? buffer : at, out ? at : buffer, bytes);
        else
            DIE_TRY(r->n->gpu->copy(out ? buffer : at, out ? at : buffer, bytes,
                                    NULL, DIE));
        buffer += bytes;
    }
    if (o->src_gpu != NO_GPU)
        DIE_TRY(r->n->gpu->wait(NULL, DIE));
}

void store_pack(struct runner *r, uint32_t op)
{
    const struct op *o = &r->plan->ops[op];

    if (o->kind == OP_MSG && plan_npieces(r->plan, op) > 1)
        between(r, r->out[op], op, true);
}

void store_unpack(struct runner *r, uint32_t op)
{
    const struct op *o = &r->plan->ops[op];

    if (o->kind == OP_MSG && plan_npieces(r->plan, op) > 1 && !adds(r, op) &&
        !to_itself(o))
        between(r, r->in[op], op, false);
}

/* Adds all inputs that the moves name to the rank's own vector, in one
 * kernel. */
static void add_moved(struct runner *r, uint32_t op)
{
    const struct shared_moves *s = r->collective->moves;
    const float *from[GPU_ADDS];
    unsigned n = 0;

    for (size_t i = 0; i < s->n; i++) {
        if (s->moves[i].op != op)
            continue;
        if (n == GPU_ADDS)
            native_die("%s: operation %u adds more than %d buffers",
                       r->plan->name, op, GPU_ADDS);
        from[n++] = runner_place(r, s->moves[i].from);
    }
    DIE_TRY(r->n->gpu->add((void *)r->device_store, from, n,
                           r->collective->bytes / ELEMENT_B, NULL, DIE));
    DIE_TRY(r->n->gpu->wait(NULL, DIE));
}

/* Adds the data of the message that is the first dependency, or as the moves
 * say. */
void store_add(struct runner *r, uint32_t op)
{
    if (r->plan->ops[op].src_gpu != NO_GPU && store_moves(r->collective) &&
        !plan_npieces(r->plan, op)) {
        add_moved(r, op);
        return;
    }

    const struct plan *p = r->plan;
    const struct op *o = &p->ops[op];
    const char *from = r->in[p->deps[plan_first_dep(p, op)] & DEP_OP];

    for (uint32_t i = plan_first_piece(p, op); i < plan_end_piece(p, op); i++) {
        void *to = store_of(r, o) + store_offset(r->collective, p->pieces[i]);
        size_t n = p->pieces[i].count;
        const float *more = (const void *)from;
        if (o->src_gpu != NO_GPU)
            DIE_TRY(r->n->gpu->add(to, &more, 1, n, NULL, DIE));
        else
            MPI_TRY(MPI_Reduce_local(from, to, (int)n, MPI_FLOAT, MPI_SUM));
        from += n * ELEMENT_B;
    }
    if (o->src_gpu != NO_GPU)
        DIE_TRY(r->n->gpu->wait(NULL, DIE));
}

/* Copies inside a GPU, or between two, as the moves say. */
static void copy_moved(struct runner *r, uint32_t op)
{
    const struct shared_moves *s = r->collective->moves;
    size_t i = 0;

    while (i < s->n && s->moves[i].op != op)
        i++;
    if (i == s->n)
        native_die("%s: nobody knows what operation %u copies", r->plan->name,
                   op);
    DIE_TRY(r->n->gpu->copy(runner_place(r, s->moves[i].to),
                            runner_place(r, s->moves[i].from),
                            r->plan->ops[op].bytes, NULL, DIE));
    DIE_TRY(r->n->gpu->wait(NULL, DIE));
}

/* Copies between the two stores; in an all-to-all the blocks for this rank
 * return, one from each. */
void store_copy(struct runner *r, uint32_t op)
{
    const struct collective *c = r->collective;
    const struct op *o = &r->plan->ops[op];
    uint64_t block = store_block(c), at = 0, stride = 0, bytes = o->bytes;
    uint32_t parts = 1;
    bool out = o->dir == D2H;

    if (o->dir == D2D) {
        copy_moved(r, op);
        return;
    }
    if (out ? c->kind == COLLECTIVE_ALLGATHER
            : c->kind == COLLECTIVE_REDUCE_SCATTER)
        at = o->src * block;
    if (c->kind == COLLECTIVE_ALLTOALL) {
        at = out ? o->src * c->bytes : o->src * block;
        parts = out ? 1 : collective_ranks(c);
        stride = c->bytes;
        bytes /= parts;
    }
    for (uint32_t i = 0; i < parts; i++, at += stride)
        DIE_TRY(r->n->gpu->copy((out ? r->host_store : r->device_store) + at,
                                (out ? r->device_store : r->host_store) + at,
                                bytes, NULL, DIE));
    DIE_TRY(r->n->gpu->wait(NULL, DIE));
}

/* --- initial and final values --------------------------------------------- */

/* Handles elements [first, first + n): the sums over the ranks from low to high
 * - 1. */
typedef void elements_part(void *arg, uint64_t first, uint64_t n, unsigned low,
                           unsigned high);

static void brought(const struct collective *c, uint32_t rank,
                    elements_part *part, void *arg)
{
    uint64_t n = c->bytes / ELEMENT_B, block = store_block(c) / ELEMENT_B;

    switch (c->kind) {
    case COLLECTIVE_ALLGATHER:
        part(arg, rank * block, block, rank, rank + 1);
        break;
    case COLLECTIVE_ALLTOALL:
        part(arg, rank * n, n, rank, rank + 1);
        break;
    case COLLECTIVE_BROADCAST:
        if (rank == c->root)
            part(arg, 0, n, rank, rank + 1);
        break;
    default:
        part(arg, 0, n, rank, rank + 1);
    }
}

static void wanted(const struct collective *c, uint32_t rank,
                   elements_part *part, void *arg)
{
    uint64_t n = c->bytes / ELEMENT_B, block = store_block(c) / ELEMENT_B;
    unsigned ranks = collective_ranks(c);

    switch (c->kind) {
    case COLLECTIVE_ALLGATHER:
        for (unsigned k = 0; k < ranks; k++)
            part(arg, k * block, block, k, k + 1);
        break;
    case COLLECTIVE_ALLTOALL:
        for (unsigned k = 0; k < ranks; k++)
            part(arg, k * n + rank * block, block, k, k + 1);
        break;
    case COLLECTIVE_BROADCAST:
        part(arg, 0, n, c->root, c->root + 1);
        break;
    case COLLECTIVE_REDUCE_SCATTER:
        part(arg, rank * block, block, 0, ranks);
        break;
    case COLLECTIVE_REDUCE:
        if (rank == c->root)
            part(arg, 0, n, 0, ranks);
        break;
    default:
        part(arg, 0, n, 0, ranks);
    }
}

static void put(void *arg, uint64_t first, uint64_t n, unsigned low,
                unsigned high)
{
    float *to = arg;

    for (uint64_t i = first; i < first + n; i++)
        to[i] = (float)element_sum(i, low, high);
}

static void nothing(float *to, const struct collective *c)
{
    for (uint64_t i = 0; i < store_bytes(c) / ELEMENT_B; i++)
        to[i] = NAN;
}

void store_brings(float *to, const struct collective *c, uint32_t rank)
{
    nothing(to, c);
    brought(c, rank, put, to);
}

void store_wants(float *to, const struct collective *c, uint32_t rank)
{
    nothing(to, c);
    wanted(c, rank, put, to);
}

/* Returns where the elements are at the start and at the end. */
static char *final_store(const struct runner *r)
{
    return store_on_gpu(r->collective) ? r->device_store : r->host_store;
}

/* Sets elements by a kernel, because gigabytes would take the CPU seconds. */
static void put_on_gpu(void *arg, uint64_t first, uint64_t n, unsigned low,
                       unsigned high)
{
    const struct runner *r = arg;

    (void)high; /* it is one rank's */
    DIE_TRY(r->n->gpu->elements((float *)(void *)r->device_store + first, n,
                                first, low, DIE));
}

static void count_on_gpu(void *arg, uint64_t first, uint64_t n, unsigned low,
                         unsigned high)
{
    struct runner *r = arg;

    DIE_TRY(r->n->gpu->elements_wrong(
        &r->wrong, (const float *)(void *)r->device_store + first, n, first,
        low, high, DIE));
}

void store_fill(struct runner *r)
{
    size_t bytes = store_bytes(r->collective);

    if (r->host_store)
        nothing((float *)(void *)r->host_store, r->collective);
    if (store_on_gpu(r->collective)) {
        DIE_TRY(r->n->gpu->set(r->device_store, 0xff, bytes, NULL, DIE));
        brought(r->collective, (uint32_t)r->n->rank, put_on_gpu, r);
        DIE_TRY(r->n->gpu->wait(NULL, DIE));
        return;
    }
    float *text = xmalloc(bytes);
    store_brings(text, r->collective, (uint32_t)r->n->rank);
    runner_move(r, final_store(r), text, bytes);
    free(text);
}

static void damage(void *arg, uint64_t first, uint64_t n, unsigned low,
                   unsigned high)
{
    const struct runner *r = arg;

    (void)low;
    (void)high;
    if (n)
        DIE_TRY(r->n->gpu->set(r->device_store + first * ELEMENT_B, 0xff,
                               ELEMENT_B, NULL, DIE));
}

/* Checks the GPU's memory by a kernel there; returns whether all elements are
 * right. */
static bool right_on_gpu(struct runner *r)
{
    uint32_t rank = (uint32_t)r->n->rank;

    if (r->n->breaks == BREAK_CORRUPT)
        wanted(r->collective, rank, damage, r);
    r->wrong = 0;
    wanted(r->collective, rank, count_on_gpu, r);
    return r->wrong == 0;
}

/* Ends the program at the first element that is wrong. */
static void verify_each(struct runner *r)
{
    size_t bytes = store_bytes(r->collective), n = bytes / ELEMENT_B;
    float *got = xmalloc(bytes), *want = xmalloc(bytes);

    runner_move(r, got, final_store(r), bytes);
    store_wants(want, r->collective, (uint32_t)r->n->rank);
    if (r->n->breaks == BREAK_CORRUPT)
        for (size_t i = 0; i < n; i++)
            got[i] += 1;
    for (size_t i = 0; i < n; i++)
        if (!isnan(want[i]) && got[i] != want[i])
            native_die("%s: element %zu of %zu is %.9g, expected %.9g",
                       r->plan->name, i, n, (double)got[i], (double)want[i]);
    free(got);
    free(want);
}

void store_verify(struct runner *r)
{
    if (!store_on_gpu(r->collective)) {
        verify_each(r);
    } else if (!right_on_gpu(r)) {
        verify_each(r);
        native_die("%s: %llu elements were wrong, and are right now",
                   r->plan->name, r->wrong);
    }
}
