/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translates collectives: the bytes that a rank sends to each member, and
 * receives from each. */
#include "workloads/trace/dumpi/rank.h"

static struct trace_event *collective(struct dumpi_rank *r,
                                      enum trace_collective kind, int comm,
                                      struct err *err)
{
    uint32_t number;

    if (dumpi_comm(r, dumpi_value(r, comm), &number, err) < 0)
        return NULL;
    struct trace_event *e = dumpi_event(r, TRACE_COLLECTIVE);
    e->collective = (uint8_t)kind;
    e->comm = number;
    e->blocks = true;
    return e;
}

/* Sets the root. In intercommunicators MPI_ROOT is below 0 and is no rank, so
 * it is an error. */
static int root_of(struct dumpi_rank *r, int arg, struct trace_event *e,
                   struct err *err)
{
    int64_t root = dumpi_value(r, arg);
    uint32_t size = r->comm[e->comm].size;

    if (root < 0 || (size && root >= size))
        return dumpi_fail(r, err, "root %lld: expected a rank of %u",
                          (long long)root, size);
    e->peer = (uint32_t)root;
    return 0;
}

/* Returns whether the call has MPI_IN_PLACE. The data sent are not recorded
 * then, because they are the data received. */
static bool in_place(const struct dumpi_rank *r, int sent, int got)
{
    return dumpi_value(r, sent + 1) <= DUMPI_NULL_TYPE ||
           (dumpi_value(r, sent) <= 0 && dumpi_value(r, got) > 0);
}

/* Reads the arguments count and datatype. */
static int counted_bytes(struct dumpi_rank *r, int count, uint64_t *bytes,
                         struct err *err)
{
    return dumpi_bytes(r, dumpi_value(r, count), dumpi_value(r, count + 1),
                       bytes, err);
}

/* Returns room for n counts to (or, if `which` is 1, from) each member. */
static uint64_t *counts_room(struct dumpi_rank *r, int which, size_t n)
{
    if (n + 1 > r->counts_room[which]) {
        r->counts_room[which] = n + 1;
        r->counts[which] =
            xrealloc(r->counts[which], n + 1, sizeof *r->counts[which]);
    }
    return r->counts[which];
}

/* Returns the bytes to or from each member, for counts of one datatype; NULL
 * after an error. */
static const uint64_t *counts_of(struct dumpi_rank *r, int which, int counts,
                                 int type, struct err *err)
{
    const struct dumpi_arg *c = dumpi_values(r, counts);
    size_t n = (size_t)c->value;
    uint64_t *bytes = counts_room(r, which, n), size_B;
    uint32_t all = 0;

    if (dumpi_bytes(r, 1, dumpi_value(r, type), &size_B, err) < 0)
        return NULL;
    if (size_B <= INT32_MAX) /* no product overflows then */
        for (size_t i = 0; i < n; i++) {
            uint32_t count = dumpi_u32(c->at + 4 * i);
            all |= count;
            bytes[i] = count * size_B;
        }
    if (size_B <= INT32_MAX && all <= INT32_MAX)
        return bytes;
    for (size_t i = 0; i < n; i++)
        if (dumpi_bytes(r, dumpi_int_of(c, i), dumpi_value(r, type), &bytes[i],
                        err) < 0)
            return NULL;
    return bytes;
}

/* Returns the same if each count has a datatype of its own. */
static const uint64_t *counts_of_types(struct dumpi_rank *r, int which,
                                       int counts, int types, struct err *err)
{
    const struct dumpi_arg *c = dumpi_values(r, counts);
    const struct dumpi_arg *t = dumpi_values(r, types);
    size_t n = (size_t)c->value;
    uint64_t *bytes = counts_room(r, which, n);

    if (t->value != c->value)
        return dumpi_fail(r, err, "%lld counts, but %lld datatypes",
                          (long long)c->value, (long long)t->value),
               NULL;
    for (size_t i = 0; i < n; i++)
        if (dumpi_bytes(r, dumpi_int_of(c, i), dumpi_handle_of(t, i), &bytes[i],
                        err) < 0)
            return NULL;
    return bytes;
}

/* Fails unless a list is as long as the communicator has ranks. */
static int counts_check(struct dumpi_rank *r, const struct trace_event *e,
                        size_t n, struct err *err)
{
    uint32_t size = r->comm[e->comm].size;

    if (size && n != size)
        return dumpi_fail(r, err, "%zu counts: the communicator has %u ranks",
                          n, size);
    return 0;
}

