/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costs_calls.h - the calls that `graph-costs` times, by one thread of the host
 * or by two at once. */
#ifndef VALIDATE_NATIVE_CUDA_COSTS_CALLS_H
#define VALIDATE_NATIVE_CUDA_COSTS_CALLS_H

#include "validate/native/cuda/access.h"
#include "validate/native/cuda/costs.h"

enum {
    COSTS_IN_A_ROW = 16, /* calls before their stream is waited for */
    COSTS_SMALL = 4,     /* bytes of a counter */
    COSTS_MOST_PEER = 1 << 20
};

/* Of one GPU, and what is called. */
struct costs_call {
    struct costs *c;
    int me;                     /* whose it is: an index of c->gpu */
    cudaStream_t stream, other; /* other: for events that pass */
    cudaEvent_t over, record, pass[2];
    char *here, *there; /* pinned, and the GPU's */
    char *peer;         /* the other GPU's, or NULL */
    uint32_t *found;    /* the GPU's: a counter, and what was wrong */
    uint64_t bytes;     /* of a peer copy */
    unsigned ctas, cta;
    uint32_t *words; /* the GPU's, 0: for a kernel that does a little */
    struct little_kernel little;
    bool cleared, alone; /* with a memset before; with nothing after */
    bool other_code;     /* every second one is another kernel */
    void (*call)(struct costs_call *o);
    unsigned at; /* calls since the stream was waited for */
    struct gpu_pieces pieces;
};

/* On c->stream[me] or the clock's; costs_calls_end() even after an error. */
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
/* What a step does: a kernel, and the length of what it found; and with what
 * Gunrock copies to the GPU before. */
void call_step(struct costs_call *o);
void call_long_step(struct costs_call *o);
/* A step whose kernel does a little. */
void call_little(struct costs_call *o);

#endif
