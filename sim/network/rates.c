/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds the bytes that flows have carried to bins of time, link by link: at the
 * end of each bin, and at the end of a flow. */
#include "sim/network/rates.h"

#include "base/err.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The initial width of a bin, about 1 ns, because no run needs finer ones. */
#define FIRST_WIDTH_S 0x1p-30

struct rated_flow {
    double left_B;  /* bytes that are in no bin yet */
    uint32_t place; /* index in `running` */
    uint32_t n;
    uint32_t links[FLUID_MAX_ROUTE];
};

struct rates {
    size_t bins, bin; /* bin is the current one */
    double width_s;
    double *bytes; /* bytes[link * bins + bin] */
    size_t nlinks;
    struct rated_flow *flows; /* indexed by number */
    size_t flows_room;
    uint32_t *running; /* their numbers */
    size_t nrunning, running_room;
    struct rated_flow next;
};

struct rates *rates_new(size_t bins)
{
    struct rates *r = xcalloc(1, sizeof *r);

    assert(bins > 0 && bins % 2 == 0);
    r->bins = bins;
    r->width_s = FIRST_WIDTH_S;
    return r;
}

void rates_free(struct rates *r)
{
    if (!r)
        return;
    free(r->bytes);
    free(r->flows);
    free(r->running);
    free(r);
}

static void rates_carry(struct rates *r, struct rated_flow *f, double left_B)
{
    for (uint32_t k = 0; k < f->n; k++)
        r->bytes[f->links[k] * r->bins + r->bin] += f->left_B - left_B;
    f->left_B = left_B;
}

/* --- flows ---------------------------------------------------------------- */

static void rates_know_link(struct rates *r, uint32_t link)
{
    size_t n = 2 * ((size_t)link + 1);

    if (link < r->nlinks)
        return;
    r->bytes = xrealloc(r->bytes, n * r->bins, sizeof *r->bytes);
    memset(&r->bytes[r->nlinks * r->bins], 0,
           (n - r->nlinks) * r->bins * sizeof *r->bytes);
    r->nlinks = n;
}

void rates_route(struct rates *r, const uint32_t *links, size_t n)
{
    assert(n <= FLUID_MAX_ROUTE);
    for (size_t k = 0; k < n; k++)
        rates_know_link(r, links[k]);
    memcpy(r->next.links, links, n * sizeof *links);
    r->next.n = (uint32_t)n;
}

void rates_begin(struct rates *r, uint32_t flow, double bytes)
{
    if (flow >= r->flows_room) {
        r->flows_room = 2 * (size_t)flow + 64;
        r->flows = xrealloc(r->flows, r->flows_room, sizeof *r->flows);
    }
    if (r->nrunning == r->running_room) {
        r->running_room = 2 * r->nrunning + 64;
        r->running = xrealloc(r->running, r->running_room, sizeof *r->running);
    }
    r->next.left_B = bytes;
    r->next.place = (uint32_t)r->nrunning;
    r->flows[flow] = r->next;
    r->running[r->nrunning++] = flow;
}

void rates_end(struct rates *r, uint32_t flow)
{
    struct rated_flow *f = &r->flows[flow];
    uint32_t last = r->running[--r->nrunning];

    rates_carry(r, f, 0);
    r->running[f->place] = last;
    r->flows[last].place = f->place;
}

/* --- time ----------------------------------------------------------------- */

static void rates_double_width(struct rates *r)
{
    size_t half = r->bins / 2;

    for (size_t l = 0; l < r->nlinks; l++) {
        double *bins = &r->bytes[l * r->bins];
        for (size_t i = 0; i < half; i++)
            bins[i] = bins[2 * i] + bins[2 * i + 1];
        memset(&bins[half], 0, half * sizeof *bins);
    }
    r->bin /= 2;
    r->width_s *= 2;
}

void rates_until(struct rates *r, const struct fluid *net, double now_s)
{
    while (now_s > (double)r->bins * r->width_s)
        rates_double_width(r);
    while (r->nrunning && now_s > (double)(r->bin + 1) * r->width_s) {
        double end_s = (double)(r->bin + 1) * r->width_s;
        for (size_t i = 0; i < r->nrunning; i++) {
            struct rated_flow *f = &r->flows[r->running[i]];
            double left_B = fluid_to_go_B(net, r->running[i], end_s);
            rates_carry(r, f, fmin(left_B, f->left_B));
        }
        r->bin++;
    }
    if (!r->nrunning && now_s > (double)(r->bin + 1) * r->width_s)
        r->bin = (size_t)(now_s / r->width_s);
    if (r->bin == r->bins) /* now is the end of the last bin */
        r->bin--;
}

double rates_width_s(const struct rates *r)
{
    return r->width_s;
}

size_t rates_bins(const struct rates *r)
{
    return r->bin + 1;
}

double rates_bytes(const struct rates *r, uint32_t link, size_t bin)
{
    return link < r->nlinks ? r->bytes[link * r->bins + bin] : 0;
}
