/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spaces: values of axes, samples, constraints, prices, groups of points and
 * objects that are made once. */
#include "base/jobs.h"
#include "base/memo.h"
#include "study/explore/constraint.h"
#include "study/explore/family.h"
#include "study/explore/groups.h"
#include "study/explore/inputs.h"
#include "study/explore/space.h"
#include "study/explore/store_read.h"
#include "platforms/platform.h"
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct space made(const char *text)
{
    struct err err = {0};
    struct space s = {0};
    struct json *doc = json_parse(text, "space", &err);

    CHECK(doc != NULL);
    if (!doc || space_read(&s, doc, "space", &err) < 0)
        printf("%s: %s\n", text, err.text);
    CHECK(s.npoints > 0);
    return s;
}

static double number_at(const struct space *s, uint64_t point, size_t axis)
{
    struct json *v = space_value(s, point, axis);
    double x = json_number(v);

    json_free(v);
    return x;
}

/* The last axis varies fastest; by hand. */
static void test_grid(void)
{
    struct space s = made("{\"axes\": {\"nodes\": [4, 2], \"network.x\": "
                          "{\"from\": 1, \"to\": 100, \"steps\": 3, "
                          "\"scale\": \"log\"}}}");
    const double nodes[] = {4, 4, 4, 2, 2, 2}, x[] = {1, 10, 100, 1, 10, 100};

    CHECK_EQ(s.npoints, 6);
    for (uint64_t p = 0; p < 6; p++) {
        CHECK_NEAR(number_at(&s, p, 0), nodes[p], 1e-12);
        CHECK_NEAR(number_at(&s, p, 1), x[p], 1e-9);
    }
    space_clear(&s);
    /* 1, 2, 3.17, 5.04, 8 become the whole numbers 1, 2, 3, 5, 8. */
    s = made("{\"axes\": {\"nodes\": {\"from\": 1, \"to\": 2, \"steps\": 9}}}");
    CHECK_EQ(s.npoints, 2);
    space_clear(&s);
}

/* In a Latin hypercube each axis has one point in each of n parts; so it has in
 * a Sobol sequence of 2^k points. */
static void test_samples(void)
{
    enum { N = 32, AXES = 3 };
    static const enum sample_method methods[] = {SAMPLE_LATIN, SAMPLE_SOBOL};
    double u[N * AXES], again[N * AXES];
    struct err err;

    for (size_t k = 0; k < 2; k++) {
        CHECK_EQ(sample_make(u, methods[k], N, AXES, 5, &err), 0);
        CHECK_EQ(sample_make(again, methods[k], N, AXES, 5, &err), 0);
        CHECK_EQ(memcmp(u, again, sizeof u), 0);
        for (size_t a = 0; a < AXES; a++) {
            unsigned in[N + 1] = {0};
            for (size_t i = 0; i < N; i++)
                in[(size_t)(u[i * AXES + a] * N)]++;
            unsigned filled = 0;
            for (size_t i = 0; i < N; i++)
                filled += in[i] == 1;
            /* One part may be empty, because GSL's sequence omits the
             * origin. */
            CHECK(filled >= (methods[k] == SAMPLE_LATIN ? N : N - 2));
        }
    }
    CHECK_EQ(sample_make(u, SAMPLE_SOBOL, 1, 41, 1, &err), -1);
}

static void test_sampled_space(void)
{
    struct space s =
        made("{\"axes\": {\"network.x\": {\"from\": 1, \"to\": 1000, "
             "\"scale\": \"log\"}, \"nodes\": {\"from\": 3, \"to\": 5}, "
             "\"value_bytes\": [8, 16], \"partition\": {\"choose\": [\"a\", "
             "\"b\"]}}, \"sample\": {\"method\": \"latin\", \"points\": 60}}");
    unsigned decade[3] = {0}, nodes[6] = {0}, a = 0;

    CHECK_EQ(s.npoints, 120);
    for (uint64_t p = 0; p < 120; p++) {
        double x = number_at(&s, p, 0), n = number_at(&s, p, 1);
        struct json *part = space_value(&s, p, 3);
        CHECK(x >= 1 && x <= 1000 && n >= 3 && n <= 5);
        decade[(int)fmin(log10(x), 2.5)]++;
        nodes[(int)n]++;
        a += !strcmp(json_string(part), "a");
        json_free(part);
        CHECK_NEAR(number_at(&s, p, 2), p % 2 ? 16 : 8, 1e-12);
    }
    /* All are equally likely, and each sample is there twice. */
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(decade[i], 40);
        CHECK_EQ(nodes[3 + i], 40);
    }
    CHECK_EQ(a, 60);
    space_clear(&s);
}

