/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice advise: names the fastest candidate, the probability that it is, and
 * the reasons. */
#include "cli/cli.h"
#include "cli/figure_advice.h"
#include "cli/progress.h"

#include "base/json.h"
#include "study/run/sweep.h"
#include "workloads/load/load_cache.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { DRAWS = 200, MOST_DRAWS = 100000 };

struct form {
    unsigned draws;
    uint64_t seed;
    double model_error; /* percent; NAN if not given */
    bool no_why, details, json;
    const char *reach;  /* a time; NULL if not asked for */
    const char *figure; /* a folder; NULL if none */
    struct texts vary;
    unsigned jobs;
    bool progress;
    struct draws_how how;
};

/* --- progress ------------------------------------------------------------- */

struct told {
    struct progress progress;
    pthread_mutex_t lock;
};

static void tell(void *teller, size_t todo, size_t done)
{
    struct told *t = teller;

    pthread_mutex_lock(&t->lock);
    t->progress.todo += todo;
    t->progress.done += done;
    if (progress_due(&t->progress))
        progress_say(&t->progress, "");
    pthread_mutex_unlock(&t->lock);
}

/* Wipes the progress line, before anything else is printed. */
static void tell_no_more(const struct form *form)
{
    struct told *t = form->how.teller;

    progress_wipe(&t->progress);
}

/* -------------------------------------------------------------------------- */

/* Runs the fastest candidate in full, as `sluice run` does. */
static int run_fastest(struct outcome *o, const struct candidates *w,
                       const struct advice *a, struct err *err)
{
    const struct advice_candidate *candidate = &w->list[a->order[0]];
    const struct run_options options = {.times_only = true, .asked_only = true};

    return job_run_one(o, &w->jobs[candidate->job].job, candidate->choice,
                       &options, err);
}

/* Draws and prints the results of an advice that is made. */
static int explain(const struct advice_results *advised,
                   struct advice_figure *figure,
                   const struct timed_candidates *timed,
                   const struct form *form, struct err *err)
{
    struct advice_results r = *advised;
    struct outcome fastest = {0};
    struct why why = {0};
    int result = run_fastest(&fastest, r.candidates, r.advice, err);

    if (result == 0 && !form->no_why)
        result = why_find(&why, r.advice, timed, err);
    tell_no_more(form);
    r.fastest = &fastest;
    r.why = form->no_why ? NULL : &why;
    if (result == 0 && figure)
        result = figure_advice(figure, &r, err);
    else if (figure)
        figure_abandon(&figure->files);
    if (result == 0)
        (form->json ? print_advice_json : print_advice)(&r);
    why_clear(&why);
    outcome_clear(&fastest);
    return result;
}

/* Makes and explains the advice. `figure` is open, or NULL. */
static int advise_on(const struct advice_results *asked,
                     struct advice_figure *figure, const struct form *form,
                     struct err *err)
{
    struct timed_candidates timed =
        candidates_timed(asked->candidates, form->how);
    struct advice_results r = *asked;
    struct advice advice;

    if (advise(&advice, &timed, r.options, err) < 0) {
        if (figure)
            figure_abandon(&figure->files);
        return fail_in(err, "%s", r.request->work.words);
    }
    r.advice = &advice;
    int result = explain(&r, figure, &timed, form, err);
    advice_clear(&advice);
    return result;
}

/* Sets the defaults of --vary. */
static void vary_default(struct texts *vary)
{
    if (vary->n)
        return;
    vary->items[vary->n++] = REACH_NIC;
    vary->items[vary->n++] = "nodes";
}

static int print_reached(const struct reach *answers, size_t n, double time_s,
                         const struct form *form, struct err *err)
{
    size_t reached = 0;

    for (size_t i = 0; i < n; i++)
        reached += !answers[i].why_not;
    if (!reached) {
        *err = *answers[0].why_not;
        return fail_in(err, "--reach");
    }
    if (form->json)
        print_reach_json(answers, n, time_s);
    else
        print_reach(answers, n, time_s);
    return 0;
}

static int advise_reach(const struct candidates *candidates,
                        const struct request *request, const struct form *form,
                        struct err *err)
{
    struct texts vary = form->vary;
    struct reach answers[TEXTS] = {0};
    double time_s;
    size_t n = 0;
    int result = reach_time(&time_s, form->reach, err);

