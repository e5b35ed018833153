/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sluice.h - libsluice: communication on clusters of GPU nodes, simulated from
 * a program of one's own. Load a machine, make a workload for it, then simulate
 * it with each of its strategies, and read the results.
 *
 * The units are seconds, bytes and bytes per second. The library prints
 * nothing, exits only if memory runs out, and has no global state: threads may
 * call everything at the same time with objects of their own, and may share
 * objects that are const. (The engine "simgrid" simulates in a child process of
 * the caller.)
 *
 * The caller owns the objects that a function makes, and frees them by the
 * function that is named for them, which accepts NULL too. A machine must
 * outlive its workloads, and a workload its plans. Names and texts that are
 * returned are borrowed from the object. A function that fails returns -1 or
 * NULL and fills the error; if it succeeds it returns 0 or the object.
 *
 * If a required object or text is NULL, it is an error (code 2) of the
 * functions that take an error; the others return 0 or NULL for it. `error`
 * itself, `options` and `seed` may be NULL.
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
    int code; /* 2 for bad input or wrong use; 1 if the work itself failed */
    char text[1024]; /* the file or option and the place first, no full stop */
};

/* Returns the version of the library: "0.1.0". */
SLUICE_API const char *sluice_version(void);

/* --- machines ------------------------------------------------------------- */

struct sluice_machine;

/*
 * Loads a machine by the name of a platform that comes with sluice ("lassen"),
 * or by the path of a platform file. `sets` are nsets texts KEY=VALUE that
 * replace its values, such as "network.bandwidth_GBps=50"; NULL and 0 if there
 * are none. Those of "execution." replace values of the executions of graph
 * algorithms.
 */
SLUICE_API struct sluice_machine *
sluice_machine_load(const char *name, const char *const *sets, size_t nsets,
                    struct sluice_error *error);
SLUICE_API void sluice_machine_free(struct sluice_machine *machine);

SLUICE_API const char *sluice_machine_name(const struct sluice_machine *m);
SLUICE_API unsigned sluice_machine_nodes(const struct sluice_machine *m);
/* GPUs and cores of one node. */
SLUICE_API unsigned sluice_machine_gpus(const struct sluice_machine *m);
SLUICE_API unsigned sluice_machine_cores(const struct sluice_machine *m);

/* --- workloads ------------------------------------------------------------ */

/* Options of a workload, as those of `sluice run`. A member that is 0 stands
 * for the default. */
struct sluice_options {
    unsigned gpus, nodes;  /* the used part of the machine; give at most one */
    const char *partition; /* "contiguous", "metis", "boxes", a file */
    uint64_t value_bytes;  /* size of one exchanged value [8] */
    uint64_t message_cap_bytes; /* largest message of the split strategies */
    unsigned ranks_per_node;    /* [one per core] */
    int keep_duplicates;    /* if not 0, a value is sent once for each GPU */
    const char *engine;     /* "fluid" or "simgrid" */
    const char *accuracy;   /* "auto", "exact", or a tolerance: "0.01" */
    int no_packing;         /* if not 0, no kernels pack and unpack */
    const char *source;     /* bfs: number of the first vertex [of most arcs] */
    const char *strategies; /* "a,b", if not all: others are not loaded */
    double threshold; /* pagerank: tolerance, relative to the rank [1e-6] */
};

struct sluice_workload;

/* Makes a workload from `words`, as --workload takes them: "spmv:FILE.mtx",
 * "stencil:9pt:2000x2000", "exchange:FILE.csv", "bfs:FILE.mtx", ... `options`
 * may be NULL. */
SLUICE_API struct sluice_workload *
sluice_workload_make(const struct sluice_machine *machine, const char *words,
                     const struct sluice_options *options,
                     struct sluice_error *error);
SLUICE_API void sluice_workload_free(struct sluice_workload *workload);

SLUICE_API unsigned sluice_workload_gpus(const struct sluice_workload *w);
SLUICE_API unsigned sluice_workload_nodes(const struct sluice_workload *w);
/* Stores the seed of the workload's random numbers and returns 1; returns 0 and
 * leaves *seed as it is if it draws none. */
SLUICE_API int sluice_workload_seed(const struct sluice_workload *w,
                                    uint64_t *seed);
/* The strategies that the workload can run with, by number from 0. */
SLUICE_API size_t sluice_workload_strategies(const struct sluice_workload *w);
SLUICE_API const char *sluice_workload_strategy(const struct sluice_workload *w,
                                                size_t i);

/* --- plans ---------------------------------------------------------------- */

/* A plan: copies, messages and work on ranks and GPUs, and their
 * dependencies. */
struct sluice_plan;

#define SLUICE_NO_GPU UINT32_MAX
#define SLUICE_NO_RANK UINT32_MAX

enum sluice_operation_kind {
    SLUICE_COPY,    /* rank `from` copies between its memory and a GPU */
    SLUICE_MESSAGE, /* rank `from` sends, rank `to` receives */
    SLUICE_WORK,    /* rank `from` is busy */
    SLUICE_SEND,    /* rank `from` sends; a SLUICE_RECEIVE matches it */
    SLUICE_RECEIVE,
    SLUICE_PACK,   /* rank `from` gathers or scatters values, in a GPU or not */
    SLUICE_REDUCE, /* rank `from` adds buffers of `bytes` up, in a GPU or not */
    SLUICE_PROBE,  /* rank `to` waits until a message of rank `from` is there */
};

struct sluice_operation {
    enum sluice_operation_kind kind;
    uint32_t from, to; /* ranks; equal for a copy, a pack and work */
    /* Numbers within the whole job, or SLUICE_NO_GPU. */
    uint32_t from_gpu, to_gpu;
    uint64_t bytes;
};

