/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuda_started.h - for files of CUDA that start kernels, compiled as C++: a
 * kernel runs on a thread of the host, together with others that the same file
 * started, while its caller continues (fake_cuda.cpp).
 */
#ifndef TESTS_CUDA_STARTED_H
#define TESTS_CUDA_STARTED_H

#define TOUCHES 16 /* rare, for speed: other tests check interleavings */
#include "tests/cuda_on_cpu.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

/* A kernel of the stream has begun, or has ended, so that the next may
 * begin. */
void fake_begin(cudaStream_t stream);
void fake_end(cudaStream_t stream);
void fake_fail(cudaError_t code);

namespace cpu_gpu
{
namespace /* private to this file, as its threads and their turns are */
{
struct kernels {
    struct one {
        grid g;
        cudaStream_t stream;
    };
    std::mutex lock;
    std::condition_variable wake;
    std::vector<std::unique_ptr<one>> started;

    /* Gets the newly started kernels; waits if none is running. */
    void take(std::vector<std::unique_ptr<one>> &running)
    {
        std::unique_lock<std::mutex> held(lock);

        if (running.empty()) {
            wake.wait(held, [&] { return !started.empty(); });
            turns = 0;
        }
        for (auto &k : started)
            running.push_back(std::move(k));
        started.clear();
    }
    void run(void)
    {
        std::vector<std::unique_ptr<one>> running;

        for (;;) {
            take(running);
            auto over = [](std::unique_ptr<one> &k) {
                if (take_turns(k->g))
                    return false;
                fake_end(k->stream);
                return true;
            };
            running.erase(std::remove_if(running.begin(), running.end(), over),
                          running.end());
        }
    }
};

} // namespace

/* Returns the kernels, which are never freed, because their thread does not
 * end. */
static inline kernels *all_kernels(void)
{
    static kernels *all = [] {
        kernels *k = new kernels;
        chance = 1;
        std::thread([k] { k->run(); }).detach();
        return k;
    }();

    return all;
}

template <class... Parameters, class... Arguments>
static void start(unsigned ctas, unsigned size, size_t bytes,
                  cudaStream_t stream, void (*kernel)(Parameters...),
                  Arguments... arguments)
{
    if (!ctas) {
        fake_fail(cudaErrorInvalidConfiguration);
        return;
    }
    auto k = std::make_unique<kernels::one>();
    fake_begin(stream);
    k->stream = stream;
    prepare(k->g, ctas, size, bytes, [=] { kernel(arguments...); });
    kernels *all = all_kernels();
    std::lock_guard<std::mutex> held(all->lock);
    all->started.push_back(std::move(k));
    all->wake.notify_one();
}
} // namespace cpu_gpu

#define START(kernel, ctas, threads, bytes, stream, ...)                       \
    (cpu_gpu::start(ctas, threads, bytes, (cudaStream_t)(stream), kernel,      \
                    __VA_ARGS__),                                              \
     cudaGetLastError())

template <class Kernel>
static inline cudaError_t resident_ctas(Kernel *, int, size_t, unsigned *ctas)
{
    *ctas = fake_resident;
    return cudaSuccess;
}

#endif
