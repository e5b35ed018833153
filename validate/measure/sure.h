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
 * that are drawn within the parameters' spreads. What was measured on a
 * placement of its own, whose machine is another, is left out. */
int sure_add(struct sure *s, const struct measured *f, const struct machine *m,
             const struct parameters *p, size_t max_ops,
             const struct exec_options *exec, struct err *err) MUST_CHECK;

/* The same of halo exchanges on real ranks, all on this machine. */
int sure_add_native(struct sure *s, struct native_results *r,
                    const struct machine *m, const struct parameters *p,
                    const struct exec_options *exec,
                    struct err *err) MUST_CHECK;

/* The same of graph searches that are simulated on this machine; on the drawn
 * ones they take as long, because a search takes too long to be simulated on
 * each. */
void sure_add_traverse(struct sure *s, const struct traverse_cases *t,
                       const struct machine *m);

/* What is stated of a case, and what was so. */
struct sure_answer {
    double probability; /* that the advised way is the fastest, or one of
                           those that tie with it */
    double lead;        /* simulated, as of struct advice */
    double regret;      /* measured: the advised over the fastest, less 1 */
    double of_winner;   /* what was stated of the one measured fastest */
    size_t advised, winner;
    size_t tied; /* ways that take as long as the advised one, and it: above 1
                    the simulator does not say which, which is no advice */
    bool right;  /* the winner is the advised way */
};
struct sure_answer sure_answer(const struct sure *s, const struct sure_case *c,
                               const struct model_error *e);

/* Which cases are looked at, and by which errors. */
struct sure_view {
    const char *platform; /* NULL: all */
    enum decided kind;    /* NDECIDED: all */
    double given;         /* of each way, 0.1; NAN: by the table */
    bool held_back;       /* as if the machine had no rows of its own */
};
struct model_error sure_error(const struct sure_case *c,
                              const struct sure_view *v);

/* Cases by what is stated, in fifths. */
enum { SURE_BINS = 5 };
struct sure_bins {
    size_t n[SURE_BINS], right[SURE_BINS];
    double stated[SURE_BINS]; /* mean; NAN: no case */
    size_t cases;
    double score; /* mean log of what was stated of the fastest */
};
struct sure_bins sure_bins(const struct sure *s, const struct sure_view *v);

/* The rows of model_error.h that these cases are, one for each machine, kind
 * and class; their platforms are borrowed. The caller frees. */
struct model_error_row *sure_rows(const struct sure *s, size_t *n);

#endif
