// SPDX-License-Identifier: GPL-3.0-or-later
/* CUDA's calls on the CPU. Memory of GPUs is filled with garbage first; copies
 * between GPUs must be in the memory that their caller names. Streams do one
 * thing after the other: copies start when all before them has ended. */
#include <cuda_runtime_api.h>
#include <sched.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

struct CUstream_st {
    std::atomic<int> running{0};
};
struct CUevent_st {
};

int fake_devices = 8;
unsigned fake_resident = 2;

static thread_local int device, failed;

/* --- memory of GPUs ------------------------------------------------------- */

struct piece {
    size_t bytes;
    int device;
};

static std::mutex lock;
static std::map<const char *, piece> pieces;

static void check_place(const void *p, size_t bytes, int of)
{
    std::lock_guard<std::mutex> held(lock);
    auto at = pieces.upper_bound((const char *)p);

    if (at == pieces.begin()) {
        fprintf(stderr, "fake_cuda: no memory of a GPU\n");
        abort();
    }
    --at;
    size_t from = (size_t)((const char *)p - at->first);
    if (from + bytes > at->second.bytes || at->second.device != of) {
        fprintf(stderr,
                "fake_cuda: %zu bytes from %zu on of %zu of GPU %d: not "
                "GPU %d's\n",
                bytes, from, at->second.bytes, at->second.device, of);
        abort();
    }
}

cudaError_t cudaMalloc(void **out, size_t bytes)
{
    std::lock_guard<std::mutex> held(lock);

    *out = malloc(bytes);
    if (!*out)
        abort();
    memset(*out, 0xa5, bytes);
    pieces[(char *)*out] = {bytes, device};
    return cudaSuccess;
}

cudaError_t cudaFree(void *p)
{
    std::lock_guard<std::mutex> held(lock);

    pieces.erase((char *)p);
    free(p);
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **out, size_t bytes)
{
    *out = calloc(1, bytes);
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *p)
{
    free(p);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *all)
{
    *available = *all = (size_t)64 << 30;
    return cudaSuccess;
}

/* --- streams -------------------------------------------------------------- */

void fake_fail(cudaError_t code)
{
    failed = code;
}

static void drain(cudaStream_t stream)
{
    while (stream->running.load())
        sched_yield();
}

void fake_begin(cudaStream_t stream)
{
    drain(stream);
    stream->running++;
}

void fake_end(cudaStream_t stream)
{
    stream->running--;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned)
{
    *out = new CUstream_st;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    drain(stream);
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    sched_yield();
    drain(stream);
    return cudaSuccess;
}

/* An event that is waited for is already recorded and over, because recording
 * waits for the stream. */
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned)
{
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned)
{
    *out = new CUevent_st;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t stream)
{
    drain(stream);
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return cudaSuccess;
}

/* --- copies --------------------------------------------------------------- */

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                       enum cudaMemcpyKind)
{
    if (bytes)
        memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    drain(stream);
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                              size_t from_pitch, size_t width, size_t rows,
                              enum cudaMemcpyKind, cudaStream_t stream)
{
    drain(stream);
    for (size_t i = 0; i < rows; i++)
        memcpy((char *)to + i * to_pitch, (const char *)from + i * from_pitch,
               width);
    return cudaSuccess;
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from,
                           int from_device, size_t bytes)
{
    if (!bytes)
        return cudaSuccess;
    check_place(to, bytes, to_device);
    check_place(from, bytes, from_device);
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from,
                                int from_device, size_t bytes,
                                cudaStream_t stream)
{
    drain(stream);
    return cudaMemcpyPeer(to, to_device, from, from_device, bytes);
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    memset(to, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes,
                            cudaStream_t stream)
{
    drain(stream);
    return cudaMemset(to, value, bytes);
}

/* --- GPUs ----------------------------------------------------------------- */

const char *cudaGetErrorName(cudaError_t)
{
    return "cudaErrorInvalidConfiguration";
}

const char *cudaGetErrorString(cudaError_t)
{
    return "a kernel without CTAs";
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t code = failed;

    failed = cudaSuccess;
    return code;
}

cudaError_t cudaGetDeviceCount(int *n)
{
    *n = fake_devices;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *out)
{
    *out = device;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int to)
{
    device = to;
    return to < fake_devices ? cudaSuccess : cudaErrorInvalidConfiguration;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int, int)
{
    *can = 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned)
{
    return cudaSuccess;
}
