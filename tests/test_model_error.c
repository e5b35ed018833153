/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model error, by the kind of request: rows that are found, the value if
 * there is none, errors that candidates of one path share, and rows that are
 * made from decisions. */
#include "study/advise/model_error.h"

#include "tests/check.h"
#include "validate/measure/advice_calibration.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct model_error_row rows[] = {
    {DECIDED_ALLTOALL, "here", 2, 4, 64, 1024, 10, -1, 0.1, 9, 8, 8},
    {DECIDED_ALLTOALL, "here", 2, 4, 2048, 65536, 20, -1, 0.2, 16, 18, 15},
    {DECIDED_ALLTOALL, "there", 2, 8, 64, 1024, 30, -1, 0.3, 20, 10, 7},
    {DECIDED_MEMORY, "there", 2, 2, 1, 1024, 4, 0.5, -1, 1, 2, 0}};
enum { NROWS = sizeof rows / sizeof rows[0] };

static struct model_error find(enum decided kind, const char *platform,
                               unsigned nodes, uint64_t bytes, bool held_back)
{
    const struct decided_case c = {kind, platform, nodes, bytes};

    return model_error_by(rows, NROWS, &c, held_back);
}

static void test_rows(void)
{
    struct model_error e = find(DECIDED_ALLTOALL, "here", 3, 512, false);
    CHECK_EQ(e.from, MODEL_ERROR_OWN);
    CHECK_NEAR(e.own, 0.1, 1e-12);
    CHECK_NEAR(e.bound.most, 9 / 10.0, 1e-12);
    CHECK_EQ(*e.words, 0);

    /* The size is not beyond the measured range, because it is between those of
     * two rows. */
    e = find(DECIDED_ALLTOALL, "here", 3, 1500, false);
    CHECK_EQ(e.from, MODEL_ERROR_OWN);
    CHECK_EQ(*e.extrapolates, 0);
    /* The machine's name begins like a measured one's. */
    e = find(DECIDED_ALLTOALL, "here-x", 3, 512, false);
    CHECK_EQ(e.from, MODEL_ERROR_OTHERS);
    CHECK_HAS(e.words, "were never measured on here-x: ");

    /* Without a size both rows count, weighted by their cases. */
    e = find(DECIDED_ALLTOALL, "here", 2, 0, false);
    CHECK_EQ(e.from, MODEL_ERROR_OWN);
    CHECK_NEAR(e.own, sqrt((10 * 0.01 + 20 * 0.04) / 30), 1e-12);
    CHECK_NEAR(e.bound.most, 24 / 28.0, 1e-12);

    /* On more nodes than were measured, the larger errors of both rows here or
     * of the other machine count, and the lower frequency of being right. */
    e = find(DECIDED_ALLTOALL, "here", 32, 512, false);
    CHECK_EQ(e.from, MODEL_ERROR_BEYOND);
    CHECK_NEAR(e.own, 0.3, 1e-12);
    CHECK_NEAR(e.path, 0.5, 1e-12); /* another kind's, because this has none */
    CHECK_NEAR(e.bound.most, 8 / 12.0, 1e-12);
    CHECK(!strcmp(e.extrapolates, "nodes 32 > 4 measured"));
    CHECK_HAS(e.words, "on 32 nodes, 512 B were never measured on here");

    /* The frequency is lower here than elsewhere, and the words report that. */
    e = find(DECIDED_MEMORY, "there", 4, 64, false);
    CHECK_EQ(e.from, MODEL_ERROR_BEYOND);
    CHECK_HAS(e.words, ": 1 of 4 such advices on it, of other nodes or sizes, "
                       "were right");

    e = find(DECIDED_ALLTOALL, "here", 1, 32, false);
    CHECK(!strcmp(e.extrapolates,
                  "nodes 1 < 2 measured, bytes 32 B < 64 B measured"));

    /* The machine counts as not measured; and a third one is not. */
    e = find(DECIDED_ALLTOALL, "here", 3, 512, true);
    CHECK_EQ(e.from, MODEL_ERROR_OTHERS);
    CHECK_NEAR(e.own, 0.3, 1e-12);
    CHECK_NEAR(e.bound.most, 8 / 12.0, 1e-12);
    e = find(DECIDED_ALLTOALL, "third", 2, 512, false);
    CHECK_EQ(e.from, MODEL_ERROR_OTHERS);
    CHECK_NEAR(e.own, sqrt((10 * 0.01 + 30 * 0.09) / 40), 1e-12);
    CHECK_NEAR(e.bound.most, 16 / 20.0, 1e-12);
    CHECK_HAS(e.words, "15 of 18 such advices stated with 80 % and more on "
                       "other machines were right");

    /* The decisions of all classes count, because one class has too few stated
     * ones. */
    e = find(DECIDED_ALLTOALL, "third", 2, 70000, false);
    CHECK_EQ(e.from, MODEL_ERROR_OTHERS);
    CHECK_NEAR(e.bound.most, 31 / 38.0, 1e-12);

    /* A kind that was never measured has no more than the worst: 2 of 6. */
    e = find(DECIDED_RUNTIME, "here", 2, 0, false);
    CHECK_EQ(e.from, MODEL_ERROR_NEVER);
    CHECK_NEAR(e.bound.most, 2 / 6.0, 1e-12);
    CHECK_NEAR(e.path, 0.5, 1e-12); /* over all kinds */
    CHECK_HAS(e.words, "runtimes on 2 nodes were never measured on here, nor "
                       "elsewhere");
}

