/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the text formats of graphs: SNAP, MatrixMarket, DIMACS, METIS. */
#include "workloads/graph/graph_read.h"

#include "workloads/mtx_banner.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int arcs_weigh(struct arcs *a, struct text *t, double weight)
{
    if (!a->weigh)
        return 0;
    if (!(weight >= 0 && weight < UINT32_MAX) || weight != floor(weight))
        return text_fail(t,
                         "weight %.15g: expected a whole number from 0 to "
                         "below 2^32 - 1",
                         weight);
    a->weight[a->n - 1] = (uint32_t)weight;
    a->weighed = true;
    return 0;
}

/* Sets the number of vertices in a header, and its line. */
static int set_vertices(struct arcs *a, struct text *t, uint64_t vertices)
{
    if (!vertices || vertices > GRAPH_MAX_VERTICES)
        return text_fail(t, "%" PRIu64 " vertices: expected 1 to %u", vertices,
                         GRAPH_MAX_VERTICES);
    a->vertices = vertices;
    a->line = t->line;
    return 0;
}

/* Checks the ends of an arc in a file that counts from 1. */
static int check_ends(const struct arcs *a, struct text *t, uint64_t tail,
                      uint64_t head)
{
    if (!tail || !head)
        return text_fail(
            t, "%" PRIu64 " to %" PRIu64 ": files of this kind count from 1",
            tail, head);
    if (tail > a->vertices || head > a->vertices)
        return text_fail(
            t, "%" PRIu64 " to %" PRIu64 ": there are %" PRIu64 " vertices",
            tail, head, a->vertices);
    return 0;
}

/* Fails if a file has fewer lines than its header states. */
static int check_count(struct text *t, uint64_t seen, uint64_t stated,
                       const char *what)
{
    if (seen < stated)
        return text_fail(
            t, "the file ends here, after %" PRIu64 " of %" PRIu64 " %s", seen,
            stated, what);
    return 0;
}

int graph_read_snap(struct arcs *a, struct text *t)
{
    int rc;

    while ((rc = text_data_line(t, "#%")) > 0) {
        uint64_t tail, head;
        if (!text_number(t, &tail) || !text_number(t, &head))
            return text_fail(t, "expected two vertices as whole numbers "
                                "from 0");
        uint64_t largest = tail > head ? tail : head;
        if (largest >= GRAPH_MAX_VERTICES)
            return text_fail(t, "vertex %" PRIu64 ": expected less than %u",
                             largest, GRAPH_MAX_VERTICES);
        if (largest >= a->vertices && set_vertices(a, t, largest + 1) < 0)
            return -1;
        arcs_add(a, tail, head);
    }
    if (rc == 0 && !a->vertices)
        return text_fail(t, "the file ends here without an arc");
    return rc;
}

static int read_banner(struct mtx_kind *kind, struct text *t)
{
    int rc = text_line(t, "");
    size_t len = strcspn(t->at, "\r\n");

    if (rc < 0)
        return -1;
    char *line = xasprintf("%.*s", len < 1024 ? (int)len : 1024, t->at);
    rc = mtx_banner(kind, line, t->err);
    free(line);
    return rc < 0 ? fail_in(t->err, "%s:%" PRIu64, t->path, t->line) : 0;
}

static int read_mtx_size(struct arcs *a, uint64_t *entries, struct text *t)
{
    uint64_t rows, columns;
    int rc = text_data_line(t, "%");

    if (rc < 0)
        return -1;
    if (rc == 0)
        return text_fail(t, "the file ends before its size is stated");
    if (!text_number(t, &rows) || !text_number(t, &columns) ||
        !text_number(t, entries) || !text_line_ends(t))
        return text_fail(t, "expected three whole numbers: rows, columns, "
                            "entries");
    if (rows != columns)
        return text_fail(
            t, "%" PRIu64 " rows and %" PRIu64 " columns: expected as many",
            rows, columns);
    return set_vertices(a, t, rows);
}

static int read_mtx_entry(struct arcs *a, struct text *t,
                          const struct mtx_kind *kind)
{
    uint64_t row, column;
    double weight = 0;

    if (!text_number(t, &row) || !text_number(t, &column))
        return text_fail(t, "expected a row and a column as whole numbers");
    for (unsigned i = 0; i < kind->values; i++)
        if (!(kind->values == 1 ? arcs_weight(a, t, &weight) : text_value(t)))
            return text_fail(t, "expected %u numbers", kind->values + 2);
    if (!text_line_ends(t))
        return text_fail(t, "expected %u numbers and no more",
                         kind->values + 2);
    if (check_ends(a, t, row, column) < 0)
        return -1;
    /* This is most likely a general file that is declared symmetric. */
    if (kind->lower_only && column > row)
        return text_fail(t,
                         "row %" PRIu64 ", column %" PRIu64
                         ": only the lower triangle "
                         "belongs in a file of this symmetry",
                         row, column);
    arcs_add(a, row - 1, column - 1);
    if (kind->values == 1 && arcs_weigh(a, t, weight) < 0)
        return -1;
    if (kind->lower_only)
        arcs_add(a, column - 1, row - 1);
    return kind->lower_only && kind->values == 1 ? arcs_weigh(a, t, weight) : 0;
}

