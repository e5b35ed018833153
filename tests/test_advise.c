/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests advice in cases whose truth has a closed form: probabilities,
 * break-even values, elasticities. */
#include "base/jobs.h"
#include "platforms/platform.h"
#include "platforms/settings.h"
#include "study/advise/benchmarks.h"
#include "study/advise/candidates.h"
#include "study/advise/why.h"
#include "tests/check.h"
#include "validate/measure/advice_calibration.h"

#include <gsl/gsl_cdf.h>
#include <stdlib.h>

#define ALPHA "messages.cpu.off_node.segments.0.alpha_us"
#define BETA "messages.cpu.off_node.segments.0.beta_ns_per_byte"

static void flat_parameters(struct parameters *p, const char *const *sets,
                            size_t nsets)
{
    struct err err = {0};
    struct json *doc = platform_json("flat8", sets, nsets, &err);

    CHECK(doc != NULL);
    parameters_of(p, doc, "flat8");
    json_free(doc);
}

/* The candidates: a message of 10,000 B by its segment; one that always takes
 * 2.2 us; one that takes N times as long as the first (+ N * N_TIMES); and one
 * that takes twice its alpha. */
enum { BY_SEGMENT, CONSTANT, TWO_ALPHAS, N_TIMES, CANNOT = -1 };
static const double rest_us = 0.8, constant_us = 2.2;

static int toy_time(double *time_s, const void *of, size_t nth,
                    const struct machine *m,
                    const struct node_routes *node_routes, struct err *err)
{
    const int *which = of;
    const struct segment *s =
        machine_segment(m, RUNTIME_MPI, PATH_HOST, OFF_NODE, 10000);

    (void)node_routes;
    if (which[nth] == CANNOT)
        return fail(err, "too far") < 0;
    int kind = which[nth] % N_TIMES, n = which[nth] / N_TIMES;
    if (kind == BY_SEGMENT)
        *time_s = s->alpha_s + 10000 * s->beta_s_per_B;
    else if (kind == CONSTANT)
        *time_s = constant_us * 1e-6 * (n ? n : 1);
    else
        *time_s = 2 * s->alpha_s;
    return 0;
}

static struct timed_candidates toy_candidates(const struct parameters *p,
                                              const int *which, size_t n)
{
    return (struct timed_candidates){p,           n,    toy_time, which,
                                     {.jobs = 2}, NULL, false};
}

/* Returns the sum of the elasticities of the fastest candidate, with bandwidths
 * negated: because its time is a sum of costs, it doubles if all of them
 * double. */
static double sum_of(const struct why *w, const struct parameters *p)
{
    double sum = 0;

    for (size_t i = 0; i < w->n; i++) {
        const struct parameter *of = &p->list[w->list[i].parameter];
        if (!of->shares)
            sum += of->rate ? -w->list[i].first : w->list[i].first;
    }
    return sum;
}

/* alpha is 1 us and log-normal with sigma ln 2 / 1.96; beta is set. The message
 * is the faster one as long as alpha is below 1.4 us. */
