/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims about single messages and copies: L01 to L05. */
#include "results/papers/claim_lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- L01 ------------------------------------------------------------------ */

/* The sizes are eight per octave, from 1 B to 1 MiB. */
enum { STEPS = 8, NSTEPS = 20 * STEPS + 1, NPLACES = 3 };
static const char *const places[NPLACES] = {"on-socket", "on-node", "off-node"};

static uint64_t step_bytes(size_t i)
{
    return (uint64_t)llround(exp2((double)i / STEPS));
}

/* Returns a ping-pong between CPUs; on a socket between cores 0 and 2, because
 * these do not share a cache. */
static struct experiment cpu_ping_pong(const struct machine *m, int place,
                                       uint64_t bytes)
{
    struct experiment x = {.kind = EXPERIMENT_PING_PONG, .bytes = bytes};

    if (place == 0)
        x.core[1] = 2;
    if (place == 1)
        x.core[1] = machine_socket_core(m, 1);
    x.two_nodes = place == 2;
    return x;
}

static int localities_on(const struct machine *m, double below, double above,
                         struct verdict *v, struct err *err)
{
    static struct experiment x[NSTEPS * NPLACES];
    static double t[NSTEPS * NPLACES];
    size_t disordered = 0, crossover = NSTEPS;

    for (size_t i = 0; i < NSTEPS; i++)
        for (int place = 0; place < NPLACES; place++)
            x[i * NPLACES + (size_t)place] =
                cpu_ping_pong(m, place, step_bytes(i));
    if (lab_experiments(t, m, x, (size_t)NSTEPS * NPLACES, err) < 0)
        return -1;

    /* Sizes are small if they fit into a buffer. */
    for (size_t i = 0; step_bytes(i) <= 8192; i++) {
        const double *at = &t[i * NPLACES];
        disordered += !(at[0] < at[1] && at[1] < at[2]);
    }
    const double *one = &t[0];
    verdict_part(v, disordered == 0,
                 "%s: %s < %s < %s at sizes from 1 to 8192 B (%zu of %d "
                 "break it); at 1 B %.2f, %.2f and %.2f us",
                 m->name, places[0], places[1], places[2], disordered,
                 13 * STEPS + 1, one[0] * 1e6, one[1] * 1e6, one[2] * 1e6);
    for (size_t i = NSTEPS; i-- > 0;) {
        if (t[i * NPLACES + 2] >= t[i * NPLACES + 1])
            break;
        crossover = i;
    }
    if (crossover == NSTEPS) {
        verdict_part(v, false, "%s: off-node is never faster than on-node",
                     m->name);
        return 0;
    }
    double bytes = (double)step_bytes(crossover);
    verdict_part(v, bytes > below && bytes < above,
                 "%s: off-node is faster than on-node at all sizes from %.0f B "
                 "to 1 MiB (expected to begin between %.0f and %.0f B)",
                 m->name, bytes, below, above);
    return 0;
}

int claim_localities(struct lab *lab, struct verdict *v, struct err *err)
{
    verdict_note(v, "run: simulated ping-pong between two CPU ranks");
    /* The border is 14 KB by Table 2, within one step of the sizes. */
    v->from = EVIDENCE_INPUT;
    if (localities_on(&lab->paper, 13000, 16000, v, err) < 0)
        return -1;
    v->from = EVIDENCE_FITTED; /* to ping-pongs */
    return localities_on(&lab->lassen, 4096, 65536, v, err);
}

/* --- L02 ------------------------------------------------------------------ */

enum { NPPN = 8, NVOLUMES = 12 };
static const unsigned ppn[NPPN] = {1, 2, 4, 8, 16, 24, 32, 40};

static uint64_t volume_bytes(size_t i)
{
    return UINT64_C(4) << (2 * (i + 1)); /* 16 B to 64 MiB */
}

/* Returns the index of the best number of ranks. Times within 5 % of the best
 * count as equal; among these it is the smallest number that is not below
 * `least`. */
