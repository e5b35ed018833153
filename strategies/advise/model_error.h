/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_error.h - how far simulated times are off where all numbers of a
 * machine are right, by what is asked: from measured decisions. */
#ifndef STRATEGIES_ADVISE_MODEL_ERROR_H
#define STRATEGIES_ADVISE_MODEL_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of decisions, each of which the simulator is right about more or less
 * often than about others. */
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
extern const char *const decided_words[NDECIDED]; /* "collectives", ... */

/* The decision that is asked about. */
struct decided_case {
    enum decided kind;
    const char *machine; /* struct machine's `machine` */
    unsigned nodes;
    uint64_t bytes; /* 0: it has no one size */
};

/*
 * Decisions of one kind, of one class (decided_class()), that were measured on
 * one machine. Errors are standard deviations of the logarithm of measured over
 * simulated time, about the mean of a decision's ways: `path` is
 * that of the two paths, which are 1 if GPU memory is handed to MPI and 0 if it
 * is not; `own` is that of a way about its path. Either is -1 if no decision
 * had two paths, or two ways of one.
 */
struct model_error_row {
    enum decided kind;
    const char *machine;
    unsigned least_nodes, most_nodes;
    uint64_t least_B, most_B; /* both 0: they have no one size */
    unsigned cases;
    double path, own;
    unsigned right; /* of the cases: the way advised was the fastest */
    /* Of the cases those whose advice is stated with 80 % or more by these
     * errors, and of those the right ones. */
    unsigned stated, stated_right;
};
/* model_errors.def, which results/advise/fit writes. */
extern const struct model_error_row model_errors[];
extern const size_t nmodel_errors;

/* On one node or several; and up to 1 KiB, up to 64 KiB, or above. */
enum { DECIDED_SIZES = 4, DECIDED_CLASSES = 2 * DECIDED_SIZES };
unsigned decided_class(unsigned nodes, uint64_t bytes);

/* Where an error is from; the surest source is first. */
enum model_error_from {
    MODEL_ERROR_OWN,    /* measured on this machine, in this range */
    MODEL_ERROR_BEYOND, /* measured there, but on fewer or more nodes, or of
                           smaller or larger messages */
    MODEL_ERROR_OTHERS, /* on other machines alone */
    MODEL_ERROR_NEVER   /* no decision of this kind was measured anywhere */
};

enum { MODEL_ERROR_FEW = 5 };
/* What is stated at most, and the advices that this is from. */
struct model_bound {
    /* No advice is stated with more: of such advices stated with 80 % or more
     * (where fewer than MODEL_ERROR_FEW are, those of the kind in all classes;
     * where these are so few, too, of all whatever is stated) the part that was
     * right, (right + 1) / (n + 2) (Laplace's rule of succession). */
    double most;
    unsigned cases, right, stated, stated_right;
    bool counted_here; /* they are the machine's own */
};

struct model_error {
    double path, own;
    struct model_bound bound;
    enum model_error_from from;
    char extrapolates[80]; /* of BEYOND: "nodes 32 > 4 measured"; else "" */
    char where[140];       /* if it is not OWN, what was never measured */
    char words[300];       /* that and `most`, in one line; else "" */
};

/* By a table of n rows; held_back: as if the machine had none. */
struct model_error model_error_by(const struct model_error_row *rows, size_t n,
                                  const struct decided_case *c, bool held_back);
/* By model_errors. */
struct model_error model_error_of(const struct decided_case *c);
/* Of a choice both by `memory` and by the way within it. */
struct model_error model_error_join(const struct model_error *memory,
                                    const struct model_error *way);

#endif
