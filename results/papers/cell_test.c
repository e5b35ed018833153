/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates one claim on cells of Chen et al. 2022: a quantity, compared with
 * its bounds. */
#include "results/papers/cell_test.h"

#include "workloads/graph/standin_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the quantity --------------------------------------------------------- */

struct pair {
    double simulated, printed; /* NAN if there is none */
};

struct point {
    const char *framework, *graph, *than_graph;
    unsigned gpus;
    struct pair value;
};

/* A test in progress. */
struct look {
    const struct cell_test *test;
    const struct cells *cells;
    struct point *points; /* values of the cells that exist */
    size_t n, room;
    char *missing; /* the name of the first missing cell */
    size_t nmissing;
    char *fitted; /* the name of the first cell that is no prediction */
    size_t nfitted;
};

static const char *many(unsigned gpus)
{
    return gpus == 1 ? "" : "s";
}

/* Returns the number of levels of the paper's own graph. */
static double printed_levels(const char *graph)
{
    for (size_t i = 0; i < nstandins; i++)
        if (!strcmp(standins[i].name, graph))
            return fact_of(&standins[i], STANDIN_DIAMETER);
    return NAN;
}

static bool is_fitted(const struct cell *c, enum measure what)
{
    return what == TIME || what == LEVEL_us ? c->fitted_ms : c->fitted_workload;
}

static struct pair cell_test_measure(const struct cell *c, enum measure what)
{
    double levels = c->levels ? (double)c->levels : NAN;

    switch (what) {
    case TIME:
        return (struct pair){c->ms, c->printed_ms};
    case WORKLOAD:
        return (struct pair){c->workload, c->printed_workload};
    case REDUNDANT:
        return (struct pair){c->workload - 1, c->printed_workload - 1};
    case VISITS:
        return (struct pair){c->visits ? (double)c->visits : NAN, NAN};
    case LEVEL_us:
        break;
    }
    return (struct pair){c->ms * 1e3 / levels,
                         c->printed_ms * 1e3 / printed_levels(c->key.graph)};
}

static char *cell_name(const char *application, const char *framework,
                       const char *graph, unsigned gpus)
{
    return xasprintf("%s by %s on %s with %u GPU%s", application, framework,
                     graph, gpus, many(gpus));
}

/* Returns the printed and the simulated value; the latter only if it is of a
 * whole graph, because the printed one is. */
static struct pair at(struct look *l, const char *application,
                      const char *framework, const char *graph, unsigned gpus)
{
    struct pair v = {NAN, NAN};
    const struct cell *c = cells_find(l->cells, application, l->test->machine,
                                      framework, graph, gpus);

    if (c)
        v = cell_test_measure(c, l->test->measure);
    if (c && !cells_full_size(c))
        v.simulated = NAN;
    if (isnan(v.simulated) && l->nmissing++ == 0)
        l->missing = cell_name(application, framework, graph, gpus);
    return v;
}

/*
 * Returns the values of a cell that is tested, and counts it if it is fitted.
 * The base of a speed-up is not tested, because a speed-up is a prediction even
 * if the time on one GPU is fitted.
 */
static struct pair tested(struct look *l, const char *application,
                          const char *framework, const char *graph,
                          unsigned gpus)
{
    const struct cell *c = cells_find(l->cells, application, l->test->machine,
                                      framework, graph, gpus);

    if (c && is_fitted(c, l->test->measure) && l->nfitted++ == 0)
        l->fitted = cell_name(application, framework, graph, gpus);
    return at(l, application, framework, graph, gpus);
}

static struct pair divide(struct pair a, struct pair b)
{
    return (struct pair){a.simulated / b.simulated, a.printed / b.printed};
}

static struct pair subtract(struct pair a, struct pair b)
{
    return (struct pair){a.simulated - b.simulated, a.printed - b.printed};
}

static struct pair from_base(struct look *l, const char *application,
                             const char *framework, const char *graph,
                             unsigned gpus)
{
    unsigned base = l->test->base;
    struct pair v = tested(l, application, framework, graph, gpus);

    if (!base)
        return v;
    struct pair w = at(l, application, framework, graph,
                       base == ONE_LESS ? gpus - 1 : base);
    return l->test->measure == LEVEL_us ? subtract(v, w) : divide(w, v);
}

static struct pair quotient(struct look *l, const char *framework,
                            const char *graph, unsigned gpus)
{
    const struct cell_test *t = l->test;
    struct pair v = from_base(l, t->application, framework, graph, gpus);

    if (!t->than && !t->than_application)
        return v;
    struct pair w =
        from_base(l, t->than_application ? t->than_application : t->application,
                  t->than ? t->than : framework, graph, gpus);
    return divide(v, w);
}

