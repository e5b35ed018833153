/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the costs of the steps and accesses of graph kernels on one or two
 * GPUs: random words, atomics, counters, small copies, events, waits. */
#include "validate/native/cuda/costs.h"

#include "validate/native/cuda/access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PER_POINT_S 0.1

/* --- the command ---------------------------------------------------------- */

static const char *const notes[] = {
    "ns: of one operation: the median and the 90th percentile of so many "
    "samples",
    "read, atomic_min, float_add, write: the time of a kernel (between two "
    "CUDA "
    "events) by the 4-byte accesses of all its threads: at random in `bytes` "
    "of gpu_b's memory, `together` threads in a row in words in a row, "
    "in_flight accesses of a thread at once; *_chain: one at once, where the "
    "next is depends on what it gave. L1 is not used",
    "stream: words of 4 bytes read in order, `together` a thread at a time, "
    "by their number; counter: every thread adds 1 to one word; counter_warp: "
    "a lane adds for the 32 of its warp; by the additions of all threads",
    "X_call: the CPU's call, the stream idle or with less than 16 before; "
    "X_stream: what one of 32 takes on the stream, all there before the first "
    "begins; X_wait: the call and cudaStreamSynchronize",
    "kernel: empty, of `threads`; copies: cudaMemcpyAsync of pinned memory; "
    "event_pass: from a stream to another one (of gpu_b): record and wait; "
    "grid_sync: of a cooperative kernel of `threads`; step: a kernel and 4 "
    "bytes "
    "to the host; long_step: 4 copies to the GPU, a step, another kernel; "
    "step_*_wait: a "
    "kernel of 256 threads that does nothing, has 9 KiB of CTA memory, 8 KiB "
    "of "
    "code, 200 B of parameters more, comes after a memset (cleared), or all "
    "and "
    "8 accesses; chain_wait: one of `together` accesses that wait for each "
    "other (in 1 MiB), step_chain_wait: with the copy behind it",
    "wake_thread: one way between two threads by a condition variable; "
    "wake_launch: one wakes the other, which starts a kernel, waits for it and "
    "wakes the first; barrier: two threads, pthread_barrier_wait; "
    "barrier_spin: by a counter that both look at",
    "both_X: the same by two threads at once, each with a GPU of its own: "
    "X_call: of each of them; X_wait: from where both begin until both have "
    "waited; both_level: memset, kernel, wait, both; memset, kernel, 2 copies "
    "of 4 bytes to the host, wait, both",
    "float_sum: float_add whose threads do not use what was there before; "
    "X_few: all to few words; float_sum_lane: likewise, one lane of each warp",
    "each result was checked: words read and left, counters, data copied",
    NULL,
    NULL};
enum { NOTES = sizeof notes / sizeof notes[0] };

/* The parts, in the order in which they are measured. */
enum { CALLS, THREADS, BOTH, ACCESS, NPARTS };
static const char *const part_names[NPARTS] = {"calls", "threads", "both",
                                               "access"};
static int (*const part_measures[NPARTS])(struct costs *c, struct err *err) = {
    costs_calls, costs_threads, costs_both, costs_access};

static int check_footprints(const struct sizes *s, struct err *err)
{
    if (s->from < 4096 || (s->from & (s->from - 1)) || s->to < s->from)
        return fail(err,
                    "--sizes: expected a power of two from 4k on, got %llu "
                    "bytes",
                    (unsigned long long)s->from);
    return 0;
}

/* Chooses the rank's own GPU, and the next one, whose memory it must reach. */
static int choose_gpus(struct costs *c, unsigned asked, struct err *err)
{
    int there, can = 0;

    if (CUDA_TRY(err, cudaGetDevice(&c->gpu[0])) < 0 ||
        CUDA_TRY(err, cudaGetDeviceCount(&there)) < 0)
        return -1;
    if (asked > COSTS_GPUS)
        return fail(err, "--gpus: expected 1 or 2, got %u", asked);
    if (asked > (unsigned)there)
        return fail(err, "--gpus %u: this process sees %d GPU", asked, there);
    c->gpus = asked ? (int)asked : there > 1 ? 2 : 1;
    if (c->gpus < 2)
        return 0;
    c->gpu[1] = (c->gpu[0] + 1) % there;
    for (int i = 0; i < 2; i++) {
        if (CUDA_TRY(err, cudaDeviceCanAccessPeer(&can, c->gpu[i],
                                                  c->gpu[1 - i])) < 0)
            return -1;
        if (!can)
            return fail(err,
                        "--gpus 2: GPU %d cannot reach GPU %d's memory (see "
                        "--gpus 1)",
                        c->gpu[i], c->gpu[1 - i]);
    }
    return 0;
}

