/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints an advice as JSON: all candidates, all parameters that matter, and the
 * spreads that they were drawn with. */
#include "cli/print_advice.h"

#include "cli/document.h"
#include "cli/print_run.h"
#include "study/advise/benchmarks.h"
#include "study/run/graph_rounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct json *candidate_json(const struct advice_results *r,
                                   size_t candidate)
{
    const struct advised_candidate *w = &r->advice->candidates[candidate];
    const struct advice_candidate *is = &r->candidates->list[candidate];
    const struct candidates_job *j = &r->candidates->jobs[is->job];
    struct json *o = json_new_object();

    json_add_string(o, "way", is->name);
    json_add_string(o, "strategy", is->strategy);
    if (is->choice->untold)
        json_add_string(o, "no_library", is->choice->untold);
    document_add_workload(o, j->words);
    if (j->job.rounds)
        json_add_string(o, "partition", cut_names[j->job.rounds->hosts.cut]);
    else if (j->job.load.partition)
        json_add_string(o, "partition", j->job.load.partition);
    json_add_number(o, "time_s", w->time_s);
    json_add_number(o, "times_best",
                    w->time_s /
                        r->advice->candidates[r->advice->order[0]].time_s);
    if (!r->advice->ndraws)
        return o;
    json_add_number(o, "low_s", w->low_s);
    json_add_number(o, "high_s", w->high_s);
    json_add_number(o, "probability", w->best);
    json_add_number(o, "draws", (double)w->draws);
    return o;
}

void add_advice_place(struct json *doc, const struct advice_results *r)
{
    json_add_string(doc, "workload", r->request->work.words);
    json_add_string(doc, "platform", r->candidates->machine.name);
    json_add_number(doc, "nodes", r->candidates->nodes);
    json_add_number(doc, "gpus", r->candidates->gpus);
}

/* Adds the model error of the kind of request, and its origin. */
static void add_model_error(struct json *doc, const struct advice_results *r)
{
    static const char *const from[] = {
        [MODEL_ERROR_OWN] = "measured",
        [MODEL_ERROR_BEYOND] = "beyond what was measured",
        [MODEL_ERROR_OTHERS] = "measured on other machines",
        [MODEL_ERROR_NEVER] = "never measured"};
    const struct model_error *e = &r->candidates->error;

    if (!r->by_table) {
        json_add_number(doc, "model_error", r->options->model_error);
        return;
    }
    json_add_number(doc, "model_error", e->own);
    json_add_number(doc, "path_error", e->path);
    json_add_string(doc, "model_error_from", from[e->from]);
    json_add_number(doc, "model_error_cases", e->bound.cases);
    json_add_number(doc, "probability_at_most", e->bound.most);
    if (*e->words)
        json_add_string(doc, "never_measured", e->words);
}

/* Lists the names of the candidates that take the same time as the fastest. */
static struct json *tied_candidates_json(const struct advice_results *r)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < r->advice->tied; i++)
        json_append(list, json_new_string(
                              advice_candidate_name(r, r->advice->order[i])));
    return list;
}

static void add_answer(struct json *doc, const struct advice_results *r)
{
    const struct advice *a = r->advice;
    char room[EXTRAPOLATES_ROOM];
    const char *beyond = advice_extrapolates(room, r);

    json_add_string(doc, "use", advice_candidate_name(r, a->order[0]));
    json_add_bool(doc, "tie", advice_is_tie(a));
    if (a->tied > 1)
        json_add(doc, "tied_ways", tied_candidates_json(r));
    if (advice_has_next(a)) {
        json_add_string(doc, "next", advice_candidate_name(r, advice_next(a)));
        json_add_number(doc, "lead", a->lead);
    }
    json_add_number(doc, "draws", (double)a->ndraws);
    json_add_number(doc, "seed", (double)r->options->seed);
    add_model_error(doc, r);
    if (*beyond)
        json_add_string(doc, "extrapolates", beyond);
    json_add_number(
        doc, "simulations",
        (double)(a->simulations + (r->why ? r->why->simulations : 0)));
    if (!a->ndraws)
        return;
    if (a->hopeless)
        json_add_number(doc, "drawn_up_to_times_best", a->hopeless_from);
    json_add_number(doc, "probability", a->best);
    json_add_number(doc, "probability_error", a->best_error);
    json_add_number(doc, "probability_before_next", a->before_second);
    json_add_number(doc, "regret", a->regret);
    json_add_number(doc, "regret_if_wrong", a->regret_if_wrong);
}

