/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folded loops: simulating one of the operations that are alike gives the times
 * and the traffic of all of them, on many machines, and in seconds on thousands
 * of GPUs; and operations that are not alike are not taken for each other. */
#include "platforms/platform.h"
#include "tests/loop_time.h"
#include "tests/random_machine.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* Rounding decides which of two messages that ask for a NIC in the same instant
 * has it first; in a long tree this moves the time by up to a two-thousandth.
 */
#define SAME 1e-3
enum { MOST_B = 1 << 26 };

struct shape {
    const char *platform, *algorithm;
    unsigned nodes, per_node;
    size_t ops; /* that are simulated of a step of 64 MiB */
};

/* Of a ring those of one message for each step in a node, in two slices by
 * Simple; of trees those of one rail; of NVLSTree on two nodes, which are alike
 * too, one in a node, up and down. */
static const struct shape shapes[] = {
    {"dgx-h100", "nccl_ring/simple", 2, 8, 16},
    {"dgx-h100", "nccl_ring/simple", 9, 8, 16},
    {"dgx-h100", "nccl_ring/ll", 6, 8, 8},
    {"dgx-h100", "nccl_ring/ll128", 5, 4, 4},
    {"dgx-h100", "nccl_tree/simple", 4, 8, 8 * 2 * 2 * 31},
    {"dgx-h100", "nccl_tree/simple", 7, 8, 8 * 2 * 2 * 55},
    {"dgx-h100", "nccl_tree/ll", 8, 8, 8 * 2 * 2 * 63},
    {"dgx-h100", "nccl_tree/ll128", 5, 8, 8 * 2 * 2 * 39},
    {"dgx-h100", "nccl_nvls_tree", 2, 8, 3},
    {"dgx-h100", "nccl_nvls_tree", 4, 8, 1 + 2 * 2 * 3},
    {"dgx-h100", "nccl_nvls_tree", 12, 8, 1 + 2 * 2 * 11},
    {"dgx-a100", "nccl_ring/simple", 4, 8, 16},
    {"dgx-a100", "nccl_tree/simple", 4, 8, 8 * 2 * 2 * 31},
    {"gb200-nvl72", "nccl_ring/simple", 2, 72, 4608},
    {"gb200-nvl72", "nccl_nvls_tree", 2, 72, 3},
    {"perlmutter", "nccl_ring/simple", 4, 4, 8},
    {"alps", "nccl_ring/simple", 4, 4, 8},
    {"alps", "nccl_tree/ll128", 4, 4, 240},
    /* Both trees have nodes that mirror each other, but at their NICs one tree
     * comes first. */
    {"dgx-h100", "nccl_tree/simple", 4, 1, 0},
};
enum { NSHAPES = sizeof shapes / sizeof shapes[0] };

static struct collective shape_asks(const struct shape *s, uint64_t bytes)
{
    return (struct collective){.kind = COLLECTIVE_ALLREDUCE,
                               .nodes = s->nodes,
                               .ranks_per_node = s->per_node,
                               .bytes = bytes,
                               .element_B = 4,
                               .memory = COLLECTIVE_DEVICE};
}

static void shape_run(struct exec_result *r, const struct machine *m,
                      const struct loop *l, bool whole)
{
    struct exec_options exact = exec_defaults;
    struct err err;

    exact.accuracy = 0;
    exact.every_step = whole;
    int result = exec_loop(r, m, l, &exact, EXEC_LINKS, &err);
    CHECK(result == 0);
    if (result < 0)
        err_print(&err);
}

static int by_name(const void *a, const void *b)
{
    const struct link_use *x = a, *y = b;

    return strcmp(x->name, y->name);
}

/* Every link has carried the same bytes in as many flows. */
static void same_traffic(struct exec_result *a, struct exec_result *b)
{
    size_t wrong = 0;

    CHECK_EQ(a->nlinks, b->nlinks);
    qsort(a->links, a->nlinks, sizeof *a->links, by_name);
    qsort(b->links, b->nlinks, sizeof *b->links, by_name);
    for (size_t i = 0; i < a->nlinks && i < b->nlinks; i++)
        wrong += strcmp(a->links[i].name, b->links[i].name) != 0 ||
                 a->links[i].flows != b->links[i].flows ||
                 fabs(a->links[i].bytes / b->links[i].bytes - 1) > 1e-9;
    CHECK_EQ(wrong, 0);
}

static void check_shape(const struct shape *s, uint64_t bytes)
{
    struct collective c = shape_asks(s, bytes);
    struct exec_result folded, whole;
    struct machine m;
    struct loop l;
    struct err err;

    CHECK(platform_load(&m, s->platform, NULL, 0, &err) == 0);
    loop_of(&l, &m, s->algorithm, &c);
    shape_run(&folded, &m, &l, false);
    shape_run(&whole, &m, &l, true);
    CHECK_EQ(whole.steps.simulated_ops, l.body.nops);
    if (bytes == MOST_B)
        CHECK_EQ(folded.steps.simulated_ops, s->ops ? s->ops : l.body.nops);
    CHECK_NEAR(folded.time_s, whole.time_s, SAME);
    same_traffic(&folded, &whole);
    exec_result_clear(&folded);
    exec_result_clear(&whole);
    loop_clear(&l);
    machine_clear(&m);
}

