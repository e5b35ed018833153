/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vllm.c - the all-reduces of vLLM, whose own kernels serve short vectors on
 * one node, and NCCL or RCCL all others (github.com/vllm-project/vllm 036bb685,
 * csrc/custom_all_reduce.cuh, custom_all_reduce.py: max_size). Its use of
 * symmetric memory and of switches that add is not modelled.
 */
#include "strategies/collective/libraries/library.h"

#define KIB UINT64_C(1024)
#define LIMIT_B (8192 * KIB)

/* Returns the bytes from which two stages are used. */
static uint64_t two_stages_from_B(uint32_t ranks)
{
    return ranks == 2 ? LIMIT_B : ranks <= 4 ? 512 * KIB : 256 * KIB;
}

/* Returns the reason why its kernels do not serve the request, or NULL. */
static const char *vllm_lacks(const struct collective *c)
{
    uint32_t ranks = collective_ranks(c);

    if (c->kind != COLLECTIVE_ALLREDUCE || c->memory != COLLECTIVE_DEVICE ||
        c->nodes > 1 || c->per_gpu > 1)
        return "vLLM's kernels are for all-reduces of the GPUs of one node";
    if (ranks < 2 || ranks > 8 || ranks % 2)
        return "vLLM's kernels are for 2, 4, 6 and 8 GPUs";
    return c->bytes < LIMIT_B ? NULL : "vLLM's kernels are for less than 8 MiB";
}

static const char *vllm_choose(const struct machine *m,
                               const struct collective *c)
{
    const struct collective_library *gpus = library_of(m, COLLECTIVE_DEVICE);

    if (vllm_lacks(c))
        return gpus->is_for ? gpus->choose(m, c) : NULL;
    return c->bytes < two_stages_from_B(collective_ranks(c)) ? "one_shot"
                                                             : "two_shot";
}

static const char *vllm_refuses(const struct machine *m,
                                const struct collective_algorithm *a,
                                const struct collective *c)
{
    (void)m;
    (void)a;
    return vllm_lacks(c);
}

const struct collective_library vllm_library = {
    .name = "vllm",
    .summary = "vLLM's kernels for all-reduces below 8 MiB (0.14, 2026)",
    .choose = vllm_choose,
    .told = {[COLLECTIVE_ALLREDUCE] = "one_shot two_shot"},
    .refuses = vllm_refuses,
};
