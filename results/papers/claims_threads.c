/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims of Dang et al. 2018 about messages between threads of hosts, each a
 * small plan on Stampede2 that is simulated when the claim is checked: I01,
 * I02, I17 to I19, I21. */
#include "results/papers/claim_lab.h"

#include "platforms/platform.h"
#include "results/papers/runtime_burst.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- machine and plans ---------------------------------------------------- */

/* Loads Stampede2 with the lab's sets, and with one more after them. */
static int load_with(struct machine *m, const struct lab *lab, const char *more,
                     struct err *err)
{
    const char **sets = xcalloc(lab->nsets + 1, sizeof *sets);

    for (size_t i = 0; i < lab->nsets; i++)
        sets[i] = lab->sets[i];
    sets[lab->nsets] = more;
    int result =
        platform_load(m, "stampede2", sets, lab->nsets + (more != NULL), err);
    free(sets);
    return result;
}

static int burst_with(struct burst_result *b, const struct lab *lab,
                      const char *set, enum runtime by, struct burst x,
                      struct err *err)
{
    struct machine m;

    if (load_with(&m, lab, set, err) < 0)
        return -1;
    int result = burst_run(b, &m, by, x, err);
    machine_clear(&m);
    return result;
}

/* --- I01, I02 ------------------------------------------------------------- */

/* Times a burst under LCI, send and receive, and probes. */
static int three_times(double t[3], const struct lab *lab, struct burst x,
                       struct err *err)
{
    static const enum runtime by[] = {RUNTIME_LCI, RUNTIME_MPI,
                                      RUNTIME_MPI_PROBE};
    struct burst_result b;

    for (int i = 0; i < 3; i++) {
        if (burst_with(&b, lab, NULL, by[i], x, err) < 0)
            return -1;
        t[i] = b.time_s;
    }
    return 0;
}

int claim_latency(struct lab *lab, struct verdict *v, struct err *err)
{
    double t[3], most = 0;

    for (uint64_t bytes = 8; bytes <= 1 << 20; bytes *= 8) {
        struct burst one = {2, 1, bytes, false};
        if (three_times(t, lab, one, err) < 0)
            return -1;
        most = fmax(most, t[2] / t[0]);
        verdict_part(v, t[0] < t[1] && t[1] < t[2],
                     "%llu B: LCI %.2f us, send and receive %.2f, probe %.2f "
                     "(wanted in this order)",
                     (unsigned long long)bytes, t[0] * 1e6, t[1] * 1e6,
                     t[2] * 1e6);
    }
    verdict_part(v, most > 3.5 / 1.3 && most < 3.5 * 1.3,
                 "probe takes up to %.2f times as long as LCI (wanted 3.5 "
                 "within 1.3)",
                 most);
    return 0;
}

int claim_message_rate(struct lab *lab, struct verdict *v, struct err *err)
{
    double t[3];

    for (unsigned window = 1; window <= 256; window *= 4) {
        struct burst x = {2, window, 64, false};
        if (three_times(t, lab, x, err) < 0)
            return -1;
        verdict_part(v, t[0] < t[1] && t[1] < t[2],
                     "window of %u: LCI %.3f M/s, send and receive %.3f, probe "
                     "%.3f (wanted in this order)",
                     window, window / t[0] / 1e6, window / t[1] / 1e6,
                     window / t[2] / 1e6);
    }
    return 0;
}

/* --- I17, I18 ------------------------------------------------------------- */

#define FEW_BUFFERS "runtimes.mpi_probe.costs.unexpected_bytes=65536"

