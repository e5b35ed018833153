/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates the rounds of a graph algorithm under one runtime: each kind of
 * round once, or once for each state of memory, and adds up all times. */
#include "study/run/graph_rounds.h"

#include "apps/rounds/round_plan.h"
#include "base/jobs.h"
#include "base/seconds.h"
#include "sim/plan/exec.h"
#include "sim/plan/plan_check.h"
#include "sim/plan/sequence.h"
#include "study/run/rounds_outcome.h"
#include "apps/rounds/spare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A kind of round, and its result. Rounds of one kind with different memory
 * left are simulated separately. */
struct rounds_task {
    bool scaled;
    size_t kind;
    double *new_share; /* one per host; NULL if all received bytes are new */
    double time_s, compute_s, windows_s;
    struct host_counts *counts; /* one per host, or NULL */
    struct kept_round *kept;    /* NULL unless the outcome has its details */
};

/* A sum over rounds, as run or scaled. */
struct rounds_sum {
    bool scaled;
    struct rounds_time *time;
    double bytes_x;
    size_t *task; /* index of each round's task */
};

struct rounds_tasks {
    const struct graph_rounds *g;
    const struct machine *machine;
    enum runtime runtime;
    struct round_costs costs; /* counts as in the run */
    const struct exec_options *exec;
    bool details;
    struct rounds_task *list;
    size_t n;
    struct rounds_sum sums[2];
    size_t nsums;
};

