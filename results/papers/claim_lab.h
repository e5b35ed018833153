/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claim_lab.h - what the experiments behind the claims share: machines, grids
 * of times that several claims read, and the verdict they add up to. */
#ifndef RESULTS_PAPERS_CLAIM_LAB_H
#define RESULTS_PAPERS_CLAIM_LAB_H

#include "base/err.h"
#include "platforms/machine.h"
#include "strategies/exchange/model.h"
#include "strategies/strategy.h"
#include "results/papers/cells.h"
#include "results/papers/claims.h"
#include "validate/measure/experiment.h"

#include <stdbool.h>

/* --- verdict ------------------------------------------------------------ */

/* A claim is reproduced when all of its parts hold, and not when one fails. */
struct verdict {
    const char *id; /* of the claim */
    char *text;     /* lines */
    size_t parts, held;
    size_t open, not_run; /* not_run: of the open ones */
    enum evidence from;   /* of the parts that come next */
    struct claim_lines of[NEVIDENCES];
};

/* "holds (predicted): ..." or "fails (predicted): ...", by v->from. */
void verdict_part(struct verdict *v, bool holds, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
/* "open: ...": not testable with what there is. */
void verdict_open(struct verdict *v, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "not run: ...": open until cells have been simulated at full size. */
void verdict_not_run(struct verdict *v, const char *fmt, ...) PRINTF_LIKE(2, 3);
void verdict_note(struct verdict *v, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* More of a line under way: appended to a text of xasprintf(). */
void text_add(char **text, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* --- strategies --------------------------------------------------------- */

/* Sets of strategies, by bits in the order of strategies[]. */
typedef uint32_t strategy_set;
enum { MAX_STRATEGIES = 32 };
/* "a,b,c". */
strategy_set strategies_named(const char *names);
/* All but 2-step-1, which the paper shows apart as the best case. */
strategy_set strategies_usual(void);
strategy_set strategies_staged(void); /* of the usual */
strategy_set strategies_device(void); /* of the usual */
/* The fastest of a set. */
unsigned fastest(const double *times, strategy_set among);

/* --- lab ---------------------------------------------------------------- */

enum { NSIZES = 12, NMATRICES = 6, NCOUNTS = 4 };
enum { NGRIDS = 8 }; /* 4 patterns, with and without duplicates */
extern const uint64_t sizes[NSIZES]; /* of the messages of Fig 4.3, bytes */

/*
 * Where times come from. PRINTED: the closed forms to the letter, with Tables 2
 * and 3 to the letter, misprints included. CORRECTED: both corrected
 * (lassen-paper, MODEL_CORRECTED). SIMULATED: on lassen-paper.
 */
enum source { PRINTED, CORRECTED, SIMULATED, NSOURCES };
extern const char *const source_names[NSOURCES];

/* The strategies' times in a pattern of Fig 4.3, by message size. */
struct grid {
    bool known;
    unsigned messages, nodes;
    double duplicates;
    double times[NSIZES][MAX_STRATEGIES];
};

/* The strategies' times in the exchange of a sparse product. */
struct product {
    unsigned nodes;
    uint64_t messages; /* the most that one GPU sends off node */
    double times[NSOURCES][MAX_STRATEGIES];
};
/* Meshes like the paper's matrices (workloads/surrogate.h), and on how many
 * nodes. */
enum stand_in { AUDIKW, SERENA, LDOOR, THERMAL2, BONE, GEO };
extern const char *const stand_ins[NMATRICES];
extern const unsigned node_counts[NCOUNTS];

struct lab {
    struct machine lassen, paper, summit;
    struct machine printed; /* paper, with what it corrects as printed */
    const char *const *sets;
    size_t nsets;
    struct grid grids[NSOURCES][NGRIDS];
    struct product products[NMATRICES][NCOUNTS];
    bool products_known;
    struct cells cells;          /* of Chen et al. */
    struct shared_study *shared; /* of Faraji and Afsahi; NULL: not opened */
    struct matching_study *matching; /* of Klenk et al., likewise */
    struct runtime_study *runtimes;  /* of Dang et al., likewise */
    const char *runtime_cells;       /* a file of its cells; NULL: its own */
};

/* The machines, changed by lab->sets. */
int lab_machines(struct lab *lab, struct err *err) MUST_CHECK;
/* The cells of a file; NULL: of results/atos/cells.csv, all not simulated where
 * there is none. */
int lab_cells(struct lab *lab, const char *path, struct err *err) MUST_CHECK;
void lab_close(struct lab *lab);

/* The benchmarks' own times. */
int lab_experiments(double *times_s, const struct machine *m,
                    const struct experiment *x, size_t n,
                    struct err *err) MUST_CHECK;
/* The closed form of a source other than SIMULATED. */
int lab_predict(double *time_s, const struct lab *lab, enum source source,
                const struct model_input *in, const struct strategy *s,
                struct err *err) MUST_CHECK;
int lab_grid(const struct grid **grid, struct lab *lab, enum source source,
             unsigned messages, unsigned nodes, double duplicates,
             struct err *err) MUST_CHECK;
/* Fills lab->products. */
int lab_products(struct lab *lab, struct err *err) MUST_CHECK;
/* The halo of such a mesh by contiguous rows. */
int lab_halo(struct halo *halo, const struct machine *m, enum stand_in which,
             unsigned nodes, struct err *err) MUST_CHECK;
/* The simulated times of these strategies; the others' are not touched. */
int lab_simulate(double *times, const struct machine *m,
                 const struct halo *halo, strategy_set which,
                 struct err *err) MUST_CHECK;

/* --- claims ------------------------------------------------------------- */

/* -1 when the experiment could not be run. */
typedef int claim_fn(struct lab *lab, struct verdict *v, struct err *err);

claim_fn claim_localities, claim_ppn, claim_copies, claim_device_latency,
    claim_injection; /* claims_cost.c: L01 to L05 */
claim_fn claim_32_few, claim_32_many, claim_32_large, claim_256_staged,
    claim_256_few, claim_256_many, claim_256_large, claim_best_case,
    claim_duplicates, claim_device_volume; /* claims_scenario.c: L08 to L17 */
claim_fn claim_model_picks, claim_model_factor, claim_staged_faster,
    claim_device_steps, claim_gap, claim_dd_slower, claim_md_fastest,
    claim_standard_best;             /* claims_spmv.c: L06, L07, L18 to L23 */
claim_fn claim_summit, claim_future; /* claims_machine.c: L24, L25 */
claim_fn claim_on_cells;             /* claims_cells.c: A01 to A48 */
/* claims_shared.c: F01 to F13, F30, F31 */
claim_fn claim_gsb_from, claim_gsb_best, claim_gsb_btb, claim_gsb_flat,
    claim_gsb_grows, claim_hierarchy, claim_hierarchy_grows, claim_btb_inside,
    claim_btb_btb, claim_gsb_between, claim_four_nodes, claim_four_nodes_best,
    claim_inside_faster, claim_small_large, claim_buffers;
/* claims_copies.c: F14 to F29 */
claim_fn claim_mps_helps, claim_mps_costs, claim_host_small, claim_mixture,
    claim_all_mixtures, claim_gather_pays, claim_reduce_pays, claim_gdr_small,
    claim_dynamic_near, claim_mps_gains, claim_mps_mvapich2,
    claim_dynamic_counts, claim_static_counts, claim_overlap,
    claim_static_nodes, claim_static_best;
/* claims_matching.c: K01 to K16, K22 */
claim_fn claim_match_rates, claim_match_flat, claim_match_order,
    claim_match_clock, claim_match_queues, claim_match_32, claim_match_ctas,
    claim_match_gpus, claim_match_by_source, claim_match_compaction,
    claim_match_half, claim_match_hash, claim_match_unordered,
    claim_match_unique, claim_match_list, claim_match_levels, claim_match_sms;
/* claims_runtimes.c: I03 to I16, I20 */
claim_fn claim_abelian_probe, claim_abelian_rma, claim_hosts_scale,
    claim_rmat_order, claim_gain_rounds, claim_kron_order, claim_with_windows,
    claim_three_mpis, claim_rma_memory, claim_same_compute, claim_gemini_gain,
    claim_gemini_graphs, claim_fdr_order, claim_clusters, claim_windows;
/* claims_threads.c: I01, I02, I17 to I19, I21 */
claim_fn claim_latency, claim_message_rate, claim_exhaustion, claim_packet_pool,
    claim_epochs, claim_thread_multiple;
/* claims_queues.c: K17 to K21 */
claim_fn claim_trace_wildcards, claim_trace_communicators, claim_trace_peers,
    claim_trace_lengths, claim_trace_tuples;
claim_fn claim_puts, claim_waits, claim_aggregation, claim_packets,
    claim_causes;     /* claims_atos.c: A49 to A52, A54 */
claim_fn claim_queue; /* claims_native.c: A53 */
/* The lines of A54 that were measured on GPUs. */
int claim_causes_measured(struct verdict *v, struct err *err) MUST_CHECK;

#endif
