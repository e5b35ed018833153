/* SPDX-License-Identifier: GPL-3.0-or-later */
/* start.cuh - starts kernels, for functions that C calls. */
#ifndef VALIDATE_NATIVE_CUDA_START_CUH
#define VALIDATE_NATIVE_CUDA_START_CUH

#include <stddef.h>
#include <stdint.h>

/* Starts a kernel: its CTAs, their threads, bytes of memory that these share,
 * stream, parameters. A kernel that is chosen is in parentheses. Its value is a
 * cudaError_t. */
#ifndef START
#define START(kernel, ctas, threads, bytes, stream, ...)                       \
    (kernel<<<(ctas), (threads), (bytes), (cudaStream_t)(stream)>>>(           \
         __VA_ARGS__),                                                         \
     cudaGetLastError())
#endif

/* Returns the CTAs of so many threads in all: at least one, at most `most`,
 * whose threads must then take more than one turn each. */
static inline unsigned ctas_for(uint64_t threads, unsigned cta,
                                unsigned most = ~0u)
{
    uint64_t ctas = (threads + cta - 1) / cta;

    return (unsigned)(ctas < 1 ? 1 : ctas > most ? most : ctas);
}

#ifdef __CUDACC__
/* Sets *ctas to the CTAs of a kernel that the GPU in use holds at once. */
template <class Kernel>
static inline cudaError_t resident_ctas(Kernel *kernel, int cta,
                                        size_t memory_B, unsigned *ctas)
{
    int gpu, sms, n;
    cudaError_t code = cudaGetDevice(&gpu);

    if (code == cudaSuccess)
        code =
            cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    if (code == cudaSuccess)
        code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel, cta,
                                                             memory_B);
    if (code == cudaSuccess)
        *ctas = (unsigned)(sms * n);
    return code;
}
#endif

#endif
