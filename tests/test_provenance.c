/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources' words, and which numbers a critical path's time comes from. */
#include "platforms/provenance.h"

#include "sim/plan/report.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>

static void test_words(void)
{
    static const struct {
        const char *source, *number;
        enum provenance is;
    } cases[] = {
        {"measured: osu_bw", NULL, PROVENANCE_MEASURED},
        {"fit: a.csv, 6 medians; alpha shares assumed: halves", "alpha",
         PROVENANCE_FIT},
        {"specification: PCIe 4 x16", "bandwidth", PROVENANCE_SPECIFICATION},
        {"assumed: as on Lassen", "beta", PROVENANCE_ASSUMED},
        {"Lockhart et al. 2022, table 2", "alpha", PROVENANCE_PUBLISHED},
        {"round, to check by hand", NULL, PROVENANCE_PUBLISHED},
        {"taken over from dgx-a100: assumed: as on Lassen", "alpha",
         PROVENANCE_TAKEN_OVER},
        {"taken over from x: alpha: fit", "alpha", PROVENANCE_TAKEN_OVER},
        {"taken over from Lassen, the nearest; beta: 25 GB/s (specification)",
         "alpha", PROVENANCE_TAKEN_OVER},
        {"taken over from Lassen, the nearest; beta: 25 GB/s (specification)",
         "beta", PROVENANCE_SPECIFICATION},
        {"taken over from ", "beta", PROVENANCE_TAKEN_OVER},
        {"--set a.b=1; else: fit: x", "alpha", PROVENANCE_SET},
        /* Of several numbers, each its own. */
        {"alpha assumed: as on Lassen; beta: 25 GB/s (measured: osu_bw)",
         "alpha", PROVENANCE_ASSUMED},
        {"alpha assumed: as on Lassen; beta: 25 GB/s (measured: osu_bw)",
         "beta", PROVENANCE_MEASURED},
        {"fit: a.csv; beta and limit assumed: as there", "alpha",
         PROVENANCE_FIT},
        {"fit: a.csv; beta and limit assumed: as there", "beta",
         PROVENANCE_ASSUMED},
        {"assumed: a crossbar; bandwidth: 8 ports (specification)", "bandwidth",
         PROVENANCE_SPECIFICATION},
        {"fit: a.csv; alphabet soup assumed", "alpha", PROVENANCE_FIT},
        {"", "alpha", PROVENANCE_PUBLISHED},
        {";;", "alpha", PROVENANCE_PUBLISHED},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (provenance_of(cases[i].source, cases[i].number) != cases[i].is)
            fprintf(stderr, "%s\n", cases[i].source);
        CHECK_EQ(provenance_of(cases[i].source, cases[i].number), cases[i].is);
    }
    CHECK_EQ(provenance_of(NULL, "alpha"), PROVENANCE_ASSUMED);
    CHECK(provenance_split_assumed("fit: a; alpha shares assumed: halves"));
    CHECK(!provenance_split_assumed("fit: a; alpha shares: measured"));
    CHECK(provenance_split_assumed("fit: a; ends: assumed: halves"));
    CHECK(provenance_split_assumed("fit: a; ends: taken over from b"));
    CHECK(!provenance_split_assumed("fit: a; ends: fit: b, halves (assumed)"));
    CHECK(!provenance_split_assumed("assumed: all of it"));
}

static void source_is(char **source, const char *text)
{
    free(*source);
    *source = xstrdup(text);
}

/* 1 us of alpha, fitted; 1 us of beta, measured; twice. The second message
 * waits for the first one's receiver. */
