/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests on all platforms, by both engines, that one message and a chain of
 * messages take no longer if they have fewer bytes, if a rate of the machine is
 * twice or a time half of its value, or if a node has twice as many NICs; and
 * that many messages together take not much longer. The argument is the number
 * of plans of each kind for a platform (3). */
#include "tests/known.h"
#include "tests/on_machines.h"

#define ROUNDING 1e-9
enum { POWERS = 25, CROWD = 10, CHAIN = 4, PART = 30, SIMGRID_PART = 150 };

static unsigned draws;

/* --- fewer bytes ---------------------------------------------------------- */

/*
 * Tables drop as messages grow, by this part, behind the size at which a
 * segment ends, on each of the platforms. Segments are fitted to measurements
 * each for itself, and a protocol that ends late is slower than the next one:
 * Dane's eager messages on a node take twice as long as the rendezvous behind
 * 32 KiB, as measured. Platforms whose numbers are taken over have the drop,
 * too.
 */
#define LIKE_DGX_A100 "abci-a dgx-a100 dgx-a100-80 dgx-a100-9 hgx-a100-roce"
#define LIKE_DGX_H100                                                          \
    "dgx-b200 dgx-b300 dgx-h100 dgx-h200 hgx-b200-roce hgx-h100-roce "         \
    "hgx-h200-roce mi300x-8 mi325x-8 mi355x-8"
#define WITH_EFA "p4de p5 p5en p6-b200"
#define FITTED "the segments on both sides are fitted each for itself"

