/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wire between sockets, and their memory: the fit returns them from the
 * times of many pairs of a node, and leaves them unchanged if the pairs do not
 * slow each other. */
#include "tests/check.h"
#include "base/random.h"
#include "platforms/platform.h"
#include "validate/calibrate/fit.h"
#include "validate/measure/benchmark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes times of pairs of the node's halves, or of those of socket 0, in
 * multi_pair's form, by m, each a little off. */
static void measure(struct measured *f, const struct machine *m, bool node)
{
    static const unsigned pairs[] = {1, 4, 10, 20};
    struct err err = {0};
    uint64_t r = 7;
    size_t n = 0;

    memset(f, 0, sizeof *f);
    f->path = xstrdup("made.csv");
    strcpy(f->kind, "multi_pair");
    f->points = xcalloc(4 * 6, sizeof *f->points);
    for (int k = 0; k < 4; k++)
        for (uint64_t bytes = 1024; bytes <= 32768; bytes *= 2, n++) {
            struct measured_point *p = &f->points[n];
            unsigned most = node ? 20 : 10;
            p->x.of = &multi_pair_benchmark;
            p->x.bytes = bytes;
            p->x.pairs = pairs[k] < most ? pairs[k] : most;
            p->x.domains = 1;
            p->x.domain_ranks = 2 * most;
            p->x.ranks_per_node = 40;
            snprintf(p->group, sizeof p->group, "multi_pair/cpu/%s",
                     node ? "on_node/one_node" : "on_socket/one_socket");
        }
    f->npoints = n;
    if (measured_simulate(f, m, 0, NULL, NULL, &err) < 0) {
        err_print(&err);
        CHECK(!"simulated");
    }
    for (size_t i = 0; i < n; i++)
        f->points[i].measured_s =
            f->points[i].simulated_s *
            (0.99 + 0.02 * (double)random_below(&r, 1000) / 1000);
}

static double xbus_of(const struct machine *m)
{
    for (size_t i = 0; i < m->nwires; i++)
        if (!strcmp(m->wires[i].type, "xbus"))
            return m->wires[i].bandwidth_Bps;
    return 0;
}

/* Fits Lassen to times of a machine with these limits (0 if the memory has
 * none), and stores both afterwards. */
static void fitted(double xbus_Bps, double memory_Bps, bool node,
                   double got_Bps[2])
{
    struct err err = {0};
    struct json *doc = platform_json("lassen", NULL, 0, &err);
    struct machine truth, base, got;
    struct measured file;

    if (!doc || platform_read(&truth, doc, &err) < 0 ||
        platform_read(&base, doc, &err) < 0) {
        CHECK(!"lassen can be read");
        return;
    }
    for (size_t i = 0; i < truth.nwires; i++)
        if (!strcmp(truth.wires[i].type, "xbus"))
            truth.wires[i].bandwidth_Bps = xbus_Bps;
    for (size_t i = 0; i < truth.ndevices; i++)
        if (truth.devices[i].kind == DEVICE_SOCKET)
            truth.devices[i].memory_Bps = memory_Bps;
    measure(&file, &truth, node);
    struct fit fit = {.doc = doc, .m = &base, .files = &file, .nfiles = 1};
    fit_platform(&fit);
    CHECK_EQ(fit.nleft_out, 0);
    CHECK_EQ(platform_read(&got, doc, &err), 0);
    got_Bps[0] = xbus_of(&got);
    got_Bps[1] = machine_socket(&got, 0)->memory_Bps;
    fit_clear(&fit);
    measured_clear(&file);
    machine_clear(&truth);
    machine_clear(&base);
    machine_clear(&got);
    json_free(doc);
}

int main(void)
{
    double got_Bps[2];

    fitted(15e9, 0, true, got_Bps);
    CHECK_NEAR(got_Bps[0], 15e9, 0.04);
    CHECK(got_Bps[1] == 0);
    fitted(64e9, 12e9, false, got_Bps);
    CHECK_NEAR(got_Bps[0], 64e9, 1e-9);
    CHECK_NEAR(got_Bps[1], 12e9, 0.04);
    /* If nothing limits the pairs, no limit is found. */
    fitted(1e13, 0, true, got_Bps);
    CHECK_NEAR(got_Bps[0], 64e9, 1e-9);
    CHECK(got_Bps[1] == 0);
    return check_result();
}