/* Between memories the path's error is the one row's, and within one the own
 * error is the other's. */
static void test_join(void)
{
    struct model_error memory = find(DECIDED_MEMORY, "there", 2, 64, false);
    struct model_error way = find(DECIDED_ALLTOALL, "there", 2, 64, false);
    struct model_error e = model_error_join(&memory, &way);

    CHECK_NEAR(e.path, 0.5, 1e-12);
    CHECK_NEAR(e.own, 0.3, 1e-12);
    CHECK_NEAR(e.bound.most, 2 / 6.0, 1e-12);
    CHECK_EQ(e.from, MODEL_ERROR_OWN);
    /* The words report the lower of both bounds. */
    memory = find(DECIDED_MEMORY, "here", 2, 64, false);
    way = find(DECIDED_ALLTOALL, "third", 2, 64, false);
    e = model_error_join(&memory, &way);
    CHECK_NEAR(e.bound.most, 2 / 6.0, 1e-12);
    CHECK_HAS(e.words, "1 of 4 such advices on other machines were right, and "
                       "nothing is stated above 0.33");
}

/* Candidates 0 and 2 are one plan; candidate 1 has equal times on the nominal
 * machine only. So the two share the first's model error, and are never
 * separated. */
static void test_one_plan(void)
{
    enum { DRAWS = 400 };
    static const double nominal_s[3] = {1, 1, 1};
    double times_s[3 * DRAWS];
    struct advise_options o = {.draws = DRAWS, .seed = 1, .model_error = 0.1};
    struct advice a;

    for (size_t d = 0; d < DRAWS; d++) {
        times_s[3 * d] = times_s[3 * d + 2] = 1;
        times_s[3 * d + 1] = d % 2 ? 1.001 : 0.999;
    }
    advice_of_times(&a, nominal_s, times_s, 3, &o);
    CHECK_EQ(a.tied, 2);
    CHECK(a.order[0] == 0 && a.order[1] == 2 && advice_next(&a) == 1);
    CHECK(a.like[0] == 0 && a.like[1] == 1 && a.like[2] == 0);
    /* It would be a third each, if they shared nothing. */
    CHECK_NEAR(a.best, 0.5, 0.02);
    CHECK_NEAR(a.candidates[2].best, a.best, 1e-12);
    CHECK_NEAR(a.candidates[1].best, 1 - a.best, 1e-12);
    CHECK_NEAR(a.before_second, a.best, 1e-12);
    CHECK_NEAR(a.lead, 0, 1e-12);
    advice_clear(&a);
}

/* Candidates of 1 and 1.1 s: on one path, its model error moves neither before
 * the other; on two, the first is ahead with P(z < ln 1.1 / (0.1 sqrt 2)). No
 * probability is stated above `most`. */
