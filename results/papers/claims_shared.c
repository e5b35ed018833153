/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims of Faraji and Afsahi 2018 about GSB, BTB and their hierarchies on
 * Helios: F01 to F13, F30, F31. */
#include "results/papers/claim_lab.h"

#include "results/papers/claims_shared.h"

#include "strategies/collective/collective.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const unsigned procs[] = {4, 8, 16, 24};
enum { NPROCS = 4, FIRST_LARGE_B = 256 << 10 };

static double helios_s(struct lab *lab, const char *algorithm, unsigned nodes,
                       unsigned gpus, unsigned per_gpu, int size,
                       struct err *err)
{
    return claim_shared_s(lab,
                          (struct shared_case){ON_HELIOS, COLLECTIVE_ALLREDUCE,
                                               algorithm, nodes, gpus, per_gpu,
                                               shared_size(size)},
                          err);
}

/* Gets the times of one GPU with p ranks, for all sizes. Returns false if a
 * simulation failed. */
static bool one_gpu(double *t, struct lab *lab, const char *algorithm,
                    unsigned p, struct err *err)
{
    for (int i = 0; i < SHARED_SIZES; i++)
        if (isnan(t[i] = helios_s(lab, algorithm, 1, 1, p, i, err)))
            return false;
    return true;
}

/* Returns the first size from which a is always below b; SHARED_SIZES if there
 * is none. */
static int wins_from(const double *a, const double *b)
{
    int i = SHARED_SIZES;

    while (i > 0 && a[i - 1] < b[i - 1])
        i--;
    return i;
}

static const char *const singles[] = {"gsb_gsb", "btb_btb"};
static const char *const single_names[] = {"GSB", "BTB"};

int claim_gsb_from(struct lab *lab, struct verdict *v, struct err *err)
{
    double t[SHARED_SIZES], base[SHARED_SIZES];

    v->from = EVIDENCE_FITTED;
    verdict_note(v, "the time slice of helios is fitted to this");
    for (int k = 0; k < NPROCS; k++)
        for (int a = 0; a < 2; a++) {
            if (!one_gpu(t, lab, singles[a], procs[k], err) ||
                !one_gpu(base, lab, "mvapich2", procs[k], err))
                return -1;
            int from = wins_from(t, base);
            verdict_part(v, from == shared_size_of(FIRST_LARGE_B),
                         "%u processes: %s is faster from %llu B on (wanted "
                         "262144); at 128 KiB %.3f, at 256 KiB %.3f of "
                         "MVAPICH2's time",
                         procs[k], single_names[a],
                         (unsigned long long)shared_size(from),
                         t[shared_size_of(131072)] /
                             base[shared_size_of(131072)],
                         t[shared_size_of(FIRST_LARGE_B)] /
                             base[shared_size_of(FIRST_LARGE_B)]);
        }
    return 0;
}

int claim_gsb_best(struct lab *lab, struct verdict *v, struct err *err)
{
    double t[SHARED_SIZES], base[SHARED_SIZES], most = 0;

    v->from = EVIDENCE_PREDICTED;
    for (int k = 0; k < NPROCS; k++) {
        bool grows = true;
        if (!one_gpu(t, lab, "gsb_gsb", procs[k], err) ||
            !one_gpu(base, lab, "mvapich2", procs[k], err))
            return -1;
        for (int i = shared_size_of(FIRST_LARGE_B) + 1; i < SHARED_SIZES; i++)
            grows = grows && base[i] / t[i] >= base[i - 1] / t[i - 1] * 0.999;
        double last = base[SHARED_SIZES - 1] / t[SHARED_SIZES - 1];
        verdict_part(v, grows,
                     "%u processes: improvement grows from 256 KiB on, to "
                     "%.1f times at 16 MiB",
                     procs[k], last);
        most = fmax(most, last);
    }
    verdict_part(v, most > 19.5 * 0.8 && most < 19.5 * 1.2,
                 "up to %.1f times (wanted 19.5 within 20 %%)", most);
    return 0;
}

int claim_gsb_btb(struct lab *lab, struct verdict *v, struct err *err)
{
    double gsb[SHARED_SIZES], btb[SHARED_SIZES];

    v->from = EVIDENCE_FITTED;
    verdict_note(v, "that ranks with a buffer do not copy their vector was "
                    "chosen with this in sight");
    for (int k = 0; k < NPROCS; k++) {
        double least = INFINITY, most = 0;
        if (!one_gpu(gsb, lab, "gsb_gsb", procs[k], err) ||
            !one_gpu(btb, lab, "btb_btb", procs[k], err))
            return -1;
        for (int i = 0; i < SHARED_SIZES; i++) {
            least = fmin(least, btb[i] / gsb[i]);
            most = fmax(most, btb[i] / gsb[i]);
        }
        verdict_part(v, least >= 0.99,
                     "%u processes: BTB takes %.3f to %.3f of GSB's time "
                     "(wanted 0.99 at least)",
                     procs[k], least, most);
    }
    return 0;
}

