/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the cost of arcs and visits from an execution's counts and from a
 * sample of a graph's arcs. */
#include "apps/agents/prices.h"

#include <math.h>

enum { WARP = 32 };

bool seen_says_little(const struct seen *seen)
{
    static const double few_uses = 32;

    return seen->uses < few_uses;
}

void seen_add(struct seen *to, const struct seen *more)
{
    to->arcs += more->arcs;
    to->sectors += more->sectors;
    to->visits += more->visits;
    to->rows += more->rows;
    to->uses += more->uses;
    to->hits += more->hits;
    to->row_uses += more->row_uses;
    to->row_hits += more->row_hits;
    to->heads += more->heads;
    to->remote_heads += more->remote_heads;
}

static double remote_part(const struct seen *s)
{
    return s->heads > 0 ? s->remote_heads / s->heads : 0;
}

/* Returns the part of accesses to values that hit. The sample can have more or
 * fewer accesses than expected, because the few sectors that are used most are
 * either in it or not; the difference is counted as hits (SHARDS-adj). */
static double hit_part(const struct pricing *p, const struct seen *s)
{
    double values = p->remote_values ? 1 : 1 - remote_part(s);
    double expected = s->sectors * values / (double)(1u << p->one_of);

    if (!(expected > 0))
        return 1;
    return fmin(fmax((s->hits + expected - s->uses) / expected, 0), 1);
}

static double row_hit_part(const struct seen *s)
{
    return s->row_uses > 0 ? s->row_hits / s->row_uses : 0;
}

/* Returns the cost of the sequential accesses; if all fits the cache, they are
 * hits. */
static double stream_s(const struct pricing *p, bool fits,
                       const struct counts *counts)
{
    const struct gpu_model *g = p->gpu;
    struct counts rest = *counts;

    if (!fits)
        return counts_item_s(counts, g);
    rest.stream_B = 0;
    return counts_item_s(&rest, g) +
           counts->stream_B / SECTOR_B * g->access.hit_s;
}

/* Returns the additional cost of rows per visit, because a row's first sector
 * is at a random place, and rows do not begin and end with sectors. */
static double rows_s(const struct pricing *p, bool fits,
                     const struct seen *seen)
{
    const struct gpu_access *a = &p->gpu->access;
    const struct counts partial = {.stream_B = SECTOR_B - sizeof(uint32_t)};

    if (!(p->work->arc.stream_B > 0) || !(seen->visits > 0))
        return 0;
    return seen->rows / seen->visits *
           (stream_s(p, fits, &partial) + (fits ? a->hit_s : a->miss_s));
}

/* Returns the part of groups of 32 arcs in a row that have an arc which is one
 * of the part `such` and leads to a vertex not known before. Both are taken as
 * random; there are as many vertices not known before as visits. */
static double push_part(const struct seen *s, double such)
{
    double news = s->arcs > 0 ? fmin(s->visits / s->arcs, 1) : 0;

    return 1 - pow(1 - such * news, WARP);
}

/* Returns the cost per arc of atomics on one address. */
static double push_s(const struct pricing *p, const struct seen *seen)
{
    return push_part(seen, 1) * p->work->push_atomics / WARP *
           p->gpu->access.same_address_s;
}

struct prices prices_of(const struct pricing *p, bool fits,
                        const struct seen *seen)
{
    const struct gpu_model *g = p->gpu;
    double remote = remote_part(seen), hits = hit_part(p, seen);
    double row_hits = row_hit_part(seen);

    return (struct prices){
        .arc_s = (1 - remote) * stream_s(p, fits, &p->work->arc) +
                 remote * stream_s(p, fits, &p->work->remote_arc) +
                 push_s(p, seen),
        .sector_s = (1 - remote) * counts_sector_s(&p->work->arc, g, hits) +
                    remote * counts_sector_s(&p->work->remote_arc, g, hits),
        .visit_s = stream_s(p, fits, &p->work->visit) +
                   counts_sector_s(&p->work->visit, g, row_hits) +
                   rows_s(p, fits, seen),
        .found_s = stream_s(p, fits, &p->work->found) +
                   counts_sector_s(&p->work->found, g, row_hits),
    };
}

/* Returns the probability that any of the arcs that wait for each other leads
 * to another GPU; with pushes only arcs to new vertices wait. */
static double remote_round_part(const struct pricing *p,
                                const struct seen *seen)
{
    double remote = remote_part(seen);

    return p->work->push_chain > 0 ? push_part(seen, remote)
                                   : 1 - pow(1 - remote, p->worker_threads);
}

/* Returns the workers that keep the whole GPU busy. The threads of a worker
 * have one arc each under way, and continue when all are done, so a round takes
 * as long as the accesses that wait for each other. */
static double full_workers(const struct pricing *p, const struct seen *seen,
                           double latency_s, double arc_s)
{
    const unsigned threads = p->worker_threads;
    double round_s =
        (p->work->arc_chain + push_part(seen, 1) * p->work->push_chain) *
        latency_s;

    if (!threads || !(arc_s > 0))
        return 1;
    if (p->ngpus > 1)
        round_s += remote_round_part(p, seen) * p->work->remote_arc_chain *
                   p->gpu->remote_atomic_s;
    return fmax(round_s / (threads * arc_s), 1);
}

void prices_sum_up(struct gpu_costs *out, const struct pricing *p, bool fits,
                   const struct seen *seen, double sum_s)
{
    const struct gpu_model *g = p->gpu;
    const struct gpu_access *a = &g->access;
    double hits = hit_part(p, seen);
    double latency_s = hits * a->latency_hit_s + (1 - hits) * a->latency_miss_s;

    out->all_s = sum_s;
    out->hits = hits;
    out->sectors_per_arc = seen->arcs > 0 ? seen->sectors / seen->arcs : 0;
    out->arc_s = seen->arcs > 0 ? sum_s / seen->arcs : 0;
    out->pull_arc_s =
        stream_s(p, fits, &p->work->pull_arc) +
        out->sectors_per_arc * counts_sector_s(&p->work->pull_arc, g, hits);
    out->pull_vertex_s = counts_s(&p->work->pull_vertex, g, row_hit_part(seen));
    out->chain_s = p->work->chain * latency_s;
    out->full = full_workers(p, seen, latency_s, out->arc_s);
}
