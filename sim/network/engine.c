/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the engine interface that all engines share: numbers of
 * endpoints, the event limit, the use of links. */
#include "sim/network/engine_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *const engine_kind_names[NENGINES] = {"simgrid", "fluid", "alone"};

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

void engine_set_tolerance(struct engine *e, double tolerance)
{
    if (e->ops->set_tolerance)
        e->ops->set_tolerance(e, tolerance);
}

void engine_set_max_events(struct engine *e, uint64_t most)
{
    e->max_events = most;
}

int engine_count_event(struct engine *e, struct err *err)
{
    if (e->events++ < e->max_events)
        return 0;
    return fail_work(err,
                     "more than %llu events, at %g s of simulated time: does "
                     "it ever end? (--max-events allows more)",
                     (unsigned long long)e->max_events, engine_now(e));
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

double engine_latency_s(const struct engine *e, uint32_t from, uint32_t to,
                        int nic)
{
    return e->ops->latency_s(e, from, to, nic);
}

int engine_run(struct engine *e, struct err *err)
{
    e->events = 0;
    return e->ops->run(e, err);
}

size_t engine_link_count(const struct engine *e)
{
    return e->ops->link_count(e);
}

void engine_link_use(const struct engine *e, size_t i, struct link_use *out)
{
    e->ops->link_use(e, i, out);
    out->link = i;
    e->ops->link_name(e, i, out->name, sizeof out->name);
}

bool engine_snapshot(const struct engine *e, struct snapshot *s,
                     uint64_t (*name)(void *user, void *arg), void *user)
{
    return e->ops->snapshot && e->ops->snapshot(e, s, name, user);
}

void engine_snapshot_carried(const struct engine *e, struct snapshot *s)
{
    if (e->ops->snapshot_carried)
        e->ops->snapshot_carried(e, s);
}

void engine_carry_again(struct engine *e, const struct snapshot *from,
                        const struct snapshot *to, uint32_t times)
{
    if (e->ops->carry_again)
        e->ops->carry_again(e, from, to, times);
}

size_t engine_route(struct engine *e, uint32_t from, uint32_t to, int nic,
                    enum route_links which, uint32_t *links, size_t room)
{
    return e->ops->route ? e->ops->route(e, from, to, nic, which, links, room)
                         : 0;
}

void engine_fold(struct engine *e, const uint32_t *stands)
{
    e->ops->fold(e, stands);
}

void engine_add_up_carried(struct engine *e, const uint32_t *stands)
{
    e->ops->add_up_carried(e, stands);
}

void engine_forget_carried(struct engine *e)
{
    e->ops->forget_carried(e);
}

void engine_carry(struct engine *e, uint32_t from, uint32_t to, int nic,
                  double bytes, uint64_t flows)
{
    e->ops->carry(e, from, to, nic, bytes, flows);
}

struct solver_work engine_solver_work(const struct engine *e)
{
    return e->ops->solver_work ? e->ops->solver_work(e)
                               : (struct solver_work){0};
}

/* --- links used -------------------------------------------------------------
 */

struct used {
    size_t link;
    double utilisation; /* in seconds at full bandwidth */
};

static double engine_utilisation(const struct link_use *l)
{
    return l->bytes / l->bandwidth_Bps;
}

static int by_utilisation(const void *a, const void *b)
{
    const struct link_use *x = a, *y = b;
    double ux = engine_utilisation(x), uy = engine_utilisation(y);

    if (ux != uy)
        return ux > uy ? -1 : 1;
    return strcmp(x->name, y->name);
}

static struct used *engine_used(const struct engine *e, size_t *used)
{
    size_t n = engine_link_count(e);
    struct used *list = xcalloc(n, sizeof *list);
    struct link_use use;

    *used = 0;
    for (size_t i = 0; i < n; i++) {
        e->ops->link_use(e, i, &use);
        if (use.bytes > 0)
            list[(*used)++] = (struct used){i, engine_utilisation(&use)};
    }
    return list;
}

/* Returns the least utilisation among the `most` links with the highest; `most`
 * must be small. */
static double least_of_most(const struct used *list, size_t n, size_t most)
{
    double *top = xcalloc(most, sizeof *top); /* in descending order */

    for (size_t i = 0; i < n; i++) {
        size_t at = most;
        for (; at > 0 && list[i].utilisation > top[at - 1]; at--)
            if (at < most)
                top[at] = top[at - 1];
        if (at < most)
            top[at] = list[i].utilisation;
    }
    double least = top[most - 1];
    free(top);
    return least;
}

size_t engine_links_used(const struct engine *e, size_t most,
                         struct link_use **out, size_t *used)
{
    struct used *list = engine_used(e, used);
    double least = most && most < *used ? least_of_most(list, *used, most) : 0;
    size_t n = 0, listed = 0;

    for (size_t i = 0; i < *used; i++)
        n += list[i].utilisation >= least;
    *out = xcalloc(n, sizeof **out);
    for (size_t i = 0; i < *used; i++)
        if (list[i].utilisation >= least)
            engine_link_use(e, list[i].link, &(*out)[listed++]);
    free(list);
    qsort(*out, n, sizeof **out, by_utilisation);
    if (most && most < n) {
        *out = xrealloc(*out, most, sizeof **out);
        n = most;
    }
    return n;
}