/* --- from one, or to one -------------------------------------------------- */

int dumpi_barrier(struct dumpi_rank *r, struct err *err)
{
    return collective(r, TRACE_BARRIER, 0, err) ? 0 : -1;
}

/* Translates a call that begins with count and datatype; root is -1 if it has
 * none. */
static int reduces(struct dumpi_rank *r, enum trace_collective kind, int root,
                   int comm, struct err *err)
{
    struct trace_event *e = collective(r, kind, comm, err);

    if (!e || counted_bytes(r, 0, &e->bytes, err) < 0 ||
        (root >= 0 && root_of(r, root, e, err) < 0))
        return -1;
    e->recv_bytes = e->bytes;
    return 0;
}

int dumpi_bcast(struct dumpi_rank *r, struct err *err)
{
    return reduces(r, TRACE_BROADCAST, 2, 3, err);
}

int dumpi_reduce(struct dumpi_rank *r, struct err *err)
{
    return reduces(r, TRACE_REDUCE, 3, 4, err);
}

int dumpi_allreduce(struct dumpi_rank *r, struct err *err)
{
    return reduces(r, TRACE_ALLREDUCE, -1, 3, err);
}

int dumpi_scan(struct dumpi_rank *r, struct err *err)
{
    return reduces(r, TRACE_SCAN, -1, 3, err);
}

int dumpi_exscan(struct dumpi_rank *r, struct err *err)
{
    return reduces(r, TRACE_EXSCAN, -1, 3, err);
}

/* --- gather and scatter --------------------------------------------------- */

/* The root alone records the count and datatype of its side. */
int dumpi_gather(struct dumpi_rank *r, struct err *err)
{
    struct trace_event *e = collective(r, TRACE_GATHER, 4, err);
    bool root = dumpi_value(r, 0) == dumpi_value(r, 3);

    if (!e || root_of(r, 3, e, err) < 0 ||
        (root && counted_bytes(r, 5, &e->recv_bytes, err) < 0))
        return -1;
    if (!root || !in_place(r, 1, 5))
        return counted_bytes(r, 1, &e->bytes, err);
    e->bytes = e->recv_bytes;
    return 0;
}

int dumpi_gatherv(struct dumpi_rank *r, struct err *err)
{
    struct trace_event *e = collective(r, TRACE_GATHER, 5, err);
    int64_t rank = dumpi_value(r, 0);

    if (!e || root_of(r, 4, e, err) < 0)
        return -1;
    if (rank != dumpi_value(r, 4))
        return counted_bytes(r, 2, &e->bytes, err);
    e->ncounts = (size_t)dumpi_values(r, 6)->value;
    if (counts_check(r, e, e->ncounts, err) < 0 ||
        !(e->recv_counts = counts_of(r, 1, 6, 8, err)))
        return -1;
    if (dumpi_value(r, 3) > DUMPI_NULL_TYPE && dumpi_value(r, 2) >= 0)
        return counted_bytes(r, 2, &e->bytes, err);
    e->bytes = (size_t)rank < e->ncounts ? e->recv_counts[rank] : 0;
    return 0;
}

int dumpi_scatter(struct dumpi_rank *r, struct err *err)
{
    struct trace_event *e = collective(r, TRACE_SCATTER, 4, err);
    bool root = dumpi_value(r, 0) == dumpi_value(r, 3);

    if (!e || root_of(r, 3, e, err) < 0 ||
        (root && counted_bytes(r, 5, &e->bytes, err) < 0))
        return -1;
    if (!root || !in_place(r, 1, 5))
        return counted_bytes(r, 1, &e->recv_bytes, err);
    e->recv_bytes = e->bytes;
    return 0;
}

