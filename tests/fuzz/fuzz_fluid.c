/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as flows that begin and end on links of any bandwidth, including
 * zero and infinite: the rates, whenever an input asks for them and at the end,
 * are those of plain filling, and time never decreases. Changes between two
 * such questions are solved together, and every prefix of an input is an input
 * as well.
 */
#include "sim/network/fluid.h"
#include "tests/plain_filling.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* These are few, so that flows meet; the test fluid has random networks of all
 * LINKS. */
enum { MOST_LINKS = 8, MOST_FLOWS = 24, MOST_BYTES = 128, ASK = 224 };

struct bytes {
    const uint8_t *at, *end;
};

static unsigned next(struct bytes *b)
{
    return b->at < b->end ? *b->at++ : 0;
}

/* Returns a bandwidth from 1 B/s to 10^15, or one of the two extremes. */
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
    for (uint32_t l = 0; l < MOST_LINKS && f->nlinks < ROUTE; l++)
        if (links >> l & 1)
            f->links[f->nlinks++] = l;
    f->cap = cap % 3 ? 0 : 1 + (double)cap * cap * cap;
    f->there = true;
    f->number = fluid_start(net, now, f->links, f->nlinks,
                            (bytes + 1) * pow(10, bytes % 9), f->cap);
}

/* Ends the next flow to end, if any ever does; returns the time. */
static double end_one(struct fluid *net, struct wanted *f, double now)
{
    double end = fluid_next_end(net, INFINITY);

    assert(end >= now);
    if (isinf(end))
        return now;
    do {
        uint32_t gone = fluid_end(net, end);
        for (int i = 0; i < MOST_FLOWS; i++)
            if (f[i].there && f[i].number == gone)
                f[i].there = false;
    } while (fluid_ends_now(net, end));
    return end;
}

/* Checks that with a tolerance no link carries more than that above its
 * bandwidth, a full one no less than that below, and no flow is faster than the
 * least level on its route by more than four times that. */
static void check_loads(struct fluid *net, const struct wanted *f,
                        const double *bandwidth, double tolerance)
{
    double load[LINKS] = {0};

    for (int i = 0; i < MOST_FLOWS; i++)
        for (uint32_t k = 0; f[i].there && k < f[i].nlinks; k++)
            load[f[i].links[k]] += fluid_rate(net, f[i].number);
    for (int l = 0; l < MOST_LINKS; l++)
        assert(load[l] <= bandwidth[l] * (1 + tolerance + 1e-9));
    assert(fluid_check(net, 4.1 * tolerance));
}

static void compare(struct fluid *net, struct wanted *f,
                    const double *bandwidth)
{
    fill_plainly(f, MOST_FLOWS, bandwidth, MOST_LINKS);
    assert(fluid_check(net, 1e-9));
    for (int i = 0; i < MOST_FLOWS; i++)
        if (f[i].there) {
            double rate = fluid_rate(net, f[i].number);
            double want = fmin(f[i].rate, FLUID_INSTANT);
            assert(fabs(rate - want) <= 1e-7 * want);
        }
}

static void check(struct fluid *net, struct wanted *f, const double *bandwidth,
                  double tolerance)
{
    if (tolerance > 0)
        check_loads(net, f, bandwidth, tolerance);
    else
        compare(net, f, bandwidth);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes b = {data, data + (size < MOST_BYTES ? size : MOST_BYTES)};
    struct wanted f[MOST_FLOWS] = {0};
    double bandwidth[MOST_LINKS], now = 0;
    double tolerance = next(&b) % 2 * 0.01;
    struct fluid *net = fluid_new(tolerance);

    for (int l = 0; l < MOST_LINKS; l++) {
        bandwidth[l] = bandwidth_of(next(&b));
        fluid_add_link(net, bandwidth[l], FLUID_NO_RANK);
    }
    while (b.at < b.end) {
        unsigned what = next(&b);
        struct wanted *w = &f[what % MOST_FLOWS];
        if (what >= ASK)
            check(net, f, bandwidth, tolerance);
        else if (w->there)
            now = end_one(net, f, now);
        else
            start(net, w, &b, now);
    }
    check(net, f, bandwidth, tolerance);
    fluid_free(net);
    return 0;
}
