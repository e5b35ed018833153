/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the rows of graph searches on real GPUs, and makes one case of all rows
 * of the same search. */
#include "validate/measure/traverse_cases.h"

#include "base/doubles.h"
#include "base/csv.h"

#include <stdlib.h>
#include <string.h>

static void case_clear(struct traverse_case *c)
{
    free(c->algorithm);
    free(c->graph);
    free(c->execution);
    free(c->partition);
    free(c->transfer);
    free(c->levels);
    free(c->simulated);
    free(c->why);
}

void traverse_cases_clear(struct traverse_cases *t)
{
    for (size_t i = 0; i < t->n; i++)
        case_clear(&t->cases[i]);
    free(t->cases);
    *t = (struct traverse_cases){0};
}

/* --- the case of a row ---------------------------------------------------- */

static int read_text(char **out, const struct csv *t, size_t row,
                     const char *column, struct err *err)
{
    const char *text = csv_text(t, row, column);

    if (!text || !*text)
        return fail(err, "%s:%u: %s: expected a word", t->path, t->lines[row],
                    column);
    *out = xstrdup(text);
    return 0;
}

/* Reads a number that is not below 0. */
static int read_size(double *out, const struct csv *t, size_t row,
                     const char *column, struct err *err)
{
    if (csv_number(t, row, column, out, err) < 0)
        return -1;
    return *out >= 0 ? 0
                     : fail(err, "%s:%u: %s: expected 0 or more, got %g",
                            t->path, t->lines[row], column, *out);
}

/* Reads a number that is 0 if the cell is empty or the column missing. */
static int read_optional(double *out, const struct csv *t, size_t row,
                         const char *column, struct err *err)
{
    const char *text = csv_text(t, row, column);

    *out = 0;
    return text && *text ? read_size(out, t, row, column, err) : 0;
}

/* Reads delta, which is 0 if the cell is empty or the column missing. */
static int read_delta(uint32_t *out, const struct csv *t, size_t row,
                      struct err *err)
{
    const char *text = csv_text(t, row, "delta");

    *out = 0;
    return text && *text ? csv_below(t, row, "delta", UINT32_MAX, out, err) : 0;
}

/* Reads the devices; if the file does not say, each GPU has its own. */
static int read_devices(struct traverse_case *c, const struct csv *t,
                        size_t row, struct err *err)
{
    const char *text = csv_text(t, row, "devices");

    c->devices = c->gpus;
    if (!text || !*text)
        return 0;
    if (csv_below(t, row, "devices", 1u << 16, &c->devices, err) < 0)
        return -1;
    return c->devices && c->devices <= c->gpus
               ? 0
               : fail(err, "%s:%u: devices: expected from 1 to %u, got %u",
                      t->path, t->lines[row], c->gpus, c->devices);
}

static int read_case(struct traverse_case *c, const struct csv *t, size_t row,
                     struct err *err)
{
    *c = (struct traverse_case){0};
    if (read_text(&c->algorithm, t, row, "algorithm", err) < 0 ||
        read_text(&c->graph, t, row, "graph", err) < 0 ||
        read_text(&c->execution, t, row, "execution", err) < 0 ||
        read_text(&c->partition, t, row, "partition", err) < 0 ||
        read_text(&c->transfer, t, row, "transfer", err) < 0 ||
        csv_below(t, row, "gpus", 1u << 16, &c->gpus, err) < 0 ||
        read_devices(c, t, row, err) < 0 ||
        csv_below(t, row, "source", UINT32_MAX, &c->source, err) < 0 ||
        csv_count(t, row, "seed", &c->seed, err) < 0 ||
        csv_below(t, row, "vertices", UINT32_MAX, &c->vertices, err) < 0 ||
        csv_count(t, row, "arcs", &c->arcs, err) < 0 ||
        read_delta(&c->delta, t, row, err) < 0 ||
        read_optional(&c->threshold, t, row, "threshold", err) < 0 ||
        read_size(&c->skew_s, t, row, "skew_us", err) < 0 ||
        read_size(&c->latency_s, t, row, "latency_us", err) < 0)
        return -1;
    c->skew_s *= 1e-6;
    c->latency_s *= 1e-6;
    for (char *p = c->graph; *p; p++)
        if (*p == ';')
            *p = ',';
    return c->gpus ? 0
                   : fail(err, "%s:%u: gpus: expected 1 or more, got 0",
                          t->path, t->lines[row]);
}

static bool same_search(const struct traverse_case *a,
                        const struct traverse_case *b)
{
    return !strcmp(a->algorithm, b->algorithm) && !strcmp(a->graph, b->graph) &&
           a->vertices == b->vertices && a->arcs == b->arcs &&
           a->source == b->source && a->seed == b->seed &&
           a->threshold == b->threshold;
}

