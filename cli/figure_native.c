/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Halo exchanges that were run natively, and their predictions. Cases that
 * differ only in the bytes of a value are one panel. */
#include "cli/figure.h"

#include "base/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct panel {
    const struct native_case **cases; /* sorted by value_bytes */
    size_t n;
};

static int by_value_bytes(const void *left, const void *right)
{
    const struct native_case *a = *(const struct native_case *const *)left;
    const struct native_case *b = *(const struct native_case *const *)right;

    return a->value_bytes < b->value_bytes ? -1
                                           : a->value_bytes > b->value_bytes;
}

static struct panel *make_panels(size_t *n, const struct native_results *r)
{
    struct panel *panels = xcalloc(r->n, sizeof *panels);

    *n = 0;
    for (size_t i = 0; i < r->n; i++) {
        size_t k = 0;
        while (k < *n && !native_same_place(panels[k].cases[0], &r->cases[i]))
            k++;
        struct panel *p = &panels[k];
        if (k == *n) {
            p->cases = xcalloc(r->n, sizeof(void *));
            ++*n;
        }
        p->cases[p->n++] = &r->cases[i];
    }
    for (size_t k = 0; k < *n; k++)
        qsort(panels[k].cases, panels[k].n, sizeof(void *), by_value_bytes);
    return panels;
}

static const struct native_time *time_of(const struct native_case *c,
                                         const struct strategy *s)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->times[i].strategy == s)
            return &c->times[i];
    return NULL;
}

static void print_cell(FILE *csv, const char *text)
{
    csv_print_text(csv, text);
    putc(',', csv);
}

static void native_figure_print_row(FILE *csv, size_t panel,
                                    const struct native_case *c,
                                    const struct native_time *t)
{
    fprintf(csv, "%zu,", panel);
    print_cell(csv, c->machine);
    print_cell(csv, c->mpi);
    print_cell(csv, c->config);
    print_cell(csv, c->workload);
    fprintf(csv, "%s,%u,%u,%u,%u,%s,%s,%zu,%.9g,", c->partition, c->gpus,
            c->nodes, c->ranks_per_node, c->value_bytes,
            native_memory_names[c->gpu_memory], t->strategy->name, t->nsamples,
            t->native_s);
    if (!isnan(t->noise_s))
        fprintf(csv, "%.9g", t->noise_s);
    fprintf(csv, ",%.9g,%d,%d,%d\n", t->simulated_s,
            c->n > 1 && t == native_fastest(c),
            c->n > 1 && t == native_predicted(c), native_is_clear(c));
}

/* Prints the rows of a panel strategy by strategy, so that each is one line. */
static void print_panels(FILE *csv, const struct panel *panels, size_t n)
{
    fprintf(csv, "panel,machine,mpi,config,workload,partition,gpus,nodes,"
                 "ranks_per_node,value_bytes,memory,strategy,samples,native_s,"
                 "noise_s,simulated_s,native_winner,predicted_winner,clear\n");
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < nstrategies; i++)
            for (size_t c = 0; c < panels[k].n; c++) {
                const struct native_time *t =
                    time_of(panels[k].cases[c], strategies[i]);
                if (t)
                    native_figure_print_row(csv, k + 1, panels[k].cases[c], t);
            }
}

static unsigned place_text(struct figure_texts *texts,
                           const struct native_case *c)
{
    char *place = xasprintf("%s%s%s%s%s", c->machine, *c->config ? ", " : "",
                            c->config, *c->mpi ? ", " : "", c->mpi);
    unsigned number = figure_text(texts, place);

    free(place);
    return number;
}

static void print_vars(FILE *vars, struct figure_texts *texts,
                       const struct panel *panels, size_t n)
{
    fprintf(vars,
            "npanels = %zu\narray title[%zu]\narray place[%zu]\n"
            "array how[%zu]\narray values[%zu]\n",
            n, n, n, n, n);
    for (size_t k = 0; k < n; k++) {
        const struct native_case *c = panels[k].cases[0];
        fprintf(vars, "title[%zu] = texts[%u]\n", k + 1,
                figure_workload(texts, c->workload));
        fprintf(vars, "place[%zu] = texts[%u]\n", k + 1, place_text(texts, c));
        fprintf(vars,
                "how[%zu] = '%u GPUs, %u nodes of %u ranks, %s, %s'\n"
                "values[%zu] = '",
                k + 1, c->gpus, c->nodes, c->ranks_per_node, c->partition,
                native_memory_names[c->gpu_memory], k + 1);
        for (size_t i = 0; i < panels[k].n; i++)
            fprintf(vars, "%u ", panels[k].cases[i]->value_bytes);
        fprintf(vars, "'\n");
    }
}

/* Prints the strategies that were run. */
static void print_strategies(FILE *vars, const struct native_results *r)
{
    fprintf(vars, "strategies = '");
    for (size_t i = 0; i < nstrategies; i++) {
        size_t c = 0;
        while (c < r->n && !time_of(&r->cases[c], strategies[i]))
            c++;
        if (c < r->n)
            fprintf(vars, "%s ", strategies[i]->name);
    }
    fprintf(vars, "'\n");
}

int figure_native(FILE *csv, FILE *vars, const struct figure_input *in,
                  struct err *err)
{
    size_t n;
    struct panel *panels = make_panels(&n, in->native);

    (void)err;
    print_panels(csv, panels, n);
    print_vars(vars, in->texts, panels, n);
    print_strategies(vars, in->native);
    for (size_t k = 0; k < n; k++)
        free(panels[k].cases);
    free(panels);
    return 0;
}
