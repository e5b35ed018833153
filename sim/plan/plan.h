/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.h - who does what after what: a DAG of copies, messages and work on
 * ranks and GPUs. A strategy makes one, and it is then costed, simulated, run
 * natively or exported. */
#ifndef SIM_PLAN_PLAN_H
#define SIM_PLAN_PLAN_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/origin.h"
#include "sim/transport/match.h"

#include <stdbool.h>
#include <stdint.h>

enum op_kind {
    OP_COPY, /* rank `src` copies between its host memory and a GPU */
    OP_MSG,  /* rank `src` sends to rank `dst` */
    OP_WORK, /* rank `src` is busy for work_s */
    OP_SEND, /* rank `src` sends to rank `dst`, which receives by OP_RECV */
    OP_RECV, /* rank `dst` (equal to src) receives from rank `peer` */
    /* Rank `src` gathers values into a buffer, or scatters them, in the memory
     * of a GPU by a kernel, or in its own. */
    OP_PACK,
    /* Rank `src` adds up, element by element, `inputs` buffers into one, in the
     * memory of a GPU by a kernel, or in its own. */
    OP_REDUCE,
    /* Rank `src` waits until a message is there that OP_RECV would take; it
     * stays there. */
    OP_PROBE,
};

enum phase {
    PHASE_PACK,     /* into the buffers of what is sent */
    PHASE_COPY_OUT, /* GPU to host */
    PHASE_ON_NODE,  /* messages whose data never leave the node */
    PHASE_GATHER,   /* on node, towards the rank that sends off node */
    PHASE_OFF_NODE,
    PHASE_SCATTER, /* on node, from the rank that received from off node */
    PHASE_COPY_IN, /* host to GPU */
    PHASE_UNPACK,  /* to where the values belong */
    PHASE_WORK,
    NPHASES
};
extern const char *const phase_names[NPHASES];

/* What a file may number its ranks up to: far beyond any machine. */
#define PLAN_MAX_RANKS (1u << 24)
/* In a dependency: see plan_after() and plan_posted_after(). */
#define AFTER_SENT 0x80000000u
#define FOR_RECEIVE 0x40000000u
#define LAST_STEP 0x20000000u /* in the body of a loop (loop.h) */
#define DEP_OP 0x1fffffffu    /* the bits of the operation's number */

/*
 * Which values an op carries: `count` consecutive values of halo class
 * `class_id`, from the `first` on (workloads/halo.h).
 */
struct piece {
    uint32_t class_id;
    uint64_t first;
    uint64_t count;
};

struct op {
    uint8_t kind;  /* enum op_kind */
    uint8_t phase; /* enum phase */
    union {
        uint8_t dir;      /* enum copy_dir, copies only */
        uint8_t inputs;   /* OP_REDUCE: how many buffers, 1 or more */
        uint8_t lane;     /* OP_WORK: 0 on its rank's CPU, else beside it */
        uint8_t channels; /* OP_MSG that kernels send (struct plan.runtime): how
                             many blocks of threads side by side; 0: one */
    };
    /* OP_PACK, OP_REDUCE: the rank waits for its kernel. OP_SEND: it is
     * complete only when it is received (MPI_Ssend). */
    bool synced;
    uint32_t src; /* rank */
    uint32_t dst; /* rank; all but messages: equal to src */
    /* GPUs by number in the whole job (node * ngpus + gpu). Copies: the GPU in
     * src_gpu. Messages: memory that is sent from and received into, NO_GPU
     * for host memory; both are GPUs or none is. Packs and reductions:
     * likewise, twice the same. */
    uint32_t src_gpu, dst_gpu;
    uint32_t first_dep; /* in plan.deps, up to the next op's */
    union {
        uint64_t bytes; /* OP_RECV: that it has room for; OP_REDUCE: of each
                           buffer */
        double work_s;  /* OP_WORK */
    };
};

/* Has a peer and tag to match. */
static inline bool op_matches(uint8_t kind)
{
    return kind == OP_RECV || kind == OP_PROBE;
}

/* What OP_SEND, OP_RECV and OP_PROBE are matched by (match.h). */
struct op_match {
    uint32_t peer;    /* not of a send, perhaps ANY_RANK; ... */
    uint32_t tag;     /* ... and its tag may be ANY_TAG */
    uint32_t context; /* MPI's communicator: 0 unless plan_context() says */
};

