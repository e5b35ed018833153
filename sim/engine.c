/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine_parts.h"

#include <assert.h>

const char *const engine_kind_names[NENGINES] = {"simgrid", "fluid"};

uint32_t engine_core(const struct machine *m, unsigned node, unsigned core)
{
    assert(core < m->ncores);
    return node * (m->ncores + m->ngpus) + core;
}

uint32_t engine_gpu(const struct machine *m, unsigned node, unsigned gpu)
{
    assert(gpu < m->ngpus);
    return node * (m->ncores + m->ngpus) + m->ncores + gpu;
}

struct engine *engine_new(enum engine_kind kind, double tolerance,
                          const struct machine *m, unsigned nodes,
                          struct err *err)
{
    return kind == ENGINE_FLUID ? engine_fluid_new(m, nodes, tolerance, err)
                                : engine_simgrid_new(m, nodes, err);
}

void engine_free(struct engine *e)
{
    e->ops->free(e);
}

void engine_rewind(struct engine *e)
{
    if (e->ops->rewind)
        e->ops->rewind(e);
}

double engine_now(const struct engine *e)
{
    return e->ops->now(e);
}

void engine_after(struct engine *e, double delay_s, void (*fn)(void *),
                  void *arg)
{
    e->ops->after(e, delay_s, fn, arg);
}

void engine_flow(struct engine *e, uint32_t from, uint32_t to, double bytes,
                 double rate_cap_Bps, int nic, void (*fn)(void *), void *arg)
{
    e->ops->flow(e, from, to, bytes, rate_cap_Bps, nic, fn, arg);
}

int engine_run(struct engine *e, struct err *err)
{
    return e->ops->run(e, err);
}

size_t engine_link_count(const struct engine *e)
{
    return e->ops->link_count(e);
}

void engine_link_use(const struct engine *e, size_t i, struct link_use *out)
{
    e->ops->link_use(e, i, out);
}
