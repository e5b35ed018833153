// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the kernels that access memory at random, in order, or at one word;
 * compiled for C to call. */
#include "validate/native/cuda/access.cuh"

#include <cooperative_groups.h>

static const unsigned CTA = 256, MOST_CTAS = 132 * 16;

static unsigned ctas_for(uint64_t threads)
{
    uint64_t ctas = (threads + CTA - 1) / CTA;

    return (unsigned)(ctas < 1 ? 1 : ctas > MOST_CTAS ? MOST_CTAS : ctas);
}

#define STREAM(stream) ((cudaStream_t)(stream))

typedef void access_kernels(uint32_t *words, uint32_t mask, unsigned threads,
                            unsigned together, unsigned accesses, uint32_t seed,
                            uint32_t *found);

static access_kernels *const kernels[ACCESS_OPERATIONS][2] = {
    {access_kernel<ACCESS_READ, 1>,
     access_kernel<ACCESS_READ, ACCESS_IN_FLIGHT>},
    {access_kernel<ACCESS_ATOMIC_MIN, 1>,
     access_kernel<ACCESS_ATOMIC_MIN, ACCESS_IN_FLIGHT>},
    {access_kernel<ACCESS_FLOAT_ADD, 1>,
     access_kernel<ACCESS_FLOAT_ADD, ACCESS_IN_FLIGHT>},
    {access_kernel<ACCESS_WRITE, 1>,
     access_kernel<ACCESS_WRITE, ACCESS_IN_FLIGHT>},
};

int access_begin(struct access_run r, void *stream)
{
    unsigned cta = r.threads < CTA ? r.threads : CTA;

    kernels[r.operation][r.in_flight > 1]<<<(r.threads + cta - 1) / cta, cta, 0,
                                            STREAM(stream)>>>(
        r.words, (uint32_t)(r.nwords - 1), r.threads, r.together, r.accesses,
        r.seed, r.found);
    return cudaGetLastError();
}

int access_fill(enum access_operation operation, uint32_t *words,
                uint64_t nwords, void *stream)
{
    void (*const fills[])(uint32_t *, uint64_t) = {
        access_fill_kernel<ACCESS_READ>, access_fill_kernel<ACCESS_ATOMIC_MIN>,
        access_fill_kernel<ACCESS_FLOAT_ADD>, access_fill_kernel<ACCESS_WRITE>};

    fills[operation]<<<ctas_for(nwords), CTA, 0, STREAM(stream)>>>(words,
                                                                  nwords);
    return cudaGetLastError();
}

int access_sum(enum access_operation operation, const uint32_t *words,
               uint64_t nwords, double *sum, void *stream)
{
    if (operation == ACCESS_ATOMIC_MIN || operation == ACCESS_WRITE)
        access_sum_kernel<ACCESS_WRITE>
            <<<ctas_for(nwords), CTA, 0, STREAM(stream)>>>(words, nwords, sum);
    else if (operation == ACCESS_FLOAT_ADD)
        access_sum_kernel<ACCESS_FLOAT_ADD>
            <<<ctas_for(nwords), CTA, 0, STREAM(stream)>>>(words, nwords, sum);
    return cudaGetLastError();
}

unsigned access_stream_threads(uint64_t nwords, unsigned width)
{
    return ctas_for(nwords / width) * CTA;
}

int access_stream(const uint32_t *words, uint64_t nwords, unsigned width,
                  unsigned passes, unsigned long long *sums, void *stream)
{
    if (width == 1)
        access_stream_words<<<ctas_for(nwords), CTA, 0, STREAM(stream)>>>(
            words, nwords, passes, sums);
    else
        access_stream_fours<<<ctas_for(nwords / 4), CTA, 0, STREAM(stream)>>>(
            (const uint4 *)words, nwords / 4, passes, sums);
    return cudaGetLastError();
}

int access_count(uint32_t *counter, unsigned threads, unsigned times,
                 int aggregated, uint32_t *found, void *stream)
{
    unsigned cta = threads < CTA ? threads : CTA;
    unsigned ctas = (threads + cta - 1) / cta;

    if (aggregated)
        access_count_kernel<true><<<ctas, cta, 0, STREAM(stream)>>>(
            counter, threads, times, found);
    else
        access_count_kernel<false><<<ctas, cta, 0, STREAM(stream)>>>(
            counter, threads, times, found);
    return cudaGetLastError();
}

/* --- a grid, a gate ------------------------------------------------------- */

static __global__ void grid_sync(unsigned times, int check, uint32_t *counter,
                                 uint32_t *found)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();

    for (unsigned i = 0; i < times; i++) {
        if (check && threadIdx.x == 0)
            atomicAdd(counter, 1u);
        grid.sync();
        if (check && look(counter) < (i + 1) * gridDim.x)
            atomicAdd(found, 1u);
    }
}

int access_grid_sync(unsigned ctas, unsigned cta, unsigned times, int check,
                     uint32_t *counter, uint32_t *found, void *stream)
{
    void *arguments[] = {&times, &check, &counter, &found};

    return cudaLaunchCooperativeKernel((const void *)grid_sync, ctas, cta,
                                       arguments, 0, STREAM(stream));
}

static __global__ void gate(const uint32_t *flag)
{
    for (unsigned i = 0; i < 1000000 && look(flag) == 0; i++)
        __nanosleep(1000);
}

int access_gate(const uint32_t *flag, void *stream)
{
    gate<<<1, 1, 0, STREAM(stream)>>>(flag);
    return cudaGetLastError();
}

static __global__ void nothing(void)
{
}

int access_nothing(unsigned ctas, unsigned cta, void *stream)
{
    nothing<<<ctas, cta, 0, STREAM(stream)>>>();
    return cudaGetLastError();
}
