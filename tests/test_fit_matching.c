/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constants of matching engines from measured times: the fit returns the
 * constants that made the times, outliers do not count, and bad input is
 * refused. */
#include "validate/calibrate/fit_matching.h"

#include "base/json.h"
#include "tests/check.h"
#include "tests/scratch.h"

#include <stdlib.h>

static const struct matching truth = {.entry_s = 2e-9,
                                      .clock_Hz = 1.5e9,
                                      .pass_cycles = 800,
                                      .receive_cycles = 310,
                                      .miss_cycles = 250,
                                      .scan_cycles = 130,
                                      .short_cycles = 270,
                                      .short_messages = 32,
                                      .cta_messages = 1024,
                                      .compaction = 0.08,
                                      .queue_cycles = 3,
                                      .round_cycles = 1200,
                                      .hash_cycles = 4,
                                      .slots = 1.25};

static void add(struct match_points *all, struct match_point p)
{
    all->points = xrealloc(all->points, all->n + 1, sizeof *all->points);
    p.matches = p.length - p.length * p.unexpected / 100;
    p.samples = 1;
    p.time_s = match_point_s(&truth, &p);
    all->points[all->n++] = p;
}

static void make(struct match_points *all)
{
    *all = (struct match_points){.from = "made up"};
    for (unsigned n = 32; n <= 8192; n *= 2) {
        add(all, (struct match_point){
                     .engine = MATCHER_LIST, .length = n, .queues = 1});
        add(all, (struct match_point){
                     .engine = MATCHER_HASH, .length = n, .queues = 1});
        for (int compact = 0; compact < 2; compact++)
            add(all, (struct match_point){.engine = MATCHER_MATRIX,
                                          .length = n,
                                          .queues = 1,
                                          .compact = compact});
        add(all, (struct match_point){.engine = MATCHER_MATRIX,
                                      .length = n,
                                      .queues = 1,
                                      .unexpected = 50,
                                      .compact = true});
        for (unsigned q = 2; q <= 32; q *= 2)
            add(all, (struct match_point){.engine = MATCHER_PARTITIONED,
                                          .length = n,
                                          .queues = q});
    }
}

static struct json *document(const char *text)
{
    struct err err;
    struct json *doc = json_parse(text, "made up", &err);

    CHECK(doc);
    return doc;
}

static const struct fit_row *row_of(const struct fit_matching *f,
                                    const char *key)
{
    for (size_t i = 0; i < f->nrows; i++)
        if (!strcmp(f->rows[i].path, key))
            return &f->rows[i];
    return NULL;
}

static void check_row(const struct fit_matching *f, const char *key,
                      double wanted, double tolerance)
{
    const struct fit_row *r = row_of(f, key);

    CHECK(r);
    if (r)
        CHECK_NEAR(r->fitted.value, wanted, tolerance);
}

static void check_rows(const struct fit_matching *f, double tolerance)
{
    check_row(f, "matching.pass_cycles", 800, 20 * tolerance);
    check_row(f, "matching.receive_cycles", 310, tolerance);
    check_row(f, "matching.miss_cycles", 250, 20 * tolerance);
    check_row(f, "matching.scan_cycles", 130, 20 * tolerance);
    check_row(f, "matching.short_cycles", 270, 20 * tolerance);
    check_row(f, "matching.queue_cycles", 3, 20 * tolerance);
    check_row(f, "matching.compaction", 0.08, 20 * tolerance);
    check_row(f, "matching.round_cycles", 1200, 20 * tolerance);
    check_row(f, "matching.hash_cycles", 4, 20 * tolerance);
}

