/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fluid.h - max-min fair rates of flows over links, updated as flows start and
 * end.
 *
 * The allocation is described by one number for each link, its level. A flow's
 * rate is the least level on its route, or its own bound, and a link that is
 * full has the level at which its flows just fill it (Bertsekas and Gallager,
 * Data Networks, 6.5.2: progressive filling). A change is relaxed outwards from
 * its link, lowest level first, so links that it cannot reach cost nothing. All
 * flows that are limited by one link have the same rate. So the link keeps one
 * virtual clock for them (the bytes that each has sent since a common start)
 * and one heap of the readings at which they end.
 */
#ifndef SIM_NETWORK_FLUID_H
#define SIM_NETWORK_FLUID_H

#include "sim/network/solver_work.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLUID_MAX_ROUTE 32
#define FLUID_NEVER INFINITY
/* The rate, in bytes per second, of a flow that no link or bound limits. */
#define FLUID_INSTANT 1e300

struct fluid;

/*
 * Returns a solver. The tolerance is the accepted deviation from max-min
 * fairness. With 0 it is exact: rates are solved after every change. With a
 * tolerance a link is not solved while its load is within that fraction of its
 * bandwidth. So the rates are the exact ones of a network whose bandwidths
 * differ by no more than that; errors do not accumulate, because the loads are
 * exact. A link that is off by more is solved within `tolerance` of the mean
 * duration of flows, or not at all if later changes have corrected it by then.
 * It is solved at once if it is overloaded by more than 10 tolerances or
 * underused by more than 3. A flow may be faster than the least level on its
 * route by 4 tolerances, at the cost of others on that link, because a flow
 * whose two bottlenecks are that close stays with the one that it has.
 */
struct fluid *fluid_new(double tolerance);
/* Sets the tolerance while there are no flows. */
void fluid_set_tolerance(struct fluid *net, double tolerance);
void fluid_free(struct fluid *net);

/* Adds a link and returns its number, from 0. Its bandwidth may be 0 or
 * infinite. Among links of equal level or end, those of lower rank are handled
 * first, then those that were added earlier. */
#define FLUID_NO_RANK UINT32_MAX
uint32_t fluid_add_link(struct fluid *net, double bandwidth_Bps, uint32_t rank);

/* Starts a flow of `bytes` (above 0) over these links (no link twice, at most
 * FLUID_MAX_ROUTE). If cap_Bps is 0, it has no bound of its own. A flow over a
 * link without bandwidth never ends. Returns its number, which is reused after
 * it has ended. */
uint32_t fluid_start(struct fluid *net, double now_s, const uint32_t *links,
                     size_t nlinks, double bytes, double cap_Bps);

/* Returns the time at which the next flow ends if no flow starts before, or
 * FLUID_NEVER if there is none. The caller states that no other event comes
 * before horizon_s (infinite: none at all). */
double fluid_next_end(struct fluid *net, double horizon_s);

/* Returns whether another flow ends at this same time. This changes no rates,
 * so that all flows that end at one instant are removed before rates change. */
bool fluid_ends_now(const struct fluid *net, double now_s);

/* Removes the flow that ends first, at `now_s`, the time that fluid_next_end()
 * returned. The rates of the others stay as they are until that function is
 * called again. */
uint32_t fluid_end(struct fluid *net, double now_s);

/* Returns the remaining bytes of a flow at at_s, up to which no rate may
 * change. */
double fluid_to_go_B(const struct fluid *net, uint32_t flow, double at_s);

/* Returns the work since fluid_new(). */
struct solver_work fluid_work(const struct fluid *net);

/* Write a flow with its remaining bytes, and all other state on which rates
 * will depend. */
struct snapshot;
/* Fills in the numbers of all flows. */
void fluid_list_flows(const struct fluid *net, uint32_t *flows);
void fluid_snapshot_flow(const struct fluid *net, struct snapshot *s,
                         uint32_t flow, double now_s);
void fluid_snapshot(const struct fluid *net, struct snapshot *s, double now_s);

/* For tests: return the rate of a flow, and whether the invariants hold: no
 * link is over its bandwidth, and every flow is at its cap or has a full link
 * on which no flow is faster. */
double fluid_rate(struct fluid *net, uint32_t flow);
bool fluid_check(struct fluid *net, double tolerance);

#endif
