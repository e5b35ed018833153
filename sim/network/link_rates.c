/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of links over time, from the engine. */
#include "sim/network/engine_parts.h"
#include "sim/network/rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void engine_keep_rates(struct engine *e, size_t bins)
{
    if (e->ops->keep_rates)
        e->ops->keep_rates(e, bins);
}

void engine_link_rates(const struct engine *e, struct link_rates *out)
{
    const struct rates *r = e->ops->rates ? e->ops->rates(e) : NULL;
    size_t used;

    *out = (struct link_rates){.n = 0};
    if (!r)
        return;
    out->bin_s = rates_width_s(r);
    out->nbins = rates_bins(r);
    out->end_s = engine_now(e);
    out->n = engine_links_used(e, 0, &out->links, &used);
    out->bytes = xcalloc(out->n * out->nbins, sizeof *out->bytes);
    for (size_t i = 0; i < out->n; i++)
        for (size_t b = 0; b < out->nbins; b++)
            out->bytes[i * out->nbins + b] =
                rates_bytes(r, (uint32_t)out->links[i].link, b);
}

struct link_rates link_rates_copy(const struct link_rates *r)
{
    struct link_rates copy = *r;
    size_t bytes = r->n * r->nbins * sizeof *r->bytes;

    copy.links = xcalloc(r->n, sizeof *copy.links);
    copy.bytes = xcalloc(r->n * r->nbins, sizeof *copy.bytes);
    if (r->n) {
        memcpy(copy.links, r->links, r->n * sizeof *r->links);
        memcpy(copy.bytes, r->bytes, bytes);
    }
    return copy;
}

void link_rates_clear(struct link_rates *r)
{
    free(r->links);
    free(r->bytes);
    *r = (struct link_rates){.n = 0};
}

void link_rates_halve(struct link_rates *r)
{
    size_t half = (r->nbins + 1) / 2;

    for (size_t i = 0; i < r->n; i++)
        for (size_t b = 0; b < half; b++) {
            const double *two = &r->bytes[i * r->nbins + 2 * b];
            double second = 2 * b + 1 < r->nbins ? two[1] : 0;
            r->bytes[i * half + b] = two[0] + second;
        }
    r->nbins = half;
    r->bin_s *= 2;
}

double link_rates_to_s(const struct link_rates *r, size_t bin)
{
    double from_s = (double)bin * r->bin_s, to_s = from_s + r->bin_s;

    return r->end_s > from_s ? fmin(to_s, r->end_s) : to_s;
}

double link_rates_of(const struct link_rates *r, size_t link, size_t bin)
{
    return r->bytes[link * r->nbins + bin] /
           (link_rates_to_s(r, bin) - (double)bin * r->bin_s);
}
