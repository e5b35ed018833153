/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The GPU interface on CUDA. */
#include "validate/native/gpu.h"

#ifdef SLUICE_CUDA

#include "validate/native/elements.h"
#include "validate/native/gather.h"
#include "validate/native/try.h"
#include "validate/native/native.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(cudaIpcMemHandle_t) <=
                   sizeof(((struct gpu_share *)0)->bytes),
               "a handle fits");

/* GPUs that exist; the table's count may be larger (gpu_cuda_stand_for). */
static unsigned real = 1;

static int use(unsigned gpu, struct err *err)
{
    return CUDA_TRY(err, cudaSetDevice((int)(gpu % real)));
}

static int reach(unsigned other, struct err *err)
{
    int own, can;

    other %= real;
    if (CUDA_TRY(err, cudaGetDevice(&own)) < 0 ||
        CUDA_TRY(err, cudaDeviceCanAccessPeer(&can, own, (int)other)) < 0)
        return -1;
    if (!can || own == (int)other)
        return 0;
    cudaError_t code = cudaDeviceEnablePeerAccess((int)other, 0);
    if (code == cudaErrorPeerAccessAlreadyEnabled)
        code = cudaGetLastError() == code ? cudaSuccess : code;
    return cuda_try(err, code, "cudaDeviceEnablePeerAccess", __FILE__,
                    __LINE__);
}

static int address(unsigned gpu, char *out, size_t size, struct err *err)
{
    if (CUDA_TRY(err,
                 cudaDeviceGetPCIBusId(out, (int)size, (int)(gpu % real))) < 0)
        return -1;
    for (char *p = out; *p; p++) /* because sysfs has small letters */
        *p = (char)tolower((unsigned char)*p);
    return 0;
}

static int mps(bool *on, struct err *err)
{
    int gpu, shared;

    if (CUDA_TRY(err, cudaGetDevice(&gpu)) < 0 ||
        CUDA_TRY(err, cudaDeviceGetAttribute(&shared, cudaDevAttrMpsEnabled,
                                             gpu)) < 0)
        return -1;
    *on = shared != 0;
    return 0;
}

static void *device_new(size_t bytes, struct err *err)
{
    void *p;

    if (CUDA_TRY(err, cudaMalloc(&p, bytes ? bytes : 1)) < 0) {
        char place[48];
        snprintf(place, sizeof place, "%zu bytes of GPU memory", bytes);
        err_widen(err, "%s", place);
        return NULL;
    }
    return p;
}

static void device_free(void *p)
{
    CUDA_DIE(cudaFree(p));
}

static void *host_new(size_t bytes, struct err *err)
{
    void *p;

    if (CUDA_TRY(err, cudaMallocHost(&p, bytes ? bytes : 1)) < 0) {
        err_widen(err, "%zu bytes of pinned memory", bytes);
        return NULL;
    }
    return p;
}

static void host_free(void *p)
{
    CUDA_DIE(cudaFreeHost(p));
}

static int stream_new(void **stream, struct err *err)
{
    cudaStream_t s;

    if (CUDA_TRY(err, cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)) < 0)
        return -1;
    *stream = s;
    return 0;
}

static void stream_free(void *stream)
{
    CUDA_DIE(cudaStreamDestroy(stream));
}

static int gpu_cuda_copy(void *to, const void *from, size_t bytes, void *stream,
                         struct err *err)
{
    return CUDA_TRY(
        err, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream));
}

static int gpu_cuda_wait_for(void *stream, struct err *err)
{
    return CUDA_TRY(err, cudaStreamSynchronize(stream));
}

static int gpu_cuda_set(void *to, int value, size_t bytes, void *stream,
                        struct err *err)
{
    return CUDA_TRY(err, cudaMemsetAsync(to, value, bytes, stream));
}

static int gpu_cuda_gather(void *to, const void *from, const uint32_t *index,
                           size_t n, bool back, void *stream, struct err *err)
{
    return CUDA_TRY(err, back ? gather_unpack(to, from, index, n, stream)
                              : gather_pack(to, from, index, n, stream));
}

static int gpu_cuda_add(float *to, const float *const *from, unsigned inputs,
                        size_t n, void *stream, struct err *err)
{
    struct elements_inputs in = {.n = inputs};

    for (unsigned i = 0; i < inputs; i++)
        in.from[i] = from[i];
    return CUDA_TRY(err, elements_add(to, in, n, stream));
}

static int gpu_cuda_elements(float *to, size_t n, uint64_t first, unsigned rank,
                             struct err *err)
{
    return CUDA_TRY(err, elements_fill(to, n, first, rank, NULL));
}

static int gpu_cuda_elements_wrong(unsigned long long *wrong, const float *of,
                                   size_t n, uint64_t first, unsigned low,
                                   unsigned high, struct err *err)
{
    unsigned long long *counted, here = 0;

    if (CUDA_TRY(err, cudaMalloc((void **)&counted, sizeof here)) < 0)
        return -1;
    int result = CUDA_TRY(err, cudaMemset(counted, 0, sizeof here)) < 0 ||
                         CUDA_TRY(err, elements_wrong(of, n, first, low, high,
                                                      counted, NULL)) < 0 ||
                         CUDA_TRY(err, cudaMemcpy(&here, counted, sizeof here,
                                                  cudaMemcpyDeviceToHost)) < 0
                     ? -1
                     : 0;
    CUDA_DIE(cudaFree(counted));
    *wrong += here;
    return result;
}

