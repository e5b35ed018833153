/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runtime_study.h - graph algorithms on hosts under LCI, MPI probes and MPI
 * RMA, as Dang et al. 2018 measured them: what is printed, and what was
 * simulated into a file of cells. */
#ifndef RESULTS_PAPERS_RUNTIME_STUDY_H
#define RESULTS_PAPERS_RUNTIME_STUDY_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum study_runtime { BY_LCI, BY_PROBE, BY_RMA, NSTUDY_RUNTIMES };
extern const char *const study_runtimes[NSTUDY_RUNTIMES]; /* "mpi-probe" */

/* A row of the cells: one run, its volumes those of the larger graph. */
struct runtime_cell {
    char set[16], application[16], graph[16], cut[16];
    char platform[24], change[64]; /* a value that was overridden, or "" */
    enum study_runtime runtime;
    uint32_t hosts, threads, rounds; /* threads 0: one on each core */
    double vertices;                 /* of the larger graph */
    double time_s, compute_s, bytes;
    double messages;  /* of all rounds of the run */
    double windows_s; /* apart from time_s */
    /* Of buffers, on the hosts with least and most; packets, windows. */
    double least_B, most_B, reserved_B;
    uint64_t retries;
};

/* NAN: not printed, or not simulated. */
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

/* NULL: results/lci/cells.csv. PageRank's times are made those of 100 rounds,
 * as the paper ran it. */
int runtime_study_open(struct runtime_study *s, const char *path,
                       struct err *err) MUST_CHECK;
void runtime_study_close(struct runtime_study *s);

/* A row of tables II and IV: an application on a graph and a platform. */
struct runtime_row {
    const char *application, *graph, *platform;
};
extern const struct runtime_row runtime_rows[];
extern const size_t nruntime_rows;

/* Of a row; NAN. */
double runtime_printed_s(const struct runtime_study *s, struct runtime_row row,
                         enum study_runtime r, const char *mpi);
/* By what tells a run, without a change; NULL. */
const struct runtime_cell *
runtime_cell_find(const struct runtime_study *s, const char *set,
                  struct runtime_row row, uint32_t hosts, enum study_runtime r);
/* Of the set "tables"; NULL: not simulated. */
const struct runtime_cell *runtime_cell_of(const struct runtime_study *s,
                                           struct runtime_row row,
                                           enum study_runtime r);
/* Whether constants were fitted to this ratio of runtimes. */
bool runtime_is_fitted(struct runtime_row row, enum study_runtime r);

/* Two times as -1, 0, 1: shorter, within 3 %, longer. */
enum { RUNTIME_TIE_PERCENT = 3 };
int runtime_order(double a_s, double b_s);

/* What was right of what could be, of the rows that have both. */
struct runtime_score {
    unsigned pairs, ordered; /* of two runtimes in a row */
    unsigned ratios, near;   /* over LCI, within 1.3 of print */
    double order_p, ratio_p; /* percent */
};
struct runtime_score runtime_scores(const struct runtime_study *s,
                                    const char *graph, const char *platform,
                                    bool with_fitted);

#endif
