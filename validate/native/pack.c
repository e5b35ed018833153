/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers values into a buffer that is sent, and scatters those of one that was
 * received: by a GPU's kernel, or by the CPU. */
#include "validate/native/bench.h"
#include "validate/native/mps.h"

#include "base/seconds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE = 8, MOST_STRIDE = 4 };
static const unsigned strides[] = {1, MOST_STRIDE};
enum { NSTRIDES = sizeof strides / sizeof strides[0] };

struct pack {
    const struct native *n;
    const struct bench_options *o;
    struct table *t;
    int most; /* most ranks at once */

    /* The memory that is measured: a GPU's, or the host's. */
    const struct gpu_api *api;
    uint64_t *spread, *dense; /* values at their places; contiguous values */
    uint32_t *index;          /* place in `spread` of each value of `dense` */
    void *stream;

    /* The current point. */
    bool active, back;
    size_t values;
};

static void pack_once(const struct pack *b)
{
    DIE_TRY(b->api->gather(b->back ? b->spread : b->dense,
                           b->back ? b->dense : b->spread, b->index, b->values,
                           b->back, b->stream, DIE));
    DIE_TRY(b->api->wait(b->stream, DIE));
}

static double pack_batch(void *arg, unsigned iterations)
{
    const struct pack *b = arg;

    if (!b->active)
        return 0;
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++)
        pack_once(b);
    return (seconds() - begin) / (double)iterations;
}

/* --- known values --------------------------------------------------------- */

static void move(const struct pack *b, void *to, const void *from, size_t bytes)
{
    DIE_TRY(b->api->copy(to, from, bytes, b->stream, DIE));
    DIE_TRY(b->api->wait(b->stream, DIE));
}

static void set_index(const struct pack *b, unsigned stride)
{
    uint32_t *index = xcalloc(b->values, sizeof *index);

    for (size_t i = 0; i < b->values; i++)
        index[i] = (uint32_t)(i * stride);
    move(b, b->index, index, b->values * sizeof *index);
    free(index);
}

/* Returns the known value at place `at` of `spread`. */
static uint64_t value_of(size_t at)
{
    return (at + 1) * 0x9e3779b97f4a7c15u;
}

static void pack_check(struct pack *b, unsigned stride)
{
    size_t n = b->values, all = n * stride;
    uint64_t *values = xcalloc(all, sizeof *values);

    for (size_t i = 0; i < all; i++)
        values[i] = value_of(i);
    if (b->n->breaks == BREAK_CORRUPT)
        values[0] ^= 1;
    move(b, b->spread, values, all * VALUE);
    b->back = false;
    pack_once(b);
    memset(values, 0, all * VALUE);
    move(b, values, b->dense, n * VALUE);
    for (size_t i = 0; i < n; i++)
        if (values[i] != value_of(i * stride))
            native_die("corrupted data: pack: value %zu of %zu", i, n);
    memset(values, 0, all * VALUE);
    move(b, b->spread, values, all * VALUE);
    b->back = true;
    pack_once(b);
    move(b, values, b->spread, all * VALUE);
    for (size_t i = 0; i < n; i++)
        if (values[i * stride] != value_of(i * stride))
            native_die("corrupted data: unpack: value %zu of %zu", i, n);
    free(values);
}

/* --- points --------------------------------------------------------------- */

static void pack_point(struct pack *b, const char *device, int ranks,
                       unsigned stride)
{
    const struct repeat how = {.per_point_s = b->o->native.per_point_s};
    struct samples s;

    b->active = b->n->node == 0 && b->n->local < ranks;
    if (b->active) {
        set_index(b, stride);
        pack_check(b, stride);
    }
    for (int back = 0; back < 2; back++) {
        b->back = back;
        repeat(&s, b->n, &how, pack_batch, b);
        for (size_t i = 0; i < s.n; i++)
            table_row(b->t, "%s,%s,%d,%d,%u,%llu,%u,%.6e", device,
                      back ? "unpack" : "pack", ranks, VALUE, stride,
                      (unsigned long long)(b->values * VALUE), s.iterations,
                      s.s[i]);
        samples_clear(&s);
    }
}

static void pack_points(struct pack *b, const char *device)
{
    const struct sizes *sizes = &b->o->sizes;

    for (int ranks = 1, before = 0; before < b->most; ranks *= 2) {
        before = ranks < b->most ? ranks : b->most;
        for (size_t s = 0; s < NSTRIDES; s++)
            for (uint64_t bytes = sizes->from; bytes <= sizes->to;
                 bytes *= sizes->factor) {
                b->values = bytes / VALUE;
                if (b->values)
                    pack_point(b, device, before, strides[s]);
            }
    }
}

