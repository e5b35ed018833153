/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peer.cuh - kernels that move or sum buffers by few or many CTAs, and messages
 * between two GPUs by stores and flags. */
#ifndef VALIDATE_NATIVE_CUDA_PEER_CUH
#define VALIDATE_NATIVE_CUDA_PEER_CUH

#include "validate/native/cuda/elements.cuh"
#include "validate/native/cuda/peer.h"

enum { PEER_LOADS = 4 }; /* loads of a thread in flight */
static const unsigned MOST_LOOKS = 1u << 24;

/* Copies, or sums; several loads of a thread are in flight at a time. */
template <bool Sum>
static __global__ void peer_move_kernel(float4 *to, const float4 *a,
                                        const float4 *b, size_t n)
{
    size_t step = GRID_ALL, i = GRID_ME;

    for (; i + (PEER_LOADS - 1) * step < n; i += PEER_LOADS * step) {
        float4 v[PEER_LOADS];
        UNROLL
        for (int u = 0; u < PEER_LOADS; u++)
            v[u] = a[i + u * step];
        if (Sum) {
            float4 w[PEER_LOADS];
            UNROLL
            for (int u = 0; u < PEER_LOADS; u++)
                w[u] = b[i + u * step];
            UNROLL
            for (int u = 0; u < PEER_LOADS; u++)
                v[u] = sum_of_four(v[u], w[u]);
        }
        UNROLL
        for (int u = 0; u < PEER_LOADS; u++)
            to[i + u * step] = v[u];
    }
    for (; i < n; i += step)
        to[i] = Sum ? sum_of_four(a[i], b[i]) : a[i];
}

/* --- messages ------------------------------------------------------------- */

static __device__ void pong_await(const struct pong *p, uint32_t round)
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

    pong_await(p, round);
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

static __global__ void peer_pong_kernel(struct pong p)
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

#endif
