/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the table of nccl-tests: for each size the elements, time and
 * bandwidths of the fastest candidate, or of all with details. */
#include "cli/print_sizes.h"
#include "cli/document.h"
#include "cli/print_extrapolates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- text ----------------------------------------------------------------- */

/* Widths of the columns of names: those of the longest. */
struct widths {
    int algorithm, takes;
};

static const char *print_sizes_second(const struct run_results *r)
{
    const struct judged *j = r->judged;

    const char *second = r->job->automatic ? j->best : j->takes;

    return second ? second : "-";
}

static bool is_judged(const struct run_results *r)
{
    return r->judged && r->judged->library;
}

/* Returns the name of a candidate, with a note if it is the first of a tie. The
 * caller frees it. */
static char *print_sizes_name(const struct run_results *r,
                              const struct outcome *o)
{
    size_t tied = o == r->list ? outcomes_tied(r->list, r->n) : 1;

    return tied > 1 ? xasprintf("%s (a tie of %zu)", o->name, tied)
                    : xstrdup(o->name);
}

static void widen(int *width, const char *name)
{
    if ((int)strlen(name) > *width)
        *width = (int)strlen(name);
}

static void print_sizes_widen(struct widths *w, const struct run_results *r,
                              bool all)
{
    for (size_t i = 0; i < (all ? r->n : 1); i++) {
        char *name = print_sizes_name(r, &r->list[i]);
        widen(&w->algorithm, name);
        free(name);
    }
    if (is_judged(r))
        widen(&w->takes, print_sizes_second(r));
}

/* Prints the library's choice, or the best if the rows show the library's. */
static void print_sizes_judged(const struct run_results *r,
                               const struct widths *w)
{
    double regret = judged_regret(r->judged);

    printf("  %-*s", w->takes, print_sizes_second(r));
    if (isnan(regret))
        printf(" %9s", "-");
    else
        printf(" %7.1f %%", 100 * regret);
}

/* Returns whether both places are measured; then an outcome's time is the one
 * out of place. */
static bool in_both_places(const struct run_results *r)
{
    return r->job->load.collective.place == COLLECTIVE_BOTH_PLACES;
}

static void print_sizes_time(const struct sized *s, double time_s)
{
    printf("%11.2f %9.3f %9.3f ", time_s * 1e6, sized_algbw(s, time_s) / 1e9,
           sized_busbw(s, time_s) / 1e9);
}

static void print_sizes_row(const struct sized *s, const struct outcome *o,
                            const struct run_results *r, const struct widths *w)
{
    char *type = sized_type(s->element_B), *name = print_sizes_name(r, o);

    printf("%12llu %12llu %7s ", (unsigned long long)s->bytes,
           (unsigned long long)s->count, type);
    print_sizes_time(s, o->time_s);
    if (in_both_places(r))
        print_sizes_time(s, o->in_place_s);
    printf(" ");
    if (is_judged(r) && o == r->list) {
        printf("%-*s", w->algorithm, name);
        print_sizes_judged(r, w);
    } else {
        printf("%s", name);
    }
    printf("\n");
    free(type);
    free(name);
}

static void print_sizes_of(const struct run_results *r, const struct widths *w,
                           bool all)
{
    struct sized s;

    if (!job_sized(&s, r->job))
        return;
    for (size_t i = 0; i < (all ? r->n : 1); i++)
        print_sizes_row(&s, &r->list[i], r, w);
}

static void print_sizes_head(const struct run_results *r, struct widths *w)
{
    const struct judged *j = r->judged;
    char *takes = !is_judged(r)       ? NULL
                  : r->job->automatic ? xstrdup("best")
                                      : xasprintf("%s takes", j->library);

    widen(&w->algorithm, "algorithm");
    if (takes)
        widen(&w->takes, takes);
    int places = in_both_places(r) ? 2 : 1;
    if (places == 2)
        printf("%34s%32s%32s\n", "", "out of place ", "in place ");
    printf("%12s %12s %7s ", "size", "count", "type");
    for (int i = 0; i < places; i++)
        printf("%11s %9s %9s ", "time", "algbw", "busbw");
    printf(" ");
    if (takes)
        printf("%-*s  %-*s %9s", w->algorithm, "algorithm", w->takes, takes,
               "regret");
    else
        printf("%s", "strategy");
    printf("\n%12s %12s %7s", "B", "elements", "");
    for (int i = 0; i < places; i++)
        printf(" %11s %9s %9s", "us", "GB/s", "GB/s");
    printf("\n");
    free(takes);
}

void print_sizes_table(const struct run_results *r)
{
    struct widths w = {0};
    struct sized s;

    if (!job_sized(&s, r->job))
        return;
    print_sizes_widen(&w, r, r->details);
    print_sizes_head(r, &w);
    print_sizes_of(r, &w, r->details);
    printf("\n");
}

