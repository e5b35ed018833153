/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as flows that come and go on links of any bandwidth, none and
 * infinite among them: after each change the rates are those of plain filling,
 * and time never goes back.
 */
#include "sim/network/fluid.h"
#include "tests/plain_filling.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bytes {
    const uint8_t *at, *end;
};

static unsigned next(struct bytes *b)
{
    return b->at < b->end ? *b->at++ : 0;
}

/* From 1 B/s to 10^15, and the two extremes. */
static double bandwidth_of(unsigned byte)
{
    unsigned power = byte / 16;

    if (byte == 0)
        return 0;
    if (byte == 255)
        return INFINITY;
    return (1 + byte % 16) * pow(10, power);
}

static void start(struct fluid *net, struct wanted *f, struct bytes *b,
                  double now)
{
    unsigned links = next(b), cap = next(b), bytes = next(b);

    f->nlinks = 0;
    for (uint32_t l = 0; l < LINKS && f->nlinks < ROUTE; l++)
        if ((links >> l % 8 ^ links * l) & 1)
            f->links[f->nlinks++] = l;
    f->cap = cap % 3 ? 0 : 1 + (double)cap * cap * cap;
    f->there = true;
    f->number = fluid_start(net, now, f->links, f->nlinks,
                            (bytes + 1) * pow(10, bytes % 9), f->cap);
}

/* The next flow to end, if any ever does. */
static double end_one(struct fluid *net, struct wanted *f, double now)
{
    double end = fluid_next_end(net, INFINITY);

    assert(end >= now);
    if (isinf(end))
        return now;
    do {
        uint32_t gone = fluid_end(net, end);
        for (int i = 0; i < FLOWS; i++)
            if (f[i].there && f[i].number == gone)
                f[i].there = false;
    } while (fluid_ends_now(net, end));
    return end;
}

/* With a tolerance no link carries more than that above its bandwidth. */
static void check_loads(struct fluid *net, const struct wanted *f,
                        const double *bandwidth, double tolerance)
{
    double load[LINKS] = {0};

    for (int i = 0; i < FLOWS; i++)
        for (uint32_t k = 0; f[i].there && k < f[i].nlinks; k++)
            load[f[i].links[k]] += fluid_rate(net, f[i].number);
    for (int l = 0; l < LINKS; l++)
        assert(load[l] <= bandwidth[l] * (1 + tolerance + 1e-9));
}

static void compare(struct fluid *net, struct wanted *f,
                    const double *bandwidth)
{
    fill_plainly(f, bandwidth);
    assert(fluid_check(net, 1e-9));
    for (int i = 0; i < FLOWS; i++)
        if (f[i].there) {
            double rate = fluid_rate(net, f[i].number);
            double want = fmin(f[i].rate, FLUID_INSTANT);
            assert(fabs(rate - want) <= 1e-7 * want);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes b = {data, data + size};
    struct wanted f[FLOWS] = {0};
    double bandwidth[LINKS], now = 0;
    double tolerance = next(&b) % 2 * 0.01;
    struct fluid *net = fluid_new(tolerance);

    for (int l = 0; l < LINKS; l++) {
        bandwidth[l] = bandwidth_of(next(&b));
        fluid_add_link(net, bandwidth[l]);
    }
    while (b.at < b.end) {
        struct wanted *w = &f[next(&b) % FLOWS];
        if (w->there)
            now = end_one(net, f, now);
        else
            start(net, w, &b, now);
        if (tolerance > 0)
            check_loads(net, f, bandwidth, tolerance);
        else
            compare(net, f, bandwidth);
    }
    fluid_free(net);
    return 0;
}