static struct json *spread_json(const struct spread *s)
{
    struct json *o = json_new_object();

    json_add_string(o, "law", s->uniform ? "uniform" : "log_normal");
    if (s->uniform) {
        json_add_number(o, "low", s->low);
        json_add_number(o, "high", s->high);
    } else {
        json_add_number(o, "factor", s->factor);
    }
    return o;
}

/* Adds the keys of the numbers of a group. */
static void add_members(struct json *o, const struct parameters *p,
                        size_t parameter)
{
    struct json *list;

    if (p->list[parameter].nplaces < 2)
        return;
    list = json_new_array();
    for (size_t i = 0; i < p->nnumbers; i++)
        if (p->numbers[i].of == parameter)
            json_append(list, json_new_string(p->numbers[i].key));
    json_add(o, "members", list);
}

static struct json *tied_json(const struct advice_results *r)
{
    struct json *all = json_new_array();

    for (size_t k = 0; k < r->why->ntied; k++) {
        const struct tied *t = &r->why->tied[k];
        struct json *o = json_new_object(), *list = json_new_array();
        for (size_t i = 0; i < t->n; i++) {
            const struct parameter *p =
                &r->candidates->parameters.list[t->list[i]];
            char *set = xasprintf("%s=x%g", p->key, why_better(p));
            json_append(list, json_new_string(set));
            free(set);
        }
        json_add(o, "set", list);
        json_add_number(o, "together", t->first);
        json_add_number(o, "one_alone", -fmax(t->alone, 0));
        json_append(all, o);
    }
    return all;
}

static struct json *parameters_json(const struct advice_results *r)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < r->why->n; i++) {
        const struct elasticity *e = &r->why->list[i];
        const struct parameter *p =
            &r->candidates->parameters.list[e->parameter];
        struct json *o = json_new_object();
        json_add_string(o, "key", p->key);
        json_add_number(o, "value", p->value);
        json_add_string(o, "provenance", provenance_names[p->from]);
        json_add(o, "spread", spread_json(&p->spread));
        add_members(o, &r->candidates->parameters, e->parameter);
        json_add_number(o, "elasticity", e->first);
        json_add_number(o, "elasticity_less", e->less);
        json_add_number(o, "elasticity_next", e->second);
        json_add_number(o, "share_of_doubt", e->share);
        json_append(list, o);
    }
    return list;
}

static void add_side(struct json *o, const struct advice_results *r,
                     const char *key, const struct parameter *p,
                     const struct break_even_side *at)
{
    struct json *side;
    bool group = p->nplaces > 1 || p->shares;

    if (isnan(at->factor))
        return;
    side = json_new_object();
    char *set = xasprintf(group ? "%s=x%.4g" : "%s=%.4g", p->key,
                          group ? at->factor : at->value);
    if (!group)
        json_add_number(side, "value", at->value);
    json_add_number(side, "factor", at->factor);
    json_add_string(side, "set", set);
    json_add_string(side, "use", advice_candidate_name(r, at->candidate));
    json_add(o, key, side);
    free(set);
}

/* Lists the break-even values; one without below and above has none within the
 * factor. */
