// SPDX-License-Identifier: GPL-3.0-or-later
/* Kernels that move or sum buffers by few or many CTAs, and messages between
 * two GPUs by stores and flags. */
#include "validate/native/cuda/peer.h"
#include "validate/native/cuda/start.cuh"

enum { UNROLL = 4 };
static const unsigned MOST_LOOKS = 1u << 24;

static __device__ float4 add(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

/* Copies, or sums; several loads of a thread are in flight at a time. */
template <int SUM>
static __global__ void move(float4 *to, const float4 *a, const float4 *b,
                            size_t n)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i + (UNROLL - 1) * step < n; i += UNROLL * step) {
        float4 v[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            v[u] = a[i + u * step];
        if (SUM) {
            float4 w[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; u++)
                w[u] = b[i + u * step];
#pragma unroll
            for (int u = 0; u < UNROLL; u++)
                v[u] = add(v[u], w[u]);
        }
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            to[i + u * step] = v[u];
    }
    for (; i < n; i += step)
        to[i] = SUM ? add(a[i], b[i]) : a[i];
}

int peer_move(void *to, const void *a, const void *b, size_t bytes,
              unsigned ctas, void *stream)
{
    float4 *t = (float4 *)to;
    const float4 *x = (const float4 *)a, *y = (const float4 *)b;
    size_t n = bytes / sizeof *t;

    return START((b ? move<1> : move<0>), ctas, PEER_CTA, 0, stream, t, x, y,
                 n);
}

/* --- messages ------------------------------------------------------------- */

static __device__ void await(const struct pong *p, uint32_t round)
{
    unsigned looks = 0;

    if (threadIdx.x == 0) {
        while (*(volatile uint32_t *)p->flag != round)
            if (++looks > MOST_LOOKS) {
                *p->lost = 1;
                break;
            }
        __threadfence_system();
    }
    __syncthreads();
}

static __device__ void raise_flag(const struct pong *p, uint32_t round)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();
        *(volatile uint32_t *)p->peer_flag = round;
    }
}

static __device__ void send_plain(const struct pong *p, uint32_t round)
{
    size_t n = p->bytes / 8;

    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        ((volatile uint64_t *)p->peer_inbox)[i] = p->from[i];
    raise_flag(p, round);
}

static __device__ void receive_plain(const struct pong *p, uint32_t round)
{
    size_t n = p->bytes / 8;

    await(p, round);
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        p->to[i] = ((volatile uint64_t *)p->inbox)[i];
    __syncthreads();
}

static __device__ void send_ll(const struct pong *p, uint32_t round)
{
    size_t n = p->bytes / 8;

    for (size_t i = threadIdx.x; i < n; i += blockDim.x) {
        uint64_t word = p->from[i];
        asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %2};" ::"l"(
                         (uint4 *)p->peer_inbox + i),
                     "r"((uint32_t)word), "r"(round),
                     "r"((uint32_t)(word >> 32))
                     : "memory");
    }
}

static __device__ void receive_ll(const struct pong *p, uint32_t round)
{
    size_t n = p->bytes / 8;

    for (size_t i = threadIdx.x; i < n; i += blockDim.x) {
        uint32_t low, high, flag1, flag2;
        unsigned looks = 0;
        do {
            asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(low), "=r"(flag1), "=r"(high), "=r"(flag2)
                         : "l"((uint4 *)p->inbox + i)
                         : "memory");
            if (++looks > MOST_LOOKS) {
                *p->lost = 1;
                return;
            }
        } while (flag1 != round || flag2 != round);
        p->to[i] = (uint64_t)high << 32 | low;
    }
    __syncthreads();
}

static __global__ void pong_kernel(struct pong p)
{
    for (unsigned i = 0; i < p.rounds && !*(volatile unsigned *)p.lost; i++) {
        uint32_t round = p.round + i;
        for (int turn = 0; turn < 2; turn++) {
            bool sends = (turn == 0) == (p.first != 0);
            if (sends && p.ll)
                send_ll(&p, round);
            else if (sends)
                send_plain(&p, round);
            else if (p.ll)
                receive_ll(&p, round);
            else
                receive_plain(&p, round);
        }
    }
}

int peer_pong(const struct pong *p, void *stream)
{
    return START(pong_kernel, 1, p->threads, 0, stream, *p);
}
