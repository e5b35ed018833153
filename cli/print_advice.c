/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints an advice for people: the candidate to use, the probability that it is
 * the fastest, the reasons, and the values at which another one would be. */
#include "cli/print_advice.h"

#include "cli/print_sizes.h"
#include "study/advise/benchmarks.h"
#include "study/run/graph_rounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_CANDIDATES = 8, SHOWN_PARAMETERS = 3, SHOWN_BREAK_EVENS = 3 };

const char *advice_platform(const struct advice_results *r)
{
    return r->request->platform ? r->request->platform
                                : r->candidates->machine.name;
}

bool advice_by_table(const struct advice_results *r)
{
    return r->advice->ndraws && r->by_table;
}

const char *advice_candidate_name(const struct advice_results *r,
                                  size_t candidate)
{
    return r->candidates->list[candidate].name;
}

void print_advice_place(const struct candidates *w)
{
    if (w->gpus)
        printf("%u GPU%s, ", w->gpus, w->gpus == 1 ? "" : "s");
    else if (w->ranks)
        printf("%u ranks, ", w->ranks);
    printf("%u node%s", w->nodes, w->nodes == 1 ? "" : "s");
}

const char *advice_extrapolates(char words[EXTRAPOLATES_ROOM],
                                const struct advice_results *r)
{
    const struct model_error *e = &r->candidates->error;
    const struct advice_candidate *candidate =
        &r->candidates->list[r->advice->order[0]];
    struct answered a = {.nodes = r->candidates->nodes};

    if (r->by_table && *e->extrapolates)
        return e->extrapolates;
    if (r->fastest)
        a = answered_by(&r->candidates->jobs[candidate->job].job, r->fastest,
                        1);
    extrapolates(words, &r->candidates->machine, &a);
    return words;
}

/* Prints the range in which decisions of this kind were measured, unless the
 * request is inside it or the model error is the user's. */
void print_advice_range(const struct advice_results *r)
{
    const struct model_error *e = &r->candidates->error;
    bool never = advice_by_table(r) && *e->words;
    char room[EXTRAPOLATES_ROOM];
    const char *beyond = advice_extrapolates(room, r);

    if (never || *beyond)
        printf("%s%s%s%s\n", *beyond ? "extrapolates: " : "", beyond,
               never && *beyond ? "; " : "", never ? e->words : "");
}

static void print_heading(const struct advice_results *r)
{
    const struct advice *a = r->advice;

    printf("%s on %s: ", r->request->work.words, r->candidates->machine.name);
    print_advice_place(r->candidates);
    printf("; %zu candidate%s, %zu machine%s drawn (seed %llu), %zu "
           "simulations\n\n",
           a->n, a->n == 1 ? "" : "s", a->ndraws, a->ndraws == 1 ? "" : "s",
           (unsigned long long)r->options->seed,
           a->simulations + (r->why ? r->why->simulations : 0));
}

/* --- the answer ----------------------------------------------------------- */

static void print_next(const struct advice_results *r)
{
    const struct advice *a = r->advice;

    printf("%s %s, which takes %.1f %% longer",
           advice_next_ties(a) ? "a tie with" : "ahead of",
           advice_candidate_name(r, advice_next(a)), a->lead * 100);
    if (a->ndraws)
        printf(", and is slower with probability %.2f", a->before_second);
    printf("\n");
}

static void print_answer(const struct advice_results *r)
{
    const struct advice *a = r->advice;

    printf("use ");
    for (size_t i = 0; i < a->tied; i++)
        printf("%s%s", i ? " or " : "", advice_candidate_name(r, a->order[i]));
    printf(": %.2f us\n", a->candidates[a->order[0]].time_s * 1e6);
    if (a->tied > 1)
        printf("a tie of %zu: they take the same time on every machine\n",
               a->tied);
    if (!advice_has_next(a)) {
        printf("there is no other candidate\n");
        return;
    }
    print_next(r);
    if (!a->ndraws)
        return;
    printf("%sthe fastest of all with probability %.2f",
           a->tied > 1 ? "one of them is " : "", a->best);
    if (a->ndraws > 1)
        printf(" +- %.2f", a->best_error);
    printf(", where every number of the machine varies and the simulator errs "
           "by %.0f %%",
           100 * r->options->model_error);
    if (r->options->path_error > 0)
        printf(", and by %.0f %% of candidates that share a path",
               100 * r->options->path_error);
    printf("\n");
    printf("regret: %.1f %% longer than the best on average; %.1f %% where "
           "another is the best\n",
           a->regret * 100, a->regret_if_wrong * 100);
}

