/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sure.h - whether an advice is as sure as it says: the probability that it
 * states for what was measured, against what was the fastest. */
#ifndef VALIDATE_MEASURE_SURE_H
#define VALIDATE_MEASURE_SURE_H

#include "strategies/advise/advise.h"
#include "strategies/advise/model_error.h"
#include "validate/measure/measured.h"
#include "validate/measure/native_results.h"
#include "validate/measure/traverse_cases.h"

/* A decision (decisions.h): its ways as they were measured, as they are
 * simulated, and as they are on drawn machines. */
struct sure_case {
    char platform[40], machine[40], file[80], name[160];
    size_t nways;
    char (*choices)[64];
    double *measured_s, *nominal_s, *times_s; /* the last: draws rows */
    bool clear; /* measured: the first is ahead by more than both noises */
    enum decided kind;
    unsigned nodes;
    uint64_t bytes;  /* as of struct decided_case */
    unsigned *paths; /* of the ways */
};

struct sure {
    struct sure_case *list;
    size_t n, draws;
    uint64_t seed;
};
void sure_clear(struct sure *s);

/* Adds the decisions of a file, simulated on the machine and on s->draws others
 * that are drawn within the parameters' spreads. A point with a placement of
 * its own is left out, because its machine is another. */
int sure_add(struct sure *s, const struct measured *f, const struct machine *m,
             const struct parameters *p, size_t max_ops,
             const struct exec_options *exec, struct err *err) MUST_CHECK;

/* Adds halo exchanges that real ranks did, all on this machine. */
int sure_add_native(struct sure *s, struct native_results *r,
                    const struct machine *m, const struct parameters *p,
                    const struct exec_options *exec,
                    struct err *err) MUST_CHECK;

/* Adds graph searches. Each is simulated on this machine alone and taken to
 * last as long on the drawn ones, because a search on each would take too long.
 */
void sure_add_traverse(struct sure *s, const struct traverse_cases *t,
                       const struct machine *m);

/* The advice of a case beside its measured times. */
struct sure_answer {
    double probability; /* that the advised way is the fastest, or one of
                           those that tie with it */
    double lead;        /* simulated, as of struct advice */
    double regret;      /* measured: the advised over the fastest, less 1 */
    double of_winner;   /* the probability stated of the fastest way */
    size_t advised, winner;
    size_t tied; /* ways that take as long as the advised one, and it: if it
                    is above 1, nothing is advised */
    bool right;  /* the winner is the advised way */
};
struct sure_answer sure_answer(const struct sure *s, const struct sure_case *c,
                               const struct model_error *e);

/* The cases that are counted, and the errors that they are stated by. */
struct sure_view {
    const char *platform; /* NULL: all */
    enum decided kind;    /* NDECIDED: all */
    double given;         /* of each way, 0.1; NAN: by the table */
    bool held_back;       /* as if the machine had no rows of its own */
};
struct model_error sure_error(const struct sure_case *c,
                              const struct sure_view *v);

/* Cases are counted by the fifth that their stated probability lies in. */
enum { SURE_BINS = 5 };
struct sure_bins {
    size_t n[SURE_BINS], right[SURE_BINS];
    double stated[SURE_BINS]; /* mean; NAN if there is no case */
    size_t cases;
    double score; /* mean logarithm of of_winner */
};
struct sure_bins sure_bins(const struct sure *s, const struct sure_view *v);

/* The rows of model_error.h that these cases are, one for each machine, kind
 * and class; their platforms are borrowed. The caller frees. */
struct model_error_row *sure_rows(const struct sure *s, size_t *n);

#endif
