/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costs_calls.h - the calls that `graph-costs` times, by one thread of the host
 * or by two at once. */
#ifndef VALIDATE_NATIVE_CUDA_COSTS_CALLS_H
#define VALIDATE_NATIVE_CUDA_COSTS_CALLS_H

#include "validate/native/cuda/access.h"
#include "validate/native/cuda/costs.h"

enum {
    COSTS_IN_A_ROW = 16, /* calls before a wait for their stream */
    COSTS_SMALL = 4,     /* bytes of a counter */
    COSTS_MOST_PEER = 1 << 20,
    /* CTAs: one for each multiprocessor of an H100 or H200; and as many CTAs of
     * 256 threads as these hold at once, because each holds 2048 threads. */
    COSTS_ONE_EACH = 132,
    COSTS_WHOLE = 8 * COSTS_ONE_EACH,
    COSTS_CTA_B = 9216 /* memory of a CTA: room for struct push_memory */
};

/* A GPU, and the call that is timed. */
struct costs_call {
    struct costs *c;
    int me;                     /* index of the GPU in c->gpu */
    cudaStream_t stream, other; /* other: for events between streams */
    cudaEvent_t over, record, pass[2];
    char *here, *there; /* pinned, and the GPU's */
    char *peer;         /* in the other GPU, or NULL */
    uint32_t *found;    /* in the GPU: a counter, and the number of errors */
    uint64_t bytes;     /* bytes of a peer copy */
    unsigned ctas, cta;
    uint32_t *words; /* in the GPU, all 0: for access_little() */
    struct little_kernel little;
    bool cleared, alone; /* with a memset before; with nothing after */
    bool other_code;     /* every second kernel has other code */
    void (*call)(struct costs_call *o);
    unsigned at; /* calls since the last wait for the stream */
    struct gpu_pieces pieces;
};

/* Begins on c->stream[me] or the clock's; costs_calls_end() is needed even
 * after an error. */
int costs_calls_begin(struct costs_call *o, struct err *err) MUST_CHECK;
void costs_calls_end(struct costs_call *o);

void call_launch(struct costs_call *o);
void call_to_gpu(struct costs_call *o);
void call_to_host(struct costs_call *o);
void call_memset(struct costs_call *o);
void call_record(struct costs_call *o);
void call_wait_event(struct costs_call *o);
void call_query(struct costs_call *o);
void call_sync(struct costs_call *o);
void call_peer_copy(struct costs_call *o);
/* The calls of a step: a kernel, and a copy of the length that it found;
 * call_long_step() also has the copies to the GPU that Gunrock makes before. */
void call_step(struct costs_call *o);
void call_long_step(struct costs_call *o);
/* A step whose kernel does little work. */
void call_little(struct costs_call *o);

#endif
