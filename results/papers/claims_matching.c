/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims of Klenk et al. 2017 about the rates of matching engines: K01 to K16,
 * K22. */
#include "results/papers/claim_lab.h"

#include "results/papers/claims_matching.h"
#include "results/papers/matching_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The clocks that the paper prints. */
#define K80_HZ 875e6
#define M40_HZ 1114e6
#define GTX1080_HZ 1733e6

struct matching_study *claim_matching(struct lab *lab, struct err *err)
{
    if (lab->matching)
        return lab->matching;
    struct matching_study *s = xcalloc(1, sizeof *s);
    if (matching_study_open(s, lab->sets, lab->nsets, err) < 0) {
        free(s);
        return NULL;
    }
    return lab->matching = s;
}

static bool near(double got, double wanted, double tolerance)
{
    return fabs(got / wanted - 1) <= tolerance;
}

static struct matching_case matrix(double n)
{
    return (struct matching_case){
        .engine = MATCHER_MATRIX, .n = n, .matched = 1, .order = MATCH_RANDOM};
}

static struct matching_case by_source(double n, unsigned queues)
{
    struct matching_case c = matrix(n);

    c.engine = MATCHER_PARTITIONED;
    c.queues = queues;
    return c;
}

static struct matching_case hashed(double n, unsigned ctas)
{
    struct matching_case c = matrix(n);

    c.engine = MATCHER_HASH;
    c.queues = ctas;
    return c;
}

/* Returns the rate by two GPUs: the geometric mean of an H200's fitted
 * constants and of the GTX 1080's printed ones, at this clock, with as many
 * CTAs at a time as in the paper. */
static double by_two(const struct matching_study *s, double clock_Hz,
                     struct matching_case c)
{
    c.resident = s->device[ON_GTX1080].resident_ctas;
    return sqrt(matching_rate(s, ON_H200, clock_Hz, c) *
                matching_rate(s, ON_GTX1080, clock_Hz, c));
}

static double by_h200(const struct matching_study *s, double clock_Hz,
                      struct matching_case c)
{
    c.resident = s->device[ON_GTX1080].resident_ctas;
    return matching_rate(s, ON_H200, clock_Hz, c);
}

/* --- MPI's rules ---------------------------------------------------------- */

int claim_match_rates(struct lab *lab, struct verdict *v, struct err *err)
{
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    v->from = EVIDENCE_FITTED;
    double gtx = matching_rate(s, ON_GTX1080, 0, matrix(512));
    double h200 = matching_rate(s, ON_H200, 0, matrix(512));
    verdict_part(v, near(gtx, 6e6, 0.1),
                 "GTX 1080, 512 messages: %.2f M/s (printed 6), from which its "
                 "constants are",
                 gtx / 1e6);
    verdict_note(v, "H200, 512 messages: %.2f M/s, measured %.2f", h200 / 1e6,
                 matching_measured(s, matrix(512), 0) / 1e6);
    v->from = EVIDENCE_PREDICTED;
    double k80 = by_two(s, K80_HZ, matrix(512));
    double m40 = by_two(s, M40_HZ, matrix(512));
    verdict_part(v, near(k80, 3e6, 0.15),
                 "K80 by its clock from these two: %.2f M/s (printed 3)",
                 k80 / 1e6);
    verdict_part(v, near(m40, 3.5e6, 0.15),
                 "M40 by its clock from these two: %.2f M/s (printed 3.5)",
                 m40 / 1e6);
    double alone = by_h200(s, GTX1080_HZ, matrix(512));
    verdict_part(v, near(alone, 6e6, 0.15),
                 "GTX 1080 by its clock from the H200 alone: %.2f M/s "
                 "(printed 6)",
                 alone / 1e6);
    return 0;
}

