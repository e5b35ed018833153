/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_error.h - the errors of simulated times that remain if all numbers of a
 * machine are right, for each kind of decision, from measured decisions. */
#ifndef STUDY_ADVISE_MODEL_ERROR_H
#define STUDY_ADVISE_MODEL_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of decisions. The simulator's advice is right more or less often,
 * depending on the kind. */
enum decided {
    DECIDED_ALLTOALL,   /* algorithms of an all-to-all in host memory */
    DECIDED_COLLECTIVE, /* algorithms of any other collective */
    DECIDED_HALO,       /* strategies of an exchange */
    DECIDED_MEMORY,     /* from GPU memory, or staged through the host */
    DECIDED_GRAPH,      /* executions of a graph algorithm */
    DECIDED_RUNTIME,
    NDECIDED
};
extern const char *const decided_names[NDECIDED]; /* "collective", ... */
extern const char *const decided_words[NDECIDED]; /* "runtimes", ... */

/* A decision to advise on. */
struct decided_case {
    enum decided kind;
    const char *machine; /* the field `machine` of struct machine */
    unsigned nodes;
    uint64_t bytes; /* 0 if it has no single size */
};

/*
 * Decisions of one kind, of one class (decided_class()), that were measured on
 * one machine. Errors are standard deviations of the logarithm of measured over
 * simulated time, about the mean of a decision's candidates: `path` is that of
 * the two paths, which are 1 if GPU memory is passed to MPI and 0 if it is not;
 * `own` is that of a candidate about its path. Either is -1 if no decision had
 * two paths, or two candidates of one.
 */
struct model_error_row {
    enum decided kind;
    const char *machine;
    unsigned least_nodes, most_nodes;
    uint64_t least_B, most_B; /* both are 0 if they have no single size */
    unsigned cases;
    double path, own;
    /* Cases in which the advised candidate was the fastest. */
    unsigned right;
    /* Cases whose advice is stated with 80 % or more by these errors, and the
     * right ones of them. */
    unsigned stated, stated_right;
};
/* The rows of model_errors.def, which results/advise/fit writes. */
extern const struct model_error_row model_errors[];
extern const size_t nmodel_errors;

/* Returns the class of a decision: on one node or several; without a size, up
 * to 1 KiB, up to 64 KiB, or above. */
enum { DECIDED_SIZES = 4, DECIDED_CLASSES = 2 * DECIDED_SIZES };
unsigned decided_class(unsigned nodes, uint64_t bytes);

/* The origin of an error, the most reliable one first. */
enum model_error_from {
    MODEL_ERROR_OWN, /* measured on this machine, in this range */
    /* Measured on it, but on fewer or more nodes, or with smaller or larger
     * messages. */
    MODEL_ERROR_BEYOND,
    MODEL_ERROR_OTHERS, /* measured on other machines only */
    MODEL_ERROR_NEVER   /* no decision of this kind was measured anywhere */
};

enum { MODEL_ERROR_FEW = 5 };
/* The upper bound of stated probabilities, and the advices that it follows
 * from. */
struct model_bound {
    /* The fraction of right advices, (right + 1) / (n + 2) (Laplace's rule of
     * succession), of n advices stated with 80 % or more. If these are fewer
     * than MODEL_ERROR_FEW, those of the kind in all classes count; if these
     * are too few as well, all advices count, whatever was stated. */
    double most;
    unsigned cases, right, stated, stated_right;
    bool counted_here; /* the advices are the machine's own */
};

struct model_error {
    double path, own;
    struct model_bound bound;
    enum model_error_from from;
    char extrapolates[80]; /* if BEYOND: "nodes 32 > 4 measured"; else "" */
    char where[140];       /* if not OWN: the case that was never measured */
    char words[300];       /* that and `most`, in one line; else "" */
};

/* Returns the error by a table of n rows. If held_back, the rows of the machine
 * itself do not count. */
struct model_error model_error_by(const struct model_error_row *rows, size_t n,
                                  const struct decided_case *c, bool held_back);
/* Returns the error by model_errors. */
struct model_error model_error_of(const struct decided_case *c);
/* Returns the error of a decision both between memories and between
 * candidates. */
struct model_error model_error_join(const struct model_error *memory,
                                    const struct model_error *way);

#endif
