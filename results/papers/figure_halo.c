/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figs 4.2 and 5.1: the halo of a sparse product under every strategy, over the
 * number of GPUs. */
#include "results/papers/figure.h"

#include "base/csv.h"
#include "base/datafile.h"
#include "base/faster.h"
#include "sim/plan/plan_check.h"
#include "strategies/exchange/model.h"
#include "validate/measure/figure_points.h"
#include "workloads/matrix.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const unsigned gpu_counts[] = {8, 16, 32, 64, 128};
enum {
    NCOUNTS = sizeof gpu_counts / sizeof gpu_counts[0],
    MAX_STRATEGIES = 32
};

/* The real matrix, then two generated ones: one with a few near neighbours, and
 * one in which every GPU needs values from every other. */
#define REAL_MATRIX "workloads/data/cvxbqp1.mtx.gz"
static const char *const generated[] = {
    "random:rows=100000,row_nnz=10,seed=1",
    "stencil:27pt:64x64x64",
};

/* One workload on one number of GPUs, with a time for each strategy; NAN if the
 * machine cannot run it. */
struct spot {
    unsigned gpus, nodes, recv_nodes;
    uint64_t off_node_B; /* under standard communication */
    double model_s[MAX_STRATEGIES], simulated_s[MAX_STRATEGIES];
    size_t point[MAX_STRATEGIES]; /* NO_POINT if none */
};
#define NO_POINT SIZE_MAX

struct panel {
    const char *workload;
    struct spot spots[NCOUNTS];
    size_t nspots;
};

/* Returns whether a strategy is shown: a best case is not, because it needs a
 * scenario and a matrix has none; nor is a strategy without a closed form,
 * because it is not the paper's. */
static bool is_shown(const struct strategy *s)
{
    return !s->best_case && s->predict;
}

/* Returns the most nodes that one node receives from. */
static unsigned recv_nodes(const struct halo *h)
{
    size_t nodes = halo_nodes(h);
    bool *from = xcalloc(nodes * nodes, sizeof *from);
    unsigned most = 0;

    for (uint32_t i = 0; i < h->nclasses; i++) {
        size_t src = h->classes[i].src / h->gpus_per_node;
        from[h->classes[i].dst_node * nodes + src] = true;
    }
    for (size_t dst = 0; dst < nodes; dst++) {
        unsigned n = 0;
        for (size_t src = 0; src < nodes; src++)
            n += src != dst && from[dst * nodes + src];
        most = n > most ? n : most;
    }
    free(from);
    return most;
}

static void add_strategies(struct spot *spot, struct points *p,
                           const struct machine *m, const struct halo *halo)
{
    struct strategy_options options = {0};
    struct model_input in;

    model_input_from_halo(&in, m, halo, &options);
    for (size_t i = 0; i < nstrategies; i++) {
        const struct strategy *s = strategies[i];
        struct err ignored;
        struct model_time t;
        struct plan plan;

        spot->point[i] = NO_POINT;
        spot->model_s[i] = spot->simulated_s[i] = NAN;
        if (!is_shown(s) ||
            strategy_plan(s, &plan, m, halo, &options, &ignored) < 0)
            continue;
        if (plan_check(&plan, m, &ignored) < 0) {
            plan_clear(&plan);
            continue;
        }
        spot->point[i] = points_add(p, plan, NULL);
        if (model_predict(&t, m, &in, s, MODEL_CORRECTED, &ignored) == 0)
            spot->model_s[i] = t.total_s;
    }
}

static int add_spot(struct panel *panel, struct points *p,
                    const struct machine *m, const struct matrix *matrix,
                    unsigned gpus, struct err *err)
{
    struct spot *spot = &panel->spots[panel->nspots];
    struct halo_stats stats;
    struct halo halo;

    if (matrix_halo_by(&halo, matrix, "contiguous", gpus, m->ngpus, err) < 0)
        return -1;
    halo_stats(&halo, &stats);
    spot->gpus = gpus;
    spot->nodes = halo_nodes(&halo);
    spot->recv_nodes = recv_nodes(&halo);
    spot->off_node_B = stats.off_node_values * halo.value_bytes;
    add_strategies(spot, p, m, &halo);
    halo_clear(&halo);
    panel->nspots++;
    return 0;
}

static int add_panel(struct panel *panel, struct points *p,
                     const struct machine *m, const char *workload,
                     struct err *err)
{
    struct matrix matrix;
    int result = 0;

    panel->workload = workload;
    panel->nspots = 0;
    if (matrix_from_workload(&matrix, workload, err) < 0)
        return -1;
    for (size_t i = 0; result == 0 && i < NCOUNTS; i++)
        if (gpu_counts[i] > m->ngpus && gpu_counts[i] <= matrix.rows &&
            gpu_counts[i] <= (uint64_t)m->network.nodes * m->ngpus)
            result = add_spot(panel, p, m, &matrix, gpu_counts[i], err);
    if (result == 0 && !panel->nspots)
        result = fail(err, "%s has no place for %u GPUs on two nodes or more",
                      m->name, gpu_counts[0]);
    matrix_clear(&matrix);
    return result;
}

/* Returns the strategy with the least time of a spot. */
static size_t halo_figure_least(const double *times_s)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < nstrategies; i++)
        if (!isnan(times_s[i]) &&
            (best == SIZE_MAX || faster(times_s[i], times_s[best])))
            best = i;
    return best;
}