static void add_point(struct look *l, struct point p)
{
    p.value = quotient(l, p.framework, p.graph, p.gpus);
    if (p.than_graph)
        p.value =
            divide(p.value, quotient(l, p.framework, p.than_graph, p.gpus));
    if (isnan(p.value.simulated))
        return;
    if (l->n == l->room) {
        l->room = l->room ? 2 * l->room : 16;
        l->points = xrealloc(l->points, l->room, sizeof *l->points);
    }
    l->points[l->n++] = p;
}

static void cell_test_add_points(struct look *l)
{
    static const char *const nothing[] = {"", NULL};
    const struct cell_test *t = l->test;
    const char *const *than = t->than_graphs ? t->than_graphs : nothing;

    for (const char *const *f = t->frameworks; *f; f++)
        for (const char *const *g = t->graphs; *g; g++)
            for (const char *const *h = than; *h; h++)
                for (unsigned n = t->from; n <= t->to; n++)
                    add_point(l, (struct point){
                                     *f, *g, **h ? *h : NULL, n, {NAN, NAN}});
}

/* --- bounds --------------------------------------------------------------- */

struct bounds {
    double above, below;
};

static struct bounds bounds_of(const struct cell_test *t, double printed)
{
    struct bounds b = {t->above > 0 ? t->above : -INFINITY,
                       t->below > 0 ? t->below : INFINITY};
    double number = t->number > 0 ? t->number : printed;

    if (!(t->within > 0))
        return b;
    b = (struct bounds){number / t->within, number * t->within};
    if (number > 1)
        b.above = fmax(b.above, 1);
    if (number < 1)
        b.below = fmin(b.below, 1);
    return b;
}

static bool holds_for(const struct cell_test *t, struct pair value)
{
    struct bounds b = bounds_of(t, value.printed);

    return value.simulated > b.above && value.simulated < b.below;
}

static struct pair mean_of(const struct look *l)
{
    struct pair sum = {0};

    for (size_t i = 0; i < l->n; i++) {
        sum.simulated += log(l->points[i].value.simulated) / (double)l->n;
        sum.printed += log(l->points[i].value.printed) / (double)l->n;
    }
    return (struct pair){exp(sum.simulated), exp(sum.printed)};
}

/* --- words ---------------------------------------------------------------- */

static void add_list(char **text, const char *before, const char *const *list)
{
    for (size_t i = 0; list[i]; i++)
        text_add(text, "%s%s", i ? ", " : before, list[i]);
}

static void add_base(char **text, const struct cell_test *t)
{
    const char *before = t->measure == TIME       ? " over"
                         : t->measure == LEVEL_us ? " more than with"
                                                  : " with";

    if (t->base == ONE_LESS)
        text_add(text, "%s one GPU less", before);
    else
        text_add(text, "%s %u GPU%s", before, t->base, many(t->base));
    if (t->measure != TIME && t->measure != LEVEL_us)
        text_add(text, " / with all");
}

static void add_quantity(char **text, const struct cell_test *t)
{
    static const char *const names[] = {"time", "visits by vertices",
                                        "redundant visits by vertices",
                                        "visits", "us a level"};
    bool speedup = t->measure == TIME && t->base;

    text_add(text, ": %s", speedup ? "speed-up" : names[t->measure]);
    add_list(text, " of ", t->frameworks);
    if (t->base)
        add_base(text, t);
    if (t->than)
        text_add(text, " / that of %s", t->than);
    if (t->than_application)
        text_add(text, "%s in %s", t->than ? "" : " / that",
                 t->than_application);
    if (t->than_graphs)
        add_list(text, " / on ", t->than_graphs);
}

static void add_wanted(char **text, const struct cell_test *t)
{
    text_add(text, "; wanted%s", t->average ? " as geometric mean" : "");
    if (t->number > 0)
        text_add(text, " %.4g", t->number);
    else if (t->within > 0)
        text_add(text, " what is printed");
    if (t->within > 0)
        text_add(text, " within a factor %g", t->within);
    if (t->above > 0)
        text_add(text, " above %g", t->above);
    if (t->below > 0)
        text_add(text, "%s below %g", t->above > 0 ? " and" : "", t->below);
}

static void add_number(char **text, double x)
{
    text_add(text, fabs(x) < 1000 ? "%.3g" : "%.0f", x);
}

static void add_value(char **text, struct pair v)
{
    add_number(text, v.simulated);
    if (isnan(v.printed))
        return;
    text_add(text, " (printed ");
    add_number(text, v.printed);
    text_add(text, ")");
}

