/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the results of sluice-native run: cases, times, medians of runs. */
#include "validate/measure/native_results.h"

#include "base/csv.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const native_memory_names[2] = {"host", "gpu"};

static const char *const columns[] = {
    "run_id", "machine",     "config", "workload", "partition",
    "gpus",   "nodes",       "memory", "strategy", "ranks_per_node",
    "sample", "value_bytes", "time_s"};
enum { NCOLUMNS = sizeof columns / sizeof columns[0], MOST = 1000000000 };

/* One row. */
struct sample {
    double s;
    const char *run; /* a cell */
    uint64_t number;
    size_t order; /* number among the rows of all files */
    const char *file;
    unsigned line;
};

struct samples {
    struct sample *list;
    size_t n, room;
};

/* The samples of each time of each case, while the files are read. */
struct reader {
    struct native_results *r;
    struct samples *samples; /* nstrategies per case */
    struct csv *tables;      /* the samples point into them */
    size_t ntables, nrows;
    const char *path; /* path of the last table, as the caller gave it */
};

/* --- cells ---------------------------------------------------------------- */

static int check_columns(const struct csv *t, struct err *err)
{
    for (size_t i = 0; i < NCOLUMNS; i++)
        if (csv_column(t, columns[i]) < 0)
            return fail(err, "%s: no column named %s", t->path, columns[i]);
    return 0;
}

static int read_text(const char **out, const struct csv *t, size_t row,
                     const char *name, struct err *err)
{
    *out = csv_text(t, row, name);
    if (!**out)
        return fail(err, "%s:%u: %s: nothing there", t->path, t->lines[row],
                    name);
    return 0;
}

static int read_positive(unsigned *out, const struct csv *t, size_t row,
                         const char *name, uint32_t most, struct err *err)
{
    uint32_t v;

    if (csv_below(t, row, name, most + 1, &v, err) < 0)
        return -1;
    if (!v)
        return fail(err, "%s:%u: %s: expected a number above 0, got 0", t->path,
                    t->lines[row], name);
    *out = v;
    return 0;
}

static int read_shape(struct native_case *c, const struct csv *t, size_t row,
                      struct err *err)
{
    if (read_positive(&c->gpus, t, row, "gpus", MOST, err) < 0 ||
        read_positive(&c->nodes, t, row, "nodes", MOST, err) < 0 ||
        read_positive(&c->ranks_per_node, t, row, "ranks_per_node", MOST, err) <
            0)
        return -1;
    return read_positive(&c->value_bytes, t, row, "value_bytes",
                         HALO_MAX_VALUE_BYTES, err);
}

static int read_memory(bool *gpu, const struct csv *t, size_t row,
                       struct err *err)
{
    const char *text = csv_text(t, row, "memory");

    for (int i = 0; i < 2; i++)
        if (!strcmp(text, native_memory_names[i])) {
            *gpu = i;
            return 0;
        }
    return fail(err, "%s:%u: memory: expected host or gpu, got '%s'", t->path,
                t->lines[row], text);
}

/* Reads a case, which borrows its texts from the table. */
static int read_case(struct native_case *c, const struct csv *t, size_t row,
                     struct err *err)
{
    const char *machine, *workload;

    if (read_text(&machine, t, row, "machine", err) < 0 ||
        read_text(&workload, t, row, "workload", err) < 0 ||
        read_shape(c, t, row, err) < 0 ||
        read_memory(&c->gpu_memory, t, row, err) < 0)
        return -1;
    c->partition = (char *)csv_text(t, row, "partition");
    /* The partition is empty for traffic between GPUs, which is not
     * partitioned. */
    if (*c->partition && partition_check(c->partition, err) < 0)
        return fail_in(err, "%s:%u: partition", t->path, t->lines[row]);
    c->machine = (char *)machine;
    c->workload = (char *)workload;
    c->config = (char *)csv_text(t, row, "config");
    const char *mpi = csv_text(t, row, "mpi");
    c->mpi = (char *)(mpi ? mpi : "");
    return 0;
}

