/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A collective over its size: time and bus bandwidth of each algorithm, the
 * choice of a library, and measured points for comparison. */
#include "cli/figure.h"

#include "base/csv.h"
#include "study/run/sweep.h"
#include "validate/logs/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lines in colour; further ones are thin and grey. */
enum { MOST_LINES = 6 };

/* --- lines ---------------------------------------------------------------- */

struct line {
    const char *name;
    unsigned best;    /* sizes at which it is the fastest */
    double excess;    /* sum of its regrets */
    unsigned present; /* number of its sizes */
};

static struct line *line_of(struct line *lines, size_t *n, const char *name)
{
    for (size_t i = 0; i < *n; i++)
        if (!strcmp(lines[i].name, name))
            return &lines[i];
    lines[*n] = (struct line){.name = name};
    return &lines[(*n)++];
}

static int line_order(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    double mine = a->excess / a->present, other = b->excess / b->present;

    if (!a->best != !b->best)
        return a->best ? -1 : 1;
    return mine < other ? -1 : mine > other ? 1 : strcmp(a->name, b->name);
}

/* Returns the lines: first those that are the fastest at some size, then by
 * their mean regret. The caller frees it. */
static struct line *find_lines(size_t *n, const struct sweep *s)
{
    struct line *lines = NULL;
    size_t most = 0;

    *n = 0;
    for (size_t i = 0; i < s->n; i++)
        most = s->sizes[i].runs.n > most ? s->sizes[i].runs.n : most;
    lines = xcalloc(most * s->n + 1, sizeof *lines);
    for (size_t i = 0; i < s->n; i++) {
        const struct sweep_size *size = &s->sizes[i];
        for (size_t k = 0; k < size->shown; k++) {
            const struct outcome *o = &size->runs.list[k];
            struct line *line = line_of(lines, n, o->name);
            line->best += k == 0;
            line->present++;
            line->excess += o->time_s / size->runs.list->time_s - 1;
        }
    }
    qsort(lines, *n, sizeof *lines, line_order);
    return lines;
}

static void print_point(FILE *csv, size_t series, const char *kind,
                        const char *name, uint64_t bytes, double time_s,
                        double bus)
{
    fprintf(csv, "%zu,%s,", series, kind);
    csv_print_text(csv, name);
    fprintf(csv, ",%" PRIu64 ",%.9g,%.9g\n", bytes, time_s,
            bus * (double)bytes / time_s);
}

static void print_line(FILE *csv, const struct sweep *s, size_t series,
                       const char *name)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct sweep_size *size = &s->sizes[i];
        struct sized sized;
        if (size->why || !job_sized(&sized, &size->job))
            continue;
        for (size_t k = 0; k < size->shown; k++)
            if (!strcmp(size->runs.list[k].name, name))
                print_point(csv, series, "simulated", name, sized.bytes,
                            size->runs.list[k].time_s, sized.bus);
    }
}

/* Prints the line of the library's choice; returns whether its time is known
 * for any size. */
static bool print_library(FILE *csv, const struct sweep *s)
{
    bool any = false;

    for (size_t i = 0; i < s->n; i++) {
        const struct judged *j = &s->sizes[i].judged;
        struct sized sized;
        if (s->sizes[i].why || !j->library || isnan(j->time_s) ||
            !job_sized(&sized, &s->sizes[i].job))
            continue;
        print_point(csv, 0, "library", j->takes, sized.bytes, j->time_s,
                    sized.bus);
        any = true;
    }
    return any;
}

/* --- measurements --------------------------------------------------------- */

struct labels {
    char *names[16];
    size_t n;
};

/* Returns the number of a row's label, from 1; if the row has no label it is
 * the file's name. */
static int label_of(struct labels *l, const struct csv *t, size_t row,
                    struct err *err)
{
    const char *text = csv_text(t, row, "label");
    const char *slash = strrchr(t->path, '/');

    if (!text || !*text)
        text = slash ? slash + 1 : t->path;
    for (size_t i = 0; i < l->n; i++)
        if (!strcmp(l->names[i], text))
            return (int)i + 1;
    if (l->n == sizeof l->names / sizeof l->names[0])
        return fail(err, "%s:%u: more than %zu labels", t->path, t->lines[row],
                    l->n);
    l->names[l->n++] = xstrdup(text);
    return (int)l->n;
}