/* Adds the words in which the points differ, and the value. */
static void add_point_text(char **text, const struct cell_test *t,
                           const struct point *p)
{
    if (t->frameworks[1])
        text_add(text, "%s ", p->framework);
    if (t->graphs[1])
        text_add(text, "%s ", p->graph);
    if (t->than_graphs && t->than_graphs[1])
        text_add(text, "/ %s ", p->than_graph);
    if (t->from < t->to)
        text_add(text, "%u GPU%s ", p->gpus, many(p->gpus));
    add_value(text, p->value);
}

/* Returns the least or the most of all values. */
static struct pair extreme(const struct look *l, double (*of)(double, double))
{
    struct pair v = {NAN, NAN};

    for (size_t i = 0; i < l->n; i++) {
        v.simulated = of(v.simulated, l->points[i].value.simulated);
        v.printed = of(v.printed, l->points[i].value.printed);
    }
    return v;
}

enum { SHOWN = 4 };

static void add_range(char **text, const struct look *l)
{
    struct pair least = extreme(l, fmin), most = extreme(l, fmax);

    add_number(text, least.simulated);
    text_add(text, " to ");
    add_number(text, most.simulated);
    if (!isnan(least.printed)) {
        text_add(text, " (printed ");
        add_number(text, least.printed);
        text_add(text, " to ");
        add_number(text, most.printed);
        text_add(text, ")");
    }
    text_add(text, " in %zu cases", l->n);
}

/* Adds each value if they are few, otherwise their range and some of those that
 * fail. */
static void add_values(char **text, const struct look *l, size_t failing)
{
    bool few = l->n <= SHOWN;
    size_t shown = 0;

    text_add(text, ": ");
    if (!few)
        add_range(text, l);
    if (!few && (failing == 0 || l->test->average))
        return;
    if (!few)
        text_add(text, ", %zu not as wanted: ", failing);
    for (size_t i = 0; i < l->n && shown < SHOWN; i++)
        if (few || !holds_for(l->test, l->points[i].value)) {
            text_add(text, "%s", shown++ ? ", " : "");
            add_point_text(text, l->test, &l->points[i]);
        }
    if (!few && failing > shown)
        text_add(text, ", ...");
}

static void add_subject(char **text, const struct cell_test *t)
{
    text_add(text, "%s on %s", t->application, t->machine);
    add_list(text, ", ", t->graphs);
    if (t->from < t->to)
        text_add(text, ", %u to %u GPUs", t->from, t->to);
    else
        text_add(text, ", %u GPU%s", t->to, many(t->to));
    add_quantity(text, t);
}

/* --- the test ------------------------------------------------------------- */

static size_t count_failing(const struct look *l)
{
    size_t n = 0;

    for (size_t i = 0; i < l->n; i++)
        n += !holds_for(l->test, l->points[i].value);
    return n;
}

/* Decides the verdict. If cells are missing a mean decides nothing, but a value
 * that fails does. */
static void conclude(struct verdict *v, const struct look *l)
{
    const struct cell_test *t = l->test;
    struct pair mean = mean_of(l);
    size_t failing =
        t->average ? l->n && !holds_for(t, mean) : count_failing(l);
    char *text = NULL;

    add_subject(&text, t);
    if (l->n)
        add_values(&text, l, failing);
    if (l->n && t->average) {
        text_add(&text, ", geometric mean ");
        add_value(&text, mean);
    }
    add_wanted(&text, t);
    if (l->nmissing > 1)
        text_add(&text, "; not run at full size: %s, and %zu more", l->missing,
                 l->nmissing - 1);
    else if (l->nmissing)
        text_add(&text, "; not run at full size: %s", l->missing);
    if (l->nfitted > 1)
        text_add(&text, "; fitted: %s, and %zu more", l->fitted,
                 l->nfitted - 1);
    else if (l->nfitted)
        text_add(&text, "; fitted: %s", l->fitted);
    v->from = l->nfitted ? EVIDENCE_FITTED : EVIDENCE_PREDICTED;
    if (l->nmissing && (t->average || failing == 0))
        verdict_not_run(v, "%s", text);
    else
        verdict_part(v, failing == 0, "%s", text);
    free(text);
}

void cell_test_run(struct verdict *v, const struct cell_test *test,
                   const struct cells *cells)
{
    struct look l = {.test = test, .cells = cells};

    cell_test_add_points(&l);
    conclude(v, &l);
    free(l.points);
    free(l.missing);
    free(l.fitted);
}
