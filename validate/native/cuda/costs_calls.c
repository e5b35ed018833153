/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the calls of a step: kernels, small copies, events, waits, syncs of
 * a grid; for the CPU, on the stream, and until they are waited for. */
#include "validate/native/cuda/costs_calls.h"

#include "base/seconds.h"

#include <stdio.h>
#include <string.h>

enum {
    /* Operations that are queued on a stream before the first begins. */
    ON_STREAM = 32,
    GRID_SYNCS = 64
};

/* --- the calls ------------------------------------------------------------ */

void call_launch(struct costs_call *o)
{
    CUDA_DIE(access_nothing(o->ctas, o->cta, o->stream));
}

void call_to_gpu(struct costs_call *o)
{
    CUDA_DIE(cudaMemcpyAsync(o->there, o->here, COSTS_SMALL,
                             cudaMemcpyHostToDevice, o->stream));
}

void call_to_host(struct costs_call *o)
{
    CUDA_DIE(cudaMemcpyAsync(o->here, o->there, COSTS_SMALL,
                             cudaMemcpyDeviceToHost, o->stream));
}

void call_memset(struct costs_call *o)
{
    CUDA_DIE(cudaMemsetAsync(o->there, 1, COSTS_SMALL, o->stream));
}

void call_record(struct costs_call *o)
{
    CUDA_DIE(cudaEventRecord(o->record, o->stream));
}

void call_wait_event(struct costs_call *o)
{
    CUDA_DIE(cudaStreamWaitEvent(o->stream, o->over, 0));
}

void call_query(struct costs_call *o)
{
    CUDA_DIE(cudaEventQuery(o->over));
}

void call_sync(struct costs_call *o)
{
    CUDA_DIE(cudaStreamSynchronize(o->stream));
}

void call_peer_copy(struct costs_call *o)
{
    CUDA_DIE(cudaMemcpyPeerAsync(o->peer, o->c->gpu[!o->me], o->there,
                                 o->c->gpu[o->me], o->bytes, o->stream));
}

void call_step(struct costs_call *o)
{
    call_launch(o);
    call_to_host(o);
}

void call_long_step(struct costs_call *o)
{
    for (int i = 0; i < 4; i++)
        call_to_gpu(o);
    call_step(o);
    call_launch(o);
}

void call_little(struct costs_call *o)
{
    o->little.seed++;
    if (o->other_code)
        o->little.wide = o->little.seed % 2;
    if (o->cleared)
        call_memset(o);
    CUDA_DIE(access_little(o->little, o->stream));
    if (!o->alone)
        call_to_host(o);
}

/* --- samples -------------------------------------------------------------- */

static double sample_call(void *arg)
{
    struct costs_call *o = arg;

    if (o->at++ % COSTS_IN_A_ROW == 0)
        call_sync(o);
    double begin = seconds();
    o->call(o);
    return seconds() - begin;
}

static double sample_wait(void *arg)
{
    struct costs_call *o = arg;
    double begin = seconds();

    o->call(o);
    call_sync(o);
    return seconds() - begin;
}

/* Times calls on the stream, which is blocked until all are queued. */
static double sample_stream(void *arg)
{
    struct costs_call *o = arg;
    struct gpu_clock *clock = &o->c->clock;

    costs_hold(o->c, clock->stream);
    gpu_clock_start(clock);
    for (unsigned i = 0; i < ON_STREAM; i++)
        o->call(o);
    CUDA_DIE(cudaEventRecord(clock->end, clock->stream));
    costs_release(o->c);
    return gpu_clock_stop(clock) / ON_STREAM;
}

/* Times events between two streams, back and forth ON_STREAM times; returns the
 * time of one event. */
static double sample_pass(void *arg)
{
    struct costs_call *o = arg;
    struct gpu_clock *clock = &o->c->clock;

    costs_hold(o->c, clock->stream);
    gpu_clock_start(clock);
    for (unsigned i = 0; i < ON_STREAM; i++) {
        CUDA_DIE(cudaEventRecord(o->pass[0], clock->stream));
        CUDA_DIE(cudaStreamWaitEvent(o->other, o->pass[0], 0));
        CUDA_DIE(cudaEventRecord(o->pass[1], o->other));
        CUDA_DIE(cudaStreamWaitEvent(clock->stream, o->pass[1], 0));
    }
    CUDA_DIE(cudaEventRecord(clock->end, clock->stream));
    costs_release(o->c);
    return gpu_clock_stop(clock) / (2 * ON_STREAM);
}

