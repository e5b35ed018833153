/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks and sorts halos by class of values, and builds them from messages. */
#include "workloads/halo.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void halo_clear(struct halo *h)
{
    free(h->classes);
    free(h->gpu_rows);
    free(h->gpu_nnz);
    for (uint32_t k = 0; k < h->nrounds; k++)
        halo_clear(&h->rounds[k]);
    free(h->rounds);
    memset(h, 0, sizeof *h);
}

static uint64_t *copy_counts(const uint64_t *counts, uint32_t n)
{
    uint64_t *copy = xcalloc(n, sizeof *copy);

    if (counts)
        memcpy(copy, counts, n * sizeof *copy);
    return copy;
}

static bool same_pair(const struct halo_class *a, const struct halo_class *b)
{
    return a->src == b->src && a->dst_node == b->dst_node;
}

uint32_t halo_pair_end(const struct halo *h, uint32_t first)
{
    uint32_t end = first + 1;

    while (end < h->nclasses && same_pair(&h->classes[first], &h->classes[end]))
        end++;
    return end;
}

/* Sums the values that src sends to each GPU of one node; a duplicate counts
 * each time. */
static void spell_out_pair(uint64_t to_gpu[HALO_MAX_GPUS_PER_NODE],
                           const struct halo *h, uint32_t first, uint32_t end)
{
    memset(to_gpu, 0, h->gpus_per_node * sizeof *to_gpu);
    for (uint32_t i = first; i < end; i++)
        for (gpu_set s = h->classes[i].dst_mask; s; s &= s - 1)
            to_gpu[gpu_set_first(s)] += h->classes[i].count;
}

void halo_spell_out(struct halo *out, const struct halo *h)
{
    uint64_t to_gpu[HALO_MAX_GPUS_PER_NODE];
    uint32_t end;
    size_t room = 0;

    for (uint32_t i = 0; i < h->nclasses; i++)
        room += gpu_set_count(h->classes[i].dst_mask);

    *out = *h;
    out->gpu_rows = copy_counts(h->gpu_rows, h->ngpus);
    out->gpu_nnz = copy_counts(h->gpu_nnz, h->ngpus);
    out->rounds = NULL;
    out->nrounds = 0;
    out->classes = xcalloc(room, sizeof *out->classes);
    out->nclasses = 0;
    for (uint32_t i = 0; i < h->nclasses; i = end) {
        end = halo_pair_end(h, i);
        spell_out_pair(to_gpu, h, i, end);
        for (unsigned bit = 0; bit < h->gpus_per_node; bit++)
            if (to_gpu[bit])
                out->classes[out->nclasses++] = (struct halo_class){
                    .src = h->classes[i].src,
                    .dst_node = h->classes[i].dst_node,
                    .dst_mask = gpu_set_of(bit),
                    .count = to_gpu[bit],
                };
    }
}

int halo_check_shape(uint32_t ngpus, uint32_t gpus_per_node, struct err *err)
{
    if (!ngpus)
        return fail(err, "expected at least one GPU");
    if (!gpus_per_node || gpus_per_node > HALO_MAX_GPUS_PER_NODE)
        return fail(err, "%u GPUs per node: expected 1 to %d", gpus_per_node,
                    HALO_MAX_GPUS_PER_NODE);
    return 0;
}

int halo_set_value_bytes(struct halo *h, uint64_t bytes, struct err *err)
{
    if (bytes > HALO_MAX_VALUE_BYTES)
        return fail(err, "values of %llu bytes: expected 1 to %u",
                    (unsigned long long)bytes, HALO_MAX_VALUE_BYTES);
    if (bytes)
        h->value_bytes = (uint32_t)bytes;
    for (uint32_t k = 0; bytes && k < h->nrounds; k++)
        h->rounds[k].value_bytes = (uint32_t)bytes;
    return 0;
}

static int by_src_dst(const void *left, const void *right)
{
    const struct halo_msg *a = left, *b = right;

    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    return a->dst < b->dst ? -1 : a->dst > b->dst;
}

