/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiment.h - experiments: single points of benchmarks, as plans. Those of
 * BenchPress have its bugs; they are reproduced, because the measurements have
 * them. */
#ifndef VALIDATE_MEASURE_EXPERIMENT_H
#define VALIDATE_MEASURE_EXPERIMENT_H

#include "base/err.h"
#include "sim/plan/exec.h"
#include "platforms/machine.h"
#include "sim/plan/plan.h"
#include "strategies/collective/collective.h"

#include <stdbool.h>
#include <stdint.h>

/* The directions in which the ranks of a GPU copy: all the same; even ranks to
 * the GPU and odd ranks from it; or each from it, then to it. */
enum copy_pattern { COPY_ONE_WAY, COPY_HALF, COPY_TURNS, NCOPY_PATTERNS };
extern const char *const copy_pattern_names[NCOPY_PATTERNS];

/* The senders in a round of gpu_messages: each of two to the other;
 * each to the next; rank 0 to all others, all others to it; each to each. */
enum gpu_flow {
    FLOW_PAIRS,
    FLOW_RING,
    FLOW_OUT,
    FLOW_IN,
    FLOW_ALL,
    NGPU_FLOWS
};

enum a2a_strategy { CUDA_AWARE, COPY_TO_CPU, EXTRA_MESSAGE, DUP_DEVPTR };

/* The buffers of messages. Those that are used in turn are needed because a
 * message whose bytes are in the cache of the core that receives it, or in
 * pages that nobody wrote, is faster than one of a program that computes. */
enum buffers {
    BUFFERS_SAME,    /* one buffer, which nobody writes */
    BUFFERS_WRITTEN, /* written just before each send; twice the L2 in turn */
    BUFFERS_COLD,    /* written once; half of the last-level cache in turn */
    NBUFFERS
};

struct benchmark;
struct placed; /* placed.h */

/* Cores and GPUs are numbers within a node. */
struct experiment {
    const struct benchmark *of; /* benchmark.h; it has the plan */
    bool gpu;                   /* device memory is handed to MPI */
    bool two_nodes;             /* ping_pong, multi_pair: off node */
    /* The plan is one iteration of the benchmark's loop, as sluice-native
     * repeats it, there and back if the benchmark goes both ways. */
    bool iteration;
    bool other_rack; /* the nodes are in different racks */
    bool mps_off;    /* see struct benchmark.mps */
    /* Bytes of one message or copy; all_to_all_v: bytes of a pair of GPUs. */
    uint64_t bytes;
    unsigned core[2]; /* ping_pong; memcpy: core[0] */
    /* GPUs: ping_pong; memcpy: device[0], for D2D both. */
    unsigned device[2];
    unsigned socket0_pairs,
        /* pairs: those on socket 0, and all. */
        pairs;
    /* pairs, ping_pong: messages are copied out of and into GPU memory by hand;
     * the number of pairs that use one GPU (0 for one each). Or pairs of
     * domain_ranks ranks, in `domains` domains of a node: they are the halves
     * of a domain or, with two_nodes, the same ranks of both nodes. */
    bool staged;
    unsigned pairs_per_gpu;
    unsigned domains, domain_ranks;
    /* With `iteration`, multi_pair: both ranks of each pair, two by two; and
     * their buffers. */
    const unsigned *ends;
    enum buffers buffers;
    unsigned ranks_per_node;
    enum copy_dir dir;
    /* memcpy_mult: ranks of each GPU; and the number of GPUs that the
     * machine's GPUs represent (0 if all exist). */
    unsigned copiers, copied_gpus;
    enum copy_pattern pattern;
    enum gpu_flow flow;    /* gpu_messages */
    unsigned nodes, racks; /* all_to_all_v, spmv */
    unsigned strategy;     /* enum a2a_strategy; spmv too */
    bool comm_only;        /* spmv: the halo exchange alone */
    /* mult_pong, matching; window: those of a window */
    unsigned messages;
    bool both_ways;     /* window: both ends send */
    bool out_of_place;  /* library_call: data and result are in two buffers */
    unsigned by_thread; /* library_call: GPUs of a thread of the CPU; 0 for 1 */
    bool in_graph;      /* library_call: the call is one of a CUDA graph */
    /* matching: receives are posted in reverse order */
    bool reversed;
    /* all_to_all_v: library: by a call of the MPI library; split: each
     * of the ranks of a GPU has its part of every message. */
    bool library, split;
    unsigned grid_cells; /* halo_step: edge of the grid */
    double kernel_s;     /* halo_step: time of a GPU's part of it */
    /* alltoall: `bytes` are those of a pair of ranks; phase is its
     * name, or NULL for the whole. */
    const struct collective_algorithm *collective;
    const char *phase;
    unsigned groups; /* leaders, or groups, of a node */
    bool pairwise;
    /* Calls (call.h): `bytes` are those of struct collective; with `gpu`
     * messages are device-aware, or staged. Pointers are borrowed. */
    unsigned per_gpu; /* ranks that share a GPU; 0 for 1 */
    unsigned ranks;
    uint64_t segment_B; /* segments of pipelines; 0 for the algorithm's own */
    const struct placed *placed; /* NULL for blocks from node 0 on */
};

/* Makes the plan; returns -1 and an error if the machine has no such rank or
 * GPU. */
int experiment_plan(struct plan *p, const struct machine *m,
                    const struct experiment *x, struct err *err) MUST_CHECK;

/* Makes such a plan for a benchmark, which may be unfinished on an error. */
typedef int experiment_planner(struct plan *p, const struct machine *m,
                               const struct experiment *x, struct err *err);

/* Returns the time before the plan. */
double experiment_extra_s(const struct machine *m, const struct experiment *x);

/* Computes, from the times of the plan's operations, the time that the
 * benchmark prints, without experiment_extra_s(). */
typedef double experiment_measure(const struct plan *p,
                                  const struct op_times *ops);
experiment_measure *experiment_measure_of(const struct experiment *x);

/* --- for the files of benchmarks ------------------------------------------ */

/* Returns -1 and an error if a node of the machine has no such core, or (with
 * with_gpu) no such GPU. */
int experiment_needs(const struct machine *m, unsigned core, unsigned gpu,
                     bool with_gpu, struct err *err) MUST_CHECK;
/* Adds a message back, once a message has arrived; its receive is posted after
 * that message has been sent. */
void experiment_answer(struct plan *p, uint32_t op);
/* Makes an empty plan with one rank on every core, so that rank = node * ncores
 * + core. */
void experiment_all_cores(struct plan *p, const struct machine *m,
                          const char *name, unsigned nodes);

#endif
