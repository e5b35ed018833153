/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All-to-alls as plans: every block reaches its rank, by operations that wait
 * for the one that brings it; each phase has the messages of its closed form;
 * and steps take as long as computed by hand. */
#include "sim/plan/plan_check.h"
#include "strategies/collective/collective.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"
#include "sim/plan/exec.h"

#include <stdlib.h>

/* --- blocks --------------------------------------------------------------- */

/* Returns before[i * nops + j], true if operation i begins only after j. The
 * caller frees it. */
static bool *ancestors(const struct plan *p)
{
    size_t n = p->nops;
    bool *before = xcalloc(n * n, sizeof *before);

    for (size_t i = 0; i < n; i++)
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++) {
            uint32_t dep = p->deps[d];
            size_t j = dep & DEP_OP;
            if (dep & FOR_RECEIVE)
                continue;
            before[i * n + j] = true;
            for (size_t k = 0; k < n; k++)
                before[i * n + k] |= before[j * n + k];
        }
    return before;
}

/* The place of each block: by[rank][src][dst] is 1 + the message that brought
 * it, or 1 + nops for the rank's own. */
struct blocks {
    const struct plan *p;
    uint32_t ranks;
    uint32_t *by;
    bool *before;
};

static uint32_t *block_at(struct blocks *b, uint32_t rank, uint64_t src,
                          uint64_t dst)
{
    return &b->by[(rank * b->ranks + src) * b->ranks + dst];
}

static uint64_t carry(struct blocks *b, uint32_t op)
{
    const struct op *o = &b->p->ops[op];
    uint64_t n = 0;

    for (uint32_t i = plan_first_piece(b->p, op); i < plan_end_piece(b->p, op);
         i++) {
        const struct piece *piece = &b->p->pieces[i];
        for (uint64_t k = 0; k < piece->count; k++, n++) {
            uint64_t dst = piece->first + k;
            uint32_t by = *block_at(b, o->src, piece->class_id, dst);
            CHECK(by);
            CHECK(by == b->p->nops + 1 || b->before[op * b->p->nops + by - 1]);
            if (!*block_at(b, o->dst, piece->class_id, dst))
                *block_at(b, o->dst, piece->class_id, dst) = op + 1;
        }
    }
    return n;
}

static void check_blocks(const struct plan *p, uint64_t bytes)
{
    uint32_t ranks = p->nodes * p->ranks_per_node;
    struct blocks b = {p, ranks, NULL, ancestors(p)};

    b.by = xcalloc((size_t)ranks * ranks * ranks, sizeof *b.by);
    for (uint32_t r = 0; r < ranks; r++)
        for (uint32_t d = 0; d < ranks; d++)
            *block_at(&b, r, r, d) = (uint32_t)p->nops + 1;
    for (uint32_t i = 0; i < p->nops; i++)
        if (p->ops[i].kind == OP_MSG)
            CHECK_EQ(carry(&b, i) * bytes, p->ops[i].bytes);
    for (uint32_t r = 0; r < ranks; r++)
        for (uint32_t s = 0; s < ranks; s++)
            CHECK(*block_at(&b, r, s, r));
    free(b.by);
    free(b.before);
}

static void check_all_blocks(const struct machine *m)
{
    static const unsigned shapes[][3] = {{1, 4, 1}, {2, 4, 1}, {3, 6, 2},
                                         {2, 8, 4}, {3, 4, 4}, {1, 1, 1},
                                         {7, 1, 1}, {5, 3, 1}};

    for (size_t a = 0; a < ncollectives; a++)
        for (int candidate = 0; candidate < NCOLLECTIVE_EXCHANGES &&
                                collectives[a]->kind == COLLECTIVE_ALLTOALL;
             candidate++)
            for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
                bool by_gpus = collectives[a]->runtime == RUNTIME_PEER;
                struct collective c = {
                    .kind = COLLECTIVE_ALLTOALL,
                    .nodes = shapes[s][0],
                    .ranks_per_node = shapes[s][1],
                    .groups = collectives[a]->grouped ? shapes[s][2] : 1,
                    .bytes = UINT64_C(24) * shapes[s][0] * shapes[s][1],
                    .exchange = (enum collective_exchange)candidate,
                    .memory = by_gpus ? COLLECTIVE_DEVICE : COLLECTIVE_HOST,
                    .pieces = true};
                struct plan p;
                struct err err = {0};
                if ((by_gpus && shapes[s][1] > m->ngpus) ||
                    (collectives[a]->refuses && collectives[a]->refuses(&c)))
                    continue;
                CHECK(collective_plan(&p, m, collectives[a], NULL, &c, &err) ==
                      0);
                CHECK(plan_check(&p, m, &err) == 0);
                CHECK(plan_check_ranks(&p, &err) == 0);
                check_blocks(&p, 24);
                plan_clear(&p);
            }
}

