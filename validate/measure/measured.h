/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measured.h - reads a file of measurements, recognised by its columns: the
 * experiment of each row, and the median of the rows that repeat one. */
#ifndef VALIDATE_MEASURE_MEASURED_H
#define VALIDATE_MEASURE_MEASURED_H

#include "base/err.h"
#include "platforms/machine.h"
#include "validate/logs/log.h"
#include "validate/measure/experiment.h"

#include <stddef.h>

/* A point: the rows that are equal in group, label, apart and mpi. A reader
 * sets x, group and label and, if the point is one of several candidates for
 * the same task, decision and choice. */
struct measured_point {
    struct experiment x;
    char group[96];     /* "ping_pong/cpu/off_node" */
    char label[96];     /* "65536 B, other rack": the point within its group */
    char apart[120];    /* words that are not simulated: "config=MPS_off" */
    char mpi[40];       /* as the file names it, or "" */
    bool other_mpi;     /* it differs from the MPI of the platform's messages */
    char name[264];     /* name of the group as printed: with mpi and apart */
    char decision[160]; /* the task of the candidates: "8 nodes, 4096 B" */
    char choice[64];    /* "copy_to_cpu"; "" if it is no decision */
    char logged[32];    /* the algorithm that a log names, "RING/LL", or "" */
    bool aware;         /* this choice hands GPU memory to MPI */
    unsigned line;      /* line of the first row */
    size_t nrows;
    double measured_s; /* median of the rows */
    double noise; /* median |row / measured_s - 1|; NAN if there is one row */
    double simulated_s; /* set by measured_simulate(); 0 if left out */
    char why[160];      /* why it cannot be simulated, or "" */
    /* Set by measured_simulate(): see baseline.h; NAN if there is none. */
    double baseline_s;
};

/* The reason why rows were left out, or a value that was inferred for them. */
struct measured_note {
    char text[128];
    size_t rows;
    bool left_out;
};

struct placed_jobs; /* placed.h */

struct measured {
    char *path;
    char origin[64];               /* "BenchPress ac2ede1", or "" */
    char kind[32];                 /* "ping_pong", "maxrate", ... */
    struct measured_point *points; /* in order of first appearance */
    double *
        /* The rows of each point, sorted; NULL if only the medians are
         * known. */
        *rows_s;
    size_t npoints;
    /* The machine of the measurements according to the file, or "". */
    char machine[32];
    struct measured_note *notes;
    size_t nnotes;
    struct placed_jobs *jobs; /* experiments borrow from them */
};

/*
 * Reads the file as measured on `m` (its ranks per node decide which cores the
 * ranks of a ping-pong sat on). Errors name file and line. Rows that cannot be
 * simulated on `m` are left out and counted in the notes; there may be none
 * left.
 */
int measured_load(struct measured *f, const char *path, const struct machine *m,
                  struct err *err) MUST_CHECK;
/* What a user says about a file of measurements; each member may be NULL. */
struct measured_words {
    const char *only; /* read only rows whose column machine is this */
    const char
        *rank_nodes; /* file of the nodes that ranks were on (placed.h) */
    const struct log_facts *facts; /* that a log does not state */
};
int measured_load_of(struct measured *f, const char *path,
                     const struct machine *m, const struct measured_words *w,
                     struct err *err) MUST_CHECK;
/* Lists the machines that the file names, each once; the caller frees them.
 * *kind is the kind of the file, "ping_pong", or NULL if it is not known. */
int measured_machines(char ***names, size_t *n, const char **kind,
                      const char *path, struct err *err) MUST_CHECK;
/* Returns whether files of a kind name sessions, whose nodes are in
 * rank_nodes. */
bool measured_has_sessions(const char *kind);
void measured_clear(struct measured *f);
/* Merges the points that are the same experiment on this machine (equal group
 * and label), though their other words differ. Fits take these, because more
 * rows help them more than differences that the machine cannot express. */
void measured_pool(struct measured *f);

/* Returns the place in the name of a log's group at which the class of its
 * sizes begins ("/above_64_MiB/..."); NULL if it has none. */
const char *log_size_class_at(const char *name);

/* Returns whether a file's MPI is that of a platform, perhaps with a version
 * behind, or is not named. */
bool mpi_is(const char *platform, const char *measured);

/* Simulates the points, but leaves out those whose plan has more than max_ops
 * operations (0 for no limit), and those that cannot be simulated, for which
 * `why` is set. `progress` (may be NULL) is called with done, all. Fails if the
 * work itself fails (ERR_WORK). */
int measured_simulate_some(struct measured *f, const struct machine *m,
                           size_t max_ops, const struct exec_options *o,
                           void (*progress)(size_t, size_t),
                           struct err *err) MUST_CHECK;
/* Simulates the points. A point that cannot be simulated is an error, which
 * names its file and line. */
int measured_simulate(struct measured *f, const struct machine *m,
                      size_t max_ops, const struct exec_options *o,
                      void (*progress)(size_t, size_t),
                      struct err *err) MUST_CHECK;

/* The errors simulated / measured - 1 of the points whose group is `name` or
 * below it ("ping_pong" has "ping_pong/cpu/off_node" below). */
struct error_summary {
    char name[264];
    size_t points;
    double median, p90; /* quantiles of its absolute value */
    double worst;       /* with its sign, the largest in absolute value */
    double bias;        /* median with its sign */
    /* Median |row / median of its repeats - 1|, and of |baseline / measured -
     * 1|; NAN if there are none. */
    double noise, baseline;
};
/* Sets points, median, p90, worst and bias of one error or more, which it
 * sorts. */
void error_summary_of(struct error_summary *s, double *errors, size_t n);
/* Returns a summary for every group and every group above it, sorted by name,
 * which the caller frees. */
struct error_summary *measured_summary(const struct measured *files,
                                       size_t nfiles, size_t *n);

#endif
