/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Our max-min solver, compared with plain progressive filling, and with
 * SimGrid, on random networks and plans. */
#include "sim/plan/exec.h"
#include "sim/network/fluid.h"
#include "tests/check.h"
#include "tests/plain_filling.h"
#include "tests/random_machine.h"

#include <stdlib.h>

/* --- one allocation ------------------------------------------------------- */

static void draw(struct wanted *f)
{
    f->nlinks = 1 + below(ROUTE);
    for (unsigned k = 0; k < f->nlinks; k++) {
        bool again;
        do {
            f->links[k] = below(LINKS);
            again = false;
            for (unsigned j = 0; j < k; j++)
                again = again || f->links[j] == f->links[k];
        } while (again);
    }
    f->cap = below(3) ? 0 : (1 + below(50)) * 1e8;
    f->there = true;
}

/* Flows begin, and end in the order of their ends; after each change all rates
 * equal the plain ones. With a tolerance, no link is off by more, and no flow
 * is faster than the least level on its route by more than four times that. */
static void rates(unsigned seed, double tolerance)
{
    struct wanted f[FLOWS] = {0};
    double bandwidth[LINKS], now = 0;
    struct fluid *net = fluid_new(tolerance);

    state = seed;
    for (int l = 0; l < LINKS; l++) {
        bandwidth[l] = (1 + below(64)) * 1e9;
        fluid_add_link(net, bandwidth[l], FLUID_NO_RANK);
    }
    for (int step = 0; step < 150; step++) {
        struct wanted *w = &f[below(FLOWS)];
        if (!w->there) {
            draw(w);
            w->number = fluid_start(net, now, w->links, w->nlinks,
                                    1000 + below(1000000), w->cap);
        } else {
            double end = fluid_next_end(net, INFINITY);
            CHECK(!isinf(end) && end >= now);
            now = end;
            uint32_t gone = fluid_end(net, now);
            for (int i = 0; i < FLOWS; i++)
                if (f[i].there && f[i].number == gone)
                    f[i].there = false;
        }
        CHECK(fluid_check(net, tolerance > 0 ? 4.1 * tolerance : 1e-9));
        if (tolerance > 0)
            continue;
        fill_plainly(f, FLOWS, bandwidth, LINKS);
        for (int i = 0; i < FLOWS; i++)
            if (f[i].there)
                CHECK_NEAR(fluid_rate(net, f[i].number), f[i].rate, 1e-9);
    }
    fluid_free(net);
}

/* --- with a tolerance ----------------------------------------------------- */

/* Makes 20 flows of 500 B at 5 B/s each, which exactly fill a link of 100 B/s,
 * at 6400 s, when the mean duration is 100 s: with a tolerance of 0.01 a link
 * may be off for 1 s. */
static struct fluid *full_link(uint32_t *link)
{
    struct fluid *net = fluid_new(0.01);
    uint32_t slow = fluid_add_link(net, 1, FLUID_NO_RANK);

    *link = fluid_add_link(net, 100, FLUID_NO_RANK);
    fluid_start(net, 0, &slow, 1, 6400, 0);
    CHECK_NEAR(fluid_next_end(net, INFINITY), 6400, 1e-12);
    fluid_end(net, 6400); /* its 64th part counts */
    for (int i = 0; i < 20; i++)
        fluid_start(net, 6400, link, 1, 500, 5);
    return net;
}

/*
 * An overload of 9 % waits, as long as the next event is within 1 s; one of 11
 * % does not. When it is solved, 21 flows share 100 B/s; and with a flow of 2
 * B/s the others share 98.
 */
static void what_waits(void)
{
    uint32_t link;
    struct fluid *net = full_link(&link);

    CHECK_NEAR(fluid_next_end(net, 6400.5) - 6400, 100, 1e-9);
    fluid_start(net, 6400, &link, 1, 1e6, 9);
    CHECK_NEAR(fluid_next_end(net, 6400.5) - 6400, 100, 1e-9);
    CHECK_NEAR(fluid_next_end(net, 6402) - 6400, 105, 1e-9);
    fluid_free(net);

    net = full_link(&link);
    fluid_start(net, 6400, &link, 1, 1e6, 9);
    CHECK_NEAR(fluid_next_end(net, 6400.5) - 6400, 100, 1e-9);
    fluid_start(net, 6400, &link, 1, 1e6, 2);
    CHECK_NEAR(fluid_next_end(net, 6400.5) - 6400, 500 / (98. / 21), 1e-9);
    fluid_free(net);
}

