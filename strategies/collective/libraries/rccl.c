/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rccl.c - RCCL's choice: as NCCL's, by a model of its own with other constants
 * (rccl.def), then by ranges of bytes, and for short all-reduces of 8 MI300 on
 * one node by plans of MSCCL. Not modelled are its MSCCL++ and direct
 * allgathers, and MSCCL's all-to-alls; LL128 is off on the nodes whose rings
 * RCCL lists, and is never chosen here.
 */
#include "strategies/collective/libraries/nccl_choice.h"
#include "strategies/collective/rccl_rings.h"

#include <math.h>
#include <string.h>

enum { NTABLES = 7, PARTS = 27 };
enum { FEW_NODES, MORE_NODES, NPLACES };
enum { INTRA, INTER };
enum { NALGORITHMS = RING + 1 };

static const struct table {
    double step_us[NTUNED_LINKS][NALGORITHMS][NTUNED_PROTOCOLS];
    double share[NPLACES][NALGORITHMS][NTUNED_PROTOCOLS];
    double part[NALGORITHMS][NTUNED_PROTOCOLS][PARTS];
} tables[NTABLES] = {
#define RCCL_STEP(n, link, algorithm, ...)                                     \
    [n].step_us[link][algorithm] = {__VA_ARGS__},
#define RCCL_SHARE(n, place, algorithm, ...)                                   \
    [n].share[place][algorithm] = {__VA_ARGS__},
#define RCCL_PART(n, algorithm, protocol, ...)                                 \
    [n].part[algorithm][protocol] = {__VA_ARGS__},
#define RCCL_LL(...)
#define RCCL_ALL_PAIRS(...)
#include "strategies/collective/libraries/rccl.def"
#undef RCCL_STEP
#undef RCCL_SHARE
#undef RCCL_PART
#undef RCCL_LL
#undef RCCL_ALL_PAIRS
};
static const double base_us[NTUNED_PROTOCOLS] = {12, 12, 17};
#define POST_US 2.0 /* AMD's CPUs hand a message to the NIC */
#define LL_OF_A_ROOT                                                           \
    1.65 /* its share is greater for broadcasts and reduces                    \
          */
enum { TABLE_OF_MI350 = 6 };