static void test_paths(void)
{
    enum { DRAWS = 100 };
    double nominal_s[2] = {1, 1.1}, times_s[2 * DRAWS];
    static const unsigned one[] = {1, 1}, two[] = {0, 1};
    struct advise_options o = {
        .draws = DRAWS, .seed = 1, .path_error = 0.1, .paths = one};
    struct advice a;

    for (size_t i = 0; i < (size_t)2 * DRAWS; i++)
        times_s[i] = nominal_s[i % 2];
    advice_of_times(&a, nominal_s, times_s, 2, &o);
    CHECK_NEAR(a.best, 1, 1e-12);
    advice_clear(&a);
    o.most = 0.6;
    advice_of_times(&a, nominal_s, times_s, 2, &o);
    CHECK_NEAR(a.best, 0.6, 1e-12);
    CHECK_NEAR(a.before_second, 0.6, 1e-12);
    CHECK_NEAR(a.candidates[0].best, 0.6, 1e-12);
    CHECK(!advice_is_tie(&a)); /* because the times nevertheless differ */
    advice_clear(&a);
    o.most = 0;
    o.paths = two;
    advice_of_times(&a, nominal_s, times_s, 2, &o);
    CHECK(fabs(a.best - gsl_cdf_ugaussian_P(log(1.1) / (0.1 * M_SQRT2))) <
          0.02);
    advice_clear(&a);
}

/* There are three candidates, two of which share a path: off by e^0.1, e^-0.1
 * and e^0.6. Their own variance is (0.1^2 + 0.1^2) / 1; the paths' means are
 * 0.6 apart, so that theirs is (0.36 - 0.02 (1/2 + 1)) / 2. */
static void test_made(void)
{
    double nominal_s[3] = {1, 2, 4};
    double measured_s[3] = {exp(0.1), 2 * exp(-0.1), 4 * exp(0.6)};
    unsigned paths[3] = {0, 0, 1};
    char choices[3][64] = {"a", "b", "c"};
    struct calibration_case cases[3] = {{.machine = "here",
                                         .nways = 3,
                                         .choices = choices,
                                         .measured_s = measured_s,
                                         .nominal_s = nominal_s,
                                         .times_s = nominal_s,
                                         .kind = DECIDED_MEMORY,
                                         .nodes = 2,
                                         .bytes = 64,
                                         .paths = paths}};
    struct calibration s = {.list = cases, .n = 3, .draws = 1, .seed = 1};
    size_t n;

    cases[1] = cases[2] = cases[0];
    strcpy(cases[1].machine, "here");
    cases[1].nodes = 4;
    cases[1].bytes = 1024;
    cases[2].bytes = 4096; /* another class */
    struct model_error_row *made = calibration_rows(&s, &n);
    CHECK_EQ(n, 2);
    CHECK_EQ(made[0].cases, 2);
    CHECK_EQ(made[0].least_nodes, 2);
    CHECK_EQ(made[0].most_nodes, 4);
    CHECK_EQ(made[0].least_B, 64);
    CHECK_EQ(made[0].most_B, 1024);
    CHECK_NEAR(made[0].own, sqrt(0.02), 1e-9);
    CHECK_NEAR(made[0].path, sqrt((0.36 - 0.03) / 2), 1e-9);
    /* Because 2 compared with 1 s is 4.9 deviations off. */
    CHECK_EQ(made[0].stated, 2);
    CHECK_EQ(made[0].stated_right, 2);
    CHECK_EQ(made[0].right, 2);
    CHECK_EQ(made[1].cases, 1);
    free(made);
}

/* In the shipped table no row is empty, and each is of one class. */
static void test_shipped(void)
{
    CHECK(nmodel_errors > 10);
    for (size_t i = 0; i < nmodel_errors; i++) {
        const struct model_error_row *r = &model_errors[i];
        CHECK(r->cases > 0 && (r->path >= 0 || r->own >= 0));
        CHECK(r->stated <= r->cases && r->stated_right <= r->stated);
        CHECK(r->right <= r->cases && r->stated_right <= r->right);
        CHECK_EQ(decided_class(r->least_nodes, r->least_B),
                 decided_class(r->most_nodes, r->most_B));
    }
}

int main(void)
{
    test_rows();
    test_join();
    test_one_plan();
    test_paths();
    test_made();
    test_shipped();
    return check_result();
}
