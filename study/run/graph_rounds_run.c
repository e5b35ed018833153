/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates the rounds of a graph algorithm: each kind of round once on each
 * platform under each runtime, or once for each state of memory, and adds up
 * all times. */
#include "study/run/graph_rounds.h"

#include "base/jobs.h"
#include "base/seconds.h"
#include "sim/plan/exec.h"
#include "sim/plan/plan_check.h"
#include "study/run/rounds_outcome.h"
#include "apps/rounds/spare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A kind of round in one cell, and its result. Rounds of one kind with
 * different memory left are simulated separately. */
struct rounds_task {
    struct rounds_cell *cell;
    bool scaled;
    size_t kind;
    double *new_share; /* one per host; NULL if all received bytes are new */
    double time_s, compute_s, windows_s;
    struct host_counts *counts; /* one per host, or NULL */
    struct kept_round *kept;    /* NULL unless the cell's outcome is kept */
    struct err *why;
};

/* A sum over rounds, as run or scaled. */
struct rounds_sum {
    const struct rounds_cell *cell;
    bool scaled;
    struct rounds_time *time;
    double bytes_x;
    size_t *task; /* index of each round's task */
};

struct rounds_tasks {
    const struct graph_rounds *g;
    const struct exec_options *exec;
    struct rounds_task *list;
    size_t n;
    struct rounds_sum *sums; /* two per cell */
    size_t nsums;
};

