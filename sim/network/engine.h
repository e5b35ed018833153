/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - simulated time: timers, and flows of bytes that share links
 * max-min fairly. No code above this header depends on the engine below it. */
#ifndef SIM_NETWORK_ENGINE_H
#define SIM_NETWORK_ENGINE_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/network/solver_work.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct engine;

/* SimGrid is the reference; the fluid engine is the same model with our own
 * solver (fluid.h) and routes (routes.h). The third one has no sharing: every
 * flow is as fast as if it were alone on its route, as in the LogP models, so
 * that operations only wait for CPUs, copy engines and NICs. */
enum engine_kind { ENGINE_SIMGRID, ENGINE_FLUID, ENGINE_ALONE, NENGINES };
extern const char *const engine_kind_names[NENGINES];

/* Return an endpoint: a core or a GPU of a node. The cores of a node come
 * before its GPUs: endpoint = node * (ncores + ngpus) + core, or + ncores +
 * gpu. */
uint32_t engine_core(const struct machine *m, unsigned node, unsigned core);
uint32_t engine_gpu(const struct machine *m, unsigned node, unsigned gpu);

/* Loads the libraries of an engine kind, so that processes which are forked
 * later have them already. */
int engine_prepare(enum engine_kind kind, struct err *err) MUST_CHECK;

/* Returns an engine for `nodes` nodes of a machine, with its clock at 0. It
 * borrows the machine for its lifetime. A process, and each of its threads, may
 * have many fluid engines. A process can make only one SimGrid engine in its
 * lifetime, because SimGrid keeps its state in the process. */
struct engine *engine_new(enum engine_kind kind, const struct machine *m,
                          unsigned nodes, struct err *err) MUST_CHECK;
/* Does the same with the routes inside the machine's nodes (node_routes.h),
 * which were found before and are borrowed. If they are of another machine or
 * NULL, they are found anew. */
struct node_routes;
struct engine *engine_new_with(enum engine_kind kind, const struct machine *m,
                               const struct node_routes *node_routes,
                               unsigned nodes, struct err *err) MUST_CHECK;
void engine_free(struct engine *e);

/* Set, between runs, the fluid engine's tolerance (fluid.h), which is 0 (exact)
 * at first, and the number of callbacks after which a run fails as endless,
 * which is UINT64_MAX at first. */
void engine_set_tolerance(struct engine *e, double tolerance);
void engine_set_max_events(struct engine *e, uint64_t most);

/* Sets the fluid engine's clock back to 0 between runs and forgets the past, so
 * that a run does not depend on earlier ones by rounding. SimGrid's clock
 * cannot go back. */
void engine_rewind(struct engine *e);

double engine_now(const struct engine *e);

/* Calls fn(arg) at now + delay_s (at least 0). Callbacks of equal times are in
 * the order of these calls. */
void engine_after(struct engine *e, double delay_s, void (*fn)(void *),
                  void *arg);

/*
 * Starts a flow of bytes from one endpoint to another, and calls fn(arg) when
 * the last byte has arrived. rate_cap_Bps bounds the flow's rate (0: no bound).
 * nic is NIC_OF_SOCKET or the index of a NIC, for flows between nodes, or
 * BY_CACHE within one. The flow has no latency, because that would change the
 * max-min shares; the caller waits for it (engine_after()). 0 bytes take no
 * time.
 */
void engine_flow(struct engine *e, uint32_t from, uint32_t to, double bytes,
                 double rate_cap_Bps, int nic, void (*fn)(void *), void *arg);

/* Returns the latency that the switches between two endpoints add to a message
 * through that NIC (network.hop_ns). The caller has to wait for it, as for all
 * latency. */
double engine_latency_s(const struct engine *e, uint32_t from, uint32_t to,
                        int nic);

/* Runs until no event is left. Fails if a flow never ends, or after too many
 * callbacks. */
int engine_run(struct engine *e, struct err *err) MUST_CHECK;

