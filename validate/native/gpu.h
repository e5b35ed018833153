/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu.h - the GPUs of this host through CUDA, or host memory instead if there
 * is none: one table of functions for each. */
#ifndef VALIDATE_NATIVE_GPU_H
#define VALIDATE_NATIVE_GPU_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GPU_ADDS = 16 };

/* A piece of GPU memory, or an event, in the form in which another process of
 * the host can open it. */
struct gpu_share {
    unsigned gpu;
    unsigned char bytes[64]; /* a cudaIpc...Handle_t */
};

/* Functions that can fail return -1 (or NULL) and an err that names the CUDA
 * call and CUDA's own description of the error; its kind is ERR_WORK. Functions
 * that free end all ranks if CUDA fails (native_die()). Copies, kernels and
 * sets are asynchronous: they end before wait() returns. */
struct gpu_api {
    const char *memory; /* "gpu", or "host" if host memory represents a GPU's */
    unsigned count;     /* GPUs of this host that this process sees */
    /* "NVIDIA H200, driver 580.159, CUDA 13.0", or why there is none. */
    const char *about;

    /* Makes this process use GPU `gpu` (from 0 to count - 1). */
    int (*use)(unsigned gpu, struct err *err);
    /* Enables direct copies between the GPU in use and `other`, if there is a
     * path. NULL if there is nothing to enable. */
    int (*reach)(unsigned other, struct err *err);
    /* Returns the PCI address "0000:3b:00.0", as sysfs names it; NULL if there
     * is none. */
    int (*address)(unsigned gpu, char *out, size_t size, struct err *err);
    /* Sets whether this process shares the GPU in use through MPS; NULL if
     * there is no GPU. */
    int (*mps)(bool *on, struct err *err);
    void *(*device_new)(size_t bytes, struct err *err);
    void (*device_free)(void *p);
    void *(*host_new)(size_t bytes, struct err *err); /* pinned */
    void (*host_free)(void *p);
    /* Makes a stream that does not wait for others; NULL if there are no
     * streams. */
    int (*stream_new)(void **stream, struct err *err);
    void (*stream_free)(void *stream);
    /* Starts a copy between any two kinds of memory. */
    int (*copy)(void *to, const void *from, size_t bytes, void *stream,
                struct err *err);
    int (*wait)(void *stream, struct err *err);
    /* Starts to set all bytes of either memory to `value`. */
    int (*set)(void *to, int value, size_t bytes, void *stream,
               struct err *err);
    /* Starts to gather n values of 8 bytes, to[i] = from[index[i]], or if
     * `back` is set to scatter them, to[index[i]] = from[i]. All are in memory
     * of this kind. */
    int (*gather)(void *to, const void *from, const uint32_t *index, size_t n,
                  bool back, void *stream, struct err *err);
    /* Starts to add n float32 of each of `inputs` buffers (up to GPU_ADDS),
     * to[i] += from[0][i] + ..., in memory of this kind. */
    int (*add)(float *to, const float *const *from, unsigned inputs, size_t n,
               void *stream, struct err *err);
    /* The functions of elements.h, in memory of this kind. The first starts to
     * fill, on the default stream; the second waits for all work before, and
     * adds the number of wrong elements to *wrong. */
    int (*elements)(float *to, size_t n, uint64_t first, unsigned rank,
                    struct err *err);
    int (*elements_wrong)(unsigned long long *wrong, const float *of, size_t n,
                          uint64_t first, unsigned low, unsigned high,
                          struct err *err);
    /* CUDA IPC, for the start of an allocation of device_new(). NULL for host
     * memory that other processes cannot map; gpu_host_shared_api lets another
     * process of the same user map it. */
    int (*share)(struct gpu_share *out, void *device, struct err *err);
    void *(*open)(const struct gpu_share *in, struct err *err);
    void (*close)(void *opened);
    /* An event that another process of the host can wait for, and the same
     * event as that process opens it; NULL if there are none. event_wait()
     * makes the CPU wait for the last record that it can see. */
    void *(*event_new)(struct gpu_share *out, struct err *err);
    void *(*event_open)(const struct gpu_share *in, struct err *err);
    int (*event_record)(void *event, void *stream, struct err *err);
    int (*event_wait)(void *event, struct err *err);
    void (*event_free)(void *event);
};

extern const struct gpu_api gpu_host_api;
/* The same, but other processes can open the memory. */
extern const struct gpu_api gpu_host_shared_api;
/* Returns NULL if the program was built without CUDA, or if there is no GPU;
 * `why` (may be NULL) is then set. */
const struct gpu_api *gpu_cuda_api(const char **why);
/* Makes the GPUs of this host represent `count` GPUs, in turn. It is called
 * after gpu_cuda_api() has returned a table. */
void gpu_cuda_stand_for(unsigned count);

#endif
