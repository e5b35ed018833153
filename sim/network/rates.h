/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rates.h - the bytes that links carry over time, in a fixed number of equal
 * bins. If time passes the last bin, all bins double their width. At the end of
 * a bin the flows' remaining bytes are read, so that the solver does not need
 * to know of bins. */
#ifndef SIM_NETWORK_RATES_H
#define SIM_NETWORK_RATES_H

#include "sim/network/fluid.h"

#include <stddef.h>
#include <stdint.h>

struct rates;

/* The number of bins must be even. */
struct rates *rates_new(size_t bins);
void rates_free(struct rates *r); /* does nothing for NULL */

/* rates_route() sets the links of the next flow; rates_begin() starts it with
 * its bytes under the solver's number; rates_end() ends it, after all its bytes
 * have been carried. */
void rates_route(struct rates *r, const uint32_t *links, size_t n);
void rates_begin(struct rates *r, uint32_t flow, double bytes);
void rates_end(struct rates *r, uint32_t flow);

/* Advances time to now_s, before which no rate changes. */
void rates_until(struct rates *r, const struct fluid *net, double now_s);

/* Return the state at the last rates_until(): the width and the number of bins,
 * of which the last may be incomplete, and the bytes of a link in a bin. */
double rates_width_s(const struct rates *r);
size_t rates_bins(const struct rates *r);
double rates_bytes(const struct rates *r, uint32_t link, size_t bin);

#endif
