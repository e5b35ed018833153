/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The random objects that make synthetic graphs: pairs, normal numbers,
 * degrees, rows. */
#include "tests/check.h"
#include "workloads/graph/graph_doubles.h"
#include "workloads/graph/graph_ends.h"
#include "workloads/graph/graph_log_normal.h"
#include "workloads/graph/graph_pairs.h"
#include "workloads/graph/graph_rows.h"

#include <math.h>
#include <stdlib.h>

/* The partner of a partner is the number itself, and one of an odd number is
 * alone. */
static void test_partners(void)
{
    static const uint64_t sizes[] = {1, 2, 3, 7, 8, 100, 1023, 1024, 1025};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (uint64_t key = 1; key < 4; key++) {
            uint64_t alone = 0, n = sizes[i];
            for (uint64_t k = 0; k < n; k++) {
                uint64_t p = random_partner(k, n, key);
                CHECK(p < n);
                CHECK_EQ(random_partner(p, n, key), k);
                alone += p == k;
            }
            CHECK_EQ(alone, n % 2);
        }
}

/* Partners are as far apart as random numbers: a third of all. */
static void test_partners_far(void)
{
    double far = 0;

    for (uint64_t k = 0; k < 10000; k++)
        far += fabs((double)random_partner(k, 10000, 5) - (double)k) / 10000;
    CHECK_NEAR(far / 10000, 1 / 3., 0.03);
    CHECK(random_partner(3, 10000, 5) != random_partner(3, 10000, 6));
}

static void test_normal(void)
{
    double sum = 0, squares = 0;

    for (uint64_t k = 0; k < 20000; k++) {
        double x = random_normal(random_of(k));
        sum += x;
        squares += x * x;
    }
    CHECK(fabs(sum / 20000) < 0.02);
    CHECK_NEAR(squares / 20000, 1, 0.03);
    for (double p = 1e-6; p < 1; p += 0.0101)
        CHECK_NEAR(erfc(-normal_quantile(p) / sqrt(2)) / 2, p, 1e-7);
}

/* The mean and the deviation are those asked for, and the largest is first. */
static void test_degrees(void)
{
    struct log_normal l;
    double sum = 0, squares = 0, last = 1e9;

    log_normal_init(&l, 1000000, 14e6, 36, 10000);
    for (uint64_t r = 0; r < 1000000; r++) {
        double d = log_normal_degree(&l, r);
        CHECK(d <= last * 1.000001);
        last = d;
        sum += d;
        squares += d * d;
    }
    CHECK_NEAR(log_normal_degree(&l, 0), 10000, 1e-9);
    CHECK_NEAR(sum, 14e6, 0.002);
    CHECK_NEAR(sqrt(squares / 1e6 - 14 * 14), 36, 0.1);
}

/* The deviation asked for is that of all degrees, both if the hubs fall fast
 * and if the largest degree cuts many off. */
static void test_degrees_with_hubs(void)
{
    static const double most[] = {20000, 80000};

    for (int i = 0; i < 2; i++) {
        struct log_normal l;
        double sum = 0, squares = 0;
        log_normal_init_hubs(&l, 1000000, 24e6, 300, most[i], 0.78);
        for (uint64_t r = 0; r < 1000000; r++) {
            double d = log_normal_degree(&l, r);
            sum += d;
            squares += d * d;
        }
        CHECK_NEAR(log_normal_degree(&l, 0), most[i], 1e-9);
        CHECK_NEAR(sum, 24e6, 0.002);
        CHECK_NEAR(sqrt(squares / 1e6 - 24 * 24), 300, 0.02);
    }
}

static void test_equal_degrees(void)
{
    struct log_normal l;

    log_normal_init_hubs(&l, 1000, 20e3, 0, 20, 0.78);
    for (uint64_t r = 0; r < 1000; r += 111)
        CHECK_NEAR(log_normal_degree(&l, r), 20, 1e-9);
}

/* If all have the degree k of n, so many ends are drawn that x expected between
 * any two make an arc with the probability k / n = 1 - exp(-x). */
static void test_doubles_of_equals(void)
{
    struct log_normal l;
    struct graph_doubles d;

    log_normal_init_hubs(&l, 1000, 200e3, 0, 200, 1);
    graph_doubles_init(&d, &l);
    graph_doubles_solve(&d, &d, 1, 0);
    for (uint64_t r = 0; r < 1000; r += 99)
        CHECK_NEAR(200 * graph_doubles_factor(&d, r), -1000 * log(1 - 0.2),
                   2e-3);
}

