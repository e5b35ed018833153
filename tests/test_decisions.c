/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decisions between measured candidates: the winner, the advised one, and the
 * regret. */
#include "tests/check.h"
#include "validate/measure/decisions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct measured_point candidate(const char *decision, const char *choice,
                                       double measured_s, double noise,
                                       double simulated_s, double baseline_s)
{
    struct measured_point p = {.measured_s = measured_s,
                               .noise = noise,
                               .simulated_s = simulated_s,
                               .baseline_s = baseline_s};

    snprintf(p.name, sizeof p.name, "kind/%s", choice);
    snprintf(p.decision, sizeof p.decision, "%s", decision);
    snprintf(p.choice, sizeof p.choice, "%s", choice);
    return p;
}

/*
 * small: a wins clearly (1 +- 0.1, b 2 +- 0.2), but b is advised: regret 1; the
 * baseline advises a. large: b wins, not clearly (4 +- 0.8, a 5 +- 0.5), and a
 * and b are simulated equally fast: the better counts, regret 0. alone: one
 * candidate, so no decision. left: it was not simulated.
 */
static void scores(void)
{
    struct measured_point points[] = {
        candidate("small", "a", 1, 0.1, 3, 1),
        candidate("large", "a", 5, 0.1, 7, 6),
        candidate("small", "b", 2, 0.1, 2, 2),
        candidate("large", "b", 4, 0.2, 7, 9),
        candidate("alone", "a", 1, 0.1, 1, 1),
        candidate("left", "a", 1, 0.1, 0, 1),
        candidate("large", "c", 9, NAN, 8, NAN),
    };
    struct measured f = {.path = "dir/file.csv",
                         .points = points,
                         .npoints = sizeof points / sizeof points[0]};
    struct decisions d = decisions_of(&f, 1);
    size_t n;

    CHECK_EQ(d.n, 2);
    CHECK(d.n == 2 && d.list[0].winner == &points[0]);
    CHECK(d.n == 2 && d.list[0].advised == &points[2] && d.list[0].clear);
    CHECK(d.n == 2 && d.list[0].by_baseline == &points[0]);
    CHECK(d.n == 2 && d.list[1].advised == &points[3] && !d.list[1].clear);
    CHECK(d.n == 2 && !d.list[1].by_baseline);
    struct decision_score *s = decision_scores(&d, &n);
    CHECK_EQ(n, 2);
    CHECK(!strcmp(s[0].name, "all") && !strcmp(s[1].name, "kind, file"));
    for (size_t i = 0; i < n; i++) {
        CHECK_EQ(s[i].cases, 2);
        CHECK_EQ(s[i].right, 1);
        CHECK_EQ(s[i].clear, 1);
        CHECK_EQ(s[i].clear_right, 0);
        CHECK_NEAR(s[i].mean, 0.5, 1e-9);
        CHECK_NEAR(s[i].worst, 1, 1e-9);
        CHECK_NEAR(s[i].clear_mean, 1, 1e-9);
        CHECK(isnan(s[i].baseline));
        /* Always a: 0 and 1/4; always b: 1 and 0. c is not in all cases. */
        CHECK(!strcmp(s[i].always, "a"));
        CHECK_NEAR(s[i].always_mean, 0.125, 1e-9);
        CHECK(s[i].worst_case == &d.list[0]);
    }
    free(s);
    decisions_clear(&d);
}

int main(void)
{
    scores();
    return check_result();
}
