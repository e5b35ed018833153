/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Halos in rounds, under every strategy: the operations of each round are those
 * of its own plan, the values those of their round, and a rank's part of a
 * round, and a GPU's, is behind its part of the one before. */
#include "sim/plan/plan_check.h"
#include "tests/check.h"
#include "tests/toys.h"

#include "platforms/platform.h"
#include "strategies/exchange/model.h"
#include "strategies/strategy.h"

enum { ROUNDS = 3 };

/* A plan of several rounds that is checked. */
struct exam {
    const struct plan *p;
    const struct halo *h;
    struct plan one[ROUNDS]; /* each round alone */
    uint8_t *round;  /* for each operation 0 to ROUNDS - 1, or NO_ROUND */
    uint8_t *before; /* [op * nops + other]: the other is finished before it */
    uint8_t *posted; /* the same before its receive is posted */
};

enum { NO_ROUND = 0xff };

static bool is_between(const struct op *o)
{
    return o->kind == OP_WORK || (o->kind == OP_MSG && o->bytes == 0);
}

static bool same_op(const struct op *a, const struct op *b)
{
    return a->kind == b->kind && a->phase == b->phase && a->dir == b->dir &&
           a->src == b->src && a->dst == b->dst && a->src_gpu == b->src_gpu &&
           a->dst_gpu == b->dst_gpu && a->bytes == b->bytes;
}

/* Checks that the operations of the rounds, in order, are those of their own
 * plans. */
static void check_operations(struct exam *e)
{
    size_t k = 0, at = 0;

    e->round = xcalloc(e->p->nops + 1, 1);
    for (size_t i = 0; i < e->p->nops; i++) {
        e->round[i] = NO_ROUND;
        if (is_between(&e->p->ops[i]))
            continue;
        while (k < ROUNDS && at == e->one[k].nops) {
            k++;
            at = 0;
        }
        CHECK(k < ROUNDS);
        if (k == ROUNDS)
            return;
        CHECK(same_op(&e->p->ops[i], &e->one[k].ops[at]));
        e->round[i] = (uint8_t)k;
        at++;
    }
    while (k < ROUNDS && at == e->one[k].nops) {
        k++;
        at = 0;
    }
    CHECK_EQ(k, ROUNDS);
}

static uint64_t values_of(const struct halo *h, const struct halo_class *class)
{
    for (uint32_t c = 0; c < h->nclasses; c++)
        if (h->classes[c].src == class->src &&
            h->classes[c].dst_node == class->dst_node &&
            h->classes[c].dst_mask == class->dst_mask)
            return h->classes[c].count;
    return 0;
}

/* Checks that a class' values of a round are behind those of the rounds
 * before. */
static void check_pieces(const struct exam *e)
{
    for (size_t i = 0; i < e->p->nops; i++) {
        uint64_t bytes = 0;
        for (uint32_t n = plan_first_piece(e->p, i);
             n < plan_end_piece(e->p, i); n++) {
            struct piece piece = e->p->pieces[n];
            const struct halo_class *class = &e->h->classes[piece.class_id];
            uint64_t taken = 0;
            for (unsigned k = 0; k < e->round[i]; k++)
                taken += values_of(&e->h->rounds[k], class);
            CHECK(piece.first >= taken);
            CHECK(piece.first + piece.count <=
                  taken + values_of(&e->h->rounds[e->round[i]], class));
            bytes += piece.count * e->h->value_bytes;
        }
        if (e->round[i] == NO_ROUND)
            CHECK_EQ(bytes, 0);
        else if (e->p->ops[i].kind != OP_PACK)
            CHECK_EQ(bytes, e->p->ops[i].bytes);
    }
}

/* Finds the order; a message whose receive waits is also finished behind
 * that. */
static void find_before(struct exam *e)
{
    size_t n = e->p->nops;

    e->before = xcalloc(n * n + 1, 1);
    e->posted = xcalloc(n * n + 1, 1);
    for (size_t i = 0; i < n; i++)
        for (uint32_t d = plan_first_dep(e->p, i); d < plan_end_dep(e->p, i);
             d++) {
            uint32_t dep = e->p->deps[d], other = dep & DEP_OP;
            uint8_t *to = dep & FOR_RECEIVE ? e->posted : e->before;
            CHECK(other < i);
            to[i * n + other] = 1;
            for (size_t j = 0; j < n; j++)
                to[i * n + j] |=
                    e->before[other * n + j] |
                    (dep & AFTER_SENT ? 0 : e->posted[other * n + j]);
        }
}

static bool ends_on(const struct op *o, uint32_t rank)
{
    return o->src == rank || o->dst == rank;
}

/* Checks that operation `other` of an earlier round is finished when `rank`
 * begins i. */
static void check_begins(const struct exam *e, size_t i, const uint8_t *before,
                         uint32_t rank)
{
    for (size_t other = 0; other < i; other++)
        if (e->round[other] < e->round[i] && ends_on(&e->p->ops[other], rank))
            CHECK(before[i * e->p->nops + other]);
}

/* Checks that a GPU's first copy of a round, by any rank, is behind its last of
 * the round before. */