int claim_match_flat(struct lab *lab, struct verdict *v, struct err *err)
{
    static const enum matching_device on[] = {ON_H200, ON_GTX1080, ON_K80};
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    for (int d = 0; d < 3; d++) {
        double least = INFINITY, most = 0;
        for (double n = 64; n <= 512; n *= 2) {
            double rate = matching_rate(s, on[d], 0, matrix(n));
            least = fmin(least, rate);
            most = fmax(most, rate);
        }
        double full = matching_rate(s, on[d], 0, matrix(1024));
        v->from = d ? EVIDENCE_PREDICTED : EVIDENCE_FITTED;
        verdict_part(v, most / least <= 1.25 && full < 0.8 * least,
                     "%s: %.2f to %.2f M/s from 64 to 512 (wanted within a "
                     "quarter), %.2f at 1024 (wanted a fifth below)",
                     matching_devices[on[d]], least / 1e6, most / 1e6,
                     full / 1e6);
    }
    v->from = EVIDENCE_ANALYSIS;
    double at_512 = matching_measured(s, matrix(512), 0);
    double at_64 = matching_measured(s, matrix(64), 0);
    double at_1024 = matching_measured(s, matrix(1024), 0);
    verdict_part(v,
                 at_64 > at_512 / 1.25 && at_1024 < 0.8 * fmin(at_64, at_512),
                 "measured on an H200: %.2f, %.2f and %.2f M/s at 64, 512 and "
                 "1024",
                 at_64 / 1e6, at_512 / 1e6, at_1024 / 1e6);
    return 0;
}

int claim_match_order(struct lab *lab, struct verdict *v, struct err *err)
{
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    v->from = EVIDENCE_PREDICTED;
    for (double n = 256; n <= 4096; n *= 2) {
        double rate[3];
        for (int order = MATCH_IN_ORDER; order <= MATCH_REVERSED; order++) {
            struct matching_case c = matrix(n);
            c.order = (enum match_order)order;
            rate[order] = matching_rate(s, ON_GTX1080, 0, c);
        }
        bool same = near(rate[MATCH_IN_ORDER], rate[MATCH_REVERSED], 0.01);
        bool holds = n <= 1024
                         ? same
                         : rate[MATCH_IN_ORDER] > 1.1 * rate[MATCH_REVERSED];
        verdict_part(v, holds,
                     "gtx1080, %.0f: in order %.2f, random %.2f, reversed %.2f "
                     "M/s (wanted %s)",
                     n, rate[0] / 1e6, rate[1] / 1e6, rate[2] / 1e6,
                     n <= 1024 ? "the same" : "reversed a tenth below");
    }
    double one = matching_rate(s, ON_GTX1080, 0, matrix(1024));
    struct matching_case ordered = matrix(4096);
    ordered.order = MATCH_IN_ORDER;
    double many = matching_rate(s, ON_GTX1080, 0, ordered);
    verdict_part(v, near(many, one, 0.05),
                 "gtx1080: 4096 in order as fast as 1024: %.2f and %.2f M/s",
                 many / 1e6, one / 1e6);
    return 0;
}

int claim_match_clock(struct lab *lab, struct verdict *v, struct err *err)
{
    static const struct {
        const char *name;
        double clock_Hz, rate;
    } printed[] = {{"K80", K80_HZ, 3e6},
                   {"M40", M40_HZ, 3.5e6},
                   {"GTX 1080", GTX1080_HZ, 6e6}};
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    v->from = EVIDENCE_INPUT;
    for (int i = 0; i < 3; i++) {
        double cycles = printed[i].clock_Hz / printed[i].rate;
        verdict_part(v, cycles >= 280 && cycles <= 330,
                     "%s: boost clock by printed rate: %.0f cycles a match",
                     printed[i].name, cycles);
    }
    v->from = EVIDENCE_ANALYSIS;
    for (double n = 128; n <= 512; n *= 2) {
        double cycles =
            s->device[ON_H200].clock_Hz / matching_measured(s, matrix(n), 0);
        verdict_part(v, cycles >= 280 && cycles <= 330,
                     "H200, %.0f messages, measured: %.0f cycles of its "
                     "specified clock, %.0f MHz (the run's was not recorded)",
                     n, cycles, s->device[ON_H200].clock_Hz / 1e6);
    }
    return 0;
}

/* --- several queues ------------------------------------------------------- */

/* Returns whether up to four queues gain within 0.8 to 1.2 of linear, and more
 * of them less than linear. */
static bool almost_linear(unsigned queues, double speedup)
{
    return queues <= 4 ? speedup >= 0.8 * queues && speedup <= 1.2 * queues
                       : speedup < queues;
}

