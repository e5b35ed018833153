/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims of Chen et al. 2022 that are experiments of their own: A49 to A52,
 * A54. */
#include "results/papers/claim_lab.h"

#include "platforms/platform.h"
#include "results/papers/claim_stage.h"
#include "results/papers/packets.h"
#include "results/papers/put.h"

#include <math.h>
#include <stdio.h>

/* --- A49: puts over InfiniBand -------------------------------------------- */

static double rate_Bps(const double *times_s, int size)
{
    return ldexp(1, size) / times_s[size];
}

static void judge_puts(struct verdict *v, const struct put_times *p)
{
    enum { KIB_64 = 16, MIB = 20, MIB_16 = 24 };
    const double *t = p->blocking_s;
    double peak = rate_Bps(t, PUT_SIZES - 1), counting = p->counting_s;
    bool rises = true;

    for (int i = 1; i < PUT_SIZES; i++)
        rises = rises && rate_Bps(t, i) > rate_Bps(t, i - 1);
    verdict_part(v, rises && rate_Bps(t, KIB_64) < peak / 2,
                 "the rate rises with every size and is below half of the "
                 "%.1f GB/s of 256 MiB at 64 KiB: %.1f GB/s",
                 peak / 1e9, rate_Bps(t, KIB_64) / 1e9);
    verdict_part(v, rate_Bps(t, MIB) > 0.85 * peak,
                 "a put of 1 MiB has %.0f %% of it (wanted 85 %%)",
                 100 * rate_Bps(t, MIB) / peak);
    verdict_part(v, t[MIB] < 10 * t[0],
                 "it takes %.1f us, %.1f times as long as 1 B (wanted one "
                 "order of magnitude: at 85 %% of the peak it cannot be less "
                 "than 6.7 times)",
                 t[MIB] * 1e6, t[MIB] / t[0]);
    verdict_note(v,
                 "that hangs on the fence and the counter, %.3g us: without "
                 "them it would be %.1f times",
                 counting * 1e6, (t[MIB] - counting) / (t[0] - counting));
    verdict_part(v, t[MIB_16] > 10 * t[MIB],
                 "16 MiB take %.1f times as long as 1 MiB (wanted 10)",
                 t[MIB_16] / t[MIB]);
}

int claim_puts(struct lab *lab, struct verdict *v, struct err *err)
{
    struct put_times times;
    struct machine m;

    if (stage_machine(&m, lab, "summit", "gpus_used=1", err) < 0)
        return -1;
    verdict_note(v,
                 "run: puts of 1 B to 256 MiB between two nodes of summit, one "
                 "after the other, each with a fence and an update of a "
                 "counter; the latency of a put, %.3g us, is assumed",
                 machine_put_s(&m) * 1e6);
    int result = put_measure(&times, &m, err);
    if (result == 0)
        judge_puts(v, &times);
    machine_clear(&m);
    return result;
}

/* --- A50, A51: the aggregator --------------------------------------------- */

#define SMALL(name)                                                            \
    {                                                                          \
        name, "standin:" name ",scale=1/64"                                    \
    }
static const struct stage_graph social = SMALL("soc-LiveJournal1"),
                                mesh = SMALL("road_usa");
enum { NODES = 4 };

static int open_nodes(struct stage *s, const struct lab *lab,
                      const struct stage_graph *graph, struct verdict *v,
                      struct err *err)
{
    if (stage_open(s, lab, "summit", "gpus_used=1", graph, NODES, err) < 0)
        return -1;
    verdict_note(v,
                 "run: %s on %d nodes of summit with one GPU each, METIS, "
                 "atos-persistent, batches of 1 MiB",
                 graph->words, NODES);
    return 0;
}

static int compare_waits(struct verdict *v, const struct stage *s,
                         enum algorithm a, unsigned wanted, unsigned other,
                         struct err *err)
{
    struct outcome x, y;
    char set[2][64];

