/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folded loops: simulating one of the operations that are alike gives the times
 * and the traffic of all of them, on many machines, and in seconds on thousands
 * of GPUs; and operations that are not alike are not taken for each other. */
#include "platforms/platform.h"
#include "tests/loop_time.h"

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
    CHECK(exec_loop(r, m, l, &exact, EXEC_LINKS, &err) == 0);
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

/* An all-reduce of 1 GiB on 4,096 GPUs takes at most half a minute of the CPU;
 * a machine of today needs a second. */
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
    CHECK((double)(clock() - begin) / CLOCKS_PER_SEC < 30);
    machine_clear(&m);
}

int main(void)
{
    thousands();
    for (int i = 0; i < NSHAPES; i++)
        for (uint64_t bytes = 1 << 10; bytes <= MOST_B; bytes <<= 8)
            check_shape(&shapes[i], bytes);
    return check_result();
}
