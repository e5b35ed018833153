/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partitions a graph's vertices over GPUs: contiguous, random, by METIS, or by
 * coordinates. */
#include "workloads/graph/graph.h"

#include "base/random.h"
#include "workloads/parts.h"

#include <stdlib.h>
#include <string.h>

const char *const graph_partition_names[NGRAPH_PARTITIONS] = {
    [GRAPH_CONTIGUOUS] = "contiguous",
    [GRAPH_RANDOM] = "random",
    [GRAPH_METIS] = "metis",
    [GRAPH_GEOMETRIC] = "geometric",
};

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t kept = *a;

    *a = *b;
    *b = kept;
}

static void random_parts(uint32_t *part, const struct graph *g, uint32_t ngpus,
                         uint64_t seed)
{
    parts_contiguous(part, g->n, ngpus);
    for (uint64_t v = g->n; v > 1; v--)
        swap(&part[v - 1], &part[random_below(&seed, v)]);
}

static int metis_parts(uint32_t *part, const struct graph *g, uint32_t ngpus,
                       uint64_t seed, struct err *err)
{
    struct graph back, both;

    if (graph_is_symmetric(g))
        return parts_metis(part, g->n, g->first, g->to, ngpus, seed, err);
    /* Transposing twice makes a copy. */
    graph_transpose(&back, g);
    graph_transpose(&both, &back);
    graph_clear(&back);
    graph_undirect(&both);
    int rc = parts_metis(part, g->n, both.first, both.to, ngpus, seed, err);
    graph_clear(&both);
    return rc;
}

/* Returns whether u comes before v, by coordinate and then by number. */
static bool lies_before(const float *along, uint32_t u, uint32_t v)
{
    if (along[u] != along[v])
        return along[u] < along[v];
    return u < v;
}

/* Moves the k vertices that come first to the front, in any order (Hoare's
 * FIND). */
static void graph_part_split(uint32_t *v, size_t n, size_t k,
                             const float *along)
{
    ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, middle = (ptrdiff_t)k;

    while (low < high) {
        uint32_t pivot = v[middle];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (lies_before(along, v[i], pivot))
                i++;
            while (lies_before(along, pivot, v[j]))
                j--;
            if (i <= j)
                swap(&v[i++], &v[j--]);
        }
        if (j < middle)
            low = i;
        if (middle < i)
            high = j;
    }
}

static float width_of(const uint32_t *v, size_t n, const float *along)
{
    float low = along[v[0]], high = low;

    for (size_t i = 1; i < n; i++) {
        low = along[v[i]] < low ? along[v[i]] : low;
        high = along[v[i]] > high ? along[v[i]] : high;
    }
    return high - low;
}

/* Bisects the longer side recursively, in proportion to the GPUs. */
static void bisect(uint32_t *part, const struct graph *g, uint32_t *v, size_t n,
                   uint32_t gpu, uint32_t ngpus)
{
    uint32_t left = (ngpus + 1) / 2;
    /* The first n mod ngpus GPUs get one vertex more, as in `contiguous`. */
    size_t more = n % ngpus < left ? n % ngpus : left;
    size_t mine = n / ngpus * left + more;

    if (ngpus == 1) {
        for (size_t i = 0; i < n; i++)
            part[v[i]] = gpu;
        return;
    }
    bool wide = width_of(v, n, g->x) >= width_of(v, n, g->y);
    graph_part_split(v, n, mine, wide ? g->x : g->y);
    bisect(part, g, v, mine, gpu, left);
    bisect(part, g, v + mine, n - mine, gpu + left, ngpus - left);
}

static int geometric_parts(uint32_t *part, const struct graph *g,
                           uint32_t ngpus, struct err *err)
{
    if (!g->x || !g->y)
        return fail(err,
                    "%s: no coordinates: expected a generated road, or another "
                    "partition than geometric",
                    g->name);

    uint32_t *v = xcalloc(g->n, sizeof *v);
    for (uint32_t i = 0; i < g->n; i++)
        v[i] = i;
    bisect(part, g, v, g->n, 0, ngpus);
    free(v);
    return 0;
}

int graph_partition_from_name(enum graph_partition *how, const char *name,
                              struct err *err)
{
    for (int i = 0; i < NGRAPH_PARTITIONS; i++)
        if (!strcmp(name, graph_partition_names[i])) {
            *how = (enum graph_partition)i;
            return 0;
        }
    const char *near =
        nearest_word(name, graph_partition_names, NGRAPH_PARTITIONS);
    return fail(err,
                "--partition: %s: unknown partition: expected contiguous, "
                "random, metis, geometric or a file%s%s%s",
                name, near ? " (did you mean " : "", near ? near : "",
                near ? "?)" : "");
}

int graph_partition(uint32_t *part, const struct graph *g, uint32_t ngpus,
                    enum graph_partition how, uint64_t seed, struct err *err)
{
    if (!ngpus)
        return fail(err, "expected at least one GPU");
    if (ngpus > g->n)
        return fail(err, "%s: %u GPUs are more than its %u vertices", g->name,
                    ngpus, g->n);
    if (how == GRAPH_GEOMETRIC)
        return geometric_parts(part, g, ngpus, err);
    if (how == GRAPH_RANDOM)
        random_parts(part, g, ngpus, seed);
    else if (how == GRAPH_CONTIGUOUS || ngpus == 1) /* METIS refuses 1 */
        parts_contiguous(part, g->n, ngpus);
    else
        return metis_parts(part, g, ngpus, seed, err);
    return 0;
}

static bool is_known(const char *how)
{
    for (int i = 0; i < NGRAPH_PARTITIONS; i++)
        if (!strcmp(how, graph_partition_names[i]))
            return true;
    return false;
}

int graph_partition_check(const char *how, struct err *err)
{
    enum graph_partition ignored;

    if (!how || (!is_known(how) && parts_is_file(how)))
        return 0;
    return graph_partition_from_name(&ignored, how, err);
}

int graph_partition_by(uint32_t *part, const struct graph *g, uint32_t ngpus,
                       const char *how, uint64_t seed, struct err *err)
{
    enum graph_partition name = GRAPH_CONTIGUOUS;
    bool file = how && !is_known(how);

    if (graph_partition_check(how, err) < 0 ||
        (how && !file && graph_partition_from_name(&name, how, err) < 0))
        return -1;
    /* This checks the number of GPUs for a file, too. */
    if (graph_partition(part, g, ngpus, name, seed, err) < 0)
        return -1;
    return file ? parts_read(part, g->n, ngpus, how, "vertices", err) : 0;
}
