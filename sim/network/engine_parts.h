/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_parts.h - the operations that each engine behind engine.h
 * implements. */
#ifndef SIM_NETWORK_ENGINE_PARTS_H
#define SIM_NETWORK_ENGINE_PARTS_H

#include "sim/network/engine.h"
#include "sim/network/node_routes.h"

struct rates;

/* The base of every engine; it must be the first member. */
struct engine {
    const struct engine_kind_ops *ops;
    uint64_t events, max_events; /* callbacks of this run */
};

/* Counts a callback; fails if there was one too many. */
int engine_count_event(struct engine *e, struct err *err);

struct engine_kind_ops {
    void (*free)(struct engine *e);
    void (*rewind)(struct engine *e); /* NULL if it cannot */
    void (*set_tolerance)(struct engine *e, double tolerance); /* may be NULL */
    double (*now)(const struct engine *e);
    void (*after)(struct engine *e, double delay_s, void (*fn)(void *),
                  void *arg);
    void (*flow)(struct engine *e, uint32_t from, uint32_t to, double bytes,
                 double rate_cap_Bps, int nic, void (*fn)(void *), void *arg);
    int (*run)(struct engine *e, struct err *err);
    size_t (*link_count)(const struct engine *e);
    /* Sets all but the name, because names take the most time. */
    void (*link_use)(const struct engine *e, size_t i, struct link_use *out);
    void (*link_name)(const struct engine *e, size_t i, char *name,
                      size_t room);
    double (*latency_s)(const struct engine *e, uint32_t from, uint32_t to,
                        int nic);
    /* NULL if it does not count. */
    struct solver_work (*solver_work)(const struct engine *e);
    /* NULL if it cannot. */
    bool (*snapshot)(const struct engine *e, struct snapshot *s,
                     uint64_t (*name)(void *user, void *arg), void *user);
    void (*snapshot_carried)(const struct engine *e, struct snapshot *s);
    void (*carry_again)(struct engine *e, const struct snapshot *from,
                        const struct snapshot *to, uint32_t times);
    /* NULL if it cannot fold. */
    size_t (*route)(struct engine *e, uint32_t from, uint32_t to, int nic,
                    enum route_links which, uint32_t *links, size_t room);
    void (*fold)(struct engine *e, const uint32_t *stands);
    void (*add_up_carried)(struct engine *e, const uint32_t *stands);
    void (*forget_carried)(struct engine *e);
    void (*carry)(struct engine *e, uint32_t from, uint32_t to, int nic,
                  double bytes, uint64_t flows);
    /* NULL if it cannot. */
    void (*keep_rates)(struct engine *e, size_t bins);
    /* Returns NULL if rates are not recorded. */
    const struct rates *(*rates)(const struct engine *e);
};

/* Makes a fluid engine; if `alone`, flows share no links. */
struct engine *engine_fluid_new(const struct machine *m,
                                const struct node_routes *node_routes,
                                unsigned nodes, bool alone, struct err *err);

#endif
