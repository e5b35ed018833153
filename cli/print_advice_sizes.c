/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the advice for a range of sizes: a row for each, the sizes at which
 * the choice switches, and the best single candidate for all. */
#include "cli/print_advice.h"

#include "cli/document.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct advice_results results_of(const struct advised_size *size,
                                        const struct advice_results *asked)
{
    struct advice_results r = *asked;

    r.candidates = &size->candidates;
    r.advice = &size->advice;
    return r;
}

/* --- for people ----------------------------------------------------------- */

static void print_sizes_heading(const struct advised_sizes *s,
                                const struct advice_results *asked)
{
    const struct advised_size *first = &s->list[advised_sizes_next(s, 0)];
    const struct candidates *w = &first->candidates;

    printf("%s on %s: ", asked->request->work.words, w->machine.name);
    print_advice_place(w);
    printf("; %zu machine%s drawn (seed %llu), %zu simulations\n",
           first->advice.ndraws, first->advice.ndraws == 1 ? "" : "s",
           (unsigned long long)asked->options->seed, s->simulations);
}

/* Prints the measured range of the size about whose kind the least is known. */
static void print_sizes_range(const struct advised_sizes *s,
                              const struct advice_results *asked)
{
    size_t worst = advised_sizes_next(s, 0);

    for (size_t i = worst; i < s->n; i = advised_sizes_next(s, i + 1))
        if (s->list[i].candidates.error.from >
            s->list[worst].candidates.error.from)
            worst = i;
    struct advice_results r = results_of(&s->list[worst], asked);
    print_advice_range(&r);
}

static int widest_use(const struct advised_sizes *s, bool next)
{
    int width = 4;

    for (size_t i = 0; i < s->n; i++) {
        const struct advised_size *size = &s->list[i];
        const struct advice *a = &size->advice;
        if (size->why || (next && !advice_has_next(a)))
            continue;
        size_t candidate = next ? advice_next(a) : a->order[0];
        int length = (int)strlen(size->candidates.list[candidate].name);
        width = length > width ? length : width;
    }
    return width;
}

static void print_sizes_row(const struct advised_size *size, int use, int next)
{
    const struct advice *a = &size->advice;
    const struct advised_candidate *w = &a->candidates[a->order[0]];

    printf("%12llu  %-*s %10.2f", (unsigned long long)size->bytes, use,
           advised_size_use(size), w->time_s * 1e6);
    if (a->ndraws)
        printf(" %10.2f %10.2f %13.2f %8.1f %%", w->low_s * 1e6,
               w->high_s * 1e6, a->best, a->regret * 100);
    if (advice_has_next(a))
        printf("  %-*s %+8.1f %%%s", next,
               size->candidates.list[advice_next(a)].name, a->lead * 100,
               advice_next_ties(a) ? "  tie" : "");
    for (size_t i = 1; i < a->tied; i++)
        printf("%s%s", i > 1 ? ", " : "  as fast: ",
               size->candidates.list[a->order[i]].name);
    printf("\n");
}

static void print_sizes_table(const struct advised_sizes *s)
{
    int use = widest_use(s, false), next = widest_use(s, true);
    bool drawn = s->list[advised_sizes_next(s, 0)].advice.ndraws > 0;

    printf("\n%12s  %-*s %10s", "bytes", use, "use", "time us");
    if (drawn)
        printf(" %10s %10s %13s %10s", "5 %", "95 %", "fastest with", "regret");
    printf("  %-*s %10s\n", next, "next", "takes");
    for (size_t i = 0; i < s->n; i++)
        if (!s->list[i].why)
            print_sizes_row(&s->list[i], use, next);
}

static void print_switches(const struct advised_sizes *s)
{
    size_t n;
    struct size_switch *list = advised_sizes_switches(s, &n);

    printf("\n");
    if (!n)
        printf("the choice is the same at every size\n");
    for (size_t i = 0; i < n; i++) {
        const struct size_switch *w = &list[i];
        printf("between %llu and %llu B the choice switches to %s: there %s ",
               (unsigned long long)s->list[w->before].bytes,
               (unsigned long long)s->list[w->at].bytes, w->use, w->was);
        if (isnan(w->was_times_best))
            printf("cannot do it\n");
        else
            printf("takes %.1f %% longer\n", (w->was_times_best - 1) * 100);
    }
    free(list);
}

static void print_one(const struct advised_sizes *s)
{
    struct one_for_all one = advised_sizes_one(s);

    if (one.candidate && one.worst > 1)
        printf(
            "one candidate for all sizes: %s, at most %.1f %% longer than the "
            "best, at %llu B\n",
            one.candidate, (one.worst - 1) * 100,
            (unsigned long long)s->list[one.worst_at].bytes);
}

void print_advised_sizes(const struct advised_sizes *s,
                         const struct advice_results *asked)
{
    print_sizes_range(s, asked);
    print_sizes_heading(s, asked);
    print_sizes_table(s);
    print_switches(s);
    print_one(s);
    for (size_t i = 0; i < s->n && asked->details; i++) {
        struct advice_results r = results_of(&s->list[i], asked);
        if (s->list[i].why)
            continue;
        printf("\n%llu B", (unsigned long long)s->list[i].bytes);
        print_advice_candidates(&r);
    }
    if (asked->details) {
        struct advice_results r =
            results_of(&s->list[advised_sizes_next(s, 0)], asked);
        print_advice_rules(&r);
    }
}

/* --- as JSON -------------------------------------------------------------- */

static struct json *size_json(const struct advised_size *size,
                              const struct advice_results *asked)
{
    struct advice_results r = results_of(size, asked);
    struct json *o = json_new_object();

    json_add_number(o, "size_bytes", (double)size->bytes);
    add_advice(o, &r);
    return o;
}

static struct json *switches_json(const struct advised_sizes *s)
{
    size_t n;
    struct size_switch *list = advised_sizes_switches(s, &n);
    struct json *all = json_new_array();

    for (size_t i = 0; i < n; i++) {
        const struct size_switch *w = &list[i];
        struct json *o = json_new_object();
        json_add_number(o, "above_bytes", (double)s->list[w->before].bytes);
        json_add_number(o, "from_bytes", (double)s->list[w->at].bytes);
        json_add_string(o, "was", w->was);
        json_add_string(o, "use", w->use);
        json_add_number(o, "was_times_best", w->was_times_best);
        json_append(all, o);
    }
    free(list);
    return all;
}

void print_advised_sizes_json(const struct advised_sizes *s,
                              const struct advice_results *asked)
{
    const struct advised_size *first = &s->list[advised_sizes_next(s, 0)];
    struct one_for_all one = advised_sizes_one(s);
    struct advice_results r = results_of(first, asked);
    struct json *doc = document_new("advise"), *sizes = json_new_array();

    add_advice_place(doc, &r);
    json_add_number(doc, "simulations", (double)s->simulations);
    for (size_t i = 0; i < s->n; i++)
        if (!s->list[i].why)
            json_append(sizes, size_json(&s->list[i], asked));
    json_add(doc, "sizes", sizes);
    json_add(doc, "switches", switches_json(s));
    if (one.candidate) {
        struct json *o = json_new_object();
        json_add_string(o, "use", one.candidate);
        json_add_number(o, "worst_times_best", one.worst);
        json_add_number(o, "worst_at_bytes",
                        (double)s->list[one.worst_at].bytes);
        json_add(doc, "one_for_all", o);
    }
    document_print(doc);
}
