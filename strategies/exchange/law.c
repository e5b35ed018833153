/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law.c - counts GPUs, pairs of GPUs and bytes between two nodes of a halo. */
#include "strategies/exchange/law.h"

/* Returns the GPUs of node `to` that need values of GPU `src`. */
static gpu_set needy(const struct halo *h, uint32_t src, uint32_t to)
{
    gpu_set mask = 0;

    for (uint32_t c = 0; c < h->nclasses; c++)
        if (h->classes[c].src == src && h->classes[c].dst_node == to)
            mask |= h->classes[c].dst_mask;
    return mask;
}

uint64_t law_gpus(const struct halo *h, uint32_t from, uint32_t to)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < h->gpus_per_node; i++)
        n += needy(h, from * h->gpus_per_node + i, to) != 0;
    return n;
}

uint64_t law_receivers(const struct halo *h, uint32_t from, uint32_t to)
{
    gpu_set mask = 0;

    for (uint32_t i = 0; i < h->gpus_per_node; i++)
        mask |= needy(h, from * h->gpus_per_node + i, to);
    return gpu_set_count(mask);
}

uint64_t law_gpu_pairs(const struct halo *h, uint32_t from, uint32_t to)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < h->gpus_per_node; i++)
        n += gpu_set_count(needy(h, from * h->gpus_per_node + i, to));
    return n;
}

uint64_t law_volume(const struct halo *h, bool spelled, uint32_t from,
                    uint32_t to)
{
    uint64_t values = 0;

    for (uint32_t c = 0; from != to && c < h->nclasses; c++) {
        const struct halo_class *class = &h->classes[c];
        if (class->src / h->gpus_per_node == from && class->dst_node == to)
            values +=
                class->count * (spelled ? gpu_set_count(class->dst_mask) : 1);
    }
    return values * h->value_bytes;
}