int claim_exhaustion(struct lab *lab, struct verdict *v, struct err *err)
{
    const struct burst x = {16, 64, 4096, false};
    struct burst_result b;
    struct err why = {0};
    struct lab few = *lab;
    const char **sets = xcalloc(lab->nsets + 1, sizeof *sets);

    v->from = EVIDENCE_CONSTRUCTION;
    for (size_t i = 0; i < lab->nsets; i++)
        sets[i] = lab->sets[i];
    sets[lab->nsets] = FEW_BUFFERS;
    few.sets = sets;
    few.nsets++;
    int broke =
        burst_with(&b, &few, "runtimes.mpi_probe.costs.exhaustion=error",
                   RUNTIME_MPI_PROBE, x, &why);
    verdict_part(v, broke < 0,
                 "64 messages of 4 KiB from each of 15 hosts, room for 64 KiB "
                 "that is not received: %s",
                 broke < 0 ? why.text : "nothing is exhausted");
    int result = burst_with(&b, &few, NULL, RUNTIME_MPI_PROBE, x, err);
    if (result == 0)
        verdict_part(v, b.retries > 0,
                     "held back instead: done, %llu arrivals wait",
                     (unsigned long long)b.retries);
    if (result == 0)
        result = burst_with(&b, lab, "runtimes.lci.costs.packets_per_host=1",
                            RUNTIME_LCI, x, err);
    if (result == 0)
        verdict_part(v, b.retries > 0,
                     "LCI with 16 packets: done, %llu calls fail and are "
                     "repeated",
                     (unsigned long long)b.retries);
    free(sets);
    return result;
}

int claim_packet_pool(struct lab *lab, struct verdict *v, struct err *err)
{
    static const unsigned packets[] = {1, 4, 16, 64};
    const struct burst x = {16, 64, 8192, true};
    double rate[4];

    v->from = EVIDENCE_CONSTRUCTION;
    for (int i = 0; i < 4; i++) {
        char set[64];
        struct burst_result b;
        snprintf(set, sizeof set, "runtimes.lci.costs.packets_per_host=%u",
                 packets[i]);
        if (burst_with(&b, lab, set, RUNTIME_LCI, x, err) < 0)
            return -1;
        rate[i] = x.messages * (x.hosts - 1) / b.time_s;
        verdict_part(v,
                     (b.retries > 0) == (packets[i] * x.hosts <
                                         x.messages * (x.hosts - 1)) &&
                         (i == 0 || rate[i] >= rate[i - 1] * 0.999),
                     "%u packets a host: %.3f M messages of 8 KiB a second, "
                     "%llu repeated (wanted: no fewer messages than with fewer "
                     "packets; repeated where they are short)",
                     packets[i], rate[i] / 1e6, (unsigned long long)b.retries);
    }
    verdict_part(v, rate[0] < 0.95 * rate[3],
                 "the pool bounds the rate: %.3f M/s with 1, %.3f with 64",
                 rate[0] / 1e6, rate[3] / 1e6);
    return 0;
}

/* --- I19, I21 ------------------------------------------------------------- */

int claim_epochs(struct lab *lab, struct verdict *v, struct err *err)
{
    static const unsigned hosts[] = {4, 16, 64};

    v->from = EVIDENCE_INPUT;
    verdict_note(v, "what a fence takes is assumed");
    for (int i = 0; i < 3; i++) {
        const struct burst x = {hosts[i], 1, 65536, true};
        struct burst_result pscw, fence;
        if (burst_with(&pscw, lab, NULL, RUNTIME_MPI_RMA, x, err) < 0 ||
            burst_with(&fence, lab, "runtimes.mpi_rma.costs.epoch=fence",
                       RUNTIME_MPI_RMA, x, err) < 0)
            return -1;
        verdict_part(v, pscw.time_s < fence.time_s,
                     "%u hosts, 64 KiB to each: %.1f us with post and start, "
                     "%.1f with fences",
                     hosts[i], pscw.time_s * 1e6, fence.time_s * 1e6);
    }
    return 0;
}

int claim_thread_multiple(struct lab *lab, struct verdict *v, struct err *err)
{
    const struct burst x = {16, 64, 64, true};
    struct burst_result with, without;

    v->from = EVIDENCE_INPUT;
    if (burst_with(&with, lab, NULL, RUNTIME_MPI_RMA, x, err) < 0 ||
        burst_with(&without, lab, "runtimes.mpi_rma.costs.lock_us=0",
                   RUNTIME_MPI_RMA, x, err) < 0)
        return -1;
    verdict_part(v, without.time_s < with.time_s,
                 "RMA, 64 puts of 64 B to each of 15 hosts: %.1f us with the "
                 "lock of MPI_THREAD_MULTIPLE, %.1f without",
                 with.time_s * 1e6, without.time_s * 1e6);
    verdict_open(v, "how a lock tapers with threads is not modelled");
    return 0;
}