static int pack_memory(struct pack *b, struct err *err)
{
    uint64_t bytes = b->o->sizes.to;

    b->spread = b->api->device_new(bytes * MOST_STRIDE, err);
    if (b->spread)
        b->dense = b->api->device_new(bytes, err);
    if (b->dense)
        b->index = b->api->device_new(bytes / VALUE * sizeof *b->index, err);
    return b->index ? b->api->stream_new(&b->stream, err) : -1;
}

static int pack_with(struct pack *b, const struct gpu_api *api,
                     const char *device, struct err *err)
{
    b->api = api;
    int result = native_agree(b->n, pack_memory(b, err), err);
    if (result == 0)
        pack_points(b, device);
    if (b->stream)
        api->stream_free(b->stream);
    if (b->index)
        api->device_free(b->index);
    if (b->dense)
        api->device_free(b->dense);
    if (b->spread)
        api->device_free(b->spread);
    b->spread = b->dense = NULL;
    b->index = NULL;
    b->stream = NULL;
    return result;
}

static int pack_run(struct pack *b, const char *device, struct err *err)
{
    bool real = b->n->gpu != &gpu_host_api;
    bool cpu = !device || strcmp(device, "gpu") != 0;
    bool gpu = real && (!device || strcmp(device, "cpu") != 0);
    int result = cpu ? pack_with(b, &gpu_host_api, "cpu", err) : 0;

    return result == 0 && gpu ? pack_with(b, b->n->gpu, "gpu", err) : result;
}

static int pack_options(struct pack *b, const char *device, unsigned ranks,
                        struct err *err)
{
    if (device && strcmp(device, "cpu") != 0 && strcmp(device, "gpu") != 0 &&
        strcmp(device, "both") != 0)
        return fail(err, "--device: expected cpu, gpu or both, got '%s'",
                    device);
    if (device && *device != 'c' && b->n->gpu == &gpu_host_api)
        return fail(err, "--device %s: there is no GPU", device);
    if (b->o->sizes.to < VALUE)
        return fail(err, "--sizes: a value has %d bytes", VALUE);
    if (ranks > (unsigned)b->n->per_node)
        return fail(err, "--ranks %u: there are %d ranks on a node", ranks,
                    b->n->per_node);
    b->most = ranks ? (int)ranks : b->n->per_node;
    return 0;
}

int bench_pack(struct native *n, int argc, char **argv, struct err *err)
{
    static const char *const notes[] = {
        "pack: dense[i] = spread[index[i]], unpack: spread[index[i]] = "
        "dense[i], values of value_bytes, index[i] = stride_values i; gpu: one "
        "kernel and the wait for it (cudaStreamSynchronize), cpu: a loop; so "
        "many ranks of one node at once, each with memory of its own, all "
        "other ranks sleep",
        "time_s: elapsed/iterations, maximum over the ranks; the same buffers "
        "each time; one row a batch, after two that do not count",
        NULL};
    unsigned ranks = 0;
    const char *device = NULL, *mps = NULL;
    const struct opt more[] = {
        MPS_OPTION(mps),
        {"device", OPT_TEXT, &device, "WHICH",
         "memory: cpu, gpu or both (both, as far as there is)"},
        {"ranks", OPT_COUNT, &ranks, "N",
         "1, 2, 4, ... up to N ranks at once (ranks of a node)"},
        {0}};
    struct bench_options o = {
        .sizes = {64, 16u << 20, 4},
        .copies = true,
        .about = "Gathers values into a buffer, and brings them back, by 1, 2, "
                 "4, ... ranks at once: "
                 "by a kernel on their GPU, and by the CPU.\n"};
    struct table t;
    struct pack b = {.n = n, .o = &o, .t = &t};
    bool helped;

    if (bench_begin(n, &o, argc, argv, "pack [OPTIONS]", more, &helped, err) <
        0)
        return -1;
    if (helped)
        return 0;
    if (pack_options(&b, device, ranks, err) < 0 ||
        mps_find(&o.native, n, mps, err) < 0 ||
        table_open(&t, n, &o.native,
                   "pack: gathering values into a buffer, and back", notes,
                   "device,operation,ranks,value_bytes,stride_values,bytes,"
                   "iterations,time_s",
                   err) < 0)
        return -1;
    return table_end(&t, n, pack_run(&b, device, err), err);
}