/* Returns the degrees that the ends are expected to make, added up one by
 * one. */
static void test_doubles_both_sides(void)
{
    enum { N = 400, PARTS = 4 };
    const double mix = 0.3, far = mix * PARTS / (PARTS - 1);
    struct log_normal out, in;
    struct graph_doubles tails, heads;
    double ends = 0;

    log_normal_init_hubs(&out, N, 20.0 * N, 15, 90, 0.78);
    log_normal_init_hubs(&in, N, 20.0 * N, 20, 70, 0.78);
    graph_doubles_init(&tails, &out);
    graph_doubles_init(&heads, &in);
    graph_doubles_solve(&tails, &heads, PARTS, mix);
    for (uint64_t r = 0; r < N; r++)
        ends += log_normal_degree(&in, r) * graph_doubles_factor(&heads, r);
    for (uint64_t t = 0; t < N; t += 57) {
        double got = 0, drawn = log_normal_degree(&out, t) *
                                graph_doubles_factor(&tails, t);
        for (uint64_t h = 0; h < N; h++) {
            double x = drawn * log_normal_degree(&in, h) *
                       graph_doubles_factor(&heads, h) / ends;
            got += (1 - exp(-x * ((1 - far) * PARTS + far))) / PARTS +
                   (1 - exp(-x * far)) * (PARTS - 1) / PARTS;
        }
        CHECK_NEAR(got, log_normal_degree(&out, t), 0.02);
        CHECK(graph_doubles_factor(&tails, t) > 1);
    }
    CHECK(graph_doubles_factor(&tails, 0) >
          graph_doubles_factor(&tails, N - 1));
}

/* Each vertex has the given number of ends, and none has another's. */
static void test_ends(void)
{
    static const uint32_t counts[] = {0, 3, 0, 0, 1000, 1, 0, 2, 0};
    enum { N = sizeof counts / sizeof counts[0] };
    uint32_t got[N] = {0};
    struct graph_ends e;

    graph_ends_init(&e, N);
    for (int v = 0; v < N; v++)
        e.first[v + 1] = counts[v];
    graph_ends_index(&e, N);
    CHECK_EQ(e.first[N], 1006);
    for (uint64_t end = 0; end < e.first[N]; end++)
        got[graph_ends_vertex(&e, end)]++;
    for (int v = 0; v < N; v++)
        CHECK_EQ(got[v], counts[v]);
    graph_ends_clear(&e);
}

/* Few and many heads are in any order; the vertex itself and duplicates are
 * removed. */
static void test_rows(void)
{
    struct graph_rows rows;
    struct graph g;

    graph_rows_init(&rows, 3, 4);
    uint32_t *to = graph_rows_room(&rows, 5);
    to[0] = 2, to[1] = 1, to[2] = 2, to[3] = 0, to[4] = 1;
    graph_rows_end(&rows, 5);
    to = graph_rows_room(&rows, 1000);
    for (uint32_t k = 0; k < 1000; k++)
        to[k] = k * 7919 % 3;
    graph_rows_end(&rows, 1000);
    graph_rows_room(&rows, 0);
    graph_rows_end(&rows, 0);
    graph_rows_finish(&rows, &g);
    CHECK_EQ(graph_arcs(&g), 4);
    CHECK_EQ(g.to[0], 1);
    CHECK_EQ(g.to[1], 2);
    CHECK_EQ(g.to[2], 0);
    CHECK_EQ(g.to[3], 2);
    CHECK_EQ(graph_degree(&g, 2), 0);
    graph_clear(&g);
}

static void test_long_row(void)
{
    struct graph_rows rows;
    struct graph g;

    graph_rows_init(&rows, 100000, 1);
    uint32_t *to = graph_rows_room(&rows, 100000);
    for (uint32_t k = 0; k < 100000; k++)
        to[k] = (uint32_t)((uint64_t)k * 77773 % 100000);
    graph_rows_end(&rows, 100000);
    for (uint32_t v = 1; v < 100000; v++)
        graph_rows_end(&rows, 0);
    graph_rows_finish(&rows, &g);
    CHECK_EQ(graph_degree(&g, 0), 99999);
    for (uint32_t k = 0; k < 99999; k++)
        CHECK_EQ(g.to[k], k + 1);
    graph_clear(&g);
}

int main(void)
{
    test_partners();
    test_partners_far();
    test_normal();
    test_degrees();
    test_degrees_with_hubs();
    test_equal_degrees();
    test_doubles_of_equals();
    test_doubles_both_sides();
    test_ends();
    test_rows();
    test_long_row();
    return check_result();
}
