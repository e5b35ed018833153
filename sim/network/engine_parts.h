/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_parts.h - what an engine behind engine.h is made of. */
#ifndef SIM_NETWORK_ENGINE_PARTS_H
#define SIM_NETWORK_ENGINE_PARTS_H

#include "sim/network/engine.h"

/* The first member of every engine. */
struct engine {
    const struct engine_kind_ops *ops;
    uint64_t events, max_events; /* callbacks of this run */
};

/* -1 when there was one callback too many. */
int engine_count_event(struct engine *e, struct err *err);

struct engine_kind_ops {
    void (*free)(struct engine *e);
    void (*rewind)(struct engine *e); /* NULL: it cannot */
    void (*set_tolerance)(struct engine *e, double tolerance); /* NULL */
    double (*now)(const struct engine *e);
    void (*after)(struct engine *e, double delay_s, void (*fn)(void *),
                  void *arg);
    void (*flow)(struct engine *e, uint32_t from, uint32_t to, double bytes,
                 double rate_cap_Bps, int nic, void (*fn)(void *), void *arg);
    int (*run)(struct engine *e, struct err *err);
    size_t (*link_count)(const struct engine *e);
    void (*link_use)(const struct engine *e, size_t i, struct link_use *out);
};

struct engine *engine_simgrid_new(const struct machine *m, unsigned nodes,
                                  struct err *err);
struct engine *engine_fluid_new(const struct machine *m, unsigned nodes,
                                struct err *err);

/*
 * The ways of flows over SimGrid's topology, as numbers of links. Starts
 * SimGrid, and so can be made once in a process.
 */
struct routes;
struct routes *routes_new(const struct machine *m, unsigned nodes,
                          struct err *err);
void routes_free(struct routes *r);
/* Fills at most `room` link numbers; returns how many there are. */
size_t routes_find(struct routes *r, uint32_t from, uint32_t to, int nic,
                   uint32_t *links, size_t room);
size_t routes_links(const struct routes *r); /* grows as ways are found */
/* False: the link never holds a flow back, others on its ways do before. */
bool routes_binds(const struct routes *r, uint32_t link);
double routes_bandwidth(const struct routes *r, uint32_t link);
void routes_name(const struct routes *r, uint32_t link, char *name,
                 size_t room);

#endif
