/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu.h - the GPUs of this host through CUDA, or host memory in their place
 * where there is none: one table of functions for each. */
#ifndef VALIDATE_NATIVE_GPU_H
#define VALIDATE_NATIVE_GPU_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GPU_ADDS = 16 };

/* A piece of GPU memory, or an event, as another process of the host can open
 * it. */
struct gpu_share {
    unsigned gpu;
    unsigned char bytes[64]; /* of a cudaIpc...Handle_t */
};

/* What can fail gives -1 (or NULL) and an err that names the CUDA call and
 * CUDA's own description of the error; its kind is ERR_WORK. What frees ends
 * all ranks when CUDA fails (native_die()). */
struct gpu_api {
    const char *memory; /* "gpu", or "host": it stands for a GPU's */
    unsigned count;     /* GPUs of this host that this process sees */
    /* "NVIDIA H200, driver 580.159, CUDA 13.0", or why there is none. */
    const char *about;

    /* From now on this process works on that GPU (from 0 to count - 1). */
    int (*use)(unsigned gpu, struct err *err);
    /* Copies between the GPU in use and `other` go straight, if there is a way
     * (NULL: nothing to do). */
    int (*reach)(unsigned other, struct err *err);
    /* "0000:3b:00.0", for sysfs; NULL where there is none. */
    int (*address)(unsigned gpu, char *out, size_t size, struct err *err);
    /* Whether this process shares the GPU in use through MPS; NULL: no GPU. */
    int (*mps)(bool *on, struct err *err);
    void *(*device_new)(size_t bytes, struct err *err);
    void (*device_free)(void *p);
    void *(*host_new)(size_t bytes, struct err *err); /* pinned */
    void (*host_free)(void *p);
    /* A stream that does not wait for others; NULL where there is none. */
    int (*stream_new)(void **stream, struct err *err);
    void (*stream_free)(void *stream);
    /* Begins a copy, between any two kinds of memory. */
    int (*copy)(void *to, const void *from, size_t bytes, void *stream,
                struct err *err);
    int (*wait)(void *stream, struct err *err);
    /* Begins to set all bytes of either memory to `value`. */
    int (*set)(void *to, int value, size_t bytes, void *stream,
               struct err *err);
    /* Begins to gather n values of 8 bytes, to[i] = from[index[i]]; or to bring
     * them `back`, to[index[i]] = from[i]. All in memory of this kind. */
    int (*gather)(void *to, const void *from, const uint32_t *index, size_t n,
                  bool back, void *stream, struct err *err);
    /* Begins to add n float32 of each of `inputs` buffers (up to GPU_ADDS) to
     * as many, to[i] += from[0][i] + ..., in memory of this kind. */
    int (*add)(float *to, const float *const *from, unsigned inputs, size_t n,
               void *stream, struct err *err);
    /* elements.h, in memory of this kind: begins to fill on no stream of its
     * own; adds how many are wrong to *wrong, when all before is over. */
    int (*elements)(float *to, size_t n, uint64_t first, unsigned rank,
                    struct err *err);
    int (*elements_wrong)(unsigned long long *wrong, const float *of, size_t n,
                          uint64_t first, unsigned low, unsigned high,
                          struct err *err);
    /* CUDA IPC: of the start of a device_new() allocation. Host memory has none
     * of it (NULL), or as another process of the same user maps it. */
    int (*share)(struct gpu_share *out, void *device, struct err *err);
    void *(*open)(const struct gpu_share *in, struct err *err);
    void (*close)(void *opened);
    /* An event that another process of the host can wait for, and the same as
     * that process has it; NULL where there are none. The CPU waits in
     * event_wait() for the last record that it can see. */
    void *(*event_new)(struct gpu_share *out, struct err *err);
    void *(*event_open)(const struct gpu_share *in, struct err *err);
    int (*event_record)(void *event, void *stream, struct err *err);
    int (*event_wait)(void *event, struct err *err);
    void (*event_free)(void *event);
};

extern const struct gpu_api gpu_host_api;
/* The same, and other processes can open it. */
extern const struct gpu_api gpu_host_shared_api;
/* NULL when the program was built without CUDA, or no GPU is there; `why` (may
 * be NULL) is then set. */
const struct gpu_api *gpu_cuda_api(const char **why);
/* From now on the GPUs that are there stand for `count` of them, in turn. After
 * gpu_cuda_api() gave a table. */
void gpu_cuda_stand_for(unsigned count);

#endif
