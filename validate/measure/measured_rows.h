/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measured_rows.h - the rows of a file of measurements, as experiments; for
 * measured.c. */
#ifndef VALIDATE_MEASURE_MEASURED_ROWS_H
#define VALIDATE_MEASURE_MEASURED_ROWS_H

#include "base/csv.h"
#include "validate/measure/measured.h"

/* Reads one row; 0: an experiment, 1: to be skipped (why is set), -1: error. */
typedef int row_reader(struct measured_point *out, const char **why,
                       const struct csv *t, size_t row, const struct machine *m,
                       struct err *err);

/* A kind of file, by columns that only it has. */
struct measured_kind {
    const char *name;
    const char *columns[3];
    const char *time; /* the column of the times */
    row_reader *read;
};

/* The kind of the file, or NULL. */
const struct measured_kind *measured_kind(const struct csv *t);

/* --- cells ---------------------------------------------------------------- */

bool cell_is(const struct csv *t, size_t row, const char *column,
             const char *value);
/* Up to 10^6. */
int cell_small(const struct csv *t, size_t row, const char *column,
               unsigned *out, struct err *err) MUST_CHECK;
/* One of the words (NULL ends them). */
int cell_word(const struct csv *t, size_t row, const char *column,
              const char *const *words, const char **out,
              struct err *err) MUST_CHECK;
/* How many nodes took part: as many as the machine has, at most. */
int cell_nodes(const struct csv *t, size_t row, const struct machine *m,
               unsigned *out, struct err *err) MUST_CHECK;
/* The column device, "gpu" or "cpu". */
int cell_device(const struct csv *t, size_t row, bool *gpu,
                struct err *err) MUST_CHECK;
int cell_gpu(const struct csv *t, size_t row, const char *column,
             const struct machine *m, unsigned *out,
             struct err *err) MUST_CHECK;
/* How many ranks a node had: the column ranks_per_node, or what the comment of
 * the run says, or else `otherwise`. */
int cell_ranks_per_node(const struct csv *t, size_t row, unsigned otherwise,
                        const struct machine *m, unsigned *out,
                        struct err *err) MUST_CHECK;
/* The comment "run: run_id=R ..." of the row's run, or NULL. */
const char *cell_run(const struct csv *t, size_t row);

#endif
