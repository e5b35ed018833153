/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies, flags and events of ranks that share GPUs as operations of a plan. */
#include "strategies/shared_gpu/shared_gpu.h"

#include "strategies/collective/collective_parts.h"

#include <stdlib.h>

/* Flags are polled in a cache line. */
enum { FLAG_B = 8 };

/* --- ranks and GPUs ------------------------------------------------------- */

unsigned shared_gpus(const struct collective_build *b)
{
    return b->c->ranks_per_node / collective_per_gpu(b->c);
}

struct collective_comm shared_on_gpu(const struct collective_build *b,
                                     unsigned node, unsigned gpu)
{
    return (struct collective_comm){node * b->c->ranks_per_node +
                                        gpu * collective_per_gpu(b->c),
                                    1, collective_per_gpu(b->c), PHASE_ON_NODE};
}

struct collective_comm shared_of_node(const struct collective_build *b,
                                      unsigned node)
{
    return (struct collective_comm){node * b->c->ranks_per_node,
                                    collective_per_gpu(b->c), shared_gpus(b),
                                    PHASE_ON_NODE};
}

struct collective_comm shared_of_job(const struct collective_build *b)
{
    return (struct collective_comm){0, b->c->ranks_per_node, b->nodes,
                                    PHASE_OFF_NODE};
}

const char *shared_refuses(const struct collective *c)
{
    if (c->memory != COLLECTIVE_DEVICE || collective_per_gpu(c) < 2)
        return "is for vectors in GPUs that ranks share (memory=device, "
               "per_gpu=2 or more)";
    if (c->ranks_per_node % collective_per_gpu(c) ||
        (c->ranks && c->ranks != c->nodes * c->ranks_per_node))
        return "expects as many ranks on each GPU of each node";
    if (collective_per_gpu(c) > PLAN_MAX_INPUTS)
        return "more ranks on a GPU than a kernel adds up";
    return NULL;
}

/* --- recorded copies ------------------------------------------------------ */

void shared_moved(const struct collective_build *b, uint32_t op, bool adds,
                  uint32_t from_rank, enum shared_place from, uint32_t to_rank,
                  enum shared_place to)
{
    struct shared_moves *s = b->c->moves;

    if (!s)
        return;
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->moves = xrealloc(s->moves, s->room, sizeof *s->moves);
    }
    s->moves[s->n++] =
        (struct shared_move){op, adds, from_rank * NSHARED_PLACES + from,
                             to_rank * NSHARED_PLACES + to};
}

/* --- operations ----------------------------------------------------------- */

struct collective_after shared_since(const struct collective_build *b,
                                     uint32_t rank)
{
    return b->after[rank];
}

static void shared_after(struct collective_build *b,
                         struct collective_after after)
{
    for (int i = 0; i < after.n; i++)
        plan_after(b->p, after.deps[i]);
}

/* Makes the newest operation the rank's next one. */
static uint32_t shared_next(struct collective_build *b, uint32_t rank,
                            uint32_t op)
{
    shared_after(b, b->after[rank]);
    b->after[rank] = (struct collective_after){{op}, 1};
    return op;
}

uint32_t shared_flag(struct collective_build *b, uint32_t from, uint32_t to)
{
    uint32_t op =
        plan_msg(b->p, PHASE_ON_NODE, from, to, NO_GPU, NO_GPU, FLAG_B);

    shared_after(b, b->after[from]);
    b->after[from] = (struct collective_after){{op | AFTER_SENT}, 1};
    return op;
}

void shared_see(struct collective_build *b, uint32_t rank, uint32_t flag)
{
    struct collective_after *after = &b->after[rank];

    if (after->n == COLLECTIVE_AFTER)
        shared_next(b, rank, plan_work(b->p, rank, 0));
    after->deps[after->n++] = flag;
}

uint32_t shared_ipc_copy(struct collective_build *b, enum phase phase,
                         uint32_t rank, uint32_t from_gpu, uint32_t to_gpu,
                         uint64_t bytes)
{
    return shared_next(
        b, rank, plan_copy_peer(b->p, phase, rank, from_gpu, to_gpu, bytes));
}

uint32_t shared_record(struct collective_build *b, uint32_t rank)
{
    b->p->of_costs = true;
    return shared_next(b, rank, plan_work(b->p, rank, b->m->gpu.ipc_event_s));
}

uint32_t shared_host_copy(struct collective_build *b, enum phase phase,
                          uint32_t rank, enum copy_dir dir, uint64_t bytes)
{
    return shared_next(
        b, rank,
        plan_copy(b->p, phase, rank, dir, collective_gpu_of(b, rank), bytes));
}

uint32_t shared_take_in(struct collective_build *b, uint32_t rank,
                        uint32_t flag, struct collective_after since,
                        uint64_t bytes)
{
    uint32_t op = plan_copy(b->p, PHASE_GATHER, rank, H2D,
                            collective_gpu_of(b, rank), bytes);

    plan_after(b->p, flag);
    shared_after(b, since);
    return op;
}

uint32_t shared_reduce(struct collective_build *b, uint32_t rank,
                       uint64_t bytes, unsigned inputs, const uint32_t *deps,
                       size_t n)
{
    uint32_t op = plan_reduce(b->p, PHASE_GATHER, rank,
                              collective_gpu_of(b, rank), bytes, inputs, true);

    for (size_t i = 0; i < n; i++)
        plan_after(b->p, deps[i]);
    return shared_next(b, rank, op);
}

/* --- in host memory --------------------------------------------------------
 */

/* Thresholds of MPICH, on which MVAPICH2 is based: an allreduce uses recursive
 * doubling up to 2 kB, above it Rabenseifner's; an allgather uses Bruck's up to
 * 80 kB of the result, above it a ring (Thakur, Rabenseifner, Gropp 2005). */
enum { LARGE_ALLREDUCE_B = 2048, LARGE_ALLGATHER_B = 81920 };

/* Plans a part whose messages are in host memory. */
static void shared_in_host(struct collective_build *b,
                           const struct collective_comm *comm,
                           void (*part)(struct collective_build *,
                                        const struct collective_comm *,
                                        struct collective_range))
{
    const struct collective *asked = b->c;
    struct collective host = *asked;

    host.memory = COLLECTIVE_HOST;
    b->c = &host;
    part(b, comm, collective_all(b));
    b->c = asked;
}

void shared_host_allreduce(struct collective_build *b,
                           const struct collective_comm *comm)
{
    shared_in_host(b, comm,
                   b->c->bytes <= LARGE_ALLREDUCE_B
                       ? recursive_doubling_allreduce
                       : rabenseifner_allreduce);
}

void shared_host_allgather(struct collective_build *b,
                           const struct collective_comm *comm)
{
    shared_in_host(b, comm,
                   b->c->bytes <= LARGE_ALLGATHER_B ? bruck_allgather
                                                    : ring_allgather);
}

void shared_between_nodes(struct collective_build *b, uint64_t bytes)
{
    struct collective_comm leaders = shared_of_job(b);

    if (leaders.count < 2)
        return;
    for (uint32_t i = 0; i < leaders.count; i++)
        shared_host_copy(b, PHASE_COPY_OUT, collective_rank(&leaders, i), D2H,
                         bytes);
    shared_host_allreduce(b, &leaders);
    for (uint32_t i = 0; i < leaders.count; i++)
        shared_host_copy(b, PHASE_COPY_IN, collective_rank(&leaders, i), H2D,
                         bytes);
}
