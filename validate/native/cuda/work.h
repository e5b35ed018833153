/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work.h - small kernels: a flag, patterns, and accesses to memory of this GPU
 * or of another. All functions return a cudaError_t. */
#ifndef VALIDATE_NATIVE_CUDA_WORK_H
#define VALIDATE_NATIVE_CUDA_WORK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes `value` to memory that the CPU can see. */
int work_flag(uint32_t *flag, uint32_t value, void *stream);

/* work_fill() sets word i to seed + i; work_wrong() counts the words that
 * differ from this. */
int work_fill(uint64_t *words, size_t n, uint64_t seed, void *stream);
int work_wrong(const uint64_t *words, size_t n, uint64_t seed,
               unsigned long long *wrong, void *stream);

/* Read all (the sum of each thread's words is stored in *sum if it equals
 * `never`), write all, or copy all; bytes is a multiple of 16. */
int work_read(const void *from, size_t bytes, uint32_t never, uint32_t *sum,
              void *stream);
int work_write(void *to, size_t bytes, uint32_t value, void *stream);
int work_copy(void *to, const void *from, size_t bytes, void *stream);

/* Adds 1 `times` times in each of `threads` threads: to one counter at *to
 * (stride 0), or to a counter of its own, `stride` after that of the thread
 * before. With `chained`, each addition waits for the result of the one
 * before. */
int work_add(unsigned long long *to, size_t stride, unsigned threads,
             unsigned times, int chained, void *stream);
/* Stores word i = seed + i by `threads` threads, n words in all. */
int work_put(uint64_t *to, size_t n, uint64_t seed, unsigned threads,
             void *stream);

#ifdef __cplusplus
}
#endif

#endif
