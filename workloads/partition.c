/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partitions the rows of a matrix over GPUs: contiguous, by METIS, in boxes, in
 * RCM order, or by a file. */
#include "workloads/matrix.h"

#include "workloads/parts.h"
#include "workloads/rcm.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"contiguous", "metis", "boxes", "rcm"};
enum { NNAMES = sizeof names / sizeof names[0] };

/* Returns the text after "boxes:", or NULL. */
static const char *grid_of(const char *how)
{
    return strncmp(how, "boxes:", 6) ? NULL : how + 6;
}

int partition_check(const char *how, struct err *err)
{
    uint32_t grid[3];

    if (!how)
        return 0;
    for (int i = 0; i < NNAMES; i++)
        if (!strcmp(how, names[i]))
            return 0;
    if (grid_of(how) && !parts_read_grid(grid, grid_of(how)))
        return fail(err, "%s: expected boxes:NXxNY or boxes:NXxNYxNZ", how);
    if (grid_of(how) || parts_is_file(how))
        return 0;
    const char *near = nearest_word(how, names, NNAMES);
    return fail(err,
                "%s: unknown partition: expected contiguous, metis, rcm, "
                "boxes, boxes:NXxNYxNZ or a file%s%s%s",
                how, near ? " (did you mean " : "", near ? near : "",
                near ? "?)" : "");
}

/* Makes the pattern of A + A' without its diagonal. */
static void both_ways(struct matrix *both, const struct matrix *m)
{
    struct matrix t;
    uint64_t n = 0;

    matrix_transpose(&t, m);
    *both = (struct matrix){.rows = m->rows};
    both->row_ptr = xcalloc((size_t)m->rows + 1, sizeof *both->row_ptr);
    both->col = xcalloc(2 * m->row_ptr[m->rows], sizeof *both->col);
    for (uint32_t row = 0; row < m->rows; row++) {
        for (uint64_t k = m->row_ptr[row]; k < m->row_ptr[row + 1]; k++)
            if (m->col[k] != row)
                both->col[n++] = m->col[k];
        for (uint64_t k = t.row_ptr[row]; k < t.row_ptr[row + 1]; k++)
            if (t.col[k] != row)
                both->col[n++] = t.col[k];
        both->row_ptr[row + 1] = n;
    }
    matrix_clear(&t);
    matrix_unique(both);
}

static int metis_rows(uint32_t *part, const struct matrix *m, uint32_t ngpus,
                      struct err *err)
{
    struct matrix both;

    both_ways(&both, m);
    int rc = parts_metis(part, m->rows, both.row_ptr, both.col, ngpus, 1, err);
    matrix_clear(&both);
    return rc;
}

/* Partitions the rows into contiguous blocks in RCM order. */
static void rcm_rows(uint32_t *part, const struct matrix *m, uint32_t ngpus)
{
    struct matrix both;
    uint32_t *order = xcalloc(m->rows, sizeof *order);
    uint32_t *blocks = xcalloc(m->rows, sizeof *blocks);

    both_ways(&both, m);
    rcm_order(order, &both);
    parts_contiguous(blocks, m->rows, ngpus);
    for (uint32_t i = 0; i < m->rows; i++)
        part[order[i]] = blocks[i];
    matrix_clear(&both);
    free(order);
    free(blocks);
}

/* Partitions into boxes of the given grid, or of the one that the matrix
 * has. */
static int box_rows(uint32_t *part, const struct matrix *m, uint32_t ngpus,
                    const char *how, struct err *err)
{
    uint32_t grid[3] = {m->grid[0], m->grid[1], m->grid[2]};
    uint64_t points;

    if (grid_of(how) && !parts_read_grid(grid, grid_of(how)))
        return partition_check(how, err);
    if (!grid[0])
        return fail(err,
                    "boxes: %s is not known to be of a grid: expected "
                    "boxes:NXxNYxNZ",
                    m->name);
    if (__builtin_mul_overflow((uint64_t)grid[0] * grid[1], grid[2], &points) ||
        points > m->rows || m->rows % points)
        return fail(err,
                    "%s: expected the %u rows of %s to be a whole number for "
                    "each point of the grid",
                    how, m->rows, m->name);
    int result =
        parts_boxes(part, grid, m->rows / (uint32_t)points, ngpus, err);
    return result < 0 ? fail_in(err, "%s", how) : 0;
}

int matrix_partition(uint32_t *part, const struct matrix *m, uint32_t ngpus,
                     const char *how, struct err *err)
{
    if (!ngpus)
        return fail(err, "expected at least one GPU");
    if (ngpus > m->rows)
        return fail(err, "%s: %u GPUs are more than its %u rows", m->name,
                    ngpus, m->rows);
    if (partition_check(how, err) < 0)
        return -1;
    if (how && (grid_of(how) || !strcmp(how, "boxes")))
        return box_rows(part, m, ngpus, how, err);
    if (how && !strcmp(how, "metis") && ngpus > 1) /* METIS refuses 1 */
        return metis_rows(part, m, ngpus, err);
    if (how && !strcmp(how, "rcm")) {
        rcm_rows(part, m, ngpus);
        return 0;
    }
    if (!how || !strcmp(how, "contiguous") || !strcmp(how, "metis")) {
        parts_contiguous(part, m->rows, ngpus);
        return 0;
    }
    return parts_read(part, m->rows, ngpus, how, "rows", err);
}

uint32_t matrix_rcm_bandwidth(const struct matrix *m)
{
    struct matrix both;
    uint32_t *order = xcalloc(m->rows, sizeof *order);

    both_ways(&both, m);
    rcm_order(order, &both);
    uint32_t bandwidth = rcm_bandwidth(order, &both);
    matrix_clear(&both);
    free(order);
    return bandwidth;
}