static size_t best_ppn(const double *t, unsigned least)
{
    size_t best = 0;

    for (size_t k = 1; k < NPPN; k++)
        if (t[k] < t[best])
            best = k;
    for (size_t k = 0; k < NPPN; k++)
        if (ppn[k] >= least && t[k] <= 1.05 * t[best])
            return k;
    return best;
}

/* Plans that each of n ranks sends its share of the volume to its partner at
 * once. */
static void plan_shares(struct plan *p, const struct machine *m, unsigned n,
                        uint64_t volume)
{
    plan_init(p, m, "shares", 2, n, NULL);
    for (unsigned r = 0; r < n; r++)
        plan_msg(p, PHASE_OFF_NODE, r, n + r, NO_GPU, NO_GPU,
                 (volume + n - 1) / n);
}

static int time_shares(double *t, const struct machine *m, struct err *err)
{
    struct plan plans[NVOLUMES * NPPN];
    struct timed_plan timed[NVOLUMES * NPPN];

    for (size_t i = 0; i < (size_t)NVOLUMES * NPPN; i++) {
        plan_shares(&plans[i], m, ppn[i % NPPN], volume_bytes(i / NPPN));
        timed[i] = (struct timed_plan){&plans[i], NULL};
    }
    int result = exec_times(t, m, timed, (size_t)NVOLUMES * NPPN, NULL, err);
    for (size_t i = 0; i < (size_t)NVOLUMES * NPPN; i++)
        plan_clear(&plans[i]);
    return result;
}

static int ppn_on(const struct machine *m, struct verdict *v, struct err *err)
{
    double t[NVOLUMES * NPPN];

    if (time_shares(t, m, err) < 0)
        return -1;

    char *list = xasprintf("%s, best ppn by volume:", m->name);
    unsigned first = ppn[best_ppn(t, 1)], last = 1;
    uint64_t falls = 0;
    for (size_t i = 0; i < NVOLUMES; i++) {
        const double *at = &t[i * NPPN];
        size_t k = best_ppn(at, last);
        falls = falls || ppn[k] >= last ? falls : volume_bytes(i);
        last = ppn[k] > last ? ppn[k] : last;
        text_add(&list, " %llu B %u (%.2f us; by 1 %.2f, by 40 %.2f)%s",
                 (unsigned long long)volume_bytes(i), ppn[k], at[k] * 1e6,
                 at[0] * 1e6, at[NPPN - 1] * 1e6, i + 1 < NVOLUMES ? "," : "");
    }
    verdict_note(v, "%s", list);
    free(list);
    double gain = t[(size_t)(NVOLUMES - 1) * NPPN] / t[NVOLUMES * NPPN - 1];
    verdict_part(v, first == 1, "%s: the smallest volume wants %u", m->name,
                 first);
    if (falls)
        verdict_part(v, false, "%s: the best ppn falls at %llu B", m->name,
                     (unsigned long long)falls);
    else
        verdict_part(v, true, "%s: the best ppn never falls with the volume",
                     m->name);
    verdict_part(v, gain > 1.2 && last > 1,
                 "%s: the largest volume is %.2f times as fast with 40 ranks "
                 "as with 1 (wanted 1.2)",
                 m->name, gain);
    return 0;
}

int claim_ppn(struct lab *lab, struct verdict *v, struct err *err)
{
    verdict_note(v, "run: one node sends another a volume, split over 1 to 40 "
                    "ranks; times within 5 %% count as equal");
    v->from = EVIDENCE_INPUT; /* alpha, beta and R_N of the max-rate model */
    if (ppn_on(&lab->paper, v, err) < 0)
        return -1;
    v->from = EVIDENCE_FITTED; /* to rates of 1 to 40 pairs */
    return ppn_on(&lab->lassen, v, err);
}

/* --- L03 ------------------------------------------------------------------ */

static void plan_copies(struct plan *p, const struct machine *m,
                        enum copy_dir dir, unsigned copiers, uint64_t volume)
{
    plan_init(p, m, "copies", 1, m->ncores, NULL);
    for (unsigned r = 0; r < copiers; r++)
        plan_copy(p, PHASE_COPY_IN, r, dir, 0,
                  (volume + copiers - 1) / copiers);
}

