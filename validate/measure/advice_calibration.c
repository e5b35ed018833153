/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the probabilities that advice states with the candidates that were
 * measured to be the fastest. */
#include "validate/measure/advice_calibration.h"

#include "validate/measure/decisions.h"
#include "validate/measure/benchmark.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void calibration_clear(struct calibration *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free(s->list[i].choices);
        free(s->list[i].measured_s);
        free(s->list[i].nominal_s);
        free(s->list[i].times_s);
        free(s->list[i].paths);
    }
    free(s->list);
    s->list = NULL;
    s->n = 0;
}

/* Copies the points that are candidates of a decision. The caller frees
 * points. */
static struct measured only_decisions(const struct measured *f)
{
    struct measured sub = *f;

    sub.points = xcalloc(f->npoints, sizeof *sub.points);
    sub.npoints = 0;
    for (size_t i = 0; i < f->npoints; i++)
        if (*f->points[i].choice && !f->points[i].x.placed)
            sub.points[sub.npoints++] = f->points[i];
    return sub;
}

/* Drops the points that cannot be simulated. */
static void keep_simulated(struct measured *sub)
{
    size_t n = 0;

    for (size_t i = 0; i < sub->npoints; i++)
        if (!*sub->points[i].why)
            sub->points[n++] = sub->points[i];
    sub->npoints = n;
}

static struct calibration_case *new_case(struct calibration *s,
                                         const struct machine *m,
                                         const char *path, size_t nways)
{
    struct calibration_case *c;
    const char *slash = strrchr(path, '/');

    s->list = xrealloc(s->list, s->n + 1, sizeof *s->list);
    c = &s->list[s->n++];
    *c = (struct calibration_case){.nways = nways};
    snprintf(c->platform, sizeof c->platform, "%s", m->name);
    snprintf(c->machine, sizeof c->machine, "%s", m->machine);
    snprintf(c->file, sizeof c->file, "%s", slash ? slash + 1 : path);
    c->choices = xcalloc(c->nways, sizeof *c->choices);
    c->measured_s = xcalloc(c->nways, sizeof *c->measured_s);
    c->nominal_s = xcalloc(c->nways, sizeof *c->nominal_s);
    c->times_s = xcalloc(c->nways * s->draws, sizeof *c->times_s);
    c->paths = xcalloc(c->nways, sizeof *c->paths);
    return c;
}

/* The bytes are multiplied because MPI Advance counts the bytes that a rank
 * sends to one other rank, while a request counts all that it sends. */
static void case_size(struct calibration_case *c, const struct experiment *x)
{
    c->nodes = x->nodes ? x->nodes : x->two_nodes ? 2 : 1;
    c->bytes = x->bytes;
    if (x->of == &alltoall_benchmark)
        c->bytes *= (uint64_t)x->nodes * x->ranks_per_node;
    if (x->of == &spmv_benchmark)
        c->bytes = 0;
}

/* The paths are filled in before. x is NULL for an exchange of real ranks. */
static void case_kind(struct calibration_case *c, const struct experiment *x)
{
    bool one = false, other = false;

    for (size_t i = 0; i < c->nways; i++) {
        one |= c->paths[i] == 0;
        other |= c->paths[i] == 1;
    }
    c->kind = DECIDED_HALO;
    if (!x)
        return;
    if (x->collective && !x->gpu && x->collective->kind == COLLECTIVE_ALLTOALL)
        c->kind = DECIDED_ALLTOALL;
    else if (x->collective)
        c->kind = DECIDED_COLLECTIVE;
    else if (one && other)
        c->kind = DECIDED_MEMORY;
}

static void add_case(struct calibration *s, const struct decision *d,
                     const struct machine *m)
{
    struct calibration_case *c = new_case(s, m, d->file->path, d->nways);

    c->clear = d->clear;
    snprintf(c->name, sizeof c->name, "%s", d->candidates[0]->decision);
    for (size_t i = 0; i < c->nways; i++) {
        memcpy(c->choices[i], d->candidates[i]->choice, sizeof c->choices[i]);
        c->paths[i] = d->candidates[i]->aware;
        c->measured_s[i] = d->candidates[i]->measured_s;
        c->nominal_s[i] = d->candidates[i]->simulated_s;
    }
    case_size(c, &d->candidates[0]->x);
    case_kind(c, &d->candidates[0]->x);
}

/* Copies the times of one draw from the points, which the next draw
 * overwrites. */