    snprintf(set[0], sizeof set[0], "aggregator.wait_visits=%u", wanted);
    snprintf(set[1], sizeof set[1], "aggregator.wait_visits=%u", other);
    if (stage_run(&x, s, a, "atos-persistent", set[0], err) < 0 ||
        stage_run(&y, s, a, "atos-persistent", set[1], err) < 0)
        return -1;
    verdict_part(v, x.time_s < y.time_s,
                 "%s is faster when a batch waits for %u visits, %.3f ms, than "
                 "for %u, %.3f ms",
                 a == BFS ? "BFS" : "PageRank", wanted, x.time_s * 1e3, other,
                 y.time_s * 1e3);
    return 0;
}

int claim_waits(struct lab *lab, struct verdict *v, struct err *err)
{
    static const struct stage_graph *const graphs[] = {&social, &mesh};
    int result = 0;

    for (int i = 0; i < 2 && result == 0; i++) {
        struct stage s;
        if (open_nodes(&s, lab, graphs[i], v, err) < 0)
            return -1;
        result = compare_waits(v, &s, BFS, 4, 32, err);
        if (result == 0)
            result = compare_waits(v, &s, PAGERANK, 32, 4, err);
        stage_close(&s);
    }
    return result;
}

/* Runs once without the aggregator, and once with the one that the paper
 * chooses. */
static int leave_out(struct outcome *without, struct outcome *with,
                     const struct stage *s, enum algorithm a, struct err *err)
{
    if (stage_run(without, s, a, "atos-persistent", "aggregator.batch_bytes=0",
                  err) < 0)
        return -1;
    return stage_run(with, s, a, "atos-persistent",
                     a == BFS ? "aggregator.wait_visits=4"
                              : "aggregator.wait_visits=32",
                     err);
}

static int judge_rates(struct verdict *v, const struct stage *s,
                       enum algorithm a, struct err *err)
{
    const char *name = a == BFS ? "BFS" : "PageRank";
    struct outcome without, with;

    if (leave_out(&without, &with, s, a, err) < 0)
        return -1;
    double before = without.wire_B / without.time_s / NODES;
    double after = with.wire_B / with.time_s / NODES;
    verdict_part(v, before < after / 10,
                 "%s sends %.3f GB/s from each GPU without an aggregator, %.3f "
                 "with it (wanted 10 times)",
                 name, before / 1e9, after / 1e9);
    verdict_part(v, without.time_s > 2 * with.time_s,
                 "%s takes %.3f ms without an aggregator, %.3f with it (wanted "
                 "twice)",
                 name, without.time_s * 1e3, with.time_s * 1e3);
    return 0;
}

static int judge_latency(struct verdict *v, const struct stage *s,
                         struct err *err)
{
    struct outcome without, with;

    if (stage_run(&without, s, BFS, "atos-persistent",
                  "aggregator.batch_bytes=0", err) < 0 ||
        stage_run(&with, s, BFS, "atos-persistent", "aggregator.wait_visits=32",
                  err) < 0)
        return -1;
    verdict_part(v, without.time_s < with.time_s,
                 "BFS takes %.3f ms without an aggregator, %.3f when a batch "
                 "waits for 32 visits (wanted more: latency is the price)",
                 without.time_s * 1e3, with.time_s * 1e3);
    return 0;
}

int claim_aggregation(struct lab *lab, struct verdict *v, struct err *err)
{
    struct stage s;

    if (open_nodes(&s, lab, &social, v, err) < 0)
        return -1;
    int result = judge_rates(v, &s, BFS, err);
    if (result == 0)
        result = judge_rates(v, &s, PAGERANK, err);
    stage_close(&s);
    if (result < 0 || open_nodes(&s, lab, &mesh, v, err) < 0)
        return -1;
    result = judge_latency(v, &s, err);
    stage_close(&s);
    return result;
}

/* --- A52: packets --------------------------------------------------------- */

/* Returns the least payload, in whole dwords, with at least this share of the
 * bytes on PCIe; 0 if there is none. */
