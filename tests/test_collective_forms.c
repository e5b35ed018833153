/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Algorithms of collectives have as many messages and bytes as their closed
 * forms, and take as long as computed by hand. */
#include "sim/plan/exec.h"
#include "strategies/collective/collective.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

/* --- closed forms --------------------------------------------------------- */

enum { S = 5040 }; /* elements of the vector; any count up to 10 divides it */

/* All messages of this number of ranks and their elements; a vector has S
 * elements. */
static const struct form {
    enum collective_kind kind;
    const char *name;
    uint32_t ranks;
    unsigned messages, elements;
} forms[] = {
    {COLLECTIVE_ALLREDUCE, "ring", 6, 2 * 6 * 5, 2 * 5 * S},
    {COLLECTIVE_ALLREDUCE, "recursive_doubling", 8, 8 * 3, 8 * 3 * S},
    /* 2 of 6 hand theirs over, and get the sum */
    {COLLECTIVE_ALLREDUCE, "recursive_doubling", 6, 4 * 2 + 4,
     4 * 2 * S + 4 * S},
    /* 2 log2 n messages and 2 S (n - 1) / n elements each */
    {COLLECTIVE_ALLREDUCE, "rabenseifner", 8, 8 * 2 * 3, 2 * 7 * S},
    /* and 3 halves, and the sum, of each of 2 pairs */
    {COLLECTIVE_ALLREDUCE, "rabenseifner", 6, 4 * 2 * 2 + 8,
     2 * 3 * S + 3 * S + 2 * S},
    {COLLECTIVE_ALLREDUCE, "bine_lat", 8, 8 * 3, 8 * 3 * S},
    {COLLECTIVE_ALLREDUCE, "bine_bdw_remap", 8, 8 * 2 * 3, 2 * 7 * S},
    {COLLECTIVE_ALLREDUCE, "bine_bdw_remap", 6, 4 * 2 * 2 + 4,
     2 * 3 * S + 4 * S},
    {COLLECTIVE_ALLREDUCE, "bine_block_by_block", 6, 2 * 6 * 5, 2 * 5 * S},
    {COLLECTIVE_ALLREDUCE, "swing", 8, 8 * 2 * 3, 2 * 7 * S},
    {COLLECTIVE_ALLREDUCE, "linear", 7, 2 * 6, 2 * 6 * S},
    {COLLECTIVE_ALLREDUCE, "nonoverlapping", 7, 2 * 6, 2 * 6 * S},
    {COLLECTIVE_ALLREDUCE, "allgather_reduce", 7, 7 * 6, 7 * 6 * S},
    {COLLECTIVE_ALLGATHER, "linear", 7, 2 * 6, 6 * S / 7 + 6 * S},
    {COLLECTIVE_ALLGATHER, "ring", 6, 6 * 5, 5 * S},
    {COLLECTIVE_ALLGATHER, "recursive_doubling", 8, 8 * 3, 7 * S},
    /* 1, 2 and 3 blocks of 7 */
    {COLLECTIVE_ALLGATHER, "bruck", 7, 7 * 3, 6 * S},
    {COLLECTIVE_ALLGATHER, "neighbor_exchange", 6, 6 * 3, 5 * S},
    {COLLECTIVE_ALLGATHER, "sparbit", 7, 7 * 6, 6 * S},
    {COLLECTIVE_ALLGATHER, "direct", 7, 7 * 6, 6 * S},
    {COLLECTIVE_ALLGATHER, "bine_permute_remap", 8, 8 * 3, 7 * S},
    /* ranks 0 and 3 of 4 have their own block at once */
    {COLLECTIVE_ALLGATHER, "bine_send_remap", 4, 4 * 2 + 3, 3 * S + 3 * S / 4},
    {COLLECTIVE_ALLGATHER, "bine_block_by_block", 8, 8 * 7, 7 * S},
    {COLLECTIVE_REDUCE_SCATTER, "ring", 6, 6 * 5, 5 * S},
    {COLLECTIVE_REDUCE_SCATTER, "recursive_halving", 8, 8 * 3, 7 * S},
    /* 2 hand S over; those of 4 blocks and of 2 exchange them, then halves of
     * them; 2 blocks are sent back */
    {COLLECTIVE_REDUCE_SCATTER, "recursive_halving", 6, 2 + 4 * 2 + 2,
     2 * S + 2 * S * 4 / 6 + 2 * S * 2 / 6 + 2 * S * 2 / 6 + 2 * S / 6 +
         2 * S / 6},
    /* S (1 - 2^s / n) in step s */
    {COLLECTIVE_REDUCE_SCATTER, "recursive_doubling", 8, 8 * 3,
     7 * S + 6 * S + 4 * S},
    {COLLECTIVE_REDUCE_SCATTER, "recursive_distance_doubling", 8, 8 * 3 + 4,
     7 * S + 4 * S / 8},
    /* and its block to each except members 0 and 3 */
    {COLLECTIVE_REDUCE_SCATTER, "butterfly", 6, 2 + 4 * 2 + 4,
     2 * S + 3 * S + 4 * S / 6},
    {COLLECTIVE_REDUCE_SCATTER, "linear", 7, 2 * 6, 6 * S + 6 * S / 7},
    {COLLECTIVE_REDUCE_SCATTER, "nonoverlapping", 7, 2 * 6, 6 * S + 6 * S / 7},
    {COLLECTIVE_REDUCE_SCATTER, "pairwise", 7, 7 * 6, 6 * S},
    {COLLECTIVE_REDUCE_SCATTER, "bine_permute_remap", 8, 8 * 3, 7 * S},
    {COLLECTIVE_REDUCE_SCATTER, "bine_block_by_block", 8, 8 * 7, 7 * S},
    {COLLECTIVE_BROADCAST, "linear", 7, 6, 6 * S},
    {COLLECTIVE_BROADCAST, "binomial", 7, 6, 6 * S},
    {COLLECTIVE_BROADCAST, "knomial", 7, 6, 6 * S},
    {COLLECTIVE_BROADCAST, "scatter_allgather", 8, 7 + 8 * 3,
     3 * S / 2 + 7 * S},
    /* to 4, 2, 6, 1, 3 and 5 of 7: 3 blocks, 2 and 1, and 1 each */
    {COLLECTIVE_BROADCAST, "scatter_allgather_ring", 7, 6 + 7 * 6,
     9 * S / 7 + 6 * S},
    {COLLECTIVE_BROADCAST, "bine_lat", 8, 7, 7 * S},
    {COLLECTIVE_BROADCAST, "pipeline", 7, 6, 6 * S},
    {COLLECTIVE_REDUCE, "linear", 7, 6, 6 * S},
    {COLLECTIVE_REDUCE, "binomial", 7, 6, 6 * S},
    {COLLECTIVE_REDUCE, "bine_lat", 8, 7, 7 * S},
    /* log2 n messages of a rank in the scatter and S elements of the root */
    {COLLECTIVE_BROADCAST, "bine_bdw_remap", 8, 7 + 8 * 3, 3 * S / 2 + 7 * S},
    {COLLECTIVE_REDUCE, "rabenseifner", 8, 8 * 3 + 7, 7 * S + 3 * S / 2},
    {COLLECTIVE_REDUCE, "bine_bdw", 8, 8 * 3 + 7, 7 * S + 3 * S / 2},
    {COLLECTIVE_ALLTOALL, "linear", 7, 7 * 6, 6 * S},
    {COLLECTIVE_ALLTOALL, "scattered", 7, 7 * 6, 6 * S},
    {COLLECTIVE_ALLTOALL, "pairwise", 7, 7 * 6, 6 * S},
    /* half of the vector in each step; blocks 1, 3, 5; 2, 3, 6; 4, 5, 6 of 7 */
    {COLLECTIVE_ALLTOALL, "bruck", 8, 8 * 3, 8 * 3 * S / 2},
    {COLLECTIVE_ALLTOALL, "bruck", 7, 7 * 3, 9 * S},
    {COLLECTIVE_ALLTOALL, "bine", 8, 8 * 3, 8 * 3 * S / 2},
};

