// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts all kernels except those of graph algorithms, which are in headers;
 * callable from C. They are compiled together, because CUDA's headers
 * take longer than the kernels. */
#include "validate/native/cuda/access.cuh"
#include "validate/native/cuda/elements.cuh"
#include "validate/native/cuda/gather.cuh"
#include "validate/native/cuda/little.cuh"
#include "validate/native/cuda/match.cuh"
#include "validate/native/cuda/peer.cuh"
#include "validate/native/cuda/queue.cuh"
#include "validate/native/cuda/reduce.cuh"
#include "validate/native/cuda/start.cuh"
#include "validate/native/cuda/work.cuh"

static const unsigned CTA = 256, MOST_CTAS = 4096;

/* Starts a kernel for `n` items. */
#define EACH(kernel, n, ...)                                                   \
    START(kernel, ctas_for((n), CTA, MOST_CTAS), CTA, 0, stream, __VA_ARGS__)

/* --- queues, by form and operation ---------------------------------------- */

typedef void queue_kernel(unsigned threads, struct queue q, uint32_t *popped);

static queue_kernel *const queue_forms[QUEUE_FORMS][QUEUE_OPERATIONS] = {
    {queue_by_warps<atos_queue, QUEUE_PUSH>,
     queue_by_warps<atos_queue, QUEUE_POP>,
     queue_by_warps<atos_queue, QUEUE_PUSH_POP>},
    {queue_by_ctas<atos_queue, QUEUE_PUSH>,
     queue_by_ctas<atos_queue, QUEUE_POP>,
     queue_by_ctas<atos_queue, QUEUE_PUSH_POP>},
    {queue_by_warps<cas_queue, QUEUE_PUSH>,
     queue_by_warps<cas_queue, QUEUE_POP>,
     queue_by_warps<cas_queue, QUEUE_PUSH_POP>},
};

static const unsigned box_B = QUEUE_BOX * sizeof(uint32_t);

int queue_start(enum queue_form form, enum queue_operation operation,
                unsigned threads, unsigned cta, struct queue q,
                uint32_t *popped, void *stream)
{
    return START(queue_forms[form][operation], ctas_for(threads, cta), cta,
                 box_B, stream, threads, q, popped);
}

int queue_resident(enum queue_form form, enum queue_operation operation,
                   unsigned cta, unsigned *ctas)
{
    int n = 0;
    cudaError_t code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &n, queue_forms[form][operation], (int)cta, box_B);

    *ctas = (unsigned)n;
    return code;
}

/* --- matching ------------------------------------------------------------- */

int match_start_matrix(struct match_work w, struct match_shape s,
                       unsigned repeats, void *stream)
{
    return START(match_matrix, s.ctas, s.threads, match_memory_matrix(s),
                 stream, w, s, repeats);
}

int match_start_hash(struct match_work w, struct match_shape s,
                     unsigned repeats, void *stream)
{
    return START(match_hash, s.ctas, s.threads, match_memory_hash(s), stream, w,
                 s, repeats);
}

/* --- gathers and sums ----------------------------------------------------- */

int gather_pack(uint64_t *to, const uint64_t *from, const uint32_t *index,
                size_t n, void *stream)
{
    return EACH(pack_kernel, n, to, from, index, n);
}

int gather_unpack(uint64_t *to, const uint64_t *from, const uint32_t *index,
                  size_t n, void *stream)
{
    return EACH(unpack_kernel, n, to, from, index, n);
}

int reduce_start(double *out, struct reduce_inputs inputs, size_t doubles,
                 void *stream)
{
    return EACH(reduce_add, doubles / 2, out, inputs, doubles);
}

/* --- elements of collectives ---------------------------------------------- */

/* Adds four elements at a time if all buffers are aligned to 16 bytes. */
int elements_add(float *to, struct elements_inputs in, size_t n, void *stream)
{
    uintptr_t any = (uintptr_t)to;

    for (unsigned k = 0; k < in.n; k++)
        any |= (uintptr_t)in.from[k];
    size_t fours = any % 16 == 0 ? n / 4 : 0;
    int code = cudaSuccess;
    if (fours)
        code = EACH(element_add_four, fours, (float4 *)to, in, fours);
    if (n > 4 * fours && code == cudaSuccess)
        code = EACH(element_add, n - 4 * fours, to, in, 4 * fours, n);
    return code;
}

int elements_fill(float *to, size_t n, uint64_t first, unsigned rank,
                  void *stream)
{
    return EACH(element_fill, n, to, n, first, rank);
}

int elements_wrong(const float *of, size_t n, uint64_t first, unsigned low,
                   unsigned high, unsigned long long *wrong, void *stream)
{
    return EACH(element_count, n, of, n, first, low, high, wrong);
}

/* --- small kernels -------------------------------------------------------- */

