/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fig 2.6: a volume between two nodes, split over their processes. */
#include "results/papers/figure.h"

#include "base/faster.h"
#include "strategies/exchange/model.h"
#include "validate/measure/figure_points.h"

#include <inttypes.h>

enum { SMALLEST_B = 1 << 10, LARGEST_B = 64 << 20, FACTOR = 4 };

static const unsigned ppns[] = {1, 2, 4, 5, 8, 10, 16, 20, 32, 40};
enum { NPPNS = sizeof ppns / sizeof ppns[0] };

static uint64_t ppn_figure_share(uint64_t volume, unsigned ppn)
{
    return (volume + ppn - 1) / ppn;
}

/* Returns how many of ppns[] the machine has cores for; the pairs are on two
 * sockets at most. */
static size_t usable(const struct machine *m)
{
    unsigned cores = (m->nsockets > 1 ? 2 : 1) * machine_socket(m, 0)->cores;
    size_t n = 0;

    while (n < NPPNS && ppns[n] <= cores)
        n++;
    return n;
}

/* Adds pairs that ping and pong without waiting for each other, like
 * BenchPress' measurement: half of the data is sent in the other direction at
 * the same time. */
static int add_pairs(struct points *p, const struct machine *m, uint64_t volume,
                     unsigned ppn, struct err *err)
{
    struct experiment x = {.kind = EXPERIMENT_PAIRS,
                           .two_nodes = true,
                           .pairs = ppn,
                           .socket0_pairs =
                               m->nsockets > 1 ? (ppn + 1) / 2 : ppn,
                           .bytes = ppn_figure_share(volume, ppn)};

    return points_add_experiment(p, m, &x, err);
}

/* Adds one message per process, all at once and in one direction. */
static void add_one_way(struct points *p, const struct machine *m,
                        uint64_t volume, unsigned ppn)
{
    struct plan plan;

    plan_init(&plan, m, "one way", 2, ppn, NULL);
    for (unsigned i = 0; i < ppn; i++)
        plan_msg(&plan, PHASE_OFF_NODE, i, ppn + i, NO_GPU, NO_GPU,
                 ppn_figure_share(volume, ppn));
    points_add(p, plan, NULL);
}

/* Adds both for each number of processes, first one direction, then the
 * pairs. */
static int ppn_figure_add_points(struct points *p, const struct machine *m,
                                 uint64_t volume, struct err *err)
{
    for (size_t i = 0; i < usable(m); i++) {
        add_one_way(p, m, volume, ppns[i]);
        if (add_pairs(p, m, volume, ppns[i], err) < 0)
            return -1;
    }
    return 0;
}

/* Returns the time by Eq 2.2 with one message per process. */
static double model(const struct machine *m, uint64_t volume, unsigned ppn)
{
    uint64_t bytes = ppn_figure_share(volume, ppn);
    const struct segment *s =
        machine_segment(m, RUNTIME_MPI, PATH_HOST, OFF_NODE, bytes);
    struct postal off = {s->alpha_s, s->beta_s_per_B};

    return model_max_rate(off, 1, (double)bytes, (double)bytes * ppn,
                          machine_injection_Bps(m));
}

static size_t ppn_figure_least(const double *v, size_t n)
{
    size_t best = 0;

    for (size_t i = 1; i < n; i++)
        if (faster(v[i], v[best]))
            best = i;
    return best;
}

static void ppn_figure_print_rows(FILE *csv, const double *simulated,
                                  const struct machine *m, uint64_t volume)
{
    double one_way[NPPNS], pairs[NPPNS], modelled[NPPNS];
    size_t n = usable(m);

    for (size_t i = 0; i < n; i++) {
        one_way[i] = simulated[2 * i];
        pairs[i] = simulated[2 * i + 1];
        modelled[i] = model(m, volume, ppns[i]);
    }
    for (size_t i = 0; i < n; i++)
        fprintf(csv, "%" PRIu64 ",%u,%" PRIu64 ",%.9g,%.9g,%.9g,%d,%d,%d\n",
                volume, ppns[i], ppn_figure_share(volume, ppns[i]), one_way[i],
                pairs[i], modelled[i], i == ppn_figure_least(one_way, n),
                i == ppn_figure_least(pairs, n),
                i == ppn_figure_least(modelled, n));
}

int figure_ppn(FILE *csv, FILE *vars, const struct figure_input *in,
               struct err *err)
{
    struct points p = {0};
    size_t at = 0;
    int result = 0;

    if (in->m->network.nodes < 2 ||
        !in->m->messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].nsegments)
        return fail(err, "%s has no messages between two nodes", in->m->name);
    for (uint64_t v = SMALLEST_B; result == 0 && v <= LARGEST_B; v *= FACTOR)
        result = ppn_figure_add_points(&p, in->m, v, err);
    if (result == 0)
        result = points_time(&p, in->m, NULL, err);
    if (result == 0) {
        fprintf(csv,
                "volume_bytes,ppn,message_bytes,one_way_s,ping_pong_s,model_s,"
                "one_way_minimum,ping_pong_minimum,model_minimum\n");
        fprintf(vars, "volumes = '");
        for (uint64_t v = SMALLEST_B; v <= LARGEST_B; v *= FACTOR) {
            ppn_figure_print_rows(csv, p.times_s + at, in->m, v);
            at += 2 * usable(in->m);
            fprintf(vars, "%" PRIu64 " ", v);
        }
        fprintf(vars, "'\n");
    }
    points_clear(&p);
    return result;
}
