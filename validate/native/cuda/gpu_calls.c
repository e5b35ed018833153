/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the costs of calls of the CUDA runtime: launches, events, waits. */
#include "validate/native/cuda/gpu_run.h"

#include "base/seconds.h"
#include "validate/native/cuda/access.h"
#include "validate/native/cuda/work.h"

/* The most launches that are queued, because with a full queue the call
 * would wait for the GPU. */
enum { MOST_QUEUED = 256 };
#define SEEN_S 5

struct calls {
    const struct gpu_run *r;
    cudaStream_t stream;
    cudaEvent_t done, other; /* recorded, and over */
    volatile uint32_t *flag; /* in host memory, as the CPU sees it */
    uint32_t *flag_there;    /* as the GPU sees it */
    uint32_t value;
    void (*call)(struct calls *c); /* the one that is measured */
};

static void wait_for(struct calls *c)
{
    CUDA_DIE(cudaStreamSynchronize(c->stream));
}

/* Waits between the calls, without counting this time. */
static double batch_calls(void *arg, unsigned iterations)
{
    struct calls *c = arg;
    double spent = 0;

    if (c->r->n->rank != 0)
        return 0;
    for (unsigned i = 0; i < iterations; i += MOST_QUEUED) {
        unsigned end =
            i + MOST_QUEUED < iterations ? i + MOST_QUEUED : iterations;
        double begin = seconds();
        for (unsigned j = i; j < end; j++)
            c->call(c);
        spent += seconds() - begin;
        wait_for(c);
    }
    return spent / iterations;
}

static void launch(struct calls *c)
{
    CUDA_DIE(access_nothing(1, 1, c->stream));
}

static void launch_and_wait(struct calls *c)
{
    launch(c);
    wait_for(c);
}

/* Launches a kernel and waits until the CPU sees the word that its first thread
 * writes. */
static void launch_and_see(struct calls *c)
{
    double begin = seconds();

    CUDA_DIE(work_flag(c->flag_there, ++c->value, c->stream));
    while (*c->flag != c->value)
        if (seconds() - begin > SEEN_S)
            native_die("launch_seen: nothing came from the GPU for %d s",
                       SEEN_S);
}

static void event_record(struct calls *c)
{
    CUDA_DIE(cudaEventRecord(c->other, c->stream));
}

static void event_query(struct calls *c)
{
    CUDA_DIE(cudaEventQuery(c->done));
}

static void event_wait(struct calls *c)
{
    CUDA_DIE(cudaEventSynchronize(c->done));
}

static void event_elapsed(struct calls *c)
{
    float ms;

    CUDA_DIE(cudaEventElapsedTime(&ms, c->done, c->done));
}

static void stream_wait_event(struct calls *c)
{
    CUDA_DIE(cudaStreamWaitEvent(c->stream, c->done, 0));
}

/* Times kernels from the first call until all are over. */
static double batch_back_to_back(void *arg, unsigned iterations)
{
    struct calls *c = arg;

    if (c->r->n->rank != 0)
        return 0;
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++)
        launch(c);
    wait_for(c);
    return (seconds() - begin) / iterations;
}

/* Times one empty kernel by two events: the least time that events can
 * measure. */
static double batch_events_around(void *arg, unsigned iterations)
{
    struct calls *c = arg;
    double spent = 0;

    if (c->r->n->rank != 0)
        return 0;
    for (unsigned i = 0; i < iterations; i++) {
        struct gpu_clock clock = c->r->clock;
        gpu_clock_start(&clock);
        CUDA_DIE(access_nothing(1, 1, clock.stream));
        spent += gpu_clock_stop(&clock);
    }
    return spent / iterations;
}

static const struct {
    const char *name;
    repeat_batch *batch;
    void (*call)(struct calls *c);
} operations[] = {
    {"launch_call", batch_calls, launch},
    {"launch_back_to_back", batch_back_to_back, NULL},
    {"launch_wait", batch_calls, launch_and_wait},
    {"launch_seen", batch_calls, launch_and_see},
    {"stream_wait_idle", batch_calls, wait_for},
    {"event_record", batch_calls, event_record},
    {"event_query", batch_calls, event_query},
    {"event_wait_over", batch_calls, event_wait},
    {"event_elapsed", batch_calls, event_elapsed},
    {"stream_wait_event", batch_calls, stream_wait_event},
    {"events_around_kernel", batch_events_around, NULL},
};

static int gpu_calls_prepare(struct calls *c, struct err *err)
{
    void *flag, *there;

    if (CUDA_TRY(err, cudaEventCreate(&c->done)) < 0 ||
        CUDA_TRY(err, cudaEventCreate(&c->other)) < 0 ||
        CUDA_TRY(err, cudaEventRecord(c->done, c->stream)) < 0 ||
        CUDA_TRY(err, cudaStreamSynchronize(c->stream)) < 0 ||
        CUDA_TRY(err, cudaHostAlloc(&flag, sizeof *c->flag,
                                    cudaHostAllocMapped)) < 0 ||
        CUDA_TRY(err, cudaHostGetDevicePointer(&there, flag, 0)) < 0)
        return -1;
    c->flag = flag;
    c->flag_there = there;
    *c->flag = 0;
    return 0;
}

int gpu_calls(struct gpu_run *r, struct err *err)
{
    struct calls c = {.r = r, .stream = r->clock.stream};
    int result = r->n->rank == 0 ? gpu_calls_prepare(&c, err) : 0;

    if (native_agree(r->n, result, err) < 0)
        return -1;
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        c.call = operations[i].call;
        gpu_rows(r, operations[i].name, NO_GPU, 0, 1, operations[i].batch, &c);
    }
    if (r->n->rank == 0) {
        cudaEventDestroy(c.done);
        cudaEventDestroy(c.other);
        cudaFreeHost((void *)c.flag);
    }
    return 0;
}
