/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the costs of calls to their measurements, with a wait and without, by
 * one thread of the CPU and by two. */
#include "validate/calibrate/fit_calls.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void fit_put_cost(struct fit_costs *f, const char *part, const char *key,
                  struct fit_number number, size_t points, double residual)
{
    struct fit_row row = {
        .old = NAN, .fitted = number, .points = points, .residual = residual};

    snprintf(row.path, sizeof row.path, "gpu.%s%s%s", part ? part : "",
             part ? "." : "", key);
    f->rows = xrealloc(f->rows, f->nrows + 1, sizeof *f->rows);
    f->rows[f->nrows++] = row;
}

void fit_measured(struct fit_costs *f, const char *part, const char *key,
                  double value, const struct cost_point *q)
{
    double half = q ? value * (q->p90_s / q->median_s - 1) : 0;

    fit_put_cost(f, part, key, (struct fit_number){value, half}, 1, 0);
}

/* Returns the row of one operation with the smallest size, own or else peer;
 * NULL if there is none. */
static const struct cost_point *
call_point(const struct cost_points *p, const char *call, const char *candidate)
{
    char name[80];

    snprintf(name, sizeof name, "%s%s%s", call, *candidate ? "_" : "",
             candidate);
    const struct cost_point *own = cost_points_find(p, name, false, 0, 0);
    return own ? own : cost_points_find(p, name, true, 0, 0);
}

/* Returns the time of a wait beyond the call and the stream's time, for copies
 * and memset; 0 if it was not measured. */
static double wait_s(const struct cost_points *p)
{
    static const char *const calls[] = {"copy_to_gpu", "copy_to_host", "memset",
                                        "peer_copy"};
    double rest[sizeof calls / sizeof calls[0]];
    size_t n = 0;

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const struct cost_point *call = call_point(p, calls[i], "call");
        const struct cost_point *stream = call_point(p, calls[i], "stream");
        const struct cost_point *wait = call_point(p, calls[i], "wait");
        if (call && stream && wait)
            rest[n++] = wait->median_s - call->median_s - stream->median_s;
    }
    if (!n)
        return 0;
    gsl_sort(rest, 1, n);
    double median = gsl_stats_median_from_sorted_data(rest, 1, n);
    return median > 0 ? median : 0;
}

static void put_call(struct fit_costs *f, const char *part, const char *key,
                     const struct cost_point *q)
{
    if (q)
        fit_measured(f, part, key, 1e6 * q->median_s, q);
}

/* Fits the start of a kernel: from the end of the call until a kernel with
 * nothing before it has ended. */
static void fit_launch(struct fit_costs *f, const struct cost_points *p,
                       double sync_s)
{
    const struct cost_point *call = call_point(p, "kernel", "call");
    const struct cost_point *wait = call_point(p, "kernel", "wait");

    put_call(f, "calls", "launch_us", call);
    if (!call || !wait || !(sync_s > 0))
        return;
    double stream_s = wait->median_s - call->median_s - sync_s;
    if (stream_s > 0)
        fit_measured(f, "calls", "launch_stream_us", 1e6 * stream_s, wait);
}

/* Returns the time that a copy to the host adds to the kernel before it; 0 if
 * the row is of another kind, or if the kernel alone was not measured. */
static double added_s(const struct cost_points *p,
                      const struct cost_point *step)
{
    if (strcmp(step->operation, "step_chain_wait") != 0)
        return 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct cost_point *alone = &p->points[i];
        if (!strcmp(alone->operation, "chain_wait") &&
            step->together == alone->together &&
            step->threads == alone->threads && step->peer == alone->peer)
            return step->median_s - alone->median_s;
    }
    return 0;
}

/* Returns, of kernels of growing length with a copy behind them, the first to
 * which the copy adds about the most. Shorter ones are over before a slow CPU
 * has called the copy, which then waits for nothing; behind longer ones it
 * waits while they work. */
static const struct cost_point *behind_work(const struct cost_points *p)
{
    double most_s = 0;

    for (size_t i = 0; i < p->n; i++)
        most_s = fmax(most_s, added_s(p, &p->points[i]));
    for (size_t i = 0; i < p->n && most_s > 0; i++)
        if (added_s(p, &p->points[i]) > 0.8 * most_s)
            return &p->points[i];
    return call_point(p, "step_chain", "wait");
}

/* Fits the additional time of a copy behind a kernel, beyond its calls, the
 * copy and the wait. */
static void fit_behind(struct fit_costs *f, const struct cost_points *p,
                       double sync_s)
{
    const struct cost_point *launch = call_point(p, "kernel", "call");
    const struct cost_point *call = call_point(p, "copy_to_host", "call");
    const struct cost_point *copy = call_point(p, "copy_to_host", "stream");
    const struct cost_point *step = behind_work(p);

    if (!launch || !call || !copy || !step || !(sync_s > 0))
        return;
    double s = step->median_s - launch->median_s - call->median_s -
               copy->median_s - sync_s;
    if (s > 0)
        fit_measured(f, "calls", "copy_behind_us", 1e6 * s, NULL);
}

/* Fits the synchronisation of a grid, with as many threads as the GPU holds. */
static void fit_grid_sync(struct fit_costs *f, const struct cost_points *p)
{
    const struct cost_point *most = NULL;

    for (size_t i = 0; i < p->n; i++)
        if (!strcmp(p->points[i].operation, "grid_sync") &&
            (!most || p->points[i].threads > most->threads))
            most = &p->points[i];
    put_call(f, "calls", "grid_sync_us", most);
}

