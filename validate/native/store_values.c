/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets, sends, adds and verifies the elements of a rank's store. */
#include "validate/native/store.h"

#include "validate/native/elements.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

bool store_gathers(const struct runner *r, uint32_t op)
{
    return r && plan_npieces(r->plan, op) > 1;
}

bool store_scatters(const struct runner *r, uint32_t op)
{
    return store_gathers(r, op) && !store_adds(r, op) &&
           !store_to_itself(&r->plan->ops[op]);
}

void store_pack(struct runner *r, uint32_t op)
{
    between(r, r->out[op], op, true);
}

void store_unpack(struct runner *r, uint32_t op)
{
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
