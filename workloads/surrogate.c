/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes surrogate meshes for published matrices: with as many nodes, rows and
 * neighbours, and numbered with as much or as little order. */
#include "workloads/surrogate.h"

#include "base/random.h"
#include "workloads/workload.h"

#include <stdlib.h>
#include <string.h>

/*
 * Sources. Rows, entries (with explicit zeros) and bandwidths: index of the
 * SuiteSparse Matrix Collection. Spans: features of these matrices in
 * cslab-ntua/SpMV-Research. Rows of a node: from the lengths of rows there
 * (those of ldoor are multiples of 7). Cells: from the number of neighbours.
 */
const struct surrogate surrogates[] = {
    {.name = "audikw_1",
     .rows = 943695,
     .nnz = 77651847,
     .dof = 3,
     .bandwidth = 925946,
     .rcm_bandwidth = 35102,
     .span = 588063,
     .cells = CELLS_BRICKS,
     .grid = {68, 68, 69},
     .groups = 3},
    {.name = "Serena",
     .rows = 1391349,
     .nnz = 64531701,
     .dof = 3,
     .bandwidth = 81578,
     .rcm_bandwidth = 84947,
     .span = 103284,
     .cells = CELLS_TETRAHEDRA,
     .grid = {131, 131, 28}},
    {.name = "bone010",
     .rows = 986703,
     .nnz = 71666325,
     .dof = 3,
     .bandwidth = 13016,
     .rcm_bandwidth = 14294,
     .span = 17931,
     .cells = CELLS_BRICKS,
     .grid = {54, 55, 111}},
    {.name = "Geo_1438",
     .rows = 1437960,
     .nnz = 63156690,
     .dof = 3,
     .bandwidth = 26018,
     .rcm_bandwidth = 21266,
     .span = 37939,
     .cells = CELLS_TETRAHEDRA,
     .grid = {79, 80, 76}},
    {.name = "ldoor",
     .rows = 952203,
     .nnz = 46522475,
     .dof = 7,
     .bandwidth = 686979,
     .rcm_bandwidth = 9134,
     .span = 194446,
     .cells = CELLS_TRIANGLES,
     .grid = {368, 370, 1},
     .patch = 6},
    {.name = "thermal2",
     .rows = 1228045,
     .nnz = 8580313,
     .dof = 1,
     .bandwidth = 1226000,
     .rcm_bandwidth = 882,
     .span = 163067,
     .cells = CELLS_TRIANGLES,
     .grid = {830, 1480, 1},
     .patch = 10},
};
enum { NSURROGATES = sizeof surrogates / sizeof surrogates[0] };
const size_t nsurrogates = NSURROGATES;

/* --- numbers of nodes ----------------------------------------------------- */

static uint32_t node_count(const struct surrogate *s)
{
    return s->rows / s->dof;
}

/* Numbers every groups-th point first, then the points after those, ... */
static void number_groups(uint32_t *number, uint32_t n, unsigned groups)
{
    uint32_t next = 0;

    for (unsigned g = 0; g < groups; g++)
        for (uint32_t i = g; i < n; i += groups)
            number[i] = next++;
}

static uint32_t patch_of(const struct surrogate *s, uint32_t point,
                         const uint32_t patches[2])
{
    uint32_t x = point % s->grid[0] / s->patch;
    uint32_t y = point / s->grid[0] % s->grid[1] / s->patch;
    uint32_t z = point / s->grid[0] / s->grid[1] / s->patch;

    return (z * patches[1] + y) * patches[0] + x;
}

/* Numbers the points patch by patch in random order, and line by line within
 * one. */
static void number_patches(uint32_t *number, const struct surrogate *s,
                           uint32_t n)
{
    const uint32_t patches[2] = {(s->grid[0] - 1) / s->patch + 1,
                                 (s->grid[1] - 1) / s->patch + 1};
    uint32_t count = patch_of(s, n - 1, patches) + patches[0] * patches[1];
    uint32_t *order = xcalloc(count, sizeof *order);
    uint32_t *next = xcalloc((size_t)count + 1, sizeof *next), sum = 0;
    uint64_t seed = surrogate_workload.seed;

    for (uint32_t i = 0; i < n; i++)
        next[patch_of(s, i, patches)]++;
    for (uint32_t p = 0; p < count; p++)
        order[p] = p;
    for (uint32_t p = count; p > 1; p--) {
        uint32_t other = (uint32_t)random_below(&seed, p), kept = order[other];
        order[other] = order[p - 1];
        order[p - 1] = kept;
    }
    for (uint32_t p = 0; p < count; p++) {
        uint32_t here = next[order[p]];
        next[order[p]] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < n; i++)
        number[i] = next[patch_of(s, i, patches)]++;
    free(order);
    free(next);
}