static double sample_grid_sync(void *arg)
{
    struct costs_call *o = arg;
    struct gpu_clock *clock = &o->c->clock;

    gpu_clock_start(clock);
    CUDA_DIE(access_grid_sync(o->ctas, o->cta, GRID_SYNCS, 0, o->found,
                              o->found + 1, clock->stream));
    return gpu_clock_stop(clock) / GRID_SYNCS;
}

/* --- the points ----------------------------------------------------------- */

enum { CALL = 1, STREAM = 2, WAIT = 4 };

static void one_call(struct costs_call *o, const char *name, int gpu_b,
                     uint64_t bytes, unsigned threads, unsigned how,
                     void (*call)(struct costs_call *o))
{
    static const struct {
        unsigned how;
        const char *suffix;
        double (*sample)(void *arg);
    } methods[] = {{CALL, "call", sample_call},
                   {STREAM, "stream", sample_stream},
                   {WAIT, "wait", sample_wait}};
    char operation[40];

    o->call = call;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        if (!(how & methods[i].how))
            continue;
        snprintf(operation, sizeof operation, "%s_%s", name, methods[i].suffix);
        o->at = 0;
        costs_measure(
            o->c, (struct costs_point){operation, gpu_b, bytes, threads, 1, 1},
            methods[i].sample, o);
        call_sync(o);
    }
}

/* Measures a kernel with `n` accesses per thread, in the column `together`. */
static void one_chain(struct costs_call *o, const char *name, unsigned n)
{
    o->call = call_little;
    costs_measure(
        o->c,
        (struct costs_point){name, COSTS_NO_GPU, COSTS_MOST_PEER, 256, n, 1},
        sample_wait, o);
}

/* Checks that data of the host return from the GPU. */
static void check_copies(struct costs_call *o)
{
    uint32_t word = 0x5eed1234, back = 0;

    memcpy(o->here, &word, sizeof word);
    call_to_gpu(o);
    call_sync(o);
    memset(o->here, 0, COSTS_SMALL);
    call_to_host(o);
    call_sync(o);
    memcpy(&back, o->here, sizeof back);
    if (back != word)
        native_die("graph-costs: 4 bytes copied to GPU %d and back: got %x, "
                   "expected %x",
                   o->c->gpu[0], back, word);
}

static void check_peer_copy(struct costs_call *o)
{
    uint32_t word;

    CUDA_DIE(cudaMemsetAsync(o->there, 0x5a, o->bytes, o->stream));
    CUDA_DIE(cudaMemsetAsync(o->peer, 0, o->bytes, o->stream));
    call_peer_copy(o);
    call_sync(o);
    CUDA_DIE(cudaMemcpy(&word, o->peer + o->bytes - sizeof word, sizeof word,
                        cudaMemcpyDefault));
    if (word != 0x5a5a5a5a)
        native_die("graph-costs: %llu bytes copied to GPU %d: the last word is "
                   "%x",
                   (unsigned long long)o->bytes, o->c->gpu[1], word);
}

static void kernels(struct costs_call *o)
{
    static const struct {
        unsigned ctas, cta;
    } grids[] = {{1, 1},
                 {1, 256},
                 {COSTS_ONE_EACH, 256},
                 {COSTS_WHOLE, 256},
                 {8192, 256}};

    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
        o->ctas = grids[i].ctas;
        o->cta = grids[i].cta;
        one_call(o, "kernel", COSTS_NO_GPU, 0, o->ctas * o->cta,
                 CALL | STREAM | WAIT, call_launch);
    }
}

static void peer_copies(struct costs_call *o)
{
    if (!o->peer)
        return;
    for (o->bytes = COSTS_SMALL; o->bytes <= COSTS_MOST_PEER; o->bytes *= 4) {
        check_peer_copy(o);
        one_call(o, "peer_copy", o->c->gpu[1], o->bytes, 0,
                 CALL | STREAM | WAIT, call_peer_copy);
    }
}

/* Measures events between two streams of the GPU, and to a stream of the other
 * GPU. */
static int passes(struct costs_call *o, struct err *err)
{
    struct costs *c = o->c;

    for (int b = 0; b < c->gpus; b++) {
        if (CUDA_TRY(err, cudaSetDevice(c->gpu[b])) < 0 ||
            CUDA_TRY(err, cudaEventCreateWithFlags(
                              &o->pass[1], cudaEventDisableTiming)) < 0 ||
            CUDA_TRY(err, cudaSetDevice(c->gpu[0])) < 0)
            return -1;
        o->other = c->stream[b];
        costs_measure(c,
                      (struct costs_point){"event_pass", c->gpu[b], 0, 0, 1, 1},
                      sample_pass, o);
        cudaEventDestroy(o->pass[1]);
    }
    return 0;
}

