/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.h - a plan: a DAG of copies, messages and work on ranks and GPUs. A
 * strategy makes one, and it is then costed, simulated, run natively or
 * exported. */
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
    /* Rank `src` gathers values into a buffer, or scatters them: in the memory
     * of a GPU by a kernel, or in its own. */
    OP_PACK,
    /* Rank `src` adds up, element by element, `inputs` buffers into one: in the
     * memory of a GPU by a kernel, or in its own. */
    OP_REDUCE,
    /* Rank `src` waits until a message has arrived that OP_RECV would match;
     * the message stays there. */
    OP_PROBE,
    NOP_KINDS
};

enum phase {
    PHASE_PACK,     /* into the send buffers */
    PHASE_COPY_OUT, /* GPU to host */
    PHASE_ON_NODE,  /* messages whose data never leave the node */
    PHASE_GATHER,   /* on node, towards the rank that sends off node */
    PHASE_OFF_NODE,
    PHASE_SCATTER, /* on node, from the rank that received from off node */
    PHASE_COPY_IN, /* host to GPU */
    PHASE_UNPACK,  /* to the places of the values */
    PHASE_WORK,
    NPHASES
};
extern const char *const phase_names[NPHASES];

/* The most ranks of a file's numbering: far beyond any machine. */
#define PLAN_MAX_RANKS (1u << 24)
/* Flags of a dependency: see plan_after() and plan_posted_after(). */
#define AFTER_SENT 0x80000000u
#define FOR_RECEIVE 0x40000000u
#define LAST_STEP 0x20000000u /* in the body of a loop (loop.h) */
#define DEP_OP 0x1fffffffu    /* the bits of the operation's number */

/* The values that an op carries: `count` consecutive values of halo class
 * `class_id`, from the `first` on (workloads/halo.h). */
struct piece {
    uint32_t class_id;
    uint64_t first;
    uint64_t count;
};

struct op {
    uint8_t kind;  /* enum op_kind */
    uint8_t phase; /* enum phase */
    union {
        uint8_t dir;    /* enum copy_dir, copies only */
        uint8_t inputs; /* OP_REDUCE: number of buffers, 1 or more */
        uint8_t lane;   /* OP_WORK: 0 on its rank's CPU, else outside it */
        /* OP_MSG that kernels send (struct plan.runtime): number of blocks of
         * threads that work at the same time; 0 for one. */
        uint8_t channels;
    };
    /* OP_PACK, OP_REDUCE: the rank waits for its kernel. OP_SEND: it completes
     * only once it is received (MPI_Ssend). */
    bool synced;
    uint32_t src; /* rank */
    uint32_t dst; /* rank; equal to src unless a message */
    /* GPUs by number in the whole job (node * ngpus + gpu). Copies: the GPU,
     * twice; between GPUs from src_gpu to dst_gpu. Messages: the memory of the
     * sender and of the receiver, NO_GPU for host memory; either both are GPUs
     * or none is. Packs and reductions: likewise, both equal. */
    uint32_t src_gpu, dst_gpu;
    uint32_t first_dep; /* in plan.deps, up to the next op's */
    union {
        /* OP_RECV: the room for the message; OP_REDUCE: the bytes of each
         * buffer. */
        uint64_t bytes;
        double work_s; /* OP_WORK */
    };
};

/* Returns whether the op has a peer and a tag to match. */
static inline bool op_matches(uint8_t kind)
{
    return kind == OP_RECV || kind == OP_PROBE;
}

/* The fields by which OP_SEND, OP_RECV and OP_PROBE are matched (match.h). */
struct op_match {
    uint32_t peer;    /* unused by a send; may be ANY_RANK */
    uint32_t tag;     /* may be ANY_TAG, except for a send */
    uint32_t context; /* MPI's communicator; 0 without plan_context() */
};