int claim_match_queues(struct lab *lab, struct verdict *v, struct err *err)
{
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    double one = matching_rate(s, ON_H200, 0, matrix(512));
    double measured = matching_measured(s, matrix(512), 0);
    for (unsigned q = 2; q <= 32; q *= 2) {
        double law = matching_rate(s, ON_H200, 0, by_source(512, q)) / one;
        double seen = matching_measured(s, by_source(512, q), 0) / measured;
        v->from = q == 4 ? EVIDENCE_FITTED : EVIDENCE_PREDICTED;
        verdict_part(v, almost_linear(q, law),
                     "H200, 512 messages in %u queues: %.1f times one queue", q,
                     law);
        v->from = EVIDENCE_ANALYSIS;
        verdict_part(v, almost_linear(q, seen), "measured: %.1f times", seen);
    }
    return 0;
}

/* Tests that more queues for the same messages pay as long as each has 32
 * messages, but not beyond. */
int claim_match_32(struct lab *lab, struct verdict *v, struct err *err)
{
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    for (double n = 128; n <= 512; n *= 4) {
        unsigned q = (unsigned)(n / 32);
        double law = matching_rate(s, ON_H200, 0, by_source(n, 2 * q)) /
                     matching_rate(s, ON_H200, 0, by_source(n, q));
        double seen = matching_measured(s, by_source(n, 2 * q), 0) /
                      matching_measured(s, by_source(n, q), 0);
        v->from = EVIDENCE_PREDICTED;
        verdict_part(v, law <= 1,
                     "H200, %.0f messages: %u queues of 16 instead of %u of "
                     "32: %.2f times the rate (wanted not above 1)",
                     n, 2 * q, q, law);
        v->from = EVIDENCE_ANALYSIS;
        verdict_part(v, seen <= 1, "measured: %.2f times", seen);
    }
    verdict_note(v, "a queue of 16 has half of the threads of its warp idle, "
                    "and half as long a chain of receives: more queues still "
                    "pay, each less");
    return 0;
}

int claim_match_ctas(struct lab *lab, struct verdict *v, struct err *err)
{
    struct matching_study *s = claim_matching(lab, err);
    double before = INFINITY;

    if (!s)
        return -1;
    verdict_note(v, "given: two CTAs at a time on a multiprocessor (VI.A)");
    v->from = EVIDENCE_CONSTRUCTION;
    for (double n = 2048; n <= 16384; n *= 2) {
        struct matching how = s->device[ON_GTX1080];
        struct match_layout layout;
        double rate = matching_rate(s, ON_GTX1080, 0, by_source(n, 32));
        how.queues = 32;
        layout = match_layout(&how, 32, n / 32);
        verdict_part(v, rate < before,
                     "gtx1080, %.0f messages in 32 queues: %u CTAs, %.1f M/s "
                     "(wanted less with each more)",
                     n, layout.ctas, rate / 1e6);
        before = rate;
    }
    return 0;
}

int claim_match_gpus(struct lab *lab, struct verdict *v, struct err *err)
{
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    v->from = EVIDENCE_PREDICTED;
    const struct matching_case c = by_source(1024, 16);
    double gtx = by_h200(s, GTX1080_HZ, c);
    double k80 = gtx / by_h200(s, K80_HZ, c);
    double m40 = gtx / by_h200(s, M40_HZ, c);
    verdict_part(v, near(k80, 2.12, 0.1),
                 "GTX 1080 over K80, by the clocks alone: %.2f (printed 2.12)",
                 k80);
    verdict_part(v, near(m40, 1.56, 0.1),
                 "GTX 1080 over M40, likewise: %.2f (printed 1.56)", m40);
    return 0;
}

int claim_match_by_source(struct lab *lab, struct verdict *v, struct err *err)
{
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    v->from = EVIDENCE_PREDICTED;
    for (unsigned q = 8; q <= 32; q *= 2) {
        double law = by_h200(s, GTX1080_HZ, by_source(1024, q));
        verdict_part(v, near(law, 60e6, 0.3),
                     "GTX 1080 by its clock from the H200, 1024 messages in "
                     "%u queues: %.0f M/s (printed 60, of how many is not "
                     "said; tolerance 30 %%)",
                     q, law / 1e6);
    }
    return 0;
}

/* --- compaction and partial matches --------------------------------------- */

