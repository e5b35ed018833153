/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measured_rows.h - the rows of a file of measurements, as experiments; for
 * measured.c. */
#ifndef VALIDATE_MEASURE_MEASURED_ROWS_H
#define VALIDATE_MEASURE_MEASURED_ROWS_H

#include "base/csv.h"
#include "validate/measure/measured.h"
#include "validate/measure/placed.h"

/* Facts about a row that only the whole file tells, collected before its rows
 * are read: the ranks of a node in each run, and those of a domain. */
struct survey {
    struct survey_fact {
        const char *of, *run, *config; /* borrowed from the file */
        unsigned value;
    } * facts;
    size_t nfacts;
    struct survey_kernel {
        const char *machine, *grid, *memory, *campaign; /* borrowed */
        double step_s; /* minimum of its repeats */
    } * kernels;       /* steps of a stencil code on one GPU */
    size_t nkernels;
    /* Some rows spread their pairs over the GPUs, and say so: the others do
     * not. */
    bool even_gpus;
};
void survey_make(struct survey *s, const struct csv *t);
void survey_clear(struct survey *s);
/* Returns the ranks of a node, which follow from the first rank of another node
 * that rank 0 pairs with; 0 if there is none. */
unsigned survey_ranks_per_node(const struct survey *s, const struct csv *t,
                               size_t row);
/* Returns the ranks of a domain (numa, socket, node) of multi_pair_ping_pong,
 * whose halves are pairs if all take part; 0 if it is not known. */
unsigned survey_domain(const struct survey *s, const struct csv *t, size_t row,
                       const char *domain);

/* Returns the time of a step of the row's code on one GPU, which is that of its
 * kernel; 0 if the file has none. */
double survey_kernel(const struct survey *s, const struct csv *t, size_t row);

/* A row, and a note on it. */
struct row {
    const struct csv *t;
    size_t row;
    const struct machine *m;
    const struct survey *survey;
    struct placed_jobs *jobs;
    char note[128]; /* why it is left out, or an inferred value; or "" */
};

/* Reads one row. Returns 0 if it is an experiment, 1 if it is left out (the
 * note says why), -1 on an error. */
typedef int row_reader(struct measured_point *out, struct row *r,
                       struct err *err);

/* A kind of file, by columns that only it has. */
struct measured_kind {
    const char *name;
    const char *columns[3];
    const char *time; /* column of the times */
    row_reader *read;
    /* The columns that define the experiment, with a blank between them. Rows
     * that differ in another one are separate points. */
    const char *simulated;
    /* It is about GPUs alone, so a machine without one has no rows. */
    bool gpus;
    bool sessions; /* its reader asks r->jobs for the nodes of a session */
};

/* Sets the words of the row that are not simulated (p->apart), its MPI, and the
 * name of its group. */
void measured_name(struct measured_point *p, const struct csv *t, size_t row,
                   const struct measured_kind *kind, const struct machine *m);

/* --- cells ---------------------------------------------------------------- */

/* Returns 1, and writes the reason into r->note. */
int leave_out(struct row *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns whether the cell is empty, or the column is missing. */
bool cell_empty(const struct csv *t, size_t row, const char *column);
/* Returns whether the column is there, and the cell is empty. */
bool cell_blank(const struct csv *t, size_t row, const char *column);
bool cell_is(const struct csv *t, size_t row, const char *column,
             const char *value);
/* Reads a whole number up to 10^6. */
int cell_small(const struct csv *t, size_t row, const char *column,
               unsigned *out, struct err *err) MUST_CHECK;
/* Reads one of the words, whose list NULL ends. */
int cell_word(const struct csv *t, size_t row, const char *column,
              const char *const *words, const char **out,
              struct err *err) MUST_CHECK;
/* Reads one of `count` names; *out is its index. */
int cell_name(const struct csv *t, size_t row, const char *column,
              const char *const *names, unsigned count, unsigned *out,
              struct err *err) MUST_CHECK;
/* Reads the column device, "gpu" or "cpu". */
int cell_device(const struct csv *t, size_t row, bool *gpu,
                struct err *err) MUST_CHECK;
/* Returns the comment "run: run_id=R ..." of the row's run, or NULL. */
const char *cell_run(const struct csv *t, size_t row);
/* Returns whether the line "measured: ..." of the head contains this text; the
 * name of a file tells nothing. */
bool head_says(const struct csv *t, const char *text);
/* Returns ", other rack", or "". */
const char *rack(const struct experiment *x);
/* Returns the number of racks: 3 if the comment of the row's run contains
 * "nodes_per_rack=7+4+4", 1 if it says nothing. */
unsigned racks_of_run(const struct csv *t, size_t row);
/* Reads the column direction_performed. */
int row_direction(const struct csv *t, size_t row, enum copy_dir *dir,
                  struct err *err) MUST_CHECK;
/* Returns the number of the strategy that the column names. */
int strategy_named(const char *const *names, const struct csv *t, size_t row,
                   unsigned *out, struct err *err) MUST_CHECK;

/* The functions below return 1, as a reader does, if the machine has no such
 * thing. */
/* Reads the number of nodes that took part. */
int row_nodes(struct row *r, unsigned *out, struct err *err) MUST_CHECK;
int row_gpu(struct row *r, const char *column, unsigned *out,
            struct err *err) MUST_CHECK;
/* Returns 1 if config names a partition mode of AMD's GPUs that does not fit
 * the machine's number of GPUs, otherwise 0. */
int row_partition(struct row *r);
int row_socket(struct row *r, const char *column, unsigned *out,
               struct err *err) MUST_CHECK;
/* Finds the ranks of a node: by the column ranks_per_node, otherwise by the
 * comment of the run, otherwise by its pairs, otherwise it is `otherwise`. */
int row_ranks_per_node(struct row *r, unsigned otherwise, unsigned *out,
                       struct err *err) MUST_CHECK;
/* Returns whether MPS was on, by the column mps, otherwise by MPS_on or MPS_off
 * in config or in the comment of the run, otherwise by the head or the
 * platform. */
bool row_mps(const struct row *r);

#endif
