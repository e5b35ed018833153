/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A limit between two segments that is known to lie between two sizes is drawn
 * there, and nowhere else; other draws do not change, and only costs have an
 * elasticity. */
#include "platforms/platform.h"
#include "study/advise/draws.h"
#include "study/advise/parameters.h"
#include "study/advise/why.h"
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>

enum { DRAWS = 64 };
#define SEGMENTS "messages.cpu.off_node.segments"
static const char *const KNOWN[] = {SEGMENTS ".0.next_from_bytes=2000"};

static void parameters_make(struct parameters *p, const char *const *sets,
                            size_t n)
{
    struct err err = {0};
    struct json *doc = platform_json("duo", sets, n, &err);

    if (!doc)
        exit(err_print(&err));
    parameters_of(p, doc, "duo");
    json_free(doc);
}

/* Returns the limit of the segment under these factors. */
static uint64_t limit_of(struct machine_maker *maker, const double *factors)
{
    struct err err = {0};
    struct machine m;

    if (maker_machine(&m, maker, factors, &err) < 0)
        exit(err_print(&err));
    uint64_t limit =
        m.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments[0].up_to_B;
    machine_clear(&m);
    return limit;
}

static void drawn_inside(const struct parameters *p, const double *factors)
{
    struct machine_maker maker;
    uint64_t least = UINT64_MAX, most = 0;
    double *nominal = draws_nominal(p);

    maker_init(&maker, p);
    for (size_t d = 0; d < DRAWS; d++) {
        uint64_t limit = limit_of(&maker, factors + d * p->n);
        least = limit < least ? limit : least;
        most = limit > most ? limit : most;
    }
    /* duo's limit is 1000 bytes. */
    CHECK(least >= 1000 && least < 1050);
    CHECK(most > 1950 && most < 2000);
    CHECK_EQ(limit_of(&maker, nominal), 1000);
    nominal[p->n - 1] = 100; /* further than the known range: its end */
    CHECK_EQ(limit_of(&maker, nominal), 1999);
    nominal[p->n - 1] = 0.01;
    CHECK_EQ(limit_of(&maker, nominal), 1000);
    maker_clear(&maker);
    free(nominal);
}

/* Returns the time of a message of 1500 B off node, whose segment the limit
 * chooses; the second candidate takes twice as long. */
static int toy_time(double *time_s, const void *of, size_t nth,
                    const struct machine *m,
                    const struct node_routes *node_routes, struct err *err)
{
    const struct segment *s =
        machine_segment(m, RUNTIME_MPI, PATH_HOST, OFF_NODE, 1500);

    (void)of, (void)node_routes, (void)err;
    *time_s = (double)(nth + 1) * (s->alpha_s + 1500 * s->beta_s_per_B);
    return 0;
}

/* Checks that a limit has no elasticity, because no machine's limit varies by a
 * percent. */
static void has_no_elasticity(const struct parameters *p)
{
    const struct advise_options o = {.draws = 8, .seed = 7};
    const struct timed_candidates candidates = {
        p, 2, toy_time, NULL, {.jobs = 1}, NULL, false};
    struct advice a;
    struct why w;
    struct err err = {0};

    CHECK(p->list[p->n - 1].limit);
    CHECK_EQ(parameters_costs(p), p->n - 1);
    CHECK(advise(&a, &candidates, &o, &err) == 0);
    CHECK(why_find(&w, &a, &candidates, &err) == 0);
    CHECK(w.n > 0);
    CHECK_EQ(w.limits, 1);
    CHECK_EQ(w.n + w.rest + w.limits, p->n);
    for (size_t i = 0; i < w.n; i++) {
        CHECK(w.list[i].parameter != p->n - 1);
        CHECK(!isnan(w.list[i].first));
    }
    for (size_t i = 0; i < w.nflips; i++)
        CHECK(w.break_evens[i].parameter != p->n - 1);
    why_clear(&w);
    advice_clear(&a);
}

int main(void)
{
    struct parameters without, with;

    parameters_make(&without, NULL, 0);
    parameters_make(&with, KNOWN, 1);
    CHECK_EQ(with.n, without.n + 1);
    CHECK_EQ(parameters_find(&with, SEGMENTS ".0.up_to_bytes"), with.n - 1);
    CHECK_EQ(parameters_find(&without, SEGMENTS ".0.up_to_bytes"), SIZE_MAX);
    double *old = draws_make(&without, DRAWS, 3);
    double *factors = draws_make(&with, DRAWS, 3);
    for (size_t d = 0; d < DRAWS; d++)
        for (size_t i = 0; i < without.n; i++)
            CHECK(old[d * without.n + i] == factors[d * with.n + i]);
    drawn_inside(&with, factors);
    has_no_elasticity(&with);
    free(old);
    free(factors);
    parameters_clear(&without);
    parameters_clear(&with);
    return check_result();
}