static const struct form on_4_each[] = {
    /* 3 nodes of 4 ranks */
    {COLLECTIVE_ALLREDUCE, "hierarchical_ring", 12, 9 + 2 * 3 * 2 + 9,
     9 * S + 2 * 2 * S + 9 * S},
    {COLLECTIVE_ALLREDUCE, "hierarchical_recursive_doubling", 12, 9 + 4 + 9,
     9 * S + 4 * S + 9 * S},
    {COLLECTIVE_ALLREDUCE, "lanes_ring", 12, 36 + 4 * 2 * 3 * 2 + 36,
     9 * S + 2 * 2 * S + 9 * S},
    {COLLECTIVE_ALLGATHER, "hierarchical_ring", 12, 9 + 3 * 2 + 9,
     9 * S / 12 + 2 * S + 9 * S},
    /* 2 steps on each node with 1 and 2 blocks of 4; 2 ranks of a node get
     * another's 4 blocks; 2 steps with the blocks they have: 1 part of 3, then
     * 2 */
    {COLLECTIVE_ALLGATHER, "locality_aware_bruck", 12, 24 + 6 + 9 + 12,
     12 * 3 * S / 12 + 6 * 4 * S / 12 + 9 * 4 * S / 12 + 18 * 4 * S / 12},
    {COLLECTIVE_ALLGATHER, "lanes", 12, 12 * 2 + 12 * 3, 2 * S + 9 * S},
};

