/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The GPU interface without CUDA: GPU memory is host memory and a copy is
 * memcpy. */
#include "validate/native/gpu.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

static int use(unsigned gpu, struct err *err)
{
    (void)gpu;
    (void)err;
    return 0;
}

static void *new_pages(size_t bytes, struct err *err)
{
    void *p;

    if (posix_memalign(&p, PAGE, bytes ? bytes : 1) != 0) {
        (void)fail_work(err, "out of memory (%zu bytes asked for)", bytes);
        return NULL;
    }
    /* Touched now, so that no page is first touched while time is taken. */
    memset(p, 0, bytes);
    return p;
}

static int stream_new(void **stream, struct err *err)
{
    (void)err;
    *stream = NULL;
    return 0;
}

static void stream_free(void *stream)
{
    (void)stream;
}

static int gpu_host_copy(void *to, const void *from, size_t bytes, void *stream,
                         struct err *err)
{
    (void)stream;
    (void)err;
    memcpy(to, from, bytes);
    return 0;
}

static int gpu_host_wait_for(void *stream, struct err *err)
{
    (void)stream;
    (void)err;
    return 0;
}

static int gpu_host_set(void *to, int value, size_t bytes, void *stream,
                        struct err *err)
{
    (void)stream;
    (void)err;
    memset(to, value, bytes);
    return 0;
}

static int gpu_host_gather(void *to, const void *from, const uint32_t *index,
                           size_t n, bool back, void *stream, struct err *err)
{
    const uint64_t *in = from;
    uint64_t *out = to;

    (void)stream;
    (void)err;
    if (back)
        for (size_t i = 0; i < n; i++)
            out[index[i]] = in[i];
    else
        for (size_t i = 0; i < n; i++)
            out[i] = in[index[i]];
    return 0;
}

const struct gpu_api gpu_host_api = {
    .memory = "host",
    .about = "none: host memory stands for GPU memory",
    .use = use,
    .device_new = new_pages,
    .device_free = free,
    .host_new = new_pages,
    .host_free = free,
    .stream_new = stream_new,
    .stream_free = stream_free,
    .copy = gpu_host_copy,
    .wait = gpu_host_wait_for,
    .set = gpu_host_set,
    .gather = gpu_host_gather,
};