/* Rules beside the model. */
static const struct ll_range {
    enum nccl_generation generation;
    int place;
    enum collective_kind kind;
    uint64_t most_B;
} ll_ranges[] = {
#define RCCL_STEP(...)
#define RCCL_SHARE(...)
#define RCCL_PART(...)
#define RCCL_LL(generation, place, kind, bytes)                                \
    {generation, place, COLLECTIVE_##kind, bytes},
#define RCCL_ALL_PAIRS(...)
#include "strategies/collective/libraries/rccl.def"
#undef RCCL_LL
#undef RCCL_ALL_PAIRS
};
static const struct {
    uint64_t least_B, most_B, unit;
    const char *name;
} all_pairs[] = {
#define RCCL_LL(...)
#define RCCL_ALL_PAIRS(...) {__VA_ARGS__},
#include "strategies/collective/libraries/rccl.def"
};

/* --- the model ------------------------------------------------------------ */

struct view {
    struct nccl_system s;
    struct nccl_graph rings;
    const struct table *t;
};

static struct view rccl_see(const struct machine *m, const struct collective *c)
{
    struct view v = {.s = nccl_system_of(m, c)};
    unsigned table = v.s.generation == RCCL_MI350 ? TABLE_OF_MI350
                     : v.s.listed                 ? v.s.listed->tuning
                                                  : 0;

    v.rings = nccl_search(&v.s, NCCL_RING);
    v.t = &tables[table];
    return v;
}

static bool is_rooted(enum collective_kind kind)
{
    return kind == COLLECTIVE_BROADCAST || kind == COLLECTIVE_REDUCE;
}

static double rccl_GBps(const struct view *v, int a, int p,
                        const struct collective *c)
{
    int place = v->s.nodes <= 2 ? FEW_NODES : MORE_NODES;
    double bus = v->rings.channels *
                 (v->s.nodes <= 2 ? v->rings.intra_GBps : v->rings.inter_GBps) *
                 v->t->share[place][a][p];
    uint64_t units = c->bytes >> 6;
    int doublings = units ? 63 - __builtin_clzll(units) : 0;

    if (a == RING && p == LL && v->s.nodes == 1 && is_rooted(c->kind) &&
        v->s.generation >= RCCL_MI300)
        bus *= LL_OF_A_ROOT;
    if (a == TREE || v->s.nodes > 1)
        bus *= v->t->part[a][p][doublings < PARTS ? doublings : PARTS - 1];
    return bus * (a == TREE
                      ? 0.5
                      : (double)v->s.ranks / nccl_steps(c->kind, v->s.ranks));
}

static double rccl_ring_us(const struct view *v, int p,
                           enum collective_kind kind)
{
    enum tuned_link inside = v->s.nvlink ? NVLINK : PCI;
    enum tuned_link link = v->s.nodes > 1 ? NET : inside;
    bool same = v->s.listed || nccl_same_channels(&v->s);
    unsigned steps = nccl_steps(kind, v->s.ranks);
    double intra = v->t->step_us[inside][RING][p];
    double inter = v->t->step_us[NET][v->s.per_node == 1 ? TREE : RING][p];

    if (is_rooted(kind))
        return same ? v->t->step_us[link][RING][p]
                    : steps * v->t->step_us[link][p == SIMPLE ? TREE : RING][p];
    unsigned between =
        (v->s.nodes - 1) * (kind == COLLECTIVE_ALLREDUCE ? 2 : 1);
    if (v->s.nodes > 1)
        intra = fmax(intra, POST_US * (p == SIMPLE ? 3 : 1));
    return (steps - between) * intra + between * inter;
}

static double rccl_us(const struct view *v, int a, int p,
                      const struct collective *c)
{
    enum tuned_link inside = v->s.nvlink ? NVLINK : PCI;
    double us =
        a == RING ? rccl_ring_us(v, p, c->kind)
                  : 2 * ((v->s.ranks / v->s.nodes - 1) *
                             v->t->step_us[inside][TREE][p] +
                         floor(log2(v->s.nodes)) * v->t->step_us[NET][TREE][p]);

    return base_us[p] + us + (double)c->bytes / (1000 * rccl_GBps(v, a, p, c));
}

static const char *rccl_lacks(const struct view *v, int a, int p,
                              enum collective_kind kind)
{
    if (a > RING)
        return "RCCL has rings and trees alone";
    if (p == LL128)
        return "RCCL's LL128 is off on such nodes";
    if (a == RING)
        return NULL;
    if (kind != COLLECTIVE_ALLREDUCE)
        return "RCCL's trees are of all-reduces";
    return p == SIMPLE && v->s.nodes == 1 && v->s.generation >= RCCL_MI300
               ? "RCCL has no tree by Simple on one node of MI300 and later"
               : NULL;
}

void rccl_tune(struct nccl_tuning *t, const struct machine *m,
               const struct collective *c)
{
    struct view v = rccl_see(m, c);

    for (int a = 0; a < NTUNED_ALGORITHMS; a++)
        for (int p = 0; p < NTUNED_PROTOCOLS; p++) {
            t->lacks[a][p] = rccl_lacks(&v, a, p, c->kind);
            t->us[a][p] = t->lacks[a][p] ? 0 : rccl_us(&v, a, p, c);
        }
}

/* --- rules beside the model ----------------------------------------------- */

static const char *all_pairs_of(const struct view *v,
                                const struct collective *c)
{
    uint64_t elements = c->bytes / (c->element_B ? c->element_B : 1);

    if (c->kind != COLLECTIVE_ALLREDUCE || v->s.nodes > 1 ||
        v->s.generation != RCCL_MI300 || !v->s.listed)
        return NULL;
    for (size_t i = 0; i < sizeof all_pairs / sizeof all_pairs[0]; i++)
        if (c->bytes >= all_pairs[i].least_B &&
            c->bytes <= all_pairs[i].most_B &&
            elements % all_pairs[i].unit == 0)
            return all_pairs[i].name;
    return NULL;
}

static enum tuned_protocol by_range(const struct view *v,
                                    const struct collective *c,
                                    enum tuned_protocol chosen)
{
    int place = v->s.nodes > 1 ? INTER : INTRA;
    bool split =
        c->kind == COLLECTIVE_ALLGATHER || c->kind == COLLECTIVE_REDUCE_SCATTER;
    uint64_t bytes = c->bytes / (split ? v->s.ranks : 1);

    for (size_t i = 0; i < sizeof ll_ranges / sizeof ll_ranges[0]; i++) {
        const struct ll_range *r = &ll_ranges[i];
        if (r->generation == v->s.generation && r->place == place &&
            r->kind == c->kind)
            return bytes <= r->most_B ? LL : place == INTER ? SIMPLE : chosen;
    }
    return chosen;
}

static const char *rccl_choose(const struct machine *m,
                               const struct collective *c)
{
    enum tuned_algorithm a;
    enum tuned_protocol p;
    struct nccl_tuning t;

    if (!nccl_serves(m, c) || !nccl_is_rccl(nccl_generation_of(m)))
        return NULL;
    if (c->kind == COLLECTIVE_ALLTOALL)
        return m->nccl.protocols[NCCL_P2P].slot_B ? NCCL_P2P_NAME : NULL;
    const struct view v = rccl_see(m, c);
    const char *pairs = nccl_is_free(m) ? all_pairs_of(&v, c) : NULL;
    if (pairs)
        return pairs;
    rccl_tune(&t, m, c);
    if (!nccl_fastest(m, &t, &a, &p))
        return NULL;
    enum tuned_protocol other = nccl_is_free(m) ? by_range(&v, c, p) : p;
    return tuned_names[a][t.lacks[a][other] ? p : other];
}

/* --- the library ---------------------------------------------------------- */

static bool is_all_pairs(const struct collective_algorithm *x)
{
    for (size_t i = 0; i < sizeof all_pairs / sizeof all_pairs[0]; i++)
        if (!strcmp(x->name, all_pairs[i].name))
            return true;
    return false;
}

static bool rccl_has(const struct collective_algorithm *x)
{
    return nccl_is_tuned(x) || is_all_pairs(x);
}

static const char *rccl_refuses(const struct machine *m,
                                const struct collective_algorithm *x,
                                const struct collective *c)
{
    if (!nccl_is_rccl(nccl_generation_of(m)))
        return "RCCL is for AMD's GPUs from MI200 on";
    if (!is_all_pairs(x))
        return nccl_refuses_told(m, x, c);
    if (!nccl_serves(m, c))
        return "RCCL's are between GPUs (memory=device)";
    const struct view v = rccl_see(m, c);
    return all_pairs_of(&v, c) ? NULL
                               : "RCCL has MSCCL's plans for some sizes on one "
                                 "node of 8 MI300";
}

static bool rccl_is_for(const struct machine *m)
{
    return m->nccl.slots > 0 && nccl_is_rccl(nccl_generation_of(m));
}

const struct collective_library rccl_library = {
    .name = "rccl",
    .summary = "RCCL's model of its own time (commit 9e22c79d, 2025)",
    .is_for = rccl_is_for,
    .choose = rccl_choose,
    .has = rccl_has,
    .refuses = rccl_refuses,
};
