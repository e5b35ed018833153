/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims about other machines: L24, L25. */
#include "results/papers/claim_lab.h"

#include "platforms/platform.h"
#include "sim/plan/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- L24: Lassen and Summit ----------------------------------------------- */

enum { NPOINTS = 9 };

/* Simulates CPU ping-pongs on-socket, on-node and off-node, each of 8 B, 8 KiB
 * and 1 MiB. */
static int ping_pongs(double *t, const struct machine *m, struct err *err)
{
    static const uint64_t bytes[] = {8, 8192, 1 << 20};
    struct experiment x[NPOINTS];

    for (size_t i = 0; i < NPOINTS; i++) {
        x[i] = (struct experiment){.kind = EXPERIMENT_PING_PONG,
                                   .bytes = bytes[i % 3]};
        x[i].core[1] = i < 3 ? 2 : i < 6 ? machine_socket_core(m, 1) : 0;
        x[i].two_nodes = i >= 6;
    }
    return lab_experiments(t, m, x, NPOINTS, err);
}

/* Returns Kendall's tau: 1 for the same ranking, -1 for the reverse. */
static double same_order(const double *a, const double *b, strategy_set among)
{
    int agree = 0, pairs = 0;

    for (size_t i = 0; i < nstrategies; i++)
        for (size_t j = 0; j < i; j++) {
            if (!(among >> i & 1) || !(among >> j & 1))
                continue;
            agree += (a[i] < a[j]) == (b[i] < b[j]) ? 1 : -1;
            pairs++;
        }
    return (double)agree / pairs;
}

static int times_on(double *t, const struct machine *m, enum stand_in which,
                    unsigned nodes, struct err *err)
{
    struct halo halo;

    if (lab_halo(&halo, m, which, nodes, err) < 0)
        return -1;
    int result = lab_simulate(t, m, &halo, strategies_usual(), err);
    halo_clear(&halo);
    return result;
}

int claim_summit(struct lab *lab, struct verdict *v, struct err *err)
{
    double a[NPOINTS], b[NPOINTS], apart = 1, tau = 0;
    enum { NODES = 10 };

    verdict_note(v,
                 "run: CPU ping-pong of 8 B, 8 KiB, 1 MiB; every strategy on "
                 "10 nodes for meshes like the paper's matrices; note that "
                 "Summit's values on "
                 "the node are in part taken over from Lassen");
    if (ping_pongs(a, &lab->lassen, err) < 0 ||
        ping_pongs(b, &lab->summit, err) < 0)
        return -1;
    v->from = EVIDENCE_FITTED;
    for (size_t i = 0; i < NPOINTS; i++)
        apart = fmax(apart, fmax(a[i] / b[i], b[i] / a[i]));
    verdict_part(v, apart <= 1.25,
                 "ping-pongs differ by a factor of at most %.2f (wanted 1.25)",
                 apart);
    v->from = EVIDENCE_PREDICTED;
    for (int m = 0; m < NMATRICES; m++) {
        double x[MAX_STRATEGIES], y[MAX_STRATEGIES];
        if (times_on(x, &lab->lassen, (enum stand_in)m, NODES, err) < 0 ||
            times_on(y, &lab->summit, (enum stand_in)m, NODES, err) < 0)
            return -1;
        double one = same_order(x, y, strategies_usual());
        unsigned p = fastest(x, strategies_usual());
        unsigned q = fastest(y, strategies_usual());
        verdict_note(v,
                     "%s: fastest on lassen %s (%.1f us), on summit %s "
                     "(%.1f us); Kendall's tau of the rankings %.2f",
                     stand_ins[m], strategies[p]->name, x[p] * 1e6,
                     strategies[q]->name, y[q] * 1e6, one);
        tau += one / NMATRICES;
    }
    verdict_part(v, tau >= 0.6, "mean tau %.2f (wanted 0.6)", tau);
    return 0;
}

/* --- L25: more cores, faster NICs ----------------------------------------- */

enum { CORES = 64, FASTER = 4 };

/* Makes Lassen with 64 cores on each socket and a network four times as
 * fast. */
static int future(struct machine *m, const struct lab *lab, struct err *err)
{
    if (platform_load(m, "lassen", lab->sets, lab->nsets, err) < 0)
        return -1;
    m->ncores = 0;
    for (size_t i = 0; i < m->ndevices; i++) {
        if (m->devices[i].kind == DEVICE_SOCKET)
            m->ncores += m->devices[i].cores = CORES;
        if (m->devices[i].kind == DEVICE_NIC)
            m->devices[i].message_gap_s /= FASTER;
    }
    for (size_t i = 0; i < m->nwires; i++)
        if (m->devices[m->wires[i].ends[0]].kind == DEVICE_NIC ||
            m->devices[m->wires[i].ends[1]].kind == DEVICE_NIC)
            m->wires[i].bandwidth_Bps *= FASTER;
    m->network.bandwidth_Bps *= FASTER;
    m->network.process_Bps *= FASTER;
    for (int path = 0; path < NPATHS; path++) {
        struct message_table *t = &m->messages[RUNTIME_MPI][path][OFF_NODE];
        for (size_t i = 0; i < t->nsegments; i++)
            if (t->segments[i].protocol == PROTOCOL_RENDEZVOUS)
                t->segments[i].beta_s_per_B /= FASTER;
    }
    return 0;
}

