/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates the exchanges of native results, and builds each halo once. */
#include "validate/measure/native_results.h"

#include "platforms/platform.h"
#include "validate/measure/figure_points.h"
#include "workloads/workload.h"

#include <stdlib.h>
#include <string.h>

/* A case on its machine. Tasks are sorted, so that each matrix is read and each
 * halo built once. */
struct task {
    struct native_case *c;
    const struct machine *m;
    const struct exec_options *exec;
};

struct machines {
    struct machine *list;
    const char **names; /* as the rows name them */
    size_t n;
};

static const struct native_time *first_row(const struct native_case *c)
{
    return &c->times[0];
}

/* Loads the machines that the rows name, each once. */
static int load_machines(struct machines *ms, const struct native_results *r,
                         const char *const *sets, size_t nsets, struct err *err)
{
    ms->list = xcalloc(r->n, sizeof *ms->list);
    ms->names = xcalloc(r->n, sizeof *ms->names);
    for (size_t i = 0; i < r->n; i++) {
        const struct native_case *c = &r->cases[i];
        size_t k = 0;
        while (k < ms->n && strcmp(ms->names[k], c->machine) != 0)
            k++;
        if (k < ms->n)
            continue;
        if (platform_load(&ms->list[k], c->machine, sets, nsets, err) < 0)
            return fail_in(err, "%s:%u: machine", first_row(c)->file,
                           first_row(c)->line);
        ms->names[k] = c->machine;
        ms->n++;
    }
    return 0;
}

static const struct machine *machine_of(const struct machines *ms,
                                        const struct native_case *c)
{
    size_t k = 0;

    while (strcmp(ms->names[k], c->machine) != 0)
        k++;
    return &ms->list[k];
}

static void machines_clear(struct machines *ms)
{
    for (size_t k = 0; k < ms->n; k++)
        machine_clear(&ms->list[k]);
    free(ms->list);
    free(ms->names);
}

/* --- order ---------------------------------------------------------------- */

static bool same_matrix(const struct task *a, const struct task *b)
{
    return !strcmp(a->c->workload, b->c->workload);
}

static bool same_halo(const struct task *a, const struct task *b)
{
    return same_matrix(a, b) && !strcmp(a->c->partition, b->c->partition) &&
           a->c->gpus == b->c->gpus && a->m->ngpus == b->m->ngpus;
}

static int by_halo(const void *left, const void *right)
{
    const struct task *a = left, *b = right;
    int workload = strcmp(a->c->workload, b->c->workload);
    int partition = strcmp(a->c->partition, b->c->partition);

    if (workload)
        return workload;
    if (partition)
        return partition;
    if (a->c->gpus != b->c->gpus)
        return a->c->gpus < b->c->gpus ? -1 : 1;
    if (a->m->ngpus != b->m->ngpus)
        return a->m->ngpus < b->m->ngpus ? -1 : 1;
    return a->c < b->c ? -1 : a->c > b->c;
}

/* --- one case ------------------------------------------------------------- */

static int check_shape(const struct task *t, struct err *err)
{
    unsigned nodes = (t->c->gpus - 1) / t->m->ngpus + 1;

    if (nodes != t->c->nodes)
        return fail(err,
                    "nodes: expected %u, since %s has %u GPUs on a node, "
                    "got %u",
                    nodes, t->m->name, t->m->ngpus, t->c->nodes);
    return 0;
}

static int add_plans(struct points *p, const struct task *t,
                     const struct halo *halo, struct err *err)
{
    struct strategy_options options = {.ranks_per_node = t->c->ranks_per_node,
                                       .turned = !*t->c->partition};

    for (size_t i = 0; i < t->c->n; i++) {
        const struct native_time *time = &t->c->times[i];
        struct plan plan;
        if (strategy_plan(time->strategy, &plan, t->m, halo, &options, err) < 0)
            return fail_in(err, "%s:%u", time->file, time->line);
        points_add(p, plan, NULL);
    }
    return 0;
}

