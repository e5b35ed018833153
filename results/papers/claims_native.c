/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims of Chen et al. 2022 that kernels on a GPU have measured: A53. */
#include "results/papers/claim_lab.h"

#include "base/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- A53: the queue ----------------------------------------------------- */

/* The paper's three experiments are of high contention; it does not say from
 * how many threads. From a CTA of 512 on, here. */
enum { FEW = 512, MOST_COUNTS = 32 };
enum queue_form { BY_WARPS, BY_CTAS, BY_CAS, NFORMS };

/* The means of the rows of each number of threads, in the file's order, which
 * rises. */
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

/* How many times as long as Atos' slower form CAS takes. */
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
