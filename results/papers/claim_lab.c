/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machines, plans and grids of times that claims of Lockhart et al. 2022
 * share. */
#include "results/papers/claim_lab.h"

#include "platforms/platform.h"
#include "workloads/matrix.h"
#include "workloads/scenario.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const uint64_t sizes[NSIZES] = {1,    16,   64,    256,   1024,   2048,
                                4096, 8192, 16384, 65536, 262144, 1048576};
const char *const source_names[NSOURCES] = {
    "closed forms as printed", "closed forms corrected", "simulation"};

/* --- strategies ----------------------------------------------------------- */

strategy_set strategies_named(const char *names)
{
    char *copy = xstrdup(names), *rest = copy, *name;
    strategy_set set = 0;

    while ((name = strsep(&rest, ","))) {
        size_t i = 0;
        while (i < nstrategies && strcmp(strategies[i]->name, name) != 0)
            i++;
        assert(i < nstrategies && i < MAX_STRATEGIES);
        set |= UINT32_C(1) << i;
    }
    free(copy);
    return set;
}

strategy_set strategies_usual(void)
{
    return strategies_named(
        "standard/staged,3-step/staged,2-step/staged,split+md,split+dd,"
        "standard/device,3-step/device,2-step/device");
}

unsigned fastest(const double *times, strategy_set among)
{
    unsigned best = MAX_STRATEGIES;

    for (unsigned s = 0; s < MAX_STRATEGIES; s++)
        if (among >> s & 1 &&
            (best == MAX_STRATEGIES || times[s] < times[best]))
            best = s;
    assert(best < MAX_STRATEGIES);
    return best;
}

/* --- lab ------------------------------------------------------------------ */

/*
 * Undoes the corrections of lassen-paper, so that the machine is that of Tables
 * 2 and 3 as printed: the exponent of alpha of eager GPU messages on a socket,
 * beta of rendezvous GPU messages off node, beta of copies by four processes.
 */
static void as_printed(struct machine *m)
{
    const struct message_table *near =
        &m->messages[RUNTIME_MPI][PATH_GDR][ON_SOCKET];
    const struct message_table *far =
        &m->messages[RUNTIME_MPI][PATH_GDR][OFF_NODE];

    for (size_t i = 0; i < near->nsegments; i++)
        if (near->segments[i].protocol == PROTOCOL_EAGER)
            near->segments[i].alpha_s = 1.87e-6;
    for (size_t i = 0; i < far->nsegments; i++)
        if (far->segments[i].protocol == PROTOCOL_RENDEZVOUS)
            far->segments[i].beta_s_per_B = 1.72e-10;
    for (size_t i = 0; i < m->copies.nrows; i++) {
        struct copy_cost *row = &m->copies.rows[i];
        if (row->processes == 4 && row->locality == ON_SOCKET)
            row->beta_s_per_B = row->dir == H2D ? 5.52e-10 : 1.50e-10;
    }
}

int lab_machines(struct lab *lab, struct err *err)
{
    const char *const *sets = lab->sets;

    if (platform_load(&lab->lassen, "lassen", sets, lab->nsets, err) < 0 ||
        platform_load(&lab->paper, "lassen-paper", sets, lab->nsets, err) < 0 ||
        platform_load(&lab->printed, "lassen-paper", sets, lab->nsets, err) <
            0 ||
        platform_load(&lab->summit, "summit", sets, lab->nsets, err) < 0)
        return -1;
    as_printed(&lab->printed);
    return 0;
}

void lab_close(struct lab *lab)
{
    machine_clear(&lab->lassen);
    machine_clear(&lab->paper);
    machine_clear(&lab->printed);
    machine_clear(&lab->summit);
}

int lab_experiments(double *times_s, const struct machine *m,
                    const struct experiment *x, size_t n, struct err *err)
{
    struct plan *plans = xcalloc(n, sizeof *plans);
    struct timed_plan *timed = xcalloc(n, sizeof *timed);
    int result = 0;

    for (size_t i = 0; i < n && result == 0; i++) {
        result = experiment_plan(&plans[i], m, &x[i], err);
        timed[i] = (struct timed_plan){&plans[i], experiment_measure_of(&x[i])};
    }
    if (result == 0)
        result = exec_times(times_s, m, timed, n, NULL, err);
    for (size_t i = 0; i < n; i++)
        plan_clear(&plans[i]);
    free(plans);
    free(timed);
    return result;
}

/* --- the patterns of Fig 4.3 ---------------------------------------------- */

int lab_predict(double *time_s, const struct lab *lab, enum source source,
                const struct model_input *in, const struct strategy *s,
                struct err *err)
{
    struct model_time t;
    bool printed = source == PRINTED;

    *time_s = NAN;
    if (!s->predict)
        return 0;
    if (model_predict(&t, printed ? &lab->printed : &lab->paper, in, s,
                      printed ? MODEL_PRINTED : MODEL_CORRECTED, err) < 0)
        return -1;
    *time_s = t.total_s;
    return 0;
}