static int read_time(struct native_time *time, struct sample *s,
                     const struct csv *t, size_t row, struct err *err)
{
    time->strategy = strategy_find(csv_text(t, row, "strategy"), err);
    if (!time->strategy)
        return fail_in(err, "%s:%u: strategy", t->path, t->lines[row]);
    if (read_text(&s->run, t, row, "run_id", err) < 0 ||
        csv_count(t, row, "sample", &s->number, err) < 0 ||
        csv_number(t, row, "time_s", &s->s, err) < 0)
        return -1;
    if (s->s <= 0)
        return fail(err, "%s:%u: time_s: expected a time above 0, got %g",
                    t->path, t->lines[row], s->s);
    return 0;
}

/* --- grouping ------------------------------------------------------------- */

bool native_same_place(const struct native_case *a, const struct native_case *b)
{
    return a->gpus == b->gpus && a->nodes == b->nodes &&
           a->ranks_per_node == b->ranks_per_node &&
           !strcmp(a->partition, b->partition) &&
           a->gpu_memory == b->gpu_memory && !strcmp(a->machine, b->machine) &&
           !strcmp(a->mpi, b->mpi) && !strcmp(a->config, b->config) &&
           !strcmp(a->workload, b->workload);
}

static bool same_case(const struct native_case *a, const struct native_case *b)
{
    return native_same_place(a, b) && a->value_bytes == b->value_bytes;
}

/* Returns the index of a case, known or new. The last is tried first, because
 * rows of one case are consecutive. */
static size_t case_index(struct reader *in, const struct native_case *c)
{
    struct native_results *r = in->r;

    for (size_t i = r->n; i-- > 0;)
        if (same_case(&r->cases[i], c))
            return i;
    r->cases = xrealloc(r->cases, r->n + 1, sizeof *r->cases);
    in->samples =
        xrealloc(in->samples, (r->n + 1) * nstrategies, sizeof *in->samples);
    memset(&in->samples[r->n * nstrategies], 0,
           nstrategies * sizeof *in->samples);
    r->cases[r->n] = *c;
    r->cases[r->n].machine = xstrdup(c->machine);
    r->cases[r->n].config = xstrdup(c->config);
    r->cases[r->n].workload = xstrdup(c->workload);
    r->cases[r->n].mpi = xstrdup(c->mpi);
    r->cases[r->n].partition = xstrdup(c->partition);
    r->cases[r->n].times = xcalloc(nstrategies, sizeof(struct native_time));
    return r->n++;
}

static size_t time_index(struct native_case *c, const struct native_time *time)
{
    size_t i = 0;

    while (i < c->n && c->times[i].strategy != time->strategy)
        i++;
    if (i == c->n)
        c->times[c->n++] = *time;
    return i;
}

static struct samples *samples_of(const struct reader *in, size_t c,
                                  size_t time)
{
    return &in->samples[c * nstrategies + time];
}

static void add_sample(struct samples *of, struct sample s)
{
    if (of->n == of->room) {
        of->room = of->room ? 2 * of->room : 16;
        of->list = xrealloc(of->list, of->room, sizeof *of->list);
    }
    of->list[of->n++] = s;
}

static int native_results_read_rows(struct reader *in, const struct csv *t,
                                    struct err *err)
{
    for (size_t row = 0; row < t->nrows; row++) {
        struct native_case c = {0};
        struct native_time time = {.file = in->path, .line = t->lines[row]};
        struct sample s = {
            .file = in->path, .line = t->lines[row], .order = in->nrows++};
        if (read_case(&c, t, row, err) < 0 ||
            read_time(&time, &s, t, row, err) < 0)
            return -1;
        size_t i = case_index(in, &c);
        add_sample(samples_of(in, i, time_index(&in->r->cases[i], &time)), s);
    }
    return 0;
}

/* --- medians -------------------------------------------------------------- */

