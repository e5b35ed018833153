/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries explanations of measured times on changed machines. */
#include "validate/measure/explain.h"

#include "platforms/nccl_settings.h"
#include "platforms/platform.h"
#include "strategies/collective/nccl.h"
#include "validate/measure/benchmark.h"
#include "validate/measure/call.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- changes -------------------------------------------------------------- */

/* The numbers by which a machine is changed. */
struct by {
    double factor;
    const struct measured *points; /* whose calls the machine makes */
};

/* Changes a machine; returns false if it has nothing to change. */
typedef bool change(struct machine *m, const struct by *by);

static bool network_rate(struct machine *m, const struct by *by)
{
    machine_scale_network(m, by->factor);
    return m->network.nodes > 1;
}

/* Slows the link of the node alone, because any of its NICs may be missing. */
static bool one_nic_fewer(struct machine *m, const struct by *by)
{
    (void)by;
    if (m->nnics < 2)
        return false;
    m->network.bandwidth_Bps *= (m->nnics - 1.0) / m->nnics;
    return m->network.nodes > 1;
}

/* Stretches the latency of every table of messages between nodes. */
static bool network_latency(struct machine *m, const struct by *by)
{
    for (int runtime = 0; runtime < NRUNTIMES; runtime++)
        for (int path = 0; path < NPATHS; path++) {
            struct message_table *t = &m->messages[runtime][path][OFF_NODE];
            for (size_t i = 0; i < t->nsegments; i++)
                t->segments[i].alpha_s *= by->factor;
        }
    return m->network.nodes > 1;
}

static bool gpu_links(struct machine *m, const struct by *by)
{
    return machine_scale_gpu_links(m, by->factor);
}

static bool gpu_links_by_pcie(struct machine *m, const struct by *by)
{
    m->nccl.settings.no_p2p = true;
    return machine_gpu_links_by_pcie(m, by->factor);
}

static bool one_gpu_slow(struct machine *m, const struct by *by)
{
    bool any = false;

    for (size_t i = 0; i < m->nwires && m->ngpus > 1; i++) {
        struct wire *w = &m->wires[i];
        unsigned gpu = (unsigned)(machine_gpu(m, 0) - m->devices);
        if ((w->ends[0] == gpu || w->ends[1] == gpu) &&
            machine_is_gpu_link(m, w)) {
            w->bandwidth_Bps *= by->factor;
            any = true;
        }
    }
    return any;
}

/* Returns the most channels that NCCL has for a call of the points; 0 if none
 * is NCCL's. */
static unsigned most_channels(const struct machine *m, const struct measured *f)
{
    unsigned most = 0;

    for (size_t i = 0; i < f->npoints; i++) {
        const struct experiment *x = &f->points[i].x;
        if (x->of != &library_call_benchmark || !x->gpu)
            continue;
        const struct collective c = experiment_call(x);
        unsigned n = nccl_channels(m, &c, NULL);
        most = n > most ? n : most;
    }
    return most;
}

static bool has_nccl(const struct machine *m)
{
    return m->ngpus && m->nccl.slots;
}

static bool channels(struct machine *m, const struct by *by)
{
    unsigned n =
        has_nccl(m) ? (unsigned)(most_channels(m, by->points) * by->factor) : 0;

    m->nccl.settings.max_channels = n;
    return n > 0;
}

/* Returns whether the log leaves open how many GPUs a thread drives. */
static bool calls_unknown(const struct measured *f)
{
    for (size_t i = 0; i < f->npoints; i++)
        if (f->points[i].x.by_thread)
            return false;
    return true;
}

/* Stretches the CPU's time of NCCL's calls. */
static bool scale_calls(struct machine *m, double factor)
{
    m->nccl.call_s *= factor;
    m->nccl.channel_s *= factor;
    m->nccl.send_s *= factor;
    return has_nccl(m) && m->nccl.call_s > 0;
}

static bool one_thread(struct machine *m, const struct by *by)
{
    return scale_calls(m, m->ngpus) && m->ngpus > 1 &&
           calls_unknown(by->points);
}

static bool slow_calls(struct machine *m, const struct by *by)
{
    return scale_calls(m, by->factor);
}

static bool without_nvls(struct machine *m, const struct by *by)
{
    (void)by;
    m->nccl.settings.no_nvls = true;
    return has_nccl(m);
}

/* Sets a list of algorithms or protocols, among which NCCL's model then
 * chooses. */
static bool permit(const struct machine *m, char **list, const char *name)
{
    free(*list);
    *list = xstrdup(name);
    return has_nccl(m);
}

static bool rings_only(struct machine *m, const struct by *by)
{
    (void)by;
    return permit(m, &m->nccl.settings.algorithms, "Ring");
}