int claim_match_compaction(struct lab *lab, struct verdict *v, struct err *err)
{
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    v->from = EVIDENCE_INPUT;
    verdict_part(v, near(s->device[ON_GTX1080].compaction, 0.1, 0.5),
                 "gtx1080: %.0f %% (printed about 10)",
                 100 * s->device[ON_GTX1080].compaction);
    v->from = EVIDENCE_ANALYSIS;
    for (double n = 128; n <= 1024; n *= 2) {
        struct matching_case c = matrix(n);
        double bare = matching_measured(s, c, 0);
        c.compact = true;
        double cost = 1 - matching_measured(s, c, 0) / bare;
        verdict_part(v, cost >= 0.05 && cost <= 0.15,
                     "H200, %.0f messages, measured: %.1f %% of the rate "
                     "(wanted 5 to 15)",
                     n, 100 * cost);
    }
    return 0;
}

int claim_match_half(struct lab *lab, struct verdict *v, struct err *err)
{
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    for (double n = 128; n <= 1024; n *= 2) {
        struct matching_case all = matrix(n), half = matrix(n);
        all.compact = half.compact = true;
        half.matched = 0.5;
        double law = matching_rate(s, ON_H200, 0, half) /
                     matching_rate(s, ON_H200, 0, all);
        double seen =
            matching_measured(s, half, 0) / matching_measured(s, all, 0);
        v->from = EVIDENCE_PREDICTED;
        verdict_part(v, near(law, 0.5, 0.2),
                     "H200, matrix of %.0f, half matched: %.2f of the rate "
                     "(printed about 0.5; tolerance 20 %%)",
                     n, law);
        v->from = EVIDENCE_ANALYSIS;
        verdict_part(v, near(seen, 0.5, 0.2), "measured: %.2f", seen);
    }
    struct matching_case half = hashed(1024, 32);
    double all = matching_measured(s, half, 0);
    half.matched = 0.5;
    double seen = matching_measured(s, half, 0) / all;
    verdict_part(v, near(seen, 0.5, 0.2),
                 "hash tables, 1024 on 32 CTAs, measured: %.2f", seen);
    return 0;
}

/* --- without order -------------------------------------------------------- */

int claim_match_hash(struct lab *lab, struct verdict *v, struct err *err)
{
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    v->from = EVIDENCE_INPUT;
    static const struct {
        enum matching_device on;
        unsigned ctas;
        double printed;
    } given[] = {
        {ON_K80, 1, 110e6}, {ON_K80, 32, 150e6}, {ON_GTX1080, 32, 5e8}};
    for (int i = 0; i < 3; i++) {
        double rate =
            matching_rate(s, given[i].on, 0, hashed(1024, given[i].ctas));
        verdict_part(v, near(rate, given[i].printed, 0.35),
                     "%s, 1024 messages, %u CTAs: %.0f M/s (printed %.0f, "
                     "which its constants are derived from)",
                     matching_devices[given[i].on], given[i].ctas, rate / 1e6,
                     given[i].printed / 1e6);
    }
    v->from = EVIDENCE_PREDICTED;
    double gtx = by_h200(s, GTX1080_HZ, hashed(1024, 1));
    verdict_part(v, near(gtx, 5e8, 0.3),
                 "GTX 1080 by its clock from the H200, 1 CTA: %.0f M/s "
                 "(printed about 500)",
                 gtx / 1e6);
    double k80 = matching_rate(s, ON_GTX1080, K80_HZ, hashed(1024, 32));
    verdict_part(v, near(k80, 150e6, 0.3),
                 "K80 by its clock from the GTX 1080, 32 CTAs: %.0f M/s "
                 "(printed 150)",
                 k80 / 1e6);
    verdict_note(v, "Kepler has no atomics in shared memory but locks, and "
                    "pays more than its clock says");
    return 0;
}

int claim_match_unordered(struct lab *lab, struct verdict *v, struct err *err)
{
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    v->from = EVIDENCE_INPUT;
    verdict_part(v, near(500.0 / 6, 80, 0.1),
                 "printed: 500 M/s by 6 M/s is %.0f (printed 80)", 500.0 / 6);
    v->from = EVIDENCE_PREDICTED;
    double law = by_h200(s, GTX1080_HZ, hashed(1024, 1)) /
                 by_h200(s, GTX1080_HZ, matrix(512));
    verdict_part(v, near(law, 80, 0.25),
                 "the H200's constants, hash of 1024 by matrix of 512: %.0f",
                 law);
    v->from = EVIDENCE_ANALYSIS;
    double seen = matching_measured(s, hashed(1024, 1), 0) /
                  matching_measured(s, matrix(512), 0);
    verdict_part(v, near(seen, 80, 0.25), "measured: %.0f", seen);
    return 0;
}

