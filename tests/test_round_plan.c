/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds as plans: all messages are in them, a host continues when it has all
 * messages of a step, and no host ends a round before all others have
 * computed. */
#include "sim/plan/plan_check.h"
#include "tests/check.h"
#include "tests/graph_toys.h"

#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "apps/rounds/analytics.h"
#include "apps/rounds/round_plan.h"
#include "apps/rounds/spare.h"

enum { MOST_HOSTS = 17 };

/* Returns, for each operation, the hosts whose first work is over when it ends,
 * one bit each. The caller frees it. */
static uint64_t *work_before(const struct plan *p, uint32_t hosts)
{
    uint64_t *known = calloc(p->nops, sizeof *known);

    for (uint32_t i = 0; i < p->nops; i++) {
        if (i < hosts)
            known[i] = UINT64_C(1) << i;
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++) {
            CHECK(p->deps[d] < i);
            known[i] |= known[p->deps[d]];
        }
    }
    return known;
}

static uint64_t reduction_messages(uint32_t hosts)
{
    uint64_t power = 1, steps = 0;

    for (; 2 * power <= hosts; power *= 2)
        steps++;
    return power * steps + 2 * (hosts - power);
}

static void check_plan(const struct plan *p, const struct round *r,
                       uint32_t hosts, double times)
{
    uint64_t messages = 0, bytes = 0, all = (UINT64_C(1) << hosts) - 1;
    uint64_t *known = work_before(p, hosts);
    uint32_t last[MOST_HOSTS] = {0};
    uint64_t reduced = r->reductions * reduction_messages(hosts);

    for (uint32_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        if (o->kind == OP_WORK)
            last[o->src] = i;
        if (o->kind != OP_MSG)
            continue;
        CHECK(o->src != o->dst && o->src < hosts && o->dst < hosts);
        messages++;
        bytes += o->bytes;
    }
    CHECK_EQ(messages, round_messages(r) + reduced);
    CHECK_NEAR(bytes, (double)round_bytes(r) * times + 8.0 * (double)reduced,
               1e-9);
    for (uint32_t h = 0; h < hosts; h++)
        CHECK_EQ(known[last[h]], all);
    free(known);
}

/* Checks that a round alone on its machine lasts at least as long as it
 * computes. */
static void check_round(const struct machine *m, const struct round *r,
                        uint32_t hosts)
{
    struct round_costs c;
    struct exec_result x;
    struct plan p;
    struct err err;

    CHECK(round_costs_of(&c, m, 0, &err) == 0);
    for (double times = 1; times < 200; times *= 100) {
        c.arcs = c.vertices = times;
        round_plan(&p, m, r, hosts, &c, RUNTIME_MPI);
        check_plan(&p, r, hosts, times);
        CHECK(plan_check(&p, m, &err) == 0);
        CHECK(exec_plan(&x, m, &p, NULL, EXEC_MAKESPAN, &err) == 0);
        double compute_s = round_compute_s(r, hosts, &c);
        CHECK(x.time_s >= compute_s * (1 - 1e-9));
        CHECK(hosts > 1 ? x.time_s > compute_s : compute_s > 0);
        exec_result_clear(&x);
        plan_clear(&p);
    }
}

static void test_rounds(const struct machine *m, const char *cut,
                        const char *algorithm)
{
    struct graph g = make_graph("rmat:scale=8,edge_factor=4");
    struct cut_words words;
    struct err err;

    CHECK(cut_read(&words, cut, &err) == 0);
    for (uint32_t hosts = 1; hosts <= MOST_HOSTS; hosts++) {
        struct hosts h;
        CHECK(hosts_divide(&h, &g, hosts, &words, &err) == 0);
        struct analytics_input in = {.hosts = &h,
                                     .source = graph_hub(&g),
                                     .damping = 0.85,
                                     .threshold = 1e-6,
                                     .max_rounds = 2};
        struct analytics_result r;
        analytics_find(algorithm)->run[words.cut](&r, &in);
        check_round(m, &r.rounds.kinds[0], hosts);
        analytics_clear(&r);
        hosts_clear(&h);
    }
    graph_clear(&g);
}

/* With threads on half of the cores it takes twice as long. */
static void test_threads(const struct machine *m)
{
    struct round_costs all, half;
    struct err err;

    CHECK(round_costs_of(&all, m, 0, &err) == 0);
    CHECK(round_costs_of(&half, m, m->ncores / 2, &err) == 0);
    CHECK_NEAR(half.arc_s, 2 * all.arc_s, 1e-12);
    CHECK_NEAR(half.vertex_s, 2 * all.vertex_s, 1e-12);
    CHECK(round_costs_of(&all, m, m->ncores + 1, &err) < 0);
    CHECK_HAS(err.text, "threads wanted");
}

/* Host 1 has half of its room left, all of it, and again: host 0 gets
 * nothing. */
static void test_spare(const char *cut)
{
    struct graph g = make_graph("rmat:scale=8,edge_factor=4");
    struct cut_words words;
    struct spare s;
    struct hosts h;
    struct err err;

    CHECK(cut_read(&words, cut, &err) == 0);
    CHECK(hosts_divide(&h, &g, 2, &words, &err) == 0);
    spare_init(&s, &h, 4);
    CHECK_NEAR(s.left_B[0] + s.left_B[1], 4.0 * (double)graph_arcs(&g), 0);
    s.left_B[1] = 1000;
    for (int i = 0; i < 3; i++) {
        const double share[] = {0, 0.5, 1};
        struct round r;
        round_init(&r, 2);
        struct round_step *step = round_add_step(&r, STEP_REDUCE);
        round_add_message(step, 0, 1)->bytes = i ? 100 : 50;
        double *got = spare_take(&s, &r, 10);
        CHECK(got != NULL);
        CHECK_NEAR(got[0], 0, 0);
        CHECK_NEAR(got[1], share[i], 1e-12);
        free(got);
        if (i == 2) {
            s.left_B[0] = 0;
            CHECK(spare_take(&s, &r, 10) == NULL);
        }
        struct rounds rounds = {.hosts = 2};
        rounds_add(&rounds, &r);
        rounds_clear(&rounds);
    }
    spare_clear(&s);
    hosts_clear(&h);
    graph_clear(&g);
}

int main(void)
{
    struct machine m;
    struct err err;

    CHECK(platform_load(&m, "dane", NULL, 0, &err) == 0);
    test_rounds(&m, "cvc", "bfs");
    test_rounds(&m, "cvc", "pagerank");
    test_rounds(&m, "blocked", "bfs");
    test_rounds(&m, "blocked", "pagerank");
    test_threads(&m);
    test_spare("cvc");
    test_spare("blocked");
    machine_clear(&m);
    return check_result();
}
