/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of many messages for their ends: the benchmark on two nodes takes as
 * long as on a machine with the same costs, and from its times the fit returns
 * the numbers. */
#include "tests/check.h"
#include "base/random.h"
#include "platforms/platform.h"
#include "validate/calibrate/fit_ends.h"
#include "validate/calibrate/mult_pong_times.h"
#include "validate/measure/experiment.h"
#include "validate/measure/benchmark.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MESSAGES = 40 };

static struct machine lassen;
static struct mult_pong *benchmark; /* without a limit */

static double unit(uint64_t *r)
{
    return (double)random_below(r, 1u << 30) / (1u << 30);
}

/* Returns the one segment between nodes, with links and NICs that cause no
 * waiting. */
static struct segment *only_segment(void)
{
    struct message_table *t =
        &lassen.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE];

    for (size_t i = 1; i < t->nsegments; i++)
        source_free(t->segments[i].source);
    t->nsegments = 1;
    t->segments[0].up_to_B = UINT64_MAX;
    for (size_t i = 0; i < lassen.ndevices; i++) {
        lassen.devices[i].message_gap_s = 0;
        lassen.devices[i].messages_at_once = 0;
    }
    for (size_t i = 0; i < lassen.nwires; i++)
        lassen.wires[i].bandwidth_Bps *= 1000;
    lassen.network.bandwidth_Bps *= 1000;
    lassen.network.process_Bps = 0;
    return &t->segments[0];
}

static double simulated(uint64_t bytes, unsigned messages)
{
    const struct experiment x = {
        .of = &mult_pong_benchmark, .bytes = bytes, .messages = messages};
    struct err err = {0};
    struct plan plan;
    double time_s = 0;

    if (experiment_plan(&plan, &lassen, &x, &err) < 0) {
        err_print(&err);
        CHECK(!"a plan");
        return 0;
    }
    struct timed_plan timed = {.plan = &plan,
                               .measure = experiment_measure_of(&x)};
    CHECK(exec_times(&time_s, &lassen, &timed, 1, NULL, &err) == 0);
    plan_clear(&plan);
    return time_s;
}

/* Makes any segment: CPUs overlap with the wire, or are busy for longer. */
static void random_segment(struct segment *s, uint64_t *r)
{
    bool waits = random_below(r, 2);

    s->protocol = waits ? PROTOCOL_RENDEZVOUS : PROTOCOL_EAGER;
    s->alpha_s = 1e-6 + 9e-6 * unit(r);
    s->beta_s_per_B = 0.1e-9 + 0.4e-9 * unit(r);
    s->send_s = s->alpha_s * unit(r);
    s->recv_s = s->alpha_s * unit(r);
    s->send_s_per_B = s->recv_s_per_B = 0;
    s->rendezvous = unit(r) < 0.5 ? RENDEZVOUS_PUT : RENDEZVOUS_GET;
    s->buffer_free =
        waits ? FREE_TRANSFERRED
              : (enum buffer_free)(FREE_AT_ONCE + random_below(r, 3));
    s->ack_s = s->buffer_free == FREE_ACKNOWLEDGED ? 1e-6 * unit(r) : 0;
    s->other_peer_s = 0;
}

static void as_on_lassen(void)
{
    struct segment *s = only_segment();
    uint64_t r = 5;

    for (int i = 0; i < 300; i++) {
        random_segment(s, &r);
        unsigned n = 1 + (unsigned)random_below(&r, 12);
        uint64_t bytes = random_below(&r, 2) ? 0 : 4096;
        CHECK_NEAR(mult_pong_s(benchmark, s, bytes, n), simulated(bytes, n),
                   1e-6);
    }
}

/* Times between simulated ones are equal to those of a simulation, with and
 * without a limit of the process. */