static const struct json *value_of(void *arg, const char *name)
{
    return json_member(arg, name);
}

static void check_constraint(const char *text, int want)
{
    struct err err = {0};
    struct json *values =
        json_parse("{\"nodes\": 4, \"gpus\": 8, \"how\": \"metis\"}", "", &err);
    struct json *c = json_parse(text, "constraint", &err);
    int got = constraint_holds(c, value_of, values, &err);

    if (got != want)
        printf("%s: %d, expected %d (%s)\n", text, got, want, err.text);
    CHECK_EQ(got, want);
    json_free(c);
    json_free(values);
}

static void test_constraints(void)
{
    check_constraint("[\"nodes\", \"<=\", 4]", 1);
    check_constraint("[\"nodes\", \"<\", 4]", 0);
    check_constraint("[\"nodes\", \">\", 3]", 1);
    check_constraint("[\"nodes\", \">=\", \"gpus\"]", 0);
    check_constraint("[4, \"==\", \"nodes\"]", 1);
    check_constraint("[\"nodes\", \"!=\", 4]", 0);
    check_constraint("[{\"product\": [\"nodes\", 2]}, \"==\", \"gpus\"]", 1);
    check_constraint("[\"how\", \"==\", {\"text\": \"metis\"}]", 1);
    check_constraint("[\"how\", \"!=\", {\"text\": \"metis\"}]", 0);
    check_constraint("{\"any\": [[\"nodes\", \">\", 9], [1, \"<\", 2]]}", 1);
    check_constraint("{\"any\": [[\"nodes\", \">\", 9]]}", 0);
    check_constraint("{\"any\": []}", 0);
    check_constraint("[\"how\", \"<\", {\"text\": \"metis\"}]", -1);
    check_constraint("[\"how\", \"==\", 3]", -1);
    check_constraint("[\"node\", \"==\", 3]", -1);
    check_constraint("[\"nodes\", \"=\", 3]", -1);
    check_constraint("[\"nodes\", \"==\"]", -1);
    check_constraint("{\"all\": []}", -1);
    check_constraint("{\"any\": [[1, \"<\", 2], 3]}", -1);
    check_constraint("3", -1);
}

/* duo has a socket of two cores, a GPU and a NIC of 10 GB/s per node. */
static void test_prices(void)
{
    struct err err;
    struct machine m;
    struct prices p;
    struct json *doc = json_parse(
        "{\"dollars\": {\"node\": 1000, \"core\": 10, \"gpu\": 500, \"nic\": "
        "50, \"nic_GBps\": 2}, \"watts\": {\"socket\": 100}}",
        "prices", &err);

    CHECK_EQ(prices_read(&p, doc, &err), 0);
    CHECK_EQ(platform_load(&m, "duo", NULL, 0, &err), 0);
    CHECK_NEAR(rates_sum(&p.dollars, &m, 2), 2 * (1000 + 20 + 500 + 50 + 20),
               1e-9);
    CHECK_NEAR(rates_sum(&p.watts, &m, 3), 300, 1e-9);
    machine_clear(&m);
    json_free(doc);
    doc = json_parse("{\"dollars\": {\"nod\": 1}}", "prices", &err);
    CHECK_EQ(prices_read(&p, doc, &err), -1);
    json_free(doc);
}

/* Points that differ by the machine are in one group; each is given out
 * once. */
