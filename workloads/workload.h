/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload.h - the kinds of workloads, which are the communication to be
 * simulated. Each kind is one file (or several of a family share one) and one
 * line in list.def; no other file names it. */
#ifndef WORKLOADS_WORKLOAD_H
#define WORKLOADS_WORKLOAD_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/loop.h"
#include "sim/plan/placement.h"
#include "sim/plan/plan.h"
#include "workloads/collective.h"
#include "workloads/halo.h"
#include "workloads/matrix.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct load_cache;

/* The defaults of PageRank in `run`, `bench` and the rounds of hosts (--help of
 * study/run/request.h has the same numbers). */
#define PAGERANK_DAMPING 0.85
#define PAGERANK_THRESHOLD 1e-6

/* A user's request. 0, NULL or NAN mean that a value was not given. */
struct workload_request {
    const char *words; /* complete: "spmv:FILE" */
    const char *partition;
    const char *compared; /* partition for comparison; NULL or "none" */
    /* Skipped for more nonzeros than this; 0 for no limit. */
    uint64_t compared_nnz;
    unsigned gpus, nodes; /* at most one of them is given */
    unsigned ranks_per_node;
    uint64_t value_bytes;
    double source, damping, threshold;
    unsigned max_iterations; /* for PageRank by sweeps */
    /* Placement of a collective's ranks; NULL for blocks from node 0 on. */
    const struct placement *placed;
    bool ranks_are_gpus; /* for a trace: each rank gets a GPU of its own */
    /* A cache of matrices (load/load_cache.h), or NULL. */
    struct load_cache *cache;
};

/* Returns whether a partition for comparison was given. */
static inline bool workload_compares(const struct workload_request *r)
{
    return r->compared && strcmp(r->compared, "none") != 0;
}

/* The shape of a workload, which determines how it is carried out. */
enum shape {
    SHAPE_HALO,       /* values that GPUs need from each other, by strategies */
    SHAPE_PLAN,       /* messages that are sent as they are given */
    SHAPE_GRAPH,      /* an algorithm on a graph, by executions */
    SHAPE_COLLECTIVE, /* an operation of all ranks, by its algorithms */
    SHAPE_TRACE,      /* the calls of an application's ranks, in their order */
    SHAPE_ROUNDS,     /* an algorithm on a graph on hosts, under runtimes */
    NSHAPES
};

struct workload {
    const char *prefix;  /* "stencil:" */
    const char *words;   /* "stencil:9pt:NXxNY", the form of its words */
    const char *summary; /* one line for `sluice list workloads` */
    const char *help;    /* lines that `sluice show workload` adds */
    /* The names of its options, "gpus nodes ..."; for a graph, on GPUs and
     * (round_options) on hosts with --runtime. NULL if there is no such run. */
    const char *options, *round_options;
    /* Those of them that no other workload has, or few: they may also stand
     * among its words, "pagerank:GRAPH,damping=0.9", with _ for -. */
    const char *own;
    const char *platform; /* default platform */

    /* One of the following makes the workload from its words. */
    /* Reads a matrix from the words after the prefix; its product needs a
     * halo. */
    int (*matrix)(struct matrix *m, const char *rest, struct err *err);
    /* Makes the messages between `gpus` GPUs from the words after the prefix: a
     * halo, which may have several rounds. */
    int (*traffic)(struct halo *h, uint32_t gpus, uint32_t gpus_per_node,
                   const char *rest, struct err *err);
    /* For traffic: if neither --gpus nor --nodes is given, it has as many GPUs
     * as its file names. */
    bool names_gpus;
    /* For traffic: it is sent and received in the order of index lists, so it
     * is packed. */
    bool packed;
    /* Makes a plan of messages from all its words; *ranks is the number of
     * ranks that it names. */
    int (*messages)(struct plan *p, uint32_t *ranks, const struct machine *m,
                    const char *words, struct err *err);
    /* Makes a plan of regular steps in the same way, if it has too many
     * messages to store. */
    int (*loop)(struct loop *l, uint32_t *ranks, const struct machine *m,
                const char *words, struct err *err);
    /* Name of an algorithm on the graph after the prefix. */
    const char *algorithm;
    bool grid; /* the matrix's rows are points of a grid (matrix.grid) */
    /* If `collective`, it is an operation of all ranks, of this kind. */
    bool collective;
    enum collective_kind kind;
    bool trace; /* a trace of an application, named after the prefix */
    /* Whether random numbers are drawn for it, with this seed unless its words
     * have seed=K. For graphs see graph_generate.h. */
    bool draws;
    uint64_t seed;
    /* For collectives and traffic: the meaning of the size bytes= in
     * nccl-tests. */
    enum bus bus;
};

#define WORKLOAD(x) extern const struct workload x##_workload;
#include "workloads/list.def"
#undef WORKLOAD

extern const struct workload *const workloads[];
extern const size_t nworkloads;

/* Returns the workload with the longest prefix of the words. An unknown one is
 * an error that lists the known ones and suggests one. */
const struct workload *workload_find(const char *words,
                                     struct err *err) MUST_CHECK;
/* Returns the shape of a workload. */
enum shape workload_shape(const struct workload *w);

/* Returns whether more GPUs or ranks mean more work, because each adds its
 * own. */
static inline bool workload_grows(const struct workload *w)
{
    return w->collective || (w->traffic && !w->names_gpus);
}

/* Options of all workloads whose matrix or graph is partitioned over GPUs. */
#define MATRIX_OPTIONS                                                         \
    "gpus nodes partition compare-partition value-bytes ranks-per-node "       \
    "placement no-packing runtime runtime-exhaustion"
/* Options of messages between GPUs. */
#define TRAFFIC_OPTIONS                                                        \
    "gpus nodes ranks-per-node no-packing runtime runtime-exhaustion"
#define GRAPH_OPTIONS "gpus nodes partition edge-ns"
/* Options of graphs on hosts. */
#define ROUND_OPTIONS                                                          \
    "runtime runtime-exhaustion nodes threads partition matching "             \
    "vertices-as arcs-as"

#endif
