/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The halo of a matrix, compared with its definition, igraph and hand-made
 * cases. */
#include "tests/check.h"
#include "workloads/matrix.h"

#include <igraph.h>
#include <stdbool.h>
#include <stdlib.h>

static struct matrix make(const char *workload)
{
    struct matrix m = {0};
    struct err err = {0};

    if (matrix_from_workload(&m, workload, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return m;
}

static struct halo halo_of(const struct matrix *m, const uint32_t *part,
                           uint32_t ngpus, uint32_t gpus_per_node)
{
    struct halo h = {0};
    struct err err = {0};

    if (matrix_halo(&h, m, part, ngpus, gpus_per_node, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return h;
}

static uint32_t *partition(const struct matrix *m, uint32_t ngpus,
                           const char *how)
{
    uint32_t *part = xcalloc(m->rows, sizeof *part);
    struct err err = {0};

    if (matrix_partition(part, m, ngpus, how, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return part;
}

/*
 * Five rows on four GPUs, two a node:      x . x . .   GPU 0
 *                                          . x . . .   GPU 0
 *                                          . x x . x   GPU 1
 *                                          x x . x .   GPU 2
 *                                          . x . . x   GPU 3
 */
static void test_by_hand(void)
{
    uint64_t row_ptr[] = {0, 2, 3, 6, 9, 11};
    uint32_t col[] = {0, 2, 1, 1, 2, 4, 0, 1, 3, 1, 4};
    const uint32_t part[] = {0, 0, 1, 2, 3};
    const struct halo_class want[] = {
        {0, 0, 2, 0, 1}, /* value 1 to GPU 1 */
        {0, 1, 1, 0, 1}, /* value 0 to GPU 2 */
        {0, 1, 3, 0, 1}, /* value 1 to GPUs 2 and 3 */
        {1, 0, 1, 0, 1}, /* value 2 to GPU 0 */
        {3, 0, 2, 0, 1}, /* value 4 to GPU 1 */
    };
    struct matrix m = {.rows = 5, .row_ptr = row_ptr, .col = col};
    struct halo h = halo_of(&m, part, 4, 2);

    CHECK_EQ(h.nclasses, 5);
    CHECK_EQ(h.rows, 5);
    CHECK_EQ(h.nnz, 11);
    CHECK_EQ(h.value_bytes, 8);
    CHECK_EQ(h.gpu_rows[0], 2);
    CHECK_EQ(h.gpu_nnz[2], 3);
    for (uint32_t i = 0; i < h.nclasses && i < 5; i++) {
        CHECK_EQ(h.classes[i].src, want[i].src);
        CHECK_EQ(h.classes[i].dst_node, want[i].dst_node);
        CHECK_EQ(h.classes[i].dst_mask, want[i].dst_mask);
        CHECK_EQ(h.classes[i].count, want[i].count);
    }
    halo_clear(&h);
}

/* Returns need[gpu * rows + column], directly by the definition. The caller
 * frees it. */
static bool *who_needs(const struct matrix *m, const uint32_t *part,
                       uint32_t ngpus)
{
    bool *need = xcalloc((size_t)ngpus * m->rows, sizeof *need);

    for (uint32_t row = 0; row < m->rows; row++)
        for (uint64_t k = m->row_ptr[row]; k < m->row_ptr[row + 1]; k++)
            if (part[m->col[k]] != part[row])
                need[(size_t)part[row] * m->rows + m->col[k]] = true;
    return need;
}

/* Checks that every class has as many values as a count over all columns finds,
 * and that together they have all that is needed. */
static void check_against_definition(const struct matrix *m,
                                     const uint32_t *part, uint32_t ngpus,
                                     uint32_t gpus_per_node)
{
    struct halo h = halo_of(m, part, ngpus, gpus_per_node);
    bool *need = who_needs(m, part, ngpus);
    uint64_t needed = 0, in_classes = 0;

    for (uint32_t i = 0; i < h.nclasses; i++) {
        const struct halo_class *c = &h.classes[i];
        uint64_t count = 0;

        for (uint32_t col = 0; col < m->rows; col++) {
            gpu_set mask = 0;
            for (uint32_t b = 0; b < gpus_per_node; b++) {
                uint32_t g = c->dst_node * gpus_per_node + b;
                if (g < ngpus && need[(size_t)g * m->rows + col])
                    mask |= gpu_set_of(b);
            }
            count += part[col] == c->src && mask == c->dst_mask;
        }
        CHECK_EQ(c->count, count);
        in_classes += c->count * gpu_set_count(c->dst_mask);
        if (i == 0)
            continue;

        const struct halo_class *p = c - 1;
        CHECK(p->src < c->src ||
              (p->src == c->src &&
               (p->dst_node < c->dst_node ||
                (p->dst_node == c->dst_node && p->dst_mask < c->dst_mask))));
    }
    for (size_t i = 0; i < (size_t)ngpus * m->rows; i++)
        needed += need[i];
    CHECK_EQ(in_classes, needed);
    free(need);
    halo_clear(&h);
}

/* Deals rows out in turn, so that every GPU needs much from every other. The
 * caller frees the partition. */
static uint32_t *dealt_out(const struct matrix *m, uint32_t ngpus)
{
    uint32_t *part = xcalloc(m->rows, sizeof *part);

    for (uint32_t row = 0; row < m->rows; row++)
        part[row] = (row * 7 + row / 5) % ngpus;
    return part;
}

static void test_against_definition(void)
{
    static const char *const workloads[] = {
        "random:rows=60,row_nnz=4,seed=3",
        "random:rows=97,row_nnz=20,seed=4",
        "random:rows=200,row_nnz=1",
        "stencil:9pt:11x9",
        "stencil:7pt:5x4x6",
        "stencil:27pt:4x5x5",
        "stencil:5pt:1x64",
    };
    static const uint32_t gpus[][2] = {{1, 1},  {2, 1},   {4, 4},
                                       {7, 3},  {16, 4},  {33, 32},
                                       {40, 6}, {73, 72}, {131, 128}};

    for (size_t w = 0; w < sizeof workloads / sizeof workloads[0]; w++) {
        struct matrix m = make(workloads[w]);
        for (size_t g = 0; g < sizeof gpus / sizeof gpus[0]; g++) {
            uint32_t n = gpus[g][0];
            if (n > m.rows)
                continue;
            uint32_t *parts[] = {
                partition(&m, n, "contiguous"),
                partition(&m, n, "metis"),
                dealt_out(&m, n),
            };
            for (size_t p = 0; p < 3; p++) {
                check_against_definition(&m, parts[p], n, gpus[g][1]);
                free(parts[p]);
            }
        }
        matrix_clear(&m);
    }
}

/* Counts the edges of a list without duplicates, by igraph. */
static uint64_t count_edges(const igraph_vector_int_t *ends, uint32_t vertices)
{
    igraph_t g;

    igraph_create(&g, ends, (igraph_integer_t)vertices, IGRAPH_UNDIRECTED);
    igraph_simplify(&g, true, true, NULL);
    uint64_t n = (uint64_t)igraph_ecount(&g);
    igraph_destroy(&g);
    return n;
}

/*
 * The same by graphs: two GPUs exchange messages if an edge of the quotient
 * graph joins them (both ways, because the pattern is symmetric); a value is
 * sent to as many GPUs as its vertex has neighbours in the graph of vertices
 * and parts.
 */
static void test_against_igraph(void)
{
    struct matrix m = make("stencil:9pt:60x45");
    const uint32_t ngpus = 24;

    for (int how = 0; how <= 1; how++) {
        uint32_t *part = partition(&m, ngpus, how ? "metis" : "contiguous");
        struct halo h = halo_of(&m, part, ngpus, 4);
        struct halo_stats s;
        igraph_vector_int_t quotient, values;

        igraph_vector_int_init(&quotient, 0);
        igraph_vector_int_init(&values, 0);
        for (uint32_t row = 0; row < m.rows; row++)
            for (uint64_t k = m.row_ptr[row]; k < m.row_ptr[row + 1]; k++) {
                uint32_t col = m.col[k];
                if (part[row] == part[col])
                    continue;
                igraph_vector_int_push_back(&quotient, part[row]);
                igraph_vector_int_push_back(&quotient, part[col]);
                igraph_vector_int_push_back(&values, col);
                igraph_vector_int_push_back(&values, m.rows + part[row]);
            }
        halo_stats(&h, &s);
        CHECK_EQ(s.messages, 2 * count_edges(&quotient, ngpus));
        CHECK_EQ(s.values, count_edges(&values, m.rows + ngpus));
        igraph_vector_int_destroy(&quotient);
        igraph_vector_int_destroy(&values);
        halo_clear(&h);
        free(part);
    }
    matrix_clear(&m);
}

/* Writes a message as the CSV file has it: GPUs, nodes, values, bytes. */
static void write_message(char line[256], const struct halo *h, uint32_t i)
{
    const struct halo_class *c = &h->classes[i];
    unsigned dst = c->dst_node * h->gpus_per_node + gpu_set_first(c->dst_mask);

    snprintf(line, 256, "%u,%u,%u,%u,%llu,%llu\n", c->src, dst,
             c->src / h->gpus_per_node, c->dst_node,
             (unsigned long long)c->count,
             (unsigned long long)c->count * h->value_bytes);
}

/* The halo is the one that the runs on Lassen with this matrix exchanged. */
static void test_diffusion(void)
{
    struct matrix m = make("stencil:9pt:2000x2000");
    uint32_t *part = partition(&m, 16, "contiguous");
    struct halo h = halo_of(&m, part, 16, 4), all;
    FILE *f = fopen("tests/data/"
                    "diffusion_9point_2000x2000_messages_16gpus.csv",
                    "r");
    char line[256], want[256];
    uint32_t i = 0;

    CHECK_EQ(h.nnz, 35976004);
    halo_spell_out(&all, &h);
    CHECK_EQ(all.nclasses, 30);
    CHECK(f != NULL);
    while (f && i < all.nclasses && fgets(line, sizeof line, f)) {
        if (line[0] == '#' || line[0] == 's')
            continue;
        write_message(want, &all, i++);
        CHECK_HAS(line, want);
    }
    CHECK_EQ(i, 30);
    if (f)
        fclose(f);
    halo_clear(&all);
    halo_clear(&h);
    free(part);
    matrix_clear(&m);
}

static void test_bad_input(void)
{
    struct matrix m = make("stencil:5pt:2x2");
    const uint32_t part[] = {0, 1, 2, 3};
    struct halo h;
    struct err err;

    CHECK_EQ(matrix_halo(&h, &m, part, 3, 4, &err), -1);
    CHECK_HAS(err.text, "row 3 is on GPU 3: there are 3 GPUs");
    CHECK_EQ(matrix_halo(&h, &m, part, 4, 129, &err), -1);
    CHECK_HAS(err.text, "129 GPUs per node");
    CHECK_EQ(matrix_halo(&h, &m, part, 4, 0, &err), -1);
    CHECK_HAS(err.text, "0 GPUs per node");
    matrix_clear(&m);
}

int main(void)
{
    test_by_hand();
    test_against_definition();
    test_against_igraph();
    test_diffusion();
    test_bad_input();
    return check_result();
}