static int check_messages(const struct halo_msg *msgs, size_t nmsgs,
                          uint32_t ngpus, struct err *err)
{
    for (size_t i = 0; i < nmsgs; i++) {
        const struct halo_msg *m = &msgs[i];
        if (m->src >= ngpus || m->dst >= ngpus)
            return fail(err, "message %zu: GPU %u to %u: there are %u GPUs", i,
                        m->src, m->dst, ngpus);
        if (m->src == m->dst)
            return fail(err, "message %zu: GPU %u sends to itself", i, m->src);
    }
    return 0;
}

/* Appends a class, or adds it to the last one if they are alike. */
static void add_class(struct halo *h, struct halo_class class)
{
    if (h->nclasses) {
        struct halo_class *last = &h->classes[h->nclasses - 1];
        if (same_pair(last, &class) && last->dst_mask == class.dst_mask) {
            last->count += class.count;
            return;
        }
    }
    h->classes[h->nclasses++] = class;
}

static bool is_sorted(const struct halo_msg *msgs, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (by_src_dst(&msgs[i - 1], &msgs[i]) > 0)
            return false;
    return true;
}

int halo_from_messages(struct halo *out, uint32_t ngpus, uint32_t gpus_per_node,
                       uint32_t value_bytes, const struct halo_msg *msgs,
                       size_t nmsgs, struct err *err)
{
    if (halo_check_shape(ngpus, gpus_per_node, err) < 0 ||
        check_messages(msgs, nmsgs, ngpus, err) < 0)
        return -1;

    struct halo_msg *sorted = xcalloc(nmsgs, sizeof *sorted);
    if (nmsgs)
        memcpy(sorted, msgs, nmsgs * sizeof *sorted);
    if (!is_sorted(sorted, nmsgs))
        qsort(sorted, nmsgs, sizeof *sorted, by_src_dst);

    *out = (struct halo){.ngpus = ngpus,
                         .gpus_per_node = gpus_per_node,
                         .value_bytes = value_bytes};
    out->gpu_rows = copy_counts(NULL, ngpus);
    out->gpu_nnz = copy_counts(NULL, ngpus);
    out->classes = xcalloc(nmsgs, sizeof *out->classes);
    for (size_t i = 0; i < nmsgs; i++) {
        const struct halo_msg *m = &sorted[i];
        if (!m->values)
            continue;
        struct halo_class class = {
            .src = m->src,
            .dst_node = m->dst / gpus_per_node,
            .dst_mask = gpu_set_of(m->dst % gpus_per_node),
            .count = m->values,
        };
        add_class(out, class);
    }
    free(sorted);
    return 0;
}

static int halo_by_class(const void *left, const void *right)
{
    const struct halo_class *a = left, *b = right;

    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    if (a->dst_node != b->dst_node)
        return a->dst_node < b->dst_node ? -1 : 1;
    return a->dst_mask < b->dst_mask ? -1 : a->dst_mask > b->dst_mask;
}

void halo_from_rounds(struct halo *out, struct halo *rounds, uint32_t n)
{
    size_t room = 0, at = 0;

    if (n == 1) {
        *out = rounds[0];
        rounds[0] = (struct halo){0};
        return;
    }
    *out = (struct halo){.ngpus = rounds[0].ngpus,
                         .gpus_per_node = rounds[0].gpus_per_node,
                         .value_bytes = rounds[0].value_bytes,
                         .gpu_rows = copy_counts(NULL, rounds[0].ngpus),
                         .gpu_nnz = copy_counts(NULL, rounds[0].ngpus),
                         .rounds = xcalloc(n, sizeof *out->rounds),
                         .nrounds = n};
    for (uint32_t k = 0; k < n; k++)
        room += rounds[k].nclasses;
    struct halo_class *all = xcalloc(room, sizeof *all);
    for (uint32_t k = 0; k < n; k++) {
        if (rounds[k].nclasses)
            memcpy(&all[at], rounds[k].classes,
                   rounds[k].nclasses * sizeof *all);
        at += rounds[k].nclasses;
        out->rounds[k] = rounds[k];
        rounds[k] = (struct halo){0};
    }
    qsort(all, room, sizeof *all, halo_by_class);
    /* In place, because it never writes further than it has read. */
    out->classes = all;
    for (size_t i = 0; i < room; i++)
        add_class(out, all[i]);
}
