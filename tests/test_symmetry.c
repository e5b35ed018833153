/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On all platforms, by every strategy, an exchange, drawn or a ring, is done by
 * the same ranks in the same time if its two nodes are swapped; if nodes that
 * are their own mirror image are mirrored, which reverses a ring; and if two
 * GPUs of one node are swapped that are connected alike. Messages between ranks
 * take as long if two ranks are swapped whose cores are alike. The argument is
 * the number of exchanges per platform (2). */
#include "strategies/strategy.h"
#include "tests/known.h"
#include "tests/on_machines.h"

#define ROUNDING 1e-9
enum { NODES = 2, MESSAGES = 12, MOST_GPUS = 16, MOST_CORES = 1024 };

static unsigned draws;

/*
 * Known asymmetries that are right. It is checked that the order of posting is
 * their only reason: if all operations of a plan are swapped, but its order
 * stays, it takes as long.
 */
#define POSTED                                                                 \
    "a rank posts messages in the order of their receivers' numbers, as "      \
    "codes "                                                                   \
    "loop over ranks, and what is posted first is first on CPU and NIC"
#define NUMBERS                                                                \
    "GPUs of equal number are paired by definition, and numbers of one node "  \
    "change"
#define IDLE                                                                   \
    "which of the GPUs without messages to other nodes is nearer to those "    \
    "that "                                                                    \
    "have some is told by their numbers"
#define ONE_NIC "short messages go by nic0, of whichever socket they are"

#define CACHES                                                                 \
    "a GPU has 7 ranks, of which 2 share a cache: of the next GPU's others do"

/* The aspects that are compared: the ranks of a plan; the time of a plan with
 * all at its new place, in its old order; the time of the new plan. */
enum thing { ROLES, PLACES, TIMES };
static const char *const thing_names[] = {"other ranks", "other places",
                                          "another time"};

/* Parts of the names of strategies, and names of platforms. */
static struct {
    const char *what;
    enum thing thing;
    const char *strategy, *platforms;
    struct known known; /* its bound is a part of the time */
} known[] = {
    {"mirror", TIMES, "", "", {0.35, POSTED, 0}},
    {"mirror", PLACES, "split+", "lassen summit", {0.01, ONE_NIC, 0}},
    {"alike GPUs", ROLES, "2-step/", "", {1, NUMBERS, 0}},
    {"alike GPUs", ROLES, "rail/", "", {1, NUMBERS, 0}},
    {"alike GPUs",
     ROLES,
     "split+",
     "dgx-2 dgx-a100 dgx-a100-80 dgx-a100-9 hgx-a100-roce p4de abci-a",
     {1, IDLE, 0}},
    {"alike GPUs", PLACES, "split+", "summit", {0.01, CACHES, 0}},
    {"alike GPUs", TIMES, "2-step/", "", {0.15, NUMBERS, 0}},
    {"alike GPUs", TIMES, "rail/", "", {0.55, NUMBERS, 0}},
    {"alike GPUs", TIMES, "", "", {0.1, POSTED, 0}},
};

struct subject {
    const char *platform, *what, *strategy;
    const struct machine *m;
};

/* NULL: none is known. */
static struct known *known_of(const struct subject *s, enum thing thing)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strcmp(known[i].what, s->what) && known[i].thing == thing &&
            strstr(s->strategy, known[i].strategy) &&
            (!*known[i].platforms || has_word(known[i].platforms, s->platform)))
            return &known[i].known;
    return NULL;
}

static void check(const struct subject *s, enum thing thing, double apart)
{
    struct known *k = apart > ROUNDING ? known_of(s, thing) : NULL;
    bool well = apart <= ROUNDING || (k && known_covers(k, apart));

    if (!well)
        printf("%s, %s, %s: %s (%.4f)\n", s->platform, s->strategy, s->what,
               thing_names[thing], apart);
    CHECK(well);
}

static void check_times(const struct subject *s, enum thing thing,
                        const struct plan *one, const struct plan *other,
                        enum engine_kind engine)
{
    double one_s = NAN, other_s = NAN;

    if (drawn_time(&one_s, s->m, one, engine) < 0)
        return;
    CHECK(drawn_time(&other_s, s->m, other, engine) == 0);
    check(s, thing, fabs(one_s - other_s) / fmin(one_s, other_s));
}

/* --- permutations --------------------------------------------------------- */