static void test_groups(void)
{
    struct space s = made("{\"axes\": {\"nodes\": [1, 2], \"network.x\": [1, "
                          "2, 3], \"platform\": [\"a\", \"b\"]}}");
    struct groups *g = groups_new(&s, s.points, s.npoints);
    struct group *of, *first, *second;
    unsigned seen[12] = {0}, last = 0;
    uint64_t point;

    CHECK(groups_take(g, &first, &point));
    seen[point]++;
    /* The point is of another group, because the first one is not open yet. */
    CHECK(groups_take(g, &second, &point));
    seen[point]++;
    CHECK(first != second);
    groups_opened(g, second);
    CHECK(groups_take(g, &of, &point));
    CHECK(of == second);
    seen[point]++;
    groups_opened(g, first);
    last += groups_done(g, second);
    last += groups_done(g, second);
    last += groups_done(g, first);
    while (groups_take(g, &of, &point)) {
        seen[point]++;
        last += groups_done(g, of);
    }
    CHECK_EQ(last, 2);
    for (int i = 0; i < 12; i++)
        CHECK_EQ(seen[i], 1);
    groups_free(g);
    space_clear(&s);
}

/* A group that is between two points when all stops has a family, which only
 * groups_free() can free: without it, LeakSanitizer reports it. */
static void test_stopped(void)
{
    struct space s = made("{\"axes\": {\"network.x\": [1, 2]}}");
    struct groups *g = groups_new(&s, s.points, s.npoints);
    struct group *of;
    uint64_t point;

    CHECK(groups_take(g, &of, &point));
    of->loaded = family_new();
    groups_opened(g, of);
    CHECK(!groups_done(g, of));
    groups_stop(g);
    CHECK(!groups_take(g, &of, &point));
    groups_free(g);
    space_clear(&s);
}

/* --- Pareto --------------------------------------------------------------- */

static void test_pareto(void)
{
    const double t[] = {3, 1, 2, 2, 5, 1}, cost[] = {1, 9, 4, 5, 1, 9};
    struct stored_run runs[6] = {0};
    struct stored s = {.runs = runs, .nruns = 6, .nworks = 1};
    size_t n;

    s.space.nobjectives = 2;
    s.space.objectives[0] = OBJECTIVE_TIME;
    s.space.objectives[1] = OBJECTIVE_COST;
    for (int i = 0; i < 6; i++) {
        runs[i].run.values[FIELD_time_s] = t[i];
        runs[i].run.values[FIELD_cost_dollars] = cost[i];
    }
    size_t *list = stored_pareto(&s, &n);
    /* (1, 9) twice, (2, 4), (3, 1); (2, 5) and (5, 1) are dominated. */
    CHECK_EQ(n, 4);
    CHECK_EQ(list[0], 1);
    CHECK_EQ(list[1], 5);
    CHECK_EQ(list[2], 2);
    CHECK_EQ(list[3], 0);
    free(list);
    /* In another work, (2, 5) and (5, 1) are not dominated. */
    s.nworks = 2;
    runs[3].work = runs[4].work = 1;
    list = stored_pareto(&s, &n);
    CHECK_EQ(n, 6);
    CHECK_EQ(list[4], 3);
    CHECK_EQ(list[5], 4);
    free(list);
    double *best = stored_best(&s, OBJECTIVE_TIME);
    CHECK_NEAR(best[0], 1, 0);
    CHECK_NEAR(best[1], 2, 0);
    free(best);
}

/* Makes a run of each point; `workload` is that of the base. */
static struct stored stored_of(struct space s, const char *workload)
{
    struct stored t = {.space = s, .nruns = s.npoints, .npoints = s.npoints};

    t.runs = xcalloc(t.nruns, sizeof *t.runs);
    for (size_t i = 0; i < t.nruns; i++) {
        struct stored_run *r = &t.runs[i];
        r->values = xcalloc(s.naxes, sizeof *r->values);
        r->run.workload = xstrdup(workload);
        for (size_t a = 0; a < s.naxes; a++) {
            struct json *v = space_value(&s, s.points[i], a);
            r->values[a] = axis_text(v);
            json_free(v);
        }
    }
    stored_find_works(&t);
    return t;
}

