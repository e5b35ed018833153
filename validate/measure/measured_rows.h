/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measured_rows.h - the rows of a file of measurements, as experiments; for
 * measured.c. */
#ifndef VALIDATE_MEASURE_MEASURED_ROWS_H
#define VALIDATE_MEASURE_MEASURED_ROWS_H

#include "base/csv.h"
#include "validate/measure/measured.h"
#include "validate/measure/placed.h"

/* What only the whole file tells of a row, collected before its rows are read:
 * how many ranks a node had in which run, how many a domain. */
struct survey {
    struct survey_fact {
        const char *of, *run, *config; /* borrowed from the file */
        unsigned value;
    } * facts;
    size_t nfacts;
    struct survey_kernel {
        const char *machine, *grid, *memory, *campaign; /* borrowed */
        double step_s; /* the shortest of its repeats */
    } * kernels;       /* one GPU's steps of a stencil code */
    size_t nkernels;
    bool even_gpus; /* some rows spread their pairs over the GPUs, and say so:
                       the others do not */
};
void survey_make(struct survey *s, const struct csv *t);
void survey_clear(struct survey *s);
/* The ranks of a node: where rank 0 pairs with the first of another node. 0: it
 * is not told. */
unsigned survey_ranks_per_node(const struct survey *s, const struct csv *t,
                               size_t row);
/* The ranks of a domain (numa, socket, node) of multi_pair_ping_pong, whose
 * halves are pairs when all take part; 0: it is not told. */
unsigned survey_domain(const struct survey *s, const struct csv *t, size_t row,
                       const char *domain);

/* A step of the row's code on one GPU, which is its kernel; 0: the file has
 * none. */
double survey_kernel(const struct survey *s, const struct csv *t, size_t row);

/* A row, and what there is to say of it. */
struct row {
    const struct csv *t;
    size_t row;
    const struct machine *m;
    const struct survey *survey;
    struct placed_jobs *jobs;
    char note[128]; /* why it is left out, or what was inferred; or "" */
};

/* Reads one row; 0: an experiment, 1: left out (the note says why), -1: error.
 */
typedef int row_reader(struct measured_point *out, struct row *r,
                       struct err *err);
row_reader read_pairs, read_multi_pair, read_all_to_all, read_mult_pong,
    read_spmv, read_collective, read_call, read_all_reduce, read_gpu_collective,
    read_native_call, read_matching, read_halo_step, read_gpu_messages;

/* The algorithm that a library takes for the call. 1: there is no plan of it.
 */
struct collective_library;
int call_by_library(struct row *r, struct experiment *x,
                    const struct collective_library *library,
                    enum collective_kind kind);

/* A kind of file, by columns that only it has. */
struct measured_kind {
    const char *name;
    const char *columns[3];
    const char *time; /* the column of the times */
    row_reader *read;
    /* The columns that the reader makes the experiment of, a blank between
     * them. Rows that differ in another one are points of their own. */
    const char *simulated;
    bool gpus; /* It is of GPUs alone, so a machine without one has no rows. */
};

/* The kind of the file, or NULL. */
const struct measured_kind *measured_kind(const struct csv *t);
/* Says what of the row is not simulated (p->apart), which MPI it is of, and the
 * name of its group. */
void measured_name(struct measured_point *p, const struct csv *t, size_t row,
                   const struct measured_kind *kind, const struct machine *m);

/* --- cells ---------------------------------------------------------------- */

/* 1, with the reason in r->note. */
int leave_out(struct row *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* No such column counts as empty. */
bool cell_empty(const struct csv *t, size_t row, const char *column);
/* There is such a column. */
bool cell_blank(const struct csv *t, size_t row, const char *column);
bool cell_is(const struct csv *t, size_t row, const char *column,
             const char *value);
/* Up to 10^6. */
int cell_small(const struct csv *t, size_t row, const char *column,
               unsigned *out, struct err *err) MUST_CHECK;
/* One of the words (NULL ends them). */
int cell_word(const struct csv *t, size_t row, const char *column,
              const char *const *words, const char **out,
              struct err *err) MUST_CHECK;
/* The column device, "gpu" or "cpu". */
int cell_device(const struct csv *t, size_t row, bool *gpu,
                struct err *err) MUST_CHECK;
/* The comment "run: run_id=R ..." of the row's run, or NULL. */
const char *cell_run(const struct csv *t, size_t row);
/* The line "measured: ..." of the head has this text in it. A file's name tells
 * nothing of what is in it. */
bool head_says(const struct csv *t, const char *text);
/* ", other rack", or "". */
const char *rack(const struct experiment *x);
/* "nodes_per_rack=7+4+4" in the comment of the row's run: 3 racks. 1 where
 * nothing is said. */
unsigned racks_of_run(const struct csv *t, size_t row);
/* The number of the strategy that the column names. */
int strategy_named(const char *const *names, const struct csv *t, size_t row,
                   unsigned *out, struct err *err) MUST_CHECK;

/* As a reader: 1 where the machine has no such thing. */
/* How many nodes took part. */
int row_nodes(struct row *r, unsigned *out, struct err *err) MUST_CHECK;
int row_gpu(struct row *r, const char *column, unsigned *out,
            struct err *err) MUST_CHECK;
/* Partition modes of AMD's GPUs that config names: 1 where the machine's number
 * of GPUs is not that of such parts. */
int row_partition(struct row *r);
int row_socket(struct row *r, const char *column, unsigned *out,
               struct err *err) MUST_CHECK;
/* How many ranks a node had: the column ranks_per_node, or what the comment of
 * the run says, or what the pairs of the run tell, or else `otherwise`. */
int row_ranks_per_node(struct row *r, unsigned otherwise, unsigned *out,
                       struct err *err) MUST_CHECK;
/* Whether MPS was on: the column mps, what config or the comment of the run
 * says (MPS_on, MPS_off), the head, or else the platform. */
bool row_mps(const struct row *r);

#endif
