/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claim_lab.h - the common parts of the experiments behind the claims:
 * machines, grids of times that several claims read, and the verdict that they
 * add up to. */
#ifndef RESULTS_PAPERS_CLAIM_LAB_H
#define RESULTS_PAPERS_CLAIM_LAB_H

#include "base/err.h"
#include "platforms/machine.h"
#include "strategies/exchange/model.h"
#include "strategies/strategy.h"
#include "results/papers/claims.h"
#include "validate/measure/experiment.h"

#include <stdbool.h>

/* --- verdict -------------------------------------------------------------- */

/* A claim is reproduced if all of its parts hold, and not reproduced if one
 * fails. */
struct verdict {
    const char *id; /* the claim's */
    char *text;     /* lines of evidence */
    size_t parts, held;
    size_t open, not_run; /* not_run: the open ones that are not run */
    enum evidence from;   /* kind of the parts that are added next */
};

/* Adds "holds (predicted): ..." or "fails (predicted): ...", by v->from. */
void verdict_part(struct verdict *v, bool holds, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
/* Adds "open: ...", if a part cannot be tested with the data at hand. */
void verdict_open(struct verdict *v, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Adds "not run: ...": the part is open until cells have been simulated at full
 * size. */
void verdict_not_run(struct verdict *v, const char *fmt, ...) PRINTF_LIKE(2, 3);
void verdict_note(struct verdict *v, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Appends to a text of xasprintf(), which may be NULL. */
void text_add(char **text, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* --- strategies ----------------------------------------------------------- */

/* A set of strategies: bit i stands for strategies[i]. */
typedef uint32_t strategy_set;
enum { MAX_STRATEGIES = 32 };
/* Returns the set of strategies that "a,b,c" names. */
strategy_set strategies_named(const char *names);
/* Returns all except 2-step-1, because the paper shows that separately as the
 * best case. */
strategy_set strategies_usual(void);
/* Returns the index of the fastest strategy of a set. */
unsigned fastest(const double *times, strategy_set among);

/* --- lab ------------------------------------------------------------------ */

enum { NSIZES = 12, NMATRICES = 6, NCOUNTS = 4 };
enum { NGRIDS = 8 }; /* 4 patterns, with and without duplicates */
/* Sizes of the messages of Fig 4.3, bytes. */
extern const uint64_t sizes[NSIZES];

/*
 * The source of times. PRINTED: the closed forms as printed, with Tables 2 and
 * 3 as printed, misprints included. CORRECTED: both with corrections
 * (lassen-paper, MODEL_CORRECTED). SIMULATED: simulated on lassen-paper.
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
    uint64_t messages; /* the most messages that one GPU sends off node */
    double times[NSOURCES][MAX_STRATEGIES];
};
/* Meshes like the paper's matrices (workloads/surrogate.h), and the numbers of
 * nodes that they are distributed to. */
enum stand_in { AUDIKW, SERENA, LDOOR, THERMAL2, BONE, GEO };
extern const char *const stand_ins[NMATRICES];
extern const unsigned node_counts[NCOUNTS];

struct lab {
    struct machine lassen, paper, summit;
    struct machine printed; /* paper, with its corrections undone */
    const char *const *sets;
    size_t nsets;
    struct grid grids[NSOURCES][NGRIDS];
};

/* Loads the machines, changed by lab->sets. */
int lab_machines(struct lab *lab, struct err *err) MUST_CHECK;
void lab_close(struct lab *lab);

/* Simulates experiments; the times are those that the benchmarks report. */
int lab_experiments(double *times_s, const struct machine *m,
                    const struct experiment *x, size_t n,
                    struct err *err) MUST_CHECK;
/* Computes the closed form of a source other than SIMULATED. */
int lab_predict(double *time_s, const struct lab *lab, enum source source,
                const struct model_input *in, const struct strategy *s,
                struct err *err) MUST_CHECK;
/* Adds the four patterns' grids of all sources to the document's "grids". */
int lab_add_grids(struct json *doc, struct lab *lab, double duplicates,
                  struct err *err) MUST_CHECK;
/* Adds the exchanges of sparse products of all stand-ins and numbers of nodes
 * to the document's "products". */
int lab_add_products(struct json *doc, const struct lab *lab,
                     struct err *err) MUST_CHECK;
/* Returns the times of all strategies, which the caller frees; null if NAN. */
struct json *lab_times_json(const double *times);
/* Adds the sizes of the patterns and the sources' names to a document. */
void lab_add_names(struct json *doc);
/* Makes the halo of such a mesh, distributed by contiguous rows. */
int lab_halo(struct halo *halo, const struct machine *m, enum stand_in which,
             unsigned nodes, struct err *err) MUST_CHECK;
/* Stores the simulated times of these strategies; does not change those of
 * others. */
int lab_simulate(double *times, const struct machine *m,
                 const struct halo *halo, strategy_set which,
                 struct err *err) MUST_CHECK;

/* --- claims --------------------------------------------------------------- */

/* Returns -1 with err if the experiment could not be run. */
typedef int claim_fn(struct lab *lab, struct verdict *v, struct err *err);

claim_fn claim_localities, claim_ppn, claim_copies, claim_device_latency,
    claim_injection;                 /* claims_cost.c: L01 to L05 */
claim_fn claim_summit, claim_future; /* claims_machine.c: L24, L25 */

#endif