static void test_probability(void)
{
    const char *const sets[] = {BETA "=0.08"};
    static const int which[] = {BY_SEGMENT, CONSTANT, CANNOT};
    const struct advise_options o = {.draws = 400, .seed = 7};
    double sigma = log(2) / 1.959963984540054;
    double want = gsl_cdf_ugaussian_P(log(1.4) / sigma);
    struct parameters p;
    struct advice a;
    struct why w;
    struct err err = {0};

    flat_parameters(&p, sets, 1);
    size_t alpha = parameters_find(&p, ALPHA), beta = parameters_find(&p, BETA);
    CHECK(alpha != SIZE_MAX && beta != SIZE_MAX);
    CHECK_EQ(p.list[alpha].from, PROVENANCE_ASSUMED);
    CHECK_EQ(p.list[beta].from, PROVENANCE_SET);
    struct timed_candidates candidates = toy_candidates(&p, which, 3);
    CHECK(advise(&a, &candidates, &o, &err) == 0);
    CHECK_EQ(a.n, 2);
    CHECK_EQ(a.order[0], 0);
    CHECK_NEAR(a.lead, constant_us / (1 + rest_us) - 1, 1e-9);
    /* There is one draw in each 400th part of alpha's distribution. */
    CHECK(fabs(a.best - want) <= 1.0 / 400);
    CHECK_NEAR(a.best + a.candidates[1].best, 1, 1e-12);
    CHECK_NEAR(a.before_second, a.best, 1e-12);
    CHECK_NEAR(a.best_error, sqrt(want * (1 - want) / 400), 0.02);
    CHECK_NEAR(a.regret, a.regret_if_wrong * (1 - a.best), 1e-9);
    CHECK(!advice_is_tie(&a));

    CHECK(why_find(&w, &a, &candidates, &err) == 0);
    CHECK_EQ(w.n, 2);
    CHECK_EQ(w.list[0].parameter, alpha);
    CHECK_NEAR(w.list[0].first, 1 / 1.8, 1e-9);
    CHECK_NEAR(w.list[0].less, -1 / 1.8, 1e-9);
    CHECK_NEAR(w.list[1].first, 0.8 / 1.8, 1e-9);
    CHECK_EQ(w.ntied, 0);
    CHECK_NEAR(w.list[0].second, 0, 1e-12);
    CHECK_NEAR(sum_of(&w, candidates.parameters), 1, 1e-4);
    CHECK_EQ(w.benchmarks, alpha);
    CHECK_NEAR(w.benchmarks_share, 1, 1e-9);
    CHECK_EQ(w.nflips, 2);
    /* 1.4 instead of 1; then 1.5 times beta. */
    CHECK_EQ(w.break_evens[0].parameter, alpha);
    CHECK_NEAR(w.break_evens[0].above.value, 1.4, 0.01);
    CHECK(w.break_evens[0].above.value >= 1.4);
    CHECK_EQ(w.break_evens[0].above.candidate, 1);
    CHECK(isnan(w.break_evens[0].below.factor));
    CHECK_NEAR(w.break_evens[1].above.value, 0.12, 0.01);
    why_clear(&w);
    advice_clear(&a);
    parameters_clear(&p);
}

/* Tests the model error alone: two candidates with equal times; and, within one
 * kind, a lead that it cannot cancel. */
static void test_model_error(void)
{
    static const int which[] = {CONSTANT, CONSTANT};
    static const unsigned one_kind[] = {0, 0};
    struct advise_options o = {.draws = 100, .seed = 3, .model_error = 0.1};
    struct parameters p;
    struct advice a;
    struct err err = {0};

    flat_parameters(&p, NULL, 0);
    struct timed_candidates candidates = toy_candidates(&p, which, 2);
    CHECK(advise(&a, &candidates, &o, &err) == 0);
    CHECK_EQ(a.tied, 2);
    CHECK_NEAR(a.best, 1, 1e-12); /* because neither can be behind the other */
    CHECK_NEAR(a.candidates[1].best, 1, 1e-12);
    CHECK(advice_is_tie(&a) && !advice_has_next(&a));
    advice_clear(&a);
    o.kinds = one_kind;
    CHECK(advise(&a, &candidates, &o, &err) == 0);
    CHECK_NEAR(a.best, 1, 1e-12); /* it is the first of equal ones */
    advice_clear(&a);
    parameters_clear(&p);
}

/* Checks that candidates left out of draws do not change the stated numbers:
 * with all of them on all draws they are the same within their error. */
static void check_left_out(const struct timed_candidates *candidates,
                           const struct advise_options *o)
{
    double *nominal = draws_nominal(candidates->parameters);
    double *factors = draws_make(candidates->parameters, o->draws, o->seed);
    double *nominal_s = xcalloc(candidates->n, sizeof *nominal_s);
    double *times_s = xcalloc(o->draws * candidates->n, sizeof *times_s);
    double from = advise_hopeless_from(candidates->parameters, o);
    struct advice a, all;
    struct err err = {0};

    CHECK(advise(&a, candidates, o, &err) == 0);
    CHECK(draws_time(nominal_s, candidates, nominal, 1, NULL, &err) == 0);
    CHECK(draws_time(times_s, candidates, factors, o->draws, NULL, &err) == 0);
    advice_of_times(&all, nominal_s, times_s, candidates->n, o);
    CHECK(a.hopeless > 0 && a.dropped > 0 && a.n == all.n);
    CHECK_NEAR(a.hopeless_from, from, 1e-12);
    CHECK(a.simulations < (o->draws + 1) * candidates->n);
    for (size_t i = 0; i < candidates->n; i++) {
        const struct advised_candidate *w = &a.candidates[i],
                                       *full = &all.candidates[i];
        double times_best = w->time_s / a.candidates[a.order[0]].time_s;
        if (isnan(w->time_s))
            continue;
        CHECK_EQ(w->draws == 0, times_best > from);
        CHECK(isnan(w->low_s) == (w->draws == 0));
        CHECK(fabs(w->best - full->best) <= 1.0 / (double)o->draws);
        CHECK(w->draws == o->draws || full->best < 1.0 / (double)o->draws);
    }
    CHECK(fabs(a.best - all.best) <= all.best_error);
    CHECK(fabs(a.regret - all.regret) <= 0.01 * all.regret);
    advice_clear(&all);
    advice_clear(&a);
    free(times_s);
    free(nominal_s);
    free(factors);
    free(nominal);
}

