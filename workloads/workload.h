/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload.h - the communication that is asked for: all that is known of one
 * kind of workload. Each is one file (or several of a family in one) and one
 * line in list.def; nothing else names it. */
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

/* PageRank takes these if the user says neither, in `run`, `bench` and the
 * rounds of hosts (--help of strategies/run/request.h says the same). */
#define PAGERANK_DAMPING 0.85
#define PAGERANK_THRESHOLD 1e-6

/* As the user says it. 0, NULL, NAN: not said. */
struct workload_request {
    const char *words; /* complete: "spmv:FILE" */
    const char *partition;
    const char *compared;  /* another to compare with; NULL, "none" */
    uint64_t compared_nnz; /* not of a matrix of more nonzeros; 0: of any */
    unsigned gpus, nodes;  /* at most one of them */
    unsigned ranks_per_node;
    uint64_t value_bytes;
    double source, damping, threshold;
    unsigned max_iterations;        /* of PageRank by sweeps */
    const struct placement *placed; /* of a collective's ranks; NULL: in blocks
                                       from node 0 on */
    bool ranks_are_gpus;      /* of a trace: each is to have one of its own */
    struct load_cache *cache; /* of matrices (load/load_cache.h); NULL: none */
};

/* A partition to compare with is said. */
static inline bool workload_compares(const struct workload_request *r)
{
    return r->compared && strcmp(r->compared, "none") != 0;
}

/* A workload comes down to one of these, by which it can be carried out. */
enum shape {
    SHAPE_HALO, /* values that GPUs need from each other: exchange strategies */
    SHAPE_PLAN, /* messages that are given: as they are */
    SHAPE_GRAPH,      /* an algorithm on a graph: executions */
    SHAPE_COLLECTIVE, /* an operation of all ranks: its algorithms */
    SHAPE_TRACE,      /* the calls of an application's ranks, as they were */
};

struct workload {
    const char *prefix;  /* "stencil:" */
    const char *words;   /* "stencil:9pt:NXxNY": how it is written */
    const char *summary; /* one line for `sluice list workloads` */
    const char *help;    /* lines that `sluice show workload` adds */
    /* The options that it takes: "gpus nodes ..."; of a graph on GPUs, and on
     * hosts with --runtime. NULL: not there. */
    const char *options, *round_options;
    const char *platform; /* when none is named */

    /* One of these makes it of its words. */
    /* Reads a matrix from the words behind the prefix: its product is a halo.
     */
    int (*matrix)(struct matrix *m, const char *rest, struct err *err);
    /* Makes the messages between `gpus` GPUs from the words behind the prefix:
     * a halo, perhaps of several rounds. */
    int (*traffic)(struct halo *h, uint32_t gpus, uint32_t gpus_per_node,
                   const char *rest, struct err *err);
    /* Traffic: without --gpus and --nodes, as many GPUs as it names. */
    bool names_gpus;
    /* Traffic: it is sent and received in index lists' order: packed. */
    bool packed;
    /* Messages of all its words; the ranks are those that it names. */
    int (*messages)(struct plan *p, uint32_t *ranks, const struct machine *m,
                    const char *words, struct err *err);
    /* Messages of regular steps, likewise: too many to store. */
    int (*loop)(struct loop *l, uint32_t *ranks, const struct machine *m,
                const char *words, struct err *err);
    /* On the graph that follows the prefix. */
    const char *algorithm;
    /* An operation of all ranks, of this kind. */
    bool grid; /* the matrix's rows are points of a grid (matrix.grid) */
    bool collective;
    enum collective_kind kind;
    bool trace; /* of an application, whose words follow the prefix */
    /* Random numbers are drawn for it, with this seed unless its words say
     * seed=K. Of graphs: graph_generate.h. */
    bool draws;
    uint64_t seed;
    /* Collectives and traffic: the size as nccl-tests mean it, bytes=. */
    enum bus bus;
};

#define WORKLOAD(x) extern const struct workload x##_workload;
#include "workloads/list.def"
#undef WORKLOAD

extern const struct workload *const workloads[];
extern const size_t nworkloads;

/* The workload whose prefix the words begin with, the longest of several. An
 * unknown one is an error that lists the known and suggests. */
const struct workload *workload_find(const char *words,
                                     struct err *err) MUST_CHECK;
enum shape workload_shape(const struct workload *w);

/* More GPUs or ranks do not share the same work: each brings its own. */
static inline bool workload_grows(const struct workload *w)
{
    return w->collective || (w->traffic && !w->names_gpus);
}

/* Options of all workloads whose matrix or graph is divided among GPUs. */
#define MATRIX_OPTIONS                                                         \
    "gpus nodes partition compare-partition value-bytes ranks-per-node "       \
    "placement no-packing runtime runtime-exhaustion"
/* If it is messages between GPUs. */
#define TRAFFIC_OPTIONS                                                        \
    "gpus nodes ranks-per-node no-packing runtime runtime-exhaustion"
#define GRAPH_OPTIONS "gpus nodes partition edge-ns"
/* If it is a graph on hosts. */
#define ROUND_OPTIONS                                                          \
    "runtime runtime-exhaustion nodes threads partition matching "             \
    "vertices-as arcs-as"

#endif