static void between_simulated(double link_Bps)
{
    enum { NPOINTS = 2 * MOST_MESSAGES };
    struct mult_pong *b = mult_pong_new(MOST_MESSAGES, link_Bps);
    struct err err = {0};
    struct mult_pong_point points[NPOINTS];
    struct segment s = {.up_to_B = 0};
    double times[NPOINTS];
    uint64_t r = 7;

    for (unsigned i = 0; i < NPOINTS; i++)
        points[i] = (struct mult_pong_point){i < MOST_MESSAGES ? 8 : 65536,
                                             1 + i % MOST_MESSAGES, 0};
    for (int i = 0; i < 20; i++) {
        random_segment(&s, &r);
        mult_pong_times(times, b, &s, points, NPOINTS);
        for (size_t k = 0; k < NPOINTS; k++)
            CHECK_NEAR(times[k],
                       mult_pong_s(b, &s, points[k].bytes, points[k].messages),
                       1e-8);
    }
    CHECK(mult_pong_free(b, &err) == 0);
}

/* A failed simulation gives no time, and its error is kept. */
static void fails(void)
{
    struct mult_pong *b = mult_pong_new(2, 0);
    struct segment s = {.alpha_s = 1e-6, .beta_s_per_B = 1e-9};
    struct err err = {0};

    CHECK(isfinite(mult_pong_s(b, &s, 8, 2)));
    CHECK(isnan(mult_pong_s(b, &s, 8, 3)));
    CHECK(isnan(mult_pong_s(b, &s, 8, 2)));
    CHECK(mult_pong_free(b, &err) < 0);
    CHECK(strstr(err.text, "3 messages to 2 ranks"));
}

/* Computed by hand: o = 1, alpha = 4 us, free at once, n = 3. Messages are sent
 * at 1, 2, 3; answers leave at 4 + 1 ... 6 + 1 and arrive at 7, 8, 9: received
 * until 8, 9, 10. */
static void by_hand(void)
{
    struct segment s = {.protocol = PROTOCOL_EAGER,
                        .alpha_s = 4e-6,
                        .send_s = 1e-6,
                        .recv_s = 1e-6,
                        .buffer_free = FREE_AT_ONCE};

    CHECK_NEAR(mult_pong_s(benchmark, &s, 8, 1), 4e-6, 1e-9);
    CHECK_NEAR(mult_pong_s(benchmark, &s, 8, 3), 5e-6, 1e-9);
    /* With an acknowledgement after 0.5 us more: sent at 0, 3.5, 7, free at
     * 10.5; the last answer arrives at 14: 15 us. */
    s.buffer_free = FREE_ACKNOWLEDGED;
    s.ack_s = 0.5e-6;
    CHECK_NEAR(mult_pong_s(benchmark, &s, 8, 3), 7.5e-6, 1e-9);
    /* With a get: sent at 0, 3, 6, free at 9; each answer is fetched in 2 us
     * and then received in 1: 18 us. */
    s.protocol = PROTOCOL_RENDEZVOUS;
    s.buffer_free = FREE_BY_PROTOCOL;
    s.rendezvous = RENDEZVOUS_GET;
    CHECK_NEAR(mult_pong_s(benchmark, &s, 8, 3), 9e-6, 1e-9);
}

enum { MOST_POINTS = 200 };

/* Makes times of 2 to 20 messages of some sizes, off by a few percent, one in
 * ten of them three times too long. */
static size_t times_of(struct mult_pong_point *out, const struct segment *s,
                       uint64_t from, uint64_t to, uint64_t *r)
{
    size_t n = 0;

    for (uint64_t bytes = from; bytes <= to; bytes *= 2)
        for (unsigned k = 2; k <= 20 && n < MOST_POINTS; k += 2) {
            double noise = 1 + 0.06 * (unit(r) - 0.5);
            if (unit(r) < 0.1)
                noise = 3;
            out[n++] = (struct mult_pong_point){
                bytes, k, noise * mult_pong_s(benchmark, s, bytes, k)};
        }
    return n;
}

static struct ends_fit found(const struct segment *truth, double cpu_s,
                             uint64_t from, uint64_t to, uint64_t seed)
{
    struct mult_pong_point points[MOST_POINTS];
    struct ends_fit e;
    struct segment wrong = *truth;

    wrong.send_s = wrong.recv_s = 0.1e-6;
    wrong.rendezvous = RENDEZVOUS_PUT;
    wrong.ack_s = wrong.send_s_per_B = 0;
    wrong.buffer_free = FREE_BY_PROTOCOL;
    wrong.protocol = PROTOCOL_EAGER;
    fit_ends_find(&e, &wrong, benchmark, cpu_s, points,
                  times_of(points, truth, from, to, &seed));
    return e;
}

