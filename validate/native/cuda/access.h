/* SPDX-License-Identifier: GPL-3.0-or-later */
/* access.h - kernels whose threads access words of memory at random, in order,
 * or all the same one. All calls return a cudaError_t. */
#ifndef VALIDATE_NATIVE_CUDA_ACCESS_H
#define VALIDATE_NATIVE_CUDA_ACCESS_H

#include <stddef.h>
#include <stdint.h>

enum access_operation {
    ACCESS_READ,
    ACCESS_ATOMIC_MIN,
    ACCESS_FLOAT_ADD,
    ACCESS_WRITE,
    ACCESS_FLOAT_SUM, /* additions whose threads do not ask what was there */
    ACCESS_OPERATIONS
};

/* Of a thread's accesses so many are on their way at once; their number is a
 * multiple of it. With one, each place depends on what the access before gave.
 */
enum { ACCESS_IN_FLIGHT = 8 };

/*
 * `words`, a power of two of them up to 2^32, hold access_start() before. So
 * many threads in a row as `together` (a power of two) access words next to
 * each other that begin at a multiple of it.
 */
struct access_run {
    enum access_operation operation;
    uint32_t *words;
    uint64_t nwords;
    unsigned threads, together, in_flight; /* 1 or ACCESS_IN_FLIGHT */
    unsigned accesses;                     /* of each thread */
    int one_lane;    /* of each warp: the others have none */
    uint32_t seed;   /* another one: other places */
    uint32_t *found; /* of each thread, added to: see access_found() */
};

/* What atomicMin and writes leave in a word, and what was there before. */
#define ACCESS_LEAST 1u
#define ACCESS_MOST 0x7fffffffu

#ifdef __cplusplus
extern "C" {
#endif

int access_begin(struct access_run r, void *stream);

/*
 * What words hold before the operation: reads: a number of each word's own;
 * atomicMin and writes: ACCESS_MOST; both float additions: 0.
 */
int access_fill(enum access_operation operation, uint32_t *words,
                uint64_t nwords, void *stream);
/*
 * Adds to *sum what the words tell: atomicMin: how many are ACCESS_LEAST, which
 * is what the threads found (they count the words that they changed); float
 * additions: their sum, which is their number (also what the threads found).
 * Writes: how many are ACCESS_LEAST (the threads found nothing). Reads found
 * the number of wrong words: nothing is added.
 */
int access_sum(enum access_operation operation, const uint32_t *words,
               uint64_t nwords, double *sum, void *stream);

/*
 * Reads all words in order, `passes` times, `width` (1 or 4) words a thread at
 * a time. sums[thread]: what each has read, of access_stream_threads() threads;
 * each writes its own, since additions to one would take longer than the words.
 */
int access_stream(const uint32_t *words, uint64_t nwords, unsigned width,
                  unsigned passes, unsigned long long *sums, void *stream);
unsigned access_stream_threads(uint64_t nwords, unsigned width);

/*
 * Each thread adds 1 to one counter `times` times; with `aggregated` one lane
 * of each warp adds for all 32. Each uses what it got: found[thread] counts how
 * often this was less than the time before, which must not be.
 */
int access_count(uint32_t *counter, unsigned threads, unsigned times,
                 int aggregated, uint32_t *found, void *stream);

/* `times` times all CTAs wait for each other. With `check` found[0] counts the
 * threads that went on too early. */
int access_grid_sync(unsigned ctas, unsigned cta, unsigned times, int check,
                     uint32_t *counter, uint32_t *found, void *stream);

/* Holds the stream until *flag (of the host) is not 0, but a second at most. */
int access_gate(const uint32_t *flag, void *stream);

/*
 * A kernel of one CTA that does a little, as one of a small frontier does:
 * `accesses` of each thread that wait for each other, anywhere in nwords words
 * that are 0; CTA memory of `shared` bytes, touched; with `code`, some 8 KiB of
 * instructions, each once; with `wide`, 200 bytes of parameters more. Adds what
 * is not 0 to *found.
 */
struct little_kernel {
    const uint32_t *words;
    uint32_t nwords, accesses, shared, seed;
    int code, wide;
    unsigned ctas; /* of 256 threads; 0: one */
    uint32_t *found;
    uint32_t *peer; /* the other GPU's: a word is added to, and one stored */
};
int access_little(struct little_kernel l, void *stream);

/* An empty kernel of so many CTAs. */
int access_nothing(unsigned ctas, unsigned cta, void *stream);

#ifdef __cplusplus
}
#endif

#endif