static void halo_figure_print_row(FILE *csv, size_t number,
                                  const struct panel *panel,
                                  const struct spot *spot, size_t i)
{
    fprintf(csv, "%zu,", number);
    csv_print_text(csv, panel->workload);
    fprintf(csv, ",%s,%u,%u,%u,%" PRIu64 ",%.9g,", strategies[i]->name,
            spot->gpus, spot->nodes, spot->recv_nodes, spot->off_node_B,
            spot->simulated_s[i]);
    if (!isnan(spot->model_s[i]))
        fprintf(csv, "%.9g", spot->model_s[i]);
    fprintf(csv, ",%d,%d\n", i == halo_figure_least(spot->simulated_s),
            i == halo_figure_least(spot->model_s));
}

/* Prints ticks such as "8\n1\n66 kB" 8, ...: GPUs, nodes received from,
 * volume. */
static void print_ticks(FILE *vars, const struct panel *panel)
{
    for (size_t s = 0; s < panel->nspots; s++) {
        const struct spot *spot = &panel->spots[s];
        double kB = (double)spot->off_node_B / 1e3;
        fprintf(vars, "%s\"%u\\n%u\\n%.*f %s\" %u", s ? ", " : "", spot->gpus,
                spot->recv_nodes, kB < 999.5 ? 0 : 1,
                kB < 999.5 ? kB : kB / 1e3, kB < 999.5 ? "kB" : "MB",
                spot->gpus);
    }
}

static void print_vars(FILE *vars, struct figure_texts *texts,
                       const struct panel *panels, size_t n)
{
    fprintf(vars, "npanels = %zu\narray title[%zu]\narray ticks[%zu]\n", n, n,
            n);
    for (size_t k = 0; k < n; k++) {
        fprintf(vars, "title[%zu] = texts[%u]\nticks[%zu] = '", k + 1,
                figure_workload(texts, panels[k].workload), k + 1);
        print_ticks(vars, &panels[k]);
        fprintf(vars, "'\n");
    }
    fprintf(vars, "strategies = '");
    for (size_t i = 0; i < nstrategies; i++)
        if (is_shown(strategies[i]))
            fprintf(vars, "%s ", strategies[i]->name);
    fprintf(vars, "'\n");
}

static void print_panels(FILE *csv, const struct panel *panels, size_t n)
{
    fprintf(csv, "panel,workload,strategy,gpus,nodes,recv_nodes,off_node_bytes,"
                 "simulated_s,model_s,simulated_minimum,model_minimum\n");
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < nstrategies; i++)
            for (size_t s = 0; s < panels[k].nspots; s++)
                if (panels[k].spots[s].point[i] != NO_POINT)
                    halo_figure_print_row(csv, k + 1, &panels[k],
                                          &panels[k].spots[s], i);
}

static void take_times(struct panel *panel, const struct points *p)
{
    for (size_t s = 0; s < panel->nspots; s++)
        for (size_t i = 0; i < nstrategies; i++)
            if (panel->spots[s].point[i] != NO_POINT)
                panel->spots[s].simulated_s[i] =
                    p->times_s[panel->spots[s].point[i]];
}

static int halo_figure_make(FILE *csv, FILE *vars,
                            const struct figure_input *in,
                            const char *const *workloads, size_t n,
                            struct err *err)
{
    const struct machine *m = in->m;
    struct panel *panels = xcalloc(n, sizeof *panels);
    int result = 0;

    /* The panels are done one after the other, because plans are large. */
    for (size_t k = 0; result == 0 && k < n; k++) {
        struct points p = {0};
        result = add_panel(&panels[k], &p, m, workloads[k], err);
        if (result == 0)
            result = points_time(&p, m, NULL, err);
        if (result == 0)
            take_times(&panels[k], &p);
        points_clear(&p);
    }
    if (result == 0) {
        print_panels(csv, panels, n);
        print_vars(vars, in->texts, panels, n);
    }
    free(panels);
    return result;
}

static int make_or_default(FILE *csv, FILE *vars, const struct figure_input *in,
                           size_t ngenerated, struct err *err)
{
    const char *workloads[1 + sizeof generated / sizeof generated[0]];

    assert(nstrategies <= MAX_STRATEGIES);
    if (!in->m->ngpus)
        return fail(err, "%s has no GPUs", in->m->name);
    if (in->nworkloads)
        return halo_figure_make(csv, vars, in, in->workloads, in->nworkloads,
                                err);
    char *path = datafile_find(REAL_MATRIX, err);
    if (!path)
        return -1;
    char *real = xasprintf("spmv:%s", path);
    workloads[0] = real;
    for (size_t i = 0; i < ngenerated; i++)
        workloads[1 + i] = generated[i];
    int result =
        halo_figure_make(csv, vars, in, workloads, 1 + ngenerated, err);
    free(real);
    free(path);
    return result;
}

int figure_halo_model(FILE *csv, FILE *vars, const struct figure_input *in,
                      struct err *err)
{
    return make_or_default(csv, vars, in, 1, err);
}

int figure_halo(FILE *csv, FILE *vars, const struct figure_input *in,
                struct err *err)
{
    return make_or_default(csv, vars, in, 2, err);
}
