/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fig 4.3: one node sends messages of one size to others. */
#include "results/papers/figure.h"

#include "base/faster.h"
#include "sim/plan/plan_check.h"
#include "strategies/exchange/model.h"
#include "validate/measure/figure_points.h"
#include "workloads/scenario.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST_B = 8, NSIZES = 16, MAX_STRATEGIES = 32 };

static const struct {
    unsigned nodes, messages;
} panels[] = {{4, 32}, {4, 256}, {16, 32}, {16, 256}};
enum { NPANELS = sizeof panels / sizeof panels[0] };

/* The times of one size under each strategy; NAN if there is none. */
struct spot {
    uint64_t bytes;
    double model_s[MAX_STRATEGIES], simulated_s[MAX_STRATEGIES];
};

static struct scenario scenario_at(size_t panel, uint64_t bytes,
                                   const struct strategy *s)
{
    return (struct scenario){.messages = panels[panel].messages,
                             .nodes = panels[panel].nodes,
                             .bytes = bytes,
                             .best_case = s->best_case};
}

/* Makes the plan. Standard communication sends every message separately, even
 * several of one pair of GPUs; the others gather them anyway. Returns 1 if the
 * machine cannot run the strategy, or if it is not the paper's, because it has
 * no closed form. */
static int scenarios_make_plan(struct plan *out, const struct machine *m,
                               const struct scenario *scenario,
                               const struct strategy *s, struct err *err)
{
    struct strategy_options options = {0};
    struct err ignored;
    struct plan plan;
    struct halo halo;

    if (!s->predict)
        return 1;
    if (scenario_halo(&halo, m->ngpus, scenario, err) < 0)
        return -1;
    int result =
        strategy_plan(s, &plan, m, &halo, &options, &ignored) < 0 ? 1 : 0;
    if (result == 0 && plan_check(&plan, m, &ignored) < 0) {
        plan_clear(&plan);
        result = 1;
    }
    if (result == 0 && s->direct) {
        scenario_unmerge(out, &plan, &halo, scenario->bytes);
        plan_clear(&plan);
    } else if (result == 0) {
        *out = plan;
    }
    halo_clear(&halo);
    return result;
}

static void scenarios_predict(struct spot *spot, const struct machine *m,
                              size_t panel)
{
    struct strategy_options options = {0};
    struct model_scenario scenario = {.messages = panels[panel].messages,
                                      .nodes = panels[panel].nodes,
                                      .bytes = (double)spot->bytes};
    struct model_input in;

    model_input_from_scenario(&in, m, &scenario, &options);
    for (size_t i = 0; i < nstrategies; i++) {
        struct model_time t;
        struct err ignored;
        spot->model_s[i] = NAN;
        if (model_predict(&t, m, &in, strategies[i], MODEL_CORRECTED,
                          &ignored) == 0)
            spot->model_s[i] = t.total_s;
    }
}

static int scenarios_simulate(struct spot *spots, const struct machine *m,
                              size_t panel, struct err *err)
{
    struct points p = {0};
    /* The destination of each point's time. */
    double *of[NSIZES * MAX_STRATEGIES];
    int result = 0;

    for (size_t k = 0; result >= 0 && k < NSIZES; k++)
        for (size_t i = 0; result >= 0 && i < nstrategies; i++) {
            struct scenario s =
                scenario_at(panel, spots[k].bytes, strategies[i]);
            struct plan plan;
            spots[k].simulated_s[i] = NAN;
            result = scenarios_make_plan(&plan, m, &s, strategies[i], err);
            if (result == 0)
                of[points_add(&p, plan, NULL)] = &spots[k].simulated_s[i];
        }
    if (result >= 0)
        result = points_time(&p, m, NULL, err);
    for (size_t i = 0; result == 0 && i < p.n; i++)
        *of[i] = p.times_s[i];
    points_clear(&p);
    return result;
}

/* Returns the fastest strategy. The best case does not compete with the others,
 * because it needs a pattern of its own. */
static size_t scenarios_least(const double *times_s)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < nstrategies; i++)
        if (!strategies[i]->best_case && !isnan(times_s[i]) &&
            (best == SIZE_MAX || faster(times_s[i], times_s[best])))
            best = i;
    return best;
}

static void print_time(FILE *csv, double time_s)
{
    if (isnan(time_s))
        fputc(',', csv);
    else
        fprintf(csv, ",%.9g", time_s);
}

static void scenarios_print_rows(FILE *csv, const struct spot *spots,
                                 size_t panel)
{
    for (size_t i = 0; i < nstrategies; i++)
        for (size_t k = 0; k < NSIZES; k++) {
            const struct spot *spot = &spots[k];
            if (isnan(spot->model_s[i]) && isnan(spot->simulated_s[i]))
                continue;
            fprintf(csv, "%zu,%u,%u,%" PRIu64 ",%s", panel + 1,
                    panels[panel].nodes, panels[panel].messages, spot->bytes,
                    strategies[i]->name);
            print_time(csv, spot->simulated_s[i]);
            print_time(csv, spot->model_s[i]);
            fprintf(csv, ",%d,%d\n", i == scenarios_least(spot->simulated_s),
                    i == scenarios_least(spot->model_s));
        }
}

static int scenarios_check(const struct machine *m, struct err *err)
{
    unsigned most = 0;

    assert(nstrategies <= MAX_STRATEGIES);
    for (size_t i = 0; i < NPANELS; i++)
        most = panels[i].nodes > most ? panels[i].nodes : most;
    if (!m->ngpus || m->network.nodes <= most)
        return fail(err, "%s has %u nodes of %u GPUs; %u nodes wanted", m->name,
                    m->network.nodes, m->ngpus, most + 1);
    return 0;
}

int figure_scenarios(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err)
{
    struct spot *spots = xcalloc((size_t)NPANELS * NSIZES, sizeof *spots);
    int result = scenarios_check(in->m, err);

    for (size_t panel = 0; result == 0 && panel < NPANELS; panel++) {
        for (size_t k = 0; k < NSIZES; k++) {
            spots[panel * NSIZES + k].bytes = (uint64_t)SMALLEST_B << k;
            scenarios_predict(&spots[panel * NSIZES + k], in->m, panel);
        }
        result = scenarios_simulate(spots + panel * NSIZES, in->m, panel, err);
    }
    if (result == 0) {
        fprintf(csv, "panel,nodes,messages,message_bytes,strategy,simulated_s,"
                     "model_s,simulated_minimum,model_minimum\n");
        for (size_t panel = 0; panel < NPANELS; panel++)
            scenarios_print_rows(csv, spots + panel * NSIZES, panel);
        fprintf(vars, "strategies = '");
        for (size_t i = 0; i < nstrategies; i++)
            if (!strategies[i]->best_case && strategies[i]->predict)
                fprintf(vars, "%s ", strategies[i]->name);
        fprintf(vars, "'\n");
    }
    free(spots);
    return result;
}
