/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work.h - small kernels: nothing, a flag, patterns, and accesses to memory of
 * this GPU or of another. All return a cudaError_t. */
#ifndef VALIDATE_NATIVE_CUDA_WORK_H
#define VALIDATE_NATIVE_CUDA_WORK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int work_nothing(void *stream);
/* Writes `value` where the CPU can see it. */
int work_flag(uint32_t *flag, uint32_t value, void *stream);

/* Word i becomes seed + i; and counts the words that are not that. */
int work_fill(uint64_t *words, size_t n, uint64_t seed, void *stream);
int work_wrong(const uint64_t *words, size_t n, uint64_t seed,
               unsigned long long *wrong, void *stream);

/* Reads all (the sum of each thread's words goes to *sum if it is `never`),
 * writes all, or copies all: bytes is a multiple of 16. */
int work_read(const void *from, size_t bytes, uint32_t never, uint32_t *sum,
              void *stream);
int work_write(void *to, size_t bytes, uint32_t value, void *stream);
int work_copy(void *to, const void *from, size_t bytes, void *stream);

/*
 * Every one of `threads` threads adds 1 `times` times: to the one counter at
 * *to (stride 0), or to its own, `stride` further than that of the thread
 * before. With `chained`, each addition waits for what the one before returned.
 */
int work_add(unsigned long long *to, size_t stride, unsigned threads,
             unsigned times, int chained, void *stream);
/* `threads` threads store word i = seed + i, n words in all. */
int work_put(uint64_t *to, size_t n, uint64_t seed, unsigned threads,
             void *stream);

#ifdef __cplusplus
}
#endif

#endif