/* Returns the number of the node at each point of the grid; the caller frees
 * it. */
static uint32_t *number_nodes(const struct surrogate *s)
{
    uint32_t n = node_count(s), *number = xcalloc(n, sizeof *number);

    if (s->patch)
        number_patches(number, s, n);
    else
        number_groups(number, n, s->groups ? s->groups : 1);
    return number;
}

/* --- the matrix ----------------------------------------------------------- */

/* Returns whether two points share a cell. Squares and cubes are divided along
 * the diagonals on which all steps have one sign. */
static bool share_a_cell(enum cells cells, int x, int y, int z)
{
    bool forth = x >= 0 && y >= 0 && z >= 0, back = x <= 0 && y <= 0 && z <= 0;

    return cells == CELLS_BRICKS || forth || back;
}

static void fill_node(struct matrix *m, const struct surrogate *s,
                      const uint32_t *number, uint32_t point, uint64_t *k)
{
    int64_t nx = s->grid[0], ny = s->grid[1], nz = s->grid[2];
    int64_t x = point % nx, y = point / nx % ny, z = point / nx / ny;
    int deep = nz > 1;

    for (int dz = -deep; dz <= deep; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int64_t to = ((z + dz) * ny + y + dy) * nx + x + dx;
                if (x + dx < 0 || x + dx >= nx || y + dy < 0 || y + dy >= ny ||
                    z + dz < 0 || to >= m->rows ||
                    !share_a_cell(s->cells, dx, dy, dz))
                    continue;
                m->col[(*k)++] = number[to];
            }
}

static void fill_mesh(struct matrix *m, const struct surrogate *s)
{
    uint32_t *number = number_nodes(s);
    uint32_t *point = xcalloc(m->rows, sizeof *point);
    uint64_t k = 0;

    for (uint32_t i = 0; i < m->rows; i++)
        point[number[i]] = i;
    for (uint32_t row = 0; row < m->rows; row++) {
        m->row_ptr[row] = k;
        fill_node(m, s, number, point[row], &k);
    }
    m->row_ptr[m->rows] = k;
    free(number);
    free(point);
}

int surrogate_matrix(struct matrix *m, const char *name, struct err *err)
{
    static const unsigned most[] = {7, 15, 27};
    const char *names[NSURROGATES];

    for (size_t i = 0; i < NSURROGATES; i++) {
        const struct surrogate *s = &surrogates[i];
        names[i] = s->name;
        if (strcmp(s->name, name) != 0)
            continue;
        *m = (struct matrix){.rows = node_count(s), .value_bytes = 8 * s->dof};
        m->row_ptr = xcalloc((size_t)m->rows + 1, sizeof *m->row_ptr);
        m->col = xcalloc((size_t)m->rows * most[s->cells], sizeof *m->col);
        fill_mesh(m, s);
        return 0;
    }
    const char *near = nearest_word(name, names, NSURROGATES);
    return fail(err,
                "surrogate:%s: expected audikw_1, Serena, bone010, Geo_1438, "
                "ldoor or thermal2%s%s%s",
                name, near ? " (did you mean " : "", near ? near : "",
                near ? "?)" : "");
}

const struct workload surrogate_workload = {
    .prefix = "surrogate:",
    .words = "surrogate:NAME",
    .summary =
        "a mesh like that of a published matrix: audikw_1, thermal2, ...",
    .help = "In place of audikw_1, Serena, bone010, Geo_1438, ldoor and "
            "thermal2: as many nodes, rows of\na node and neighbours, and as "
            "far from the diagonal. A row stands for a node; its value has\n8 "
            "bytes for each row of the node (results/matrices).",
    .options = MATRIX_OPTIONS,
    .platform = "lassen",
    .matrix = surrogate_matrix,
    .draws = true,
    .seed = 1,
};