    if (result < 0)
        return fail_in(err, "--reach");
    vary_default(&vary);
    for (; n < vary.n && n < TEXTS && result == 0; n++)
        result = reach_find(&answers[n], request, candidates, vary.items[n],
                            time_s, form->how, err);
    tell_no_more(form);
    if (result == 0)
        result = print_reached(answers, n, time_s, form, err);
    for (size_t i = 0; i < n; i++)
        reach_clear(&answers[i]);
    return result;
}

static struct advise_options options_of(const struct form *form)
{
    return (struct advise_options){
        .draws = form->draws,
        .seed = form->seed,
        .model_error =
            isnan(form->model_error) ? NAN : form->model_error / 100};
}

/* Makes one advice, or searches for --reach. */
static int advise_loaded(struct candidates *candidates,
                         const struct request *request, const struct form *form,
                         struct err *err)
{
    struct advise_options asked = options_of(form);
    struct advise_options options = candidates_options(candidates, &asked);
    struct advice_results r = {.request = request,
                               .candidates = candidates,
                               .options = &options,
                               .by_table = isnan(form->model_error),
                               .details = form->details};
    struct advice_figure figure;

    candidates_keep_plans(candidates);
    if (form->reach)
        return advise_reach(candidates, request, form, err);
    if (!form->figure)
        return advise_on(&r, NULL, form, err);
    if (figure_advice_open(&figure, false, form->figure, request, err) < 0)
        return -1;
    return advise_on(&r, &figure, form, err);
}

static int advise_request(const struct request *request,
                          const struct form *form, struct err *err)
{
    struct candidates candidates;

    if (candidates_load(&candidates, request, err) < 0)
        return -1;
    for (size_t i = 0; i < candidates.nleft_out; i++)
        fprintf(stderr, "sluice: left out: %s\n", candidates.left_out[i].text);
    int result = advise_loaded(&candidates, request, form, err);
    candidates_clear(&candidates);
    return result;
}

/* --- sizes ---------------------------------------------------------------- */

static void remark_left_out(const struct advised_sizes *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->list[i].why)
            fprintf(stderr, "sluice: left out: %s\n", s->list[i].why->text);
}

/* Makes the advices of all sizes. `figure` is open, or NULL. */
static int range_on(struct advised_sizes *s, const struct advice_results *asked,
                    struct advice_figure *figure, const struct form *form,
                    struct err *err)
{
    int result = advised_sizes_run(s, asked->options, form->how, err);

    tell_no_more(form);
    if (result == 0 && figure)
        result = figure_advised_sizes(figure, s, asked, err);
    else if (figure)
        figure_abandon(&figure->files);
    if (result < 0)
        return -1;
    remark_left_out(s);
    (form->json ? print_advised_sizes_json : print_advised_sizes)(s, asked);
    return 0;
}

static int advise_range(const struct request *request, const struct form *form,
                        struct err *err)
{
    struct advise_options options = options_of(form);
    const struct advice_results asked = {.request = request,
                                         .options = &options,
                                         .by_table = isnan(form->model_error),
                                         .details = form->details};
    struct advice_figure figure;
    struct advised_sizes sizes;

    if (advised_sizes_load(&sizes, request, err) < 0)
        return -1;
    int result = form->figure ? figure_advice_open(&figure, true, form->figure,
                                                   request, err)
                              : 0;
    if (result == 0)
        result =
            range_on(&sizes, &asked, form->figure ? &figure : NULL, form, err);
    advised_sizes_clear(&sizes);
    return result;
}

/* -------------------------------------------------------------------------- */

static int check_form(const struct request *r, const struct form *form,
                      struct err *err)
{
    if (sizes_asked(r) && form->reach)
        return fail(err, "--reach: not for a range of sizes");
    if (r->work.compared)
        return fail(err, "--compare-partition: advise chooses the partition, "
                         "unless --partition names it");
    if (form->figure && (form->reach || (form->no_why && !sizes_asked(r))))
        return fail(err, "--figure: not with --%s",
                    form->reach ? "reach" : "no-why");
    if (form->vary.n && !form->reach)
        return fail(err, "--vary: only with --reach");
    if (form->draws > MOST_DRAWS)
        return fail(err, "--draws: expected at most %d, got %u", MOST_DRAWS,
                    form->draws);
    if (!isnan(form->model_error) &&
        !(form->model_error >= 0 && form->model_error <= 100))
        return fail(err, "--model-error: expected 0 to 100 percent, got %g",
                    form->model_error);
    return 0;
}