/* Fits a kernel with code for the whole GPU: one with as many threads as it
 * holds at once, or a little more, plus the cost of code after another kernel
 * has run. */
static void fit_whole(struct fit_costs *f, const struct cost_points *p,
                      double sync_s, unsigned threads)
{
    const struct cost_point *call = NULL, *wait = NULL;
    const struct cost_point *none = call_point(p, "little", "wait");
    const struct cost_point *code = call_point(p, "little_codes", "wait");

    for (size_t i = 0; i < p->n; i++) {
        const struct cost_point *q = &p->points[i];
        bool fits = q->threads >= threads && q->threads < 2 * threads;
        if (fits && !strcmp(q->operation, "kernel_call"))
            call = q;
        if (fits && !strcmp(q->operation, "kernel_wait"))
            wait = q;
    }
    if (!call || !wait || !none || !code || !(sync_s > 0))
        return;
    double s = wait->median_s - call->median_s - sync_s + code->median_s -
               none->median_s;
    put_call(f, "calls", "launch_whole_us", call);
    if (s > 0)
        fit_measured(f, "calls", "launch_whole_stream_us", 1e6 * s, wait);
}

/* Fits the additional time of a kernel that reserves a place in a list in the
 * other GPU's memory and stores there. */
static void fit_peer_store(struct fit_costs *f, const struct cost_points *p)
{
    const struct cost_point *without = call_point(p, "little", "wait");
    const struct cost_point *with = call_point(p, "little_store", "wait");

    if (without && with && with->median_s > without->median_s)
        fit_measured(f, "calls", "peer_store_us",
                     1e6 * (with->median_s - without->median_s), with);
}

/* --- two threads at once -------------------------------------------------- */

static const struct {
    const char *call, *key;
} of_both[] = {{"kernel", "launch"},           {"kernel", "launch_whole"},
               {"copy_to_gpu", "copy_to_gpu"}, {"copy_to_host", "copy_to_host"},
               {"memset", "memset"},           {"event_record", "event_record"},
               {"event_wait", "event_wait"},   {"event_query", "event_query"},
               {"peer_copy", "peer_copy"}};
enum { OF_BOTH = sizeof of_both / sizeof of_both[0] };

/* Fits the additional time until both threads have waited, beyond that of the
 * calls. */
static void fit_meet(struct fit_costs *f, const struct cost_points *p)
{
    double more[OF_BOTH];
    size_t n = 0;
    char name[80];

    for (size_t i = 0; i < OF_BOTH; i++) {
        const char *call = of_both[i].call;
        if (!strcmp(of_both[i].key, "launch_whole"))
            continue; /* the kernel's is in the list already */
        const struct cost_point *one = call_point(p, call, "call");
        const struct cost_point *one_wait = call_point(p, call, "wait");
        snprintf(name, sizeof name, "both_%s", call);
        const struct cost_point *both = call_point(p, name, "call");
        const struct cost_point *both_wait = call_point(p, name, "wait");
        if (one && one_wait && both && both_wait)
            more[n++] = both_wait->median_s - both->median_s -
                        one_wait->median_s + one->median_s;
    }
    if (!n)
        return;
    gsl_sort(more, 1, n);
    double median = gsl_stats_median_from_sorted_data(more, 1, n);
    if (median > 0)
        fit_measured(f, "calls", "meet_us", 1e6 * median, NULL);
}

static void fit_both(struct fit_costs *f, const struct cost_points *p)
{
    char name[80], key[80];

    for (size_t i = 0; i < OF_BOTH; i++) {
        snprintf(name, sizeof name, "both_%s", of_both[i].call);
        snprintf(key, sizeof key, "%s_us", of_both[i].key);
        put_call(f, "calls.several", key, call_point(p, name, "call"));
    }
    fit_meet(f, p);
}

/* --- the whole ------------------------------------------------------------ */

void fit_calls(struct fit_costs *f, const struct cost_points *p,
               unsigned threads)
{
    static const char *const both[] = {"copy_to_gpu", "copy_to_host", "memset",
                                       "peer_copy"};
    double sync_s = wait_s(p);
    char key[80];

    fit_launch(f, p, sync_s);
    fit_whole(f, p, sync_s, threads);
    fit_peer_store(f, p);
    fit_both(f, p);
    fit_grid_sync(f, p);
    fit_behind(f, p, sync_s);
    if (sync_s > 0)
        fit_measured(f, "calls", "sync_us", 1e6 * sync_s, NULL);
    for (size_t i = 0; i < sizeof both / sizeof both[0]; i++) {
        snprintf(key, sizeof key, "%s_us", both[i]);
        put_call(f, "calls", key, call_point(p, both[i], "call"));
        snprintf(key, sizeof key, "%s_stream_us", both[i]);
        put_call(f, "calls", key, call_point(p, both[i], "stream"));
    }
    put_call(f, "calls", "event_record_us",
             call_point(p, "event_record", "call"));
    /* These are events without a time stamp, as programs use them: with the
     * wait of another stream of the same GPU. */
    put_call(f, "calls", "event_record_stream_us",
             cost_points_find(p, "event_pass", false, 0, 0));
    put_call(f, "calls", "event_wait_us", call_point(p, "event_wait", "call"));
    /* A stream only waits for events of other GPUs. */
    put_call(f, "calls", "event_wait_stream_us",
             cost_points_find(p, "event_pass", true, 0, 0));
    put_call(f, "calls", "event_query_us",
             call_point(p, "event_query", "call"));
    put_call(f, "calls", "wake_thread_us", call_point(p, "wake_thread", ""));
    put_call(f, "calls", "barrier_us", call_point(p, "barrier", ""));
}
