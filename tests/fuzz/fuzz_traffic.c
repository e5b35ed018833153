/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as messages between GPUs, and as a matrix of them: they are refused
 * in one line, or give a halo whose classes are in order and sum up over its
 * rounds. */
#include "tests/fuzz/memory_file.h"
#include "workloads/workload.h"

#include <string.h>

enum { GPUS = 11, GPUS_PER_NODE = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good)
{
    if (!good)
        abort();
}

static bool in_order(const struct halo_class *a, const struct halo_class *b)
{
    if (a->src != b->src)
        return a->src < b->src;
    if (a->dst_node != b->dst_node)
        return a->dst_node < b->dst_node;
    return a->dst_mask < b->dst_mask;
}

static uint64_t check_classes(const struct halo *h)
{
    uint64_t values = 0;

    check(h->ngpus == GPUS && h->gpus_per_node == GPUS_PER_NODE);
    for (uint32_t c = 0; c < h->nclasses; c++) {
        const struct halo_class *class = &h->classes[c];
        uint32_t first = class->dst_node * GPUS_PER_NODE;
        check(!c || in_order(class - 1, class));
        check(class->src<GPUS &&class->count> 0 && class->dst_mask);
        for (uint32_t i = 0; i < 32; i++)
            if (class->dst_mask >> i & 1)
                check(i < GPUS_PER_NODE && first + i < GPUS &&
                      first + i != class->src);
        values += class->count;
    }
    return values;
}

static void traffic(const struct workload *w, const char *path)
{
    struct halo h;
    struct err err = {0};
    uint64_t of_rounds = 0;

    if (w->traffic(&h, GPUS, GPUS_PER_NODE, path, &err) < 0) {
        check(err.text[0] && !strchr(err.text, '\n'));
        return;
    }
    uint64_t values = check_classes(&h);
    for (uint32_t k = 0; k < h.nrounds; k++)
        of_rounds += check_classes(&h.rounds[k]);
    check(!h.nrounds || values == of_rounds);
    halo_clear(&h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file f;

    memory_file_open(&f, data, size);
    traffic(&comm_workload, f.path);
    traffic(&alltoallv_workload, f.path);
    memory_file_close(&f);
    return 0;
}
