/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workloads/matrix.h"

#include <metis.h>
#include <stdlib.h>
#include <string.h>

int partition_from_name(enum partition *how, const char *name, struct err *err)
{
    if (!strcmp(name, "contiguous"))
        *how = PARTITION_CONTIGUOUS;
    else if (!strcmp(name, "metis"))
        *how = PARTITION_METIS;
    else
        return fail(err, "%s: unknown partition: expected contiguous or metis",
                    name);
    return 0;
}

static void contiguous(uint32_t *part, uint32_t rows, uint32_t ngpus)
{
    uint32_t row = 0;

    for (uint32_t g = 0; g < ngpus; g++)
        for (uint32_t n = rows / ngpus + (g < rows % ngpus); n > 0; n--)
            part[row++] = g;
}

/* The pattern of A + A' without its diagonal, as METIS wants a graph. */
struct graph {
    idx_t n;
    idx_t *start, *neighbour;
};

static int graph_of(struct graph *g, const struct matrix *m, struct err *err)
{
    uint64_t room = 2 * m->row_ptr[m->rows];
    struct matrix both = {.rows = m->rows}, t;

    if (m->rows >= IDX_MAX || room > IDX_MAX)
        return fail(err,
                    "%u rows, %llu nonzeros: METIS as built here numbers up "
                    "to %lld edge ends; use the contiguous partition",
                    m->rows, (unsigned long long)(room / 2),
                    (long long)IDX_MAX);

    matrix_transpose(&t, m);
    both.row_ptr = xcalloc((size_t)m->rows + 1, sizeof *both.row_ptr);
    both.col = xcalloc(room, sizeof *both.col);
    uint64_t n = 0;
    for (uint32_t row = 0; row < m->rows; row++) {
        for (uint64_t k = m->row_ptr[row]; k < m->row_ptr[row + 1]; k++)
            if (m->col[k] != row)
                both.col[n++] = m->col[k];
        for (uint64_t k = t.row_ptr[row]; k < t.row_ptr[row + 1]; k++)
            if (t.col[k] != row)
                both.col[n++] = t.col[k];
        both.row_ptr[row + 1] = n;
    }
    matrix_clear(&t);
    matrix_unique(&both);

    n = both.row_ptr[m->rows];
    g->n = (idx_t)m->rows;
    g->start = xcalloc((size_t)m->rows + 1, sizeof *g->start);
    g->neighbour = xcalloc(n, sizeof *g->neighbour);
    for (uint32_t row = 0; row <= m->rows; row++)
        g->start[row] = (idx_t)both.row_ptr[row];
    for (uint64_t k = 0; k < n; k++)
        g->neighbour[k] = (idx_t)both.col[k];
    matrix_clear(&both);
    return 0;
}

static int metis(uint32_t *part, const struct matrix *m, uint32_t ngpus,
                 struct err *err)
{
    struct graph g;
    idx_t options[METIS_NOPTIONS];
    idx_t constraints = 1, nparts = (idx_t)ngpus, cut;

    if (graph_of(&g, m, err) < 0)
        return -1;

    idx_t *found = xcalloc(m->rows, sizeof *found);
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_NUMBERING] = 0;
    int rc = METIS_PartGraphKway(&g.n, &constraints, g.start, g.neighbour, NULL,
                                 NULL, NULL, &nparts, NULL, NULL, options, &cut,
                                 found);
    for (uint32_t row = 0; row < m->rows; row++)
        part[row] = (uint32_t)found[row];
    free(found);
    free(g.start);
    free(g.neighbour);
    if (rc != METIS_OK)
        return fail_work(err, "METIS could not partition the matrix (%d%s)", rc,
                         rc == METIS_ERROR_MEMORY ? ": out of memory" : "");
    return 0;
}

int matrix_partition(uint32_t *part, const struct matrix *m, uint32_t ngpus,
                     enum partition how, struct err *err)
{
    if (!ngpus)
        return fail(err, "expected at least one GPU");
    if (ngpus > m->rows)
        return fail(err, "%s: %u GPUs are more than its %u rows", m->name,
                    ngpus, m->rows);
    /* METIS does not take one part. */
    if (how == PARTITION_CONTIGUOUS || ngpus == 1) {
        contiguous(part, m->rows, ngpus);
        return 0;
    }
    return metis(part, m, ngpus, err);
}