struct plan {
    char *name;
    enum runtime runtime; /* of its messages; at first mpi */
    double begin_s; /* nothing begins before: a kernel is launched for all */
    struct channel_work channel_work; /* of messages that kernels send */
    unsigned nodes;
    unsigned ranks_per_node;
    unsigned *core; /* of each local rank: a core of the node */
    unsigned lanes; /* of each rank, beside its CPU, that work is done on */
    bool issued;    /* its copies take no alpha: work says what calls take */
    /* What is planned depends on costs: on another machine of the same shape
     * (platforms/shape.h) it may be another. */
    bool of_costs;
    struct op *ops; /* 32 B each: there are millions */
    size_t nops, ops_room;
    /* Of each op, once there is a send, a receive or a piece; else NULL. */
    struct op_match *match;
    uint32_t *first_piece; /* in pieces, up to the next op's */
    size_t match_room, first_piece_room;
    uint32_t *deps; /* op number, perhaps with AFTER_SENT, FOR_RECEIVE */
    size_t ndeps, deps_room;
    struct piece *pieces;
    size_t npieces, pieces_room;
    /* What a rank uses again and again, if its planner knows; 0: taken for the
     * bytes of the messages that it sends and receives on its node, of the
     * busiest rank. */
    double working_set_B;
    /* Of each rank, what its windows hold under a runtime with windows, if its
     * planner knows; NULL: of what messages are there. */
    double *window_B;
    /* Of each rank, what share of the bytes that it receives is memory that is
     * new (large_recv_s_per_B of a runtime), if its planner knows; NULL: all.
     */
    double *new_share;
    struct plan_origin *origin; /* of a plan made of a trace; NULL */
};

/*
 * An empty plan. Rank r sits on node r / ranks_per_node; local rank i sits on
 * core cores[i], or, when cores is NULL, the ranks are spread evenly over the
 * sockets, each filled from its first core on (the order that jsrun gives on
 * Lassen).
 */
void plan_init(struct plan *p, const struct machine *m, const char *name,
               unsigned nodes, unsigned ranks_per_node, const unsigned *cores);
void plan_clear(struct plan *p);

/* One rank on every core, as many nodes as `ranks` ranks need. */
int plan_spread(struct plan *p, const struct machine *m, uint32_t ranks,
                struct err *err) MUST_CHECK;

/* The same ranks on `nodes` nodes (0: as few as they need) with
 * `ranks_per_node` on each (0: evenly; with neither, one on every core). */
int plan_place(struct plan *p, const struct machine *m, uint32_t ranks,
               unsigned nodes, unsigned ranks_per_node,
               struct err *err) MUST_CHECK;

/* The number of the new op; dependencies and pieces added afterwards belong to
 * it until the next op is added. */
uint32_t plan_copy(struct plan *p, enum phase phase, uint32_t rank,
                   enum copy_dir dir, uint32_t gpu, uint64_t bytes);
/* Between two GPUs of a node, by the rank's CPU. */
uint32_t plan_copy_peer(struct plan *p, enum phase phase, uint32_t rank,
                        uint32_t from_gpu, uint32_t to_gpu, uint64_t bytes);
uint32_t plan_msg(struct plan *p, enum phase phase, uint32_t src, uint32_t dst,
                  uint32_t src_gpu, uint32_t dst_gpu, uint64_t bytes);
uint32_t plan_work(struct plan *p, uint32_t rank, double work_s);
/* The same on a lane beside the rank's CPU (from 1), which serves its work
 * first come first served. */
uint32_t plan_work_beside(struct plan *p, uint32_t rank, uint8_t lane,
                          double work_s);
/* In the memory of a GPU, or of the rank (NO_GPU), which then copies itself.
 * synced: the rank goes on only when it has seen the kernel's end, as before
 * it hands the buffer to MPI; not before a copy on the same stream. */
uint32_t plan_pack(struct plan *p, enum phase phase, uint32_t rank,
                   uint32_t gpu, uint64_t bytes, bool synced);
/* Reads `inputs` buffers of `bytes` each and writes one, in the memory of a GPU
 * or of the rank (NO_GPU), whose CPU then adds them up; synced: as of a pack.
 * At most PLAN_MAX_INPUTS. */
#define PLAN_MAX_INPUTS 255u
uint32_t plan_reduce(struct plan *p, enum phase phase, uint32_t rank,
                     uint32_t gpu, uint64_t bytes, unsigned inputs,
                     bool synced);
/*
 * A message whose receive is an operation of its own, matched as MPI matches.
 * Messages of a pair of ranks are in the order in which their sends may begin
 * (their dependencies are finished). A receive is posted when its dependencies
 * are finished, though the rank may be busy, and costs nothing until its
 * message is there. A send is finished when the sender may reuse its buffer, a
 * receive when the message is there. What is sent and never received is an
 * error when the plan runs, and so is a message longer than `room`.
 */
uint32_t plan_send(struct plan *p, enum phase phase, uint32_t src, uint32_t dst,
                   uint32_t tag, uint64_t bytes);