struct change {
    uint32_t gpu[NODES * MOST_GPUS]; /* the GPU at the place of each */
};

/* The ranks that serve a GPU of a node, as strategies/exchange assigns them if
 * there is one on each core. */
struct share {
    unsigned first, n;
};

static struct share share_of(const struct machine *m, unsigned gpu)
{
    unsigned socket = machine_gpu(m, gpu)->socket, gpus = 0, nth = 0;
    unsigned cores = machine_socket(m, socket)->cores;

    for (unsigned g = 0; g < m->ngpus; g++)
        if (machine_gpu(m, g)->socket == socket) {
            nth += g < gpu;
            gpus++;
        }
    return (struct share){machine_socket_core(m, socket) + nth * cores / gpus,
                          (nth + 1) * cores / gpus - nth * cores / gpus};
}

/* Finds the rank at the place of each; returns false if GPUs have different
 * numbers of ranks than those at their places, or a rank has no GPU. */
static bool ranks_change(uint32_t *rank, const struct machine *m,
                         const struct change *c)
{
    unsigned served = 0;

    for (uint32_t g = 0; g < NODES * m->ngpus; g++) {
        struct share from = share_of(m, g % m->ngpus);
        struct share to = share_of(m, c->gpu[g] % m->ngpus);
        if (from.n != to.n)
            return false;
        for (unsigned i = 0; i < from.n; i++)
            rank[g / m->ngpus * m->ncores + from.first + i] =
                c->gpu[g] / m->ngpus * m->ncores + to.first + i;
        served += from.n;
    }
    return served == NODES * m->ncores;
}

/* --- equality of plans ---------------------------------------------------- */

struct carried {
    uint64_t bytes;
    uint32_t src, dst, kind, phase;
};

static int by_bytes_and_ranks(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(struct carried));
}

/* Returns the operations of ranks, in any order; `rank` is the rank at the
 * place of each, NULL for the same. The caller frees it. */
static struct carried *carried_by(const struct plan *p, const uint32_t *rank)
{
    struct carried *all = xcalloc(p->nops, sizeof *all);

    for (uint32_t i = 0; i < p->nops; i++) {
        const struct op *op = &p->ops[i];
        all[i] = (struct carried){op->bytes, rank ? rank[op->src] : op->src,
                                  rank ? rank[op->dst] : op->dst, op->kind,
                                  op->phase};
    }
    qsort(all, p->nops, sizeof *all, by_bytes_and_ranks);
    return all;
}

static bool same_roles(const struct plan *one, const struct plan *other,
                       const uint32_t *rank)
{
    struct carried *a = carried_by(one, rank), *b = carried_by(other, NULL);
    bool same =
        one->nops == other->nops && !memcmp(a, b, one->nops * sizeof *a);

    free(a);
    free(b);
    return same;
}

/* --- exchanges ------------------------------------------------------------ */

/* Makes the plan; returns false if the machine cannot run it. */
static bool exchange_plan(struct plan *plan, const struct machine *m,
                          const struct strategy *s, const struct halo_msg *msgs,
                          size_t n)
{
    const struct strategy_options options = {0};
    struct halo halo;
    struct err err = {0};

    CHECK(halo_from_messages(&halo, NODES * m->ngpus, m->ngpus, 8, msgs, n,
                             &err) == 0);
    bool can = strategy_plan(s, plan, m, &halo, &options, &err) == 0;
    halo_clear(&halo);
    return can;
}

/* Moves everything of the plan to its new place, in its old order. */
static void plan_change(struct plan *p, const struct change *c,
                        const uint32_t *rank)
{
    for (uint32_t i = 0; i < p->nops; i++) {
        struct op *op = &p->ops[i];
        op->src = rank[op->src];
        op->dst = rank[op->dst];
        if (op->src_gpu != NO_GPU)
            op->src_gpu = c->gpu[op->src_gpu];
        if (op->dst_gpu != NO_GPU)
            op->dst_gpu = c->gpu[op->dst_gpu];
    }
}

