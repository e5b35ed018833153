/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confirms everything that advise prints: each elasticity, tie, break-even
 * value and reach by `run --set` with the printed name and value, on machines
 * and workloads drawn by a seed; and each probability by another Monte Carlo,
 * which draws its machines itself. SLUICE_CASES=N sets the number of cases. */
#include "base/faster.h"
#include "platforms/platform.h"
#include "study/advise/reach.h"
#include "study/advise/candidates.h"
#include "study/advise/why.h"
#include "tests/check.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 8, MOST_SETS = 16 };

struct asked {
    struct request r;
    struct candidates w;
    struct advice a;
    struct timed_candidates timed;
    const char *platform;
};

/* --- run --set ------------------------------------------------------------ */

/* Stores the times of all candidates in the order of `asked`; returns the
 * fastest. */
static size_t run_set(double *times_s, const struct asked *asked,
                      char *const *sets, size_t n)
{
    struct request r = asked->r;
    struct err err = {0};
    struct candidates w;
    size_t first = SIZE_MAX;

    for (size_t i = 0; i < n; i++)
        r.sets.items[r.sets.n++] = sets[i];
    for (size_t i = 0; i < asked->w.n; i++)
        times_s[i] = NAN;
    if (candidates_load(&w, &r, &err) < 0)
        return SIZE_MAX;
    CHECK_EQ(w.n, asked->w.n);
    struct timed_candidates timed =
        candidates_timed(&w, (struct draws_how){.jobs = 1});
    for (size_t i = 0; i < w.n; i++) {
        if (timed.time(&times_s[i], timed.of, i, &w.machine, NULL, &err) != 0)
            times_s[i] = NAN;
        if (!isnan(times_s[i]) &&
            (first == SIZE_MAX || times_s[i] < times_s[first]))
            first = i;
    }
    candidates_clear(&w);
    return first;
}

static size_t run_factor(double *times_s, const struct asked *asked,
                         const char *key, double factor)
{
    char *set = xasprintf("%s=x%.17g", key, factor);
    size_t first = run_set(times_s, asked, &set, 1);

    free(set);
    return first;
}

static void say(const struct asked *asked, const char *what, const char *key)
{
    fprintf(stderr, "%s on %s: %s: %s\n", asked->r.work.words, asked->platform,
            what, key);
}

/* --- elasticities --------------------------------------------------------- */

static void check_percent(const struct asked *asked, const char *key,
                          double factor, double first, double second)
{
    const struct advice *a = &asked->a;
    double *times_s = xcalloc(asked->w.n, sizeof *times_s);
    const double percents[] = {first, second};

    run_factor(times_s, asked, key, factor);
    for (size_t i = 0; i < 2 && i < a->n; i++) {
        size_t candidate =
            i && advice_has_next(a) ? advice_next(a) : a->order[0];
        double percent =
            100 * (times_s[candidate] / a->candidates[candidate].time_s - 1);
        if (i == 1 && !why_has_second(a))
            continue;
        bool same = isnan(percents[i]) ? isnan(percent)
                                       : fabs(percent - percents[i]) < 1e-6;
        CHECK(same);
        if (!same)
            say(asked, "elasticity", key);
    }
    free(times_s);
}

static void check_tied(const struct asked *asked, const struct tied *t)
{
    const struct parameters *p = &asked->w.parameters;
    double *times_s = xcalloc(asked->w.n, sizeof *times_s);
    size_t first = asked->a.order[0];
    char *sets[MOST_SETS];

    for (size_t i = 0; i < t->n; i++) {
        const struct parameter *one = &p->list[t->list[i]];
        sets[i] = xasprintf("%s=x%g", one->key, why_better(one));
        run_set(times_s, asked, &sets[i], 1);
        double alone =
            100 * (1 - times_s[first] / asked->a.candidates[first].time_s);
        CHECK(alone <= fmax(t->alone, 0) + 1e-6);
        CHECK(alone < -t->first);
    }
    run_set(times_s, asked, sets, t->n);
    CHECK_NEAR(100 * (times_s[first] / asked->a.candidates[first].time_s - 1),
               t->first, 1e-6);
    for (size_t i = 0; i < t->n; i++)
        free(sets[i]);
    free(times_s);
}

/* --- break-even values ---------------------------------------------------- */

/* Checks that the other candidate is the fastest at the printed value, and the
 * first one a little nearer. */