static struct segment plain(void)
{
    return (struct segment){.protocol = PROTOCOL_EAGER,
                            .up_to_B = UINT64_MAX,
                            .alpha_s = 4e-6,
                            .beta_s_per_B = 0.4e-9,
                            .send_s = 0.6e-6,
                            .recv_s = 0.6e-6};
}

static void comes_back(void)
{
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct segment s = plain();
        s.buffer_free = FREE_AT_ONCE;
        struct ends_fit e = found(&s, NAN, 4, 128, seed);
        CHECK_EQ(e.protocol, ENDS_AT_ONCE);
        CHECK_NEAR(e.cpu_s.value, 0.6e-6, 0.05);
        CHECK(e.cpu_s.from <= e.cpu_s.value && e.cpu_s.value <= e.cpu_s.to);
        CHECK(e.cpu_s.to - e.cpu_s.from < 0.1e-6);

        s.send_s_per_B = s.recv_s_per_B = 0.15e-9;
        e = found(&s, NAN, 256, 65536, seed);
        CHECK_EQ(e.protocol, ENDS_AT_ONCE);
        CHECK_NEAR(e.segment.recv_s_per_B, 0.15e-9, 0.05);

        s = plain();
        s.buffer_free = FREE_ACKNOWLEDGED;
        s.ack_s = 0.8e-6;
        e = found(&s, 0.6e-6, 256, 8192, seed);
        CHECK_EQ(e.protocol, ENDS_ACKNOWLEDGED);
        CHECK_NEAR(e.ack_s.value, 0.8e-6, 0.1);
        CHECK(!e.cpu_fitted);
        CHECK_NEAR(e.segment.send_s, 0.6e-6, 1e-9);

        s = plain();
        s.protocol = PROTOCOL_RENDEZVOUS;
        s.rendezvous = RENDEZVOUS_GET;
        e = found(&s, NAN, 4, 8192, seed);
        CHECK_EQ(e.protocol, ENDS_GET);
        CHECK_NEAR(e.cpu_s.value, 0.6e-6, 0.15);
        CHECK(segment_gets(&e.segment));

        s.rendezvous = RENDEZVOUS_PUT;
        e = found(&s, 0.6e-6, 8192, 65536, seed);
        CHECK_EQ(e.protocol, ENDS_PUT);
        CHECK(!segment_gets(&e.segment));
    }
}

/* Arbitrary times give numbers that are not negative. */
static void nonsense(void)
{
    struct mult_pong *limited = mult_pong_new(MOST_MESSAGES, 12e9);
    struct err err = {0};
    uint64_t r = 3;

    for (int i = 0; i < 50; i++) {
        struct mult_pong_point points[5];
        struct segment s = plain();
        struct ends_fit e;
        for (unsigned k = 0; k < 5; k++)
            points[k] = (struct mult_pong_point){1u << (4 * k), 2 + k,
                                                 1e-9 + 1e-3 * unit(&r)};
        if (i % 3 == 0)
            s.beta_s_per_B = 0;
        if (i % 5 == 0)
            s.alpha_s = 0;
        fit_ends_find(&e, &s, limited, i % 2 ? NAN : 1e-6, points, 5);
        CHECK(e.segment.send_s >= 0 && e.segment.ack_s >= 0);
        CHECK(e.segment.send_s_per_B >= 0);
        CHECK(e.segment.ack_s <= s.alpha_s);
    }
    CHECK(mult_pong_free(limited, &err) == 0);
}

int main(void)
{
    struct err err = {0};

    if (platform_load(&lassen, "lassen", NULL, 0, &err) < 0)
        return err_print(&err);
    benchmark = mult_pong_new(MOST_MESSAGES, 0);
    by_hand();
    as_on_lassen();
    between_simulated(0);
    between_simulated(12e9);
    fails();
    comes_back();
    nonsense();
    CHECK(mult_pong_free(benchmark, &err) == 0);
    machine_clear(&lassen);
    return check_result();
}
