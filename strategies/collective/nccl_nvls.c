/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nccl_nvls.c - an allreduce through switches that add and multicast, as NCCL's
 * NVLS on one node. One GPU per part of the vector lets the switch add the part
 * over all GPUs and send the sum to all. So each direction of a GPU's link
 * carries the vector and once more the GPU's own part: S (1 + 1 / n), chunk
 * after chunk. In an allgather or reduce-scatter one of the directions carries
 * the whole vector. In the plan this is a message of that many bytes to the
 * next GPU, because it loads each link as NVLS does, and all GPUs alike. The
 * plan does not contain the additions in the switches.
 *
 * On several nodes the heads, a GPU for each NIC, send the sums of their parts
 * to switches of the network that add (nccl_collnet.c).
 *
 * A chunk is first copied into a buffer that the switch reaches, and the sum
 * copied out of one. Other chunks are in the switch meanwhile, so only the
 * first copy in and the last copy out add to the time.
 */
#include "strategies/collective/nccl.h"

/* The in-node messages of all ranks come first. If the network's switches add,
 * each head then sends its part to that of the next node. */
static void nvls_body(struct loop *l, const struct machine *m,
                      const struct collective *c, uint64_t bytes,
                      uint64_t part_B, unsigned channels)
{
    uint32_t n = c->ranks_per_node, ranks = collective_ranks(c);
    uint32_t heads = c->nodes > 1 ? nccl_heads(m, c) : 0;

    for (uint32_t r = 0; r < ranks; r++) {
        nccl_send(l, m, r, r - r % n + (r + 1) % n, bytes, channels);
        plan_after_last(&l->body, r | AFTER_SENT);
    }
    for (uint32_t i = 0; i < c->nodes * heads; i++) {
        uint32_t head = i / heads * n + i % heads * n / heads;
        uint32_t op =
            nccl_send(l, m, head, (head + n) % ranks, part_B, channels);
        plan_after_last(&l->body, op | AFTER_SENT);
        plan_after(&l->body, head - head % n + (head + n - 1) % n);
    }
}

static int nvls_loop(struct loop *l, const struct machine *m,
                     const struct collective_algorithm *a,
                     const struct collective *c, struct err *err)
{
    static const struct nccl_chunk_rule rules[] = {
        {64, 65536}, {8, 32768}, {2, 16384}};
    const struct nccl_protocol *p = nccl_protocol_of(m, a->runtime);
    uint32_t n = collective_ranks(c);

    if (c->nodes > 1 &&
        (c->kind != COLLECTIVE_ALLREDUCE || !m->network.reduces))
        return fail(err,
                    "%s: on one node only, but all-reduces in a network that "
                    "adds (network.reduces)",
                    a->name);
    if (n != c->nodes * c->ranks_per_node)
        return fail(err, "%s: as many ranks on all nodes", a->name);
    if (nccl_check(m, a, c, err) < 0)
        return -1;
    if (!nccl_heads(m, c))
        return fail(err, "%s: %s has GPUs without a switch that reduces",
                    a->name, m->name);
    nccl_open(l, m, a, c);
    if (n < 2)
        return 0;
    unsigned channels = nccl_channels(m, c, p);
    nccl_call(l, m, c, channels, 0);
    n = c->ranks_per_node;
    uint64_t at_once = (uint64_t)n * channels;
    uint64_t chunk_B = nccl_chunk_B(rules, 3, p->slot_B, c->bytes, at_once);
    uint64_t steps = (c->bytes + chunk_B * at_once - 1) / (chunk_B * at_once);
    l->steps = steps ? (uint32_t)steps : 1;
    l->body.channel_work.after_s = p->step_s;
    l->body.begin_s += p->fill_s_per_B * (double)(chunk_B * n);
    uint64_t whole_B = c->bytes;
    if (c->kind == COLLECTIVE_ALLREDUCE) /* with a GPU's own part */
        whole_B += (c->bytes + n - 1) / n;
    uint64_t parts = (uint64_t)l->steps * nccl_heads(m, c);
    nvls_body(l, m, c, (whole_B + l->steps - 1) / l->steps,
              (c->bytes + parts - 1) / parts, channels);
    return 0;
}

#define NVLS(Kind, named)                                                      \
    const struct collective_algorithm nccl_nvls_##named##_collective = {       \
        .kind = COLLECTIVE_##Kind,                                             \
        .by_node = true,                                                       \
        .name = "nccl_nvls",                                                   \
        .summary = "through switches that add and multicast, as NCCL's NVLS",  \
        .refuses = nccl_refuses,                                               \
        .in_switch = true,                                                     \
        .runtime = RUNTIME_NCCL_NVLS,                                          \
        .make_loop = nvls_loop,                                                \
    }

NVLS(ALLREDUCE, allreduce);
NVLS(ALLGATHER, allgather);
NVLS(REDUCE_SCATTER, reduce_scatter);
