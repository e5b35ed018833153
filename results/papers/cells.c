/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads, writes and looks up the printed and simulated cells of Tables II to V
 * of Chen et al. 2022. */
#include "results/papers/cells.h"

#include "base/csv.h"
#include "base/datafile.h"
#include "workloads/graph/standin_facts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS                                                                \
    "application,machine,framework,graph,gpus,scale,ms,workload,visits,"       \
    "edges,levels,wall_s,made_by"

enum { MOST_GPUS = 8, NODE_GPUS = 6 };

/* --- the list ------------------------------------------------------------- */

static size_t cells_index(const struct cells *c, const struct cell_key *k)
{
    size_t i = 0;

    for (; i < c->n; i++) {
        const struct cell_key *have = &c->list[i].key;
        if (have->gpus == k->gpus &&
            !strcmp(have->application, k->application) &&
            !strcmp(have->machine, k->machine) &&
            !strcmp(have->framework, k->framework) &&
            !strcmp(have->graph, k->graph))
            break;
    }
    return i;
}

static int cells_copy(char *to, size_t size, const char *text,
                      const char *column, struct err *err)
{
    if (!text)
        return fail(err, "no column named %s", column);
    if (strlen(text) >= size)
        return fail(err, "%s: '%s' is too long", column, text);
    memcpy(to, text, strlen(text) + 1);
    return 0;
}

static int cells_read_key(struct cell_key *k, const struct csv *t, size_t row,
                          struct err *err)
{
    uint32_t gpus;