static bool trees_only(struct machine *m, const struct by *by)
{
    (void)by;
    return permit(m, &m->nccl.settings.algorithms, "Tree");
}

static bool ll_only(struct machine *m, const struct by *by)
{
    (void)by;
    return permit(m, &m->nccl.settings.protocols, "LL");
}

static bool simple_only(struct machine *m, const struct by *by)
{
    (void)by;
    return permit(m, &m->nccl.settings.protocols, "Simple");
}

static const struct {
    change *change;
    double factor;
    const char *text;
} explanations[] = {
#define EXPLANATION(change, factor, text) {change, factor, text},
#include "validate/measure/explanations.def"
#undef EXPLANATION
};
enum { EXPLANATIONS = sizeof explanations / sizeof explanations[0] };

/* --- scores --------------------------------------------------------------- */

/* An error counts as at most this, because one that is far off would hide all
 * others. */
static const double MOST_ERROR = 1.4; /* a factor of 4 */

static double error_of(const struct measured_point *p)
{
    return fmin(fabs(log(p->simulated_s / p->measured_s)), MOST_ERROR);
}

static bool is_simulated(const struct measured_point *p)
{
    return p->simulated_s > 0 && !*p->why;
}

static double mean_error(const struct measured *f)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < f->npoints; i++)
        if (is_simulated(&f->points[i])) {
            sum += error_of(&f->points[i]);
            n++;
        }
    return n ? sum / (double)n : NAN;
}

static double floor_of(const struct measured *f)
{
    double *more = xcalloc(f->npoints + 1, sizeof *more), median = NAN;
    size_t n = 0;

    for (size_t i = 0; i < f->npoints; i++)
        if (is_simulated(&f->points[i]) && f->points[i].x.bytes <= 4096)
            more[n++] = f->points[i].measured_s - f->points[i].simulated_s;
    if (n) {
        gsl_sort(more, 1, n);
        median = gsl_stats_median_from_sorted_data(more, 1, n);
    }
    free(more);
    return median;
}

/* Returns a copy of the points, whose experiments borrow from the file. */
static struct measured points_copy(const struct measured *f)
{
    struct measured copy = {.path = xstrdup(f->path), .npoints = f->npoints};

    copy.points = xcalloc(f->npoints + 1, sizeof *copy.points);
    memcpy(copy.points, f->points, f->npoints * sizeof *copy.points);
    return copy;
}

/* Simulates the points with one explanation. Returns 1 if it changes nothing of
 * the machine, or if the points cannot be done then. */
static int try_one(struct explanation *e, size_t which,
                   const struct measured *f, struct machine *m,
                   const struct exec_options *o, struct err *err)
{
    const struct by by = {explanations[which].factor, f};

    if (!explanations[which].change(m, &by))
        return 1;
    struct measured copy = points_copy(f);
    int result = measured_simulate_some(&copy, m, 0, o, NULL, err);
    *e = (struct explanation){.text = explanations[which].text,
                              .error = mean_error(&copy)};
    for (size_t i = 0; i < copy.npoints && result == 0; i++) {
        bool here = is_simulated(&copy.points[i]);
        if (here != is_simulated(&f->points[i]))
            result = 1;
        else if (here)
            e->moved +=
                fabs(copy.points[i].simulated_s / f->points[i].simulated_s -
                     1) > 0.01;
    }
    measured_clear(&copy);
    return result < 0 && err->kind == ERR_INPUT ? 1 : result;
}

static int by_error(const void *a, const void *b)
{
    const struct explanation *x = a, *y = b;

    return x->error < y->error ? -1 : x->error > y->error;
}

int explain(struct explained *e, const struct measured *f, const char *platform,
            const char *const *sets, size_t nsets, const struct exec_options *o,
            struct err *err)
{
    int result = 0;

    *e = (struct explained){.error = mean_error(f), .floor_s = floor_of(f)};
    e->list = xcalloc(EXPLANATIONS, sizeof *e->list);
    for (size_t i = 0; i < EXPLANATIONS && result >= 0; i++) {
        struct machine m;
        if (platform_load(&m, platform, sets, nsets, err) < 0) {
            result = -1;
            break;
        }
        struct explanation *one = &e->list[e->n];
        result = try_one(one, i, f, &m, o, err);
        e->n += result == 0 && one->moved &&
                one->error <= (1 - EXPLAIN_LEAST) * e->error;
        machine_clear(&m);
    }
    if (e->n)
        qsort(e->list, e->n, sizeof *e->list, by_error);
    if (result < 0) {
        free(e->list);
        *e = (struct explained){0};
    }
    return result < 0 ? -1 : 0;
}
