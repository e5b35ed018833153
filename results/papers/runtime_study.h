/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runtime_study.h - graph algorithms on hosts under LCI, MPI probes and MPI
 * RMA, as Dang et al. 2018 measured them: the printed times, and those
 * simulated into a file of cells. */
#ifndef RESULTS_PAPERS_RUNTIME_STUDY_H
#define RESULTS_PAPERS_RUNTIME_STUDY_H

#include "base/err.h"
#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum study_runtime { BY_LCI, BY_PROBE, BY_RMA, NSTUDY_RUNTIMES };
extern const char *const study_runtimes[NSTUDY_RUNTIMES]; /* "mpi-probe" */

/* A row of the cells: one run, with the volumes of the larger graph. */
struct runtime_cell {
    char set[16], application[16], graph[16], cut[16];
    /* change: a value that was overridden, or "". */
    char platform[24], change[64];
    enum study_runtime runtime;
    uint32_t hosts, threads, rounds; /* threads: 0 for one on each core */
    double vertices;                 /* number in the larger graph */
    /* In all rounds. */
    double time_s, compute_s, bytes, messages;
    double windows_s; /* not part of time_s */
    /* Sizes of buffers, on the hosts with least and most; of packets or
     * windows. */
    double least_B, most_B, reserved_B;
};

/* A printed time; NAN if it is not printed, or not simulated. */
struct printed_time {
    char application[16], graph[16], platform[24];
    char mpi[16]; /* "", "default", "mvapich2", "openmpi" */
    enum study_runtime runtime;
    double time_s, windows_s;
};

struct runtime_study {
    struct runtime_cell *cells;
    size_t ncells;
    struct printed_time *printed;
    size_t nprinted;
};

/* Reads the cells of a file; if path is NULL, of results/lci/cells.csv.
 * PageRank's times, bytes and messages are converted to 100 rounds, because the
 * paper ran as many. */
int runtime_study_open(struct runtime_study *s, const char *path,
                       struct err *err) MUST_CHECK;
void runtime_study_close(struct runtime_study *s);
/* Returns the study's cells and printed times for
 * results/claims/expressions.py; the caller frees the document. */
struct json *runtime_study_json(const struct runtime_study *s);

/* A row of tables II and IV: an application on a graph and a platform. */
struct runtime_row {
    const char *application, *graph, *platform;
};
extern const struct runtime_row runtime_rows[];
extern const size_t nruntime_rows;

/* Returns the printed time of a row, or NAN. */
double runtime_printed_s(const struct runtime_study *s, struct runtime_row row,
                         enum study_runtime r, const char *mpi);
/* Returns the cell of a run without a change, or NULL. */
const struct runtime_cell *
runtime_cell_find(const struct runtime_study *s, const char *set,
                  struct runtime_row row, uint32_t hosts, enum study_runtime r);
/* Returns the cell of the set "tables"; NULL if it is not simulated. */
const struct runtime_cell *runtime_cell_of(const struct runtime_study *s,
                                           struct runtime_row row,
                                           enum study_runtime r);
/* Returns whether constants were fitted to this ratio of runtimes. */
bool runtime_is_fitted(struct runtime_row row, enum study_runtime r);

/* Compares two times: -1 if the first is shorter, 0 if they are within 3 %, 1
 * if it is longer. */
enum { RUNTIME_TIE_PERCENT = 3 };
int runtime_order(double a_s, double b_s);

/* Counts of right predictions, over the rows that have both times. */
struct runtime_score {
    unsigned pairs, ordered; /* pairs of runtimes in a row */
    unsigned ratios, near;   /* ratios to LCI; near: within 1.3 of print */
    double order_p, ratio_p; /* in percent */
};
struct runtime_score runtime_scores(const struct runtime_study *s,
                                    const char *graph, const char *platform,
                                    bool with_fitted);

#endif