static int gpu_cuda_share(struct gpu_share *out, void *device, struct err *err)
{
    cudaIpcMemHandle_t handle;
    int gpu;

    if (CUDA_TRY(err, cudaGetDevice(&gpu)) < 0 ||
        CUDA_TRY(err, cudaIpcGetMemHandle(&handle, device)) < 0)
        return -1;
    memset(out, 0, sizeof *out);
    out->gpu = (unsigned)gpu;
    memcpy(out->bytes, &handle, sizeof handle);
    return 0;
}

static void *open_shared(const struct gpu_share *in, struct err *err)
{
    cudaIpcMemHandle_t handle;
    void *p;

    memcpy(&handle, in->bytes, sizeof handle);
    if (CUDA_TRY(err, cudaIpcOpenMemHandle(&p, handle,
                                           cudaIpcMemLazyEnablePeerAccess)) < 0)
        return NULL;
    return p;
}

static void close_shared(void *opened)
{
    CUDA_DIE(cudaIpcCloseMemHandle(opened));
}

static void *event_new(struct gpu_share *out, struct err *err)
{
    cudaIpcEventHandle_t handle;
    cudaEvent_t event;

    if (CUDA_TRY(err, cudaEventCreateWithFlags(&event,
                                               cudaEventDisableTiming |
                                                   cudaEventInterprocess)) < 0)
        return NULL;
    if (CUDA_TRY(err, cudaIpcGetEventHandle(&handle, event)) < 0) {
        cudaEventDestroy(event);
        return NULL;
    }
    memset(out, 0, sizeof *out);
    memcpy(out->bytes, &handle, sizeof handle);
    return event;
}

static void *event_open(const struct gpu_share *in, struct err *err)
{
    cudaIpcEventHandle_t handle;
    cudaEvent_t event;

    memcpy(&handle, in->bytes, sizeof handle);
    if (CUDA_TRY(err, cudaIpcOpenEventHandle(&event, handle)) < 0)
        return NULL;
    return event;
}

static int event_record(void *event, void *stream, struct err *err)
{
    return CUDA_TRY(err, cudaEventRecord(event, stream));
}

static int event_wait(void *event, struct err *err)
{
    return CUDA_TRY(err, cudaEventSynchronize(event));
}

static void event_free(void *event)
{
    CUDA_DIE(cudaEventDestroy(event));
}

static struct gpu_api api = {
    .memory = "gpu",
    .use = use,
    .reach = reach,
    .address = address,
    .mps = mps,
    .device_new = device_new,
    .device_free = device_free,
    .host_new = host_new,
    .host_free = host_free,
    .stream_new = stream_new,
    .stream_free = stream_free,
    .copy = gpu_cuda_copy,
    .wait = gpu_cuda_wait_for,
    .set = gpu_cuda_set,
    .gather = gpu_cuda_gather,
    .add = gpu_cuda_add,
    .elements = gpu_cuda_elements,
    .elements_wrong = gpu_cuda_elements_wrong,
    .share = gpu_cuda_share,
    .open = open_shared,
    .close = close_shared,
    .event_new = event_new,
    .event_open = event_open,
    .event_record = event_record,
    .event_wait = event_wait,
    .event_free = event_free,
};

/* Reads the kernel driver's version, because CUDA does not report it. */
static void driver_version(char *out, size_t size)
{
    char line[256] = "";
    FILE *f = fopen("/proc/driver/nvidia/version", "r");

    snprintf(out, size, "unknown");
    if (!f)
        return;
    const char *at = fgets(line, sizeof line, f) ? strstr(line, "  5") : NULL;
    for (const char *p = line; !at && *p; p++)
        if (strspn(p, "0123456789.") > 5)
            at = p;
    if (at) {
        at += strspn(at, " ");
        snprintf(out, size, "%.*s", (int)strspn(at, "0123456789."), at);
    }
    fclose(f);
}

const struct gpu_api *gpu_cuda_api(const char **why)
{
    static char about[512], none[128];
    struct cudaDeviceProp prop;
    int count = 0, version = 0;
    char driver[32];

    if (api.about)
        return &api;
    cudaError_t code = cudaGetDeviceCount(&count);
    if (code == cudaSuccess && count > 0)
        code = cudaGetDeviceProperties(&prop, 0);
    if (code != cudaSuccess || count == 0) {
        snprintf(none, sizeof none, "%s",
                 code == cudaSuccess ? "no GPU" : cudaGetErrorString(code));
        if (why)
            *why = none;
        return NULL;
    }
    cudaRuntimeGetVersion(&version);
    driver_version(driver, sizeof driver);
    snprintf(about, sizeof about, "%d x %s, driver %s, CUDA %d.%d", count,
             prop.name, driver, version / 1000, version % 1000 / 10);
    api.about = about;
    api.count = real = (unsigned)count;
    return &api;
}

void gpu_cuda_stand_for(unsigned count)
{
    static char about[600];
    static const char *alone; /* the GPUs that exist, from the first call */

    if (!alone)
        alone = api.about;
    snprintf(about, sizeof about, "%s standing for %u", alone, count);
    api.about = about;
    api.count = count;
}

#else

const struct gpu_api *gpu_cuda_api(const char **why)
{
    if (why)
        *why = "built without CUDA";
    return NULL;
}

void gpu_cuda_stand_for(unsigned count)
{
    (void)count;
}

#endif