static int by_run(const void *a, const void *b)
{
    const struct sample *x = a, *y = b;
    int runs = strcmp(x->run, y->run);

    if (runs || x->number != y->number)
        return runs ? runs : x->number < y->number ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static int check_twice(struct samples *s, struct err *err)
{
    qsort(s->list, s->n, sizeof *s->list, by_run);
    for (size_t i = 1; i < s->n; i++) {
        const struct sample *a = &s->list[i - 1], *b = &s->list[i];
        if (!strcmp(a->run, b->run) && a->number == b->number)
            return fail(err,
                        "%s:%u: sample: run %s has number %llu of this already "
                        "(%s:%u)",
                        b->file, b->line, b->run, (unsigned long long)b->number,
                        a->file, a->line);
    }
    return 0;
}

/* Returns the uncertainty by the runs' medians, 0 if there is one run; samples
 * are sorted by run. */
static double noise_of_runs(const struct samples *s)
{
    double *v = xcalloc(s->n, sizeof *v), *medians = xcalloc(s->n, sizeof *v);
    size_t runs = 0, n = 0;

    for (size_t i = 0; i < s->n; i++) {
        v[n++] = s->list[i].s;
        if (i + 1 < s->n && !strcmp(s->list[i].run, s->list[i + 1].run))
            continue;
        gsl_sort(v, 1, n);
        medians[runs++] = gsl_stats_median_from_sorted_data(v, 1, n);
        n = 0;
    }
    double noise = runs < 2 ? 0
                            : gsl_cdf_tdist_Pinv(0.975, (double)runs - 1) *
                                  gsl_stats_sd(medians, 1, runs) /
                                  sqrt(2 * (double)runs);
    free(v);
    free(medians);
    return noise;
}

static void take_median(struct native_time *time, const struct samples *s)
{
    double *v = xcalloc(s->n, sizeof *v);

    for (size_t i = 0; i < s->n; i++)
        v[i] = s->list[i].s;
    gsl_sort(v, 1, s->n);
    time->nsamples = s->n;
    time->native_s = gsl_stats_median_from_sorted_data(v, 1, s->n);
    double range = gsl_stats_quantile_from_sorted_data(v, 1, s->n, 0.75) -
                   gsl_stats_quantile_from_sorted_data(v, 1, s->n, 0.25);
    time->noise_s =
        s->n > 1 ? fmax(1.57 * range / sqrt((double)s->n), noise_of_runs(s))
                 : NAN;
    free(v);
}

static int by_strategy(const void *a, const void *b)
{
    const struct native_time *x = a, *y = b;
    size_t i = 0;

    while (strategies[i] != x->strategy && strategies[i] != y->strategy)
        i++;
    return x->strategy == y->strategy     ? 0
           : strategies[i] == x->strategy ? -1
                                          : 1;
}

static int finish(struct reader *in, struct err *err)
{
    for (size_t i = 0; i < in->r->n; i++) {
        struct native_case *c = &in->r->cases[i];
        for (size_t k = 0; k < c->n; k++) {
            if (check_twice(samples_of(in, i, k), err) < 0)
                return -1;
            take_median(&c->times[k], samples_of(in, i, k));
        }
        qsort(c->times, c->n, sizeof *c->times, by_strategy);
    }
    return 0;
}

/* -------------------------------------------------------------------------- */

static void reader_clear(struct reader *in)
{
    for (size_t i = 0; i < in->r->n * nstrategies; i++)
        free(in->samples[i].list);
    free(in->samples);
    for (size_t i = 0; i < in->ntables; i++)
        csv_clear(&in->tables[i]);
    free(in->tables);
}

int native_load(struct native_results *r, const char *const *paths,
                size_t npaths, struct err *err)
{
    struct reader in = {.r = r,
                        .samples = xcalloc(nstrategies, sizeof *in.samples),
                        .tables = xcalloc(npaths, sizeof *in.tables)};
    int result = 0;

    *r = (struct native_results){0};
    for (size_t i = 0; i < npaths && result == 0; i++) {
        struct csv *t = &in.tables[in.ntables];
        in.path = paths[i];
        result = csv_load(t, in.path, err);
        if (result < 0)
            break;
        in.ntables++;
        result = check_columns(t, err);
        if (result == 0)
            result = native_results_read_rows(&in, t, err);
    }
    if (result == 0)
        result = finish(&in, err);
    reader_clear(&in);
    if (result < 0)
        native_clear(r);
    return result;
}

void native_clear(struct native_results *r)
{
    for (size_t i = 0; i < r->n; i++) {
        free(r->cases[i].machine);
        free(r->cases[i].config);
        free(r->cases[i].workload);
        free(r->cases[i].mpi);
        free(r->cases[i].partition);
        free(r->cases[i].times);
    }
    free(r->cases);
    *r = (struct native_results){0};
}