static bool same_candidate(const struct traverse_case *a,
                           const struct traverse_case *b)
{
    return !strcmp(a->execution, b->execution) && a->delta == b->delta;
}

static bool same_place(const struct traverse_case *a,
                       const struct traverse_case *b)
{
    return a->gpus == b->gpus && a->devices == b->devices &&
           !strcmp(a->partition, b->partition) && a->skew_s == b->skew_s &&
           a->latency_s == b->latency_s;
}

/* Returns the known case, or the new one, which then belongs to the list. */
static struct traverse_case *case_of(struct traverse_cases *t,
                                     struct traverse_case *new)
{
    for (size_t i = t->n; i-- > 0;) {
        struct traverse_case *c = &t->cases[i];
        if (same_search(c, new) && same_candidate(c, new) &&
            same_place(c, new) && !strcmp(c->transfer, new->transfer)) {
            case_clear(new);
            return c;
        }
    }
    if (!(t->n & (t->n - 1)))
        t->cases = xrealloc(t->cases, t->n ? 2 * t->n : 1, sizeof *t->cases);
    t->cases[t->n] = *new;
    return &t->cases[t->n++];
}

/* --- rows ----------------------------------------------------------------- */

static int read_level(struct traverse_case *c, const struct csv *t, size_t row,
                      struct err *err)
{
    struct traverse_level level;
    uint64_t number;

    if (csv_count(t, row, "level", &number, err) < 0 ||
        csv_count(t, row, "frontier", &level.visits, err) < 0 ||
        csv_count(t, row, "level_arcs", &level.edges, err) < 0 ||
        csv_number(t, row, "time_s", &level.time_s, err) < 0)
        return -1;
    if (number != c->nlevels)
        return fail(err, "%s:%u: level: expected %zu, got %llu", t->path,
                    t->lines[row], c->nlevels, (unsigned long long)number);
    if (!(level.time_s > 0))
        return fail(err, "%s:%u: time_s: expected a time above 0, got %g",
                    t->path, t->lines[row], level.time_s);
    if (!(c->nlevels & (c->nlevels - 1)))
        c->levels = xrealloc(c->levels, c->nlevels ? 2 * c->nlevels : 1,
                             sizeof *c->levels);
    c->levels[c->nlevels++] = level;
    return 0;
}

static int read_median(struct traverse_case *c, const struct csv *t, size_t row,
                       struct err *err)
{
    if (c->time_s > 0)
        return fail(err, "%s:%u: a second median of the same case", t->path,
                    t->lines[row]);
    if (csv_number(t, row, "time_s", &c->time_s, err) < 0 ||
        read_size(&c->visits, t, row, "visits", err) < 0 ||
        csv_number(t, row, "reached", &c->reached, err) < 0)
        return -1;
    return c->time_s > 0 && c->reached > 0
               ? 0
               : fail(err,
                      "%s:%u: expected time_s and reached above 0, got %g "
                      "and %g",
                      t->path, t->lines[row], c->time_s, c->reached);
}

static int traverse_cases_row(struct traverse_cases *t, const struct csv *csv,
                              size_t row, struct err *err)
{
    const char *kind = csv_text(csv, row, "row");
    struct traverse_case new;

    if (!kind)
        return fail(err,
                    "%s: no column row: expected what `sluice-native "
                    "traverse` writes",
                    csv->path);
    if (!strcmp(kind, "total"))
        return 0;
    if (strcmp(kind, "level") != 0 && strcmp(kind, "median") != 0)
        return fail(err,
                    "%s:%u: row: expected level, total or median, got "
                    "'%.60s'",
                    csv->path, csv->lines[row], kind);
    if (read_case(&new, csv, row, err) < 0) {
        case_clear(&new);
        return -1;
    }
    struct traverse_case *c = case_of(t, &new);
    return *kind == 'l' ? read_level(c, csv, row, err)
                        : read_median(c, csv, row, err);
}

static int load_file(struct traverse_cases *t, const char *path,
                     struct err *err)
{
    struct csv csv;
    int result = 0;

    if (csv_load(&csv, path, err) < 0)
        return -1;
    for (size_t i = 0; i < csv.nrows && result == 0; i++)
        result = traverse_cases_row(t, &csv, i, err);
    csv_clear(&csv);
    return result;
}

/* Checks that the files have the median of each case, and not only its
 * levels. */
static int check_cases(const struct traverse_cases *t, struct err *err)
{
    if (!t->n)
        return fail(err, "no rows of searches");
    for (size_t i = 0; i < t->n; i++)
        if (!(t->cases[i].time_s > 0))
            return fail(err, "%s of %s: no row median", t->cases[i].execution,
                        t->cases[i].graph);
    return 0;
}