static void check_grid_sync(struct costs_call *o)
{
    uint32_t found[2];

    CUDA_DIE(cudaMemsetAsync(o->found, 0, sizeof found, o->stream));
    CUDA_DIE(access_grid_sync(o->ctas, o->cta, GRID_SYNCS, 1, o->found,
                              o->found + 1, o->stream));
    CUDA_DIE(cudaMemcpyAsync(found, o->found, sizeof found,
                             cudaMemcpyDeviceToHost, o->stream));
    call_sync(o);
    if (found[0] != GRID_SYNCS * o->ctas || found[1])
        native_die("graph-costs: grid_sync: %u threads went on too early, %u "
                   "of %u CTAs came",
                   found[1], found[0], GRID_SYNCS * o->ctas);
}

static void grid_syncs(struct costs_call *o, unsigned processors)
{
    for (unsigned each = 1; each <= 4; each *= 2) {
        o->ctas = processors * each;
        o->cta = 512;
        check_grid_sync(o);
        costs_measure(o->c,
                      (struct costs_point){"grid_sync", COSTS_NO_GPU, 0,
                                           o->ctas * o->cta, 1, 1},
                      sample_grid_sync, o);
    }
}

/* Measures kernels of growing length, alone and followed by a copy. */
static void chain_steps(struct costs_call *o)
{
    for (uint32_t n = 1; n <= 1024; n *= 2) {
        o->little = (struct little_kernel){.words = o->words,
                                           .nwords = COSTS_MOST_PEER / 4,
                                           .accesses = n,
                                           .found = o->found};
        o->cleared = false;
        for (int alone = 0; alone < 2; alone++) {
            o->alone = alone;
            one_chain(o, alone ? "chain_wait" : "step_chain_wait", n);
        }
    }
    o->alone = false;
}

/* Measures kernels like those of a small level, with a wait for each: with 8
 * accesses; with code; alternating with another one's code; with an addition to
 * the other GPU's memory and a store there; and one on the whole GPU with other
 * code each time, which does nothing. */
static void like_steps(struct costs_call *o)
{
    static const struct {
        const char *name;
        uint32_t accesses;
        int code;
        bool other_code, whole, peer;
    } all[] = {{"little", 8, 0, false, false, false},
               {"little_code", 8, 1, false, false, false},
               {"little_codes", 8, 1, true, false, false},
               {"little_store", 8, 0, false, false, true},
               {"whole", 0, 1, true, true, false}};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].peer && !o->peer)
            continue;
        o->little = (struct little_kernel){
            .words = o->words,
            .nwords = COSTS_MOST_PEER / 4,
            .accesses = all[i].accesses,
            .shared = COSTS_CTA_B,
            .code = all[i].code,
            .ctas = all[i].whole ? COSTS_WHOLE : 1,
            .found = o->found,
            .peer = all[i].peer ? (uint32_t *)o->peer : NULL};
        o->other_code = all[i].other_code;
        o->alone = true;
        one_call(o, all[i].name, COSTS_NO_GPU, COSTS_SMALL,
                 256 * o->little.ctas, CALL | WAIT, call_little);
        o->alone = false;
    }
    o->other_code = false;
}

static void little_steps(struct costs_call *o)
{
    static const struct {
        const char *name;
        uint32_t accesses, shared;
        int code, wide;
        bool cleared;
    } all[] = {{"step_nothing", 0, 0, 0, 0, false},
               {"step_cleared", 0, 0, 0, 0, true},
               {"step_shared", 0, COSTS_CTA_B, 0, 0, false},
               {"step_code", 0, 0, 1, 0, false},
               {"step_parameters", 0, 0, 0, 1, false},
               {"step_all", 8, COSTS_CTA_B, 1, 1, true}};
    uint32_t found;

    CUDA_DIE(cudaMemsetAsync(o->found, 0, 2 * sizeof found, o->stream));
    CUDA_DIE(cudaMemsetAsync(o->words, 0, COSTS_MOST_PEER, o->stream));
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        o->little = (struct little_kernel){.words = o->words,
                                           .nwords = COSTS_MOST_PEER / 4,
                                           .accesses = all[i].accesses,
                                           .shared = all[i].shared,
                                           .code = all[i].code,
                                           .wide = all[i].wide,
                                           .found = o->found};
        o->cleared = all[i].cleared;
        one_call(o, all[i].name, COSTS_NO_GPU, COSTS_SMALL, 256, WAIT,
                 call_little);
    }
    chain_steps(o);
    like_steps(o);
    CUDA_DIE(cudaMemcpyAsync(&found, o->found, sizeof found,
                             cudaMemcpyDeviceToHost, o->stream));
    call_sync(o);
    if (found)
        native_die("graph-costs: a kernel found %u in words that are 0", found);
}