static int native_sim_one(const struct task *t, struct halo *halo,
                          struct err *err)
{
    struct points p = {0};
    int result = halo_set_value_bytes(halo, t->c->value_bytes, err);

    if (result == 0)
        result = add_plans(&p, t, halo, err);
    if (result == 0)
        result = points_time(&p, t->m, t->exec, err);
    for (size_t i = 0; result == 0 && i < t->c->n; i++)
        t->c->times[i].simulated_s = p.times_s[i];
    points_clear(&p);
    return result;
}

/* --- all ------------------------------------------------------------------ */

/* Data that are kept from one task to the next. */
struct kept {
    struct matrix matrix;
    struct halo halo;
};

/* Makes the traffic between GPUs from the words of a workload. */
static int make_traffic(struct halo *h, const struct task *t, struct err *err)
{
    const char *words = t->c->workload;
    const struct workload *w = workload_find(words, err);

    if (!w)
        return -1;
    if (!w->traffic)
        return fail(err, "%s: expected a partition", words);
    return w->traffic(h, t->c->gpus, t->m->ngpus, words + strlen(w->prefix),
                      err);
}

static int make_halo(struct kept *k, const struct task *t,
                     const struct task *before, struct err *err)
{
    const struct native_time *row = first_row(t->c);

    if (check_shape(t, err) < 0)
        return fail_in(err, "%s:%u", row->file, row->line);
    if (!*t->c->partition) {
        halo_clear(&k->halo);
        if (make_traffic(&k->halo, t, err) < 0) {
            k->halo = (struct halo){0};
            return fail_in(err, "%s:%u: workload", row->file, row->line);
        }
        return 0;
    }
    if (!before || !same_matrix(before, t)) {
        matrix_clear(&k->matrix);
        if (matrix_from_workload(&k->matrix, t->c->workload, err) < 0) {
            k->matrix = (struct matrix){0};
            return fail_in(err, "%s:%u: workload", row->file, row->line);
        }
    }
    if (before && same_halo(before, t))
        return 0;
    halo_clear(&k->halo);
    if (matrix_halo_by(&k->halo, &k->matrix, t->c->partition, t->c->gpus,
                       t->m->ngpus, err) < 0) {
        k->halo = (struct halo){0};
        return fail_in(err, "%s:%u: gpus", row->file, row->line);
    }
    return 0;
}

static int native_sim_all(const struct task *tasks, size_t n,
                          void (*progress)(size_t, size_t), struct err *err)
{
    struct kept kept = {0};
    int result = 0;

    for (size_t i = 0; result == 0 && i < n; i++) {
        result = make_halo(&kept, &tasks[i], i ? &tasks[i - 1] : NULL, err);
        if (result == 0)
            result = native_sim_one(&tasks[i], &kept.halo, err);
        if (result == 0 && progress)
            progress(i + 1, n);
    }
    matrix_clear(&kept.matrix);
    halo_clear(&kept.halo);
    return result;
}

int native_simulate(struct native_results *r, const struct machine *m,
                    const char *const *sets, size_t nsets,
                    const struct exec_options *o,
                    void (*progress)(size_t, size_t), struct err *err)
{
    struct machines own = {0};
    struct task *tasks = xcalloc(r->n, sizeof *tasks);
    int result = m ? 0 : load_machines(&own, r, sets, nsets, err);

    for (size_t i = 0; result == 0 && i < r->n; i++) {
        struct native_case *c = &r->cases[i];
        tasks[i] = (struct task){c, m ? m : machine_of(&own, c), o};
        if (!tasks[i].m->ngpus)
            result = fail(err, "%s:%u: %s has no GPUs", first_row(c)->file,
                          first_row(c)->line, tasks[i].m->name);
    }
    if (result == 0) {
        qsort(tasks, r->n, sizeof *tasks, by_halo);
        result = native_sim_all(tasks, r->n, progress, err);
    }
    free(tasks);
    machines_clear(&own);
    return result;
}