static struct {
    const char *what; /* names of platforms */
    enum locality where;
    bool gpus;
    uint64_t limit_B;
    struct known known;
} drops[] = {
    {"alps alps-queues deltaai perlmutter polaris",
     OFF_NODE,
     false,
     16,
     {0.06, FITTED, 0}},
    {"testbed-2x8", OFF_NODE, false, 64, {0.01, FITTED, 0}},
    {"alps alps-queues deltaai perlmutter polaris",
     OFF_NODE,
     false,
     64,
     {0.04, FITTED, 0}},
    {"testbed-4x4", OFF_NODE, false, 64, {0.27, FITTED, 0}},
    {"mare_nostrum marenostrum5", OFF_NODE, false, 256, {0.19, FITTED, 0}},
    {"helios", OFF_NODE, false, 16384, {0.15, FITTED, 0}},
    {"odin", OFF_NODE, false, 16384, {0.36, FITTED, 0}},
    {"leonardo", OFF_NODE, false, 131072, {0.22, FITTED, 0}},
    {"stampede2", OFF_NODE, false, 131073, {0.3, FITTED, 0}},
    {"leonardo", OFF_NODE, false, 4194304, {0.001, FITTED, 0}},
    {"el-capitan tuolumne", ON_NODE, false, 8, {0.19, FITTED, 0}},
    {"alps alps-queues deltaai", ON_NODE, false, 128, {0.01, FITTED, 0}},
    {"lassen", ON_NODE, false, 512, {0.08, FITTED, 0}},
    {"el-capitan tuolumne", ON_NODE, false, 512, {0.1, FITTED, 0}},
    {"lassen-paper", ON_NODE, false, 512, {0.17, FITTED, 0}},
    {"frontier lumi tioga", ON_NODE, false, 8192, {0.05, FITTED, 0}},
    {"el-capitan tuolumne", ON_NODE, false, 8192, {0.12, FITTED, 0}},
    {"alps alps-queues deltaai", ON_NODE, false, 16384, {0.15, FITTED, 0}},
    {"dane dane-alltoall", ON_NODE, false, 32768, {0.5, FITTED, 0}},
    {"alps alps-queues deltaai", ON_NODE, false, 65536, {0.02, FITTED, 0}},
    {"el-capitan tuolumne", ON_NODE, false, 131072, {0.06, FITTED, 0}},
    {LIKE_DGX_A100
     " " LIKE_DGX_H100 " " WITH_EFA " abci-v dgx-1v dgx-2 "
     "gb200-nvl72 gb300-nvl72 lassen mare_nostrum marenostrum5 perlmutter "
     "polaris snellius-h100",
     ON_NODE,
     false,
     131072,
     {0.07, FITTED, 0}},
    {"dane dane-alltoall", ON_NODE, false, 262144, {0.07, FITTED, 0}},
    {"lassen", ON_NODE, false, 4194304, {0.12, FITTED, 0}},
    {"alps alps-queues deltaai", ON_SOCKET, false, 128, {0.01, FITTED, 0}},
    {"frontier lumi tioga", ON_SOCKET, false, 512, {0.09, FITTED, 0}},
    {"el-capitan tuolumne", ON_SOCKET, false, 8192, {0.07, FITTED, 0}},
    {"alps alps-queues deltaai", ON_SOCKET, false, 16384, {0.11, FITTED, 0}},
    {"dane dane-alltoall", ON_SOCKET, false, 32768, {0.46, FITTED, 0}},
    {"alps alps-queues deltaai", ON_SOCKET, false, 65536, {0.02, FITTED, 0}},
    {"h200-shared h200-turns h200-x2",
     ON_SOCKET,
     false,
     65536,
     {0.21, FITTED, 0}},
    {"dane dane-alltoall", SHARED_CACHE, false, 32768, {0.45, FITTED, 0}},
    {"alps alps-queues deltaai perlmutter polaris",
     OFF_NODE,
     true,
     32,
     {0.09, FITTED, 0}},
    {"leonardo mare_nostrum marenostrum5",
     OFF_NODE,
     true,
     8192,
     {0.02, FITTED, 0}},
    {LIKE_DGX_A100 " dgx-spark", OFF_NODE, true, 8192, {0.07, FITTED, 0}},
    {LIKE_DGX_H100 " snellius-h100", OFF_NODE, true, 8192, {0.1, FITTED, 0}},
    {WITH_EFA, OFF_NODE, true, 8192, {0.04, FITTED, 0}},
    {"lumi", OFF_NODE, true, 65536, {0.11, FITTED, 0}},
    {"frontier tioga", OFF_NODE, true, 65536, {0.12, FITTED, 0}},
    {"alps alps-queues deltaai el-capitan frontier lumi mi300x-8 mi325x-8 "
     "mi355x-8 "
     "tioga tuolumne tuolumne-alltoall",
     ON_NODE,
     true,
     8,
     {0.13, FITTED, 0}},
    {"lassen", ON_NODE, true, 8192, {0.04, FITTED, 0}},
    {"abci-v dgx-1v dgx-2 summit", ON_NODE, true, 8192, {0.05, FITTED, 0}},
    {"lassen-paper", ON_NODE, true, 8192, {0.12, FITTED, 0}},
    {"frontier lumi mi300x-8 mi325x-8 mi355x-8 tioga",
     ON_SOCKET,
     true,
     8,
     {0.13, FITTED, 0}},
    {"abci-v daisy dgx-1v dgx-2", ON_SOCKET, true, 8192, {0.02, FITTED, 0}},
    {"lassen", ON_SOCKET, true, 8192, {0.02, FITTED, 0}},
    {"summit", ON_SOCKET, true, 8192, {0.05, FITTED, 0}},
};

/* The row of a drop behind this size; NULL: none is known. */
static struct known *drop_known(const char *name, enum locality where,
                                bool gpus, uint64_t limit_B)
{
    for (size_t i = 0; i < sizeof drops / sizeof drops[0]; i++)
        if (has_word(drops[i].what, name) && drops[i].where == where &&
            drops[i].gpus == gpus && drops[i].limit_B == limit_B)
            return &drops[i].known;
    return NULL;
}