static void small_calls(struct costs_call *o)
{
    check_copies(o);
    one_call(o, "copy_to_gpu", COSTS_NO_GPU, COSTS_SMALL, 0,
             CALL | STREAM | WAIT, call_to_gpu);
    one_call(o, "copy_to_host", COSTS_NO_GPU, COSTS_SMALL, 0,
             CALL | STREAM | WAIT, call_to_host);
    one_call(o, "memset", COSTS_NO_GPU, COSTS_SMALL, 0, CALL | STREAM | WAIT,
             call_memset);
    one_call(o, "event_record", COSTS_NO_GPU, 0, 0, CALL | STREAM | WAIT,
             call_record);
    one_call(o, "event_wait", COSTS_NO_GPU, 0, 0, CALL | STREAM | WAIT,
             call_wait_event);
    one_call(o, "event_query", COSTS_NO_GPU, 0, 0, CALL, call_query);
    o->ctas = COSTS_ONE_EACH;
    o->cta = 256;
    one_call(o, "step", COSTS_NO_GPU, COSTS_SMALL, o->ctas * o->cta,
             STREAM | WAIT, call_step);
    one_call(o, "long_step", COSTS_NO_GPU, COSTS_SMALL, o->ctas * o->cta,
             STREAM | WAIT, call_long_step);
    one_call(o, "sync_idle", COSTS_NO_GPU, 0, 0, CALL, call_sync);
}

/* --- set-up --------------------------------------------------------------- */

static int costs_events(struct costs_call *o, struct err *err)
{
    if (CUDA_TRY(err, cudaEventCreateWithFlags(&o->record,
                                               cudaEventDisableTiming)) < 0 ||
        CUDA_TRY(err, cudaEventCreate(&o->over)) < 0 ||
        CUDA_TRY(err, cudaEventCreateWithFlags(&o->pass[0],
                                               cudaEventDisableTiming)) < 0 ||
        CUDA_TRY(err, cudaEventRecord(o->over, o->stream)) < 0)
        return -1;
    return CUDA_TRY(err, cudaStreamSynchronize(o->stream));
}

int costs_calls_begin(struct costs_call *o, struct err *err)
{
    struct costs *c = o->c;
    void *here;

    if (CUDA_TRY(err, cudaSetDevice(c->gpu[o->me])) < 0 ||
        costs_events(o, err) < 0 ||
        CUDA_TRY(err, cudaHostAlloc(&here, COSTS_SMALL, cudaHostAllocDefault)) <
            0)
        return -1;
    o->here = here;
    o->there = gpu_piece(&o->pieces, COSTS_MOST_PEER, err);
    o->found =
        o->there ? gpu_piece(&o->pieces, 2 * sizeof *o->found, err) : NULL;
    o->words = o->found ? gpu_piece(&o->pieces, COSTS_MOST_PEER, err) : NULL;
    if (!o->words)
        return -1;
    if (c->gpus < 2)
        return 0;
    if (CUDA_TRY(err, cudaSetDevice(c->gpu[!o->me])) < 0)
        return -1;
    o->peer = gpu_piece(&o->pieces, COSTS_MOST_PEER, err);
    if (CUDA_TRY(err, cudaSetDevice(c->gpu[o->me])) < 0 || !o->peer)
        return -1;
    return 0;
}

void costs_calls_end(struct costs_call *o)
{
    gpu_pieces_clear(&o->pieces);
    cudaFreeHost(o->here);
    cudaEventDestroy(o->record);
    cudaEventDestroy(o->over);
    cudaEventDestroy(o->pass[0]);
}

int costs_calls(struct costs *c, struct err *err)
{
    struct costs_call o = {.c = c, .stream = c->clock.stream};
    int processors = 0;

    if (CUDA_TRY(err, cudaDeviceGetAttribute(&processors,
                                             cudaDevAttrMultiProcessorCount,
                                             c->gpu[0])) < 0 ||
        costs_calls_begin(&o, err) < 0) {
        costs_calls_end(&o);
        return -1;
    }
    kernels(&o);
    small_calls(&o);
    little_steps(&o);
    peer_copies(&o);
    int result = passes(&o, err);
    grid_syncs(&o, (unsigned)processors);
    costs_calls_end(&o);
    return result;
}
