/* SPDX-License-Identifier: GPL-3.0-or-later */
/* access.h - kernels whose threads access words of memory at random, in order,
 * or all the same one. All functions return a cudaError_t. */
#ifndef VALIDATE_NATIVE_CUDA_ACCESS_H
#define VALIDATE_NATIVE_CUDA_ACCESS_H

#include <stddef.h>
#include <stdint.h>

enum access_operation {
    ACCESS_READ,
    ACCESS_ATOMIC_MIN,
    ACCESS_FLOAT_ADD,
    ACCESS_WRITE,
    ACCESS_FLOAT_SUM, /* additions whose threads do not use the old value */
    ACCESS_OPERATIONS
};

/* Accesses of a thread that are in flight at once; the number of its accesses
 * is a multiple of it. With one in flight, each place depends on the result of
 * the access before. */
enum { ACCESS_IN_FLIGHT = 8 };

/* Random accesses. `words`, a power of two of them up to 2^32, must have been
 * set by access_fill(). Each group of `together` consecutive threads (a power
 * of two) accesses adjacent words that begin at a multiple of it. */
struct access_run {
    enum access_operation operation;
    uint32_t *words;
    uint64_t nwords;
    unsigned threads, together, in_flight; /* 1 or ACCESS_IN_FLIGHT */
    unsigned accesses;                     /* accesses of each thread */
    int one_lane;    /* only one lane of each warp has accesses */
    uint32_t seed;   /* another seed gives other places */
    uint32_t *found; /* one per thread, which adds to it: see access_sum() */
};

/* The value of a word after atomicMin and writes, and before. */
#define ACCESS_LEAST 1u
#define ACCESS_MOST 0x7fffffffu

#ifdef __cplusplus
extern "C" {
#endif

int access_begin(struct access_run r, void *stream);

/* Sets the words before the operation: for reads a number of each word's own;
 * for atomicMin and writes ACCESS_MOST; for both float additions 0. */
int access_fill(enum access_operation operation, uint32_t *words,
                uint64_t nwords, void *stream);
/* Adds to *sum a number that follows from the words. For atomicMin it is the
 * number of ACCESS_LEAST, which equals the sum of `found`, because threads
 * count the words that they changed. For float additions it is the sum of the
 * words, which is the number of additions and also equals the sum of `found`.
 * For writes it is the number of ACCESS_LEAST; `found` is 0. Reads add nothing;
 * their `found` counts wrong words. */
int access_sum(enum access_operation operation, const uint32_t *words,
               uint64_t nwords, double *sum, void *stream);

/* Reads all words in order, `passes` times, `width` (1 or 4) words per thread
 * at a time. sums[thread] is the sum that each of access_stream_threads()
 * threads has read; each writes its own, because additions to a single one
 * would take longer than the reads. */
int access_stream(const uint32_t *words, uint64_t nwords, unsigned width,
                  unsigned passes, unsigned long long *sums, void *stream);
unsigned access_stream_threads(uint64_t nwords, unsigned width);

/* Adds 1 to one counter `times` times in each thread; with `aggregated` one
 * lane of each warp adds for all 32. Each thread uses the result: found[thread]
 * counts how often it was less than the time before, which must not happen. */
int access_count(uint32_t *counter, unsigned threads, unsigned times,
                 int aggregated, uint32_t *found, void *stream);

/* Makes all CTAs wait for each other `times` times. With `check` found[0]
 * counts the threads that continued too early. */
int access_grid_sync(unsigned ctas, unsigned cta, unsigned times, int check,
                     uint32_t *counter, uint32_t *found, void *stream);

/* Blocks the stream until *flag (in host memory) is not 0, but at most a
 * second. */
int access_gate(const uint32_t *flag, void *stream);

/* A kernel of one CTA that does little work, like one of a small frontier:
 * `accesses` of each thread that wait for each other, anywhere in nwords words
 * that are 0; CTA memory of `shared` bytes, which is touched; with `code`, some
 * 8 KiB of instructions, each executed once; with `wide`, 200 more bytes of
 * parameters. It adds the values that are not 0 to *found. */
struct little_kernel {
    const uint32_t *words;
    uint32_t nwords, accesses, shared, seed;
    int code, wide;
    unsigned ctas; /* CTAs of 256 threads; 0 for one */
    uint32_t *found;
    uint32_t *peer; /* in the other GPU: one word is added to, and one stored */
};
int access_little(struct little_kernel l, void *stream);

/* Starts an empty kernel of this many CTAs. */
int access_nothing(unsigned ctas, unsigned cta, void *stream);

#ifdef __cplusplus
}
#endif

#endif
