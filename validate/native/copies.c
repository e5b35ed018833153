/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies between host and GPU memory, or between GPUs, by one rank. */
#include "validate/native/copies.h"

#include "base/seconds.h"
#include "validate/native/pattern.h"

#include <string.h>

static bool real(const struct native *n)
{
    return n->gpu != &gpu_host_api;
}

int copies_gpus(unsigned *out, const struct native *n, unsigned asked,
                struct err *err)
{
    if (real(n) && asked > n->gpu->count)
        return fail(err, "--gpus %u: there are %u", asked, n->gpu->count);
    *out = asked ? asked : real(n) ? n->gpu->count : COPIES_GPUS;
    return 0;
}

static int allocate(struct copies *c, unsigned gpu, int peer, uint64_t bytes,
                    struct err *err)
{
    const struct gpu_api *api = c->n->gpu;

    if (peer >= 0) {
        if (api->use((unsigned)peer, err) < 0)
            return -1;
        c->peer = api->device_new(bytes, err);
        if (!c->peer)
            return -1;
    }
    if (api->use(gpu, err) < 0 ||
        (peer >= 0 && api->reach && api->reach((unsigned)peer, err) < 0))
        return -1;
    c->device = api->device_new(bytes, err);
    if (!c->device)
        return -1;
    c->host = api->host_new(bytes, err);
    return c->host ? api->stream_new(&c->stream, err) : -1;
}

int copies_init(struct copies *c, const struct native *n, bool active,
                unsigned gpu, int peer, uint64_t bytes, struct err *err)
{
    *c = (struct copies){.n = n, .active = active};
    int result = active ? allocate(c, gpu, peer, bytes, err) : 0;
    if (native_agree(n, result, err) < 0) {
        copies_clear(c);
        return -1;
    }
    return 0;
}

void copies_clear(struct copies *c)
{
    const struct gpu_api *api = c->n->gpu;

    if (c->stream)
        api->stream_free(c->stream);
    if (c->host)
        api->host_free(c->host);
    if (c->device)
        api->device_free(c->device);
    if (c->peer)
        api->device_free(c->peer);
    memset(c, 0, sizeof *c);
}

static void *source(const struct copies *c)
{
    return c->dir == H2D ? c->host : c->device;
}

static void *target(const struct copies *c)
{
    return c->dir == H2D ? c->device : c->dir == D2H ? c->host : c->peer;
}

static void copy_once(const struct copies *c)
{
    DIE_TRY(c->n->gpu->copy(target(c), source(c), c->bytes, c->stream, DIE));
    DIE_TRY(c->n->gpu->wait(c->stream, DIE));
}

double copies_batch(void *arg, unsigned iterations)
{
    const struct copies *c = arg;

    if (!c->active)
        return 0;
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++)
        copy_once(c);
    return (seconds() - begin) / (double)iterations;
}

void copies_check(const struct copies *c)
{
    if (!c->active)
        return;
    pattern_fill(c->n, source(c), c->bytes, (uint64_t)c->n->rank);
    pattern_wipe(c->n, target(c), c->bytes);
    copy_once(c);
    pattern_check(c->n, target(c), c->bytes, (uint64_t)c->n->rank,
                  copy_dir_names[c->dir]);
}