static const struct opts_page page = {
    .usage = "advise [EXPERIMENT.json] --workload W [OPTIONS]",
    .about =
        "Recommends a strategy, algorithm or runtime, with a partition and "
        "memory; reports the probability that it is the fastest if every "
        "number of the machine varies within the spread of its source, the "
        "numbers on which the choice depends, and the break-even values at "
        "which another candidate would be the fastest. --partition fixes the "
        "partition; otherwise METIS, contiguous rows and boxes of a grid are "
        "compared, and on hosts cvc and blocked. A range of sizes "
        "(bytes=8..1G) gets a row for each size, and the sizes at which the "
        "choice switches.\n",
    .examples =
        {{"Recommend a strategy for a stencil's halo exchange",
          "sluice advise --workload stencil:9pt:400x400 --nodes 2 --draws 20"},
         {"Find values of the NIC or of nodes that bring the best time down",
          "sluice advise --workload stencil:9pt:400x400 --nodes 4 --reach "
          "45us --vary nic --vary nodes"}},
};

/* The values of the command line. */
struct advise_words {
    struct request request;
    struct engine_options engine;
    struct form form;
    int noperands;
    bool helped;
};

static int advise_parse(struct advise_words *w, int argc, char **argv,
                        struct err *err)
{
    struct form *form = &w->form;
    const struct opt opts[] = {
        REQUEST_OPTIONS(w->request),
        ENGINE_OPTIONS(w->engine),
        JOBS_OPTION(form->jobs),
        OPT_HEADING("Uncertainty"),
        {"draws", OPT_COUNT, &form->draws, "N",
         "draw N machines within the spreads of all numbers [default: 200]"},
        {"seed", OPT_EVENTS, &form->seed, "N",
         "seed of the draws; equal seeds give equal results [default: 1]"},
        {"model-error", OPT_NUMBER, &form->model_error, "PERCENT",
         "standard deviation of the simulator's error in a strategy's time; "
         "0: none [default: that of measured decisions of the same kind]"},
        {"no-why", OPT_FLAG, &form->no_why, NULL,
         "the choice alone, without elasticities and break-even values"},
        OPT_HEADING("Goal"),
        {"reach", OPT_TEXT, &form->reach, "TIME",
         "find parameter values that bring the best time down to TIME (50us, "
         "1.5ms), instead of recommending"},
        {"vary", OPT_TEXTS, &form->vary, "KEY",
         "with --reach: parameter to vary, each alone: nic (its whole "
         "bandwidth), nodes, gpus, ranks-per-node, or a value or group of the "
         "platform as in --set; may be repeated [default: nic and nodes]"},
        OPT_HEADING("Output"),
        {"figure", OPT_TEXT, &form->figure, "DIR",
         "also draw the result: DIR/fig-advise.csv, .svg, .pdf and .png; over "
         "a range of sizes DIR/fig-advise-sizes"},
        {"progress", OPT_FLAG, &form->progress, NULL,
         "report simulations, rate and time left on standard error, even if "
         "it is no terminal"},
        {"details", OPT_FLAG, &form->details, NULL,
         "all candidates, all parameters that matter, and the spreads"},
        {"json", OPT_FLAG, &form->json, NULL, "results as JSON"},
    };

    *w = (struct advise_words){
        .form = {.draws = DRAWS, .seed = 1, .model_error = NAN}};
    request_init(&w->request);
    return opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                      &w->noperands, &w->helped, err);
}

int cmd_advise(int argc, char **argv, struct err *err)
{
    struct advise_words w;
    struct exec_options exec;
    struct json *doc = NULL;
    struct request *request = &w.request;
    struct form *form = &w.form;

    if (advise_parse(&w, argc, argv, err) < 0)
        return -1;
    if (w.helped)
        return 0;
    if (request_begin(request, &doc, &exec, &w.engine, w.noperands, argv, err) <
        0)
        return -1;
    struct told told = {.lock = PTHREAD_MUTEX_INITIALIZER};
    form->how = (struct draws_how){jobs_choose(form->jobs), tell, &told};
    progress_init(&told.progress, request->work.words, "simulations", 0,
                  form->progress);
    request->work.cache = load_cache_new();
    int result = engine_prepare(exec.engine, err);
    if (result == 0)
        result = check_form(request, form, err);
    if (result == 0)
        result = (sizes_asked(request) ? advise_range
                                       : advise_request)(request, form, err);
    if (result == 0)
        result = stdout_flush(err);
    load_cache_free(request->work.cache);
    json_free(doc);
    return result;
}