static unsigned enough_over_pcie(double share)
{
    const unsigned most = pcie3_packet.payload_B;

    for (unsigned b = pcie3_packet.granule_B; b <= most;
         b += pcie3_packet.granule_B)
        if (pcie3_payload(b) >= share)
            return b;
    return 0;
}

int claim_packets(struct lab *lab, struct verdict *v, struct err *err)
{
    struct machine m;

    if (stage_machine(&m, lab, "daisy", NULL, err) < 0)
        return -1;
    const struct nvlink_packet p = m.gpu.packet;
    double sector = nvlink_payload(&p, 32);
    double pcie = pcie3_payload(32);

    verdict_note(v,
                 "run: packets of daisy: sectors of %u B, payload of at most "
                 "%u B, header of %u B, which is assumed from Fig 2; of PCIe "
                 "no platform has any: %u B a packet, of the specification",
                 p.granule_B, p.payload_B, p.header_B, pcie3_packet.header_B);
    /* Because the header was chosen so that Fig 2 holds. */
    v->from = EVIDENCE_FITTED;
    verdict_part(v, p.granule_B == 32 && sector > 0.5,
                 "a sector of 32 B has %.0f %% of the wire (wanted more than "
                 "50)",
                 100 * sector);
    v->from = EVIDENCE_INPUT;
    verdict_part(v, p.payload_B == 128,
                 "packets carry at most %u B (wanted 128): %.0f %% of the wire",
                 p.payload_B, 100 * nvlink_payload(&p, p.payload_B));
    unsigned enough_B = enough_over_pcie(sector);
    v->from = EVIDENCE_FITTED;
    verdict_part(v, pcie < sector, "over PCIe 32 B have %.0f %% (wanted less)",
                 100 * pcie);
    if (enough_B)
        verdict_note(v, "over PCIe %u B have as much as 32 B over NVLink",
                     enough_B);
    machine_clear(&m);
    return 0;
}

/* --- A54: the causes of Atos' speed on meshes ----------------------------- */

/* Compares with Groute after one cause is removed by `set`. */
static int take_away(struct verdict *v, const struct stage *s, double groute_s,
                     const char *set, struct err *err)
{
    struct outcome x;

    if (stage_run(&x, s, BFS, "atos-persistent", set, err) < 0)
        return -1;
    verdict_part(v, groute_s < 1.3 * x.time_s,
                 "with %s it takes %.3f ms: %.2f times as fast (wanted below "
                 "1.3)",
                 set, x.time_s * 1e3, groute_s / x.time_s);
    return 0;
}

static int take_each(struct verdict *v, const struct stage *s, struct err *err)
{
    static const char *const sets[] = {"control=cpu", "kernel=discrete",
                                       "schedule=bulk_synchronous"};
    struct outcome atos, groute;

    if (stage_run(&atos, s, BFS, "atos-persistent", NULL, err) < 0 ||
        stage_run(&groute, s, BFS, "async-cpu", NULL, err) < 0)
        return -1;
    verdict_part(v, groute.time_s > 1.3 * atos.time_s,
                 "atos-persistent takes %.3f ms, async-cpu (as Groute) %.3f: "
                 "%.2f times as fast (wanted above 1.3; printed 2.44)",
                 atos.time_s * 1e3, groute.time_s * 1e3,
                 groute.time_s / atos.time_s);
    for (int i = 0; i < 3; i++)
        if (take_away(v, s, groute.time_s, sets[i], err) < 0)
            return -1;
    return 0;
}

int claim_causes(struct lab *lab, struct verdict *v, struct err *err)
{
    struct stage s;

    if (stage_open(&s, lab, "daisy", NULL, &mesh, 4, err) < 0)
        return -1;
    verdict_note(v, "run: BFS of %s on 4 GPUs of daisy, METIS", mesh.words);
    int result = take_each(v, &s, err);
    stage_close(&s);
    return result;
}