/* Different sizes of a value are different work; other machines and candidates
 * are not. More nodes are different work only if each GPU brings its own
 * part. */
static void test_works(void)
{
    static const char text[] =
        "{\"axes\": {\"nodes\": [1, 2], \"value_bytes\": [8, 16], "
        "\"platform\": [\"duo\", \"lassen\"], \"network.x\": [1, 2]}}";
    struct stored t = stored_of(made(text), "stencil:5pt:8x8");

    CHECK_EQ(t.nworks, 2);
    CHECK(stored_axis_is_work(&t, 1) && !stored_axis_is_work(&t, 0) &&
          !stored_axis_is_work(&t, 2) && !stored_axis_is_work(&t, 3));
    for (size_t i = 0; i < t.nruns; i++)
        CHECK_EQ(t.runs[i].work, i / 4 % 2);
    stored_clear(&t);
    t = stored_of(made(text), "allreduce:bytes=1M");
    CHECK_EQ(t.nworks, 4);
    CHECK(stored_axis_is_work(&t, 0));
    for (size_t i = 0; i < t.nruns; i++)
        CHECK_EQ(t.runs[i].work, i / 4);
    stored_clear(&t);
    t = stored_of(made("{\"axes\": {\"nodes\": [1, 2]}}"), "no such");
    CHECK_EQ(t.nworks, 1);
    stored_clear(&t);
}

/* --- memo ----------------------------------------------------------------- */

struct made_count {
    int made; /* in the order of making */
};

static int next_made;

static int make_one(void *value, const void *arg, struct err *err)
{
    if (!strcmp(arg, "bad"))
        return fail(err, "bad");
    ((struct made_count *)value)->made =
        __atomic_add_fetch(&next_made, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static void clear_one(void *value)
{
    ((struct made_count *)value)->made = 0;
}

static int take_same(void *arg, unsigned worker, size_t i, struct err *err)
{
    const struct made_count *v = memo_take(arg, "same", "same", err);

    (void)worker;
    (void)i;
    CHECK(v && v->made == 1);
    memo_give(arg, v);
    return 0;
}

static void test_memo(void)
{
    static const struct memo_kind kind = {sizeof(struct made_count), make_one,
                                          clear_one, 1};
    struct memo *m = memo_new(&kind);
    struct err err;

    next_made = 0;
    CHECK_EQ(jobs_run(100, 4, take_same, m, &err), 0);
    CHECK_EQ(next_made, 1);
    const struct made_count *a = memo_take(m, "a", "a", &err);
    const struct made_count *same = memo_take(m, "same", "same", &err);
    CHECK(a && a->made == 2 && same && same->made == 1);
    CHECK(memo_take(m, "b", "bad", &err) == NULL);
    memo_give(m, same);
    memo_give(m, a); /* one is kept: a, the last that was given back */
    a = memo_take(m, "a", "a", &err);
    same = memo_take(m, "same", "same", &err);
    CHECK(a && a->made == 2 && same && same->made == 3);
    memo_give(m, a);
    memo_give(m, same);
    memo_free(m);
}

/* An input that cannot be read has no digest. */
static void test_unreadable(void)
{
    const struct input file = {.path = "tests/data/none"};
    const struct input machine = {.platform = true, .path = "none"};
    const struct input duo = {.platform = true, .path = "duo"};
    uint64_t digest = 0;

    CHECK_EQ(input_digest(&file, &digest), -1);
    CHECK_EQ(input_digest(&machine, &digest), -1);
    CHECK_EQ(input_digest(&duo, &digest), 0);
}

int main(void)
{
    test_grid();
    test_samples();
    test_sampled_space();
    test_constraints();
    test_prices();
    test_groups();
    test_stopped();
    test_pareto();
    test_works();
    test_memo();
    test_unreadable();
    return check_result();
}