int claim_gsb_flat(struct lab *lab, struct verdict *v, struct err *err)
{
    double t[SHARED_SIZES];
    int flat = shared_size_of(131072), large = shared_size_of(8 << 20);

    v->from = EVIDENCE_PREDICTED;
    for (int k = 0; k < NPROCS; k++)
        for (int a = 0; a < 2; a++) {
            if (!one_gpu(t, lab, singles[a], procs[k], err))
                return -1;
            verdict_part(v,
                         t[flat] < 1.2 * t[0] && t[large + 1] > 1.8 * t[large],
                         "%u processes: %s takes %.2f times as long for 128 "
                         "KiB as for 4 B (wanted 1.2 at most), %.2f for 16 "
                         "MiB as for 8 (1.8 at least)",
                         procs[k], single_names[a], t[flat] / t[0],
                         t[large + 1] / t[large]);
        }
    return 0;
}

int claim_gsb_grows(struct lab *lab, struct verdict *v, struct err *err)
{
    double t[NPROCS][SHARED_SIZES];

    v->from = EVIDENCE_PREDICTED;
    for (int a = 0; a < 2; a++) {
        bool grows = true;
        for (int k = 0; k < NPROCS; k++) {
            if (!one_gpu(t[k], lab, singles[a], procs[k], err))
                return -1;
            for (int i = 0; i < SHARED_SIZES && k; i++)
                grows = grows && t[k][i] > t[k - 1][i];
        }
        verdict_part(v, grows,
                     "%s: more with every number of processes at every size; "
                     "at 4 B %.0f, %.0f, %.0f, %.0f us",
                     single_names[a], t[0][0] * 1e6, t[1][0] * 1e6,
                     t[2][0] * 1e6, t[3][0] * 1e6);
    }
    return 0;
}

/* --- several GPUs --------------------------------------------------------- */

enum { NLARGE = 7 }; /* 256 KiB to 16 MiB */

/* A tie in percent: if times are nearer, neither is faster. */
static const double TIE = 0.1;

/* The gain of b over a: the time it saves in percent of a's, in each cell of a
 * shape; and the numbers of cells in which it takes less time, or as much. */
struct gain {
    double of[NSHARED_SHAPES][NLARGE];
    unsigned better, ties, cells;
    double least, most;
};

static bool gains(struct gain *g, struct lab *lab, const char *a, const char *b,
                  unsigned nodes, struct err *err)
{
    int first = shared_size_of(FIRST_LARGE_B);

    *g = (struct gain){.least = INFINITY, .most = -INFINITY};
    for (size_t s = 0; s < NSHARED_SHAPES; s++)
        for (int i = 0; i < NLARGE; i++) {
            double was = helios_s(lab, a, nodes, shared_shapes[s][0],
                                  shared_shapes[s][1], first + i, err);
            double is = helios_s(lab, b, nodes, shared_shapes[s][0],
                                 shared_shapes[s][1], first + i, err);
            if (isnan(was) || isnan(is))
                return false;
            double gain = (was - is) / was * 100;
            g->of[s][i] = gain;
            g->cells++;
            g->better += gain > TIE;
            g->ties += fabs(gain) <= TIE;
            g->least = fmin(g->least, gain);
            g->most = fmax(g->most, gain);
        }
    return true;
}

static void all_better(struct verdict *v, const char *what,
                       const struct gain *g)
{
    verdict_part(v, g->better == g->cells,
                 "%s in %u of %u cells: %.1f to %.1f %%; %u ties", what,
                 g->better, g->cells, g->least, g->most, g->ties);
}

int claim_hierarchy(struct lab *lab, struct verdict *v, struct err *err)
{
    struct gain g;

    v->from = EVIDENCE_PREDICTED;
    if (!gains(&g, lab, "mvapich2", "gsb_gsb", 1, err))
        return -1;
    all_better(v, "GSB-GSB is faster than MVAPICH2", &g);
    return 0;
}

int claim_hierarchy_grows(struct lab *lab, struct verdict *v, struct err *err)
{
    struct gain g;
    unsigned size = 0, sizes_of = 0, more = 0, mores = 0;

    v->from = EVIDENCE_PREDICTED;
    if (!gains(&g, lab, "mvapich2", "gsb_gsb", 1, err))
        return -1;
    for (size_t s = 0; s < NSHARED_SHAPES; s++)
        for (int i = 0; i < NLARGE; i++) {
            if (i) {
                sizes_of++;
                size += g.of[s][i] > g.of[s][i - 1];
            }
            if (s && shared_shapes[s][0] == shared_shapes[s - 1][0]) {
                mores++;
                more += g.of[s][i] > g.of[s - 1][i];
            }
        }
    verdict_part(v, size == sizes_of,
                 "with the next larger size the improvement is more in %u of "
                 "%u cells",
                 size, sizes_of);
    verdict_part(v, more == mores,
                 "with more processes on a GPU in %u of %u cells", more, mores);
    return 0;
}

