/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPU-initiated puts to another node, for Fig 4 of Chen et al. 2022. */
#include "results/papers/put.h"

#include "sim/network/engine.h"

#include <math.h>

/* Puts of one size. */
struct run {
    const struct machine *m;
    struct engine *e;
    double bytes;
    unsigned left; /* to begin */
    double end_s;
};

static void arrived(void *arg)
{
    struct run *r = arg;

    r->end_s = engine_now(r->e);
}

/* The last byte is there, as late as a put of no bytes is. */
static void put_flowed(void *arg)
{
    struct run *r = arg;

    engine_after(r->e, machine_put_s(r->m), arrived, r);
}

static void put_begin(void *arg)
{
    struct run *r = arg;

    engine_flow(r->e, engine_gpu(r->m, 0, 0), engine_gpu(r->m, 1, 0), r->bytes,
                0, NIC_OF_SOCKET, put_flowed, r);
    if (--r->left)
        engine_after(r->e,
                     r->m->nnics ? machine_nic(r->m, 0)->message_gap_s : 0,
                     put_begin, r);
}

static int time_puts(double *s, struct engine *e, const struct machine *m,
                     double bytes, unsigned puts, struct err *err)
{
    struct run r = {m, e, bytes, puts, 0};

    engine_rewind(e);
    double from = engine_now(e);
    engine_after(e, 0, put_begin, &r);
    if (engine_run(e, err) < 0)
        return -1;
    *s = r.end_s - from;
    return 0;
}

int put_measure(struct put_times *times, const struct machine *m,
                struct err *err)
{
    if (m->network.nodes < 2 || !(machine_put_s(m) > 0))
        return fail(err, "%s has no messages of GPUs off node", m->name);

    struct engine *e = engine_new(ENGINE_FLUID, m, 2, err);
    int result = e ? 0 : -1;

    /* The fence is passed when the bytes are there. The counter is another put:
     * of 8 B, whose time on the wire is nothing compared with its latency. */
    times->counting_s = machine_put_s(m);
    for (int i = 0; i < PUT_SIZES && result == 0; i++) {
        result = time_puts(&times->blocking_s[i], e, m, ldexp(1, i), 1, err);
        times->blocking_s[i] += times->counting_s;
        if (result == 0)
            result = time_puts(&times->streaming_s[i], e, m, ldexp(1, i),
                               PUTS_STREAMED, err);
    }
    if (e)
        engine_free(e);
    return result;
}
