/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Meshes in place of published matrices, compared with the published numbers;
 * and reverse Cuthill-McKee by hand and compared with brute force. */
#include "base/random.h"
#include "tests/check.h"
#include "workloads/rcm.h"
#include "workloads/surrogate.h"

#include <math.h>
#include <stdlib.h>

static struct matrix make(const char *words)
{
    struct matrix m = {0};
    struct err err = {0};

    if (matrix_from_workload(&m, words, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return m;
}

/* --- meshes --------------------------------------------------------------- */

/* Checks the nodes and their values exactly, entries and spans within a
 * tenth. */
static void check_surrogate(const struct surrogate *s)
{
    char *words = xasprintf("surrogate:%s", s->name);
    struct matrix m = make(words);
    struct matrix_stats got;

    matrix_stats(&m, &got);
    CHECK_EQ((uint64_t)m.rows * s->dof, s->rows);
    CHECK_EQ(m.value_bytes, 8 * s->dof);
    CHECK(got.symmetric);
    CHECK_NEAR((double)got.nnz * s->dof * s->dof / (double)s->nnz, 1, 0.1);
    CHECK_NEAR(got.mean_span * s->dof / s->span, 1, 0.1);
    matrix_clear(&m);
    free(words);
}

static void meshes(void)
{
    struct matrix m;
    struct halo h;
    struct err err = {0};

    CHECK_EQ(nsurrogates, 6);
    for (size_t i = 0; i < nsurrogates; i++)
        check_surrogate(&surrogates[i]);
    CHECK_EQ(matrix_from_workload(&m, "surrogate:audikw", &err), -1);
    CHECK_HAS(err.text, "surrogate:audikw: expected audikw_1, Serena");
    CHECK_HAS(err.text, "(did you mean audikw_1?)");

    m = make("surrogate:ldoor");
    CHECK_EQ(matrix_halo_by(&h, &m, "rcm", 8, 4, &err), 0);
    CHECK_EQ(h.value_bytes, 56);
    halo_clear(&h);
    matrix_clear(&m);
}

/* --- reverse Cuthill-McKee ------------------------------------------------ */

static struct matrix from_edges(uint32_t rows, const uint32_t (*edges)[2],
                                size_t n)
{
    struct matrix m = {.name = xstrdup("edges"), .rows = rows};

    m.row_ptr = xcalloc(rows + 1, sizeof *m.row_ptr);
    m.col = xcalloc(2 * n, sizeof *m.col);
    for (uint32_t row = 0; row < rows; row++) {
        m.row_ptr[row + 1] = m.row_ptr[row];
        for (size_t i = 0; i < n; i++)
            for (int end = 0; end < 2; end++)
                if (edges[i][end] == row)
                    m.col[m.row_ptr[row + 1]++] = edges[i][1 - end];
    }
    return m;
}

/* A path 3 - 0 - 4 - 1 - 2 and 5 alone: the order is from one end to the other;
 * 5 is first, because all is reversed. */
static void by_hand(void)
{
    static const uint32_t edges[][2] = {{3, 0}, {0, 4}, {4, 1}, {1, 2}};
    static const uint32_t want[] = {5, 3, 0, 4, 1, 2};
    static const uint32_t other[] = {5, 2, 1, 4, 0, 3};
    struct matrix m = from_edges(6, edges, 4);
    uint32_t order[6];

    rcm_order(order, &m);
    CHECK(!memcmp(order, want, sizeof want) ||
          !memcmp(order, other, sizeof other));
    CHECK_EQ(rcm_bandwidth(order, &m), 1);
    matrix_clear(&m);
}

/* Every row is there once; a grid has a bandwidth of about its shorter side,
 * which no order beats by much. */
static void grids(void)
{
    static const char *const words[] = {"stencil:5pt:40x7", "stencil:5pt:9x90",
                                        "random:rows=300,row_nnz=1,seed=3"};
    static const uint32_t sides[] = {7, 9, 299};

    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        struct matrix m = make(words[w]);
        uint32_t parts = 6, count[6] = {0};
        uint32_t *part = xcalloc(m.rows, sizeof *part);
        struct err err = {0};
        CHECK(matrix_rcm_bandwidth(&m) <= sides[w] + 2);
        CHECK_EQ(matrix_partition(part, &m, parts, "rcm", &err), 0);
        for (uint32_t row = 0; row < m.rows; row++)
            count[part[row] % parts]++;
        for (uint32_t p = 0; p < parts; p++)
            CHECK_EQ(count[p], m.rows / parts + (p < m.rows % parts));
        free(part);
        matrix_clear(&m);
    }
}

int main(void)
{
    by_hand();
    grids();
    meshes();
    return check_result();
}