static void check_side(const struct asked *asked, const struct parameter *p,
                       const struct break_even_side *side)
{
    double *times_s = xcalloc(asked->w.n, sizeof *times_s);
    bool group = p->nplaces > 1 || p->shares;

    if (!isnan(side->factor)) {
        size_t first = asked->a.order[0];
        char *set = xasprintf(group ? "%s=x%.4g" : "%s=%.4g", p->key,
                              group ? side->factor : side->value);
        size_t at = run_set(times_s, asked, &set, 1);
        bool break_evens = at != SIZE_MAX &&
                           !faster(times_s[at], times_s[side->candidate]) &&
                           (isnan(times_s[first]) ||
                            faster(times_s[side->candidate], times_s[first]));
        double nearer = exp(
            log(side->factor) -
            copysign(fmin(0.02, fabs(log(side->factor))), log(side->factor)));
        at = run_factor(times_s, asked, p->key, nearer);
        bool stands = at != SIZE_MAX && !isnan(times_s[first]) &&
                      !faster(times_s[at], times_s[first]);
        CHECK(break_evens && stands);
        if (!break_evens || !stands)
            say(asked, break_evens ? "stands not before" : "no flip at", set);
        free(set);
    }
    free(times_s);
}

static void check_why(const struct asked *asked, size_t *counts)
{
    const struct parameters *p = &asked->w.parameters;
    struct err err = {0};
    struct why w;

    CHECK(why_find(&w, &asked->a, &asked->timed, &err) == 0);
    for (size_t i = 0; i < w.n && i < 8; i++) {
        const struct elasticity *e = &w.list[i];
        const char *key = p->list[e->parameter].key;
        check_percent(asked, key, 1.01, e->first, e->second);
        check_percent(asked, key, 0.99, e->less, e->second_less);
        counts[0]++;
    }
    for (size_t i = 0; i < w.ntied; i++, counts[1]++)
        check_tied(asked, &w.tied[i]);
    for (size_t i = 0; i < w.nflips; i++) {
        const struct break_even *f = &w.break_evens[i];
        check_side(asked, &p->list[f->parameter], &f->below);
        check_side(asked, &p->list[f->parameter], &f->above);
        counts[2] += isfinite(f->below.factor) ? 1 : 0;
        counts[2] += isfinite(f->above.factor) ? 1 : 0;
    }
    why_clear(&w);
}

/* --- reach ---------------------------------------------------------------- */

static void check_reach(const struct asked *asked, const char *key,
                        double time_s, size_t *counts)
{
    double *times_s = xcalloc(asked->w.n, sizeof *times_s);
    struct draws_how how = {.jobs = 1};
    struct err err = {0};
    struct reach r;

    CHECK(reach_find(&r, &asked->r, &asked->w, key, time_s, how, &err) == 0);
    if (r.why_not) {
        size_t far = run_factor(times_s, asked, key, r.most ? 1e-3 : 1e3);
        CHECK(far == SIZE_MAX || times_s[far] > time_s);
        counts[4]++;
    } else {
        char *set = r.set + strlen("--set ");
        size_t at = run_set(times_s, asked, &set, 1);
        bool hits = at != SIZE_MAX && !faster(time_s, times_s[at]) &&
                    !faster(times_s[at], r.value_s) &&
                    !faster(r.value_s, times_s[at]);
        CHECK(hits);
        if (!hits)
            say(asked, "not reached by", set);
        double back = r.value / r.now * (r.most ? 1.02 : 1 / 1.02);
        at = run_factor(times_s, asked, key, back);
        CHECK(r.any || at == SIZE_MAX || times_s[at] > time_s);
        counts[3]++;
    }
    reach_clear(&r);
    free(times_s);
}

/* Checks reaches by the NIC, and by a single number that is in a group or
 * alone. */
static void check_reaches(const struct asked *asked, gsl_rng *random,
                          size_t *counts)
{
    const struct parameters *p = &asked->w.parameters;
    double now_s = asked->a.candidates[asked->a.order[0]].time_s;
    size_t one = gsl_rng_uniform_int(random, p->nnumbers);

    check_reach(asked, REACH_NIC, now_s * (0.6 + 0.5 * gsl_rng_uniform(random)),
                counts);
    while (strncmp(p->numbers[one].key, "messages.", 9) != 0 ||
           p->numbers[one].shares)
        one = gsl_rng_uniform_int(random, p->nnumbers);
    check_reach(asked, p->numbers[one].key,
                now_s * (0.97 + 0.1 * gsl_rng_uniform(random)), counts);
}

/* --- cases ---------------------------------------------------------------- */

