/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rates.h - what links carry in time, in so many equal bins whatever the time
 * will be: when it passes the last one, the bins double their width. Flows are
 * asked what they have to go where a bin ends, so the solver need not know. */
#ifndef SIM_NETWORK_RATES_H
#define SIM_NETWORK_RATES_H

#include "sim/network/fluid.h"

#include <stddef.h>
#include <stdint.h>

struct rates;

/* bins: even. */
struct rates *rates_new(size_t bins);
void rates_free(struct rates *r); /* NULL: nothing */

/* A flow leads over these links, then it begins with so many bytes, under the
 * solver's number; and it ends: all of it has been carried. */
void rates_way(struct rates *r, const uint32_t *links, size_t n);
void rates_begin(struct rates *r, uint32_t flow, double bytes);
void rates_end(struct rates *r, uint32_t flow);

/* Time goes on until now_s, and no rate changes before that. */
void rates_until(struct rates *r, const struct fluid *net, double now_s);

/* Until the last rates_until(): how wide and how many, the last one perhaps cut
 * short; and the bytes in one of them. */
double rates_width_s(const struct rates *r);
size_t rates_bins(const struct rates *r);
double rates_bytes(const struct rates *r, uint32_t link, size_t bin);

#endif