static int costs_start(struct costs *c, struct err *err)
{
    void *flag, *there;

    for (int i = c->gpus - 1; i >= 0; i--) {
        if (CUDA_TRY(err, cudaSetDevice(c->gpu[i])) < 0 ||
            CUDA_TRY(err, cudaStreamCreateWithFlags(&c->stream[i],
                                                    cudaStreamNonBlocking)) < 0)
            return -1;
        if (c->gpus > 1 &&
            CUDA_TRY(err, cudaDeviceEnablePeerAccess(c->gpu[1 - i], 0)) < 0)
            return -1;
    }
    if (gpu_clock_init(&c->clock, err) < 0 ||
        CUDA_TRY(err, cudaHostAlloc(&flag, sizeof *c->gate,
                                    cudaHostAllocMapped)) < 0 ||
        CUDA_TRY(err, cudaHostGetDevicePointer(&there, flag, 0)) < 0)
        return -1;
    c->gate = flag;
    c->gate_there = there;
    c->times_s = xcalloc(c->samples, sizeof *c->times_s);
    return 0;
}

static void costs_end(struct costs *c)
{
    gpu_clock_clear(&c->clock);
    for (int i = 0; i < c->gpus; i++)
        cudaStreamDestroy(c->stream[i]);
    cudaFreeHost((void *)c->gate);
    free(c->times_s);
}

static int costs_parts(struct costs *c, const bool *wanted, struct err *err)
{
    for (int i = 0; i < NPARTS; i++)
        if (wanted[i] && part_measures[i](c, err) < 0)
            return -1;
    return 0;
}

int bench_graph_costs(struct native *n, int argc, char **argv, struct err *err)
{
    const char *head[NOTES] = {0};
    unsigned gpus = 0, samples = 200;
    struct texts asked = {0};
    bool wanted[NPARTS] = {true, true, true, true};
    struct opt more[] = {
        {"gpus", OPT_COUNT, &gpus, "N",
         "1 or 2 (two, where this process sees two)"},
        {"part", OPT_TEXTS, &asked, "NAME",
         "access, calls, threads or both; may be given again (all)"},
        {"samples", OPT_COUNT, &samples, "N", "of each point, at most (200)"},
        {0}};
    struct bench_options o = {.sizes = {1 << 20, 16ull << 30, 2},
                              .most = 64ull << 30,
                              .sized = "footprints in bytes",
                              .copies = true,
                              .about = "One rank measures alone, on two cores "
                                       "(mpirun -n 1 --bind-to none). A point "
                                       "takes 0.1 s at most, if --per-point "
                                       "does not say more.\n"};
    struct table t;
    struct costs c = {.n = n, .t = &t};
    bool helped;

    if (cuda_begin(n, &o, argc, argv, "graph-costs [OPTIONS]", more, &helped,
                   err) < 0)
        return -1;
    if (helped)
        return 0;
    if (n->ranks != 1)
        return fail(err, "graph-costs: expected one rank, got %d", n->ranks);
    c.footprints = o.sizes;
    c.samples = samples;
    c.per_point_s =
        o.native.per_point_s > 0 ? o.native.per_point_s : PER_POINT_S;
    if (bench_parts(wanted, part_names, NPARTS, "part", &asked, err) < 0 ||
        check_footprints(&o.sizes, err) < 0 || choose_gpus(&c, gpus, err) < 0 ||
        costs_start(&c, err) < 0)
        return -1;
    memcpy(head, notes, sizeof head);
    if (c.gpus < 2)
        head[NOTES - 2] = "left out: what takes two GPUs";
    if (table_open(&t, n, &o.native, "what the steps of graph kernels cost",
                   head,
                   "operation,gpu_a,gpu_b,bytes,threads,together,in_flight,"
                   "samples,median_ns,p90_ns",
                   err) < 0)
        return -1;
    int result = costs_parts(&c, wanted, err);
    costs_end(&c);
    return table_end(&t, n, result, err);
}
