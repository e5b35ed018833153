/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translates the calls that make communicators. */
#include "workloads/trace/dumpi/rank.h"

#include <stdlib.h>
#include <string.h>

/* Adds the event of a new communicator made from `old`, and gives it a number
 * if the rank is a member. */
static struct trace_event *comm_made(struct dumpi_rank *r, enum trace_how how,
                                     uint32_t old, int64_t handle,
                                     uint32_t like)
{
    uint32_t number = NO_COMM;

    if (handle > DUMPI_NULL_COMM)
        number = dumpi_comm_new(r, handle, like);
    struct trace_event *e = dumpi_event(r, TRACE_COMM);
    e->how = (uint8_t)how;
    e->comm = old;
    e->new_comm = number;
    return e;
}

int dumpi_comm_dup(struct dumpi_rank *r, struct err *err)
{
    uint32_t old;

    if (dumpi_comm(r, dumpi_value(r, 0), &old, err) < 0)
        return -1;
    comm_made(r, TRACE_DUP, old, dumpi_value(r, 1), old);
    return 0;
}

int dumpi_comm_split(struct dumpi_rank *r, struct err *err)
{
    uint32_t old;

    if (dumpi_comm(r, dumpi_value(r, 0), &old, err) < 0)
        return -1;
    struct trace_event *e =
        comm_made(r, TRACE_SPLIT, old, dumpi_value(r, 3), NO_COMM);
    e->color = (uint32_t)dumpi_value(r, 1);
    e->key = (uint32_t)dumpi_value(r, 2);
    return 0;
}

/* Returns the argument that is the new communicator, for calls that do not
 * record its members. */
static int made_arg(uint16_t call)
{
    switch (call) {
    case DUMPI_MPI_Comm_join:
        return 1;
    case DUMPI_MPI_Comm_create:
    case DUMPI_MPI_Intercomm_merge:
        return 2;
    case DUMPI_MPI_Cart_sub:
    case DUMPI_MPI_Comm_spawn:
        return 3;
    case DUMPI_MPI_Intercomm_create:
        return 5;
    default: /* accept, connect, spawn_multiple */
        return 4;
    }
}

int dumpi_made_comm(struct dumpi_rank *r, struct err *err)
{
    int64_t handle = dumpi_value(r, made_arg(r->record.call));

    if (handle > DUMPI_NULL_COMM)
        dumpi_comm_number(r, (size_t)handle, NO_COMM);
    return dumpi_unknown(r, err);
}

/* Keeps a list as long as the rank is read. */
static const uint32_t *members_keep(struct dumpi_rank *r,
                                    const struct dumpi_list *l,
                                    const uint32_t *through)
{
    if (r->nlists == r->lists_room) {
        r->lists_room = r->lists_room ? 2 * r->lists_room : 8;
        r->lists = xrealloc(r->lists, r->lists_room, sizeof *r->lists);
    }
    uint32_t *kept = xmalloc((l->n + 1) * sizeof *kept);
    for (size_t i = 0; i < l->n; i++)
        kept[i] = through ? through[l->at[i]] : l->at[i];
    r->lists[r->nlists++] = kept;
    return kept;
}

/* Makes a communicator of the ranks r->members of the old one. */
static int comm_of_members(struct dumpi_rank *r, uint32_t old, int64_t handle,
                           struct err *err)
{
    struct trace_event *e = comm_made(r, TRACE_MEMBERS, old, handle, NO_COMM);
    const struct dumpi_comm from = r->comm[old];
    bool in_world = from.members || from.same == TRACE_WORLD;

    e->members = r->members.at;
    e->nmembers = r->members.n;
    for (size_t i = 0; i < r->members.n; i++)
        if (from.size && r->members.at[i] >= from.size)
            return dumpi_fail(r, err, "rank %u: the communicator has %u ranks",
                              r->members.at[i], from.size);
    if (e->new_comm == NO_COMM)
        return 0;
    struct dumpi_comm *c = &r->comm[e->new_comm];
    c->size = (uint32_t)r->members.n;
    for (uint32_t i = 0; i < r->members.n; i++)
        if (r->members.at[i] == from.rank)
            c->rank = i;
    if (dumpi_lists_add(r, r->members.n, err) < 0)
        return -1;
    if (in_world)
        c->members = members_keep(r, &r->members, from.members);
    return 0;
}