static struct round_costs task_costs(const struct rounds_tasks *all,
                                     bool scaled)
{
    struct round_costs c = all->costs;

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

/* Returns whether the outcome has the details of these times. */
static bool is_kept(const struct rounds_tasks *all, bool scaled)
{
    return all->details && scaled == (all->g->vertices_x > 0);
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
    struct round_costs costs = task_costs(all, p->scaled);
    struct exec_options exec = *all->exec;
    bool kept = is_kept(all, p->scaled);
    struct exec_result x;
    struct plan plan;

    exec.most_links = 0; /* because those of all rounds are added up */
    round_plan(&plan, all->machine, r, rounds->hosts, &costs, all->runtime);
    plan.window_B = window_bytes(all->g, costs.vertices);
    plan.new_share = copy_of(p->new_share, rounds->hosts);
    int result = plan_check(&plan, all->machine, err);
    if (result == 0)
        result = exec_plan(&x, all->machine, &plan, &exec,
                           kept ? EXEC_DETAILS : EXEC_MAKESPAN, err);
    if (result < 0) {
        plan_clear(&plan);
        return p->scaled ? fail_in(err, "scaled") : -1;
    }
    p->time_s = x.time_s;
    p->compute_s = round_compute_s(r, rounds->hosts, &costs);
    p->windows_s = x.windows_s;
    p->counts = hosts_copy(&x);
    if (kept) {
        p->kept = xcalloc(1, sizeof *p->kept);
        kept_round_take(p->kept, all->g, all->machine, &plan, &x);
    }
    plan_clear(&plan);
    exec_result_clear(&x);
    return 0;
}

static int run_task(void *arg, unsigned worker, size_t i, struct err *err)
{
    struct rounds_tasks *all = arg;

    (void)worker;
    return run_kind(all, &all->list[i], err);
}

/* --- rounds and their tasks ----------------------------------------------- */

static bool same_shares(const double *a, const double *b, uint32_t n)
{
    return a && b ? !memcmp(a, b, n * sizeof *a) : a == b;
}

/* Returns the task of a round, at or after `first`. It takes ownership of the
 * shares. */
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

/* Adds the tasks of one sum. Memory matters only if a large message needs new
 * memory. */
static void add_tasks(struct rounds_tasks *all, struct rounds_time *time,
                      bool scaled)
{
    const struct rounds *r = &all->g->result.rounds;
    const struct machine *m = all->machine;
    struct round_costs costs = task_costs(all, scaled);
    bool counts = m->graph.spare_B_per_arc > 0 &&
                  m->costs[all->runtime].large_recv_s_per_B > 0;
    size_t first = all->n;
    struct rounds_sum *sum = &all->sums[all->nsums++];
    struct spare spare;

    *sum = (struct rounds_sum){scaled, time, costs.vertices,
                               xcalloc(r->n + 1, sizeof(size_t))};
    spare_init(&spare, &all->g->hosts, m->graph.spare_B_per_arc * costs.arcs);
    for (size_t i = 0; i < r->n; i++) {
        struct rounds_task task = {.scaled = scaled, .kind = r->kind[i]};
        if (counts)
            task.new_share =
                spare_take(&spare, rounds_at(r, i), costs.vertices);
        sum->task[i] = task_of(all, first, &task);
    }
    spare_clear(&spare);
}

/* --- sums ----------------------------------------------------------------- */

static void add_up(const struct rounds_tasks *all, const struct rounds_sum *sum)
{
    const struct rounds *r = &all->g->result.rounds;
    struct rounds_time *t = sum->time;

    t->rounds = xcalloc(r->n + 1, sizeof *t->rounds);
    for (size_t i = 0; i < r->n; i++) {
        const struct rounds_task *task = &all->list[sum->task[i]];
        const struct round *one = rounds_at(r, i);
        t->rounds[i] = (struct outcome_round){
            .active = one->active,
            .messages = round_messages(one),
            .bytes = (double)round_bytes(one) * sum->bytes_x,
            .time_s = task->time_s,
            .compute_s = task->compute_s};
        t->time_s += task->time_s;
        t->compute_s += task->compute_s;
        t->bytes += t->rounds[i].bytes;
        t->windows_s = fmax(t->windows_s, task->windows_s);
        sequence_add_hosts(&t->use, task->counts, r->hosts);
    }
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
}

/* Joins the rounds to one plan, which gives the outcome its details. */
static int join_rounds(struct outcome *o, const struct rounds_tasks *all,
                       const struct run_options *options, struct err *err)
{
    const struct rounds_sum *sum = &all->sums[all->nsums - 1];
    size_t n = all->g->result.rounds.n;
    const struct kept_round **kept = xcalloc(n, sizeof *kept);

    for (size_t i = 0; i < n; i++)
        kept[i] = all->list[sum->task[i]].kept;
    int result = rounds_outcome_join(o, all->g, all->machine, kept,
                                     all->exec->most_links, options, err);
    free(kept);
    return result;
}

static int run_tasks(struct outcome *o, struct rounds_tasks *all,
                     const struct run_options *options, struct err *err)
{
    int result = jobs_run(all->n, all->exec->jobs, run_task, all, err);

    if (result < 0)
        return 1;
    for (size_t i = 0; i < all->nsums; i++)
        add_up(all, &all->sums[i]);
    const struct rounds_sum *asked = &all->sums[all->nsums - 1];
    o->rounds = asked->time->rounds;
    o->nrounds = all->g->result.rounds.n;
    if (all->details)
        result = join_rounds(o, all, options, err);
    o->time_s = asked->time->time_s;
    return result;
}

/* Returns the machine, or *own with what the request asks of a host. */
static const struct machine *machine_asked(struct machine *own,
                                           const struct machine *m,
                                           const struct graph_rounds *g)
{
    if (!g->threads && !g->exhaustion_asked)
        return m;
    *own = *m;
    for (int i = 0; i < NRUNTIMES; i++) {
        struct runtime_costs *c = &own->costs[i];
        c->threads = g->threads ? g->threads : c->threads;
        if (g->exhaustion_asked)
            c->exhaustion_fails = g->exhaustion_fails;
    }
    return own;
}

int run_rounds(struct outcome *o, const struct job *j, const struct choice *c,
               const struct run_options *options, struct err *err)
{
    const struct graph_rounds *g = j->rounds;
    struct machine own;
    bool scaled = g->vertices_x > 0;
    struct rounds_tasks all = {.g = g,
                               .machine = machine_asked(&own, j->machine, g),
                               .runtime = c->runtime,
                               .exec = j->exec ? j->exec : &exec_defaults,
                               .details = !options->times_only};
    const char *all_ops = options->timeline    ? "timeline"
                          : options->needs_ops ? "operations"
                                               : NULL;
    double start_s = seconds();

    if (all_ops && !rounds_fit(g))
        return fail(err, "--%s: the rounds of %s have too many operations",
                    all_ops, j->words);
    if (round_costs_of(&all.costs, all.machine, g->threads, err) < 0)
        return 1;
    o->on_hosts = xcalloc(1, sizeof *o->on_hosts);
    if (!scaled || !options->asked_only)
        add_tasks(&all, &o->on_hosts->as_run, false);
    if (scaled)
        add_tasks(&all, &o->on_hosts->scaled, true);
    int result = run_tasks(o, &all, options, err);
    tasks_clear(&all);
    o->run_wall_s = seconds() - start_s;
    return result;
}