/* Simulates one direction: each volume with each number of processes. */
static int time_copies(double *t, const struct machine *m, enum copy_dir dir,
                       const unsigned *copiers, size_t ncopiers,
                       size_t nvolumes, struct err *err)
{
    size_t n = nvolumes * ncopiers;
    struct plan *plans = xcalloc(n, sizeof *plans);
    struct timed_plan *timed = xcalloc(n, sizeof *timed);

    for (size_t i = 0; i < n; i++) {
        plan_copies(&plans[i], m, dir, copiers[i % ncopiers],
                    UINT64_C(1) << (10 + 2 * (i / ncopiers)));
        timed[i].plan = &plans[i];
    }
    int result = exec_times(t, m, timed, n, NULL, err);
    for (size_t i = 0; i < n; i++)
        plan_clear(&plans[i]);
    free(plans);
    free(timed);
    return result;
}

int claim_copies(struct lab *lab, struct verdict *v, struct err *err)
{
    static const unsigned copiers[] = {1, 2, 4, 8, 10};
    enum { NCOPIERS = 5, N = 9 };
    double t[N * NCOPIERS];

    v->from = EVIDENCE_FITTED; /* to copies by several processes */
    verdict_note(v, "run: 1 KiB to 64 MiB between the host and one GPU of "
                    "lassen, in equal parts by 1, 2, 4, 8, 10 ranks");
    for (int dir = H2D; dir <= D2H; dir++) {
        double gain = 0; /* the most that more than 4 gain over up to 4 */
        if (time_copies(t, &lab->lassen, (enum copy_dir)dir, copiers, NCOPIERS,
                        N, err) < 0)
            return -1;
        for (size_t i = 0; i < N; i++) {
            const double *at = &t[i * NCOPIERS];
            double few = fmin(at[0], fmin(at[1], at[2]));
            gain = fmax(gain, few / fmin(at[3], at[4]));
        }
        const double *most = &t[(size_t)(N - 1) * NCOPIERS];
        verdict_part(v, gain <= 1.02,
                     "%s: more than 4 are at best %.3f times as fast as up to "
                     "4 (no benefit: at most 1.02); 64 MiB by 1, 4, 10: %.0f, "
                     "%.0f, %.0f us",
                     copy_dir_names[dir], gain, most[0] * 1e6, most[2] * 1e6,
                     most[4] * 1e6);
    }
    return 0;
}

/* --- L04 ------------------------------------------------------------------ */

/* Returns an 8-byte ping-pong between GPU 0 and the next GPU of its socket
 * (place 0), or the first of the other socket. */
static struct experiment gpu_ping_pong(const struct machine *m, int place)
{
    struct experiment x = {
        .kind = EXPERIMENT_PING_PONG, .gpu = true, .bytes = 8};

    x.device[1] = 1;
    while (x.device[1] + 1 < m->ngpus &&
           (machine_gpu(m, x.device[1])->socket == 0) != (place == 0))
        x.device[1]++;
    x.core[1] = place == 0 ? 2 : machine_socket_core(m, 1);
    return x;
}

int claim_device_latency(struct lab *lab, struct verdict *v, struct err *err)
{
    struct machine plain = lab->paper;

    plain.gpudirect = false;
    v->from = EVIDENCE_INPUT;
    verdict_note(v, "run: simulated ping-pong of 8 B on lassen-paper, between "
                    "CPUs, GPUs, and GPUs without GPUDirect");
    for (int place = 0; place < 2; place++) {
        struct experiment cpu = cpu_ping_pong(&lab->paper, place, 8);
        struct experiment gpu = gpu_ping_pong(&lab->paper, place);
        double host, gdr, without;
        if (lab_experiments(&host, &lab->paper, &cpu, 1, err) < 0 ||
            lab_experiments(&gdr, &lab->paper, &gpu, 1, err) < 0 ||
            lab_experiments(&without, &plain, &gpu, 1, err) < 0)
            return -1;
        double us = gdr * 1e6, ratio = gdr / host, more = (without - gdr) * 1e6;
        verdict_part(v, us > 15 && us < 25,
                     "%s: GPU to GPU %.1f us (wanted 15 to 25)", places[place],
                     us);
        verdict_part(v, ratio >= 15 && ratio <= 50,
                     "%s: %.1f times CPU to CPU, %.2f us (wanted 15 to 50)",
                     places[place], ratio, host * 1e6);
        verdict_part(v, more >= 20 && more <= 50,
                     "%s: without GPUDirect %.1f us more (wanted 25 to 50; 20 "
                     "is taken for 25)",
                     places[place], more);
    }
    return 0;
}

