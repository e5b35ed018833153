/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects a timeline's longest operations and its busiest counters. */
#include "sim/plan/timeline_kept.h"

#include "sim/plan/describe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- operations ----------------------------------------------------------- */

struct long_op {
    double s;
    uint32_t op;
};

static int longest_first(const void *a, const void *b)
{
    const struct long_op *x = a, *y = b;

    if (x->s != y->s)
        return x->s > y->s ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static int by_op(const void *a, const void *b)
{
    const struct long_op *x = a, *y = b;

    return x->op < y->op ? -1 : x->op > y->op;
}

/* Returns the index of an operation's kind: the words of its description up to
 * the first comma. */
static uint32_t kept_kind(struct kept_timeline *k, const struct timeline *t,
                          uint32_t op)
{
    char what[128];

    op_describe(what, sizeof what, t->m, t->p, op);
    what[strcspn(what, ",")] = 0;
    for (uint32_t i = 0; i < k->nkinds; i++)
        if (!strcmp(k->kinds[i], what))
            return i;
    k->kinds = xrealloc(k->kinds, k->nkinds + 1, sizeof *k->kinds);
    k->kinds[k->nkinds] = xstrdup(what);
    return k->nkinds++;
}

static struct kept_op keep_op(struct kept_timeline *k, const struct timeline *t,
                              uint32_t op)
{
    const struct op *o = &t->p->ops[op];
    struct kept_op one = {.op = op,
                          .kind = kept_kind(k, t, op),
                          .phase = o->phase,
                          .cause = (uint8_t)timeline_cause(t, op),
                          .between = plan_sends(o),
                          .src = o->src,
                          .dst = o->dst,
                          .src_gpu = o->src_gpu,
                          .dst_gpu = o->dst_gpu,
                          .bytes = o->kind == OP_WORK ? 0 : o->bytes,
                          .times = t->x->ops[op]};

    if (op_matches(o->kind))
        one.src = t->x->partner && t->x->partner[op] != NO_OP
                      ? t->p->ops[t->x->partner[op]].src
                      : o->src;
    if (one.between)
        one.locality = (uint8_t)plan_locality(t->p, t->m, o);
    return one;
}

/* Keeps the longest operations, in the order of their numbers. Returns for each
 * operation of the plan its index among these, plus 1; 0 if it is not kept. */
static uint32_t *keep_ops(struct kept_timeline *k, const struct timeline *t,
                          size_t most)
{
    struct long_op *list = xcalloc(t->p->nops, sizeof *list);
    uint32_t *place = xcalloc(t->p->nops, sizeof *place);

    for (uint32_t i = 0; i < t->p->nops; i++)
        list[i] =
            (struct long_op){t->x->ops[i].end_s - t->x->ops[i].start_s, i};
    k->nops_all = t->p->nops;
    k->nops = k->nops_all < most ? k->nops_all : most;
    qsort(list, t->p->nops, sizeof *list, longest_first);
    qsort(list, k->nops, sizeof *list, by_op);
    k->ops = xcalloc(k->nops, sizeof *k->ops);
    for (size_t i = 0; i < k->nops; i++) {
        k->ops[i] = keep_op(k, t, list[i].op);
        place[list[i].op] = (uint32_t)i + 1;
    }
    free(list);
    return place;
}

static void keep_spans(struct kept_timeline *k, const struct timeline *t,
                       const uint32_t *place)
{
    uint32_t before = UINT32_MAX;

    k->spans = xcalloc(t->n, sizeof *k->spans);
    for (size_t i = 0; i < t->n; i++) {
        struct timeline_span s = t->spans[i];
        if (!place[s.what])
            continue;
        if (s.track != before) {
            k->tracks = xrealloc(k->tracks, k->ntracks + 1, sizeof *k->tracks);
            struct kept_track *track = &k->tracks[k->ntracks++];
            *track =
                (struct kept_track){.node = timeline_node(t, s.track),
                                    .resource = timeline_resource(t, s.track)};
            timeline_name(track->name, sizeof track->name, t, s.track);
            before = s.track;
        }
        s.track = (uint32_t)k->ntracks - 1;
        s.what = place[s.what] - 1;
        k->spans[k->nspans++] = s;
    }
    timeline_lanes(k->spans, k->nspans);
}

/* --- counters ------------------------------------------------------------- */

static void keep_links(struct kept_timeline *k, const struct link_rates *r)
{
    k->nlinks_all = r->n;
    k->nlinks = r->n < KEPT_COUNTERS ? r->n : KEPT_COUNTERS;
    k->links = xcalloc(k->nlinks, sizeof *k->links);
    for (size_t i = 0; i < k->nlinks; i++) {
        struct kept_counter *c = &k->links[i];
        c->node = r->links[i].node;
        memcpy(c->name, r->links[i].name, sizeof c->name);
        c->values = xcalloc(k->nbins, sizeof *c->values);
        for (size_t b = 0; b < k->nbins; b++)
            c->values[b] = link_rates_of(r, i, b);
    }
}

/* Adds a number of messages between two times, in message seconds of each
 * bin. */
static void add_messages(const struct kept_timeline *k, double *values,
                         double from_s, double to_s, int messages)
{
    size_t last = (size_t)fmin(to_s / k->bin_s, (double)k->nbins - 1);

    for (size_t b = (size_t)fmin(from_s / k->bin_s, (double)last); b <= last;
         b++) {
        double from = fmax(from_s, (double)b * k->bin_s);
        double to = fmin(to_s, (double)(b + 1) * k->bin_s);
        values[b] += fmax(to - from, 0) * messages;
    }
}

/* Computes the means of one counter, from its changes sorted by time. */
static void sum_messages(const struct kept_timeline *k, double *values,
                         const struct timeline_change *list, size_t n,
                         double end_s)
{
    int now = 0;

    for (size_t i = 0; i < n; i++) {
        now += list[i].by;
        if (i + 1 < n)
            add_messages(k, values, list[i].at_s, list[i + 1].at_s, now);
    }
    for (size_t b = 0; b < k->nbins; b++) {
        double from = (double)b * k->bin_s;
        double to = fmin(from + k->bin_s, end_s);
        values[b] /= to > from ? to - from : k->bin_s;
    }
}

struct busy_nic {
    int most;
    size_t first, end; /* in the list of changes */
};

static int busiest_first(const void *a, const void *b)
{
    const struct busy_nic *x = a, *y = b;

    if (x->most != y->most)
        return x->most > y->most ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static int by_first(const void *a, const void *b)
{
    const struct busy_nic *x = a, *y = b;

    return x->first < y->first ? -1 : x->first > y->first;
}

/* Returns each counter's part of the list, for those with most messages at a
 * time; the caller frees it. */
static struct busy_nic *busy_nics(struct kept_timeline *k,
                                  const struct timeline_change *list, size_t n)
{
    struct busy_nic *nics = xcalloc(n + 1, sizeof *nics);
    size_t end = 0;

    for (size_t i = 0; i < n; i = end) {
        struct busy_nic *one = &nics[k->nnics_all++];
        int now = 0;
        one->first = i;
        for (; end < n && list[end].counter == list[i].counter; end++) {
            now += list[end].by;
            one->most = now > one->most ? now : one->most;
        }
        one->end = end;
    }
    k->nnics = k->nnics_all < KEPT_COUNTERS ? k->nnics_all : KEPT_COUNTERS;
    qsort(nics, k->nnics_all, sizeof *nics, busiest_first);
    qsort(nics, k->nnics, sizeof *nics, by_first);
    return nics;
}

static void keep_nics(struct kept_timeline *k, const struct timeline *t)
{
    size_t n;
    struct timeline_change *list = timeline_nics(t, &n);
    struct busy_nic *nics = busy_nics(k, list, n);

    k->nics = xcalloc(k->nnics, sizeof *k->nics);
    for (size_t i = 0; i < k->nnics; i++) {
        const struct timeline_change *first = &list[nics[i].first];
        uint32_t nic = first->counter / 2;
        struct kept_counter *c = &k->nics[i];
        c->node = nic / t->m->nnics;
        c->values = xcalloc(k->nbins, sizeof *c->values);
        snprintf(c->name, sizeof c->name, "NIC %u, messages %s",
                 nic % t->m->nnics, first->counter % 2 ? "in" : "out");
        sum_messages(k, c->values, first, nics[i].end - nics[i].first,
                     t->x->time_s);
    }
    free(nics);
    free(list);
}

/* --- the whole ------------------------------------------------------------ */

struct kept_timeline *timeline_keep(const struct machine *m,
                                    const struct plan *p,
                                    const struct exec_result *x, size_t most)
{
    struct kept_timeline *k = xcalloc(1, sizeof *k);
    struct timeline t;

    timeline_make(&t, m, p, x);
    uint32_t *place = keep_ops(k, &t, most);
    keep_spans(k, &t, place);
    struct link_rates rates = link_rates_copy(&x->rates);
    while (rates.nbins > KEPT_BINS)
        link_rates_halve(&rates);
    k->bin_s = rates.n ? rates.bin_s : x->time_s / KEPT_BINS;
    k->nbins = rates.n ? rates.nbins : KEPT_BINS;
    keep_links(k, &rates);
    link_rates_clear(&rates);
    if (k->bin_s > 0)
        keep_nics(k, &t);
    free(place);
    timeline_clear(&t);
    return k;
}

static void kept_counters_free(struct kept_counter *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(list[i].values);
    free(list);
}

void kept_timeline_free(struct kept_timeline *k)
{
    if (!k)
        return;
    for (uint32_t i = 0; i < k->nkinds; i++)
        free(k->kinds[i]);
    free(k->kinds);
    free(k->ops);
    free(k->tracks);
    free(k->spans);
    kept_counters_free(k->nics, k->nnics);
    kept_counters_free(k->links, k->nlinks);
    free(k);
}
