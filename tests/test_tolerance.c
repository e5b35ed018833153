/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The savings of a tolerance of 0.01, in counts that are equal on every
 * machine, and its effects: quantiles of durations over several seeds. */
#include "platforms/platform.h"
#include "sim/plan/report.h"
#include "tests/check.h"
#include "workloads/load/load.h"

enum { SEEDS = 10, NUMBERS = 2 + NQUANTILES };

static struct machine flat8;

struct simulated {
    struct solver_work work;
    double messages;
    double of[NUMBERS]; /* makespan, mean duration, quantiles of durations */
};

/* Simulates random messages of 1 to 100 kB, `messages` of each rank. */
static void simulate(struct simulated *s, unsigned ranks, unsigned messages,
                     unsigned rounds, unsigned seed, double tolerance)
{
    char words[128];
    const struct workload_request request = {.words = words};
    struct exec_options options = exec_defaults;
    struct exec_result x;
    struct durations d;
    struct err err = {0};
    struct load l;

    snprintf(words, sizeof words,
             "random:ranks=%u,messages=%u,rounds=%u,bytes=1000..100000,seed=%u",
             ranks, messages, rounds, seed);
    options.accuracy = tolerance;
    CHECK(load_make(&l, &random_ranks_workload, &flat8, &request, &err) == 0);
    CHECK(exec_plan(&x, &flat8, &l.plan, &options, EXEC_TIMES, &err) == 0);
    durations_make(&d, &l.plan, &x);
    *s = (struct simulated){.work = x.work, .messages = (double)d.n};
    s->of[0] = x.time_s;
    s->of[1] = d.mean;
    for (int q = 0; q < NQUANTILES; q++)
        s->of[2 + q] = d.of[q];
    exec_result_clear(&x);
    load_clear(&l);
}

/* The counts per message may exceed the present ones by a tenth. */
static void counts(void)
{
    static const struct {
        unsigned ranks, messages, rounds;
        double solves, visits, tells, moves;
    } most[] = {{1024, 50, 2, 0.96, 23, 35.5, 2.1},
                {2048, 16, 1, 1.52, 33.5, 43.5, 4.65}};
    struct simulated s;

    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        simulate(&s, most[i].ranks, most[i].messages, most[i].rounds, 1, 0.01);
        CHECK_EQ(s.work.flows, s.messages);
        printf("%u ranks: %g solves, %g visits, %g tells, %g moves\n",
               most[i].ranks, (double)s.work.solves / s.messages,
               (double)s.work.visits / s.messages,
               (double)s.work.tells / s.messages,
               (double)s.work.moves / s.messages);
        CHECK((double)s.work.solves <= most[i].solves * s.messages);
        CHECK((double)s.work.visits <= most[i].visits * s.messages);
        CHECK((double)s.work.tells <= most[i].tells * s.messages);
        CHECK((double)s.work.moves <= most[i].moves * s.messages);
    }
}

/*
 * Compares means over the seeds, with the tolerance and exact. One run alone
 * shows little, because messages that start when others end depend on them, and
 * one more byte in a message of an exact run can change its quantiles by as
 * much as the tolerance does.
 */
static void quantiles(void)
{
    double exact[NUMBERS] = {0}, tolerant[NUMBERS] = {0};

    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        struct simulated s;
        simulate(&s, 128, 100, 4, seed, 0);
        for (int i = 0; i < NUMBERS; i++)
            exact[i] += s.of[i];
        simulate(&s, 128, 100, 4, seed, 0.01);
        for (int i = 0; i < NUMBERS; i++)
            tolerant[i] += s.of[i];
    }
    for (int i = 0; i < NUMBERS; i++)
        CHECK_NEAR(tolerant[i], exact[i], i == NUMBERS - 1 ? 0.02 : 0.01);
}

int main(void)
{
    struct err err = {0};

    CHECK(platform_load(&flat8, "flat8", NULL, 0, &err) == 0);
    counts();
    quantiles();
    machine_clear(&flat8);
    return check_result();
}