static void keep_draw(struct calibration *s, size_t first,
                      const struct decisions *d, size_t draw)
{
    for (size_t i = 0; i < d->n; i++) {
        struct calibration_case *c = &s->list[first + i];
        for (size_t k = 0; k < c->nways; k++)
            c->times_s[draw * c->nways + k] =
                d->list[i].candidates[k]->simulated_s;
    }
}

static int draw_all(struct calibration *s, size_t first, struct measured *sub,
                    const struct decisions *d, const struct parameters *p,
                    size_t max_ops, const struct exec_options *exec,
                    struct err *err)
{
    double *factors = draws_make(p, s->draws, s->seed);
    struct machine_maker maker;
    struct machine drawn;
    int result = 0;

    maker_init(&maker, p);
    for (size_t i = 0; i < s->draws && result == 0; i++) {
        if (maker_machine(&drawn, &maker, factors + i * p->n, err) < 0) {
            result = -1;
            break;
        }
        result = measured_simulate(sub, &drawn, max_ops, exec, NULL, err);
        keep_draw(s, first, d, i);
        machine_clear(&drawn);
    }
    maker_clear(&maker);
    free(factors);
    return result;
}

int calibration_add(struct calibration *s, const struct measured *f,
                    const struct machine *m, const struct parameters *p,
                    size_t max_ops, const struct exec_options *exec,
                    struct err *err)
{
    struct measured sub = only_decisions(f);
    struct decisions d = {0};
    size_t first = s->n;

    int result = measured_simulate_some(&sub, m, max_ops, exec, NULL, err);
    if (result == 0) {
        keep_simulated(&sub);
        d = decisions_of(&sub, 1);
    }
    for (size_t i = 0; i < d.n; i++)
        add_case(s, &d.list[i], m);
    if (result == 0 && d.n > 0)
        result = draw_all(s, first, &sub, &d, p, max_ops, exec, err);
    decisions_clear(&d);
    free(sub.points);
    return result;
}

/* --- native runs ---------------------------------------------------------- */

static void add_native_case(struct calibration *s, const struct native_case *of,
                            const struct machine *m)
{
    struct calibration_case *c = new_case(s, m, of->times[0].file, of->n);

    c->clear = native_is_clear(of);
    snprintf(c->name, sizeof c->name, "%.80s, %u GPUs, %u B, %s, %.24s",
             of->workload, of->gpus, of->value_bytes,
             native_memory_names[of->gpu_memory], of->config);
    for (size_t i = 0; i < of->n; i++) {
        snprintf(c->choices[i], sizeof c->choices[i], "%s",
                 of->times[i].strategy->name);
        c->paths[i] = of->times[i].strategy->device_aware;
        c->measured_s[i] = of->times[i].native_s;
        c->nominal_s[i] = of->times[i].simulated_s;
    }
    c->nodes = of->nodes;
    case_kind(c, NULL);
}

/* A case of one strategy is passed over, because it decides nothing. */
static void keep_native(struct calibration *s, size_t first,
                        const struct native_results *r, size_t draw)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct native_case *of = &r->cases[i];
        for (size_t k = 0; k < of->n && of->n > 1; k++)
            s->list[first].times_s[draw * of->n + k] = of->times[k].simulated_s;
        first += of->n > 1;
    }
}

int calibration_add_native(struct calibration *s, struct native_results *r,
                           const struct machine *m, const struct parameters *p,
                           const struct exec_options *exec, struct err *err)
{
    double *factors = draws_make(p, s->draws, s->seed);
    size_t first = s->n;
    struct machine_maker maker;
    struct machine drawn;

    maker_init(&maker, p);
    int result = native_simulate(r, m, NULL, 0, exec, NULL, err);
    for (size_t i = 0; i < r->n && result == 0; i++)
        if (r->cases[i].n > 1)
            add_native_case(s, &r->cases[i], m);
    for (size_t i = 0; i < s->draws && result == 0; i++) {
        result = maker_machine(&drawn, &maker, factors + i * p->n, err);
        if (result < 0)
            break;
        result = native_simulate(r, &drawn, NULL, 0, exec, NULL, err);
        keep_native(s, first, r, i);
        machine_clear(&drawn);
    }
    maker_clear(&maker);
    free(factors);
    return result;
}

/* --- searches of graphs --------------------------------------------------- */

