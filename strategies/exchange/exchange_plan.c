/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the plans of strategies: checks that machine and halo fit, assigns
 * ranks to GPUs, and follows the route. */
#include "sim/plan/plan_check.h"
#include "strategies/exchange/exchange.h"
#include "strategies/exchange/rounds.h"

#include <stdlib.h>
#include <string.h>

static int exchange_check_paths(const struct exchange *x, struct err *err)
{
    const struct machine *m = x->m;
    enum msg_path path = machine_gpu_path(m);
    size_t segments = 0;

    if (x->host)
        return 0;
    if (!x->device && !m->copies.nrows)
        return fail(err, "%s has no copies between host and GPU", m->name);
    for (int where = 0; where < NLOCALITIES; where++)
        segments += m->messages[RUNTIME_MPI][path][where].nsegments;
    if (x->device && !segments)
        return fail(err, "%s has no messages from GPU memory (%s)", m->name,
                    msg_path_names[path]);
    return 0;
}

static int exchange_check(const struct exchange *x, struct err *err)
{
    const struct machine *m = x->m;
    const struct halo *h = x->halo;

    if (!h->ngpus || h->gpus_per_node != m->ngpus)
        return fail(err, "the halo has %u GPUs per node, %s has %u",
                    h->gpus_per_node, m->name, m->ngpus);
    if (m->ngpus > HALO_MAX_GPUS_PER_NODE)
        return fail(err, "%s has %u GPUs per node, at most %d can be served",
                    m->name, m->ngpus, HALO_MAX_GPUS_PER_NODE);
    if (halo_nodes(h) > m->network.nodes)
        return fail(err, "%u GPUs need %u nodes, %s has %u", h->ngpus,
                    halo_nodes(h), m->name, m->network.nodes);
    if (x->options->ranks_per_node > m->ncores)
        return fail(err, "%u ranks per node wanted, %s has %u cores",
                    x->options->ranks_per_node, m->name, m->ncores);
    return exchange_check_paths(x, err);
}

/* Divides the ranks of a socket evenly among its GPUs. Fails if there are fewer
 * ranks than GPUs. */
static int exchange_serve_socket(struct exchange *x, unsigned socket,
                                 struct err *err)
{
    unsigned ranks = 0, base = 0, gpus = 0, nth = 0;

    for (unsigned r = x->plan->ranks_per_node; r-- > 0;)
        if (machine_core_socket(x->m, x->plan->core[r]) == socket) {
            ranks++;
            base = r;
        }
    for (unsigned g = 0; g < x->m->ngpus; g++)
        gpus += machine_gpu(x->m, g)->socket == socket;
    if (!gpus)
        return 0;
    if (ranks < gpus)
        return fail(err, "socket %u of %s has %u GPUs, but %u of %u ranks",
                    socket, x->m->name, gpus, ranks, x->plan->ranks_per_node);
    for (unsigned g = 0; g < x->m->ngpus; g++) {
        if (machine_gpu(x->m, g)->socket != socket)
            continue;
        unsigned begin = nth * ranks / gpus, end = (nth + 1) * ranks / gpus;
        x->first[g] = base + begin;
        x->share[g] = end - begin;
        nth++;
    }
    return 0;
}

static int exchange_serve(struct exchange *x, struct err *err)
{
    for (unsigned r = 0; r < x->plan->ranks_per_node; r++)
        if (x->plan->core[r] >= x->m->ncores)
            return fail(err, "%u ranks do not spread over the sockets of %s",
                        x->plan->ranks_per_node, x->m->name);
    for (unsigned s = 0; s < x->m->nsockets; s++)
        if (exchange_serve_socket(x, s, err) < 0)
            return -1;
    return 0;
}

static void exchange_clear(struct exchange *x)
{
    parcels_clear(&x->parcels);
    parcels_clear(&x->packed);
    free(x->scratch);
}

static int exchange_make(struct exchange *x,
                         int (*route)(struct exchange *x, struct err *err),
                         struct err *err)
{
    if (exchange_serve(x, err) < 0 || route(x, err) < 0)
        return -1;
    exchange_copy_in(x);
    return plan_check(x->plan, x->m, err);
}

static int exchange_route_plan(const struct strategy *s, struct plan *plan,
                               const struct machine *m, const struct halo *halo,
                               const struct strategy_options *options,
                               struct err *err)
{
    struct exchange x = {.plan = plan,
                         .m = m,
                         .halo = halo,
                         .options = options,
                         .device = s->device_aware};

    memset(plan, 0, sizeof *plan);
    if (exchange_check(&x, err) < 0)
        return -1;
    plan_init(plan, m, s->name, halo_nodes(halo),
              options->ranks_per_node ? options->ranks_per_node : m->ncores,
              NULL);
    int result = exchange_make(&x, s->route, err);
    exchange_clear(&x);
    if (result < 0)
        plan_clear(plan);
    return result;
}

static int exchange_check_ranks(const struct strategy *s,
                                const struct exchange *x, struct err *err)
{
    if (!s->route)
        return fail(err, "not for ranks in place of GPUs");
    if (x->host && s->device_aware)
        return fail(err, "the data are in host memory");
    if (!x->host && x->halo->gpus_per_node > x->m->ngpus)
        return fail(err, "%u ranks with a GPU each on a node; %s has %u GPUs",
                    x->halo->gpus_per_node, x->m->name, x->m->ngpus);
    return exchange_check_paths(x, err);
}

int strategy_plan_ranks(const struct strategy *s, struct plan *plan,
                        const struct machine *m, const struct halo *halo,
                        const uint32_t *on_node, bool host,
                        const struct strategy_options *options, struct err *err)
{
    struct exchange x = {.plan = plan,
                         .m = m,
                         .halo = halo,
                         .options = options,
                         .device = s->device_aware,
                         .alone = true,
                         .host = host,
                         .on_node = on_node};

    memset(plan, 0, sizeof *plan);
    if (exchange_check_ranks(s, &x, err) < 0)
        return fail_in(err, "%s", s->name);
    plan_init(plan, m, s->name, halo_nodes(halo), halo->gpus_per_node, NULL);
    int result = s->route(&x, err);
    if (result == 0)
        exchange_copy_in(&x);
    exchange_clear(&x);
    if (result == 0)
        return 0;
    plan_clear(plan);
    return fail_in(err, "%s", s->name);
}

static int exchange_plan_round(const struct strategy *s, struct plan *plan,
                               const struct machine *m, const struct halo *halo,
                               const struct strategy_options *options,
                               struct err *err)
{
    return s->route ? exchange_route_plan(s, plan, m, halo, options, err)
                    : s->plan(plan, m, halo, options, err);
}

int strategy_plan(const struct strategy *s, struct plan *plan,
                  const struct machine *m, const struct halo *halo,
                  const struct strategy_options *options, struct err *err)
{
    int result =
        halo->nrounds > 1
            ? rounds_plan(exchange_plan_round, s, plan, m, halo, options, err)
            : exchange_plan_round(s, plan, m, halo, options, err);

    return result < 0 ? fail_in(err, "%s", s->name) : 0;
}