static int model_grid(struct grid *g, const struct lab *lab, enum source source,
                      struct err *err)
{
    struct strategy_options options = {0};
    struct model_scenario scenario = {g->messages, g->nodes, 0, g->duplicates};

    for (size_t i = 0; i < NSIZES; i++) {
        struct model_input in;
        scenario.bytes = (double)sizes[i];
        model_input_from_scenario(&in, &lab->paper, &scenario, &options);
        for (size_t s = 0; s < nstrategies; s++)
            if (lab_predict(&g->times[i][s], lab, source, &in, strategies[s],
                            err) < 0)
                return -1;
    }
    return 0;
}

static int scenario_plan(struct plan *p, const struct machine *m,
                         const struct strategy *s,
                         const struct scenario *scenario, struct err *err)
{
    struct strategy_options options = {0};
    struct halo halo;

    if (scenario_halo(&halo, m->ngpus, scenario, err) < 0)
        return -1;
    int result = strategy_plan(s, p, m, &halo, &options, err);
    if (result == 0 && s->direct) {
        struct plan apart;
        scenario_unmerge(&apart, p, &halo, scenario->bytes);
        plan_clear(p);
        *p = apart;
    }
    halo_clear(&halo);
    return result;
}

static int simulate_grid(struct grid *g, const struct machine *m,
                         struct err *err)
{
    enum { N = NSIZES * MAX_STRATEGIES };
    struct plan *plans = xcalloc(N, sizeof *plans);
    struct timed_plan *timed = xcalloc(N, sizeof *timed);
    double times[N];
    size_t n = 0, made = 0;
    int result = 0;

    for (size_t i = 0; i < NSIZES && result == 0; i++)
        for (size_t s = 0; s < nstrategies && result == 0; s++) {
            struct scenario scenario = {g->messages, g->nodes, sizes[i],
                                        g->duplicates,
                                        strategies[s]->best_case};
            result = scenario_plan(&plans[n], m, strategies[s], &scenario, err);
            timed[n].plan = &plans[n];
            n++;
        }
    if (result == 0)
        result = exec_times(times, m, timed, n, NULL, err);
    for (size_t i = 0; i < NSIZES && result == 0; i++)
        for (size_t s = 0; s < nstrategies; s++)
            g->times[i][s] = times[made++];
    for (size_t i = 0; i < n; i++)
        plan_clear(&plans[i]);
    free(plans);
    free(timed);
    return result;
}

static int lab_grid(const struct grid **grid, struct lab *lab,
                    enum source source, unsigned messages, unsigned nodes,
                    double duplicates, struct err *err)
{
    struct grid *g = lab->grids[source], *end = g + NGRIDS;

    assert(nstrategies <= MAX_STRATEGIES);
    while (g < end && g->known &&
           (g->messages != messages || g->nodes != nodes ||
            g->duplicates != duplicates))
        g++;
    assert(g < end);
    *grid = g;
    if (g->known)
        return 0;
    g->messages = messages;
    g->nodes = nodes;
    g->duplicates = duplicates;
    int result = source == SIMULATED ? simulate_grid(g, &lab->paper, err)
                                     : model_grid(g, lab, source, err);
    g->known = result == 0;
    return result;
}

struct json *lab_times_json(const double *times)
{
    struct json *o = json_new_object();

    for (size_t s = 0; s < nstrategies; s++)
        json_add_number(o, strategies[s]->name, times[s]);
    return o;
}

static struct json *grid_json(const struct grid *g, enum source source)
{
    struct json *o = json_new_object(), *list = json_new_array();

    json_add_string(o, "source", source_names[source]);
    json_add_number(o, "messages", g->messages);
    json_add_number(o, "nodes", g->nodes);
    json_add_number(o, "duplicates", g->duplicates);
    for (size_t i = 0; i < NSIZES; i++)
        json_append(list, lab_times_json(g->times[i]));
    json_add(o, "times", list);
    return o;
}

void lab_add_names(struct json *doc)
{
    if (json_member(doc, "sizes"))
        return;
    struct json *bytes = json_new_array(), *names = json_new_array();
    for (size_t i = 0; i < NSIZES; i++)
        json_append(bytes, json_new_number((double)sizes[i]));
    for (int s = 0; s < NSOURCES; s++)
        json_append(names, json_new_string(source_names[s]));
    json_add(doc, "sizes", bytes);
    json_add(doc, "sources", names);
}

int lab_add_grids(struct json *doc, struct lab *lab, double duplicates,
                  struct err *err)
{
    struct json *list = json_member(doc, "grids");

    lab_add_names(doc);
    if (!list)
        json_add(doc, "grids", list = json_new_array());
    for (int s = 0; s < NSOURCES; s++)
        for (unsigned messages = 32; messages <= 256; messages *= 8)
            for (unsigned nodes = 4; nodes <= 16; nodes *= 4) {
                const struct grid *g;
                if (lab_grid(&g, lab, (enum source)s, messages, nodes,
                             duplicates, err) < 0)
                    return -1;
                json_append(list, grid_json(g, (enum source)s));
            }
    return 0;
}