void print_advice_candidates(const struct advice_results *r)
{
    const struct advice *a = r->advice;
    size_t n = r->details || a->n < SHOWN_CANDIDATES ? a->n : SHOWN_CANDIDATES;
    int width = 20;

    for (size_t i = 0; i < n; i++) {
        int length = (int)strlen(advice_candidate_name(r, a->order[i]));
        width = length > width ? length : width;
    }
    printf("\n%-*s    time us  times the best        5 %%       95 %%  "
           "fastest with\n",
           width, "candidate");
    for (size_t i = 0; i < n; i++) {
        const struct advised_candidate *w = &a->candidates[a->order[i]];
        printf("%-*s %10.2f %15.2f", width,
               advice_candidate_name(r, a->order[i]), w->time_s * 1e6,
               w->time_s / a->candidates[a->order[0]].time_s);
        if (a->ndraws && !w->draws)
            printf(" %10s %10s %13.2f  **", "-", "-", w->best);
        else if (a->ndraws)
            printf(" %10.2f %10.2f %13.2f%s", w->low_s * 1e6, w->high_s * 1e6,
                   w->best, w->draws < a->ndraws ? "  *" : "");
        printf("\n");
    }
    if (n < a->n)
        printf("and %zu slower ones (--details)\n", a->n - n);
    if (a->dropped)
        printf(
            "* %zu candidate%s more than %g standard deviations behind on the "
            "first %d to %d machines: simulated on these alone\n",
            a->dropped, a->dropped == 1 ? "" : "s", ADVISE_NEVER,
            ADVISE_FIRST_TRIAL, ADVISE_LAST_TRIAL);
    if (a->hopeless)
        printf("** %zu candidate%s more than %.3g times as long as the "
               "fastest, which "
               "is as far as %g standard deviations of the largest spread: on "
               "the machine as it is alone\n",
               a->hopeless, a->hopeless == 1 ? "" : "s", a->hopeless_from,
               ADVISE_NEVER);
    for (size_t i = 0; i < r->candidates->njobs; i++)
        print_untold(&r->candidates->jobs[i].job);
}

/* --- why ------------------------------------------------------------------ */

static void print_path(const struct outcome *o)
{
    const struct rests_on *on = &o->report.rests_on;
    bool any = false, shown[NPATH_USES] = {0};

    if (!(on->total_s > 0))
        return;
    printf("\ncritical path of %s: ", o->name);
    for (int k = 0; k < NPATH_USES; k++) {
        int most = -1;
        for (int i = 0; i < NPATH_USES; i++)
            if (!shown[i] && on->used_s[i] > 0.005 * on->total_s &&
                (most < 0 || on->used_s[i] > on->used_s[most]))
                most = i;
        if (most < 0)
            break;
        shown[most] = true;
        char words[32];
        snprintf(words, sizeof words, "%s", path_use_names[most]);
        for (char *c = words; *c; c++)
            if (*c == '_')
                *c = ' ';
        printf("%s%.0f %% %s", any ? ", " : "",
               100 * on->used_s[most] / on->total_s, words);
        any = true;
    }
    printf("\n%.0f %% of it rests on assumed numbers, %.0f %% on those of "
           "another machine\n",
           100 * on->s[PROVENANCE_ASSUMED] / on->total_s,
           100 * on->s[PROVENANCE_TAKEN_OVER] / on->total_s);
}

static void print_rounds_time(const struct outcome *o)
{
    if (o->on_hosts && o->time_s > 0)
        printf("\n%.0f %% of the time is computation of the busiest host in "
               "each round; else communication that is not overlapped, gathers "
               "and scatters\n",
               100 * rounds_asked(o)->compute_s / o->time_s);
}