int dumpi_scatterv(struct dumpi_rank *r, struct err *err)
{
    struct trace_event *e = collective(r, TRACE_SCATTER, 6, err);
    int64_t rank = dumpi_value(r, 0);

    if (!e || root_of(r, 5, e, err) < 0)
        return -1;
    if (rank != dumpi_value(r, 5))
        return counted_bytes(r, 3, &e->recv_bytes, err);
    e->ncounts = (size_t)dumpi_values(r, 7)->value;
    if (counts_check(r, e, e->ncounts, err) < 0 ||
        !(e->counts = counts_of(r, 0, 7, 2, err)))
        return -1;
    if (dumpi_value(r, 4) > DUMPI_NULL_TYPE && dumpi_value(r, 3) >= 0)
        return counted_bytes(r, 3, &e->recv_bytes, err);
    e->recv_bytes = (size_t)rank < e->ncounts ? e->counts[rank] : 0;
    return 0;
}

/* --- from all to all ------------------------------------------------------ */

static int exchanges(struct dumpi_rank *r, enum trace_collective kind,
                     struct err *err)
{
    struct trace_event *e = collective(r, kind, 4, err);

    if (!e || counted_bytes(r, 2, &e->recv_bytes, err) < 0)
        return -1;
    if (!in_place(r, 0, 2))
        return counted_bytes(r, 0, &e->bytes, err);
    e->bytes = e->recv_bytes;
    return 0;
}

int dumpi_allgather(struct dumpi_rank *r, struct err *err)
{
    return exchanges(r, TRACE_ALLGATHER, err);
}

int dumpi_alltoall(struct dumpi_rank *r, struct err *err)
{
    return exchanges(r, TRACE_ALLTOALL, err);
}

int dumpi_allgatherv(struct dumpi_rank *r, struct err *err)
{
    struct trace_event *e = collective(r, TRACE_ALLGATHER, 6, err);

    if (!e)
        return -1;
    e->ncounts = (size_t)dumpi_values(r, 3)->value;
    if (counts_check(r, e, e->ncounts, err) < 0 ||
        !(e->recv_counts = counts_of(r, 1, 3, 5, err)))
        return -1;
    if (dumpi_value(r, 2) > DUMPI_NULL_TYPE && dumpi_value(r, 1) >= 0)
        return counted_bytes(r, 1, &e->bytes, err);
    uint32_t rank = r->comm[e->comm].rank;
    e->bytes = rank < e->ncounts ? e->recv_counts[rank] : 0;
    return 0;
}

/* If the call is in place, which has no datatype, the rank sends as much as it
 * receives. */
int dumpi_alltoallv(struct dumpi_rank *r, struct err *err)
{
    struct trace_event *e = collective(r, TRACE_ALLTOALL, 7, err);

    if (!e)
        return -1;
    e->ncounts = (size_t)dumpi_values(r, 4)->value;
    if (counts_check(r, e, e->ncounts, err) < 0 ||
        !(e->recv_counts = counts_of(r, 1, 4, 6, err)))
        return -1;
    e->counts = e->recv_counts;
    if (dumpi_value(r, 3) <= DUMPI_NULL_TYPE ||
        dumpi_values(r, 1)->value != dumpi_values(r, 4)->value)
        return 0;
    e->counts = counts_of(r, 0, 1, 3, err);
    return e->counts ? 0 : -1;
}

int dumpi_alltoallw(struct dumpi_rank *r, struct err *err)
{
    struct trace_event *e = collective(r, TRACE_ALLTOALL, 7, err);

    if (!e)
        return -1;
    e->ncounts = (size_t)dumpi_values(r, 4)->value;
    if (counts_check(r, e, e->ncounts, err) < 0 ||
        !(e->recv_counts = counts_of_types(r, 1, 4, 6, err)))
        return -1;
    e->counts = e->recv_counts;
    if (dumpi_values(r, 1)->value != dumpi_values(r, 4)->value)
        return 0;
    e->counts = counts_of_types(r, 0, 1, 3, err);
    return e->counts ? 0 : -1;
}

/* The counts are the bytes that each member receives, and the rank receives its
 * own share. */
int dumpi_reduce_scatter(struct dumpi_rank *r, struct err *err)
{
    struct trace_event *e = collective(r, TRACE_REDUCE_SCATTER, 4, err);

    if (!e)
        return -1;
    e->ncounts = (size_t)dumpi_values(r, 1)->value;
    if (counts_check(r, e, e->ncounts, err) < 0 ||
        !(e->counts = counts_of(r, 0, 1, 2, err)))
        return -1;
    uint32_t rank = r->comm[e->comm].rank;
    e->recv_bytes = rank < e->ncounts ? e->counts[rank] : 0;
    return 0;
}
