/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_alltoall.c - messages of the same size from every GPU to every other one,
 * or to the next. */
#include "workloads/words.h"
#include "workloads/workload.h"

#include <stdlib.h>

#define GPU_MAX_B (UINT64_C(1) << 50) /* limit of one buffer */

static int gpu_read_bytes(uint64_t *bytes, uint32_t gpus, const char *rest,
                          struct err *err)
{
    const struct word words[] = {{"bytes", WORD_BYTES, bytes, false}};

    if (words_read(rest, words, 1, err) < 0)
        return -1;
    if (*bytes > GPU_MAX_B)
        return fail(err, "bytes: expected at most 2^50");
    if (gpus < 2)
        return fail(err, "expected 2 GPUs or more");
    return 0;
}

/* --- alltoall:bytes= ------------------------------------------------------ */

static int alltoall_fill(struct halo *h, uint32_t gpus, uint32_t gpus_per_node,
                         uint64_t each_B, struct err *err)
{
    size_t n = 0;
    struct halo_msg *msgs = xcalloc((size_t)gpus * (gpus - 1), sizeof *msgs);

    for (uint32_t src = 0; src < gpus; src++)
        for (uint32_t dst = 0; dst < gpus; dst++)
            if (src != dst)
                msgs[n++] = (struct halo_msg){src, dst, each_B};
    int result = halo_from_messages(h, gpus, gpus_per_node, 1, msgs, n, err);
    free(msgs);
    return result;
}

static int alltoall_traffic(struct halo *h, uint32_t gpus,
                            uint32_t gpus_per_node, const char *rest,
                            struct err *err)
{
    uint64_t bytes;

    if (gpu_read_bytes(&bytes, gpus, rest, err) < 0)
        return fail_in(err, "%s%s", gpu_alltoall_workload.prefix, rest);
    if (bytes < gpus)
        return fail(err,
                    "%s%s: bytes: expected at least one for each of %u GPUs",
                    gpu_alltoall_workload.prefix, rest, gpus);
    return alltoall_fill(h, gpus, gpus_per_node, bytes / gpus, err);
}

const struct workload gpu_alltoall_workload = {
    .prefix = "alltoall:",
    .words = "alltoall:bytes=B",
    .summary = "every GPU sends every other one B/N bytes, of N GPUs",
    .help = "B is the whole send buffer of a GPU, as in nccl-tests, with k, "
            "M, G for 2^10, 2^20, 2^30:\neach of the N GPUs gets B/N of it, "
            "rounded down; the part of the GPU itself stays where\nit is. "
            "(With ranks= it is an all-to-all of host ranks, and B is for "
            "each of them.) Parts\nlie together in memory: only what is sent "
            "on on the way is packed. B may be\na range, 8..1G or 8..1G*4, "
            "run size by size.",
    .options = TRAFFIC_OPTIONS,
    .platform = "lassen",
    .traffic = alltoall_traffic,
    .bus = BUS_OTHERS,
};

/* --- sendrecv: ------------------------------------------------------------ */

static int sendrecv_traffic(struct halo *h, uint32_t gpus,
                            uint32_t gpus_per_node, const char *rest,
                            struct err *err)
{
    uint64_t bytes;

    if (gpu_read_bytes(&bytes, gpus, rest, err) < 0)
        return fail_in(err, "%s%s", sendrecv_workload.prefix, rest);
    struct halo_msg *msgs = xcalloc(gpus, sizeof *msgs);
    for (uint32_t i = 0; i < gpus; i++)
        msgs[i] = (struct halo_msg){i, (i + 1) % gpus, bytes};
    int result = halo_from_messages(h, gpus, gpus_per_node, 1, msgs, gpus, err);
    free(msgs);
    return result;
}

const struct workload sendrecv_workload = {
    .prefix = "sendrecv:",
    .words = "sendrecv:bytes=B",
    .summary = "every GPU sends B bytes to the next one, the last to the first",
    .help = "As sendrecv of nccl-tests: a ring of all GPUs in the order of "
            "their numbers. B may have\nk, M or G behind it, for 2^10, 2^20 "
            "or 2^30, and may be a range, 8..1G or 8..1G*4, run size by size.",
    .options = TRAFFIC_OPTIONS,
    .platform = "lassen",
    .traffic = sendrecv_traffic,
    .bus = BUS_ALL,
};