uint32_t plan_recv(struct plan *p, enum phase phase, uint32_t rank,
                   uint32_t from, uint32_t tag, uint64_t room);
/* Until a message is there that a receive of these would take, and that none
 * has taken. Costs nothing. */
uint32_t plan_probe(struct plan *p, enum phase phase, uint32_t rank,
                    uint32_t from, uint32_t tag);
/* The newest op, a send, receive or probe, is matched within this communicator.
 */
void plan_context(struct plan *p, uint32_t context);

/* The operation of another plan, without its dependencies. */
uint32_t plan_add_copy(struct plan *p, const struct plan *from, uint32_t op);

/*
 * The newest op starts after `op` is finished: a message is finished when it
 * has been received, or, with AFTER_SENT (op | AFTER_SENT), when the sender may
 * reuse its buffer, which of a copy is when it returns to its rank. Only
 * backward references, so a plan has no cycle.
 */
void plan_after(struct plan *p, uint32_t op);
/* The newest op, a message of plan_msg(), is received only after `op`: until
 * then its receive is not posted, and a rendezvous keeps its bytes. */
void plan_posted_after(struct plan *p, uint32_t op);
/* In the body of a loop: the newest op starts after `op` of the step before,
 * any op of the body; with FOR_RECEIVE it is its receive that does. */
void plan_after_last(struct plan *p, uint32_t op);
/* The newest op carries these values. */
void plan_piece(struct plan *p, struct piece piece);

/* An op's dependencies are deps[plan_first_dep()] to before plan_end_dep(). */
static inline uint32_t plan_first_dep(const struct plan *p, size_t op)
{
    return p->ops[op].first_dep;
}

static inline uint32_t plan_end_dep(const struct plan *p, size_t op)
{
    return op + 1 < p->nops ? p->ops[op + 1].first_dep : (uint32_t)p->ndeps;
}

static inline uint32_t plan_ndeps(const struct plan *p, size_t op)
{
    return plan_end_dep(p, op) - plan_first_dep(p, op);
}

/* Its values are pieces[plan_first_piece()] to before plan_end_piece(). */
static inline uint32_t plan_first_piece(const struct plan *p, size_t op)
{
    return p->first_piece ? p->first_piece[op] : 0;
}

static inline uint32_t plan_end_piece(const struct plan *p, size_t op)
{
    return p->first_piece && op + 1 < p->nops ? p->first_piece[op + 1]
                                              : (uint32_t)p->npieces;
}

static inline uint32_t plan_npieces(const struct plan *p, size_t op)
{
    return plan_end_piece(p, op) - plan_first_piece(p, op);
}

static inline unsigned plan_node(const struct plan *p, uint32_t rank)
{
    return rank / p->ranks_per_node;
}

static inline unsigned plan_core(const struct plan *p, uint32_t rank)
{
    return p->core[rank % p->ranks_per_node];
}

/* Of a message: of its ranks, or of its GPUs when device-aware. Of a copy:
 * between its rank and GPU (ON_SOCKET or ON_NODE), or between its two GPUs. */
enum locality plan_locality(const struct plan *p, const struct machine *m,
                            const struct op *op);

/* Has the sender's end of a message. */
static inline bool plan_sends(const struct op *op)
{
    return op->kind == OP_MSG || op->kind == OP_SEND;
}

/* Of a message: between host memory, or between GPUs. */
static inline enum msg_path plan_path(const struct machine *m,
                                      const struct op *op)
{
    return op->src_gpu == NO_GPU ? PATH_HOST : machine_gpu_path(m);
}

/* Of a dependency of an operation: the rank that waits, and the rank on which
 * that ends which it waits for. */
static inline uint32_t plan_waits_on(const struct op *op, uint32_t dep)
{
    return dep & FOR_RECEIVE ? op->dst : op->src;
}

static inline uint32_t plan_ends_on(const struct plan *p, uint32_t dep)
{
    const struct op *before = &p->ops[dep & DEP_OP];

    return before->kind == OP_MSG && !(dep & AFTER_SENT) ? before->dst
                                                         : before->src;
}

/* Its messages and copies. */
size_t plan_flows(const struct plan *p);
/* Of the busiest rank, in bytes: working_set_B, or what stands for it. */
double plan_working_set(const struct plan *p);

/* -1 and an error when an operation waits for what ends on another rank: only a
 * simulator can do that. */
int plan_check_ranks(const struct plan *p, struct err *err) MUST_CHECK;

/* -1 and an error when the plan cannot run on this machine: more nodes, ranks
 * or GPUs than it has, a kind of message that it cannot do. */
int plan_check(const struct plan *p, const struct machine *m,
               struct err *err) MUST_CHECK;

#endif