static const struct form segmented[] = {
    /* 840 elements by 250 */
    {COLLECTIVE_ALLREDUCE, "ring_segmented", 6, 6 * 5 * 4 + 6 * 5, 2 * 5 * S},
    /* each half in 11 segments, up and down */
    {COLLECTIVE_ALLREDUCE, "double_binary_tree", 7, 2 * 2 * 6 * 11, 2 * 6 * S},
    /* 2520, 1260 and 630 */
    {COLLECTIVE_ALLREDUCE, "bine_bdw_remap_segmented", 8,
     8 * (11 + 6 + 3) + 8 * 3, 2 * 7 * S},
    /* in segments of 1000 B */
    {COLLECTIVE_BROADCAST, "pipeline", 7, 6 * 21, 6 * S},
    {COLLECTIVE_BROADCAST, "chain", 7, 6 * 21, 6 * S},
    {COLLECTIVE_BROADCAST, "binary", 7, 6 * 21, 6 * S},
    /* halves, in 11 segments, and one each to the other half */
    {COLLECTIVE_BROADCAST, "split_binary", 7, 6 * 11 + 6, 3 * S + 3 * S},
    {COLLECTIVE_REDUCE, "pipeline", 7, 6 * 21, 6 * S},
    {COLLECTIVE_REDUCE, "in_order_binary", 7, 6 * 21, 6 * S},
};

static void check_form(const struct machine *m, const struct form *f,
                       unsigned per_node, uint64_t segment_B)
{
    struct collective c = {.kind = f->kind,
                           .nodes = f->ranks / per_node,
                           .ranks_per_node = per_node,
                           .bytes = 4 * S,
                           .element_B = 4,
                           .root = f->ranks - 1,
                           .segment_B = segment_B};
    struct err err = {0};
    const struct collective_algorithm *a =
        collective_find(f->kind, f->name, &err);
    uint64_t messages = 0, bytes = 0;
    struct plan p;

    CHECK(a);
    if (!a)
        return;
    CHECK(collective_plan(&p, m, a, NULL, &c, &err) == 0);
    for (size_t i = 0; i < p.nops; i++)
        if (p.ops[i].kind == OP_MSG) {
            messages++;
            bytes += p.ops[i].bytes;
        }
    if (messages != f->messages || bytes != 4 * (uint64_t)f->elements)
        fprintf(stderr, "%s %s of %u ranks: %u messages, %g vectors\n",
                collective_kind_names[f->kind], f->name, f->ranks,
                (unsigned)messages, (double)bytes / 4 / S);
    CHECK_EQ(messages, f->messages);
    CHECK_EQ(bytes, 4 * (uint64_t)f->elements);
    plan_clear(&p);
}

/* --- times ---------------------------------------------------------------- */

/* Times on one node of 4 cores, where a message takes 1 us + 1 ns/B. */
static const struct timed {
    enum collective_kind kind;
    const char *name;
    uint64_t bytes;
    double time_us;
} timed[] = {
    {COLLECTIVE_ALLGATHER, "ring", 4000, 3 * 2},
    {COLLECTIVE_ALLGATHER, "recursive_doubling", 4000, 2 + 3},
    {COLLECTIVE_ALLGATHER, "bine_send_remap", 4000, 2 + 2 + 3},
    {COLLECTIVE_ALLGATHER, "neighbor_exchange", 4000, 2 + 3},
    {COLLECTIVE_ALLGATHER, "direct", 4000, 2},
    /* and its own block at 1 ns/B */
    {COLLECTIVE_ALLTOALL, "pairwise", 4000, 3 * 2 + 1},
    {COLLECTIVE_BROADCAST, "linear", 4000, 5},
    {COLLECTIVE_BROADCAST, "binomial", 4000, 2 * 5},
    {COLLECTIVE_BROADCAST, "bine_bdw_remap", 4000, 3 + 2 + 2 + 3},
};

static const struct timed timed_segments[] = {
    /* segments of 1000 B */
    /* a segment takes 2 us; the last one takes 3 hops */
    {COLLECTIVE_BROADCAST, "pipeline", 4000, (4 + 3 - 1) * 2},
    /* half of the vector in 2 segments over 2 hops and 1, then exchanged */
    {COLLECTIVE_BROADCAST, "split_binary", 4000, (2 + 2 - 1) * 2 + 3},
};

