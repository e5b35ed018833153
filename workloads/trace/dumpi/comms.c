/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows the communicators that a rank makes. DUMPI uses the number of a freed
 * communicator again; events have numbers that are used only once. */
#include "workloads/trace/dumpi/rank.h"

#include <stdlib.h>

/* --- numbers -------------------------------------------------------------- */

static uint32_t comm_add(struct dumpi_rank *r, struct dumpi_comm c)
{
    if (r->ncomms == r->comms_room) {
        r->comms_room = r->comms_room ? 2 * r->comms_room : 4;
        r->comm = xrealloc(r->comm, r->comms_room, sizeof *r->comm);
    }
    r->comm[r->ncomms] = c;
    return (uint32_t)r->ncomms++;
}

static void comm_world(struct dumpi_rank *r)
{
    if (r->ncomms == 0)
        (void)comm_add(
            r, (struct dumpi_comm){.size = r->trace->ranks, .rank = r->rank});
}

void dumpi_comm_number(struct dumpi_rank *r, size_t handle, uint32_t number)
{
    size_t n = r->ncomm_of;

    if (handle >= n) {
        r->ncomm_of = handle + 1 > 2 * n ? handle + 1 : 2 * n;
        r->comm_of = xrealloc(r->comm_of, r->ncomm_of, sizeof *r->comm_of);
        for (size_t i = n; i < r->ncomm_of; i++)
            r->comm_of[i] = NO_COMM;
    }
    r->comm_of[handle] = number;
}

uint32_t dumpi_comm_new(struct dumpi_rank *r, int64_t handle, uint32_t like)
{
    struct dumpi_comm c = {.rank = ANY_RANK};

    comm_world(r);
    if (like != NO_COMM) {
        c = r->comm[like];
        c.dims = (struct dumpi_list){0};
        for (size_t i = 0; i < r->comm[like].dims.n; i++)
            dumpi_list_add(&c.dims, r->comm[like].dims.at[i]);
    }
    uint32_t number = comm_add(r, c);
    if (like == NO_COMM)
        r->comm[number].same = number;
    if (handle >= 0)
        dumpi_comm_number(r, (size_t)handle, number);
    return number;
}

/* Returns whether MPI_Comm_dup is the only call that makes communicators and
 * was made without being recorded. If so, an unknown communicator must have the
 * world's ranks. */
static bool only_dups_left_out(const struct dumpi_rank *r)
{
    static const uint16_t makes[] = {
        DUMPI_MPI_Comm_create,     DUMPI_MPI_Comm_split,
        DUMPI_MPI_Cart_create,     DUMPI_MPI_Graph_create,
        DUMPI_MPI_Cart_sub,        DUMPI_MPI_Intercomm_create,
        DUMPI_MPI_Intercomm_merge, DUMPI_MPI_Comm_accept,
        DUMPI_MPI_Comm_connect,    DUMPI_MPI_Comm_join,
        DUMPI_MPI_Comm_spawn,      DUMPI_MPI_Comm_spawn_multiple,
        DUMPI_MPI_Comm_get_parent,
    };
    const unsigned char *counts = r->file.not_recorded;

    if (!counts || !dumpi_u32(counts + 4 * DUMPI_MPI_Comm_dup))
        return false;
    for (size_t i = 0; i < sizeof makes / sizeof makes[0]; i++)
        if (dumpi_u32(counts + 4 * makes[i]))
            return false;
    return true;
}

/* Makes a communicator of the world's ranks. Ranks that use the same number of
 * the file mean the same communicator. */
static uint32_t comm_of_world(struct dumpi_rank *r, int64_t handle)
{
    uint32_t number = dumpi_comm_new(r, handle, TRACE_WORLD);
    struct trace_event *e = dumpi_event(r, TRACE_COMM);

    r->members.n = 0;
    for (uint32_t i = 0; i < r->trace->ranks; i++)
        dumpi_list_add(&r->members, i);
    e->how = TRACE_KNOWN;
    e->new_comm = number;
    e->key = (uint32_t)handle;
    e->members = r->members.at;
    e->nmembers = r->members.n;
    return number;
}