static void fewer_bytes(const char *name, const struct machine *m,
                        const struct between *b, enum engine_kind engine)
{
    bool gpus = b->gpu[0] != NO_GPU;
    enum locality where = between_where(m, b);
    uint64_t bytes[2 * POWERS];
    double times_s[2 * POWERS];

    for (unsigned i = 0; i < 2 * POWERS; i++)
        bytes[i] = (UINT64_C(1) << i / 2) + i % 2;
    CHECK(between_times(times_s, m, b, bytes, (size_t)2 * POWERS, engine) == 0);
    for (unsigned i = 1; i < 2 * POWERS; i++) {
        double drop = 1 - times_s[i] / times_s[i - 1];
        struct known *k = drop > ROUNDING
                              ? drop_known(name, where, gpus, bytes[i - 1])
                              : NULL;
        bool well = drop <= ROUNDING || (k && known_covers(k, drop));
        if (!well)
            printf("%s, %s, %s: %llu B take %.9g s, %llu B %.9g s\n", name,
                   gpus ? "gpu" : "cpu", locality_names[where],
                   (unsigned long long)bytes[i - 1], times_s[i - 1],
                   (unsigned long long)bytes[i], times_s[i]);
        CHECK(well);
    }
}

/* --- a faster machine ----------------------------------------------------- */

enum kind { ONE, CHAINED, TOGETHER, NKINDS };
static const char *const kind_names[] = {"one message", "a chain", "a crowd"};
/* The most by which list scheduling can lengthen the plans of a kind. */
static const double most[] = {ROUNDING, ROUNDING, 0.5};

static void faster(const char *name, const struct plan *p, enum kind kind,
                   double before_s, struct varied *v, size_t i,
                   enum engine_kind engine)
{
    double factor = v->of.list[i].rate ? 2 : 0.5;
    double time_s = varied_time(v, i, factor, p, engine);
    bool well = time_s <= before_s * (1 + most[kind]);

    if (!well)
        printf("%s, %s, %s: %s x%g: %.9g s, before %.9g s (%+.3g)\n", name,
               engine_kind_names[engine], kind_names[kind], v->of.list[i].key,
               factor, time_s, before_s, time_s / before_s - 1);
    CHECK(well);
}

static void faster_machine(const char *name, const struct machine *m,
                           uint64_t *seed)
{
    static const unsigned messages[] = {1, CHAIN, CROWD};
    struct varied v;

    varied_init(&v, name);
    for (unsigned n = 0; n < draws * NKINDS; n++) {
        enum kind kind = (enum kind)(n % NKINDS);
        double time_s = 0, simgrid_s;
        struct plan p;
        draw_messages(&p, m, messages[kind], kind == CHAINED, seed);
        CHECK(drawn_time(&time_s, m, &p, ENGINE_FLUID) == 0);
        bool room = drawn_time(&simgrid_s, m, &p, ENGINE_SIMGRID) == 0;
        for (size_t i = 0; i < v.of.n; i++) {
            if (v.of.list[i].shares)
                continue;
            if (random_below(seed, PART) == 0)
                faster(name, &p, kind, time_s, &v, i, ENGINE_FLUID);
            if (random_below(seed, SIMGRID_PART) == 0 && room)
                faster(name, &p, kind, simgrid_s, &v, i, ENGINE_SIMGRID);
        }
        plan_clear(&p);
    }
    varied_clear(&v);
}

/* --- more NICs -------------------------------------------------------------
 */

/* List scheduling makes a crowd longer by less than this. */
#define NICS_MOST 0.02

static unsigned nics_compared, nics_helped; /* numbers of tests */

/* Loads the platform with another number of NICs; false: it cannot have so few,
 * because its network has more rails. */
static bool with_nics(struct machine *m, const char *name, unsigned nics)
{
    struct err err = {0};
    char *set = xasprintf("node.nics=%u", nics);
    bool has = platform_load(m, name, (const char *[]){set}, 1, &err) == 0;

    CHECK(has || strstr(err.text, "rails"));
    free(set);
    return has;
}