/* The phases of a run of split+md: the time of distributing data to the cores
 * of a node and gathering it again, and the time off node (the phases
 * overlap). */
struct walls {
    double on_node_s, off_node_s, all_s;
};

static int split_walls(struct walls *w, const struct machine *m,
                       const struct halo *halo, struct err *err)
{
    struct strategy_options options = {0};
    struct exec_result x;
    struct report report;
    struct plan plan;

    if (strategy_plan(&split_md_strategy, &plan, m, halo, &options, err) < 0)
        return -1;
    int result = exec_plan(&x, m, &plan, NULL, EXEC_TIMES, err);
    if (result == 0) {
        report_make(&report, m, &plan, &x);
        *w =
            (struct walls){report.phases[PHASE_GATHER].wall_s +
                               report.phases[PHASE_SCATTER].wall_s,
                           report.phases[PHASE_OFF_NODE].wall_s, report.time_s};
        exec_result_clear(&x);
    }
    plan_clear(&plan);
    return result;
}

/* A comparison of both machines on one matrix: the fastest strategy, and
 * split+md's times. */
struct look {
    unsigned best[2];
    double time_s[2];
    struct walls walls[2];
};

static int look_at(struct look *look, const struct machine *machines[2],
                   enum stand_in which, struct err *err)
{
    struct halo halo;
    int result = 0;

    if (lab_halo(&halo, machines[0], which, 20, err) < 0)
        return -1;
    for (int k = 0; k < 2 && result == 0; k++) {
        double t[MAX_STRATEGIES];
        result = lab_simulate(t, machines[k], &halo, strategies_usual(), err);
        if (result == 0) {
            look->best[k] = fastest(t, strategies_usual());
            look->time_s[k] = t[look->best[k]];
            result = split_walls(&look->walls[k], machines[k], &halo, err);
        }
    }
    halo_clear(&halo);
    return result;
}

static bool is_split(unsigned s)
{
    return strategies_named("split+md,split+dd") >> s & 1;
}

static int claims_machine_compare(const struct machine *machines[2],
                                  struct verdict *v, struct err *err)
{
    unsigned before = 0, after = 0, more = 0;

    for (int m = 0; m < NMATRICES; m++) {
        struct look look = {0};
        if (look_at(&look, machines, (enum stand_in)m, err) < 0)
            return -1;
        before += is_split(look.best[0]);
        after += is_split(look.best[0]) && is_split(look.best[1]);
        const struct walls *a = &look.walls[0], *b = &look.walls[1];
        more += b->on_node_s / b->off_node_s > a->on_node_s / a->off_node_s;
        verdict_note(v,
                     "%s: fastest %s (%.1f us), then %s (%.1f us); split+md "
                     "gathers and scatters for %.1f, then %.1f us, sends "
                     "off node for %.1f, then %.1f of its %.1f, then %.1f",
                     stand_ins[m], strategies[look.best[0]]->name,
                     look.time_s[0] * 1e6, strategies[look.best[1]]->name,
                     look.time_s[1] * 1e6, a->on_node_s * 1e6,
                     b->on_node_s * 1e6, a->off_node_s * 1e6,
                     b->off_node_s * 1e6, a->all_s * 1e6, b->all_s * 1e6);
    }
    verdict_part(v, before > 0 && after == before,
                 "split stays the fastest in %u of the %u cases where it is on "
                 "lassen (wanted all)",
                 after, before);
    verdict_part(v, more == NMATRICES,
                 "spreading grows relative to sending off node in %u of %d "
                 "cases (wanted all)",
                 more, NMATRICES);
    return 0;
}

int claim_future(struct lab *lab, struct verdict *v, struct err *err)
{
    struct machine m;

    if (future(&m, lab, err) < 0)
        return -1;
    const struct machine *machines[2] = {&lab->lassen, &m};
    verdict_note(v,
                 "run: 20 nodes of lassen, and with %d instead of %u cores "
                 "on a socket and a network %d times as fast (NIC, link, "
                 "rendezvous)",
                 CORES, lab->lassen.ncores / lab->lassen.nsockets, FASTER);
    int result = claims_machine_compare(machines, v, err);
    machine_clear(&m);
    return result;
}