/* Makes the plan of a strategy. Fails if the strategy decides while it runs (as
 * for bfs: and pagerank:), because it has no plan. */
SLUICE_API struct sluice_plan *
sluice_plan_make(const struct sluice_workload *workload, const char *strategy,
                 struct sluice_error *error);
SLUICE_API void sluice_plan_free(struct sluice_plan *plan);

SLUICE_API size_t sluice_plan_operations(const struct sluice_plan *plan);
/* Returns the i-th operation; one of SLUICE_NO_RANK if there are fewer. */
SLUICE_API struct sluice_operation
sluice_plan_operation(const struct sluice_plan *plan, size_t i);

/* --- matching ------------------------------------------------------------- */

/* A queue of messages and one of receives that are there at once. */
struct sluice_queues {
    double messages, receives;
    double matched; /* number of messages that have a receive */
    int order;    /* receives: 0 in the messages' order, 1 random, 2 reverse */
    double equal; /* for hash tables, receives of one source and tag; 0 for 1 */
    int compact;  /* if not 0, the entries that are left are moved together */
};

/* Computes the time in which the machine's matching engine ("matching" of its
 * platform) matches the queues, and the number of its CTAs (blocks of threads;
 * 0 for a CPU); `ctas` may be NULL. */
SLUICE_API int sluice_match(double *time_s, unsigned *ctas,
                            const struct sluice_machine *machine,
                            const struct sluice_queues *queues,
                            struct sluice_error *error);

/* --- puts ----------------------------------------------------------------- */

/* Simulates n puts of `bytes` that a kernel of a GPU starts at once into the
 * memory of a GPU of another node: the time until all have arrived; and the
 * latency of one, which its bytes follow (may be NULL). */
SLUICE_API int sluice_puts(double *time_s, double *latency_s,
                           const struct sluice_machine *machine, uint64_t bytes,
                           unsigned n, struct sluice_error *error);

/* --- closed forms, and messages from one node ----------------------------- */

/* Computes the closed form of a strategy for the exchange of a matrix's values,
 * on the workload's machine or another with as many GPUs a node; as printed by
 * Lockhart et al. 2022 or corrected (`sluice model`). NAN if the strategy has
 * none. */
SLUICE_API int sluice_model(double *time_s,
                            const struct sluice_workload *workload,
                            const struct sluice_machine *machine,
                            const char *strategy, int printed,
                            struct sluice_error *error);

/* A node sends `messages` of `bytes` each, evenly from its GPUs, to `nodes`
 * others; a share of all bytes is redundant. */
struct sluice_scenario {
    unsigned messages, nodes;
    uint64_t bytes;
    double duplicates; /* 0 to 1 */
};

/* Simulates such messages under a strategy, and computes its closed form; each
 * only if the pointer is not NULL. */
SLUICE_API int sluice_scenario(double *time_s, double *model_s,
                               const struct sluice_machine *machine,
                               const struct sluice_scenario *scenario,
                               const char *strategy, int printed,
                               struct sluice_error *error);

/* --- simulations ---------------------------------------------------------- */

/* The numbers of a simulation: the columns of `sluice run --csv`, which may
 * become more. sluice_field() returns the name of the i-th ("copied_bytes"),
 * and sluice_field_unit() its unit: "s", "B", "count", or "" of a ratio; NULL
 * if there are fewer. */
SLUICE_API size_t sluice_fields(void);
SLUICE_API const char *sluice_field(size_t i);
SLUICE_API const char *sluice_field_unit(size_t i);

/* The lists of a simulation, as `sluice run --list` prints them; they and their
 * columns may become more. sluice_list() returns the name of the i-th
 * ("links"), sluice_list_label() the key that names its entries ("name"), and
 * the others its columns, whose units are those of fields; NULL or 0 if there
 * are fewer. */
SLUICE_API size_t sluice_lists(void);
SLUICE_API const char *sluice_list(size_t i);
SLUICE_API const char *sluice_list_label(size_t i);
SLUICE_API size_t sluice_list_columns(size_t i);
SLUICE_API const char *sluice_list_column(size_t i, size_t column);
SLUICE_API const char *sluice_list_unit(size_t i, size_t column);

/* The entries of a list: the number of its columns of values for each. */
struct sluice_entries {
    size_t n;
    char (*names)[96];
    double *values; /* entry by entry; NAN if unknown */
};

/* The traffic of one direction of one link. */
struct sluice_link {
    char name[96];
    double bandwidth_Bps, bytes;
    uint64_t flows;
};

struct sluice_result {
    double time_s;
    double model_s;  /* the paper's closed form; NAN if there is none */
    double accuracy; /* the tolerance of the engine; 0 if exact */
    uint64_t off_node_messages, off_node_bytes;
    uint64_t on_node_messages, on_node_bytes;
    uint64_t copies, copied_bytes;
    /* For bfs: and pagerank: only, which do not distinguish messages from
     * copies, so that the counts above are 0. */
    uint64_t transfers, transfer_bytes;
    struct sluice_link *links; /* links with traffic, busiest first */
    size_t nlinks;
    size_t noperations;      /* number in the plan; 0 if there is none */
    double *start_s, *end_s; /* times of each operation */
    double *values;          /* one for each sluice_field(); NAN if unknown */
    struct sluice_entries *lists; /* one for each sluice_list() */
};

/* Simulates the workload with a strategy. The caller frees the result's members
 * by sluice_result_clear(). */
SLUICE_API int sluice_simulate(struct sluice_result *result,
                               const struct sluice_workload *workload,
                               const char *strategy,
                               struct sluice_error *error);
/* Frees the members of the result, not the result itself. */
SLUICE_API void sluice_result_clear(struct sluice_result *result);

#ifdef __cplusplus
}
#endif

#endif