struct plan {
    char *name;
    enum runtime runtime; /* runtime of its messages; mpi at first */
    /* Nothing begins before this time, because a kernel is launched for all. */
    double begin_s;
    /* The calls of the CPU for the plan take so long while it runs, so that
     * plans in a row are at least so far apart. */
    double calls_s;
    /* Work around messages that kernels send. */
    struct channel_work channel_work;
    unsigned nodes;
    unsigned ranks_per_node;
    unsigned *core; /* for each local rank: a core of the node */
    unsigned lanes; /* lanes of each rank, outside its CPU, for work */
    /* Copies have no alpha, because operations of work have the time of the
     * calls. */
    bool issued;
    /* The planner used the machine's costs, so on another machine of the same
     * shape (platforms/shape.h) the plan may differ. */
    bool of_costs;
    struct op *ops; /* 32 B each, because there are millions */
    size_t nops, ops_room;
    /* One per op, once there is a send, a receive or a piece; otherwise
     * NULL. */
    struct op_match *match;
    uint32_t *first_piece; /* index in pieces, up to the next op's */
    size_t match_room, first_piece_room;
    /* Op number, possibly with AFTER_SENT, FOR_RECEIVE. */
    uint32_t *deps;
    size_t ndeps, deps_room;
    struct piece *pieces;
    size_t npieces, pieces_room;
    /* The bytes that a rank uses again and again, if its planner knows them; 0
     * to take the bytes of the messages that a rank sends and receives on its
     * node, for the busiest rank. */
    double working_set_B;
    /* For each rank the bytes of its windows under a runtime with windows, if
     * its planner knows them; NULL to derive them from the messages. */
    double *window_B;
    /* For each rank the part of its received bytes that is new memory
     * (large_recv_s_per_B of a runtime), if its planner knows it; NULL if all
     * are. */
    double *new_share;
    struct plan_origin *origin; /* if it is made from a trace; otherwise NULL */
};

/* Makes an empty plan. Rank r is on node r / ranks_per_node; local rank i is on
 * core cores[i], or, if cores is NULL, the ranks are spread evenly over the
 * sockets, each filled from its first core on (the order that jsrun gives on
 * Lassen). plan_clear() frees it. */
void plan_init(struct plan *p, const struct machine *m, const char *name,
               unsigned nodes, unsigned ranks_per_node, const unsigned *cores);
void plan_clear(struct plan *p);

/* Places one rank on every core, on as many nodes as `ranks` ranks need. */
int plan_spread(struct plan *p, const struct machine *m, uint32_t ranks,
                struct err *err) MUST_CHECK;

/* Places the same ranks on `nodes` nodes (0: as few as they need) with
 * `ranks_per_node` on each (0: evenly; if both are 0, one on every core). */
int plan_place(struct plan *p, const struct machine *m, uint32_t ranks,
               unsigned nodes, unsigned ranks_per_node,
               struct err *err) MUST_CHECK;

/* Adds an op and returns its number; dependencies and pieces added afterwards
 * belong to it until the next op is added. */
uint32_t plan_copy(struct plan *p, enum phase phase, uint32_t rank,
                   enum copy_dir dir, uint32_t gpu, uint64_t bytes);
/* Adds a copy between two GPUs of a node, by the rank's CPU. */
uint32_t plan_copy_peer(struct plan *p, enum phase phase, uint32_t rank,
                        uint32_t from_gpu, uint32_t to_gpu, uint64_t bytes);
uint32_t plan_msg(struct plan *p, enum phase phase, uint32_t src, uint32_t dst,
                  uint32_t src_gpu, uint32_t dst_gpu, uint64_t bytes);
uint32_t plan_work(struct plan *p, uint32_t rank, double work_s);
/* Adds work on a lane outside the rank's CPU (from 1), which serves its work
 * first come first served. */
uint32_t plan_work_beside(struct plan *p, uint32_t rank, uint8_t lane,
                          double work_s);
/* Adds a pack in the memory of a GPU, or of the rank (NO_GPU), whose CPU then
 * copies. If synced, the rank continues only once it has seen the kernel's end,
 * as it must before it hands the buffer to MPI; a copy on the same stream does
 * not need that. */
uint32_t plan_pack(struct plan *p, enum phase phase, uint32_t rank,
                   uint32_t gpu, uint64_t bytes, bool synced);