int dumpi_comm_create(struct dumpi_rank *r, struct err *err)
{
    uint32_t old;

    if (dumpi_comm(r, dumpi_value(r, 0), &old, err) < 0)
        return -1;
    int known = dumpi_group_in(r, dumpi_value(r, 1), old, &r->members, err);
    if (known < 0)
        return -1;
    if (known)
        return comm_of_members(r, old, dumpi_value(r, 2), err);
    return dumpi_made_comm(r, err);
}

/* --- topologies ----------------------------------------------------------- */

/* Makes a communicator of the first n ranks of the old one, which may be
 * all. */
static int comm_of_first(struct dumpi_rank *r, uint32_t old, int64_t n,
                         int64_t handle, struct err *err)
{
    uint32_t size = r->comm[old].size;

    if (n < 0 || n > DUMPI_INT_MOST)
        return dumpi_fail(r, err, "ranks: expected 0 or more, got %lld",
                          (long long)n);
    if (!size || n == size) {
        comm_made(r, TRACE_DUP, old, handle, old);
        return 0;
    }
    if (n > size)
        return dumpi_fail(r, err, "of %lld ranks: the communicator has %u",
                          (long long)n, size);
    r->members.n = 0;
    for (uint32_t i = 0; i < n; i++)
        dumpi_list_add(&r->members, i);
    return comm_of_members(r, old, handle, err);
}

/* Assumes that ranks are not reordered. */
int dumpi_cart_create(struct dumpi_rank *r, struct err *err)
{
    const struct dumpi_arg *dims = dumpi_values(r, 2);
    int64_t handle = dumpi_value(r, 5), n = 1;
    uint32_t old;

    if (dumpi_comm(r, dumpi_value(r, 0), &old, err) < 0)
        return -1;
    for (int64_t i = 0; i < dims->value; i++) {
        int32_t dim = dumpi_int_of(dims, (size_t)i);
        if (dim < 1 || (n *= dim) > DUMPI_INT_MOST)
            return dumpi_fail(r, err, "dimension %lld is %d", (long long)i,
                              dim);
    }
    if (comm_of_first(r, old, n, handle, err) < 0)
        return -1;
    uint32_t number = r->event[r->nevents - 1].new_comm;
    if (number == NO_COMM)
        return 0;
    r->comm[number].size = (uint32_t)n;
    r->comm[number].dims.n = 0;
    for (int64_t i = 0; i < dims->value; i++)
        dumpi_list_add(&r->comm[number].dims,
                       (uint32_t)dumpi_int_of(dims, (size_t)i));
    return 0;
}

int dumpi_graph_create(struct dumpi_rank *r, struct err *err)
{
    uint32_t old;

    if (dumpi_comm(r, dumpi_value(r, 1), &old, err) < 0)
        return -1;
    return comm_of_first(r, old, dumpi_value(r, 2), dumpi_value(r, 6), err);
}

/* Ranks with equal coordinates in the dimensions that are dropped stay
 * together. MPI numbers ranks in row-major order: the last dimension varies
 * fastest. */
int dumpi_cart_sub(struct dumpi_rank *r, struct err *err)
{
    const struct dumpi_arg *stays = dumpi_values(r, 2);
    uint32_t old, color = 0, key = 0, left;

    if (dumpi_comm(r, dumpi_value(r, 1), &old, err) < 0)
        return -1;
    const struct dumpi_list *dims = &r->comm[old].dims;
    uint32_t rank = r->comm[old].rank, below = r->comm[old].size;
    if (rank == ANY_RANK || rank >= below || dims->n == 0 ||
        dims->n != (size_t)stays->value)
        return dumpi_made_comm(r, err);
    struct dumpi_list kept = {0};
    for (size_t i = 0; i < dims->n; i++) {
        uint32_t dim = dims->at[i];
        below /= dim;
        left = rank / below % dim;
        if (dumpi_int_of(stays, i)) {
            key = key * dim + left;
            dumpi_list_add(&kept, dim);
        } else {
            color = color * dim + left;
        }
    }
    struct trace_event *e =
        comm_made(r, TRACE_SPLIT, old, dumpi_value(r, 3), NO_COMM);
    e->color = color;
    e->key = key;
    if (e->new_comm == NO_COMM) {
        dumpi_list_free(&kept);
        return 0;
    }
    struct dumpi_comm *c = &r->comm[e->new_comm];
    c->rank = key;
    c->dims = kept;
    c->size = 1;
    for (size_t i = 0; i < kept.n; i++)
        c->size *= kept.at[i];
    return 0;
}