int graph_read_mtx(struct arcs *a, struct text *t)
{
    struct mtx_kind kind;
    uint64_t entries, seen = 0;
    int rc;

    if (read_banner(&kind, t) < 0 || read_mtx_size(a, &entries, t) < 0)
        return -1;
    while ((rc = text_data_line(t, "%")) > 0) {
        if (seen++ == entries)
            return text_fail(t, "another entry after the stated %" PRIu64,
                             entries);
        if (read_mtx_entry(a, t, &kind) < 0)
            return -1;
    }
    return rc < 0 ? -1 : check_count(t, seen, entries, "entries");
}

static int read_dimacs_size(struct arcs *a, uint64_t *arcs, struct text *t)
{
    uint64_t vertices;
    int rc = text_data_line(t, "c");

    if (rc < 0)
        return -1;
    if (rc == 0 || !text_word(t, "p") || !text_word(t, "sp") ||
        !text_number(t, &vertices) || !text_number(t, arcs) ||
        !text_line_ends(t))
        return text_fail(t, "expected 'p sp', the number of vertices and that "
                            "of arcs");
    return set_vertices(a, t, vertices);
}

static int read_dimacs_arc(struct arcs *a, struct text *t)
{
    uint64_t tail, head;
    double weight = 0;

    if (!text_word(t, "a") || !text_number(t, &tail) ||
        !text_number(t, &head) || !arcs_weight(a, t, &weight) ||
        !text_line_ends(t))
        return text_fail(t, "expected 'a', two vertices and a weight");
    if (check_ends(a, t, tail, head) < 0)
        return -1;
    arcs_add(a, tail - 1, head - 1);
    return arcs_weigh(a, t, weight);
}

int graph_read_dimacs(struct arcs *a, struct text *t)
{
    uint64_t arcs, seen = 0;
    int rc;

    if (read_dimacs_size(a, &arcs, t) < 0)
        return -1;
    while ((rc = text_data_line(t, "c")) > 0) {
        if (seen++ == arcs)
            return text_fail(t, "another arc after the stated %" PRIu64, arcs);
        if (read_dimacs_arc(a, t) < 0)
            return -1;
    }
    return rc < 0 ? -1 : check_count(t, seen, arcs, "arcs");
}

struct metis_size {
    uint64_t edges;
    uint64_t skip;     /* numbers before the neighbours of a vertex */
    bool edge_weights; /* there is one after each neighbour */
};

static int read_metis_size(struct arcs *a, struct metis_size *size,
                           struct text *t)
{
    uint64_t vertices, format = 0, constraints = 0;
    int rc = text_data_line(t, "%");

    if (rc < 0)
        return -1;
    if (rc == 0 || !text_number(t, &vertices) || !text_number(t, &size->edges))
        return text_fail(t, "expected the numbers of vertices and of edges");
    if (!text_line_ends(t) && !text_number(t, &format))
        return text_fail(t, "expected the format as a whole number");
    if (format > 111 || format % 10 > 1 || format / 10 % 10 > 1)
        return text_fail(t, "format %" PRIu64 ": expected three digits 0 or 1",
                         format);

    bool weights = format / 10 % 10 == 1;
    if (weights)
        constraints = 1;
    if (!text_line_ends(t) && !text_number(t, &constraints))
        return text_fail(t, "expected the number of weights of a vertex");
    if (weights != (constraints > 0) || !text_line_ends(t))
        return text_fail(t, "expected vertices, edges, format and, where that "
                            "has them, the number of weights of a vertex");
    size->skip = (format >= 100) + constraints;
    size->edge_weights = format % 10 == 1;
    return set_vertices(a, t, vertices);
}

static int read_metis_vertex(struct arcs *a, struct text *t, uint64_t vertex,
                             const struct metis_size *size)
{
    for (uint64_t i = 0; i < size->skip; i++)
        if (!text_value(t))
            return text_fail(t,
                             "expected %" PRIu64
                             " numbers before the neighbours "
                             "of a vertex",
                             size->skip);
    while (!text_line_ends(t)) {
        uint64_t neighbour;
        double weight = 0;
        if (!text_number(t, &neighbour))
            return text_fail(t, "expected a neighbour as a whole number");
        if (size->edge_weights && !arcs_weight(a, t, &weight))
            return text_fail(t, "expected a weight after each neighbour");
        if (check_ends(a, t, vertex, neighbour) < 0)
            return -1;
        arcs_add(a, vertex - 1, neighbour - 1);
        if (size->edge_weights && arcs_weigh(a, t, weight) < 0)
            return -1;
    }
    return 0;
}

int graph_read_metis(struct arcs *a, struct text *t)
{
    struct metis_size size;
    int rc;

    if (read_metis_size(a, &size, t) < 0)
        return -1;
    for (uint64_t v = 1; v <= a->vertices; v++) {
        /* A blank line is a vertex without neighbours. */
        if ((rc = text_line(t, "%")) < 0)
            return -1;
        if (rc == 0)
            return check_count(t, v - 1, a->vertices, "vertices");
        if (read_metis_vertex(a, t, v, &size) < 0)
            return -1;
    }
    if ((rc = text_data_line(t, "%")) < 0)
        return -1;
    if (rc > 0)
        return text_fail(t, "another line after those of %" PRIu64 " vertices",
                         a->vertices);
    if (a->n % 2 || a->n / 2 != size.edges)
        return text_fail(t,
                         "the file ends here with %" PRIu64
                         " neighbours: expected "
                         "two for each of %" PRIu64 " edges",
                         a->n, size.edges);
    return 0;
}