/* The overload is solved at once, because two flows together are too much: 98
 * B/s for 21. The link is off again from 6400.6 on, by 4 %, and waits from
 * then; 94 are left for the 21. */
static void what_waits_anew(void)
{
    uint32_t link;
    struct fluid *net = full_link(&link);

    fluid_start(net, 6400, &link, 1, 1e6, 9);
    fluid_start(net, 6400, &link, 1, 1e6, 2);
    CHECK_NEAR(fluid_next_end(net, 6400.5) - 6400, 500 / (98. / 21), 1e-9);
    fluid_start(net, 6400.6, &link, 1, 1e6, 4);
    CHECK_NEAR(fluid_next_end(net, 6401.5) - 6400, 500 / (98. / 21), 1e-9);
    CHECK_NEAR(fluid_next_end(net, 6401.7) - 6400,
               0.6 + (500 - 0.6 * 98 / 21) / (94. / 21), 1e-9);
    fluid_free(net);
}

/* Makes n flows, of which n - 1 last long, share a link of 100 B/s; one has
 * ended. */
static struct fluid *after_an_end(unsigned n, uint32_t *link)
{
    struct fluid *net = fluid_new(0.01);
    double rate = 100. / n;

    *link = fluid_add_link(net, 100, FLUID_NO_RANK);
    fluid_start(net, 0, link, 1, 100 * rate, 0);
    for (unsigned i = 1; i < n; i++)
        fluid_start(net, 0, link, 1, 200 * rate, 0);
    CHECK_NEAR(fluid_next_end(net, INFINITY), 100, 1e-12);
    fluid_end(net, 100);
    return net;
}

/* Mean durations are 100 / 64 s: a link of 50 flows that lost one of them waits
 * for 16 ms, as long as no flow takes its place; one of 30 does not wait. */
static void what_comes_right(void)
{
    uint32_t link;
    struct fluid *net = after_an_end(50, &link);

    CHECK_NEAR(fluid_next_end(net, 100.01), 200, 1e-12);
    CHECK_NEAR(fluid_next_end(net, 100.02), 100 + 100 * 49 / 50., 1e-12);
    fluid_free(net);

    net = after_an_end(50, &link);
    CHECK_NEAR(fluid_next_end(net, 100.01), 200, 1e-12);
    uint64_t solves = fluid_work(net).solves;
    fluid_start(net, 100.01, &link, 1, 1000, 0);
    CHECK_NEAR(fluid_next_end(net, 100.02), 200, 1e-12);
    CHECK_EQ(fluid_work(net).solves, solves);
    fluid_free(net);

    net = after_an_end(30, &link);
    CHECK_NEAR(fluid_next_end(net, 100.01), 100 + 100 * 29 / 30., 1e-12);
    fluid_free(net);
}

/*
 * 90 flows are on a link of 100 B/s, and 10 on this and on another of 100 B/s:
 * 1 B/s each. Then n more begin on the other, whose level becomes 100/(n + 10)
 * B/s. Returns how many flows change their bottleneck: the n, and the 10 if the
 * new level is less than their rate, with a tolerance of 0.01 if by more than 2
 * %.
 */
static unsigned long long moves_of_ten(unsigned n, double tolerance)
{
    struct fluid *net = fluid_new(tolerance);
    uint32_t links[2] = {fluid_add_link(net, 100, FLUID_NO_RANK),
                         fluid_add_link(net, 100, FLUID_NO_RANK)};

    for (int i = 0; i < 100; i++)
        fluid_start(net, 0, links, i < 10 ? 2 : 1, 1000, 0);
    CHECK_NEAR(fluid_next_end(net, INFINITY), 1000, 1e-12);
    uint64_t before = fluid_work(net).moves;
    for (unsigned i = 0; i < n; i++)
        fluid_start(net, 0, &links[1], 1, 1000, 0);
    fluid_next_end(net, INFINITY);
    CHECK(fluid_check(net, fmax(4.1 * tolerance, 1e-9)));
    uint64_t moves = fluid_work(net).moves - before;
    fluid_free(net);
    return moves;
}

