/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates the rounds of a graph algorithm: each kind of round once on each
 * platform under each runtime, and adds up what all take. */
#include "strategies/rounds/graph_rounds.h"

#include "base/jobs.h"
#include "base/seconds.h"
#include "sim/plan/exec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One kind of round in one cell. */
struct rounds_task {
    struct rounds_cell *cell;
    bool scaled;
    size_t kind;
    struct err *why;
};

struct rounds_tasks {
    struct graph_rounds *g;
    const struct exec_options *exec;
    struct rounds_task *list;
    size_t n;
};

static struct round_costs task_costs(const struct rounds_tasks *all,
                                     const struct rounds_task *p)
{
    struct round_costs c = p->cell->costs;

    if (p->scaled) {
        c.vertices = all->g->vertices_x;
        c.arcs = all->g->arcs_x;
    }
    return c;
}

static double *window_bytes(const struct graph_rounds *g, double times)
{
    double *bytes = xcalloc(g->hosts.n, sizeof *bytes);

    for (uint32_t h = 0; h < g->hosts.n; h++)
        bytes[h] = (double)g->result.window_B[h] * times;
    return bytes;
}

static int run_kind(const struct rounds_tasks *all, const struct rounds_task *p,
                    struct err *err)
{
    const struct rounds *rounds = &all->g->result.rounds;
    const struct round *r = &rounds->kinds[p->kind];
    struct round_costs costs = task_costs(all, p);
    struct rounds_time *t = p->scaled ? &p->cell->scaled : &p->cell->as_run;
    struct exec_result x;
    struct plan plan;

    round_plan(&plan, p->cell->machine, r, rounds->hosts, &costs,
               p->cell->runtime);
    plan.window_B = window_bytes(all->g, costs.vertices);
    int result = plan_check(&plan, p->cell->machine, err);
    if (result == 0)
        result = exec_plan(&x, p->cell->machine, &plan, all->exec,
                           EXEC_MAKESPAN, err);
    plan_clear(&plan);
    if (result < 0)
        return -1;
    t->kind_s[p->kind] = x.time_s;
    t->kind_compute_s[p->kind] = round_compute_s(r, rounds->hosts, &costs);
    t->windows_s = fmax(t->windows_s, x.windows_s);
    if (x.hosts) {
        size_t bytes = x.nhosts * sizeof *x.hosts;
        t->kind_counts[p->kind] = xmalloc(bytes);
        memcpy(t->kind_counts[p->kind], x.hosts, bytes);
    }
    exec_result_clear(&x);
    return 0;
}

/* What cannot be done is the cell's error, and no other's. */
static int run_task(void *arg, unsigned worker, size_t i, struct err *err)
{
    struct rounds_tasks *all = arg;
    struct err why;

    (void)worker;
    (void)err;
    if (run_kind(all, &all->list[i], &why) < 0) {
        if (all->list[i].scaled)
            (void)fail_in(&why, "scaled");
        all->list[i].why = xmalloc(sizeof why);
        *all->list[i].why = why;
    }
    return 0;
}

static void add_tasks(struct rounds_tasks *all, struct rounds_cell *cell,
                      struct rounds_time *t, bool scaled)
{
    size_t kinds = all->g->result.rounds.nkinds;

    t->kind_s = xcalloc(kinds + 1, sizeof *t->kind_s);
    t->kind_compute_s = xcalloc(kinds + 1, sizeof *t->kind_compute_s);
    t->kind_counts = xcalloc(kinds + 1, sizeof(void *));
    all->list = xrealloc(all->list, all->n + kinds + 1, sizeof *all->list);
    for (size_t k = 0; k < kinds; k++)
        all->list[all->n++] = (struct rounds_task){cell, scaled, k, NULL};
}

static void add_use(struct rounds_time *t, const struct host_counts *counts,
                    uint32_t hosts)
{
    if (!counts)
        return;
    if (!t->use)
        t->use = xcalloc(hosts, sizeof *t->use);
    for (uint32_t h = 0; h < hosts; h++) {
        struct host_use *use = &t->use[h];
        use->most_B = fmax(use->most_B, counts[h].most_B);
        use->reserved_B = fmax(use->reserved_B, counts[h].reserved_B);
        use->retries += counts[h].retries;
        use->waited_s += counts[h].waited_s;
        use->comm_s += counts[h].comm_s;
    }
}

static void add_up(const struct graph_rounds *g, struct rounds_time *t,
                   double bytes_x)
{
    const struct rounds *r = &g->result.rounds;

    for (size_t i = 0; t->kind_s && i < r->n; i++) {
        t->time_s += t->kind_s[r->kind[i]];
        t->compute_s += t->kind_compute_s[r->kind[i]];
        t->bytes += (double)round_bytes(rounds_at(r, i)) * bytes_x;
        add_use(t, t->kind_counts[r->kind[i]], r->hosts);
    }
}

int graph_rounds_run(struct graph_rounds *g, const struct exec_options *exec,
                     struct err *err)
{
    struct rounds_tasks all = {.g = g, .exec = exec};
    double start_s = seconds();
    bool any = false;

    for (size_t i = 0; i < g->ncells; i++) {
        struct rounds_cell *cell = &g->cells[i];
        if (cell->why)
            continue;
        add_tasks(&all, cell, &cell->as_run, false);
        if (g->vertices_x > 0)
            add_tasks(&all, cell, &cell->scaled, true);
    }
    int result = jobs_run(all.n, exec->jobs, run_task, &all, err);
    for (size_t i = 0; i < all.n; i++) {
        struct rounds_cell *cell = all.list[i].cell;
        if (cell->why)
            free(all.list[i].why);
        else
            cell->why = all.list[i].why;
    }
    free(all.list);
    g->simulate_wall_s = seconds() - start_s;
    for (size_t i = 0; i < g->ncells; i++) {
        any |= !g->cells[i].why;
        add_up(g, &g->cells[i].as_run, 1);
        add_up(g, &g->cells[i].scaled, g->vertices_x);
    }
    if (result == 0 && !any) {
        *err = *g->cells[0].why;
        result = -1;
    }
    return result;
}