static void check_gpu(const struct exam *e, size_t i)
{
    const struct op *o = &e->p->ops[i];

    for (size_t other = 0; other < i && o->kind == OP_COPY; other++)
        if (e->round[other] < e->round[i] && e->p->ops[other].kind == OP_COPY &&
            e->p->ops[other].src_gpu == o->src_gpu)
            CHECK(e->before[i * e->p->nops + other]);
}

static void check_order(const struct exam *e)
{
    for (size_t i = 0; i < e->p->nops; i++) {
        const struct op *o = &e->p->ops[i];
        if (e->round[i] == NO_ROUND)
            continue;
        check_begins(e, i, e->before, o->src);
        if (o->kind == OP_MSG && o->dst != o->src)
            check_begins(e, i, e->posted, o->dst);
        check_gpu(e, i);
    }
}

static void examine(const struct strategy *s, const struct machine *m,
                    const struct halo *h,
                    const struct strategy_options *options)
{
    struct exam e = {.h = h};
    struct plan plan;
    struct err err = {0};
    int before = check_failures;

    if (strategy_plan(s, &plan, m, h, options, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        CHECK(!"planned");
        return;
    }
    e.p = &plan;
    for (int k = 0; k < ROUNDS; k++)
        CHECK(strategy_plan(s, &e.one[k], m, &h->rounds[k], options, &err) ==
              0);
    check_operations(&e);
    CHECK(plan_check_ranks(&plan, &err) == 0);
    check_pieces(&e);
    find_before(&e);
    check_order(&e);
    if (check_failures > before)
        fprintf(stderr, "... in %s\n", s->name);
    free(e.round);
    free(e.before);
    free(e.posted);
    plan_clear(&plan);
    for (int k = 0; k < ROUNDS; k++)
        plan_clear(&e.one[k]);
}

static void random_rounds(void)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t dice = seed;
        uint32_t nodes = 1 + toy_below(&dice, 3);
        uint32_t gpn = 1 + toy_below(&dice, 3);
        struct machine m = toy_machine(nodes, gpn, 4);
        struct halo rounds[ROUNDS], h;
        struct strategy_options options = {.pack = seed % 2,
                                           .contiguous = seed % 4 == 3,
                                           .turned = seed % 5 == 0};
        uint64_t values = 0;

        m.gpu.launch_s = 1e-6;
        m.gpu.memory_Bps = 1e12;
        for (uint64_t k = 0; k < ROUNDS; k++) {
            rounds[k] = toy_halo(nodes * gpn, gpn, 3 * seed + k);
            rounds[k].value_bytes = 8;
            for (uint32_t c = 0; c < rounds[k].nclasses; c++)
                values += rounds[k].classes[c].count;
        }
        halo_from_rounds(&h, rounds, ROUNDS);
        for (uint32_t c = 0; c < h.nclasses; c++)
            values -= h.classes[c].count;
        CHECK_EQ(values, 0);
        CHECK_EQ(halo_rounds(&h), ROUNDS);
        for (size_t i = 0; i < nstrategies; i++)
            examine(strategies[i], &m, &h, &options);
        halo_clear(&h);
        machine_clear(&m);
    }
}

static void one_round(void)
{
    struct halo round = {.ngpus = 4, .gpus_per_node = 2, .value_bytes = 8}, h;

    toy_class(&round, 0, 1, 3, 5);
    halo_from_rounds(&h, &round, 1);
    CHECK_EQ(halo_rounds(&h), 1);
    CHECK(!h.rounds);
    CHECK_EQ(h.nclasses, 1);
    CHECK_EQ(h.classes[0].count, 5);
    halo_clear(&h);
}

/* Two equal rounds take the closed form twice. */
static void predicted(void)
{
    struct strategy_options options = {0};
    struct halo one = {.ngpus = 8, .gpus_per_node = 4, .value_bytes = 8};
    struct halo rounds[2], h;
    struct model_time t, both;
    struct machine m;
    struct err err = {0};

    CHECK_EQ(platform_load(&m, "lassen", NULL, 0, &err), 0);
    toy_class(&one, 0, 1, 3, 5000);
    for (int k = 0; k < 2; k++) {
        rounds[k] =
            (struct halo){.ngpus = 8, .gpus_per_node = 4, .value_bytes = 8};
        toy_class(&rounds[k], 0, 1, 3, 5000);
    }
    halo_from_rounds(&h, rounds, 2);
    for (size_t i = 0; i < nstrategies; i++) {
        const struct strategy *s = strategies[i];
        if (!s->predict)
            continue;
        CHECK_EQ(model_predict_rounds(&t, &m, &one, &options, s,
                                      MODEL_CORRECTED, &err),
                 0);
        CHECK_EQ(model_predict_rounds(&both, &m, &h, &options, s,
                                      MODEL_CORRECTED, &err),
                 0);
        CHECK(t.total_s > 0);
        CHECK_NEAR(both.total_s, 2 * t.total_s, 1e-12);
        CHECK_NEAR(both.copy_s, 2 * t.copy_s, 1e-12);
    }
    halo_clear(&one);
    halo_clear(&h);
    machine_clear(&m);
}

int main(void)
{
    one_round();
    random_rounds();
    predicted();
    return check_result();
}
