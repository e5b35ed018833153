/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sluice.h - libsluice: communication on clusters of GPU nodes, simulated from
 * a program of one's own. Load a machine, make a workload for it, then let
 * strategies carry it out, one simulation each, and read the results.
 *
 * Seconds, bytes, bytes per second. Nothing is printed, nothing exits but when
 * memory runs out, nothing is global: threads may call everything at the same
 * time with objects of their own, and may share objects that are const. (The
 * engine "simgrid" simulates in a child process of the caller.)
 *
 * What a function makes it hands over; it is freed by the function that is
 * named for it, which takes NULL too. A machine outlives its workloads, a
 * workload its plans. Names and texts that are returned are borrowed from the
 * object. An int is 0, or -1 with the error filled; a pointer is NULL then.
 *
 * NULL instead of an object or a text is an error (code 2) of the functions
 * that take an error, and has 0 of everything, and no names, for the others;
 * `error` itself, `options` and `seed` may be NULL.
 */
#ifndef SLUICE_H
#define SLUICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SLUICE_API __attribute__((visibility("default")))

struct sluice_error {
    int code;        /* 2: bad input or wrong use; 1: the work itself failed */
    char text[1024]; /* the file or option and the place first, no full stop */
};

/* The version of the library: "0.1.0". */
SLUICE_API const char *sluice_version(void);

/* --- machines ------------------------------------------------------------- */

struct sluice_machine;

/*
 * A machine by the name of a platform that comes with sluice ("lassen"), or by
 * the path of a platform file. sets are nsets texts KEY=VALUE that replace its
 * values, such as "network.bandwidth_GBps=50"; NULL and 0: none.
 */
SLUICE_API struct sluice_machine *
sluice_machine_load(const char *name, const char *const *sets, size_t nsets,
                    struct sluice_error *error);
SLUICE_API void sluice_machine_free(struct sluice_machine *machine);

SLUICE_API const char *sluice_machine_name(const struct sluice_machine *m);
SLUICE_API unsigned sluice_machine_nodes(const struct sluice_machine *m);
/* Of one node. */
SLUICE_API unsigned sluice_machine_gpus(const struct sluice_machine *m);
SLUICE_API unsigned sluice_machine_cores(const struct sluice_machine *m);

/* --- workloads ------------------------------------------------------------ */

/* What `sluice run` takes as options. All 0: the defaults. */
struct sluice_options {
    unsigned gpus, nodes;       /* how much of the machine, at most one */
    const char *partition;      /* "contiguous", "metis", "boxes", a file */
    uint64_t value_bytes;       /* of one value that is exchanged (8) */
    uint64_t message_cap_bytes; /* of the split strategies */
    unsigned ranks_per_node;    /* all cores */
    int keep_duplicates;        /* not 0: a value once for each GPU */
    const char *engine;         /* "fluid" or "simgrid" */
    const char *accuracy;       /* "auto", "exact", or a tolerance: "0.01" */
    int no_packing;             /* not 0: no kernels that pack and unpack */
};

struct sluice_workload;

/* `words` as --workload takes it: "spmv:FILE.mtx", "stencil:9pt:2000x2000",
 * "exchange:FILE.csv", "bfs:FILE.mtx", ... options may be NULL. */
SLUICE_API struct sluice_workload *
sluice_workload_make(const struct sluice_machine *machine, const char *words,
                     const struct sluice_options *options,
                     struct sluice_error *error);
SLUICE_API void sluice_workload_free(struct sluice_workload *workload);

SLUICE_API unsigned sluice_workload_gpus(const struct sluice_workload *w);
SLUICE_API unsigned sluice_workload_nodes(const struct sluice_workload *w);
/* The seed of the random numbers that it is drawn with; 0: none is drawn, and
 * *seed stays as it is. */
SLUICE_API int sluice_workload_seed(const struct sluice_workload *w,
                                    uint64_t *seed);
/* The strategies that can carry it out, by number from 0. */
SLUICE_API size_t sluice_workload_strategies(const struct sluice_workload *w);
SLUICE_API const char *sluice_workload_strategy(const struct sluice_workload *w,
                                                size_t i);

/* --- plans ---------------------------------------------------------------- */

/* Who does what after what: copies, messages and work on ranks and GPUs. */
struct sluice_plan;

#define SLUICE_NO_GPU UINT32_MAX
#define SLUICE_NO_RANK UINT32_MAX

enum sluice_operation_kind {
    SLUICE_COPY,    /* rank `from` copies between its memory and a GPU */
    SLUICE_MESSAGE, /* rank `from` sends, rank `to` receives */
    SLUICE_WORK,    /* rank `from` is busy */
    SLUICE_SEND,    /* rank `from` sends; a SLUICE_RECEIVE takes it */
    SLUICE_RECEIVE,
    SLUICE_PACK,   /* rank `from` gathers or scatters values, in a GPU or not */
    SLUICE_REDUCE, /* rank `from` adds buffers of `bytes` up, in a GPU or not */
    SLUICE_PROBE,  /* rank `to` waits until a message of rank `from` is there */
};

struct sluice_operation {
    enum sluice_operation_kind kind;
    uint32_t from, to; /* ranks; of a copy, a pack and of work the same */
    uint32_t from_gpu, to_gpu; /* of the whole job; SLUICE_NO_GPU: none */
    uint64_t bytes;
};

/* The plan of a strategy that makes one; a strategy that decides as it runs
 * (of bfs: and pagerank:) is an error. */
SLUICE_API struct sluice_plan *
sluice_plan_make(const struct sluice_workload *workload, const char *strategy,
                 struct sluice_error *error);
SLUICE_API void sluice_plan_free(struct sluice_plan *plan);

SLUICE_API size_t sluice_plan_operations(const struct sluice_plan *plan);
/* Behind the last one: of SLUICE_NO_RANK. */
SLUICE_API struct sluice_operation
sluice_plan_operation(const struct sluice_plan *plan, size_t i);

/* --- simulations ---------------------------------------------------------- */

/* What one direction of one link carried. */
struct sluice_link {
    char name[96];
    double bandwidth_Bps, bytes;
    uint64_t flows;
};

struct sluice_result {
    double time_s;
    double model_s;  /* the paper's closed form; NAN: there is none */
    double accuracy; /* the tolerance of the engine; 0: exact */
    uint64_t off_node_messages, off_node_bytes;
    uint64_t on_node_messages, on_node_bytes;
    uint64_t copies, copied_bytes;
    /* Of bfs: and pagerank: alone, whose messages and copies are not told
     * apart, so that the counts above are 0. */
    uint64_t transfers, transfer_bytes;
    struct sluice_link *links; /* that carried anything, busiest first */
    size_t nlinks;
    size_t noperations;      /* of the plan; 0: there is none */
    double *start_s, *end_s; /* of each operation */
};

/* The workload, carried out by a strategy. */
SLUICE_API int sluice_simulate(struct sluice_result *result,
                               const struct sluice_workload *workload,
                               const char *strategy,
                               struct sluice_error *error);
/* Frees what the result holds, not the result. */
SLUICE_API void sluice_result_clear(struct sluice_result *result);

#ifdef __cplusplus
}
#endif

#endif