static void check_time(const struct machine *m, const struct timed *t,
                       uint64_t segment_B)
{
    struct collective c = {.kind = t->kind,
                           .nodes = 1,
                           .ranks_per_node = 4,
                           .bytes = t->bytes,
                           .element_B = 4,
                           .segment_B = segment_B};
    struct err err = {0};
    struct exec_result r = {0};
    const struct collective_algorithm *a =
        collective_find(t->kind, t->name, &err);
    struct plan p;

    CHECK(a);
    if (!a)
        return;
    CHECK(collective_plan(&p, m, a, NULL, &c, &err) == 0);
    CHECK(exec_plan(&r, m, &p, NULL, EXEC_TIMES, &err) == 0);
    if (r.time_s < t->time_us * 0.999e-6 || r.time_s > t->time_us * 1.001e-6)
        fprintf(stderr, "%s %s: %g us\n", collective_kind_names[t->kind],
                t->name, r.time_s * 1e6);
    CHECK_NEAR(r.time_s, t->time_us * 1e-6, 1e-3);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* Returns the time of 4000 B on two GPUs of a node. */
static double cpu_sums_us(const struct machine *m,
                          enum collective_memory memory)
{
    struct collective c = {.kind = COLLECTIVE_ALLREDUCE,
                           .nodes = 1,
                           .ranks_per_node = 2,
                           .bytes = 4000,
                           .element_B = 4,
                           .memory = memory};
    struct err err = {0};
    struct exec_result r = {0};
    struct plan p;

    CHECK(collective_plan(&p, m, &recursive_doubling_allreduce_collective, NULL,
                          &c, &err) == 0);
    CHECK(exec_plan(&r, m, &p, NULL, EXEC_TIMES, &err) == 0);
    double time_us = r.time_s * 1e6;
    exec_result_clear(&r);
    plan_clear(&p);
    return time_us;
}

/* The message takes 5 us; a kernel needs 5 us to start, three times 4000 B at
 * 20 GB/s, and 3 us until its end is noticed; the CPU 1 ns/B. */
static void check_cpu_sums(struct machine *m)
{
    m->gpu.launch_s = 5e-6;
    m->gpu.sync_s = 3e-6;
    m->gpu.memory_Bps = 20e9;
    CHECK_NEAR(cpu_sums_us(m, COLLECTIVE_DEVICE), 5 + 8.6, 1e-9);
    m->gpu.cpu_sums_up_to_B = 3999;
    CHECK_NEAR(cpu_sums_us(m, COLLECTIVE_DEVICE), 5 + 8.6, 1e-9);
    m->gpu.cpu_sums_up_to_B = 4000;
    CHECK_NEAR(cpu_sums_us(m, COLLECTIVE_DEVICE), 5 + 4, 1e-9);
    m->gpu.cpu_sums_s_per_B = 2e-9;
    CHECK_NEAR(cpu_sums_us(m, COLLECTIVE_DEVICE), 5 + 4 + 8, 1e-9);
    CHECK_NEAR(cpu_sums_us(m, COLLECTIVE_HOST), 5 + 4, 1e-9);
}

static void check_refused(const struct machine *m)
{
    struct collective c = {.kind = COLLECTIVE_BROADCAST,
                           .nodes = 4,
                           .ranks_per_node = 1,
                           .bytes = UINT64_C(1) << 30,
                           .element_B = 4,
                           .segment_B = 1};
    struct err err = {0};
    struct plan p;

    CHECK(collective_plan(&p, m, &pipeline_broadcast_collective, NULL, &c,
                          &err) < 0);
    CHECK_HAS(err.text, "1073741824 segments of 1 B for 4 ranks");
    c.nodes = 3;
    c.segment_B = 0;
    CHECK(collective_plan(&p, m, &bine_lat_broadcast_collective, NULL, &c,
                          &err) < 0);
    CHECK_HAS(err.text, "bine_lat: only for powers of two of ranks");
    c.root = 3;
    CHECK(collective_plan(&p, m, &binomial_broadcast_collective, NULL, &c,
                          &err) < 0);
    CHECK_HAS(err.text, "root 3 of 3 ranks");
}

int main(void)
{
    struct machine m;

    tiny_machine(&m, 4);
#define CHECK_ALL(check, list, ...)                                            \
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)                  \
    check(&m, &list[i], __VA_ARGS__)
    CHECK_ALL(check_form, forms, 1, 0);
    CHECK_ALL(check_form, on_4_each, 4, 0);
    CHECK_ALL(check_form, segmented, 1, 1000);
    CHECK_ALL(check_time, timed, 0);
    CHECK_ALL(check_time, timed_segments, 1000);
    check_refused(&m);
    check_cpu_sums(&m);
    machine_clear(&m);
    return check_result();
}