int claim_match_unique(struct lab *lab, struct verdict *v, struct err *err)
{
    struct matching_study *s = claim_matching(lab, err);
    double before = INFINITY;

    if (!s)
        return -1;
    v->from = EVIDENCE_CONSTRUCTION;
    for (double equal = 1; equal <= 512; equal *= 8) {
        double time_s = match_hash_s(&s->device[ON_GTX1080], 1024, 1024, equal);
        double rate = 1024 / time_s;
        verdict_part(v, equal <= 1 || rate<before,
                                           "gtx1080, 1024 messages, %.0f of "
                                           "one source and tag: %.1f "
                                           "M/s%s",
                                           equal, rate / 1e6, equal> 1
                            ? " (wanted less)"
                            : "");
        before = rate;
    }
    return 0;
}

/* --- the CPU, the levels, several multiprocessors ------------------------- */

int claim_match_list(struct lab *lab, struct verdict *v, struct err *err)
{
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    for (double n = 32; n <= 2048; n *= n < 512 ? 16 : 2) {
        struct matching_case c = matrix(n);
        c.engine = MATCHER_LIST;
        double law = matching_rate(s, ON_CPU, 0, c);
        double seen = matching_measured(s, c, 0);
        v->from = n <= 512 ? EVIDENCE_FITTED : EVIDENCE_PREDICTED;
        if (n <= 32)
            verdict_part(v, law >= 30e6,
                         "cpu, list of %.0f: %.1f M/s (wanted 30)", n,
                         law / 1e6);
        else
            verdict_part(v, law < 5e6,
                         "cpu, list of %.0f: %.1f M/s (wanted below 5)", n,
                         law / 1e6);
        v->from = EVIDENCE_ANALYSIS;
        verdict_part(v, n <= 32 ? seen >= 30e6 : seen < 5e6,
                     "the H200's host, measured at %.0f: %.1f M/s", n,
                     seen / 1e6);
    }
    return 0;
}

int claim_match_levels(struct lab *lab, struct verdict *v, struct err *err)
{
    static const char *const levels[] = {"wildcards, order, unexpected",
                                         "wildcards, order",
                                         "order, unexpected",
                                         "order",
                                         "unexpected",
                                         "none"};
    static const enum matching_device on[] = {ON_GTX1080, ON_H200};
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    verdict_note(v, "512 messages, 16 queues, 1 CTA; unexpected: a tenth of "
                    "the messages fits no receive, and what is left is made "
                    "dense");
    for (int d = 0; d < 2; d++) {
        double before = 0;
        v->from = d ? EVIDENCE_PREDICTED : EVIDENCE_INPUT;
        for (int i = 0; i < 6; i++) {
            struct matching_case c = i < 2   ? matrix(512)
                                     : i < 4 ? by_source(512, 16)
                                             : hashed(512, 1);
            c.compact = i % 2 == 0 && i < 4;
            c.matched = i % 2 == 0 ? 0.9 : 1;
            double rate = matching_rate(s, on[d], 0, c);
            verdict_part(v, rate > before, "%s, %s: %.1f M/s%s",
                         matching_devices[on[d]], levels[i], rate / 1e6,
                         i ? " (wanted more)" : "");
            before = rate;
        }
    }
    return 0;
}

int claim_match_sms(struct lab *lab, struct verdict *v, struct err *err)
{
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    v->from = EVIDENCE_ANALYSIS;
    double one = matching_measured(s, matrix(512), 0);
    double hash = matching_measured(s, hashed(1024, 1), 0);
    for (unsigned n = 2; n <= 16; n *= 2) {
        double ratio = matching_measured(s, by_source(512.0 * n, n), 0) / one;
        verdict_part(v, near(ratio, n, 0.15),
                     "H200, a queue of 512 on each of %u multiprocessors, "
                     "measured: %.2f times the rate of one",
                     n, ratio);
        if (n > 8)
            continue;
        ratio = matching_measured(s, hashed(1024.0 * n, n), 0) / hash;
        verdict_part(v, near(ratio, n, 0.15),
                     "a hash table of 1024 on each of %u, measured: %.2f times",
                     n, ratio);
    }
    verdict_note(v, "each takes one of 132 multiprocessors from the "
                    "application");
    return 0;
}
