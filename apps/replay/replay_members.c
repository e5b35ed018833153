/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls of a collective by its members: compares them with each other, and
 * derives the bytes of all. */
#include "apps/replay/replay_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- the call of each member ---------------------------------------------- */

bool replay_rooted(uint8_t kind)
{
    return kind == TRACE_BROADCAST || kind == TRACE_REDUCE ||
           kind == TRACE_GATHER || kind == TRACE_SCATTER;
}

/* Returns whether all members contribute, or get, the same number of bytes. A
 * gather is not among them, because its root may be in place, in which case its
 * call has no bytes. */
static bool replay_equal_bytes(uint8_t kind)
{
    return kind == TRACE_BROADCAST || kind == TRACE_REDUCE ||
           kind == TRACE_ALLREDUCE || kind == TRACE_SCAN ||
           kind == TRACE_EXSCAN;
}

static uint64_t *replay_copy_counts(const uint64_t *counts, size_t n,
                                    uint32_t members)
{
    if (!counts || n < members)
        return NULL;
    uint64_t *copy = xcalloc(members, sizeof *copy);
    memcpy(copy, counts, members * sizeof *copy);
    return copy;
}

/* Returns whether the member's counts are needed, because other calls do not
 * have them; otherwise each member's own bytes are enough. */
static bool replay_needs_counts(const struct trace_event *e, uint32_t me)
{
    if (e->call != TRACE_COLLECTIVE)
        return false;
    if (e->collective == TRACE_GATHER || e->collective == TRACE_SCATTER)
        return me == e->peer;
    return e->collective == TRACE_ALLTOALL ||
           (e->collective == TRACE_REDUCE_SCATTER && me == 0);
}

void replay_keep_counts(struct replay_call *call, const struct trace_event *e,
                        uint32_t me, uint32_t members)
{
    if (!replay_needs_counts(e, me))
        return;
    call->counts = replay_copy_counts(e->counts, e->ncounts, members);
    call->recv_counts = replay_copy_counts(e->recv_counts, e->ncounts, members);
}

int replay_check_sizes(const struct replay *r, uint32_t rank, uint32_t n,
                       struct err *err)
{
    const struct trace_event *e = &r->ranks[rank].e;
    uint64_t most = e->bytes;

    for (size_t i = 0; i < e->ncounts; i++) {
        if (e->counts && e->counts[i] > most)
            most = e->counts[i];
        if (e->recv_counts && e->recv_counts[i] > most)
            most = e->recv_counts[i];
    }
    if (most <= REPLAY_MOST_B / n)
        return 0;
    return trace_fail(r->t, rank, e, err,
                      "%" PRIu64 " bytes of each of %u ranks: expected at most "
                      "2^53 in all",
                      most, n);
}

uint8_t replay_kind(const struct trace_event *e)
{
    if (e->call == TRACE_COLLECTIVE)
        return e->collective;
    return e->how == TRACE_SPLIT ? TRACE_ALLGATHER : TRACE_ALLREDUCE;
}

static int replay_disagrees(struct replay *r, uint32_t rank,
                            const struct replay_collective *c, const char *what,
                            struct err *err)
{
    const struct trace_comm *comm = trace_comms_get(r->comms, c->comm);
    uint32_t other = comm->members[c->first];
    char place[64];

    snprintf(place, sizeof place,
             r->t->rank[other].places_lines ? "line %" PRIu64 : "byte %" PRIu64,
             c->calls[c->first].place);
    return trace_fail(r->t, rank, &r->ranks[rank].e, err,
                      "its %s is not that of rank %u, which calls %s at %s of "
                      "%s",
                      what, other, c->name, place, r->origin->file[other]);
}

/* Compares a member's call with the first one's, which is the reference. */
int replay_agrees(struct replay *r, uint32_t rank, uint32_t me,
                  struct replay_collective *c, struct err *err)
{
    const struct trace_event *e = &r->ranks[rank].e;
    const struct replay_call *first = &c->calls[c->first];
    uint8_t kind = replay_kind(e);

