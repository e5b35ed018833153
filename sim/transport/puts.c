/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates puts that a kernel of one GPU starts into the memory of a GPU of
 * another node. */
#include "sim/transport/puts.h"

#include "sim/transport/transport.h"

#include <stdlib.h>

/* Puts of one size, from the first GPU of a node to that of another. */
struct puts {
    struct fabric f;
    struct transfer *puts;
    unsigned n;
    uint64_t bytes;
    double end_s;
};

static void put_ended(void *user, struct transfer *t)
{
    struct puts *r = user;

    r->end_s = fabric_now(t->f);
}

static void put_all(void *arg)
{
    struct puts *r = arg;

    for (unsigned i = 0; i < r->n; i++) {
        struct transfer *t = &r->puts[i];
        *t = (struct transfer){.f = &r->f,
                               .bytes = r->bytes,
                               .to = 1,
                               .to_gpu = r->f.m->ngpus,
                               .puts = 1,
                               .runtime = RUNTIME_SHMEM,
                               .wire_B = (double)r->bytes};
        transports[RUNTIME_SHMEM]->put(t);
    }
}

static int puts_simulate(double *time_s, struct engine *e,
                         const struct machine *m, uint64_t bytes, unsigned n,
                         struct err *err)
{
    static const struct transfer_events events = {.ended = put_ended};
    const unsigned core = machine_gpu_core(m, 0);
    struct puts *r = xcalloc(1, sizeof *r);

    r->puts = xcalloc(n, sizeof *r->puts);
    fabric_init(&r->f, e, m, 2, 1, &core);
    r->f.events = &events;
    r->f.user = r;
    r->n = n;
    r->bytes = bytes;
    engine_after(e, 0, put_all, r);
    int result = engine_run(e, err);
    *time_s = r->end_s;
    fabric_clear(&r->f);
    free(r->puts);
    free(r);
    return result;
}

int puts_time(double *time_s, const struct machine *m, uint64_t bytes,
              unsigned n, struct err *err)
{
    if (m->network.nodes < 2 || !(machine_put_s(m) > 0))
        return fail(err, "%s has no messages of GPUs off node", m->name);
    struct engine *e = engine_new(ENGINE_FLUID, m, 2, err);
    if (!e)
        return -1;
    int result = puts_simulate(time_s, e, m, bytes, n, err);
    engine_free(e);
    return result;
}
