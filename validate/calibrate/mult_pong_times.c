/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates mult_pong again and again with other costs of its messages, on two
 * nodes that are made once. */
#include "validate/calibrate/mult_pong_times.h"

#include "sim/network/node_routes.h"
#include "validate/measure/experiment.h"
#include "validate/measure/benchmark.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* The rate of links that limit nothing. */
static const double UNLIMITED_BPS = 1e18;
/* A time is on a line if it deviates by rounding alone. */
static const double ROUNDING = 1e-9;

struct mult_pong {
    struct machine m; /* borrows the next three */
    struct device devices[2];
    struct wire wire;
    struct segment segment;
    struct exec_options options; /* with the routes of the machine */
    struct node_routes *node_routes;
    struct plan *plans; /* by the number of messages; empty until needed */
    unsigned most;
    double *of_size; /* times by the number of messages, of one size */
    struct err err;
    bool failed;
};

/* --- two nodes ------------------------------------------------------------ */

static void make_machine(struct mult_pong *b, double link_Bps)
{
    struct machine *m = &b->m;
    static char name[] = "two nodes", wire[] = "nic";
    static char socket_id[] = "cpu0", nic_id[] = "nic0";

    b->devices[0] = (struct device){.id = socket_id,
                                    .kind = DEVICE_SOCKET,
                                    .cores = b->most,
                                    .gpu = NO_GPU};
    b->devices[1] =
        (struct device){.id = nic_id, .kind = DEVICE_NIC, .gpu = NO_GPU};
    b->wire = (struct wire){
        .type = wire, .ends = {0, 1}, .bandwidth_Bps = UNLIMITED_BPS};
    *m = (struct machine){.name = name,
                          .devices = b->devices,
                          .ndevices = 2,
                          .wires = &b->wire,
                          .nwires = 1,
                          .nsockets = 1,
                          .nnics = 1,
                          .ncores = b->most};
    m->network = (struct network){.topology = TOPOLOGY_CROSSBAR,
                                  .nodes = 2,
                                  .bandwidth_Bps = UNLIMITED_BPS,
                                  .process_Bps = link_Bps};
    m->messages[RUNTIME_MPI][PATH_HOST][OFF_NODE] =
        (struct message_table){.segments = &b->segment, .nsegments = 1};
}

struct mult_pong *mult_pong_new(unsigned most, double link_Bps)
{
    struct mult_pong *b = xcalloc(1, sizeof *b);

    b->most = most;
    b->plans = xcalloc(most + 1, sizeof *b->plans);
    b->of_size = xcalloc(most + 1, sizeof *b->of_size);
    make_machine(b, link_Bps);
    b->node_routes = node_routes_new(&b->m);
    b->options = exec_defaults;
    b->options.node_routes = b->node_routes;
    return b;
}

int mult_pong_free(struct mult_pong *b, struct err *err)
{
    int result = b->failed ? -1 : 0;

    if (b->failed)
        *err = b->err;
    for (unsigned i = 0; i <= b->most; i++)
        plan_clear(&b->plans[i]);
    node_routes_free(b->node_routes);
    free(b->plans);
    free(b->of_size);
    free(b);
    return result;
}

/* --- runs ----------------------------------------------------------------- */

static int run(double *time_s, struct mult_pong *b, uint64_t bytes,
               unsigned messages, struct err *err)
{
    const struct experiment x = {
        .of = &mult_pong_benchmark, .bytes = bytes, .messages = messages};

    if (messages > b->most)
        return fail(err, "mult_pong: %u messages to %u ranks", messages,
                    b->most);
    struct plan *p = &b->plans[messages];
    if (!p->nops && experiment_plan(p, &b->m, &x, err) < 0)
        return -1;
    for (size_t i = 0; i < p->nops; i++)
        p->ops[i].bytes = bytes;
    const struct timed_plan timed = {p, experiment_measure_of(&x)};
    return exec_times(time_s, &b->m, &timed, 1, &b->options, err);
}

static double simulate(struct mult_pong *b, uint64_t bytes, unsigned messages)
{
    double time_s = NAN;

    if (b->failed)
        return NAN;
    b->failed = run(&time_s, b, bytes, messages, &b->err) < 0;
    return b->failed ? NAN : time_s;
}

static void set_segment(struct mult_pong *b, const struct segment *s)
{
    b->segment = *s;
    b->segment.up_to_B = UINT64_MAX;
    b->segment.nic = NIC_OF_SOCKET;
}

double mult_pong_s(struct mult_pong *b, const struct segment *s, uint64_t bytes,
                   unsigned messages)
{
    set_segment(b, s);
    return simulate(b, bytes, messages);
}

/* Fills the times between two numbers of messages, whose own are there. */
static void fill_between(struct mult_pong *b, uint64_t bytes, unsigned from,
                         unsigned to)
{
    double *at = b->of_size;
    unsigned middle = from + (to - from) / 2;

    if (middle == from)
        return;
    at[middle] = simulate(b, bytes, middle);
    double each = (at[to] - at[from]) / (to - from);
    if (fabs(at[from] + (middle - from) * each - at[middle]) >
        ROUNDING * at[middle]) {
        fill_between(b, bytes, from, middle);
        fill_between(b, bytes, middle, to);
        return;
    }
    for (unsigned i = from + 1; i < to; i++)
        at[i] = at[from] + (i - from) * each;
}

void mult_pong_times(double *times_s, struct mult_pong *b,
                     const struct segment *s,
                     const struct mult_pong_point *points, size_t n)
{
    set_segment(b, s);
    for (size_t i = 0, end; i < n; i = end) {
        uint64_t bytes = points[i].bytes;
        for (end = i + 1; end < n && points[end].bytes == bytes; end++)
            ;
        unsigned from = points[i].messages, to = points[end - 1].messages;
        assert(from <= to && to <= b->most);
        b->of_size[from] = simulate(b, bytes, from);
        b->of_size[to] = simulate(b, bytes, to);
        fill_between(b, bytes, from, to);
        for (size_t k = i; k < end; k++)
            times_s[k] = b->of_size[points[k].messages];
    }
}
