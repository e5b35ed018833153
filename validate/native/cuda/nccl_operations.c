/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts the operations of NCCL, and says which data ranks have before and
 * after. */
#include "validate/native/cuda/nccl_run.h"

#include <string.h>

/* --- the operations ------------------------------------------------------- */

static int start_allreduce(struct nccl_run *r)
{
    return r->nccl->allreduce(r->from, r->to, r->elements, NCCL_FLOAT32,
                              NCCL_SUM, r->comm, r->clock.stream);
}

static int start_reduce(struct nccl_run *r)
{
    return r->nccl->reduce(r->from, r->to, r->elements, NCCL_FLOAT32, NCCL_SUM,
                           0, r->comm, r->clock.stream);
}

static int start_broadcast(struct nccl_run *r)
{
    return r->nccl->broadcast(r->from, r->to, r->elements, NCCL_FLOAT32, 0,
                              r->comm, r->clock.stream);
}

static int start_allgather(struct nccl_run *r)
{
    return r->nccl->allgather(r->from, r->to, nccl_block(r), NCCL_FLOAT32,
                              r->comm, r->clock.stream);
}

static int start_reduce_scatter(struct nccl_run *r)
{
    return r->nccl->reduce_scatter(r->from, r->to, nccl_block(r), NCCL_FLOAT32,
                                   NCCL_SUM, r->comm, r->clock.stream);
}

static int start_alltoall(struct nccl_run *r)
{
    const struct nccl *l = r->nccl;
    int code = l->begin();

    for (unsigned p = 0; p < r->ranks && code == 0; p++) {
        size_t at = p * nccl_block(r);
        code = l->send(r->from + at, nccl_block(r), NCCL_FLOAT32, (int)p,
                       r->comm, r->clock.stream);
        if (code == 0)
            code = l->receive(r->to + at, nccl_block(r), NCCL_FLOAT32, (int)p,
                              r->comm, r->clock.stream);
    }
    int ended = l->end();
    return code ? code : ended;
}

/* Sends to the next rank, and receives from the one before. */
static int start_sendrecv(struct nccl_run *r)
{
    const struct nccl *l = r->nccl;
    int code = l->begin();
    unsigned after = (r->rank + 1) % r->ranks;
    unsigned before = (r->rank + r->ranks - 1) % r->ranks;

    if (code == 0)
        code = l->send(r->from, r->elements, NCCL_FLOAT32, (int)after, r->comm,
                       r->clock.stream);
    if (code == 0)
        code = l->receive(r->to, r->elements, NCCL_FLOAT32, (int)before,
                          r->comm, r->clock.stream);
    int ended = l->end();
    return code ? code : ended;
}

/* Sends from rank 0 to rank 1. */
static int start_send(struct nccl_run *r)
{
    const struct nccl *l = r->nccl;

    if (r->rank == 0)
        return l->send(r->from, r->elements, NCCL_FLOAT32, 1, r->comm,
                       r->clock.stream);
    if (r->rank == 1)
        return l->receive(r->to, r->elements, NCCL_FLOAT32, 0, r->comm,
                          r->clock.stream);
    return 0;
}

const struct nccl_operation nccl_operations[NCCL_OPERATIONS] = {
    {"allreduce", false, false, false, start_allreduce},
    {"allgather", true, false, true, start_allgather},
    {"reduce_scatter", true, false, true, start_reduce_scatter},
    {"broadcast", false, false, false, start_broadcast},
    {"reduce", false, false, false, start_reduce},
    {"alltoall", true, true, false, start_alltoall},
    {"sendrecv", false, true, false, start_sendrecv},
    {"send", false, true, false, start_send},
};
/* --- data before and after ------------------------------------------------ */

static bool is(const struct nccl_run *r, const char *name)
{
    return !strcmp(r->op->name, name);
}

struct nccl_share nccl_has(const struct nccl_run *r)
{
    unsigned rank = r->rank;
    uint64_t first = is(r, "allgather") ? rank * nccl_block(r) : 0;
    uint64_t n = is(r, "allgather") ? nccl_block(r) : r->elements;

    if (is(r, "alltoall"))
        n = nccl_block(r) * r->ranks;
    return (struct nccl_share){first, n, rank, rank + 1};
}

struct nccl_share nccl_wants(const struct nccl_run *r, unsigned i)
{
    unsigned rank = r->rank, ranks = r->ranks;
    unsigned before = (rank + ranks - 1) % ranks;
    const struct nccl_share none = {0, 0, 0, 0};

    if (is(r, "allgather"))
        return (struct nccl_share){i * nccl_block(r), nccl_block(r), i, i + 1};
    if (is(r, "alltoall"))
        return (struct nccl_share){rank * nccl_block(r), nccl_block(r), i,
                                   i + 1};
    if (i > 0)
        return none;
    if (is(r, "reduce_scatter"))
        return (struct nccl_share){rank * nccl_block(r), nccl_block(r), 0,
                                   ranks};
    if (is(r, "broadcast"))
        return (struct nccl_share){0, r->elements, 0, 1};
    if (is(r, "sendrecv"))
        return (struct nccl_share){0, r->elements, before, before + 1};
    if (is(r, "send"))
        return rank == 1 ? (struct nccl_share){0, r->elements, 0, 1} : none;
    return is(r, "reduce") && rank != 0
               ? none
               : (struct nccl_share){0, r->elements, 0, ranks};
}

/* In place, the smaller buffer is this rank's block of the larger one. */
void nccl_place(struct nccl_run *r)
{
    size_t own = r->op->in_block ? r->rank * nccl_block(r) : 0;

    r->from = r->send;
    r->to = r->in_place ? r->send : r->receive;
    if (r->in_place && is(r, "allgather"))
        r->from = r->send + own;
    if (r->in_place && is(r, "reduce_scatter"))
        r->to = r->send + own;
}