static void what_stays(void)
{
    CHECK_EQ(moves_of_ten(91, 0), 101);
    CHECK_EQ(moves_of_ten(91, 0.01), 91);
    CHECK_EQ(moves_of_ten(100, 0), 110);
    CHECK_EQ(moves_of_ten(100, 0.01), 110);
}

/*
 * Counts by hand: one flow alone is limited by the link; the second fills it,
 * which takes one solve by Newton's method and makes both members. When one has
 * ended, a second solve looks at the remaining one, which stays.
 */
static void counts(void)
{
    struct fluid *net = fluid_new(0);
    uint32_t link = fluid_add_link(net, 10, FLUID_NO_RANK);

    fluid_start(net, 0, &link, 1, 10, 0);
    fluid_start(net, 0, &link, 1, 20, 0);
    CHECK_NEAR(fluid_next_end(net, INFINITY), 2, 1e-12);
    fluid_end(net, 2);
    CHECK_NEAR(fluid_next_end(net, INFINITY), 3, 1e-12);
    struct solver_work w = fluid_work(net);
    CHECK_EQ(w.flows, 2);
    CHECK_EQ(w.solves, 2);
    CHECK_EQ(w.fills, 1);
    CHECK_EQ(w.visits, 1);
    CHECK_EQ(w.moves, 2);
    fluid_free(net);
}

/* --- compared with SimGrid ------------------------------------------------ */

/* Makes short chains of messages between random ranks, some without bytes, some
 * to themselves, some at the same instant, in and out of GPUs. */
static void random_plan(struct plan *p, const struct machine *m)
{
    unsigned nodes = 2 + below(5);

    plan_init(p, m, "random", nodes, 8, NULL);
    unsigned n = 5 + below(60);
    for (unsigned i = 0; i < n; i++) {
        /* No two sizes are equal, because if two flows ended at once over the
         * same links, rounding would decide which is next. */
        uint64_t bytes = below(8) ? 1000 * (1 + below(200)) + i : 0;
        if (below(3))
            plan_msg(p, PHASE_OFF_NODE, below(nodes * 8), below(nodes * 8),
                     NO_GPU, NO_GPU, bytes);
        else
            plan_msg(p, PHASE_OFF_NODE, below(nodes * 8), below(nodes * 8),
                     below(nodes * 4), below(nodes * 4), bytes);
        /* Chains are at most three deep, because longer closed loops are
         * chaotic. */
        if (i > n / 3 && below(2))
            plan_after(p, below(n / 3) | (below(2) ? AFTER_SENT : 0));
    }
}

static void like_simgrid(unsigned seed)
{
    struct machine m;
    struct plan p;
    struct exec_options simgrid = exec_defaults;
    struct exec_result want, got;
    struct err err = {0};

    state = seed * 7919ull;
    random_machine(&m);
    random_plan(&p, &m);
    simgrid.engine = ENGINE_SIMGRID;
    CHECK(exec_plan(&want, &m, &p, &simgrid, EXEC_DETAILS, &err) == 0);
    CHECK(exec_plan(&got, &m, &p, NULL, EXEC_DETAILS, &err) == 0);
    CHECK_EQ(got.nlinks, want.nlinks);
    int before = check_failures;
    for (size_t i = 0; i < p.nops && check_failures < before + 3; i++)
        CHECK_NEAR(got.ops[i].end_s, want.ops[i].end_s, 1e-6);
    if (check_failures > before)
        fprintf(stderr, "  with seed %u\n", seed);
    exec_result_clear(&want);
    exec_result_clear(&got);
    plan_clear(&p);
    machine_clear(&m);
}

int main(void)
{
    what_waits();
    what_waits_anew();
    what_comes_right();
    what_stays();
    counts();
    for (unsigned seed = 1; seed <= 200; seed++)
        rates(seed, 0);
    for (unsigned seed = 1; seed <= 200; seed++)
        rates(seed, seed % 2 ? 0.01 : 0.001);
    for (unsigned seed = 1; seed <= 2000; seed++)
        like_simgrid(seed);
    return check_result();
}
