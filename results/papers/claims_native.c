/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims of Chen et al. 2022 that kernels on a GPU have measured: A53, and A54
 * as an experiment. */
#include "results/papers/claim_lab.h"

#include "base/csv.h"
#include "base/datafile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- A53: the queue ------------------------------------------------------- */

/* The paper's three experiments have high contention, but it does not say from
 * how many threads on. Here it is a CTA of 512. */
enum { FEW = 512, MOST_COUNTS = 32 };
enum queue_form { BY_WARPS, BY_CTAS, BY_CAS, NFORMS };

/* The means of the rows of each number of threads, in the file's order, which
 * is ascending. */
struct queue_times {
    unsigned n, threads[MOST_COUNTS];
    double time_s[NFORMS][MOST_COUNTS];
    unsigned rows[NFORMS][MOST_COUNTS];
};

static enum queue_form form_of(const struct csv *t, size_t row)
{
    if (strcmp(csv_text(t, row, "queue"), "atos") != 0)
        return BY_CAS;
    return strcmp(csv_text(t, row, "form"), "warp") ? BY_CTAS : BY_WARPS;
}

static int add_queue_row(struct queue_times *q, const struct csv *t, size_t row,
                         struct err *err)
{
    enum queue_form form = form_of(t, row);
    uint32_t threads;
    double time_s;
    unsigned i = 0;

    if (csv_below(t, row, "threads", UINT32_MAX, &threads, err) < 0 ||
        csv_number(t, row, "time_s", &time_s, err) < 0)
        return -1;
    while (i < q->n && q->threads[i] != threads)
        i++;
    if (i == MOST_COUNTS)
        return fail(err, "%s:%u: threads: more than %d numbers", t->path,
                    t->lines[row], MOST_COUNTS);
    if (i == q->n)
        q->threads[q->n++] = threads;
    unsigned n = ++q->rows[form][i];
    q->time_s[form][i] += (time_s - q->time_s[form][i]) / n;
    return 0;
}

static int read_queue(struct queue_times *q, const struct csv *t,
                      const char *operation, struct err *err)
{
    *q = (struct queue_times){0};
    for (size_t row = 0; row < t->nrows; row++)
        if (!strcmp(csv_text(t, row, "operation"), operation) &&
            add_queue_row(q, t, row, err) < 0)
            return -1;
    return q->n ? 0 : fail(err, "%s: has no %s", t->path, operation);
}

/* Returns the time of CAS relative to Atos' slower form. */
static double queue_gain(const struct queue_times *q, unsigned i)
{
    return q->time_s[BY_CAS][i] /
           fmax(q->time_s[BY_WARPS][i], q->time_s[BY_CTAS][i]);
}

static void judge_queue(struct verdict *v, const struct queue_times *q,
                        const char *operation)
{
    unsigned last = q->n - 1, from = 0;
    double least = INFINITY;

    while (from < last && q->threads[from] < FEW)
        from++;
    for (unsigned i = from; i < q->n; i++)
        least = fmin(least, queue_gain(q, i));
    verdict_part(
        v, least > 1,
        "%s: with %u to %u threads a CAS queue takes at least %.3g "
        "times as long as Atos' with warps and with CTAs (wanted above "
        "1; with %u threads %.2f)",
        operation, q->threads[from], q->threads[last], least, q->threads[0],
        queue_gain(q, 0));
    verdict_part(v, queue_gain(q, last) > 2 * queue_gain(q, from),
                 "%s: with %u threads it takes %.0f times as long (wanted "
                 "twice what it was with %u)",
                 operation, q->threads[last], queue_gain(q, last),
                 q->threads[from]);
}

int claim_queue(struct lab *lab, struct verdict *v, struct err *err)
{
    static const char *const operations[] = {"push", "pop", "push_pop"};
    struct queue_times q;
    struct csv t;
    int result = 0;

    (void)lab;
    if (csv_load_data(&t, "results/h200/gpu/queue.csv", err) < 0)
        return -1;
    verdict_note(v, "measured: ten operations of each thread, on one H200 "
                    "(results/h200/gpu/queue.csv)");
    v->from = EVIDENCE_ANALYSIS;
    for (int i = 0; i < 3 && result == 0; i++) {
        result = read_queue(&q, &t, operations[i], err);
        if (result == 0)
            judge_queue(v, &q, operations[i]);
    }
    verdict_open(v, "the broker queue was not measured");
    csv_clear(&t);
    return result;
}