/* Writes all future events, and all state on which rates will depend, while a
 * timer's callback runs. name(user, arg) returns a number for a callback's
 * argument. Returns false if the engine cannot do that, or if its future
 * depends on more. */
struct snapshot;
bool engine_snapshot(const struct engine *e, struct snapshot *s,
                     uint64_t (*name)(void *user, void *arg), void *user);

/* Write the bytes that each link has carried until now; and add to each link
 * `times` times the bytes that it carried between two such moments. */
void engine_snapshot_carried(const struct engine *e, struct snapshot *s);
void engine_carry_again(struct engine *e, const struct snapshot *from,
                        const struct snapshot *to, uint32_t times);

/* Finds the links of a route, at most `room`, or only those that may limit a
 * flow, and returns their number; 0 if routes depend on the load, or the engine
 * does not tell. */
enum route_links { ROUTE_ALL, ROUTE_LIMITS };
size_t engine_route(struct engine *e, uint32_t from, uint32_t to, int nic,
                    enum route_links which, uint32_t *links, size_t room);
/* From now on a flow over link i takes link stands[i] instead, each such link
 * once. The array is borrowed until the clock is set back. */
void engine_fold(struct engine *e, const uint32_t *stands);
/* Sets the traffic of each link to that of all links for which the same one
 * stands. */
void engine_add_up_carried(struct engine *e, const uint32_t *stands);
/* Set the traffic of all links to 0; and add that of flows, of `bytes` in all,
 * to the links of a route. */
void engine_forget_carried(struct engine *e);
void engine_carry(struct engine *e, uint32_t from, uint32_t to, int nic,
                  double bytes, uint64_t flows);

/* Links, for reports: every direction of every wire, with the bytes that it
 * carried. */
enum { LINK_NAME = 96 }; /* fits any link of a dragonfly */
struct link_use {
    char name[LINK_NAME];
    double bandwidth_Bps;
    double bytes;
    uint64_t flows;
    size_t link; /* its number in the engine */
    /* Its node; NODE_NONE if it is in the network or the node is not known. */
    unsigned node;
    /* Whether `routers` are known; if not, its name may tell them. */
    bool joins;
    uint32_t routers[2];
};
#define NODE_NONE UINT_MAX
size_t engine_link_count(const struct engine *e);
void engine_link_use(const struct engine *e, size_t i, struct link_use *out);
/* Lists the links that carried anything, the most utilised first, equally
 * utilised ones by name: at most `most` of them (0: all). Returns the length of
 * the list, which the caller frees, and sets *used to the number of links that
 * carried anything. */
size_t engine_links_used(const struct engine *e, size_t most,
                         struct link_use **out, size_t *used);

/* Records, from now on, the bytes that links carry over time, in at most `bins`
 * equal bins (an even number); called between runs. Only the fluid engine can
 * do it; other engines report no link. */
void engine_keep_rates(struct engine *e, size_t bins);
struct link_rates {
    double bin_s, end_s; /* width of a bin; end of the run */
    size_t nbins;
    /* Links that carried anything, the most utilised first. */
    struct link_use *links;
    size_t n;
    double *bytes; /* bytes[link * nbins + bin] */
};
void engine_link_rates(const struct engine *e, struct link_rates *out);
struct link_rates link_rates_copy(const struct link_rates *r);
void link_rates_clear(struct link_rates *r);
/* Merges each two bins into one. */
void link_rates_halve(struct link_rates *r);
/* link_rates_of() returns the bytes per second in a bin; link_rates_to_s()
 * returns the end of the bin, which is that of the run for the last one. */
double link_rates_of(const struct link_rates *r, size_t link, size_t bin);
double link_rates_to_s(const struct link_rates *r, size_t bin);

/* Returns the solver's work since the clock was 0; SimGrid's is not counted and
 * returned as 0. */
struct solver_work engine_solver_work(const struct engine *e);

#endif
