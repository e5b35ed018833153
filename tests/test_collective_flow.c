/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every algorithm of every collective: each element reaches each rank that
 * needs it, with each contribution added once, in any order that the plan
 * allows. */
#include "sim/plan/plan_check.h"
#include "tests/collective_flow.h"
#include "tests/tiny_machine.h"

/* Returns the elements of a vector on this number of ranks: some, one more,
 * fewer than ranks. */
static uint64_t elements_of(enum collective_kind kind, uint32_t ranks,
                            int which)
{
    static const uint64_t vector[] = {17, 64, 1, 5};

    if (kind == COLLECTIVE_ALLGATHER || kind == COLLECTIVE_REDUCE_SCATTER)
        return ranks * (uint64_t)(1 + which % 3);
    return vector[which % 4];
}

static bool check_one(const struct machine *m,
                      const struct collective_algorithm *a,
                      struct collective *c, uint64_t seed)
{
    struct err err = {0};
    struct plan p;

    if (a->refuses && a->refuses(c))
        return false;
    CHECK(collective_plan(&p, m, a, NULL, c, &err) == 0);
    if (err.text[0])
        fprintf(stderr, "%s %s: %s\n", collective_kind_names[a->kind], a->name,
                err.text);
    CHECK(plan_check(&p, m, &err) == 0);
    CHECK(plan_check_ranks(&p, &err) == 0);
    int failures = check_failures;
    if (p.nops)
        check_flow(&p, c, seed);
    if (check_failures != failures)
        fprintf(stderr, "%s %s: %u ranks, root %u, %llu B in %llu B\n",
                collective_kind_names[a->kind], a->name, collective_ranks(c),
                c->root, (unsigned long long)c->bytes,
                (unsigned long long)c->segment_B);
    plan_clear(&p);
    return true;
}

/* Checks an algorithm on nodes of this number of ranks; returns how many cases
 * it has. */
static unsigned check_shape(const struct machine *m,
                            const struct collective_algorithm *a,
                            unsigned nodes, unsigned per_node)
{
    unsigned done = 0;
    bool on_gpus = a->runtime != RUNTIME_MPI || m->gpu.cpu_sums_up_to_B > 0;

    if (on_gpus && per_node > m->ngpus)
        return 0;
    for (int which = 0; which < 2; which++) {
        uint32_t ranks = nodes * per_node;
        struct collective c = {
            .kind = a->kind,
            .nodes = nodes,
            .ranks_per_node = per_node,
            .element_B = 4,
            .segment_B = which ? 12 : 0,
            .root = (ranks * 5 / 7 + (uint32_t)which) % ranks,
            .memory = on_gpus ? COLLECTIVE_DEVICE : COLLECTIVE_HOST,
            .pieces = true};
        if (nodes > 1 && per_node > 1 && which)
            c.ranks = --ranks; /* the last node has one rank less */
        c.root %= ranks;
        /* Vectors have several chunks if the order of random events is
         * short. */
        uint64_t more = on_gpus && ranks <= 16 && which ? 61 : 1;
        c.bytes = more * 4 * elements_of(a->kind, ranks, (int)ranks + which);
        done += check_one(m, a, &c, ranks * 2 + (uint64_t)which);
    }
    return done;
}

static void check_algorithm(const struct machine *m,
                            const struct collective_algorithm *a)
{
    static const unsigned shapes[][2] = {
        {2, 4}, {3, 4}, {4, 3},  {3, 2},  {5, 8}, {8, 8}, {2, 1}, {6, 5},
        {3, 5}, {9, 3}, {16, 4}, {10, 2}, {1, 6}, {1, 2}, {1, 3}, {1, 4}};
    unsigned done = 0;

    if (a->kind == COLLECTIVE_ALLTOALL || a->shared || a->in_switch)
        return;
    for (unsigned n = 1; n <= 64; n++)
        done += check_shape(m, a, n, 1);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        done += check_shape(m, a, shapes[i][0], shapes[i][1]);
    if (done < 8)
        fprintf(stderr, "%s %s: refuses almost all\n",
                collective_kind_names[a->kind], a->name);
    CHECK(done >= 8);
}

int main(void)
{
    struct machine m;

    tiny_machine(&m, 4);
    tiny_nccl(&m, 4);
    tiny_peer(&m);
    for (size_t i = 0; i < ncollectives; i++)
        check_algorithm(&m, collectives[i]);
    /* The CPU sums in GPU memory, which takes longer. */
    m.gpu.cpu_sums_up_to_B = UINT64_MAX;
    m.gpu.cpu_sums_s_per_B = 1e-9;
    for (size_t i = 0; i < ncollectives; i++)
        if (collectives[i]->runtime == RUNTIME_MPI &&
            collectives[i]->kind == COLLECTIVE_ALLREDUCE)
            check_algorithm(&m, collectives[i]);
    machine_clear(&m);
    return check_result();
}