int claim_btb_inside(struct lab *lab, struct verdict *v, struct err *err)
{
    struct gain g;

    v->from = EVIDENCE_FITTED;
    verdict_note(v, "that ranks with a buffer do not copy their vector was "
                    "chosen with this in sight");
    if (!gains(&g, lab, "btb_gsb", "gsb_gsb", 1, err))
        return -1;
    all_better(v, "GSB-GSB is faster than BTB-GSB", &g);
    return 0;
}

/* Returns one shape's mean over the sizes. */
static double mean_gain(const struct gain *g, size_t s)
{
    double sum = 0;

    for (int i = 0; i < NLARGE; i++)
        sum += g->of[s][i] / NLARGE;
    return sum;
}

int claim_btb_btb(struct lab *lab, struct verdict *v, struct err *err)
{
    struct gain g;
    unsigned falls = 0, fall_pairs = 0, grows = 0, grow_pairs = 0,
             wins[9] = {0};

    v->from = EVIDENCE_PREDICTED;
    if (!gains(&g, lab, "gsb_gsb", "btb_btb", 1, err))
        return -1;
    for (size_t s = 0; s < NSHARED_SHAPES; s++) {
        verdict_note(v, "%u GPUs, %u processes on each: BTB-BTB %+.1f %%",
                     shared_shapes[s][0], shared_shapes[s][1],
                     mean_gain(&g, s));
        for (int i = 0; i < NLARGE; i++)
            wins[shared_shapes[s][0]] += g.of[s][i] > 0;
        for (size_t k = 0; k < NSHARED_SHAPES; k++) {
            bool same_gpus = shared_shapes[s][0] == shared_shapes[k][0];
            bool same_ranks = shared_shapes[s][1] == shared_shapes[k][1];
            if (same_gpus && shared_shapes[s][1] > shared_shapes[k][1]) {
                fall_pairs++;
                falls += mean_gain(&g, s) < mean_gain(&g, k);
            }
            if (same_ranks && shared_shapes[s][0] > shared_shapes[k][0]) {
                grow_pairs++;
                grows += mean_gain(&g, s) > mean_gain(&g, k);
            }
        }
    }
    verdict_part(v, wins[4] && wins[8],
                 "BTB-BTB is faster than GSB-GSB in %u cells with 4 GPUs, %u "
                 "with 8",
                 wins[4], wins[8]);
    verdict_part(v, grows == grow_pairs,
                 "with more GPUs its gain grows in %u of %u pairs", grows,
                 grow_pairs);
    verdict_part(v, falls == fall_pairs,
                 "with more processes on a GPU it falls in %u of %u pairs",
                 falls, fall_pairs);
    return 0;
}

int claim_gsb_between(struct lab *lab, struct verdict *v, struct err *err)
{
    struct gain g;

    v->from = EVIDENCE_PREDICTED;
    if (!gains(&g, lab, "gsb_gsb", "gsb_btb", 1, err))
        return -1;
    verdict_part(v, g.better + g.ties == g.cells,
                 "GSB-BTB is as fast as GSB-GSB or faster in %u of %u cells: "
                 "%.1f to %.1f %%; %u ties",
                 g.better + g.ties, g.cells, g.least, g.most, g.ties);
    return 0;
}

int claim_four_nodes(struct lab *lab, struct verdict *v, struct err *err)
{
    struct gain one, four;
    unsigned less = 0;

    v->from = EVIDENCE_PREDICTED;
    if (!gains(&one, lab, "mvapich2", "gsb_gsb", 1, err) ||
        !gains(&four, lab, "mvapich2", "gsb_gsb", 4, err))
        return -1;
    all_better(v, "4 nodes: GSB-GSB is faster than MVAPICH2", &four);
    for (size_t s = 0; s < NSHARED_SHAPES; s++)
        for (int i = 0; i < NLARGE; i++)
            less += four.of[s][i] < one.of[s][i];
    verdict_part(v, less == four.cells,
                 "by less than on one node in %u of %u cells", less,
                 four.cells);
    return 0;
}