    if (me == c->first) {
        c->kind = kind;
        c->makes_comm = e->call == TRACE_COMM;
        c->root = replay_rooted(kind) ? e->peer : 0;
        c->name = e->name ? e->name : trace_collective_names[kind];
        c->in_gpu = e->in_gpu;
        return 0;
    }
    if (kind != c->kind || c->makes_comm != (e->call == TRACE_COMM))
        return replay_disagrees(r, rank, c, "call", err);
    if (replay_rooted(kind) && e->peer != c->root)
        return replay_disagrees(r, rank, c, "root", err);
    if (!c->makes_comm && replay_equal_bytes(kind) && e->bytes != first->bytes)
        return replay_disagrees(r, rank, c, "count", err);
    return 0;
}

/* --- all calls together --------------------------------------------------- */

/* Returns the bytes of each member: in a gather those that it contributes, in a
 * scatter or reduce-scatter those that it gets. Returns NULL if all are equal
 * to *same. */
uint64_t *replay_bytes_of(const struct replay_collective *c, uint32_t n,
                          uint64_t *same)
{
    const struct replay_call *root = &c->calls[c->root];
    const uint64_t *counts = NULL;
    uint64_t *bytes = xcalloc(n, sizeof *bytes);
    bool equal = true;

    if (c->kind == TRACE_SCATTER)
        counts = root->counts;
    else if (c->kind == TRACE_GATHER)
        counts = root->recv_counts;
    else if (c->kind == TRACE_REDUCE_SCATTER)
        counts = root->counts ? root->counts : root->recv_counts;
    for (uint32_t i = 0; i < n; i++)
        bytes[i] = counts ? counts[i] : c->calls[i].bytes;
    /* If the root is in place, its own bytes are not known; they do not
     * move. */
    if (!counts && (c->kind == TRACE_SCATTER || c->kind == TRACE_GATHER))
        bytes[c->root] = bytes[c->root ? 0 : n - 1];
    for (uint32_t i = 1; i < n; i++)
        equal &= bytes[i] == bytes[0];
    *same = bytes[0];
    if (!equal)
        return bytes;
    free(bytes);
    return NULL;
}

/* Returns the counts of an all-to-all; if a member has none, its counts are all
 * the same. */
const uint64_t *const *replay_counts_of(struct replay_collective *c, uint32_t n,
                                        uint64_t *same)
{
    const uint64_t **counts = xcalloc(n, sizeof *counts);
    bool equal = true;

    for (uint32_t i = 0; i < n; i++) {
        struct replay_call *call = &c->calls[i];
        if (!call->counts) {
            call->counts = xcalloc(n, sizeof *call->counts);
            for (uint32_t k = 0; k < n; k++)
                call->counts[k] = call->bytes;
        }
        counts[i] = call->counts;
        for (uint32_t k = 0; k < n; k++)
            equal &= counts[i][k] == counts[0][0];
    }
    *same = counts[0][0];
    if (!equal)
        return counts;
    free(counts);
    return NULL;
}

/* Fails if a member expects other counts than the senders have. */
int replay_check_counts(const struct replay *r,
                        const struct replay_collective *c,
                        const struct trace_comm *comm, struct err *err)
{
    for (uint32_t i = 0; i < comm->n; i++)
        for (uint32_t k = 0; c->calls[i].recv_counts && k < comm->n; k++) {
            uint64_t sent =
                c->calls[k].counts ? c->calls[k].counts[i] : c->calls[k].bytes;
            uint64_t room = c->calls[i].recv_counts[k];
            if (sent == room)
                continue;
            struct trace_event at = {.name = c->name,
                                     .place = c->calls[i].place};
            return trace_fail(r->t, comm->members[i], &at, err,
                              "expects %" PRIu64 " B of rank %u, which sends "
                              "%" PRIu64 " B",
                              room, comm->members[k], sent);
        }
    return 0;
}
