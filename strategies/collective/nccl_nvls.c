/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nccl_nvls.c - an allreduce through switches that add and multicast, as NCCL's
 * NVLS on one node. One GPU per part of the vector lets the switch add the part
 * over all GPUs and send the sum to all. So each direction of a GPU's link
 * carries the vector and once more the GPU's own part: S (1 + 1 / n), chunk
 * after chunk. In the plan this is a message of that many bytes to the next
 * GPU, because it loads each link as NVLS does, and all GPUs alike. The plan
 * does not contain the additions in the switches.
 */
#include "strategies/collective/nccl.h"

/* Returns whether all GPUs of a node have a link to a switch that adds. */
static bool nvls_can(const struct machine *m)
{
    unsigned found = 0;

    for (size_t i = 0; i < m->nwires; i++) {
        const struct wire *w = &m->wires[i];
        bool gpu = false, sw = false;
        for (int end = 0; end < 2; end++) {
            gpu = gpu || m->devices[w->ends[end]].kind == DEVICE_GPU;
            sw = sw || m->devices[w->ends[end]].kind == DEVICE_SWITCH;
        }
        found += w->reduces && gpu && sw;
    }
    return found >= m->ngpus;
}

static void nvls_body(struct loop *l, const struct machine *m, uint32_t n,
                      uint64_t bytes, unsigned channels)
{
    for (uint32_t r = 0; r < n; r++) {
        nccl_send(l, m, r, (r + 1) % n, bytes, channels);
        plan_after_last(&l->body, r | AFTER_SENT);
    }
}

static int nvls_loop(struct loop *l, const struct machine *m,
                     const struct collective_algorithm *a,
                     const struct collective *c, struct err *err)
{
    const struct nccl_protocol *p = nccl_protocol_of(m, a->runtime);
    uint32_t n = collective_ranks(c);
    struct nccl_groups g;

    if (c->nodes > 1)
        return fail(err, "%s: on one node only", a->name);
    if (nccl_check(m, a, c, err) < 0)
        return -1;
    if (!nvls_can(m))
        return fail(err, "%s: %s has GPUs without a switch that reduces",
                    a->name, m->name);
    nccl_open(l, m, a, c);
    if (n < 2)
        return 0;
    nccl_groups_of(&g, m, c, p->channel_B);
    uint64_t loop_B = (uint64_t)p->slot_B * n * g.channels * g.n;
    uint64_t steps = (c->bytes + loop_B - 1) / loop_B;
    l->steps = steps ? (uint32_t)steps : 1;
    /* A GPU's own part is one of n, in addition to the vector. */
    uint64_t whole_B = c->bytes + (c->bytes + n - 1) / n;
    nvls_body(l, m, n, (whole_B + l->steps - 1) / l->steps, g.channels * g.n);
    nccl_groups_clear(&g);
    return 0;
}

const struct collective_algorithm nccl_nvls_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .by_node = true,
    .name = "nccl_nvls",
    .summary = "through switches that add and multicast, as NCCL's NVLS",
    .refuses = nccl_refuses,
    .in_switch = true,
    .runtime = RUNTIME_NCCL_NVLS,
    .make_loop = nvls_loop,
};