/* --- closed forms --------------------------------------------------------- */

/* The messages of 3 nodes of 8 ranks in groups of 4 with blocks of 10 B,
 * including those to themselves, and the bytes of each. Phases on a node are
 * those of one node. */
static const struct form {
    const char *algorithm, *phase;
    unsigned groups, messages;
    uint64_t bytes;
} forms[] = {
    {"direct", "alltoall", 1, 24 * 24, 10},
    {"hierarchical", "gather", 1, 8, 24 * 10},
    {"hierarchical", "inter_node_alltoall", 1, 3 * 3, 8 * 8 * 10},
    {"hierarchical", "scatter", 1, 8, 24 * 10},
    {"multileader_hierarchical", "gather", 2, 8, 24 * 10},
    {"multileader_hierarchical", "leader_alltoall", 2, 6 * 6, 4 * 4 * 10},
    {"multileader_hierarchical", "scatter", 2, 8, 24 * 10},
    {"node_aware", "inter_node_alltoall", 1, 8 * 3 * 3, 8 * 10},
    {"node_aware", "intra_node_alltoall", 1, 8 * 8, 3 * 10},
    {"locality_aware", "inter_group_alltoall", 2, 4 * 6 * 6, 4 * 10},
    {"locality_aware", "intra_group_alltoall", 2, 2 * 4 * 4, 6 * 10},
    {"multileader_node_aware", "gather", 2, 8, 24 * 10},
    {"multileader_node_aware", "inter_node_alltoall", 2, 2 * 3 * 3, 8 * 4 * 10},
    {"multileader_node_aware", "intra_node_alltoall", 2, 2 * 2, 3 * 4 * 4 * 10},
    {"multileader_node_aware", "scatter", 2, 8, 24 * 10},
};

static void check_form(const struct machine *m, const struct form *f,
                       int candidate)
{
    struct collective c = {.kind = COLLECTIVE_ALLTOALL,
                           .nodes = 3,
                           .ranks_per_node = 8,
                           .groups = f->groups,
                           .bytes = 240,
                           .exchange = (enum collective_exchange)candidate};
    struct err err = {0};
    const struct collective_algorithm *a =
        collective_find(COLLECTIVE_ALLTOALL, f->algorithm, &err);
    const struct collective_phase *phase =
        a ? collective_phase(a, f->phase) : NULL;
    struct plan p;
    unsigned messages = 0;

    CHECK(phase);
    if (!phase)
        return;
    CHECK(collective_plan(&p, m, a, phase, &c, &err) == 0);
    CHECK_EQ(p.nodes, phase->on_node ? 1 : 3);
    for (size_t i = 0; i < p.nops; i++) {
        const struct op *o = &p.ops[i];
        if (o->kind != OP_MSG)
            continue;
        messages++;
        CHECK_EQ(o->bytes, f->bytes);
        CHECK(!phase->on_node || plan_node(&p, o->src) == 0);
    }
    CHECK_EQ(messages, f->messages);
    plan_clear(&p);
}

static void check_forms(const struct machine *m)
{
    size_t phases = 0;

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        for (int candidate = 0; candidate < NCOLLECTIVE_EXCHANGES; candidate++)
            check_form(m, &forms[i], candidate);
    for (size_t a = 0; a < ncollectives; a++)
        for (const struct collective_phase *f = collectives[a]->phases;
             f->build; f++)
            phases += f->name && collectives[a]->kind == COLLECTIVE_ALLTOALL;
    CHECK_EQ(sizeof forms / sizeof forms[0], phases);
}

/* --- times ---------------------------------------------------------------- */