/* Returns a number for a communicator that no recorded call made. */
static uint32_t comm_unknown(struct dumpi_rank *r, int64_t handle)
{
    bool dup = only_dups_left_out(r);

    if (!r->state->said_comm) {
        r->state->said_comm = true;
        char *where = dumpi_where(r);
        trace_remark(
            r->trace,
            "%s: in communicator %lld, which no recorded call made: %s", where,
            (long long)handle,
            dup ? "taken for a duplicate of the world, since no call "
                  "but MPI_Comm_dup can have made it"
                : "its members are not known");
        free(where);
    }
    return dup ? comm_of_world(r, handle) : dumpi_comm_new(r, handle, NO_COMM);
}

static uint32_t comm_self(struct dumpi_rank *r)
{
    uint32_t number = dumpi_comm_new(r, DUMPI_SELF, NO_COMM);
    struct trace_event *e = dumpi_event(r, TRACE_COMM);

    r->comm[number].size = 1;
    r->comm[number].rank = 0;
    r->comm[number].members = &r->rank;
    e->how = TRACE_KNOWN;
    e->new_comm = number;
    e->members = &r->rank;
    e->nmembers = 1;
    return number;
}

int dumpi_comm(struct dumpi_rank *r, int64_t handle, uint32_t *number,
               struct err *err)
{
    size_t h = (size_t)handle;

    *number = TRACE_WORLD;
    comm_world(r);
    if (h == DUMPI_WORLD)
        return 0;
    if (h <= DUMPI_NULL_COMM)
        return dumpi_fail(r, err, "in no communicator (MPI_COMM_NULL)");
    if (h < r->ncomm_of && r->comm_of[h] != NO_COMM)
        *number = r->comm_of[h];
    else
        *number = h == DUMPI_SELF ? comm_self(r) : comm_unknown(r, handle);
    return 0;
}

void dumpi_comms_clear(struct dumpi_rank *r)
{
    for (size_t i = 0; i < r->ncomms; i++)
        dumpi_list_free(&r->comm[i].dims);
    for (size_t i = 0; i < r->nlists; i++)
        free(r->lists[i]);
    free(r->comm);
    free(r->comm_of);
    free(r->lists);
    r->comm = NULL;
    r->comm_of = NULL;
    r->lists = NULL;
    r->ncomms = r->comms_room = r->ncomm_of = r->nlists = r->lists_room = 0;
    r->lists_B = 0;
}

/* --- calls that report rank and size -------------------------------------- */

int dumpi_comm_rank(struct dumpi_rank *r, struct err *err)
{
    int64_t handle = dumpi_value(r, 0), rank = dumpi_value(r, 1);
    uint32_t number;

    if (handle > DUMPI_NULL_COMM && rank >= 0) {
        if (dumpi_comm(r, handle, &number, err) < 0)
            return -1;
        if (number == TRACE_WORLD && rank != r->rank)
            return dumpi_fail(r, err,
                              "says rank %lld, but the file is named rank %u",
                              (long long)rank, r->rank);
        r->comm[number].rank = (uint32_t)rank;
    }
    return dumpi_other(r, err);
}

int dumpi_comm_size(struct dumpi_rank *r, struct err *err)
{
    int64_t handle = dumpi_value(r, 0), size = dumpi_value(r, 1);
    uint32_t number;

    if (handle > DUMPI_NULL_COMM && size > 0) {
        if (dumpi_comm(r, handle, &number, err) < 0)
            return -1;
        if (number == TRACE_WORLD && size != r->trace->ranks)
            return dumpi_fail(r, err,
                              "says %lld ranks, but the trace has %u: a file "
                              "of another run?",
                              (long long)size, r->trace->ranks);
        if (!r->comm[number].members)
            r->comm[number].size = r->comm[r->comm[number].same].size =
                (uint32_t)size;
    }
    return dumpi_other(r, err);
}