/* Collects the candidates of the search whose first candidate is `of`. */
static size_t find_candidates(const struct traverse_case **candidates,
                              const struct traverse_cases *t, size_t of)
{
    size_t n = 0;

    for (size_t i = of; i < t->n; i++)
        if (traverse_cases_compete(&t->cases[of], &t->cases[i]))
            candidates[n++] = &t->cases[i];
    return n;
}

static void add_search(struct calibration *s,
                       const struct traverse_case **candidates, size_t n,
                       const struct machine *m)
{
    const struct traverse_case *first = candidates[0];
    struct calibration_case *c = new_case(s, m, first->graph, n);

    snprintf(c->name, sizeof c->name, "%s of %.60s, %u GPUs, %.40s",
             first->algorithm, first->graph, first->gpus, first->partition);
    for (size_t i = 0; i < n; i++) {
        snprintf(c->choices[i], sizeof c->choices[i], "%.30s %u %.20s",
                 candidates[i]->execution, candidates[i]->delta,
                 candidates[i]->transfer);
        c->measured_s[i] = candidates[i]->time_s;
        c->nominal_s[i] = candidates[i]->simulated_s;
        for (size_t d = 0; d < s->draws; d++)
            c->times_s[d * n + i] = c->nominal_s[i];
    }
    c->kind = DECIDED_GRAPH;
    c->nodes = 1;
}

void calibration_add_traverse(struct calibration *s,
                              const struct traverse_cases *t,
                              const struct machine *m)
{
    const struct traverse_case **candidates = xcalloc(t->n, sizeof *candidates);

    for (size_t i = 0; i < t->n; i++) {
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = traverse_cases_compete(&t->cases[k], &t->cases[i]);
        size_t n = seen ? 0 : find_candidates(candidates, t, i);
        if (n > 1)
            add_search(s, candidates, n, m);
    }
    free(candidates);
}

/* --- probabilities -------------------------------------------------------- */

struct calibration_answer calibration_answer(const struct calibration *s,
                                             const struct calibration_case *c,
                                             const struct model_error *e)
{
    const struct advise_options o = {.draws = s->draws,
                                     .seed = s->seed,
                                     .model_error = e->own,
                                     .path_error = e->path,
                                     .paths = c->paths,
                                     .most = e->bound.most};
    struct calibration_answer answer = {0};
    struct advice a;

    advice_of_times(&a, c->nominal_s, c->times_s, c->nways, &o);
    for (size_t i = 1; i < c->nways; i++)
        if (c->measured_s[i] < c->measured_s[answer.winner])
            answer.winner = i;
    answer.advised = a.order[0];
    answer.probability = a.best;
    answer.lead = a.lead;
    answer.regret =
        c->measured_s[answer.advised] / c->measured_s[answer.winner] - 1;
    answer.of_winner = a.candidates[answer.winner].best;
    answer.tied = a.tied;
    answer.right = answer.regret <= 0;
    advice_clear(&a);
    return answer;
}

struct model_error calibration_error(const struct calibration_case *c,
                                     const struct calibration_view *v)
{
    const struct decided_case asked = {c->kind, c->machine, c->nodes, c->bytes};

    if (!isnan(v->given))
        return (struct model_error){.own = v->given, .bound.most = 1};
    return model_error_by(model_errors, nmodel_errors, &asked, v->held_back);
}

struct calibration_bins calibration_bins(const struct calibration *s,
                                         const struct calibration_view *v)
{
    struct calibration_bins b = {0};
    /* A candidate that was first in no draw gets half of the smallest
     * probability that draws can show, because the logarithm of 0 is not
     * finite. */
    double least = 0.5 / (64.0 * (double)s->draws);

    for (size_t i = 0; i < s->n; i++) {
        const struct calibration_case *c = &s->list[i];
        if ((v->platform && strcmp(c->platform, v->platform) != 0) ||
            (v->kind != NDECIDED && v->kind != c->kind))
            continue;
        struct model_error e = calibration_error(c, v);
        struct calibration_answer a = calibration_answer(s, c, &e);
        if (a.tied > 1)
            continue;
        size_t bin = (size_t)fmin(a.probability * CALIBRATION_BINS,
                                  CALIBRATION_BINS - 1);
        b.n[bin]++;
        b.right[bin] += a.right;
        b.stated[bin] += a.probability;
        b.score += log(fmax(a.of_winner, least));
        b.cases++;
    }
    for (size_t k = 0; k < CALIBRATION_BINS; k++)
        b.stated[k] = b.n[k] ? b.stated[k] / (double)b.n[k] : NAN;
    b.score = b.cases ? b.score / (double)b.cases : NAN;
    return b;
}