    memset(k, 0, sizeof *k);
#define COPY(column)                                                           \
    cells_copy(k->column, sizeof k->column, csv_text(t, row, #column),         \
               #column, err)
    if (COPY(application) < 0 || COPY(machine) < 0 || COPY(framework) < 0 ||
        COPY(graph) < 0)
        return fail_in(err, "%s:%u", t->path, t->lines[row]);
#undef COPY
    if (csv_below(t, row, "gpus", MOST_GPUS + 1, &gpus, err) < 0)
        return -1;
    k->gpus = gpus;
    return 0;
}

/* Returns the cell of this key, and adds one if there is none. */
static struct cell *cell_of(struct cells *c, const struct cell_key *k)
{
    size_t i = cells_index(c, k);

    if (i == c->n) {
        c->list = xrealloc(c->list, c->n + 1, sizeof *c->list);
        c->list[c->n++] = (struct cell){.key = *k,
                                        .printed_ms = NAN,
                                        .printed_workload = NAN,
                                        .ms = NAN,
                                        .workload = NAN};
    }
    return &c->list[i];
}

/* --- printed cells -------------------------------------------------------- */

static int cells_read_rows(struct cells *c, const struct csv *t,
                           struct err *err)
{
    bool times = csv_column(t, "ms") >= 0;

    for (size_t row = 0; row < t->nrows; row++) {
        struct cell_key k;
        double v;
        if (cells_read_key(&k, t, row, err) < 0 ||
            csv_number(t, row, times ? "ms" : "workload", &v, err) < 0)
            return -1;
        struct cell *cell = cell_of(c, &k);
        *(times ? &cell->printed_ms : &cell->printed_workload) = v;
    }
    return 0;
}

static int read_table(struct cells *c, const char *name, struct err *err)
{
    struct csv t;

    if (csv_load_data(&t, name, err) < 0)
        return -1;
    int result = cells_read_rows(c, &t, err);
    csv_clear(&t);
    return result;
}

static void add_cell(struct cells *c, const char *application,
                     const char *framework, const char *graph, unsigned gpus)
{
    struct cell_key k = {.machine = "summit-node", .gpus = gpus};

    snprintf(k.application, sizeof k.application, "%s", application);
    snprintf(k.framework, sizeof k.framework, "%s", framework);
    snprintf(k.graph, sizeof k.graph, "%s", graph);
    cell_of(c, &k);
}

/* Adds Fig 7: two frameworks on the GPUs of one node of Summit. Its graphs are
 * assumed to be those that the text on Fig 5 names. */
static void add_node(struct cells *c)
{
    static const char *const graphs[] = {"soc-LiveJournal1", "twitter50",
                                         "road_usa", "osm_eur"};

    for (size_t i = 0; i < sizeof graphs / sizeof graphs[0]; i++)
        for (unsigned gpus = 1; gpus <= NODE_GPUS; gpus++) {
            add_cell(c, "bfs", "Gunrock", graphs[i], gpus);
            add_cell(c, "bfs", "Atos", graphs[i], gpus);
            add_cell(c, "pagerank", "Gunrock", graphs[i], gpus);
            add_cell(c, "pagerank", "Atos", graphs[i], gpus);
        }
}

/* --- cells that are no predictions ---------------------------------------- */

/* Returns whether the row names the text; an empty field names all. */
static bool names(const struct csv *t, size_t row, const char *column,
                  const char *text)
{
    const char *field = csv_text(t, row, column);

    return !field || !*field || !strcmp(field, text);
}

/* Marks the cells of one row of fitted.csv. Fails if there are none, because a
 * misspelt row would turn fits into predictions. */
static int mark_fitted(struct cells *c, const struct csv *t, size_t row,
                       struct err *err)
{
    const char *of = csv_text(t, row, "of");
    bool times = of && !strcmp(of, "ms");
    uint32_t from, to;
    size_t marked = 0;

    if (csv_below(t, row, "from", MOST_GPUS + 1, &from, err) < 0 ||
        csv_below(t, row, "to", MOST_GPUS + 1, &to, err) < 0)
        return -1;
    if (!of || (!times && strcmp(of, "workload") != 0))
        return fail(err, "%s:%u: of: expected ms or workload", t->path,
                    t->lines[row]);
    for (size_t i = 0; i < c->n; i++) {
        struct cell *cell = &c->list[i];
        const struct cell_key *k = &cell->key;
        if (k->gpus < from || k->gpus > to ||
            !names(t, row, "application", k->application) ||
            !names(t, row, "machine", k->machine) ||
            !names(t, row, "framework", k->framework) ||
            !names(t, row, "graph", k->graph))
            continue;
        *(times ? &cell->fitted_ms : &cell->fitted_workload) = true;
        marked++;
    }
    if (!marked)
        return fail(err, "%s:%u: no such cell", t->path, t->lines[row]);
    return 0;
}

static int read_fitted(struct cells *c, struct err *err)
{
    struct csv t;
    int result = 0;

    if (csv_load_data(&t, "results/atos/fitted.csv", err) < 0)
        return -1;
    for (size_t row = 0; row < t.nrows && result == 0; row++)
        result = mark_fitted(c, &t, row, err);
    csv_clear(&t);
    return result;
}

int cells_printed(struct cells *c, struct err *err)
{
    *c = (struct cells){0};
    if (read_table(c, "results/atos/paper/table-2.csv", err) < 0 ||
        read_table(c, "results/atos/paper/table-3.csv", err) < 0 ||
        read_table(c, "results/atos/paper/table-4.csv", err) < 0 ||
        read_table(c, "results/atos/paper/table-5.csv", err) < 0 ||
        read_fitted(c, err) < 0) {
        cells_clear(c);
        return -1;
    }
    add_node(c);
    return 0;
}

/* --- simulated cells ------------------------------------------------------ */

char *cells_head(void)
{
    return xasprintf("# cells of Chen et al. 2022, simulated by `sluice "
                     "study`; a cell's last row counts\n" COLUMNS "\n");
}

/* Writes as many digits as restore the same scale, and so the same graph. */
static char *exact(double scale)
{
    char *text = xasprintf("%.9g", scale);

    if (strtod(text, NULL) == scale)
        return text;
    free(text);
    return xasprintf("%.17g", scale);
}

char *cells_row(const struct cell *c)
{
    char *scale = exact(c->scale);
    char *row =
        xasprintf("%s,%s,%s,%s,%u,%s,%.9g,%.6g,%" PRIu64 ",%" PRIu64 ",%" PRIu64
                  ",%.3f,%s\n",
                  c->key.application, c->key.machine, c->key.framework,
                  c->key.graph, c->key.gpus, scale, c->ms, c->workload,
                  c->visits, c->edges, c->levels, c->wall_s, c->made_by);

    free(scale);
    return row;
}

static int check_row(const struct cell *c, struct err *err)
{
    if (!(c->scale > 0 && c->scale <= 1))
        return fail(err, "scale: expected above 0, up to 1, got %g", c->scale);
    if (!(c->ms > 0))
        return fail(err, "ms: expected a number above 0, got %g", c->ms);
    if (!(c->workload > 0))
        return fail(err, "workload: expected a number above 0, got %g",
                    c->workload);
    if (!(c->wall_s >= 0))
        return fail(err, "wall_s: expected 0 or more, got %g", c->wall_s);
    if (strlen(c->made_by) != 16 ||
        strspn(c->made_by, "0123456789abcdef") != 16)
        return fail(err, "made_by: expected 16 digits of 0 to f, got '%s'",
                    c->made_by);
    return 0;
}

static int read_row(struct cells *c, const struct csv *t, size_t row,
                    struct err *err)
{
    struct cell_key k;

    if (cells_read_key(&k, t, row, err) < 0)
        return -1;
    size_t i = cells_index(c, &k);
    if (i == c->n)
        return fail(err, "%s:%u: %s, %s, %s, %s, %u GPUs: no such cell",
                    t->path, t->lines[row], k.application, k.machine,
                    k.framework, k.graph, k.gpus);
    struct cell got = c->list[i];
    if (csv_number(t, row, "scale", &got.scale, err) < 0 ||
        csv_number(t, row, "ms", &got.ms, err) < 0 ||
        csv_number(t, row, "workload", &got.workload, err) < 0 ||
        csv_count(t, row, "visits", &got.visits, err) < 0 ||
        csv_count(t, row, "edges", &got.edges, err) < 0 ||
        csv_count(t, row, "levels", &got.levels, err) < 0 ||
        csv_number(t, row, "wall_s", &got.wall_s, err) < 0)
        return -1;
    if (cells_copy(got.made_by, sizeof got.made_by, csv_text(t, row, "made_by"),
                   "made_by", err) < 0 ||
        check_row(&got, err) < 0)
        return fail_in(err, "%s:%u", t->path, t->lines[row]);
    c->list[i] = got;
    return 0;
}

/* Fails if the last line has no end, because a part of a row can look like a
 * row. */
static int check_end(const struct csv *t, struct err *err)
{
    FILE *in = fopen(t->path, "r");
    int last = '\n';

    if (in && fseek(in, -1, SEEK_END) == 0)
        last = fgetc(in);
    if (in)
        fclose(in);
    if (last != '\n')
        return fail(err, "%s:%u: cut off", t->path, t->lines[t->nrows - 1]);
    return 0;
}

int cells_add(struct cells *c, const char *path, struct err *err)
{
    struct csv t;

    if (csv_load(&t, path, err) < 0)
        return -1;
    int result = check_end(&t, err);
    for (size_t row = 0; row < t.nrows && result == 0; row++)
        result = read_row(c, &t, row, err);
    csv_clear(&t);
    return result;
}

int cells_read(struct cells *c, const char *path, struct err *err)
{
    if (cells_printed(c, err) < 0)
        return -1;
    if (cells_add(c, path, err) < 0) {
        cells_clear(c);
        return -1;
    }
    return 0;
}

int cells_of_study(struct cells *c, const char *path, struct err *err)
{
    struct err none;

    if (path)
        return cells_read(c, path, err);
    char *usual = datafile_find("results/atos/cells.csv", &none);
    int result = usual ? cells_read(c, usual, err) : cells_printed(c, err);
    free(usual);
    return result;
}

/* --- JSON ----------------------------------------------------------------- */

/* Returns the number of levels of the paper's own graph; NAN if unknown. */
static double paper_levels(const char *graph)
{
    for (size_t i = 0; i < nstandins; i++)
        if (!strcmp(standins[i].name, graph))
            return fact_of(&standins[i], STANDIN_DIAMETER);
    return NAN;
}

void cells_add_to(struct json *o, const struct cell *c)
{
    char *scale = cells_scale_text(c->scale);

    json_add_string(o, "application", c->key.application);
    json_add_string(o, "machine", c->key.machine);
    json_add_string(o, "framework", c->key.framework);
    json_add_string(o, "graph", c->key.graph);
    json_add_number(o, "gpus", c->key.gpus);
    json_add_number(o, "printed_ms", c->printed_ms);
    json_add_number(o, "printed_workload", c->printed_workload);
    json_add_bool(o, "fitted_ms", c->fitted_ms);
    json_add_bool(o, "fitted_workload", c->fitted_workload);
    json_add_number(o, "ms", c->ms);
    json_add_number(o, "workload", c->workload);
    json_add_number(o, "visits", (double)c->visits);
    json_add_number(o, "levels", (double)c->levels);
    json_add_number(o, "paper_levels", paper_levels(c->key.graph));
    json_add_bool(o, "full_size", cells_full_size(c));
    json_add_string(o, "scale", scale);
    free(scale);
}

/* -------------------------------------------------------------------------- */

const struct cell *cells_find(const struct cells *c, const char *application,
                              const char *machine, const char *framework,
                              const char *graph, unsigned gpus)
{
    struct cell_key k = {.gpus = gpus};

    snprintf(k.application, sizeof k.application, "%s", application);
    snprintf(k.machine, sizeof k.machine, "%s", machine);
    snprintf(k.framework, sizeof k.framework, "%s", framework);
    snprintf(k.graph, sizeof k.graph, "%s", graph);
    size_t i = cells_index(c, &k);
    return i < c->n ? &c->list[i] : NULL;
}

bool cells_full_size(const struct cell *c)
{
    return !isnan(c->ms) && cells_same_scale(c->scale, 1);
}

bool cells_same_scale(double a, double b)
{
    return fabs(a - b) <= 1e-8 * fmax(fabs(a), fabs(b));
}

char *cells_scale_text(double scale)
{
    double parts = round(1 / scale);

    if (parts == 1 && cells_same_scale(scale, 1))
        return xstrdup("1");
    if (cells_same_scale(parts * scale, 1))
        return xasprintf("1/%.0f", parts);
    return xasprintf("%g", scale);
}

void cells_clear(struct cells *c)
{
    free(c->list);
    *c = (struct cells){0};
}
