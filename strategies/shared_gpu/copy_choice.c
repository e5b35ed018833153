/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The copies of a vector to the leader's buffer, and of the result to a member:
 *
 *     IPC:   member copies inside the GPU, event, flag; leader awaits the event
 *     host:  member copies to the host, flag; leader copies to the GPU
 *     back:  leader's flag; member copies inside the GPU
 *     host:  leader copies to the host, once; flag; member copies to the GPU
 */
#include "strategies/shared_gpu/copy_choice.h"

#include "strategies/collective/collective_parts.h"

#include <stdlib.h>

/* Seconds to read a flag that is in a cache; assumed. */
#define POLL_S 0.1e-6

struct copy_choice choice_begin(struct collective_build *b, unsigned node)
{
    const struct collective *asked = b->c;
    bool gather = asked->kind == COLLECTIVE_ALLGATHER;
    struct copy_choice c = {.b = b,
                            .comm = shared_on_gpu(b, node, 0),
                            .in_B = asked->bytes / (gather ? b->ranks : 1),
                            .out_B = asked->bytes};

    c.since = shared_since(b, c.comm.first);
    return c;
}

const char *choice_refuses(const struct collective *c)
{
    const char *why = shared_refuses(c);

    if (why)
        return why;
    return c->ranks_per_node == c->per_gpu
               ? NULL
               : "is for one GPU a node (--set gpus_used=1)";
}

/* Lets the newest operation follow `after` (UINT32_MAX: none), and the leader's
 * operations before it began to poll. */
static void choice_after(struct copy_choice *c, uint32_t after)
{
    if (after != UINT32_MAX)
        plan_after(c->b->p, after);
    for (int i = 0; i < c->since.n; i++)
        plan_after(c->b->p, c->since.deps[i]);
}

/* Plans the leader's flag to a member, which follows `after`. */
static void choice_tell(struct copy_choice *c, uint32_t rank, uint32_t after)
{
    struct collective_build *b = c->b;
    uint32_t root = c->comm.first;
    struct collective_after own = b->after[root];

    b->after[root] = c->since;
    uint32_t flag = shared_flag(b, root, rank);
    if (after != UINT32_MAX)
        plan_after(b->p, after);
    b->after[root] = own;
    shared_see(b, rank, flag);
}

/* Returns the operation in which the leader sees that its copy has returned,
 * after it has read the flags that came before. */
static uint32_t choice_seen(struct copy_choice *c, uint32_t copy)
{
    uint32_t op = plan_work(c->b->p, c->comm.first, POLL_S);

    plan_after(c->b->p, copy | AFTER_SENT);
    return op;
}

struct choice_end choice_bring(struct copy_choice *c, uint32_t i,
                               enum shared_copy by, uint32_t after)
{
    struct collective_build *b = c->b;
    uint32_t root = c->comm.first, rank = collective_rank(&c->comm, i);
    uint32_t gpu = collective_gpu_of(b, root), copy;
    struct choice_end end;
    bool sum = b->c->kind == COLLECTIVE_ALLREDUCE;

    choice_tell(c, rank, after);
    if (by == SHARED_IPC) {
        copy = shared_ipc_copy(b, PHASE_GATHER, rank, gpu, gpu, c->in_B);
        shared_moved(b, copy, false, rank, SHARED_OWN, rank, SHARED_SLOT);
        shared_record(b, rank);
        end.there = end.seen = shared_flag(b, rank, root);
    } else {
        copy = shared_host_copy(b, PHASE_GATHER, rank, D2H, c->in_B);
        shared_moved(b, copy, false, rank, SHARED_OWN, rank, SHARED_STAGE);
        end.there = shared_take_in(b, root, shared_flag(b, rank, root),
                                   c->since, c->in_B);
        shared_moved(b, end.there, false, rank, SHARED_STAGE, rank,
                     SHARED_SLOT);
        end.seen = choice_seen(c, end.there);
    }
    if (!sum)
        shared_moved(b, end.there, true, rank, SHARED_SLOT, root, SHARED_OWN);
    return end;
}

struct choice_end choice_fetch(struct copy_choice *c, uint32_t i,
                               enum shared_copy by, uint32_t after)
{
    struct collective_build *b = c->b;
    uint32_t root = c->comm.first, rank = collective_rank(&c->comm, i);
    uint32_t gpu = collective_gpu_of(b, root), copy;

    if (by == SHARED_HOST && !c->staged) {
        copy = plan_copy(b->p, PHASE_SCATTER, root, D2H, gpu, c->out_B);
        choice_after(c, after);
        shared_moved(b, copy, false, root, SHARED_OWN, root, SHARED_STAGE);
        c->staged = 1 + copy;
    }
    choice_tell(c, rank, by == SHARED_HOST ? c->staged - 1 : after);
    if (by == SHARED_IPC) {
        copy = shared_ipc_copy(b, PHASE_SCATTER, rank, gpu, gpu, c->out_B);
        shared_moved(b, copy, false, root, SHARED_OWN, rank, SHARED_OWN);
        uint32_t flag = shared_flag(b, rank, root);
        return (struct choice_end){flag, flag};
    }
    copy = shared_host_copy(b, PHASE_SCATTER, rank, H2D, c->out_B);
    shared_moved(b, copy, false, root, SHARED_STAGE, rank, SHARED_OWN);
    /* The flag follows the copy's return and the rank's next operation its
     * bytes, because a copy may return early. */
    b->after[rank].deps[0] = copy | AFTER_SENT;
    uint32_t flag = shared_flag(b, rank, root);
    shared_see(b, rank, copy);
    return (struct choice_end){flag, flag};
}

void choice_sum(struct copy_choice *c, const uint32_t *there, size_t n)
{
    struct collective_build *b = c->b;
    uint32_t root = c->comm.first;

    if (b->c->kind == COLLECTIVE_ALLREDUCE) {
        uint32_t sum = shared_reduce(b, root, c->in_B, c->comm.count, there, n);
        for (uint32_t i = 1; i < c->comm.count; i++)
            shared_moved(b, sum, true, collective_rank(&c->comm, i),
                         SHARED_SLOT, root, SHARED_OWN);
    } else {
        choice_join(c, there, n);
    }
    c->since = shared_since(b, root);
}

void choice_join(struct copy_choice *c, const uint32_t *done, size_t n)
{
    struct collective_build *b = c->b;
    uint32_t root = c->comm.first;
    uint32_t op = plan_work(b->p, root, 0);

    for (int i = 0; i < b->after[root].n; i++)
        plan_after(b->p, b->after[root].deps[i]);
    for (size_t i = 0; i < n; i++)
        plan_after(b->p, done[i]);
    b->after[root] = (struct collective_after){{op}, 1};
}

void choice_between_nodes(struct collective_build *b)
{
    struct collective_comm leaders = shared_of_job(b);
    uint64_t bytes = b->c->bytes;

    if (b->c->kind == COLLECTIVE_ALLREDUCE) {
        shared_between_nodes(b, bytes);
        return;
    }
    if (leaders.count < 2)
        return;
    for (uint32_t i = 0; i < leaders.count; i++)
        shared_host_copy(b, PHASE_COPY_OUT, collective_rank(&leaders, i), D2H,
                         bytes / leaders.count);
    shared_host_allgather(b, &leaders);
    for (uint32_t i = 0; i < leaders.count; i++)
        shared_host_copy(b, PHASE_COPY_IN, collective_rank(&leaders, i), H2D,
                         bytes);
}
