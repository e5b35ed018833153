/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects facts that only all rows of a measured file together tell: the ranks
 * of a node and of a domain. */
#include "validate/measure/measured_rows.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(const struct csv *t, size_t row, const char *column)
{
    const char *text = csv_text(t, row, column);

    return text ? text : "";
}

static const char *run_of(const struct csv *t, size_t row)
{
    return text_of(t, row, csv_column(t, "run_id") < 0 ? "run" : "run_id");
}

static struct survey_fact *survey_find(const struct survey *s, const char *of,
                                       const char *run, const char *config)
{
    for (size_t i = 0; i < s->nfacts; i++)
        if (!strcmp(s->facts[i].of, of) && !strcmp(s->facts[i].run, run) &&
            !strcmp(s->facts[i].config, config))
            return &s->facts[i];
    return NULL;
}

static struct survey_fact *fact_of(struct survey *s, const struct csv *t,
                                   size_t row, const char *of)
{
    const char *run = run_of(t, row), *config = text_of(t, row, "config");
    struct survey_fact *f = survey_find(s, of, run, config);

    if (f)
        return f;
    s->facts = xrealloc(s->facts, s->nfacts + 1, sizeof *s->facts);
    s->facts[s->nfacts] = (struct survey_fact){of, run, config, 0};
    return &s->facts[s->nfacts++];
}

/* Returns a count of the row; 0 if it is none, in which case the reader of the
 * row reports the error. */
static unsigned count(const struct csv *t, size_t row, const char *column)
{
    uint64_t v = 0;

    return number_count(text_of(t, row, column), &v) && v <= 1000000
               ? (unsigned)v
               : 0;
}

/* Notes the ranks of a node: rank 0 and the first rank of the other node are a
 * pair, and this is the smallest off-node partner of rank 0. */
static void ranks_per_node(struct survey *s, const struct csv *t, size_t row)
{
    unsigned b = count(t, row, "rank_b");

    if (!b || !cell_is(t, row, "rank_a", "0") ||
        !cell_is(t, row, "locality", "off_node"))
        return;
    struct survey_fact *f = fact_of(s, t, row, "rank");
    if (!f->value || b < f->value)
        f->value = b;
}

/* Notes the ranks of a domain: pairs inside a domain join its halves, and the
 * largest number of pairs fills it. */
static void domain(struct survey *s, const struct csv *t, size_t row)
{
    unsigned pairs = count(t, row, "pairs_per_domain");

    if (!pairs || cell_is(t, row, "locality", "off_node"))
        return;
    struct survey_fact *f = fact_of(s, t, row, text_of(t, row, "domain"));
    if (2 * pairs > f->value)
        f->value = 2 * pairs;
}

static struct survey_kernel *kernel_find(const struct survey *s,
                                         const struct survey_kernel *like)
{
    for (size_t i = 0; i < s->nkernels; i++) {
        const struct survey_kernel *k = &s->kernels[i];
        if (!strcmp(k->machine, like->machine) &&
            !strcmp(k->grid, like->grid) && !strcmp(k->memory, like->memory) &&
            !strcmp(k->campaign, like->campaign))
            return &s->kernels[i];
    }
    return NULL;
}

static struct survey_kernel kernel_of(const struct csv *t, size_t row)
{
    return (struct survey_kernel){.machine = text_of(t, row, "machine"),
                                  .grid = text_of(t, row, "grid_edge_cells"),
                                  .memory = text_of(t, row, "gpu_memory"),
                                  .campaign = text_of(t, row, "campaign")};
}

static void kernel(struct survey *s, const struct csv *t, size_t row)
{
    struct survey_kernel k = kernel_of(t, row);

    if (!cell_is(t, row, "gpus", "1") ||
        !number_real(text_of(t, row, "time_per_step_s"), &k.step_s) ||
        !(k.step_s > 0))
        return;
    struct survey_kernel *old = kernel_find(s, &k);
    if (!old) {
        s->kernels = xrealloc(s->kernels, s->nkernels + 1, sizeof *s->kernels);
        s->kernels[s->nkernels++] = k;
    } else if (k.step_s < old->step_s) {
        old->step_s = k.step_s;
    }
}

double survey_kernel(const struct survey *s, const struct csv *t, size_t row)
{
    struct survey_kernel k = kernel_of(t, row);
    const struct survey_kernel *found = kernel_find(s, &k);

    return found ? found->step_s : 0;
}

void survey_make(struct survey *s, const struct csv *t)
{
    bool ranks = csv_column(t, "rank_b") >= 0;
    bool domains = csv_column(t, "pairs_per_domain") >= 0;
    bool steps = csv_column(t, "time_per_step_s") >= 0;

    memset(s, 0, sizeof *s);
    for (size_t row = 0; row < t->nrows; row++) {
        if (steps)
            kernel(s, t, row);
        if (ranks)
            ranks_per_node(s, t, row);
        if (domains)
            domain(s, t, row);
        if (strstr(text_of(t, row, "config"), "even_gpus"))
            s->even_gpus = true;
    }
}

void survey_clear(struct survey *s)
{
    free(s->facts);
    free(s->kernels);
    memset(s, 0, sizeof *s);
}

unsigned survey_ranks_per_node(const struct survey *s, const struct csv *t,
                               size_t row)
{
    const struct survey_fact *f =
        survey_find(s, "rank", run_of(t, row), text_of(t, row, "config"));

    return f ? f->value : 0;
}

unsigned survey_domain(const struct survey *s, const struct csv *t, size_t row,
                       const char *name)
{
    const struct survey_fact *f =
        survey_find(s, name, run_of(t, row), text_of(t, row, "config"));

    return f ? f->value : 0;
}
