/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matching by scan and reduce over a matrix of votes, by a CTA on one
 * multiprocessor (Klenk et al. 2017, algorithms 1 and 2).
 *
 * Each warp has 32 messages. It compares them with one receive after the other
 * (scan). One more warp finds, for each receive in turn, the first remaining
 * message that fits (reduce), which is serial. Both run at the same time until
 * all warps are needed to scan; from then on a receive costs the sum of both. A
 * queue of few messages needs one warp and no matrix. If a queue has more
 * messages than the CTA has threads, it takes several passes.
 */
#include "sim/transport/matcher.h"

#include <math.h>

/* Returns how many of `left` receives a pass looks at for `rows` messages,
 * `hits` of which have one: up to the last of these, or all if some messages
 * have none. */
static double search_columns(double rows, double hits, double left,
                             enum match_order order)
{
    if (hits < rows - 1e-9 || order == MATCH_REVERSED)
        return left;
    if (order == MATCH_IN_ORDER)
        return rows;
    /* This is the mean of the largest of `rows` numbers drawn from 1 to `left`.
     */
    return rows * (left + 1) / (rows + 1);
}

struct match_search match_search(struct match_load load, double rows)
{
    struct match_search s = {.messages = load.messages};
    double left = load.receives;

    for (double at = 0; at < load.messages && left >= 0.5; at += rows) {
        double taken = fmin(rows, load.messages - at);
        double hits = load.matched * taken / load.messages;
        s.passes++;
        s.columns += search_columns(taken, hits, left, load.order);
        s.hits += hits;
        left -= hits;
    }
    return s;
}

static double layout_warps(double rows, bool reducer)
{
    return ceil(rows / 32) + reducer;
}

/* Sets the rows of a pass. A queue is short if one warp suffices; the engine is
 * pipelined if there are fewer rows than a CTA has threads. */
static void layout_rows(struct match_layout *how, const struct matching *l,
                        double rows, double longest)
{
    how->is_short = longest <= l->short_messages || rows <= 32;
    how->rows = how->is_short ? 32 : (unsigned)rows;
    how->pipelined = !how->is_short && rows < l->cta_messages;
}

static double layout_groups(const struct match_layout *how)
{
    return floor(fmax(32 / layout_warps(how->rows, how->pipelined), 1));
}

struct match_layout match_layout(const struct matching *l, unsigned queues,
                                 double longest)
{
    struct match_layout how = {0};
    double most = l->cta_messages, rows = fmin(ceil(longest / 32) * 32, most);

    layout_rows(&how, l, rows, longest);
    while (ceil(queues / layout_groups(&how)) > l->ctas && how.rows > 32)
        layout_rows(&how, l, rows -= 32, longest);
    double ctas = ceil(queues / layout_groups(&how));
    how.in_cta = fmin(queues, layout_groups(&how));
    how.serial = ceil(ctas / l->resident_ctas);
    how.ctas = (unsigned)fmin(ctas, l->ctas);
    return how;
}

static double search_cycles(const struct matching *l,
                            const struct match_layout *how,
                            const struct match_search *s)
{
    double misses = s->columns - s->hits;
    double hit = how->is_short ? l->short_cycles : l->receive_cycles;
    double others = (how->in_cta - 1) * layout_warps(how->rows, how->pipelined);
    double miss = l->miss_cycles * hit / l->receive_cycles;

    if (how->pipelined) {
        hit = fmax(hit, l->scan_cycles);
        miss = fmax(miss, l->scan_cycles);
    } else if (!how->is_short) {
        hit += l->scan_cycles;
        miss += l->scan_cycles;
    }
    return s->passes * l->pass_cycles + s->hits * hit + misses * miss +
           s->columns * l->queue_cycles * others;
}

double match_matrix_s(const struct matching *l, struct match_layout how,
                      const struct match_search *queues, unsigned nqueues,
                      bool compact)
{
    double cycles = 0;

    for (unsigned i = 0; i < nqueues; i++)
        cycles = fmax(cycles, search_cycles(l, &how, &queues[i]));
    return cycles * how.serial * (compact ? 1 + l->compaction : 1) /
           l->clock_Hz;
}

const struct match_engine matrix_matcher = {
    .summary = "scan and reduce over a matrix, by a CTA of the GPU",
    .on_gpu = true,
};