static void compare_plans(const struct subject *s, const struct change *c,
                          struct plan *one, const struct plan *other,
                          bool both_engines)
{
    static uint32_t rank[NODES * MOST_CORES];

    check_times(s, TIMES, one, other, ENGINE_FLUID);
    if (both_engines)
        check_times(s, TIMES, one, other, ENGINE_SIMGRID);
    if (!ranks_change(rank, s->m, c))
        return;
    check(s, ROLES, !same_roles(one, other, rank));
    struct plan moved = *one;
    moved.ops = xmalloc(one->nops * sizeof *moved.ops);
    memcpy(moved.ops, one->ops, one->nops * sizeof *moved.ops);
    plan_change(&moved, c, rank);
    check_times(s, PLACES, one, &moved, ENGINE_FLUID);
    free(moved.ops);
}

static void compare(struct subject *s, const struct change *c,
                    const struct halo_msg *one, size_t n, bool both_engines)
{
    struct halo_msg *other = xcalloc(n, sizeof *other);

    for (size_t i = 0; i < n; i++)
        other[i] = (struct halo_msg){c->gpu[one[i].src], c->gpu[one[i].dst],
                                     one[i].values};
    for (size_t i = 0; i < nstrategies; i++) {
        struct plan plans[2];
        s->strategy = strategies[i]->name;
        if (!exchange_plan(&plans[0], s->m, strategies[i], one, n))
            continue;
        CHECK(exchange_plan(&plans[1], s->m, strategies[i], other, n));
        compare_plans(s, c, &plans[0], &plans[1], both_engines);
        plan_clear(&plans[0]);
        plan_clear(&plans[1]);
    }
    free(other);
}

static void ring(struct halo_msg *msgs, const struct machine *m, uint64_t *seed)
{
    uint32_t gpus = NODES * m->ngpus;
    uint64_t values = 1 + random_below(seed, 100000);

    for (uint32_t i = 0; i < gpus; i++)
        msgs[i] = (struct halo_msg){i, (i + 1) % gpus, values};
}

static void any_messages(struct halo_msg *msgs, const struct machine *m,
                         uint64_t *seed)
{
    uint32_t gpus = NODES * m->ngpus;

    for (size_t i = 0; i < MESSAGES; i++) {
        uint32_t src = (uint32_t)random_below(seed, gpus);
        uint32_t dst =
            (src + 1 + (uint32_t)random_below(seed, gpus - 1)) % gpus;
        msgs[i] = (struct halo_msg){src, dst, 1 + random_below(seed, 100000)};
    }
}

/* --- machines ------------------------------------------------------------- */

/* Returns whether each wire has an image if the devices have these places. */
static bool is_image(const struct machine *m, const unsigned *place)
{
    for (size_t i = 0; i < m->nwires; i++) {
        const struct wire *w = &m->wires[i];
        unsigned a = place[w->ends[0]], b = place[w->ends[1]];
        bool found = false;
        for (size_t k = 0; k < m->nwires && !found; k++) {
            const struct wire *v = &m->wires[k];
            found = ((v->ends[0] == a && v->ends[1] == b) ||
                     (v->ends[0] == b && v->ends[1] == a)) &&
                    v->bandwidth_Bps == w->bandwidth_Bps;
        }
        if (!found)
            return false;
    }
    return true;
}

static unsigned mirror(const struct machine *m, unsigned device)
{
    const struct device *d = &m->devices[device];
    unsigned last = 0;

    for (unsigned i = 0; i < m->ndevices; i++)
        if (m->devices[i].kind == d->kind && m->devices[i].index > last)
            last = m->devices[i].index;
    for (unsigned i = 0; i < m->ndevices; i++)
        if (m->devices[i].kind == d->kind &&
            m->devices[i].index == last - d->index)
            return i;
    return device;
}

static bool is_mirrored(const struct machine *m)
{
    unsigned *place = xcalloc(m->ndevices, sizeof *place);

    for (unsigned i = 0; i < m->ndevices; i++)
        place[i] = mirror(m, i);
    bool is = is_image(m, place);
    free(place);
    return is;
}

/* Returns whether GPUs a and b of any node are on one socket, and have wires to
 * the same devices. */
static bool are_alike(const struct machine *m, unsigned a, unsigned b)
{
    unsigned *place = xcalloc(m->ndevices, sizeof *place);
    const struct device *gpus[] = {machine_gpu(m, a), machine_gpu(m, b)};

    for (unsigned i = 0; i < m->ndevices; i++) {
        const struct device *d = &m->devices[i];
        const struct device *at =
            d == gpus[0] ? gpus[1] : (d == gpus[1] ? gpus[0] : d);
        place[i] = (unsigned)(at - m->devices);
    }
    bool are = gpus[0]->socket == gpus[1]->socket && is_image(m, place);
    free(place);
    return are;
}