/* A loop of one node: each of its GPUs sends to some GPUs of any node, one
 * message after the other or after another one of the node. */
static void random_node(struct loop *l, const struct machine *m, unsigned nodes,
                        enum runtime runtime)
{
    uint32_t n = m->ngpus, count = 1 + below(6 * n);

    *l = (struct loop){.steps = 1 + below(4), .of_one_node = true, .ngpus = n};
    plan_init(&l->body, m, "random", nodes, n, NULL);
    l->body.runtime = runtime;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = below(n),
                 to = (from + 1 + below(nodes * n - 1)) % (nodes * n);
        plan_msg(&l->body, PHASE_OFF_NODE, from, to, from, to,
                 1 + below(1 << 20));
        if (i && below(2))
            plan_after(&l->body, below(i) | (below(2) ? AFTER_SENT : 0));
        plan_after_last(&l->body, below(i + 1));
    }
}

/* It is the same as the plan of all nodes. */
static void check_node(const struct machine *m, unsigned nodes,
                       enum runtime runtime)
{
    struct exec_result folded, whole;
    struct loop l;

    random_node(&l, m, nodes, runtime);
    shape_run(&folded, m, &l, false);
    shape_run(&whole, m, &l, true);
    CHECK_NEAR(folded.time_s, whole.time_s, 1e-9);
    same_traffic(&folded, &whole);
    exec_result_clear(&folded);
    exec_result_clear(&whole);
    loop_clear(&l);
}

static void one_node(void)
{
    struct machine m;
    struct err err;

    CHECK(platform_load(&m, "dgx-h100", NULL, 0, &err) == 0);
    for (unsigned i = 0; i < 60; i++)
        check_node(&m, 2 + i % 5, RUNTIME_NCCL_P2P);
    /* Messages of MPI are no pushes, so all nodes are simulated. */
    for (unsigned i = 0; i < 5; i++)
        check_node(&m, 2 + i, RUNTIME_MPI);
    machine_clear(&m);
}

/* The tolerance is that of the messages that are simulated: those of one node,
 * or of all. */
static void tolerance(void)
{
    enum { NODES = 16, MESSAGES = AUTO_EXACT / NODES + 1 };
    struct exec_options every = exec_defaults;
    struct exec_result one, all;
    struct machine m;
    struct loop l = {.steps = 1, .of_one_node = true, .ngpus = 8};
    struct err err;

    CHECK(platform_load(&m, "dgx-h100", NULL, 0, &err) == 0);
    plan_init(&l.body, &m, "many", NODES, m.ngpus, NULL);
    l.body.runtime = RUNTIME_NCCL_P2P;
    for (uint32_t i = 0; i < MESSAGES; i++)
        plan_msg(&l.body, PHASE_OFF_NODE, i % 8, 8 + i % 8, i % 8, 8 + i % 8,
                 1024);
    every.every_step = true;
    CHECK(exec_loop(&one, &m, &l, NULL, EXEC_LINKS, &err) == 0);
    CHECK(exec_loop(&all, &m, &l, &every, EXEC_LINKS, &err) == 0);
    CHECK_EQ(one.steps.simulated_ops, MESSAGES);
    CHECK_EQ(all.steps.simulated_ops, MESSAGES * NODES);
    CHECK(one.accuracy == 0);
    CHECK(all.accuracy == AUTO_TOLERANCE);
    exec_result_clear(&one);
    exec_result_clear(&all);
    loop_clear(&l);
    machine_clear(&m);
}

/* An all-reduce of 1 GiB and an all-to-all on 4,096 GPUs take at most half a
 * minute of the CPU; a machine of today needs two seconds. */
static void thousands(void)
{
    static const char *const algorithms[] = {"nccl_ring/simple",
                                             "nccl_nvls_tree"};
    const char *own[] = {"network.nodes=512"};
    struct shape s = {"dgx-h100", NULL, 512, 8, 0};
    clock_t begin = clock();
    struct machine m;
    struct err err;

    CHECK(platform_load(&m, s.platform, own, 1, &err) == 0);
    for (int i = 0; i < 2; i++) {
        struct collective c = shape_asks(&s, 1 << 30);
        CHECK(loop_us(&m, algorithms[i], &c) > 1e3);
    }
    struct collective all = shape_asks(&s, (uint64_t)1 << 28);
    all.kind = COLLECTIVE_ALLTOALL;
    struct loop l;
    loop_of(&l, &m, "nccl_p2p", &all);
    CHECK_EQ(loop_ops(&l), 512 * l.body.nops);
    struct exec_result r;
    CHECK(exec_loop(&r, &m, &l, NULL, EXEC_LINKS, &err) == 0);
    /* Each NIC of 50 GB/s has the blocks of its GPU to 4,088 others. */
    CHECK_NEAR(r.time_s, 65536. * 4088 / 50e9, 0.05);
    exec_result_clear(&r);
    loop_clear(&l);
    CHECK((double)(clock() - begin) / CLOCKS_PER_SEC < 30);
    machine_clear(&m);
}

int main(void)
{
    thousands();
    one_node();
    tolerance();
    for (int i = 0; i < NSHAPES; i++)
        for (uint64_t bytes = 1 << 10; bytes <= MOST_B; bytes <<= 8)
            check_shape(&shapes[i], bytes);
    return check_result();
}
