/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peer.h - kernels that move or sum buffers by a given number of CTAs, and two
 * that send each other messages through peer memory. All functions return a
 * cudaError_t. */
#ifndef VALIDATE_NATIVE_CUDA_PEER_H
#define VALIDATE_NATIVE_CUDA_PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PEER_CTA = 512 }; /* threads */

/* Computes to = a, or a + b as float32 (if b is not NULL), by this many CTAs;
 * bytes is a multiple of 16. Any of the buffers may be in another GPU. */
int peer_move(void *to, const void *a, const void *b, size_t bytes,
              unsigned ctas, void *stream);

/* One of two kernels, each of one CTA, that send each other `bytes` (a multiple
 * of 8, up to 8 * 2^20) `rounds` times; one of them goes first. Round numbers
 * continue from `round`, which is equal for both and above 0. ll: each thread's
 * store of 16 bytes has 8 of data and two flags, which the receiver polls;
 * otherwise plain stores, a fence, and one flag. */
struct pong {
    int first, ll;
    unsigned rounds, round, threads; /* threads of the CTA */
    size_t bytes;
    const uint64_t *from;     /* own */
    uint64_t *to;             /* own: the received data */
    void *inbox, *peer_inbox; /* 2 * bytes with ll, otherwise bytes */
    uint32_t *flag, *peer_flag;
    unsigned *lost; /* set to 1 if it gave up waiting */
};
int peer_pong(const struct pong *p, void *stream);

#ifdef __cplusplus
}
#endif

#endif