static void test_path(void)
{
    struct machine m;
    struct plan p;
    struct exec_result x = {0};
    struct report r;
    struct err err;

    tiny_machine(&m, 4);
    struct segment *s = m.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments;
    source_is(&s->source, "alpha: fit; beta: measured there");
    plan_init(&p, &m, "path", 2, 1, NULL);
    uint32_t first = plan_msg(&p, PHASE_OFF_NODE, 0, 1, NO_GPU, NO_GPU, 1000);
    plan_msg(&p, PHASE_OFF_NODE, 1, 0, NO_GPU, NO_GPU, 1000);
    plan_after(&p, first);
    CHECK_EQ(exec_plan(&x, &m, &p, NULL, EXEC_DETAILS, &err), 0);
    CHECK_NEAR(x.time_s, 4e-6, 1e-9);
    report_make(&r, &m, &p, &x);
    CHECK_NEAR(r.rests_on.total_s, 4e-6, 1e-9);
    CHECK_NEAR(r.rests_on.s[PROVENANCE_FIT], 2e-6, 1e-9);
    CHECK_NEAR(r.rests_on.s[PROVENANCE_MEASURED], 2e-6, 1e-9);
    exec_result_clear(&x);

    /* A NIC's wire ten times slower, assumed: 8 of each 10 us are its. */
    for (size_t w = 0; w < m.nwires; w++)
        if (m.devices[m.wires[w].ends[1]].kind == DEVICE_NIC) {
            m.wires[w].bandwidth_Bps = 1000 / 9e-6;
            source_is(&m.wires[w].source, "assumed: slow");
        }
    CHECK_EQ(exec_plan(&x, &m, &p, NULL, EXEC_DETAILS, &err), 0);
    CHECK_NEAR(x.time_s, 20e-6, 1e-9);
    report_make(&r, &m, &p, &x);
    CHECK_NEAR(r.rests_on.s[PROVENANCE_FIT], 2e-6, 1e-9);
    CHECK_NEAR(r.rests_on.s[PROVENANCE_MEASURED], 2e-6, 1e-9);
    CHECK_NEAR(r.rests_on.s[PROVENANCE_ASSUMED], 16e-6, 1e-9);
    exec_result_clear(&x);
    plan_clear(&p);
    machine_clear(&m);
}

/* A copy to the neighbour, 1 us and 1 ns a byte, over a wire of its own that
 * takes 9 us: the rest of 8 us is the wire's, not that of the way to the CPU.
 */
static void test_peer_copy(void)
{
    struct machine m;
    struct plan p;
    struct exec_result x = {0};
    struct report r;
    struct err err;

    tiny_machine(&m, 4);
    m.copies.nrows = 1;
    m.copies.rows = xcalloc(1, sizeof *m.copies.rows);
    m.copies.rows[0] =
        (struct copy_cost){.dir = D2D,
                           .locality = ON_SOCKET,
                           .processes = 1,
                           .up_to_B = UINT64_MAX,
                           .alpha_s = 1e-6,
                           .beta_s_per_B = 1e-9,
                           .source = xstrdup("alpha: fit; beta: measured")};
    for (size_t w = 0; w < m.nwires; w++)
        if (m.devices[m.wires[w].ends[0]].kind == DEVICE_GPU) {
            m.wires[w].bandwidth_Bps = 1000 / 9e-6;
            source_is(&m.wires[w].source, "specification: slow");
        }
    plan_init(&p, &m, "peer", 1, 1, NULL);
    plan_copy_peer(&p, PHASE_GATHER, 0, 0, 1, 1000);
    CHECK_EQ(exec_plan(&x, &m, &p, NULL, EXEC_DETAILS, &err), 0);
    CHECK_NEAR(x.time_s, 10e-6, 1e-9);
    report_make(&r, &m, &p, &x);
    CHECK_NEAR(r.rests_on.s[PROVENANCE_FIT], 1e-6, 1e-9);
    CHECK_NEAR(r.rests_on.s[PROVENANCE_MEASURED], 1e-6, 1e-9);
    CHECK_NEAR(r.rests_on.s[PROVENANCE_SPECIFICATION], 8e-6, 1e-9);
    exec_result_clear(&x);
    plan_clear(&p);
    machine_clear(&m);
}

int main(void)
{
    test_words();
    test_path();
    test_peer_copy();
    return check_result();
}