static struct round_costs task_costs(const struct rounds_tasks *all,
                                     const struct rounds_cell *cell,
                                     bool scaled)
{
    struct round_costs c = cell->costs;

    if (scaled) {
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

static double *copy_of(const double *of, uint32_t n)
{
    double *copy = of ? xmalloc(n * sizeof *copy) : NULL;

    return copy ? memcpy(copy, of, n * sizeof *copy) : NULL;
}

/* Returns whether the outcome of these times is kept. */
static bool is_kept(const struct graph_rounds *g, bool scaled)
{
    return g->keep.outcome && scaled == (g->vertices_x > 0);
}

static struct host_counts *hosts_copy(const struct exec_result *x)
{
    size_t size = x->nhosts * sizeof *x->hosts;

    return x->hosts ? memcpy(xmalloc(size), x->hosts, size) : NULL;
}

static int run_kind(const struct rounds_tasks *all, struct rounds_task *p,
                    struct err *err)
{
    const struct rounds *rounds = &all->g->result.rounds;
    const struct round *r = &rounds->kinds[p->kind];
    struct round_costs costs = task_costs(all, p->cell, p->scaled);
    struct exec_options exec = *all->exec;
    bool kept = is_kept(all->g, p->scaled);
    struct exec_result x;
    struct plan plan;

    exec.most_links = 0; /* because those of all rounds are added up */
    round_plan(&plan, p->cell->machine, r, rounds->hosts, &costs,
               p->cell->runtime);
    plan.window_B = window_bytes(all->g, costs.vertices);
    plan.new_share = copy_of(p->new_share, rounds->hosts);
    int result = plan_check(&plan, p->cell->machine, err);
    if (result == 0)
        result = exec_plan(&x, p->cell->machine, &plan, &exec,
                           kept ? EXEC_DETAILS : EXEC_MAKESPAN, err);
    if (result < 0) {
        plan_clear(&plan);
        return -1;
    }
    p->time_s = x.time_s;
    p->compute_s = round_compute_s(r, rounds->hosts, &costs);
    p->windows_s = x.windows_s;
    p->counts = hosts_copy(&x);
    if (kept) {
        p->kept = xcalloc(1, sizeof *p->kept);
        kept_round_take(p->kept, all->g, p->cell, &plan, &x);
    }
    plan_clear(&plan);
    exec_result_clear(&x);
    return 0;
}

/* Runs a task. An error is the cell's, so other cells are still run. */
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

/* --- rounds and their tasks ----------------------------------------------- */

static bool same_shares(const double *a, const double *b, uint32_t n)
{
    return a && b ? !memcmp(a, b, n * sizeof *a) : a == b;
}

/* Returns the task of a round, at or after `first`, its cell's first one. It
 * takes ownership of the shares. */
static size_t task_of(struct rounds_tasks *all, size_t first,
                      const struct rounds_task *wanted)
{
    for (size_t i = first; i < all->n; i++)
        if (all->list[i].kind == wanted->kind &&
            same_shares(all->list[i].new_share, wanted->new_share,
                        all->g->hosts.n)) {
            free(wanted->new_share);
            return i;
        }
    all->list = xrealloc(all->list, all->n + 1, sizeof *all->list);
    all->list[all->n] = *wanted;
    return all->n++;
}

/* Adds the tasks of a cell. Memory matters only if a large message needs new
 * memory. */
static void add_tasks(struct rounds_tasks *all, struct rounds_cell *cell,
                      bool scaled)
{
    const struct rounds *r = &all->g->result.rounds;
    const struct machine *m = cell->machine;
    struct round_costs costs = task_costs(all, cell, scaled);
    bool counts = m->graph.spare_B_per_arc > 0 &&
                  m->costs[cell->runtime].large_recv_s_per_B > 0;
    size_t first = all->n;
    struct rounds_sum *sum = &all->sums[all->nsums++];
    struct spare spare;

    *sum = (struct rounds_sum){
        cell, scaled, scaled ? &cell->scaled : &cell->as_run, costs.vertices,
        xcalloc(r->n + 1, sizeof(size_t))};
    spare_init(&spare, &all->g->hosts, m->graph.spare_B_per_arc * costs.arcs);
    for (size_t i = 0; i < r->n; i++) {
        struct rounds_task task = {
            .cell = cell, .scaled = scaled, .kind = r->kind[i]};
        if (counts)
            task.new_share =
                spare_take(&spare, rounds_at(r, i), costs.vertices);
        sum->task[i] = task_of(all, first, &task);
    }
    spare_clear(&spare);
}

/* --- sums ----------------------------------------------------------------- */

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

static void add_up(const struct rounds_tasks *all, const struct rounds_sum *sum)
{
    const struct rounds *r = &all->g->result.rounds;
    struct rounds_time *t = sum->time;

    t->round_s = xcalloc(r->n + 1, sizeof *t->round_s);
    t->round_compute_s = xcalloc(r->n + 1, sizeof *t->round_compute_s);
    for (size_t i = 0; i < r->n; i++) {
        const struct rounds_task *task = &all->list[sum->task[i]];
        t->time_s += t->round_s[i] = task->time_s;
        t->compute_s += t->round_compute_s[i] = task->compute_s;
        t->bytes += (double)round_bytes(rounds_at(r, i)) * sum->bytes_x;
        t->windows_s = fmax(t->windows_s, task->windows_s);
        add_use(t, task->counts, r->hosts);
    }
}

/* Gives the cell its first error. */
static void blame_cell(struct rounds_task *task)
{
    if (!task->cell->why)
        task->cell->why = task->why;
    else
        free(task->why);
}

static void tasks_clear(struct rounds_tasks *all)
{
    for (size_t i = 0; i < all->n; i++) {
        free(all->list[i].new_share);
        free(all->list[i].counts);
        if (all->list[i].kept)
            kept_round_clear(all->list[i].kept);
        free(all->list[i].kept);
    }
    for (size_t i = 0; i < all->nsums; i++)
        free(all->sums[i].task);
    free(all->list);
    free(all->sums);
}

static bool any_done(const struct graph_rounds *g)
{
    for (size_t i = 0; i < g->ncells; i++)
        if (!g->cells[i].why)
            return true;
    return false;
}

/* Makes the outcome of a cell, if it is kept. */
static int make_outcome(const struct rounds_tasks *all,
                        const struct rounds_sum *sum, struct err *err)
{
    size_t n = all->g->result.rounds.n;

    if (sum->cell->why || !is_kept(all->g, sum->scaled))
        return 0;
    const struct kept_round **kept = xcalloc(n, sizeof *kept);
    for (size_t i = 0; i < n; i++)
        kept[i] = all->list[sum->task[i]].kept;
    struct outcome *o = xcalloc(1, sizeof *o);
    int result = rounds_outcome_make(o, all->g, sum->cell, sum->time,
                                     sum->bytes_x, kept, all->exec, err);
    free(kept);
    if (result == 0)
        sum->time->outcome = o;
    else
        free(o);
    return result;
}

static int run_tasks(struct rounds_tasks *all, struct err *err)
{
    int result = jobs_run(all->n, all->exec->jobs, run_task, all, err);

    for (size_t i = 0; i < all->n; i++)
        blame_cell(&all->list[i]);
    for (size_t i = 0; i < all->nsums; i++)
        add_up(all, &all->sums[i]);
    for (size_t i = 0; i < all->nsums && result == 0; i++)
        result = make_outcome(all, &all->sums[i], err);
    tasks_clear(all);
    return result;
}

static int check_timeline(const struct graph_rounds *g, struct err *err)
{
    if (g->keep.timeline && g->ncells != 1)
        return fail(err,
                    "--timeline: expected one platform and one runtime, "
                    "got %zu",
                    g->ncells);
    if ((g->keep.timeline || g->keep.needs_ops) && !rounds_fit(g))
        return fail(err, "--%s: the rounds of %s have too many operations",
                    g->keep.timeline ? "timeline" : "operations", g->words);
    return 0;
}

int graph_rounds_run(struct graph_rounds *g, const struct exec_options *exec,
                     struct err *err)
{
    struct rounds_tasks all = {.g = g, .exec = exec};
    double start_s = seconds();

    if (check_timeline(g, err) < 0)
        return -1;
    g->exec = exec;
    all.sums = xcalloc(2 * g->ncells + 1, sizeof *all.sums);
    for (size_t i = 0; i < g->ncells; i++) {
        if (g->cells[i].why)
            continue;
        add_tasks(&all, &g->cells[i], false);
        if (g->vertices_x > 0)
            add_tasks(&all, &g->cells[i], true);
    }
    int result = run_tasks(&all, err);
    g->simulate_wall_s = seconds() - start_s;
    if (result == 0 && !any_done(g)) {
        *err = *g->cells[0].why;
        result = -1;
    }
    return result;
}

int graph_rounds_time(struct rounds_time *t, const struct graph_rounds *g,
                      size_t cell, const struct machine *m,
                      const struct exec_options *exec, struct err *err)
{
    struct machine settled = *m;
    struct rounds_cell one = {.machine = &settled,
                              .runtime = g->cells[cell].runtime};
    bool scaled = g->vertices_x > 0;
    struct rounds_tasks all = {.g = g, .exec = exec};

    graph_rounds_settle(&settled, g);
    if (round_costs_of(&one.costs, &settled, g->threads, err) < 0)
        return 1;
    all.sums = xcalloc(1, sizeof *all.sums);
    add_tasks(&all, &one, scaled);
    int result = run_tasks(&all, err);
    *t = scaled ? one.scaled : one.as_run;
    if (result == 0 && one.why) {
        *err = *one.why;
        result = 1;
    }
    free(one.why);
    if (result)
        rounds_time_clear(t);
    return result;
}