static unsigned mirrored, alike, alike_cores; /* numbers of cases */

/* Each sets which GPUs are swapped, and returns whether the machine has the
 * symmetry for it. */
static bool change_nodes(struct change *c, const struct machine *m)
{
    for (uint32_t g = 0; g < NODES * m->ngpus; g++)
        c->gpu[g] = (g + m->ngpus) % (NODES * m->ngpus);
    return true;
}

static bool change_sides(struct change *c, const struct machine *m)
{
    for (uint32_t g = 0; g < NODES * m->ngpus; g++)
        c->gpu[g] = NODES * m->ngpus - 1 - g;
    bool can = is_mirrored(m);
    mirrored += can;
    return can;
}

static bool change_gpus(struct change *c, const struct machine *m)
{
    for (uint32_t g = 0; g < NODES * m->ngpus; g++)
        c->gpu[g] = g;
    for (unsigned a = 0; a < m->ngpus; a++)
        for (unsigned b = a + 1; b < m->ngpus; b++)
            if (are_alike(m, a, b)) {
                c->gpu[m->ngpus + a] = m->ngpus + b;
                c->gpu[m->ngpus + b] = m->ngpus + a;
                alike++;
                return true;
            }
    return false;
}

/* --- ranks without GPUs --------------------------------------------------- */

static bool cores_alike(const struct machine *m, unsigned a, unsigned b)
{
    bool are = machine_core_socket(m, a) == machine_core_socket(m, b);

    for (unsigned i = 0; i < m->ncores; i++)
        are = are && (i == a || i == b ||
                      machine_core_locality(m, 0, a, 0, i) ==
                          machine_core_locality(m, 0, b, 0, i));
    return are;
}

static void ranks_exchanged(struct subject *s, uint64_t *seed)
{
    unsigned first = (unsigned)random_below(seed, s->m->ncores), second = 0;
    struct plan one, other;

    while (second < s->m->ncores &&
           (second == first || !cores_alike(s->m, first, second)))
        second++;
    if (second == s->m->ncores)
        return;
    alike_cores++;
    uint64_t again = *seed;
    draw_messages(&one, s->m, MESSAGES, false, seed);
    draw_messages(&other, s->m, MESSAGES, false, &again);
    for (uint32_t i = 0; i < 2 * other.nops; i++) {
        struct op *op = &other.ops[i / 2];
        uint32_t *rank = i % 2 ? &op->src : &op->dst;
        *rank = *rank == first ? second : (*rank == second ? first : *rank);
    }
    check_times(s, TIMES, &one, &other, ENGINE_FLUID);
    check_times(s, TIMES, &one, &other, ENGINE_SIMGRID);
    plan_clear(&one);
    plan_clear(&other);
}

static void gpus_exchanged(struct subject *s, uint64_t *seed)
{
    static const struct {
        const char *what;
        bool (*get)(struct change *, const struct machine *);
    } changes[] = {{"nodes", change_nodes},
                   {"mirror", change_sides},
                   {"alike GPUs", change_gpus}};
    struct halo_msg msgs[MESSAGES + NODES * MOST_GPUS];

    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++) {
        struct change c;
        s->what = changes[k].what;
        for (unsigned i = 0; changes[k].get(&c, s->m) && i < draws; i++) {
            any_messages(msgs, s->m, seed);
            compare(s, &c, msgs, MESSAGES, !i);
            ring(msgs, s->m, seed);
            compare(s, &c, msgs, NODES * s->m->ngpus, false);
        }
    }
}

static void look(const char *name, const struct machine *m)
{
    struct subject s = {.platform = name, .what = "ranks", .m = m};
    uint64_t seed = 11;

    s.strategy = "messages";
    for (unsigned i = 0; i < draws; i++)
        ranks_exchanged(&s, &seed);
    if (m->ngpus && m->ngpus <= MOST_GPUS && m->network.nodes >= NODES &&
        m->ncores <= MOST_CORES)
        gpus_exchanged(&s, &seed);
}

int main(int argc, char **argv)
{
    draws = draws_of(argc, argv, 2);
    on_all_machines(look);
    KNOWN_CHECK_SEEN(known);
    CHECK(mirrored > 5);
    CHECK(alike > 5);
    CHECK(alike_cores > 20);
    return check_result();
}