/* --- A54: without GPU control and without one kernel for all levels ------- */

/* Medians of searches of one mesh on two GPUs with METIS parts; NAN if not
 * measured. */
struct mesh_times {
    char graph[64];
    double persistent_s,
        copied_s;    /* one kernel; the CPU copies the found vertices */
    double levels_s; /* one kernel a level */
};

static bool row_says(const struct csv *t, size_t row, const char *column,
                     const char *wanted)
{
    const char *text = csv_text(t, row, column);

    return text && !strcmp(text, wanted);
}

/* Returns whether the row is a search of a road network without injected skew
 * and latency. */
static bool is_plain_mesh(const struct csv *t, size_t row)
{
    const char *graph = csv_text(t, row, "graph");

    return graph && (strstr(graph, "road") || strstr(graph, "osm")) &&
           row_says(t, row, "row", "median") &&
           row_says(t, row, "algorithm", "bfs") &&
           row_says(t, row, "gpus", "2") &&
           row_says(t, row, "partition", "metis") &&
           row_says(t, row, "skew_us", "0") &&
           row_says(t, row, "latency_us", "0");
}

static double *time_of(struct mesh_times *m, const struct csv *t, size_t row)
{
    bool store = row_says(t, row, "transfer", "store");

    if (row_says(t, row, "execution", "persistent"))
        return store                                  ? &m->persistent_s
               : row_says(t, row, "transfer", "copy") ? &m->copied_s
                                                      : NULL;
    return store && row_says(t, row, "execution", "bsp") ? &m->levels_s : NULL;
}

enum { MOST_MESHES = 16 };

static struct mesh_times *mesh_of(struct mesh_times *all, size_t *n,
                                  const char *graph)
{
    size_t i = 0;

    while (i < *n && strncmp(all[i].graph, graph, sizeof all[i].graph - 1) != 0)
        i++;
    if (i == MOST_MESHES)
        return NULL;
    if (i == *n) {
        all[i] = (struct mesh_times){"", NAN, NAN, NAN};
        strncpy(all[i].graph, graph, sizeof all[i].graph - 1);
        ++*n;
    }
    return &all[i];
}

/* The slowdown from which the advantage over Groute, A04, counts as lost. */
static const double lost = 2.44 / 1.3;

static void judge_cause(struct verdict *v, const struct mesh_times *m,
                        const char *what, double time_s)
{
    if (isnan(m->persistent_s) || isnan(time_s))
        return;
    verdict_part(
        v, time_s > lost * m->persistent_s,
        "measured, %s on 2 GPUs: one persistent kernel that stores "
        "takes %.3f ms, with %s %.3f: %.2f times as long (wanted above "
        "%.2f)",
        m->graph, m->persistent_s * 1e3, what, time_s * 1e3,
        time_s / m->persistent_s, lost);
}

static void judge_mesh(struct verdict *v, const struct mesh_times *m)
{
    judge_cause(v, m, "a kernel for each level", m->levels_s);
    judge_cause(v, m, "copies by the CPU", m->copied_s);
}

int claim_causes_measured(struct verdict *v, struct err *err)
{
    struct mesh_times meshes[MOST_MESHES];
    size_t n = 0;
    const char *file = "results/h200/graph/traverse.csv.xz";
    struct err none = {0};
    char *path = datafile_find(file, &none);
    struct csv t;
    int result = 0;

    if (!path) {
        verdict_note(v, "not measured on GPUs: no %s", file);
        return 0;
    }
    result = csv_load(&t, path, err);
    free(path);
    if (result < 0)
        return -1;
    for (size_t row = 0; row < t.nrows && result == 0; row++) {
        if (!is_plain_mesh(&t, row))
            continue;
        struct mesh_times *m = mesh_of(meshes, &n, csv_text(&t, row, "graph"));
        double *time_s = m ? time_of(m, &t, row) : NULL;
        if (time_s)
            result = csv_number(&t, row, "time_s", time_s, err);
    }
    v->from = EVIDENCE_ANALYSIS;
    for (size_t i = 0; i < n && result == 0; i++)
        judge_mesh(v, &meshes[i]);
    csv_clear(&t);
    return result;
}