/* --- L05 ------------------------------------------------------------------ */

enum { STREAM = 16 };

/* Plans that each core's rank, or with `gpu` each GPU's, sends STREAM messages,
 * one after the other, to its partner on the other node. */
static void plan_streams(struct plan *p, const struct machine *m, bool gpu,
                         uint64_t bytes)
{
    unsigned pairs = gpu ? m->ngpus : m->ncores;

    plan_init(p, m, "streams", 2, m->ncores, NULL);
    for (unsigned k = 0; k < pairs; k++) {
        unsigned rank =
            gpu ? machine_socket_core(m, machine_gpu(m, k)->socket) + k : k;
        for (unsigned i = 0; i < STREAM; i++) {
            uint32_t op =
                plan_msg(p, PHASE_OFF_NODE, rank, m->ncores + rank,
                         gpu ? k : NO_GPU, gpu ? m->ngpus + k : NO_GPU, bytes);
            if (i)
                plan_after(p, (op - 1) | AFTER_SENT);
        }
    }
}

/* Finds the highest rate over messages of 4 KiB to 4 MiB, bytes per second. */
static int highest_rate(double *rate, const struct machine *m, bool gpu,
                        struct err *err)
{
    enum { N = 6 };
    struct plan plans[N];
    struct timed_plan timed[N];
    double t[N];

    for (int i = 0; i < N; i++) {
        plan_streams(&plans[i], m, gpu, UINT64_C(4096) << 2 * i);
        timed[i] = (struct timed_plan){&plans[i], NULL};
    }
    int result = exec_times(t, m, timed, N, NULL, err);
    *rate = 0;
    for (int i = 0; i < N; i++) {
        double bytes = (double)plans[i].nops * (double)plans[i].ops[0].bytes;
        if (result == 0)
            *rate = fmax(*rate, bytes / t[i]);
        plan_clear(&plans[i]);
    }
    return result;
}

static int injection_on(const struct machine *m, struct verdict *v,
                        struct err *err)
{
    double limit = machine_injection_Bps(m), cpu, gpu;
    const struct segment *s =
        machine_segment(m, RUNTIME_MPI, PATH_GDR, OFF_NODE, UINT64_C(4) << 20);

    if (highest_rate(&cpu, m, false, err) < 0 ||
        highest_rate(&gpu, m, true, err) < 0)
        return -1;
    verdict_part(v, cpu > 0.95 * limit,
                 "%s: %u CPU ranks reach %.1f GB/s of R_N = %.1f (wanted 95 "
                 "%%)",
                 m->name, m->ncores, cpu * 1e-9, limit * 1e-9);
    verdict_part(v, gpu < 0.95 * limit,
                 "%s: %u GPUs reach %.1f GB/s (wanted less than 95 %%); one "
                 "alone sends %.1f GB/s by its table",
                 m->name, m->ngpus, gpu * 1e-9, s ? 1e-9 / s->beta_s_per_B : 0);
    return 0;
}

int claim_injection(struct lab *lab, struct verdict *v, struct err *err)
{
    verdict_note(v, "run: simulated streams of 16 messages, 4 KiB to 4 MiB, "
                    "from each CPU rank or each GPU of a node to another node");
    verdict_note(v, "with beta of Table 2 as printed, 1.72e-10 s/byte, four "
                    "GPUs would send 23.3 GB/s, 97 %% of R_N; that value holds "
                    "for one size of one year's runs");
    v->from = EVIDENCE_INPUT;
    if (injection_on(&lab->paper, v, err) < 0)
        return -1;
    v->from = EVIDENCE_FITTED; /* to rates of many pairs */
    return injection_on(&lab->lassen, v, err);
}
