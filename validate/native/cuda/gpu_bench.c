/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the costs of GPUs: calls of the CPU, copies, accesses of threads to
 * memory, and memory shared by processes. */
#include "validate/native/cuda/gpu_run.h"

#include <stdio.h>
#include <string.h>

static const char *const columns =
    "operation,gpu_a,gpu_b,bytes,threads,iterations,time_s";

enum { FIXED_NOTES = 7 };
static const char *const fixed_notes[FIXED_NOTES] = {
    "time_s: of one operation: a batch's time by its iterations. By the CPU's "
    "clock: launch_*, stream_*, event_*, copy, ipc_*; between two CUDA events: "
    "copy_*stream, memory_*, put, atomic_*, events_around_kernel",
    "launch_call: the call only, up to 256 on their way; launch_back_to_back: "
    "until all are over; launch_wait: each waited for; launch_seen: until the "
    "CPU sees what the kernel wrote to host memory; all of an empty kernel of "
    "one thread",
    "copy, copy_peer, copy_no_peer, ipc_copy_*: each copy waited for "
    "(cudaStreamSynchronize); *_stream: one after the other on a stream; "
    "ipc_*: "
    "rank 1 on gpu_b works on memory of rank 0 on gpu_a",
    "memory_read, memory_write: bytes read or written by a kernel; "
    "memory_copy: "
    "read and written; put: `threads` threads of gpu_a store words of 8 bytes "
    "in gpu_b's memory, bytes in all",
    "atomic_add_*: one addition of each of `threads` threads of gpu_a to 8 "
    "bytes in gpu_b's memory: one counter of all, each its own (128 bytes "
    "apart), or each waiting for the value of the one before (chain)",
    "move_*, sum_*: a kernel of `threads`, 512 a CTA, on gpu_a copies bytes, "
    "or "
    "sums two buffers of bytes; write: into gpu_b's memory, read: from it, "
    "both: each GPU into the other's; pong: one way of a message between one "
    "CTA of each GPU, by stores, a fence and a flag; pong_ll: 8 bytes and two "
    "flags in each store of 16",
    "copy_next_together, copy_all_together: until a copy of bytes from each "
    "GPU "
    "to the next one, or to each other one, all begun at once, is over; "
    "h2d_together, d2h_together: the same of copies of gpu_a and gpu_b (equal: "
    "one alone) and pinned host memory; h2d_all_together, d2h_all_together: of "
    "all GPUs"};

static int all_pairs(struct gpu_run *r, struct err *err)
{
    return gpu_memory_pairs(r, err) < 0 ? -1 : gpu_together(r, err);
}

/* The parts, in the order in which they are measured. */
enum { CALLS, MEMORY, PAIRS, PEER, IPC, NPARTS };
static const char *const part_names[NPARTS] = {"calls", "memory", "pairs",
                                               "peer", "ipc"};
static int (*const part_measures[NPARTS])(struct gpu_run *r,
                                          struct err *err) = {
    gpu_calls, gpu_memory, all_pairs, gpu_peer, gpu_ipc};

/* The parts to measure, and the notes of the head. */
struct parts {
    struct texts asked;
    bool wanted[NPARTS];
    const char *notes[FIXED_NOTES + 3];
    char no_ipc[400];
};

/* Leaves out parts that cannot be measured, with the reason in the head; fails
 * if the user named such a part. */
static int leave_out(struct gpu_run *r, struct parts *p, struct err *err)
{
    struct err why = {0};
    size_t n = FIXED_NOTES;

    memcpy(p->notes, fixed_notes, sizeof fixed_notes);
    if (p->wanted[PAIRS] && r->gpus < 2)
        return fail(err, "--part pairs: rank 0 sees one GPU only");
    if ((p->wanted[MEMORY] || p->wanted[PEER]) && r->gpus < 2)
        p->notes[n++] = "left out: what takes two GPUs: "
                        "rank 0 sees one GPU only";
    if (!p->wanted[IPC] || gpu_ipc_try(r, &why) == 0)
        return 0;
    if (p->asked.n) {
        *err = why;
        return fail_in(err, "--part ipc");
    }
    p->wanted[IPC] = false;
    snprintf(p->no_ipc, sizeof p->no_ipc, "left out: ipc: %.300s", why.text);
    p->notes[n] = p->no_ipc;
    return 0;
}

static int gpu_bench_measure(struct gpu_run *r, const struct parts *p,
                             struct err *err)
{
    for (int i = 0; i < NPARTS; i++)
        if (p->wanted[i] && part_measures[i](r, err) < 0)
            return -1;
    return 0;
}

/* Starts the clock. All ranks then do the same operations. */
static int start(struct gpu_run *r, struct err *err)
{
    int result = 0;

    if (CUDA_TRY(err, cudaGetDevice(&r->own)) < 0 ||
        CUDA_TRY(err, cudaGetDeviceCount(&r->gpus)) < 0 ||
        gpu_clock_init(&r->clock, err) < 0)
        result = -1;
    r->gpu = r->own;
    MPI_TRY(MPI_Bcast(&r->gpu, 1, MPI_INT, 0, MPI_COMM_WORLD));
    MPI_TRY(MPI_Bcast(&r->gpus, 1, MPI_INT, 0, MPI_COMM_WORLD));
    return native_agree(r->n, result, err);
}

int bench_gpu(struct native *n, int argc, char **argv, struct err *err)
{
    struct parts p = {
        .wanted = {
            [CALLS] = true, [MEMORY] = true, [PEER] = true, [IPC] = true}};
    struct opt more[] = {{"part", OPT_TEXTS, &p.asked, "NAME",
                          "calls, memory, peer or ipc, or pairs: all pairs of "
                          "GPUs; may be given "
                          "again (all but pairs)"},
                         {0}};
    struct bench_options o = {.sizes = {1024, 256u << 20}, .copies = true};
    struct table t;
    struct gpu_run r = {.n = n, .t = &t};
    bool helped;

    if (cuda_begin(n, &o, argc, argv, "gpu [OPTIONS]", more, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (o.sizes.from % 16)
        return fail(err, "--sizes: expected multiples of 16 bytes, got %llu",
                    (unsigned long long)o.sizes.from);
    r.sizes = o.sizes;
    r.how = cuda_repeat(&o);
    if (bench_parts(p.wanted, part_names, NPARTS, "part", &p.asked, err) < 0 ||
        start(&r, err) < 0 || leave_out(&r, &p, err) < 0 ||
        table_open(&t, n, &o.native, "calls, copies and accesses of GPUs",
                   p.notes, columns, err) < 0)
        return -1;
    if (gpu_bench_measure(&r, &p, err) < 0) {
        table_abandon(&t);
        return -1;
    }
    gpu_clock_clear(&r.clock);
    return table_close(&t, n, err);
}
