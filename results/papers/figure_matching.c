/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates of matching engines: figures 4, 5 and 6b of Klenk et al. 2017, and the
 * measurements of sluice-native match compared with their simulation. */
#include "results/papers/figure.h"

#include "results/papers/matching_study.h"
#include "sim/plan/exec.h"
#include "workloads/workload.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GTX1080_HZ 1733e6

typedef void rows_fn(FILE *csv, const struct matching_study *s);

static int with_study(FILE *csv, rows_fn *rows, struct err *err)
{
    struct matching_study s;

    if (matching_study_open(&s, NULL, 0, err) < 0)
        return -1;
    rows(csv, &s);
    matching_study_close(&s);
    return 0;
}

static void print_rate(FILE *csv, double rate)
{
    if (!isnan(rate))
        fprintf(csv, "%.6g", rate);
}

/* --- 4: one queue --------------------------------------------------------- */

static void rows_matrix(FILE *csv, const struct matching_study *s)
{
    struct matching_case c = {
        .engine = MATCHER_MATRIX, .matched = 1, .order = MATCH_RANDOM};

    fprintf(csv, "device,queue_length,matches_per_s,measured_per_s\n");
    for (int d = ON_K80; d <= ON_H200; d++)
        for (c.n = 16; c.n <= 4096; c.n *= 2) {
            fprintf(csv, "%s,%.0f,", matching_devices[d], c.n);
            print_rate(csv, matching_rate(s, (enum matching_device)d, 0, c));
            fputc(',', csv);
            if (d == ON_H200)
                print_rate(csv, matching_measured(s, c, 0));
            fputc('\n', csv);
        }
}

int figure_klenk_4(FILE *csv, FILE *vars, const struct figure_input *in,
                   struct err *err)
{
    (void)vars;
    (void)in;
    return with_study(csv, rows_matrix, err);
}

/* --- 5: several queues ---------------------------------------------------- */

/* Returns the number of CTAs for a queue's length. */
static unsigned ctas_of(const struct matching *device, struct matching_case c)
{
    struct matching l = *device;

    l.engine = MATCHER_PARTITIONED;
    l.queues = c.queues;
    return match_layout(&l, c.queues, c.n / c.queues).ctas;
}

static void rows_queues(FILE *csv, const struct matching_study *s)
{
    static const enum matching_device on[] = {ON_GTX1080, ON_H200};

    fprintf(csv,
            "device,queues,queue_length,ctas,matches_per_s,measured_per_s\n");
    for (int d = 0; d < 2; d++)
        for (unsigned q = 1; q <= 32; q *= 2)
            for (double n = 32; n <= 8192; n *= 2) {
                struct matching_case c = {.engine = q > 1 ? MATCHER_PARTITIONED
                                                          : MATCHER_MATRIX,
                                          .n = n,
                                          .matched = 1,
                                          .order = MATCH_RANDOM,
                                          .queues = q};
                if (n < q)
                    continue;
                fprintf(csv, "%s,%u,%.0f,%u,", matching_devices[on[d]], q, n,
                        ctas_of(&s->device[on[d]], c));
                print_rate(csv, matching_rate(s, on[d], 0, c));
                fputc(',', csv);
                if (on[d] == ON_H200)
                    print_rate(csv, matching_measured(s, c, 0));
                fputc('\n', csv);
            }
}

int figure_klenk_5(FILE *csv, FILE *vars, const struct figure_input *in,
                   struct err *err)
{
    (void)vars;
    (void)in;
    return with_study(csv, rows_queues, err);
}

/* --- 6b: hash tables ------------------------------------------------------ */

static void rows_hash(FILE *csv, const struct matching_study *s)
{
    static const enum matching_device on[] = {ON_K80, ON_GTX1080, ON_H200};

    fprintf(csv, "device,ctas,queue_length,matches_per_s,measured_per_s\n");
    for (int d = 0; d < 3; d++)
        for (unsigned ctas = 1; ctas <= 32; ctas *= 2)
            for (double n = 32; n <= 8192; n *= 2) {
                struct matching_case c = {.engine = MATCHER_HASH,
                                          .n = n,
                                          .matched = 1,
                                          .order = MATCH_RANDOM,
                                          .queues = ctas};
                fprintf(csv, "%s,%u,%.0f,", matching_devices[on[d]], ctas, n);
                print_rate(csv, matching_rate(s, on[d], 0, c));
                fputc(',', csv);
                if (on[d] == ON_H200)
                    print_rate(csv, matching_measured(s, c, 0));
                fputc('\n', csv);
            }
}

int figure_klenk_6b(FILE *csv, FILE *vars, const struct figure_input *in,
                    struct err *err)
{
    (void)vars;
    (void)in;
    return with_study(csv, rows_hash, err);
}

/* --- native and simulated ------------------------------------------------- */

/* late enough for all messages to be there when the receives are posted */
enum { LATE_US = 20000 };

static int simulate(double *time_s, const struct machine *m,
                    const struct matching *matching, unsigned length,
                    struct err *err)
{
    struct machine with = *m;
    struct exec_result r;
    struct plan p;
    uint32_t ranks;
    char words[80];

    with.matching = *matching;
    snprintf(words, sizeof words, "match:length=%u,receives_us=%d", length,
             (int)LATE_US);
    if (match_workload.messages(&p, &ranks, &with, words, err) < 0)
        return -1;
    int result = exec_plan(&r, &with, &p, &exec_defaults, EXEC_MAKESPAN, err);
    plan_clear(&p);
    if (result < 0)
        return -1;
    *time_s = r.time_s;
    exec_result_clear(&r);
    return 0;
}

/* Prints the time that matching adds to the same messages without it. */
static int matching_row(FILE *csv, const struct machine *m,
                        const struct matching_study *s,
                        const struct match_point *p, struct err *err)
{
    bool list = p->engine == MATCHER_LIST;
    struct matching none = {0}, l = s->device[list ? ON_CPU : ON_H200];
    double bare_s, all_s;

    l.engine = p->engine;
    l.forbids = 0;
    l.queues = l.ctas = l.resident_ctas = p->queues;
    if (simulate(&bare_s, m, &none, p->length, err) < 0 ||
        simulate(&all_s, m, &l, p->length, err) < 0)
        return -1;
    fprintf(csv, "%s,%u,%u,%.6g,", matcher_names[p->engine], p->queues,
            p->length, p->matches / p->time_s);
    print_rate(csv, p->matches / match_point_s(&l, p));
    fputc(',', csv);
    if (all_s > bare_s)
        print_rate(csv, p->length / (all_s - bare_s));
    fputc('\n', csv);
    return 0;
}

int figure_match(FILE *csv, FILE *vars, const struct figure_input *in,
                 struct err *err)
{
    struct matching_study s;
    int result = 0;

    (void)vars;
    if (matching_study_open(&s, NULL, 0, err) < 0)
        return -1;
    fprintf(csv, "engine,queues,queue_length,native_per_s,law_per_s,"
                 "simulated_per_s\n");
    for (size_t i = 0; i < s.h200.n && result == 0; i++) {
        const struct match_point *p = &s.h200.points[i];
        bool shown = p->engine != MATCHER_HASH || p->queues == 1 ||
                     p->queues == 8 || p->queues == 32;
        if (!p->wildcards && !p->unexpected && !p->compact && shown)
            result = matching_row(csv, in->m, &s, p, err);
    }
    matching_study_close(&s);
    return result;
}