int work_flag(uint32_t *flag, uint32_t value, void *stream)
{
    return START(word_flag, 1, 1, 0, stream, flag, value);
}

int work_fill(uint64_t *words, size_t n, uint64_t seed, void *stream)
{
    return EACH(words_fill, n, words, n, seed);
}

int work_wrong(const uint64_t *words, size_t n, uint64_t seed,
               unsigned long long *wrong, void *stream)
{
    return EACH(words_wrong, n, words, n, seed, wrong);
}

int work_read(const void *from, size_t bytes, uint32_t never, uint32_t *sum,
              void *stream)
{
    return EACH(words_read, bytes / 16, (const uint4 *)from, bytes / 16, never,
                sum);
}

int work_write(void *to, size_t bytes, uint32_t value, void *stream)
{
    return EACH(words_write, bytes / 16, (uint4 *)to, bytes / 16, value);
}

int work_copy(void *to, const void *from, size_t bytes, void *stream)
{
    return EACH(words_copy, bytes / 16, (uint4 *)to, (const uint4 *)from,
                bytes / 16);
}

int work_add(unsigned long long *to, size_t stride, unsigned threads,
             unsigned times, int chained, void *stream)
{
    return START((chained ? words_add_chained : words_add),
                 ctas_for(threads, CTA), CTA, 0, stream, to, stride, threads,
                 times);
}

int work_put(uint64_t *to, size_t n, uint64_t seed, unsigned threads,
             void *stream)
{
    return START(words_put, ctas_for(threads, CTA), CTA, 0, stream, to, n, seed,
                 threads);
}

/* --- between GPUs --------------------------------------------------------- */

int peer_move(void *to, const void *a, const void *b, size_t bytes,
              unsigned ctas, void *stream)
{
    float4 *t = (float4 *)to;
    const float4 *x = (const float4 *)a, *y = (const float4 *)b;
    size_t n = bytes / sizeof *t;

    return START((b ? peer_move_kernel<true> : peer_move_kernel<false>), ctas,
                 PEER_CTA, 0, stream, t, x, y, n);
}

int peer_pong(const struct pong *p, void *stream)
{
    return START(peer_pong_kernel, 1, p->threads, 0, stream, *p);
}

/* --- accesses ------------------------------------------------------------- */

static const unsigned ACCESS_CTAS = 132 * 16; /* at most */

typedef void access_kernels(uint32_t *words, uint32_t mask, unsigned threads,
                            unsigned together, unsigned accesses, uint32_t seed,
                            uint32_t one_lane, uint32_t *found);

static access_kernels *const access_forms[ACCESS_OPERATIONS][2] = {
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

    return START(access_forms[r.operation][r.in_flight > 1],
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

    return START(fills[operation], ctas_for(nwords, CTA, ACCESS_CTAS), CTA, 0,
                 stream, words, nwords);
}

int access_sum(enum access_operation operation, const uint32_t *words,
               uint64_t nwords, double *sum, void *stream)
{
    bool adds = operation == ACCESS_FLOAT_ADD || operation == ACCESS_FLOAT_SUM;

    if (operation == ACCESS_READ)
        return cudaSuccess;
    return START((adds ? access_sum_kernel<ACCESS_FLOAT_ADD>
                       : access_sum_kernel<ACCESS_WRITE>),
                 ctas_for(nwords, CTA, ACCESS_CTAS), CTA, 0, stream, words,
                 nwords, sum);
}

unsigned access_stream_threads(uint64_t nwords, unsigned width)
{
    return ctas_for(nwords / width, CTA, ACCESS_CTAS) * CTA;
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

    return START(
        (aggregated ? access_count_kernel<true> : access_count_kernel<false>),
        ctas_for(threads, cta), cta, 0, stream, counter, threads, times, found);
}

int access_grid_sync(unsigned ctas, unsigned cta, unsigned times, int check,
                     uint32_t *counter, uint32_t *found, void *stream)
{
    void *arguments[] = {&times, &check, &counter, &found};

    return cudaLaunchCooperativeKernel((const void *)grid_sync, ctas, cta,
                                       arguments, 0, (cudaStream_t)stream);
}

int access_gate(const uint32_t *flag, void *stream)
{
    return START(gate, 1, 1, 0, stream, flag);
}

int access_little(struct little_kernel l, void *stream)
{
    static const struct little_padding zeros = {};
    unsigned ctas = l.ctas ? l.ctas : 1;

    if (l.wide)
        return START((l.code ? little_wide<true> : little_wide<false>), ctas,
                     CTA, l.shared, stream, l, zeros);
    return START((l.code ? little_narrow<true> : little_narrow<false>), ctas,
                 CTA, l.shared, stream, l);
}

int access_nothing(unsigned ctas, unsigned cta, void *stream)
{
    return START(nothing, ctas, cta, 0, stream);
}