static void print_spread(const struct spread *s)
{
    if (s->uniform)
        printf("x %g to %g", s->low, s->high);
    else if (s->factor > 1)
        printf("x/ %.2f%s", s->factor, s->stated ? " stated" : "");
    else
        printf("exact");
}

/* Returns "KEY", or "NAME (3 numbers)" if it is a group. The caller frees
 * it. */
static char *parameter_words(const struct parameter *p)
{
    return p->nplaces > 1 ? xasprintf("%s (%zu numbers)", p->key, p->nplaces)
                          : xstrdup(p->key);
}

static void print_members(const struct advice_results *r, size_t parameter)
{
    const struct parameters *p = &r->candidates->parameters;

    if (p->list[parameter].nplaces < 2)
        return;
    for (size_t i = 0; i < p->nnumbers; i++)
        if (p->numbers[i].of == parameter)
            printf("      %s %.4g\n", p->numbers[i].key, p->numbers[i].value);
}

static void print_percent(double percent)
{
    if (isnan(percent))
        printf("  %8s", "-");
    else
        printf("  %+6.2f %%", percent + 0.0);
}

static void print_elasticity(const struct advice_results *r,
                             const struct elasticity *e)
{
    const struct parameter *p = &r->candidates->parameters.list[e->parameter];
    char *words = parameter_words(p);

    printf("  %-52s %10.4g  %s, ", words, p->value, provenance_names[p->from]);
    print_spread(&p->spread);
    print_percent(e->first);
    print_percent(e->less);
    if (why_has_second(r->advice))
        print_percent(e->second);
    printf("\n");
    free(words);
    if (r->details)
        print_members(r, e->parameter);
}

static void print_elasticities(const struct advice_results *r)
{
    const struct why *w = r->why;
    size_t n = r->details || w->n < SHOWN_PARAMETERS ? w->n : SHOWN_PARAMETERS;
    bool second = why_has_second(r->advice);

    printf("\n%-54s %10s  source, spread, and the time with 1 %% more, 1 %% "
           "less%s\n",
           "", "value", second ? ", the next candidate's with 1 % more" : "");
    for (size_t i = 0; i < n; i++)
        print_elasticity(r, &w->list[i]);
    printf("%zu parameters matter to the first %s, %zu do not\n", w->n,
           second ? "two candidates" : "candidate", w->rest);
    if (w->limits)
        printf("%zu limits between segments are drawn, in whole bytes: they "
               "have no elasticity\n",
               w->limits);
}

/* Prints the numbers that are a bottleneck only together. */
static void print_tied(const struct advice_results *r)
{
    for (size_t k = 0; k < r->why->ntied; k++) {
        const struct tied *t = &r->why->tied[k];
        printf("tied bottlenecks:");
        for (size_t i = 0; i < t->n; i++) {
            const struct parameter *p =
                &r->candidates->parameters.list[t->list[i]];
            printf("%s %s=x%g", i ? "," : "", p->key, why_better(p));
        }
        printf(": together %+.2f %%, one alone %+.2f %%\n", t->first,
               t->alone > 0 ? -t->alone : 0.0);
    }
}

static void print_side(const struct advice_results *r,
                       const struct parameter *p,
                       const struct break_even_side *side, const char *on,
                       const char *before)
{
    if (isnan(side->factor))
        return;
    if (p->nplaces > 1 || p->shares)
        printf("%s at x%.4g and %s %s", before, side->factor, on,
               advice_candidate_name(r, side->candidate));
    else
        printf("%s at %.4g and %s %s", before, side->value, on,
               advice_candidate_name(r, side->candidate));
}

static void print_break_even(const struct advice_results *r,
                             const struct break_even *f)
{
    const struct parameter *p = &r->candidates->parameters.list[f->parameter];
    char *words = parameter_words(p);

    printf("  %s, now %.4g:", words, p->value);
    print_side(r, p, &f->below, "below", "");
    print_side(r, p, &f->above, "above", isnan(f->below.factor) ? "" : ";");
    printf("\n");
    free(words);
}