int traverse_cases_load(struct traverse_cases *t, const char *const *paths,
                        size_t npaths, struct err *err)
{
    int result = 0;

    *t = (struct traverse_cases){0};
    for (size_t i = 0; i < npaths && result == 0; i++)
        result = load_file(t, paths[i], err);
    if (result == 0)
        result = check_cases(t, err);
    if (result < 0)
        traverse_cases_clear(t);
    return result;
}

/* --- scores --------------------------------------------------------------- */

struct values {
    double *list;
    size_t n;
};

static void values_add(struct values *v, double x)
{
    if (!(v->n & (v->n - 1)))
        v->list = xrealloc(v->list, v->n ? 2 * v->n : 1, sizeof *v->list);
    v->list[v->n++] = x;
}

/* Returns the errors of ratios, simulated divided by measured; frees the
 * ratios. */
static struct traverse_errors errors_of(struct values *ratios)
{
    struct traverse_errors e = {.n = ratios->n};

    for (size_t i = 0; i < ratios->n; i++) {
        double r = ratios->list[i];
        e.within += (r <= 1.3 && r >= 1 / 1.3) / (double)ratios->n;
        ratios->list[i] = r > 1 ? r - 1 : 1 - r;
    }
    if (e.n)
        e.median = doubles_median(ratios->list, e.n);
    free(ratios->list);
    return e;
}

static bool is_simulated(const struct traverse_case *c)
{
    return !c->why && c->simulated_s > 0;
}

bool traverse_cases_compete(const struct traverse_case *a,
                            const struct traverse_case *b)
{
    return is_simulated(a) && is_simulated(b) && same_search(a, b) &&
           same_place(a, b);
}

static bool same_frontiers(const struct traverse_case *c)
{
    bool same = c->nlevels == c->nsimulated;

    for (size_t i = 0; same && i < c->nlevels; i++)
        same = c->levels[i].visits == c->simulated[i].visits;
    return same;
}

static void add_levels(struct values *v, const struct traverse_case *c)
{
    for (size_t i = 0; i < c->nlevels && i < c->nsimulated; i++)
        if (c->levels[i].edges >= TRAVERSE_LEVEL_ARCS)
            values_add(v, c->simulated[i].time_s / c->levels[i].time_s);
}

static double visits_off(const struct traverse_case *c)
{
    double off = (c->simulated_visits - c->visits) / c->reached;

    return off < 0 ? -off : off;
}

/* Adds the speed-up from one GPU, if that was run. */
static void add_speedup(struct values *v, const struct traverse_cases *t,
                        const struct traverse_case *c)
{
    if (c->gpus == 1 || c->skew_s > 0 || c->latency_s > 0)
        return;
    for (size_t i = 0; i < t->n; i++) {
        const struct traverse_case *one = &t->cases[i];
        if (is_simulated(one) && one->gpus == 1 && same_search(one, c) &&
            same_candidate(one, c))
            values_add(v, one->simulated_s / c->simulated_s /
                              (one->time_s / c->time_s));
    }
}

static void add_pairs(struct traverse_score *s, const struct traverse_cases *t,
                      size_t i)
{
    const struct traverse_case *a = &t->cases[i];

    for (size_t k = 0; k < i; k++) {
        const struct traverse_case *b = &t->cases[k];
        double ratio = a->time_s / b->time_s;
        if (!traverse_cases_compete(a, b) ||
            (ratio <= 1.05 && ratio >= 1 / 1.05))
            continue;
        s->pairs++;
        s->right += (a->simulated_s > b->simulated_s) == (ratio > 1);
    }
}

struct traverse_score traverse_cases_score(const struct traverse_cases *t)
{
    struct traverse_score s = {0};
    struct values levels = {0}, total[2] = {{0}, {0}}, speedup = {0};

    for (size_t i = 0; i < t->n; i++) {
        const struct traverse_case *c = &t->cases[i];
        if (!is_simulated(c))
            continue;
        add_levels(&levels, c);
        values_add(&total[c->gpus > 1], c->simulated_s / c->time_s);
        add_speedup(&speedup, t, c);
        add_pairs(&s, t, i);
        s.synchronous += c->nlevels > 0;
        s.exact += c->nlevels > 0 && same_frontiers(c);
        s.visits.n++;
        s.visits.within += visits_off(c) <= 0.05;
        s.visits.median =
            s.visits.median > visits_off(c) ? s.visits.median : visits_off(c);
    }
    if (s.visits.n)
        s.visits.within /= (double)s.visits.n;
    s.levels = errors_of(&levels);
    s.total[0] = errors_of(&total[0]);
    s.total[1] = errors_of(&total[1]);
    s.speedup = errors_of(&speedup);
    return s;
}
