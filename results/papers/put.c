/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPU-initiated puts to another node, for Fig 4 of Chen et al. 2022. */
#include "results/papers/put.h"

#include "sim/transport/transport.h"

#include <stdlib.h>

/* Puts of one size, from the first GPU of a node to that of another. */
struct run {
    struct fabric f;
    struct transfer puts[PUTS_STREAMED];
    unsigned n;
    uint64_t bytes;
    double end_s;
};

static void put_ended(void *user, struct transfer *t)
{
    struct run *r = user;

    r->end_s = fabric_now(t->f);
}

static void put_all(void *arg)
{
    struct run *r = arg;

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

static int time_puts(double *s, struct engine *e, const struct machine *m,
                     uint64_t bytes, unsigned n, struct err *err)
{
    static const struct transfer_events events = {.ended = put_ended};
    const unsigned core = machine_gpu_core(m, 0);
    struct run *r = xcalloc(1, sizeof *r);

    engine_rewind(e);
    fabric_init(&r->f, e, m, 2, 1, &core);
    r->f.events = &events;
    r->f.user = r;
    r->n = n;
    r->bytes = bytes;
    engine_after(e, 0, put_all, r);
    int result = engine_run(e, err);
    *s = r->end_s;
    fabric_clear(&r->f);
    free(r);
    return result;
}

int put_measure(struct put_times *times, const struct machine *m,
                struct err *err)
{
    if (m->network.nodes < 2 || !(machine_put_s(m) > 0))
        return fail(err, "%s has no messages of GPUs off node", m->name);

    struct engine *e = engine_new(ENGINE_FLUID, m, 2, err);
    int result = e ? 0 : -1;

    /* The fence is passed once the bytes are there. The counter is another put,
     * of 8 B, whose time on the wire is negligible compared with its
     * latency. */
    times->counting_s = machine_put_s(m);
    for (int i = 0; i < PUT_SIZES && result == 0; i++) {
        result =
            time_puts(&times->blocking_s[i], e, m, UINT64_C(1) << i, 1, err);
        times->blocking_s[i] += times->counting_s;
        if (result == 0)
            result = time_puts(&times->streaming_s[i], e, m, UINT64_C(1) << i,
                               PUTS_STREAMED, err);
    }
    if (e)
        engine_free(e);
    return result;
}