static void test_left_out(void)
{
    static const int which[] = {BY_SEGMENT, CONSTANT, TWO_ALPHAS,
                                CONSTANT + 4 * N_TIMES,
                                CONSTANT + 30 * N_TIMES};
    const struct advise_options o = {
        .draws = 200, .seed = 5, .model_error = 0.1};
    struct advise_options real = {.draws = 100, .seed = 2, .model_error = 0.2};
    struct parameters p;
    struct request r;
    struct candidates w;
    struct err err = {0};

    flat_parameters(&p, NULL, 0);
    struct timed_candidates toys = toy_candidates(&p, which, 5);
    check_left_out(&toys, &o);
    parameters_clear(&p);

    request_init(&r);
    r.work.words = "allreduce:bytes=1k";
    r.work.nodes = 2;
    CHECK(candidates_load(&w, &r, &err) == 0);
    real.kinds = w.kinds;
    struct timed_candidates timed =
        candidates_timed(&w, (struct draws_how){.jobs = 2});
    check_left_out(&timed, &real);
    candidates_clear(&w);
}

/* Equal seeds give equal answers, however many simulations run at a time;
 * different seeds give different ones. */
static void test_seeds(void)
{
    static const int which[] = {BY_SEGMENT, CONSTANT, TWO_ALPHAS};
    struct advise_options o = {.draws = 60, .seed = 1, .model_error = 0.05};
    double best[3];
    struct parameters p;
    struct advice a;
    struct err err = {0};

    flat_parameters(&p, NULL, 0);
    for (int i = 0; i < 3; i++) {
        struct timed_candidates candidates = toy_candidates(&p, which, 3);
        candidates.how.jobs = i == 0 ? 1 : 3;
        o.seed = i < 2 ? 1 : 2;
        CHECK(advise(&a, &candidates, &o, &err) == 0);
        best[i] = a.best;
        advice_clear(&a);
    }
    CHECK(best[0] == best[1]);
    CHECK(best[0] != best[2]);
    parameters_clear(&p);
}

static void test_nothing_can(void)
{
    static const int which[] = {CANNOT};
    const struct advise_options o = {.draws = 2};
    struct parameters p;
    struct machine m;
    struct advice a;
    struct err err = {0};

    flat_parameters(&p, NULL, 0);
    CHECK(platform_load(&m, "flat8", NULL, 0, &err) == 0);
    struct timed_candidates candidates = toy_candidates(&p, which, 1);
    candidates.machine = &m;
    CHECK(advise(&a, &candidates, &o, &err) < 0);
    CHECK_HAS(err.text, "flat8 can do none of the candidates: too far");
    machine_clear(&m);
    parameters_clear(&p);
}

/* The draws are a Latin hypercube, with one quantile in each part. */
static void test_draws(void)
{
    enum { N = 50 };
    struct parameters p;

    flat_parameters(&p, NULL, 0);
    double *f = draws_make(&p, N, 5);
    for (size_t i = 0; i < p.n; i++) {
        double sigma = spread_sigma(&p.list[i].spread);
        bool seen[N] = {false};
        for (size_t d = 0; d < N; d++) {
            double u = gsl_cdf_ugaussian_P(log(f[d * p.n + i]) / sigma);
            size_t part = (size_t)(u * N);
            CHECK(part < N && !seen[part]);
            seen[part < N ? part : 0] = true;
        }
    }
    free(f);
    parameters_clear(&p);
}

