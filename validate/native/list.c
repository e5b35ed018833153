/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the commands of sluice-native: those of the benchmarks that are plans,
 * and the others. */
#include "validate/native/planned.h"

#include <string.h>

#ifdef SLUICE_CUDA
#define NEEDS_CUDA(bench) bench
#else
#define NEEDS_CUDA(bench) no_cuda
static int no_cuda(struct native *n, int argc, char **argv, struct err *err)
{
    (void)n;
    (void)argc;
    return fail(err, "%s: needs a GPU: built without CUDA", argv[0]);
}
#endif

static const struct native_command commands[] = {
    {"fan", "messages from one rank to others at once, and to it", bench_fan},
    {"ring", "ranks that all send to their neighbours at once", bench_ring},
    {"gpu_messages", "messages between GPUs of a node at once, by parts",
     bench_gpu_messages},
    {"pack", "gathering values into a buffer, and back", bench_pack},
    {"contention", "messages and copies of one node at once", bench_contention},
    {"runtime", "communication runtimes: rounds, and what their parts cost",
     bench_runtime},
    {"all", "all that a platform is calibrated from", bench_all},
    {"collective", "allreduce and others: plans on real ranks",
     bench_collective},
    {"run", "plans of halo exchanges on real ranks", bench_run},
    {"gpu", "calls, copies and accesses of GPUs", NEEDS_CUDA(bench_gpu)},
    {"queue", "queues in GPU memory", NEEDS_CUDA(bench_queue)},
    {"match", "matching of messages on a GPU", NEEDS_CUDA(bench_match)},
    {"reduce", "sums of buffers within a GPU", NEEDS_CUDA(bench_reduce)},
    {"nccl", "operations of NCCL", NEEDS_CUDA(bench_nccl)},
    {"traverse", "graph searches on GPUs", NEEDS_CUDA(bench_traverse)},
    {"graph-costs", "what accesses and steps of graph kernels cost",
     NEEDS_CUDA(bench_graph_costs)},
};

size_t native_commands(struct native_command *out)
{
    const struct benchmark_command *c;
    size_t n = 0;

    for (size_t b = 0, i = 0; (c = planned_next(&b, &i)); n++)
        if (out)
            out[n] =
                (struct native_command){c->name, c->summary, bench_planned};
    if (out)
        memcpy(out + n, commands, sizeof commands);
    return n + sizeof commands / sizeof commands[0];
}