static int print_measured_row(FILE *csv, struct labels *l, const struct csv *t,
                              size_t row, double bus, struct err *err)
{
    uint64_t bytes;
    double time_s;
    int label;

    if (csv_count(t, row, "bytes", &bytes, err) < 0 ||
        csv_number(t, row, "time_s", &time_s, err) < 0)
        return -1;
    if (!bytes || !(time_s > 0))
        return fail(err, "%s:%u: expected bytes and time_s above 0", t->path,
                    t->lines[row]);
    label = label_of(l, t, row, err);
    if (label < 0)
        return -1;
    print_point(csv, (size_t)label, "measured", l->names[label - 1], bytes,
                time_s, bus);
    return 0;
}

static int print_measured(FILE *csv, struct labels *l, const char *path,
                          const char *operation, double bus, struct err *err)
{
    struct csv t;
    int result = 0;

    if (log_or_csv(&t, path, NULL, NULL, NULL, err) < 0)
        return -1;
    /* The rows of a log that are of this operation. */
    bool log = csv_column(&t, "operation") >= 0;
    size_t shown = 0;
    for (size_t row = 0; row < t.nrows && result == 0; row++) {
        if (log && strcmp(csv_text(&t, row, "operation"), operation) != 0)
            continue;
        result = print_measured_row(csv, l, &t, row, bus, err);
        shown++;
    }
    if (result == 0 && !shown)
        result = fail(err, "%s: no row of %s", path, operation);
    csv_clear(&t);
    return result;
}

/* --- all ------------------------------------------------------------------ */

static void print_names(FILE *vars, const char *variable,
                        const struct line *lines, size_t begin, size_t end)
{
    fprintf(vars, "%s = '", variable);
    for (size_t i = begin; i < end; i++)
        fprintf(vars, "%s%s", i > begin ? " " : "", lines[i].name);
    fputs("'\n", vars);
}

static int figure_collective_print(FILE *csv, FILE *vars,
                                   const struct figure_input *in,
                                   const struct sweep *s, struct err *err)
{
    struct labels labels = {.n = 0};
    const struct sweep_size *last = &s->sizes[s->n - 1];
    struct sized sized = {0};
    size_t n;
    struct line *lines = find_lines(&n, s);
    size_t shown = n < MOST_LINES ? n : MOST_LINES;
    int result = 0;

    while (last->why)
        last--;
    char *operation = xasprintf("%.*s", (int)strcspn(s->words, ":"), s->words);
    job_sized(&sized, &last->job);
    fputs("series,kind,name,bytes,time_s,busbw_Bps\n", csv);
    for (size_t i = 0; i < n; i++)
        print_line(csv, s, i + 1, lines[i].name);
    bool library = print_library(csv, s);
    for (size_t i = 0; i < in->nmeasured && result == 0; i++)
        result = print_measured(csv, &labels, in->measured[i], operation,
                                sized.bus, err);
    print_names(vars, "lines", lines, 0, shown);
    print_names(vars, "others", lines, shown, n);
    fprintf(vars, "library = '%s'\nmeasured = %zu\n",
            library ? last->judged.library : "", labels.n);
    fprintf(vars, "array label[%zu]\n", labels.n + 1);
    for (size_t i = 0; i < labels.n; i++) {
        fprintf(vars, "label[%zu] = texts[%u]\n", i + 1,
                figure_text(in->texts, labels.names[i]));
        free(labels.names[i]);
    }
    fprintf(vars, "workload = texts[%u]\nranks = %u\nnodes = %u\n",
            figure_text(in->texts, s->words),
            last->job.load.ranks ? last->job.load.ranks : last->job.load.gpus,
            last->job.load.nodes);
    free(lines);
    free(operation);
    return result;
}

int figure_collective(FILE *csv, FILE *vars, const struct figure_input *in,
                      struct err *err)
{
    const struct run_options options = {0};
    struct request r;
    struct sweep s;

    if (in->nworkloads > 1)
        return fail(err, "--workload: expected one collective, got %zu",
                    in->nworkloads);
    request_init(&r);
    r.work.words = in->nworkloads ? in->workloads[0] : "allreduce:bytes=8..1G";
    r.work.gpus = in->gpus;
    r.work.nodes = in->nodes;
    r.algorithm = in->algorithm;
    if (sweep_load_on(&s, in->m, &r, err) < 0)
        return -1;
    int result = 0;
    if (!s.ranged)
        result = fail(err,
                      "--workload %s: expected a range of sizes, such as "
                      "allreduce:bytes=8..1G",
                      r.work.words);
    if (result == 0)
        result = sweep_run(&s, &options, err);
    if (result == 0)
        result = figure_collective_print(csv, vars, in, &s, err);
    sweep_clear(&s);
    return result;
}
