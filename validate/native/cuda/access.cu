// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the kernels that access memory at random, in order, or at one word;
 * callable from C. */
#include "validate/native/cuda/access.cuh"
#include "validate/native/cuda/start.cuh"

/* Because only grid_group::sync() is used, cooperative groups need not include
 * the C++ library of CUDA, which takes three quarters of the compiler's
 * time. */
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>

static const unsigned CTA = 256, MOST_CTAS = 132 * 16;

typedef void access_kernels(uint32_t *words, uint32_t mask, unsigned threads,
                            unsigned together, unsigned accesses, uint32_t seed,
                            uint32_t one_lane, uint32_t *found);

static access_kernels *const kernels[ACCESS_OPERATIONS][2] = {
    {access_kernel<ACCESS_READ, 1>,
     access_kernel<ACCESS_READ, ACCESS_IN_FLIGHT>},
    {access_kernel<ACCESS_ATOMIC_MIN, 1>,
     access_kernel<ACCESS_ATOMIC_MIN, ACCESS_IN_FLIGHT>},
    {access_kernel<ACCESS_FLOAT_ADD, 1>,
     access_kernel<ACCESS_FLOAT_ADD, ACCESS_IN_FLIGHT>},
    {access_kernel<ACCESS_WRITE, 1>,
     access_kernel<ACCESS_WRITE, ACCESS_IN_FLIGHT>},
    {access_kernel<ACCESS_FLOAT_SUM, 1>,
     access_kernel<ACCESS_FLOAT_SUM, ACCESS_IN_FLIGHT>},
};

int access_begin(struct access_run r, void *stream)
{
    unsigned cta = r.threads < CTA ? r.threads : CTA;

    return START(kernels[r.operation][r.in_flight > 1],
                 ctas_for(r.threads, cta), cta, 0, stream, r.words,
                 (uint32_t)(r.nwords - 1), r.threads, r.together, r.accesses,
                 r.seed, r.one_lane != 0, r.found);
}

int access_fill(enum access_operation operation, uint32_t *words,
                uint64_t nwords, void *stream)
{
    void (*const fills[])(uint32_t *, uint64_t) = {
        access_fill_kernel<ACCESS_READ>, access_fill_kernel<ACCESS_ATOMIC_MIN>,
        access_fill_kernel<ACCESS_FLOAT_ADD>, access_fill_kernel<ACCESS_WRITE>,
        access_fill_kernel<ACCESS_FLOAT_SUM>};

    return START(fills[operation], ctas_for(nwords, CTA, MOST_CTAS), CTA, 0,
                 stream, words, nwords);
}

int access_sum(enum access_operation operation, const uint32_t *words,
               uint64_t nwords, double *sum, void *stream)
{
    bool adds =
        operation == ACCESS_FLOAT_ADD || operation == ACCESS_FLOAT_SUM;

    if (operation == ACCESS_READ)
        return cudaSuccess;
    return START((adds ? access_sum_kernel<ACCESS_FLOAT_ADD>
                      : access_sum_kernel<ACCESS_WRITE>),
                 ctas_for(nwords, CTA, MOST_CTAS), CTA, 0, stream, words,
                 nwords, sum);
}

unsigned access_stream_threads(uint64_t nwords, unsigned width)
{
    return ctas_for(nwords / width, CTA, MOST_CTAS) * CTA;
}

int access_stream(const uint32_t *words, uint64_t nwords, unsigned width,
                  unsigned passes, unsigned long long *sums, void *stream)
{
    unsigned ctas = access_stream_threads(nwords, width) / CTA;

    if (width == 1)
        return START(access_stream_words, ctas, CTA, 0, stream, words, nwords,
                     passes, sums);
    return START(access_stream_fours, ctas, CTA, 0, stream,
                 (const uint4 *)words, nwords / 4, passes, sums);
}

int access_count(uint32_t *counter, unsigned threads, unsigned times,
                 int aggregated, uint32_t *found, void *stream)
{
    unsigned cta = threads < CTA ? threads : CTA;

    return START((aggregated ? access_count_kernel<true>
                            : access_count_kernel<false>),
                 ctas_for(threads, cta), cta, 0, stream, counter, threads,
                 times, found);
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
                                       arguments, 0, (cudaStream_t)stream);
}

static __global__ void gate(const uint32_t *flag)
{
    for (unsigned i = 0; i < 1000000 && look(flag) == 0; i++)
        __nanosleep(1000);
}

int access_gate(const uint32_t *flag, void *stream)
{
    return START(gate, 1, 1, 0, stream, flag);
}

static __global__ void nothing(void)
{
}

struct little_padding {
    uint32_t words[50];
};

/* Executes instructions that the compiler can neither leave out nor put into a
 * loop: 512 of 16 bytes. */
static __device__ __forceinline__ uint32_t little_code(uint32_t x)
{
    uint32_t a = x, b = x + 1, c = x + 2, d = x + 3;
#define MIX                                                                    \
    asm volatile("mad.lo.u32 %0, %0, 5, 1;" : "+r"(a));                        \
    asm volatile("mad.lo.u32 %0, %0, 7, 1;" : "+r"(b));                        \
    asm volatile("mad.lo.u32 %0, %0, 9, 1;" : "+r"(c));                        \
    asm volatile("mad.lo.u32 %0, %0, 11, 1;" : "+r"(d));
#define MIX_8 MIX MIX MIX MIX MIX MIX MIX MIX
#define MIX_64 MIX_8 MIX_8 MIX_8 MIX_8 MIX_8 MIX_8 MIX_8 MIX_8
    MIX_64 MIX_64
#undef MIX_64
#undef MIX_8
#undef MIX
    return a ^ b ^ c ^ d;
}

template <bool Code>
static __device__ __forceinline__ void little(const struct little_kernel &l,
                                              uint32_t more)
{
    extern __shared__ uint32_t little_memory[];
    uint32_t state = access_state(l.seed, threadIdx.x), before = 0, sum = 0;

    if (l.shared) {
        little_memory[threadIdx.x] = threadIdx.x;
        __syncthreads();
        sum = little_memory[(threadIdx.x + 32) % blockDim.x] !=
              (threadIdx.x + 32) % blockDim.x;
    }
    for (uint32_t i = 0; i < l.accesses; i++) {
        before = __ldcg(
            &l.words[(access_draw(&state) + before) & (l.nwords - 1)]);
        sum += before;
    }
    if (Code && little_code(state + more) == 0x12345678u)
        sum += l.nwords == 0;
    if (l.peer && threadIdx.x == 0) {
        uint32_t at = atomicAdd_system(l.peer, 1u);
        l.peer[1 + (at & (l.nwords / 2 - 1))] = at;
    }
    if (sum)
        atomicAdd(l.found, sum);
}

template <bool Code> static __global__ void little_narrow(struct little_kernel l)
{
    little<Code>(l, 0);
}

template <bool Code>
static __global__ void little_wide(struct little_kernel l,
                                   struct little_padding p)
{
    little<Code>(l, p.words[l.seed % 50]);
}

int access_little(struct little_kernel l, void *stream)
{
    static const struct little_padding zeros = {};
    unsigned ctas = l.ctas ? l.ctas : 1;

    if (l.wide)
        return START((l.code ? little_wide<true> : little_wide<false>), ctas, CTA,
                     l.shared, stream, l, zeros);
    return START((l.code ? little_narrow<true> : little_narrow<false>), ctas, CTA,
                 l.shared, stream, l);
}

int access_nothing(unsigned ctas, unsigned cta, void *stream)
{
    return START(nothing, ctas, cta, 0, stream);
}