static void test_recovered(void)
{
    struct json *doc = document("{\"matching\": {\"clock_MHz\": 1500}}");
    struct match_points all;
    struct fit_matching f;
    struct err err;

    make(&all);
    CHECK_EQ(fit_matching(&f, doc, &all, &err), 0);
    CHECK_EQ(f.nrows, 9);
    check_rows(&f, 1e-3);
    for (size_t i = 0; i < f.ngroups; i++)
        CHECK(fabs(f.groups[i].worst) < 1e-3);
    const struct json *source =
        json_member(json_member(doc, "matching"), "source");
    CHECK_HAS(json_string(json_member(source, "kind")), "fit");
    CHECK_HAS(json_string(json_member(source, "from")), "made up");
    fit_matching_clear(&f);

    /* Two cases do not follow the law. */
    for (size_t i = 0; i < all.n; i++)
        if (all.points[i].engine == MATCHER_MATRIX && !all.points[i].compact &&
            all.points[i].length == 64)
            all.points[i].time_s *= 3;
    CHECK_EQ(fit_matching(&f, doc, &all, &err), 0);
    check_rows(&f, 5e-3);
    fit_matching_clear(&f);
    json_free(doc);
    match_points_clear(&all);
}

/* A base has a list, or nothing at all. */
static void test_lists(void)
{
    static const char *const texts[] = {
        "{\"matching\": {\"entry_ns\": 7, \"attempt_ns\": 0}}", "{}"};
    struct match_points all;
    struct fit_matching f;
    struct err err;

    make(&all);
    for (int i = 0; i < 2; i++) {
        struct json *doc = document(texts[i]);
        CHECK_EQ(fit_matching(&f, doc, &all, &err), 0);
        CHECK_EQ(f.nrows, 1);
        check_row(&f, "matching.entry_ns", 2, 1e-3);
        fit_matching_clear(&f);
        json_free(doc);
    }
    match_points_clear(&all);
}

static void test_too_few(void)
{
    struct json *doc = document("{\"matching\": {\"clock_MHz\": 1500}}");
    struct match_points all;
    struct fit_matching f;
    struct err err;

    make(&all);
    all.n = 8;
    CHECK_EQ(fit_matching(&f, doc, &all, &err), -1);
    CHECK_HAS(err.text, "made up: matrix and of 4 queues: expected more than 7 "
                        "cases");
    fit_matching_clear(&f);
    json_free(doc);
    match_points_clear(&all);
}

/* --- files ---------------------------------------------------------------- */

#define HEAD                                                                   \
    "# run: gpu=\"Toy 1, driver 2\" mpi=\"x\"\n"                               \
    "algorithm,queue_length,queues,wildcards_percent,unexpected_percent,"      \
    "compaction,matches,time_s\n"

static void test_file(void)
{
    char *path = scratch_file("m.csv", HEAD "matrix,64,1,0,0,no,64,3e-6\n"
                                            "matrix,64,1,0,0,no,64,1e-6\n"
                                            "matrix,64,1,0,0,no,64,2e-6\n"
                                            "list_cpu,64,1,0,50,yes,32,5e-6\n");
    struct match_points p;
    struct err err;

    CHECK(match_points_are(path));
    CHECK_EQ(match_points_load(&p, path, &err), 0);
    CHECK_EQ(p.n, 2);
    CHECK_NEAR(p.points[0].time_s, 2e-6, 1e-12);
    CHECK_EQ(p.points[0].samples, 3);
    CHECK_EQ(p.points[1].engine, MATCHER_LIST);
    CHECK_EQ(p.points[1].unexpected, 50);
    CHECK(p.points[1].compact);
    CHECK_HAS(p.from, "m.csv (Toy 1)");
    match_points_clear(&p);
    free(path);
}

static void test_bad_file(const char *text, const char *why)
{
    char *path = scratch_file("bad.csv", text);
    struct match_points p;
    struct err err;

    CHECK_EQ(match_points_load(&p, path, &err), -1);
    CHECK_HAS(err.text, why);
    free(path);
}

int main(void)
{
    test_recovered();
    test_lists();
    test_too_few();
    scratch_make();
    test_file();
    test_bad_file("a,b\n1,2\n", "not the columns of sluice-native match");
    test_bad_file(HEAD "tree,64,1,0,0,no,64,3e-6\n",
                  "algorithm: expected list_cpu, matrix, partitioned or hash");
    test_bad_file(HEAD "matrix,64,1,0,0,no,65,3e-6\n", ":3: expected a time");
    test_bad_file(HEAD "matrix,64,0,0,0,no,64,3e-6\n", "expected a time");
    test_bad_file(HEAD "matrix,64,1,0,0,no,64,0\n", "expected a time");
    scratch_clear();
    return check_result();
}