static bool ask(struct asked *asked, const char *platform, const char *words,
                const char *strategy, const struct advise_options *o)
{
    struct err err = {0};

    *asked = (struct asked){.platform = platform};
    request_init(&asked->r);
    asked->r.platform = platform;
    asked->r.work.words = words;
    asked->r.work.nodes = 2;
    asked->r.strategy = strategy;
    if (candidates_load(&asked->w, &asked->r, &err) < 0)
        return false;
    asked->timed = candidates_timed(&asked->w, (struct draws_how){.jobs = 1});
    struct advise_options with = *o;
    with.kinds = asked->w.kinds;
    if (advise(&asked->a, &asked->timed, &with, &err) == 0)
        return true;
    candidates_clear(&asked->w);
    return false;
}

static void asked_clear(struct asked *asked)
{
    advice_clear(&asked->a);
    candidates_clear(&asked->w);
}

static void test_printed(size_t cases)
{
    static const char *const platforms[] = {
        "lassen",   "summit",  "dgx-h100", "dgx-a100", "frontier",
        "leonardo", "deltaai", "alps",     "tioga",    "lumi"};
    static const char *const words[] = {
        "alltoall:bytes=1k",       "alltoall:bytes=64k",  "alltoall:bytes=1M",
        "allreduce:bytes=64k",     "allreduce:bytes=4M",  "allgather:bytes=16k",
        "stencil:5pt:64x64",       "stencil:9pt:128x128", "random:rows=200",
        "reduce_scatter:bytes=64k"};
    const struct advise_options o = {.draws = 0};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    size_t counts[5] = {0}, done = 0;

    gsl_rng_set(random, 20);
    for (size_t tries = 0; done < cases && tries < 20 * cases; tries++) {
        const char *platform = platforms[gsl_rng_uniform_int(random, 10)];
        const char *of = words[gsl_rng_uniform_int(random, 10)];
        struct asked asked;
        if (!ask(&asked, platform, of, NULL, &o))
            continue;
        check_why(&asked, counts);
        check_reaches(&asked, random, counts);
        asked_clear(&asked);
        done++;
    }
    gsl_rng_free(random);
    CHECK_EQ(done, cases);
    printf("%zu elasticities, %zu tied, %zu flips, %zu reached, %zu not\n",
           counts[0], counts[1], counts[2], counts[3], counts[4]);
    CHECK(counts[0] >= 4 * cases && counts[2] >= cases / 2);
    CHECK(counts[3] > 0 && counts[4] > 0);
}

/* With three wires of one rate no single one makes it faster, and the NIC's is
 * limited by one that nobody measured. */
static void test_walls(void)
{
    const struct advise_options o = {.draws = 0};
    const char *const pcie = "node.wire_types.pcie5.bandwidth_GBps";
    struct draws_how how = {.jobs = 1};
    struct err err = {0};
    struct asked asked;
    struct reach r;
    struct why w;

    CHECK(ask(&asked, "dgx-h100", "alltoall:bytes=64M", "standard/device", &o));
    CHECK(why_find(&w, &asked.a, &asked.timed, &err) == 0);
    CHECK_EQ(w.ntied, 1);
    CHECK_EQ(w.tied[0].n, 3);
    CHECK(w.tied[0].first < -0.8 && w.tied[0].alone < 0.01);
    check_tied(&asked, &w.tied[0]);
    for (size_t i = 0; i < w.n && i < 3; i++)
        CHECK(fabs(w.list[i].first) < 0.01 && w.list[i].less > 0.8);
    double target_s = 0.8 * asked.a.candidates[asked.a.order[0]].time_s;
    CHECK(reach_find(&r, &asked.r, &asked.w, "nic", target_s, how, &err) == 0);
    CHECK(r.why_not && r.nwalls == 1);
    CHECK(r.nwalls && !strcmp(r.walls[0].key, pcie));
    CHECK(r.nwalls && r.walls[0].from == PROVENANCE_ASSUMED);
    CHECK_HAS(r.why_not ? r.why_not->text : "",
              "the wall is node.wire_types.pcie5");
    reach_clear(&r);
    why_clear(&w);
    asked_clear(&asked);
}

/* --- Monte Carlo ---------------------------------------------------------- */

static double drawn_factor(const struct spread *s, gsl_rng *random)
{
    if (s->uniform)
        return gsl_ran_flat(random, s->low, s->high);
    return exp(gsl_ran_gaussian(random, log(s->factor) / 1.959964));
}

/* Returns the time in us to which the engine's share of a copy is lowered, the
 * least alpha of any copy, because the engine serves a part of alpha; 0 if the
 * drawn time is not above it. */
static double engine_at_most(const struct parameters *p, const double *factors)
{
    double least_us = INFINITY, engine_us = 0;

    for (size_t i = 0; i < p->nnumbers; i++) {
        const struct number *n = &p->numbers[i];
        double drawn = n->value * factors[n->of];
        if (!strcmp(n->key, "copies.engine_us"))
            engine_us = drawn;
        else if (!strncmp(n->key, "copies.rows.", 12) &&
                 strstr(n->key, "alpha"))
            least_us = fmin(least_us, drawn);
    }
    return engine_us > least_us ? least_us : 0;
}

