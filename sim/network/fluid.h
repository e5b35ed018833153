/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fluid.h - max-min fair rates of flows over links, kept up to date as flows
 * come and go.
 *
 * The allocation is described by one number a link, its level: a flow's rate is
 * the least level on its way, or its own bound, and a link that is full has the
 * level at which its flows just fill it (Bertsekas and Gallager, Data Networks,
 * 6.5.2: progressive filling). A change is relaxed outwards from where it
 * happened, lowest level first, so what it cannot reach costs nothing. All
 * flows that are held back by one link have the same rate, so the link keeps
 * one virtual clock for them (what each has sent since a common start) and one
 * heap of the readings at which they end.
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
/* The rate of a flow that nothing holds back, in bytes per second. */
#define FLUID_INSTANT 1e300

struct fluid;

/*
 * How near to max-min fair. 0 is exact: rates are found anew after every
 * change. With a tolerance a link is left alone while its load is within that
 * part of its bandwidth, so the rates are the exact ones of a network whose
 * bandwidths are off by no more than that; errors do not add up, since the
 * loads are true. A link that is off by more is solved within `tolerance` of
 * the mean duration of flows, or not at all if later changes have put it right
 * by then; at once where it is overloaded by more than 10 tolerances or
 * underused by more than 3. And a flow may be faster than the least level on
 * its way by 4 tolerances, at the cost of others on that link: one that is as
 * near to two bottlenecks as that stays with the one it has.
 */
struct fluid *fluid_new(double tolerance);
void fluid_set_tolerance(struct fluid *net, double tolerance); /* no flows */
void fluid_free(struct fluid *net);

/*
 * The number of a new link, from 0. Its bandwidth may be 0 or infinite. What
 * links of equal level or end are done first is theirs of lower rank, then
 * those that were added earlier.
 */
#define FLUID_NO_RANK UINT32_MAX
uint32_t fluid_add_link(struct fluid *net, double bandwidth_Bps, uint32_t rank);

/*
 * A flow of `bytes` (above 0) over these links (no link twice, at most
 * FLUID_MAX_ROUTE) begins now. cap_Bps 0: no bound of its own. A flow over a
 * link of no bandwidth never ends. Returns its number, used again after it has
 * ended.
 */
uint32_t fluid_start(struct fluid *net, double now_s, const uint32_t *links,
                     size_t nlinks, double bytes, double cap_Bps);

/* When the next flow ends, if none comes before; FLUID_NEVER: none is there.
 * Nothing else will happen before horizon_s (infinite: nothing at all). */
double fluid_next_end(struct fluid *net, double horizon_s);

/* Whether one more flow ends at this same time: found without a change of
 * rates, so that all that end at one instant are taken out before that. */
bool fluid_ends_now(const struct fluid *net, double now_s);

/* Takes out the flow that ends first, at `now_s`, the time that
 * fluid_next_end() returned. The rates of the others are as before until that
 * is asked again. */
uint32_t fluid_end(struct fluid *net, double now_s);

/* What a flow has to go at at_s, a time until which no rate changes. */
double fluid_to_go_B(const struct fluid *net, uint32_t flow, double at_s);

/* What was done since fluid_new(). */
struct solver_work fluid_work(const struct fluid *net);

/* What a flow is and has to go, and all else that rates will depend on. */
struct snapshot;
void fluid_list_flows(const struct fluid *net, uint32_t *flows); /* all */
void fluid_snapshot_flow(const struct fluid *net, struct snapshot *s,
                         uint32_t flow, double now_s);
void fluid_snapshot(const struct fluid *net, struct snapshot *s, double now_s);

/* For tests: the rate of a flow, and whether the invariants hold: no link is
 * over its bandwidth, every flow is at its cap or has a full link where none is
 * faster. */
double fluid_rate(struct fluid *net, uint32_t flow);
bool fluid_check(struct fluid *net, double tolerance);

#endif
