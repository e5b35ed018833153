/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deals a matrix' rows out to GPUs: contiguous or by METIS. */
#include "workloads/matrix.h"

#include "workloads/parts.h"

#include <string.h>

const char *const partition_names[NPARTITIONS] = {
    [PARTITION_CONTIGUOUS] = "contiguous",
    [PARTITION_METIS] = "metis",
};

int partition_from_name(enum partition *how, const char *name, struct err *err)
{
    for (int i = 0; i < NPARTITIONS; i++)
        if (!strcmp(name, partition_names[i])) {
            *how = (enum partition)i;
            return 0;
        }
    const char *near = nearest_word(name, partition_names, NPARTITIONS);
    return fail(
        err, "%s: unknown partition: expected contiguous or metis%s%s%s", name,
        near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}

/* The pattern of A + A' without its diagonal. */
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

int matrix_partition(uint32_t *part, const struct matrix *m, uint32_t ngpus,
                     enum partition how, struct err *err)
{
    struct matrix both;

    if (!ngpus)
        return fail(err, "expected at least one GPU");
    if (ngpus > m->rows)
        return fail(err, "%s: %u GPUs are more than its %u rows", m->name,
                    ngpus, m->rows);
    /* METIS does not take one part. */
    if (how == PARTITION_CONTIGUOUS || ngpus == 1) {
        parts_contiguous(part, m->rows, ngpus);
        return 0;
    }
    both_ways(&both, m);
    int rc = parts_metis(part, m->rows, both.row_ptr, both.col, ngpus, 1, err);
    matrix_clear(&both);
    return rc;
}