/* Simulates all candidates on one more machine; returns false if its numbers
 * contradict each other. */
static bool draw_one(double *times_s, const struct asked *asked,
                     gsl_rng *random)
{
    const struct parameters *p = &asked->w.parameters;
    char **sets = xcalloc(p->n + p->nnumbers, sizeof *sets);
    double *factors = xcalloc(p->n, sizeof *factors);
    struct err err = {0};
    struct machine m;
    size_t n = 0;

    for (size_t i = 0; i < p->n; i++)
        factors[i] = drawn_factor(&p->list[i].spread, random);
    for (size_t i = 0; i < p->n; i++)
        if (!p->list[i].shares && strstr(p->list[i].key, ".up_to_bytes"))
            sets[n++] = xasprintf("%s=%.0f", p->list[i].key,
                                  floor(p->list[i].value * factors[i]));
        else if (!p->list[i].shares)
            sets[n++] = xasprintf("%s=x%.17g", p->list[i].key, factors[i]);
    /* Shares sum to 1 at most. */
    for (size_t i = 0; i < p->nnumbers; i++)
        if (p->numbers[i].shares)
            sets[n++] = xasprintf(
                "%s=x%.17g", p->numbers[i].key,
                fmin(factors[p->numbers[i].of], 1 / p->numbers[i].value));
    double engine_us = engine_at_most(p, factors);
    if (engine_us > 0)
        sets[n++] = xasprintf("copies.engine_us=%.17g", engine_us);
    bool made = platform_load(&m, asked->platform, (const char *const *)sets, n,
                              &err) == 0;
    for (size_t i = 0; i < n; i++)
        free(sets[i]);
    free(sets);
    free(factors);
    for (size_t i = 0; i < asked->w.n && made; i++)
        if (asked->timed.time(&times_s[i], asked->timed.of, i, &m, NULL,
                              &err) != 0)
            times_s[i] = INFINITY;
    if (made)
        machine_clear(&m);
    return made;
}

/* Returns how often the first candidate is the fastest of a draw, with model
 * errors of kinds. */
static double won(const struct asked *asked, const double *times_s,
                  double model_error, gsl_rng *random)
{
    enum { ERRORS = 32 };
    size_t n = asked->w.n, wins = 0;
    double *factors = xcalloc(n, sizeof *factors);

    for (int k = 0; k < ERRORS; k++) {
        size_t best = asked->a.order[0];
        for (size_t i = 0; i < n; i++)
            factors[i] = exp(gsl_ran_gaussian(random, model_error));
        for (size_t i = 0; i < asked->a.n; i++) {
            size_t candidate = asked->a.order[i];
            if (times_s[candidate] * factors[asked->w.kinds[candidate]] <
                times_s[best] * factors[asked->w.kinds[best]])
                best = candidate;
        }
        wins += best == asked->a.order[0];
    }
    free(factors);
    return (double)wins / ERRORS;
}

static void check_probability(const char *platform, const char *words,
                              const char *strategy, double model_error)
{
    enum { DRAWS = 150 };
    const struct advise_options o = {
        .draws = DRAWS, .seed = 5, .model_error = model_error};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    struct asked asked;
    size_t made = 0;
    double sum = 0;

    gsl_rng_set(random, 77);
    CHECK(ask(&asked, platform, words, strategy, &o));
    double *times_s = xcalloc(asked.w.n, sizeof *times_s);
    for (size_t i = 0; i < DRAWS; i++)
        if (draw_one(times_s, &asked, random)) {
            sum += won(&asked, times_s, model_error, random);
            made++;
        }
    double p = sum / (double)made, error = sqrt(p * (1 - p) / DRAWS);
    printf("%s on %s: stated %.3f, drawn %.3f of %zu\n", words, platform,
           asked.a.best, p, made);
    CHECK(made > DRAWS * 9 / 10);
    CHECK(fabs(asked.a.best - p) < 3.5 * error + 0.02);
    free(times_s);
    gsl_rng_free(random);
    asked_clear(&asked);
}

int main(void)
{
    const char *cases = getenv("SLUICE_CASES");

    test_printed(cases ? strtoul(cases, NULL, 10) : CASES);
    test_walls();
    check_probability("dgx-h100", "alltoall:bytes=64k", NULL, 0);
    check_probability("alps", "allreduce:bytes=64k", NULL, 0.2);
    check_probability("frontier", "stencil:9pt:96x96",
                      "standard/staged,split+md,standard/device", 0);
    return check_result();
}