static void test_spreads(void)
{
    struct spread s = spread_of(PROVENANCE_FIT, false, 0.03);

    CHECK(s.stated && !s.uniform);
    CHECK_NEAR(spread_sigma(&s), hypot(0.03, log(1.05) / 1.959963984540054),
               1e-9);
    s = spread_of(PROVENANCE_ASSUMED, false, 0.03);
    CHECK(!s.stated);
    CHECK_NEAR(spread_factor(&s, 0.975), 2, 1e-6);
    CHECK_NEAR(spread_factor(&s, 0.5), 1, 1e-12);
    s = spread_of(PROVENANCE_SPECIFICATION, true, 0);
    CHECK(s.uniform);
    CHECK_NEAR(spread_factor(&s, 0.5), 0.875, 1e-12);
    s = spread_of(PROVENANCE_SPECIFICATION, false, 0);
    CHECK(!s.uniform);
    s = spread_of(PROVENANCE_SET, true, 0);
    CHECK_NEAR(spread_factor(&s, 0.9), 1, 1e-12);
}

/* The elasticities of a halo exchange sum to 1, because its time doubles if all
 * times of the machine do; and the candidates of a stencil have three
 * partitions. */
static void test_halo(void)
{
    const struct advise_options o = {.draws = 0};
    struct request r;
    struct candidates w;
    struct advice a;
    struct why why;
    struct err err = {0};

    request_init(&r);
    r.work.words = "stencil:9pt:128x128";
    r.work.nodes = 4;
    r.strategy = "standard/staged,2-step/staged";
    CHECK(candidates_load(&w, &r, &err) == 0);
    CHECK_EQ(w.njobs, 3);
    CHECK_EQ(w.n, 6);
    CHECK_EQ(w.kinds[0], w.kinds[2]);
    CHECK(w.kinds[0] != w.kinds[1]);
    struct timed_candidates timed =
        candidates_timed(&w, (struct draws_how){.jobs = 2});
    CHECK(advise(&a, &timed, &o, &err) == 0);
    CHECK_EQ(a.n, 6);
    CHECK(why_find(&why, &a, &timed, &err) == 0);
    CHECK_NEAR(sum_of(&why, timed.parameters), 1, 0.01);
    why_clear(&why);
    advice_clear(&a);
    candidates_clear(&w);
}

/* Checks that a candidate's time of a graph on hosts is, on any machine, that
 * of the request made anew there, bit for bit: under each cut and runtime, with
 * the threads and the size of the graph that are asked for. */
static void check_hosts(const struct candidates *w, const struct request *r)
{
    struct timed_candidates timed =
        candidates_timed(w, (struct draws_how){.jobs = 1});
    struct err err = {0};
    struct machine m;

    CHECK(platform_load(&m, "stampede2", r->sets.items, r->sets.n, &err) == 0);
    for (size_t i = 0; i < w->n; i++) {
        struct request one = *r;
        const struct run_options options = {.times_only = true};
        const struct candidates_job *job = &w->jobs[w->list[i].job];
        struct outcome o;
        struct job j;
        double time_s = 0;
        one.work.partition = job->set;
        CHECK(job_load(&j, &one, &err) == 0);
        CHECK(job_run_one(&o, &j,
                          &j.choices[w->list[i].choice - job->job.choices],
                          &options, &err) == 0);
        CHECK(timed.time(&time_s, timed.of, i, &m, NULL, &err) == 0);
        CHECK(time_s == o.time_s && time_s > 0);
        outcome_clear(&o);
        job_clear(&j);
    }
    machine_clear(&m);
}

static void test_hosts(void)
{
    struct request r;
    struct candidates w;
    struct err err = {0};

    request_init(&r);
    r.work.words = "sssp:rmat:scale=8";
    r.work.nodes = 4;
    r.platform = "stampede2";
    r.runtime = "lci,mpi-probe,mpi-rma";
    for (int scaled = 0; scaled < 2; scaled++) {
        r.vertices_as = scaled ? 1000000 : 0;
        r.threads = scaled ? 8 : 0;
        r.exhaustion = scaled ? "error" : NULL;
        r.sets.n = 0;
        CHECK(candidates_load(&w, &r, &err) == 0);
        CHECK_EQ(w.n, 6);
        CHECK_EQ(w.nodes, 4);
        CHECK_EQ(w.kinds[0], w.kinds[3]);
        CHECK(w.kinds[0] != w.kinds[1]);
        check_hosts(&w, &r);
        r.sets.items[r.sets.n++] = "runtimes.lci.costs.call_us=9";
        r.sets.items[r.sets.n++] = "network.bandwidth_GBps=3";
        check_hosts(&w, &r);
        candidates_clear(&w);
    }
    r.work.partition = "cvc:1x4";
    CHECK(candidates_load(&w, &r, &err) == 0);
    CHECK_EQ(w.n, 3);
    candidates_clear(&w);
}