static double late_time_of(const struct machine *m, const char *name,
                           enum collective_exchange way, double spread_s)
{
    struct collective c = {.kind = COLLECTIVE_ALLTOALL,
                           .nodes = 1,
                           .ranks_per_node = 4,
                           .groups = 1,
                           .bytes = 4000,
                           .exchange = way,
                           .spread_s = spread_s};
    struct err err = {0};
    struct exec_result r = {0};
    struct plan p;

    CHECK(collective_plan(&p, m,
                          collective_find(COLLECTIVE_ALLTOALL, name, &err),
                          NULL, &c, &err) == 0);
    CHECK(exec_plan(&r, m, &p, NULL, EXEC_TIMES, &err) == 0);
    double time_s = r.time_s;
    exec_result_clear(&r);
    plan_clear(&p);
    return time_s;
}

static double time_of(const struct machine *m, const char *name,
                      enum collective_exchange way)
{
    return late_time_of(m, name, way, 0);
}

/* A message takes 1 us + 1 ns/B, and no CPU is busy. */
static void check_times(const struct machine *m)
{
    CHECK_NEAR(time_of(m, "direct", COLLECTIVE_NONBLOCKING), 2e-6, 1e-9);
    CHECK_NEAR(time_of(m, "direct", COLLECTIVE_PAIRWISE), 4 * 2e-6, 1e-9);
    /* Four ranks begin 0, 1, 2 and 3 us late. */
    CHECK_NEAR(late_time_of(m, "direct", COLLECTIVE_NONBLOCKING, 4e-6),
               3e-6 + 2e-6, 1e-9);
    /* 4000 B up, 16,000 B to itself, 4000 B down; repacked twice, 16,000 B
     * at 1 ns/B. */
    CHECK_NEAR(time_of(m, "hierarchical", COLLECTIVE_PAIRWISE),
               5e-6 + 17e-6 + 5e-6 + 2 * 16e-6, 2e-3);
}

static void copy_at(const struct machine *m, double Bps)
{
    for (size_t i = 0; i < m->ndevices; i++)
        if (m->devices[i].kind == DEVICE_SOCKET)
            m->devices[i].copy_Bps = Bps;
}

/* Repacking is copies: 16,000 B twice at a core's 2 GB/s, independent of the
 * time of a message of one block. */
static void check_repacking(const struct machine *m)
{
    copy_at(m, 2e9);
    CHECK_NEAR(time_of(m, "hierarchical", COLLECTIVE_PAIRWISE),
               5e-6 + 17e-6 + 5e-6 + 2 * 8e-6, 2e-3);
    copy_at(m, 0);
}

static void check_errors(const struct machine *m)
{
    struct collective c = {.kind = COLLECTIVE_ALLTOALL,
                           .nodes = 2,
                           .ranks_per_node = 6,
                           .groups = 1,
                           .bytes = 12};
    const struct collective_algorithm *a = &direct_collective;
    struct err err = {0};
    struct plan p;

    c.groups = 4;
    CHECK(collective_plan(&p, m, a, NULL, &c, &err) < 0);
    CHECK_HAS(err.text, "no groups");
    CHECK(collective_plan(&p, m, &locality_aware_collective, NULL, &c, &err) <
          0);
    CHECK_HAS(err.text, "4 equal groups");
    c = (struct collective){.nodes = 1000, .ranks_per_node = 6, .groups = 1};
    CHECK(collective_plan(&p, m, a, NULL, &c, &err) < 0);
    CHECK_HAS(err.text, "1000");
    c.nodes = 2;
    c.ranks_per_node = m->ncores + 1;
    CHECK(collective_plan(&p, m, a, NULL, &c, &err) < 0);
    CHECK_HAS(err.text, "cores");
    CHECK(!collective_find(COLLECTIVE_ALLTOALL, "unheard", &err));
    CHECK_HAS(err.text, "all: sluice list algorithms");
}

int main(void)
{
    struct machine m;

    tiny_machine(&m, 4);
    tiny_peer(&m);
    check_all_blocks(&m);
    check_forms(&m);
    check_times(&m);
    check_repacking(&m);
    check_errors(&m);
    machine_clear(&m);
    return check_result();
}