/* Returns how many times as fast the plan is; NAN: the engine has no room. */
static double check_nics(const char *name, const struct machine *few,
                         const struct machine *many, enum kind kind,
                         const struct plan *p, enum engine_kind engine)
{
    double few_s = NAN, many_s = NAN;

    if (drawn_time(&few_s, few, p, engine) < 0 && engine == ENGINE_SIMGRID)
        return NAN;
    CHECK(drawn_time(&many_s, many, p, engine) == 0);
    bool well =
        many_s <= few_s * (1 + (kind == TOGETHER ? NICS_MOST : ROUNDING));
    if (!well)
        printf("%s, %s, %s: %u NICs take %.9g s, %u NICs %.9g s (%+.3g)\n",
               name, engine_kind_names[engine], kind_names[kind], many->nnics,
               many_s, few->nnics, few_s, many_s / few_s - 1);
    CHECK(well);
    return few_s / many_s;
}

/* Plans a message from every core of a node to the same one of another. */
static void all_cores(struct plan *p, const struct machine *m)
{
    cores_plan(p, m, 2);
    for (uint32_t core = 0; core < m->ncores; core++)
        plan_msg(p, PHASE_OFF_NODE, core, m->ncores + core, NO_GPU, NO_GPU,
                 1 << 20);
}

static void compare_nics(const char *name, unsigned nics, unsigned more,
                         uint64_t *seed)
{
    static const unsigned messages[] = {1, CHAIN, 3 * CROWD};
    struct machine few, many;
    struct plan p;

    if (!with_nics(&few, name, nics))
        return;
    CHECK(with_nics(&many, name, more));
    nics_compared++;
    /* Routes to the NICs of a gb200-nvl72 are found anew for each plan. */
    unsigned plans = more > 16 ? NKINDS : draws * NKINDS;
    for (unsigned n = 0; n < plans; n++) {
        enum kind kind = (enum kind)(n % NKINDS);
        draw_messages(&p, &few, messages[kind], kind == CHAINED, seed);
        check_nics(name, &few, &many, kind, &p, ENGINE_FLUID);
        if (n == TOGETHER)
            check_nics(name, &few, &many, kind, &p, ENGINE_SIMGRID);
        plan_clear(&p);
    }
    all_cores(&p, &few);
    nics_helped +=
        check_nics(name, &few, &many, TOGETHER, &p, ENGINE_FLUID) > 1.1;
    plan_clear(&p);
    machine_clear(&few);
    machine_clear(&many);
}

/*
 * Compares a node of one NIC with the machine's, and that with twice as many.
 * NICs are dealt to cores and GPUs such that no two of them share one of more
 * NICs that did not share one of few, so that plans are not slower but by list
 * scheduling.
 */
static void more_nics(const char *name, const struct machine *m, uint64_t *seed)
{
    if (m->network.nodes < 2)
        return;
    if (m->nnics > 1)
        compare_nics(name, 1, m->nnics, seed);
    if (m->nnics > 0)
        compare_nics(name, m->nnics, 2 * m->nnics, seed);
}

static unsigned by_simgrid; /* kinds of messages that were tested */

static void look(const char *name, const struct machine *m)
{
    uint64_t seed = 3;

    by_simgrid += on_all_kinds(name, m, &seed, fewer_bytes);
    faster_machine(name, m, &seed);
    more_nics(name, m, &seed);
}

int main(int argc, char **argv)
{
    draws = draws_of(argc, argv, 3);
    on_all_machines(look);
    CHECK(by_simgrid > 100);
    CHECK(nics_compared > 40);
    CHECK(nics_helped > 25);
    for (size_t i = 0; i < sizeof drops / sizeof drops[0]; i++)
        known_check_seen(&drops[i].known, drops[i].what,
                         2 * words_of(drops[i].what));
    return check_result();
}