/* Two candidates of 1 and 1.1 s have true times that are log-normal about
 * these, so that the first is the faster one with P(z < ln 1.1 / (0.1 sqrt 2)).
 * In measured decisions of this kind as many are right, so the stated
 * probability is the true one; without the model error it is not. */
static void test_calibration(void)
{
    enum { N = 400 };
    double nominal_s[2] = {1, 1.1}, times_s[2] = {1, 1.1};
    double want = gsl_cdf_ugaussian_P(log(1.1) / (0.1 * M_SQRT2));
    char choices[2][64] = {"a", "b"};
    double first[2] = {1, 1.2}, second[2] = {1.3, 1.2};
    struct calibration_case cases[N] = {0};
    struct calibration s = {.list = cases, .n = N, .draws = 1, .seed = 1};
    size_t right = (size_t)lround(want * N);
    const struct model_error one = {.own = 0.1};
    struct calibration_view view = {.kind = NDECIDED, .given = 0.1},
                            none = view;

    none.platform = "toy";
    none.given = 0;
    for (size_t i = 0; i < N; i++)
        cases[i] =
            (struct calibration_case){.platform = "toy",
                                      .nways = 2,
                                      .choices = choices,
                                      .measured_s = i < right ? first : second,
                                      .nominal_s = nominal_s,
                                      .times_s = times_s};
    struct calibration_answer a = calibration_answer(&s, &cases[N - 1], &one);
    CHECK_EQ(a.advised, 0);
    CHECK_EQ(a.winner, 1);
    CHECK(!a.right);
    CHECK_NEAR(a.regret, 1.3 / 1.2 - 1, 1e-12);
    CHECK(fabs(a.probability - want) < 0.15); /* from 64 draws */
    CHECK_NEAR(a.probability + a.of_winner, 1, 1e-12);
    struct calibration_bins b = calibration_bins(&s, &view),
                            calibration = calibration_bins(&s, &none);
    CHECK_EQ(b.cases, N);
    CHECK_EQ(b.n[(int)(a.probability * CALIBRATION_BINS)], N);
    CHECK_EQ(calibration.n[CALIBRATION_BINS - 1], N);
    CHECK_EQ(calibration.right[CALIBRATION_BINS - 1], right);
    CHECK_NEAR(calibration.stated[CALIBRATION_BINS - 1], 1, 1e-12);
    CHECK(b.score > calibration.score);
    view.platform = "other";
    CHECK_EQ(calibration_bins(&s, &view).cases, 0);
}

static void test_settle(void)
{
    CHECK(!strcmp(benchmark_of_key(ALPHA), "ping_pong"));
    CHECK(!strcmp(benchmark_of_key("messages.cpu.off_node.segments.1.send_us"),
                  "mult_pong"));
    CHECK(!strcmp(benchmark_of_key("copies.rows.2.alpha_us"), "memcpy"));
    CHECK(!strcmp(benchmark_of_key("copies.engine_us"), "memcpy_mult"));
    CHECK(!strcmp(benchmark_of_key("node.wire_types.nic.bandwidth_GBps"),
                  "maxrate"));
    CHECK(!strcmp(benchmark_of_key("gpu.kernel_launch_us"), "pack"));
    char *text = benchmark_commands("copies.rows.2.alpha_us", "lassen");
    CHECK_HAS(text, "sluice-native memcpy ");
    CHECK_HAS(text, "--base lassen");
    free(text);
}

int main(void)
{
    test_probability();
    test_model_error();
    test_left_out();
    test_seeds();
    test_nothing_can();
    test_draws();
    test_spreads();
    test_halo();
    test_hosts();
    test_settle();
    test_calibration();
    return check_result();
}
