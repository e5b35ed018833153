/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads the presets, measurements and queues that the claims and figures of
 * Klenk et al. 2017 need. */
#include "results/papers/matching_study.h"

#include "base/doubles.h"
#include "base/csv.h"
#include "base/datafile.h"
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const matching_devices[NDEVICES] = {"k80", "m40", "gtx1080", "h200",
                                                "cpu"};

/* --- the devices ---------------------------------------------------------- */

static int read_device(struct matching *l, const char *name,
                       const char *const *sets, size_t nsets, struct err *err)
{
    struct json *doc = json_new_object();
    char *words =
        xasprintf("%s@%s", strcmp(name, "cpu") ? "matrix" : "list", name);
    int result = matching_apply(doc, words, err);

    for (size_t i = 0; i < nsets && result == 0; i++)
        if (!strncmp(sets[i], "matching.", strlen("matching.")))
            result = json_set(doc, sets[i], err);
    if (result == 0)
        result = matching_read(l, json_member(doc, "matching"), err);
    if (result < 0)
        (void)fail_in(err, "matching of %s", name);
    free(words);
    json_free(doc);
    return result;
}

/* --- the traces ----------------------------------------------------------- */

static struct queue_trace *trace_of(struct matching_study *s, const char *name)
{
    for (size_t i = 0; i < s->ntraces; i++)
        if (!strcmp(s->traces[i].name, name))
            return &s->traces[i];
    s->traces = xrealloc(s->traces, s->ntraces + 1, sizeof *s->traces);
    s->traces[s->ntraces] = (struct queue_trace){0};
    return &s->traces[s->ntraces++];
}

static void add_value(double **v, unsigned n, double value)
{
    *v = xrealloc(*v, n + 1, sizeof **v);
    (*v)[n] = value;
}

static void most(unsigned *so_far, double value)
{
    if (value > *so_far)
        *so_far = (unsigned)value;
}

enum {
    RANKS,
    MISSING,
    UMQ,
    PRQ,
    MESSAGES,
    RECEIVES,
    ANY_SOURCE,
    ANY_TAGGED,
    PEERS,
    COMMUNICATORS,
    FREQUENT,
    TAGS,
    NKEYS
};

static const char *const keys[NKEYS] = {
    "ranks",    "missing",       "umq_most",      "prq_most",
    "messages", "receives",      "any_source",    "any_tag",
    "peers",    "communicators", "most_frequent", "all_tags"};

static int read_rank(struct matching_study *s, const struct csv *t, size_t row,
                     struct err *err)
{
    const char *name = csv_text(t, row, "trace");
    const char *application = csv_text(t, row, "application");
    const char *origin = csv_text(t, row, "origin");
    double v[NKEYS];

    if (!name || !application || !origin)
        return fail(err, "%s: expected columns trace, application, origin",
                    t->path);
    for (int i = 0; i < NKEYS; i++)
        if (csv_number(t, row, keys[i], &v[i], err) < 0)
            return -1;
    struct queue_trace *q = trace_of(s, name);
    snprintf(q->name, sizeof q->name, "%s", name);
    snprintf(q->application, sizeof q->application, "%s", application);
    snprintf(q->origin, sizeof q->origin, "%s", origin);
    q->ranks = (unsigned)v[RANKS];
    q->missing = (unsigned)v[MISSING];
    q->tags = (unsigned)v[TAGS];
    add_value(&q->umq, q->n, v[UMQ]);
    add_value(&q->prq, q->n, v[PRQ]);
    add_value(&q->share, q->n, v[MESSAGES] > 0 ? v[FREQUENT] / v[MESSAGES] : 0);
    q->n++;
    q->messages += v[MESSAGES];
    q->receives += v[RECEIVES];
    q->any_source += v[ANY_SOURCE];
    q->any_tag += v[ANY_TAGGED];
    most(&q->peers, v[PEERS]);
    most(&q->communicators, v[COMMUNICATORS]);
    return 0;
}

static int read_traces(struct matching_study *s, struct err *err)
{
    struct csv t;
    int result = 0;

    if (csv_load_data(&t, "results/klenk/queues.csv", err) < 0)
        return -1;
    for (size_t i = 0; i < t.nrows && result == 0; i++)
        result = read_rank(s, &t, i, err);
    csv_clear(&t);
    for (size_t i = 0; i < s->ntraces; i++) {
        struct queue_trace *q = &s->traces[i];
        doubles_sort(q->umq, q->n);
        doubles_sort(q->prq, q->n);
        doubles_sort(q->share, q->n);
    }
    return result;
}

/* --- the whole ------------------------------------------------------------ */

int matching_study_open(struct matching_study *s, const char *const *sets,
                        size_t nsets, struct err *err)
{
    char *path = datafile_find("results/h200/gpu/match.csv", err);
    int result = path ? 0 : -1;

    *s = (struct matching_study){0};
    for (int d = 0; d < NDEVICES && result == 0; d++)
        result =
            read_device(&s->device[d], matching_devices[d], sets, nsets, err);
    if (result == 0)
        result = match_points_load(&s->h200, path, err);
    if (result == 0)
        result = read_traces(s, err);
    free(path);
    if (result < 0)
        matching_study_close(s);
    return result;
}

void matching_study_close(struct matching_study *s)
{
    for (int d = 0; d < NDEVICES; d++)
        matching_clear(&s->device[d]);
    for (size_t i = 0; i < s->ntraces; i++) {
        free(s->traces[i].umq);
        free(s->traces[i].prq);
        free(s->traces[i].share);
    }
    free(s->traces);
    match_points_clear(&s->h200);
    *s = (struct matching_study){0};
}

double matching_rate(const struct matching_study *s, enum matching_device on,
                     double clock_Hz, struct matching_case c)
{
    struct matching l = s->device[on];
    struct match_load load = {c.n, c.n, c.n * c.matched, c.order};

    l.engine = c.engine;
    l.queues = c.queues ? c.queues : 1;
    if (c.engine == MATCHER_HASH)
        l.ctas = l.queues;
    if (c.resident)
        l.resident_ctas = c.resident;
    if (clock_Hz > 0)
        l.clock_Hz = clock_Hz;
    return load.matched / match_load_s(&l, load, c.compact);
}

double matching_measured(const struct matching_study *s, struct matching_case c,
                         unsigned wildcards)
{
    unsigned unexpected = (unsigned)lrint(100 * (1 - c.matched));

    for (size_t i = 0; i < s->h200.n; i++) {
        const struct match_point *p = &s->h200.points[i];
        if (p->engine == c.engine && p->length == (unsigned)c.n &&
            p->queues == (c.queues ? c.queues : 1) &&
            p->unexpected == unexpected && p->wildcards == wildcards &&
            p->compact == c.compact)
            return p->matches / p->time_s;
    }
    return NAN;
}

double matching_quantile(const double *v, unsigned n, double q)
{
    double at = q * (n - 1);
    unsigned i = (unsigned)at;

    if (!n)
        return NAN;
    return i + 1 < n ? v[i] + (at - i) * (v[i + 1] - v[i]) : v[n - 1];
}