static struct json *break_evens_json(const struct advice_results *r)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < r->why->nflips; i++) {
        const struct break_even *f = &r->why->break_evens[i];
        const struct parameter *p =
            &r->candidates->parameters.list[f->parameter];
        struct json *o = json_new_object();
        json_add_string(o, "key", p->key);
        json_add_number(o, "now", p->value);
        add_side(o, r, "below", p, &f->below);
        add_side(o, r, "above", p, &f->above);
        json_append(list, o);
    }
    return list;
}

static void add_why(struct json *doc, const struct advice_results *r)
{
    const struct why *w = r->why;

    json_add(doc, "parameters", parameters_json(r));
    json_add_number(doc, "parameters_without_effect", (double)w->rest);
    json_add_number(doc, "flips_within_factor", WHY_FAR);
    if (w->ntied)
        json_add(doc, "tied", tied_json(r));
    json_add(doc, "flips", break_evens_json(r));
    if (w->benchmarks == SIZE_MAX)
        return;
    const char *key = r->candidates->parameters.list[w->benchmarks].key;
    char *commands = benchmark_commands(key, advice_platform(r));
    struct json *o = json_new_object();
    json_add_string(o, "key", key);
    json_add_number(o, "share_of_doubt", w->benchmarks_share);
    json_add_string(o, "commands", commands);
    json_add(doc, "measure", o);
    free(commands);
}

static void add_path(struct json *doc, const struct outcome *o)
{
    const struct rests_on *on = &o->report.rests_on;
    struct json *path;

    if (!(on->total_s > 0))
        return;
    path = json_new_object();
    for (int i = 0; i < NPATH_USES; i++)
        json_add_number(path, path_use_names[i], on->used_s[i] / on->total_s);
    json_add(doc, "critical_path", path);
    json_add(doc, "rests_on", rests_on_json(on));
}

void add_advice(struct json *doc, const struct advice_results *r)
{
    struct json *list = json_new_array();

    add_answer(doc, r);
    for (size_t i = 0; i < r->advice->n; i++)
        json_append(list, candidate_json(r, r->advice->order[i]));
    json_add(doc, "ways", list);
}

void print_advice_json(const struct advice_results *r)
{
    struct json *doc = document_new("advise");

    add_advice_place(doc, r);
    add_advice(doc, r);
    add_path(doc, r->fastest);
    if (r->fastest->on_hosts && r->fastest->time_s > 0)
        json_add_number(doc, "compute_share",
                        rounds_asked(r->fastest)->compute_s /
                            r->fastest->time_s);
    if (r->why)
        add_why(doc, r);
    document_print(doc);
}

static struct json *walls_json(const struct reach *r)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < r->nwalls; i++) {
        const struct reach_wall *w = &r->walls[i];
        struct json *o = json_new_object();
        json_add_string(o, "key", w->key);
        json_add_string(o, "provenance", provenance_names[w->from]);
        json_add_number(o, "value", w->value);
        json_add_number(o, "percent", w->percent);
        json_append(list, o);
    }
    return list;
}

void print_reach_json(const struct reach *answers, size_t n, double time_s)
{
    struct json *doc = document_new("advise reach"), *list = json_new_array();

    json_add_number(doc, "reach_s", time_s);
    json_add_number(doc, "now_s", answers[0].now_s);
    for (size_t i = 0; i < n; i++) {
        const struct reach *r = &answers[i];
        struct json *o = json_new_object();
        json_add_string(o, "vary", r->key);
        json_add_number(o, "now", r->now);
        json_add_bool(o, "reached", !r->why_not);
        if (!r->why_not) {
            json_add_number(o,
                            r->any    ? "any_even"
                            : r->most ? "at_most"
                                      : "at_least",
                            r->value);
            json_add_string(o, "set", r->set);
            json_add_number(o, "time_s", r->value_s);
            json_add_string(o, "use", r->candidate);
        } else {
            json_add_string(o, "why_not", r->why_not->text);
            json_add(o, "walls", walls_json(r));
        }
        json_append(list, o);
    }
    json_add(doc, "answers", list);
    document_print(doc);
}
