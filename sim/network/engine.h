/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - simulated time: timers, and flows of bytes that share links
 * max-min fair. Nothing above this header knows what runs below it. */
#ifndef SIM_NETWORK_ENGINE_H
#define SIM_NETWORK_ENGINE_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/network/solver_work.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct engine;

/* The same model twice: SimGrid, the reference, and our own solver (fluid.h)
 * and routes (routes.h). And without sharing: every flow is as fast as if it
 * were alone on its way, as in the LogP models; nothing waits but for CPUs,
 * copy engines and NICs. */
enum engine_kind { ENGINE_SIMGRID, ENGINE_FLUID, ENGINE_ALONE, NENGINES };
extern const char *const engine_kind_names[NENGINES];

/*
 * An endpoint: a core or a GPU of a node. Cores come first, then GPUs:
 * endpoint = node * (ncores + ngpus) + core, or + ncores + gpu.
 */
uint32_t engine_core(const struct machine *m, unsigned node, unsigned core);
uint32_t engine_gpu(const struct machine *m, unsigned node, unsigned gpu);

/* Loads what engines of a kind need, so that processes which are forked after
 * it have it already. */
int engine_prepare(enum engine_kind kind, struct err *err) MUST_CHECK;

/*
 * The engine for `nodes` nodes of a machine, clock at 0. Borrows the machine
 * for its life. A process, and each of its threads, may have many fluid
 * engines; SimGrid keeps its state in the process, so a process makes one such
 * engine in its life.
 */
struct engine *engine_new(enum engine_kind kind, const struct machine *m,
                          unsigned nodes, struct err *err) MUST_CHECK;
/* The same with the ways inside the machine's nodes (node_ways.h), found before
 * and borrowed; of another machine or NULL: found anew. */
struct node_ways;
struct engine *engine_new_with(enum engine_kind kind, const struct machine *m,
                               const struct node_ways *ways, unsigned nodes,
                               struct err *err) MUST_CHECK;
void engine_free(struct engine *e);

/* While nothing runs. The fluid engine's tolerance (fluid.h), 0 (exact) until
 * then; and how many callbacks a run may make before it is ended as one that
 * never ends, UINT64_MAX until then. */
void engine_set_tolerance(struct engine *e, double tolerance);
void engine_set_max_events(struct engine *e, uint64_t most);

/* Between runs: the fluid engine's clock goes back to 0 and what was before is
 * forgotten, so that a run does not depend, in its rounding and in what the
 * rounding decides, on those before it. SimGrid's clock only goes on. */
void engine_rewind(struct engine *e);

double engine_now(const struct engine *e);

/* fn(arg) at now + delay_s (not below 0). Equal times: in order of the calls.
 */
void engine_after(struct engine *e, double delay_s, void (*fn)(void *),
                  void *arg);

/*
 * Bytes start to flow now from one endpoint to another; fn(arg) when the last
 * one is there. rate_cap_Bps bounds this flow's rate (0: no bound), nic is
 * NIC_OF_SOCKET or a NIC index, used only between nodes; or BY_CACHE on one. No
 * latency: that is the caller's (engine_after), so that sharing stays max-min
 * fair. 0 bytes take no time.
 */
void engine_flow(struct engine *e, uint32_t from, uint32_t to, double bytes,
                 double rate_cap_Bps, int nic, void (*fn)(void *), void *arg);

/* What the switches between two endpoints add to a message's latency, by that
 * NIC (network.hop_ns). The caller's to wait for, as all latency. */
double engine_latency_s(const struct engine *e, uint32_t from, uint32_t to,
                        int nic);

/* Runs until nothing is left to happen. Fails when a flow never ends, or after
 * too many callbacks. */
int engine_run(struct engine *e, struct err *err) MUST_CHECK;

/*
 * Writes all that is still to happen, and all that rates will depend on, while
 * a timer's callback runs. name(user, arg) is a number for what a callback will
 * be given. False: the engine cannot, or what it does next depends on more.
 */
struct snapshot;
bool engine_snapshot(const struct engine *e, struct snapshot *s,
                     uint64_t (*name)(void *user, void *arg), void *user);

/* What each link has carried until now; and as if what it carried between two
 * such moments had come `times` times more. */
void engine_snapshot_carried(const struct engine *e, struct snapshot *s);
void engine_carry_again(struct engine *e, const struct snapshot *from,
                        const struct snapshot *to, uint32_t times);

/* Links, for reports: every direction of every wire, with what it carried. */
enum { LINK_NAME = 96 }; /* room for any link of a dragonfly */
struct link_use {
    char name[LINK_NAME];
    double bandwidth_Bps;
    double bytes;
    uint64_t flows;
    size_t link;   /* its number in its engine */
    unsigned node; /* that it is in; NODE_NONE: the network, or not known */
    bool joins;    /* these routers; else they are not known, or in its name */
    uint32_t routers[2];
};
#define NODE_NONE UINT_MAX
size_t engine_link_count(const struct engine *e);
void engine_link_use(const struct engine *e, size_t i, struct link_use *out);
/* Those that carried anything, most utilised first: at most `most` of them are
 * listed, 0: all; equally utilised ones by name. Returns how many are listed,
 * *used is how many there are. The caller frees the list. */
size_t engine_links_used(const struct engine *e, size_t most,
                         struct link_use **out, size_t *used);

/*
 * What links carry over time: while nothing runs it is asked for, in at most so
 * many equal bins (an even number). The fluid engine alone can; with others
 * there is nothing of any link.
 */
void engine_keep_rates(struct engine *e, size_t bins);
struct link_rates {
    double bin_s, end_s; /* of each bin; of the run */
    size_t nbins;
    struct link_use *links; /* that carried anything, most utilised first */
    size_t n;
    double *bytes; /* of each link, in all bins */
};
void engine_link_rates(const struct engine *e, struct link_rates *out);
struct link_rates link_rates_copy(const struct link_rates *r);
void link_rates_clear(struct link_rates *r);
/* Two bins become one. */
void link_rates_halve(struct link_rates *r);
/* Bytes per second in a bin, which ends then: the last with the run. */
double link_rates_of(const struct link_rates *r, size_t link, size_t bin);
double link_rates_to_s(const struct link_rates *r, size_t bin);

/* What the solver did since the clock was 0; SimGrid's is not counted: 0. */
struct solver_work engine_solver_work(const struct engine *e);

#endif