void print_untold(const struct job *j)
{
    for (size_t i = 0; i < j->nchoices && !j->told; i++) {
        const char *why = j->choices[i].untold;
        bool said = !why;
        for (size_t k = 0; k < i && !said; k++)
            said = j->choices[k].untold && !strcmp(j->choices[k].untold, why);
        if (said)
            continue;
        printf("no library of %s can be told to take %s", j->machine->name,
               j->choices[i].name);
        for (size_t k = i + 1; k < j->nchoices; k++)
            if (j->choices[k].untold && !strcmp(j->choices[k].untold, why))
                printf(", %s", j->choices[k].name);
        printf(": %s\n", why);
    }
}

struct run_results sweep_results(const struct sweep_size *size,
                                 const struct compared *compared, bool details)
{
    return (struct run_results){
        .job = &size->job,
        .list = size->runs.list,
        .n = size->shown,
        .compared = compared,
        .judged = &size->judged,
        .details = details,
    };
}

/* --- sweeps --------------------------------------------------------------- */

/* Returns whether no candidate is faster than this one. */
static bool is_first(const struct sweep_size *size, const char *name)
{
    size_t tied = outcomes_tied(size->runs.list, size->shown);

    for (size_t i = 0; i < tied; i++)
        if (!strcmp(size->runs.list[i].name, name))
            return true;
    return false;
}

/* Prints the largest size up to which each candidate in turn is the fastest. */
static void print_sizes_switches(const struct sweep *s)
{
    const struct sweep_size *last = NULL;
    const char *comma = "", *name = NULL;

    for (size_t i = 0; i < s->n; i++) {
        const struct sweep_size *size = &s->sizes[i];
        if (size->why)
            continue;
        if (!last)
            printf("\n%s:", size->job.automatic ? "taken" : "fastest");
        else if (!is_first(size, name)) {
            printf("%s %s up to %llu B", comma, name,
                   (unsigned long long)last->bytes);
            comma = ",";
            name = NULL;
        }
        name = name ? name : size->runs.list->name;
        last = size;
    }
    if (last)
        printf("%s %s\n", *comma ? ", then" : "", name);
}

/* Prints the mark of the largest size that was simulated. */
static void print_sizes_extrapolate(const struct sweep *s)
{
    for (size_t i = s->n; i-- > 0;) {
        const struct sweep_size *size = &s->sizes[i];
        if (size->why)
            continue;
        struct answered a =
            answered_by(&size->job, size->runs.list, size->shown);
        print_extrapolates(size->job.machine, &a);
        return;
    }
}

static void print_sweep_text(const struct sweep *s, bool details)
{
    const struct compared none = {0};
    struct widths w = {0};
    bool first = true;

    for (size_t i = 0; i < s->n; i++) {
        struct run_results r = sweep_results(&s->sizes[i], &none, details);
        if (!s->sizes[i].why)
            print_sizes_widen(&w, &r, details);
    }
    for (size_t i = 0; i < s->n; i++) {
        if (s->sizes[i].why)
            continue;
        struct run_results r = sweep_results(&s->sizes[i], &none, details);
        if (first) {
            print_run_heading(&r, s->words);
            print_sizes_head(&r, &w);
        }
        first = false;
        print_sizes_of(&r, &w, details);
    }
    print_sizes_switches(s);
    print_sizes_extrapolate(s);
    for (size_t i = 0; i < s->n; i++)
        if (!s->sizes[i].why) {
            print_untold(&s->sizes[i].job);
            break; /* because it is the same for all sizes */
        }
}

static void print_sweep_csv(const struct sweep *s)
{
    const struct compared none = {0};
    bool first = true;

    for (size_t i = 0; i < s->n; i++) {
        if (s->sizes[i].why)
            continue;
        struct run_results r = sweep_results(&s->sizes[i], &none, false);
        if (first)
            print_run_csv_head(&r);
        first = false;
        print_run_csv_rows(&r);
    }
}

static void print_sweep_json(const struct sweep *s, bool details)
{
    const struct compared none = {0};
    struct json *list = json_new_array(), *doc = document_new("run");
    bool first = true;

    for (size_t i = 0; i < s->n; i++) {
        if (s->sizes[i].why)
            continue;
        struct run_results r = sweep_results(&s->sizes[i], &none, details);
        if (first)
            add_job(doc, r.job, s->words);
        first = false;
        struct json *o = json_new_object();
        add_results(o, &r);
        json_append(list, o);
    }
    json_add(doc, "sizes", list);
    document_print(doc);
}

void print_sweep(const struct sweep *s, enum sizes_form form, bool details)
{
    if (form == SIZES_CSV)
        print_sweep_csv(s);
    else if (form == SIZES_JSON)
        print_sweep_json(s, details);
    else
        print_sweep_text(s, details);
}