int claim_four_nodes_best(struct lab *lab, struct verdict *v, struct err *err)
{
    static const char *const others[] = {"gsb_gsb", "btb_gsb", "btb_btb"};
    struct gain g;

    v->from = EVIDENCE_PREDICTED;
    for (int k = 0; k < 3; k++) {
        char what[64];
        if (!gains(&g, lab, others[k], "gsb_btb", 4, err))
            return -1;
        snprintf(what, sizeof what, "4 nodes: gsb_btb is not slower than %s",
                 others[k]);
        all_better(v, what, &g);
    }
    if (!gains(&g, lab, "btb_gsb", "gsb_gsb", 4, err))
        return -1;
    all_better(v, "BTB-GSB is slower than GSB-GSB", &g);
    if (!gains(&g, lab, "btb_gsb", "btb_btb", 4, err))
        return -1;
    all_better(v, "BTB-GSB is slower than BTB-BTB", &g);
    return 0;
}

int claim_inside_faster(struct lab *lab, struct verdict *v, struct err *err)
{
    struct shared_study *s = claim_shared(lab, err);

    if (!s)
        return -1;
    const struct machine *m = &s->machines[ON_HELIOS];
    const struct copy_cost *in =
        machine_copy(m, D2D, SHARED_CACHE, 1, FIRST_LARGE_B);
    const struct copy_cost *out =
        machine_copy(m, D2D, ON_SOCKET, 1, FIRST_LARGE_B);
    double factor = in && out ? out->beta_s_per_B / in->beta_s_per_B : 0;

    v->from = EVIDENCE_INPUT;
    verdict_part(v, factor >= 10,
                 "bytes are copied %.1f times as fast inside a GPU (wanted 10 "
                 "at least); both rates are assumed",
                 factor);
    return 0;
}

int claim_small_large(struct lab *lab, struct verdict *v, struct err *err)
{
    double t[SHARED_SIZES], base[SHARED_SIZES];
    int small = shared_size_of(65536), large = shared_size_of(1 << 20);

    v->from = EVIDENCE_PREDICTED;
    for (int k = 0; k < NPROCS; k++)
        for (int a = 0; a < 2; a++) {
            bool loses = true, wins = true;
            if (!one_gpu(t, lab, singles[a], procs[k], err) ||
                !one_gpu(base, lab, "mvapich2", procs[k], err))
                return -1;
            for (int i = 0; i < SHARED_SIZES; i++) {
                loses = loses && (i > small || t[i] > base[i]);
                wins = wins && (i < large || t[i] < base[i]);
            }
            verdict_part(v, loses && wins,
                         "%u processes: %s slower than MVAPICH2 up to 64 KiB "
                         "(4 B: %.1f times), faster from 1 MiB on",
                         procs[k], single_names[a], t[0] / base[0]);
        }
    return 0;
}

/* Counts the entries of the directory and the vectors in the shared buffers
 * that an algorithm needs: a rank that reduces more than two inputs at once has
 * as many vectors as inputs, and p entries; any other rank that reduces has one
 * of both. */
static int count_buffers(unsigned *flags, unsigned *vectors, struct lab *lab,
                         const char *algorithm, unsigned p, struct err *err)
{
    struct shared_study *s = claim_shared(lab, err);
    struct collective c = {.kind = COLLECTIVE_ALLREDUCE,
                           .nodes = 1,
                           .ranks_per_node = p,
                           .bytes = 4096,
                           .element_B = 4,
                           .memory = COLLECTIVE_DEVICE,
                           .per_gpu = p};
    struct plan plan;

    if (!s || collective_plan(&plan, &s->machines[ON_HELIOS],
                              collective_find(c.kind, algorithm, err), NULL, &c,
                              err) < 0)
        return -1;
    unsigned *most = xcalloc(p, sizeof *most);
    for (size_t i = 0; i < plan.nops; i++)
        if (plan.ops[i].kind == OP_REDUCE &&
            plan.ops[i].inputs > most[plan.ops[i].src])
            most[plan.ops[i].src] = plan.ops[i].inputs;
    *flags = *vectors = 0;
    for (unsigned r = 0; r < p; r++) {
        *flags += most[r] > 2 ? p : most[r] > 0;
        *vectors += most[r] > 2 ? most[r] : most[r] > 0;
    }
    free(most);
    plan_clear(&plan);
    return 0;
}

int claim_buffers(struct lab *lab, struct verdict *v, struct err *err)
{
    unsigned gsb[2], btb[2];

    v->from = EVIDENCE_CONSTRUCTION;
    for (int k = 0; k < NPROCS; k++) {
        if (count_buffers(&gsb[0], &gsb[1], lab, "gsb_gsb", procs[k], err) <
                0 ||
            count_buffers(&btb[0], &btb[1], lab, "btb_btb", procs[k], err) < 0)
            return -1;
        verdict_part(v, 2 * btb[1] == gsb[1] && 2 * btb[0] == gsb[0],
                     "%u processes: BTB's buffers hold %u vectors, of %u "
                     "entries of the directory; GSB's %u, %u",
                     procs[k], btb[1], btb[0], gsb[1], gsb[0]);
    }
    return 0;
}