static void print_break_evens(const struct advice_results *r)
{
    const struct why *w = r->why;
    size_t shown = 0, stands = 0;

    if (advice_has_next(r->advice) && !why_has_second(r->advice))
        printf("\nno change of one number within a factor of %g makes another "
               "candidate the fastest\n",
               WHY_FAR);
    if (!w->nflips)
        return;
    printf("\nanother candidate is the fastest with\n");
    for (size_t i = 0; i < w->nflips; i++) {
        const struct break_even *f = &w->break_evens[i];
        if (isnan(f->below.factor) && isnan(f->above.factor))
            stands++;
        else if (r->details || shown < SHOWN_BREAK_EVENS)
            print_break_even(r, f), shown++;
    }
    if (!shown)
        printf("  nothing within a factor of %g: of the %zu parameters that "
               "matter most to the choice\n",
               WHY_FAR, w->nflips);
    else if (stands)
        printf("  nothing within a factor of %g: of %zu more parameters\n",
               WHY_FAR, stands);
}

static void print_benchmarks(const struct advice_results *r)
{
    const struct why *w = r->why;

    if (w->benchmarks == SIZE_MAX)
        return;
    const struct parameter *p = &r->candidates->parameters.list[w->benchmarks];
    char *commands = benchmark_commands(p->key, advice_platform(r));
    printf("\nto reduce the doubt measure %s (%s): %.0f %% of the doubt "
           "between the "
           "first two that comes from numbers\n    %s\n",
           p->key, provenance_names[p->from], w->benchmarks_share * 100,
           commands);
    free(commands);
}

/* --- the distributions of the draws --------------------------------------- */

static void print_left_out(const struct advice_results *r)
{
    const struct model_error *e = &r->candidates->error;

    if (!r->by_table)
        printf("  %-20s log-normal, standard deviation %.2f: as given\n",
               "what is left out", r->options->model_error);
    else
        printf("  %-20s log-normal, standard deviation %.2f of a candidate, "
               "%.2f of "
               "a path: %u measured decisions (results/advise)\n",
               "what is left out", e->own, e->path, e->bound.cases);
}

void print_advice_rules(const struct advice_results *r)
{
    printf("\nspreads, by source: 95 %% of the factors that a number is "
           "drawn with\n");
    for (size_t i = 0; i < nspread_rules; i++) {
        const struct spread_rule *rule = &spread_rules[i];
        char name[40];
        snprintf(name, sizeof name, "%s%s", provenance_names[rule->from],
                 rule->rate ? " rate" : "");
        printf("  %-20s %s ", name,
               rule->spread.uniform ? "uniform   " : "log-normal");
        print_spread(&rule->spread);
        printf(": %s\n", rule->why);
    }
    print_left_out(r);
    printf("numbers of a group vary together (its name is what --set takes), "
           "all others independently\n");
}

void print_advice(const struct advice_results *r)
{
    print_advice_range(r);
    print_heading(r);
    print_answer(r);
    print_advice_candidates(r);
    print_path(r->fastest);
    print_rounds_time(r->fastest);
    if (r->why) {
        print_elasticities(r);
        print_tied(r);
        print_break_evens(r);
        print_benchmarks(r);
    }
    if (r->details)
        print_advice_rules(r);
}

void print_reach(const struct reach *answers, size_t n, double time_s)
{
    printf("to reach %.6g us", time_s * 1e6);
    for (size_t i = 0; i < n; i++) {
        const struct reach *r = &answers[i];
        if (i == 0)
            printf(", now %.2f us\n", r->now_s * 1e6);
        if (r->why_not)
            printf("  not by %s\n", r->why_not->text);
        else
            printf("  %s: %s %.4g, now %.4g (%s): %s, %.2f us\n", r->key,
                   r->any    ? "with any, even"
                   : r->most ? "at most"
                             : "at least",
                   r->value, r->now, r->set, r->candidate, r->value_s * 1e6);
    }
}