/* Adds a reduction that reads `inputs` buffers of `bytes` each and writes one,
 * in the memory of a GPU or of the rank (NO_GPU), whose CPU then adds them up;
 * synced is as for a pack. There can be at most PLAN_MAX_INPUTS inputs. */
#define PLAN_MAX_INPUTS 255u
uint32_t plan_reduce(struct plan *p, enum phase phase, uint32_t rank,
                     uint32_t gpu, uint64_t bytes, unsigned inputs,
                     bool synced);
/*
 * Add the two ends of a message whose receive is an operation of its own,
 * matched as MPI matches. Messages of a pair of ranks are in the order in which
 * their sends may begin (their dependencies are finished). A receive is posted
 * once its dependencies are finished, even if the rank is busy, and costs
 * nothing until its message has arrived. A send is finished when the sender may
 * reuse its buffer, a receive when the message has arrived. It is an error of
 * the run if a message is never received, or is longer than `room`.
 */
uint32_t plan_send(struct plan *p, enum phase phase, uint32_t src, uint32_t dst,
                   uint32_t tag, uint64_t bytes);
uint32_t plan_recv(struct plan *p, enum phase phase, uint32_t rank,
                   uint32_t from, uint32_t tag, uint64_t room);
/* Adds a probe, which waits until a message has arrived that such a receive
 * would match and that no receive has matched. It costs nothing. */
uint32_t plan_probe(struct plan *p, enum phase phase, uint32_t rank,
                    uint32_t from, uint32_t tag);
/* Sets the communicator in which the newest op, a send, receive or probe, is
 * matched. */
void plan_context(struct plan *p, uint32_t context);

/* Adds the operation of another plan, without its dependencies. */
uint32_t plan_add_copy(struct plan *p, const struct plan *from, uint32_t op);

/* Makes the newest op start after `op` is finished. A message is finished when
 * it has been received, or, with AFTER_SENT (op | AFTER_SENT), when the sender
 * may reuse its buffer; for a copy AFTER_SENT is the time when it returns to
 * its rank. An op depends only on earlier ones, so a plan has no cycle. */
void plan_after(struct plan *p, uint32_t op);
/* Makes the newest op, a message of plan_msg(), be received only after `op`:
 * until then its receive is not posted, and a rendezvous keeps its bytes. */
void plan_posted_after(struct plan *p, uint32_t op);
/* In the body of a loop: makes the newest op start after `op` of the step
 * before, any op of the body; with FOR_RECEIVE only its receive waits. */
void plan_after_last(struct plan *p, uint32_t op);
/* Adds these values to the newest op. */
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

/* Returns the GPU of a rank if the ranks of a node are in blocks on its `ngpus`
 * GPUs. */
static inline uint32_t plan_gpu_of(const struct plan *p, unsigned ngpus,
                                   uint32_t rank)
{
    uint32_t each = p->ranks_per_node;

    return rank / each * ngpus + rank % each * ngpus / each;
}

static inline unsigned plan_core(const struct plan *p, uint32_t rank)
{
    return p->core[rank % p->ranks_per_node];
}

/* Returns the locality of a message: between its ranks, or between its GPUs if
 * it is device-aware; or of a copy: between its rank and GPU (ON_SOCKET or
 * ON_NODE), or between its two GPUs. */
enum locality plan_locality(const struct plan *p, const struct machine *m,
                            const struct op *op);

/* Returns whether the op is the sender's end of a message. */
static inline bool plan_sends(const struct op *op)
{
    return op->kind == OP_MSG || op->kind == OP_SEND;
}

/* Returns the path of a message: between host memory, or between GPUs. */
static inline enum msg_path plan_path(const struct machine *m,
                                      const struct op *op)
{
    return op->src_gpu == NO_GPU ? PATH_HOST : machine_gpu_path(m);
}

/* Return, for a dependency of an operation, the rank that waits, and the rank
 * on which the awaited operation ends. */
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

/* Returns the number of its messages and copies. */
size_t plan_flows(const struct plan *p);
/* Returns the working set of the busiest rank, in bytes: working_set_B, or the
 * bytes that replace it. */
double plan_working_set(const struct plan *p);

#endif
